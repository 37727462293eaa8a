"""Grounding: from classical formulas to literals, once, at the largest size.

Individuals, occasions and worlds beyond the first are switched on by literals in order, so that a smaller
size is an assumption and no new grounding; quantifiers range over the individuals that are on. The actual world is
world 0; different names denote the first individuals, in order (a harmless choice, as they are different).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from operator import itemgetter
from typing import Any, TypeAlias

from gramprobe.decide.search.bound import Bound
from gramprobe.decide.search.gates import FALSE, TRUE, Gates
from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula
from gramprobe.formula.theory import Operator
from gramprobe.stop import ask_stop

FEW = 5
"""With fewer nameless individuals than this, the clauses that sort them cost more than they save."""

Slots: TypeAlias = frozenset[int]
"""The free variables of a formula, by where their values stand."""
Ground: TypeAlias = Callable[[int], int]
"""The literal of a formula at a world, for the values that its free variables have at the time."""


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
        self._values: list[int] = []
        self._slots: dict[Argument, int] = {}
        self._made: dict[int, tuple[Ground, Slots]] = {}
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
        self._alive.append(formula)  # functions are kept by identity: no formula may be collected meanwhile
        return self.made(formula)[0](world)

    def made(self, formula: Formula) -> tuple[Ground, Slots]:
        """The function that grounds a formula, and its free variables; made once, and called for all their values."""
        known = self._made.get(id(formula))
        if known is None:
            known = self._made[id(formula)] = _GROUND[type(formula)](self, formula)
        return known

    def remembered(self, make: Ground, free: Slots) -> tuple[Ground, Slots]:
        """The same, but each world with values of the free variables is ground once."""
        values, known, members = self._values, dict[tuple[int, tuple[int, ...]], int](), _picked(tuple(free))

        def remembered(world: int) -> int:
            key = world, members(values)
            literal = known.get(key)
            if literal is None:
                ask_stop()
                literal = known[key] = make(world)
            return literal

        return remembered, free

    # terms

    def slot(self, term: Argument) -> int:
        """Where the value of a variable stands among the values, or that of a name with one bearer."""
        known = self._slots.get(term)
        if known is None:
            known = self._slots[term] = len(self._values)
            self._values.append(self.constants[term.name][0][0] if isinstance(term, ast.Const) else -1)
        return known

    def free(self, *terms: Argument | None) -> Slots:
        """The variables among the terms."""
        return frozenset([self.slot(term) for term in terms if isinstance(term, ast.Var)])

    def denotations(self, term: Argument) -> list[tuple[int, int]]:
        """The individuals that a term may denote now, each with its literal."""
        if isinstance(term, ast.Var):
            return [(self._values[self.slot(term)], TRUE)]
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

    def truth(self, formula: ast.Truth) -> tuple[Ground, Slots]:
        literal = TRUE if formula.value else FALSE
        return lambda _: literal, frozenset()

    def atom(self, formula: ast.Atom) -> tuple[Ground, Slots]:
        predicate, values, free = formula.predicate, self._values, self.free(*formula.args)
        if not self.distinct and any(isinstance(arg, ast.Const) for arg in formula.args):
            return lambda world: self._of_some(formula, world), free
        slots, atoms, new = [self.slot(arg) for arg in formula.args], self.atoms, self.gates.new
        members, only = _picked(slots), slots[0] if len(slots) == 1 else None

        def literal(world: int) -> int:
            key = predicate, world, members(values) if only is None else (values[only],)
            known = atoms.get(key)
            if known is None:
                known = atoms[key] = new()
            return known

        return literal, free

    def _of_some(self, formula: ast.Atom, world: int) -> int:
        """The literal of an atom with names that may denote several individuals each."""
        cases = []
        for case in product(*[self.denotations(arg) for arg in formula.args]):
            key = formula.predicate, world, tuple([who for who, _ in case])
            if key not in self.atoms:
                self.atoms[key] = self.gates.new()
            cases.append(self.gates.conj([*(on for _, on in case), self.atoms[key]]))
        return self.gates.disj(cases)

    def equal(self, formula: ast.Equal) -> tuple[Ground, Slots]:
        def literal(_: int) -> int:
            return self.gates.disj(
                self.gates.conj((one_on, other_on))
                for one, one_on in self.denotations(formula.left)
                for other, other_on in self.denotations(formula.right)
                if one == other
            )

        return literal, self.free(formula.left, formula.right)

    def negation(self, formula: ast.Not) -> tuple[Ground, Slots]:
        body, free = self.made(formula.body)
        return lambda world: -body(world), free

    def conjunction(self, formula: ast.And) -> tuple[Ground, Slots]:
        (left, some), (right, others), both = self.made(formula.left), self.made(formula.right), self.gates.both

        def literal(world: int) -> int:
            one = left(world)
            return one if one == FALSE else both(one, right(world))

        return literal, some | others

    def disjunction(self, formula: ast.Or) -> tuple[Ground, Slots]:
        (left, some), (right, others), both = self.made(formula.left), self.made(formula.right), self.gates.both

        def literal(world: int) -> int:
            one = left(world)
            return one if one == TRUE else -both(-one, -right(world))

        return literal, some | others

    def implication(self, formula: ast.Implies) -> tuple[Ground, Slots]:
        (left, some), (right, others), both = self.made(formula.left), self.made(formula.right), self.gates.both

        def literal(world: int) -> int:
            one = left(world)
            return TRUE if one == FALSE else -both(one, -right(world))

        return literal, some | others

    def equivalence(self, formula: ast.Iff) -> tuple[Ground, Slots]:
        (left, some), (right, others), iff = self.made(formula.left), self.made(formula.right), self.gates.iff
        return lambda world: iff(left(world), right(world)), some | others

    def here(self, formula: ast.Here) -> tuple[Ground, Slots]:
        body, free = self.made(formula.body)
        return lambda _: body(0), free

    def quantified(self, formula: ast.Quantified) -> tuple[Ground, Slots]:
        values, slot = self._values, self.slot(ast.Var(formula.variable))
        (restrictor, some), (scope, others) = self.made(formula.restrictor), self.made(formula.scope)
        gates, domain, negative = self.gates, self.domains[formula.sort], formula.quantifier == "forall"
        majority = formula.quantifier == "most"

        def literal(world: int) -> int:
            outer = values[slot]
            cases: list[int] = []
            counters: list[int] = []
            for values[slot], on in domain:
                inside = restrictor(world)
                if inside == FALSE:
                    continue
                case = scope(world)
                cases.append(gates.three(on, inside, -case if negative else case))
                if majority:
                    counters.append(gates.three(on, inside, -case))
            values[slot] = outer
            return self._counted(formula, cases, counters)

        return self.remembered(literal, (some | others) - {slot})

    def _counted(self, formula: ast.Quantified, cases: list[int], counters: list[int]) -> int:
        gates = self.gates
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

    def modal(self, formula: ast.Modal) -> tuple[Ground, Slots]:
        body, free = self.made(formula.body)
        kind, gates, name = self.operators[formula.operator].kind, self.gates, formula.operator
        free |= self.free(formula.agent)
        if kind in ("neighbourhood", "dual"):
            side = 1 if kind == "neighbourhood" else -1
            return self.remembered(lambda world: self.near(formula, body, world, side), free)
        sign = -1 if kind == "box" else 1

        def literal(world: int) -> int:
            agents = [(None, TRUE)] if formula.agent is None else self.denotations(formula.agent)
            cases = []
            for agent, on in agents:
                for other, seen in enumerate(self.relation(name, agent)[world]):
                    if seen != FALSE:
                        cases.append(gates.three(on, seen, sign * body(other)))
            return sign * gates.disj(cases)

        return self.remembered(literal, free)

    def near(self, formula: ast.Modal, body: Ground, world: int, sign: int) -> int:
        """The literal that the set of worlds where the body is true (for a dual: false) is in the neighbourhood."""
        gates = self.gates
        truths = tuple(gates.both(on, sign * body(other)) for other, on in enumerate(self.worlds))
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

    def finish(self) -> None:
        """Let go of the functions that ground formulas: they refer to the grounder, and only the collector of circles
        would free both."""
        self._made.clear()
        self._alive.clear()

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


def _picked(slots: Collection[int]) -> Callable[[list[int]], tuple[int, ...]]:
    """A function that picks the values at some slots."""
    if len(slots) > 1:
        return itemgetter(*slots)
    return lambda values: tuple([values[slot] for slot in slots])


_GROUND = ast.Rules[Callable[[Grounder, Any], tuple[Ground, Slots]]]("ground", {
    ast.Truth: Grounder.truth, ast.Atom: Grounder.atom, ast.Equal: Grounder.equal, ast.Not: Grounder.negation,
    ast.And: Grounder.conjunction, ast.Or: Grounder.disjunction, ast.Implies: Grounder.implication,
    ast.Iff: Grounder.equivalence, ast.Here: Grounder.here, ast.Quantified: Grounder.quantified,
    ast.Modal: Grounder.modal,
})  # fmt: skip
