"""Quantifiers as bounds on counts: the clauses of a problem, and the regions in which individuals are counted.

A quantified formula at a world becomes a literal with a bound (`regions`): `most x. (R, S)` says
`|R & S| - |R & ~S| >= 1` (BAPA: Kuncak, Nguyen & Rinard 2006). The bits of the regions are what atoms, and
whole subformulas that cannot be taken apart, express about the counted individual at a world. Named individuals are
counted one by one, the others by region. Worlds stay terms (`ground`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from gramprobe.certify.classical import FALSE as NEVER
from gramprobe.certify.classical import TRUE as ALWAYS
from gramprobe.certify.classical import Core, Problem, conj, disj, neg
from gramprobe.certify.ground import ACTUAL, FALSE, TRUE, Environment, Grounding, Term
from gramprobe.certify.groups import Draft, Weighted, grouped
from gramprobe.certify.miniscope import miniscoped
from gramprobe.certify.nodes import Node
from gramprobe.certify.regions import BITS, Bound, everything, place_table
from gramprobe.certify.reject import Budget, CertificateError

WITNESSES = 3
"""The most witnesses of one formula that get a name."""
RELATED = 8
"""The most bits of an arbitrary individual that become one group because they may depend on each other."""


class Leaf(NamedTuple):
    """The formula that a bit stands for, with the counted variable free, at a world and in an environment."""

    sort: str
    node: Node
    variable: str
    world: int
    environment: Environment


class Counting(Grounding):
    """The clauses and bounds of a problem. `naming`: witnesses of existential formulas get a name; `looking`: there are
    also clauses about an arbitrary unnamed individual of each sort.

    `opaque_bits`: bits that are whole formulas; only `naming` and `looking` add clauses about them. Raises
    CertificateError for more bits than a group may have, and as `Grounding`.
    """

    def __init__(self, problem: Problem, depth: int, naming: bool, looking: bool, budget: Budget) -> None:
        self.naming, self.looking = naming, looking
        self.names: dict[str, list[int]] = {"individual": [], "occasion": []}
        self.new: dict[int, int] = {}  # name -> the literal that it denotes an individual that no earlier name denotes
        self._quantified: list[tuple[int, Node, bool, int, Environment]] = []
        self._instantiated: set[tuple[int, int]] = set()
        self.bits: dict[tuple[Any, ...], int] = {}
        self.leaves: list[Leaf] = []
        self.opaque_bits: list[int] = []
        self.drafts: dict[int, Draft] = {}
        self.anyone: dict[str, int] = {}
        self.arbitrary: dict[int, int] = {}  # bit -> the literal that it is true of the arbitrary individual
        self._drafted: dict[Draft, int] = {}
        self._defined = 0
        self.settled = 0  # literals up to this number are not about an arbitrary individual
        self._general = (0, 0)  # how many terms and worlds do not depend on an arbitrary individual
        self.problem = miniscoped(problem, budget)
        super().__init__(self.problem, depth, budget, inferred=False)
        self._seed()
        for gate, node, sign, world, env in self._quantified:
            self.add((-gate, self._bounded(node, sign, world, env)))
        of_anyone = [[bit for bit in self.arbitrary if self.leaves[bit].sort == sort] for sort in self.anyone]
        related = [bits for bits in of_anyone if len(bits) <= RELATED]
        unnamed = {sort: not names for sort, names in self.names.items()}
        self.regions, self.places = grouped(self.drafts, [leaf.sort for leaf in self.leaves], related, unnamed, budget)

    # quantifiers as bounds

    def quantified(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        """A literal that is true only if the quantified formula (its negation) is true at the world."""
        self._seed()
        if not self.naming:
            return self._bounded(node, sign, world, env)
        gate, (variable, sort) = self.fresh(), _binds(node)
        self._quantified.append((gate, node, sign, world, env))
        for part, _ in self._parts(node, sign):
            self.region(part, variable, sort, world, env)  # so that its bits are known
        if node.kind != "most" and sign is not (node.kind == "all"):
            self._witness(gate, node, sign, world, env)
        return gate

    def _bounded(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        """The literal of a quantified formula, when all names are known."""
        variable, sort = _binds(node)
        parts, names = self._parts(node, sign), self.names[sort]
        insides = [self.region(part, variable, sort, world, env) for part, _ in parts]
        if node.kind in ("all", "some"):
            literals = [self.literal(node.parts[0], sign, world, {**env, variable: name}) for name in names]
            cases = insides[0] if sign else neg(insides[0])
            if (node.kind == "all") is sign:
                return self.conj([*literals, self.bound(sort, ((-1, neg(cases)),), (), 0)])
            return self.disj([*literals, self.bound(sort, ((1, cases),), (), 1)])
        counted = []
        for part, positive in parts:
            for name in names:
                case = self.literal(part, positive, world, {**env, variable: name})
                new = self.new[name] if positive else -self.new[name]
                counted.append((1, self.conj((case, new)) if positive else self.disj((case, new))))
        weighted = [(1 if positive else -1, inside) for (_, positive), inside in zip(parts, insides, strict=True)]
        least = node.core[1] if node.kind == "atleast" else 1  # of the cases, and one less of the counter-cases
        against = sum(not positive for _, positive in parts)
        return self.bound(sort, weighted, counted, (least if sign else 1 - least) + against * len(names))

    def _parts(self, node: Node, sign: bool) -> list[tuple[Node, bool]]:
        """The formulas whose cases are counted for the formula (its negation): (part, True for and False against)."""
        if node.kind != "most":
            return [(node.parts[0], sign)]
        restrictor, scope = node.parts
        both = self.nodes.node(("and", restrictor.core, scope.core))
        against = self.nodes.node(("and", restrictor.core, ("not", scope.core)))
        return [(both, sign), (against, not sign)]

    # names

    def _seed(self) -> None:
        """Make the constants names, unless there are names already."""
        names = self.names["individual"]
        for term in self.constants.values() if not names else ():
            self._name(term, "individual")

    def _name(self, term: int, sort: str) -> None:
        same = [self.equal(term, other, positive=True) for other in self.names[sort]]
        self.names[sort].append(term)
        if all(each == FALSE for each in same):
            self.new[term] = TRUE
            return
        new = self.new[term] = self.fresh()
        self.add((new, *same))
        for each in same:
            self.add((-new, -each))

    def _witness(self, gate: int, node: Node, sign: bool, world: int, env: Environment) -> None:
        """Name some of the witnesses of an existential formula."""
        count, (variable, sort) = node.core[1] if node.kind == "atleast" else 1, _binds(node)
        depth = max(self.depth_of(node, env), 0 if node.rigid else 1 + self.reach.worlds[world].depth)
        if self.anyone:
            return  # different unnamed individuals may need different witnesses
        if depth > self.depth:
            self.cut = True
            return
        terms = [self.term(Term(sort, depth)) for _ in range(min(count, WITNESSES))]
        for term in terms:
            self._name(term, sort)
            self._jobs.append(((-gate,), node.parts[0], sign, world, {**env, variable: term}))
        for one, other in combinations(terms, 2):
            self.add((-gate, -self.equal(one, other, positive=False)))

    def _instantiate(self) -> None:
        """Make the instances of all quantified formulas for all names."""
        for at, (_, node, sign, world, env) in enumerate(self._quantified):
            variable, sort = _binds(node)
            for name in self.names[sort]:
                if (at, name) not in self._instantiated:
                    self._instantiated.add((at, name))
                    for part, positive in self._parts(node, sign):
                        self.literal(part, positive, world, {**env, variable: name})

    def bound(self, sort: str, parts: Weighted, named: Sequence[tuple[int, int]], least: int) -> int:
        """A literal with a bound; a constant for a bound that by its form holds always, or never."""
        weights: dict[int, int] = {}
        for weight, literal in named:
            if literal == TRUE:
                least -= weight
            elif literal != FALSE:
                weights[literal] = weights.get(literal, 0) + weight
        counted = tuple([(by, inside) for by, inside in parts if inside != NEVER])
        if least <= 0 and all(by > 0 for by, _ in counted):
            return TRUE
        if least > sum(weights.values()) and all(by < 0 for by, _ in counted):
            return FALSE
        draft = Draft(sort, counted, tuple([(weight, literal) for literal, weight in weights.items()]), least)
        if draft not in self._drafted:
            self.budget.spend(1 + len(draft.named))
            self._drafted[draft] = self.fresh()
            self.drafts[self._drafted[draft]] = draft
        return self._drafted[draft]

    # bits

    def region(self, node: Node, variable: str, sort: str, world: int, env: Environment) -> Core:
        """Which unnamed individuals satisfy a formula: a boolean formula over bits."""
        self.budget.spend()
        match node.kind:
            case "true":
                return ALWAYS
            case "false":
                return NEVER
            case "not":
                return neg(self.region(node.parts[0], variable, sort, world, env))
            case "and" | "or":
                one, other = [self.region(part, variable, sort, world, env) for part in node.parts]
                return conj(one, other) if node.kind == "and" else disj(one, other)
            case "here":
                return self.region(node.parts[0], variable, sort, ACTUAL, env)
            case "equal":
                terms = [self._who(term, variable, env) for term in node.core[1:]]
                if terms[0] == terms[1]:
                    return ALWAYS
                if any(term in self.new for term in terms):
                    return NEVER  # an individual that a name denotes is not unnamed
        leaf = Leaf(sort, node, variable, ACTUAL if node.rigid else world, env)
        key = sort, leaf.world, self._pattern(node.core, variable, env)
        bit = self.bits.get(key)
        if bit is None:
            bit = self.bits[key] = len(self.leaves)
            self.leaves.append(leaf)
            if node.kind not in ("atom", "equal"):
                self.opaque_bits.append(bit)
            self.budget.spend()
        return ("bit", bit)

    def _who(self, term: Core, variable: str, env: Environment) -> int | None:
        """The term that a term of the formula stands for; None for the counted individual."""
        if term[0] == "const":
            return self.constants[term[1]]
        return None if term[1] == variable else env[term[1]]

    def _pattern(self, core: Core, variable: str, env: Environment) -> Core:
        """A formula or term with the counted variable marked, and other variables replaced by their terms."""
        self.budget.spend()
        if core[0] == "var":
            return ("counted",) if core[1] == variable else ("term", env[core[1]]) if core[1] in env else core
        if core[0] == "const":
            return ("term", self.constants[core[1]])
        return tuple([self._pattern(part, variable, env) if type(part) is tuple else part for part in core])

    # an arbitrary unnamed individual

    def rest(self) -> None:
        """The instances for the names, then the clauses about an arbitrary individual."""
        self._instantiate()
        super().rest()
        if self.looking and not self._jobs and not self.reach.news:
            while self._defined < len(self.leaves):
                self._define(self._defined)
                self._defined += 1

    def _define(self, bit: int) -> None:
        if not self.settled:
            self.settled, self._general = self.top, (len(self.terms), len(self.reach.worlds))
        leaf, (terms, worlds) = self.leaves[bit], self._general
        if leaf.world >= worlds or any(term >= terms for term in leaf.environment.values()):
            return  # about a witness that depends on the arbitrary individual: another may have another witness
        anyone = self.anyone.get(leaf.sort)
        if anyone is None:
            anyone = self.anyone[leaf.sort] = self.term(Term(leaf.sort, 0))
        env = {**leaf.environment, leaf.variable: anyone}
        if leaf.node.kind == "atom":
            self.arbitrary[bit] = self.literal(leaf.node, True, leaf.world, env)
            return
        literal, exists = self.fresh(), self.reach.worlds[leaf.world].exists
        self.arbitrary[bit] = literal
        self._jobs.append(((-literal, *exists), leaf.node, True, leaf.world, env))
        self._jobs.append(((literal, *exists), leaf.node, False, leaf.world, env))

    def equal(self, one: int, other: int, positive: bool) -> int:
        """As `Terms.equal`; an arbitrary unnamed individual equals no name."""
        if one in self.anyone.values() or other in self.anyone.values():
            return TRUE if one == other else FALSE
        return super().equal(one, other, positive)

    def emptied(self, clause: Sequence[int], literal: int) -> list[int]:
        """Generalise a clause about an arbitrary individual to all unnamed individuals.

        Where its literals that are not about the arbitrary individual fail, the regions where its other literals fail
        are empty. `literal`: the split that says that those regions are not empty. Raises CertificateError unless the
        clause is about the bits of one group, and the split about its regions.
        """
        places = {about: self.places[bit] for bit, about in self.arbitrary.items()}
        about = [each for each in clause if abs(each) in places]
        others = [each for each in clause if abs(each) not in places]
        groups = {places[abs(each)][0] for each in about}
        self.budget.spend(len(clause) * (1 << BITS) // 64)
        if len(groups) != 1 or any(abs(each) > self.settled for each in others):
            raise CertificateError("a part shows a clause that is not about the regions of one group")
        group = groups.pop()
        size = self.regions.sizes[group]
        failing = everything(size)
        for each in about:
            inside = place_table(places[abs(each)][1], size)
            failing &= ~inside if each > 0 else inside
        if self.regions.bounds.get(literal) != Bound(group, ((1, failing),), (), 1):
            raise CertificateError("a part is about other regions than its split")
        return [*others, -literal]


def _binds(node: Node) -> tuple[str, str]:
    """The variable and sort of a quantified formula."""
    variable, sort = node.core[2:4] if node.kind == "atleast" else node.core[1:3]
    return variable, sort
