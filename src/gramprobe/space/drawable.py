"""What of each draw is in some instance: of the words that its line allows, those that `where` and constructors leave.

drawable(space) -> {"noun": 17}
"""

from __future__ import annotations

from math import prod

from gramprobe.cache import Folder
from gramprobe.resolve.paradigm.data import Skeleton
from gramprobe.space.network import Network, Tangled
from gramprobe.space.space import Space


def drawable(space: Space, key: str = "") -> dict[str, int]:
    """Draw -> how many of its words, values or phrases are in some instance.

    Of phrases of several words it is at most so many: the words of each place count by themselves. Where counting by a
    word would need too large a table, all are counted that conditions on this word alone leave.

    ``key``: as for `space_of`.
    """
    return Folder("drawable").found(key, dict[str, int], lambda: _counted(space))


def _counted(space: Space) -> dict[str, int]:
    found: dict[str, set[int]] = {}
    skeletons: dict[str, dict[int, Skeleton]] = {draw.name: {} for draw in space.paradigm.draws}
    for box in space.boxes:
        if not box.size or box.network is None:
            continue
        for draw, skeleton in zip(space.paradigm.draws, box.skeletons, strict=True):
            skeletons[draw.name][id(skeleton)] = skeleton
        for variable, slot in enumerate(box.slots):
            known = found.setdefault(slot.name, set())
            if not known.issuperset(box.network.domains[variable]):
                known |= _in_some_solution(box.network, variable)
    return {
        name: sum(prod(len(found[domain.slot.name]) for domain in each.domains) for each in own.values())
        for name, own in skeletons.items()
    }


def _in_some_solution(network: Network, variable: int) -> set[int]:
    domain = network.domains[variable]
    last = variable, range(len(domain))
    try:
        own = Network(network.domains, network.binaries, sorted(network.differ), last, network.once)
        weights = own.buckets[-1].weights(())[0]
    except Tangled:
        return set(domain)
    return {member for alike, weight in zip(own.members[variable], weights, strict=True) if weight for member in alike}
