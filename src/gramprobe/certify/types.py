"""Replays type eliminations: no pointed model has the goals of a propositional modal problem (Pratt 1979; Blackburn, de
Rijke & Venema 2001, ch. 6).

A proof names some formulas, its *bits*. A *type* says which of them are true: type i has bit j where `i >> j & 1`.
A *table* is a set of types, a number whose i-th binary digit is 1 where type i is in. No world of a model has a type
that an axiom or a reflexive frame excludes; a *kill* shows that other types have no world either. If P and Q hold at a
world, some world in view has different values for F and G; and if X holds at the world, Y holds at all worlds in view
(`views` has the conditions). If no type that is left can be such a world in view, the types with P, Q and X are killed.
The proof is complete when no type with the goals is left. A quantified formula is a bit too, of which only the
instances for names are used.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any

from gramprobe.certify.classical import FALSE, TRUE, Core, Problem, consequences, related
from gramprobe.certify.reject import Budget, CertificateError
from gramprobe.certify.views import Box, Demand, Key, Table, Transfer, Views, by_sets

MAX_BITS = 20
"""The most bits of a proof: a table over n bits has 2 ** n digits."""
MAX_DEPTH = 200
REMEMBERED = 1024
"""How many formulas the caches of bits and of names hold."""
PROBLEMS = 64
"""Of how many problems names and relations are remembered: a few are asked at a time, each of them several times."""
QUANTIFIERS = ("all", "some", "atleast", "most")
PARTS = {
    "true": "", "false": "", "not": "f", "here": "f", "and": "ff", "or": "ff", "equal": "tt", "box": "saf",
    "neighbourhood": "saf", "all": "ssf", "some": "ssf", "atleast": "nssf", "most": "ssff", "var": "s", "const": "s",
}  # fmt: skip
"""What a formula has after its head: s a string, n a number, t a term, a an agent (a term or nothing), f a formula."""


def check(problem: Problem, proof: Mapping[str, Any], budget: Budget) -> None:
    """Replay `{"bits": [formula...], "kills": [[view, demand, [transfer...]]...]}`, the numbers being those of `Space`.

    Raises CertificateError unless the kills refute the problem.
    """
    bits, kills = proof.get("bits"), proof.get("kills")
    if set(proof) != {"kind", "bits", "kills"}:
        raise CertificateError("a type elimination has bits and kills, and no other field")
    if not isinstance(bits, list) or not isinstance(kills, list) or len(bits) > MAX_BITS:
        raise CertificateError(f"a type elimination has kills and at most {MAX_BITS} bits")
    try:
        space = Space(problem, [_bit(bit, budget) for bit in bits], budget)
        alive, goals = space.local, space.goals(problem)
    except RecursionError:
        raise CertificateError("a formula nested too deep") from None
    for kill in kills:
        if not isinstance(kill, list) or len(kill) != 3 or not isinstance(kill[2], list):
            raise CertificateError("a kill has a view, a demand and transfers")
        transfers, demands = space.views[_number(kill[0], space.views)]
        p, q, f, g = demands[_number(kill[1], demands)]
        killed, seen = alive & p & q, alive & (f ^ g)
        budget.spend(space.cost * (1 + len(kill[2])))
        for number in kill[2]:
            x, y = transfers[_number(number, transfers)]
            killed, seen = killed & x, seen & y
        if seen or not killed:
            raise CertificateError("a kill of types that may have the world they demand, or of no type")
        alive ^= killed
    if alive & goals:
        raise CertificateError("a type with all goals is left")


class Unsaid(CertificateError):
    """The bits do not determine whether a formula is true."""


class Space:
    """The types over some bits, and the conditions that the frames of a problem put on them.

    `local`: the types that neither an axiom nor a reflexive frame excludes. `views`: transfers and demands, of each
    relation in the order of `boxes`, then of all worlds. Raises CertificateError for bits that do not determine the
    bodies of the operators among them, or cannot be bits.
    """

    def __init__(self, problem: Problem, bits: list[Core], budget: Budget) -> None:
        if len(set(bits)) < len(bits):
            raise CertificateError("a bit stands twice")
        self.operators, self.distinct, self.budget = problem.operators, problem.distinct, budget
        self.cost = 1 + (1 << len(bits) >> 12)
        self.every: Table = (1 << (1 << len(bits))) - 1
        self.columns = {bit: column(number, len(bits)) for number, bit in enumerate(bits)}
        self.boxes: dict[Key, list[Box]] = {key: [] for key in keys(problem)}
        self.heres: list[tuple[Table, Table]] = []
        self.rigid: list[Transfer] = []
        for bit, own in self.columns.items():
            self._enter(bit, own)
        self.local = self.every
        self._assume(problem)
        views = Views(self.operators, self.boxes, self.every, self.negated)
        self.views: list[tuple[list[Transfer], list[Demand]]] = []
        for key in views.relations:
            transfers = [*self.rigid, *dict.fromkeys(views.transfers(key))]
            if "reflexive" in consequences(self.operators[key[0]]):
                for x, y in transfers:
                    self.local &= self.negated(x) | y
            self.views.append((transfers, list(views.demands(key))))
        self.views.append((self.rigid, list(views.of_sets())))

    def truth(self, formula: Core) -> Table:
        """The types in which a formula is true; raises Unsaid."""
        self.budget.spend(self.cost)
        head = formula[0]
        if head == "not":
            return self.every ^ self.truth(formula[1])
        if head == "and":
            return self.truth(formula[1]) & self.truth(formula[2])
        if head == "or":
            return self.truth(formula[1]) | self.truth(formula[2])
        bit = named(formula, self.distinct)
        if bit in (TRUE, FALSE):
            return self.every if bit == TRUE else 0
        table = self.columns.get(bit)
        if table is None:
            raise Unsaid(f"a formula without a bit: {head}")
        return table

    def goals(self, problem: Problem) -> Table:
        """The types of an actual world with the goals of `problem` (of the theory that the types are for): none if one
        of them is false by its form, whatever the bits say of the others."""
        if FALSE in problem.goals:
            return 0
        table = self.every
        for goal in problem.goals:
            table &= self.truth(goal)
        for here, body in self.heres:
            table &= self.negated(here ^ body)
        return table

    def negated(self, table: Table) -> Table:
        """The types that are not in a table."""
        self.budget.spend(self.cost)
        return self.every ^ table

    def _assume(self, problem: Problem) -> None:
        """Keep the types that the axioms allow, and the instances of quantified bits for names.

        Axioms and instances whose truth the bits do not determine are left out.
        """
        names = constants(problem)
        for axiom in problem.axioms:
            for each in instances(axiom, names, self.budget):
                with suppress(Unsaid):
                    self.local &= self.truth(each)
        for bit, own in self.columns.items():
            if bit[0] in ("all", "some") and bit[2] == "individual":
                for name in names:
                    with suppress(Unsaid):
                        instance = self.truth(substituted(bit[3], bit[1], ("const", name), self.budget))
                        self.local &= self.negated(own) | instance if bit[0] == "all" else own | self.negated(instance)

    def _enter(self, bit: Core, own: Table) -> None:
        kind = bit[0]
        if kind in ("box", "neighbourhood"):
            boxes = self.boxes.get((bit[1], bit[2]))
            if boxes is None or by_sets(self.operators[bit[1]]) != (kind == "neighbourhood"):
                raise CertificateError(f"{bit[1]} with this agent is nowhere in the problem")
            body = self.truth(bit[3])
            boxes.append(Box(own, self.negated(own), body, self.negated(body)))
        elif kind == "here":
            self.heres.append((own, self.truth(bit[1])))
        elif kind not in ("atom", "equal", *QUANTIFIERS):
            raise CertificateError(f"{kind} is no bit")
        if kind in ("here", "equal"):
            self.rigid += [(own, own), (self.negated(own), self.negated(own))]


@cache
def column(number: int, bits: int) -> Table:
    """The types with the bit of this number, among the types over so many bits."""
    table, width = ((1 << (1 << number)) - 1) << (1 << number), 2 << number
    while width < 1 << bits:
        table, width = table | table << width, 2 * width
    return table


@lru_cache(PROBLEMS)
def mentioned(problem: Problem) -> frozenset[Key]:
    """Operator and agent of every modal outside quantifiers."""
    modals: set[Key] = set()
    rest = [*problem.goals, *problem.axioms]
    for formula in rest:
        head = formula[0]
        if head in ("not", "and", "or", "here"):
            rest += formula[1:]
        elif head in ("box", "neighbourhood"):
            modals.add((formula[1], formula[2]))
            rest.append(formula[3])
    return frozenset(modals)


def keys(problem: Problem) -> list[Key]:
    """The relations that a model must have, sorted: those mentioned and those that the theory relates to them."""
    needed = list(mentioned(problem))
    for operator, agent in needed:
        for name in related(problem.operators, operator):
            if (name, agent) not in needed:
                needed.append((name, agent))
    return sorted(needed, key=lambda key: (key[0], key[1] or ()))


@lru_cache(PROBLEMS)
def constants(problem: Problem) -> tuple[str, ...]:
    """The names in a problem, in the order in which they occur; without any, "" as a name for some individual."""
    names = dict.fromkeys(name for formula in (*problem.goals, *problem.axioms) for name in _names(formula))
    return tuple(names) or ("",)


@lru_cache(REMEMBERED)
def _names(formula: Core) -> tuple[str, ...]:
    names: dict[str, None] = {}
    rest: list[Any] = [formula]
    for part in rest:
        if part[0] == "const":
            names[part[1]] = None
        rest += [each for each in part[1:] if type(each) is tuple]
    return tuple(names)


def instances(axiom: Core, names: Sequence[str], budget: Budget) -> Iterator[Core]:
    """Formulas that hold everywhere if the axiom does: itself, its conjuncts, its instances for names."""
    yield axiom
    if axiom[0] == "and":
        yield from instances(axiom[1], names, budget)
        yield from instances(axiom[2], names, budget)
    if axiom[0] == "all" and axiom[2] == "individual":
        for name in names:
            yield from instances(substituted(axiom[3], axiom[1], ("const", name), budget), names, budget)


def substituted(formula: Core, variable: str, term: Core, budget: Budget) -> Core:
    """The formula with a name in place of a free variable."""
    budget.spend()
    if formula == ("var", variable):
        return term
    if formula[0] in QUANTIFIERS and formula[2 if formula[0] == "atleast" else 1] == variable:
        return formula
    parts = [substituted(part, variable, term, budget) if type(part) is tuple else part for part in formula[1:]]
    return (formula[0], *parts)


def named(formula: Core, distinct: bool) -> Core:
    """The bit that stands for a formula: equalities folded and sorted, bound variables numbered by their depth."""
    if formula[0] == "equal":
        one, other = sorted(formula[1:])
        return TRUE if one == other else FALSE if distinct else ("equal", one, other)
    return _variant(formula) if formula[0] in QUANTIFIERS else formula


@lru_cache(REMEMBERED)
def _variant(formula: Core) -> Core:
    return _numbered(formula, {})


def _numbered(formula: Core, bound: Mapping[str, str]) -> Core:
    if formula[0] == "var":
        return ("var", bound.get(formula[1], formula[1]))
    if formula[0] in QUANTIFIERS:
        at = 2 if formula[0] == "atleast" else 1
        number = str(len(bound))
        bound = {**bound, formula[at]: number}
        formula = (*formula[:at], number, *formula[at + 1 :])
    return tuple([_numbered(part, bound) if type(part) is tuple else part for part in formula])


def _bit(data: Any, budget: Budget) -> Core:
    bit, steps = _remembered(marshal.dumps(data, 0))  # version 0: by value alone
    budget.spend(steps)
    return bit


@lru_cache(REMEMBERED)  # the bits of one proof are parts of each other, and stand in many proofs
def _remembered(data: bytes) -> tuple[Core, int]:
    """The formula of a bit, and the steps that reading it took."""
    budget = Budget()
    return core(marshal.loads(data), budget), budget.spent


def core(data: Any, budget: Budget, wanted: str = "f", depth: int = 0) -> Any:
    """A formula (or a part of another kind: `wanted` as in `PARTS`) from JSON data. CertificateError for other data."""
    budget.spend()
    if isinstance(data, str):
        if wanted == "s":
            return data
    elif isinstance(data, list):
        if wanted in "taf" and data and isinstance(data[0], str) and depth < MAX_DEPTH:
            head, *rest = data
            parts = "s" + "t" * (len(rest) - 1) if head == "atom" else PARTS.get(head)
            if parts is not None and len(parts) == len(rest) and (head in ("var", "const")) == (wanted in "ta"):
                depth += 1
                return (head, *[core(part, budget, part_of, depth) for part, part_of in zip(rest, parts, strict=True)])
    elif (wanted == "a" and data is None) or (wanted == "n" and type(data) is int and 0 < data < 1_000_000):
        return data
    raise CertificateError("no formula, or one nested too deep")


def _number(value: Any, among: list[Any]) -> int:
    if type(value) is not int or not 0 <= value < len(among):
        raise CertificateError("no number of a view, demand or transfer")
    return value
