"""Which of two readings is the stronger, and which reading an option picks.

One reading is stronger than another if it entails it, and not the other way round, where every restrictor of the
sentence has two members at least (2n-1 for a numeral n: so many that n of them are more than half). An option that is
possible with the stronger reading is possible with the weaker one, too. Therefore an option *picks* a reading if it is
possible with it and with no other, where the weaker of two readings is taken without the stronger: a speaker who means
it does not mean the stronger one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from gramprobe.formula import ast
from gramprobe.formula.ast import And, Formula, Implies, Or, Presupposing, Quantified, Truth, Var
from gramprobe.formula.binding import free_variables, substituted

VARIABLE = "x"
"""The variable of the conjuncts of :func:`many`."""


def many(readings: Sequence[Formula]) -> Formula | None:
    """That every restrictor of these readings of a sentence has members enough; None where there is none.

    Restrictors with a variable of another quantifier do not count, nor does what is unique (`the`), nor a quantifier
    that only says how many there are (`atleast 2 x. (book(x), true)`).
    """
    enough: dict[tuple[str, Formula], int] = {}
    for reading in readings:
        for part in ast.walk(reading):
            if not isinstance(part, Quantified) or part.quantifier == "the" or isinstance(part.scope, Truth):
                continue
            if set(free_variables(part.restrictor)) - {part.variable}:
                continue
            restrictor = substituted(part.restrictor, {part.variable: Var(VARIABLE)})
            wanted = 2 * part.count - 1 if isinstance(part.count, int) else 2
            key = str(part.sort), restrictor
            enough[key] = max(enough.get(key, 2), wanted)
    conjuncts: list[Formula] = [
        Quantified(quantifier="atleast", variable=VARIABLE, restrictor=r, scope=Truth(True), count=n, sort=sort)  # type: ignore[arg-type]
        for (sort, r), n in enough.items()
    ]
    return reduce(And, conjuncts) if conjuncts else None


def given_many(readings: Sequence[Formula], other: Formula) -> Formula:
    """``other``, where every restrictor of the readings has members enough."""
    enough = many(readings)
    return other if enough is None else Implies(enough, other)


def strictly(entails: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Of the pairs of readings of which the first entails the second, those of which the second does not entail the
    first."""
    known = set(entails)
    return tuple((one, other) for one, other in sorted(known) if (other, one) not in known)


def strongest(ids: Sequence[str], stronger: Sequence[tuple[str, str]]) -> str:
    """The reading that is stronger than every other; empty where there is none."""
    return next((i for i in ids if len(ids) > 1 and all(i == j or (i, j) in stronger for j in ids)), "")


def picked(fits: Sequence[str], stronger: Sequence[tuple[str, str]], strengthened: Mapping[str, bool]) -> str:
    """The only reading that an option fits, with each weaker reading strengthened; empty where it is not one.

    ``strengthened``: for the readings that have a stronger one, whether the option fits what is left of them.
    """
    weaker = {other for _, other in stronger}
    left = [i for i in fits if i not in weaker or strengthened.get(i, False)]
    return left[0] if len(left) == 1 else ""


def inverse_access(surface: str, stronger: str, formulas: Mapping[str, Formula]) -> str:
    """Whether speakers are said to have the inverse one of two readings, by id: `free`, or `disputed` where it is the
    stronger one and no indefinite has wide scope in it; empty where there are not two, or none is the surface one.

    An indefinite (a numeral, a disjunction) takes scope over anything that stands before it (Fodor & Sag 1982;
    Reinhart 1997). Of other operators an inverse reading that entails the surface one is held to be out of reach
    (Mayr & Spector 2010; Beghelli & Stowell 1997 of universals above negation).
    """
    inverse = [formula for reading, formula in formulas.items() if reading != surface]
    if surface not in formulas or len(inverse) != 1:
        return ""
    widest = inverse[0]
    while isinstance(widest, Presupposing):
        widest = widest.assertion
    existential = isinstance(widest, Or) or (
        isinstance(widest, Quantified) and widest.quantifier in ("exists", "atleast")
    )
    return "free" if existential or stronger in ("", surface) else "disputed"
