"""Whether a design can be estimated: found out from the cross products, before anything is fitted."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.formula import place
from gramprobe.analysis.mixed.layout import Floats, Grouping
from gramprobe.analysis.mixed.products import CrossProducts
from gramprobe.source.diagnostic import AuthoringError, Diagnostic
from gramprobe.source.messages import analysis as messages

#: the most columns of the mixed model equations: they are a dense matrix, of 0.2 GB then, and some seconds a factor
LIMIT = 5_000
#: what is left of the squares of a column when the others are taken from it; less counts as nothing
REST = 1e-10


def check_size(design: Design) -> None:
    """Raise AuthoringError (E98) for grouping factors and terms that no data of this size can estimate."""
    layout, rows = design.layout, design.rows
    problems: list[Diagnostic] = []
    for grouping in layout.groupings:
        levels = len(grouping.levels)
        if levels < 2 or levels >= rows:
            at = design.place_of(grouping.factor)
            problems.append(messages.too_few_levels(at, grouping.factor, levels, rows))
    for term in layout.terms:
        effects = len(term.columns) * len(next(g for g in layout.groupings if g.factor == term.factor).levels)
        if effects >= rows and not problems:
            problems.append(messages.too_many_effects(design.place_of(term.factor), str(term), effects, rows))
    if rows <= layout.p:
        problems.append(messages.too_few_rows(place(0, len(design.formula.text)), layout.p, rows))
    if layout.q + layout.p > LIMIT and not problems:
        largest = max(layout.groupings, key=lambda g: len(g.levels) * len(g.columns))
        problems.append(messages.too_large(design.place_of(largest.factor), layout.q, LIMIT - layout.p))
    if problems:
        raise AuthoringError(problems)


def check(design: Design, sums: CrossProducts) -> list[str]:
    """Raise AuthoringError (E98) for columns that are sums of others; return warnings of slopes without evidence."""
    layout, q = design.layout, design.layout.q
    problems: list[Diagnostic] = []
    fixed = dependence(sums.matrix[q:, q:])
    if fixed is not None:
        last, others = fixed
        name = layout.fixed[last]
        problems.append(messages.dependent(design.place_of_column(name), name, [layout.fixed[i] for i in others]))
    warnings = []
    for term in layout.terms:
        grouping = next(g for g in layout.groupings if g.factor == term.factor)
        inside = [grouping.columns.index(name) for name in term.columns]
        squares = _squares(sums, grouping)[:, inside][:, :, inside]
        together = dependence(squares.sum(0))
        if together is not None:
            at = design.place_of(term.factor)
            problems.append(messages.dependent_slope(at, str(term), term.columns[together[0]]))
            continue
        alike = [name for i, name in enumerate(term.columns) if len(term.columns) > 1 and not _varies(squares, i)]
        alike = [name for name in alike if name != "(Intercept)"] or alike
        if alike:
            warnings.append(
                f"no level of {term.factor} shows {', '.join(alike)} apart from the other effects of {term}: the "
                "variance is estimated from differences between levels alone"
            )
    if problems:
        raise AuthoringError(problems)
    return [*warnings, *_ridges(sums)]


def _ridges(sums: CrossProducts) -> list[str]:
    """A warning of each pair of terms of a factor whose variances the rows cannot separate, as `(1 + c || g)` with a
    factor c of three levels: the intercept is the sum of the columns of `(0 + c | g)`, and its variance is the same as
    one that all of these have in common."""
    found = []
    for one, other in permutations(sums.layout.terms, 2):
        if one.factor != other.factor or len(other.columns) < 2:
            continue
        grouping = next(g for g in sums.layout.groupings if g.factor == one.factor)
        places = [grouping.columns.index(name) for name in (*other.columns, *one.columns)]
        squares = _squares(sums, grouping)[:, places][:, :, places]
        k = len(other.columns)
        if all(dependence(squares.sum(0)[np.ix_([*range(k), i], [*range(k), i])]) for i in range(k, len(places))):
            found.append(
                f"the variances of {one} and {other} cannot be estimated separately: the columns of the first are sums "
                "of the second's, which are correlated; take out the first, or give the factor numeric columns"
            )
    return found


def dependence(matrix: Floats) -> tuple[int, list[int]] | None:
    """The first column that is a sum of those before it, with these; None where there is none.

    ``matrix``: the sums of squares and products of the columns.
    """
    size = np.sqrt(np.diagonal(matrix))
    for i in range(len(matrix)):
        if size[i] == 0.0:
            return i, []
        before = matrix[:i, :i] / np.outer(size[:i], size[:i])
        with_it = matrix[:i, i] / (size[:i] * size[i])
        weights = np.linalg.solve(before, with_it) if i else np.zeros(0)
        if 1.0 - float(with_it @ weights) < REST:
            return i, [j for j in range(i) if abs(weights[j]) > 1e-6]
    return None


def _squares(sums: CrossProducts, grouping: Grouping) -> Floats:
    """The sums of squares and products of the columns of a grouping factor within each level: levels by k by k."""
    at = sums.layout.slices[sums.layout.groupings.index(grouping)]
    k = len(grouping.columns)
    found: Floats = np.einsum("lilj->lij", sums.matrix[at, at].reshape(-1, k, len(grouping.levels), k))
    return found


def _varies(squares: Floats, i: int) -> bool:
    """Whether some level has rows in which a column differs from the other columns of its term."""
    others = [j for j in range(squares.shape[1]) if j != i]
    for square in squares:
        own = square[i, i]
        if own == 0.0:
            continue
        inner, across = square[np.ix_(others, others)], square[others, i]
        rest = own - float(across @ np.linalg.lstsq(inner, across, rcond=1e-10)[0])
        if rest > 1e-8 * own:
            return True
    return False
