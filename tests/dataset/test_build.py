"""The dataset folder: same seed, same bytes; atomic; loadable; what is passed over and vetoed is counted."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from projects import PLAIN, toy
from support.datasets import FEW, MANY, SOME_TRIGGERS, SharedDatasets
from support.kept import own_cache
from support.workers import let_workers_answer_first

from gramprobe.certify.check import check_entry
from gramprobe.certify.rule import LABELS
from gramprobe.dataset import build as building
from gramprobe.dataset.build import WriteError
from gramprobe.dataset.exchange import recover, replacing
from gramprobe.dataset.verify.verify import verify
from gramprobe.items.tasks import TASKS
from gramprobe.project import Project, load
from gramprobe.source.diagnostic import AuthoringError, UsageError
from gramprobe.work import pool

NAME = "presupposition/possessed_definites_existence"


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.deep)])
def built(request: pytest.FixtureRequest, datasets: SharedDatasets) -> Path:
    if request.param == "some":
        return datasets("presupposition", among=SOME_TRIGGERS, n=FEW)
    return datasets("presupposition", n=MANY)


def rows_of(folder: Path) -> Iterator[dict[str, Any]]:
    for file in sorted((folder / "items").iterdir()):
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)


def bytes_of(folder: Path) -> dict[str, bytes]:
    files = sorted(f for f in folder.rglob("*") if f.is_file() and f.suffix != ".parquet")
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in files}


def several(folder: Path, count: int = 4) -> Project:
    """A project with so many paradigms of the same sentences."""
    toy(folder, PLAIN.replace("k : Kind", "k, l : Kind where k != l").replace("Lacks(w, k)", "Has(w, l)") + "size 30\n")
    one = (folder / "grammars/toy/one.paradigm").read_text("utf-8")
    for number in range(1, count):
        text = one.replace("paradigm one", f"paradigm p{number}")
        (folder / f"grammars/toy/p{number}.paradigm").write_text(text, "utf-8")
    return load(folder, names=["toy"])


@pytest.mark.slow
@pytest.mark.usefixtures("all_read_back")
def test_several_processes_write_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = several(tmp_path / "own")
    lines: list[str] = []
    (alone,) = project.build("toy", tmp_path / "alone", report=lines.append)
    monkeypatch.setattr(building, "EACH", 1)
    ours = let_workers_answer_first(monkeypatch, "gramprobe.dataset.paradigm._write")
    shared: list[str] = []
    (together,) = project.build("toy", tmp_path / "together", report=shared.append)
    assert 0 < len(ours) < 4
    assert shared == lines
    assert bytes_of(together.folder) == bytes_of(alone.folder)
    assert verify(together.folder, project.declarations).problems.count == 0


@pytest.mark.slow
@pytest.mark.usefixtures("all_read_back")
def test_several_processes_report_what_one_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    several(tmp_path)
    contradicting = tmp_path / "grammars/toy/p2.paradigm"
    contradicting.write_text(contradicting.read_text("utf-8").replace("theory toy", "theory other"), "utf-8")
    (tmp_path / "logic/other.logic").write_text("theory other\ninclude classical\n", "utf-8")
    wrong = tmp_path / "grammars/toy/p3.paradigm"
    wrong.write_text(wrong.read_text("utf-8").replace("pair p => h", "pair p => h expect entailment"), "utf-8")
    reported = []
    monkeypatch.setattr(building, "EACH", 1)
    for jobs in ("1", "2"):
        monkeypatch.setenv("GRAMPROBE_JOBS", jobs)
        with pytest.raises(AuthoringError) as caught:
            load(tmp_path, names=["toy"]).build("toy", tmp_path / "out")
        reported.append(caught.value.diagnostics)
    assert reported[0] == reported[1]
    assert {d.code for d in reported[0]} == {"E10", "E34"}
    assert not any((tmp_path / "out").iterdir())


@pytest.mark.slow
@pytest.mark.usefixtures("all_read_back")
def test_a_file_that_a_worker_cannot_write_is_written_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = several(tmp_path / "own")
    (alone,) = project.build("toy", tmp_path / "alone")
    monkeypatch.setattr(building, "EACH", 1)
    monkeypatch.setenv("GRAMPROBE_JOBS", "2")
    fails = "import gramprobe.dataset.write as w; w.items_file = lambda name: '/nowhere/' + name\n"
    monkeypatch.setattr(pool, "_START", pool._START.replace("sys.exit", fails + "sys.exit"))
    (together,) = project.build("toy", tmp_path / "together")
    assert bytes_of(together.folder) == bytes_of(alone.folder)


@pytest.mark.slow
def test_the_presupposition_sets(built: Path) -> None:
    rows = list(rows_of(built))
    assert {r["label_name"] for r in rows} == set(LABELS)
    assert {(r["label_name"], r["label_binary"]) for r in rows} == {(n, int(n == "entailment")) for n in LABELS}
    manifest = json.loads((built / "manifest.json").read_text("utf-8"))
    sets, (size,) = len(manifest["paradigms"]), {part["instances"] for part in manifest["paradigms"].values()}
    assert (sets, size) in ((len(SOME_TRIGGERS), FEW), (11, MANY))
    assert len(rows) == sets * 38 * size
    for name, part in manifest["paradigms"].items():
        assert part["rows"] == 38 * size
        of_each = {"contradiction": 6, "entailment": 10, "neutral": 22}
        if name == "cleft_uniqueness":  # embedded, a cleft says nothing of how many
            of_each = {"contradiction": 2, "entailment": 2, "neutral": 34}
        assert part["labels"] == {label: count * size for label, count in of_each.items()}
        assert part["space"] >= 10**6
        assert part["content_words"] >= 2.5 * size
        scored = [r["label_name"] for r in rows if r["paradigm"] == name and r["tag"] not in ("theory", "preference")]
        assert part["baselines"]["majority"] == round(scored.count("neutral") / len(scored), 4)
    tenses = {(r["paradigm"], r["draws"]["t"]) for r in rows}
    for name in manifest["paradigms"]:
        assert len([t for p, t in tenses if p == name]) >= (1 if name == "change_of_state" else 2)  # it is told as past


@pytest.mark.slow
def test_rows_are_canonical_json_in_schema_order(built: Path) -> None:
    for file in (built / "items").iterdir():
        text = file.read_text("utf-8")
        assert text.endswith("\n")
        for line in text.splitlines()[:200]:
            row = json.loads(line)
            assert tuple(row) == TASKS["nli"].columns
            assert line == json.dumps(row, separators=(",", ":"), ensure_ascii=False)
            assert row["id"] == f"{row['phenomenon']}/{row['paradigm']}/{row['instance']}/{row['condition']}"
            assert row["instance"] == ".".join(row["draws"].values())


@pytest.mark.slow
def test_parquet_holds_the_same_rows(built: Path) -> None:
    for file in sorted((built / "items").iterdir()):
        table = pq.read_table(built / "parquet" / file.stem / "test-00000-of-00001.parquet")
        assert table.to_pylist() == [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.outside("datasets")
def test_datasets_loads_it_with_class_labels(
    datasets: SharedDatasets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = datasets("presupposition", among=SOME_TRIGGERS, n=FEW)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    library = import_module("datasets")
    loaded = library.load_dataset(str(built), "both", split="test", cache_dir=str(tmp_path))
    assert loaded.features["label"].names == list(LABELS)
    assert loaded.features["label_binary"].dtype == "int64"
    assert loaded.num_rows == 38 * FEW
    assert loaded[0]["draws"]["t"]


@pytest.mark.slow
def test_the_manifest_has_the_hash_of_every_file(built: Path) -> None:
    manifest = json.loads((built / "manifest.json").read_text("utf-8"))
    there = {f.relative_to(built).as_posix() for f in built.rglob("*") if f.is_file() and f.suffix != ".parquet"}
    assert set(manifest["files"]) == there - {"manifest.json"}
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((built / name).read_bytes()).hexdigest() == digest
    assert str(built) not in json.dumps(manifest)


@pytest.mark.slow
def test_every_shape_has_its_certificate(built: Path) -> None:
    lines = [json.loads(x) for x in (built / "certificates.jsonl").read_text("utf-8").splitlines()]
    by_shape = {x["shape"]: x for x in lines}
    assert len(by_shape) == len(lines)
    assert [x["shape"] for x in lines] == sorted(by_shape)
    for line in lines:
        check_entry(line)
    for row in rows_of(built):
        line = by_shape[row["shape"]]
        told = row["label_name"], row["h_values"], row["certificate"]
        assert (line["label"], line["h_values"], line["kind"]) == told


@pytest.mark.process
@pytest.mark.usefixtures("all_read_back")
@pytest.mark.parametrize("name", [NAME, pytest.param("presupposition", marks=pytest.mark.deep)])
def test_same_seed_same_bytes_in_any_process(
    name: str, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hashes of texts, with other seeds of Python, give sets another order."""
    (here,) = project.build(name, tmp_path / "here", n=2)
    own_cache(tmp_path, monkeypatch, "parsers", "syntax")  # of what was decided and measured here, it finds nothing
    monkeypatch.setenv("PYTHONHASHSEED", "4711" if os.environ.get("PYTHONHASHSEED") != "4711" else "0")
    command = [sys.executable, "-m", "gramprobe", "build", name, "--n", "2", "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    assert bytes_of(tmp_path / name.replace("/", "--")) == bytes_of(here.folder)


@pytest.mark.slow
def test_another_seed_draws_others_and_more_begin_with_the_same(project: Project, tmp_path: Path) -> None:
    def instances(n: int, seed: int) -> list[str]:
        (made,) = project.build(NAME, tmp_path / f"{n}-{seed}", n, seed)
        return list(dict.fromkeys(r["instance"] for r in rows_of(made.folder)))

    few, many, other = instances(3, 0), instances(20, 0), instances(3, 1)
    assert many[:3] == few
    assert len(set(many)) == 20
    assert not set(few) & set(other)


REPEATING = """
draw w : Who
draw k : Kind
draw d : Did
premise
  p = Has(w, k)
  q = TheirK(w, k, d)
hypothesis
  lacks = Lacks(w, k)
pair p, q => lacks
"""


@pytest.mark.slow
def test_of_instances_that_repeat_a_pair_the_other_rows_are_taken(tmp_path: Path) -> None:
    project = toy(tmp_path, REPEATING)
    (made,) = project.build("toy/one", tmp_path / "out", everything=True)
    part = made.manifest["paradigms"]["one"]
    assert part["space"] == 3 * 2 * 4  # people, verbs, kinds; `p => lacks` does not mention the verb
    assert (part["instances"], part["equal_rows"], part["passed_over"]) == (3 * 2 * 4, 12, 0)
    pairs = [(r["premise"], r["hypothesis"]) for r in rows_of(made.folder)]
    assert len(pairs) == len(set(pairs)) == 12 + 24


@pytest.mark.slow
def test_more_than_there_are_is_an_error(tmp_path: Path) -> None:
    project = toy(tmp_path, PLAIN)
    with pytest.raises(AuthoringError) as caught:
        project.build("toy/one", tmp_path / "out", 13)
    assert [d.code for d in caught.value.diagnostics] == ["E33"]
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())


