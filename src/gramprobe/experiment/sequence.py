"""The order of the trials of a list: no level of a factor stands three times one after another.

A level that c of n trials have can be kept from standing three times running iff c <= 2 (n - c + 1): between and around
the other n - c trials there are n - c + 1 places, and two of it fit into each. Trials without a level (fillers, catch
trials) count as others. Several factors at once are searched for, trial by trial, from seeded starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from gramprobe.source import messages

STARTS = 60
"""How often an order is begun before it is given up."""
MOST_ADDED = 256
"""How many fillers are tried at most to say how many would do."""

Levels = Mapping[str, str]


def lacking(count: int, trials: int) -> int:
    """How many further trials are needed, so that ``count`` of a level need not stand three times running."""
    return max(0, (count + 1) // 2 - 1 - (trials - count))


def ordered(number: int, trials: Sequence[Levels], factors: Sequence[str], seed: str) -> list[int]:
    """An order of the trials of a list (its ``number`` is for messages), fixed by the seed.

    Raises UsageError where the counts allow none, or none was found, with the number of fillers that would do.
    """
    for factor in factors:
        counts = Counter(levels[factor] for levels in trials if factor in levels)
        for level, count in counts.most_common(1):
            missing = lacking(count, len(trials))
            if missing:
                raise messages.experiment.no_order(number, factor, level, count, len(trials), missing)
    found = _search(trials, factors, seed)
    if found is not None:
        return found
    added = 1
    while added <= MOST_ADDED and _search([*trials, *[{}] * added], factors, seed) is None:
        added *= 2
    raise messages.experiment.no_common_order(number, factors, added if added <= MOST_ADDED else None)


def _search(trials: Sequence[Levels], factors: Sequence[str], seed: str) -> list[int] | None:
    for start in range(STARTS):
        found = _begun(trials, factors, Random(f"{seed}/{start}"))
        if found is not None:
            return found
    return None


def _begun(trials: Sequence[Levels], factors: Sequence[str], random: Random) -> list[int] | None:
    """An order that is made from its first trial on, each drawn among those that may follow; what is left at a dead end
    is put between others. None where that does not go either."""
    left = list(range(len(trials)))
    random.shuffle(left)
    counts = {factor: Counter(levels.get(factor, "") for levels in trials) for factor in factors}
    found: list[int] = []
    while left:
        may = (p for p in range(len(left)) if _may_follow(trials, factors, found, left[p], counts, len(left)))
        place = next(may, None)
        if place is None:
            return found if all(_put_between(trials, factors, found, each) for each in left) else None
        chosen = left.pop(place)
        found.append(chosen)
        for factor in factors:
            counts[factor][trials[chosen].get(factor, "")] -= 1
    return found


def _put_between(trials: Sequence[Levels], factors: Sequence[str], order: list[int], trial: int) -> bool:
    """Put a trial into an order where no level stands three times running then; whether there is such a place."""
    for place in range(len(order), -1, -1):
        near = [trials[each] for each in (*order[max(0, place - 2) : place], trial, *order[place : place + 2])]
        if not any(_thrice([levels.get(factor, "") for levels in near]) for factor in factors):
            order.insert(place, trial)
            return True
    return False


def _thrice(levels: Sequence[str]) -> bool:
    return any(a and a == b == c for a, b, c in zip(levels, levels[1:], levels[2:], strict=False))


def _may_follow(
    trials: Sequence[Levels],
    factors: Sequence[str],
    before: Sequence[int],
    trial: int,
    counts: Mapping[str, Counter[str]],
    left: int,
) -> bool:
    """Whether a trial may stand next: no level would stand three times, and what is left could be ordered, factor by
    factor."""
    for factor in factors:
        level = trials[trial].get(factor, "")
        last = [trials[each].get(factor, "") for each in before[-2:]]
        if level and last == [level, level]:
            return False
        run = (2 if last[-1:] == [level] else 1) if level else 0
        for other, count in counts[factor].items():
            rest = count - (other == level)
            # the others of what is left make places for two each; at the border there is room for what a run leaves
            if other and rest > 2 * (left - 1 - rest) + (2 - run if other == level else 2):
                return False
    return True
