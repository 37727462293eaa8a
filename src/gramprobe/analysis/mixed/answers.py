"""The rows of a model of answers: alike ones together, with the sparse products that Laplace's approximation needs.

The random effects' columns Z are kept as the level and the k numbers of each row and grouping factor; Z itself, of as
many columns as there are effects, is never made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.layout import Floats, Indices, Layout


@dataclass(frozen=True)
class Answers:
    """Rows, each with its count: rows that have everything in common are one.

    Attributes:
        layout: the order of columns.
        x: columns of the fixed effects, n by p.
        z: of each grouping factor its columns, n by k.
        levels: of each grouping factor the level of each row.
        answer: the number of each answer, from 0, in the order of ``values``.
        count: how many rows of the frame each row is.
        values: the answers as they are in the frame.
    """

    layout: Layout
    x: Floats
    z: tuple[Floats, ...]
    levels: tuple[Indices, ...]
    answer: Indices
    count: Floats
    values: tuple[float, ...]

    def effects(self, u: Floats) -> Floats:
        """Z u: the sum of the effects in each row."""
        found = np.zeros(len(self.x))
        for z, level, at in zip(self.z, self.levels, self.layout.slices, strict=True):
            found += np.einsum("nk,nk->n", z, u[at].reshape(-1, z.shape[1])[level])
        return found

    def sums(self, rows: Floats) -> Floats:
        """Z' times a number of each row (q)."""
        found = np.empty(self.layout.q)
        for z, level, at, grouping in zip(self.z, self.levels, self.layout.slices, self.layout.groupings, strict=True):
            n = len(grouping.levels)
            found[at] = np.stack([np.bincount(level, rows * column, n) for column in z.T], 1).ravel()
        return found

    def squares(self, weights: Floats) -> Floats:
        """Z'WZ, q by q, for a weight of each row."""
        layout = self.layout
        found = np.zeros((layout.q, layout.q))
        for a, (z, level, at) in enumerate(zip(self.z, self.levels, layout.slices, strict=True)):
            n, k = len(layout.groupings[a].levels), z.shape[1]
            weighted = weights[:, None] * z
            own = found[at, at].reshape(n, k, n, k)
            for i in range(k):
                for j in range(i + 1):
                    total = np.bincount(level, weighted[:, i] * z[:, j], n)
                    own[np.arange(n), i, np.arange(n), j] = own[np.arange(n), j, np.arange(n), i] = total
            for b in range(a + 1, len(layout.groupings)):
                w, there, m = self.z[b], layout.slices[b], len(layout.groupings[b].levels)
                block = np.empty((n, k, m, w.shape[1]))
                for i in range(k):
                    for j in range(w.shape[1]):
                        total = np.bincount(self._pairs[a, b], weighted[:, i] * w[:, j], n * m)
                        block[:, i, :, j] = total.reshape(n, m)
                found[at, there] = block.reshape(n * k, -1)
                found[there, at] = found[at, there].T
        return found

    def leverages(self, matrix: Floats) -> Floats:
        """The diagonal of Z B Z' for a symmetric matrix B, q by q: a number of each row."""
        layout = self.layout
        found = np.zeros(len(self.x))
        for a, (z, level, at) in enumerate(zip(self.z, self.levels, layout.slices, strict=True)):
            n, k = len(layout.groupings[a].levels), z.shape[1]
            own = np.einsum("lilj->lij", matrix[at, at].reshape(n, k, n, k))
            found += np.einsum("ni,nij,nj->n", z, own[level], z)
            for b in range(a + 1, len(layout.groupings)):
                w, m = self.z[b], len(layout.groupings[b].levels)
                block = matrix[at, layout.slices[b]].reshape(n, k, m, w.shape[1])
                for i in range(k):
                    for j in range(w.shape[1]):
                        found += 2.0 * z[:, i] * w[:, j] * block[:, i, :, j].ravel()[self._pairs[a, b]]
        return found

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], Indices]:
        """Of each pair of grouping factors the number of the pair of levels of each row."""
        sizes = [len(grouping.levels) for grouping in self.layout.groupings]
        return {
            (a, b): self.levels[a] * sizes[b] + self.levels[b] for b in range(len(sizes)) for a in range(b)
        }  # fmt: skip

    @cached_property
    def scales(self) -> Floats:
        """Of each variance parameter the root mean square of the column of its row."""
        found = np.ones(len(self.layout.diagonal))
        for z, (rows, _), places in zip(self.z, self.layout.parameters, self.layout.places, strict=True):
            found[places] = np.sqrt(self.count @ z**2 / self.count.sum())[rows]
        return found


def answers_of(design: Design, values: Sequence[float], omitted: Sequence[str] = ()) -> Answers:
    """The rows of a design whose responses are among ``values``. ``omitted``: columns that are not fixed effects."""
    response = np.array(sorted(values))
    kept = [i for i, name in enumerate(design.layout.fixed) if name not in omitted]
    patterns: list[Floats] = []
    keys: list[Indices] = []
    offset = 0
    for columns, pattern, levels, scores in design.batches():
        if not patterns or columns is not patterns[-1]:
            offset += len(patterns[-1]) if patterns else 0
            patterns.append(columns)
        answer = np.searchsorted(response, scores)
        keys.append(np.column_stack([pattern + offset, *levels, answer]))
    rows, count = _alike(np.concatenate(keys))
    columns = np.concatenate(patterns)
    layout = design.layout
    x = columns[:, layout.at(layout.fixed)][:, kept]
    layout = Layout(tuple(layout.fixed[i] for i in kept), layout.groupings, layout.terms)
    z = tuple(columns[:, design.layout.at(g.columns)][rows[:, 0]] for g in layout.groupings)
    of_rows = tuple(np.ascontiguousarray(column) for column in rows[:, 1:-1].T)
    return Answers(layout, x[rows[:, 0]], z, of_rows, rows[:, -1].copy(), count, tuple(response.tolist()))


def _alike(rows: Indices) -> tuple[Indices, Floats]:
    """Different rows, and how often each is there."""
    sizes = rows.max(0) + 1
    if np.prod(sizes, dtype=object) < 2**62:  # one number a row sorts faster
        key, count = np.unique(np.ravel_multi_index(tuple(rows.T), tuple(sizes)), return_counts=True)
        return np.column_stack(np.unravel_index(key, tuple(sizes))), count.astype(np.float64)
    found, count = np.unique(rows, axis=0, return_counts=True)
    return found, count.astype(np.float64)
