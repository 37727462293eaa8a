"""Messages about files of given sentences."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.nearest import listed


def no_licence(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E65",
        span=span,
        message="this file of sentences does not say under which licence they are",
        help="write a line `# licence: ...` at its top; card and manifest repeat it (and `# source: ...`)",
    )


def bad_given_header(span: Span, header: Sequence[str]) -> Diagnostic:
    got = f", not {listed(header)}" if any(header) else ""
    return Diagnostic(
        code="E65",
        span=span,
        message=f"a file of sentences has the columns `sentence` and, if you like, `entails`{got}",
        help="write a line `sentence` or `sentence<TAB>entails` above the sentences",
    )


def given_twice(span: Span, sentence: str, before: Span) -> Diagnostic:
    return Diagnostic(
        code="E66",
        span=span,
        message=f"`{sentence}` stands twice ({before})",
        help="each sentence has one row: take the other out",
    )


def entails_itself(span: Span, sentence: str) -> Diagnostic:
    return Diagnostic(
        code="E66",
        span=span,
        message=f"`{sentence}` is declared to entail itself",
        help="leave the cell empty, or write a sentence that follows from it",
    )


def no_statement(span: Span, column: str, text: str) -> Diagnostic:
    what = (
        f"`{text}` is not a statement that could stand after `knows that`" if text else f"the cell `{column}` is empty"
    )
    return Diagnostic(
        code="E67",
        span=span,
        message=what,
        help="a declarative sentence, with or without its final point, and without quotation marks",
    )


def lowered(span: Span, words: Sequence[str], example: str) -> Diagnostic:
    lost = "loses its capital and may be a name" if len(words) == 1 else "lose their capitals and may be names"
    return Diagnostic(
        code="E67",
        span=span,
        message=f"at the beginning of a sentence {listed(f'`{word}`' for word in words)} {lost}: `Jo knows that {example}`",
        help=f"keep those that are names by a line `# names: {listed(words)}` at the top of the file",
        severity="warning",
    )


def pairs_wanted(span: Span, has_column: bool, wanting: Sequence[str], others: Sequence[str]) -> Diagnostic:
    """``wanting``: the paradigms about what a sentence entails; ``others``: those that take any sentence."""
    have = "no row of this file has a cell `entails`" if has_column else "this file has sentences only"
    want = "wants" if len(wanting) == 1 else "want"
    instead = f", or build the others by name: `gramprobe build {' '.join(others)}`" if others else ""
    return Diagnostic(
        code="E65",
        span=span,
        message=f"{have}; {' and '.join(wanting)} {want} pairs",
        help=f"{'fill the' if has_column else 'give a'} column `entails`{instead}",
    )


def no_given_wanted(names: Sequence[str]) -> tuple[str, str]:
    """Message and help where sentences are given and no paradigm that is built uses them."""
    return (
        f"no paradigm in {listed(names)} takes given sentences",
        "leave out --sentences, or build a paradigm that uses sentences.tsv",
    )
