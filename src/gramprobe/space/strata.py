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

from gramprobe.space.network import Coded, Network
from gramprobe.space.space import Box, Draws, Permutation, Space


class Stratum(Struct, frozen=True):
    """The instances of a space with one value of a column.

    Attributes:
        number: the number of the value; 0: no value.
        parts: for each box of the space its instances of the stratum, None where it has none.
        size: how many instances there are.
    """

    number: int
    parts: tuple[Coded | Network | None, ...]
    size: int

    def permutation(self, space: Space, seed: int, value: str) -> Permutation:
        """The order of a seed: one for each value."""
        return Permutation(self.size, f"{space.paradigm.full_name}\n{seed}\n{value}")


def strata_of(space: Space, numbers: Mapping[str, NDArray[np.intp]]) -> list[Stratum]:
    """The strata that are not empty, by number, that without a value last.

    ``numbers``: for each slot of the column the number of the value of every member, 0 for one without a value. In a
    box with several of these slots the first counts.
    """
    known = sorted({int(number) for each in numbers.values() for number in each} - {0})
    parts = [_parts(box, numbers, known) for box in space.boxes]
    strata = []
    for at, number in enumerate([*known, 0]):
        mine = tuple(of_box[at] for of_box in parts)
        size = sum(part.size for part in mine if part is not None)
        if size:
            strata.append(Stratum(number, mine, size))
    return strata


def _parts(box: Box, numbers: Mapping[str, NDArray[np.intp]], known: Sequence[int]) -> list[Coded | Network | None]:
    """For each number in ``known``, and then for 0, the instances of a box."""
    none: list[Coded | Network | None] = [None] * len(known)
    network = box.network
    if network is None or not network.size:
        return [*none, None]
    variable = next((at for at, slot in enumerate(box.slots) if slot.name in numbers), None)
    if variable is None:
        return [*none, network]
    domain, of = network.domains[variable], numbers[box.slots[variable].name]
    codes = network.once(_numbers_of, (of, domain))
    ordered = Network(network.domains, network.binaries, sorted(network.differ), (variable, codes), network.once)
    parts = [ordered.coded(number) for number in [*known, 0]]
    return [part if part.size else None for part in parts]


def _numbers_of(numbers: NDArray[np.intp], domain: Sequence[int]) -> list[int]:
    known: list[int] = numbers[list(domain)].tolist()
    return known


def draws_of_strata(space: Space, wanted: Sequence[tuple[Stratum, NDArray[Any]]]) -> Draws:
    """The instances at some ranks of some strata, those of a stratum together, in the order given."""
    count = sum(len(ranks) for _, ranks in wanted)
    box = np.zeros(count, np.int32)
    columns = {name: np.full(count, -1, np.int32) for name in space.slots}
    for number, each in enumerate(space.boxes):
        rows: list[NDArray[np.intp]] = []
        inside: list[NDArray[Any]] = []
        network: Network | None = None
        begin = 0
        for stratum, ranks in wanted:
            part = stratum.parts[number]
            if part is not None:
                before = sum(p.size for p in stratum.parts[:number] if p is not None)
                mine = np.flatnonzero((ranks >= before) & (ranks < before + part.size))
                if len(mine):
                    rows.append(begin + mine)
                    here = ranks[mine] - before
                    network, here = (part.network, part.ranks(here)) if isinstance(part, Coded) else (part, here)
                    inside.append(here)
            begin += len(ranks)
        if network is not None:
            at = np.concatenate(rows)
            box[at] = number
            for slot, column in zip(each.slots, network.solutions(np.concatenate(inside)), strict=True):
                columns[slot.name][at] = column
    return Draws(box, columns)
