"""Messages about tasks other than `nli`: their headings, claims about readings, rejected instances."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.nearest import did_you_mean, listed


def unknown(span: Span, name: str, known: Sequence[str]) -> Diagnostic:
    near = did_you_mean(name, known)
    return Diagnostic(
        code="E02", span=span, message=f"no task named `{name}`{near}",
        help="" if near else f"there are: {listed(known)}; is `{name}` of a package that is not installed?",
    )  # fmt: skip


def no_conditions(span: Span, task: str, headings: Sequence[str]) -> Diagnostic:
    """``headings``: those that a paradigm of the task needs."""
    below = " and ".join(f"`{heading}`" for heading in headings)
    return Diagnostic(
        code="E39", span=span, message=f"this paradigm has no sentences: those of task {task} stand below {below}",
        help=f"write `{headings[0]}`, and below it `NAME = TERM`, as `plain = Assert(c)`",
    )  # fmt: skip


def heading_of_another_task(span: Span, heading: str, task: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"this stands below `{heading}`, which is not a heading of task {task}{did_you_mean(heading, known)}",
        help=f"the headings of {task} are {listed(known)}; `task NAME` names another task",
    )  # fmt: skip


def number_of_conditions(span: Span, heading: str, count: int, wanted: int, task: str) -> Diagnostic:
    several = f"{wanted} condition{'s' if wanted > 1 else ''}"
    return Diagnostic(
        code="E55", span=span, message=f"task {task} has {several} below `{heading}`, and this paradigm has {count}"
    )


def lacking_conditions(span: Span, heading: str, lacking: Sequence[str], task: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"task {task} needs {listed(lacking)} below `{heading}`",
        help=f"name a condition so: `{lacking[0]} = ...`",
    )  # fmt: skip


def claim_of_another_task(span: Span, claim: str, task: str, claims: str | None) -> Diagnostic:
    wanted = {
        "label": "claim a label: `expect entailment`",
        "readings": 'claim `fits "every > a"`, `fits any` or `fits none`',
    }
    return Diagnostic(
        code="E55",
        span=span,
        message=f"`{claim}` has no place in task {task}",
        help=wanted.get(claims or "", "take the claim out")
        if claim != "cross"
        else "draw it, `draw q : quantifier`, and declare `factor q = draw q`",
    )


def one_or_each(span: Span, heading: str, count: int, rows: int, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"{count} texts stand below `{heading}`, and there are {rows} sentences",
        help=f"task {task} has one for all sentences of an instance, or one for each, in their order",
    )  # fmt: skip


def no_regions(span: Span, line: str, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"the rows of task {task} have no regions", help=f"take the line `{line}` out, or write `task sentences`",
    )  # fmt: skip


def no_pairs(span: Span, task: str) -> Diagnostic:
    return Diagnostic(code="E55", span=span, message=f"task {task} has no pairs", help="take the line out")


def no_readings(span: Span, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"in task {task} sentences have no meanings, so that no reading can be named",
        help="take `reading ...` out",
    )  # fmt: skip


def no_theory(span: Span, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55",
        span=span,
        message=f"task {task} derives nothing, and so has no theory",
        help="take the line out",
    )


def wrong_claim(span: Span, claim: str, wanted: str, heading: str) -> Diagnostic:
    return Diagnostic(
        code="E55",
        span=span,
        message=f"`{claim}` is not a claim about a condition below `{heading}`",
        help=f"write `{wanted}`",
    )


def wrong_side(span: Span, name: str, side: str, left: Sequence[str], right: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"`{name}`, a condition below `{side}`, is on the wrong side of this pair",
        help=f"a pair goes from {listed(left)} to {listed(right)}",
    )  # fmt: skip


def missing_pair(span: Span, left: str, right: str, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55",
        span=span,
        message=f"a row of task {task} needs the pair {left} => {right}",
        help=f"write `pair {left} => {right}`",
    )


def no_shares(span: Span, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55",
        span=span,
        message=f"a row of task {task} is made of all pairs: no pair has a share of the rows",
        help="leave out the shares",
    )


def solvable_of_another_task(span: Span, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55",
        span=span,
        message=f"`solvable` is about labels of pairs, which the task {task} does not have",
        help="take the line out",
    )


def no_splits(span: Span, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55",
        span=span,
        message=f"all rows of a paradigm of task {task} are in the same split",
        help="write `split test`, or another name",
    )


def claim_unmet(
    span: Span, kind: str, claimed: Sequence[str], derived: Sequence[str], pair: str, story: Sequence[str]
) -> Diagnostic:
    claim = {"fits": "to fit", "entailed": "to be entailed by"}[kind]
    return Diagnostic(
        code="E56", span=span,
        message=f"{pair}: claimed {claim} {_readings(claimed)}, derived {_readings(derived)}", notes=tuple(story),
    )  # fmt: skip


def _readings(ids: Sequence[str]) -> str:
    return ", ".join(f"`{each}`" for each in ids) if ids else "no reading"


def unknown_claim(span: Span, reading: str, condition: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E56", span=span, message=f"`{condition}` never has a reading `{reading}`{did_you_mean(reading, known)}",
        help=f"its readings: {_named(known)}",
    )  # fmt: skip


def all_rejected(
    span: Span, name: str, task: str, reason: str, story: Sequence[str], help: str, drawn: int = 0
) -> Diagnostic:
    """``drawn``: how many instances were looked at, where these are not all; else 0."""
    every = f"each of the first {drawn:,} instances" if drawn else "every instance"
    return Diagnostic(code="E57", span=span, message=f"{every} of `{name}` is rejected for task {task}: {reason}", notes=tuple(story),
                      help=help)  # fmt: skip


def one_side_inconsistent(
    span: Span, condition: str, reading: str, sentence: str, theory: str, unproved: str = ""
) -> Diagnostic:
    """``unproved``: where no proof shows it, how the search for a model that makes the reading true ended."""
    if unproved:
        return Diagnostic(
            code="E21", span=span, message=f"the reading `{reading}` of `{condition}` is perhaps never true: no model of theory {theory} that makes it true {unproved}",
            notes=(f"sentence    {sentence}",), help="simplify the sentence: smaller numbers, fewer nested operators",
        )  # fmt: skip
    return Diagnostic(
        code="E21", span=span, message=f"the reading `{reading}` of `{condition}` is never true: no model of theory {theory} makes it true",
        notes=(f"sentence    {sentence}",), help="look for two parts of the sentence, or an axiom, that exclude each other",
    )  # fmt: skip


def _named(readings: Sequence[str]) -> str:
    """Ids of readings, with the one that has none."""
    return listed([f"`{each}`" if each else "the one without a name" for each in readings])


def no_paraphrase(
    span: Span, condition: str, sentence: str, said: Sequence[str], readings: Sequence[str], surface: str
) -> Diagnostic:
    """``surface``: the surface reading of the sentence itself."""
    wanted = "the surface reading" if condition == "as_surface" else "the reading that is not the surface one"
    meant = [each for each in readings if (each == surface) == (condition == "as_surface")]
    return Diagnostic(
        code="E56", span=span, message=f"`{condition}` does not say {wanted} and nothing else",
        notes=(f"sentence    {sentence}", f"its own readings        {_named(said)}", f"to be said              {_named(meant or readings)}"),
        help="a paraphrase has one reading, true where the reading that it says is true and nowhere else; `gramprobe explain` has its formula. "
        "The surface reading has the operators in the order of their words: one without any, `lin c`, stands first, or where the words are that it asks for, `lin c[mode=modal]`",
    )  # fmt: skip


def no_account(span: Span, code: str, condition: str, sentence: str, why: str) -> Diagnostic:
    return Diagnostic(
        code=code, span=span, message=f"the readings of `{condition}` cannot be decided: {why}", notes=(f"sentence    {sentence}",),
        help="simplify the sentence: smaller numbers, fewer alternatives, no update that leaves an agent believing everything",
    )  # fmt: skip


def readings_on_trust(span: Span, condition: str, reading: str, with_: str, sentence: str, kind: str) -> Diagnostic:
    what = f"the reading {reading} of " if reading else ""
    return Diagnostic(
        code="E45", span=span, message=f"the relation of {what}`{condition}` to `{with_}` is not certain: {kind}",
        notes=(f"sentence    {sentence}",),
        help="ask an outside prover with --oracle NAME, ship it marked with --allow-bounded, or simplify: smaller numbers, fewer nested operators",
    )  # fmt: skip
