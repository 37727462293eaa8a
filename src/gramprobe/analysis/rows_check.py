"""Hold the rows of a folder of scores against its dataset: they are those that the mode makes of the items.

    check_rows(path, record, dataset, scores)

The parts of an item follow from the names of its columns and from which of them are empty, so that the mode is asked
once for all items that are alike in this; where the texts name the parts (regions, critical words), or the words stand
in another order, it is asked about each item.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import UNSET

from gramprobe.analysis.runs import columns_of, ids_of
from gramprobe.dataset.read import Dataset
from gramprobe.score.parts import source_of
from gramprobe.score.results import SAYS
from gramprobe.score.source import NOT_SCORED, Table

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from gramprobe.score.record import Run as Record

    Numbers = NDArray[np.int64]

MARK = "\0"
"""Stands before the name of a column in the place of a text of it."""
NO_PARTS = (("1", ""),)
"""What an item has whose regions are wrong, as these name its parts."""


class _Rows(NamedTuple):
    """Rows of a paradigm.

    items: (rows,) the places of their items in it.
    parts: (rows,) the numbers of their parts.
    words, characters: (rows,) how many the texts of the parts have; -1 where these are not known.
    """

    items: Numbers
    parts: Numbers
    words: Numbers
    characters: Numbers


def check_rows(path: Path, record: Record, dataset: Dataset, scores: pa.Table) -> None:
    """Raise UsageError (E94) for rows that are not those of their items: all parts of each, in the mode's order, and
    with the numbers of words and characters of their texts. Items that the dataset does not have are left to the join.

    ``scores``: the columns `item`, `part`, `words` and `characters` of all rows of a mode of ours.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = [ids_of(dataset, name) for name in record.settings.tables]
    every = pa.chunked_array([chunk for own in ids for chunk in own.chunks], pa.string())
    places = pc.fill_null(pc.index_in(scores.column("item"), value_set=every), -1).to_numpy().astype(np.int64)
    if (places < 0).any():
        return
    if (np.diff(places) < 0).any():
        order = np.argsort(places, kind="stable")
        places, scores = places[order], scores.take(order)
    parts = scores.column("part").combine_chunks().dictionary_encode()
    making = _Making(record, dataset, parts.dictionary.to_pylist())
    columns = [parts.indices.to_numpy(), *(scores.column(name).to_numpy() for name in ("words", "characters"))]
    start = 0
    for name, own in zip(record.settings.tables, ids, strict=True):
        first, last = np.searchsorted(places, (start, start + len(own)))
        found = _Rows(places[first:last] - start, *(column[first:last].astype(np.int64) for column in columns))
        splits = dataset.splits(name)
        held_out = np.repeat([split in NOT_SCORED for split in splits], list(splits.values()))
        wrong = making.wrong(name, found) if found.items.size else ""
        if held_out[found.items].any():
            wrong = f"items of `{name}` were scored that are there to be trained on"
        if wrong:
            raise SAYS.damaged(str(path), wrong)
        start += len(own)


