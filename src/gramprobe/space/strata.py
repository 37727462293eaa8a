"""A space cut by the values of a column: each stratum is counted, unranked and permuted by itself.

In every box the variable of the column is eliminated last, so that the solutions of each value are counted by the one
network of the box (`Network.coded`), and instances of all strata are drawn by one pass through it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.space.network import MOST_INT64, Coded, Network
from gramprobe.space.space import Box, Draws, Permutation, Space


class Stratum(Struct, frozen=True):
    """The instances of a space with one value of a column.

    Attributes:
        number: the number of the value; 0: no value.
        place: which of the strata it is.
        size: how many instances there are.
    """

    number: int
    place: int
    size: int

    def permutation(self, space: Space, seed: int, value: str) -> Permutation:
        """The order of a seed: one for each value."""
        return Permutation(self.size, f"{space.paradigm.full_name}\n{seed}\n{value}")


class Strata(Struct, frozen=True):
    """The strata of a space.

    Attributes:
        every: the strata that are not empty, by number, that without a value last.
        parts: for each box its instances by stratum; the network of one whose instances have no value; None for one
            without instances.
        ends: (boxes, strata) how many instances of each stratum are in the boxes up to each one.
    """

    every: list[Stratum]
    parts: list[Coded | Network | None]
    ends: NDArray[Any]

    def draws(self, space: Space, places: NDArray[np.intp], ranks: NDArray[Any]) -> Draws:
        """The instances of their space at these ranks of the strata at these places."""
        box = np.zeros(len(ranks), np.int32)
        columns = {name: np.full(len(ranks), -1, np.int32) for name in space.slots}
        of_box = (self.ends[:, places] <= ranks).sum(axis=0)
        for number, part in enumerate(self.parts):
            at = np.flatnonzero(of_box == number)
            if part is None or not len(at):
                continue
            here = ranks[at] - self.ends[number - 1, places[at]] if number else ranks[at]
            network, here = (part.network, part.ranks(places[at], here)) if isinstance(part, Coded) else (part, here)
            box[at] = number
            for slot, column in zip(space.boxes[number].slots, network.solutions(here), strict=True):
                columns[slot.name][at] = column
        return Draws(box, columns)


def strata_of(space: Space, numbers: Mapping[str, NDArray[np.intp]]) -> Strata:
    """The strata by the values of a column.

    ``numbers``: for each slot of the column the number of the value of every member, 0 for one without a value. In a
    box with several of these slots the first counts.
    """
    known = [*sorted({int(number) for each in numbers.values() for number in each} - {0}), 0]
    parts = [_part(box, numbers, known) for box in space.boxes]
    alone = [0] * (len(known) - 1)
    sizes = [part.sizes if isinstance(part, Coded) else [*alone, 0 if part is None else part.size] for part in parts]
    ends = np.cumsum(np.array(sizes, np.int64 if space.size < MOST_INT64 else object), axis=0)
    every = [Stratum(n, at, size) for at, (n, size) in enumerate(zip(known, ends[-1].tolist(), strict=True)) if size]
    return Strata(every, parts, ends)


def _part(box: Box, numbers: Mapping[str, NDArray[np.intp]], known: Sequence[int]) -> Coded | Network | None:
    """The instances of a box by the numbers in ``known``."""
    network = box.network if box.size else None  # of a box whose size was kept the network is not eliminated yet
    if network is None:
        return None
    variable = next((at for at, slot in enumerate(box.slots) if slot.name in numbers), None)
    if variable is None:
        return network
    domain, of = network.domains[variable], numbers[box.slots[variable].name]
    codes = network.once(_numbers_of, (of, domain))
    ordered = Network(network.domains, network.binaries, sorted(network.differ), (variable, codes), network.once)
    return ordered.coded(known)


def _numbers_of(numbers: NDArray[np.intp], domain: Sequence[int]) -> list[int]:
    known: list[int] = numbers[list(domain)].tolist()
    return known
