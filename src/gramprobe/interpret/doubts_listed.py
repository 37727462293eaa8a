"""Doubts of words that a language lists (`cautions`), by where they stand in the sentences: reasons for no label."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations

from gramprobe.formula.ast import TRUE, Atom, Const, Modal, Not, walk
from gramprobe.formula.measure import symbols
from gramprobe.interpret import rewrites as so
from gramprobe.interpret.asked import ENTAILMENT, NEUTRAL, Other, Pair
from gramprobe.interpret.cautions import Words, is_there
from gramprobe.interpret.compounds import in_a_figure
from gramprobe.interpret.times import PRESENT
from gramprobe.interpret.unsaid import spelt

AIMS = "aims"
"""The operator of what is done to do another thing."""


def quantities(p: Pair) -> Iterator[str]:
    """*A group of boys* is dancing, and perhaps they are; *a number of boys* is no number."""
    every = {*p.reader.grammar.language.cautions.quantities}
    one, other = ({(a, b) for a, b in pairwise(each) if a in every} for each in p.words)
    holds = {*p.reader.grammar.language.cautions.contents}
    if found := sorted(pair for pair in one ^ other if pair[1] in holds):
        yield f"what is said of `a {' '.join(found[0])}` several may be so of it or of them"


def adjectives_with(p: Pair) -> Iterator[str]:
    """*Good with dogs*, *cold to Noah*: how somebody is, for or with whom; not so *happy in 1990*. *Is nervous
    before exams*: not now, perhaps."""
    cautions, of = p.reader.grammar.language.cautions, Words(p.reader.symbols, p.reader.grammar)
    known = of.symbols(p.said) | of.symbols(p.asked)
    one, other = ({*zip(each, each[1:], each[2:], strict=False)} for each in p.words)
    now = {of.spelt(each) for each in known if PRESENT in p.times and of.words[each].columns.get("behind") == "anyone"}
    for adjective, preposition, noun in sorted(one ^ other):
        when = noun.isdecimal() or f"{preposition} {noun}" in cautions.dated
        if preposition in (*cautions.toward, *now) and not when and of.is_adjective(adjective, known):
            yield f"who is `{adjective} {preposition}` something need not be `{adjective}`"


def figures(p: Pair) -> Iterator[Other]:
    """*Walked into a trap*, *slept on the problem*: nobody need have walked or slept."""
    why = "who is said to do it to a matter, or in or on one, may do so in a figure"
    said, asked = (in_a_figure(side, p.reader, words) for side, words in zip((p.said, p.asked), p.words, strict=True))
    yield Other(why, said, asked)


def guessed_purposes(p: Pair) -> Iterator[str]:
    """*Took Noah to court*: where *court* is guessed, it may be no verb, and the phrase no purpose."""
    aims = (node.body for node in walk(p.said) if isinstance(node, Modal) and node.operator == AIMS)
    if any(isinstance(n, Atom) and n.predicate in p.reader.words.guessed for each in aims for n in walk(each)):
        yield "what is guessed to be done in the end may be where it leads"


def of_some_day(p: Pair) -> Iterator[str]:
    """*Is in London on Monday*: not now, perhaps (futurate, habitual)."""
    one, other = (f" {' '.join(each)} " for each in p.words)
    dated = (each for each in p.reader.grammar.language.cautions.dated if f" {each} " in one)
    if PRESENT in p.times and (found := next((each for each in dated if f" {each} " not in other), "")):
        yield f"what is so `{found}` need not be so now"


def another(p: Pair) -> Iterator[str]:
    """*Another woman sang* supposes one who did, and *no other woman* that one may be meant: the only one who did."""
    language, (one, other) = p.reader.grammar.language, p.words
    for before, (word, noun) in zip(("", *other), pairwise(other), strict=False):
        settles = p.label == NEUTRAL or (p.label == ENTAILMENT and before not in language.negations)
        if settles and word in language.cautions.besides and word not in one:
            yield f"`{word} {noun}` supposes that one was mentioned"


def over_by_now(p: Pair) -> Iterator[Other | str]:
    """*No longer the mayor*: and perhaps there is none."""
    over = sorted({*p.reader.grammar.language.cautions.over} & {*p.words[0]} - {*p.words[1]})
    if over and p.with_others(TRUE, p.asked) != p.label and is_there(p.asked):
        yield f"what is said with `{over[0]}` to be over may be there no more"


def supposed_sole(p: Pair) -> Iterator[str]:
    """*Might be the only nurse*: whoever that is, and perhaps she is none."""
    cautions, (one, other) = p.reader.grammar.language.cautions, p.words
    those = {word for before, word in pairwise(one) if before in cautions.definite} - {*other}
    if {*one} & {*cautions.supposing} and (sole := sorted(those & {*cautions.sole})):
        yield f"who is supposed to be the `{sole[0]}` one may be taken for whoever that is"


def of_one_person(p: Pair) -> Iterator[Other]:
    """Two names of which one may be short for the other (*Bob*, *Robert*), or of which one is guessed."""
    short = [each.split() for each in p.reader.grammar.language.cautions.short_names]
    every = sorted(symbols(p.said, p.asked).constants)
    for one, other in permutations((each for each in every if each in p.reader.symbols), 2):
        names = [spelt(each, p.reader.symbols) for each in (one, other)]
        first = {each.split()[0].lower() for each in names}
        if {one, other} & {*p.reader.words.guessed} or any(first <= {*each} for each in short):
            said, asked = (so.with_terms(each, {Const(other): Const(one)}) for each in (p.said, p.asked))
            if p.with_others(TRUE, Not(said)) != ENTAILMENT:
                yield Other(f"`{names[0]}` may be `{names[1]}`", said, asked)
