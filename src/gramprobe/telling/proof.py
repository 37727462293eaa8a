"""A short proof of a label: statements one after the other, each of which follows from those that it names.

The proof is searched for its own sake; it is not the certificate's. Statements are taken apart by the rules below, at
most :data:`MOST_STEPS` of them, until those that are needed decide the hypothesis; a disjunction makes cases.

    conjunction       both parts                       `F / G`           F as presupposed, G
    ~(F | G)          ~F, ~G                           ~(F -> G)         F, ~G
    F -> G, F         G (and ~F from ~G)               F | G, ~F         G
    whatever stands in F    what F presupposes: of `the x. (R, S)` that there is such an x, exactly one
    F                 the hypothesis, by the principles of the theory that this step needs

Each step is decided like a label, in the theory and with its axioms: its proof has passed the kernel (`decide`), and
what does not follow so is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from msgspec import structs

from gramprobe.decide.verdict import Decision, doubt
from gramprobe.formula import ast
from gramprobe.formula.ast import TRUE, Formula
from gramprobe.formula.binding import free_variables

MOST_STEPS = 12
"""The largest number of statements in a proof."""
MOST_LINES = 40
"""So many statements are derived at most before the hypothesis is looked for among what follows from them."""
MOST_TRIES = 60
"""So many ways to reach the hypothesis are tried."""

Follows = Callable[[Sequence[Formula], Formula], "Decision | None"]
"""The decision that a statement follows from others, proved; None if it does not, or nobody knows."""


@dataclass(frozen=True, slots=True)
class Step:
    """A statement of a proof.

    Attributes:
        formula: the statement.
        sources: the numbers of the statements (from 0) that it follows from; none of what is supposed.
        rule: `premise`, `presupposed`, `part`, `follows`, or `case`: what is supposed in a case.
        principles: what it needs of the theory.
    """

    formula: Formula
    sources: tuple[int, ...]
    rule: str
    principles: tuple[str, ...] = ()


def proof(premise: Formula, goal: Formula, follows: Follows, told: Callable[[Decision], tuple[str, ...]]) -> list[Step]:
    """A proof of the goal from the premise; empty if none of at most :data:`MOST_STEPS` was found.

    ``told``: the principles that a decision rests on, as texts.
    """
    lines = _derived(premise, follows)
    formulas = [line.formula for line in lines]
    if goal in formulas:
        return needed([*lines], formulas.index(goal))
    for n, line in enumerate(formulas):
        if isinstance(line, ast.Or):
            cases = [follows([part], goal) for part in (line.left, line.right)]
            if all(cases):
                split = [*lines]
                for part, found in zip((line.left, line.right), cases, strict=True):
                    assert found is not None
                    split += [Step(part, (n,), "case"), Step(goal, (len(split),), "follows", told(found))]
                split.append(Step(goal, (len(split) - 3, len(split) - 1), "follows"))
                whole = needed(split, len(split) - 1)
                return whole if len(whole) <= MOST_STEPS else []
    order = sorted(range(len(lines)), key=lambda n: (lines[n].rule == "premise", _size(formulas[n])))
    tries = [(n,) for n in order] + list(combinations(order, 2))
    for chosen in tries[:MOST_TRIES]:
        if found := follows([formulas[n] for n in chosen], goal):
            last = Step(goal, tuple(sorted(chosen)), "follows", told(found))
            whole = needed([*lines, last], len(lines))
            return whole if len(whole) <= MOST_STEPS else []
    return []


def _derived(premise: Formula, follows: Follows) -> list[Step]:
    """The statements into which the premise can be taken apart, each after those that it follows from."""
    lines = [Step(premise, (), "premise")]
    known = {premise}
    at = 0
    while at < len(lines) and len(lines) < MOST_LINES:
        for rule, formula, sources in _proposed(lines, at):
            if formula in known or len(lines) == MOST_LINES:
                continue
            known.add(formula)
            if follows([lines[n].formula for n in sources], formula):
                lines.append(Step(formula, sources, rule))
        at += 1
    return lines


def _proposed(lines: Sequence[Step], at: int) -> Iterator[tuple[str, Formula, tuple[int, ...]]]:
    """What may follow from a statement, alone or with those before it."""
    formula = lines[at].formula
    match formula:
        case ast.And(left, right):
            yield from (("part", each, (at,)) for each in (left, right))
        case ast.Presupposing(first, second):
            yield from (("presupposed", first, (at,)), ("part", second, (at,)))
        case ast.Not(ast.Or(left, right)):
            yield from (("part", _negated(each), (at,)) for each in (left, right))
        case ast.Not(ast.Implies(left, right)):
            yield from (("part", left, (at,)), ("part", _negated(right), (at,)))
        case ast.Not(ast.Presupposing(_, second)):
            yield "part", _negated(second), (at,)
        case ast.Iff(left, right):
            yield from (("part", ast.Implies(left, right), (at,)), ("part", ast.Implies(right, left), (at,)))
    for each in _presuppositions(formula):
        yield "presupposed", each, (at,)
    for other in range(at):
        for one, two in ((at, other), (other, at)):
            match lines[one].formula:
                case ast.Implies(left, right):
                    yield from (("part", right, (one, two)),) if lines[two].formula == left else ()
                    yield from (("part", _negated(left), (one, two)),) if lines[two].formula == _negated(right) else ()
                case ast.Or(left, right):
                    for kept, dropped in ((left, right), (right, left)):
                        if lines[two].formula == _negated(dropped):
                            yield "part", kept, (one, two)


def _presuppositions(formula: Formula) -> Iterator[Formula]:
    """What the parts of a statement presuppose, where that is about nothing that stands around them."""
    for part in ast.walk(formula):
        if isinstance(part, ast.Presupposing) and not free_variables(part.presupposition):
            yield part.presupposition
        if isinstance(part, ast.Quantified) and part.quantifier == "the" and not free_variables(part):
            there = structs.replace(part, quantifier="exists", scope=TRUE)
            yield there
            yield structs.replace(there, quantifier="exactly", count=1)


def _size(formula: Formula) -> int:
    return sum(1 for _ in ast.walk(formula))


def _negated(formula: Formula) -> Formula:
    return formula.body if isinstance(formula, ast.Not) else ast.Not(formula)


def needed(lines: list[Step], last: int) -> list[Step]:
    """The statements that the last one needs, numbered anew."""
    wanted, todo = {last}, [last]
    while todo:
        sources = lines[todo.pop()].sources
        todo += [n for n in sources if n not in wanted]
        wanted.update(sources)
    number = {old: new for new, old in enumerate(sorted(wanted))}
    return [replace(lines[old], sources=tuple(number[n] for n in lines[old].sources)) for old in number]


def is_proved(decision: Decision) -> bool:
    """Whether a statement follows, by a proof and not on trust."""
    return decision.verdict.label == "entailment" and not doubt(decision.verdict)
