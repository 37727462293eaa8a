"""A good and a bad sentence beside each other: what is derived of a minimal pair, and what an author claims of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct

from gramprobe.resolve.tree import Apply, Tree, nodes, show, unbroken, without_meaning

if TYPE_CHECKING:
    from gramprobe.items.charts import Charted
    from gramprobe.items.licensing import LicensingAccount
    from gramprobe.items.pair_meanings import PairMeaning
    from gramprobe.resolve.paradigm.data import Condition, Paradigm


class PairFacts(Struct, frozen=True, kw_only=True):
    """A good and a bad sentence beside each other.

    Attributes:
        critical: the number of the word, from 1, at which the bad one begins no sentence any more; 0 where it is good.
        one_prefix: whether both are equal up to there.
        words: how many words differ, of sentences with equally many; None for others.
        same_words: whether they have the same words, in whatever order; None where no space tells words apart.
        same_length: whether they have equally many tokens.
    """

    critical: int
    one_prefix: bool
    words: int | None
    same_words: bool | None
    same_length: bool


class PairsAnswer(Struct, frozen=True, kw_only=True):
    """What the charts say of the sentences of an instance: condition -> its chart; pair -> its facts. ``sentences`` are
    those of the first instance. ``meanings``: what the engines decide of a pair, only where it was asked for."""

    sentences: Mapping[str, str]
    charted: Mapping[str, Charted]
    facts: Mapping[tuple[str, str], PairFacts]
    meanings: Mapping[tuple[str, str], PairMeaning] = {}
    shape: str = ""
    certificate: str = ""
    rests_on: str = ""
    shapes: tuple[str, ...] = ()

    @property
    def accounts(self) -> dict[str, LicensingAccount]:
        """Id -> the account of what noun phrases license."""
        every = (each.licensing for each in self.meanings.values())
        return {each.shape: each for each in every if each is not None}


def pairs_of(paradigm: Paradigm) -> list[tuple[Condition, Condition]]:
    """The good and the bad sentence of each row of an instance."""
    good, bad = ([c for c in paradigm.conditions.values() if c.side == side] for side in ("good", "bad"))
    if len(good) == len(bad):
        return list(zip(good, bad, strict=True))
    return [(one, other) for other in bad for one in good if one.goes_with(other)]


def decided_of(paradigm: Paradigm) -> tuple[str, ...]:
    """The conditions of which it is decided whether they mean the same as another one: both have a meaning, and are
    more than one tree that breaks a constraint or none."""
    found: dict[str, None] = {}
    drawn = [skeleton.tree for draw in paradigm.draws for skeleton in draw.skeletons]
    if not any(map(without_meaning, drawn)):
        for pair in pairs_of(paradigm):
            trees = [unbroken(each.tree) for each in pair]
            if trees[0] != trees[1] and not any(map(without_meaning, trees)):
                found |= dict.fromkeys(each.name for each in pair)
    return (*found,)


CELL = "cell"
"""The tag of rows whose two sentences are no minimal pair, and are there for the design: they differ in two factors."""


def tag_of(paradigm: Paradigm, good: Condition, bad: Condition) -> str:
    """`target`, or :data:`CELL` where each bad sentence goes with each good one and these differ in two factors."""
    sides = [sum(c.side == side for c in paradigm.conditions.values()) for side in ("good", "bad")]
    within = [factor for factor in paradigm.factors if factor.of == "condition"]
    differing = sum(factor.level(good.name) != factor.level(bad.name) for factor in within)
    return CELL if sides[0] != sides[1] and differing > 1 else "target"


def differences(good: Tree, bad: Tree) -> list[tuple[str, str]]:
    """The places in which two trees differ, each with what stands there in the one and in the other.

    A place is a breach, or a word, a feature value or a constructor with another one in its stead. What stands in
    another constructor stays the same but for one word on each side: each further one is a place. The same difference
    in several places is one, and so are two parts that change places.
    """
    found: dict[tuple[str, str], None] = {}
    for one, other in dict.fromkeys(_differences(good, bad)):
        if (other, one) not in found:
            found[one, other] = None
    return [*found]


def _differences(good: Tree, bad: Tree) -> list[tuple[str, str]]:
    if good == bad:
        return []
    if isinstance(good, Apply) and isinstance(bad, Apply) and good.constructor.name == bad.constructor.name:
        below = [each for pair in zip(good.arguments, bad.arguments, strict=True) for each in _differences(*pair)]
        if good.breach == bad.breach:
            return below
        breaches = (f"breaking {each.breach.constraint}" if each.breach else "" for each in (good, bad))
        return [(next(breaches), next(breaches)), *below]
    ours, theirs = (Counter(show(n) for n in nodes(each) if _word(n)) for each in (good, bad))
    further = zip_longest([*(ours - theirs)][1:], [*(theirs - ours)][1:], fillvalue="")
    return [(show(good), show(bad)), *further]


def _word(tree: Tree) -> bool:
    return not isinstance(tree, Apply) and not getattr(tree, "is_feature", False)


def unmet(claim: str, facts: PairFacts, repairs: tuple[str, ...]) -> str:
    """Why what an author claims of a pair does not hold, as a clause; empty where it does."""
    match claim:
        case "one word" | "same words" if facts.same_words is None:
            return "this language writes no spaces between words, so that none are counted"
        case "unique repair" if len(repairs) != 1:
            return f"lifting each of {', '.join(repairs)} repairs it" if repairs else "nothing repairs it"
        case "one word" if facts.words != 1:
            return "they have not equally many words" if facts.words is None else f"{facts.words} words differ"
        case "same words" if not facts.same_words:
            return "they have not the same words"
        case "same length" if not facts.same_length:
            return "they have not equally many tokens"
    return ""
