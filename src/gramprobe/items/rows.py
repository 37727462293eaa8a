"""A labelled selection as columns: Arrow tables, and JSON lines by one join an instance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gramprobe.formula.notation import show
from gramprobe.items.instance import names
from gramprobe.items.kin import Codes, slot_of
from gramprobe.items.label import CODES, Labelling, PairLabels
from gramprobe.items.schema import NLI, nli_schema
from gramprobe.items.strengthening import Decided, said_in
from gramprobe.items.turns import splits, turns
from gramprobe.meaning.compose import CLOSE, OPEN
from gramprobe.resolve.paradigm.data import COLUMNS, Draw
from gramprobe.resolve.tree import Slot
from gramprobe.words.linearise import Form
from gramprobe.words.program import Segment
from gramprobe.words.realise import ID, gathered

#: instances in one piece of JSON lines (small, so that it stays in the cache), and in one Arrow table
LINES, TABLE = 1024, 8192
#: columns that are the same in every row of an instance
PER_INSTANCE = ("instance", "draws")


@dataclass(frozen=True, slots=True)
class Reported:
    """What a row says of its label, besides the label: the same for every row of a group."""

    shape: str
    certificate: str
    rests_on: str
    label: int
    label_name: str
    label_binary: int
    label_via: str
    h_values: str
    labels: str
    label_literal: str
    label_pragmatic: str
    label_premise_only: str

    @classmethod
    def of(cls, decided: Decided) -> Reported:
        """Without a scale nothing is strengthened: the pragmatic columns repeat the literal label."""
        entries = [entry._asdict() for entry in decided.entries]
        return cls(
            decided.gold.shape.id,
            decided.verdict.kind,
            decided.rests_on,
            CODES[decided.label],
            decided.label,
            int(decided.label == "entailment"),
            decided.via,
            decided.verdict.h_values,
            json.dumps(entries, separators=(",", ":"), ensure_ascii=False),
            *(decided.in_column(column).label for column in COLUMNS),
        )


class Rows:
    """The rows of one paradigm, an instance's pairs together, in the order of the instances."""

    def __init__(self, labelling: Labelling):
        self.labelling = labelling
        self.plan = labelling.plan
        self.paradigm = labelling.plan.paradigm
        self.count = len(labelling.draws)
        #: for each instance the pair that it gives a row of, where it gives one only
        self.turns = turns(self.paradigm, self.count)
        self.splits = splits(self.paradigm, self.count)
        #: what gates compute once and share
        self.words_cache: Any = None
        self.leak_cache: Any = None

    @cached_property
    def schema(self) -> pa.Schema:
        return nli_schema([d.name for d in self.paradigm.draws])

    @cached_property
    def sentences(self) -> dict[str, pa.Array]:
        """Condition -> its sentence in every instance."""
        realiser, draws = self.plan.realiser, self.labelling.draws
        return {n: realiser.sentences(c, draws) for n, c in self.paradigm.conditions.items()}

    @cached_property
    def forms(self) -> dict[tuple[str, str], pa.Array]:
        """Column and condition -> the formula of its gold reading as that side says it in the gold column, as text."""
        pairs = self.paradigm.pairs
        sides = {"premise_form": [p.premise for p in pairs], "hypothesis_form": [p.hypothesis for p in pairs]}
        return {(side, name): self._form(side, name) for side, names in sides.items() for name in dict.fromkeys(names)}

    def _form(self, side: str, condition: str) -> pa.Array:
        meanings, draws = self.labelling.meanings[condition], self.labelling.draws
        found = []
        for number in range(len(meanings.readings)):
            rows = np.flatnonzero(meanings.code == number)
            if len(rows):
                formula = said_in(self.paradigm.gold, meanings.gold(number).formula, side == "premise_form")
                found.append((rows, self._pieces(show(formula))))
        return self.plan.realiser.column(gathered(found, draws), sentence=False)

    @cached_property
    def principles(self) -> dict[str, pa.Array]:
        """Pair's condition -> what its labels rest on, for the pairs where that names words of the row."""
        found = {}
        for pair in self.labelling.pairs:
            texts = [decided.rests_on for decided in pair.decided]
            if any(OPEN in text for text in texts):
                groups = [(np.flatnonzero(pair.group == n), self._pieces(text)) for n, text in enumerate(texts)]
                cut = gathered([(rows, pieces) for rows, pieces in groups if len(rows)], self.labelling.draws)
                found[pair.pair.condition] = self.plan.realiser.column(cut, sentence=False)
        return found

    def _pieces(self, text: str) -> tuple[Segment, ...]:
        """A formula's text cut at the symbols of slots."""
        found: list[Segment] = []
        rest = text
        while OPEN in rest:
            before, _, behind = rest.partition(OPEN)
            path, _, rest = behind.partition(CLOSE)
            slot: Slot = slot_of(OPEN + path + CLOSE, self.plan)
            found.append(Segment(before, Form(slot, ID, False)))
        if not found:
            return (Segment(text, None),)
        found[-1] = Segment(found[-1].before, found[-1].form, rest)
        return tuple(found)

    @cached_property
    def instance(self) -> pa.Array:
        return self.plan.realiser.column(names(self.plan, self.labelling.draws), sentence=False)

    @cached_property
    def draws(self) -> dict[str, pa.Array]:
        return {d.name: self._draw(d) for d in self.paradigm.draws}

    def _draw(self, draw: Draw) -> pa.Array:
        return self.plan.realiser.column(names(self.plan, self.labelling.draws, draw), sentence=False)

    def constants(self, pair: PairLabels) -> dict[str, str]:
        """The columns that are the same in every row of a pair."""
        return {
            "phenomenon": self.paradigm.phenomenon,
            "paradigm": self.paradigm.name,
            "condition": pair.pair.condition,
            "tag": pair.pair.tag,
            "split": self.paradigm.split,
            "theory": self.plan.theory.name,
            "premise_condition": pair.pair.premise,
            "hypothesis_condition": pair.pair.hypothesis,
        }

    @cached_property
    def reported(self) -> dict[str, list[Reported]]:
        """Pair's condition -> what is said of each group of its rows."""
        return {p.pair.condition: [Reported.of(d) for d in p.decided] for p in self.labelling.pairs}

    @cached_property
    def reported_json(self) -> dict[str, dict[str, list[str]]]:
        """The same by attribute, as JSON texts."""
        return {
            condition: {
                name: [json.dumps(getattr(r, name), ensure_ascii=False) for r in groups] for name in Reported.__slots__
            }
            for condition, groups in self.reported.items()
        }

    def prepare(self) -> None:
        """Compute the columns that tables and lines share, so that both can be written at once."""
        _ = self.schema, self.sentences, self.forms, self.instance, self.draws, self.principles, self.reported_json

    # -- tables

    def tables(self, first: int = 0, last: int | None = None) -> Iterator[pa.Table]:
        """Arrow tables of at most :data:`TABLE` instances each, rows instance by instance."""
        end = self.count if last is None else last
        for start in range(first, end, TABLE):
            yield self.table(start, min(start + TABLE, end))

    def table(self, start: int, stop: int) -> pa.Table:
        """The rows of the instances ``start .. stop - 1``."""
        size, pairs = stop - start, len(self.labelling.pairs)
        by_pair = [self._columns(p, start, stop) for p in self.labelling.pairs]
        # Row (instance i, pair p) stands at p * size + i after joining the pairs.
        if self.turns is None:
            instances, turn = np.repeat(np.arange(size), pairs), np.tile(np.arange(pairs), size)
        else:
            instances, turn = np.arange(size), self.turns[start:stop]
        order, instance = pa.array(turn * size + instances), pa.array(instances)
        arrays = []
        for field in self.schema:
            parts = [c[field.name] for c in by_pair]
            if field.name == "split" and len(self.splits) > 1:
                whole = self._split(start, stop).take(instance)
            elif isinstance(parts[0], str):
                same = parts.count(parts[0]) == pairs
                whole = pa.repeat(parts[0], len(turn)) if same else pa.array(parts, pa.string()).take(pa.array(turn))
            elif field.name in PER_INSTANCE:
                whole = parts[0].take(instance)
            else:
                whole = pa.concat_arrays(parts).take(order)
            arrays.append(whole.cast(field.type))
        return pa.Table.from_arrays(arrays, schema=self.schema)

    def _split(self, start: int, stop: int) -> pa.Array:
        """The split of each instance."""
        names = [name for name, first, last in self.splits for _ in range(max(start, first), min(stop, last))]
        return pa.array(names, pa.string())

    def _columns(self, pair: PairLabels, start: int, stop: int) -> dict[str, Any]:
        """One pair's columns; a text stands for a column that says the same in every row."""
        size = stop - start
        constants = self.constants(pair)
        group = pa.array(pair.group[start:stop])
        reported = self.reported[pair.pair.condition]

        def of(attribute: str) -> pa.Array:
            return pa.array([getattr(r, attribute) for r in reported]).take(group)

        instance, principles = self.instance.slice(start, size), self.principles.get(pair.pair.condition)
        prefix, suffix = f"{self.paradigm.full_name}/", f"/{pair.pair.condition}"
        drawn = [c.slice(start, size) for c in self.draws.values()]
        columns: dict[str, Any] = dict(constants)
        columns |= {
            "id": pc.binary_join_element_wise(pa.scalar(prefix), instance, pa.scalar(suffix), ""),
            "instance": instance,
            "shape": of("shape"),
            "certificate": of("certificate"),
            "rests_on": principles.slice(start, size) if principles is not None else of("rests_on"),
            "draws": pa.StructArray.from_arrays(drawn, names=list(self.draws)),
            "premise": self.sentences[pair.pair.premise].slice(start, size),
            "hypothesis": self.sentences[pair.pair.hypothesis].slice(start, size),
            "label": of("label"),
            "label_name": of("label_name"),
            "label_binary": of("label_binary"),
            "label_literal": of("label_literal"),
            "label_pragmatic": of("label_pragmatic"),
            "label_premise_only": of("label_premise_only"),
            "label_via": of("label_via"),
            "h_values": of("h_values"),
            "premise_form": self.forms["premise_form", pair.pair.premise].slice(start, size),
            "hypothesis_form": self.forms["hypothesis_form", pair.pair.hypothesis].slice(start, size),
            "labels": of("labels"),
        }
        return columns

    # -- JSON lines

    def lines(self) -> Iterator[pa.Buffer]:
        """The rows as JSON lines: keys in the order of the schema, no spaces between tokens, UTF-8."""
        escaped = _Escaped(self)
        for start in range(0, self.count, LINES):
            stop = min(start + LINES, self.count)
            by_pair = [self._line(pair, escaped, start, stop) for pair in self.labelling.pairs]
            if self.turns is None:
                joined = pc.binary_join_element_wise(*_fused([piece for line in by_pair for piece in line]), "")
            else:
                each = [pc.binary_join_element_wise(*_fused(line), "") for line in by_pair]
                order = self.turns[start:stop] * (stop - start) + np.arange(stop - start)
                joined = pa.concat_arrays(each).take(pa.array(order))
            yield _bytes_of(joined)

    def _line(self, pair: PairLabels, escaped: _Escaped, start: int, stop: int) -> list[Any]:
        """The pieces of one row's line: texts, and columns of JSON text."""
        size = stop - start
        constants = {n: json.dumps(v, ensure_ascii=False) for n, v in self.constants(pair).items()}
        reported = self.reported_json[pair.pair.condition]
        pieces: list[Any] = []
        group = pair.group[start:stop]
        for name in NLI:
            pieces.append(("{" if name == "id" else ",") + f'"{name}":')
            if name == "split" and len(self.splits) > 1:
                pieces += ['"', self._split(start, stop), '"']
            elif name in constants:
                pieces.append(constants[name])
            elif name == "id":
                pieces += [
                    f'"{self.paradigm.full_name}/',
                    escaped.instance.slice(start, size),
                    f'/{pair.pair.condition}"',
                ]
            elif name == "instance":
                pieces += ['"', escaped.instance.slice(start, size), '"']
            elif name == "draws":
                pieces += escaped.draws(start, size)
            elif name in ("premise", "hypothesis"):
                condition = pair.pair.premise if name == "premise" else pair.pair.hypothesis
                pieces += ['"', escaped.sentences[condition].slice(start, size), '"']
            elif name in ("premise_form", "hypothesis_form"):
                condition = pair.pair.premise if name == "premise_form" else pair.pair.hypothesis
                pieces += ['"', escaped.forms[name, condition].slice(start, size), '"']
            elif name == "rests_on" and pair.pair.condition in escaped.principles:
                pieces += ['"', escaped.principles[pair.pair.condition].slice(start, size), '"']
            else:
                pieces.append(_by_group(reported[name], group))
        pieces.append("}\n")
        return pieces


