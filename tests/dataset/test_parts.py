"""A paradigm that is made part by part: the bytes of one process, of every file; and the same refusals."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pyarrow.parquet as pq
import pytest

import gramprobe
from gramprobe.dataset import remote
from gramprobe.dataset.build import Request, build
from gramprobe.dataset.cut import can_cut
from gramprobe.dataset.paradigm import Options, stream_of
from gramprobe.dataset.parts import Made, Marks, SplitPart, Unit
from gramprobe.dataset.remote import Machines
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide.label import Decider
from gramprobe.project import Project, at_work, load
from gramprobe.source.diagnostic import Diagnostic, Findings, UsageError
from gramprobe.work import cluster as clusters
from gramprobe.work.cluster import Failed


class Here:
    """A pool of one actor in this process (`gramprobe.work.cluster.Pool`).

    Attributes:
        parts: the parts that were asked for.
        change: what becomes of a result before it is given.
    """

    parts: ClassVar[list[SplitPart]] = []
    change: ClassVar[Callable[[Unit, Any], Any]] = staticmethod(lambda unit, result: result)
    count = 1

    def __init__(self, cluster: object, start: str, options: dict[str, Any], count: int) -> None:
        assert start == "gramprobe.project:at_work"
        self.options = options
        self._open = ExitStack()

    def __enter__(self) -> Here:
        self.work = self._open.enter_context(at_work(self.options))
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def each(self, units: Iterable[Unit]) -> Generator[tuple[Unit, Any]]:
        yield from self.in_order(units, 1)

    def in_order(self, units: Iterable[Unit], ahead: int) -> Generator[tuple[Unit, Any]]:
        for unit in units:
            if isinstance(unit, SplitPart):
                self.parts.append(unit)
            yield unit, type(self).change(unit, self.work(unit))


class OneMachine:
    """A cluster of one machine that lacks nothing."""

    def check(self, read: Iterable[str], write: str) -> None:
        assert all(Path(place).exists() for place in [*read, write])

    def actors(self, threads: int, gpu: bool) -> int:
        return 1


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> type[Here]:
    """What a cluster would do is done in this process."""
    monkeypatch.setattr(remote, "connected", lambda *_: nullcontext(OneMachine()))
    monkeypatch.setattr(remote, "Pool", Here)
    monkeypatch.setattr(Here, "parts", [])
    return Here


def tried(
    project: Project, names: list[str], options: Options, out: Path, machines: Machines | None
) -> tuple[Path | None, list[Diagnostic]]:
    """The folder of a dataset of these paradigms, if it is built, and what is reported."""
    paradigms = [project.paradigm(name).declared for name in names]
    request = Request(name=names[0].replace("/", "--"), paradigms=paradigms, options=options)
    findings = Findings()
    made = build(request, project.declarations, out, findings, files=project.files, machines=machines)
    return None if made is None else made.folder, findings.items


def built(project: Project, names: list[str], options: Options, out: Path, machines: Machines | None) -> Path:
    """The folder of a dataset of these paradigms."""
    folder, said = tried(project, names, options, out, machines)
    assert folder is not None, said
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


# No text is repeated; limits; the pairs of two paradigms are compared, one of which is made whole; the walk goes to its
# end; splits, and pairs that take turns; instances that repeat pairs are passed over.
SETS = [
    (["de_re_de_dicto/infinitive"], Options(count=600, part_rows=400)),
    (["presupposition/possessed_definites_existence"], Options(count=6, part_rows=100, seed=3)),
    (["implicature/modals", "theory_of_mind/sensory_closure"], Options(count=20, part_rows=200)),
    (["implicature/likeness"], Options(everything=True, part_rows=2_000)),
    (["theory_of_mind/training_1"], Options(count=1500, part_rows=600)),
    (["implicature/modals"], Options(count=300, part_rows=3_000)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("names", "options"), SETS)
def test_parts_have_the_bytes_of_one_process(
    names: list[str], options: Options, project: Project, tmp_path: Path, here: type[Here]
) -> None:
    one = built(project, names, options, tmp_path / "one", None)
    other = built(project, names, options, tmp_path / "other", Machines())
    assert contents(other) == contents(one)
    assert len(here.parts) > 1
    files = sorted((one / "parquet").rglob("*.parquet"))
    assert len(files) == len(here.parts) + len(names) - len({part.paradigm for part in here.parts})
    assert all(pq.read_metadata(file).num_rows <= options.part_rows for file in files)


@pytest.mark.slow
def test_too_few_instances_are_reported_as_by_one_process(project: Project, tmp_path: Path, here: type[Here]) -> None:
    names = ["implicature/likeness"]
    whole = stream_of(names[0], project.declarations, Options(count=1), Decider(), Findings())
    assert whole is not None
    options = Options(count=whole.plan.space.size, part_rows=1000)  # the limits of the paradigm let fewer pass
    folder, said = tried(project, names, options, tmp_path, None)
    assert folder is None
    assert [each.is_error for each in said] == [True]
    assert tried(project, names, options, tmp_path, Machines()) == (None, said)
    assert here.parts
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_part_with_errors_is_left_to_one_process(
    project: Project, tmp_path: Path, here: type[Here], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here that process finds none, so that the dataset is built."""

    def failing(unit: Unit, result: Any) -> Any:
        return Made(failed=True) if isinstance(unit, SplitPart) and unit.number == 1 else result

    names, options = SETS[0]
    one = built(project, names, options, tmp_path / "one", None)
    monkeypatch.setattr(here, "change", staticmethod(failing))
    other = built(project, names, options, tmp_path / "other", Machines())
    assert contents(other) == contents(one)
    assert [part.number for part in here.parts] == [0, 1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Marks, SplitPart, str])
