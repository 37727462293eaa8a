"""The cells of a chunk, from which a task makes the columns of its rows.

A cell is a column for all instances of the chunk at once: texts of answers are looked up by group, words by slot, so
that no Python string is made for a single row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.cells import NULL, Cell, Lookup, Number, Row, Source, Struct, Text, Words
from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import Groups
from gramprobe.items.instance import carried_segments, segments_of
from gramprobe.items.slots import cut_at_slots
from gramprobe.items.stretch import Keys
from gramprobe.items.task import Task
from gramprobe.items.texts import Dictionaries, Segments, Spelling
from gramprobe.meaning.reading import Reading
from gramprobe.resolve.paradigm.data import Carried, Condition, Draw, Paradigm
from gramprobe.space.space import Box, Draws
from gramprobe.words.arrow import values
from gramprobe.words.regions import as_json, regions_of


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Instances of one part of a split with their groups.

    Attributes:
        draws: the instances.
        groups: the group of each, for each part.
        keys: (instances, texts) fingerprints of the texts that may not be repeated; None where no repeat can occur.
        kept: (instances, pairs) which pairs an instance gives a row of: one where pairs take turns, and none that an
            earlier row has; None where it gives a row of each pair.
        split: the split of all of them.
        part: the number of the part of the split (one Parquet file) that they are in.
        preferred: for each instance the reading that people prefer (empty: unknown); no entries without preferences.
    """

    draws: Draws
    groups: Groups
    keys: Keys | None = None
    kept: NDArray[np.bool_] | None = None
    split: str = ""
    part: int = 0
    preferred: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.draws)

    def rows_of(self, at: int) -> NDArray[np.bool_] | slice:
        """Which instances give a row of a pair, as an index."""
        return slice(None) if self.kept is None else self.kept[:, at]


def kept_of(chunks: Sequence[Chunk], pairs: int) -> NDArray[np.bool_] | None:
    """``kept`` of several chunks together."""
    if all(chunk.kept is None for chunk in chunks):
        return None
    every = (np.ones((len(chunk), pairs), np.bool_) if chunk.kept is None else chunk.kept for chunk in chunks)
    return np.concatenate(list(every))


@dataclass
class Rows:
    """The rows of a stream's chunks. Dictionaries of words and variants of sentences are shared by all chunks."""

    decisions: Decisions
    task: Task

    def __post_init__(self) -> None:
        self.plan = self.decisions.plan
        self.words = Dictionaries(self.plan.realiser)
        self._segments: dict[str, Segments] = {}
        self._checked = False  # one chunk shows what a task's code gives

    def cells(self, chunk: Chunk) -> list[Row]:
        """The rows of each instance of a chunk, every column as a cell, columns in order. An instance may give
        some of them only (``chunk.kept``).

        Raises ValueError, at the first chunk, for rows of a task that lack a column, have a value that no cell can
        hold, or an id that is not of `leading` or not their own.
        """
        cells = ChunkCells(self, chunk)
        rows = list(self.task.rows(cells))
        if not self._checked:
            self._check(rows, cells)
        return [{name: row[name] for name in self.task.columns} for row in rows]

    def _check(self, rows: Sequence[Row], cells: ChunkCells) -> None:
        ids = set[Cell]()
        for row in rows:
            lacking = [name for name in self.task.columns if name not in row]
            if lacking:
                raise ValueError(f"`rows` gives a row without `{lacking[0]}`, which is among `columns`")
            bare = [name for name in self.task.columns if not isinstance(row[name], Cell)]
            if bare:
                raise ValueError(f"`rows` gives `{bare[0]}` as {row[bare[0]]!r}, which is no cell: see `items.task`")
            if row["id"] not in cells.ids:
                raise ValueError("`rows` gives a row whose `id` is not of `cells.leading`")
            if row["id"] in ids:
                raise ValueError(
                    f"`rows` gives two rows with the id `{cells.ids[row['id']]}`: give `leading` another `id_end`"
                )
            ids.add(row["id"])
        self._checked = True

    def segments(self, text: str) -> Segments:
        """A text cut at the symbols of slots."""
        if text not in self._segments:
            self._segments[text] = cut_at_slots(text, self.plan)
        return self._segments[text]


