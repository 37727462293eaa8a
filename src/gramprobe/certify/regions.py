"""Counting by Venn regions (Kuncak, Nguyen & Rinard 2006): sizes of sets as sums over regions, and lemmas on them.

Unnamed individuals are counted by *regions*: a region is one assignment to the *bits* (properties) of a
*group*; groups of one sort share nothing but the number of individuals. A set of regions is a truth table, one
integer of 2 ** bits bits. A literal may have a *bound*: while it is true, `sum coefficient * |set| + sum weight
* [literal] >= least`.

A *lemma* is a clause: no model makes all its literals false. It is shown by multipliers of the bounds that
hold where it fails (Farkas 1902): their sum, however the individuals are spread over the regions, stays too
small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gramprobe.certify.classical import Core
from gramprobe.certify.reject import Budget, CertificateError

BITS = 12
"""The most bits a group may have."""
LARGEST = 1 << 64
"""No multiplier is larger: a bound on the arithmetic, not on what can be shown."""


@dataclass(frozen=True, slots=True)
class Bound:
    """While its literal is true: the sum of `coefficient * |set|` over `parts`, unnamed individuals of a group
    only, and of `weight * [literal]` (0 or 1) over `named`, is at least `least`. Sets are truth tables, weights
    positive.
    """

    group: int
    parts: tuple[tuple[int, int], ...]
    named: tuple[tuple[int, int], ...]
    least: int


def table(formula: Core, places: Mapping[int, int], size: int, budget: Budget) -> int:
    """The regions of a group of `size` bits where a boolean formula over `("bit", number)` is true.

    `places`: bit number -> its place in the group. Region r has the bit at place i iff `r >> i & 1`.
    """
    budget.spend(1 + (1 << size) // 64)
    match formula[0]:
        case "true":
            return everything(size)
        case "false":
            return 0
        case "bit":
            return place_table(places[formula[1]], size)
        case "not":
            return everything(size) ^ table(formula[1], places, size, budget)
        case "and":
            return table(formula[1], places, size, budget) & table(formula[2], places, size, budget)
        case _:
            return table(formula[1], places, size, budget) | table(formula[2], places, size, budget)


def place_table(place: int, size: int) -> int:
    """The regions of a group of `size` bits that have the bit at a place."""
    run = 1 << place  # regions without it and with it come in blocks of this length
    return everything(size) // ((1 << run) + 1) << run


def everything(size: int) -> int:
    """All regions of a group of `size` bits."""
    return (1 << (1 << size)) - 1


def cells(weighted: Iterable[tuple[int, int]], size: int, budget: Budget) -> dict[int, int]:
    """Sum up, for each region of a group of `size` bits, the weights of the sets that it is in.

    `weighted`: (weight, set) pairs. Returns for each sum the set of regions with that sum.
    """
    totals = {0: everything(size)}
    for weight, inside in weighted:
        split: dict[int, int] = {}
        for total, cell in totals.items():
            budget.spend(1 + cell.bit_length() // 64)
            for amount, part in ((total + weight, cell & inside), (total, cell & ~inside)):
                if part:
                    split[amount] = split.get(amount, 0) | part
        totals = split
    return totals


@dataclass(slots=True)
class Regions:
    """The bounds on counts, and the groups that they are about.

    Attributes:
        bounds: By literal.
        sorts: The sort of each group.
        sizes: The number of bits of each group.
        unnamed: For each sort whether an unnamed individual must exist, because there are no names.
    """

    bounds: dict[int, Bound]
    sorts: list[str]
    sizes: list[int]
    unnamed: dict[str, bool]

    def split(self, literal: int, group: int, inside: int, least: int) -> None:
        """Let a new literal say that a set of regions has at least `least` members; its negation, that it has fewer."""
        self.bounds[literal] = Bound(group, ((1, inside),), (), least)
        self.bounds[-literal] = Bound(group, ((-1, inside),), (), 1 - least)

    def lemma(self, clause: Sequence[int], multipliers: Sequence[tuple[int, int]], budget: Budget) -> None:
        """Check a clause by `multipliers`, (literal with a bound, positive number) pairs.

        Raises CertificateError unless the clause holds in every model.
        """
        assumed = {-literal for literal in clause}
        weighted: dict[int, list[tuple[int, int]]] = {}
        named: dict[int, int] = {}
        least = 0
        for literal, multiplier in multipliers:
            if literal not in assumed or literal not in self.bounds or not 0 < multiplier < LARGEST:
                raise CertificateError("a lemma uses what its clause does not deny")
            bound = self.bounds[literal]
            budget.spend(1 + len(bound.named))
            weighted.setdefault(bound.group, []).extend((multiplier * by, inside) for by, inside in bound.parts)
            for weight, other in bound.named:
                named[other] = named.get(other, 0) + multiplier * weight
            least += multiplier * bound.least
        if self.at_most(weighted, budget) + free(named, assumed) >= least:
            raise CertificateError("a lemma's multipliers do not refute what its clause denies")

    def at_most(self, weighted: Mapping[int, Sequence[tuple[int, int]]], budget: Budget) -> int:
        """The most that the unnamed individuals can add; CertificateError if that is unbounded.

        Groups of the same sort partition the same n individuals, which add most if all are in the cell of each group
        with the largest coefficient: together n times the sum of these coefficients.
        """
        largest = dict.fromkeys(self.unnamed, 0)
        for group, parts in weighted.items():
            largest[self.sorts[group]] += max(cells(parts, self.sizes[group], budget))
        if any(each > 0 for each in largest.values()):
            raise CertificateError("a lemma's multipliers leave a region with a positive coefficient")
        return sum(each for sort, each in largest.items() if self.unnamed[sort])


def free(named: Mapping[int, int], assumed: set[int]) -> int:
    """The most that the named individuals can add where the assumed literals are true."""
    total = 0
    for variable in {abs(literal) for literal in named}:
        on = 0 if -variable in assumed else named.get(variable, 0)
        off = 0 if variable in assumed else named.get(-variable, 0)
        total += max(on, off)
    return total
