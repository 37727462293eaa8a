"""Grounding: from classical formulas to literals, once, at the largest size.

Individuals, occasions and worlds beyond the first are switched on by literals in order, so that a smaller
size is an assumption and no new grounding; quantifiers range over the individuals that are on. The actual world is
world 0; different names denote the first individuals, in order (a harmless choice, as they are different).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from gramprobe.decide.search.bound import Bound
from gramprobe.decide.search.gates import FALSE, TRUE, Gates
from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula
from gramprobe.formula.binding import free_variables
from gramprobe.formula.theory import Operator
from gramprobe.stop import ask_stop

FEW = 5
"""With fewer nameless individuals than this, the clauses that sort them cost more than they save."""


class Grounder:
    """Turns formulas at worlds into literals over `gates`; keeps the atoms and relations that it made."""

    def __init__(
        self, operators: Mapping[str, Operator], constants: Sequence[str], distinct: bool, bound: Bound
    ) -> None:
        self.gates = Gates()
        self.operators = operators
        self.bound = bound
        names = len(constants) if distinct else 1
        self.worlds = self._switches(bound.worlds, 1)
        people = self._switches(bound.individuals, max(1, names))
        times = self._switches(bound.occasions, 1)
        self.domains: dict[str, list[tuple[int, int]]] = {
            "individual": list(enumerate(people)),
            "occasion": list(enumerate(times, bound.individuals)),
        }
        self.constants = {name: self._bearers(at, distinct) for at, name in enumerate(constants)}
        self.distinct = distinct
        self.atoms: dict[tuple[str, int, tuple[int, ...]], int] = {}
        self.relations: dict[tuple[str, int | None], list[list[int]]] = {}
        self.neighbourhoods: dict[tuple[str, int | None], dict[tuple[int, ...], list[int]]] = {}
        self._bound: dict[str, int] = {}
        self._free: dict[int, tuple[str, ...]] = {}
        self._known: dict[tuple[Any, ...], int] = {}
        self._alive: list[Formula] = []

    def _switches(self, size: int, always: int) -> list[int]:
        switches = [TRUE] * min(always, size)
        while len(switches) < size:
            literal = self.gates.new()
            if switches:
                self.gates.add((-literal, switches[-1]))
            switches.append(literal)
        return switches

    def _bearers(self, at: int, distinct: bool) -> list[tuple[int, int]]:
        """The individuals that a name may denote, each with its literal; the n-th name denotes one of the first n (by
        symmetry)."""
        if distinct or at == 0:
            return [(at, TRUE)]
        people = self.domains["individual"][: at + 1]
        bearers = [(who, self.gates.new()) for who, _ in people]
        self.gates.add([literal for _, literal in bearers])
        for number, (who, literal) in enumerate(bearers):
            self.gates.add((-literal, people[who][1]))
            for _, other in bearers[:number]:
                self.gates.add((-literal, -other))
        return bearers

    def top(self, formula: Formula, world: int = 0) -> int:
        """The literal of a closed classical formula at a world."""
        self._alive.append(formula)  # literals are cached by identity: no formula may be collected meanwhile
        return self.literal(formula, world)

    def literal(self, formula: Formula, world: int) -> int:
        return _GROUND[type(formula)](self, formula, world)

    def remembered(self, formula: Any, world: int, make: Callable[[Any, int], int]) -> int:
        """The literal from the cache: each (formula, world, values of its free variables) is ground once."""
        free = self._free.get(id(formula))
        if free is None:
            free = self._free[id(formula)] = free_variables(formula)
        bound = self._bound
        key = (id(formula), world, *[bound[name] for name in free])
        known = self._known.get(key)
        if known is None:
            ask_stop()
            known = self._known[key] = make(formula, world)
        return known

    # terms

    def denotations(self, term: Argument) -> list[tuple[int, int]]:
        if isinstance(term, ast.Var):
            return [(self._bound[term.name], TRUE)]
        assert isinstance(term, ast.Const)
        return self.constants[term.name]

    def agents(self, term: Argument | None) -> list[int | None]:
        """The agents whose relations an operator with that term may depend on; [None] without an agent."""
        if term is None:
            return [None]
        if isinstance(term, ast.Const):
            return [who for who, _ in self.constants[term.name]]
        return [who for who, _ in self.domains["individual"]]

    # formulas

    def truth(self, formula: ast.Truth, world: int) -> int:
        return TRUE if formula.value else FALSE

    def atom(self, formula: ast.Atom, world: int) -> int:
        choices = [self.denotations(arg) for arg in formula.args]
        if not self.distinct and max(map(len, choices), default=1) > 1:
            cases = []
            for case in product(*choices):
                member = tuple(who for who, _ in case)
                cases.append(self.gates.conj([*(on for _, on in case), self.member(formula.predicate, world, member)]))
            return self.gates.disj(cases)
        return self.member(formula.predicate, world, tuple([choice[0][0] for choice in choices]))

    def member(self, predicate: str, world: int, args: tuple[int, ...]) -> int:
        key = (predicate, world, args)
        known = self.atoms.get(key)
        if known is None:
            known = self.atoms[key] = self.gates.new()
        return known

    def equal(self, formula: ast.Equal, world: int) -> int:
        return self.gates.disj(
            self.gates.conj((one_on, other_on))
            for one, one_on in self.denotations(formula.left)
            for other, other_on in self.denotations(formula.right)
            if one == other
        )

    def negation(self, formula: ast.Not, world: int) -> int:
        return -self.literal(formula.body, world)

    def conjunction(self, formula: ast.And, world: int) -> int:
        left = self.literal(formula.left, world)
        return left if left == FALSE else self.gates.both(left, self.literal(formula.right, world))

    def disjunction(self, formula: ast.Or, world: int) -> int:
        left = self.literal(formula.left, world)
        return left if left == TRUE else -self.gates.both(-left, -self.literal(formula.right, world))

    def implication(self, formula: ast.Implies, world: int) -> int:
        left = self.literal(formula.left, world)
        return TRUE if left == FALSE else -self.gates.both(left, -self.literal(formula.right, world))

    def equivalence(self, formula: ast.Iff, world: int) -> int:
        return self.gates.iff(self.literal(formula.left, world), self.literal(formula.right, world))

    def here(self, formula: ast.Here, world: int) -> int:
        return self.literal(formula.body, 0)

    def quantified(self, formula: ast.Quantified, world: int) -> int:
        return self.remembered(formula, world, self._quantified)

    def _quantified(self, formula: ast.Quantified, world: int) -> int:
        gates, variable, negative = self.gates, formula.variable, formula.quantifier == "forall"
        outer = self._bound.get(variable)
        cases: list[int] = []
        counters: list[int] = []
        for who, on in self.domains[formula.sort]:
            self._bound[variable] = who
            restrictor = self.literal(formula.restrictor, world)
            if restrictor == FALSE:
                continue
            scope = self.literal(formula.scope, world)
            cases.append(gates.conj((on, restrictor, -scope if negative else scope)))
            if formula.quantifier == "most":
                counters.append(gates.conj((on, restrictor, -scope)))
        if outer is None:
            self._bound.pop(variable, None)
        else:
            self._bound[variable] = outer
        match formula.quantifier:
            case "forall":
                return -gates.disj(cases)
            case "exists":
                return gates.disj(cases)
            case "most":  # more cases than counter-cases: cases + (all - counter-cases) > all
                return gates.atleast([*cases, *[-each for each in counters]], len(counters) + 1)
        count = formula.count
        assert isinstance(count, int)
        if formula.quantifier == "atleast":
            return gates.atleast(cases, count)
        if formula.quantifier == "atmost":
            return -gates.atleast(cases, count + 1)
        assert formula.quantifier == "exactly"
        return gates.conj((gates.atleast(cases, count), -gates.atleast(cases, count + 1)))

    def modal(self, formula: ast.Modal, world: int) -> int:
        return self.remembered(formula, world, self._modal)

    def _modal(self, formula: ast.Modal, world: int) -> int:
        kind = self.operators[formula.operator].kind
        if kind in ("neighbourhood", "dual"):
            return self.near(formula, world, 1 if kind == "neighbourhood" else -1)
        gates, sign = self.gates, -1 if kind == "box" else 1
        agents = [(None, TRUE)] if formula.agent is None else self.denotations(formula.agent)
        cases = []
        for agent, on in agents:
            row = self.relation(formula.operator, agent)[world]
            for other, seen in enumerate(row):
                if seen != FALSE:
                    cases.append(gates.conj((on, seen, sign * self.literal(formula.body, other))))
        return sign * gates.disj(cases)

    def near(self, formula: ast.Modal, world: int, sign: int) -> int:
        """The literal that the set of worlds where the body is true (for a dual: false) is in the neighbourhood."""
        gates = self.gates
        truths = tuple(
            gates.conj((on, sign * self.literal(formula.body, other))) for other, on in enumerate(self.worlds)
        )
        agents = [(None, TRUE)] if formula.agent is None else self.denotations(formula.agent)
        return sign * gates.disj(
            gates.conj((on, self.neighbourhood(formula.operator, agent, truths)[world])) for agent, on in agents
        )

    def neighbourhood(self, name: str, agent: int | None, truths: tuple[int, ...]) -> list[int]:
        """For each world the literal that a set of worlds is in its neighbourhood; equal sets have equal literals.

        Only conditions on single worlds are demanded, and only of the sets that formulas name: the models are
        candidates, and the kernel checks the frame.
        """
        gates, known = self.gates, self.neighbourhoods.setdefault((name, agent), {})
        if truths in known:
            return known[truths]
        literals = known[truths] = [gates.new() for _ in self.worlds]
        frame = self.operators[name].frame
        for other, others in known.items():
            equal = gates.conj([gates.iff(one, two) for one, two in zip(truths, other, strict=True)])
            opposite = gates.conj(
                [
                    gates.disj((-on, gates.iff(one, -two)))
                    for one, two, on in zip(truths, other, self.worlds, strict=True)
                ]
            )
            for one, two in zip(literals, others, strict=True):
                gates.add((-equal, -one, two))
                gates.add((-equal, one, -two))
                if "serial" in frame or "functional" in frame:
                    gates.add((-opposite, -one, -two))
                if "functional" in frame:
                    gates.add((-opposite, one, two))
        if "reflexive" in frame:
            for literal, truth in zip(literals, truths, strict=True):
                gates.add((-literal, truth))
        return literals

    # relations

    def relation(self, name: str, agent: int | None) -> list[list[int]]:
        """The literals of a relation, with its frame conditions demanded on the worlds that are on."""
        known = self.relations.get((name, agent))
        if known is not None:
            return known
        gates, frame, size = self.gates, self.operators[name].frame, range(self.bound.worlds)
        sees: list[list[int]] = [[FALSE] * self.bound.worlds for _ in size]
        self.relations[name, agent] = sees
        for w in size:
            for v in size:
                if w == v and "reflexive" in frame:
                    sees[w][v] = self.worlds[w]
                    continue
                if v < w and "symmetric" in frame:
                    sees[w][v] = sees[v][w]
                    continue
                sees[w][v] = gates.new()
                gates.add((-sees[w][v], self.worlds[max(w, v)]))
        if "serial" in frame or "functional" in frame:
            for w in size:
                gates.add((-self.worlds[w], *sees[w]))
        if "functional" in frame:
            for row in sees:
                for v in size:
                    for u in range(v):
                        gates.add((-row[v], -row[u]))
        if "transitive" in frame:
            self._compose(sees, sees, sees)
        if "euclidean" in frame:
            for w, v, u in product(size, repeat=3):
                if w != v:  # with w = v the clause is trivial
                    gates.add((-sees[w][v], -sees[w][u], sees[v][u]))
        for other in self.operators[name].within:
            if self.operators[other].kind in ("neighbourhood", "dual"):
                continue  # left to the kernel
            wider = self.relation(other, agent)
            for w, v in product(size, repeat=2):
                gates.add((-sees[w][v], wider[w][v]))
        for other in self.operators[name].introspected_by:
            if self.operators[other].kind in ("neighbourhood", "dual"):
                continue
            self._compose(self.relation(other, agent), sees, sees)
        return sees

    # symmetry

    def sort_nameless(self) -> None:
        """Demand that individuals without a name stand in descending order of their one-place predicates at world 0.

        Sound: nameless individuals may be permuted. Without it, refuting counts repeats the same argument for every
        choice of members (Crawford, Ginsberg, Luks & Roy 1996); with fewer than FEW nameless individuals it costs more
        than it saves.
        """
        names = {"individual": len(self.constants), "occasion": 0}
        predicates = list(dict.fromkeys(name for name, world, args in self.atoms if world == 0 and len(args) == 1))
        for sort, domain in self.domains.items():
            nameless = domain[names[sort] :]
            if len(nameless) < FEW:
                continue
            rows = [[self.atoms.get((name, 0, (who,))) for name in predicates] for who, _ in nameless]
            kept = [at for at in range(len(predicates)) if all(row[at] is not None for row in rows)]
            for above, below, (_, on) in zip(rows, rows[1:], nameless[1:], strict=False):
                self._descend([(above[at] or 0, below[at] or 0) for at in kept], on)

    def _descend(self, pairs: list[tuple[int, int]], on: int) -> None:
        """Demand, if `on`, that the first members of the pairs, as a binary number, are no less than the second."""
        gates, equal = self.gates, on
        for first, second in pairs:
            gates.add((-equal, first, -second))
            if (first, second) != pairs[-1]:
                before, equal = equal, gates.new()
                gates.add((-before, equal, -first, -second))
                gates.add((-before, equal, first, second))

    def _compose(self, first: list[list[int]], second: list[list[int]], within: list[list[int]]) -> None:
        size = range(self.bound.worlds)
        for w, v, u in product(size, repeat=3):
            if first is not second or (w != v and v != u):
                self.gates.add((-first[w][v], -second[v][u], within[w][u]))


_GROUND = ast.Rules[Callable[[Grounder, Any, int], int]]("ground", {
    ast.Truth: Grounder.truth, ast.Atom: Grounder.atom, ast.Equal: Grounder.equal, ast.Not: Grounder.negation,
    ast.And: Grounder.conjunction, ast.Or: Grounder.disjunction, ast.Implies: Grounder.implication,
    ast.Iff: Grounder.equivalence, ast.Here: Grounder.here, ast.Quantified: Grounder.quantified,
    ast.Modal: Grounder.modal,
})  # fmt: skip
