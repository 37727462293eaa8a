"""What the gate `reading` found is kept between runs, and whatever it rests on has it read anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import PLAIN, toy
from support.kept import own_cache

from gramprobe import cache
from gramprobe.dataset.gates.reading import RoundTrip
from gramprobe.items import content
from gramprobe.project import Project, load

TWO = PLAIN + 'allow reading because "what is read is counted here, and hinders nothing"\n'


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paradigms whose sentences are read from now on, with nothing kept but parsers, syntax trees and verdicts."""
    own_cache(tmp_path, monkeypatch, "parsers", "syntax", "verdicts")
    names, before = list[str](), RoundTrip.read

    def noted(self: RoundTrip, chunk: object) -> None:
        names.append(self.plan.paradigm.name)
        before(self, chunk)  # type: ignore[arg-type]

    monkeypatch.setattr(RoundTrip, "read", noted)
    return names


def built(project: Project, out: Path, n: int = 4, **options: object) -> dict[str, object]:
    (made,) = project.build("toy/one", out, n, **options)  # type: ignore[arg-type]
    found: dict[str, object] = made.manifest["paradigms"]["one"]["read_back"]
    assert found["sentences"]
    return found


def test_sentences_are_read_once(tmp_path: Path, read: list[str]) -> None:
    first = built(toy(tmp_path, TWO), tmp_path / "out")
    assert len(read) == 1
    assert built(toy(tmp_path, TWO), tmp_path / "out") == first
    assert len(read) == 1


def changed(folder: Path, file: str, line: str) -> Project:
    """The toy project, with a line more in a file of its own or in a copy of a shipped one."""
    project = toy(folder, TWO)
    known = project.library.sources[file]
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text("\n".join([*known.lines, line, ""]), "utf-8")
    return load(folder, names=["toy/one"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("grammars/toy.gram", "const lacks : e -> e -> t"),
        ("grammars/toy/one.paradigm", "factor kind = draw k"),
        ("lexicon/kinds.tsv", "mole\tmole\tmoles\tc\t-"),
        ("logic/toy.logic", "each k : Kind postulate exists x. k(x)"),
        ("logic/classical.logic", "-- a line more"),
        ("languages/english.toml", "# a line more"),
    ],
)
def test_a_line_of_any_file_has_them_read_anew(file: str, line: str, tmp_path: Path, read: list[str]) -> None:
    built(toy(tmp_path, TWO), tmp_path / "out")
    built(changed(tmp_path, file, line), tmp_path / "out")
    assert len(read) == 2


def test_code_instances_and_theories_do_as_well(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = toy(tmp_path, TWO)
    built(project, tmp_path / "out")
    built(project, tmp_path / "out", 5)
    built(project, tmp_path / "out", seed=1)
    built(project, tmp_path / "out", theory="classical")
    assert len(read) == 4
    monkeypatch.setattr(content, "program_version", lambda: "of another release")
    built(project, tmp_path / "out")
    assert len(read) == 5
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")
    built(project, tmp_path / "out")
    assert len(read) == 6


def test_a_damaged_file_is_passed_over(tmp_path: Path, read: list[str]) -> None:
    project = toy(tmp_path, TWO)
    first = built(project, tmp_path / "out")
    (file,) = (cache.cache_folder() / "readings").iterdir()
    whole = file.read_bytes()
    for damaged in (b"", b"{}", b"0123\n{}", b"\xff"):
        read.clear()
        file.write_bytes(damaged)
        assert built(project, tmp_path / "out") == first, damaged
        assert (len(read), file.read_bytes()) == (1, whole), damaged
