"""A project that is loaded again is the project that a fresh load gives, whatever file was changed."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from shutil import copy, copytree

import pytest
from support import shipped

from gramprobe.project import NO_PARADIGM, Project, load
from gramprobe.resolve.paradigm.from_syntax import resolve_paradigm
from gramprobe.source.diagnostic import Diagnostic, Findings
from gramprobe.source.files import shipped_folder

ERRORS = Path(__file__).parents[1] / "errors"
MISTAKES = sorted(
    folder.name for folder in ERRORS.iterdir() if (folder / "grammars").is_dir() and folder.name != "base"
)
BAD = shipped.some(MISTAKES[::48], 3)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few of the shipped files. Tests only read them: their lines are read once, whatever a load resolves again."""
    place = tmp_path_factory.mktemp("shipped")
    for folder in ("lexicon", "logic", "grammars/english"):
        copytree(shipped_folder() / folder, place / folder)
    (place / "grammars/presupposition").mkdir()
    copy(shipped_folder() / "grammars/presupposition/only.paradigm", place / "grammars/presupposition")
    return place


@pytest.fixture
def own(few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_shared: None) -> Path:
    """A folder of an author's own, that is found without being named, beside a few of the shipped files: each test
    loads them several times, and only `reload` takes anything over."""
    copytree(ERRORS / "base", tmp_path / "own")
    monkeypatch.setattr("gramprobe.project.shipped_folder", lambda: few)
    monkeypatch.setenv("GRAMPROBE_PATH", str(tmp_path / "own"))
    return tmp_path / "own"


def everything(project: Project) -> tuple[list[Diagnostic], object, object, object, object]:
    """What a load gives: findings in order, paradigms, grammars, each paradigm's theory and the errors in its files."""
    declarations = project.declarations
    theories = {
        name: declarations.theory(paradigm.theory, declarations.grammar_of_paradigm(name), Findings())
        for name, paradigm in declarations.paradigms.items()
    }
    return (
        project.findings.items,
        theories,
        dict(declarations.paradigms),
        declarations.grammars,
        {name: project.errors_for(name) for name in project.names},
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_a_mistake_is_reported_when_made_and_not_when_mended(name: str, own: Path) -> None:
    good = load()
    kept = {file: file.read_bytes() for file in own.rglob("*") if file.is_file()}
    copytree(ERRORS / name, own, dirs_exist_ok=True)
    bad = good.reload()
    assert everything(bad) == everything(load())
    for file in [f for f in own.rglob("*") if f.is_file()]:
        if file in kept:
            file.write_bytes(kept[file])
        else:
            file.unlink()
    assert everything(bad.reload()) == everything(good) == everything(load())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("grammars/small/good.paradigm", "line before"),
        ("grammars/tiny.gram", "last line gone"),
        ("lexicon/tiny_names.tsv", "line before"),
        ("logic/presupposition.logic", "last line gone"),
        pytest.param("grammars/small/good.paradigm", "last line gone", marks=pytest.mark.deep),
        pytest.param("grammars/tiny.gram", "line before", marks=pytest.mark.deep),
        pytest.param("lexicon/tiny_names.tsv", "last line gone", marks=pytest.mark.deep),
        pytest.param("logic/presupposition.logic", "line before", marks=pytest.mark.deep),
    ],
)
def test_a_text_that_is_not_saved_counts(file: str, change: str, own: Path) -> None:
    before = load()
    path = own / file
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(before.library.sources[file].text, "utf-8")
        before = before.reload()
    lines = path.read_text("utf-8").splitlines(keepends=True)
    text = "".join({"last line gone": lines[:-1], "line before": ["\n", *lines]}[change])
    everything(before)  # so that it has the theories, too, which a reload may take over
    unsaved = before.reload({path: text})
    assert unsaved.library.sources[file].text == text != before.library.sources[file].text
    path.write_text(text, "utf-8")
    assert everything(unsaved) == everything(load())


