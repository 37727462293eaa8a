"""Open the scores of models beside the datasets that they are of.

    open_runs(paths, datasets) -> (Run, ...)

Scores come from a folder that `gramprobe score` wrote, or from a file of another program (`gramprobe.formats`):
values `item,part,value`, predicted labels `item,label`, or the samples of lm-eval.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UNSET

from gramprobe.analysis.judgments import run_of
from gramprobe.analysis.record_check import CHECKED, check_run
from gramprobe.analysis.runs import Run, asked_by, columns_of, ids_of, of_one_model, renamed
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.manifest import MANIFEST
from gramprobe.dataset.read import Dataset, read
from gramprobe.formats import format_of, suffixes_of
from gramprobe.formats.nli import KNOWN, TWO_WAY
from gramprobe.formats.tabular import refused
from gramprobe.judgments.folder import is_judgments, open_folder
from gramprobe.judgments.folder_check import against
from gramprobe.progress import report_progress
from gramprobe.records import sha256_of
from gramprobe.score.results import RUN, SCORES, read_scores
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

    from gramprobe.score.results import Scores


def open_runs(paths: Iterable[Path], datasets: Iterable[Path] = ()) -> tuple[Run, ...]:
    """The runs in folders of scores and files of other programs, in the order given.

    Args:
        paths: folders that `gramprobe score` or `gramprobe judgments` wrote, and files of a format of scores
            (`gramprobe.formats`).
        datasets: folders of datasets. Without the one that a run was made of it is looked for beside the scores and
            in `data/`, by its name and its hash.

    Raises UsageError (E44, E46, E47, E94): a path that is neither, a dataset that is not found or has another hash,
    one that no run is of, scores of items or parts that the dataset does not have, scores of the same items and model
    twice.
    """
    opened = [_Opened(read(folder), _manifest_hash(folder)) for folder in datasets]
    given = tuple(opened)
    by_path: dict[Path, list[Run]] = {}
    paths = list(paths)
    twice = next((path for path, count in Counter(path.resolve() for path in paths).items() if count > 1), None)
    if twice is not None:
        raise messages.analysis.given_twice(twice.name)
    for path in sorted(paths, key=lambda path: not path.is_dir()):  # folders name the datasets that files may be of
        if path.is_dir():
            _check_folder(path)
            run = _of_people(path, opened) if is_judgments(path) else _of_folder(path, opened)
        else:
            run = _of_file(path, opened)
        _ = run.joined  # raises for scores of unknown items, before prompts are taken apart
        by_path[path] = by_prompt(run)
    runs = [run for path in paths for run in by_path[path]]
    _check_used(given, opened, runs)
    return _with_names(runs)


def sized(runs: Sequence[Run], sizes: Mapping[str, int], by_size: bool = False) -> tuple[Run, ...]:
    """The runs with the numbers of parameters that a user gives (model -> number), which go before those of records;
    ``by_size``: the smallest model first, runs of one size in their order.

    Raises UsageError for a size of no model, and (``by_size``) for a model whose size is not known.
    """
    names = list(dict.fromkeys(run.model for run in runs))
    for model in sizes:
        if model not in names:
            raise messages.analysis.size_of_unknown_model(model, names)
    found = [replace(run, parameters=sizes.get(run.model, run.parameters)) for run in runs]
    if by_size:
        unknown = list(dict.fromkeys(run.model for run in found if run.parameters is None))
        if unknown:
            raise messages.analysis.no_size_of(unknown)
        found.sort(key=lambda run: run.parameters or 0)
    return tuple(found)


def _check_used(given: Sequence[_Opened], opened: Sequence[_Opened], runs: Sequence[Run]) -> None:
    """Raise UsageError (E47) for a dataset that the user gave and that no run is of."""
    sums = {id(each.dataset): each.sha256 for each in opened}
    used = {sums[id(run.dataset)] for run in runs}
    for each in given:
        if each.sha256 not in used:
            own = {str(run.path): _shown(run.dataset.folder) for run in runs}
            raise messages.analysis.unused_dataset(str(each.dataset.folder), own)


def _shown(folder: Path) -> str:
    """A folder as a user would write it."""
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)


@dataclass(frozen=True)
class _Opened:
    dataset: Dataset
    sha256: str


def _manifest_hash(folder: Path) -> str:
    return sha256_of(folder / MANIFEST)


def _check_folder(path: Path) -> None:
    """Raise UsageError (E44) for a folder that holds no run, with what it holds instead."""
    if (path / RUN).is_file() or is_judgments(path):
        return
    if (path / MANIFEST).is_file():
        raise messages.analysis.not_scores(
            str(path), "a dataset", f"score it first: gramprobe score {path} --model ..."
        )
    inside = sorted(each.parent.name for each in path.glob(f"*/{RUN}"))
    if inside:
        raise messages.analysis.not_scores(
            str(path),
            f"a folder of {len(inside)} runs",
            f"name each run: {' '.join(str(path / each) for each in inside)}",
        )
    if not (path / SCORES).is_dir():
        what = "a folder without the record of a run (run.json)"
        raise messages.analysis.not_scores(str(path), what, messages.analysis.scores_are(suffixes_of("scores")))


def _of_folder(path: Path, opened: list[_Opened]) -> Run:
    found = read_scores(path)
    record = found.run
    dataset = next((each.dataset for each in opened if each.sha256 == record.source.sha256), None)
    if dataset is None:
        dataset = _found(path, record.source.name, record.source.sha256, opened)
    scores = _needed(found)
    check_run(path, record, dataset, scores)
    tables = set(record.settings.tables)
    return Run(
        model=f"{record.model.name}, words shuffled" if record.settings.shuffle_words is True else record.model.name,
        mode=record.settings.mode,
        dataset=dataset,
        scores=scores.drop_columns(list(CHECKED)),
        values=tuple(record.values),
        paradigms=tuple(name for name in dataset.paradigms if name in tables),
        tie=record.tie,
        record=record,
        parameters=None if record.model.parameters is UNSET else record.model.parameters,
        path=path,
    )


def _of_people(path: Path, opened: list[_Opened]) -> Run:
    """A folder of judgments."""
    folder = open_folder(path)
    name, sha256 = folder.entry.dataset, folder.entry.sha256
    dataset = next((each.dataset for each in opened if each.sha256 == sha256), None)
    dataset = dataset or _found(path, name, sha256, opened)
    for wrong in against(folder, dataset):
        raise messages.folders.JUDGMENTS.damaged(str(path), wrong)
    return run_of(folder, dataset)


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
    """The columns of a folder of scores that are read, shard by shard, so that no others are in memory at once."""
    import pyarrow as pa

    columns = ["item", "part", *scores.run.values, *CHECKED]
    tables = []
    for number, name in enumerate(scores.shards):
        report_progress("shards read", number, len(scores.shards))
        tables.append(scores.shard(name).select(columns))
    return pa.concat_tables(tables) if tables else scores.table().select(columns)


def _found(path: Path, name: str, sha256: str, opened: list[_Opened]) -> Dataset:
    """The dataset of a run, by its name, where it usually is. It is added to those that are open."""
    if name.lower().endswith((".csv", ".tsv", ".jsonl")):
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

    form = format_of(path, "scores")
    if form is None:
        what = "neither a folder nor a file of scores" if path.exists() else "not there"
        raise UsageError(f"`{path}` is {what}", messages.analysis.scores_are(suffixes_of("scores")), "E44")
    if not opened:
        raise UsageError(f"`{path}` does not say what it scored", "name the dataset: --dataset DIR")
    values: tuple[str, ...]
    scores = form.read(path)
    mode = "people" if "person" in scores.column_names else "labels"
    if not scores.num_rows:
        raise refused(path, 1, "the file has no scores", "give a file with a row for each score")
    if not {"item", "line"} < set(scores.column_names):
        raise ValueError(f"`read` gives the columns {scores.column_names}: see `gramprobe.formats.Format`")
    if "choice" in scores.column_names:
        scores = scores.rename_columns(["part" if name == "choice" else name for name in scores.column_names])
        dataset, own = _items_of(path, scores, opened)
        values = _labels_of_choices(path, scores, dataset, own)
        _check_targets(path, scores, dataset, own, values)
        _check_texts(path, scores, dataset, own)
        scores = _by_label(scores, {label: str(place) for place, label in enumerate(values)}, "label")
    elif "label" in scores.column_names:
        values, scores = _shares_of_labels(path, scores)
        dataset, own = _items_of(path, scores, opened)
    else:
        mode, values = "values", ("value",)
        dataset, own = _items_of(path, scores, opened)
        _check_parts(path, scores, dataset, own)
    if "line" in scores.column_names:
        scores = scores.drop_columns(["line"])
    paradigms = tuple(name for name, rows in own.items() if pc.any(rows).as_py())
    return Run(path.stem, mode, dataset, scores, values, paradigms, path=path)


def _items_of(path: Path, scores: pa.Table, opened: list[_Opened]) -> tuple[Dataset, dict[str, pa.ChunkedArray]]:
    """The dataset that a file is of, and by paradigm which of the file's rows are of its items.

    Raises UsageError (E47) for items that the dataset does not have.
    """
    import pyarrow.compute as pc

    dataset, items = _dataset_of(scores, opened), scores.column("item")
    own = {name: pc.is_in(items, value_set=ids_of(dataset, name).combine_chunks()) for name in dataset.paradigms}
    known = None
    for rows in own.values():
        known = rows if known is None else pc.or_(known, rows)
    strange = scores.filter(pc.invert(known))
    if strange.num_rows:
        first = strange.slice(0, 1).to_pylist()[0]
        count = pc.count_distinct(strange.column("item")).as_py()
        place = f"{path.name}, line {first['line']}"
        raise messages.analysis.unknown_items(place, str(dataset.folder), first["item"], count)
    return dataset, own


def _check_parts(path: Path, scores: pa.Table, dataset: Dataset, own: Mapping[str, pa.ChunkedArray]) -> None:
    """Raise UsageError (E47) for the first row with a part that the items of its paradigm do not have."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from gramprobe.score.parts import parts_of

    known, bad = parts_of(dataset.folder), list[tuple[int, str, str]]()
    for name, rows in own.items():
        parts = [part for each in known[name].values() for part in each]
        inside = pc.is_in(scores.column("part"), value_set=pa.array(parts, pa.string()))
        strange = scores.filter(pc.and_not(rows, inside)).slice(0, 1).to_pylist()
        bad += [(row["line"], row["part"], name) for row in strange]
    if bad:
        line, part, name = min(bad)
        raise messages.analysis.unknown_part(f"{path.name}, line {line}", part, name, known[name])


