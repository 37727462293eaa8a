"""Means over items, with intervals that know which items belong together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.inference import bootstrap
from gramprobe.analysis.inference.intervals import wilson
from gramprobe.analysis.output.table import Interval
from gramprobe.analysis.study import Given

Floats = NDArray[np.float64]
FEWEST = 4
"""Instances from which on there is an interval. The bootstrap of k instances draws one of them alone with probability
k^-k each, so that for two or three the 95 % interval has the smallest and the largest of them for its ends, whatever
they are."""
SAME = 1e-12
"""Values that differ by no more are equal but for rounding."""
NONE = f"None from fewer than {FEWEST} instances, or where all instances agree."
BOOTSTRAP = f"Intervals: 95 %; by percentile bootstrap over instances. {NONE}"
INTERVALS = (
    "Intervals: 95 %; Wilson's where each item is of another instance, else by percentile bootstrap over instances, "
    f"with none where all instances agree. None from fewer than {FEWEST} instances."
)


def mean(values: Floats, instances: NDArray[np.object_], given: Given) -> Interval | float:
    """A mean with its interval: Wilson's where each item is of another instance and is right or wrong, else by the
    bootstrap over instances (`drawn_mean`); alone from fewer than `FEWEST` instances."""
    count = len(set(instances.tolist()))
    if count >= FEWEST and count == len(values) and set(values.tolist()) <= {0.0, 1.0}:
        return wilson(int(values.sum()), count)
    return drawn_mean(values, instances, given)


def drawn_mean(values: Floats, instances: NDArray[np.generic], given: Given) -> Interval | float:
    """A mean with the interval of the bootstrap over instances; alone from fewer than `FEWEST` instances, and where
    the interval has no width."""
    if np.ptp(values) <= SAME or len(set(instances.tolist())) < FEWEST:
        return float(values.mean())
    found = bootstrap.means(values, [instances], draws=given.draws, seed=given.seed).interval("all")
    if found.high - found.low <= SAME:
        return found.estimate
    return Interval(found.estimate, found.low, found.high)