@pytest.mark.slow
def test_what_does_not_rest_on_the_change_is_taken_over(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = load()
    resolved: list[str] = []

    def noting(*arguments: object) -> object:
        resolved.append(str(arguments[2]))
        return resolve_paradigm(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("gramprobe.resolve.project.resolve_paradigm", noting)
    path = own / "grammars" / "small" / "good.paradigm"
    after = before.reload({path: path.read_text("utf-8") + "\n-- a remark\n"})
    assert resolved == ["good"]
    unchanged = [name for name in before.names if name != "small/good"]
    grammars = [(after.declarations.of_paradigms[n], before.declarations.of_paradigms[n]) for n in unchanged]
    assert all(one is other for one, other in grammars)
    assert not dataclasses.is_dataclass(after.declarations.memory)


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_a_paradigm_by_itself_has_the_errors_that_it_has_among_all(name: str, own: Path) -> None:
    copytree(ERRORS / name, own, dirs_exist_ok=True)
    whole = load()
    for asked in ("small/bad", "small/good", "presupposition/only"):
        if asked in whole.names:
            alone = load(names=(asked,))
            assert alone.errors_for(asked) == whole.errors_for(asked)
            assert alone.declarations.declared(asked) == whole.declarations.declared(asked)
            assert alone.names == whole.names
            assert alone.reload().errors_for(asked) == whole.errors_for(asked)


@pytest.mark.slow
def test_loads_share_what_rests_on_shipped_files_alone(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "presupposition/only"
    monkeypatch.setattr("gramprobe.resolve.memory.MOST", 1000)
    shared = [load(), load(), load(names=(name,))]
    first, *others = [(each.declarations.of_paradigms[name], each.declarations.paradigms[name]) for each in shared]
    assert all(one is other for pair in others for one, other in zip(first, pair, strict=True))
    assert shared[0].declarations.of_paradigms["small/good"] is not shared[1].declarations.of_paradigms["small/good"]


@pytest.mark.slow
@pytest.mark.parametrize("file", ["grammars/presupposition/only.paradigm", "lexicon/names.tsv", "lexicon/more.tsv"])
def test_a_load_after_others_is_a_load_without_others(
    file: str, few: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = few / file
    with monkeypatch.context() as sharing:
        sharing.setattr("gramprobe.resolve.memory.MOST", 1000)
        good = everything(load())
        (own / file).parent.mkdir(parents=True, exist_ok=True)
        lines = there.read_text("utf-8").splitlines(keepends=True)[:-2] if there.is_file() else ["id\tword\n"]
        (own / file).write_text("".join(lines), "utf-8")
        changed = everything(load())
    assert changed == everything(load())
    assert (changed != good) == there.is_file()
    (own / file).unlink()
    assert everything(load()) == good


@pytest.mark.slow
def test_what_loads_share_is_bounded(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gramprobe.resolve import memory

    monkeypatch.setattr(memory, "MOST", 2)
    load()
    assert len(memory._shipped) == 2


@pytest.mark.slow
def test_names_may_be_of_phenomena_and_without_their_phenomenon() -> None:
    assert set(load(names=("scope",)).declarations.paradigms) == {n for n in load().names if n.startswith("scope/")}
    assert set(load(names=("only",)).declarations.paradigms) == {"presupposition/only"}
    assert load(names=("all",)).declarations.paradigms.keys() == load().declarations.paradigms.keys()


def test_a_withheld_word_is_looked_for_in_the_tables_of_now(tmp_path: Path) -> None:
    for folder in ("logic", "lexicon"):
        (tmp_path / folder).mkdir()
    line = 'withhold labels of know_that, rumour because "it is hearsay"'
    (tmp_path / "logic/own.logic").write_text(f"theory own\ninclude attitudes\n{line}\n", "utf-8")

    def mistakes(project: Project) -> list[str]:
        found = Findings()
        project.declarations.theory("own", project.declarations.grammar("english.attitudes"), found)
        return [each.code for each in found.items]

    before = load(tmp_path, names=NO_PARADIGM)
    assert mistakes(before) == ["E02"]
    (tmp_path / "lexicon/rumours.tsv").write_text("id\tform\nrumour\trumour\n", "utf-8")
    after = before.reload()
    assert mistakes(after) == []
    (tmp_path / "lexicon/rumours.tsv").unlink()
    assert mistakes(after.reload()) == ["E02"]
    line = line.replace(", rumour", " as nurse")
    (tmp_path / "logic/own.logic").write_text(f"theory own\ninclude attitudes\n{line}\n", "utf-8")
    assert mistakes(after.reload()) == ["E02"], "a noun of another grammar stands for no operator"
