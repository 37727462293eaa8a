"""Readings that no speaker of a language has.

What has no mind neither thinks nor smiles (*the table smiled*); who does something to themselves does it to *myself* (*I
praised me*: Chomsky 1981, principle B); and people are no first part of a compound (*helped Noah leaves*).
"""

from __future__ import annotations

from collections.abc import Mapping

from gramprobe.formula.ast import Argument, Atom, Const, Formula, Modal, Quantified, Var, walk
from gramprobe.formula.binding import names
from gramprobe.interpret.cautions import RELATES, Words
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.grammar.data import Grammar, Lexeme


def is_refused(formula: Formula, words: Mapping[str, Lexeme], grammar: Grammar) -> bool:
    """Whether no speaker says what a formula does (`speech`, `mindless`, `minds` of the language)."""
    cautions = grammar.language.cautions
    nodes = [*walk(formula)]
    for node in nodes:
        if isinstance(node, Atom) and any(node.args.count(Const(each)) > 1 for each in cautions.speech):
            return True
        if isinstance(node, Atom) and node.predicate == RELATES:
            of = node.args[1]
            if isinstance(of, Const) and of.name in words and words[of.name].columns.get("sort") == PERSON:
                return True
    if all(words[each].columns.get("class") not in cautions.mindless for each in names(formula) & words.keys()):
        return False
    things = {node.variable for node in nodes if isinstance(node, Quantified) and _is_mindless(node, words, grammar)}
    listed = Words(words, grammar).listed
    return any(
        isinstance(subject, Var) and subject.name in things and listed(verb, cautions.minds)
        for verb, subject in map(_subject, nodes)
    )


def _subject(node: Argument) -> tuple[str, Argument | None]:
    """A verb and whoever it is said of."""
    if isinstance(node, Atom):
        return node.predicate, next(iter(node.args), None)
    return (node.operator, node.agent) if isinstance(node, Modal) else ("", None)


def _is_mindless(phrase: Quantified, words: Mapping[str, Lexeme], grammar: Grammar) -> bool:
    """Whether a noun phrase is about what has no mind."""
    about = (n.predicate for n in walk(phrase.restrictor) if isinstance(n, Atom) and n.args == (Var(phrase.variable),))
    classes = grammar.language.cautions.mindless
    return any(each in words and words[each].columns.get("class") in classes for each in about)
