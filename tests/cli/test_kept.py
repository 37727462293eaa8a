"""What is kept between runs changes nothing: sizes counted before, syntax trees read before, words of a file shared."""

from __future__ import annotations

import json
from collections import OrderedDict
from pathlib import Path

import pytest

from gramprobe.cli.main import main
from gramprobe.project import NO_PARADIGM, Project, load
from gramprobe.resolve import memory
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.source.diagnostic import Diagnostic, Findings
from gramprobe.source.files import Source
from gramprobe.space.sizes import keep_sizes, kept_sizes
from gramprobe.space.space import Space, space_of
from gramprobe.syntax import cache
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.files import read_grammar

BASE = Path(__file__).parents[1] / "errors" / "base"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The small project alone, and an empty cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return load(BASE, names=["small"])


def unread(source: Source) -> tuple[list[syntax.GrammarLine], list[Diagnostic]]:
    raise AssertionError(f"{source.name} was to come out of the cache")


# the name is part of the key
unread.__name__ = read_grammar.__name__


def counting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the paradigms that are counted from now on."""
    counted: list[str] = []

    def count(paradigm: Paradigm, grammar: Grammar, findings: Findings) -> Space | None:
        counted.append(paradigm.full_name)
        return space_of(paradigm, grammar, findings)

    monkeypatch.setattr("gramprobe.space.space.space_of", count)
    return counted


@pytest.mark.slow
def test_what_was_counted_is_not_counted_again(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = counting(monkeypatch)
    first = small.sizes()
    assert sorted(counted) == sorted(first) == sorted(small.declarations.paradigms)
    assert load(BASE, names=["small"]).sizes() == first
    assert len(counted) == len(first)


@pytest.mark.slow
def test_whatever_file_is_changed_all_is_counted_anew(
    small: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = small.sizes()["small/good"]
    own = tmp_path / "own" / "lexicon" / "tiny_names.tsv"
    own.parent.mkdir(parents=True)
    lines = (BASE / "lexicon" / own.name).read_text("utf-8").splitlines()
    own.write_text("\n".join(lines[:-1]) + "\n", "utf-8")
    changed = load([BASE, tmp_path / "own"], names=["small"])
    assert kept_sizes(changed.library) == {}
    assert changed.sizes()["small/good"] == changed.paradigm("small/good").space().size != before


@pytest.mark.parametrize("content", ["", "[]", "null", '{"small/good": "many"}', "\x00", "as another run found it"])
def test_a_file_that_is_not_ours_is_no_cache(content: str, small: Project, tmp_path: Path) -> None:
    sizes = small.sizes()
    (file,) = (tmp_path / "cache" / "gramprobe" / "sizes").iterdir()
    honest = file.read_text("utf-8")
    assert json.loads(honest.partition("\n")[2]) == sizes
    number = str(sizes["small/good"])
    file.write_text(honest.replace(f" {number}", f" 1{number}") if " " in content else content, "utf-8")
    assert small.sizes() == sizes


def test_a_cache_that_cannot_be_written_is_not_used(
    small: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("a file", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    keep_sizes(small.library, {"small/good": 1})
    assert kept_sizes(small.library) == {}


@pytest.mark.slow
def test_an_empty_space_is_an_error_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    project = load([BASE, Path(__file__).parents[1] / "errors" / "E09_where"], names=["small"])
    assert "small/bad" in project.declarations.paradigms
    for _ in range(2):
        assert "small/bad" not in project.sizes()


def test_a_list_is_kept_until_a_file_changes_and_errors_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("gramprobe.cli.list.project_of", lambda path: None)
    known = {
        "instances": 3,
        "pairs": 2,
        "paper": None,
        "about": "\u201cit\u201d",
        "from": "shipped",
        "name": "small/good",
    }
    wrong = known | {"name": "small/bad", "instances": None, "pairs": None, "errors": 1}
    entries, asked = [known], list[int]()

    def ask(_: object) -> list[dict[str, str | int | None]]:
        asked.append(0)
        return entries

    monkeypatch.setattr("gramprobe.cli.list._entries", ask)
    table = tmp_path / "own" / "lexicon" / "things.tsv"
    table.parent.mkdir(parents=True)
    table.write_text("id\nthing\n", "utf-8")

    def listed() -> str:
        assert main(["list", "--path", str(tmp_path / "own"), "--json"]) == 0
        return capsys.readouterr().out

    first = listed()
    assert json.loads(first)["paradigms"] == [known]
    monkeypatch.chdir(tmp_path)
    assert listed() == first and len(asked) == 1, "nothing in it depends on the working folder"
    (file,) = (tmp_path / "cache" / "gramprobe" / "lists").iterdir()
    for damaged in ("", "null", '[{"name": 1}]', "\x00", file.read_text("utf-8").replace(": 3", ": 4")):
        file.write_text(damaged, "utf-8")
        assert listed() == first
    assert len(asked) == 6
    entries.append(wrong)
    table.write_text("id\nother\n", "utf-8")
    assert json.loads(listed())["paradigms"] == [known, wrong] == json.loads(listed())["paradigms"]
    assert len(asked) == 8, "errors are found anew"


@pytest.mark.slow
@pytest.mark.parametrize("step", [pytest.param(1, id="all", marks=pytest.mark.deep), pytest.param(20, id="some")])
def test_a_tree_that_is_read_back_is_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for source in load(BASE, names=NO_PARADIGM).library.having("grammars", ".gram")[::step]:
        monkeypatch.setattr(cache, "_memory", {})
        read = cache.cached(source, read_grammar)
        monkeypatch.setattr(cache, "_memory", {})
        assert cache.cached(source, unread) == read == read_grammar(source)


def test_grammars_that_say_the_same_of_a_table_have_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are resolved one after the other: tables are remembered for a while, grammars for longer."""
    monkeypatch.setattr(memory, "_shipped", OrderedDict())
    declarations = load(names=NO_PARADIGM).declarations
    attitudes, coordination = declarations.grammar("english.attitudes"), declarations.grammar("english.coordination")
    nouns, same = attitudes.categories["N"], coordination.categories["N"]
    assert nouns is not same
    assert len(nouns.lexemes) > 100
    assert all(one is other for one, other in zip(nouns.lexemes, same.lexemes, strict=True))
