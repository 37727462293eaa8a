"""Why a paradigm has fewer instances than are wanted, in lines for its author.

limits    which `each` line is used up, and by which words; which levels of a factor, or of two factors together, no
          instance has
rows      which pairs repeat those of other instances, in which cell of the design, and what is drawn without being
          in them
"""

from __future__ import annotations

import dataclasses
from itertools import combinations, product

import numpy as np
from msgspec.structs import replace

from gramprobe.items.limits import values_of
from gramprobe.items.plan import Plan
from gramprobe.items.stretch import Seen, equal_within
from gramprobe.items.walk import CHUNK, Walk
from gramprobe.resolve.paradigm.data import Factor
from gramprobe.resolve.paradigm.factors import level_of
from gramprobe.resolve.tree import slots
from gramprobe.source.diagnostic import Findings
from gramprobe.source.nearest import listed
from gramprobe.space.space import Space, space_of

MOST_LINES = 4
"""How many limits and pairs are named at most."""
MOST_CELLS = 64
"""Of how many levels of two factors together those without an instance are looked for."""


def shortage(walk: Walk) -> list[str]:
    """Why the walk, which has been taken to its end, gives no other instance."""
    if walk.column is not None:
        used = dict(walk.hands.used_up()[:MOST_LINES])
        between = [factor for factor in walk.plan.paradigm.factors if factor.kind == "between"]
        lines = [_unreached(walk.plan, each, used) for each in walk.plan.paradigm.factors]
        lines += [_apart(walk.plan, *pair) for pair in combinations(between, 2)]
        return [*filter(None, lines), *(f"`{limit}` is used up by {listed(words, 3)}" for limit, words in used.items())]
    return [] if walk.never_repeats() else _repeated(walk)


def _unreached(plan: Plan, factor: Factor, used: dict[str, list[str]]) -> str:
    """A line about the levels of a factor that no instance has, in the place of that about its limit; else empty."""
    if f"factor {factor.name}" not in used:
        return ""
    absent = [level for level in factor.levels if _restricted(plan, (factor, level)) is None]
    if not absent:
        return ""
    del used[f"factor {factor.name}"]
    left = "|".join(level for level in factor.levels if level not in absent)
    column = f"{factor.column}=" if factor.column else ""
    return (
        f"no instance has the level {listed(absent)} of `factor {factor.name}`, so that the others are used up: "
        f"draw `{factor.draw}` from `[{column}{left}]`"
    )


def _apart(plan: Plan, one: Factor, other: Factor) -> str:
    """A line about the levels of two factors that no instance has together, so that they cannot have equally many
    instances; else empty."""
    if len(one.levels) * len(other.levels) > MOST_CELLS:
        return ""
    cells = [*product(one.levels, other.levels)]
    there = [cell for cell in cells if _restricted(plan, (one, cell[0]), (other, cell[1])) is not None]
    drawn = [{cell[at] for cell in there} for at in (0, 1)]  # a level that no instance has is another mistake
    absent = ["*".join(cell) for cell in cells if cell not in there and cell[0] in drawn[0] and cell[1] in drawn[1]]
    if not absent:
        return ""
    return (
        f"levels of `factor {one.name}` and `factor {other.name}` have equally many instances each, and no instance is "
        f"{listed(absent, 4)}: take one of the two lines out, or make a paradigm of its own of each part of the design"
    )


def _restricted(plan: Plan, *levels: tuple[Factor, str]) -> Space | None:
    """The space of the instances with these levels of factors that are drawn; None if there are none."""
    draws = {draw.name: draw for draw in plan.paradigm.draws}
    for factor, level in levels:
        ((domain,),) = (skeleton.domains for skeleton in draws[factor.draw].skeletons)
        values = values_of(plan, domain.slot, factor.column or None)
        kept = replace(domain, members=tuple(m for m in domain.members if str(values[m]) == level))
        skeletons = tuple(replace(each, domains=(kept,)) for each in draws[factor.draw].skeletons)
        draws[factor.draw] = replace(draws[factor.draw], skeletons=skeletons)
    return space_of(dataclasses.replace(plan.paradigm, draws=tuple(draws.values())), plan.grammar, Findings())


def _repeated(walk: Walk) -> list[str]:
    seen, counts, passed = Seen(walk.pairs), np.zeros(len(walk.texts), np.int64), 0
    for stretch in walk.whole_space(CHUNK, seen):
        if len(stretch.repeats):
            prints = walk.prints(walk.at(stretch.start, stretch.stop, stretch.repeats))
            counts += (seen.has(prints) | equal_within(walk.keys(prints))).sum(axis=0)
            passed += len(prints)
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
    rows = [text] if plan.paradigm.pairs else [(name,) for name in text]  # a minimal pair may stand across cells
    levels = [[level for factor in plan.paradigm.factors if (level := level_of(factor, row))] for row in rows]
    cells = list(dict.fromkeys("*".join(each) for each in levels if each))
    where = f" (the cell{'s' if len(cells) > 1 else ''} {' and '.join(cells)})" if cells else ""
    return f"`{' => '.join(text)}`{where}"


def _missing(plan: Plan, text: tuple[str, ...]) -> str:
    """Which draws are in none of these sentences."""
    there = {slot.name for name in text for slot in slots(plan.paradigm.conditions[name].tree)}
    absent = []
    for draw in plan.paradigm.draws:
        mine = {draw.name} | {domain.slot.name for skeleton in draw.skeletons for domain in skeleton.domains}
        if there.isdisjoint(mine):
            absent.append(f"`{draw.name}`")
    return f": {' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not in it" if absent else ""
