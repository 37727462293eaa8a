"""Herbrand instances: a problem as propositional clauses.

Boxes and universal quantifiers are instantiated with terms; diamonds and existential quantifiers are witnessed by
Skolem terms, up to a depth (`terms` has the individuals, `reach` the worlds). Formulas are read in negation normal
form, and a gate implies the formula that it stands for, in this direction only (Plaisted & Greenbaum 1986). All
clauses follow from the Skolemised problem: if they have no model, the problem has no model (Herbrand 1930). This
stays true when clauses are left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from gramprobe.certify.classical import Problem
from gramprobe.certify.clauses import FALSE, TRUE
from gramprobe.certify.nodes import Node, Nodes
from gramprobe.certify.reach import ACTUAL, Key, Reach
from gramprobe.certify.reject import Budget
from gramprobe.certify.terms import Environment, Term, Terms

__all__ = ["ACTUAL", "FALSE", "TRUE", "Environment", "Grounding", "Term"]


class Universal(NamedTuple):
    """A formula that is true of all terms of a universe if its gate is true; with a number n above one: that is false
    of fewer than n different terms.
    """

    gate: int
    node: Node
    sign: bool
    world: int
    env: Environment
    variable: str
    number: int


@dataclass(slots=True)
class Universe:
    """The terms that may stand at one class of places, and the formulas that are true of all of them."""

    terms: list[int]
    universal: list[Universal]


class Grounding(Terms):
    """The clauses of a problem at a depth, all made by the constructor; `inferred`: with sort inference.

    `cut`: a term was too deep; `loose`: a formula was read as an atom. If neither is so, these are all instances.
    `limited`: some formula limits the number of individuals, which matters to all classes of places.
    A subclass may read quantifiers in another way (`quantified`), and add clauses when all instances are made (`rest`).
    Raises CertificateError when the budget is spent.
    """

    def __init__(self, problem: Problem, depth: int, budget: Budget, inferred: bool = True) -> None:
        super().__init__(problem.distinct, budget)
        self.operators, self.depth = problem.operators, depth
        self.cut = self.loose = self.limited = False
        self.universes: dict[tuple[str, int], Universe] = {}
        self.nodes = Nodes(problem, budget, inferred)
        self.reach = Reach(problem.operators, self, depth)
        self._boxes: dict[tuple[Key, int], list[tuple[int, Node, Environment]]] = {}
        self._compared: dict[tuple[str, int | None, int], list[tuple[int, bool, Node, Environment]]] = {}
        self._jobs: deque[tuple[tuple[int, ...], Node, bool, int, Environment]] = deque()
        self._subsets: deque[tuple[Universal, tuple[int, ...]]] = deque()
        self._literals: dict[tuple[Any, ...], int] = {}
        axioms, goals = [[self.nodes.node(core) for core in part] for part in (problem.axioms, problem.goals)]
        for name, places in self.nodes.constants.items():
            self.constants[name] = self.term(Term("individual", 0, name))
            for place in places:
                universe = self.universe("individual", place)
                if self.constants[name] not in universe.terms:
                    universe.terms.append(self.constants[name])
        for name, agent in self.nodes.relations:
            if name in self.reach.operators and (agent is None or agent[0] == "const"):
                self.reach.mention((name, None if agent is None else self.value(agent, {})))
        for goal in sorted(goals, key=lambda goal: goal.kind != "false"):
            self._jobs.append(((), goal, True, ACTUAL, {}))
        self._saturate(axioms)
        self.cut |= self.reach.cut
        self.loose |= self.reach.loose

    def _saturate(self, axioms: Sequence[Node]) -> None:
        jobs, news, done = self._jobs, self.reach.news, 0
        while not self.refuted:
            if done < len(self.reach.worlds):
                exists = self.reach.worlds[done].exists
                self.budget.spend(len(axioms))
                jobs.extend((exists, axiom, True, done, {}) for axiom in axioms if done == ACTUAL or not axiom.rigid)
                done += 1
            elif news:
                key, source, seen, edge = news.popleft()
                for gate, body, env in self._boxes.get((key, source), ()):
                    self.budget.spend()
                    jobs.append(((-gate, -edge), body, True, seen, env))
                self.reach.follow(key, source, seen, edge)
            elif jobs:
                self._require(*jobs.popleft())
            elif self._subsets:
                self._few(*self._subsets.popleft())
            else:
                self.rest()
                if done == len(self.reach.worlds) and not (news or jobs or self._subsets):
                    return

    def rest(self) -> None:
        """Add the terms, equations and worlds that must exist besides, when all instances are made."""
        self.budget.spend(len(self.universes))
        for (sort, _), universe in self.universes.items():
            if universe.universal and not universe.terms:
                self._enter(universe, self.any_of(sort))
        if not self._jobs:
            self.congruence()
            self._same_agents()
        if not self._jobs and not self.reach.news:
            self.reach.witness()

    def _same_agents(self) -> None:
        """Equal agents have the same relations."""
        for (key, source), seen in list(self.reach.edges.items()) if self.may_equal else ():
            for other, same in self.may_equal.get(-1 if key[1] is None else key[1], {}).items():
                for world, edge in list(seen.items()):
                    for member in self.reach.members(key, source):
                        if self.is_new(key, other, member, world):
                            self.reach.derive((key[0], other), member, member, world, (edge, same))

    def _require(self, guards: tuple[int, ...], node: Node, sign: bool, world: int, env: Environment) -> None:
        """Demand that the formula is true, or one of the guards."""
        parts = [(node, sign)]
        for part, positive in parts:
            self.budget.spend()
            if part.kind == "not":
                parts.append((part.parts[0], not positive))
            elif part.kind == ("and" if positive else "or"):
                parts += [(each, positive) for each in part.parts]
            else:
                self.add((*guards, *self._disjuncts(part, positive, world, env)))

    def _disjuncts(self, node: Node, sign: bool, world: int, env: Environment) -> list[int]:
        parts, literals = [(node, sign)], []
        for part, positive in parts:
            self.budget.spend()
            if part.kind == "not":
                parts.append((part.parts[0], not positive))
            elif part.kind == ("or" if positive else "and"):
                parts += [(each, positive) for each in part.parts]
            else:
                literals.append(self.literal(part, positive, world, env))
        return literals

    def literal(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        """A literal that is true only if the formula (its negation, if not `sign`) is true at the world."""
        match node.kind:
            case "true" | "false":
                return TRUE if (node.kind == "true") is sign else FALSE
            case "atom":
                atom = self.atom(node.core[1], world, [self.value(term, env) for term in node.core[2:]])
                return atom if sign else -atom
            case "equal":
                one, other = [self.value(term, env) for term in node.core[1:]]
                self.limited |= sign and bool(node.free)
                equal = self.equal(one, other, positive=sign)
                return equal if sign else -equal
            case "not":
                return self.literal(node.parts[0], not sign, world, env)
        if node.rigid:
            world = ACTUAL
        key = (node.number, sign, world, *[env[name] for name in node.free])
        known = self._literals.get(key)
        if known is None:
            self.budget.spend(1 + len(key))
            known = self._literals[key] = self._literal(node, sign, world, env)
        return known

    def _literal(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        match node.kind:
            case "and" | "or":
                literals = [self.literal(part, sign, world, env) for part in node.parts]
                return self.conj(literals) if (node.kind == "and") is sign else self.disj(literals)
            case "here":
                return self.literal(node.parts[0], sign, ACTUAL, env)
            case "box":
                return self._box(node, sign, world, env)
            case "neighbourhood":
                return self._neighbourhood(node, sign, world, env)
            case _:
                return self.quantified(node, sign, world, env)

    def _box(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        name, agent = node.core[1], node.core[2]
        key = name, None if agent is None else self.value(agent, env)
        self.reach.mention(key)
        source, body = self.reach.source(key, world), node.parts[0]
        if source != world:  # the same successors, the same truth value
            return self.literal(node, sign, source, env)
        if "functional" in self.reach.conditions[name]:
            only = self.reach.function(key, source)
            return TRUE if only is None else self.literal(body, sign, only, env)
        if sign:
            gate = self.fresh()
            self._boxes.setdefault((key, source), []).append((gate, body, env))
            for seen, edge in self.reach.edges.get((key, source), {}).items():
                self.budget.spend()
                self._jobs.append(((-gate, -edge), body, True, seen, env))
            self.reach.want(key, source)
            return gate
        made = self.reach.successor(key, source, self.depth_of(node, env))
        if made is None:
            return TRUE
        seen, edge = made
        if edge == TRUE:
            return self.literal(body, False, seen, env)
        self._jobs.append(((-edge,), body, False, seen, env))
        return edge

    def _neighbourhood(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        """The literal of an atom; if the operator is true of one formula and not of another, some world has different
        values for the two."""
        (name, agent), body = node.core[1:3], node.parts[0]
        atom = self.opaque(node, True, world, env)
        earlier = self._compared.setdefault((name, None if agent is None else self.value(agent, env), world), [])
        for other, its_sign, its_body, its_env in earlier:
            if its_sign is not sign:
                held, lacked = (atom, other) if sign else (other, atom)
                between = self.reach.anywhere(max(self.depth_of(node, env), 1 + self.reach.worlds[world].depth))
                if held != lacked and between is not None:
                    for positive in (True, False):
                        one = self.literal(body, positive, between, env)
                        self.add((-held, lacked, one, self.literal(its_body, positive, between, its_env)))
        earlier.append((atom, sign, body, env))
        if sign and "reflexive" in self.operators[name].conditions:
            self._jobs.append(((-atom,), body, True, world, env))
        return atom if sign else -atom

    def quantified(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        """The literal of a quantified formula; the world is the actual one if the formula is rigid."""
        if node.kind == "most":
            return self._most(node, sign, world, env)
        count, variable, sort = node.core[1:4] if node.kind == "atleast" else (1, *node.core[1:3])
        universe = self.universe(sort, node.place)
        if (node.kind == "all") is sign or (node.kind == "atleast" and not sign):
            universal = Universal(self.fresh(), node, sign, world, env, variable, count)
            universe.universal.append(universal)
            self.limited |= count > 1
            for at in range(len(universe.terms)):
                self._instances(universal, universe.terms, at)
            return universal.gate
        depth = max(self.depth_of(node, env), 0 if node.rigid else 1 + self.reach.worlds[world].depth)
        if depth > self.depth:
            self.cut = True
            return TRUE
        self.budget.spend(4 * count * count)
        terms = [self.term(Term(sort, depth)) for _ in range(count)]
        for term in terms:
            self._enter(universe, term)
        parts = [self.literal(node.parts[0], sign, world, {**env, variable: term}) for term in terms]
        return self.conj([*parts, *[-self.equal(one, other, positive=False) for one, other in combinations(terms, 2)]])

    def _instances(self, universal: Universal, terms: Sequence[int], at: int) -> None:
        """The instances with one of the terms and those before it."""
        gate, node, sign, world, env, variable, number = universal
        self.budget.spend(1 + len(env))
        if number == 1:
            self._jobs.append(((-gate,), node.parts[0], sign, world, {**env, variable: terms[at]}))
        elif number <= at + 1:
            self.budget.spend(comb(at, number - 1) * number * number)
            self._subsets.extend((universal, (*others, terms[at])) for others in combinations(terms[:at], number - 1))

    def _few(self, universal: Universal, chosen: Sequence[int]) -> None:
        """Demand that the formula is false of one of these terms, or that two of them are equal."""
        gate, node, _, world, env, variable, _ = universal
        same = [self.equal(one, other, positive=True) for one, other in combinations(chosen, 2)]
        if TRUE not in same:
            fails = [self.literal(node.parts[0], False, world, {**env, variable: term}) for term in chosen]
            self.add((-gate, *same, *fails))

    def _most(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        """The literal of a majority, read as an atom that implies that there is a case."""
        gate = self.opaque(node, sign, world, env)
        if sign:
            case = self.nodes.node(("some", *node.core[1:3], ("and", *node.core[3:])))
            self._jobs.append(((-gate,), case, True, world, env))
        return gate

    def opaque(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        """The literal of a formula read as an atom."""
        self.loose = True
        atom = self.atom(node.number, world, [env[name] for name in node.free])
        return atom if sign else -atom

    def depth_of(self, node: Node, env: Environment) -> int:
        """The depth of a Skolem term for a formula."""
        return 1 + max([self.terms[env[name]].depth for name in node.free], default=0)

    def universe(self, sort: str, place: int) -> Universe:
        """The terms that may stand at a place."""
        return self.universes.setdefault((sort, self.nodes.class_of(place)), Universe([], []))

    def _enter(self, universe: Universe, term: int) -> None:
        universe.terms.append(term)
        for universal in universe.universal:
            self._instances(universal, universe.terms, len(universe.terms) - 1)
