"""64-bit fingerprints of sentences, by column and without making the strings.

A polynomial hash of the text's bytes modulo 2 ** 64 (Karp & Rabin 1987) of segments, joined by
``h(ab) = h(a) * B ** len(b) + h(b)``: it does not depend on how a sentence is cut into segments.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gramprobe.resolve.paradigm.data import Condition
from gramprobe.space.space import Draws
from gramprobe.words.realise import Realiser

Words = NDArray[np.uint64]
_BASE = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


@lru_cache(maxsize=65_536)
def _of(text: str) -> tuple[int, int]:
    """The hash of a text and the power of the base that its length shifts by."""
    value, power = 0, 1
    for byte in text.encode():
        value = (value * _BASE + byte + 1) & _MASK
        power = (power * _BASE) & _MASK
    return value, power


def fingerprints(realiser: Realiser, condition: Condition, draws: Draws) -> Words:
    """The fingerprints of a condition's sentences, shape (instances,).

    Equal sentences have equal fingerprints, and hardly any other sentences do.
    """
    result = np.zeros(len(draws), np.uint64)
    with np.errstate(over="ignore"):
        for rows, columns in realiser.filled(condition, draws):
            value = np.zeros(len(rows), np.uint64)
            for index, filled in enumerate(columns):
                texts, inverse = realiser.texts(filled, index == 0)
                pairs = np.array([_of(t) for t in texts], dtype=np.uint64)
                value = value * pairs[inverse, 1] + pairs[inverse, 0]
            result[rows] = value
    return result


def mixed(premise: Words, hypothesis: Words) -> Words:
    """The fingerprints of pairs, from those of their sentences; all of shape (instances,)."""
    with np.errstate(over="ignore"):
        x = premise * np.uint64(0xD6E8FEB86659FD93) + hypothesis
        x = (x ^ (x >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
        return x ^ (x >> np.uint64(29))
