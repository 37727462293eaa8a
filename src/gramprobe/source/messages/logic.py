"""Messages about the lines of a theory: operators, definitions, scales, events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.messages.formula import event_arguments
from gramprobe.source.nearest import did_you_mean


def worldless(span: Span, operator: str, clause: str) -> Diagnostic:
    return Diagnostic(
        code="E07", span=span, message=f"`{operator}` is evaluated on sets of worlds, not on single worlds: it has no `{clause}`",
        help=f"take `{clause}` out, or make it a `box`",
    )  # fmt: skip


def not_of_this_kind(span: Span, name: str, place: str, help: str = "") -> Diagnostic:
    return Diagnostic(code="E07", span=span, message=f"`{name}` has no place {place}", help=help)


def misapplied(span: Span, why: str) -> Diagnostic:
    return Diagnostic(code="E07", span=span, message=why)


def bodiless(span: Span, name: str, body: str) -> Diagnostic:
    return Diagnostic(
        code="E26",
        span=span,
        message=f"the definition of `{name}` never uses `{body}`",
        help=f"define `{name} {body}` by a formula that contains `{body}`",
    )


def mixed_scale(span: Span, member: str, kind: str, first: str, other: str) -> Diagnostic:
    return Diagnostic(
        code="E07", span=span, message=f"`{member}` is {kind}, but `{first}` is {other}: they cannot take each other's place",
        help="a scale holds quantifiers (`some`, `all`, `most`, `atleast 2`), connectives (`or`, `and`, `left`, `right`), operators, or predicates",
    )  # fmt: skip


def no_action(span: Span, event: str) -> Diagnostic:
    return Diagnostic(
        code="E42", span=span, message=f"nothing happens in event `{event}`", help="write `action NAME` below it"
    )


def no_actual(span: Span, event: str, actions: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E42", span=span, message=f"event `{event}` does not say which of its actions really happens",
        help=f"write `actual {actions[0]}` below it",
    )  # fmt: skip


def unfit_arrows(span: Span, whose: str, trouble: str, help: str) -> Diagnostic:
    return Diagnostic(code="E42", span=span, message=f"the arrows of `{whose}` {trouble}", help=help)


def idle_parameter(span: Span, event: str, parameter: str) -> Diagnostic:
    return Diagnostic(
        code="E70", span=span, message=f"nothing in event `{event}` mentions its parameter `{parameter}`",
        help=f"use it in a `pre`, a `post` or after `arrows`, or take it out of `{event}(...)`",
    )  # fmt: skip


def undeclared_event(span: Span, event: str, theory: str, known: Sequence[str], needed: tuple[str, Span]) -> Diagnostic:
    name, place = needed
    return Diagnostic(
        code="E20", span=span, message=f"theory `{theory}` declares no event `{event}`{did_you_mean(event, known)}",
        notes=(f"`{name}` ({place.path}:{place.line}) needs it",),
        help=f"write `event {event}` and the lines below it into logic/{theory}.logic, or name a theory that has it",
    )  # fmt: skip


def event_about_nothing(span: Span, event: str, name: str, kind: str, theory: str, known: Sequence[str]) -> Diagnostic:
    near = did_you_mean(name, known)
    return Diagnostic(
        code="E70", span=span,
        message=f"event `{event}` of theory `{theory}` mentions `{name}`, which is neither a parameter of it nor a word "
        f"or constant of the grammar{near}",
        help=f"correct it in logic/{theory}.logic (or a file that it includes), or declare it: `const {name} : {kind}`",
    )  # fmt: skip


def wrong_event_arguments(span: Span, event: str, parameters: Sequence[str], given: int) -> Diagnostic:
    _, message, help = event_arguments(event, parameters, given)
    return Diagnostic(code="E70", span=span, message=message, help=help)


def no_table(span: Span, name: str, line: str, example: str) -> Diagnostic:
    """`example`: what stands there in middle Kleene."""
    rows = ", ".join(f"{left}: {' '.join(example[3 * at : 3 * at + 3])}" for at, left in enumerate("TFU"))
    return Diagnostic(
        code="E71", span=span, message=f"the projection `{name}` has no line `{line}`",
        help=f"write `{line} {rows if len(example) == 9 else f'{example} case'}` below it, or what is right in yours",
    )  # fmt: skip


def no_cells(span: Span, connective: str, left: str, given: int) -> Diagnostic:
    return Diagnostic(
        code="E71", span=span, message=f"`{connective}` needs three values where its left side is {left}, and has {given}",
        help=f"write `{left}:` and the values of the whole where the right side is T, F, U",
    )  # fmt: skip


def unclassical(span: Span, connective: str, cell: str, given: str, classical: str) -> Diagnostic:
    return Diagnostic(
        code="E71", span=span,
        message=f"`{connective}` of {cell[0]} and {cell[1]} is {given} here, and {classical} in every logic with these connectives",
        help=f"write {classical}: a projection says what becomes of gaps, and here neither side has one",
    )  # fmt: skip


def known_projection(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E71", span=span, message=f"`{name}` is the name of other tables, which certificates call by it",
        help="give these tables a name of their own",
    )  # fmt: skip


def bad_target(span: Span, text: str) -> Diagnostic:
    return Diagnostic(
        code="E42", span=span, message=f"`{text}` cannot be given a value: it is not an atom about names",
        help="write `post P(a, b) := F`, or `post p := F`",
    )  # fmt: skip


def value_before(span: Span, atom: str, action: str) -> Diagnostic:
    return Diagnostic(
        code="E42", span=span, severity="warning", message=f"`{atom}` has here the value that it had before the event, and `{action}` gives it another one",
        help=f"write the value that it gets in the place of `{atom}`, if that is meant",
    )  # fmt: skip


def not_two_words(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message="a postulate may speak of one word or of two",
        help="write `each n : N postulate ...` or `each n, m : N postulate ...`",
    )


def bad_pair_condition(span: Span, names: tuple[str, str]) -> Diagnostic:
    one, other = names
    return Diagnostic(
        code="E31",
        span=span,
        message=f"a condition here compares `{one}` with `{other}`, or a column of one of them with a value",
        help=f"as in `where {one} != {other}`, `{one}.class = {other}.class`, `{one}.sort = animal`",
    )


def beside_two_words(span: Span, name: str, names: tuple[str, str]) -> Diagnostic:
    one, other = names
    return Diagnostic(
        code="E31",
        span=span,
        message=f"`{name}` cannot stand in a postulate over two words: it speaks of `{one}`, `{other}` and constants",
        help="write a postulate over one word for a column, such as `n.isa`",
    )


def postulate_of_no_word(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        code="E02", span=span, severity="warning",
        message=f"no constant or word named `{name}`, so that no sentence speaks of it{did_you_mean(name, known)}",
        help="formulas of one's own may speak of it: `gramprobe decide`",
    )  # fmt: skip
