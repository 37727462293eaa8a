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

from gramprobe.dataset.identify import names
from gramprobe.dataset.kin import Codes, slot_of
from gramprobe.dataset.label import CODES, Decided, Labelling, PairLabels
from gramprobe.dataset.schema import NLI, nli_schema
from gramprobe.formula.notation import show
from gramprobe.meaning.compose import CLOSE, OPEN
from gramprobe.resolve.paradigm import Draw
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

    @classmethod
    def of(cls, decided: Decided) -> Reported:
        """Without scales, strengthening changes nothing: the pragmatic columns repeat the literal label."""
        entries = [
            {"premise": p, "hypothesis": h, "column": "literal", "label": label, "shape": shape}
            for p, h, label, shape in decided.entries
        ]
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
        )


class Rows:
    """The rows of one paradigm, an instance's pairs together, in the order of the instances."""

    def __init__(self, labelling: Labelling):
        self.labelling = labelling
        self.plan = labelling.plan
        self.paradigm = labelling.plan.paradigm
        self.count = len(labelling.draws)
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
    def forms(self) -> dict[str, pa.Array]:
        """Condition -> the formula of its gold reading, as text."""
        return {name: self._form(name) for name in self.paradigm.conditions}

    def _form(self, condition: str) -> pa.Array:
        meanings, draws = self.labelling.meanings[condition], self.labelling.draws
        found = []
        for number in range(len(meanings.readings)):
            rows = np.flatnonzero(meanings.code == number)
            if len(rows):
                found.append((rows, self._pieces(show(meanings.gold(number).formula))))
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

    def tables(self) -> Iterator[pa.Table]:
        """Arrow tables of at most :data:`TABLE` instances each, rows instance by instance."""
        for start in range(0, self.count, TABLE):
            yield self.table(start, min(start + TABLE, self.count))

    def table(self, start: int, stop: int) -> pa.Table:
        """The rows of the instances ``start .. stop - 1``."""
        size, pairs = stop - start, len(self.labelling.pairs)
        by_pair = [self._columns(p, start, stop) for p in self.labelling.pairs]
        # Row (instance i, pair p) stands at p * size + i after joining the pairs.
        order = pa.array(np.arange(size * pairs).reshape(pairs, size).T.reshape(-1))
        instance = pa.array(np.repeat(np.arange(size), pairs))
        arrays = []
        for field in self.schema:
            parts = [c[field.name] for c in by_pair]
            if isinstance(parts[0], str):
                same = parts.count(parts[0]) == pairs
                whole = pa.repeat(parts[0], size * pairs) if same else pa.array(parts * size, pa.string())
            elif field.name in PER_INSTANCE:
                whole = parts[0].take(instance)
            else:
                whole = pa.concat_arrays(parts).take(order)
            arrays.append(whole.cast(field.type))
        return pa.Table.from_arrays(arrays, schema=self.schema)

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
        literal = of("label_name")
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
            "label_name": literal,
            "label_binary": of("label_binary"),
            "label_literal": literal,
            "label_pragmatic": literal,
            "label_premise_only": literal,
            "label_via": of("label_via"),
            "h_values": of("h_values"),
            "premise_form": self.forms[pair.pair.premise].slice(start, size),
            "hypothesis_form": self.forms[pair.pair.hypothesis].slice(start, size),
            "labels": of("labels"),
        }
        return columns

    # -- JSON lines

    def lines(self) -> Iterator[pa.Buffer]:
        """The rows as JSON lines: keys in the order of the schema, no spaces between tokens, UTF-8."""
        escaped = _Escaped(self)
        for start in range(0, self.count, LINES):
            stop = min(start + LINES, self.count)
            pieces: list[Any] = []
            for pair in self.labelling.pairs:
                pieces += self._line(pair, escaped, start, stop)
            joined = pc.binary_join_element_wise(*_fused(pieces), "")
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
            if name in constants:
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
                pieces += ['"', escaped.forms[condition].slice(start, size), '"']
            elif name == "rests_on" and pair.pair.condition in escaped.principles:
                pieces += ['"', escaped.principles[pair.pair.condition].slice(start, size), '"']
            else:
                attribute = name if name in Reported.__slots__ else "label_name"
                pieces.append(_by_group(reported[attribute], group))
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
