"""Exact linear feasibility over the non-negative rationals: a smallest solution, or multipliers that refute.

Dual simplex on a dictionary of integers over one common denominator (integer pivoting: Edmonds 1967; Avis
2000), with the lexicographically first pivot among ties (Bland 1977). Lemma of Farkas (1902): a system
`A x >= b, x >= 0` has no solution iff non-negative multipliers of its rows add up to `a x >= c` with every
coefficient of `a` at most 0 and `c` above 0. An infeasible row of the dictionary is such a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution with the smallest sum, one value for each column."""

    values: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Refutation:
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
