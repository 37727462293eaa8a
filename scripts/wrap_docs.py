"""Wrap the source lines of the documentation that are longer than 120 characters.

Only a paragraph or list item with such a line is wrapped anew; tables and code stay as they are. `make docs` runs it. A
test names the lines that are too long, also headings and quotations, which their author shortens by hand.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 120
WRAPPED_AT = 116

_ITEM = re.compile(r"(\s*)([-*]|\d+\.)\s+")
#: a line that begins so would be no text any more
_STRUCTURE = re.compile(r"\s*([-+*](\s|$)|[#>|]|\d{1,2}[.)]\s|```|:?-{3}|=+$)")
_CODE = re.compile(r"`[^`]+`")
_JOINED = "\0"
"""The character in the place of each space of a code span while lines are wrapped, so that the span is not cut."""


def pages() -> list[Path]:
    """Every page of the documentation."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def wrapped(text: str) -> str:
    """A page with its long paragraphs wrapped."""
    return "".join(f"{line}\n" for block in _blocks(text.splitlines()) for line in _shorter(block))


def long_lines(text: str) -> list[int]:
    """The numbers of the lines over the limit that are neither in a table nor in a block of code."""
    numbers, at = [], 0
    for block in _blocks(text.splitlines()):
        wanted = not re.match(r"\s*(\||```)", block[0])
        numbers += [at + n for n, line in enumerate(block, 1) if wanted and len(line) > WIDTH]
        at += len(block)
    return numbers


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """The lines of a page cut into blocks of code, and into paragraphs, list items, rows of tables and single lines."""
    block: list[str] = []
    fence = ""
    for line in lines:
        if fence:
            block.append(line)
            if line.strip() == fence:
                yield block
                block, fence = [], ""
        elif opening := re.match(r"\s*(`{3,})", line):
            yield from [block] if block else []
            block, fence = [line], opening[1]
        elif not line.strip() or _STRUCTURE.match(line):
            yield from [block] if block else []
            block = [line]
            if not _ITEM.match(line):
                yield block
                block = []
        else:
            block.append(line)
    if block:
        yield block


def _is_text(block: list[str]) -> bool:
    return bool(_ITEM.match(block[0])) or not _STRUCTURE.match(block[0])


def _shorter(block: list[str]) -> list[str]:
    if not _is_text(block) or all(len(line) <= WIDTH for line in block):
        return block
    item = _ITEM.match(block[0])
    first = item[0] if item else re.match(r"\s*", block[0])[0]  # type: ignore[index]
    rest = " " * len(first)
    text = " ".join([block[0][len(first) :], *(line.strip() for line in block[1:])])
    text = _CODE.sub(lambda code: code[0].replace(" ", _JOINED), text)
    for width in range(WRAPPED_AT, WRAPPED_AT - 40, -1):
        lines = textwrap.wrap(
            text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
        )
        if not any(_STRUCTURE.match(line) for line in lines[1:]):
            return [line.replace(_JOINED, " ") for line in lines]
    raise ValueError(f"no way to wrap: {text}")


if __name__ == "__main__":
    for page in pages():
        page.write_text(wrapped(page.read_text("utf-8")), "utf-8")
