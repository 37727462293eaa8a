"""Answered items that stand before a question: taken from instances that are then not scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gramprobe.score.source import Source, Table, ranked
from gramprobe.source import messages

Rows = tuple[Mapping[str, Any], ...]


def examples_of(
    source: Source, tables: Sequence[str], columns: Mapping[str, Sequence[str]], shots: int, seed: int
) -> tuple[dict[str, Rows], dict[str, frozenset[str]]]:
    """Table -> its examples, and table -> the instances that they are from.

    Each example is of another instance. Their labels come in turn, so that each is shown as often as the next, as far
    as the instances have it. Raises UsageError (E48) if an instance is not left to be scored.
    """
    examples, held_out = {}, {}
    for name in tables:
        table = source.tables[name]
        names = list(dict.fromkeys(item.instance for item in source.rows(name, ())))
        if len(names) <= shots:
            raise messages.score.no_examples(name, shots, len(names))
        chosen = ranked(names, shots, seed, f"{name}\nexamples")
        examples[name] = tuple(_examples(source, table, [*columns[name], "label"], chosen))
        held_out[name] = frozenset(str(row["instance"]) for row in examples[name])
    return examples, held_out


def _examples(
    source: Source, table: Table, columns: Sequence[str], chosen: Sequence[str]
) -> Iterator[Mapping[str, Any]]:
    own: dict[str, list[Mapping[str, Any]]] = {instance: [] for instance in chosen}
    for item in source.rows(table.name, columns):
        if item.instance in own and item.row.get("label") not in ("", None):
            label = table.labels[item.row["label"]]
            own[item.instance].append({**item.row, "id": item.id, "instance": item.instance, "label": label})
    for number, rows in enumerate(own.values()):
        wanted = table.labels[number % len(table.labels)]
        found = next((row for row in rows if row["label"] == wanted), rows[0] if rows else None)
        if found is not None:
            yield found
