"""A parser whose tables come with the package, or were stored, is the one that is built from its Lark file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.grammar import Rule
from lark.lexer import TerminalDef

from gramprobe.items.tasks import task_forms
from gramprobe.source.files import collect, shipped_folder
from gramprobe.syntax import parser
from gramprobe.syntax.reader import _without_formula
from gramprobe.syntax.statements import statements

SUFFIXES = (".gram", ".paradigm", ".logic")


def texts(suffix: str) -> list[str]:
    """The statements of shipped files, whole, cut short and with words in another order."""
    library, _ = collect([("shipped", shipped_folder())])
    sources = [source for source in library.sources.values() if source.name.endswith(suffix)][:6]
    found = [each for source in sources for each in statements(source, suffix, task_forms().headings())][:150]
    whole = [_without_formula(each) if suffix == ".gram" else each.text for each in found]
    return [*whole, *(text[: len(text) // 2] for text in whole), *(" ".join(text.split()[::-1]) for text in whole)]


def outcome(lark: Lark, text: str) -> Any:
    """The tree with the places of its words, or what the error is about."""
    try:
        tree = lark.parse(text)
    except UnexpectedInput as error:
        expected = getattr(error, "expected", None) or getattr(error, "allowed", None)
        return type(error), error.line, error.column, expected and set(expected)
    places = [(word, word.type, word.line, word.column) for word in tree.scan_values(lambda v: isinstance(v, Token))]
    return tree, places, [(part.data, part.meta.line) for part in tree.iter_subtrees() if not part.meta.empty]


def assert_same(one: Lark, other: Lark) -> None:
    """Two parsers have the same terminals, options and rules, and tables that differ in the numbers of states alone."""
    assert one.options.serialize() == other.options.serialize()
    assert sorted(one.lexer_conf.ignore) == sorted(other.lexer_conf.ignore)
    assert sorted(map(word_of, one.terminals)) == sorted(map(word_of, other.terminals))
    assert sorted(map(repr, map(says, one.rules))) == sorted(map(repr, map(says, other.rules)))
    tables, others = (each.parser.parser._parse_table for each in (one, other))
    same = {tables.start_states["start"]: others.start_states["start"]}
    left = list(same.items())
    while left:
        state, twin = left.pop()
        actions, twins = tables.states[state], others.states[twin]
        assert set(actions) == set(twins)
        for token, (action, to) in actions.items():
            assert twins[token][0].name == action.name
            if action.name == "Reduce":
                assert says(twins[token][1]) == says(to)
            elif to not in same:
                same[to] = twins[token][1]
                left.append((to, twins[token][1]))
            else:
                assert twins[token][1] == same[to]
    assert len(same) == len(set(same.values())) == len(tables.states) == len(others.states)
    assert same[tables.end_states["start"]] == others.end_states["start"]


def word_of(terminal: TerminalDef) -> tuple[str, ...]:
    """All that a terminal says: its name, which texts it has, and before which others it is tried."""
    pattern = terminal.pattern
    return str(terminal.name), pattern.type, pattern.value, *sorted(pattern.flags), str(terminal.priority)


def says(rule: Rule) -> object:
    """All that a rule says: what stands for what, and what becomes of it in the tree."""
    symbols = [(str(each.name), each.is_term, getattr(each, "filter_out", None)) for each in rule.expansion]
    return str(rule.origin.name), symbols, rule.alias, rule.order, json.dumps(rule.options.serialize(), sort_keys=True)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_tables_in_the_package_are_those_of_the_lark_file(suffix: str) -> None:
    key, _, tables = parser.tables_file(suffix).read_bytes().partition(b"\n")
    built = parser.built(suffix)
    made_anew = "run `python scripts/parser_tables.py`: the Lark files or the version of Lark have changed"
    assert key.decode() == parser._key(suffix), made_anew
    assert_same(parser.restored(tables), built)
    assert_same(parser.parser_of.__wrapped__(suffix), built)


def test_other_tables_are_told_apart() -> None:
    built = parser.built(".logic")
    states = built.parser.parser._parse_table.states
    actions = next(each for each in states.values() if len(each) > 1)
    del actions[next(iter(actions))]
    with pytest.raises(AssertionError):
        assert_same(parser.built(".logic"), built)


@pytest.mark.parametrize("length", [None, 0, 64, 65, 50_000])
def test_without_the_tables_or_with_half_of_them_the_parser_is_built(
    length: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tables.json"
    if length is not None:
        file.write_bytes(parser.tables_file(".logic").read_bytes()[:length])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(parser, "tables_file", lambda _: file)
    assert_same(parser.parser_of.__wrapped__(".logic"), parser.built(".logic"))


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_stored_parser_reads_as_the_built_one(suffix: str) -> None:
    built = parser.built(suffix)
    restored = parser.restored(parser.stored(built))
    outcomes = [outcome(built, text) for text in texts(suffix)]
    assert [outcome(restored, text) for text in texts(suffix)] == outcomes
    assert {isinstance(each[0], Tree) for each in outcomes} == {True, False}


def made_with_another_lark(suffix: str, folder: Path) -> Path:
    """The tables in the package as another version would find them."""
    file = folder / f"tables{suffix}"
    file.write_bytes(b"0" * 64 + b"\n{}\n")
    return file


@pytest.mark.parametrize("content", [b"", b"{}", b'{"data":{},"memo":{}}', b"\xff", b"[" * 100_000, b"null"])
def test_an_entry_that_holds_no_parser_is_replaced(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(parser, "tables_file", lambda suffix: made_with_another_lark(suffix, tmp_path))
    parser.parser_of.__wrapped__(".logic")
    (file,) = (tmp_path / "cache" / "gramprobe" / "parsers").iterdir()
    file.write_bytes(content or file.read_bytes().replace(b'"THEORY"', b'"PARADIGM"'))
    assert outcome(parser.parser_of.__wrapped__(".logic"), "theory mine") == outcome(
        parser.built(".logic"), "theory mine"
    )
    assert file.read_bytes() != content
