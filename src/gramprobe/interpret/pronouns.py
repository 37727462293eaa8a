"""What the pronouns of a sentence take up: who was named before, or an indefinite that is still open.

A pronoun that its own clause does not bind is a free variable of the reading (`refers`), with a value of the grammar's,
`feminine`, whose relations to columns of words say who fits it. Of all that fit, each is taken in turn: a label holds
only where all agree. Where a pronoun might be bound by a quantifier of its sentence (*every nurse said that she sang*),
or it is not known who fits, nobody is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, product
from typing import TypeAlias

from msgspec import structs

from gramprobe.formula.ast import (
    TRUE,
    And,
    Argument,
    Atom,
    Const,
    Formula,
    Modal,
    Not,
    Or,
    Presupposing,
    Quantified,
    Var,
    parts,
    walk,
)
from gramprobe.formula.binding import free_variables, names, substituted
from gramprobe.interpret.read import Reader, Understood
from gramprobe.interpret.rewrites import MATTERS
from gramprobe.meaning.antecedents import accessible
from gramprobe.meaning.discourse import apart, continued, placed
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.grammar.data import Grammar, Relation
from gramprobe.resolve.grammar.types import E_TYPE
from gramprobe.stop import ask_stop

NEUTER = "neuter"
"""The value of *it*, beside which stand those of *she* and *he*."""
SEVERAL = "those_before"
"""The value of a pronoun of several (*they*)."""
MOST_NAMED = 3
"""Of so many names each choice of two or more may be what a pronoun of several takes up."""

Antecedent: TypeAlias = Const | Var
Group: TypeAlias = tuple[Const | Quantified, ...]
"""Several who are taken up together: by name, or as all of whom the restrictor of a quantifier is true."""


class Unresolved(Exception):
    """Why it is left open what a pronoun takes up."""


@dataclass(frozen=True, slots=True)
class Said:
    """Sentences one after the other, with what their pronouns take up.

    Attributes:
        formula: that of the premises, one after the other.
        readings: those of the sentences, names in the place of pronouns that take them up.
    """

    formula: Formula
    readings: tuple[Understood, ...]


def taken_up(readings: Sequence[Understood], bound: Sequence[int], reader: Reader) -> Iterator[Said]:
    """The premises and, last, the hypothesis, for each choice of what their pronouns take up; none where a pronoun has
    nothing to take up. ``bound``: of each sentence, how few pronouns a reading of it leaves open. Raises Unresolved."""
    states = [Said(readings[0].reading.formula, ())]
    for at, (read, fewest) in enumerate(zip(readings, bound, strict=True)):
        last = at == len(readings) - 1
        states = [new for state in states for new in _after(state, read, fewest, last, reader)]
    yield from states


def _after(state: Said, read: Understood, fewest: int, last: bool, reader: Reader) -> Iterator[Said]:
    """A sentence after others, the hypothesis if it is the last. Raises Stopped."""
    ask_stop()  # each pronoun multiplies the choices
    before = len(state.readings)
    second = read.reading.formula if last or not before else apart(read.reading.formula, before)
    anaphors = read.reading.refers
    if anaphors and not read.pronouns:  # it takes up an operator by the name of its scope
        whole = continued(state.readings[0].reading, read.reading) if before == 1 and not last else None
        yield from [] if whole is None else [Said(whole, (*state.readings, read))]
        return
    if len(anaphors) != len(read.pronouns):
        raise Unresolved("it is left open what a pronoun takes up")
    every = [
        _groups(state, read, n, reader)
        if read.pronouns[n][0] == SEVERAL
        else _candidates(state, read, n, fewest < len(anaphors), reader)
        for n in range(len(anaphors))
    ]
    for chosen in product(*every):
        each_of = [(a.variable, who) for a, who in zip(anaphors, chosen, strict=True) if a.variable is not None]
        taken = {name: who for name, who in each_of if not isinstance(who, tuple)}
        groups = {name: who for name, who in each_of if isinstance(who, tuple)}
        members = ((name, one) for name, who in groups.items() for one in who if isinstance(one, Const))
        if _of_one_verb(second, taken) or any(_of_one_verb(second, {**taken, name: one}) for name, one in members):
            continue
        if last and any(isinstance(who, Var) for who in chosen):
            raise Unresolved("a pronoun of the hypothesis takes up somebody without a name")
        formula = substituted(second, taken)
        for name, group in groups.items():
            formula = reduce(And, (_said_of_one(formula, name, one) for one in group))
        known = replace(read, reading=structs.replace(read.reading, formula=formula, refers=()))
        needed = frozenset(who.name for who in chosen if isinstance(who, Var))
        whole = state.formula if last else placed(state.formula, needed, formula) if before else formula
        yield Said(whole, (*state.readings, known))


def _candidates(state: Said, read: Understood, number: int, is_bound: bool, reader: Reader) -> list[Antecedent]:
    """Who or what a pronoun of a sentence may take up. ``is_bound``: another reading of the sentence binds it."""
    value, before = read.pronouns[number]
    within = [(word, fits) for word in read.words[:before] if (fits := _fits(value, word, reader)) is not False]
    nouns = [word for word, _ in within if not _is_name(word, reader.grammar)]
    if nouns and (len(within) > 1 or not is_bound):
        raise Unresolved(f"a pronoun may take up `{_spelt(nouns[0], reader)}`, each of them in turn")
    earlier = [(word, _fits(value, word, reader)) for each in state.readings for word in each.words]
    named = [each for each in (*earlier, *(within if not nouns else ())) if _is_name(each[0], reader.grammar)]
    if unknown := next((word for word, fits in named if fits is None), None):
        raise Unresolved(f"it is not known whether a pronoun may take up `{_spelt(unknown, reader)}`")
    found: list[Antecedent] = [Const(word[1]) for word, fits in named if fits]
    for node in accessible(state.formula) if state.readings else ():
        if _may_be(node, value, reader):
            if any(each.several for each in state.readings):
                raise Unresolved("a pronoun of one may take up one of several")
            found.append(Var(node.variable))
    if state.readings and any(_may_be(node, value, reader) for node in _beside(state.formula, reader)):
        raise Unresolved("a pronoun may take up the only one, or one that somebody knows of")
    if not found and not is_bound:
        raise Unresolved("a pronoun has nothing to take up")
    return list(dict.fromkeys(found))


def _said_of_one(formula: Formula, pronoun: str, one: Const | Quantified) -> Formula:
    """What is said of a pronoun, of somebody by name, or of all of whom a restrictor is true."""
    if isinstance(one, Const):
        return substituted(formula, {pronoun: one})
    of = substituted(one.restrictor, {one.variable: Var(pronoun)})
    return Quantified(quantifier="forall", variable=pronoun, restrictor=of, scope=formula)


def _groups(state: Said, read: Understood, number: int, reader: Reader) -> list[Group]:
    """Those whom a pronoun of several may take up: names that were mentioned, two of them or more, and all whom a
    plural definite is about. Raises Unresolved where others may be meant."""
    grammar, before = reader.grammar, read.pronouns[number][1]
    own = [word for word in read.words[:before] if _is_taken_up(word, grammar)]
    if people := [word for word in own if not _is_name(word, grammar)]:
        raise Unresolved(f"a pronoun of several may take up `{_spelt(people[0], reader)}` of its own sentence")
    described = [*_plural_definites(state.formula)] if state.readings else []
    known = {name for each in described for name in names(each.restrictor)}
    earlier = [word for each in state.readings for word in each.words if _is_taken_up(word, grammar)] + own
    named = [Const(word[1]) for word in dict.fromkeys(earlier) if _is_name(word, grammar) and word[1] not in known]
    others = [word for word in earlier if not _is_name(word, grammar) and word[1] not in known]
    if others:
        raise Unresolved(f"a pronoun of several may take up `{_spelt(others[0], reader)}`, alone or with others")
    either = {part for each in (state.formula, read.reading.formula) for part in _disjoined(each)}
    if either & {*named, *described}:
        raise Unresolved("after `or` a pronoun of several takes up whoever it is")
    if len(named) > MOST_NAMED:
        raise Unresolved("a pronoun of several may take up some of those who were named, or all")
    found: list[Group] = [each for size in range(2, len(named) + 1) for each in combinations(named, size)]
    found += [(each,) for each in described]
    found += [(*named, *described)] if named and described else []
    if not found:
        raise Unresolved("a pronoun of several has nothing to take up")
    return list(dict.fromkeys(found))


def _disjoined(formula: Argument) -> Iterator[Argument]:
    """All parts of what *or* joins (Evans 1980), where it is not denied, which says both."""
    if isinstance(formula, Or) and formula.right not in (TRUE, Not(formula.left)):
        yield from walk(formula)
    elif isinstance(formula, Not) and isinstance(formula.body, Or):
        yield from (part for each in parts(formula.body) for part in _disjoined(each))
    elif not isinstance(formula, Var | Const):
        yield from (part for each in parts(formula) for part in _disjoined(each))


def _is_taken_up(word: tuple[str, str], grammar: Grammar) -> bool:
    """Whether pronouns take up words of a category, of whatever gender."""
    feature = next((each for each in grammar.features.values() if NEUTER in each.values), None)
    return feature is not None and any(_relations(value, word[0], grammar) for value in feature.values)


def _plural_definites(formula: Formula) -> Iterator[Quantified]:
    """The quantifiers of *the nurses*, *Emma's dogs*: they presuppose two at least, or those that matter."""
    for node in walk(formula):
        if isinstance(node, Presupposing) and isinstance(node.assertion, Quantified):
            granted, of = node.presupposition, node.assertion
            several = isinstance(granted, Quantified) and (granted.count == 2 or MATTERS in names(granted))
            if several and of.quantifier == "forall" and {*free_variables(of.restrictor)} <= {of.variable}:
                yield of


