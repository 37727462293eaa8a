"""The quantifier that a meaning is: behind its lambdas, and behind negations (*not every*)."""

from __future__ import annotations

from gramprobe.formula.ast import Argument, Lambda, Not, Quantified

PERSON = "person"
"""The symbol that is true of people, whom *everyone* is about."""


def behind_lambdas(meaning: Argument) -> Argument:
    """What stands behind the lambdas of a meaning."""
    while isinstance(meaning, Lambda):
        meaning = meaning.body
    return meaning


def quantifier_of(meaning: Argument) -> Quantified | None:
    """The quantifier behind the lambdas and the negations of a meaning; None if there is none."""
    body = behind_lambdas(meaning)
    while isinstance(body, Not):
        body = body.body
    return body if isinstance(body, Quantified) else None
