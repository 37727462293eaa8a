"""What keeps a decision on two readings from being the label of the sentences.

Words say more than a lexicon knows, and some leave open what they say. An entailment or a contradiction holds however
that is filled in. `neutral` is the claim that nothing follows, and is withheld where one thing more, of which grammar
and lexicon do not speak, would settle the hypothesis.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, permutations, product

from msgspec.structs import replace

from gramprobe.certify.rule import LABELS
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Decision
from gramprobe.formula.ast import (
    TRUE,
    And,
    Argument,
    Atom,
    Const,
    Equal,
    Formula,
    Implies,
    Modal,
    Not,
    Or,
    Presupposing,
    Quantified,
    Var,
    as_formula,
    bottom_up,
    map_parts,
    may_be_undefined,
    walk,
)  # fmt: skip
from gramprobe.formula.binding import free_variables, names, substituted
from gramprobe.interpret.cautions import HAS, operators_of
from gramprobe.interpret.orders import of_other_orders
from gramprobe.interpret.read import MISSING, Reader, Understood
from gramprobe.interpret.scopes import by_choice, de_re, existing, is_denied
from gramprobe.judge.judge import decision
from gramprobe.resolve.grammar.data import Grammar, Lexeme
from gramprobe.resolve.grammar.types import E_TYPE
from gramprobe.resolve.theory.data import NOTHING, Theory, Withheld

ENTAILMENT, NEUTRAL, CONTRADICTION = LABELS
MATTERS = "matters"
"""A symbol that is true of what a definite speaks of, if there are others of its noun."""
PERSON = "person"
"""The symbol that is true of people; only `it` cannot be one of them."""
PLAIN = frozenset({"forall", "exists", "the"})
"""Quantifiers that count nothing, but for `the`, which is the case of another doubt."""
OTHER_TIMES = "premises and hypothesis speak of different times"


def doubt(said: Formula, asked: Formula, decided: Decision, reader: Reader, decider: Decider | None) -> str:
    """Why the label of a premise and a hypothesis is none of the sentences that say them; empty if it is."""
    words, withholding = reader.symbols, reader.theory.withholding
    plain, apart = withholding(""), withholding("apart")
    for each in plain:
        if each.what == "labels" and (_named(asked, each.names) or _named(said, each.names) > 1):
            return each.reason

    def label(said: Formula, asked: Formula, theory: Theory = reader.theory) -> str | None:
        return decision(said, asked, theory, reader.grammar, symbols=words, decider=decider).verdict.label

    def changed_by(every: Sequence[Withheld]) -> str | None:
        """The other label that a pair has where operators are others, or nothing."""
        other = _with_others(said, every), _with_others(asked, every)
        new = None if other == (said, asked) else label(*other)
        return None if new == decided.verdict.label else new

    if part := _in_a_name(said, asked, words):
        return f"`{part[0]}` may be `{part[1]}`"
    related = [each for each in withholding("as", "as nothing") if each.what == "labels"]
    if changed := changed_by(related):
        return f"{_reason(related, said, asked)}; else {changed}"
    if reason := _apart(said, asked, [each for each in apart if each.what == "labels"]):
        return reason
    for each in withholding("denied"):
        if is_denied(said, each.names, reader) or is_denied(asked, each.names, reader):
            return each.reason
    raised = de_re(said), de_re(asked)
    if raised != (said, asked) and (changed := label(*raised)) not in (decided.verdict.label, None):
        return f"what is believed or known of `the` one may be so of whoever it is; then {changed}"
    for why, other, then in of_other_orders(said, asked, reader, neutral=decided.verdict.label == NEUTRAL):
        if (changed := label(other, then)) not in (decided.verdict.label, None):
            return f"{why}; then {changed}"
    if decided.verdict.label != NEUTRAL:
        for each in withholding("anew"):
            if any(_named(asked, (name,)) and not _named(said, (name,)) for name in each.names):
                return each.reason
        if any(label(said, Not(each)) == ENTAILMENT for each in existing(asked)):
            return "it hangs on there being nothing that a noun phrase is about"
        narrower = _narrowed(said), _narrowed(asked)
        if narrower != (said, asked) and label(*narrower) != decided.verdict.label:
            return "it hangs on there being no other one than that of `the`"
        if _distinguishes(said, asked) and label(*_by_name(said, asked)) != decided.verdict.label:
            return "it hangs on two names not being those of one"
        beside = _beside_nouns(said, reader), _beside_nouns(asked, reader)
        if beside != (said, asked) and label(*beside) != decided.verdict.label:
            return "it hangs on an adjective saying the same before one noun as before another, or before none"
        if label(*_of_material(said, asked, reader)) != decided.verdict.label:
            return "it hangs on what is of some material, or only looks so, being what the noun says"
        return ""
    for each in plain:
        if each.what == NEUTRAL and (_named(said, each.names) or _named(asked, each.names)):
            return each.reason
    if any(each.what == "labels" and _named(said, each.names) for each in plain):
        return "a word of the premises leaves open what might settle the hypothesis"
    if not {"T", "F"} <= set(decided.verdict.h_values):
        settled = ENTAILMENT if "T" in decided.verdict.h_values else CONTRADICTION
        return f"it is neutral only because the hypothesis presupposes more than is said; where that holds, {settled}"
    if alike := _unrelated(_words(said, words, reader.grammar), _words(asked, words, reader.grammar), words):
        return alike
    if HAS in names(asked) and HAS not in names(said) and _words(said, words, reader.grammar):
        return "the lexicon does not say who has what"
    if _of_others(said, asked, reader):
        return "`only` may leave out people alone, or all but the one that is named"
    if opaque := _opaque(said, asked, reader):
        return f"what `{_spelt(opaque, words)}` says of one thing may hold of another"
    if reason := _apart(said, asked, apart):
        return reason
    for every in (withholding("as"), withholding("as nothing")):
        if changed := changed_by(every):
            return f"it is neutral only where {_reason(every, said, asked)}; else {changed}"
    for each in withholding("chosen"):
        may_be, asked_so = (by_choice(_with_others(node, withholding("as")), each.names) for node in (said, asked))
        if (changed := label(may_be, asked_so)) not in (NEUTRAL, None):
            return f"{each.reason}; then {changed}"
    for noun, kind in permutations(_kinds(said, words) - _kinds(asked, words), 2):
        of_one_sort = words[noun].category == words[kind].category
        if of_one_sort and label(_renamed(said, noun, kind), asked) not in (NEUTRAL, None):
            return f"the lexicon does not say whether `{_spelt(noun, words)}` entails `{_spelt(kind, words)}`"
    several = reduce(And, _two_at_least(said), said)
    if several != said and (changed := label(several, asked)) not in (NEUTRAL, None):
        return f"it is neutral only where `most` are most of one; else {changed}"
    if (exact := _exactly(said)) != said and (changed := label(exact, asked)) not in (NEUTRAL, None):
        return f"it is neutral only where a number may be exceeded; else {changed}"
    if (changed := label(said, asked, reader.importing)) not in (NEUTRAL, None):
        return f"it is neutral only where there is nothing that a noun phrase is about; else {changed}"
    people = _by_people(said), _by_people(asked)
    if people != (said, asked) and (changed := label(*people)) not in (NEUTRAL, None):
        return f"it is neutral only where nobody need have done it; else {changed}"
    joined = [node for node in walk(said) if isinstance(node, Or | Implies)]
    described = [node.restrictor for node in walk(said) if isinstance(node, Quantified)]  # *every nurse who knows that*
    if any(may_be_undefined(part) for node in (*joined, *described) for part in walk(node)):
        changed = label(said, asked, reader.taking_for_granted)
        before = (Not(node.left) if isinstance(node, Or) else node.left for node in joined)
        met = any(label(each, asked) == changed for each in before if not free_variables(each))
        if changed not in (NEUTRAL, None) and not met:  # no clause before says so (Karttunen 1973; Geurts 1996)
            return f"what a clause presupposes may be taken for granted by the whole sentence; then {changed}"
    return ""


def another_time(word: str, reader: Reader) -> str:
    """Why nothing follows where premises and hypothesis say a word, or a kind of clause, of two times."""
    words = reader.symbols
    return f"premises and hypothesis say `{_spelt(word, words)}` of different times" if word in words else OTHER_TIMES


def _in_a_name(said: Formula, asked: Formula, words: Mapping[str, Lexeme]) -> tuple[str, str] | None:
    """A name that is part of another one of the pair: *Emma*, *Emma Brown*; None if there is none."""
    every = {node.name for formula in (said, asked) for node in walk(formula) if isinstance(node, Const)}
    spelt = sorted(_spelt(name, words) for name in every if name in words)
    return next(((a, b) for a in spelt for b in spelt if a != b and {*a.split()} < {*b.split()}), None)


def _spelt(word: str, words: Mapping[str, Lexeme]) -> str:
    return next((form for form in words[word].forms.values() if form != MISSING), word)


def _words(formula: Formula, words: Mapping[str, Lexeme], grammar: Grammar) -> frozenset[str]:
    """The words of a formula that are true or false of something: no names."""
    every = names(formula) | operators_of(formula)
    return frozenset(name for name in every if name in words and not _names_one(words[name], grammar))


def _names_one(word: Lexeme, grammar: Grammar) -> bool:
    return grammar.categories[word.category].type == E_TYPE


def _unrelated(said: Collection[str], asked: Collection[str], words: Mapping[str, Lexeme]) -> str:
    """Two words, one of them in the premises alone and the other in the hypothesis alone, of which only the lexicon
    says that they have nothing to do with each other (*opened*, *was closed*); or two in the premises that have a
    capital (*Every European sang. Emma is Italian.*). Empty if there are none."""
    alone = sorted({*said} - {*asked})
    origins = [word for word in alone if _spelt(word, words)[:1].isupper()]  # *Italian*, *a European*
    pairs = [*product(alone, sorted({*asked} - {*said})), *combinations(origins, 2)]

    def strange(pair: tuple[str, str]) -> tuple[bool, bool]:
        return not _form_of_both(*pair, words), words[pair[0]].category != words[pair[1]].category

    for one, other in sorted(pairs, key=strange):
        if form := _form_of_both(one, other, words):
            return f"`{form}` is two words of the lexicon, `{one}` and `{other}`, and nothing relates them"
        spelt = [_spelt(each, words) for each in (one, other)]
        if words[one].category != words[other].category:
            return f"the lexicon does not say what the premises have to do with `{spelt[1]}`"
        return f"the lexicon does not say whether `{spelt[0]}` entails or excludes `{spelt[1]}`, or neither"
    return ""


def _form_of_both(one: str, other: str, words: Mapping[str, Lexeme]) -> str:
    both = {*words[one].forms.values()} & {*words[other].forms.values()} - {MISSING}
    return min(both, key=lambda form: (len(form), form), default="")


def _opaque(said: Formula, asked: Formula, reader: Reader) -> str:
    """A word that premise and hypothesis both have, of other things, and that is closed under nothing: *great* of a
    tenor and of a cook."""
    closed = {each.category for each in reader.theory.lexical_operators if each.kind == "neighbourhood"}

    def bodies(formula: Formula) -> dict[str, set[frozenset[str]]]:
        found: dict[str, set[frozenset[str]]] = defaultdict(set)
        for node in walk(formula):
            word = reader.symbols.get(node.operator) if isinstance(node, Modal) else None
            if word is not None and word.category in closed:
                found[word.id].add(names(node) | operators_of(node))
        return found

    before, after = bodies(said), bodies(asked)
    return next((word for word in sorted(before.keys() & after.keys()) if before[word] != after[word]), "")


def _of_others(said: Formula, asked: Formula, reader: Reader) -> bool:
    """Whether the premises deny something of all but one (*only Emma slept*), and only the hypothesis speaks of what is
    no person: *a dog slept*."""
    words = (reader.symbols.get(word) for word in names(asked) - names(said))
    others = any(word is not None and word.columns.get("sort") not in (None, PERSON) for word in words)
    return others and any(isinstance(node, Not) and isinstance(node.body, Equal) for node in walk(said))


def _named(formula: Formula, names_: Collection[str]) -> int:
    """How often names stand in a formula, as operators, predicates or propositions."""
    nodes = (node for node in walk(formula) if isinstance(node, Atom | Modal))
    return sum((node.predicate if isinstance(node, Atom) else node.operator) in names_ for node in nodes)


def _apart(said: Formula, asked: Formula, every: Sequence[Withheld]) -> str:
    """Why nothing follows where premises and hypothesis do not have the same of some names; empty if they have."""
    return next(
        (
            each.reason
            for each in every
            if any(bool(_named(said, (name,))) != bool(_named(asked, (name,))) for name in each.names)
        ),
        "",
    )


def _with_others(formula: Formula, every: Sequence[Withheld]) -> Formula:
    """A formula with other operators in the place of some, or with nothing there: one in which *must have* entails,
    and what is so is possible."""

    def other(part: Formula) -> Formula:
        for each in every:
            if isinstance(part, Modal) and part.operator in each.names:
                renamed = replace(part, operator=each.instead, agent=None)
                part = part.body if each.instead == NOTHING else renamed
            elif isinstance(part, Atom) and part.predicate in each.names:
                part = replace(part, predicate=each.instead)
        return part

    return bottom_up(other, formula)


def _reason(every: Sequence[Withheld], said: Formula, asked: Formula) -> str:
    return next(each.reason for each in every if _named(said, each.names) or _named(asked, each.names))


def _distinguishes(said: Formula, asked: Formula) -> bool:
    """Whether two formulas have two names, and something that may depend on whose they are: a number or identity."""
    nodes = [*walk(said), *walk(asked)]
    counts = any(isinstance(n, Equal) or (isinstance(n, Quantified) and n.quantifier not in PLAIN) for n in nodes)
    return counts and len({n.name for n in nodes if isinstance(n, Const)}) > 1


def _by_name(said: Formula, asked: Formula) -> tuple[Formula, Formula]:
    """Formulas with those who are called so in the place of names, so that two names may be of one."""
    every = sorted({n.name for formula in (said, asked) for n in walk(formula) if isinstance(n, Const)})

    def described(formula: Formula) -> Formula:
        variables = {name: Var(f"{name}_called") for name in every}

        def put(node: Argument) -> Argument:
            return (
                variables[node.name]
                if isinstance(node, Const)
                else node
                if isinstance(node, Var)
                else map_parts(put, node)
            )

        whole = as_formula(put(formula))
        for name in reversed(every):
            called = Atom(f"called_{name}", (variables[name],))
            whole = Quantified(quantifier="the", variable=variables[name].name, restrictor=called, scope=whole)
        return whole

    return described(said), described(asked)


def _narrowed(formula: Formula) -> Formula:
    """A formula whose definites speak of one that matters, of possibly several: *the nurse sang* does not say that
    nobody else is a nurse, and *Emma's sister sang* not that she has no other one."""

    def narrow(part: Formula) -> Formula:
        if isinstance(part, Quantified) and part.quantifier == "the":
            return _mattering(part)
        if isinstance(part, Presupposing) and isinstance(part.presupposition, Quantified):
            granted, of = part.presupposition, part.assertion
            phrase = of.body if isinstance(of, Not) else of
            if granted.count == 2 and granted.scope == TRUE and isinstance(phrase, Quantified):
                alike = substituted(phrase.restrictor, {phrase.variable: Var(granted.variable)})
                if alike == granted.restrictor and MATTERS not in names(granted):
                    one = _mattering(phrase)
                    return Presupposing(_mattering(granted), Not(one) if isinstance(of, Not) else one)
        return part

    return bottom_up(narrow, formula)


