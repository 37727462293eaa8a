"""Contrasts: the numbers that stand for the levels of a factor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

import numpy as np

from gramprobe.analysis.mixed.layout import Floats

Kind = Literal["half", "sum", "treatment", "helmert", "scaled_helmert", "sliding"]
KINDS: tuple[str, ...] = get_args(Kind)
#: how the columns of a factor are called towards formulaic, before their number: contrasts, and levels
CONTRAST, LEVEL = "K", "L"


@dataclass(frozen=True)
class Coding:
    """How a column is coded.

    Attributes:
        column: its name in the frame.
        kind: one of :data:`KINDS`.
        levels: in the order of the rows of the matrix.
    """

    column: str
    kind: str
    levels: tuple[str, ...]

    @property
    def numeric(self) -> bool:
        """Whether the column is one number, so that ``||`` and ``0 +`` treat it as they treat a number."""
        return self.kind == "half"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coefficients: those of R (level for treatment contrasts, number for the others)."""
        if self.kind == "half":
            return (self.column,)
        if self.kind == "treatment":
            return tuple(self.column + level for level in self.levels[1:])
        return tuple(f"{self.column}{i}" for i in range(1, len(self.levels)))

    @property
    def matrix(self) -> Floats:
        """Levels by contrasts."""
        return contrasts(self.kind, len(self.levels))


def contrasts(kind: str, k: int) -> Floats:
    """The matrix of a coding for ``k`` levels, k by k - 1.

    - `half`: +0.5 and -0.5, two levels only: the coefficient is the first level less the second.
    - `sum`: R's contr.sum; coefficient i is level i less the mean of all levels.
    - `treatment`: R's contr.treatment; coefficient i is level i + 1 less the first level.
    - `helmert`: R's contr.helmert, unscaled, (-1, 1, 0) and (-1, -1, 2): coefficient i is level i + 1 less the mean of
      the levels before it, divided by i + 1.
    - `scaled_helmert`: each column of that divided by i + 1, so that coefficient i is that difference itself.
    - `sliding`: MASS's contr.sdif; coefficient i is level i + 1 less level i.
    """
    if kind == "half":
        return np.array([[0.5], [-0.5]])
    if kind == "sum":
        return np.vstack([np.eye(k - 1), -np.ones((1, k - 1))])
    if kind == "treatment":
        return np.eye(k)[:, 1:]
    if kind == "sliding":
        return np.tril(np.ones((k, k - 1)), -1) - np.arange(k - 1, 0, -1) / k
    helmert = np.zeros((k, k - 1))
    for i in range(1, k):
        helmert[:i, i - 1] = -1.0
        helmert[i, i - 1] = i
    return helmert if kind == "helmert" else helmert / np.arange(2, k + 1)


@cache
def _adapter() -> Any:
    """A class of formulaic's that codes as a Coding says; formulaic is imported on use."""
    from formulaic.transforms.contrasts import Contrasts

    class Adapter(Contrasts):  # type: ignore[misc]
        """The matrix of a coding where a column of the intercept is there already, else one column for each level."""

        def __init__(self, coding: Coding):
            self.coding = coding

        @Contrasts.override  # type: ignore[untyped-decorator]
        def _get_coding_matrix(self, levels: Any, reduced_rank: bool = True, sparse: bool = False) -> Any:
            matrix = self.coding.matrix if reduced_rank else np.eye(len(levels))
            if not sparse:
                return matrix
            from scipy import sparse as sp

            return sp.csc_matrix(matrix)

        @Contrasts.override  # type: ignore[untyped-decorator]
        def get_coding_column_names(self, levels: Any, reduced_rank: bool = True) -> Any:
            if reduced_rank:
                return [f"{CONTRAST}{i}" for i in range(len(levels) - 1)]
            return [f"{LEVEL}{i}" for i in range(len(levels))]

        @Contrasts.override  # type: ignore[untyped-decorator]
        def get_coefficient_row_names(self, levels: Any, reduced_rank: bool = True) -> Any:
            return self.get_coding_column_names(levels, reduced_rank)

    return Adapter


def adapter(coding: Coding) -> Any:
    """The coding as formulaic takes it."""
    return _adapter()(coding)
