"""Sums of squares and products of a design, added up batch by batch.

With Z the columns of the random effects, X those of the fixed effects and y the scores, the matrix [Z X y]'[Z X y] is
all that a linear mixed model needs of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gramprobe.analysis.mixed.layout import Floats, Indices, Layout

#: above this many cells of a table (pattern x level x level), rows are added as a sparse matrix instead
CELLS = 2_000_000


class CrossProducts:
    """[Z X y]'[Z X y] of all rows added so far.

    Attributes:
        layout: the order of the columns; Z has q of them, X has p.
        rows: the number of rows added.
        matrix: [Z X]'[Z X], (q + p) by (q + p).
        vector: [Z X]'y, where y is the score less ``shift``.
        squares: y'y.
        sums: the sums of the columns of X.
        total: the sum of y.
    """

    def __init__(self, layout: Layout, shift: float = 0.0):
        size = layout.q + layout.p
        self.layout = layout
        self.shift = shift
        self.rows = 0
        self.matrix: Floats = np.zeros((size, size))
        self.vector: Floats = np.zeros(size)
        self.squares = 0.0
        self.sums: Floats = np.zeros(layout.p)
        self.total = 0.0

    def add(self, design: Floats, pattern: Indices, levels: Sequence[Indices], scores: Floats) -> None:
        """Add rows.

        ``design``: distinct rows of the design (patterns by ``layout.columns``); ``pattern``: which of them each row
        has; ``levels``: of each grouping factor the level of each row; ``scores``: one a row.
        """
        y = scores - self.shift
        self.rows += len(y)
        self.squares += float(y @ y)
        self.total += float(y.sum())
        x = design[:, self.layout.at(self.layout.fixed)]
        count = np.bincount(pattern, minlength=len(design)).astype(np.float64)
        q = self.layout.q
        self.matrix[q:, q:] += (x * count[:, None]).T @ x
        self.vector[q:] += x.T @ np.bincount(pattern, weights=y, minlength=len(design))
        self.sums += x.T @ count
        sizes = sorted((len(g.levels) for g in self.layout.groupings), reverse=True)
        if sizes and len(design) * int(np.prod(sizes[:2])) > CELLS:
            self._add_sparse(design, x, pattern, levels, y)
        else:
            self._add_counts(design, x, pattern, levels, y)

    def _add_counts(self, design: Floats, x: Floats, pattern: Indices, levels: Sequence[Indices], y: Floats) -> None:
        """By counting how often each pattern stands with each level, and each pair of levels."""
        layout, m, q, patterns = self.layout, self.matrix, self.layout.q, len(design)
        for a, (grouping, at) in enumerate(zip(layout.groupings, layout.slices, strict=True)):
            z, n = design[:, layout.at(grouping.columns)], len(grouping.levels)
            k = len(grouping.columns)
            cell = pattern * n + levels[a]
            count = np.bincount(cell, minlength=patterns * n).reshape(patterns, n).astype(np.float64)
            total = np.bincount(cell, weights=y, minlength=patterns * n).reshape(patterns, n)
            self.vector[at] += (total.T @ z).ravel()
            with_x = (z[:, :, None] * x[:, None, :]).reshape(patterns, -1)
            block = (count.T @ with_x).reshape(n * k, layout.p)
            m[at, q:] += block
            m[q:, at] += block.T
            squares = (count.T @ (z[:, :, None] * z[:, None, :]).reshape(patterns, -1)).reshape(n, k, k)
            own = m[at, at].reshape(n, k, n, k)
            own[np.arange(n), :, np.arange(n), :] += squares
            for b in range(a + 1, len(layout.groupings)):
                other, there = layout.groupings[b], layout.slices[b]
                w, n2, k2 = design[:, layout.at(other.columns)], len(other.levels), len(other.columns)
                both = np.bincount(cell * n2 + levels[b], minlength=patterns * n * n2).reshape(patterns, -1)
                pairs = (z[:, :, None] * w[:, None, :]).reshape(patterns, -1)
                cross = (pairs.T @ both.astype(np.float64)).reshape(k, k2, n, n2).transpose(2, 0, 3, 1)
                block = cross.reshape(n * k, n2 * k2)
                m[at, there] += block
                m[there, at] += block.T

    def _add_sparse(self, design: Floats, x: Floats, pattern: Indices, levels: Sequence[Indices], y: Floats) -> None:
        """By the product of the sparse matrix Z with itself: for predictors with many values, or many levels."""
        from scipy import sparse

        layout, q = self.layout, self.layout.q
        values, columns = [], []
        for grouping, at, level in zip(layout.groupings, layout.slices, levels, strict=True):
            k = len(grouping.columns)
            values.append(design[:, layout.at(grouping.columns)][pattern])
            columns.append(at.start + level[:, None] * k + np.arange(k))
        data, indices = np.hstack(values), np.hstack(columns)
        starts = np.arange(len(y) + 1) * data.shape[1]
        z = sparse.csr_array((data.ravel(), indices.ravel(), starts), shape=(len(y), q))
        square = (z.T @ z).tocoo()
        self.matrix[square.row, square.col] += square.data
        block = z.T @ x[pattern]
        self.matrix[:q, q:] += block
        self.matrix[q:, :q] += block.T
        self.vector[:q] += z.T @ y