def _mattering(phrase: Quantified) -> Quantified:
    return replace(phrase, restrictor=And(phrase.restrictor, Atom(MATTERS, (Var(phrase.variable),))))


def _by_people(formula: Formula) -> Formula:
    """A formula in which what is done, by whatever it may be, is done by somebody: *the street was flooded*."""

    def done(part: Formula) -> Formula:
        if isinstance(part, Quantified) and part.quantifier == "exists" and part.restrictor == TRUE:
            what = part.scope
            if isinstance(what, Atom) and len(what.args) > 1 and what.args[0] == Var(part.variable):
                return replace(part, restrictor=Atom(PERSON, (Var(part.variable),)))
        return part

    return bottom_up(done, formula)


def _beside_nouns(formula: Formula, reader: Reader) -> Formula:
    """A formula in which adjectives that depend on their noun are predicates of their own before each: *clever*."""

    def beside(part: Formula) -> Formula:
        if isinstance(part, And) and isinstance(part.left, Atom) and len(part.left.args) == 1:
            noun, said = part.right, part.left
            while isinstance(noun, And):
                noun = noun.right
            word = reader.symbols.get(said.predicate)
            relative = word is not None and {*word.forms.values()} & {*reader.grammar.language.cautions.relative}
            if relative and isinstance(noun, Atom) and noun.args == said.args:
                return And(Atom(f"{said.predicate}_{noun.predicate}", said.args), part.right)
        return part

    return bottom_up(beside, formula)


