"""Messages about orders of scope and the names of readings."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.nearest import did_you_mean, listed


def order_of_no_scope(span: Span, name: str, known: Sequence[str]) -> Diagnostic:
    near = did_you_mean(name, known)
    there = f"scopes are called {listed(known)}" if known else "no constructor has a line `scope ...`"
    help = "" if near else f'{there}; an order is written `"every > a"`, with the widest scope first'
    return Diagnostic(
        code="E80", span=span, message=f"no constructor takes scope by the name `{name}`{near}", help=help
    )


def order_named_twice(span: Span, order: str, name: str, before: Span) -> Diagnostic:
    return Diagnostic(
        code="E81",
        span=span,
        message=f"the order `{order}` is called `{name}` already ({before})",
        help="keep one of them",
    )


def further_than_nothing(span: Span, constructor: str) -> Diagnostic:
    return Diagnostic(
        code="E82",
        span=span,
        message=f"`{constructor}` has a further meaning but no first meaning",
        help="add a line `sem ...` without a name of a reading above it",
    )


def reading_means_two(span: Span, name: str, before: Span) -> Diagnostic:
    return Diagnostic(
        code="E83",
        span=span,
        message=f"`{name}` is the name of an order of scope already ({before}), so it cannot name this meaning too",
        help="give the further meaning a name of its own",
    )


def unfit_reading(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E84",
        span=span,
        message=f"`{name}` cannot be the id of a reading" if name else "a reading has a name",
        help="ids are words with one space between them, without `,` and `>`; `any` and `none` are words of claims",
    )
