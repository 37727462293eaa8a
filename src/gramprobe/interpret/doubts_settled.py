"""What is asked of entailments and contradictions: whether they hang on what a sentence need not say."""

from __future__ import annotations

from collections.abc import Iterator

from gramprobe.formula.ast import TRUE, And, Atom, Const, Formula, Modal, Not, Quantified, Var, walk
from gramprobe.formula.binding import names
from gramprobe.interpret import rewrites as so
from gramprobe.interpret import unsaid
from gramprobe.interpret.asked import ENTAILMENT, Other, Pair
from gramprobe.interpret.cautions import Words, just_before
from gramprobe.interpret.scopes import existing
from gramprobe.meaning.quantifiers import PERSON


def anew(p: Pair) -> Iterator[str]:
    for each in p.lines("anew"):
        if any(unsaid.named(p.asked, (name,)) and not unsaid.named(p.said, (name,)) for name in each.names):
            yield each.reason


def nothing_there(p: Pair) -> Iterator[str]:
    if any(p.with_others(p.said, Not(each)) == ENTAILMENT for each in existing(p.asked)):
        yield "it hangs on there being nothing that a noun phrase is about"


def narrowed(p: Pair) -> Iterator[Other]:
    why = "it hangs on there being no other one than that of `the`"
    nouns = {*so.of_several(p.said), *so.of_several(p.asked)}  # *the nurses*, and whoever is spoken of beside them
    each = {*p.reader.grammar.language.cautions.each} & {*p.words[1]}  # *each nurse* is of those, too
    nouns |= unsaid.kinds(p.asked, p.reader.symbols) if each else unsaid.several(p.asked, p.words[1], p.reader)[0]
    said, asked = (so.of_those(so.in_question(so.narrowed(each)), nouns, 2) for each in (p.said, p.asked))
    yield Other(why, said, asked)


def beside_nouns(p: Pair) -> Iterator[Other]:
    why = "it hangs on an adjective saying the same before one noun as before another, or before none"
    yield Other(why, so.beside_nouns(p.said, p.reader), so.beside_nouns(p.asked, p.reader))


def leaving_out(p: Pair) -> Iterator[Other]:
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


def elsewhere(p: Pair) -> Iterator[Other]:
    """*All the nurses* sang, and perhaps not one of elsewhere."""
    if p.of_those:
        why = "it hangs on those of `the` being all that there are"
        yield Other(why, so.of_those(p.said, p.of_those), so.of_those(p.asked, p.of_those))


def oneself(p: Pair) -> Iterator[Other]:
    said, asked = so.of_others(p.said, p.reader), so.of_others(p.asked, p.reader)
    nodes = (node for node in walk(p.said) if isinstance(node, Not | Quantified))
    of_all = (isinstance(node, Not) or node.quantifier in so.UNIVERSAL for node in nodes)
    if (said, asked) != (p.said, p.asked) and any(of_all):
        why = "it hangs on somebody being one of those who did it to them"
        yield Other(why, And(so.distinct(p.said, p.asked), said), asked)


def cases(p: Pair) -> Iterator[Other]:
    """Conditionals whose cases are others for each antecedent: no strengthening, no contraposition."""
    for each in p.lines("strict"):
        cases: dict[Formula, str] = {}
        said = so.of_cases(p.said, each.names, cases)
        asked = so.case_by_case(p.asked, each.names, cases) if p.label == ENTAILMENT else p.asked
        if cases:
            yield Other(each.reason, said, so.of_cases(asked, each.names, cases))


def unplaced(p: Pair) -> Iterator[Other]:
    said, asked = so.unplaced(p.said, p.reader), so.unplaced(p.asked, p.reader)
    yield Other("where it is said to be may be where that was done", said, asked)


def by_name_alone(p: Pair) -> Iterator[str]:
    """*Emma is no person*, which is contradicted by her name, whatever is said before."""
    people = (n for n in walk(p.asked) if isinstance(n, Atom) and n.args and isinstance(n.args[0], Const))
    if any(n.predicate.startswith(PERSON) for n in people) and p.with_others(TRUE, p.asked) == p.label:
        yield "it hangs on a name being that of a person alone"


def sorts(p: Pair) -> Iterator[str]:
    """*Likes dogs*: the kind, and no one of them."""
    of, sides = Words(p.reader.symbols, p.reader.grammar), p.several[0] - p.several[1]
    for node in walk(p.said):
        if isinstance(node, Quantified) and sides & names(node.restrictor):
            verbs = (each for each in walk(node.scope) if isinstance(each, Atom))
            if any(v.args[1:2] == (Var(node.variable),) and of.listed(v.predicate, of.cautions.unreal) for v in verbs):
                yield "who likes or seeks some of a kind need not do so to one of them"


def worded(p: Pair) -> Iterator[str]:
    for each in p.lines("worded"):
        if unsaid.below(p.asked, each.names) - unsaid.below(p.said, each.names):
            yield each.reason


def agentive(p: Pair) -> Iterator[str]:
    for each in p.lines("agentive"):
        if unsaid.of_others_then(p.said, p.asked, each.names):
            yield each.reason


def habitual(p: Pair) -> Iterator[Other]:
    """*Is singing*, and does not sing as a rule; *sings*, and is not singing."""
    for each in p.lines("habitual"):
        yield Other(each.reason, so.in_progress(p.said, each.names, p.now), so.in_progress(p.asked, each.names, p.now))


def introspective(p: Pair) -> Iterator[Other]:
    """What somebody knows or believes of their own knowing (Williamson 2000)."""
    agents = [node.agent for node in (*walk(p.said), *walk(p.asked)) if isinstance(node, Modal) and node.agent]
    if len(agents) > len({*agents}):
        why = "it hangs on knowing that one knows or believes something"
        yield Other(why, p.said, p.asked, p.reader.without_introspection)
