"""What is asked of `neutral`: whether one thing more would settle the hypothesis."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations, permutations, product

from gramprobe.formula.ast import (
    And,
    Atom,
    Const,
    Formula,
    Implies,
    Not,
    Or,
    Quantified,
    may_be_undefined,
    walk,
)
from gramprobe.formula.binding import free_variables, names
from gramprobe.interpret import rewrites as so
from gramprobe.interpret import unsaid
from gramprobe.interpret.asked import CONTRADICTION, ENTAILMENT, NEUTRAL, Other, Pair
from gramprobe.interpret.cautions import HAS
from gramprobe.interpret.definites import of_gender, taken_up
from gramprobe.interpret.listed import more_premises
from gramprobe.interpret.refused import is_denied_for_long
from gramprobe.interpret.times import PRESENT


def typically(p: Pair) -> Iterator[Other]:
    """*Dogs chase cats*: all that are as dogs are."""
    if PRESENT in p.times:
        yield Other("what is said of some may be typical of all", so.of_all(p.said, p.several[0]), p.asked)


def of_none(p: Pair) -> Iterator[Other]:
    """*Emma did not feed the dogs*: none of them (Löbner 2000; Križ 2015)."""
    if not {*p.reader.grammar.language.cautions.whole} & {*p.words[0], *p.words[1]}:
        nouns = p.of_those | p.several[0] | p.several[1]
        why = "what is not so of those of `the` may be so of none"
        yield Other(why, so.of_none(p.said, nouns), so.of_none(p.asked, nouns))


def for_long(p: Pair) -> Iterator[str]:
    """*Did not arrive for an hour*: and then she did. *Did not sleep for two days*: not at all, for so long."""
    if is_denied_for_long(p.said, p.words[0], p.reader.symbols, p.reader.grammar):
        yield "what is not done for some time may be done then, or not at all"


def of_listed(p: Pair) -> Iterator[Other | str]:
    for why, more in more_premises(p.said, p.asked, p.reader):
        yield why if more is None else Other(why, And(p.said, more), p.asked)


def vague(p: Pair) -> Iterator[str]:
    for each in p.lines("", what=NEUTRAL):
        if unsaid.named(p.said, each.names) or unsaid.named(p.asked, each.names):
            yield each.reason
    if any(unsaid.named(p.said, each.names) for each in p.lines("", what="labels")):
        yield "a word of the premises leaves open what might settle the hypothesis"


def presupposed(p: Pair) -> Iterator[str]:
    values = {*p.decided.verdict.h_values}
    if not {"T", "F"} <= values:
        settled = ENTAILMENT if "T" in values else CONTRADICTION
        yield f"it is neutral only because the hypothesis presupposes more than is said; where that holds, {settled}"


def unrelated(p: Pair) -> str:
    """Why nothing is known of two words of a pair; empty if something is of each two of them."""
    before, after = (unsaid.words_of(each, p.reader.symbols, p.reader.grammar) for each in (p.said, p.asked))
    return unsaid.unrelated(before, after, p.reader)


def strange_words(p: Pair) -> Iterator[str]:
    words, grammar = p.reader.symbols, p.reader.grammar
    before, after = (unsaid.words_of(each, words, grammar) for each in (p.said, p.asked))
    if alike := unrelated(p):
        yield alike
    if (HAS in names(p.asked) and HAS not in names(p.said) and before) or (
        HAS in names(p.said) and HAS not in names(p.asked) and after - before
    ):
        yield "the lexicon does not say who has what"
    denied = (part for node in walk(p.said) if isinstance(node, Not) for part in walk(node.body))
    whose = (part for part in denied if isinstance(part, Atom) and part.predicate == HAS)
    if HAS in names(p.asked) and any(all(isinstance(each, Const) for each in part.args) for part in whose):
        yield "who is said not to be somebody's may be distinguished from one who is"  # *is not Noah's sister*
    if unsaid.of_others(p.said, p.asked, p.reader):
        yield "`only` may leave out people alone, or all but the one that is named"
    if opaque := unsaid.opaque(p.said, p.asked, p.reader):
        yield f"what `{unsaid.spelt(opaque, words)}` says of one thing may hold of another"
    yield from unsaid.apart(p.said, p.asked, p.lines("apart"))


def exclusive(p: Pair) -> Iterator[Other]:
    """*A nurse sang*, *a doctor sang*: none is the other, and perhaps nobody is both."""
    before, after = (unsaid.words_of(each, p.reader.symbols, p.reader.grammar) for each in (p.said, p.asked))
    pairs = [*product(sorted(before), sorted(after))]
    supposed = p.reader.related.supposed((p.said, p.asked), pairs)
    yield Other("what is one may not be the other", reduce(And, supposed, p.said), p.asked)
    if HAS in names(p.said) and HAS in names(p.asked):
        yield Other("who has one may be the other", reduce(And, p.reader.related.had(pairs, HAS), p.said), p.asked)


def mentioned(p: Pair) -> Iterator[Other]:
    def follows(one: Formula, other: Formula) -> bool:
        return p.with_others(one, other) == ENTAILMENT

    nouns = {noun for noun in p.of_those if not unsaid.is_definite(noun, p.words[0], p.reader)}
    for said in taken_up(p.said, p.asked, nouns, p.reader, follows):
        yield Other("a definite may be about what was mentioned before it", said, p.asked)


def genders(p: Pair) -> Iterator[Other]:
    """*Noah sang*: a man did, by his name."""
    if facts := [*of_gender(p.said, p.asked, p.reader)]:
        why = "the lexicon does not say who is a man or a woman"
        yield Other(why, reduce(And, facts, p.said), p.asked)


def possible_cases(p: Pair) -> Iterator[Other]:
    for each in p.lines("strict"):
        if cases := [*so.possible_cases(p.said, p.asked, each.names)]:
            yield Other("what a conditional supposes cannot be so", reduce(And, cases, p.said), p.asked)


def kinds(p: Pair) -> Iterator[Other]:
    words = p.reader.symbols
    for noun, kind in permutations(sorted(unsaid.kinds(p.said, words) - unsaid.kinds(p.asked, words)), 2):
        if words[noun].category == words[kind].category:
            spelt = (unsaid.spelt(each, words) for each in (noun, kind))
            yield Other(
                "the lexicon does not say whether `{}` entails `{}`".format(*spelt),
                so.renamed(p.said, noun, kind),
                p.asked,
            )


def numbers(p: Pair) -> Iterator[Other]:
    if any(isinstance(node, Quantified) and node.count not in (None, 1) for node in walk(p.asked)):
        words = p.reader.symbols
        kinds = (each for each in sorted(unsaid.kinds(p.said, words)) if not words[each].is_verb)
        two = (pair for pair in combinations(kinds, 2) if len({words[each].category for each in pair}) == 1)
        exclusive = [Not(so.both(*each)) for each in two]
        yield Other("what is one may not be the other", reduce(And, exclusive, p.said), p.asked)
    yield Other("`most` are most of one", reduce(And, so.two_at_least(p.said), p.said), p.asked)
    ones = unsaid.counted_once(p.said, p.words[0], p.reader)
    if not {*p.reader.grammar.language.cautions.bounds} & {*p.words[0]}:
        yield Other("a number may be exceeded", so.exactly(p.said, ones), p.asked)


def importing(p: Pair) -> Iterator[Other]:
    yield Other("there is nothing that a noun phrase is about", p.said, p.asked, p.reader.importing)


def by_people(p: Pair) -> Iterator[Other]:
    yield Other("nobody need have done it", so.by_people(p.said), so.by_people(p.asked))


def taken_for_granted(p: Pair) -> Iterator[Other]:
    """What a part presupposes, if no clause before it says so (Karttunen 1973; Geurts 1996)."""
    joined = [node for node in walk(p.said) if isinstance(node, Or | Implies)]
    described = [
        node.restrictor for node in walk(p.said) if isinstance(node, Quantified)
    ]  # *every nurse who knows that*
    if any(may_be_undefined(part) for node in (*joined, *described) for part in walk(node)):
        granted = p.reader.taking_for_granted
        changed = p.with_others(p.said, p.asked, granted)
        before = (Not(node.left) if isinstance(node, Or) else node.left for node in joined)
        if not any(p.with_others(each, p.asked) == changed for each in before if not free_variables(each)):
            why = "what a clause presupposes may be taken for granted by the whole sentence"
            yield Other(why, p.said, p.asked, granted)
