"""`gramprobe.read`: the rows of a dataset with what they rest on; what is damaged is refused by name."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from forgery import Forger, Row
from projects import PLAIN, toy
from support.reading_tasks import CHOICE, made

import gramprobe
from gramprobe.dataset.manifest import DESIGN, Manifest
from gramprobe.dataset.read import Dataset
from gramprobe.dataset.write import WRITING
from gramprobe.items.tasks import TASKS
from gramprobe.project import load
from gramprobe.source.diagnostic import UsageError

NAME = "possessed_definites_existence"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return load().build(f"presupposition/{NAME}", tmp_path_factory.mktemp("data"), n=5, design="paper")[0].folder


@pytest.fixture(scope="module")
def dataset(built: Path) -> Dataset:
    return gramprobe.read(built)


@pytest.fixture(scope="module")
def of_readings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    paradigm = CHOICE.format(sentence="Say(Did(Every(k), v, A(l)))", one="NoneSame(k, v, l)", other="AllSame(k, v, l)")
    return made(tmp_path_factory.mktemp("own"), paradigm).build("small/one", tmp_path_factory.mktemp("data"))[0].folder


def lines(folder: Path, name: str) -> list[Row]:
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


def all_rows(dataset: Dataset, paradigm: str, size: int) -> list[Row]:
    return [row for batch in dataset.rows(paradigm, batch_size=size) for row in batch.to_pylist()]


# -- what is there


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 18, 19, 20, 57, 10_000])
def test_the_rows_are_those_of_the_lines(dataset: Dataset, built: Path, size: int) -> None:
    assert all_rows(dataset, NAME, size) == lines(built, f"items/{NAME}.jsonl")


@pytest.mark.parametrize(("size", "instances"), [(1, [1] * 5), (19, [1] * 5), (38, [2, 2, 1]), (60, [3, 2]), (95, [5])])
def test_no_batch_cuts_an_instance(dataset: Dataset, size: int, instances: list[int]) -> None:
    batches = list(dataset.rows(NAME, batch_size=size))
    each = [batch.column("instance").unique().to_pylist() for batch in batches]
    assert all(isinstance(batch, pa.RecordBatch) for batch in batches)
    assert [row for names in each for row in names] == list(dict.fromkeys(row for names in each for row in names))
    assert sum(map(len, each)) == 5
    assert all(batch.num_rows <= max(size, 19) for batch in batches)
    assert list(map(len, each)) == instances


def test_columns_are_given_as_asked(dataset: Dataset) -> None:
    (batch, *_) = dataset.rows(NAME, ["label", "premise"])
    assert batch.schema.names == ["label", "premise"]
    assert dataset.columns(NAME) == TASKS["nli"].columns


def test_tasks_splits_and_counts(dataset: Dataset) -> None:
    assert isinstance(dataset.manifest, Manifest)
    assert dataset.paradigms == (NAME,)
    assert dataset.tasks == {NAME: "nli"}
    assert dataset.splits(NAME) == {"test": 95}
    assert dataset.count() == dataset.count(NAME) == 95
    assert list(dataset.rows(NAME, split="test"))


def test_certificates_are_found_by_the_shape_of_a_row(dataset: Dataset) -> None:
    for row in all_rows(dataset, NAME, 50):
        assert dataset.certificates[row["shape"]]["kind"] == row["certificate"]
    assert not dataset.accounts


def test_accounts_are_found_by_the_shape_of_a_row(of_readings: Path) -> None:
    dataset = gramprobe.read(of_readings)
    rows = all_rows(dataset, "one", 3)
    assert rows == lines(of_readings, "items/one.jsonl")
    assert all(dataset.accounts[row["shape"]]["steps"] for row in rows)


def test_splits_are_read_one_by_one(tmp_path: Path) -> None:
    project = toy(tmp_path / "own", "size 5\nsplit train 3, validation 2\n" + PLAIN)
    dataset = gramprobe.read(project.build("toy/one", tmp_path / "data")[0].folder)
    assert dataset.splits("one") == {"train": 3, "validation": 2}
    for split, count in dataset.splits("one").items():
        rows = [row for batch in dataset.rows("one", split=split) for row in batch.to_pylist()]
        assert [row["split"] for row in rows] == [split] * count
    assert all_rows(dataset, "one", 7) == lines(dataset.folder, "items/one.jsonl")


def test_a_design_says_what_is_compared(dataset: Dataset) -> None:
    design = dataset.design(NAME)
    assert [pair.condition for pair in design.pairs] == [r["condition"] for r in all_rows(dataset, NAME, 95)[:19]]
    assert {row["draws"]["owner"] for row in all_rows(dataset, NAME, 95)} <= dataset.words.keys()


# -- what is damaged


Damage = Callable[[Path], object]


def missing(name: str) -> Damage:
    return lambda folder: (folder / name).unlink()


def more_bytes(name: str) -> Damage:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + b"\n")


def cut(name: str) -> Damage:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-100])


def rehashed(edit: Damage) -> Damage:
    """The same damage by somebody who makes the hashes fit."""

    def forge(folder: Path) -> None:
        edit(folder)
        Forger(folder, NAME).rehash()

    return forge


def rewritten(edit: Callable[[pa.Table], pa.Table]) -> Damage:
    def forge(folder: Path) -> None:
        file = folder / PARQUET
        pq.write_table(edit(pq.read_table(file, partitioning=None)), file, **WRITING)

    return rehashed(forge)


def manifest(edit: Callable[[Row], object]) -> Damage:
    def damage(folder: Path) -> None:
        def whole(data: Row) -> None:
            edit(data)

        Forger(folder, NAME).edit_manifest(whole)

    return damage


def renamed_for_pandas(table: pa.Table) -> pa.Table:
    return table.replace_schema_metadata({**table.schema.metadata, b"pandas": b"{}"})


PARQUET = f"parquet/{NAME}/test-00000-of-00001.parquet"
ITEMS = f"items/{NAME}.jsonl"
DAMAGES: list[tuple[str, Damage, str, str]] = [
    ("no manifest", missing("manifest.json"), "manifest.json", "the file is missing"),
    ("manifest cut", cut("manifest.json"), "manifest.json", "no JSON, or cut off"),
    ("an earlier format", manifest(lambda data: data.update(format=2)), "manifest.json", "format 2 is not known"),
    ("a later format", manifest(lambda data: data.update(format=9)), "manifest.json", "format 9 is not known"),
    ("a field more", manifest(lambda data: data.update(quality="best")), "manifest.json", "unknown field `quality`"),
    ("a way out", manifest(lambda data: data["files"].update({"../x": "0" * 64})), "manifest.json", "hash for `../x`"),
    ("a hash less", manifest(lambda data: data["parquet"].pop(PARQUET)), "manifest.json", f"no hash for `{PARQUET}`"),
    ("no items", missing(ITEMS), ITEMS, "the file is missing"),
    ("no Parquet", missing(PARQUET), PARQUET, "the file is missing"),
    ("no certificates", missing("certificates.jsonl"), "certificates.jsonl", "the file is missing"),
    ("items changed", more_bytes(ITEMS), ITEMS, "its SHA-256"),
    ("Parquet changed", more_bytes(PARQUET), PARQUET, "its SHA-256"),
    ("design changed", more_bytes(DESIGN), DESIGN, "its SHA-256"),
    ("design not canonical", rehashed(more_bytes(DESIGN)), DESIGN, "it is not canonical"),
    ("Parquet cut", rehashed(cut(PARQUET)), PARQUET, "it cannot be read"),
    ("fewer rows", rewritten(lambda table: table.slice(0, 19)), PARQUET, "it has 19 rows, and the manifest says 95"),
    ("a column less", rewritten(lambda table: table.drop_columns(["tag"])), PARQUET, "its columns are not those"),
    ("names for pandas", rewritten(renamed_for_pandas), PARQUET, "its metadata has the key `pandas`"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "file", "what"), [d[1:] for d in DAMAGES], ids=[d[0] for d in DAMAGES])
def test_what_is_damaged_is_named(built: Path, tmp_path: Path, damage: Damage, file: str, what: str) -> None:
    folder = Path(shutil.copytree(built, tmp_path / built.name))
    damage(folder)
    with pytest.raises(UsageError) as error:
        gramprobe.read(folder)
    assert error.value.code == "E44"
    assert error.value.message.startswith(f"`{folder / file}`: ")
    assert what in error.value.message


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no dataset folder"):
        gramprobe.read(tmp_path / "nothing")


def test_a_misspelt_folder_and_one_without_data_before_it(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(built, tmp_path / "data" / "cats")
    monkeypatch.chdir(tmp_path)
    for named in ("cats", "data/cat"):
        with pytest.raises(UsageError) as error:
            gramprobe.read(named)
        assert error.value.message == f"there is no dataset folder `{named}`; did you mean `data/cats`?"


def test_a_killed_replacement_is_brought_back(built: Path, tmp_path: Path) -> None:
    shutil.copytree(built, tmp_path / f".{built.name}.old")
    assert gramprobe.read(tmp_path / built.name).count() == 95


@pytest.mark.parametrize(
    "ask",
    [
        lambda dataset: dataset.rows("only"),
        lambda dataset: dataset.rows(NAME, ["premis"]),
        lambda dataset: dataset.rows(NAME, split="train"),
        lambda dataset: dataset.rows(NAME, batch_size=0),
        lambda dataset: dataset.splits("only"),
        lambda dataset: dataset.count("only"),
        lambda dataset: dataset.design("only"),
        lambda dataset: dataset.columns("only"),
    ],
)
def test_what_there_is_not_is_an_error_at_once(dataset: Dataset, ask: Callable[[Dataset], object]) -> None:
    with pytest.raises(UsageError):
        ask(dataset)


@pytest.mark.slow
@pytest.mark.parametrize("labels", [True, False])
def test_reading_loads_no_task_grammar_or_engine_but_to_hold_labels_against_each_other(
    built: Path, labels: bool
) -> None:
    code = (
        f"import sys, gramprobe; d = gramprobe.read(sys.argv[1], labels={labels})\n"
        "list(d.rows(*d.paradigms)); d.certificates\n"
        "print(*sorted({m.split('.')[1] for m in sys.modules if m.startswith('gramprobe.')}))"
    )
    run = subprocess.run([sys.executable, "-c", code, str(built)], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    if labels:
        assert "items" in loaded and not {"analysis", "interpret", "project", "score"} & {*loaded}
    else:
        assert loaded == ["dataset", "language", "open", "records", "shown", "source"]