def _of_material(said: Formula, asked: Formula, reader: Reader) -> tuple[Formula, Formula]:
    """Formulas in which nothing is said of a noun before which a listed adjective stands: *a wooden horse*, which a
    language lists among `models`. What a relation of the grammar has the adjective before is left (*wooden chair*)."""

    def put(part: Formula) -> Formula:
        if isinstance(part, And) and isinstance(part.left, Atom) and isinstance(part.right, Atom):
            of, noun = (reader.symbols.get(each.predicate) for each in (part.left, part.right))
            listed = of is not None and {*of.forms.values()} & {*reader.grammar.language.cautions.models}
            if of and noun and listed and part.left.args == part.right.args and not _suits(of, noun, reader):
                return And(part.left, replace(part.right, predicate=f"{of.id}_{noun.id}"))
        return part

    return bottom_up(put, said), bottom_up(put, asked)


def _suits(one: Lexeme, other: Lexeme, reader: Reader) -> bool:
    """Whether a relation of the grammar has a word before another one."""
    related = (each for every in reader.grammar.relations.values() for each in every)
    return any(
        isinstance(fits := one.columns.get(each.left[1]), tuple) and other.columns.get(each.right[1]) in fits
        for each in related
        if (each.left[0], each.right[0]) == (one.category, other.category)
    )


