"""The files of the scope ambiguity paper (Kamath et al. 2024; github.com/McGill-NLP/scope-ambiguity): CSV.

Experiment 1 has a sentence and two options in each row, in either order; Experiment 2 a quadruple of rows for each
`idx`: the sentence S and its control Sc, each with the follow-ups F1 and F2. The files of people's answers and of
models' scores repeat the columns of the items.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from gramprobe.formats.tabular import Record, cell, finite, one_of, records, refused


def _schema(texts: tuple[str, ...], **others: pa.DataType) -> pa.Schema:
    return pa.schema([*((name, pa.string()) for name in texts), *others.items()])


_OPERATORS = ("op1", "op1_kind", "op2", "op2_kind")
CHOICE = _schema(("item", "sentence", "option_a", "option_b", "key", "reading", *_OPERATORS), order=pa.int64())
CONTINUATION = _schema(("item", "part", "sentence", "followup", *_OPERATORS))
ANSWERS = _schema(("item", "person", "answer"), order=pa.int64())
RATINGS = _schema(("item", "part", "person"), rating=pa.float64())
SCORES = _schema(("item", "part", "model"), value=pa.float64())
CHOSEN = _schema(("item", "model", "answer"), order=pa.int64(), control=pa.bool_())

_CHOICE_COLUMNS = ("idx", "sentence", "Option A", "Option B", "gold_ans", "gold_scope_label")
_CONTINUATION_COLUMNS = ("idx", "sentence", "followup", "stype", "ftype")
_OPERATOR_COLUMNS = ("OP1", "OP1_type", "OP2", "OP2_type")
PARTS = {("S", "F1"): "s_f1", ("S", "F2"): "s_f2", ("Sc", "F1"): "control_f1", ("Sc", "F2"): "control_f2"}


def choice(path: Path) -> pa.Table:
    """The items of Experiment 1, as `CHOICE`: `key` is A or B, `reading` surface or inverse; `order` is 1 for the row
    of an item that comes first and 2 for the one with the options exchanged. Raises UsageError (E44, E46)."""
    rows = [
        {
            "item": row["idx"],
            "order": order,
            "sentence": row["sentence"],
            "option_a": row["Option A"],
            "option_b": row["Option B"],
            "key": cell(path, line, row, "gold_ans", one_of("A", "B")),
            "reading": cell(path, line, row, "gold_scope_label", one_of("surface", "inverse")),
            **_operators(row),
        }
        for line, row, order in _ordered(path, (*_CHOICE_COLUMNS, *_OPERATOR_COLUMNS))
    ]
    return pa.Table.from_pylist(rows, CHOICE)


def answers(path: Path) -> pa.Table:
    """People's answers to Experiment 1, as `ANSWERS`. Raises UsageError (E44, E46)."""
    seen: dict[str, str] = {}
    rows = []
    for line, row in records(path, (*_CHOICE_COLUMNS, "workerid", "response"), "a file of answers"):
        first = seen.setdefault(row["idx"], row["Option A"])
        rows.append(
            {
                "item": row["idx"],
                "order": 1 if row["Option A"] == first else 2,
                "person": row["workerid"],
                "answer": cell(path, line, row, "response", one_of("A", "B")),
            }
        )
    return pa.Table.from_pylist(rows, ANSWERS)


def chosen(path: Path) -> pa.Table:
    """Models' answers to Experiment 1, as `CHOSEN`: `answer` is A, B, or empty for text that names neither. A column
    that the items do not have is a model, or with ` Control` at its end a model that did not see the sentence.

    Chat models answer in sentences: as in the paper's script, text with *Option A* in it is A, else with *Option B* B.
    Raises UsageError (E44, E46).
    """
    known = {*_CHOICE_COLUMNS, *_OPERATOR_COLUMNS, ""}
    rows = [
        {
            "item": row["idx"],
            "order": order,
            "model": name.removesuffix(" Control"),
            "control": name.endswith(" Control"),
            "answer": _letter(row[name]),
        }
        for _, row, order in _ordered(path, _CHOICE_COLUMNS)
        for name in row
        if name not in known and not name.startswith("Unnamed")
    ]
    return pa.Table.from_pylist(rows, CHOSEN)


