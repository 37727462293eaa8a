"""Hold the record of a run against the dataset that it is of and what is shipped: its mode, rule, items and parts.

    check_run(path, record, dataset, scores)

What contradicts itself within the folder alone, `score.folder_check` finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET

from gramprobe.analysis.runs import columns_of, ids_of
from gramprobe.dataset.read import Dataset
from gramprobe.score.results import RUN, SAYS
from gramprobe.source import messages

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from gramprobe.score.record import Run as Record


def check_run(path: Path, record: Record, dataset: Dataset, scores: pa.Table) -> None:
    """Raise UsageError (E94) for a folder of scores that its dataset contradicts. Modes of packages make what they say.

    ``scores``: the columns `item`, `part` and `characters` of all its rows.
    """
    settings = record.settings
    shipped = settings.packages is UNSET or "mode" not in settings.packages
    wrong = (shipped and _wrong_mode(record)) or _wrong_rule(record) or _wrong_items(record, dataset, scores)
    if wrong:
        raise SAYS.damaged(str(path / RUN), wrong)
    if shipped:
        _check_parts(path, record, dataset, scores)


def _wrong_mode(record: Record) -> str:
    """What is wrong with the mode; empty where nothing is."""
    from gramprobe.score.modes import MODES

    settings = record.settings
    if settings.mode not in MODES:
        return f"there is no mode `{settings.mode}`"
    if settings.reduction != MODES[settings.mode].reduction(record.model.kind):
        return f"`reduction` is not that of the mode `{settings.mode}`"
    return ""


def _wrong_rule(record: Record) -> str:
    """Says so where what a rule does, as the settings say it, is what a shipped rule of another name does. An older
    gramprobe may have said the same of this rule in other words."""
    from gramprobe.baselines import constituents
    from gramprobe.baselines.options import OPTION_RULES
    from gramprobe.baselines.rules import RULES

    if record.model.kind != "rule" or record.settings.packages is not UNSET:
        return ""
    shipped = [(name, rules[name].about) for rules in (RULES, OPTION_RULES) for name in rules.shipped]
    shipped.append((constituents.NAME, constituents.ABOUT))
    said, name = record.settings.engine.get("rule"), record.model.name.removeprefix("rule:")
    if (name, said) not in shipped and any(said == about for _, about in shipped):
        return f"its `engine` is that of another rule than `{record.model.name}`"
    return ""


def _wrong_items(record: Record, dataset: Dataset, scores: pa.Table) -> str:
    """What is wrong with the items: a complete run has all of its dataset, or all that its settings choose. Empty where
    nothing is."""
    from gramprobe.score.source import NOT_SCORED

    settings = record.settings
    strange = [name for name in settings.tables if name not in dataset.paradigms]
    if strange:
        return f"its dataset has no paradigm `{strange[0]}`"
    if not record.complete:
        return ""
    if settings.total is not None or settings.prompt.get("examples"):
        return _wrong_choice(record, dataset, scores)
    there = [dataset.splits(name) for name in settings.tables]
    items = sum(rows for splits in there for split, rows in splits.items() if split not in NOT_SCORED)
    if record.items != items:
        return f"it is a complete run of {record.items:,} items, and its dataset has {items:,} to score"
    return ""


def _wrong_choice(record: Record, dataset: Dataset, scores: pa.Table) -> str:
    """The same of a run of some instances: those of a total, or those that give no examples."""
    import pyarrow.compute as pc

    from gramprobe.score.source import DatasetSource, Selection

    settings = record.settings
    examples = settings.prompt.get("examples") or {}
    if not _are_lists(examples):
        return "`examples` are no ids of items by paradigm"
    source = DatasetSource(dataset)
    held_out = {}
    for name, ids in examples.items():
        own = {item.id: item.instance for item in source.rows(name, ())} if name in settings.tables else {}
        unknown = [each for each in ids if each not in own]
        if unknown:
            return f"its example `{unknown[0]}` is no item of the paradigms that are scored"
        held_out[name] = frozenset(own[each] for each in ids)
    selection = Selection(
        source=source,
        tables=tuple(settings.tables),
        columns=dict.fromkeys(settings.tables, ()),
        total=settings.total,
        seed=settings.seed,
        size=settings.shard,
        held_out=held_out,
    )
    wanted = {shard.name: [item.id for item in shard.items] for shard in selection.shards()}
    sizes = {name: len(ids) for name, ids in wanted.items()}
    found = pc.unique(scores.column("item")).to_pylist()
    if sizes != record.shards or found != [each for ids in wanted.values() for each in ids]:
        return f"it is a complete run, and its {record.items:,} items are not those that its settings choose"
    return ""


def _are_lists(examples: object) -> bool:
    return isinstance(examples, dict) and all(
        isinstance(ids, list) and all(isinstance(each, str) for each in ids) for ids in examples.values()
    )


def _check_parts(path: Path, record: Record, dataset: Dataset, scores: pa.Table) -> None:
    """Raise UsageError (E94) for a part that no item of its paradigm has in the mode, that only some items have, or
    that has not as many characters as the text of its item: it was scored in another dataset with the same ids."""
    import pyarrow.compute as pc

    from gramprobe.score.modes import MODES
    from gramprobe.score.source import DatasetSource

    mode, tables, prompt = MODES[record.settings.mode], DatasetSource(dataset).tables, record.settings.prompt
    for name, parts in _parts_by_paradigm(record, dataset, scores):
        table, columns = tables[name], mode.naming(tables[name])
        if columns:
            rows = (row for batch in dataset.rows(name, columns) for row in batch.to_pylist())
            made = {part for row in rows for asked in mode.asked(table, row) for part, _ in asked.parts}
            strange = [part for part in parts if part not in made]
        else:
            strange = [part for part in parts if not mode.has_part(table, part, prompt)]
        if strange:
            having = pc.equal(scores.column("part"), strange[0])
            item = scores.column("item").filter(having)[0].as_py()
            raise messages.analysis.part_of_no_item(str(path), item, strange[0], record.settings.mode)
        found = {part: (mode.column_of(table, part, prompt), own) for part, own in parts.items()}
        wrong = _wrong_texts(record, dataset, name, found)
        if wrong:
            raise SAYS.damaged(str(path), wrong)


def _wrong_texts(record: Record, dataset: Dataset, paradigm: str, parts: Mapping[str, tuple[str, _Part]]) -> str:
    """What of a paradigm's parts is not so by the texts of its items; empty where all is. ``parts``: name -> the column
    whose text it is, or nothing, and its rows."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    closed = {column.name for column in dataset.design(paradigm).columns if column.values is not UNSET}
    scored = np.unique(np.concatenate([own.items for _, own in parts.values()])).size if parts else 0
    for part, (column, own) in parts.items():
        if not column or column in closed:
            continue
        texts = columns_of(dataset, paradigm, [column]).column(column)
        if not pa.types.is_string(texts.type):
            continue
        # A row has no part for an optional text that it is without.
        every = pc.fill_null(pc.utf8_length(texts), 0).to_numpy()
        if part == column and every.all() and np.unique(own.items).size < scored:
            return f"some of its items of `{paradigm}` have `{part}`, and others have not"
        lengths = own.characters if record.settings.shuffle_words is True else every[own.items]
        for at in np.flatnonzero(lengths != own.characters)[:1]:
            item = ids_of(dataset, paradigm)[int(own.items[at])].as_py()
            said = f"`{part}` of `{item}` is recorded with {own.characters[at]:,} characters"
            return f"{said}, and its text in the dataset has {lengths[at]:,}"
    return ""


class _Part(NamedTuple):
    """The rows of a part of a paradigm: the places of their items in it, and their numbers of characters."""

    items: NDArray[np.int64]
    characters: NDArray[np.int32]


def _parts_by_paradigm(record: Record, dataset: Dataset, scores: pa.Table) -> Iterator[tuple[str, dict[str, _Part]]]:
    """Each paradigm with the parts of its items."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = [ids_of(dataset, name) for name in record.settings.tables]
    every = pa.chunked_array([chunk for own in ids for chunk in own.chunks], pa.string())
    known = pc.fill_null(pc.index_in(scores.column("item"), value_set=every), -1).to_numpy().astype(np.int64)
    parts = scores.column("part").combine_chunks().dictionary_encode()
    codes, characters = parts.indices.to_numpy(), scores.column("characters").to_numpy()
    ends = np.cumsum([0, *map(len, ids)])
    for name, start, end in zip(record.settings.tables, ends, ends[1:], strict=False):
        rows = np.flatnonzero((start <= known) & (known < end))
        found = {}
        for code in dict.fromkeys(codes[rows].tolist()):
            own = rows[codes[rows] == code]
            found[parts.dictionary[code].as_py()] = _Part(known[own] - start, characters[own])
        yield name, found
