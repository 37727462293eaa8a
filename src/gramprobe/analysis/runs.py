"""Scores joined with the items they are of: what every study reads.

    open_runs(paths, datasets) -> (Run, ...)

A run is one model on one dataset. Its scores are joined with the rows of the dataset by id, never by the order of
rows. They come from a folder that `gramprobe score` wrote, or from a file of another program (`gramprobe.formats`):
values `item,part,value`, predicted labels `item,label`, or the samples of lm-eval.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gramprobe.dataset.manifest import MANIFEST, sha256_of
from gramprobe.dataset.read import Dataset, read
from gramprobe.score.results import read_scores
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from gramprobe.score.results import Run as Record
    from gramprobe.score.results import Scores

LABELS = ("entailment", "neutral", "contradiction")
TWO_LABELS = ("entailment", "not_entailment")
FILES = (".csv", ".jsonl")
"""Files that are scores of other programs."""


@dataclass(frozen=True)
class Run:
    """The scores of one model on one dataset.

    Attributes:
        model: how tables call the model; of two runs with one name each has its settings behind it.
        mode: the mode of `gramprobe score`; `labels` for predicted labels, `values` for a plain file of values.
        dataset: the items.
        scores: columns `item`, `part`, and the columns of `values`; null where an item was refused.
        values: `("value",)`, or the labels whose log-probabilities (or shares, for predicted labels) the columns hold.
        paradigms: the paradigms that have scores, in the dataset's order.
        tie: differences in nats up to here are ties.
        record: the record of the run; None for files of other programs.
    """

    model: str
    mode: str
    dataset: Dataset
    scores: pa.Table
    values: tuple[str, ...]
    paradigms: tuple[str, ...]
    tie: float = 0.0
    record: Record | None = None
    path: Path = field(default=Path(), compare=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that were scored; empty where parts have one value."""
        return () if self.values == ("value",) else self.values

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

        table = _columns(self.dataset, paradigm, ["id", "instance", *columns])
        if paradigm not in self.joined.places:
            return table.slice(0, 0)
        place = self.joined.places[paradigm]
        for name, whole in self.joined.values.items():
            values = whole[place]
            missing = values != values
            if not missing.all():
                table = table.append_column(name, pa.array(values, mask=missing))
        return table.filter(pa.array(self.joined.scored[place]))

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
        )

    def warnings(self) -> Iterator[str]:
        """What a reader of any result of this run must know."""
        found = self.coverage
        if self.record is not None and not self.record.complete:
            yield f"{self.model}: the run is not complete; {found.scored:,} items have scores"
        if found.refused:
            yield f"{self.model}: {found.refused:,} items could not be scored and are left out"


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
    """Numbers of items: of the dataset, with scores, refused among the latter."""

    items: int
    scored: int
    refused: int


@dataclass(frozen=True)
class Answers:
    """The labels that a model gives to items.

    Attributes:
        run: where they are from.
        items: a row for each: `id`, `instance`, `paradigm`, `condition`, `label` (the gold label, as text; null where
            there is none), and the columns asked for.
        labels: the labels among which the model chose: three, or `entailment` and `not_entailment`.
        shares: (items, labels) 1 for the label that the model gives, or an equal share for each of those that tie.
    """

    run: Run
    items: pa.Table
    labels: tuple[str, ...]
    shares: NDArray[np.float64]

    def column(self, name: str) -> list[str | None]:
        """A column of the items."""
        values: list[str | None] = self.items.column(name).to_pylist()
        return values

    def share_of(self, label: str) -> NDArray[np.float64]:
        """(items,) how much each item is given this label; `not_entailment` is neutral and contradiction together."""
        if label == "not_entailment":
            return 1.0 - self.share_of("entailment")
        if label not in self.labels:
            raise ValueError(f"`{self.run.model}` does not tell apart `{label}`: its labels are {self.labels}")
        share: NDArray[np.float64] = self.shares[:, self.labels.index(label)]
        return share

    def right(self, column: str = "label", binary: bool = False) -> NDArray[np.float64]:
        """(items,) how much the label in a column of the items is given; NaN where the column is empty.

        ``binary``: entailment against the two others. A model with two labels is always measured so.
        """
        import numpy as np

        two = binary or len(self.labels) == 2
        found = np.full(len(self.shares), np.nan)
        gold = np.array([value or "" for value in self.column(column)], dtype=object)
        for label in set(gold.tolist()) - {""}:
            where = gold == label
            given = label if not two or label == "entailment" else "not_entailment"
            found[where] = self.share_of(given)[where]
        return found

    def where(self, rows: NDArray[np.bool_]) -> Answers:
        """The answers to some of the items."""
        import pyarrow as pa

        return Answers(self.run, self.items.filter(pa.array(rows)), self.labels, self.shares[rows])


