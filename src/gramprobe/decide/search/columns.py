"""Bit sets over a batch of models: bit i of a column says whether something holds in model i.

A column is a Python integer. Its bitwise operations run over machine words as numpy's over `uint64` do: as fast up to
some hundred thousand models, and a fifth of the cost where a batch is a few thousand or less, which is where labels are
decided (docs/decisions/012). So there is one representation, and it needs no package.
"""

from __future__ import annotations

from collections.abc import Sequence


def repeated(pattern: int, width: int, times: int) -> int:
    """A pattern of `width` bits, `times` times one after the other."""
    bits, done = 0, 0
    while times:
        if times & 1:
            bits |= pattern << done
            done += width
        pattern |= pattern << width
        width *= 2
        times >>= 1
    return bits


def alternating(run: int, size: int) -> int:
    """`run` zeros, `run` ones, and so on, up to `size` bits (a multiple of `2 * run`)."""
    return repeated((1 << run) - 1 << run, 2 * run, size // (2 * run))


def spread(bits: Sequence[bool], run: int) -> int:
    """Every bit `run` times, the first lowest."""
    column, block = 0, (1 << run) - 1
    for at, bit in enumerate(bits):
        if bit:
            column |= block << at * run
    return column


def packed(bits: Sequence[bool]) -> int:
    """The column with one bit for each model, the first lowest."""
    return int(bytes(bits)[::-1].translate(_DIGITS), 2) if bits else 0


_DIGITS = bytes([48, 49]) + bytes([49]) * 254


def atleast(columns: Sequence[int], count: int, full: int) -> int:
    """The models in which at least `count` of the columns hold."""
    if count <= 0:
        return full
    if count > len(columns):
        return 0
    reached = [full] + [0] * count  # reached[k]: at least k of the columns so far
    for done, column in enumerate(columns, 1):
        for number in range(min(done, count), 0, -1):
            reached[number] |= reached[number - 1] & column
    return reached[count]
