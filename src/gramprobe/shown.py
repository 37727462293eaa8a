"""What objects show of themselves in a notebook: tables, texts and pictures as HTML and SVG.

Every text that is given is escaped here, and nothing is loaded from elsewhere: a sentence, a name or a path of a file
may hold any characters. A picture stands in an `<img>`, where its styles and ids are its own.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

LETTER, LEVEL, GAP = 7.2, 46.0, 18.0
"""Of the picture of a tree, in pixels: a letter, a level, and the room between two branches."""
MOST = 20
"""The largest number of rows of a table; of more, that many and a line that says so."""


def table(headings: Sequence[str], rows: Sequence[Sequence[object]], caption: str = "") -> str:
    """A table of texts and numbers; numbers stand at the right, with commas in whole ones."""
    head = "".join(f"<th>{escape(each)}</th>" for each in headings)
    lines = [f"<caption>{escape(caption)}</caption>"] if caption else []
    lines.append(f"<thead><tr>{head}</tr></thead>")
    lines += [f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows[:MOST]]
    if len(rows) > MOST:
        lines.append(f'<tr><td colspan="{len(headings)}">and {len(rows) - MOST:,} more</td></tr>')
    return f"<table>{''.join(lines)}</table>"


def _cell(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td style="text-align:right">{f"{value:,}" if isinstance(value, int) else f"{value:.4g}"}</td>'
    return f'<td style="text-align:left">{escape("" if value is None else str(value))}</td>'


def facts(title: str, known: Mapping[str, object]) -> str:
    """A title, and below it names with what they are; what is empty is left out."""
    items = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>{_cell(value)}</tr>"
        for name, value in known.items()
        if value not in (None, "")
    )
    return f"<b>{escape(title)}</b><table>{items}</table>"


def paragraph(text: str) -> str:
    """Running text."""
    return f"<p>{escape(text)}</p>"


def lines(text: str) -> str:
    """Text whose lines and spaces stay as they are."""
    return f"<pre>{escape(text)}</pre>"


def picture(svg: str, alt: str = "") -> str:
    """An SVG document as an image."""
    return f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}">'


def together(parts: Iterable[str]) -> str:
    """Parts below one another."""
    return "\n".join(f"<div>{part}</div>" for part in parts)


class Node(NamedTuple):
    """A node of a tree: its name, what it is, and the nodes below it."""

    name: str
    kind: str = ""
    below: tuple[Node, ...] = ()

    def lines(self, lead: str = "", branch: str = "", below: str = "") -> Iterator[str]:
        """The tree as lines, one for each node, children below their parents; ``lead`` stands before each."""
        yield f"{lead}{branch}{self.name} : {self.kind}"
        for child in self.below:
            last = child is self.below[-1]
            yield from child.lines(lead + below, "`- " if last else "|- ", "   " if last else "|  ")

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def _repr_svg_(self) -> str:
        return tree(self)


def tree(root: Node) -> str:
    """A tree as an SVG document: each node with its kind below its name, above the middle of its branches."""
    parts: list[str] = []
    depth = _drawn(root, 0.0, 0, parts)
    wide, high = _width(root) + 2 * GAP, depth * LEVEL + 4
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}" '
        f'viewBox="{-GAP:.0f} 0 {wide:.0f} {high:.0f}" role="img"><title>{escape(root.name)}</title>'
        "<style>text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;text-anchor:middle}"
        f".kind{{fill:#777}}line{{stroke:#999}}</style>\n{chr(10).join(parts)}\n</svg>\n"
    )


def _width(node: Node) -> float:
    """How much room a node takes with all that is below it."""
    below = sum(_width(child) + GAP for child in node.below) - GAP if node.below else 0.0
    return max(below, len(node.name) * LETTER, len(node.kind) * LETTER)


def _drawn(node: Node, left: float, depth: int, parts: list[str]) -> int:
    """Draw a node and what is below it from ``left`` on; returns how many levels there are down to its lowest one."""
    top, width = depth * LEVEL, _width(node)
    middle, lowest = left + width / 2, depth + 1
    at = middle - (sum(_width(child) + GAP for child in node.below) - GAP) / 2
    for child in node.below:
        wide = _width(child)
        x = at + wide / 2
        parts.append(f'<line x1="{middle:.1f}" y1="{top + 33:.1f}" x2="{x:.1f}" y2="{top + LEVEL + 3:.1f}"/>')
        lowest = max(lowest, _drawn(child, at, depth + 1, parts))
        at += wide + GAP
    for y, text, style in ((15, node.name, ""), (28, node.kind, ' class="kind"')):
        if text:
            parts.append(f'<text x="{middle:.1f}" y="{top + y:.1f}"{style}>{escape(text)}</text>')
    return lowest
