"""Scores joined with the items they are of: what every study reads.

    Run.rows(paradigm, columns) -> a table          by_model(runs) -> the runs of each model

A run is one model on one dataset (`analysis.open` opens it). Its scores are joined with the rows of the dataset by
id, never by the order of rows. The runs of one model on several sets have one name (`of_one_model`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from gramprobe.analysis.clusters import cluster_values, source
from gramprobe.dataset.read import Dataset
from gramprobe.source import messages

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from gramprobe.score.record import Run as Record


CLUSTER = "cluster"
"""The column of answers that says which items belong together."""


@dataclass(frozen=True)
class Run:
    """The scores of one model on one dataset.

    Attributes:
        model: how tables call the model, the same in all runs of it (`of_one_model`).
        mode: the mode of `gramprobe score`; `labels` for predicted labels, `people` for those of several people,
            `values` for a plain file of values.
        dataset: the items.
        scores: columns `item`, `part`, and the columns of `values`; null where an item was refused.
        values: `("value",)`, or the labels whose log-probabilities (or shares, for predicted labels) the columns hold.
        paradigms: the paradigms that have scores, in the dataset's order.
        tie: differences in nats up to here are ties.
        record: the record of the run; None for files of other programs.
        parameters: how many numbers the model's weights are; None where nobody said it.
        rated: of people, whether the values of options are what people think of each by itself, and no shares of them
            that pick it.
    """

    model: str
    mode: str
    dataset: Dataset
    scores: pa.Table
    values: tuple[str, ...]
    paradigms: tuple[str, ...]
    tie: float = 0.0
    record: Record | None = None
    parameters: int | None = None
    rated: bool = False
    path: Path = field(default=Path(), compare=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that were scored; empty where parts have one value."""
        return () if self.values == ("value",) else self.values

    @property
    def people(self) -> bool:
        """Whether it is of several people, whose shares of answers its values are."""
        return self.mode == "people"

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts that were scored, in the order in which they first occur."""
        import pyarrow.compute as pc

        return tuple(pc.unique(self.scores.column("part")).to_pylist())

    def rows(self, paradigm: str, columns: Sequence[str] = ()) -> pa.Table:
        """The scored items of a paradigm, in the dataset's order.

        Columns: `id`, `instance`, the `columns` that the paradigm has (those it has not are null, so that tables of
        several paradigms can be joined), and for each part its value, named `PART`, or `PART.LABEL` for labels. Null
        is a value that was refused, or a part that the item does not have. `draws.NAME` is a field of the draws.
        """
        import pyarrow as pa

        table = self.items(paradigm, columns)
        if paradigm in self.joined.places:
            for name, values in self.values_of(paradigm).items():
                missing = values != values
                if not missing.all():
                    table = table.append_column(name, pa.array(values, mask=missing))
        return table

    def items(self, paradigm: str, columns: Sequence[str] = ()) -> pa.Table:
        """:meth:`rows` without the values of parts."""
        import pyarrow as pa

        table = columns_of(self.dataset, paradigm, ["id", "instance", *columns])
        if paradigm not in self.joined.places:
            return table.slice(0, 0)
        scored = self.joined.scored[self.joined.places[paradigm]]
        return table if scored.all() else table.filter(pa.array(scored))

    def values_of(self, paradigm: str) -> dict[str, NDArray[np.float64]]:
        """Column of :meth:`rows` -> (scored items of a paradigm,) its values; NaN where there is none."""
        place = self.joined.places[paradigm]
        scored = self.joined.scored[place]
        return {name: whole[place][scored] for name, whole in self.joined.values.items()}

    @cached_property
    def joined(self) -> Joined:
        """The scores in the order of the dataset's items: one join for everything that is asked of the run.

        Raises UsageError (E47) for scores of items that the dataset does not have, for two scores of one part of an
        item, and for an infinite score.
        """
        return _joined(self)

    @cached_property
    def coverage(self) -> Coverage:
        """How many items have scores, and how many of these were refused."""
        import pyarrow.compute as pc

        scored = pc.count_distinct(self.scores.column("item")).as_py()
        refused = self.scores.filter(pc.is_null(self.scores.column(self.values[0])))
        return Coverage(
            items=sum(self.dataset.count(name) for name in self.dataset.paradigms),
            scored=scored,
            refused=pc.count_distinct(refused.column("item")).as_py(),
            partial=_partial(self.joined) if self.record is None and not self.labels and not self.people else 0,
        )

    def warnings(self) -> Iterator[str]:
        """What a reader of any result of this run must know."""
        found = self.coverage
        if self.record is not None and not self.record.complete:
            yield f"{self.model}: the run is not complete; {found.scored:,} items have scores"
        if found.refused:
            yield f"{self.model}: {found.refused:,} items could not be scored and are left out"
        if self.record is None and found.scored < found.items:
            yield f"{self.model}: {found.scored:,} of {found.items:,} items have scores; the others are left out"
        if found.partial:
            yield f"{self.model}: {found.partial:,} items lack a part that other items of their paradigm have"


def of_one_model(one: Run, other: Run) -> bool:
    """Whether two runs of one name stand in tables as one model: nothing that is recorded tells the models apart, and
    where they have answers of one kind they were asked alike, and no paradigm has answers by both, which would be
    answers to the same items."""

    def known_by(run: Run) -> tuple[object, ...]:
        if run.record is None:
            return (run.model,)
        model, settings = run.record.model, run.record.settings
        return run.model, model.kind, model.revision, settings.weights, settings.tokenizer, settings.dtype

    alike = one.mode == other.mode or bool(one.labels and other.labels)
    apart = one.values == other.values and not set(one.paradigms) & set(other.paradigms)
    return known_by(one) == known_by(other) and (apart and asked_by(one) == asked_by(other) or not alike)


class Asked(NamedTuple):
    """How a model was asked.

    Attributes:
        words: for people, its mode, how many examples it saw, as what it read a prompt, precision and revision.
        settings: all else that decides its scores and is no set's own.
    """

    words: dict[str, str]
    settings: tuple[object, ...]


def asked_by(run: Run) -> Asked:
    """How the model of a run was asked; empty where nobody recorded it."""
    if run.record is None:
        return Asked({}, ())
    settings = run.record.settings
    prompt = dict(settings.prompt)
    examples, prompts = prompt.pop("examples", {}), prompt.get("prompts")
    if run.mode == "prompted" and isinstance(prompts, dict):  # of the prompts of a run this one has one
        prompt["prompts"] = [prompts.get(part) for part in run.parts]
    shots = max(map(len, examples.values()), default=0) if isinstance(examples, dict) else 0
    words = {
        "mode": run.mode,
        "examples": "1 example" if shots == 1 else f"{shots or 'no'} examples",
        "form": str(prompt.get("form", "")),
        "precision": settings.dtype,
        "revision": run.record.model.revision[:12],
    }
    return Asked(words, (prompt, settings.engine, settings.reduction))


def by_model(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """Model -> its runs, in the order of the runs."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.model, []).append(run)
    return found


