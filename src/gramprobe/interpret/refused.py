"""Readings that no speaker of a language has.

What has no mind neither thinks nor smiles (*the table smiled*); who does something to themselves does it to *myself*
(*I praised me*: Chomsky 1981, principle B); and people are no first part of a compound (*helped Noah leaves*).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from gramprobe.formula.ast import Argument, Atom, Const, Formula, Modal, Quantified, Var, walk
from gramprobe.formula.binding import names
from gramprobe.interpret.cautions import RELATES, Words, about
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.grammar.data import Grammar, Lexeme

DATIVE = "by"
"""The column of verbs of giving, which says how a phrase behind them names who gets it."""
THING = "thing"
"""The sort of nouns of what is no person, and no animal."""
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
        if isinstance(node, Atom) and len(node.args) > 2 and _is_turned(node, nodes, words):
            return True
        if isinstance(node, Atom) and node.predicate == RELATES:
            of = node.args[1]
            if isinstance(of, Const) and of.name in words and of.name not in guessed:
                return True
    if all(words[each].columns.get("class") not in cautions.mindless for each in names(formula) & words.keys()):
        return False
    things = {node.variable for node in nodes if isinstance(node, Quantified) and _is_mindless(node, words, grammar)}
    listed = Words(words, grammar).listed
    return any(
        isinstance(subject, Var) and subject.name in things and listed(verb, cautions.minds)
        for verb, subject in map(_subject, nodes)
    )


def _is_turned(verb: Atom, nodes: Sequence[object], words: Mapping[str, Lexeme]) -> bool:
    """Whether somebody is given to a thing: *gave a ring his wife*. What is of several people may get somebody."""
    if verb.predicate not in words or DATIVE not in words[verb.predicate].columns:
        return False

    def kinds(one: Argument) -> set[tuple[object, object]]:
        of = [node for node in nodes if isinstance(node, Atom) and node.args == (one,) and node.predicate in words]
        return {(words[node.predicate].columns.get("sort"), words[node.predicate].columns.get("class")) for node in of}

    what, whom = kinds(verb.args[1]), kinds(verb.args[2])
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
