"""The probe: which way to put texts together gives the numbers that this model gives to plain texts one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from gramprobe.score.engines.weights import first_line

Way = TypeVar("Way")
Values = Sequence[Sequence[float]]


def probed(
    ways: Mapping[str, Way], scored: Callable[[Way], Values], expected: Values, tolerance: float
) -> dict[str, Any]:
    """What the record of the run says of the probe: under `rows` the first way whose values are those expected.

    ``ways``: what a way is called -> the way, the fastest first; ``scored``: the values by a way, in nats;
    ``tolerance``: how far one may be off.
    """
    tried: dict[str, float | str] = {}
    for name, way in ways.items():
        try:
            difference = _largest_difference(scored(way), expected)
        except Exception as error:  # a model that takes no positions or no such mask says so in its own way
            tried[name] = f"{type(error).__name__}: {first_line(error)}"
            continue
        tried[name] = difference if math.isfinite(difference) else "no number"
        if difference <= tolerance:
            return {"rows": name, "tried": tried}
    return {"rows": "rows one by one", "tried": tried}


def known_tokens(vocabulary: int, special: frozenset[int]) -> Any:
    """(tokens,) the numbers of tokens that are not special, of which probes are made."""
    import numpy as np

    return np.array(sorted(set(range(min(vocabulary, 1 << 16))) - special) or [0])


def _largest_difference(one: Values, other: Values) -> float:
    pairs = [abs(a - b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True)]
    return max(pairs) if all(map(math.isfinite, pairs)) else math.inf
