"""Open the scores of models beside the datasets that they are of.

    open_runs(paths, datasets) -> (Run, ...)

Scores come from a folder that `gramprobe score` wrote, or from a file of another program (`gramprobe.formats`):
values `item,part,value`, predicted labels `item,label`, or the samples of lm-eval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gramprobe.analysis.runs import LABELS, TWO_LABELS, Run, ids_of
from gramprobe.dataset.manifest import MANIFEST, sha256_of
from gramprobe.dataset.read import Dataset, read
from gramprobe.score.results import read_scores
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

    from gramprobe.score.results import Scores

FILES = (".csv", ".jsonl")
"""Files that are scores of other programs."""


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
    paths = list(paths)
    twice = next((path for path, count in Counter(path.resolve() for path in paths).items() if count > 1), None)
    if twice is not None:
        raise UsageError(f"the scores `{twice.name}` are given twice", "name each run once", "E47")
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
    paradigms = tuple(name for name in dataset.paradigms if pc.any(pc.is_in(ids_of(dataset, name), items)).as_py())
    return Run(path.stem, mode, dataset, scores, values, paradigms, path=path)


def _shares_of_labels(path: Path, table: pa.Table) -> tuple[tuple[str, ...], pa.Table]:
    """The labels, three or two, and predicted labels as scores: 1 for the label that is given."""
    import pyarrow as pa
    import pyarrow.compute as pc

    given = pc.unique(table.column("label")).to_pylist()
    unknown = sorted(set(given) - {*LABELS, *TWO_LABELS})
    if unknown:
        raise messages.analysis.unknown_label(path.name, unknown[0])
    labels = LABELS if set(given) <= set(LABELS) else TWO_LABELS
    if not set(given) <= set(labels):
        raise messages.analysis.mixed_labels(path.name)
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
        if any(pc.any(pc.is_in(first, value_set=ids_of(each.dataset, n))).as_py() for n in each.dataset.paradigms):
            return each.dataset
    return opened[0].dataset


def _with_names(runs: list[Run]) -> tuple[Run, ...]:
    """Runs of one name get what tells them apart: the mode, the folder."""
    count = Counter((run.model, run.mode) for run in runs)
    named = [
        replace(run, model=f"{run.model} ({run.path.name})") if count[run.model, run.mode] > 1 else run for run in runs
    ]
    return tuple(named)
