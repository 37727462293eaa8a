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


def times(seed: int = 5) -> pa.Table:
    """The pairs of :func:`choices` with numbers for responses: `z`, a log time that differs by person, item and `a`;
    `n`, of people alone, whose effect of `a` is the same for all; `big`, near a million. `large` and `small` are
    predictors of their scale, `d` a grouping factor more."""
    table = choices(seed)
    rows, s = table.num_rows, np.arange(table.num_rows) // ITEMS
    noise, other = normal(seed, 20_000, rows), normal(seed, 30_000, rows)
    x, a = (table[name].to_numpy() for name in ("x", "a"))
    z = 6.3 + 0.1 * table["r"].to_numpy() + 0.05 * a + 0.04 * x + 0.2 * noise
    z += (0.15 + 0.1 * a) * normal(seed, 40_000, PEOPLE)[s]
    n = 0.3 * a + normal(seed, 50_000, PEOPLE)[s] + other
    added = {"z": z, "n": n, "big": 1e6 + 2e4 * z, "large": 1e4 * x, "small": 1e-6 * other}
    for name, column in added.items():
        table = table.append_column(name, pa.array(column))
    return table.append_column("d", pa.array([f"d{k}" for k in (np.arange(rows) * 5 + s) % 9]))


def lost() -> pa.Table:
    """Times of which 44 % are missing, more of some people than of others."""
    row = np.arange(PEOPLE * ITEMS)
    return times().take(np.flatnonzero(uniform(13, 0, len(row)) > 0.24 + 0.4 * (row // ITEMS) / PEOPLE))


def tiny() -> pa.Table:
    """Three times of each of five people."""
    row = np.arange(5 * ITEMS)
    return times().take(row[row % ITEMS % 8 == 3])
