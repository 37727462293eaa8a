"""Simulated right and wrong answers and ratings: 30 people x 24 items, the same on every machine.

`a` varies within people and items, `b` between items, `c` (three levels) and `x` (a number) within both; `v` is a third
grouping factor, and the items belong to six groups `g`. The deviates are those of :mod:`support.simulated`.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from support.simulated import normal, uniform

PEOPLE, ITEMS = 30, 24
#: where a logistic variable with these cuts becomes a rating from 1 to 5
CUTS = (-1.8, -0.4, 0.7, 2.0)


def choices(seed: int = 7, shift: float = 0.0) -> pa.Table:
    """The answers: `y` is 1 or 0, `r` a rating from 1 to 5. ``shift``: added to the log odds of every row."""
    s, i = np.divmod(np.arange(PEOPLE * ITEMS), ITEMS)
    a = np.where((s + i) % 2 == 0, 0.5, -0.5)
    b = np.where(i % 4 < 2, 0.5, -0.5)
    c = (s // 2 + i // 2) % 3
    v = (s + 3 * i + s * i) % 8
    x = np.round(normal(seed, 0, len(s)), 2)
    person, item = normal(seed, 1000, 2 * PEOPLE).reshape(-1, 2), normal(seed, 2000, 2 * ITEMS).reshape(-1, 2)
    eta = shift + 0.9 * a + 0.5 * b - 0.6 * a * b + np.array([0.5, -0.2, -0.3])[c] + 0.4 * x
    eta += 0.9 * person[s, 0] + a * (0.3 * person[s, 0] + 0.6 * person[s, 1])
    eta += 0.7 * item[i, 0] + a * (0.2 * item[i, 0] + 0.5 * item[i, 1]) + 0.4 * normal(seed, 3000, 8)[v]
    drawn = uniform(seed, 9000, len(s))
    latent = eta + np.log(drawn / (1.0 - drawn))
    return pa.table(
        {
            "y": (latent > 0.0).astype(np.int64),
            "r": np.searchsorted(CUTS, latent) + 1,
            "a": a,
            "b": b,
            "c": [f"c{k}" for k in c],
            "x": x,
            "s": [f"s{k:02}" for k in s],
            "i": [f"i{k:02}" for k in i],
            "v": [f"v{k}" for k in v],
            "g": [f"g{k // 4}" for k in i],
        }
    )


def rare() -> pa.Table:
    """Answers that are mostly right, of some of the pairs of a person and an item."""
    return choices(11, 2.0).take(np.flatnonzero(np.arange(PEOPLE * ITEMS) % 7 % 3 != 0))
