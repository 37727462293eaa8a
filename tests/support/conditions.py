"""The conditions of a grammar by their definition, over trees with every word in place.

It knows nothing of slots, keys and tests: the counts of :mod:`gramprobe.space` are compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from gramprobe.resolve.grammar.constraints import PLAUSIBLE, name_of
from gramprobe.resolve.grammar.data import Cell, Grammar
from gramprobe.resolve.tree import Apply, Given, Tree, category_of, nodes
from gramprobe.syntax.grammar_tree import Computed, Value
from gramprobe.syntax.tree import Condition, Operand
from gramprobe.words.settled import branch_of, settled


def computed(value: Value, tree: Apply, grammar: Grammar) -> frozenset[Cell]:
    """The values that a constructor takes from its arguments, or looks up in a table."""
    if isinstance(value, Computed):
        keys = product(*(sorted(map(str, computed(each, tree, grammar))) for each in value.values))
        return frozenset(grammar.tables[value.table.text].cells[key] for key in keys)
    index = tree.constructor.argument(value.name.text)
    if index is None:
        return frozenset([value.name.text])
    return values(tree.arguments[index], value.column.text if value.column is not None else None, grammar)


def values(tree: Tree, column: str | None, grammar: Grammar) -> frozenset[Cell]:
    """The values of a filled tree that a condition compares: a column's along its heads, or the word that heads it.

    A feature that neither a constructor nor the word at its head has is open: it has none of the values.
    """
    while isinstance(tree, Apply):
        fixed = tree.constructor.fixed.get(column) if column else None
        if fixed:
            return frozenset(fixed)
        if column is not None and column in tree.constructor.computed:
            return computed(tree.constructor.computed[column], tree, grammar)
        if not tree.arguments:
            return frozenset([tree.constructor.name])
        heads = [a for a, x in zip(tree.arguments, tree.constructor.arguments, strict=True) if x.head]
        if not heads:
            return frozenset()
        (tree,) = heads
    assert isinstance(tree, Given)
    if column is None or tree.is_feature:
        return frozenset([tree.value])
    category = grammar.categories[tree.category]
    cell = category.fixed.get(column) or category.by_id[tree.value].columns.get(column, ())
    return frozenset(cell if isinstance(cell, tuple) else [cell])


def related(name: str, left: Tree, right: Tree, grammar: Grammar) -> bool:
    """Whether a declared relation holds: by its list, else by a common value.

    What neither has the column nor a word of a lexicon in it, as a trace or a reflexive, is in the relation with
    everything.
    """
    declared = grammar.relations[name]
    (relation,) = [r for r in declared if _is_a(left, r.left[0], grammar) and _is_a(right, r.right[0], grammar)]
    sides = (left, values(left, relation.left[1], grammar)), (right, values(right, relation.right[1], grammar))
    if any(not found and not _has_words(tree) for tree, found in sides):
        return True
    pairs = product(*(found for _, found in sides))
    return any((x, y) in relation.pairs if relation.pairs is not None else x == y for x, y in pairs)


def _has_words(tree: Tree) -> bool:
    """Whether a filled tree has a word of a lexicon in it."""
    return any(isinstance(node, Given) and not node.is_feature for node in nodes(tree))


def _is_a(tree: Tree, category: str, grammar: Grammar) -> bool:
    """A value that a grammar names outright is one of whatever feature has it."""
    if isinstance(tree, Given) and tree.is_feature:
        return category in grammar.features and tree.value in grammar.features[category].values
    return category_of(tree) == category


def judged(tree: Tree, grammar: Grammar) -> Iterator[Apply]:
    """The nodes of a filled tree whose conditions count, each above settled arguments.

    A definition is judged by its own `where`, and of its branches by the one that it stands for.
    """
    if not isinstance(tree, Apply):
        return
    yield replace(tree, arguments=tuple(settled(each, {}, grammar) for each in tree.arguments))
    defined = tree.constructor.branches is not None
    for each in (branch_of(tree, {}, grammar),) if defined else tree.arguments:
        yield from judged(each, grammar)


def plausible(node: Apply, grammar: Grammar) -> bool:
    """Whether the `where` of a node's constructor holds, and what of grammar the grammar's own constructor demands.

    Only conditions of plausibility may be missing in a term of a definition.
    """
    own = grammar.constructors.get(node.constructor.name, node.constructor)
    of_grammar = (condition for condition in own.where if name_of(condition) != PLAUSIBLE)
    return all(_holds(condition, node, grammar) for condition in (*node.constructor.where, *of_grammar))


def _holds(condition: Condition, node: Apply, grammar: Grammar) -> bool:
    if condition.parts:
        return any(_holds(part, node, grammar) for part in condition.parts)
    left, right = (_side(operand, node) for operand in condition.operands)
    if condition.kind == "relation":
        assert condition.name is not None
        return related(condition.name.text, left[0], right[0], grammar)
    return values(*left, grammar).isdisjoint(values(*right, grammar)) == (condition.kind == "!=")


def _side(operand: Operand, node: Apply) -> tuple[Tree, str | None]:
    """An argument and its column, or a value named outright."""
    name = operand.name.text
    index = node.constructor.argument(name)
    if index is not None:
        return node.arguments[index], operand.column.text if operand.column else None
    return Given(name, "", True), None
