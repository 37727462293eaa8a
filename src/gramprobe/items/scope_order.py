"""Noun phrases that could take scope above an operator, in a tree whose readings do not say so.

*A nurse didn't sing* may be said of one nurse among others; it denies *A nurse sang* in the other reading only. A noun
phrase with a `scope` line gives both readings. One without takes scope where it stands, so that a condition with it
below such an operator has one reading where English has two (Horn 1989): its author must name the one that is meant.
Names and definites have one reading either way; modified numerals (*exactly one*) hardly take wide scope (Beghelli &
Stowell 1997).
"""

from __future__ import annotations

from collections.abc import Iterator

from gramprobe.items.operators import possible
from gramprobe.meaning.quantifiers import quantifier_of
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.grammar.types import CLAUSES, is_quantifier
from gramprobe.resolve.paradigm.terms import FROZEN
from gramprobe.resolve.tree import Apply, Tree, nodes
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic
from gramprobe.space.space import Box, Space

#: the quantifiers of noun phrases that may take scope above an operator
MOVABLE = ("exists", "atleast", "most", "forall")


def unnamed_orders(space: Space, grammar: Grammar) -> list[Diagnostic]:
    """A diagnostic for each condition that names no reading and has such a noun phrase below an operator; none where
    the paradigm says that noun phrases stay where they stand (`scope frozen`)."""
    found: dict[str, Diagnostic] = {}
    if space.paradigm.scope == FROZEN:
        return []
    for condition in space.paradigm.conditions.values():
        if condition.reading is not None:
            continue
        for box in space.boxes if space.size else ():
            for operator, phrase in _pairs(space.tree(condition.tree, box), box, space, grammar):
                name = operator.scopes[0].name
                problem = messages.label.unnamed_order(condition.span, condition.name, name, phrase.name, phrase.span)
                found.setdefault(condition.name, problem)
    return list(found.values())


def _pairs(tree: Tree, box: Box, space: Space, grammar: Grammar) -> Iterator[tuple[Constructor, Constructor]]:
    """Operators of a tree, each with a noun phrase below it that nothing keeps there."""
    for node in nodes(tree):
        if not isinstance(node, Apply) or not node.constructor.scopes:
            continue
        for argument, below in zip(node.constructor.arguments, node.arguments, strict=True):
            if argument.is_feature or argument.island or grammar.categories[argument.category].type not in CLAUSES:
                continue
            for each in _inside(below):
                if _moves(each, box, space, grammar):
                    yield node.constructor, each.constructor


def _inside(tree: Tree) -> Iterator[Apply]:
    """The nodes of a tree that are in no island of it."""
    if isinstance(tree, Apply):
        yield tree
        for argument, below in zip(tree.constructor.arguments, tree.arguments, strict=True):
            if not argument.island:
                yield from _inside(below)


def _moves(node: Apply, box: Box, space: Space, grammar: Grammar) -> bool:
    """Whether a node is a noun phrase without a `scope` line whose meaning may be that of a movable quantifier."""
    if node.constructor.scopes or not is_quantifier(grammar.categories[node.constructor.result].type):
        return False
    for meaning in node.constructor.sems:
        found = quantifier_of(meaning.formula)
        if found is not None and found.quantifier in MOVABLE and possible(meaning.cases, node, box, space, grammar):
            return True
    return False
