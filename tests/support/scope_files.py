"""The released items and answers of Experiment 1 of Kamath et al. (2024), and models' scores of Experiment 2: CSV.

Experiment 1 has a sentence and two options in each row, in either order. The files of people's answers and of models'
scores repeat the columns of the items.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from gramprobe.formats.scope import (
    _CONTINUATION_COLUMNS,
    _OPERATOR_COLUMNS,
    _OPERATORS,
    _operators,
    _quadruples,
    _schema,
)
from gramprobe.formats.tabular import Record, cell, finite, one_of, records, refused

CHOICE = _schema(("item", "sentence", "option_a", "option_b", "key", "reading", *_OPERATORS), order=pa.int64())
ANSWERS = _schema(("item", "person", "answer"), order=pa.int64())
SCORES = _schema(("item", "part", "model"), value=pa.float64())
CHOSEN = _schema(("item", "model", "answer"), order=pa.int64(), control=pa.bool_())
_CHOICE_COLUMNS = ("idx", "sentence", "Option A", "Option B", "gold_ans", "gold_scope_label")


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


def answers(path: Path, items: pa.Table) -> pa.Table:
    """People's answers to Experiment 1, as `ANSWERS`. Raises UsageError (E44, E46), also for an answer to no item.

    ``items``: of `choice`. They number the orders: a file of answers may have one order of an item alone.
    """
    names = ("item", "option_a", "option_b", "order")
    orders = {tuple(each): order for *each, order in zip(*(items.column(n).to_pylist() for n in names), strict=True)}
    rows = []
    for line, row in records(path, (*_CHOICE_COLUMNS, "workerid", "response"), "a file of answers"):
        order = orders.get((row["idx"], row["Option A"], row["Option B"]))
        if order is None:
            raise refused(path, line, f"no item {row['idx']} has these options in this order", "give the items' file")
        rows.append(
            {
                "item": row["idx"],
                "order": order,
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


def _ordered(path: Path, needed: tuple[str, ...]) -> Iterator[tuple[int, Record, int]]:
    """(line, row, whether it is the first or second row of its item)."""
    seen: dict[str, int] = {}
    for line, row in records(path, needed, "a file of Experiment 1"):
        order = seen[row["idx"]] = seen.get(row["idx"], 0) + 1
        if order > 2:
            raise refused(path, line, f"a third row of the item {row['idx']}", "an item has a row for each order")
        yield line, row, order