def renamed(run: Run, model: str) -> Run:
    """The run by another name, with what was computed of it."""
    other = replace(run, model=model)
    other.__dict__.update(
        {name: run.__dict__[name] for name in ("joined", "parts", "coverage") if name in run.__dict__}
    )
    return other


def apart(runs: Sequence[Run]) -> list[Run]:
    """The runs, where those of one model on several sets have the set behind its name: for what has a column a run."""
    several = {model for model, own in by_model(runs).items() if len({id(run.dataset) for run in own}) > 1}
    return [renamed(run, f"{run.model}, {run.dataset.folder.name}") if run.model in several else run for run in runs]


@dataclass(frozen=True)
class Joined:
    """The scores of a run beside the items of its paradigms, which stand one paradigm behind the other.

    Attributes:
        places: paradigm -> where its items stand.
        scored: (items,) whether an item has scores, refused ones included.
        values: column of `Run.rows` -> (items,) values, in nats for log-probabilities; NaN where there is none.
    """

    places: dict[str, slice]
    scored: NDArray[np.bool_]
    values: dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Coverage:
    """Numbers of items.

    Attributes:
        items: of the dataset.
        scored: those with scores, refused ones included.
        refused: those that could not be scored.
        partial: in files of other programs, those that lack a part that other items of their paradigm have.
    """

    items: int
    scored: int
    refused: int
    partial: int


def clustered_rows(run: Run, paradigm: str, columns: Sequence[str], cluster: str, values: bool = True) -> pa.Table:
    """`Run.rows`, or without ``values`` `Run.items`, with the column `CLUSTER`; null for items that have none."""
    sources = source(run.dataset, paradigm, cluster)
    table = (run.rows if values else run.items)(paradigm, list(dict.fromkeys([*columns, *sources])))
    if table.num_rows < run.dataset.count(paradigm):
        return table.append_column(CLUSTER, _clusters(run.dataset, paradigm, cluster, table, sources))
    kept = _CLUSTERS.setdefault(run.dataset, {})  # of all items, for each study and model
    if (paradigm, cluster) not in kept:
        kept[paradigm, cluster] = _clusters(run.dataset, paradigm, cluster, table, sources)
    return table.append_column(CLUSTER, kept[paradigm, cluster])


def _clusters(dataset: Dataset, paradigm: str, cluster: str, table: pa.Table, sources: Sequence[str]) -> pa.Array:
    import pyarrow as pa

    own = cluster_values(dataset, paradigm, cluster, [table.column(name).to_pylist() for name in sources])
    return pa.array(own, pa.string())


def ids_of(dataset: Dataset, paradigm: str) -> pa.ChunkedArray:
    """The ids of a paradigm's items, in the dataset's order."""
    return columns_of(dataset, paradigm, ["id"]).column("id")


