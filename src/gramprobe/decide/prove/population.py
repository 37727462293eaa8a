"""Builds a candidate model with the counted number of unnamed individuals in each region, for the kernel to confirm."""

from __future__ import annotations

from dataclasses import replace

from gramprobe.certify.counting import Counting
from gramprobe.certify.model import Model
from gramprobe.decide.prove.interpretation import interpretation
from gramprobe.decide.prove.spread import Counts

LARGEST = 300
"""The most individuals or occasions of a candidate."""


def populated(counting: Counting, holding: set[int], counts: Counts) -> Model | None:
    """The candidate for a grounding, the literals that are true (`holding`), and the counts by region.

    None if it would be too large, or if two names may denote the same individual. Every bit must be an atom.
    """
    bare = interpretation(counting.problem, counting, holding)
    if bare is None or (len(counting.constants) > 1 and not counting.distinct):
        return None
    regions = counting.regions
    regions_of: list[list[int]] = []  # of each group: the region of every unnamed individual
    for cells in counts:
        regions_of.append([(inside & -inside).bit_length() - 1 for inside, number in cells for _ in range(number)])
        if len(regions_of[-1]) > LARGEST:
            return None
    unnamed = {
        sort: max([len(each) for each, its in zip(regions_of, regions.sorts, strict=True) if its == sort], default=0)
        for sort in ("individual", "occasion")
    }
    names = len(counting.constants)
    individuals = max(1, names + unnamed["individual"])
    first = {"individual": names, "occasion": individuals}
    predicates: dict[str, list[set[tuple[int, ...]]]] = {
        name: [set() for _ in range(bare.worlds)] for name in bare.predicates
    }
    alive = (w for w, world in enumerate(counting.reach.worlds) if all(-edge in holding for edge in world.exists))
    worlds = {world: number for number, world in enumerate(alive)}
    bearers = {term: bare.constants[name] for name, term in counting.constants.items()}
    for (predicate, world, *args), literal in counting.atoms.items():
        if literal in holding and world in worlds and isinstance(predicate, str):
            predicates[predicate][worlds[world]].add(tuple([bearers[arg] for arg in args]))
    for (sort, world, (_, predicate, *args)), bit in counting.bits.items():
        group, place = counting.places[bit]
        if world in worlds:
            for number, region in enumerate(regions_of[group], first[sort]):
                if region >> place & 1:
                    who = tuple([bearers[arg[1]] if arg[0] == "term" else number for arg in args])
                    predicates[predicate][worlds[world]].add(who)
    extensions = {name: tuple(map(frozenset, each)) for name, each in predicates.items()}
    occasions = max(bare.occasions, unnamed["occasion"])
    return replace(bare, individuals=individuals, occasions=occasions, predicates=extensions)
