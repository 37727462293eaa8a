"""What the functions of this package take: columns of numbers without gaps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Column = Sequence[float] | NDArray[np.generic]


def numbers(name: str, column: Column, length: int | None = None) -> Floats:
    """A column as floats. Raises ValueError with the place of the first value that is missing or infinite, and for a
    column of another length."""
    found = np.asarray(column, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(f"{name} is no column: it has {found.ndim} dimensions")
    if length is not None and len(found) != length:
        raise ValueError(f"{name} has {len(found)} values and the other column {length}: they are paired by place")
    finite = np.isfinite(found)
    if not finite.all():
        at = int(np.argmin(finite))
        raise ValueError(f"{name} is {found[at]} at row {at + 1}; {int((~finite).sum())} values are no finite numbers")
    return found


def codes(name: str, column: Sequence[object] | NDArray[np.generic], length: int) -> tuple[NDArray[np.int64], int]:
    """The level of each row, numbered, and how many levels there are. Raises ValueError for another length."""
    values = np.asarray(column)
    if len(values) != length:
        raise ValueError(f"{name} has {len(values)} values for {length} rows")
    levels, at = np.unique(values, return_inverse=True)
    return at.astype(np.int64).ravel(), len(levels)
