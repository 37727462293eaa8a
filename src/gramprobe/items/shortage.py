"""Why a paradigm has fewer instances than are wanted, in lines for its author.

limits    which `each` line is used up, and by which words
rows      which pairs repeat those of other instances, in which cell of the design, and what is drawn without being
          in them
"""

from __future__ import annotations

import numpy as np

from gramprobe.items.plan import Plan
from gramprobe.items.stretch import Seen, equal_within
from gramprobe.items.walk import Walk
from gramprobe.resolve.paradigm.factors import level_of
from gramprobe.resolve.tree import slots
from gramprobe.source.nearest import listed

MOST_LINES = 4
"""How many limits and pairs are named at most."""
WALKED = 1 << 20
"""The largest space in which repeated pairs are counted."""


def shortage(walk: Walk) -> list[str]:
    """Why the walk, which has been taken to its end, gives no other instance."""
    if walk.column is not None:
        used = walk.hands.used_up()[:MOST_LINES]
        return [f"`{limit}` is used up by {listed(words, 3)}" for limit, words in used]
    return _repeated(walk) if walk.plan.space.size <= WALKED and not walk.never_repeats() else []


def _repeated(walk: Walk) -> list[str]:
    seen, counts, passed = Seen(), np.zeros(len(walk.texts), np.int64), 0
    for stretch in walk.whole_space(None, seen):
        if len(stretch.repeats):
            keys = walk.keys(walk.at(stretch.start, stretch.stop, stretch.repeats))
            counts += (seen.has(keys) | equal_within(keys)).sum(axis=0)
            passed += len(keys)
    lines = []
    for at in np.argsort(-counts, kind="stable")[:MOST_LINES].tolist():
        if counts[at]:
            text = walk.texts[at]
            lines.append(f"{_row(walk.plan, text)} repeats in {counts[at]:,} of {passed:,}{_missing(walk.plan, text)}")
    return lines


def _row(plan: Plan, text: tuple[str, ...]) -> str:
    """A pair, with its cell where the paradigm has factors."""
    if len(text) > 2:
        return "the text of its sentences"
    levels = [level for factor in plan.paradigm.factors if (level := level_of(factor, text))]
    return f"`{' => '.join(text)}`" + (f" (the cell {'*'.join(levels)})" if levels else "")


def _missing(plan: Plan, text: tuple[str, ...]) -> str:
    """Which draws are in none of these sentences."""
    there = {slot.name for name in text for slot in slots(plan.paradigm.conditions[name].tree)}
    absent = []
    for draw in plan.paradigm.draws:
        mine = {draw.name} | {domain.slot.name for skeleton in draw.skeletons for domain in skeleton.domains}
        if there.isdisjoint(mine):
            absent.append(f"`{draw.name}`")
    return f": {' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not in it" if absent else ""