def _kinds(formula: Formula, words: Mapping[str, Lexeme]) -> frozenset[str]:
    """The words of a formula that are true of one thing each."""
    atoms = (node for node in walk(formula) if isinstance(node, Atom) and len(node.args) == 1)
    return frozenset(node.predicate for node in atoms if node.predicate in words)


def _renamed(formula: Formula, one: str, other: str) -> Formula:
    """A formula with a predicate in the place of another."""

    def put(part: Formula) -> Formula:
        return replace(part, predicate=other) if isinstance(part, Atom) and part.predicate == one else part

    return bottom_up(put, formula)


def _two_at_least(formula: Formula) -> Iterator[Formula]:
    """That there are two at least of which most do something (*most nurses*)."""
    for node in walk(formula):
        if isinstance(node, Quantified) and node.quantifier == "most" and len(free_variables(node.restrictor)) == 1:
            yield replace(node, quantifier="atleast", count=2, scope=TRUE)


def _exactly(formula: Formula) -> Formula:
    """A formula with numbers that are not exceeded (Geurts 2006): *three* is three, and no more."""

    def exact(part: Formula) -> Formula:
        several = isinstance(part, Quantified) and part.quantifier == "atleast" and part.count != 1
        return replace(part, quantifier="exactly") if several else part

    return bottom_up(exact, formula)