BASIC = ("condition", "label")


def answers(run: Run, columns: Sequence[str] = (), paradigms: Sequence[str] | None = None) -> Answers:
    """The labels of the items of a run, over several paradigms.

    Refused items are left out (`Run.warnings` counts them). Raises UsageError if the run has no labels.
    """
    import numpy as np
    import pyarrow as pa

    if not run.labels:
        raise UsageError(
            f"the scores of `{run.model}` are values of the mode {run.mode}, not labels",
            "give scores of --mode nli, or a file `item,label`",
        )
    tables, shares = [], []
    for paradigm in run.paradigms if paradigms is None else paradigms:
        table = run.rows(paradigm, list(dict.fromkeys([*BASIC, *columns])))
        part = next((p for p in run.parts if f"{p}.{run.values[0]}" in table.column_names), None)
        if part is None:
            continue
        numbers = np.column_stack([table.column(f"{part}.{name}").to_numpy() for name in run.values]).astype(float)
        kept = ~np.isnan(numbers).any(axis=1)
        table = table.select(["id", "instance", *dict.fromkeys([*BASIC, *columns])]).filter(pa.array(kept))
        tables.append(table.append_column("paradigm", pa.array([paradigm] * table.num_rows, pa.string())))
        shares.append(_shares(numbers[kept], run.tie))
    if not tables:
        raise UsageError(f"no item of {run.dataset.folder} has labels by `{run.model}`", "score the dataset anew")
    return Answers(run, pa.concat_tables(tables), run.values, np.vstack(shares))


def _shares(numbers: NDArray[np.float64], tie: float) -> NDArray[np.float64]:
    import numpy as np

    best = numbers >= numbers.max(axis=1, keepdims=True) - tie
    shares: NDArray[np.float64] = best / best.sum(axis=1, keepdims=True)
    return np.asarray(shares, dtype=np.float64)


# -- opening


def open_runs(paths: Iterable[Path], datasets: Iterable[Path] = ()) -> tuple[Run, ...]:
    """The runs in folders of scores and files of other programs, in the order given.

    Args:
        paths: folders that `gramprobe score` wrote, `.csv` files `item,part,value` or `item,label`, `.jsonl` files of
            lm-eval's samples.
        datasets: folders of datasets. Without the one that a run was made of it is looked for beside the scores and
            in `data/`, by its name and its hash.

    Raises UsageError (E44, E46, E94): a path that is neither, a dataset that is not found or has another hash, scores
    of items that the dataset does not have, scores of the same items and model twice.
    """
    opened = [_Opened(read(folder), _manifest_hash(folder)) for folder in datasets]
    runs: list[Run] = []
    for path in paths:
        if path.is_dir():
            run = _of_folder(path, opened)
        elif path.suffix in FILES:
            run = _of_file(path, opened)
        else:
            what = "neither a folder nor a file of scores" if path.exists() else "not there"
            raise UsageError(f"`{path}` is {what}", "give folders of `gramprobe score`, .csv or .jsonl files", "E44")
        _ = run.joined  # raises for scores of no item, before prompts are taken apart
        runs += by_prompt(run)
    return _with_names(runs)


@dataclass(frozen=True)
class _Opened:
    dataset: Dataset
    sha256: str


def _manifest_hash(folder: Path) -> str:
    return sha256_of(folder / MANIFEST)


