"""How many worlds, individuals and occasions a search covers.

The bound is a heuristic: for counting and witnessing quantifiers over different things it has as many individuals,
beside the named ones, as make each of them true or false. Without modal operators only one world can matter, without
quantifiers only the named individuals; these two are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula, Quantified
from gramprobe.formula.binding import substituted
from gramprobe.formula.measure import Nodes, modal_depth

LARGEST = 64
"""The most individuals, unless a single count or the names need more: nested quantifiers cost powers of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The largest size searched. A dimension that cannot matter is exact.

    Attributes:
        worlds: The most worlds.
        individuals: The most individuals.
        occasions: The most occasions.
        counts: Sizes that are tried on the way.
        modal: Whether the formulas have modal operators.
        quantified: Whether they quantify over individuals.
        names: How many names there are.
    """

    worlds: int
    individuals: int
    occasions: int
    counts: tuple[int, ...] = ()
    modal: bool = False
    quantified: bool = False
    names: int = 0

    @property
    def number(self) -> int:
        """The n of `bounded(n)`: n worlds and n individuals were searched (where they matter)."""
        sizes = [self.worlds] if self.modal else []
        sizes += [self.individuals] if self.quantified else []
        sizes += [self.occasions] if self.occasions else []
        return min(sizes, default=3)

    def steps(self) -> list[int]:
        """Growing sizes to try, the last the bound itself: a size limits worlds, individuals and occasions alike."""
        largest = max(self.worlds, self.individuals, self.occasions)
        return sorted({size for size in (1, 2, 3, *self.counts, largest) if size <= largest})


def bound_of(formulas: Sequence[Formula], postulates: Sequence[Formula], nodes: Nodes | None = None) -> Bound:
    """The bound for a question over some formulas under some postulates."""
    every = (*formulas, *postulates)
    mentioned = (nodes or Nodes()).symbols(every)
    wanted: dict[tuple[str, Formula], int] = {}
    quantified: set[str] = set()
    majorities: set[str] = set()
    counts: set[int] = set()
    for formula in every:
        universal = formula in postulates
        for node in _quantifiers(formula):
            quantified.add(node.sort)
            if node.quantifier == "most":
                majorities.add(node.sort)
            if isinstance(node.count, int):
                counts |= {node.count, node.count + 1}
            if universal and node.quantifier == "forall":
                continue
            key = (node.sort, substituted(_things(node), {node.variable: ast.Const("*")}))
            wanted[key] = max(wanted.get(key, 0), _weight(node))
    people = sum(count for (sort, _), count in wanted.items() if sort == "individual")
    times = sum(count for (sort, _), count in wanted.items() if sort == "occasion")
    if "individual" in majorities:
        people = 2 * people + 1  # n cases are no majority with n + 1 counter-cases
    if "occasion" in majorities:
        times = 2 * times + 1
    names = len(mentioned.constants)
    individuals = max(3, names + people) if "individual" in quantified else max(1, names)
    occasions = max(3, times) if "occasion" in quantified else 0
    ceiling = max(LARGEST, names + 2 + max(wanted.values(), default=0))
    worlds, modal = 1, bool(mentioned.operators)
    if modal:
        modals = {node for formula in formulas for node in ast.walk(formula) if isinstance(node, ast.Modal)}
        depth = max(map(modal_depth, every))
        worlds = max(3, depth + 2, min(5, len(modals) + 1))
    return Bound(
        worlds=worlds,
        individuals=min(individuals, ceiling),
        occasions=min(occasions, ceiling),
        counts=tuple(sorted(counts)),
        modal=modal,
        quantified="individual" in quantified,
        names=names,
    )


def _quantifiers(formula: Formula) -> Iterator[Quantified]:
    part: Argument
    for part in ast.walk(formula):
        if isinstance(part, Quantified):
            yield part


def _things(node: Quantified) -> Formula:
    """The formula whose cases a quantifier counts: quantifiers with the same formula can share their cases."""
    if node.quantifier == "the" or node.scope == ast.TRUE:
        return node.restrictor
    return node.scope if node.restrictor == ast.TRUE else ast.And(node.restrictor, node.scope)


def _weight(node: Quantified) -> int:
    """How many individuals of its kind a quantifier may need to come true, or to come false."""
    if isinstance(node.count, int):
        return node.count + (node.quantifier != "atleast")
    return 2 if node.quantifier == "the" else 1
