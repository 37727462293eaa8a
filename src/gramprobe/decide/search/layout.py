"""The atoms and relations that vary between the models of a space: those that the value of a formula may depend on.

Formulas are walked once with worlds and individuals in place of variables. Other atoms and relations do not vary: they
could change no value. The size of the space follows, before a single model is enumerated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from gramprobe.decide.search.planes import Fact, Seer
from gramprobe.decide.search.relations import Relation, TooLarge, joint, related
from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula
from gramprobe.formula.measure import Nodes
from gramprobe.formula.theory import TheorySlice


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The dimensions of a space of pointed models, and its size.

    Attributes:
        worlds: How many worlds every model has.
        domains: The members of each sort.
        constants: The names.
        predicates: (name, arity).
        naming: The ways in which the names may denote, as individuals in the order of `constants`; a single way if
            different names denote different individuals: the first ones, in order.
        seers: For each independent group of relations, the (operator, agent) of each.
        choices: For each group the tuples of relations that it may be.
        facts: The atoms that may be true or false.
    """

    worlds: int
    domains: dict[str, range]
    constants: tuple[str, ...]
    predicates: tuple[tuple[str, int], ...]
    naming: tuple[tuple[int, ...], ...]
    seers: tuple[tuple[Seer, ...], ...]
    choices: tuple[tuple[tuple[Relation, ...], ...], ...]
    facts: tuple[Fact, ...]

    @property
    def size(self) -> int:
        """How many pointed models there are; the actual world is world 0."""
        size = len(self.naming) << len(self.facts)
        for choices in self.choices:
            size *= len(choices)
        return size


def layout_of(
    theory: TheorySlice,
    formulas: Sequence[Formula],
    worlds: int,
    individuals: int,
    occasions: int = 0,
    nodes: Nodes | None = None,
    limit: int | None = None,
) -> Layout:
    """The layout of the models of a theory's frames, of exactly this size, as far as formulas depend on them.

    Raises TooLarge for a frame class that is not enumerated, and, as soon as it is known, for more than `limit` models;
    ValueError for a node that must be compiled away first,
    an operator that is neither box nor diamond, more names than individuals, or a quantifier over an empty domain.
    """
    nodes = nodes or Nodes()
    mentioned = nodes.symbols((*formulas, *theory.postulates))
    if theory.distinct and len(mentioned.constants) > individuals:
        raise ValueError(f"{len(mentioned.constants)} names of different individuals, and {individuals} individuals")
    domains = {"individual": range(individuals), "occasion": range(individuals, individuals + occasions)}
    naming = _naming(len(mentioned.constants), individuals, theory.distinct)
    bearers = {name: sorted({way[at] for way in naming}) for at, name in enumerate(mentioned.constants)}
    walk = _Walk(worlds, domains, bearers, nodes, limit)
    for formula in formulas:
        walk.visit(formula, 0)
    for postulate in theory.postulates:
        for world in range(worlds):
            walk.visit(postulate, world)
    operators = {operator.name: operator for operator in theory.operators}
    if odd := [name for name, _ in walk.seers if operators[name].kind not in ("box", "diamond")]:
        raise ValueError(f"the operator {odd[0]} has no relation between worlds")
    seers: list[tuple[Seer, ...]] = []
    choices: list[tuple[tuple[Relation, ...], ...]] = []
    for agent in dict.fromkeys(agent for _, agent in walk.seers):
        for group in related([name for name, whose in walk.seers if whose == agent], operators):
            seers.append(tuple((name, agent) for name in group))
            choices.append(joint(group, operators, worlds))
    facts = tuple(walk.facts)
    return Layout(
        worlds=worlds,
        domains=domains,
        constants=mentioned.constants,
        predicates=mentioned.predicates,
        naming=naming,
        seers=tuple(seers),
        choices=tuple(choices),
        facts=facts,
    )


def _naming(names: int, individuals: int, distinct: bool) -> tuple[tuple[int, ...], ...]:
    """The ways in which names may denote, up to a permutation of the individuals: each name denotes an individual that
    an earlier name denotes, or the next one."""
    if distinct:
        return (tuple(range(names)),)
    ways: list[tuple[int, ...]] = [()]
    for _ in range(names):
        ways = [(*way, who) for way in ways for who in range(min(individuals, max(way, default=-1) + 2))]
        if len(ways) > 1 << 12:
            raise TooLarge(f"{names} names that need not differ")
    return tuple(ways)


class _Walk:
    """Collects the atoms and relations that formulas depend on, in the order in which they occur."""

    def __init__(
        self,
        worlds: int,
        domains: dict[str, range],
        bearers: dict[str, list[int]],
        nodes: Nodes,
        limit: int | None,
    ) -> None:
        self.worlds, self.domains, self.bearers = worlds, domains, bearers
        self._most = None if limit is None else limit.bit_length() - 1
        self.facts: dict[Fact, None] = {}
        self.seers: dict[Seer, None] = {}
        self._bound: dict[str, int] = {}
        self._seen: set[tuple[Any, ...]] = set()
        self._nodes = nodes

    def visit(self, formula: Formula, world: int) -> None:
        if isinstance(formula, ast.Atom):
            for members in product(*map(self._who, formula.args)):
                self.facts[formula.predicate, world, members] = None
            if self._most is not None and len(self.facts) > self._most:
                raise TooLarge(f"more than {self._most} facts that vary")
            return
        key = (id(formula), world, *[self._bound[name] for name in self._nodes.of(formula)[0]])
        if key in self._seen:
            return
        self._seen.add(key)
        if isinstance(formula, ast.BINARY):
            self.visit(formula.left, world)
            self.visit(formula.right, world)
        elif isinstance(formula, ast.Modal):
            for whose in [None] if formula.agent is None else self._who(formula.agent):
                self.seers[formula.operator, whose] = None
            for other in range(self.worlds):
                self.visit(formula.body, other)
        elif isinstance(formula, ast.Quantified):
            self._quantified(formula, world)
        elif isinstance(formula, ast.Here):
            self.visit(formula.body, 0)
        else:
            ast.only_extensional(formula, "layout")
            for part in ast.children(formula):
                self.visit(part, world)

    def _quantified(self, formula: ast.Quantified, world: int) -> None:
        domain, outer = self.domains[formula.sort], self._bound.get(formula.variable)
        if not domain:
            raise ValueError(f"a quantifier over {formula.sort}s, and there are none")
        for who in domain:
            self._bound[formula.variable] = who
            self.visit(formula.restrictor, world)
            self.visit(formula.scope, world)
        if outer is None:
            self._bound.pop(formula.variable, None)
        else:
            self._bound[formula.variable] = outer

    def _who(self, term: Argument) -> list[int]:
        if isinstance(term, ast.Var):
            return [self._bound[term.name]]
        assert isinstance(term, ast.Const)
        return self.bearers[term.name]
