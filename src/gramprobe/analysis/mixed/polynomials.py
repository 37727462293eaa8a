"""Functions of whole columns: orthogonal polynomials as R's `poly` has them, and scaled columns as `scale` does."""

from __future__ import annotations

import numpy as np

from gramprobe.analysis.mixed.layout import Floats


class Polynomials:
    """Polynomials of one to so many degrees that are orthogonal to one another and to 1 over the rows of a column.

    They come from the recurrence of three terms (Forsythe 1957), and each has squares that sum to 1 over these rows.
    With ``unit`` they have the standard deviation 1 there instead: the first is the column less its mean, divided by
    its standard deviation.
    """

    def __init__(self, column: Floats, degree: int, *, unit: bool = False):
        self._centres: list[float] = []
        self._sizes: list[float] = []
        before, now = np.zeros_like(column), np.ones_like(column)
        for _ in range(degree):
            size = float(now @ now)
            self._centres.append(float(column @ now**2) / size)
            self._sizes.append(size)
            ratio = size / self._sizes[-2] if len(self._sizes) > 1 else 0.0
            before, now = now, (column - self._centres[-1]) * now - ratio * before
        self._sizes.append(float(now @ now))
        self._unit = np.sqrt(len(column) - 1) if unit else 1.0

    def __call__(self, degree: int, values: Floats) -> Floats:
        """The polynomial of a degree, from 1, at these values."""
        values = np.asarray(values, dtype=np.float64)
        before, now = np.zeros_like(values), np.ones_like(values)
        for i in range(degree):
            ratio = self._sizes[i] / self._sizes[i - 1] if i else 0.0
            before, now = now, (values - self._centres[i]) * now - ratio * before
        found: Floats = now * self._unit / np.sqrt(self._sizes[degree])
        return found
