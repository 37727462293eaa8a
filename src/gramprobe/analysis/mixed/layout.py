"""Which column of the design stands where: the order of random effects and of variance parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Term:
    """A random term ``(columns | factor)``: the effects of one level are correlated with one another."""

    factor: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        first, *rest = (c if c != "(Intercept)" else "1" for c in self.columns)
        slopes = [first, *rest] if first == "1" else ["0", first, *rest]
        return f"({' + '.join(slopes)} | {self.factor})"


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """A grouping factor, its levels, and the columns of all its terms; each level has an effect of each column."""

    factor: str
    levels: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Layout:
    """The random effects (by grouping factor, level, column) and behind them the fixed effects.

    Attributes:
        fixed: the columns of the fixed effects.
        groupings: the grouping factors.
        terms: the random terms, in the order of their variance parameters. Terms of one factor share no column.
    """

    fixed: tuple[str, ...]
    groupings: tuple[Grouping, ...]
    terms: tuple[Term, ...]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Every column of the design, once."""
        every = (*self.fixed, *(name for grouping in self.groupings for name in grouping.columns))
        return tuple(dict.fromkeys(every))

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Where the effects of each grouping factor stand."""
        sizes = [len(g.levels) * len(g.columns) for g in self.groupings]
        ends = np.cumsum([0, *sizes]).tolist()
        return tuple(slice(a, b) for a, b in pairwise(ends))

    @property
    def q(self) -> int:
        """The number of random effects."""
        return self.slices[-1].stop if self.slices else 0

    @property
    def p(self) -> int:
        """The number of fixed effects."""
        return len(self.fixed)

    def at(self, names: tuple[str, ...]) -> list[int]:
        """The places of columns in the design."""
        return [self.columns.index(name) for name in names]

    @cached_property
    def parameters(self) -> tuple[tuple[Indices, Indices], ...]:
        """For each grouping factor the rows and columns of the free entries of its Cholesky factor.

        They are those of its terms one after the other, each the lower triangle by columns as in lme4; `places` says
        where they stand among all parameters.
        """
        return tuple((rows, columns) for rows, columns, _ in self._entries)

    @cached_property
    def places(self) -> tuple[Indices, ...]:
        """For each grouping factor the places of its entries among the variance parameters."""
        return tuple(places for _, _, places in self._entries)

    @cached_property
    def _entries(self) -> tuple[tuple[Indices, Indices, Indices], ...]:
        found = []
        for grouping in self.groupings:
            rows: list[int] = []
            columns: list[int] = []
            places: list[int] = []
            for term, span in self.spans():
                if term.factor != grouping.factor:
                    continue
                inside = [grouping.columns.index(name) for name in term.columns]
                for j, column in enumerate(inside):
                    rows += inside[j:]
                    columns += [column] * (len(inside) - j)
                places += range(span.start, span.stop)
            found.append((np.array(rows, np.int64), np.array(columns, np.int64), np.array(places, np.int64)))
        return tuple(found)

    def spans(self) -> Iterator[tuple[Term, slice]]:
        """Each random term and where its variance parameters stand."""
        start = 0
        for term in self.terms:
            k = len(term.columns)
            yield term, slice(start, start + k * (k + 1) // 2)
            start += k * (k + 1) // 2

    @cached_property
    def diagonal(self) -> NDArray[np.bool_]:
        """Which variance parameters stand on the diagonal of a Cholesky factor."""
        found = [c == r for term in self.terms for c in range(len(term.columns)) for r in range(c, len(term.columns))]
        return np.array(found, dtype=bool)