class _Escaped:
    """String columns as JSON texts without their quotes; nearly always they are that already."""

    def __init__(self, rows: Rows):
        self.instance = _escape(rows.instance)
        self.sentences = {n: _escape(c) for n, c in rows.sentences.items()}
        self.forms = {n: _escape(c) for n, c in rows.forms.items()}
        self.principles = {n: _escape(c) for n, c in rows.principles.items()}
        self._draws = {n: _escape(c) for n, c in rows.draws.items()}

    def draws(self, start: int, size: int) -> list[Any]:
        pieces: list[Any] = []
        for number, (name, column) in enumerate(self._draws.items()):
            pieces += [
                ("{" if number == 0 else ",") + f'{json.dumps(name)}:"',
                column.slice(start, size),
                '"',
            ]
        return [*pieces, "}"]


def _escape(column: pa.Array) -> pa.Array:
    if not pc.any(pc.match_substring_regex(column, r'["\\\x00-\x1f]')).as_py():
        return column
    return pa.array([json.dumps(text, ensure_ascii=False)[1:-1] for text in column.to_pylist()], pa.string())


def _by_group(texts: list[str], group: Codes) -> Any:
    """A text by group: one text where it is the same for all, else a column."""
    if len(set(texts)) == 1:
        return texts[0]
    return pa.array(texts, pa.string()).take(pa.array(group))


def _fused(pieces: list[Any]) -> list[Any]:
    """Neighbouring texts joined into one scalar."""
    found: list[Any] = []
    held = ""
    for piece in pieces:
        if isinstance(piece, str):
            held += piece
            continue
        if held:
            found.append(pa.scalar(held))
            held = ""
        found.append(piece)
    if held:
        found.append(pa.scalar(held))
    return found


def _bytes_of(column: pa.Array) -> pa.Buffer:
    """The text of a string array end to end, without making Python strings."""
    offsets = np.frombuffer(column.buffers()[1], dtype=np.int32)[column.offset : column.offset + len(column) + 1]
    data: pa.Buffer = column.buffers()[2]
    return data.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
