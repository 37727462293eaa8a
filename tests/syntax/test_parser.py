"""A parser whose tables were stored reads and rejects what the parser does that was built from its Lark file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

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


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_stored_parser_reads_as_the_built_one(suffix: str) -> None:
    built = parser.built(suffix)
    restored = parser.restored(parser.stored(built))
    outcomes = [outcome(built, text) for text in texts(suffix)]
    assert [outcome(restored, text) for text in texts(suffix)] == outcomes
    assert {isinstance(each[0], Tree) for each in outcomes} == {True, False}


@pytest.mark.parametrize("content", [b"", b"{}", b'{"data":{},"memo":{}}', b"\xff", b"[" * 100_000, b"null"])
def test_an_entry_that_holds_no_parser_is_replaced(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    parser.parser_of.__wrapped__(".logic")
    (file,) = (tmp_path / "gramprobe" / "parsers").iterdir()
    file.write_bytes(content or file.read_bytes().replace(b'"THEORY"', b'"PARADIGM"'))
    assert outcome(parser.parser_of.__wrapped__(".logic"), "theory mine") == outcome(
        parser.built(".logic"), "theory mine"
    )
    assert file.read_bytes() != content
