"""A paradigm that is made part by part: the bytes of one process, of every file; and the same refusals."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import gramprobe
from gramprobe.cluster import Failed
from gramprobe.dataset import remote, shards
from gramprobe.dataset.build import Request, build
from gramprobe.dataset.paradigm import Options, stream_of, work
from gramprobe.dataset.remote import Machines
from gramprobe.dataset.shards import Marks, Part, Unit, can_cut, maker
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide.decider import Decider
from gramprobe.project import Project, load
from gramprobe.source.diagnostic import Findings, UsageError


class Here:
    """Workers of this process, which do every unit with what a fresh process would know."""

    count = 1

    def __init__(self, project: Project, options: Options, folder: Path) -> None:
        self.make = maker(project.declarations, options, folder, Decider(dependence=True))
        self.parts: list[Part] = []

    def in_order(self, units: Iterator[Unit], ahead: int) -> Generator[tuple[Unit, Any]]:
        for unit in units:
            if isinstance(unit, Part):
                self.parts.append(unit)
            yield unit, self.make(unit)


def cutting(monkeypatch: pytest.MonkeyPatch, project: Project, options: Options) -> list[Here]:
    """Let large paradigms be made part by part in this process, others whole. Returns the workers that were made."""
    made: list[Here] = []

    def written(paradigms: Any, declarations: Any, asked: Any, files: Any, machines: Any) -> Iterator[tuple[str, Any]]:
        folder = Path(asked["folder"])
        here = Here(project, Options(**{k: v for k, v in asked.items() if k != "folder"}), folder)
        made.append(here)
        with work(declarations, asked) as write:
            for paradigm in paradigms:
                own = Options(**{k: v for k, v in asked.items() if k != "folder"})
                stream = remote._large(paradigm, declarations, own, Decider(dependence=True))
                if stream is None:
                    yield paradigm.full_name, write(paradigm.full_name)
                else:
                    result = shards.cut(paradigm.full_name, stream, folder, here)
                    assert result is not None
                    yield paradigm.full_name, result
        shutil.rmtree(folder / shards.PARTS, ignore_errors=True)

    monkeypatch.setattr(remote, "written", written)
    return made


def built(project: Project, names: list[str], options: Options, out: Path, machines: Machines | None) -> Path:
    """The folder of a dataset of these paradigms."""
    paradigms = [project.paradigm(name).declared for name in names]
    request = Request(name=names[0].replace("/", "--"), paradigms=paradigms, options=options)
    findings = Findings()
    made = build(request, project.declarations, out, findings, files=project.files, machines=machines)
    assert made is not None, findings.items
    return made.folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


# No text is repeated; limits; the pairs of two paradigms are compared, one of which is made whole; the walk goes to its
# end; splits, and pairs that take turns; instances that repeat pairs are passed over.
SETS = [
    (["de_re_de_dicto/infinitive"], Options(count=1500, part_rows=1000)),
    (["presupposition/only"], Options(count=400, part_rows=2000, seed=3)),
    (["implicature/modals", "theory_of_mind/sensory_closure"], Options(count=300, part_rows=3000)),
    (["implicature/numerals_2_3_existential"], Options(everything=True, part_rows=20_000)),
    (["theory_of_mind/training_1"], Options(count=4500, part_rows=700)),
    (["implicature/modals"], Options(count=3000, part_rows=9_000)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("names", "options"), SETS)
def test_parts_have_the_bytes_of_one_process(
    names: list[str], options: Options, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = built(project, names, options, tmp_path / "one", None)
    made = cutting(monkeypatch, project, options)
    other = built(project, names, options, tmp_path / "other", Machines())
    assert contents(other) == contents(one)
    assert len(made[0].parts) > 1
    files = sorted((one / "parquet").rglob("*.parquet"))
    assert len(files) == len(made[0].parts) + len(names) - len({part.paradigm for part in made[0].parts})
    assert all(pq.read_metadata(file).num_rows <= options.part_rows for file in files)


def problems(folder: Path, project: Project) -> list[Any]:
    """What verify reports."""
    return list(verify(folder, project.declarations).problems.kept)


@pytest.mark.slow
def test_a_dataset_in_parts_is_read_and_verified(project: Project, tmp_path: Path) -> None:
    names, options = SETS[0]
    many = built(project, names, options, tmp_path / "many", None)
    one = built(project, names, replace(options, part_rows=1 << 20), tmp_path / "one", None)
    read = [gramprobe.read(folder) for folder in (many, one)]
    rows = [[row for batch in each.rows("infinitive") for row in batch.to_pylist()] for each in read]
    assert rows[0] == rows[1]
    assert read[0].manifest.parquet_rows == 1000
    assert (many / "items/infinitive.jsonl").read_bytes() == (one / "items/infinitive.jsonl").read_bytes()
    assert not problems(many, project)
    last = sorted((many / "parquet/infinitive").iterdir())[-1]
    last.rename(last.with_name("test-00007-of-00008.parquet"))
    assert problems(many, project)
    with pytest.raises(UsageError, match="the file is missing"):
        gramprobe.read(many)


def test_what_depends_on_all_rows_before_is_not_cut(project: Project) -> None:
    def stream(name: str, **options: Any) -> Any:
        asked = Options(count=500, part_rows=10, **options)
        made = stream_of(name, project.declarations, asked, Decider(), Findings())
        assert made is not None
        return made, asked

    assert can_cut(*stream("presupposition/only"))
    assert not can_cut(*stream("scope/choice_universal_indefinite"))  # instances are rejected
    assert not can_cut(*stream("presupposition/only", theory="presupposition-strong"))
    made, asked = stream("presupposition/only")
    made.count = 0
    assert not can_cut(made, asked)


def test_a_part_with_errors_is_left_to_one_process(project: Project, tmp_path: Path) -> None:
    options = Options(count=100, part_rows=200)
    stream = stream_of("de_re_de_dicto/infinitive", project.declarations, options, Decider(), Findings())
    assert stream is not None

    class Failing(Here):
        def in_order(self, units: Iterator[Unit], ahead: int) -> Generator[tuple[Unit, Any]]:
            for unit in units:
                yield unit, shards.Made(failed=True)

    here = Failing(project, options, tmp_path)
    assert shards.cut("de_re_de_dicto/infinitive", stream, tmp_path, here) is None


@pytest.mark.parametrize("kind", [Marks, Part])
def test_what_fails_on_a_machine_is_named(kind: type, project: Project, tmp_path: Path) -> None:
    options = Options(count=100, part_rows=200)
    stream = stream_of("implicature/modals", project.declarations, options, Decider(), Findings())
    assert stream is not None

    class Failing(Here):
        def in_order(self, units: Iterator[Unit], ahead: int) -> Generator[tuple[Unit, Any]]:
            for unit in units:
                failed = isinstance(unit, kind)
                yield unit, Failed("OSError: no space", "10.0.0.7") if failed else self.make(unit)

    with pytest.raises(UsageError, match=r"failed on the machine 10.0.0.7: OSError: no space") as error:
        shards.cut("implicature/modals", stream, tmp_path, Failing(project, options, tmp_path))
    assert "implicature/modals" in error.value.message


# ---- on a cluster


@pytest.mark.outside("ray")
@pytest.mark.process
def test_a_cluster_builds_the_same_bytes(tmp_path: Path) -> None:
    project = load()
    names, options = ["de_re_de_dicto/infinitive", "de_re_de_dicto/doubt"], Options(count=1500, part_rows=1000)
    one = built(project, names, options, tmp_path / "one", None)
    other = built(project, names, options, tmp_path / "other", Machines(workers=2))
    assert contents(other) == contents(one)
