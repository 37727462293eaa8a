"""What keeps a decision on two readings from being the label of the sentences.

Words say more than a lexicon knows, and some leave open what they say. An entailment or a contradiction holds however
that is filled in. `neutral` is the claim that nothing follows, and is withheld where one thing more, of which grammar
and lexicon do not speak, would settle the hypothesis. `DOUBTS` is the table of what is asked, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, permutations, product
from typing import Literal, NamedTuple

from gramprobe.certify.rule import LABELS
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Decision
from gramprobe.formula.ast import (
    TRUE,
    And,
    Atom,
    Const,
    Equal,
    Formula,
    Implies,
    Modal,
    Not,
    Or,
    Quantified,
    Var,
    may_be_undefined,
    walk,
)
from gramprobe.formula.binding import free_variables, names
from gramprobe.interpret import rewrites as so
from gramprobe.interpret import unsaid
from gramprobe.interpret.cautions import HAS, Words, just_before, of_two
from gramprobe.interpret.compounds import of_another_kind
from gramprobe.interpret.definites import of_gender, taken_up
from gramprobe.interpret.groups import counted, done_together, in_groups
from gramprobe.interpret.listed import more_premises
from gramprobe.interpret.orders import of_other_orders
from gramprobe.interpret.read import Reader
from gramprobe.interpret.scopes import by_choice, de_re, existing, is_denied
from gramprobe.interpret.times import FUTURE, PAST, PRESENT
from gramprobe.judge.judge import label_like
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.theory.data import Theory, Withheld

ENTAILMENT, NEUTRAL, CONTRADICTION = LABELS
OTHER_TIMES = "premises and hypothesis speak of different times"


@dataclass(frozen=True)
class Pair:
    """Premises and a hypothesis as formulas, with their decision.

    ``words``: those of premises and of the hypothesis in small letters, in their order; ``times``: of the premises;
    ``asked_times``: of the hypothesis.
    """

    said: Formula
    asked: Formula
    decided: Decision
    reader: Reader
    words: tuple[tuple[str, ...], tuple[str, ...]]
    decider: Decider | None = None
    times: Collection[str] = ()
    asked_times: Collection[str] = ()

    @cached_property
    def label(self) -> str:
        return self.decided.verdict.label or ""

    def with_others(self, said: Formula, asked: Formula, theory: Theory | None = None) -> str | None:
        """The label with other formulas, or in another theory."""
        reader = self.reader
        return label_like(self.decided, said, asked, theory or reader.theory, reader.symbols, self.decider)

    @cached_property
    def of_those(self) -> frozenset[str]:
        """The nouns of plural definites: *all the nurses*, *two of the nurses*."""
        sides = zip((self.said, self.asked), self.words, strict=True)
        return frozenset(noun for side, words in sides for noun in unsaid.several(side, words, self.reader)[0])

    @cached_property
    def several(self) -> tuple[frozenset[str], frozenset[str]]:
        """The nouns that stand in the plural without an article, in premises and hypothesis."""
        said, asked = (unsaid.several(side, words, self.reader)[1] for side, words in
                       zip((self.said, self.asked), self.words, strict=True))  # fmt: skip
        return said, asked

    def lines(self, *forms: str, what: str = "") -> list[Withheld]:
        """The lines of the theory of some forms: all of them, or those that withhold all labels, or `neutral`."""
        return [each for each in self.reader.theory.withholding(*forms) if what in ("", each.what)]


class Other(NamedTuple):
    """Other formulas for a pair, which has no label if they have another one; ``why``: what they take to be so."""

    why: str
    said: Formula
    asked: Formula
    theory: Theory | None = None


@dataclass(frozen=True)
class Doubt:
    """What is asked of a pair.

    Attributes:
        of: the labels of which it is asked; `settled` are all but `neutral`.
        asks: yields a reason for no label, or other formulas for the pair, which is a reason if they have another one.
        told: how such a reason is told, by its ``{why}`` and by the ``{label}`` of the other formulas.
    """

    of: Literal["labels", "settled", "neutral"]
    asks: Callable[[Pair], Iterator[Other | str]]
    told: str = "{why}; then {label}"


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
                return each.told.format(why=found.why, label=changed)
    return ""


def another_time(word: str, reader: Reader) -> str:
    """Why nothing follows where premises and hypothesis say a word, or a kind of clause, of two times."""
    words = reader.symbols
    return (
        f"premises and hypothesis say `{unsaid.spelt(word, words)}` of different times"
        if word in words
        else OTHER_TIMES
    )


# ---------------------------------------------------------------- of every label


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


def _as(p: Pair, every: Sequence[Withheld]) -> Iterator[Other]:
    other = so.with_others(p.said, every), so.with_others(p.asked, every)
    if other != (p.said, p.asked):
        named = (each for each in every if unsaid.named(p.said, each.names) or unsaid.named(p.asked, each.names))
        yield Other(next(named).reason, *other)


def _apart(p: Pair) -> Iterator[str]:
    yield from unsaid.apart(p.said, p.asked, p.lines("apart", what="labels"))


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


# ---------------------------------------------------------------- of entailments and contradictions


def _anew(p: Pair) -> Iterator[str]:
    for each in p.lines("anew"):
        if any(unsaid.named(p.asked, (name,)) and not unsaid.named(p.said, (name,)) for name in each.names):
            yield each.reason


def _nothing_there(p: Pair) -> Iterator[str]:
    if any(p.with_others(p.said, Not(each)) == ENTAILMENT for each in existing(p.asked)):
        yield "it hangs on there being nothing that a noun phrase is about"


def _narrowed(p: Pair) -> Iterator[Other]:
    why = "it hangs on there being no other one than that of `the`"
    nouns = {*so.of_both(p.said), *so.of_both(p.asked)}  # *both nurses*, and whoever is spoken of beside them
    said, asked = (so.of_those(so.narrowed(each), nouns, 2) for each in (p.said, p.asked))
    yield Other(why, said, asked)


def _beside_nouns(p: Pair) -> Iterator[Other]:
    why = "it hangs on an adjective saying the same before one noun as before another, or before none"
    yield Other(why, so.beside_nouns(p.said, p.reader), so.beside_nouns(p.asked, p.reader))


def _of_material(p: Pair) -> Iterator[Other]:
    why = "it hangs on what is of some material, or stands behind another noun, being what the noun says"
    yield Other(why, of_another_kind(p.said, p.reader), of_another_kind(p.asked, p.reader))


def _leaving_out(p: Pair) -> Iterator[Other]:
    """*The nurses sang*, and some did not, who do not matter (Križ 2015)."""
    whole, nouns = {*p.reader.grammar.language.cautions.whole}, set[str]()
    for noun in p.of_those:
        forms = {*p.reader.symbols[noun].forms.values()}
        before = (just_before(p.words[0], at) for at, token in enumerate(p.words[0]) if token in forms)
        nouns |= {noun} if all(not whole & {*each} for each in before) else set()
    named = sorted(whole & {*p.words[1]})
    if nouns and named:
        why = f"what is said of several may leave some out, and not of `{named[0]}`"
        yield Other(why, so.of_those(p.said, nouns), p.asked)


def _typically(p: Pair) -> Iterator[Other]:
    """*Dogs chase cats*: all that are as dogs are."""
    if PRESENT in p.times:
        yield Other("what is said of some may be typical of all", so.of_all(p.said, p.several[0]), p.asked)


def _elsewhere(p: Pair) -> Iterator[Other]:
    """*All the nurses* sang, and perhaps not one of elsewhere."""
    if p.of_those:
        why = "it hangs on those of `the` being all that there are"
        yield Other(why, so.of_those(p.said, p.of_those), so.of_those(p.asked, p.of_those))


def _of_none(p: Pair) -> Iterator[Other]:
    """*Emma did not feed the dogs*: none of them (Löbner 2000; Križ 2015)."""
    if not {*p.reader.grammar.language.cautions.whole} & {*p.words[0], *p.words[1]}:
        nouns = p.of_those | p.several[0] | p.several[1]
        why = "what is not so of those of `the` may be so of none"
        yield Other(why, so.of_none(p.said, nouns), so.of_none(p.asked, nouns))


def _oneself(p: Pair) -> Iterator[Other]:
    said, asked = so.of_others(p.said, p.reader), so.of_others(p.asked, p.reader)
    nodes = (node for node in walk(p.said) if isinstance(node, Not | Quantified))
    of_all = (isinstance(node, Not) or node.quantifier in so.UNIVERSAL for node in nodes)
    if (said, asked) != (p.said, p.asked) and any(of_all):
        why = "it hangs on somebody being one of those who did it to them"
        yield Other(why, And(so.distinct(p.said, p.asked), said), asked)


def _cases(p: Pair) -> Iterator[Other]:
    """Conditionals whose cases are others for each antecedent: no strengthening, no contraposition."""
    for each in p.lines("strict"):
        cases: dict[Formula, str] = {}
        said = so.of_cases(p.said, each.names, cases)
        asked = so.case_by_case(p.asked, each.names, cases) if p.label == ENTAILMENT else p.asked
        if cases:
            yield Other(each.reason, said, so.of_cases(asked, each.names, cases))


def _unplaced(p: Pair) -> Iterator[Other]:
    said, asked = so.unplaced(p.said, p.reader), so.unplaced(p.asked, p.reader)
    yield Other("where it is said to be may be where that was done", said, asked)


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


def _of_listed(p: Pair) -> Iterator[Other | str]:
    for why, more in more_premises(p.said, p.asked, p.reader):
        yield why if more is None else Other(why, And(p.said, more), p.asked)


def _by_name_alone(p: Pair) -> Iterator[str]:
    """*Emma is no person*, which is contradicted by her name, whatever is said before."""
    people = (n for n in walk(p.asked) if isinstance(n, Atom) and n.args and isinstance(n.args[0], Const))
    if any(n.predicate.startswith(PERSON) for n in people) and p.with_others(TRUE, p.asked) == p.label:
        yield "it hangs on a name being that of a person alone"


def _sorts(p: Pair) -> Iterator[str]:
    """*Likes dogs*: the kind, and no one of them."""
    of, sides = Words(p.reader.symbols, p.reader.grammar), p.several[0] - p.several[1]
    for node in walk(p.said):
        if isinstance(node, Quantified) and sides & names(node.restrictor):
            verbs = (each for each in walk(node.scope) if isinstance(each, Atom))
            if any(v.args[1:2] == (Var(node.variable),) and of.listed(v.predicate, of.cautions.unreal) for v in verbs):
                yield "who likes or seeks some of a kind need not do so to one of them"


def _worded(p: Pair) -> Iterator[str]:
    for each in p.lines("worded"):
        if unsaid.below(p.asked, each.names) - unsaid.below(p.said, each.names):
            yield each.reason


def _institutions(p: Pair) -> Iterator[Other]:
    """*Joined the church*: no building."""
    of = Words(p.reader.symbols, p.reader.grammar)
    if said := {each for each in unsaid.kinds(p.said, of.words) if of.listed(each, of.cautions.institutions)}:
        both = (reduce(lambda f, each: so.renamed(f, each, f"{each}_itself"), said, side) for side in (p.said, p.asked))
        yield Other(f"`{of.spelt(min(said))}` may be no building", *both)


def _introspective(p: Pair) -> Iterator[Other]:
    """What somebody knows or believes of their own knowing (Williamson 2000)."""
    agents = [node.agent for node in (*walk(p.said), *walk(p.asked)) if isinstance(node, Modal) and node.agent]
    if len(agents) > len({*agents}):
        why = "it hangs on knowing that one knows or believes something"
        yield Other(why, p.said, p.asked, p.reader.without_introspection)


def _still(p: Pair) -> Iterator[str]:
    """*The door opened*, and is closed again."""
    of = Words(p.reader.symbols, p.reader.grammar)
    new = (each for each in sorted(of.symbols(p.asked) - of.symbols(p.said)) if len(of.words[each].forms) != 2)
    if {*p.asked_times} == {PRESENT} and p.times and PRESENT not in p.times and "" not in p.times:
        yield from (f"what became `{of.spelt(each)}` then may be so no more" for each in new)


def _at_two_times(p: Pair) -> Iterator[Other]:
    """*Emma was awake*, and asleep at another time: two pasts are two times, and only what is so now is so at once."""
    other = p.reader.at_two_times
    if {*p.asked_times} - {PRESENT, ""} and p.reader.opposed((p.said, p.asked)):
        yield Other("what was so at one time need not have been so at another", p.said, p.asked, other)


# ---------------------------------------------------------------- of `neutral`


def _vague(p: Pair) -> Iterator[str]:
    for each in p.lines("", what=NEUTRAL):
        if unsaid.named(p.said, each.names) or unsaid.named(p.asked, each.names):
            yield each.reason
    if any(unsaid.named(p.said, each.names) for each in p.lines("", what="labels")):
        yield "a word of the premises leaves open what might settle the hypothesis"


def _presupposed(p: Pair) -> Iterator[str]:
    values = {*p.decided.verdict.h_values}
    if not {"T", "F"} <= values:
        settled = ENTAILMENT if "T" in values else CONTRADICTION
        yield f"it is neutral only because the hypothesis presupposes more than is said; where that holds, {settled}"


def unrelated(p: Pair) -> str:
    """Why nothing is known of two words of a pair; empty if something is of each two of them."""
    before, after = (unsaid.words_of(each, p.reader.symbols, p.reader.grammar) for each in (p.said, p.asked))
    return unsaid.unrelated(before, after, p.reader)


def _unrelated(p: Pair) -> Iterator[str]:
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
        yield "who is said not to be somebody's may be told from one who is"  # *is not Noah's sister*
    if unsaid.of_others(p.said, p.asked, p.reader):
        yield "`only` may leave out people alone, or all but the one that is named"
    if opaque := unsaid.opaque(p.said, p.asked, p.reader):
        yield f"what `{unsaid.spelt(opaque, words)}` says of one thing may hold of another"
    yield from unsaid.apart(p.said, p.asked, p.lines("apart"))


def _at_once(p: Pair) -> Iterator[str]:
    """*Emma is sleeping*, *is dancing*: what nobody does at one time; and what is done to something, as *on Monday*, and
    is so of it."""
    of, related = Words(p.reader.symbols, p.reader.grammar), p.reader.related
    before, after = (of.symbols(each) for each in (p.said, p.asked))
    pairs = [*product(sorted(before - after), sorted(after - before))]
    adverbs = any(isinstance(node, Modal) and node.agent is not None for node in walk(p.asked))
    going = {*p.times, *p.asked_times} - {PAST, FUTURE, ""}
    for one, other in pairs:
        tie = related.tie(one, other)
        if tie in ("causes", "caused") and adverbs:
            yield f"when and how one does what `{of.spelt(one)}` says may be when and how the other is so"
        whose = [{who for who, _ in of_two(*each)} for each in ((one, p.said), (other, p.asked))]
        if going and tie == "independent" and of.is_verb(one) and of.is_verb(other) and whose[0] & whose[1]:
            yield f"nobody may do what `{of.spelt(one)}` and `{of.spelt(other)}` say at one time"


def _exclusive(p: Pair) -> Iterator[Other]:
    """*A nurse sang*, *a doctor sang*: none is the other, and perhaps nobody is both."""
    before, after = (unsaid.words_of(each, p.reader.symbols, p.reader.grammar) for each in (p.said, p.asked))
    supposed = p.reader.related.supposed((p.said, p.asked), product(sorted(before), sorted(after)))
    yield Other("what is one may not be the other", reduce(And, supposed, p.said), p.asked)


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


def _mentioned(p: Pair) -> Iterator[Other]:
    def follows(one: Formula, other: Formula) -> bool:
        return p.with_others(one, other) == ENTAILMENT

    nouns = {noun for noun in p.of_those if not unsaid.is_definite(noun, p.words[0], p.reader)}
    for said in taken_up(p.said, p.asked, nouns, p.reader, follows):
        yield Other("a definite may be about what was mentioned before it", said, p.asked)


def _of_gender(p: Pair) -> Iterator[Other]:
    """*Noah sang*: a man did, by his name."""
    if facts := [*of_gender(p.said, p.asked, p.reader)]:
        why = "the lexicon does not say who is a man or a woman"
        yield Other(why, reduce(And, facts, p.said), p.asked)


def _possible_cases(p: Pair) -> Iterator[Other]:
    for each in p.lines("strict"):
        if cases := [*so.possible_cases(p.said, p.asked, each.names)]:
            yield Other("what a conditional supposes cannot be so", reduce(And, cases, p.said), p.asked)


def _kinds(p: Pair) -> Iterator[Other]:
    words = p.reader.symbols
    for noun, kind in permutations(sorted(unsaid.kinds(p.said, words) - unsaid.kinds(p.asked, words)), 2):
        if words[noun].category == words[kind].category:
            spelt = (unsaid.spelt(each, words) for each in (noun, kind))
            yield Other(
                "the lexicon does not say whether `{}` entails `{}`".format(*spelt),
                so.renamed(p.said, noun, kind),
                p.asked,
            )


def _numbers(p: Pair) -> Iterator[Other]:
    if any(isinstance(node, Quantified) and node.count not in (None, 1) for node in walk(p.asked)):
        words = p.reader.symbols
        kinds = (each for each in sorted(unsaid.kinds(p.said, words)) if len(words[each].forms) <= 2)  # no verbs
        two = (pair for pair in combinations(kinds, 2) if len({words[each].category for each in pair}) == 1)
        exclusive = [Not(so.both(*each)) for each in two]
        yield Other("what is one may not be the other", reduce(And, exclusive, p.said), p.asked)
    yield Other("`most` are most of one", reduce(And, so.two_at_least(p.said), p.said), p.asked)
    ones = unsaid.counted_once(p.said, p.words[0], p.reader)
    if not {*p.reader.grammar.language.cautions.bounds} & {*p.words[0]}:
        yield Other("a number may be exceeded", so.exactly(p.said, ones), p.asked)


def _importing(p: Pair) -> Iterator[Other]:
    yield Other("there is nothing that a noun phrase is about", p.said, p.asked, p.reader.importing)


def _by_people(p: Pair) -> Iterator[Other]:
    yield Other("nobody need have done it", so.by_people(p.said), so.by_people(p.asked))


def _taken_for_granted(p: Pair) -> Iterator[Other]:
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


ONLY_WHERE = "it is neutral only where {why}; else {label}"
DOUBTS = (
    Doubt("labels", _open),
    Doubt("labels", _of_one_name),
    Doubt("labels", lambda p: _as(p, p.lines("as", "as nothing", what="labels")), "{why}; else {label}"),
    Doubt("labels", _apart),
    Doubt("labels", _denied),
    Doubt("labels", _de_re),
    Doubt("labels", _orders),
    Doubt("settled", _anew),
    Doubt("settled", _nothing_there),
    Doubt("settled", _narrowed, "{why}"),
    Doubt("settled", _beside_nouns, "{why}"),
    Doubt("settled", _leaving_out, "{why}"),
    Doubt("settled", _elsewhere, "{why}"),
    Doubt("settled", _oneself, "{why}"),
    Doubt("settled", _cases, "{why}"),
    Doubt("settled", _worded),
    Doubt("settled", _by_name_alone),
    Doubt("settled", _sorts),
    Doubt("settled", _unplaced, "{why}"),
    Doubt("labels", _is_animal),
    Doubt("labels", _together, "{why}"),
    Doubt("labels", _of_material, "{why}"),
    Doubt("settled", _introspective, "{why}"),
    Doubt("settled", _at_two_times, "{why}"),
    Doubt("settled", _still),
    Doubt("settled", _institutions, "{why}"),
    Doubt("labels", _several),
    Doubt("neutral", _vague),
    Doubt("neutral", _presupposed),
    Doubt("neutral", _unrelated),
    Doubt("neutral", _at_once),
    Doubt("neutral", _of_listed),
    Doubt("neutral", _typically),
    Doubt("neutral", _exclusive, ONLY_WHERE),
    Doubt("neutral", lambda p: _as(p, p.lines("as")), ONLY_WHERE),
    Doubt("neutral", lambda p: _as(p, p.lines("as nothing")), ONLY_WHERE),
    Doubt("labels", _chosen),
    Doubt("neutral", _kinds, "{why}"),
    Doubt("neutral", _numbers, ONLY_WHERE),
    Doubt("neutral", _of_none),
    Doubt("neutral", _importing, ONLY_WHERE),
    Doubt("neutral", _by_people, ONLY_WHERE),
    Doubt("neutral", _possible_cases, ONLY_WHERE),
    Doubt("neutral", _mentioned),
    Doubt("neutral", _of_gender),
    Doubt("neutral", _taken_for_granted),
)
"""What is asked, in this order: the first reason is told."""
