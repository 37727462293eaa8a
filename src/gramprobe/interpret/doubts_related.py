"""What is asked of labels that hang on what words have to do with each other: whether it is so of these, at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import product

from gramprobe.formula.ast import Modal, Not, walk
from gramprobe.interpret import rewrites as so
from gramprobe.interpret import unsaid
from gramprobe.interpret.asked import CONTRADICTION, Other, Pair
from gramprobe.interpret.cautions import Words, of_two, operators_of
from gramprobe.interpret.times import FUTURE, PAST, PRESENT


def at_two_times(p: Pair) -> Iterator[Other]:
    """*Emma was awake*, and asleep at another time: two pasts are two times, and only what is so now is so at once."""
    if {*p.asked_times} - {PRESENT, ""} and p.reader.opposed((p.said, p.asked)):
        why = "what was so at one time need not have been so at another"
        yield Other(why, p.said, p.asked, p.reader.at_two_times)


def still(p: Pair) -> Iterator[str]:
    """*The door opened*, and is closed again."""
    of = Words(p.reader.symbols, p.reader.grammar)
    new = (each for each in sorted(of.symbols(p.asked) - of.symbols(p.said)) if len(of.words[each].forms) != 2)
    if {*p.asked_times} == {PRESENT} and p.times and not {PRESENT, ""} & {*p.times}:
        yield from (f"what became `{of.spelt(each)}` then may be so no more" for each in new)


def on_a_day(p: Pair) -> Iterator[str]:
    """*Remembered to call Noah on Monday*, and forgot it on Tuesday."""
    of, (said, asked) = Words(p.reader.symbols, p.reader.grammar), (operators_of(p.said), operators_of(p.asked))
    adverbs = sorted(each for each in said - asked if p.reader.is_factive(each) and not of.is_verb(each))
    if p.label == CONTRADICTION and PRESENT not in p.asked_times and adverbs and any(map(of.is_verb, asked - said)):
        yield f"what was so with `{of.spelt(adverbs[0])}` need not have been so at another time"


def institutions(p: Pair) -> Iterator[Other]:
    """*Joined the church*: no building."""
    of = Words(p.reader.symbols, p.reader.grammar)
    kinds = unsaid.kinds(p.said, of.words)
    if said := sorted(each for each in kinds if of.listed(each, of.cautions.institutions)):
        before, after = (
            reduce(lambda f, each: so.renamed(f, each, f"{each}_itself"), said, side) for side in (p.said, p.asked)
        )
        yield Other(f"`{of.spelt(said[0])}` may be no building", before, after)


def at_once(p: Pair) -> Iterator[str]:
    """*Emma is sleeping*, *is dancing*: what nobody does at once. And what is done *on Monday* is so *on Monday*."""
    of, related = Words(p.reader.symbols, p.reader.grammar), p.reader.related
    before, after = (of.symbols(each) for each in (p.said, p.asked))
    adverbs = any(isinstance(node, Modal) and node.agent is not None for node in walk(p.asked))
    going = {*p.times, *p.asked_times} - {PAST, FUTURE, ""}
    for one, other in product(sorted(before - after), sorted(after - before)):
        tie = related.tie(one, other)
        if tie in ("causes", "caused") and adverbs:
            yield f"when and how one does what `{of.spelt(one)}` says may be when and how the other is so"
        whose = [{who for who, _ in of_two(*each)} for each in ((one, p.said), (other, p.asked))]
        if going and tie == "independent" and of.is_verb(one) and of.is_verb(other) and whose[0] & whose[1]:
            yield f"nobody may do what `{of.spelt(one)}` and `{of.spelt(other)}` say at one time"


def undergone(p: Pair) -> Iterator[str]:
    """*Cooked the fish*: and the fish cooked."""
    of, related = Words(p.reader.symbols, p.reader.grammar), p.reader.related
    before, after = (of.symbols(each) for each in (p.said, p.asked))
    for one, other in product(sorted(before), sorted(after)):
        alone = of.spelt(one) in p.reader.grammar.language.relations_of_verbs.objectless
        if alone and one != other and related.tie(one, other) == "causes":
            objects, subjects = {what for _, what in of_two(one, p.said)}, {who for who, _ in of_two(other, p.asked)}
            if any(objects & subjects):
                yield f"what is done with `{of.spelt(one)}` may be so of what it is done to"


def denied(p: Pair) -> Iterator[str]:
    """*Does not trust Noah*: and distrusts him (Horn 1989)."""
    of, related = Words(p.reader.symbols, p.reader.grammar), p.reader.related
    below = {name for node in walk(p.said) if isinstance(node, Not) for name in of.symbols(node.body)}
    for one, other in product(sorted(below), sorted(of.symbols(p.asked))):
        if of.is_verb(one) and of.is_verb(other) and related.tie(one, other) == "exclusive":
            yield f"who is said not to `{of.spelt(one)}` may be said to `{of.spelt(other)}`"
