"""Stories as premises: `[E1] [E2] true` tells what happened, and a hypothesis beside it is said where it leaves off.

By itself such a formula would be no premise at all: it is true before anything has happened. As a premise it commits
to the story having happened, and what follows it is about the situation after that (a text updates the context that
the next sentence is said in: Stalnaker 1978; of events: van Benthem, van Eijck & Kooi 2006):

    premise [E1] [E2] true, hypothesis H      is decided as      ~[E1] [E2] false   and   [E1] [E2] H

that is, in the models in which each event could happen when it did, H is asked of the model after the last one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from gramprobe.formula import ast
from gramprobe.formula.ast import FALSE, TRUE, Formula
from gramprobe.formula.notation import FormulaError, parse


def tells(premise: Formula | None) -> bool:
    """Whether a premise is a story: one or more updates, and nothing said of the situation after them.

    A story below `exh` is the story: nothing in it is asserted that could be strengthened.
    """
    found = _story(premise)
    while isinstance(found, (ast.Announced, ast.EventUpdate)):
        found = found.body
        if found == TRUE:
            return True
    return False


def said_after(premise: Formula, hypothesis: Formula) -> tuple[Formula, Formula]:
    """The pair as it is decided; the pair itself where the premise is no story."""
    if not tells(premise):
        return premise, hypothesis
    story = _story(premise)
    assert story is not None
    asked = isinstance(hypothesis, ast.Question)
    after = _ending(story, hypothesis.body if isinstance(hypothesis, ast.Question) else hypothesis)
    return ast.Not(_ending(story, FALSE)), ast.Question(after) if asked else after


def steps(premise: Formula, hypothesis: Formula) -> tuple[Formula, ...]:
    """The updates of a story as they stand in front of a hypothesis, the first (and largest) first."""
    found: list[Formula] = []
    if tells(premise):
        story, rest = _story(premise), said_after(premise, hypothesis)[1]
        rest = rest.body if isinstance(rest, ast.Question) else rest
        while story != TRUE:
            assert isinstance(story, (ast.Announced, ast.EventUpdate))
            assert isinstance(rest, (ast.Announced, ast.EventUpdate))
            found.append(rest)
            story, rest = story.body, rest.body
    return tuple(found)


def updates_of(premise: Formula) -> tuple[Formula, ...]:
    """The updates of a story in their order, each with `true` behind it."""
    found: list[Formula] = []
    story = _story(premise) if tells(premise) else None
    while isinstance(story, (ast.Announced, ast.EventUpdate)):
        found.append(replace(story, body=TRUE))
        story = story.body
    return tuple(found)


def begun(premise: Formula) -> Iterator[Formula]:
    """A story as far as it has been told: its first update, the first two, and so on to the whole."""
    told = updates_of(premise)
    for number in range(1, len(told) + 1):
        story: Formula = TRUE
        for update in reversed(told[:number]):
            story = _ending(update, story)
        yield story


def _story(premise: Formula | None) -> Formula | None:
    while isinstance(premise, ast.Exhaustified):
        premise = premise.body
    return premise


def _ending(story: Formula, ending: Formula) -> Formula:
    """The story with something said where it leaves off."""
    if isinstance(story, (ast.Announced, ast.EventUpdate)):
        return replace(story, body=_ending(story.body, ending))
    return ending


SETTLED = frozenset({"hypothesis valid", "hypothesis impossible"})
"""Findings of a certificate that a story brings about: after it a hypothesis may well be settled."""


@lru_cache(maxsize=4096)
def settled_by_story(premise: str, findings: tuple[str, ...]) -> bool:
    """Whether a premise (its formula as text) is a story that may well settle a hypothesis, as the findings say."""
    if not SETTLED.issuperset(findings):
        return False
    try:
        return tells(parse(premise))
    except (FormulaError, RecursionError):
        return False