@pytest.mark.slow
def test_a_veto_takes_an_instance_out_and_the_card_counts_it(tmp_path: Path) -> None:
    toy(tmp_path, PLAIN)
    (tmp_path / "grammars/toy/one.veto.tsv").write_text("instance\treason\numa.newt\tdoes not like them\n", "utf-8")
    (made,) = load(tmp_path).build("toy/one", tmp_path / "out", everything=True)
    assert made.manifest["paradigms"]["one"]["vetoed"] == 1
    assert all(r["instance"] != "uma.newt" for r in rows_of(made.folder))
    assert "| 1 |" in (made.folder / "README.md").read_text("utf-8")


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_is_no_dataset_is_not_replaced(project: Project, tmp_path: Path, kind: str) -> None:
    target = tmp_path / NAME.replace("/", "--")
    kept = target / "thesis.txt" if kind == "folder" else target
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("years of work")
    with pytest.raises(UsageError):
        project.build(NAME, tmp_path, 2)
    assert kept.read_text() == "years of work"
    assert [f.name for f in tmp_path.iterdir()] == [target.name]


class Stop(BaseException):
    """Stands for Ctrl-C or a kill."""


@pytest.mark.slow
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), Stop()])
def test_a_build_that_breaks_off_leaves_the_earlier_one(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    (made,) = project.build(NAME, tmp_path, 1)
    before = bytes_of(made.folder)

    def broken(*_: Any) -> str:
        raise error

    monkeypatch.setattr(building, "card", broken)
    with pytest.raises((WriteError, Stop)):
        project.build(NAME, tmp_path, 2)
    assert bytes_of(made.folder) == before
    assert [f.name for f in tmp_path.iterdir()] == [made.folder.name]


@pytest.mark.slow
def test_findings_leave_the_earlier_one(tmp_path: Path) -> None:
    (made,) = toy(tmp_path, PLAIN).build("toy/one", tmp_path / "out", 4)
    before = bytes_of(made.folder)
    worse = toy(tmp_path, PLAIN.replace("pair p => h", "pair p => h expect entailment"))
    with pytest.raises(AuthoringError):
        worse.build("toy/one", tmp_path / "out", 4)
    assert bytes_of(made.folder) == before


def test_a_replacement_killed_between_two_renames_is_recovered(tmp_path: Path) -> None:
    target = tmp_path / "set"
    with replacing(target) as new:
        (new / "one").write_text("old")
        (new / "manifest.json").write_text('{"gramprobe": "0"}')
    target.rename(tmp_path / ".set.old")
    recover(target)
    assert (target / "one").read_text() == "old"
    assert [f.name for f in tmp_path.iterdir()] == ["set"]


@pytest.mark.slow
def test_a_sample_is_what_a_build_of_as_many_gives(project: Project, tmp_path: Path) -> None:
    folder = project.build(NAME, tmp_path, n=3)[0].folder
    assert project.paradigm(NAME).sample(3).to_pylist() == list(rows_of(folder))


@pytest.mark.slow
def test_the_cache_of_verdicts_changes_no_byte(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = []
    for name, switch in (("without", "off"), ("cold", "on"), ("warm", "on")):
        monkeypatch.setenv("GRAMPROBE_CACHE", switch)
        found.append(bytes_of(project.build(NAME, tmp_path / name, n=1)[0].folder))
        assert (tmp_path / "cache" / "gramprobe" / "verdicts").exists() == (switch == "on")
    assert found[0] == found[1]
