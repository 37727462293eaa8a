"""Messages about minimal pairs: which constraint a sentence breaks, and what its chart says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gramprobe.source.diagnostic import Diagnostic, Span


def line_of_pairs(span: Span, line: str, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"`{line}` is about minimal pairs, which task {task} does not have",
        help="take the line out, or write `task minimal_pair`",
    )  # fmt: skip


def nothing_broken(span: Span, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"the sentences of task {task} have meanings, and none of them can break a constraint",
        help="take `breaking ...` out, or write `task minimal_pair` (or `task sentences`)",
    )  # fmt: skip


def not_within(span: Span, let: str, condition: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"the tree of `{let}` does not stand in `{condition}`",
        help="name a `let` line of which the sentence is made",
    )  # fmt: skip


def not_stated(
    span: Span, constraint: str, condition: str, value: str, values: Mapping[str, Sequence[str]]
) -> Diagnostic:
    """``values``: those of the features that the constraint is about in the sentence."""
    if not values:
        return Diagnostic(
            code="E55", span=span, message=f"no constructor of `{condition}` states `{constraint}` by a value that its words depend on",
            help="make the bad sentence of other words or constructors: `bad = good with d := a`; `gramprobe explain CONSTRUCTOR` lists what one states",
        )  # fmt: skip
    which = "; ".join(f"`{feature}` is {' or '.join(each)}" for feature, each in values.items())
    what = f"`{value}` is no value of what" if value else "there are several values of what"
    return Diagnostic(
        code="E55", span=span, message=f"{what} `{constraint}` is about in `{condition}`",
        help=f"write `breaking {constraint} as VALUE`: {which}",
    )  # fmt: skip