def _of_folder(path: Path, opened: list[_Opened]) -> Run:
    found = read_scores(path)
    record = found.run
    dataset = next((each.dataset for each in opened if each.sha256 == record.source.sha256), None)
    if dataset is None:
        dataset = _found(path, record.source.name, record.source.sha256, opened)
    tables = set(record.settings.tables)
    return Run(
        model=f"{record.model.name}, words shuffled" if record.settings.shuffle_words is True else record.model.name,
        mode=record.settings.mode,
        dataset=dataset,
        scores=_needed(found),
        values=tuple(record.values),
        paradigms=tuple(name for name in dataset.paradigms if name in tables),
        tie=record.tie,
        record=record,
        path=path,
    )


def by_prompt(run: Run) -> list[Run]:
    """Of a run of the mode `prompted` a run for each prompt, with labels: its parts are `PROMPT/LABEL`."""
    if run.mode != "prompted":
        return [run]
    prompts = dict.fromkeys(part.rpartition("/")[0] for part in run.parts)
    found = []
    for prompt in prompts:
        labels = tuple(label for label in LABELS if f"{prompt}/{label}" in run.parts)
        scores = _by_label(run.scores, {label: f"{prompt}/{label}" for label in labels}, prompt)
        model = f"{run.model}, {prompt}" if len(prompts) > 1 else run.model
        found.append(replace(run, model=model, scores=scores, values=labels))
    return found


def _by_label(scores: pa.Table, parts: Mapping[str, str], name: str) -> pa.Table:
    """Parts with a value each as one part, called ``name``, with a column for each label. ``parts``: label -> part."""
    import pyarrow as pa
    import pyarrow.compute as pc

    own = {label: scores.filter(pc.equal(scores.column("part"), part)) for label, part in parts.items()}
    items = next(iter(own.values())).column("item")
    columns = [
        table.column("value").take(pc.index_in(items, value_set=table.column("item").combine_chunks()))
        for table in own.values()
    ]
    part = pa.array([name] * len(items), pa.string())
    return pa.table([items, part, *columns], names=["item", "part", *own])


def _needed(scores: Scores) -> pa.Table:
    """The columns of a folder of scores that studies read, shard by shard, so that no others are in memory at once."""
    import pyarrow as pa

    columns = ["item", "part", *scores.run.values]
    tables = [scores.shard(name).select(columns) for name in scores.shards]
    return pa.concat_tables(tables) if tables else scores.table().select(columns)


def _found(path: Path, name: str, sha256: str, opened: list[_Opened]) -> Dataset:
    """The dataset of a run, by its name, where it usually is. It is added to those that are open."""
    if name.endswith((".csv", ".tsv", ".jsonl")):
        raise messages.analysis.plain_source(str(path), name)
    places = [path.resolve().parent / name, path.resolve().parent.parent / "data" / name, Path("data") / name]
    for place in places:
        if (place / MANIFEST).is_file() and _manifest_hash(place) == sha256:
            opened.append(_Opened(read(place), sha256))
            return opened[-1].dataset
    other = next((str(place) for place in places if (place / MANIFEST).is_file()), "")
    raise messages.analysis.no_dataset(str(path), name, other or [str(each.dataset.folder) for each in opened])


def _of_file(path: Path, opened: list[_Opened]) -> Run:
    """A file of another program. Its dataset is the one whose items it has."""
    import pyarrow.compute as pc

    from gramprobe.formats import predictions

    if not opened:
        raise UsageError(f"`{path}` does not say what it scored", "name the dataset: --dataset DIR")
    mode = "values"
    values: tuple[str, ...] = ("value",)
    if path.suffix == ".jsonl":
        scores = predictions.lm_eval_samples(path)
        dataset = _dataset_of(scores, opened)
        labels = _labels_of_choices(scores, dataset)
        if labels:
            parts = dict(zip(labels, pc.unique(scores.column("part")).to_pylist(), strict=True))
            mode, values, scores = "labels", labels, _by_label(scores, parts, "label")
    elif "label" in predictions.header(path):
        mode, (values, scores) = "labels", _shares_of_labels(path, predictions.predicted(path))
        dataset = _dataset_of(scores, opened)
    else:
        scores = predictions.values(path)
        dataset = _dataset_of(scores, opened)
    items = pc.unique(scores.column("item"))
    paradigms = tuple(name for name in dataset.paradigms if pc.any(pc.is_in(_ids(dataset, name), items)).as_py())
    return Run(path.stem, mode, dataset, scores, values, paradigms, path=path)


