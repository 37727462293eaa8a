"""Spreads unnamed individuals over the regions so that the bounds in force hold: a count for each region, or a lemma
that forbids this combination of bounds.

Regions with the same coefficients in all bounds are one column of the linear program. Groups of the same sort have the
same total. A fractional count needs a *split*: a literal that is true if a set of regions has at least n members and
false if it has at most n - 1 (branch and bound: Land & Doig 1960).

The program is solved exactly, over the non-negative rationals: a smallest solution, or multipliers that refute. Dual
simplex on a dictionary of integers over one common denominator (integer pivoting: Edmonds 1967; Avis 2000), with the
lexicographically first pivot among ties (Bland 1977). Lemma of Farkas (1902): a system `A x >= b, x >= 0` has no
solution iff non-negative multipliers of its rows add up to `a x >= c` with every coefficient of `a` at most 0 and `c`
above 0. An infeasible row of the dictionary is such a sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd
from typing import TypeAlias

from msgspec import Struct

from gramprobe.certify.regions import Bound, Regions, cells, free
from gramprobe.certify.reject import Budget


class Solution(Struct, frozen=True):
    """A solution with the smallest sum, one value for each column."""

    values: tuple[Fraction, ...]


class Refutation(Struct, frozen=True):
    """A non-negative whole multiplier for each row, not all zero; the rows with positive multipliers contradict each
    other.
    """

    multipliers: tuple[int, ...]


def solve(rows: Sequence[Sequence[int]], least: Sequence[int], columns: int) -> Solution | Refutation:
    """Solve `sum(rows[i][j] * x[j]) >= least[i]` over `x >= 0`, minimising the sum of `x`.

    `rows`: for each row a list of `columns` whole coefficients. The costs are all 1, so that the start (everything
    nonbasic) is dual feasible and no first phase is needed.
    """
    count = len(rows)
    # basic variable i = (table[i][-1] + sum table[i][j] * nonbasic j) / scale; variables: columns, then slacks
    table = [[*row, -bound] for row, bound in zip(rows, least, strict=True)]
    cost = [1] * columns + [0]
    basic = list(range(columns, columns + count))
    nonbasic = list(range(columns))
    scale = 1
    while True:
        leaving = min((i for i in range(count) if table[i][-1] < 0), key=basic.__getitem__, default=None)
        if leaving is None:
            values = [Fraction(0)] * (columns + count)
            for i, variable in enumerate(basic):
                values[variable] = Fraction(table[i][-1], scale)
            return Solution(tuple(values[:columns]))
        row = table[leaving]
        entering = -1
        for j in range(columns):
            if row[j] > 0 and (entering < 0 or _before(cost[j], row[j], nonbasic[j], cost, row, nonbasic, entering)):
                entering = j
        if entering < 0:
            return _refutation(row, basic[leaving], nonbasic, columns, count, scale)
        scale = _pivot(table, cost, leaving, entering, scale)
        basic[leaving], nonbasic[entering] = nonbasic[entering], basic[leaving]


def _before(c: int, a: int, name: int, cost: list[int], row: list[int], names: list[int], other: int) -> bool:
    """Whether a column's ratio of cost to coefficient is smaller than that of column `other`; of two equal ratios, that
    of the first variable counts as smaller.
    """
    one, two = c * row[other], cost[other] * a
    return one < two or (one == two and name < names[other])


def _pivot(table: list[list[int]], cost: list[int], leaving: int, entering: int, scale: int) -> int:
    """Exchange a basic and a nonbasic variable in place; returns the new denominator."""
    pivot_row = table[leaving]
    pivot = pivot_row[entering]  # positive, as the dual simplex chooses it
    for row in (*table, cost):
        if row is pivot_row:
            continue
        factor = row[entering]
        if factor:
            for j, entry in enumerate(pivot_row):
                row[j] = (row[j] * pivot - factor * entry) // scale
            row[entering] = factor
        elif pivot != scale:
            for j, entry in enumerate(row):
                row[j] = entry * pivot // scale
    for j, entry in enumerate(pivot_row):
        pivot_row[j] = -entry
    pivot_row[entering] = scale
    return pivot


def _refutation(row: list[int], variable: int, nonbasic: list[int], columns: int, count: int, scale: int) -> Refutation:
    multipliers = [0] * count
    for j, name in enumerate(nonbasic):
        if name >= columns:
            multipliers[name - columns] = -row[j]
    if variable >= columns:
        multipliers[variable - columns] = scale
    common = gcd(*multipliers)
    return Refutation(tuple(each // common for each in multipliers))


Counts: TypeAlias = list[list[tuple[int, int]]]
"""For each group: (set of regions, number of unnamed individuals in one of these regions) pairs."""


class Lemma(Struct, frozen=True):
    """A clause and the multipliers that show it, as `Regions.lemma` takes them."""

    clause: tuple[int, ...]
    multipliers: tuple[tuple[int, int], ...]


class Split(Struct, frozen=True):
    """A set of regions of a group, to be compared with a number of members."""

    group: int
    inside: int
    least: int


class Spreader:
    """Spreads individuals over the regions of one system; call `forget` after every split.

    Raises CertificateError when the budget is spent.
    """

    def __init__(self, regions: Regions, budget: Budget) -> None:
        self.regions, self.budget = regions, budget
        self.columns: dict[int, list[int]] = {}
        self.rows: dict[int, list[int]] = {}

    def forget(self) -> None:
        """Forget the columns: a new bound may separate regions that had the same coefficients."""
        self.columns.clear()
        self.rows.clear()

    def spread(self, holding: set[int]) -> Counts | Lemma | Split:
        """The counts if there are any, else a lemma, or a split for a fractional count.

        `holding`: the variables that are true; all others are false.
        """
        regions = self.regions
        active = [literal for literal in regions.bounds if _is_true(literal, holding)]
        by_group: dict[int, list[int]] = {}
        for number, literal in enumerate(active):
            by_group.setdefault(regions.bounds[literal].group, []).append(number)
        for sort, some in regions.unnamed.items():
            if some and all(regions.sorts[group] != sort for group in by_group) and sort in regions.sorts:
                by_group[regions.sorts.index(sort)] = []
        matrix: list[list[int]] = [[] for _ in active]
        least = [self.wanting(regions.bounds[literal], holding) for literal in active]
        places: list[tuple[int, int]] = []  # of each column: its group and its regions
        first: dict[str, tuple[int, int]] = {}
        coupling: list[tuple[tuple[int, int], tuple[int, int] | None]] = []
        for group, numbers in by_group.items():
            start = len(places)
            for vector, inside in self.merged(group, [active[number] for number in numbers]):
                for number, coefficient in zip(numbers, vector, strict=True):
                    row = matrix[number]
                    row.extend([0] * (len(places) - len(row)))
                    row.append(coefficient)
                places.append((group, inside))
            here, sort = (start, len(places)), regions.sorts[group]
            if sort in first:
                coupling += [(here, first[sort]), (first[sort], here)]
            else:
                first[sort] = here
                if regions.unnamed[sort]:
                    coupling.append((here, None))
        width = len(places)
        for row in matrix:
            row.extend([0] * (width - len(row)))
        for more, fewer in coupling:  # as many in these columns as in those, or at least one
            row = [0] * width
            row[more[0] : more[1]] = [1] * (more[1] - more[0])
            if fewer is not None:
                row[fewer[0] : fewer[1]] = [-1] * (fewer[1] - fewer[0])
            matrix.append(row)
            least.append(0 if fewer else 1)
        self.budget.spend(1 + len(matrix) * width)
        answer = solve(matrix, least, width)
        if isinstance(answer, Refutation):
            return self.lemma({on: by for on, by in zip(active, answer.multipliers, strict=False) if by}, holding)
        counts: Counts = [[] for _ in regions.sorts]
        for (group, inside), value in zip(places, answer.values, strict=True):
            if value.denominator != 1:
                return Split(group, inside, value.__ceil__())
            if value:
                counts[group].append((inside, int(value)))
        return counts

    @staticmethod
    def wanting(bound: Bound, holding: set[int]) -> int:
        """The least sum that the unnamed individuals must contribute to a bound."""
        return bound.least - sum(weight for weight, literal in bound.named if _is_true(literal, holding))

    def merged(self, group: int, literals: Sequence[int]) -> Iterable[tuple[tuple[int, ...], int]]:
        """The different vectors of coefficients in some bounds, each with the set of regions that have it."""
        columns = self.columns.get(group)
        if columns is None:
            sets = dict.fromkeys(
                inside for bound in self.regions.bounds.values() if bound.group == group for _, inside in bound.parts
            )
            weighted = ((1 << number, inside) for number, inside in enumerate(sets))
            columns = self.columns[group] = list(cells(weighted, self.regions.sizes[group], self.budget).values())
        merged: dict[tuple[int, ...], int] = {}
        vectors = [self.row(literal, columns) for literal in literals]
        for number, inside in enumerate(columns):
            vector = tuple([row[number] for row in vectors])
            merged[vector] = merged.get(vector, 0) | inside
        return merged.items()

    def row(self, literal: int, columns: Sequence[int]) -> list[int]:
        """The coefficients of a bound in the columns of its group."""
        known = self.rows.get(literal)
        if known is None:
            parts = self.regions.bounds[literal].parts
            known = [sum(by for by, inside in parts if inside & column) for column in columns]
            self.rows[literal] = known
        return known

    def lemma(self, multipliers: dict[int, int], holding: set[int]) -> Lemma:
        """The clause that forbids these bounds together, with as few named literals as their sum needs."""
        weighted: dict[int, list[tuple[int, int]]] = {}
        named: dict[int, int] = {}
        least = 0
        for literal, multiplier in multipliers.items():
            bound = self.regions.bounds[literal]
            weighted.setdefault(bound.group, []).extend((multiplier * by, inside) for by, inside in bound.parts)
            for weight, other in bound.named:
                named[other] = named.get(other, 0) + multiplier * weight
            least += multiplier * bound.least
        most = self.regions.at_most(weighted, self.budget)
        assumed = {literal if _is_true(literal, holding) else -literal for literal in named} | set(multipliers)
        for literal in sorted(assumed - set(multipliers), key=lambda each: (named.get(-each, 0), each)):
            if most + free(named, assumed - {literal}) < least:
                assumed.remove(literal)
        clause = sorted(-literal for literal in assumed)
        return Lemma(tuple(clause), tuple(sorted(multipliers.items())))


def _is_true(literal: int, holding: set[int]) -> bool:
    return literal in holding if literal > 0 else -literal not in holding