@dataclass
class ChunkCells:
    """Makes the cells of one chunk, for `task.Task.rows`."""

    rows: Rows
    chunk: Chunk
    _texts: dict[object, Text] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.decisions = self.rows.decisions
        self.spelling = Spelling(self.rows.words, self.chunk.draws)
        answers = self.decisions.answers
        #: for each part the group of each row; groups without an answer are not looked up
        self._groups = [
            Source(max(known, default=0) + 1, codes.astype(np.int32))
            for known, codes in zip(answers, self.chunk.groups.parts, strict=True)
        ]
        #: for each part the answer of each group; None where it has none, or is rejected
        self._answers = [
            [None if group not in known or reasons[group] else known[group] for group in range(source.size)]
            for known, reasons, source in zip(answers, self.decisions.rejections, self._groups, strict=True)
        ]
        self._meanings: dict[str, Source] = {}
        #: the ids of rows that were made -> how they read
        self.ids: dict[Cell, str] = {}

    @property
    def paradigm(self) -> Paradigm:
        return self.rows.plan.paradigm

    # -- cells

    def constant(self, text: str) -> Text:
        """One text for all rows."""
        return Text.of(text)

    def joined(self, *parts: str | Text) -> Text:
        """Texts one after the other."""
        return Text.of(*parts)

    def number(self, value: int) -> Number:
        """One number for all rows."""
        return Number.constant(value)

    def sentence(self, condition: str) -> Text:
        """The sentences of a condition."""
        return self._shared(("sentence", condition), lambda: self._sentence(self.paradigm.conditions[condition]))

    def regions(self, condition: str) -> Text:
        """The regions of a condition's sentences (`words.regions`), as a JSON list; empty where no word is of one."""
        return self._shared(("regions", condition), lambda: self._regions(self.paradigm.conditions[condition]))

    def of(self, part: int, text: Callable[[Any], str]) -> Text:
        """For each row ``text(answer)``, of the answer to a part."""
        if not len(self.chunk):
            return Text.of("")
        texts, by = self._by_group(part, text)
        if len(texts) == 1:
            return Text.of(texts[0])
        return Text.of(Lookup(self.rows.words.texts(tuple(texts)), (by,)))

    def number_of(self, part: int, value: Callable[[Any], int | None]) -> Number:
        """For each row ``value(answer)``, of the answer to a part; null where that is None."""

        def digits(answer: Any) -> str:
            number = value(answer)
            return NULL if number is None else str(number)

        return Number(self.of(part, digits) if len(self.chunk) else Text.of(NULL))

    def cut(self, part: int, text: Callable[[Any], str]) -> Text:
        """For each row ``text(answer)``, a text with symbols of slots, which become the words of the row."""
        if not len(self.chunk):
            return Text.of("")
        texts, by = self._by_group(part, text)
        return self.spelling.text(by, [self.rows.segments(each) for each in texts], False)

    def formula(self, condition: str, text: Callable[[tuple[Reading, ...]], str], key: object = None) -> Text:
        """For each row ``text(readings)`` of a condition, a text with symbols of slots; texts of different functions
        need different ``key``."""
        return self._shared(("formula", condition, key), lambda: self._formula(condition, text))

    def preferred(self) -> Text:
        """The reading that people prefer; empty where it is not known."""
        known = self.chunk.preferred
        distinct = {text: number for number, text in enumerate(dict.fromkeys(known))}
        if len(distinct) < 2:
            return Text.of(next(iter(distinct), ""))
        codes = np.array([distinct[text] for text in known], np.int32)
        return Text.of(Lookup(self.rows.words.texts(tuple(distinct)), (Source(len(distinct), codes),)))

    def leading(self, condition: str, tag: str = "target", id_end: str = "", part: int = 0) -> dict[str, Cell]:
        """The columns with which the rows of a task begin (`task.LEADING`; `task.PLACE` if it decides nothing).

        ``condition`` and then ``id_end`` are the end of the item's id. ``part``: the part of which the row has the
        answer.
        """
        paradigm = self.paradigm
        instance = self._shared("instance", lambda: self._names(None))
        constants = {
            "phenomenon": paradigm.phenomenon,
            "paradigm": paradigm.name,
            "condition": condition,
            "tag": tag,
            "split": self.chunk.split or paradigm.split,
        }
        cells: dict[str, Cell] = {
            **{name: Text.of(text) for name, text in constants.items()},
            "id": (id_ := Text.of(f"{paradigm.full_name}/", instance, f"/{condition}{id_end}")),
            "instance": instance,
            "draws": self._draws,
        }
        self.ids[id_] = f"{paradigm.full_name}/INSTANCE/{condition}{id_end}"
        if self.rows.task.form.claims is not None:
            cells |= {
                "theory": Text.of(self.rows.plan.theory.name),
                "shape": self.of(part, lambda answer: answer.shape),
                "certificate": self.of(part, lambda answer: answer.certificate),
                "rests_on": self.cut(part, lambda answer: answer.rests_on),
            }
        return cells

    # -- how cells are made

    @property
    def _draws(self) -> Struct:
        if not hasattr(self, "_struct"):
            names = {draw.name: self._names(draw) for draw in self.paradigm.draws}
            carried = {each.field: self._carried(each) for each in self.paradigm.carried}
            self._struct = Struct({**names, **carried})
        return self._struct

    def _shared(self, key: object, make: Callable[[], Text]) -> Text:
        """The cell with this key. Rows share it as one object, so that it is made and written out once."""
        if key not in self._texts:
            self._texts[key] = make()
        return self._texts[key]

    def _sentence(self, condition: Condition) -> Text:
        worded = self.rows.plan.realiser.worded(condition)
        by = self.spelling.source(worded.variants)
        return self.spelling.text(by, worded.segments, self.rows.plan.realiser.begins(condition))

    def _regions(self, condition: Condition) -> Text:
        if not len(self.chunk):
            return Text.of("")
        cut = self.rows.plan.realiser.cut(condition, self.chunk.draws, self.paradigm.regions).dictionary_encode()
        texts = [as_json(regions_of(each)) for each in cut.dictionary.to_pylist()]
        return Text.of(Lookup(Words(texts), (Source(len(texts), values(cut.indices).astype(np.int32)),)))

    def _names(self, only: Draw | None) -> Text:
        """The ids of what was drawn, joined by points: of all draws, or of one."""
        return self._by_box(lambda box: segments_of(self.rows.plan, box, only))

    def drawn(self, draw: Draw) -> Text:
        """The ids of what was drawn for a draw."""
        return self._names(draw)

    def word(self, condition: str, number: Callable[[Any], int]) -> Text:
        """For each row the word of a condition's sentence whose number, from 1, ``number(answer)`` is, without marks
        around it; empty for 0."""
        if not len(self.chunk):
            return Text.of("")
        realiser, language = self.rows.plan.realiser, self.rows.plan.grammar.language
        sentences = realiser.sentences(self.paradigm.conditions[condition], self.chunk.draws).to_pylist()
        answers, known = self.decisions.answers[0], dict[str, int]()
        codes = np.zeros(len(sentences), np.int32)
        for row, (sentence, group) in enumerate(zip(sentences, self._groups[0].codes.tolist(), strict=True)):
            at = number(answers[group])
            word = language.bare(sentence.split(language.joiner)[at - 1]) if at else ""
            codes[row] = known.setdefault(word, len(known))
        return Text.of(Lookup(Words(list(known) or [""]), (Source(max(len(known), 1), codes),)))

    def column(self, draw: str, column: str) -> Text:
        """The value of a column of the words of a draw; empty where a word has none."""
        return self._shared((draw, column), lambda: self._carried(Carried(draw, column)))

    def _carried(self, carried: Carried) -> Text:
        return self._by_box(lambda box: carried_segments(self.rows.plan, box, carried))

    def _by_box(self, segments: Callable[[Box], Segments]) -> Text:
        """For each row the text that its box has."""
        boxes = self.rows.plan.space.boxes
        by = Source(len(boxes), self.chunk.draws.box) if len(boxes) > 1 else None
        return self.spelling.text(by, [segments(box) for box in boxes], False)

    def _by_group(self, part: int, text: Callable[[Any], str]) -> tuple[list[str], Source]:
        """The different texts of a part's answers, and for each row which of them it has; no row is of a group that
        is rejected."""
        return self._distinct(["" if each is None else text(each) for each in self._answers[part]], self._groups[part])

    def _formula(self, condition: str, text: Callable[[tuple[Reading, ...]], str]) -> Text:
        readings = self.decisions.grouping.readings(condition)
        if not readings or not len(self.chunk):
            return Text.of("")
        if condition not in self._meanings:
            codes = self.chunk.groups.meanings[condition]
            self._meanings[condition] = Source(len(readings), codes.astype(np.int32))
        texts, by = self._distinct([text(each) for each in readings], self._meanings[condition])
        return self.spelling.text(by, [self.rows.segments(each) for each in texts], False)

    def _distinct(self, texts: Sequence[str], source: Source) -> tuple[list[str], Source]:
        number = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        return list(number), self.spelling.narrowed(source, [number[text] for text in texts])


def listed(ids: Sequence[str]) -> str:
    """Ids of readings in one text."""
    return ", ".join(ids)
