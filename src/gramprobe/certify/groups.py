"""Groups: which properties are counted together, and the truth tables of the bounds over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from gramprobe.certify.classical import Core
from gramprobe.certify.regions import BITS, Bound, Regions, table
from gramprobe.certify.reject import Budget, CertificateError

Weighted: TypeAlias = Sequence[tuple[int, Core]]
"""Coefficients and sets; a set is a boolean formula over `("bit", number)`."""


class Draft(NamedTuple):
    """A bound whose bits have no places yet."""

    sort: str
    parts: tuple[tuple[int, Core], ...]
    named: tuple[tuple[int, int], ...]
    least: int


def grouped(
    drafts: Mapping[int, Draft],
    sorts: Sequence[str],
    related: Sequence[Sequence[int]],
    unnamed: Mapping[str, bool],
    budget: Budget,
) -> tuple[Regions, dict[int, tuple[int, int]]]:
    """The regions for drafts by literal, and for each bit its group and its place there.

    Bits that occur in the same bound are in the same group, and so are those in one list of `related`. `sorts`: the
    sort of each bit. Raises CertificateError if a group has too many bits.
    """
    parent = list(range(len(sorts)))

    def first(bit: int) -> int:
        while parent[bit] != bit:
            parent[bit] = bit = parent[parent[bit]]
        return bit

    mentioned = {
        literal: list(dict.fromkeys(bit for _, inside in draft.parts for bit in bits_of(inside)))
        for literal, draft in drafts.items()
    }
    for bits in (*mentioned.values(), *related):
        budget.spend(1 + len(bits))
        for bit in bits[1:]:
            parent[first(bit)] = first(bits[0])
    groups: dict[int | str, int] = {}  # by its first bit, or by a sort whose individuals are counted without bits
    regions = Regions({}, [], [], {})

    def group_of(key: int | str, sort: str) -> int:
        if key not in groups:
            groups[key] = len(groups)
            regions.sorts.append(sort)
            regions.sizes.append(0)
            regions.unnamed[sort] = unnamed[sort]
        return groups[key]

    places: dict[int, tuple[int, int]] = {}
    for bit, sort in enumerate(sorts):
        group = group_of(first(bit), sort)
        places[bit] = group, regions.sizes[group]
        regions.sizes[group] += 1
    if max(regions.sizes, default=0) > BITS:
        raise CertificateError(f"more than {BITS} properties of one individual to be counted together")
    for literal, draft in drafts.items():
        bits = mentioned[literal]
        group = places[bits[0]][0] if bits else group_of(draft.sort, draft.sort)
        local = {bit: places[bit][1] for bit in bits}
        parts = [(by, table(inside, local, regions.sizes[group], budget)) for by, inside in draft.parts]
        regions.bounds[literal] = Bound(group, tuple(parts), draft.named, draft.least)
    return regions, places


def bits_of(formula: Core) -> list[int]:
    """The bits in a boolean formula, with repetitions."""
    if formula[0] == "bit":
        return [formula[1]]
    return [bit for part in formula[1:] for bit in bits_of(part)]
