"""Enumerates the frames of a class once: every relation over a few worlds that meets its conditions.

A relation over W worlds is an integer of W * W bits, bit `w * W + v` for "w sees v". The conditions of Blackburn, de
Rijke & Venema 2001 (ch. 3) are checked on all 2 ** (W * W) relations at once, with one bit for each relation. Operators
that the theory relates (`within`, `introspected_by`) have joint frames: tuples of relations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TypeAlias

from gramprobe.decide.search.planes import alternating
from gramprobe.formula.theory import Frame, Operator

MOST_WORLDS = 4
"""The most worlds whose relations are enumerated: 5 worlds have 2 ** 25 relations."""
MOST_FRAMES = 1 << 16
"""The most combinations of relations that are tested to enumerate joint frames."""

Relation: TypeAlias = int


class TooLarge(ValueError):
    """A space that is not worth enumerating."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A relation of a joint frame: its conditions, and the positions of the relations that it is related to."""

    conditions: frozenset[Frame]
    within: tuple[int, ...] = ()
    introspected_by: tuple[int, ...] = ()


def related(names: Sequence[str], operators: dict[str, Operator]) -> list[tuple[str, ...]]:
    """The named operators and all operators related to them, in groups; operators of different groups are unrelated."""
    closed: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name not in closed:
            closed[name] = None
            waiting += [*operators[name].related, *(o.name for o in operators.values() if name in o.related)]
    groups: list[set[str]] = []
    for name in closed:
        linked = {name, *operators[name].related}
        apart = [group for group in groups if not group & linked]
        groups = [*apart, linked.union(*(group for group in groups if group & linked))]
    grouped = [tuple(name for name in closed if name in group) for group in groups]
    return sorted(grouped, key=lambda group: list(closed).index(group[0]))


def joint(group: Sequence[str], operators: dict[str, Operator], worlds: int) -> tuple[tuple[Relation, ...], ...]:
    """Every tuple of relations for a group of related operators. Raises TooLarge above MOST_WORLDS or MOST_FRAMES."""
    at = {name: position for position, name in enumerate(group)}
    slots = tuple(
        Slot(
            operators[name].frame,
            tuple(at[other] for other in operators[name].within),
            tuple(at[other] for other in operators[name].introspected_by),
        )
        for name in group
    )
    return _joint(slots, worlds)


@cache
def _joint(slots: tuple[Slot, ...], worlds: int) -> tuple[tuple[Relation, ...], ...]:
    tuples: list[tuple[Relation, ...]] = [()]
    for position, slot in enumerate(slots):
        classes = frames(slot.conditions, worlds)
        if len(tuples) * len(classes) > MOST_FRAMES:
            raise TooLarge(f"more than {MOST_FRAMES:,} combinations of relations over {worlds} worlds")
        longer = [(*before, relation) for before in tuples for relation in classes]
        tuples = [frame for frame in longer if all(_holds(frame, slots, worlds, number, position)
                                                  for number in range(position + 1))]  # fmt: skip
    return tuple(sorted(tuples, key=lambda frame: (sum(map(int.bit_count, frame)), frame)))


def _holds(frame: tuple[Relation, ...], slots: tuple[Slot, ...], worlds: int, number: int, newest: int) -> bool:
    """Whether a frame with relations up to `newest` meets the conditions of slot `number` that involve `newest`."""
    slot, relation = slots[number], frame[number]
    for other in slot.within:
        if max(other, number) == newest and relation & ~frame[other]:
            return False
    for other in slot.introspected_by:
        if max(other, number) == newest and composed(frame[other], relation, worlds) & ~relation:
            return False
    return True


def composed(first: Relation, second: Relation, worlds: int) -> Relation:
    """The relation from w to u for which some v exists: w sees v by the first, v sees u by the second."""
    row, result = (1 << worlds) - 1, 0
    for w, v in pairs(worlds):
        if first >> (w * worlds + v) & 1:
            result |= (second >> v * worlds & row) << w * worlds
    return result


def pairs(worlds: int) -> Iterator[tuple[int, int]]:
    """Every (w, v), in the order of the bits of a relation."""
    return product(range(worlds), range(worlds))


@cache
def frames(conditions: frozenset[Frame], worlds: int) -> tuple[Relation, ...]:
    """Every relation over `worlds` worlds that meets the conditions, those with few arrows first.

    Raises TooLarge above MOST_WORLDS worlds and ValueError for an unknown condition.
    """
    if worlds > MOST_WORLDS:
        raise TooLarge(f"relations over more than {MOST_WORLDS} worlds are not enumerated")
    every, full = range(worlds), (1 << (1 << worlds * worlds)) - 1
    sees = {(w, v): alternating(1 << w * worlds + v, 1 << worlds * worlds) for w, v in pairs(worlds)}
    wrong = 0
    for condition in sorted(conditions):
        match condition:
            case "reflexive":
                for w in every:
                    wrong |= full ^ sees[w, w]
            case "serial" | "functional":
                for w in every:
                    some = 0
                    for v in every:
                        wrong |= some & sees[w, v] if condition == "functional" else 0
                        some |= sees[w, v]
                    wrong |= full ^ some
            case "symmetric":
                for w, v in pairs(worlds):
                    wrong |= sees[w, v] & (full ^ sees[v, w])
            case "transitive":
                for w, v, u in product(every, repeat=3):
                    wrong |= sees[w, v] & sees[v, u] & (full ^ sees[w, u])
            case "euclidean":
                for w, v, u in product(every, repeat=3):
                    wrong |= sees[w, v] & sees[w, u] & (full ^ sees[v, u])
            case _:
                raise ValueError(f"no frame condition {condition!r}")
    right = [relation for relation, bit in enumerate(reversed(f"{full ^ wrong:b}")) if bit == "1"]
    return tuple(sorted(right, key=lambda relation: (relation.bit_count(), relation)))