def test_what_fails_on_a_machine_is_named(
    kind: type, project: Project, tmp_path: Path, here: type[Here], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(unit: Unit, result: Any) -> Any:
        return Failed("OSError: no space", "10.0.0.7") if isinstance(unit, kind) else result

    monkeypatch.setattr(here, "change", staticmethod(failing))
    names, options = SETS[2]
    with pytest.raises(UsageError, match=r"failed on the machine 10.0.0.7: OSError: no space") as error:
        built(project, names, options, tmp_path, Machines())
    assert error.value.code == "E62"
    assert names[kind is str] in error.value.message
    assert not list(tmp_path.iterdir())


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
    assert read[0].manifest.parquet_rows == options.part_rows
    assert (many / "items/infinitive.jsonl").read_bytes() == (one / "items/infinitive.jsonl").read_bytes()
    assert not problems(many, project)
    last = sorted((many / "parquet/infinitive").iterdir())[-1]
    last.rename(last.with_name("test-00007-of-00008.parquet"))
    assert problems(many, project)
    with pytest.raises(UsageError, match="the file is missing"):
        gramprobe.read(many)


@pytest.mark.slow
def test_what_depends_on_all_rows_before_is_not_cut(project: Project) -> None:
    def stream(name: str, **options: Any) -> Any:
        asked = Options(count=500, part_rows=10, **options)
        made = stream_of(name, project.declarations, asked, Decider(), Findings())
        assert made is not None
        return made, asked

    assert can_cut(*stream("presupposition/possessed_definites_existence"))
    assert not can_cut(*stream("scope/choice_universal_indefinite"))  # instances are rejected
    assert not can_cut(*stream("presupposition/possessed_definites_existence", theory="presupposition-strong"))
    made, asked = stream("presupposition/possessed_definites_existence")
    made.count = 0
    assert not can_cut(made, asked)


# ---- on a cluster


@pytest.mark.outside("ray")
@pytest.mark.process
def test_a_cluster_builds_the_same_bytes(tmp_path: Path) -> None:
    project = load()
    names, options = ["de_re_de_dicto/infinitive", "de_re_de_dicto/doubt"], Options(count=1500, part_rows=1000)
    one = built(project, names, options, tmp_path / "one", None)
    other = built(project, names, options, tmp_path / "other", Machines(workers=2))
    assert contents(other) == contents(one)


@pytest.mark.outside("ray")
@pytest.mark.process
def test_a_build_has_the_same_bytes_when_a_machine_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node is ended, with the process on it, when the first part of several is there; others do its parts again."""
    os.environ.update(clusters._SETTINGS)
    from ray.cluster_utils import Cluster as Nodes

    nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    ended: list[Unit] = []

    class Ending(clusters.Pool[Unit]):
        def in_order(self, units: Iterable[Unit], ahead: int) -> Generator[tuple[Unit, Any]]:
            for unit, result in super().in_order(units, ahead):
                if isinstance(unit, SplitPart) and not ended:
                    ended.append(unit)
                    nodes.remove_node(nodes.list_all_nodes()[-1], allow_graceful=False)
                yield unit, result

    monkeypatch.setattr(remote, "Pool", Ending)
    project = load()
    names, options = ["presupposition/possessed_definites_existence"], Options(count=200, part_rows=1000, seed=3)
    try:
        other = built(project, names, options, tmp_path / "other", Machines(address=nodes.address, workers=2))
    finally:
        nodes.shutdown()
    assert len(ended) == 1
    one = built(project, names, options, tmp_path / "one", None)
    assert len(list((one / "parquet").rglob("*.parquet"))) == 8
    assert contents(other) == contents(one)
