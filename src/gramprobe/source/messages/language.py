"""Messages about the files of languages."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.nearest import did_you_mean

_KINDS = {
    "array": "a list in `[...]`", "str": 'a text in `"..."`', "bool": "`true` or `false`", "int": "a number", "object": "a table", "null": "nothing",
}  # fmt: skip


def no_toml(span: Span, why: str) -> Diagnostic:
    return Diagnostic(
        code="E79",
        span=span,
        message=f"this file cannot be read as TOML: {why[:1].lower()}{why[1:]}",
        help='a line is `name = "text"`, `name = true` or `name = ["one", "two"]`; a table begins with `[name]`',
    )


def unknown_entry(span: Span, name: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E79",
        span=span,
        message=f"a language has no entry `{name}`{did_you_mean(name, known)}",
        help=f"the entries here are: {', '.join(known)}",
    )


def missing_entry(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E79", span=span, message=f"the entry `{name}` is missing", help="docs/grammar.md explains it"
    )


def wrong_entry(span: Span, name: str, what: str) -> Diagnostic:
    """``what``: as msgspec says it, `Expected `array`, got `str``."""
    kinds = [_KINDS.get(kind.partition(" ")[0], kind) for kind in what.split("`")[1::2]]
    message = f"`{name}` is {kinds[1]}, and wants {kinds[0]}" if len(kinds) == 2 else f"`{name}`: {what}"
    return Diagnostic(
        code="E79", span=span, message=message, help="languages/english.toml, which is shipped, has all entries"
    )


def no_code(span: Span, text: str, code: str = "E79") -> Diagnostic:
    return Diagnostic(
        code=code,
        span=span,
        message=f"`{text}` is not the code of a language",
        help="write its code as in BCP 47, in small letters: `en`, `fr`, `pt-BR`",
    )


def no_sign(span: Span, name: str, text: str) -> Diagnostic:
    return Diagnostic(
        code="E79",
        span=span,
        message=f'`{name}` lists single signs, and "{text}" is not one',
        help='write each by itself: `["?", "!"]`',
    )


def no_final(span: Span, text: str, marks: Sequence[str]) -> Diagnostic:
    known = f"it is one of {' '.join(f'`{mark}`' for mark in marks)}, or a" if marks else "a"
    return Diagnostic(
        code="E79",
        span=span,
        message=f"a sentence cannot end in `{text}`, which the language does not cut off the last word",
        help=f"{known} sign that the file of the language lists as one of its `marks`",
    )
