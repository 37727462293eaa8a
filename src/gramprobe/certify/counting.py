"""Quantifiers as bounds on counts: the clauses of a problem, and the regions in which individuals are counted.

A quantified formula at a world becomes a literal with a bound (`regions`): `most x. (R, S)` says
`|R & S| - |R & ~S| >= 1` (BAPA: Kuncak, Nguyen & Rinard 2006). The bits of the regions are what atoms, and
whole subformulas that cannot be taken apart, say of the counted individual at a world. Named individuals are
counted one by one, the others by region. Worlds stay terms (`ground`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from gramprobe.certify.classical import FALSE as NEVER
from gramprobe.certify.classical import TRUE as ALWAYS
from gramprobe.certify.classical import Core, Problem, conj, disj, neg
from gramprobe.certify.ground import ACTUAL, FALSE, TRUE, Environment, Grounding, Term
from gramprobe.certify.miniscope import miniscoped
from gramprobe.certify.nodes import Node
from gramprobe.certify.regions import BITS, Bound, Regions, everything, place_table, table
from gramprobe.certify.reject import Budget, CertificateError

RELATED = 8
"""The most bits of anyone that become one group because they may depend on each other."""
Weighted: TypeAlias = Sequence[tuple[int, Core]]


class Draft(NamedTuple):
    """A bound before its bits have places: sets are formulas over `("bit", number)`."""

    sort: str
    parts: tuple[tuple[int, Core], ...]
    named: tuple[tuple[int, int], ...]
    least: int


class Leaf(NamedTuple):
    """What a bit says: a formula with the counted variable free, at a world, in an environment."""

    sort: str
    node: Node
    variable: str
    world: int
    environment: Environment


class Counting(Grounding):
    """The clauses and bounds of a problem. `looking`: also of an arbitrary unnamed individual of each sort.

    `opaque_bits`: bits that are whole formulas, of which only `looking` knows more. Raises CertificateError for
    names that may denote one individual, for more bits than a group may have, and as `Grounding`.
    """

    def __init__(self, problem: Problem, depth: int, looking: bool, budget: Budget) -> None:
        self.looking = looking
        self.bits: dict[tuple[Any, ...], int] = {}
        self.leaves: list[Leaf] = []
        self.opaque_bits: list[int] = []
        self.drafts: dict[int, Draft] = {}
        self.anyone: dict[str, int] = {}
        self.said: dict[int, int] = {}  # bit -> what it says of anyone
        self._drafted: dict[Draft, int] = {}
        self._defined = 0
        self.settled = 0  # literals up to this one say nothing of anyone
        self.problem = miniscoped(problem, budget)
        super().__init__(self.problem, depth, budget, inferred=False)
        if len(self.constants) > 1 and not problem.distinct:
            raise CertificateError("names that may denote one individual cannot be counted")
        self.places: dict[int, tuple[int, int]] = {}  # bit -> its group, and its place there
        self.regions = self._regions()

    # quantifiers as bounds

    def quantified(self, node: Node, sign: bool, world: int, env: Environment) -> int:
        """A literal that is true only if the quantified formula (its negation) is true at the world."""
        kind = node.core[0]
        variable, sort = node.core[2:4] if kind == "atleast" else node.core[1:3]
        names = list(self.constants.values()) if sort == "individual" else []

        def named(body: Node, positive: bool) -> list[tuple[int, int]]:
            return [(1, self.literal(body, positive, world, {**env, variable: name})) for name in names]

        if kind == "most":
            restrictor, scope = node.parts
            both = self.nodes.node(("and", restrictor.core, scope.core))
            against = self.nodes.node(("and", restrictor.core, ("not", scope.core)))
            inside, outside = [self.region(each, variable, sort, world, env) for each in (both, against)]
            by = 1 if sign else -1
            counted = [*named(both, sign), *named(against, not sign)]
            return self.bound(sort, ((by, inside), (-by, outside)), counted, len(names) + sign)
        body = node.parts[0]
        inside = self.region(body, variable, sort, world, env)
        if kind == "atleast":
            count = node.core[1]
            least = count if sign else 1 - count + len(names)
            return self.bound(sort, ((1 if sign else -1, inside),), named(body, sign), least)
        literals = [literal for _, literal in named(body, sign)]
        if (kind == "all") is sign:
            exceptions = neg(inside) if sign else inside
            return self.conj([*literals, self.bound(sort, ((-1, exceptions),), (), 0)])
        return self.disj([*literals, self.bound(sort, ((1, inside if sign else neg(inside)),), (), 1)])

    def bound(self, sort: str, parts: Weighted, named: Sequence[tuple[int, int]], least: int) -> int:
        """A literal with a bound; one that can hold always, or never, by its form is a constant."""
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
                if any(term in self.constants.values() for term in terms):
                    return NEVER  # whom a name denotes is not unnamed
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
        """A formula or term with the counted variable and the terms of the others put in."""
        self.budget.spend()
        if core[0] == "var":
            return ("counted",) if core[1] == variable else ("term", env[core[1]]) if core[1] in env else core
        if core[0] == "const":
            return ("term", self.constants[core[1]])
        return tuple([self._pattern(part, variable, env) if type(part) is tuple else part for part in core])

    # an arbitrary unnamed individual

    def rest(self) -> None:
        """What the bits say of anyone, once all instances are made."""
        super().rest()
        while self.looking and self._defined < len(self.leaves):
            self._define(self._defined)
            self._defined += 1

    def _define(self, bit: int) -> None:
        self.settled = self.settled or self.top
        leaf = self.leaves[bit]
        if any(term in self.anyone.values() for term in leaf.environment.values()):
            return  # one is enough
        anyone = self.anyone.get(leaf.sort)
        if anyone is None:
            anyone = self.anyone[leaf.sort] = self.term(Term(leaf.sort, 0))
        env = {**leaf.environment, leaf.variable: anyone}
        if leaf.node.kind == "atom":
            self.said[bit] = self.literal(leaf.node, True, leaf.world, env)
            return
        literal, exists = self.fresh(), self.reach.worlds[leaf.world].exists
        self.said[bit] = literal
        self._jobs.append(((-literal, *exists), leaf.node, True, leaf.world, env))
        self._jobs.append(((literal, *exists), leaf.node, False, leaf.world, env))

    def equal(self, one: int, other: int, positive: bool) -> int:
        """Whether two terms denote one individual: different names do not, and anyone has no name."""
        return TRUE if one == other else FALSE

    # regions

    def _regions(self) -> Regions:
        """Bits that stand in one bound are of one group, and those that say something of anyone if they are few;
        every bound gets its truth tables.
        """
        group = list(range(len(self.leaves)))

        def first(bit: int) -> int:
            while group[bit] != bit:
                group[bit] = bit = group[group[bit]]
            return bit

        mentioned: dict[int, list[int]] = {}
        for literal, draft in self.drafts.items():
            found = mentioned[literal] = list(
                dict.fromkeys(bit for _, inside in draft.parts for bit in bits_of(inside))
            )
            self.budget.spend(len(found))
            for bit in found[1:]:
                group[first(bit)] = first(found[0])
        for sort in self.anyone:
            found = [bit for bit in self.said if self.leaves[bit].sort == sort]
            for bit in found[1:] if len(found) <= RELATED else ():
                group[first(bit)] = first(found[0])
        numbers: dict[int | str, int] = {}
        sorts: list[str] = []
        sizes: list[int] = []

        def number_of(key: int | str, sort: str) -> int:
            if key not in numbers:
                numbers[key] = len(sorts)
                sorts.append(sort)
                sizes.append(0)
            return numbers[key]

        for bit, leaf in enumerate(self.leaves):
            number = number_of(first(bit), leaf.sort)
            self.places[bit] = number, sizes[number]
            sizes[number] += 1
        if max(sizes, default=0) > BITS:
            raise CertificateError(f"more than {BITS} properties of one individual to be counted together")
        bounds: dict[int, Bound] = {}
        for literal, draft in self.drafts.items():
            bits = mentioned[literal]
            number = self.places[bits[0]][0] if bits else number_of(draft.sort, draft.sort)
            local = {bit: self.places[bit][1] for bit in bits}
            parts = [(by, table(inside, local, sizes[number], self.budget)) for by, inside in draft.parts]
            bounds[literal] = Bound(number, tuple(parts), draft.named, draft.least)
        for sort in dict.fromkeys(draft.sort for draft in self.drafts.values()):
            if sort not in sorts:
                number_of(sort, sort)
        unnamed = {sort: sort != "individual" or not self.constants for sort in sorts}
        return Regions(bounds, sorts, sizes, unnamed)

    def emptied(self, clause: Sequence[int], literal: int) -> list[int]:
        """What a clause that holds of anyone says of all: where those of its literals that are not about anyone
        fail, the regions where the others fail are empty. `literal`: the split that says they are not.

        Raises CertificateError unless the clause is about the bits of one group, and the split about its regions.
        """
        places = {said: self.places[bit] for bit, said in self.said.items()}
        about = [each for each in clause if abs(each) in places]
        others = [each for each in clause if abs(each) not in places]
        groups = {places[abs(each)][0] for each in about}
        self.budget.spend(len(clause) * (1 << BITS) // 64)
        if len(groups) != 1 or any(abs(each) > self.settled for each in others):
            raise CertificateError("a part shows what is not about the regions of one group")
        group = groups.pop()
        size = self.regions.sizes[group]
        failing = everything(size)
        for each in about:
            inside = place_table(places[abs(each)][1], size)
            failing &= ~inside if each > 0 else inside
        if self.regions.bounds.get(literal) != Bound(group, ((1, failing),), (), 1):
            raise CertificateError("a part is about other regions than its split")
        return [*others, -literal]


def bits_of(formula: Core) -> list[int]:
    """The bits in a boolean formula, with repetitions."""
    if formula[0] == "bit":
        return [formula[1]]
    return [bit for part in formula[1:] for bit in bits_of(part)]