class _Making:
    """Makes the rows that the mode of a run makes of items. ``names``: those of the parts that there are rows of; their
    places are the numbers of parts, to which others are added."""

    def __init__(self, record: Record, dataset: Dataset, names: Sequence[str]) -> None:
        from gramprobe.score.modes import MODES

        self.settings, self.dataset = record.settings, dataset
        self.mode, self.source = MODES[record.settings.mode], source_of(dataset, record.settings)
        self.numbers = {name: number for number, name in enumerate(names)}

    def wrong(self, paradigm: str, found: _Rows) -> str:
        """What is wrong with the rows that were found of a paradigm; empty where nothing is."""
        import numpy as np

        table = self.source.tables[paradigm]
        by_text = self.settings.shuffle_words is True or self.mode.naming(table)
        made = self._by_text(table, found) if by_text else self._by_column(table, found)
        size = min(len(made.items), len(found.items))
        same = (made.items[:size] == found.items[:size]) & (made.parts[:size] == found.parts[:size])
        for row in np.flatnonzero(~np.append(same, len(made.items) == len(found.items)))[:1]:
            place = min(int(each.items[row]) for each in (made, found) if row < len(each.items))
            return self._wrong_parts(paradigm, place, made, found)
        for what in ("words", "characters"):
            own, texts = getattr(found, what), getattr(made, what)
            for row in np.flatnonzero((texts >= 0) & (texts != own))[:1]:
                item = ids_of(self.dataset, paradigm)[int(found.items[row])].as_py()
                said = f"`{self._names(found.parts[[row]])[0]}` of `{item}` is recorded with {own[row]:,} {what}"
                return f"{said}, and its text in the dataset has {texts[row]:,}"
        return ""

    def _names(self, parts: Numbers) -> list[str]:
        names = list(self.numbers)
        return [names[part] for part in parts]

    def _wrong_parts(self, paradigm: str, place: int, made: _Rows, found: _Rows) -> str:
        """What is wrong with the parts of an item."""
        item = ids_of(self.dataset, paradigm)[place].as_py()
        own, wanted = (self._names(each.parts[each.items == place]) for each in (found, made))
        for part in own:
            if part not in wanted:
                return f"the item `{item}` has a part `{part}`, which the mode `{self.settings.mode}` does not make"
        lacking = [part for part in wanted if part not in own]
        return f"the item `{item}` " + (f"has no part `{lacking[0]}`" if lacking else "has its parts in another order")

    def _parts(self, table: Table, row: Mapping[str, Any], found: Collection[str]) -> Iterator[tuple[int, str]]:
        """The parts of a row, as numbers, with their texts. ``found``: the beginnings of the names of parts that there
        are rows of."""
        parts = self.mode.parts(table, row, self.settings.prompt) or NO_PARTS
        for name, text in parts:
            if len(self.settings.tables) == 1 or not self.mode.by_columns or name.rpartition("/")[0] in found:
                yield self.numbers.setdefault(name, len(self.numbers)), text

    def _by_text(self, table: Table, found: _Rows) -> _Rows:
        """Asks the mode about each item."""
        import numpy as np

        ids = ids_of(self.dataset, table.name).take(np.unique(found.items)).to_pylist()
        there, heads = dict(zip(ids, np.unique(found.items).tolist(), strict=True)), self._heads(found)
        rows = [
            (there[item.id], part, len(text.split()), len(text))
            for item in self.source.rows(table.name, self.mode.columns(table))
            if item.id in there
            for part, text in self._parts(table, item.row, heads)
        ]
        return _Rows(*np.array(rows, np.int64).reshape(-1, 4).T)

    def _heads(self, found: _Rows) -> set[str]:
        import numpy as np

        return {name.rpartition("/")[0] for name in self._names(np.unique(found.parts))}

    def _by_column(self, table: Table, found: _Rows) -> _Rows:
        """Asks the mode once for all items of which the same columns are empty."""
        import numpy as np

        items, heads = np.unique(found.items), self._heads(found)
        texts = {name: self._lengths(table.name, name) for name in self.mode.columns(table)}
        empty = np.array([characters[items] == 0 for _, characters in texts.values()])
        kinds, kind_of = np.unique(empty, axis=1, return_inverse=True)
        made = []
        for number, kind in enumerate(kinds.T):
            row = {name: "" if none else MARK + name for name, none in zip(texts, kind, strict=True)}
            own = items[kind_of.reshape(-1) == number]
            for place, (part, text) in enumerate(self._parts(table, row, heads)):
                whole = texts.get(text.removeprefix(MARK)) if text.startswith(MARK) else None
                words, characters = (each[own] for each in whole) if whole else (len(text.split()), len(text))
                size = np.broadcast_to
                made.append([own, *(size(each, own.shape) for each in (place, part, words, characters))])
        flat = np.concatenate(made, axis=1)
        order = np.lexsort((flat[1], flat[0]))
        return _Rows(*flat[[0, 2, 3, 4]][:, order])

    def _lengths(self, paradigm: str, column: str) -> tuple[Numbers, Numbers]:
        """(rows,) the numbers of words and of characters of the texts of a column; -1 where its values are no texts."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        texts = columns_of(self.dataset, paradigm, [column]).column(column)
        closed = any(each.name == column and each.values is not UNSET for each in self.dataset.design(paradigm).columns)
        if closed or not pa.types.is_string(texts.type):
            return (np.full(len(texts), -1),) * 2
        known = pc.fill_null(texts, "").combine_chunks().dictionary_encode()
        lengths = np.array([(len(text.split()), len(text)) for text in known.dictionary.to_pylist()], np.int64)
        words, characters = lengths.reshape(-1, 2)[known.indices.to_numpy()].T
        return words, characters
