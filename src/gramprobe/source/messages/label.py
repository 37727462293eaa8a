"""Messages about labels that cannot stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.messages.formula import Fault
from gramprobe.source.nearest import did_you_mean, listed


def expectation(
    span: Span, expected: str, derived: str, wrong: int, of: int, story: Sequence[str], help: str = ""
) -> Diagnostic:
    several = f" ({wrong} of {of} pairs on this line)" if of > 1 else ""
    return Diagnostic(
        code="E10", span=span, message=f"expected {expected}, derived {derived}{several}", notes=tuple(story), help=help
    )


def onward_reference(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E07",
        span=span,
        message=f"`{name}` is a column of a word that is not drawn, but stands in a column of a drawn one",
        help="only a drawn word has columns: give the constructor an argument for this word",
    )


def unnamed_order(span: Span, condition: str, operator: str, phrase: str, place: Span) -> Diagnostic:
    return Diagnostic(
        code="E74", span=span,
        message=f"`{condition}` has two readings in English: `{phrase}` may take scope above `{operator}`, and no reading is named",
        notes=(f"`{phrase}` ({place.path}:{place.line}) has no `scope` line, so that only the reading with `{operator}` above it is derived",),
        help=f"take a noun phrase that is a name, a definite, or has a `scope` line; or name the reading: `reading \"{operator}\"`; or let all stay where they stand: `scope frozen`",
    )  # fmt: skip


def premise_inconsistent(
    span: Span, premise: str, sentence: str, theory: str, stop: str = "", unproved: str = ""
) -> Diagnostic:
    """``stop``: where the premise is a story, the update that cannot happen at its point of the story.

    ``unproved``: where no proof shows that no model commits to the premise, how the search for a model ended
    (`was found with up to 1 world and 3 individuals`).
    """
    if unproved:
        return Diagnostic(
            code="E21", span=span, message=f"the premise `{premise}` is perhaps never true: no model of theory {theory} that commits to it {unproved}",
            notes=(f"premise     {sentence}",), help=_MORE_SEARCH,
        )  # fmt: skip
    what = (
        f"`{stop}` cannot happen at this point of the story" if stop else f"no model of theory {theory} commits to it"
    )
    look = (
        "at its `pre`, and at what has happened before"
        if stop
        else "for two parts of the sentence, or an axiom, that exclude each other"
    )
    return Diagnostic(
        code="E21", span=span, message=f"the premise `{premise}` is never true: {what}",
        notes=(f"premise     {sentence}",), help=f"every label would hold vacuously; look {look}",
    )  # fmt: skip


_MORE_SEARCH = "ask an outside prover with --oracle NAME, or simplify: smaller numbers, fewer nested operators"


def hypothesis_settled(
    span: Span, hypothesis: str, sentence: str, how: str, theory: str, unproved: str = ""
) -> Diagnostic:
    """``how``: `true` or `never true`; ``unproved`` as in :func:`premise_inconsistent`."""
    if unproved:
        other = "not true" if how == "true" else "true"
        return Diagnostic(
            code="E22", span=span, message=f"the hypothesis `{hypothesis}` is perhaps {how} whatever the premise says (theory {theory}): no model in which it is {other} {unproved}",
            notes=(f"hypothesis  {sentence}",), help=_MORE_SEARCH,
        )  # fmt: skip
    return Diagnostic(
        code="E22", span=span, message=f"the hypothesis `{hypothesis}` is {how} whatever the premise says (theory {theory})",
        notes=(f"hypothesis  {sentence}",), help="a label for it would say nothing about the premise: let it hang on what the premise says; in an event, `post lit := raised(b)` with a fact of it",
    )  # fmt: skip


def hypothesis_question(span: Span, hypothesis: str, sentence: str) -> Diagnostic:
    return Diagnostic(
        code="E23",
        span=span,
        message=f"the hypothesis `{hypothesis}` is a question: it can be neither true nor false",
        notes=(f"hypothesis  {sentence}",),
    )


def failure(span: Span, premise: str, hypothesis: str, sentences: tuple[str, str]) -> Diagnostic:
    return Diagnostic(
        code="E24", span=span, message=f"`{hypothesis}` is undefined wherever `{premise}` holds: a presupposition failure",
        notes=(f"premise     {sentences[0]}", f"hypothesis  {sentences[1]}"), help="say `via failure` on the pair if a failure is to count as contradiction",
    )  # fmt: skip


def no_failure(span: Span, premise: str, hypothesis: str) -> Diagnostic:
    return Diagnostic(
        code="E24", span=span, message=f"`{hypothesis}` can be true or false where `{premise}` holds: nothing fails here",
        help="take `via failure` out",
    )  # fmt: skip


def readings_disagree(span: Span, premise: str, hypothesis: str, labels: Sequence[tuple[str, str, str]]) -> Diagnostic:
    sides = [list(dict.fromkeys(each[at] for each in labels)) for at in (0, 1)]
    nameless = ["(one reading)" if len(side) == 1 else "(the `sem` without a name)" for side in sides]
    notes = tuple(f"{p or nameless[0]} => {h or nameless[1]}: {label}" for p, h, label in labels)
    return Diagnostic(
        code="E25",
        span=span,
        message=f"the readings of {premise} => {hypothesis} differ in label",
        notes=notes,
        help=f"name the reading that counts on the condition: {_either(labels)}"
        + (
            '; a `sem` may have a name, too: `sem reading "strong" ...`'
            if any(len(s) > 1 and "" in s for s in sides)
            else ""
        ),
    )


def _either(labels: Sequence[tuple[str, str, str]]) -> str:
    """The readings of the side that has several, as an author writes them."""
    sides = [list(dict.fromkeys(entry[side] for entry in labels)) for side in (0, 1)]
    return " or ".join(f'`reading "{r}"`' for r in (sides[0] if len(sides[0]) > 1 else sides[1]))


def form_is_asked(span: Span, category: str, feature: str) -> Diagnostic:
    return Diagnostic(
        code="E05",
        span=span,
        message=f"{feature} is not a column of {category}: the sentence asks for the form that it needs",
    )


def unknown_reading(span: Span, condition: str, reading: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E25",
        span=span,
        message=f"`{condition}` has no reading `{reading}`{did_you_mean(reading, known)}",
        help=f"its readings: {listed([f'`{each}`' if each else 'one without a name' for each in known])}"
        if known
        else "it has a single reading, without a name",
    )


def theories_differ(span: Span, names: tuple[str, str], condition: str, labels: tuple[str, str]) -> Diagnostic:
    return Diagnostic(
        code="E73", span=span,
        message=f"`{names[1]}` does not give the labels of `{names[0]}`: {condition} is {labels[1]}, not {labels[0]}",
        help="separate the two with a comma: each then has a label of its own in the rows",
    )  # fmt: skip


def theories_agree(span: Span, names: tuple[str, str]) -> Diagnostic:
    return Diagnostic(
        code="E73", span=span, severity="warning",
        message=f"`{names[0]}` and `{names[1]}` give the same labels on the whole paradigm",
        help=f"write `{names[0]} = {names[1]}`: theories that agree on a whole paradigm stand once in its rows",
    )  # fmt: skip


def undecided(span: Span, fault: Fault, names: tuple[str, str], sentences: tuple[str, str]) -> Diagnostic:
    """The pair has no label; ``fault`` says why, as for formulas typed by hand."""
    code, message, help = fault
    notes = (f"premise     {sentences[0]}", f"hypothesis  {sentences[1]}")
    return Diagnostic(
        code=code, span=span, message=f"{names[0]} => {names[1]} has no label: {message}", notes=notes, help=help
    )


def undeclared_operator(
    span: Span, operator: str, theory: str, known: Sequence[str], needed: tuple[str, Span]
) -> Diagnostic:
    name, place = needed
    return Diagnostic(
        code="E20",
        span=span,
        message=f"theory `{theory}` declares no operator `{operator}`{did_you_mean(operator, known)}",
        notes=(f"`{name}` ({place.path}:{place.line}) needs it",),
        help=f"add `operator {operator} diamond frame reflexive` (or box) to logic/{theory}.logic, if the file is yours; else name a theory that has it: gramprobe list --theories",
    )


def as_warning(diagnostic: Diagnostic) -> Diagnostic:
    """The same diagnostic as a warning, where it does not stop the work."""
    return replace(diagnostic, severity="warning")
