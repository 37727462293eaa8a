"""A model as a picture: boxes of text for the terminal, SVG for a page.

Worlds are boxes with what holds in them, the actual one with a double frame. Below them each relation has a line of
its own, with a dot under every world and an arrow from a world to what it sees: to the right above the dots, to the
left below them, a ring for a world that sees itself. Plain strings, same model, same bytes; nothing to install.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from gramprobe.certify.model import Model

WIDEST = 34
"""Characters in a line of a box; longer lists continue in the next line."""
NOTES = 96
"""Characters in a line of running text."""


# ---- words -----------------------------------------------------------------------------------------------------


def named(model: Model) -> list[str]:
    """The name of each individual (its first name in the model, else `d2`), then of each occasion (`t0`)."""
    names = {who: name for name, who in reversed(list(model.constants.items()))}
    taken = set(model.constants)

    def fresh(name: str) -> str:
        while name in taken:
            name += "'"
        return name

    shown = [names.get(i) or fresh(f"d{i}") for i in range(model.individuals)]
    return shown + [fresh(f"t{i}") for i in range(model.occasions)]


def owned(key: str, names: Sequence[str]) -> str:
    """`K[amy]` for the key `K[2]` of a relation."""
    operator, bracket, agent = key.partition("[")
    return f"{operator}[{names[int(agent[:-1])]}]" if bracket else operator


def holding(model: Model, world: int, propositions: Collection[str] = ()) -> list[tuple[str, bool]]:
    """For each predicate a line with what it holds of in a world (`has: (jo, d1)`), and whether it holds of anything.

    `propositions`: the predicates without arguments; a model in which they never hold does not show that.
    """
    names = named(model)
    lines = []
    for predicate, extension in sorted(model.predicates.items()):
        members = sorted(extension[world])
        if members == [()]:
            lines.append((predicate, True))
        elif not members:
            empty = predicate in propositions or any(() in each for each in extension)
            lines.append((f"not {predicate}" if empty else f"{predicate}: none", False))
        else:
            lines.append((f"{predicate}: " + ", ".join(_tuple(each, names) for each in members), True))
    return lines


def _lines(line: str) -> list[str]:
    return wrap(line, WIDEST, subsequent_indent="  ", break_on_hyphens=False)


def _tuple(members: tuple[int, ...], names: Sequence[str]) -> str:
    if not members:
        return "true"
    return names[members[0]] if len(members) == 1 else "(" + ", ".join(names[each] for each in members) + ")"


def arrows(model: Model) -> list[tuple[str, dict[int, list[int]]]]:
    """Each relation: its name, and world -> the worlds that it sees."""
    names = named(model)
    return [
        (owned(key, names), {w: sorted(v for u, v in relation if u == w) for w in range(model.worlds)})
        for key, relation in sorted(model.relations.items())
    ]


def sets(model: Model) -> list[str]:
    """Neighbourhood operators in words: the sets of worlds that each world has as neighbourhoods."""
    names, lines = named(model), []
    for key, per_world in sorted(model.neighbourhoods.items()):
        for world, chosen in enumerate(per_world):
            shown = ["{" + ", ".join(f"w{each}" for each in one) + "}" for one in sorted(map(sorted, chosen))]
            lines.append(f"{owned(key, names)} at w{world}: " + (", ".join(shown) or "no set of worlds"))
    return lines


def inhabitants(model: Model, propositions: Collection[str] = ()) -> list[str]:
    """A line with the individuals and occasions, `individuals jo, d1`; none if all predicates are propositions."""
    names = named(model)
    if not model.constants and not model.occasions and set(model.predicates) <= set(propositions):
        return []
    line = "individuals " + ", ".join(names[: model.individuals])
    if model.occasions:
        line += "; occasions " + ", ".join(names[model.individuals :])
    return [line]


# ---- text ------------------------------------------------------------------------------------------------------


def text(model: Model, propositions: Collection[str] = (), width: int = 100) -> list[str]:
    """The picture as lines of text: boxes side by side, as many as fit, then the arrows."""
    boxes = [_box(model, world, propositions) for world in range(model.worlds)]
    height = max(map(len, boxes))
    lines = inhabitants(model, propositions)
    row: list[list[str]] = []
    for box in boxes:
        if row and sum(len(each[0]) + 2 for each in row) + len(box[0]) > width:
            lines += _beside(row)
            row = []
        row.append([*box[:-1], *["|" + " " * (len(box[0]) - 2) + "|"] * (height - len(box)), box[-1]])
    lines += _beside(row)
    relations = arrows(model)
    label = max((len(name) for name, _ in relations), default=0)
    for name, sees in relations:
        seen = [f"w{w} -> " + (", ".join(f"w{v}" for v in those) or "nothing") for w, those in sees.items()]
        lines.append(f"{name.ljust(label)}  " + "   ".join(seen))
    return [line.rstrip() for line in lines + sets(model)]


def _box(model: Model, world: int, propositions: Collection[str]) -> list[str]:
    inside = [part for line, _ in holding(model, world, propositions) for part in _lines(line)]
    head = f" w{world}, actual " if world == model.actual and model.worlds > 1 else f" w{world} "
    width = max([len(head) + 1, *map(len, inside)])
    rule = "=" if world == model.actual else "-"
    return [
        "+" + rule + head.ljust(width + 1, rule) + "+",
        *(f"| {line.ljust(width)} |" for line in inside),
        "+" + rule * (width + 2) + "+",
    ]


def _beside(boxes: Sequence[Sequence[str]]) -> list[str]:
    return ["  ".join(lines) for lines in zip(*boxes, strict=True)] if boxes else []


# ---- SVG -------------------------------------------------------------------------------------------------------

LETTER = 7.2  # width of a letter of the monospaced font at 12 px
LINE = 17
MARGIN = 16
GAP = 44
COLOURS = ("#0b5fa5", "#b3500b", "#1b7f4b", "#8a2c7d", "#8c6d00", "#b02a37", "#3f5b66", "#5a4fcf")


@dataclass(frozen=True, slots=True)
class Figure:
    """A model with the title and the running text of its picture; `propositions` as in `holding`."""

    model: Model
    title: str = ""
    notes: tuple[str, ...] = ()
    propositions: frozenset[str] = frozenset()


def sheet(figures: Sequence[Figure], heading: str = "", notes: Sequence[str] = (), table: Sequence[str] = ()) -> str:
    """Several models below one another on one SVG document; above them a heading, the lines of a table, and notes."""
    parts: list[str] = []
    width, top = 320.0, float(MARGIN)
    for line in wrap(heading, NOTES):
        parts.append(_words(MARGIN, top + 14, line, "head"))
        top, width = top + 22, max(width, MARGIN + len(line) * 8.4)
    for line in table:
        parts.append(_words(MARGIN, top + 12, line))
        top, width = top + LINE, max(width, MARGIN + len(line) * LETTER)
    top += 8 if table else 0
    for line in (part for note in notes for part in wrap(note, NOTES, break_on_hyphens=False)):
        parts.append(_words(MARGIN, top + 12, line))
        top, width = top + LINE, max(width, MARGIN + len(line) * LETTER)
    top += 10 if heading or notes or table else 0
    for figure in figures:
        drawing = _Drawing(figure)
        parts.append(f'<g transform="translate(0 {_number(top)})">\n{drawing.content}\n</g>')
        width, top = max(width, drawing.width), top + drawing.height + 14
    w, h = _number(width + MARGIN), _number(top)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img">',
        f"<title>{escape(heading or (figures[0].title if figures else '') or 'a model')}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{w}" height="{h}" fill="#ffffff"/>',
        *parts,
        "</svg>",
        "",
    ])  # fmt: skip


_STYLE = (
    "text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1c1c1c}"
    ".head{font-weight:bold;font-size:14px}.title{font-weight:bold}.faint{fill:#8a8a8a}"
    ".box{fill:#fbfaf5;stroke:#555}.here{fill:#fff6d8;stroke:#1c1c1c;stroke-width:2}.inner{fill:none;stroke:#1c1c1c}"
    ".arrow{fill:none;stroke-width:1.6}"
)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _words(x: float, y: float, words: str, style: str = "", colour: str = "") -> str:
    more = f' class="{style}"' if style else ""
    more += f' style="fill:{colour}"' if colour else ""
    return f'<text x="{_number(x)}" y="{_number(y)}"{more} xml:space="preserve">{escape(words)}</text>'


class _Drawing:
    """One figure as SVG elements, from (0, 0) down and to the right."""

    def __init__(self, figure: Figure) -> None:
        self.model, self.propositions, self.parts = figure.model, figure.propositions, list[str]()
        self.height, self.width = 0.0, 0.0
        relations = arrows(figure.model)
        self.left = MARGIN + (max((len(name) for name, _ in relations), default=-2) + 2) * LETTER
        self.paragraph(figure.title, "title")
        for note in figure.notes:
            self.paragraph(note)
        for line in inhabitants(figure.model, figure.propositions):
            self.paragraph(line, "faint")
        self.height += 4
        self.boxes()
        for number, (name, sees) in enumerate(relations):
            self.relation(name, sees, COLOURS[number % len(COLOURS)])
        for line in sets(figure.model):
            self.paragraph(line)

    @property
    def content(self) -> str:
        return "\n".join(self.parts)

    def paragraph(self, words: str, style: str = "") -> None:
        for line in wrap(words, NOTES, break_on_hyphens=False):
            self.parts.append(_words(MARGIN, self.height + 12, line, style))
            self.width = max(self.width, MARGIN + len(line) * LETTER * (1.06 if style == "title" else 1))
            self.height += LINE

    def boxes(self) -> None:
        inside: list[list[tuple[str, bool]]] = []
        for world in range(self.model.worlds):
            inside.append([
                (part, holds)
                for line, holds in holding(self.model, world, self.propositions)
                for part in _lines(line)
            ])  # fmt: skip
        longest = max([len("w0, actual"), *(len(line) for lines in inside for line, _ in lines)])
        wide, high = longest * LETTER + 22, (1 + max(map(len, inside))) * LINE + 14
        self.middles = [self.left + wide / 2 + world * (wide + GAP) for world in range(self.model.worlds)]
        for world, lines in enumerate(inside):
            x, actual = self.middles[world] - wide / 2, world == self.model.actual
            self.box(x, self.height, wide, high, "here" if actual else "box")
            if actual:
                self.box(x + 3.5, self.height + 3.5, wide - 7, high - 7, "inner")
            head = f"w{world}, actual" if actual else f"w{world}"
            self.parts.append(_words(x + 11, self.height + LINE, head, "title"))
            for number, (line, holds) in enumerate(lines, 2):
                self.parts.append(_words(x + 11, self.height + number * LINE, line, "" if holds else "faint"))
        self.width = max(self.width, self.middles[-1] + wide / 2)
        self.height += high + 6

    def box(self, x: float, y: float, wide: float, high: float, style: str) -> None:
        self.parts.append(
            f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(wide)}" height="{_number(high)}" rx="5" '
            f'class="{style}"/>'
        )

    def relation(self, name: str, sees: Mapping[int, Sequence[int]], colour: str) -> None:
        pairs = [(w, v) for w, those in sees.items() for v in those]
        above = max([26, *(_rise(v - w) + 6 for w, v in pairs if v > w)]) if pairs else 10
        below = max([12, *(_rise(w - v) + 6 for w, v in pairs if v < w)])
        y = self.height + above
        self.parts.append(_words(MARGIN, y + 4, name, "title", colour))
        if not pairs:
            self.parts.append(_words(self.middles[-1] + 14, y + 4, "no world sees any", "faint"))
            self.width = max(self.width, self.middles[-1] + 14 + 17 * LETTER)
        for x in self.middles:
            self.parts.append(f'<circle cx="{_number(x)}" cy="{_number(y)}" r="4" fill="{colour}"/>')
        for w, v in pairs:
            self.arrow(self.middles[w], self.middles[v], y, v - w, colour)
        self.height += above + below

    def arrow(self, start: float, end: float, y: float, step: int, colour: str) -> None:
        if step == 0:
            path = f"M{_number(start - 3)} {_number(y - 5)}c-16 -22 22 -22 7.5 -1.5"
            tip = (start + 3.2, y - 4.6, -0.55, 0.83)
        else:
            side = -1 if step > 0 else 1
            rise = _rise(abs(step)) * 4 / 3  # a cubic curve reaches three quarters of the way to its handles
            lean = min(26.0, abs(end - start) / 3)
            x, to = start - side * 5, end + side * 6
            path = (
                f"M{_number(x)} {_number(y + side * 3)}C{_number(x - side * lean)} {_number(y + side * rise)} "
                f"{_number(to + side * lean)} {_number(y + side * rise)} {_number(to)} {_number(y + side * 4)}"
            )
            length = (lean**2 + (rise - 4) ** 2) ** 0.5
            tip = (to, y + side * 4, -side * lean / length, -side * (rise - 4) / length)
        self.parts.append(f'<path class="arrow" d="{path}" stroke="{colour}"/>')
        self.parts.append(f'<path d="{_head(*tip)}" fill="{colour}"/>')


def _rise(steps: int) -> float:
    """The height of an arrow above its line; longer arrows must clear the rings of the worlds that they pass."""
    return 16 if steps == 1 else 24 + 9 * (steps - 1)


def _head(x: float, y: float, dx: float, dy: float) -> str:
    """A triangle with its tip at a point, looking along a unit vector."""
    bx, by = x - 8 * dx, y - 8 * dy
    corners = [(x, y), (bx - 3.6 * dy, by + 3.6 * dx), (bx + 3.6 * dy, by - 3.6 * dx)]
    return "M" + "L".join(f"{_number(px)} {_number(py)}" for px, py in corners) + "Z"
