"""Evaluates formulas in a batch of models at once: two bit sets for each, where it is true and where it is false.

The tables of the theory's `Projection` are read as bitwise operations, by the covers of `formula.trivalence`;
generalised quantifiers count (Barwise & Cooper 1981). A plane is computed once for each (subformula, world, values of
its free variables) and only if it is needed; if a formula cannot be undefined, one plane is the complement of the
other.

A bit set over a batch of models is a Python integer, a column: bit i says whether something holds in model i. Its
bitwise operations run over machine words as numpy's over `uint64` do: as fast up to some hundred thousand models, and a
fifth of the cost where a batch is a few thousand or less, which is where labels are decided (docs/decisions/012). So
there is one representation, and it needs no package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any, TypeAlias, cast

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula
from gramprobe.formula.measure import Nodes
from gramprobe.formula.theory import CONNECTIVES, STRONG, Connective, Operator, Projection
from gramprobe.formula.trivalence import cover


def repeated(pattern: int, width: int, times: int) -> int:
    """A pattern of `width` bits, `times` times one after the other."""
    bits, done = 0, 0
    while times:
        if times & 1:
            bits |= pattern << done
            done += width
        pattern |= pattern << width
        width *= 2
        times >>= 1
    return bits


def alternating(run: int, size: int) -> int:
    """`run` zeros, `run` ones, and so on, up to `size` bits (a multiple of `2 * run`)."""
    return repeated((1 << run) - 1 << run, 2 * run, size // (2 * run))


def spread(bits: Sequence[bool], run: int) -> int:
    """Every bit `run` times, the first lowest."""
    column, block = 0, (1 << run) - 1
    for at, bit in enumerate(bits):
        if bit:
            column |= block << at * run
    return column


def packed(bits: Sequence[bool]) -> int:
    """The column with one bit for each model, the first lowest."""
    return int(bytes(bits)[::-1].translate(_DIGITS), 2) if bits else 0


_DIGITS = bytes([48, 49]) + bytes([49]) * 254


def atleast(columns: Sequence[int], count: int, full: int) -> int:
    """The models in which at least `count` of the columns hold."""
    if count <= 0:
        return full
    if count > len(columns):
        return 0
    reached = [full] + [0] * count  # reached[k]: at least k of the columns so far
    for done, column in enumerate(columns, 1):
        for number in range(min(done, count), 0, -1):
            reached[number] |= reached[number - 1] & column
    return reached[count]


Fact: TypeAlias = tuple[str, int, tuple[int, ...]]
"""Predicate, world, members."""
Seer: TypeAlias = tuple[str, int | None]
"""An operator and its agent (None without an agent)."""


@dataclass(slots=True, kw_only=True)
class Batch:
    """A batch of models as columns: bit sets of the models in which something holds. World 0 is the actual world.

    Attributes:
        size: How many models there are.
        worlds: How many worlds every model has.
        domains: The members of each sort.
        bearers: For each name the individuals that it may denote, each with the column where it does.
        facts: The column of each atom; an atom without a column is false everywhere.
        arrows: `arrows[operator, agent][w][v]` is the column where w sees v.
    """

    size: int
    worlds: int
    domains: dict[str, range]
    bearers: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    facts: dict[Fact, int] = field(default_factory=dict)
    arrows: dict[Seer, list[list[int]]] = field(default_factory=dict)

    @property
    def full(self) -> int:
        """All models."""
        return (1 << self.size) - 1


@cache
def _covers(projection: Projection) -> dict[tuple[Connective, bool], tuple[tuple[str, str], ...]]:
    """For each connective and value (true, false) the cells that have it."""
    values = product(CONNECTIVES, (True, False))
    return {(each, wanted): cover(projection.table(each), "T" if wanted else "F") for each, wanted in values}


_TOTAL = _covers(STRONG)
"""Where both sides have a value all tables agree, and that of strong Kleene has the shortest covers."""


class Planes:
    """Evaluates formulas over one batch. Keep the formulas alive meanwhile: planes are cached by identity."""

    def __init__(
        self, batch: Batch, operators: Mapping[str, Operator], projection: Projection, nodes: Nodes | None = None
    ) -> None:
        self.batch, self.operators, self.projection = batch, operators, projection
        self.full, self._covers = batch.full, _covers(projection)
        self._bound: dict[str, int] = {}
        self._known: dict[tuple[Any, ...], int] = {}
        self._nodes = nodes or Nodes()
        self._names = {name: bearers[0][0] for name, bearers in batch.bearers.items() if len(bearers) == 1}

    def plane(self, formula: Formula, wanted: bool, world: int = 0) -> int:
        """The column of the models in which the formula is true (`wanted`), or false, at a world."""
        if isinstance(formula, ast.Not):
            return self.plane(formula.body, not wanted, world)
        if wanted and isinstance(formula, ast.Atom):
            return self._holds(formula, world)
        free, total = self._nodes.of(formula)
        bound = self._bound
        place = (id(formula), world, *[bound[name] for name in free])
        known = self._known
        plane = known.get((wanted, *place))
        if plane is None:
            if total and (other := known.get((not wanted, *place))) is not None:
                plane = self.full ^ other
            else:
                plane = _PLANES[type(formula)](self, formula, wanted, world, total)
            known[wanted, *place] = plane
        return plane

    def _total(self, formula: Formula) -> bool:
        return self._nodes.of(formula)[1]

    # atoms

    def denotations(self, term: Argument | None) -> list[tuple[int | None, int]]:
        """The individuals that a term may denote, each with its column; None for an operator without an agent."""
        if term is None:
            return [(None, self.full)]
        if isinstance(term, ast.Var):
            return [(self._bound[term.name], self.full)]
        assert isinstance(term, ast.Const)
        if (who := self._names.get(term.name)) is not None:
            return [(who, self.full)]
        return [*self.batch.bearers[term.name]]

    def truth(self, formula: ast.Truth, wanted: bool, world: int, total: bool) -> int:
        return self.full if formula.value == wanted else 0

    def atom(self, formula: ast.Atom, wanted: bool, world: int, total: bool) -> int:
        holds = self._holds(formula, world)
        return holds if wanted else self.full ^ holds

    def _holds(self, formula: ast.Atom, world: int) -> int:
        bound, names, facts = self._bound, self._names, self.batch.facts
        members: list[int] = []
        for term in formula.args:
            who = bound[term.name] if isinstance(term, ast.Var) else names.get(cast(ast.Const, term).name)
            if who is None:  # a name that denotes different individuals in different models
                return self._holds_of_some(formula, world)
            members.append(who)
        return facts.get((formula.predicate, world, tuple(members)), 0)

    def _holds_of_some(self, formula: ast.Atom, world: int) -> int:
        holds = 0
        for places in product(*map(self.denotations, formula.args)):
            members = tuple([who for who, _ in places if who is not None])
            there = self.batch.facts.get((formula.predicate, world, members), 0)
            for _, where in places:
                there &= where
            holds |= there
        return holds

    def equal(self, formula: ast.Equal, wanted: bool, world: int, total: bool) -> int:
        same = 0
        for (one, here), (other, there) in product(*map(self.denotations, (formula.left, formula.right))):
            if one == other:
                same |= here & there
        return same if wanted else self.full ^ same

    # connectives

    def conjunction(self, formula: ast.And, wanted: bool, world: int, total: bool) -> int:
        return self._connected(formula, "and", wanted, world)

    def disjunction(self, formula: ast.Or, wanted: bool, world: int, total: bool) -> int:
        return self._connected(formula, "or", wanted, world)

    def implication(self, formula: ast.Implies, wanted: bool, world: int, total: bool) -> int:
        return self._connected(formula, "implies", wanted, world)

    def _connected(self, formula: ast.Binary, connective: Connective, wanted: bool, world: int) -> int:
        """The union of the cells with the wanted value."""
        one, other = formula.left, formula.right
        covers = _TOTAL if self._total(one) and self._total(other) else self._covers
        column = 0
        for rows, columns in covers[connective, wanted]:
            here = self._where(one, rows, world)
            if here and columns != "TFU":
                here &= self._where(other, columns, world)
            column = column | here if column else here
        return column

    def _where(self, formula: Formula, values: str, world: int) -> int:
        """The column where a formula has one of some values."""
        match values:
            case "T":
                return self.plane(formula, True, world)
            case "F":
                return self.plane(formula, False, world)
            case "TU":
                return self.full ^ self.plane(formula, False, world)
            case "FU":
                return self.full ^ self.plane(formula, True, world)
            case "TFU":
                return self.full
        valued = self.plane(formula, True, world) | self.plane(formula, False, world)
        return valued if values == "TF" else self.full ^ valued

    def equivalence(self, formula: ast.Iff, wanted: bool, world: int, total: bool) -> int:
        true, other = self.plane(formula.left, True, world), self.plane(formula.right, True, world)
        if total:
            return self.full ^ true ^ other if wanted else true ^ other
        false, another = self.plane(formula.left, False, world), self.plane(formula.right, False, world)
        return true & other | false & another if wanted else true & another | false & other

    def presupposing(self, formula: ast.Presupposing, wanted: bool, world: int, total: bool) -> int:
        held = self.plane(formula.presupposition, True, world)
        return held and held & self.plane(formula.assertion, wanted, world)

    def here(self, formula: ast.Here, wanted: bool, world: int, total: bool) -> int:
        return self.plane(formula.body, wanted, 0)

    # modal operators

    def modal(self, formula: ast.Modal, wanted: bool, world: int, total: bool) -> int:
        """A single world where the body is false makes a box false; a single world where it is true, a diamond true."""
        full, body, settling = self.full, formula.body, self.operators[formula.operator].kind == "diamond"
        column = 0
        for agent, where in self.denotations(formula.agent):
            row = self.batch.arrows[formula.operator, agent][world]
            settled = self._somewhere(row, lambda v: self.plane(body, settling, v))
            if total:
                value = settled if wanted == settling else full ^ settled
            elif self.projection.modals == "some":
                value = settled
                if wanted != settling:
                    value = full ^ self._somewhere(row, lambda v: full ^ self.plane(body, not settling, v))
            else:
                gap = self._somewhere(row, lambda v: full ^ (self.plane(body, True, v) | self.plane(body, False, v)))
                value = (settled if wanted == settling else full ^ settled) & (full ^ gap)
            column |= value if where is full else value & where
        return column

    def _somewhere(self, row: Sequence[int], at: Callable[[int], int]) -> int:
        column = 0
        for other, seen in enumerate(row):
            if seen:
                here = seen & at(other)
                column = column | here if column else here
        return column

    # quantifiers

    def quantified(self, formula: ast.Quantified, wanted: bool, world: int, total: bool) -> int:
        outer = self._bound.get(formula.variable)
        column = (self._bivalent if total else self._trivalent)(formula, wanted, world)
        if outer is None:
            self._bound.pop(formula.variable, None)
        else:
            self._bound[formula.variable] = outer
        return column

    def _bivalent(self, formula: ast.Quantified, wanted: bool, world: int) -> int:
        """The column from cases alone, or counter-cases alone; only `most` compares them."""
        full, scope, quantifier = self.full, formula.scope, formula.quantifier
        columns: list[int] = []
        counters: list[int] = []
        for who in self.batch.domains[formula.sort]:
            self._bound[formula.variable] = who
            inside = self.plane(formula.restrictor, True, world)
            column = self.plane(scope, quantifier != "forall", world) if inside else 0
            columns.append(column if inside is full else inside & column)
            if quantifier == "most":
                counters.append(inside ^ columns[-1])
        if quantifier == "forall":
            return self._counted(formula, wanted, [], [], columns, columns)
        return self._counted(formula, wanted, columns, columns, counters, counters)

    def _trivalent(self, formula: ast.Quantified, wanted: bool, world: int) -> int:
        full, witnessed = self.full, self.projection.quantifiers == "some"
        cases: list[int] = []
        counters: list[int] = []
        may_be_cases: list[int] = []
        may_be_counters: list[int] = []
        restricted: list[int] = []
        gap = open_restrictor = 0
        for who in self.batch.domains[formula.sort]:
            self._bound[formula.variable] = who
            inside, outside = (self.plane(formula.restrictor, sign, world) for sign in (True, False))
            true, false = (self.plane(formula.scope, sign, world) for sign in (True, False))
            restricted.append(inside)
            cases.append(inside & true)
            counters.append(inside & false)
            open_restrictor |= full ^ (inside | outside)
            gap |= full ^ (outside | cases[-1] | counters[-1])
            may_be_cases.append(full ^ (outside | false))
            may_be_counters.append(full ^ (outside | true))
        if formula.quantifier == "the":
            single = atleast(restricted, 1, full) & (full ^ (open_restrictor | atleast(restricted, 2, full)))
            return single & _anywhere(cases if wanted else counters)
        if witnessed:
            return self._counted(formula, wanted, cases, may_be_cases, counters, may_be_counters)
        return self._counted(formula, wanted, cases, cases, counters, counters) & (full ^ gap)

    def _counted(
        self,
        formula: ast.Quantified,
        wanted: bool,
        cases: list[int],
        may_be_cases: list[int],
        counters: list[int],
        may_be_counters: list[int],
    ) -> int:
        """The column where the sure cases make it true; or where all possible cases leave it false."""
        full, count = self.full, formula.count

        def some(columns: list[int], number: int) -> int:
            return atleast(columns, number, full)

        def majority(ones: list[int], others: list[int]) -> int:  # ones > others: ones + (all - others) > all
            return some([*ones, *(full ^ other for other in others)], len(others) + 1)

        match formula.quantifier:
            case "forall":
                return full ^ _anywhere(may_be_counters) if wanted else _anywhere(counters)
            case "exists":
                return _anywhere(cases) if wanted else full ^ _anywhere(may_be_cases)
            case "most":
                return majority(cases, may_be_counters) if wanted else full ^ majority(may_be_cases, counters)
        assert isinstance(count, int)
        match formula.quantifier:
            case "atleast":
                return some(cases, count) if wanted else full ^ some(may_be_cases, count)
            case "atmost":
                return full ^ some(may_be_cases, count + 1) if wanted else some(cases, count + 1)
            case _:
                assert formula.quantifier == "exactly"
                if wanted:
                    return some(cases, count) & (full ^ some(may_be_cases, count + 1))
                return some(cases, count + 1) | (full ^ some(may_be_cases, count))


def _anywhere(columns: Sequence[int]) -> int:
    union = 0
    for column in columns:
        union = union | column if union else column
    return union


_PLANES = ast.Rules[Callable[[Planes, Any, bool, int, bool], int]]("planes", {
    ast.Truth: Planes.truth, ast.Atom: Planes.atom, ast.Equal: Planes.equal, ast.And: Planes.conjunction,
    ast.Or: Planes.disjunction, ast.Implies: Planes.implication, ast.Iff: Planes.equivalence,
    ast.Presupposing: Planes.presupposing, ast.Here: Planes.here, ast.Modal: Planes.modal,
    ast.Quantified: Planes.quantified,
})  # fmt: skip
