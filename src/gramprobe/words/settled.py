"""Trees without the choices of definitions: where the values are known that decide, one branch takes the place."""

from __future__ import annotations

from operator import is_

from msgspec.structs import replace

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.tree import Apply, Tree
from gramprobe.words.linearise import Chosen, case_holds


def settled(tree: Tree, chosen: Chosen, grammar: Grammar) -> Tree:
    """The tree with that branch of each definition in it whose case holds. Raises KeyError where none does."""
    if not isinstance(tree, Apply):
        return tree
    constructor = tree.constructor
    if constructor.branches is not None:
        branches = zip(constructor.lins, tree.arguments[len(constructor.declared) :], strict=True)
        for line, branch in branches:
            if case_holds(line.cases, tree, {}, chosen, grammar):
                return settled(branch, chosen, grammar)
        raise KeyError(f"{constructor.name} stands for nothing with these values")
    arguments = tuple(settled(each, chosen, grammar) for each in tree.arguments)
    return tree if all(map(is_, arguments, tree.arguments)) else replace(tree, arguments=arguments)