def _letter(text: str) -> str:
    if text.strip() in ("A", "B"):
        return text.strip()
    return next((letter for letter in "AB" if f"Option {letter}" in text), "")


def continuation(path: Path) -> pa.Table:
    """The items of Experiment 2, as `CONTINUATION`: four rows for each item, whose `part` is one of `PARTS`. Operators
    are those of the sentence S. Raises UsageError (E44, E46), also for an item with a part missing or twice."""
    rows = [
        {
            "item": row["idx"],
            "part": part,
            "sentence": row["sentence"],
            "followup": row["followup"].strip(),
            **_operators(row),
        }
        for _, row, part in _quadruples(path, _OPERATOR_COLUMNS)
    ]
    operators = {row["item"]: {name: row[name] for name in _OPERATORS} for row in rows if row["part"] == "s_f1"}
    return pa.Table.from_pylist([{**row, **operators[row["item"]]} for row in rows], CONTINUATION)


def ratings(path: Path) -> pa.Table:
    """People's ratings of Experiment 2, from 1 to 7, as `RATINGS`. Raises UsageError (E44, E46)."""

    def rating(text: str) -> float:
        value = finite(text)
        if not 1 <= value <= 7:
            raise ValueError(text)
        return value

    rows = [
        {
            "item": row["idx"],
            "part": _part(path, line, row),
            "person": row["workerid"],
            "rating": cell(path, line, row, "response", rating),
        }
        for line, row in records(path, (*_CONTINUATION_COLUMNS, "workerid", "response"), "a file of ratings")
    ]
    return pa.Table.from_pylist(rows, RATINGS)


def scores(path: Path) -> pa.Table:
    """Models' scores of Experiment 2, as `SCORES`: log P of the follow-up given the sentence, in nats, summed over
    tokens. Every column that the items do not have is a model. Raises UsageError (E44, E46)."""
    known = {*_CONTINUATION_COLUMNS, *_OPERATOR_COLUMNS, ""}
    rows = [
        {"item": row["idx"], "part": part, "model": model, "value": cell(path, line, row, model, finite)}
        for line, row, part in _quadruples(path, ())
        for model in row
        if model not in known and not model.startswith("Unnamed")
    ]
    return pa.Table.from_pylist(rows, SCORES)


def _operators(row: Record) -> dict[str, str]:
    return {name: row[column] for name, column in zip(_OPERATORS, _OPERATOR_COLUMNS, strict=True)}


def _ordered(path: Path, needed: tuple[str, ...]) -> Iterator[tuple[int, Record, int]]:
    """(line, row, whether it is the first or second row of its item)."""
    seen: dict[str, int] = {}
    for line, row in records(path, needed, "a file of Experiment 1"):
        order = seen[row["idx"]] = seen.get(row["idx"], 0) + 1
        if order > 2:
            raise refused(path, line, f"a third row of the item {row['idx']}", "an item has a row for each order")
        yield line, row, order


def _quadruples(path: Path, needed: tuple[str, ...]) -> Iterator[tuple[int, Record, str]]:
    """(line, row, part) of a file in which every item has each part once."""
    seen: dict[str, set[str]] = {}
    line = 0
    for line, row in records(path, (*_CONTINUATION_COLUMNS, *needed), "a file of Experiment 2"):
        part = _part(path, line, row)
        parts = seen.setdefault(row["idx"], set())
        if part in parts:
            what = f"the item {row['idx']} has {row['stype']} with {row['ftype']} twice"
            raise refused(path, line, what, "keep one of the rows")
        parts.add(part)
        yield line, row, part
    for item, parts in seen.items():
        if len(parts) < len(PARTS):
            lacks = ", ".join(sorted(set(PARTS.values()) - parts))
            raise refused(path, line, f"the item {item} lacks {lacks}", "an item has four rows")


def _part(path: Path, line: int, row: Record) -> str:
    part = PARTS.get((row["stype"], row["ftype"]))
    if part is None:
        what = f"`{row['stype']}` with `{row['ftype']}`"
        raise refused(path, line, what, "stype is S or Sc, and ftype F1 or F2")
    return part