def _shares_of_labels(path: Path, table: pa.Table) -> tuple[tuple[str, ...], pa.Table]:
    """The labels, three or two, and predicted labels as scores: 1 for the label that is given."""
    import pyarrow as pa
    import pyarrow.compute as pc

    given = pc.unique(table.column("label")).to_pylist()
    labels = LABELS if set(given) <= set(LABELS) else TWO_LABELS
    unknown = sorted(set(given) - set(labels))
    if unknown:
        raise messages.analysis.unknown_labels(path.name, unknown)
    shares = [pc.equal(table.column("label"), label).cast(pa.float64()) for label in labels]
    part = pa.array(["label"] * table.num_rows, pa.string())
    return labels, pa.table([table.column("item"), part, *shares], names=["item", "part", *labels])


def _labels_of_choices(scores: pa.Table, dataset: Dataset) -> tuple[str, ...]:
    """The labels that lm-eval's choices are, in our order, if each item has three or two and the dataset has labels;
    else none, and the choices stay parts with values."""
    import pyarrow.compute as pc

    choices = pc.count_distinct(scores.column("part")).as_py()
    whole = scores.num_rows == choices * pc.count_distinct(scores.column("item")).as_py()
    if not whole or "nli" not in dataset.tasks.values():
        return ()
    return {3: LABELS, 2: TWO_LABELS}.get(choices, ())


def _dataset_of(scores: pa.Table, opened: list[_Opened]) -> Dataset:
    """The dataset that has the first item; the first one if none has it, for which the items are then unknown."""
    import pyarrow.compute as pc

    first = scores.column("item").slice(0, 1)
    for each in opened:
        if any(pc.any(pc.is_in(first, value_set=_ids(each.dataset, n))).as_py() for n in each.dataset.paradigms):
            return each.dataset
    return opened[0].dataset


def _ids(dataset: Dataset, paradigm: str) -> pa.ChunkedArray:
    import pyarrow as pa

    return pa.Table.from_batches(list(dataset.rows(paradigm, ["id"]))).column("id")


def _joined(run: Run) -> Joined:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    places, chunks, start = {}, list[pa.Array](), 0
    for name in run.paradigms:
        ids = _ids(run.dataset, name)
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


def _with_names(runs: list[Run]) -> tuple[Run, ...]:
    """Runs of one name get what tells them apart: the mode, the folder."""
    from collections import Counter

    count = Counter((run.model, run.mode) for run in runs)
    named = [
        replace(run, model=f"{run.model} ({run.path.name})") if count[run.model, run.mode] > 1 else run for run in runs
    ]
    return tuple(named)


# -- columns


def _columns(dataset: Dataset, paradigm: str, names: Sequence[str]) -> pa.Table:
    """Columns of a paradigm as texts and numbers; a label is its name."""
    import pyarrow as pa
    import pyarrow.compute as pc

    there = dataset.columns(paradigm)
    wanted = list(dict.fromkeys(name.partition(".")[0] for name in names))
    batches = list(dataset.rows(paradigm, [name for name in wanted if name in there]))
    table = pa.Table.from_batches(batches)
    fields: dict[str, pa.ChunkedArray] = {}
    for name in dict.fromkeys(names):
        column, _, inner = name.partition(".")
        if column not in there:
            fields[name] = pa.nulls(table.num_rows, pa.string())
            continue
        values = table.column(column)
        if inner:
            own = {values.type.field(i).name for i in range(values.type.num_fields)}
            fields[name] = pc.struct_field(values, inner) if inner in own else pa.nulls(table.num_rows, pa.string())
            continue
        fields[name] = _named(dataset, paradigm, column, values)
    return pa.table(fields)


def _named(dataset: Dataset, paradigm: str, column: str, values: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column of the label holds numbers: their names. Dictionaries are read as texts."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from msgspec import UNSET

    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if dataset.designs is not None:
        design = next(c for c in dataset.design(paradigm).columns if c.name == column)
        if design.values is not UNSET and pa.types.is_integer(values.type):
            return pc.take(pa.array(list(design.values), pa.string()), values)
    return values
