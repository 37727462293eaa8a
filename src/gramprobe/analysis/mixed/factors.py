"""The Cholesky factors of the random effects, and products with L = L(theta): block diagonal, one factor a level."""

from __future__ import annotations

import numpy as np

from gramprobe.analysis.mixed.layout import Floats, Layout


class Factors:
    """What a layout makes of variance parameters.

    Attributes:
        layout: the order of random effects and of variance parameters.
    """

    def __init__(self, layout: Layout):
        self.layout = layout

    def factors(self, theta: Floats) -> list[Floats]:
        """Of each grouping factor the lower triangular factor of one level."""
        found = []
        for grouping, (rows, columns), places in zip(
            self.layout.groupings, self.layout.parameters, self.layout.places, strict=True
        ):
            factor = np.zeros((len(grouping.columns),) * 2)
            factor[rows, columns] = theta[places]
            found.append(factor)
        return found

    def scaled(self, effects: Floats, factors: list[Floats]) -> Floats:
        """L u: the effects in the units of the scores (q)."""
        found = np.empty_like(effects)
        for at, factor in zip(self.layout.slices, factors, strict=True):
            found[at] = (effects[at].reshape(-1, len(factor)) @ factor.T).ravel()
        return found

    def premultiplied(self, matrix: Floats, factors: list[Floats]) -> Floats:
        """L' times a matrix of q rows."""
        found = np.empty(matrix.shape)
        for at, factor, grouping in zip(self.layout.slices, factors, self.layout.groupings, strict=True):
            n, k, block = len(grouping.levels), len(factor), matrix[at]
            found[at] = np.matmul(factor.T, block.reshape(n, k, block.shape[1])).reshape(block.shape)
        return found

    def contract(self, *pairs: Floats) -> Floats:
        """For each parameter, at row a and column b of a factor: the sum over its levels l of sum_j A[la, j] B[lb, j].

        ``pairs``: B, A, and again; each has a row for each random effect.
        """
        found = np.empty(len(self.layout.diagonal))
        for at, (rows, columns), places, grouping in zip(
            self.layout.slices, self.layout.parameters, self.layout.places, self.layout.groupings, strict=True
        ):
            n, k = len(grouping.levels), len(grouping.columns)
            total = np.zeros((k, k))
            for b, a in zip(pairs[::2], pairs[1::2], strict=True):
                left, right = a[at].reshape(n, k, a.shape[1]), b[at].reshape(n, k, b.shape[1])
                total += np.matmul(left, right.transpose(0, 2, 1)).sum(0)
            found[places] = total[rows, columns]
        return found
