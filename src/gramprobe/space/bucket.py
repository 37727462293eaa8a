"""A variable of a network when it is eliminated: its tables, and which of its classes a rank chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

Index = NDArray[Any]
#: variables, and a table with an axis of classes for each
Factor = tuple[tuple[int, ...], NDArray[Any]]


@dataclass(kw_only=True)
class Bucket:
    """A variable when it is eliminated.

    Attributes:
        variable: its number.
        scope: the variables, eliminated later, that its table depends on.
        rivals: the variables, eliminated later, that must differ from it.
        factors: the tables, each with its variables, this one last, whose product is the number of solutions of this
            variable and those below it; the first is `choices`. The product over all variables of the scope is never
            made: it is large.
        sums: that product, summed over the variable; an axis of classes for each variable of the scope.
        children: the buckets whose sums are among the factors.
    """

    variable: int
    scope: tuple[int, ...]
    rivals: tuple[int, ...]
    factors: list[Factor]
    sums: NDArray[Any]
    children: list[int]

    @property
    def choices(self) -> NDArray[Any]:
        """How many members of a class are left; axes (*rivals, variable)."""
        return self.factors[0][1]

    @cached_property
    def merged(self) -> list[Factor]:
        """The factors, those whose variables are all in another's multiplied into it: fewer tables, none larger."""
        merged: list[Factor] = []
        for scope, table in sorted(self.factors, key=lambda each: -len(each[0])):
            for at, (wide, own) in enumerate(merged):
                if set(scope) <= set(wide):
                    order = sorted(range(len(scope)), key=lambda axis: wide.index(scope[axis]))
                    shape = [own.shape[axis] if u in scope else 1 for axis, u in enumerate(wide)]
                    merged[at] = wide, own * table.transpose(order).reshape(shape)
                    break
            else:
                merged.append((scope, table))
        return merged

    @cached_property
    def ends(self) -> NDArray[Any] | None:
        """The sums of the one merged factor up to each class of the variable; None if there are several factors."""
        return np.cumsum(self.merged[0][1], axis=-1) if len(self.merged) == 1 else None

    def weights(self, classes: Sequence[NDArray[np.intp]], merged: bool = False) -> NDArray[Any]:
        """The number of solutions by the class of the variable, for these classes of the others. Shape: (how many
        classes are given of each other variable, classes of the variable); without a scope (1, classes). ``merged``:
        of the merged factors, which is the same."""
        factors = self.merged if merged else self.factors
        rows = (table[tuple(classes[u] for u in scope[:-1])] for scope, table in factors)
        return np.atleast_2d(reduce(np.multiply, rows))

    def chosen(self, classes: Sequence[NDArray[np.intp]], ranks: Index) -> tuple[NDArray[np.intp], Index]:
        """The class of the variable at these ranks, for these classes of the others, and the rank in the class. All
        arrays have the shape of ``ranks``.

        Tables are merged where that is less work than to look all these ranks up in each.
        """
        pays = max(table.size for _, table in self.factors) <= len(ranks) * self.choices.shape[-1]
        if not pays or self.ends is None:
            rows = np.arange(len(ranks))
            weights = self.weights(classes, merged=pays)
            weights = np.broadcast_to(weights, (len(ranks), weights.shape[1]))
            ends = np.cumsum(weights, axis=1)
            chosen = (ends <= ranks[:, None]).sum(axis=1).astype(np.intp)
            return chosen, ranks - (ends[rows, chosen] - weights[rows, chosen])
        scope, table = self.merged[0]
        others = tuple(classes[u] for u in scope[:-1])
        if others:
            chosen = (self.ends[others] <= ranks[:, None]).sum(axis=1).astype(np.intp)
        else:
            chosen = np.searchsorted(self.ends, ranks, side="right")
        place = *others, chosen
        return chosen, ranks - (self.ends[place] - table[place])
