"""Renaming the symbols of a formula."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Atom, Const, Formula, Modal, as_formula, map_parts


def rename(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula with predicates, constants and operators renamed; bound variables stay."""
    return _renamed(formula, tuple(names.items()))


@lru_cache(maxsize=16_384)  # a formula is renamed alike for every pair that its sentence stands in
def _renamed(formula: Formula, pairs: tuple[tuple[str, str], ...]) -> Formula:
    names = dict(pairs)

    def walk(node: Argument) -> Argument:
        if isinstance(node, Const):
            return Const(names[node.name]) if node.name in names else node
        if ast.signature(node, "rename").worlds in (None, "seen") and not isinstance(node, Modal):
            raise ast.NoRule("rename", type(node))
        node = map_parts(walk, node)
        if isinstance(node, Atom) and node.predicate in names:
            return Atom(names[node.predicate], node.args)
        if isinstance(node, Modal) and node.operator in names:
            return Modal(names[node.operator], node.agent, node.body)
        return node

    return as_formula(walk(formula))
