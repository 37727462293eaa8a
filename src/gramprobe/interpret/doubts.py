"""What keeps a decision on two readings from being the label of the sentences.

Words say more than a lexicon knows, and some leave open what they say. An entailment or a contradiction holds however
that is filled in. `neutral` is the claim that nothing follows, and is withheld where one thing more, of which grammar
and lexicon do not speak, would settle the hypothesis. `DOUBTS` is the table of what is asked, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Literal

from gramprobe.formula.ast import And, Const, Equal, Quantified, walk
from gramprobe.formula.measure import symbols
from gramprobe.interpret import doubts_listed as listed
from gramprobe.interpret import doubts_neutral as neutral
from gramprobe.interpret import doubts_related as related
from gramprobe.interpret import doubts_settled as settled
from gramprobe.interpret import rewrites as so
from gramprobe.interpret import unsaid
from gramprobe.interpret.asked import NEUTRAL, Other, Pair
from gramprobe.interpret.cautions import Words
from gramprobe.interpret.compounds import of_another_kind
from gramprobe.interpret.groups import counted, done_together, in_groups
from gramprobe.interpret.orders import of_other_orders
from gramprobe.interpret.scopes import by_choice, de_re, is_denied
from gramprobe.resolve.theory.data import Withheld


@dataclass(frozen=True)
class Doubt:
    """What is asked of a pair.

    Attributes:
        of: the labels of which it is asked; `settled` are all but `neutral`.
        asks: yields a reason for no label, or other formulas for the pair, which is a reason if they have another one.
        message: of other formulas, with their ``{why}`` and the ``{label}`` that they have.
    """

    of: Literal["labels", "settled", "neutral"]
    asks: Callable[[Pair], Iterator[Other | str]]
    message: str = "{why}; then {label}"


def doubt(pair: Pair) -> str:
    """Why the label of a premise and a hypothesis is none of the sentences that say them; empty if it is."""
    kinds = ("labels", "neutral" if pair.label == NEUTRAL else "settled")
    for each in DOUBTS:
        for found in each.asks(pair) if each.of in kinds else ():
            if isinstance(found, str):
                return found
            if found[1:] == (pair.said, pair.asked, None):
                continue
            changed = pair.with_others(*found[1:])
            if changed != pair.label and (changed is not None or each.of == "settled"):
                return each.message.format(why=found.why, label=changed)
    return ""


def _open(p: Pair) -> Iterator[Other | str]:
    for each in p.lines("", what="labels"):
        if unsaid.named(p.asked, each.names) or unsaid.named(p.said, each.names) > 1:
            yield each.reason
        yield Other(each.reason, so.left_open(p.said, each.names), p.asked)


def _of_one_name(p: Pair) -> Iterator[str]:
    if part := unsaid.in_a_name(p.said, p.asked, p.reader.symbols):
        yield f"`{part[0]}` may be `{part[1]}`"
    same = (node for side in (p.said, p.asked) for node in walk(side) if isinstance(node, Equal))
    if any(isinstance(node.left, Const) and isinstance(node.right, Const) for node in same):
        yield "it hangs on two names not being those of one"


def _who_speaks(p: Pair) -> Iterator[Other]:
    """Who speaks, or is spoken to, may be one of those who are named: *Emma sang. I sang*, one or two."""
    every, speech = {*symbols(p.said, p.asked).constants}, {*p.reader.grammar.language.cautions.speech}
    for one, name in product(sorted(every & speech), sorted((every - speech) & p.reader.symbols.keys())):
        said, asked = (so.with_terms(each, {Const(one): Const(name)}) for each in (p.said, p.asked))
        yield Other(f"`{unsaid.spelt(name, p.reader.symbols)}` may be who speaks, or is spoken to", said, asked)


def _as(p: Pair, every: Sequence[Withheld]) -> Iterator[Other]:
    of_somebody = {each.name for each in p.reader.theory.definitions if each.agent is not None}
    other = so.with_others(p.said, every, of_somebody), so.with_others(p.asked, every, of_somebody)
    if other != (p.said, p.asked):
        named = (each for each in every if unsaid.named(p.said, each.names) or unsaid.named(p.asked, each.names))
        yield Other(next(named).reason, *other)


def _apart(p: Pair) -> Iterator[str]:
    yield from unsaid.apart(p.said, p.asked, p.lines("apart", what="labels"))


def _ignorant(p: Pair) -> Iterator[Other]:
    for each in p.lines("ignorant"):
        said, asked = (so.without_knowing(side, each.names, p.reader) for side in (p.said, p.asked))
        yield Other(each.reason, said, asked)


def _denied(p: Pair) -> Iterator[str]:
    for each in p.lines("denied"):
        if is_denied(p.said, each.names, p.reader) or is_denied(p.asked, each.names, p.reader):
            yield each.reason


def _de_re(p: Pair) -> Iterator[Other]:
    yield Other("what is believed or known of `the` one may be so of whoever it is", de_re(p.said), de_re(p.asked))
    if p.label == NEUTRAL:
        said, asked = (de_re(each, ("the", "forall"), of_modals=True) for each in (p.said, p.asked))
        yield Other("what is believed or known of all may be so of whoever they are", said, asked)


def _orders(p: Pair) -> Iterator[Other]:
    for other in of_other_orders(p.said, p.asked, p.reader, neutral=p.label == NEUTRAL):
        yield Other(*other)


def _of_material(p: Pair) -> Iterator[Other]:
    why = "it hangs on what is of some material, or stands behind another noun, being what the noun says"
    yield Other(why, of_another_kind(p.said, p.reader), of_another_kind(p.asked, p.reader))


def _is_animal(p: Pair) -> Iterator[Other]:
    """*Emma is a dog*: then the name is none of a person, of whom nothing else is known."""
    if name := unsaid.no_person(p.said, p.reader) or unsaid.no_person(p.asked, p.reader):
        said, asked = (so.with_terms(each, {Const(name): Const(f"{name}_alone")}) for each in (p.said, p.asked))
        yield Other(f"`{unsaid.spelt(name, p.reader.symbols)}` may be no person", said, asked)


def _together(p: Pair) -> Iterator[Other]:
    cautions, sides = p.reader.grammar.language.cautions, (p.said, p.asked)
    if not {*cautions.each} & {*p.words[0]}:
        knows = [Words(p.reader.symbols, p.reader.grammar, tokens) for tokens in p.words]
        numbers = counted(*sides)
        said, asked = (in_groups(side, of, numbers) for side, of in zip(sides, knows, strict=True))
        verbs = (done_together(node, of) for side, of in zip(sides, knows, strict=True) for node in walk(side)
                 if isinstance(node, Quantified) and not of.is_of_one(node))  # fmt: skip
        if verb := next(filter(None, verbs), ""):
            yield Other(f"`{verb}` may be what several do together", said, asked)


def _repeated(p: Pair) -> Iterator[str]:
    """*This is a book, and this is a pen*: two things."""
    for each in p.lines("repeated", what="" if p.label == NEUTRAL else "labels"):
        if max(unsaid.pointed(p.said, each.names), unsaid.pointed(p.asked, each.names)) > 1:
            yield each.reason


def _chosen(p: Pair) -> Iterator[Other]:
    """Free choice (Kamp 1973), and *or* brought in below an operator (Ross 1941)."""
    for each in p.lines("chosen", what="" if p.label == NEUTRAL else "labels"):
        related = [so.with_others(node, p.lines("as")) for node in (p.said, p.asked)]
        said, asked = (by_choice(node, each.names) for node in related)
        if [said, asked] != related:
            yield Other(each.reason, said, asked)


def _several(p: Pair) -> Iterator[Other]:
    said, asked = (so.at_least_two(node, nouns) for node, nouns in zip((p.said, p.asked), p.several, strict=True))
    said = reduce(And, so.two_at_least(p.said) if asked != p.asked else (), said)  # *most nurses* are of two
    yield Other("nouns of several may be of two at least", said, asked)


ONLY_WHERE = "it is neutral only where {why}; else {label}"
DOUBTS = (
    Doubt("labels", _open),
    Doubt("labels", _of_one_name),
    Doubt("labels", lambda p: _as(p, p.lines("as", "as nothing", what="labels")), "{why}; else {label}"),
    Doubt("labels", _apart),
    Doubt("labels", _ignorant, "{why}"),
    Doubt("labels", _denied),
    Doubt("labels", _de_re),
    Doubt("labels", _orders),
    Doubt("settled", settled.anew),
    Doubt("settled", _who_speaks, "{why}"),
    Doubt("settled", settled.nothing_there),
    Doubt("settled", settled.narrowed, "{why}"),
    Doubt("settled", settled.beside_nouns, "{why}"),
    Doubt("settled", settled.leaving_out, "{why}"),
    Doubt("settled", settled.elsewhere, "{why}"),
    Doubt("settled", settled.oneself, "{why}"),
    Doubt("settled", settled.cases, "{why}"),
    Doubt("settled", settled.worded),
    Doubt("settled", settled.agentive),
    Doubt("settled", settled.habitual, "{why}"),
    Doubt("settled", settled.by_name_alone),
    Doubt("labels", listed.quantities),
    Doubt("settled", listed.adjectives_with),
    Doubt("settled", listed.figures, "{why}"),
    Doubt("settled", listed.guessed_purposes),
    Doubt("settled", listed.of_some_day),
    Doubt("labels", listed.another),
    Doubt("settled", listed.over_by_now),
    Doubt("settled", listed.supposed_sole),
    Doubt("settled", listed.of_one_person, "{why}"),
    Doubt("settled", settled.sorts),
    Doubt("settled", settled.unplaced, "{why}"),
    Doubt("labels", _is_animal),
    Doubt("labels", _repeated),
    Doubt("labels", _together, "{why}"),
    Doubt("labels", _of_material, "{why}"),
    Doubt("settled", settled.introspective, "{why}"),
    Doubt("settled", related.at_two_times, "{why}"),
    Doubt("settled", related.still),
    Doubt("settled", related.on_a_day),
    Doubt("settled", related.institutions, "{why}"),
    Doubt("labels", _several),
    Doubt("neutral", _who_speaks, "{why}"),
    Doubt("neutral", neutral.vague),
    Doubt("neutral", neutral.presupposed),
    Doubt("neutral", neutral.strange_words),
    Doubt("neutral", related.at_once),
    Doubt("neutral", related.undergone),
    Doubt("neutral", related.denied),
    Doubt("neutral", neutral.for_long),
    Doubt("neutral", neutral.of_listed),
    Doubt("neutral", neutral.typically),
    Doubt("neutral", neutral.exclusive, ONLY_WHERE),
    Doubt("neutral", lambda p: _as(p, p.lines("as")), ONLY_WHERE),
    Doubt("neutral", lambda p: _as(p, p.lines("as nothing")), ONLY_WHERE),
    Doubt("labels", _chosen),
    Doubt("neutral", neutral.kinds, "{why}"),
    Doubt("neutral", neutral.numbers, ONLY_WHERE),
    Doubt("neutral", neutral.of_none),
    Doubt("neutral", neutral.importing, ONLY_WHERE),
    Doubt("neutral", neutral.by_people, ONLY_WHERE),
    Doubt("neutral", neutral.possible_cases, ONLY_WHERE),
    Doubt("neutral", neutral.mentioned),
    Doubt("neutral", neutral.genders),
    Doubt("neutral", neutral.taken_for_granted),
)
"""What is asked, in this order: the first reason is given."""