@lru_cache(1 << 10)
def first_values(dataset: Dataset, paradigm: str, column: str) -> frozenset[Any]:
    """The values of a column in the first instances of a paradigm, some thousand rows."""
    first = next(iter(dataset.rows(paradigm, [column])), None)
    return frozenset() if first is None else frozenset(first.column(column).to_pylist())


def _joined(run: Run) -> Joined:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    places, chunks, start = {}, list[pa.Array](), 0
    for name in run.paradigms:
        ids = ids_of(run.dataset, name)
        places[name] = slice(start, start + len(ids))
        chunks += ids.chunks
        start += len(ids)
    known = pa.concat_arrays(chunks) if chunks else pa.array([], pa.string())
    chunks.clear()
    items = run.scores.column("item")
    found = pc.index_in(items, value_set=known)
    if found.null_count:
        strange = items.filter(pc.is_null(found))
        folder, count = str(run.dataset.folder), pc.count_distinct(strange).as_py()
        raise messages.analysis.unknown_items(str(run.path), folder, strange[0].as_py(), count)
    at = found.to_numpy().astype(np.int64)
    parts = pc.index_in(run.scores.column("part"), value_set=pa.array(run.parts, pa.string())).to_numpy()
    if np.bincount(at * len(run.parts) + parts, minlength=1).max() > 1:
        raise messages.analysis.repeated_score(str(run.path))
    scored = np.zeros(start, np.bool_)
    scored[at] = True
    numbers = {name: run.scores.column(name).to_numpy() for name in run.values}
    for column in numbers.values():
        if np.isinf(column).any():
            item = items[int(np.flatnonzero(np.isinf(column))[0])].as_py()
            raise messages.analysis.infinite_score(str(run.path), item, int(np.isinf(column).sum()))
    values: dict[str, NDArray[np.float64]] = {}
    for number, part in enumerate(run.parts):
        own = parts == number
        for name, column in numbers.items():
            values[part if name == "value" else f"{part}.{name}"] = whole = np.full(start, np.nan)
            whole[at[own]] = column[own]
    return Joined(places, scored, values)


def _partial(joined: Joined) -> int:
    import numpy as np

    count = 0
    for place in joined.places.values():
        there = np.array([~np.isnan(whole[place]) for whole in joined.values.values()])
        there = there[there.any(axis=1)]  # parts that the paradigm has
        count += int((there.any(axis=0) & ~there.all(axis=0)).sum())
    return count


# -- columns


MOST_KEPT = 1 << 27
"""How many bytes of a dataset's columns are kept for the next study: what is read of larger ones is read again."""
_KEPT: WeakKeyDictionary[Dataset, dict[tuple[str, str], pa.ChunkedArray]] = WeakKeyDictionary()


_SIZES: WeakKeyDictionary[Dataset, int] = WeakKeyDictionary()
_CLUSTERS: WeakKeyDictionary[Dataset, dict[tuple[str, str], pa.Array]] = WeakKeyDictionary()


def columns_of(dataset: Dataset, paradigm: str, names: Sequence[str]) -> pa.Table:
    """Columns of a paradigm as texts and numbers; a label is its name. What was read before is kept."""
    import pyarrow as pa

    kept = _KEPT.setdefault(dataset, {})
    lacking = [name for name in names if (paradigm, name) not in kept]
    read = _columns_of(dataset, paradigm, lacking) if lacking else {}
    fields = {name: read[name] if name in read else kept[paradigm, name] for name in names}
    for name, values in read.items():
        size = _SIZES.get(dataset, 0) + values.nbytes
        if size <= MOST_KEPT:
            kept[paradigm, name], _SIZES[dataset] = values, size
    return pa.table(fields)


def _columns_of(dataset: Dataset, paradigm: str, names: Sequence[str]) -> dict[str, pa.ChunkedArray]:
    import pyarrow as pa
    import pyarrow.compute as pc

    there = dataset.columns(paradigm)
    wanted = list(dict.fromkeys(name.partition(".")[0] for name in names))
    read = [name for name in wanted if name in there]
    table = pa.Table.from_batches(list(dataset.rows(paradigm, read))) if read else None
    fields: dict[str, pa.ChunkedArray] = {}
    for name in dict.fromkeys(names):
        column, _, inner = name.partition(".")
        if table is None or column not in there:
            fields[name] = pa.nulls(dataset.count(paradigm), pa.string())
            continue
        values = table.column(column)
        if inner:
            own = {values.type.field(i).name for i in range(values.type.num_fields)}
            fields[name] = pc.struct_field(values, inner) if inner in own else pa.nulls(table.num_rows, pa.string())
            continue
        fields[name] = named(dataset, paradigm, column, values)
    return fields


def named(dataset: Dataset, paradigm: str, column: str, values: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column of the label holds numbers: their names. Dictionaries are read as texts."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from msgspec import UNSET

    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    design = next(c for c in dataset.design(paradigm).columns if c.name == column)
    if design.values is not UNSET and pa.types.is_integer(values.type):
        return pc.take(pa.array(list(design.values), pa.string()), values)
    return values
