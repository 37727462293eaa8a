"""Trees without the choices of definitions: where the values are known that decide, one branch takes the place."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_

from msgspec.structs import replace

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.tree import Apply, Tree
from gramprobe.words.linearise import Chosen, case_holds


def branch_of(tree: Apply, chosen: Chosen, grammar: Grammar) -> Tree:
    """The tree that a definition stands for: its branch whose case holds. Raises KeyError where none does."""
    constructor = tree.constructor
    for line, branch in zip(constructor.lins, tree.arguments[len(constructor.declared) :], strict=True):
        if case_holds(line.cases, tree, {}, chosen, grammar):
            return branch
    raise KeyError(f"{constructor.name} stands for nothing with these values")


def settled(tree: Tree, chosen: Chosen, grammar: Grammar, below: Callable[[Tree], Tree] | None = None) -> Tree:
    """The tree with that branch of each definition in it whose case holds. Raises KeyError where none does.

    ``below``: the same of an argument, where it is known.
    """
    if not isinstance(tree, Apply):
        return tree
    below = below or (lambda argument: settled(argument, chosen, grammar))
    if tree.constructor.branches is not None:
        return below(branch_of(tree, chosen, grammar))
    arguments = tuple(map(below, tree.arguments))
    return tree if all(map(is_, arguments, tree.arguments)) else replace(tree, arguments=arguments)
