"""The text of a pair's shape: what is compiled away is, and names are exchanged for numbers."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from msgspec.structs import replace

from gramprobe.decide.reduce import reduce
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import rename
from gramprobe.formula.canonical import Renaming, canonical
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import Definition, EventModel, Operator, TheorySlice
from gramprobe.formula.updates import has_updates


def shape_text(premise: Formula, hypothesis: Formula, theory: TheorySlice) -> tuple[str, Renaming]:
    """The canonical text of a pair and the renaming that leads to it; `exh`, definitions and updates are compiled away.

    Raises ValueError for a formula without a truth value, and as `decide.reduce`.
    """
    if has_updates(premise) or has_updates(hypothesis):
        with suppress(ValueError):  # said of the pair's own words below
            return _by_skeleton(premise, hypothesis, theory)
    return canonical(*reduce(premise, hypothesis, theory))


def _by_skeleton(premise: Formula, hypothesis: Formula, theory: TheorySlice) -> tuple[str, Renaming]:
    """`canonical` after `reduce`, by way of the pair's skeleton: its words are numbered by first occurrence, except
    those that the theory itself names in operators, definitions, scales and events.

    Compiling updates away treats all other words alike (an injective renaming of the pair renames the result), so that
    stories which differ in names and things only are compiled once.
    """
    fixed = named_by(theory.operators, theory.definitions, theory.scales, theory.events)
    numbers: dict[str, str] = {}

    def bare(formula: Formula) -> Formula:
        own = [name for name in _words(formula) if name not in fixed]
        return rename(formula, {name: numbers.setdefault(name, f"w{len(numbers)}'") for name in own})

    skeleton = bare(premise), bare(hypothesis)
    text, renaming = _compiled(*skeleton, replace(theory, postulates=tuple(map(bare, theory.postulates))))
    words = {number: name for name, number in numbers.items()}
    return text, Renaming(
        {(words.get(name, name), arity): short for (name, arity), short in renaming.predicates.items()},
        {words.get(name, name): short for name, short in renaming.constants.items()},
        renaming.operators,
    )


@lru_cache(maxsize=4096)
def _compiled(premise: Formula, hypothesis: Formula, theory: TheorySlice) -> tuple[str, Renaming]:
    return canonical(*reduce(premise, hypothesis, theory))


@lru_cache(maxsize=4096)
def _words(formula: Formula) -> tuple[str, ...]:
    """The predicates and names of a formula, in reading order."""
    found = symbols(formula)
    agents = (agent.name for _, agent in found.operators if isinstance(agent, ast.Const))
    return tuple(dict.fromkeys((*(name for name, _ in found.predicates), *found.constants, *agents)))


@lru_cache(maxsize=64)
def named_by(
    operators: tuple[Operator, ...],
    definitions: tuple[Definition, ...],
    scales: tuple[tuple[str, ...], ...],
    events: tuple[EventModel, ...],
) -> frozenset[str]:
    """Every word that these parts of a theory name."""
    formulas = [*(each.formula for each in definitions), *(f for event in events for f in event.formulas())]
    named = [operator.name for operator in operators]
    agents = [agent for event in events for agent in event.agents()]
    return frozenset(
        [*named, *agents, *(w for scale in scales for w in scale), *(w for f in formulas for w in _words(f))]
    )
