"""Messages about the factors of a paradigm."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.nearest import listed


def in_two_levels(span: Span, condition: str, factor: str) -> Diagnostic:
    return Diagnostic(
        code="E87", span=span, message=f"`{condition}` stands in two levels of the factor `{factor}`",
        help="a sentence has one level of a factor: take it out of one of them",
    )  # fmt: skip


def name_of_a_draw(span: Span, name: str, draw: Span) -> Diagnostic:
    return Diagnostic(
        code="E16", span=span, message=f"the factor `{name}` has the name of a draw ({draw}), and compares something else",
        help=f"give it another name; what is drawn for `{name}` is compared by `factor NAME = draw {name}`",
    )  # fmt: skip


def two_levels(span: Span, factor: str, row: str, levels: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E87", span=span, message=f"the rows of `{row}` have two levels of the factor `{factor}`: {listed(levels)}",
        help="name in its levels the premises, or the hypotheses, and not both",
    )  # fmt: skip


def no_level(span: Span, factor: str, row: str) -> Diagnostic:
    return Diagnostic(
        code="E87", span=span, message=f"the rows of `{row}` have no level of the factor `{factor}`, and one of another",
        help="name its condition in a level, or (for fillers) in no level of any factor",
    )  # fmt: skip


def drawn_level(span: Span, level: str, factor: str) -> Diagnostic:
    return Diagnostic(
        code="E02", span=span, message=f"`{level}` is a level of `factor {factor}`, which is drawn, and `empty` is about levels of conditions",
        help="take the line out: words that no instance may have together need none",
    )  # fmt: skip


def no_contrast(span: Span, name: str, total: float) -> Diagnostic:
    return Diagnostic(
        code="E87", span=span, message=f"the weights of the contrast `{name}` sum to {total:g}, and those of a comparison to 0",
        help="`contrast gap = one - 0.5 two - 0.5 three`",
    )  # fmt: skip


def empty_cell(span: Span, levels: Sequence[str]) -> Diagnostic:
    cell = "*".join(levels)
    return Diagnostic(
        code="E87", span=span, message=f"no condition is {' and '.join(f'`{level}`' for level in levels)}",
        help=f'add a condition, or say why there is none: `empty {cell} because "..."`',
    )  # fmt: skip


def one_level(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E87", span=span, message=f"`{name}` has one level, and levels are compared",
        help=f"name two or more: `cross {name} = one, two`",
    )  # fmt: skip


def levels(span: Span, factor: str, count: int, most: int) -> Diagnostic:
    few = count < 2
    return Diagnostic(
        code="E87", span=span, message=f"the factor `{factor}` has {count} level{'s' if count != 1 else ''}, and 2 to {most} can be compared",
        help="draw from at least two values" if few else "leave the line out: so many words are a sample, and random in a model (`draw` them with fewer, to compare these)",
    )  # fmt: skip


def of_a_phrase(span: Span, draw: str) -> Diagnostic:
    return Diagnostic(
        code="E87", span=span, message=f"`{draw}` is a phrase, and the levels of a factor are words or values",
        help=f"compare conditions (`factor ... = one: ... | other: ...`), or draw the word that `{draw}` is made of",
    )  # fmt: skip
