"""A paradigm made from another one: `paradigm mine from presupposition/only`.

It has every line of the other, but for what it says itself: a setting, draw, `let`, condition, `allow` or `solvable`
of the same name, a limit on the same draws, and a `pair` line of the same conditions stand in the place of the other's;
all other lines are added. `yields` counts the pairs of one file and is not taken over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from gramprobe.syntax.paradigm_tree import Draw, Pair, Paradigm
from gramprobe.syntax.tree import Condition

Line = TypeVar("Line")


def made_from(base: Paradigm, own: Paradigm) -> Paradigm:
    """The lines of a paradigm with those of the one that it is made from, which it then names no more."""
    taken = {keyword: words for keyword, words in base.settings.items() if keyword != "yields"}
    draws, where = _draws(base.draws, own.draws)
    modules = {each.module.text for each in own.uses}
    return replace(
        own,
        settings={**taken, **own.settings, "paradigm": own.settings["paradigm"][:1]},
        uses=(*(each for each in base.uses if each.module.text not in modules), *own.uses),
        draws=draws,
        where=(*base.where, *where, *own.where),
        lets=_put(base.lets, own.lets, lambda let: let.name.text),
        conditions=_put(base.conditions, own.conditions, lambda condition: condition.name.text),
        pairs=_put(base.pairs, own.pairs, _sides),
        allows=_put(base.allows, own.allows, lambda allow: allow.gate.text),
        broken=(*base.broken, *own.broken),
        scale=own.scale or base.scale,
        balances=(*base.balances, *own.balances),
        limits=_put(base.limits, own.limits, lambda limit: " ".join(sorted(each.text for each in limit.of))),
        carried=(*base.carried, *own.carried),
        solvable=_put(base.solvable, own.solvable, lambda each: each.reader.text),
        theories=own.theories or base.theories,
        factors=_put(base.factors, own.factors, lambda factor: factor.name.text),
        contrasts=_put(base.contrasts, own.contrasts, lambda contrast: contrast.name.text),
        crosses=_put(base.crosses, own.crosses, lambda cross: cross.name.text),
        empty_cells=(*base.empty_cells, *own.empty_cells),
        regions=(*base.regions, *own.regions),
        same_words=(*base.same_words, *own.same_words),
        pair_claims=_put(base.pair_claims, own.pair_claims, lambda claim: claim.kind),
    )


def _put(base: Sequence[Line], own: Sequence[Line], name: Callable[[Line], str]) -> tuple[Line, ...]:
    """The lines of the base, each with the own line of its name in its place, and the other own lines behind."""
    mine = {name(line): line for line in own}
    taken = tuple(mine.pop(name(line), line) for line in base)
    return (*taken, *(line for line in own if name(line) in mine))


def _sides(pair: Pair) -> str:
    return " => ".join(" ".join(sorted(word.text for word in side)) for side in (pair.premises, pair.hypotheses))


def _draws(base: Sequence[Draw], own: Sequence[Draw]) -> tuple[tuple[Draw, ...], tuple[Condition, ...]]:
    """The `draw` lines, in the order of the base, since ids of instances go by it, and the conditions of lines that are
    gone. A line names several draws: those that are drawn otherwise leave it, and its conditions hold all the same."""
    mine = {word.text: line for line in own for word in line.names}
    found: list[Draw] = []
    where: list[Condition] = []
    for line in base:
        kept = tuple(word for word in line.names if word.text not in mine)
        others = dict.fromkeys(id(mine[word.text]) for word in line.names if word.text in mine)
        found += [each for each in own if id(each) in others and each not in found]
        found += [replace(line, names=kept)] if kept else []
        where += () if kept else line.where
    return (*found, *(line for line in own if line not in found)), tuple(where)