def _shares_of_labels(path: Path, table: pa.Table) -> tuple[tuple[str, ...], pa.Table]:
    """The labels, three or two, and predicted labels as scores: 1 for the label that is given; of several people, the
    share of them that gives it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    given = pc.unique(table.column("label")).to_pylist()
    labels = LABELS if set(given) <= set(LABELS) else TWO_WAY
    for known, message in ((KNOWN, messages.analysis.unknown_label), (labels, messages.analysis.mixed_labels)):
        strange = [label for label in given if label not in known]
        if strange:
            line = table.column("line")[pc.index(table.column("label"), strange[0]).as_py()].as_py()
            raise message(f"{path.name}, line {line}", strange[0], known)
    shares = [pc.equal(table.column("label"), label).cast(pa.float64()) for label in labels]
    part = pa.array(["label"] * table.num_rows, pa.string())
    columns = [table.column("item"), part, *shares, table.column("line")]
    scores = pa.table(columns, names=["item", "part", *labels, "line"])
    if "person" not in table.column_names:
        return labels, scores
    by_item = scores.group_by(["item", "part"], use_threads=False)
    mean = by_item.aggregate([*((label, "mean") for label in labels), ("line", "min")])
    return labels, mean.rename_columns(["item", "part", *labels, "line"])


def _labels_of_choices(
    path: Path, scores: pa.Table, dataset: Dataset, own: Mapping[str, pa.ChunkedArray]
) -> tuple[str, ...]:
    """The labels that lm-eval's choices are, in our order: three or two for each item, which must have a label.

    Raises UsageError (E47) for the first item of which this does not hold.
    """
    import pyarrow.compute as pc

    for name, rows in own.items():
        if dataset.tasks[name] != "nli" and pc.any(rows).as_py():
            line = scores.column("line")[pc.index(rows, True).as_py()].as_py()
            raise messages.analysis.choices_without_labels(f"{path.name}, line {line}", name)
    count = scores.group_by("item", use_threads=False).aggregate([("part", "count"), ("line", "min")])
    first = count.column("part_count")[0].as_py()
    for row in count.to_pylist():
        if row["part_count"] != first or first not in CHOICES:
            place = f"{path.name}, line {row['line_min']}"
            raise messages.analysis.number_of_choices(place, row["item"], row["part_count"], sorted(CHOICES))
    return CHOICES[first]


def _check_targets(
    path: Path, scores: pa.Table, dataset: Dataset, own: Mapping[str, pa.ChunkedArray], labels: Sequence[str]
) -> None:
    """Raise UsageError (E47) for the first item of which the file takes another choice for the right one than the
    dataset: its choices stand in another order, or it is of another build."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if "right" not in scores.column_names:
        return
    right = scores.filter(pc.equal(scores.column("right"), True))
    for name in (name for name, rows in own.items() if pc.any(rows).as_py()):
        known = columns_of(dataset, name, ["id", "label"])
        places = pc.index_in(right.column("item"), value_set=known.column("id").combine_chunks())
        label = pc.index_in(known.column("label").take(places), value_set=pa.array(LABELS))
        label = pc.min_element_wise(label, len(labels) - 1, skip_nulls=False)
        wrong = pc.fill_null(pc.not_equal(right.column("part").cast(pa.int32()), label), False)
        for row in right.append_column("label", label).filter(wrong).slice(0, 1).to_pylist():
            place = f"{path.name}, line {row['line']}"
            raise messages.analysis.other_target(place, row["item"], labels[int(row["part"])], labels[row["label"]])


