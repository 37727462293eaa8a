"""Why a paradigm has fewer instances than are wanted, in lines for its author.

limits    which `each` line is used up, and by which words; which levels of a factor no instance has
rows      which pairs repeat those of other instances, in which cell of the design, and what is drawn without being
          in them
"""

from __future__ import annotations

import dataclasses

import numpy as np
from msgspec.structs import replace

from gramprobe.items.limits import values_of
from gramprobe.items.plan import Plan
from gramprobe.items.stretch import Seen, equal_within
from gramprobe.items.walk import Walk
from gramprobe.resolve.paradigm.data import Factor
from gramprobe.resolve.paradigm.factors import level_of
from gramprobe.resolve.tree import slots
from gramprobe.source.diagnostic import Findings
from gramprobe.source.nearest import listed
from gramprobe.space.space import Space, space_of

MOST_LINES = 4
"""How many limits and pairs are named at most."""
WALKED = 1 << 20
"""The largest space in which repeated pairs are counted."""


def shortage(walk: Walk) -> list[str]:
    """Why the walk, which has been taken to its end, gives no other instance."""
    if walk.column is not None:
        used = dict(walk.hands.used_up()[:MOST_LINES])
        lines = [_unreached(walk.plan, each, used) for each in walk.plan.paradigm.factors]
        return [*filter(None, lines), *(f"`{limit}` is used up by {listed(words, 3)}" for limit, words in used.items())]
    return _repeated(walk) if walk.plan.space.size <= WALKED and not walk.never_repeats() else []


def _unreached(plan: Plan, factor: Factor, used: dict[str, list[str]]) -> str:
    """A line about the levels of a factor that no instance has, in the place of that about its limit; else empty."""
    if f"factor {factor.name}" not in used:
        return ""
    absent = [level for level in factor.levels if _restricted(plan, factor, level) is None]
    if not absent:
        return ""
    del used[f"factor {factor.name}"]
    left = "|".join(level for level in factor.levels if level not in absent)
    column = f"{factor.column}=" if factor.column else ""
    return (
        f"no instance has the level {listed(absent)} of `factor {factor.name}`, so that the others are used up: "
        f"draw `{factor.draw}` from `[{column}{left}]`"
    )


def _restricted(plan: Plan, factor: Factor, level: str) -> Space | None:
    """The space of the instances with a level of a factor; None if there are none."""
    draws = []
    for draw in plan.paradigm.draws:
        if draw.name == factor.draw:
            ((domain,),) = (skeleton.domains for skeleton in draw.skeletons)
            values = values_of(plan, domain.slot, factor.column or None)
            kept = replace(domain, members=tuple(m for m in domain.members if str(values[m]) == level))
            draw = replace(draw, skeletons=tuple(replace(each, domains=(kept,)) for each in draw.skeletons))
        draws.append(draw)
    return space_of(dataclasses.replace(plan.paradigm, draws=tuple(draws)), plan.grammar, Findings())


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
