"""Subjects that a grammar leaves below a negation, where English has them above it as well.

*Someone didn't sing* hardly denies that somebody sang, and *Emma and Noah didn't sing* is said of each (Horn 1989). A
grammar that denies a clause as a whole, and has no `scope` line for such a subject, gives the other reading alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gramprobe.formula.ast import And, Formula, Not, Or, Presupposing, Quantified
from gramprobe.meaning.quantifiers import behind_lambdas, quantifier_of
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.grammar.types import CLAUSES, is_quantifier
from gramprobe.resolve.tree import Apply, Tree, nodes

UNIQUE = "the"
"""The quantifier of definites, which say the same above a negation and below it."""


def is_of_one_order(tree: Tree, formulas: Collection[Formula], grammar: Grammar) -> bool:
    """Whether all readings of a tree leave the subject of a denied clause below the negation, or *everyone* above it.

    ``formulas``: those of its readings. What *and* or *or* joins is below it in each of them; another subject takes
    scope above it in one, if there are two.
    """
    if len(formulas) == 1 and any(_is_denied_of_all(each) for each in formulas):
        return True
    for node in nodes(tree):
        if not isinstance(node, Apply) or grammar.categories[node.constructor.result].type not in CLAUSES:
            continue
        if any(isinstance(behind_lambdas(each.formula), Not) for each in node.constructor.sems):
            phrases = (each for each in _outside_islands(node) if _is_phrase(each, grammar))
            subject = next(phrases, None)
            for meaning in () if subject is None else subject.constructor.sems:
                quantifier = quantifier_of(meaning.formula)
                one_reading = len(formulas) == 1 and quantifier is not None and quantifier.quantifier != UNIQUE
                if one_reading or isinstance(behind_lambdas(meaning.formula), And | Or):
                    return True
    return False


def _outside_islands(node: Apply) -> Iterator[Apply]:
    """The parts of a clause from left to right, but for those that no quantifier leaves (*it is not the case that*)."""
    yield node
    for argument, part in zip(node.constructor.arguments, node.arguments, strict=True):
        if isinstance(part, Apply) and not argument.island:
            yield from _outside_islands(part)


def _is_denied_of_all(formula: Formula) -> bool:
    if isinstance(formula, Presupposing) and isinstance(formula.presupposition, Quantified):
        formula = formula.assertion if formula.presupposition.quantifier == "exactly" else formula  # *both*
    return isinstance(formula, Quantified) and formula.quantifier == "forall" and isinstance(formula.scope, Not)


def _is_phrase(node: Apply, grammar: Grammar) -> bool:
    return is_quantifier(grammar.categories[node.constructor.result].type)
