"""Scores that a test makes up: files of other programs, and folders as `gramprobe score` writes them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import gramprobe
from gramprobe.records import sha256_of
from gramprobe.score.mode import Mode
from gramprobe.score.modes import MODES
from gramprobe.score.record import TIES, ModelEntry, Run, Session, Settings, SourceEntry
from gramprobe.score.results import RunFolder, write_shard
from gramprobe.score.source import DatasetSource, Table


def values_file(file: Path, values: Mapping[tuple[str, str], float]) -> Path:
    """A file `item,part,value`."""
    return table_file(file, ("item", "part", "value"), [(*key, value) for key, value in values.items()])


def labels_file(file: Path, labels: Mapping[str, str]) -> Path:
    """A file `item,label`."""
    return table_file(file, ("item", "label"), list(labels.items()))


def table_file(file: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    """A CSV file with a header."""
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(rows)
    return file


def scores_folder(
    folder: Path,
    dataset: Path,
    mode: str,
    scores: Mapping[tuple[str, str], float | Sequence[float | None] | None],
    *,
    values: Sequence[str] = ("value",),
    tie: float = 0.0,
    complete: bool = True,
) -> Path:
    """A folder of scores: (item, part) -> the value, or the value of each label; None where an item was refused. One of
    some of the items is not ``complete``."""
    rows: dict[str, list[tuple[object, ...]]] = {}
    prompt = {"form": "completion"} if any(part.startswith("without_context/") for _, part in scores) else {}
    texts = _texts(dataset, prompt)
    for (item, part), value in scores.items():
        numbers = tuple(value) if isinstance(value, Sequence) else (value,)
        text = texts(item, MODES[mode], part)
        row = (item, part, *numbers, 1, len(text.split()), len(text), "long" if numbers[0] is None else "")
        rows.setdefault(f"{item.split('/')[1]}-00000", []).append(row)
    counts = {shard: len({row[0] for row in own}) for shard, own in rows.items()}
    refused = len({row[0] for own in rows.values() for row in own if row[-1]})
    with RunFolder(folder, resume=False) as store:
        run = store.begin(record(folder.name, dataset, mode, values, counts, tie, refused, prompt))
        for shard, own in rows.items():
            write_shard(folder, shard, own, values)
        if complete and run.items == gramprobe.read(dataset).count():
            store.end(run)
    return folder


def _texts(dataset: Path, settings: Mapping[str, str]) -> Callable[[str, Mode, str], str]:
    """The text that a part of an item is, with these settings of the mode; of other parts, and of items that there are
    not, a letter."""
    source = DatasetSource(dataset)
    rows: dict[str, tuple[Table, Mapping[str, object]]] = {}
    for name, table in source.tables.items():
        rows |= {item.id: (table, item.row) for item in source.rows(name, table.columns)}

    def text(item: str, mode: Mode, part: str) -> str:
        table, row = rows.get(item, (None, {}))
        made = dict(mode.parts(table, row, settings)) if table and mode.fits(table) else {}
        return made.get(part, "A")

    return text


def record(
    model: str,
    dataset: Path,
    mode: str,
    values: Sequence[str],
    shards: Mapping[str, int],
    tie: float = 0.0,
    refused: int = 0,
    prompt: Mapping[str, str] | None = None,
) -> Run:
    """The record of a run that begins. ``shards``: their names with their numbers of items; ``tie``: that of some
    precision, by default the finest; ``refused``: how many items are; ``prompt``: the settings of
    the mode."""
    tie = tie or TIES["float64"]
    source = SourceEntry(name=dataset.name, sha256=sha256_of(dataset / "manifest.json"))
    session = Session(
        gramprobe="0", versions={}, workers=1, threads=1, shards=1, seconds=1.0, skip_refused=True, found={}
    )
    settings = Settings(
        mode=mode,
        source=source.sha256,
        tables=list(gramprobe.read(dataset).paradigms),
        total=None,
        seed=0,
        shard=1000,
        weights={"model.safetensors": "0" * 64},
        tokenizer={"tokenizer.json": "0" * 64},
        config={"config.json": "0" * 64},
        dtype=next(name for name, own in TIES.items() if own == tie),
        device="cpu",
        batch_tokens=1,
        reduction=MODES[mode].reduction(MODES[mode].kinds[0]),
        engine={},
        prompt=dict(prompt or {}),
    )
    return Run(
        format=1,
        model=ModelEntry(name=model, revision="", kind=MODES[mode].kinds[0]),
        source=source,
        settings=settings,
        values=list(values),
        tie=tie,
        items=sum(shards.values()),
        refused=refused,
        shards=dict(shards),
        complete=False,
        sessions=[session],
    )
