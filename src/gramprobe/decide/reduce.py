"""Compiles strengthening, defined operators and updates away, before a pair gets its canonical text.

    stories        narrative.after_story       a premise `[E] true`: ~[E] false, and [E] before the hypothesis
    exh            exhaustify.strengthened     innocent exclusion, decided in the pair's theory
    definitions    formula.definitions         nec F  =  ~poss ~F
    updates        formula.updates             [! p] K[a] q  =  p -> K[a] (p -> q)

An update after which some agent may believe everything makes every label about that agent worthless: it is an
error, tested for each update (`formula.survival`) where the premise commits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec.structs import replace

from gramprobe.certify.model import Model
from gramprobe.decide.exhaustify import strengthened
from gramprobe.decide.narrative import after_story, beginnings, steps, updates_of
from gramprobe.decide.procedure import ask
from gramprobe.decide.question import Question, Value
from gramprobe.decide.verdict import Shape
from gramprobe.formula import ast, sorts
from gramprobe.formula.ast import Formula, walk
from gramprobe.formula.canonical import canonical
from gramprobe.formula.definitions import expand
from gramprobe.formula.notation import show
from gramprobe.formula.theory import Definition, EventModel, Operator, TheorySlice
from gramprobe.formula.updates import Irreducible, Language, TooLarge, dangers, has_updates, reduced

__all__ = ["BelievesAll", "Irreducible", "Side", "TooLarge", "needs_reduction", "reduce"]

Side: TypeAlias = Literal["premise", "hypothesis"]


class BelievesAll(ValueError):
    """After an update some agent may believe everything. `update` and `operator` in the notation of formulas."""

    def __init__(self, side: Side, update: str, operator: str) -> None:
        super().__init__(f"after `{update}` in the {side}, `{operator}` may hold of everything, even of `false`")
        self.side, self.update, self.operator = side, update, operator


def needs_reduction(formula: Formula, theory: TheorySlice) -> bool:
    """Whether `exh`, an update or a defined operator occurs."""
    defined = {definition.name for definition in theory.definitions}
    for node in walk(formula):
        stage = ast.signature(node, "needs_reduction").stage
        if stage is None:
            raise ast.NoRule("needs_reduction", type(node))
        if stage == "sentence" or (isinstance(node, ast.Modal) and node.operator in defined):
            return True
    return False


def reduce(premise: Formula, hypothesis: Formula, theory: TheorySlice) -> tuple[Formula, Formula, TheorySlice]:
    """The same pair, true, false and undefined in the same models, in formulas that engines read; and the slice
    without its definitions, scales and events.

    Raises BelievesAll, Irreducible or TooLarge (all of them ValueErrors), FormulaError if sorts clash.
    """
    before, after, *_ = sorts.resolve((*after_story(premise, hypothesis), *theory.postulates))
    bare = replace(theory, definitions=(), scales=(), events=())
    updating = has_updates(before) or has_updates(after)
    strong = [_without_exh(f, theory, updating) if ast.Exhaustified in ast.kinds(f) else f for f in (before, after)]
    plain = [_expanded(formula, theory.definitions) if theory.definitions else formula for formula in strong]
    if not updating:
        return plain[0], plain[1], bare
    language = _language(theory.operators, theory.events, theory.distinct)
    read = [_reduced(formula, theory.operators, theory.events, theory.distinct) for formula in plain]
    for side, formula in _sides(plain):
        for danger in dangers(formula, language):
            bad = _reduced(danger.formula, theory.operators, theory.events, theory.distinct)
            if _possible(canonical(read[0], bad, bare)[0]):
                of_story = {show(step) for step in steps(premise, hypothesis)}
                update = show(danger.update).removesuffix(show(danger.update.body)).strip()  # type: ignore[union-attr]
                operator = show(ast.Modal(danger.operator, danger.agent, ast.TRUE)).removesuffix("true").strip()
                raise BelievesAll("premise" if show(danger.update) in of_story else side, update, operator)
    return read[0], read[1], bare


# The same sentence occurs in many pairs: it is compiled once for all of them.


@lru_cache(maxsize=4096)
def _without_exh(formula: Formula, theory: TheorySlice, updating: bool) -> Formula:
    """`strengthened`; `updating`: whether updates are to be compiled away before alternatives are weighed."""

    def static(part: Formula) -> Formula:
        plain = _expanded(part, theory.definitions)
        return _reduced(plain, theory.operators, theory.events, theory.distinct) if updating else plain

    return strengthened(formula, replace(theory, definitions=(), events=()), static)


@lru_cache(maxsize=4096)
def _expanded(formula: Formula, definitions: tuple[Definition, ...]) -> Formula:
    return expand(formula, {definition.name: definition for definition in definitions})


@lru_cache(maxsize=4096)
def _reduced(
    formula: Formula, operators: tuple[Operator, ...], events: tuple[EventModel, ...], distinct: bool
) -> Formula:
    return reduced(formula, _language(operators, events, distinct))


@lru_cache(maxsize=64)
def _language(operators: tuple[Operator, ...], events: tuple[EventModel, ...], distinct: bool) -> Language:
    return Language({o.name: o for o in operators}, {e.name: e for e in events}, distinct)


def stops_at(premise: Formula, theory: TheorySlice) -> str:
    """The first update of a story that cannot happen in its turn, in the notation of formulas; else the empty text.

    Raises as `reduce`.
    """
    for story in beginnings(premise):
        before, after, bare = reduce(story, ast.TRUE, theory)
        if not _possible(canonical(before, after, bare)[0]):
            return show(updates_of(story)[-1]).removesuffix("true").strip()
    return ""


def _sides(plain: list[Formula]) -> Iterator[tuple[Side, Formula]]:
    sides: tuple[Side, ...] = ("premise", "hypothesis")
    for side, formula in zip(sides, plain, strict=True):
        if has_updates(formula):
            yield side, formula


@lru_cache(maxsize=4096)
def _possible(text: str) -> bool:
    """Whether premise and hypothesis of a canonical text can be true together (a question: defined)."""
    premise, hypothesis, theory = Shape.of(text).parts()
    committed: Value = "D" if isinstance(premise, ast.Interrogative) else "T"
    return isinstance(ask(Question(theory, ((premise, committed), (hypothesis, "T")))), Model)
