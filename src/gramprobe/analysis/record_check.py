"""Hold the record of a run against the dataset that it is of and what is shipped: its mode, rule, items and parts.

    check_run(path, record, dataset, scores)

What contradicts itself within the folder alone, `score.folder_check` finds.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UNSET

from gramprobe.analysis.rows_check import check_rows
from gramprobe.dataset.read import Dataset
from gramprobe.score.record import FLAGS_WITH_VALUES, FOUND_LATER
from gramprobe.score.results import RUN, SAYS

if TYPE_CHECKING:
    import pyarrow as pa

    from gramprobe.score.record import Run as Record

CHECKED = ("words", "characters", "flags")
"""The columns of scores that are read here and by nobody else."""


def check_run(path: Path, record: Record, dataset: Dataset, scores: pa.Table) -> None:
    """Raise UsageError (E94) for a folder of scores that its dataset contradicts. Modes of packages make what they say.

    ``scores``: the columns `item`, `part` and those of `CHECKED` of all its rows.
    """
    settings = record.settings
    shipped = settings.packages is UNSET or "mode" not in settings.packages
    wrong = (shipped and _wrong_mode(record)) or _wrong_rule(record) or _wrong_items(record, dataset, scores)
    wrong = wrong or _wrong_refusals(record, scores)
    if wrong:
        raise SAYS.damaged(str(path / RUN), wrong)
    if shipped:
        check_rows(path, record, dataset, scores)


def _wrong_mode(record: Record) -> str:
    """What is wrong with the mode; empty where nothing is."""
    from gramprobe.score.modes import MODES

    settings = record.settings
    if settings.mode not in MODES:
        return f"there is no mode `{settings.mode}`"
    mode = MODES[settings.mode]
    if settings.packages is UNSET and record.model.kind not in mode.kinds:
        return f"the mode `{settings.mode}` is not for a model of the kind `{record.model.kind}`"
    if settings.packages is UNSET and (settings.mode == "nli") != (len(record.values) > 1):
        return f"`values` are not those of the mode `{settings.mode}`"
    if settings.reduction != mode.reduction(record.model.kind):
        return f"`reduction` is not that of the mode `{settings.mode}`"
    return ""


def _wrong_rule(record: Record) -> str:
    """Says so where there is no rule of its name, or what it does, as the settings say it, is what a shipped rule of
    another name does. An older gramprobe may have said the same of this rule in other words."""
    from gramprobe.baselines import constituents
    from gramprobe.baselines.options import OPTION_RULES
    from gramprobe.baselines.rules import RULES

    if record.model.kind != "rule" or record.settings.packages is not UNSET:
        return ""
    shipped = [(name, rules[name].about) for rules in (RULES, OPTION_RULES) for name in rules.shipped]
    shipped.append((constituents.NAME, constituents.ABOUT))
    said, name = record.settings.engine.get("rule"), record.model.name.removeprefix("rule:")
    if name not in {own for own, _ in shipped}:
        return f"there is no rule named `{name}`"
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


def _wrong_refusals(record: Record, scores: pa.Table) -> str:
    """Says so where not as many items were refused before the model was asked as the record says."""
    import pyarrow.compute as pc

    found = scores.filter(pc.not_equal(scores.column("flags"), ""))
    rows = zip(found.column("item").to_pylist(), found.column("flags").to_pylist(), strict=True)
    refused = {item for item, flags in rows if {*flags.split(",")} - {*FLAGS_WITH_VALUES, *FOUND_LATER}}
    if len(refused) > record.refused or (record.complete and len(refused) < record.refused):
        return f"it says that {record.refused:,} items were refused, and in its files there are {len(refused):,}"
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
