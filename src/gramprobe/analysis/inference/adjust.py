"""p values of several tests."""

from __future__ import annotations

from gramprobe.analysis.inference.arrays import Column, Floats, numbers


def holm(p: Column) -> Floats:
    """p values adjusted so that the chance of any false finding is kept (Holm 1979). Raises ValueError for values that
    are no p values."""
    return _adjusted(p, "holm")


def benjamini_hochberg(p: Column) -> Floats:
    """p values adjusted so that the expected share of false findings is kept (Benjamini and Hochberg 1995). Raises
    ValueError for values that are no p values."""
    return _adjusted(p, "fdr_bh")


def _adjusted(p: Column, method: str) -> Floats:
    from statsmodels.stats.multitest import multipletests

    values = numbers("p", p)
    if not len(values):
        return values
    if values.min() < 0.0 or values.max() > 1.0:
        raise ValueError("a p value lies between 0 and 1")
    found: Floats = multipletests(values, method=method)[1]
    return found
