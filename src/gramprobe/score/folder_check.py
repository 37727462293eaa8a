"""Hold a folder of scores against itself: nothing in it may contradict the rest of it.

Scores cannot be certified: whether a model gives these numbers shows only by scoring again. But a record that counts
otherwise than its files, a probability above 1 or a run that is recorded as complete and is not would go into tables
without a word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import UNSET

from gramprobe.score.record import FLAGS, TIES, Run

if TYPE_CHECKING:
    import pyarrow as pa

FLAGS_WITH_VALUES = ("unscored_first", "unlisted", "unknown_word", "parsed")
"""The flags of :data:`FLAGS` that a row with values may have."""
READ = ("causal", "masked", "classifier", "encoder")
"""The kinds of models that are read from files, whose hashes stand in the record; engines of packages read what they
like."""
FILELESS = {"rule": ("rule:",), "reader": ("reader:", "vectors:"), "ngram": ("ngram:",)}
"""The kinds of models that have no weights -> how their names begin."""
KINDS = (*READ, "endpoint", *FILELESS)
"""All kinds that no package adds."""
CLOSE = 1e-3
"""How far a sum of probabilities may be from 1, or a logarithm above 0; of models in half precision, as far as ties."""


def contradictions(run: Run) -> Iterator[str]:
    """What in the record of a run contradicts the rest of it, as clauses."""
    settings = run.settings
    names = list(run.shards)
    numbered: dict[str, int] = {}
    for name in names:
        table, _, number = name.rpartition("-")
        if table not in settings.tables or not re.fullmatch(r"\d{5,}", number) or int(number) != numbered.get(table, 0):
            yield f"`{name}` is not the name of its next shard"
        numbered[table] = numbered.get(table, 0) + 1
    if sum(run.shards.values()) != run.items or not all(run.shards.values()):
        yield f"its shards have not {run.items:,} items together, or one has none"
    if run.refused > run.items:
        yield "more items are refused than there are"
    if run.refused and run.complete and not any(each.skip_refused for each in run.sessions):
        yield "items are refused, and no session was to go on without them"
    if any(not 0 <= each.seconds < math.inf or each.shards > len(names) or not each.workers for each in run.sessions):
        yield "a session took less than no time, made more shards than there are, or had nobody to work"
    if not all((run.model.name, run.source.name, *(each.gramprobe for each in run.sessions))):
        yield "a name or a version is empty"
    if run.model.kind not in KINDS and settings.packages is UNSET:
        yield f"there is no kind of model named `{run.model.kind}`"
    named = FILELESS.get(run.model.kind)
    if named and settings.packages is UNSET and not run.model.name.startswith(named):
        yield f"`{run.model.name}` is no name of a model of the kind `{run.model.kind}`"
    if named and run.model.parameters is not UNSET:
        yield f"a model of the kind `{run.model.kind}` has no parameters"
    if settings.source != run.source.sha256:
        yield "`source` has two hashes"
    if not settings.tables or len(set(settings.tables)) < len(settings.tables):
        yield "`tables` names none, or one twice"
    if not run.values or len({*run.values}) < len(run.values) or not all(run.values):
        yield "`values` names no column, or one twice"
    if settings.dtype not in TIES or not math.isclose(run.tie, TIES[settings.dtype]):
        yield f"`tie` is {run.tie}, which is not that of the precision `{settings.dtype}`"
    of_package = settings.packages is not UNSET and "engine" in settings.packages
    hashes = settings.weights and settings.tokenizer and settings.config
    if run.model.kind in READ and not of_package and not hashes:
        yield "a hash of the weights, the tokenizer or the configuration is missing"
    files = {} if run.files is UNSET else run.files
    if run.complete and (list(files) != names or not run.sessions):
        yield "it is recorded as complete, and has not the hash of each of its shards, or no session"
    if not run.complete and files:
        yield "it has hashes of files and is not complete"


def wrong_rows(table: pa.Table, run: Run, shard: str) -> str:
    """What in the rows of a shard contradicts itself or the record; empty where nothing does."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    files = {} if run.files is UNSET else run.files
    if shard in files and len(table) != files[shard].rows:
        return f"it has {len(table):,} rows, and the record says {files[shard].rows:,}"
    if any(table.column(name).null_count for name in ("item", "part", "tokens", "words", "characters", "flags")):
        return "a cell that every row has is empty"
    items = pc.count_distinct(table.column("item")).as_py()
    if items != run.shards[shard]:
        return f"it has {items:,} items, and the record says {run.shards[shard]:,}"
    if len(table) != len(table.group_by(["item", "part"]).aggregate([])):
        return "a part of an item stands twice"
    if any((pc.min(table.column(name)).as_py() or 0) < 0 for name in ("tokens", "words", "characters")):
        return "a number is below 0"
    flags = {text: set(text.split(",")) if text else set() for text in pc.unique(table.column("flags")).to_pylist()}
    strange = next((each for flag in flags.values() for each in sorted(flag) if each not in FLAGS), None)
    if strange is not None:
        return f"there is no flag `{strange}`"
    refusing = pa.array([text for text, flag in flags.items() if flag - {*FLAGS_WITH_VALUES}], pa.string())
    excusing = pa.array([text for text in flags if text], pa.string())
    refused, excused = (
        pc.is_in(table.column("flags"), value_set=known).to_numpy(zero_copy_only=False)
        for known in (refusing, excusing)
    )
    close = max(CLOSE, min(run.tie, 0.5))
    values = np.stack([table.column(name).to_numpy() for name in run.values])  # (values, rows), null as NaN
    missing = np.isnan(values)
    if sum(table.column(name).null_count for name in run.values) != missing.sum():
        return "a value is no number"
    if (missing.any(axis=0) & ~excused).any() or (~missing & refused).any():
        return "a value is missing without a flag, or there beside one that says why it is missing"
    upper = -values if run.settings.mode == "surprisal" else values
    if not np.isfinite(values[~missing]).all() or (upper[~missing] > close).any():
        return "a value is no logarithm of a probability"
    if len(run.values) > 1:
        with np.errstate(under="ignore"):
            sums = np.exp(values[:, ~missing.any(axis=0)]).sum(axis=0)
        if (abs(sums - 1) > close).any():
            return "the probabilities of the labels of an item do not sum to 1"
    return ""
