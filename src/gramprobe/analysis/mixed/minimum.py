"""The minimum of a smooth function whose gradient is known, with its second derivatives there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import minimize

from gramprobe.analysis.mixed.layout import Floats

Gradient = Callable[[Floats], tuple[float, Floats]]
"""point -> (value, gradient)"""


@dataclass(frozen=True)
class Minimum:
    """Where the search ended.

    Attributes:
        point: the parameters.
        hessian: the second derivatives there.
        decrement: by how much Newton's step could still lower the function.
    """

    point: Floats
    hessian: Floats
    decrement: float


def second_derivatives(gradient: Callable[[Floats], Floats], point: Floats, steps: Floats) -> Floats:
    """The Hessian by central differences of the gradient. ``steps``: one for each parameter."""
    found = np.empty((len(point), len(point)))
    for i, step in enumerate(steps):
        move = np.zeros(len(point))
        move[i] = step
        found[i] = (gradient(point + move) - gradient(point - move)) / (2.0 * step)
    return (found + found.T) / 2.0


def minimum(gradient: Gradient, start: Floats, shape: Floats, tolerance: float) -> Minimum:
    """L-BFGS, then Newton's steps until none could lower the function by more than ``tolerance``.

    ``shape``: a guess of the Hessian, positive definite; the search goes by parameters in which it is the identity.
    Where the function curves down, which at a variance of zero it may though its slope is zero, the search goes on from
    both sides of that point.
    """
    root = np.linalg.cholesky(shape)

    def outward(v: Floats) -> Floats:
        found: Floats = solve_triangular(root, v, lower=True, trans="T")
        return found

    def inner(v: Floats) -> tuple[float, Floats]:
        value, slope = gradient(outward(v))
        return value, solve_triangular(root, slope, lower=True)

    def search(v: Floats) -> Floats:
        options = {"maxiter": 2000, "maxfun": 5000, "ftol": 1e-15, "gtol": 1e-3, "maxcor": 60}
        found: Floats = minimize(inner, v, jac=True, method="L-BFGS-B", options=options).x
        return found

    if not len(start):
        return Minimum(start, shape, 0.0)
    v, decrement = search(root.T @ start), np.inf
    for _ in range(8):
        hessian = second_derivatives(lambda at: inner(at)[1], v, np.full(len(v), 3e-3))
        values, vectors = np.linalg.eigh(hessian)
        kept = values > 1e-6 * max(1.0, float(values[-1]))
        falling = vectors[:, values < -1e-3 * values[-1]]
        if falling.size:
            other = min((search(v + sign * falling.sum(1)) for sign in (1.0, -1.0)), key=lambda at: inner(at)[0])
            if inner(other)[0] < inner(v)[0] - tolerance:
                v = other
                continue
        moved = 0.0
        for _ in range(8):
            value, slope = inner(v)
            along = vectors[:, kept].T @ slope
            decrement = 0.5 * float(np.sum(along**2 / values[kept]))
            step = vectors[:, kept] @ (along / values[kept])
            if decrement <= tolerance or inner(v - step)[0] > value:
                break
            v, moved = v - step, moved + decrement
        if moved < 1e-3:  # the Hessian is that of the end as well
            break
    return Minimum(outward(v), root @ hessian @ root.T, decrement)
