"""A premise with a letter or an operator that occurs nowhere else says beside a hypothesis what the rest of it says.

    P -> q       true if P is false, or P and q are true; the letter q may have either value
    poss P       over a reflexive relation: each world sees itself, and may see no other

So the values that such a premise and a hypothesis can have together follow from those of P and the hypothesis, but for
one case: poss P is true and P is not. Another world has to be seen, and a model may be two models of P side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, cast

import msgspec

from gramprobe.certify.model import Model
from gramprobe.decide.verdict import displayed
from gramprobe.formula.canonical import Renaming, canonical
from gramprobe.formula.encoding import Json, formula_from, theory_from_json
from gramprobe.formula.theory import CELLS, CONNECTIVES, VALUES, Connective, Projection

_DENIED = str.maketrans("TF", "FT")

Values: TypeAlias = Mapping[str, str]
"""For each value of a premise some values of its part, as letters."""


@dataclass(frozen=True)
class Pair:
    """A premise and a hypothesis, as JSON data, in a theory, no two symbols of one name (as in the text of a shape)."""

    theory: Mapping[str, Any]
    premise: Json
    hypothesis: Json

    @cached_property
    def text(self) -> str:
        """All of it as one text."""
        return msgspec.json.encode((self.theory, self.premise, self.hypothesis)).decode()


@dataclass(frozen=True)
class Part:
    """A part of a premise beside the hypothesis of the whole.

    Attributes:
        pair: The part, which is no negation, and the hypothesis, in the names of their own shape.
        renaming: From the names of the whole to those of the pair.
        sufficient: The values of the part with any of which the whole can have a value.
        necessary: The values of which the part has one, where the whole has a value.
        operator: The operator around the part, if it is one.
    """

    pair: Pair
    renaming: Renaming
    sufficient: Values
    necessary: Values
    operator: str | None

    def own(self, model: Model) -> Model:
        """A model of the pair in the names of the whole; the letter or operator beside the part has no value in it."""
        return displayed(model, self.renaming)

    def seeing(self, model: Model, other: Model) -> Model | None:
        """A candidate for a model of the whole: the actual world of one model of the pair sees itself and that of the
        other; individuals of one model alone have no property in the other. None if names denote differently, or if
        there are occasions or sets of worlds."""
        one, two = self.own(model), self.own(other)
        if one.constants != two.constants or one.predicates.keys() != two.predicates.keys():
            return None
        if self.operator is None or any((one.occasions, two.occasions, one.neighbourhoods, two.neighbourhoods)):
            return None
        worlds = one.worlds + two.worlds
        itself = frozenset((world, world) for world in range(worlds))
        relations = {self.operator: itself | {(one.actual, one.worlds + two.actual)}}
        for key in one.relations.keys() | two.relations.keys():
            moved = {(one.worlds + w, one.worlds + v) for w, v in two.relations.get(key, ())}
            relations[key] = one.relations.get(key, frozenset()) | moved
        return replace(
            one,
            worlds=worlds,
            individuals=max(one.individuals, two.individuals),
            predicates={name: each + two.predicates[name] for name, each in one.predicates.items()},
            relations=relations,
        )


def part_of(pair: Pair) -> Part | None:
    """The part of a premise from whose values those of the whole follow; None if there is none. The premise is no
    negation. Raises ValueError for a formula without a truth value."""
    head = pair.premise[0]
    found = _beside_letter(pair) if head in CONNECTIVES else _under_operator(pair) if head == "modal" else None
    if found is None:
        return None
    premise, sufficient, necessary = found
    while premise[0] == "not":
        premise = premise[1]
        sufficient, necessary = (
            {value: values.translate(_DENIED) for value, values in each.items()} for each in (sufficient, necessary)
        )
    theory = theory_from_json(pair.theory)
    text, renaming = canonical(formula_from(premise), formula_from(pair.hypothesis), theory)
    operator = pair.premise[1] if head == "modal" else None
    return Part(Pair(**msgspec.json.decode(text)), renaming, sufficient, necessary, operator)


def _beside_letter(pair: Pair) -> tuple[Json, Values, Values] | None:
    """One side of a connective whose other side is a letter or its denial."""
    connective, *sides = pair.premise
    table = dict(zip(CELLS, Projection.of(pair.theory["projection"]).table(cast(Connective, connective)), strict=True))
    for at, letter in enumerate(sides):
        while letter[0] == "not":
            letter = letter[1]
        if letter[0] == "atom" and len(letter) == 2 and _times(letter[1], pair) == 1:
            cells = {each: {table[each + it if at else it + each] for it in "TF"} for each in VALUES}
            values = {value: "".join(each for each in VALUES if value in cells[each]) for value in VALUES}
            return sides[1 - at], values, values
    return None


def _under_operator(pair: Pair) -> tuple[Json, Values, Values] | None:
    """What stands under an operator without agent and over a reflexive relation."""
    _, name, agent, part = pair.premise
    ((_, kind, conditions, *related),) = (each for each in pair.theory["operators"] if each[0] == name)
    if agent is not None or kind not in ("box", "diamond") or "reflexive" not in conditions or any(related):
        return None
    if _times(name, pair) > 2:  # once in the theory
        return None
    partly = "TF" if Projection.of(pair.theory["projection"]).modals == "every" else VALUES
    itself = {value: value for value in VALUES}
    return part, itself, {**itself, "U": VALUES, "T" if kind == "diamond" else "F": partly}


def _times(name: str, pair: Pair) -> int:
    """How often a symbol occurs."""
    return pair.text.count(f'"{name}"')
