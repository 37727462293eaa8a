"""The items of an experiment: what a person can see of each instance of a dataset, cell by cell.

    instances(dataset, Wanted("rating"))     a cell a condition; of a choice also a cell an order of the options, and of
                                             rows with several texts to judge a cell a text

A dataset says what its rows show (`records.Scored`) and what it compares (factors); nothing depends on a task's name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from msgspec import UNSET

from gramprobe.dataset.manifest import Design
from gramprobe.dataset.read import Dataset
from gramprobe.experiment.trials import KINDS, Kind, Region
from gramprobe.experiment.wording import OPTIONS
from gramprobe.records import Scored
from gramprobe.source import messages

TRAINED_ON = "train"
"""The split whose rows are there to train models on: nobody is asked about them."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a person may see of an instance: a row of the dataset, or one of its texts (`part`)."""

    id: str
    condition: str
    part: str
    levels: Mapping[str, str]
    texts: Mapping[str, str]
    options: tuple[str, ...] = ()
    expected: str = ""
    regions: tuple[Region, ...] = ()

    def repeats(self, other: Cell) -> bool:
        """Whether it is the same sentence of a crossed design, which stands in several pairs."""
        return (self.texts, self.options) == (other.texts, other.options) and self.levels == other.levels


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance with its cells in order, and its `words`: slot -> the word that was drawn."""

    paradigm: str
    name: str
    cells: tuple[Cell, ...]
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which items are asked for: all paradigms and conditions, if none are named; of instances as many, by the seed."""

    kind: Kind
    paradigms: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    instances: int | None = None
    seed: int = 0


def instances(dataset: Dataset, wanted: Wanted, equal: bool = True) -> list[Instance]:
    """The instances of a dataset, each with equally many cells, unless it need not be so.

    Raises UsageError for names that there are not, for a question that the rows cannot be asked, and where instances
    have different numbers of cells.
    """
    where = f"`{dataset.folder}`"
    for name in wanted.paradigms:
        if name not in dataset.paradigms:
            raise messages.experiment.unknown("--paradigm", name, dataset.paradigms, where)
    found: list[Instance] = []
    conditions: dict[str, None] = {}
    for paradigm in wanted.paradigms or dataset.paradigms:
        for instance in _of_paradigm(dataset, paradigm, wanted, conditions):
            first = found[0] if found else instance
            if equal and len(instance.cells) != len(first.cells):
                raise messages.experiment.unequal(
                    instance.paradigm, instance.name, len(instance.cells), first.paradigm, len(first.cells)
                )
            found.append(instance)
    for name in wanted.conditions:
        if name not in conditions:
            raise messages.experiment.unknown("--condition", name, conditions, where)
    if wanted.instances is not None:
        if not 0 < wanted.instances <= len(found):
            raise messages.experiment.too_few("instances", wanted.instances, len(found))
        chosen = sorted(Random(f"instances/{wanted.seed}").sample(range(len(found)), wanted.instances))
        found = [found[place] for place in chosen]
    if not found:
        raise messages.experiment.too_few("instances", 1, 0)
    return found


def _of_paradigm(dataset: Dataset, paradigm: str, wanted: Wanted, conditions: dict[str, None]) -> Iterator[Instance]:
    design = dataset.design(paradigm)
    reader = _Reader(paradigm, design, wanted.kind, _words_of(dataset))
    known = dataset.columns(paradigm)
    columns = [name for name in reader.columns if name in known]
    splits = [split for split in dataset.splits(paradigm) if split != TRAINED_ON]
    for split in splits or dataset.splits(paradigm):
        name, cells, words = "", list[Cell](), dict[str, str]()
        for batch in dataset.rows(paradigm, columns, split=split):
            for row in batch.to_pylist():
                if row["instance"] != name:
                    if cells:
                        yield Instance(paradigm, name, tuple(cells), words)
                    name, cells, words = row["instance"], [], reader.words(row)
                conditions[row["condition"]] = None
                if not wanted.conditions or row["condition"] in wanted.conditions:
                    cells += [each for each in reader.cells(row) if not any(map(each.repeats, cells))]
        if cells:
            yield Instance(paradigm, name, tuple(cells), words)


def _words_of(dataset: Dataset) -> Mapping[str, Mapping[str, Any]]:
    return {name: word.values for name, word in dataset.words.items()}