def _check_texts(path: Path, scores: pa.Table, dataset: Dataset, own: Mapping[str, pa.ChunkedArray]) -> None:
    """Raise UsageError (E47) for the first document with another text than its item: the file was changed, or is of
    another build. Compared are fields with the name of a column, and `context`, as exports call the premise; not
    labels in words of a task's own (`True`)."""
    if "doc" not in scores.column_names:
        return
    for name, rows in own.items():
        docs = scores.filter(rows).select(["item", "doc", "line"]).to_pylist()
        lines = {row["item"]: row["line"] for row in docs}
        texts = {row["item"]: json.loads(row["doc"]) for row in docs if row["doc"]}
        fields = {field for each in texts.values() for field in each}
        columns = {field: field for field in dataset.columns(name) if field in fields}
        if "context" in fields and dataset.design(name).scored.context:
            columns.setdefault("context", dataset.design(name).scored.context[0])
        for row in columns_of(dataset, name, ["id", *set(columns.values())]).to_pylist():
            for field, column in columns.items():
                said = texts.get(row["id"], {}).get(field, row[column])
                if said != row[column] and (field != "label" or said in LABELS):
                    place = f"{path.name}, line {lines[row['id']]}"
                    raise messages.analysis.other_text(place, field, row["id"], said, row[column])


