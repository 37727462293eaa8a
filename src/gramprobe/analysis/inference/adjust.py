"""p values of several tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.inference.arrays import Column, Floats, numbers


def holm(p: Column) -> Floats:
    """p values adjusted so that the chance of any false finding is kept (Holm 1979). Raises ValueError for values that
    are no p values."""
    values, order, back = _sorted(p)
    adjusted = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    return np.minimum(adjusted, 1.0)[back]


def benjamini_hochberg(p: Column) -> Floats:
    """p values adjusted so that the expected share of false findings is kept (Benjamini and Hochberg 1995). Raises
    ValueError for values that are no p values."""
    values, order, back = _sorted(p)
    shares = np.arange(1, len(values) + 1) / max(len(values), 1)
    adjusted = np.minimum.accumulate((values[order] / shares)[::-1])[::-1]
    return np.minimum(adjusted, 1.0)[back]


def _sorted(p: Column) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """The values, their order, and the places to which sorted ones go back. (The function of statsmodels, with which
    the tests compare, collects garbage at each call: 0.4 s beside the texts of 11,000 items.)"""
    values = numbers("p", p)
    if len(values) and (values.min() < 0.0 or values.max() > 1.0):
        raise ValueError("a p value lies between 0 and 1")
    order = np.argsort(values)
    return values, order, np.argsort(order)