@dataclass(frozen=True)
class _Reader:
    """Makes cells of the rows of a paradigm."""

    paradigm: str
    design: Design
    kind: Kind
    lexicon: Mapping[str, Mapping[str, Any]]
    texts: tuple[tuple[str, Mapping[str, str]], ...] = field(init=False)
    """(part, text that is shown -> its column), a cell each."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", tuple(self._texts(self.design.scored)))

    def _texts(self, scored: Scored) -> Iterator[tuple[str, Mapping[str, str]]]:
        kind = self.kind
        if why := self._unasked(kind):
            fitting = [each for each in KINDS if not self._unasked(each)]
            raise messages.experiment.no_such_question(kind, self.paradigm, self.design.task, why, fitting)
        if kind == "choice":
            yield "", {**dict(zip(("sentence",), scored.context, strict=False)), **{o: o for o in scored.options}}
        elif kind == "nli":
            yield "", {"premise": scored.context[0], "hypothesis": scored.continuations[0]}
        elif scored.options:
            slot = bool(scored.slot)
            for option in scored.options:
                beside = {"context": scored.context[0]} if scored.context and not slot else {}
                filled = {"frame": scored.context[0]} if slot else {}
                yield option, {**beside, **filled, "sentence": option}
        elif scored.context and scored.continuations:
            several = len(scored.context) * len(scored.continuations) > 1
            for context in scored.context:
                for continuation in scored.continuations:
                    part = f"{context}/{continuation}" if several else ""
                    yield part, {"context": context, "sentence": continuation}
        else:
            columns = [column.name for column in self.design.columns]
            texts = scored.continuations or scored.context
            shown = ("context", "question") if kind == "self_paced" else ("context",)
            for text in texts:
                beside = {n: n for n in shown if n in columns and n != text}
                yield (text if len(texts) > 1 else ""), {**beside, "sentence": text}

    def _unasked(self, kind: str) -> str:
        """Why the rows cannot be asked this, as a clause; empty where they can."""
        scored = self.design.scored
        if kind == "choice" and len(scored.options) < 2:
            return "its rows have no options to choose from"
        if kind == "nli" and (not self._labels or len(scored.context) != 1 or len(scored.continuations) != 1):
            return "its rows are no pairs with labels"
        return ""

    @property
    def _labels(self) -> Sequence[str]:
        label = next((c for c in self.design.columns if (c.name,) == self.design.scored.label), None)
        return () if label is None or label.values is UNSET else label.values

    @property
    def columns(self) -> list[str]:
        """The columns that are read, as far as there are such."""
        shown = [column for _, texts in self.texts for column in texts.values()]
        beside = ("id", "condition", "instance", "draws", "order", "label", "answer", "regions", "tag")
        return list(dict.fromkeys([*beside, *shown]))

    def words(self, row: Mapping[str, Any]) -> dict[str, str]:
        """Slot -> the word that an instance draws."""
        draws = row["draws"] or {}
        return {draw.name: draws[draw.name] for draw in self.design.draws if draw.name in draws}

    def cells(self, row: Mapping[str, Any]) -> Iterator[Cell]:
        if self.kind != "choice" and row.get("order") not in (None, 1):
            return  # the same texts again, with the options in the other order
        if self.kind == "choice" and row.get("tag") == "cell":
            return  # no minimal pair: two sentences of a design that differ in more than one factor
        levels = {"condition": row["condition"], **self.design.levels_of(row["condition"]), **self._declared(row)}
        if self.kind == "choice" and row.get("order") is not None:
            levels["order"] = str(row["order"])
        elif self.kind == "nli" and row.get("label") is not None and row["label"] >= 0:
            levels["label"] = self._labels[row["label"]]
        for part, columns in self.texts:
            texts = {name: row[column] for name, column in columns.items() if row.get(column)}
            if "frame" in texts and "sentence" in texts:
                texts = {"sentence": texts["frame"].replace(self.design.scored.slot, texts["sentence"])}
            if not {"sentence", "premise", *self.design.scored.options} & texts.keys():
                continue  # a text that not every instance has: `unequal` finds it
            options = tuple(o for o in self.design.scored.options if o in texts) if self.kind == "choice" else ()
            expected = row.get("answer") or "" if "question" in texts else ""
            if expected and expected not in (answers := OPTIONS[self.kind]):
                expected = next((each for each in answers if expected.rstrip(".!").lower() == each), "")
                if not expected:
                    raise messages.experiment.no_answer(row["id"], row["answer"], list(answers))
            own = {**levels, "part": part} if part else levels
            sentence = self.design.sentence_of(row["condition"], part)
            if sentence != row["condition"]:  # crossed sentences: right answers are no factor of their own
                own = {**levels, "condition": sentence, **self.design.levels_of(sentence), "label": part}
            cell = Cell(row["id"], row["condition"], part, own, texts, options, expected, _regions(row.get("regions")))
            if options and "order" not in own:  # a task whose rows have the options in one order
                yield replace(cell, levels={**own, "order": "1"})
                yield replace(cell, levels={**own, "order": "2"}, options=options[::-1])
            else:
                yield cell

    def _declared(self, row: Mapping[str, Any]) -> dict[str, str]:
        """The levels of the factors between instances that the author declares; a number is no factor of lists."""
        factors = () if self.design.factors is UNSET else self.design.factors
        levels: dict[str, str] = {}
        for factor in factors:
            if factor.kind == "number":
                continue
            if factor.of == "condition":
                continue
            value: Any = None if factor.draw is UNSET else (row["draws"] or {}).get(factor.draw)
            if factor.of == "column" and factor.column is not UNSET:
                value = self.lexicon.get(str(value), {}).get(factor.column)
            if str(value) in factor.levels:
                levels[factor.name] = str(value)
        return levels


def _regions(text: str | None) -> tuple[Region, ...]:
    return tuple(Region(each["name"], each["text"]) for each in json.loads(text)) if text else ()