def _of_one_verb(formula: Formula, taken: dict[str, Antecedent]) -> bool:
    """Whether a pronoun takes up another participant of its own verb, which a reflexive would (Chomsky 1981, principle
    B). Raises Unresolved where that hangs on more than the verb (*said*, *danced with*)."""

    def who(node: object) -> object:
        return taken.get(node.name, node) if isinstance(node, Var) else node

    for node in walk(formula):
        if isinstance(node, Atom):
            args = [each for n, each in enumerate(node.args) if each not in node.args[:n]]
            about = any(isinstance(each, Var) and each.name in taken for each in args)
            if about and len({*map(who, args)}) < len(args):
                return True
        elif (
            isinstance(node, Modal)
            and isinstance(node.agent, Var)
            and node.agent.name in taken
            and who(node.agent) in [*walk(node.body)]
        ):
            raise Unresolved("it is left open whether a pronoun takes up who is named in its clause")
    return False


def _fits(value: str, word: tuple[str, str], reader: Reader) -> bool | None:
    """Whether a word of a category may be what a pronoun of a value takes up; None where that is not known."""
    category, symbol = word
    relations = _relations(value, category, reader.grammar)
    if not relations:
        return False
    if symbol in reader.words.guessed or symbol not in reader.symbols:
        return None
    cells = [(reader.symbols[symbol].columns.get(each.right[1], ""), each.pairs or ()) for each in relations]
    return all(not cell or (value, cell) in pairs for cell, pairs in cells)


