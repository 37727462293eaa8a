"""Means over items, with intervals that know which items belong together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.inference import bootstrap
from gramprobe.analysis.inference.intervals import wilson
from gramprobe.analysis.output.table import Interval
from gramprobe.analysis.study import Given

Floats = NDArray[np.float64]
INTERVALS = (
    "Intervals: 95 %; by percentile bootstrap over instances, or Wilson's where each item is of another instance."
)


def mean(values: Floats, instances: NDArray[np.object_], given: Given) -> Interval | float:
    """A mean with its interval: Wilson's where each item is of another instance and is right or wrong, else by the
    bootstrap over instances; alone where all instances are the same, or there is one."""
    count = len(set(instances.tolist()))
    if count == len(values) and set(values.tolist()) <= {0.0, 1.0}:
        share = wilson(int(values.sum()), count)
        return Interval(share.share, share.low, share.high)
    if np.ptp(values) == 0 or count < 2:
        return float(values.mean())
    found = bootstrap.means(values, [instances], draws=given.draws, seed=given.seed).interval("all")
    if found.low == found.high:
        return found.estimate
    return Interval(found.estimate, found.low, found.high)
