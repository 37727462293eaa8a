"""Messages about datasets that are refused."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from gramprobe.source.diagnostic import Diagnostic, Span, UsageError
from gramprobe.source.nearest import did_you_mean, listed


def gate(span: Span, name: str, reason: str, examples: Sequence[str], help: str) -> Diagnostic:
    return Diagnostic(code="E34", span=span, message=f"gate `{name}`: {reason}", notes=tuple(examples), help=help)


def solved(
    span: Span,
    reader: str,
    about: str,
    reached: float,
    low: float,
    limit: float,
    design: float | None,
    of: str = "labels",
) -> Diagnostic:
    """``design``: what the conditions alone give, where that is the limit; ``of``: of what it gets some right."""
    than = f"the conditions alone give ({limit:.3f})" if design is not None else f"the declared {limit:.3f}"
    words = f": words add to it, so that a number is wanted, `solvable by {reader} {_upwards(reached):.2f} because`"
    return Diagnostic(
        code="E90",
        span=span,
        message=f"{about} gets {reached:.3f} of the {of} right, which is more than {than}",
        notes=(f"cross-validated by instance; the lower end of its 95 % interval is {low:.3f}",),
        help="vary what gives the label away, or declare what is reached, with the reason"
        + words * (design is not None),
    )


def solvable_pairs(span: Span, name: str, readers: Sequence[tuple[str, str, float, bool]]) -> Diagnostic:
    """Arguments as for `solvable`."""
    notes = [f"{about}: {reached:.3f}" for _, about, reached, _ in readers]
    lines = [f'solvable by {reader} {_upwards(reached):.2f} because "..."' for reader, _, reached, _ in readers]
    return Diagnostic(
        code="E90",
        span=span,
        message=f"the good sentences of `{name}` can be found without grammar, more often than in half of the pairs",
        notes=tuple(notes),
        help="cross the sentences (every word in good and bad ones), or say why the design has it so:"
        + "".join(f"\n    {line}" for line in lines),
        severity="warning",
    )


def solvable(
    span: Span, name: str, majority: float, readers: Sequence[tuple[str, str, float, bool]], balanced: bool
) -> Diagnostic:
    """``readers``: the name of each, the reader in words, what it reaches, and whether the conditions alone give that;
    ``balanced``: whether the paradigm has `balance` lines."""
    notes = [f"{about}: {reached:.3f}" for _, about, reached, _ in readers]
    lines = [
        f'solvable by {reader}{"" if design else f" {_upwards(reached):.2f}"} because "..."'
        for reader, _, reached, design in readers
    ]
    vary = (
        "vary what gives the label away"
        if balanced
        else "give each hypothesis another label behind another premise (`balance` does)"
    )
    return Diagnostic(
        code="E90",
        span=span,
        message=f"labels of `{name}` can be guessed without reasoning: always the commonest gives {majority:.3f}",
        notes=tuple(notes),
        help=f"{vary}, or say why the design has it so:" + "".join(f"\n    {line}" for line in lines),
        severity="warning",
    )


def _upwards(accuracy: float) -> float:
    """An accuracy as it is declared: in hundredths, and not below it."""
    return min(ceil(accuracy * 100 + 0.5) / 100, 1.0)


def bad_veto_header(span: Span, header: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E18", span=span, message=f"a veto list has the columns `instance` and `reason`, not {listed(header)}",
        help="its first line is `instance` and `reason` with a tab between",
    )  # fmt: skip


def bad_preferences_header(span: Span, header: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E18", span=span, message=f"a file of preferences has the columns `sentence` and `reading`, not {listed(header)}",
        help="its first line names the columns, with commas between",
    )  # fmt: skip


def unknown_preference(span: Span, reading: str, known: Sequence[str], sentence: str) -> Diagnostic:
    return Diagnostic(
        code="E56", span=span, message=f"the preferred reading `{reading}` is not a reading of this sentence{did_you_mean(reading, known)}",
        notes=(f"sentence    {sentence}",), help=f"its readings: {listed(known)}",
    )  # fmt: skip


def on_trust(
    span: Span, pair: tuple[str, str], sentences: Sequence[str], reading: str, kind: str, searched: str
) -> Diagnostic:
    which = f" of the reading {reading}" if reading else ""
    return Diagnostic(
        code="E45", span=span, message=f"the label{which} of {pair[0]} => {pair[1]} is not certain: {kind}",
        notes=(f"premise     {sentences[0]}", f"hypothesis  {sentences[1]}", searched),
        help="ask an outside prover with --oracle NAME, ship it marked with --allow-bounded, or simplify: smaller numbers, fewer nested operators",
    )  # fmt: skip


def contradicting_duplicates(span: Span, other: str, count: int, pair: str, was: str, now: str) -> Diagnostic:
    return Diagnostic(
        code="E34",
        span=span,
        message=f"gate `duplicates`: {count:,} {'pair stands' if count == 1 else 'pairs stand'} in `{other}`, too, with another label",
        notes=(f"{pair}: {was} there, {now} here",),
        help="one dataset may not label a pair in two ways: give the paradigms one theory, or build them apart",
    )


def unknown_veto(span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        code="E38",
        span=span,
        message=f"`{instance}` in this veto list is not an instance of the paradigm",
        help="take the row out; ids of instances are in the column `instance`",
    )


def no_such_export(form: str, dataset: str, tasks: Sequence[str], others: Sequence[str]) -> UsageError:
    """``tasks``: those of the dataset's paradigms; ``others``: the formats that fit some of them."""
    whose = f"of the task{'s' if len(tasks) > 1 else ''} {listed(tasks)}"
    return UsageError(
        f"the format `{form}` has no place for the rows of any paradigm of `{dataset}` ({whose})",
        f"formats that have: {listed(others)}",
        "E29",
    )


def changed_export(file: str, record: str) -> UsageError:
    return UsageError(
        f"`{file}` was changed since it was exported: its SHA-256 is not that of {record}",
        f"export the dataset again; what you have made of it yourself belongs in a folder without {record}",
        "E44",
    )


def no_label_by_theory(name: str, help: str) -> UsageError:
    return UsageError(f"no label of `{name}` is derived, so that no theory is asked", help)
