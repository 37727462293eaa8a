"""Readings that no speaker of a language has.

What has no mind neither thinks nor smiles (*the table smiled*); who does something to themselves does it to *myself*
(*I praised me*: Chomsky 1981, principle B); people are no first part of a compound (*helped Noah leaves*); what takes
no time is not done for an hour, and what is so is not going on (Vendler 1957); words have prepositions of their own
(*interested on books*), and how long is no object (*sang two days*); and nobody says one thing twice in a row (*perhaps
maybe*).
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from itertools import pairwise, product

from gramprobe.formula.ast import TRUE, And, Argument, Atom, Const, Formula, Modal, Not, Quantified, Var, parts, walk
from gramprobe.formula.binding import names
from gramprobe.interpret.cautions import RELATES, Words, about, phrases_of
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.grammar.data import Grammar, Lexeme
from gramprobe.resolve.tree import Given, Tree, nodes
from gramprobe.source.nearest import listed

DATIVE = "by"
"""The column of verbs of giving, which says how a phrase behind them names who gets it."""
THING = "thing"
"""The sort of nouns of what is no person, and no animal."""
DEFINITE = ("the", "forall")
"""Quantifiers of no amount."""
ONE_BY_ONE = ("exists", "the", "forall")
"""Quantifiers of what is said of one, or of each by itself."""
BODIES = frozenset({"organization", "building", "place", "public"})
"""Classes of nouns of things that stand for people."""


def is_refused(formula: Formula, words: Mapping[str, Lexeme], grammar: Grammar, guessed: Container[str]) -> bool:
    """Whether no speaker says what a formula does (`speech`, `mindless`, `minds` of the language). ``guessed``: names
    that may be of anything (*a Picasso painting*)."""
    cautions = grammar.language.cautions
    nodes = [*walk(formula)]
    for node in nodes:
        if isinstance(node, Atom) and any(node.args.count(Const(each)) > 1 for each in cautions.speech):
            return True
        if isinstance(node, Atom) and len(node.args) > 2 and _is_turned(node, nodes, Words(words, grammar)):
            return True
        if isinstance(node, Atom) and len(node.args) == 2 and _is_of_things(node, nodes, words, grammar):
            return True
        if isinstance(node, Atom) and node.predicate == RELATES:
            first = node.args[1]
            if isinstance(first, Const) and first.name in words and first.name not in guessed:
                return True
    if all(words[each].columns.get("class") not in cautions.mindless for each in names(formula) & words.keys()):
        return False
    things = {node.variable for node in nodes if isinstance(node, Quantified) and _is_mindless(node, words, grammar)}
    of = Words(words, grammar)
    return any(
        isinstance(subject, Var) and subject.name in things and of.listed(verb, cautions.minds)
        for verb, subject in map(_subject, nodes)
    )


def _is_of_things(node: Atom, nodes: Sequence[object], words: Mapping[str, Lexeme], grammar: Grammar) -> bool:
    """Whether an adjective of degree is said of somebody that is said of no person: *shorter* as *less long*."""
    if not Words(words, grammar).listed(node.predicate, grammar.language.cautions.of_things):
        return False
    phrases = [each for each in nodes if isinstance(each, Quantified) and Var(each.variable) in node.args]
    nouns = {noun.predicate for each in phrases for noun in about(each)}
    sorts = {words[each].columns.get("sort") for each in nouns & words.keys()}
    return any(isinstance(each, Const) for each in node.args) or PERSON in sorts or PERSON in nouns


def mismatch(formula: Formula, words: Mapping[str, Lexeme], grammar: Grammar, guessed: Container[str]) -> str:
    """What is wrong with a verb or adjective and what stands with it, in words; empty where nothing is: the preposition
    (`mismatches` of the language), or that so much time would be its object (`of_spans`). ``guessed``: words of which
    none is known to be wrong."""
    of, phrases = Words(words, grammar), phrases_of(formula)
    every = [node for node in walk(formula) if isinstance(node, Modal) and node.agent is not None]
    adverbials = [(of.spelt(node.operator), node) for node in every if not of.is_verb(node.operator)]
    beside = {spelt for spelt, _ in adverbials}
    for each in of.cautions.mismatches:
        for spelt, node in adverbials if beside.isdisjoint(each.unless) else ():
            noun = _named(node.agent, phrases, of, each.of) if spelt in each.prepositions else ""
            if noun and (word := _said_of(node.body, phrases, of, each.words)):
                others = listed([f"`{other}`" for other in each.instead])
                wrong = f"nobody says `{word}` with `{spelt}` before `{noun}`"
                return f"{wrong}; it goes with {others}" if others else wrong
    spans = {each for nouns in of.cautions.spans.values() for each in nouns}
    for phrase in (node for node in walk(formula) if isinstance(node, Quantified)):
        noun, how = _time(phrase, of, spans)
        for part in walk(phrase.scope) if noun else ():
            if isinstance(part, Atom) and _is_of_time(part, phrase, phrases, of, guessed):
                wrong = f"`{noun}` is no object of `{of.spelt(part.predicate)}`"
                return f"{wrong}; how long is said with {listed([f'`{each}`' for each in how])}"
    return ""


def _time(phrase: Quantified, of: Words, spans: Collection[str]) -> tuple[str, Collection[str]]:
    """The noun of a phrase of time and words that say how long: `for`, of so much time, and *all day* of *the day*."""
    time = phrase.restrictor
    if phrase.quantifier not in DEFINITE:
        amount = isinstance(time, Atom) and of.listed(time.predicate, spans)
        return (of.spelt(time.predicate), of.cautions.spans) if isinstance(time, Atom) and amount else ("", ())
    every = ((of.spelt(each.predicate), long) for each in about(phrase) for long in of.cautions.lasting)
    return next(((noun, (long,)) for noun, long in every if long.split()[1:] == [noun]), ("", ()))


def _named(one: Argument | None, phrases: Mapping[str, Quantified], of: Words, among: Collection[str]) -> str:
    """A noun or name of what a preposition is about that is among some; empty if none is."""
    if isinstance(one, Const):
        return of.spelt(one.name) if of.is_among(one.name, among) else ""
    nouns = about(phrases[one.name]) if isinstance(one, Var) and one.name in phrases else ()
    return next((of.spelt(each.predicate) for each in nouns if of.is_among(each.predicate, among)), "")


def _said_of(body: Argument, phrases: Mapping[str, Quantified], of: Words, among: Collection[str]) -> str:
    """The word, among some, that a preposition is said of; empty if it is said of another one."""
    if isinstance(body, And):  # *is excited*: one that is, and is so
        return _said_of(body.left, phrases, of, among) or _said_of(body.right, phrases, of, among)
    if isinstance(body, Quantified):
        return _said_of(body.scope, phrases, of, among)
    if isinstance(body, Modal):
        if word := of.listed(body.operator, among):
            return word
        adverbial = body.agent is not None and not of.is_verb(body.operator)
        return _said_of(body.body, phrases, of, among) if adverbial else ""
    if isinstance(body, Atom) and (len(body.args) == 1 or _is_unnamed(body.args[0], phrases)):
        return of.listed(body.predicate, among)
    return ""


def _is_unnamed(one: Argument, phrases: Mapping[str, Quantified]) -> bool:
    """Whether it is left open who somebody is, as in a passive without its agent."""
    return isinstance(one, Var) and one.name in phrases and phrases[one.name].restrictor == TRUE


def _is_of_time(
    verb: Atom, time: Quantified, phrases: Mapping[str, Quantified], of: Words, guessed: Container[str]
) -> bool:
    """Whether a time would be what a verb is done to, that is done to no time; or would be found for a thing."""
    if verb.args[1:2] != (Var(time.variable),) or verb.predicate not in of.words or verb.predicate in guessed:
        return False
    if time.quantifier in DEFINITE:
        return len(verb.args) == 2 and bool(of.listed(verb.predicate, of.cautions.untimed))
    if len(verb.args) == 2:
        return of.is_verb(verb.predicate) and not of.listed(verb.predicate, of.cautions.of_spans)
    by, whom = of.words[verb.predicate].columns.get(DATIVE), verb.args[2]
    return str(by) in of.cautions.spans and bool(_named(whom, phrases, of, (THING,)))


def says_twice(
    said: Sequence[tuple[str, str]], tokens: Sequence[str], words: Mapping[str, Lexeme], grammar: Grammar
) -> bool:
    """Whether two words stand side by side of which one is enough (`no_two` of the language). ``said``: the words of a
    tree in its order, each with its category; ``tokens``: those of the sentence, which may have others between them
    (*sang yesterday and yesterday Noah danced*)."""
    spelt, every = Words(words, grammar).spelt, grammar.language.cautions.no_two
    text = f" {' '.join(each for each in tokens if each != ',')} "
    return any(
        category == other
        and any({spelt(one), spelt(then)} <= {*each} for each in every)
        and f" {spelt(one)} {spelt(then)} " in text
        for (category, one), (other, then) in pairwise(said)
    )


def is_ill_timed(formula: Formula, tokens: Sequence[str], words: Mapping[str, Lexeme], grammar: Grammar) -> bool:
    """Whether what is so, or has been for some time, is said in a form in which no speaker says it: *is owning a car*
    (`static`; Vendler 1957), *left since Monday* (`since`), *arrived for an hour*. ``tokens``: of the sentence."""
    of, clauses = Words(words, grammar), grammar.language.clauses
    between = {*grammar.language.negations, *grammar.language.negative_endings, *of.cautions.over}
    between.update(*of.cautions.no_two)  # *is still owning a car*
    plain = [each for each in tokens if each not in between]
    going = {*product(clauses.copulas, of.cautions.static)} if clauses is not None else set()
    asked = clauses is not None and plain[:1] and plain[0] in clauses.copulas and {*of.cautions.static} & {*plain}
    operators = (node.operator for node in walk(formula) if isinstance(node, Modal))
    since = not {*of.cautions.perfect} & {*tokens} and any(of.listed(each, of.cautions.since) for each in operators)
    return (
        since or bool(asked) or not going.isdisjoint(pairwise(plain)) or lasts_too_long(formula, tokens, words, grammar)
    )


def lasts_too_long(formula: Formula, tokens: Sequence[str], words: Mapping[str, Lexeme], grammar: Grammar) -> bool:
    """Whether a formula has what takes no time done for some time, by one and to one (*arrived for an hour*); several
    may do so one after the other, and who did not arrive for an hour was late. ``tokens``: those of the sentence."""
    of = Words(words, grammar, tokens)
    phrases = phrases_of(formula)
    for node in _affirmed(formula):
        if isinstance(node, Modal) and _is_lasting(node, phrases, of):
            for verb in walk(node.body):
                if isinstance(verb, Atom) and of.listed(verb.predicate, of.cautions.moments):
                    by = [phrases.get(each.name) for each in verb.args if isinstance(each, Var)]
                    return all(x is not None and x.quantifier in ONE_BY_ONE and of.is_of_one(x) for x in by)
    return any(_lasts(each, phrases, of) for each in phrases.values())  # *the station for an hour*


def says_how_long(verb: str, phrase: Tree, words: Mapping[str, Lexeme], grammar: Grammar) -> bool:
    """Whether a phrase that names who gets something of a verb of giving has a noun of time: *for an hour*."""
    of, column = Words(words, grammar), words[verb].columns.get(DATIVE)
    spans = of.cautions.spans.get(str(column), ())
    return any(isinstance(each, Given) and of.listed(each.value, spans) for each in nodes(phrase)) if spans else False


def is_denied_for_long(formula: Formula, tokens: Sequence[str], words: Mapping[str, Lexeme], grammar: Grammar) -> bool:
    """Whether what is denied is done for some time: *did not arrive for an hour*, and then did, or perhaps never.
    ``tokens``: those of the sentence."""
    of = Words(words, grammar, tokens)
    phrases = phrases_of(formula)
    affirmed = [*_affirmed(formula)]
    every = (node for node in walk(formula) if isinstance(node, Modal) and _is_lasting(node, phrases, of))
    return any(node not in affirmed for node in every)


def _lasts(phrase: Quantified, phrases: Mapping[str, Quantified], of: Words) -> bool:
    """Whether a definite is one for some time, which is said of what is done with it, where that takes no time."""
    if phrase.quantifier != "the" or not any(
        isinstance(n, Atom) and of.listed(n.predicate, of.cautions.moments) for n in walk(phrase.scope)
    ):
        return False
    atoms = (node for node in walk(phrase.restrictor) if isinstance(node, Atom) and len(node.args) == 2)
    return any(_is_lasting(Modal(each.predicate, each.args[1], each), phrases, of) for each in atoms)


def _is_lasting(node: Modal, phrases: Mapping[str, Quantified], of: Words) -> bool:
    """Whether an operator says how long."""
    if of.listed(node.operator, of.cautions.lasting):
        return True
    spans = of.cautions.spans.get(of.spelt(node.operator), ())
    phrase = phrases.get(node.agent.name) if isinstance(node.agent, Var) else None
    if phrase is None or phrase.quantifier == "the":  # *finished for the day*: no longer that day
        return False
    return any(of.listed(each.predicate, spans) for each in about(phrase))


def _affirmed(formula: Argument) -> Iterator[Argument]:
    """The parts of a formula that stand below no negation."""
    yield formula
    if not isinstance(formula, Not | Var | Const):
        for each in parts(formula):
            yield from _affirmed(each)


def _is_turned(verb: Atom, nodes: Sequence[object], of: Words) -> bool:
    """Whether somebody is given to a thing: *gave a ring his wife*. What is of several people may get somebody. And
    nothing is found for an hour as for somebody."""
    words = of.words
    if verb.predicate not in words or DATIVE not in words[verb.predicate].columns:
        return False

    def kinds(one: Argument) -> set[tuple[object, object]]:
        of = [node for node in nodes if isinstance(node, Atom) and node.args == (one,) and node.predicate in words]
        return {(words[node.predicate].columns.get("sort"), words[node.predicate].columns.get("class")) for node in of}

    what, whom = kinds(verb.args[1]), kinds(verb.args[2])
    spans = of.cautions.spans.get(str(words[verb.predicate].columns[DATIVE]), ())
    if any(isinstance(n, Atom) and n.args == verb.args[2:] and of.listed(n.predicate, spans) for n in nodes):
        return True
    somebody = isinstance(verb.args[1], Const) or any(sort == PERSON for sort, _ in what)
    return somebody and any(sort == THING and of not in BODIES for sort, of in whom)


def _subject(node: Argument) -> tuple[str, Argument | None]:
    """A verb and whoever it is said of."""
    if isinstance(node, Atom):
        return node.predicate, next(iter(node.args), None)
    return (node.operator, node.agent) if isinstance(node, Modal) else ("", None)


def _is_mindless(phrase: Quantified, words: Mapping[str, Lexeme], grammar: Grammar) -> bool:
    """Whether a noun phrase is about what has no mind."""
    classes, nouns = grammar.language.cautions.mindless, {each.predicate for each in about(phrase)}
    return any(words[each].columns.get("class") in classes for each in nouns & words.keys())
