"""A file cut into statements, so that a mistake in one does not hide the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from gramprobe.source.diagnostic import Span
from gramprobe.source.files import Source

_KEYWORDS = {
    ".gram": "uses extend feature group cat const relation constraint claim also former table fun define as where "
    "lin sem scope refers carry carries barrier fills binds licenses reading operators sentence language",
    ".paradigm": "paradigm about source uses theory theories task scope size split scale gold draw where let pair "
    "balance yields allow language licence author cite each carry solvable region same factor empty contrast cross "
    "constraint one unique",
    ".logic": "theory include about source operator define projection conditional postulate each restrictors "
    "exhaustify numerals determiners partitives withhold scale event action pre post actual arrows and or implies "
    "modals quantifiers",
}
_UNFINISHED = re.compile(r"(?:[,|&(\[=/]|->|=>|\bwith|\bwhere|\bby)\s*$")
_CONTINUES = re.compile(r"\s*(?:[|,&)\]]|->|=>|with\b|expect\b|by\b|from\b|breaking\b)")


class Statement(Struct, frozen=True):
    """The text of a statement, with the indentation of its lines; comments are replaced by spaces."""

    path: str
    line: int
    text: str

    @property
    def keyword(self) -> str:
        match = re.match(r"\s*(\w+)", self.text)
        return match.group(1) if match else ""

    def span(self, line: int, column: int, length: int = 1) -> Span:
        """From a place inside ``text`` (both counted from 1) to the place in the file."""
        return Span(self.path, self.line + line - 1, column, max(length, 1))

    def whole(self) -> Span:
        first = self.text.split("\n")[0]
        start = len(first) - len(first.lstrip())
        return Span(self.path, self.line, start + 1, max(len(first.rstrip()) - start, 1))


def keywords(suffix: str, headings: Sequence[str] = ()) -> tuple[str, ...]:
    """The words that begin a line of a file; ``headings``: the headings of tasks, which a paradigm adds to them."""
    words = tuple(_KEYWORDS[suffix].split())
    if suffix != ".paradigm":
        return words
    behind = words.index("pair")  # conditions stand below their heading, before pairs
    return (*words[:behind], *headings, *words[behind:])


@cache
def _starts(suffix: str, headings: tuple[str, ...]) -> re.Pattern[str]:
    """Matches a line that begins a statement even if a parenthesis of the statement above is still open."""
    words = "|".join(keywords(suffix, headings))
    return re.compile(
        rf"\s*(?:{words})\b(?!\s*(?:=(?![=>])|:=))" + (r"|\s*\w+\s*=(?![=>])" if suffix == ".paradigm" else "")
    )


def statements(source: Source, suffix: str, headings: Sequence[str] = ()) -> Iterator[Statement]:
    """Cut a file into statements.

    A line continues the statement above it if that is unfinished (an open bracket, a final comma), or if the line
    begins with a word or sign that begins no statement; in paradigms also a ``where`` that is indented deeper.
    """
    starts = _starts(suffix, tuple(headings))
    held: list[str] = []
    first = 0
    for number, raw in enumerate(source.lines, 1):
        line = _without_comment(raw)
        if not line.strip():
            continue
        goes_on = bool(held) and (
            _goes_on(held, line, bool(starts.match(line))) or (suffix == ".paradigm" and _indented_where(held, line))
        )
        if goes_on:
            held.extend([""] * (number - first - len(held)))
            held.append(line)
            continue
        if held:
            yield Statement(source.path, first, "\n".join(held))
        held, first = [line], number
    if held:
        yield Statement(source.path, first, "\n".join(held))


def _goes_on(held: list[str], line: str, starts_one: bool) -> bool:
    if starts_one and not line.lstrip().startswith("where"):
        return False
    text = re.sub(r'"[^"\n]*"', "", "\n".join(held))
    if _UNFINISHED.search(text) or _CONTINUES.match(line):
        return True
    open_brackets = text.count("(") + text.count("[") - text.count(")") - text.count("]")
    return open_brackets > 0 and not starts_one


def _indented_where(held: list[str], line: str) -> bool:
    indent = len(line) - len(line.lstrip())
    above = len(held[0]) - len(held[0].lstrip())
    return line.lstrip().startswith("where") and indent > above


def _without_comment(line: str) -> str:
    """The line up to ``--`` outside a quoted text."""
    if "--" not in line:
        return line.rstrip()
    quoted = False
    for index, character in enumerate(line):
        if character == '"':
            quoted = not quoted
        elif character == "-" and not quoted and line.startswith("--", index):
            return line[:index].rstrip()
    return line.rstrip()
