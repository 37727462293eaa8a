"""A seeded permutation of 0 .. size - 1, without a table of it.

A Feistel network (Luby & Rackoff 1988) over the next even number of bits, with cycle walking (Black & Rogaway
2002) back into the range. The first N values are the same for every larger N; nothing depends on numpy's
generators, whose streams may change between releases.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROUNDS = 8
#: the logarithm of the largest size, 2 ** 120
MOST_BITS = 120

Words = NDArray[np.uint64]


class Permutation:
    """A bijection of ``range(size)``, chosen by ``key``. Raises ValueError for size 0, OverflowError above 2 ** 120."""

    def __init__(self, size: int, key: str):
        if size < 1:
            raise ValueError("a permutation needs at least one element")
        self.size = size
        self.half = max(1, ((size - 1).bit_length() + 1) // 2)
        if 2 * self.half > MOST_BITS:
            raise OverflowError(f"{size} is more than 2 ** {MOST_BITS}")
        self.mask = np.uint64((1 << self.half) - 1)
        self.small = 2 * self.half < 63
        digest = hashlib.shake_256(f"gramprobe permutation 1\n{key}".encode()).digest(8 * ROUNDS)
        self.keys = np.frombuffer(digest, dtype="<u8").astype(np.uint64)

    def at(self, start: int, stop: int) -> NDArray[Any]:
        """The images of ``start .. stop - 1``; int64, or Python integers for a larger range.

        Raises ValueError for numbers outside of ``range(size)``.
        """
        count = stop - start
        if not 0 <= start <= stop <= self.size:
            raise ValueError("out of range")
        if self.small:
            index = np.arange(start, stop, dtype=np.uint64)
            left, right = index >> np.uint64(self.half), index & self.mask
        else:
            numbers = range(start, stop)
            left = np.fromiter((n >> self.half for n in numbers), np.uint64, count)
            right = np.fromiter((n & ((1 << self.half) - 1) for n in numbers), np.uint64, count)
        left, right = self._walk(left, right)
        while True:
            outside = ~self._inside(left, right)
            if not outside.any():
                return self._joined(left, right)
            left[outside], right[outside] = self._walk(left[outside], right[outside])

    def _walk(self, left: Words, right: Words) -> tuple[Words, Words]:
        for key in self.keys:
            left, right = right, left ^ (_mixed(right ^ key) & self.mask)
        return left, right

    def _inside(self, left: Words, right: Words) -> NDArray[np.bool_]:
        last = self.size - 1
        high, low = np.uint64(last >> self.half), np.uint64(last & ((1 << self.half) - 1))
        inside: NDArray[np.bool_] = (left < high) | ((left == high) & (right <= low))
        return inside

    def _joined(self, left: Words, right: Words) -> NDArray[Any]:
        if self.small:
            return ((left << np.uint64(self.half)) | right).astype(np.int64)
        return np.array([(int(a) << self.half) | int(b) for a, b in zip(left, right, strict=True)], dtype=object)


def _mixed(x: Words) -> Words:
    """The finaliser of splitmix64 (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))