def read_alike(choices: Sequence[Sequence[Understood]]) -> Iterator[tuple[Understood, ...]]:
    """The choices of a reading of each sentence in which an ambiguity that two of them share is resolved alike: of each
    reading of the one the most similar ones of the other, and the other way round. Where the words that they share
    stand in another order, as in a passive, each is read by itself: the order of words is one of scopes."""
    choices = [_known_elsewhere(each, [o for o in choices if o is not each]) for each in choices]
    kept = {(a, b): _similar(choices[a], choices[b]) for a, b in combinations(range(len(choices)), 2)}
    for picked in product(*map(range, map(len, choices))):
        if all((picked[a], picked[b]) in pairs for (a, b), pairs in kept.items()):
            yield tuple(readings[at] for readings, at in zip(choices, picked, strict=True))


def _known_elsewhere(readings: Sequence[Understood], others: Sequence[Sequence[Understood]]) -> list[Understood]:
    """The readings of a sentence with the fewest guesses that no other sentence shares: *Jones* is a name in all."""
    shared = {word for other in others for read in other for word in read.guessed}
    alone = [len({*read.guessed} - shared) for read in readings]
    return [read for read, count in zip(readings, alone, strict=True) if count == min(alone)]


def _similar(one: Sequence[Understood], other: Sequence[Understood]) -> set[tuple[int, int]]:
    if one and other and _in_other_order(one[0].words, other[0].words):
        return set(product(range(len(one)), range(len(other))))
    parts = [[_parts(each) for each in side] for side in (one, other)]
    alike = [[(a & b).total() for b in parts[1]] for a in parts[0]]
    rows = {(i, j) for i, row in enumerate(alike) for j, value in enumerate(row) if value == max(row)}
    columns = [max(column) for column in zip(*alike, strict=True)]
    return rows | {(i, j) for i, row in enumerate(alike) for j, value in enumerate(row) if value == columns[j]}


def _in_other_order(one: Sequence[tuple[str, str]], other: Sequence[tuple[str, str]]) -> bool:
    """Whether the words that two sentences share, each once, stand in another order."""
    firsts = [[word for word in dict.fromkeys(side) if word in beside] for side, beside in ((one, other), (other, one))]
    return firsts[0] != firsts[1]


def _parts(read: Understood) -> Counter[str]:
    return Counter([*re.findall(r"[A-Z]\w*", read.term), read.reading.id])