CHOICES = {3: LABELS, 2: TWO_WAY}
"""Number of lm-eval's choices -> the labels that they are, in their order."""


def _dataset_of(scores: pa.Table, opened: list[_Opened]) -> Dataset:
    """The dataset that has the first item; the first one if none has it, for which the items are then unknown."""
    import pyarrow.compute as pc

    first = scores.column("item").slice(0, 1)
    for each in opened:
        if any(pc.any(pc.is_in(first, value_set=ids_of(each.dataset, n))).as_py() for n in each.dataset.paradigms):
            return each.dataset
    return opened[0].dataset


def _with_names(runs: list[Run]) -> tuple[Run, ...]:
    """Runs of one name that are not of one model get behind it what tells them apart: how they were asked, or their
    folders."""
    named = []
    for run in runs:
        others = (each for each in runs if each is not run and each.model == run.model)
        rivals = [each for each in others if not of_one_model(run, each)]
        named.append(renamed(run, f"{run.model} ({_told_apart(run, rivals)})") if rivals else run)
    return tuple(named)


def _told_apart(run: Run, rivals: Sequence[Run]) -> str:
    """How a run was asked, the first of its mode, examples, form and precision that is no other's, else as much of the
    end of its path as is no other's."""
    if all(each.mode != run.mode for each in rivals):
        return run.mode
    others = [asked_by(each).words for each in rivals]
    for name, text in asked_by(run).words.items():
        if text and all(other.get(name, text) != text for other in others):
            return text
    parts = [each.path.resolve().parts for each in (run, *rivals)]
    ends = ("/".join(parts[0][-n:]) for n in range(1, len(parts[0])) if all(o[-n:] != parts[0][-n:] for o in parts[1:]))
    return next(ends, str(run.path))
