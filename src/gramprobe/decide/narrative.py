"""Stories as premises: `[E1] [E2] true` reports events, and a hypothesis beside it is evaluated after the last of them.

By itself such a formula would be trivial: it is true before any of its events. As a premise it commits to its events
having happened, and the hypothesis is about the situation after them (a text updates the context in which the next
sentence is evaluated: Stalnaker 1978; for events: van Benthem, van Eijck & Kooi 2006):

    premise [E1] [E2] true, hypothesis H      is decided as      ~[E1] [E2] false   and   [E1] [E2] H

that is, in the models in which each event could happen in its turn, H is evaluated in the final model.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import FALSE, TRUE, Formula
from gramprobe.formula.notation import FormulaError, parse
from gramprobe.formula.updates import has_updates


def is_story(premise: Formula | None) -> bool:
    """Whether a premise is a story: one or more updates, with `true` after the last of them.

    A story below `exh` is the same story: it asserts nothing that could be strengthened.
    """
    rest = _story(premise)
    while isinstance(rest, (ast.Announced, ast.EventUpdate)):
        rest = rest.body
        if rest == TRUE:
            return True
    return False


def after_story(premise: Formula, hypothesis: Formula) -> tuple[Formula, Formula]:
    """The pair as it is decided; the same pair if the premise is not a story."""
    if not is_story(premise):
        return premise, hypothesis
    story = _story(premise)
    assert story is not None
    asked = isinstance(hypothesis, ast.Interrogative)
    after = _ending(story, hypothesis.body if isinstance(hypothesis, ast.Interrogative) else hypothesis)
    return ast.Not(_ending(story, FALSE)), ast.Interrogative(after) if asked else after


def steps(premise: Formula, hypothesis: Formula) -> tuple[Formula, ...]:
    """The updates of a story as they stand in front of a hypothesis, the first (and largest) first."""
    updates: list[Formula] = []
    if is_story(premise):
        story, rest = _story(premise), after_story(premise, hypothesis)[1]
        rest = rest.body if isinstance(rest, ast.Interrogative) else rest
        while story != TRUE:
            assert isinstance(story, (ast.Announced, ast.EventUpdate))
            assert isinstance(rest, (ast.Announced, ast.EventUpdate))
            updates.append(rest)
            story, rest = story.body, rest.body
    return tuple(updates)


def updates_of(premise: Formula) -> tuple[Formula, ...]:
    """The updates of a story in their order, each with `true` behind it."""
    updates: list[Formula] = []
    story = _story(premise) if is_story(premise) else None
    while isinstance(story, (ast.Announced, ast.EventUpdate)):
        updates.append(replace(story, body=TRUE))
        story = story.body
    return tuple(updates)


def beginnings(premise: Formula) -> Iterator[Formula]:
    """The beginnings of a story: its first update, the first two, and so on to the whole."""
    updates = updates_of(premise)
    for number in range(1, len(updates) + 1):
        story: Formula = TRUE
        for update in reversed(updates[:number]):
            story = _ending(update, story)
        yield story


def _story(premise: Formula | None) -> Formula | None:
    while isinstance(premise, ast.Exhaustified):
        premise = premise.body
    return premise


def _ending(story: Formula, ending: Formula) -> Formula:
    """The story with a formula after its last update."""
    if isinstance(story, (ast.Announced, ast.EventUpdate)):
        return replace(story, body=_ending(story.body, ending))
    return ending


def lost_story(formula: Formula, is_premise: bool) -> Formula | None:
    """The first update that is followed by `true` though the formula is not a story; None if there is no such update.

    Such an update has no effect: the formula is about the situation before it, which is hardly what its author means.
    Only a premise that is a story as a whole is read as a story (:func:`is_story`).
    """
    lost = _followed_by_true(formula)
    return None if lost is None or (is_premise and is_story(formula)) else lost


@lru_cache(maxsize=4096)  # a sentence stands in several pairs, each in several theories
def _followed_by_true(formula: Formula) -> Formula | None:
    if not has_updates(formula):
        return None
    updates = (part for part in ast.walk(formula) if isinstance(part, ast.Announced | ast.EventUpdate))
    return next((update for update in updates if update.body == TRUE), None)


SETTLED = frozenset({"hypothesis valid", "hypothesis impossible"})
"""Findings of a certificate that are no errors after a story, which may rightly make the hypothesis true or false."""


@lru_cache(maxsize=4096)
def settled_by_story(premise: str, findings: tuple[str, ...]) -> bool:
    """Whether the findings are no errors, because the premise (its formula as text) is a story."""
    if not SETTLED.issuperset(findings):
        return False
    try:
        return is_story(parse(premise))
    except (FormulaError, RecursionError):
        return False
