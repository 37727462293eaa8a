"""What people answered about: rows of a dataset, and the fillers and catch trials of an experiment."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gramprobe.dataset.read import Dataset
from gramprobe.score.source import DatasetSource

if TYPE_CHECKING:
    from gramprobe.score.source import Table


@dataclass(frozen=True)
class Item:
    """A row that was answered.

    Attributes:
        number: where it stands among all rows of the dataset, from 0 on.
        sentence: the text that has readings, of a choice between options; else empty.
        readings: of such a choice, option -> the reading that it picks.
    """

    id: str
    paradigm: str
    instance: str
    condition: str
    number: int
    sentence: str = ""
    readings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Items:
    """The rows of a dataset that were answered, by id, and the tables that they are of.

    Attributes:
        sha256: of the dataset's manifest.
    """

    dataset: Dataset
    name: str
    sha256: str
    by_id: dict[str, Item]
    tables: dict[str, Table]

    def labels(self, id_: str) -> tuple[str, ...]:
        """The labels of an item; none of one that has no label."""
        return self.tables[self.by_id[id_].paradigm].labels

    def options(self, id_: str) -> tuple[str, ...]:
        """The columns with the two options of an item; none of one that has not two."""
        options = self.tables[self.by_id[id_].paradigm].scored.options
        return options if len(options) == 2 else ()

    def parts(self, id_: str) -> tuple[str, ...]:
        """What may be judged of an item by itself: a text of it, or a text after another."""
        scored = self.tables[self.by_id[id_].paradigm].scored
        both = (f"{before}/{text}" for before in scored.context for text in scored.continuations)
        return tuple(dict.fromkeys([*scored.options, *scored.context, *scored.continuations, *both]))


def items_of(source: DatasetSource, wanted: Collection[str]) -> Items:
    """The rows with these ids."""
    import pyarrow as pa
    import pyarrow.compute as pc

    dataset, ids, found, start = source.dataset, pa.array(sorted(wanted), pa.string()), dict[str, Item](), 0
    for name, table in source.tables.items():
        picks = {column: f"picks_{column[-1]}" for column in table.scored.options}
        context = table.scored.context[:1]
        columns = ["id", "instance", *(c for c in ("condition", *context, *picks.values()) if c in table.columns)]
        for batch in dataset.rows(name, columns):
            mine = pc.is_in(batch.column("id"), value_set=ids).to_numpy(zero_copy_only=False).nonzero()[0]
            for number, row in zip(mine.tolist(), batch.take(pa.array(mine)).to_pylist(), strict=True):
                found[row["id"]] = Item(
                    row["id"], name, row["instance"], str(row.get("condition") or ""), start + number,
                    str(row.get(context[0]) or "") if context and picks else "",
                    {option: row[picked] for option, picked in picks.items() if row.get(picked)},
                )  # fmt: skip
            start += batch.num_rows
    return Items(dataset, source.name, source.sha256, found, dict(source.tables))
