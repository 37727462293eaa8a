"""Messages about orders of scope and the names of readings, about anaphors and plural traces."""

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


def only_meaning(span: Span, constructor: str) -> Diagnostic:
    return Diagnostic(
        code="E82",
        span=span,
        message=f"`{constructor}` has one meaning, and names of readings tell several apart",
        help="take the name out (`sem ...`), or add the other meaning in a line of its own",
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


def refers_to_no_scope(span: Span, name: str, known: Sequence[str]) -> Diagnostic:
    near = did_you_mean(name, known)
    there = f"scopes are called {listed(known)}" if known else "no constructor has a line `scope ...`"
    return Diagnostic(
        code="E75",
        span=span,
        message=f"no constructor takes scope by the name `{name}`{near}",
        help="" if near else there,
    )


def nothing_for_it(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E76",
        span=span,
        message=f"`it` takes up the individual of a noun phrase, and `{name}` is the name of none",
        help=f"leave `it` out of the meaning: then the anaphor only asks that `{name}` occurs in the sentence before",
    )


def trace_of_no_numeral(span: Span, constructor: str) -> Diagnostic:
    return Diagnostic(
        code="E77",
        span=span,
        message=f"`trace` is for noun phrases that count, and the meaning of `{constructor}` counts nothing",
        help="its meaning is a quantifier with `atleast`: `sem \\P. atleast 2 x. (n(x), P(x))`",
    )


def trace_of_no_number(span: Span, text: str) -> Diagnostic:
    return Diagnostic(
        code="E77",
        span=span,
        message=f"`trace {text}`: this is no number, nor a column that holds one",
        help="write the number itself, or an argument and its column of numbers: `trace k.value`",
    )


def trace_of_another_number(span: Span, trace: str, counted: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E77",
        span=span,
        message=f"`trace {trace}` and the meaning, which counts {' or '.join(counted)}, say two numbers",
        help=f"write `trace {counted[0]}`, or correct the `atleast` of the meaning",
    )


def nothing_before(span: Span, constructor: str, names: Sequence[str], side: str, after: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E78",
        span=span,
        message=f"`{constructor}` refers to {listed([f'`{name}`' for name in names])} in the sentence before, and no "
        f"sentence comes before a {side}",
        help=f"anaphors stand below {' and '.join(f'`{heading}`' for heading in after)}",
    )