def _relations(value: str, category: str, grammar: Grammar) -> list[Relation]:
    """The relations between the feature of a value and columns of a category, which say who fits."""
    every = (each for declared in grammar.relations.values() for each in declared if each.right[0] == category)
    features = ((each, grammar.features.get(each.left[0])) for each in every)
    return [each for each, feature in features if feature is not None and value in feature.values]


def _may_be(node: Quantified, value: str, reader: Reader) -> bool:
    """Whether what a quantifier is about may be what a pronoun of a value takes up: only what is asserted of it rules
    that out (a friend who is no boy may be *she*). Raises Unresolved where that is not known."""
    fits = [
        (_fits_symbol(value, name, reader), asserted)
        for name, asserted in _said_of(node.variable, node.restrictor)
        if name not in reader.symbols or _relations(value, reader.symbols[name].category, reader.grammar)
    ]
    if not fits or (False, True) in fits:
        return False
    if any(each is None for each, _ in fits):
        raise Unresolved("it is not known whether a pronoun may take up what was guessed")
    return True


def _fits_symbol(value: str, name: str, reader: Reader) -> bool | None:
    """Whether what a symbol is true of may be what a pronoun takes up."""
    if name == PERSON:
        return value != NEUTER
    word = reader.symbols.get(name)
    return None if word is None else _fits(value, (word.category, name), reader)


def _said_of(variable: str, formula: Argument, asserted: bool = True) -> Iterator[tuple[str, bool]]:
    """The predicates of a variable alone, each with whether the formula asserts it: below no `~`, `|` or `->`."""
    if isinstance(formula, Atom) and formula.args == (Var(variable),):
        yield formula.predicate, asserted
    elif not isinstance(formula, Var | Const):
        of_parts = asserted and isinstance(formula, And | Modal | Presupposing)
        for part in parts(formula):
            yield from _said_of(variable, part, of_parts)


def _beside(formula: Formula, reader: Reader) -> Iterator[Quantified]:
    """Whom a pronoun may take up though nothing here binds it: the one of *exactly one*, and an indefinite in what
    somebody knows (*Noah saw that a woman danced*)."""
    for node in walk(formula):
        if isinstance(node, Quantified) and node.quantifier == "exactly" and node.count == 1:
            yield node
        elif isinstance(node, Modal) and reader.is_factive(node.operator):
            yield from accessible(node.body)


def _is_name(word: tuple[str, str], grammar: Grammar) -> bool:
    return grammar.categories[word[0]].type == E_TYPE


def _spelt(word: tuple[str, str], reader: Reader) -> str:
    return next(iter(reader.symbols[word[1]].forms.values())) if word[1] in reader.symbols else word[1]
