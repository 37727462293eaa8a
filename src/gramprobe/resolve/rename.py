"""Symbols of a formula put in the place of others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gramprobe.formula.ast import Argument, Atom, Const, Formula, Modal, map_parts


def rename(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula with predicates, constants and operators renamed; bound variables stay."""

    def walk(node: Argument) -> Argument:
        if isinstance(node, Const):
            return Const(names.get(node.name, node.name))
        node = map_parts(walk, node)
        if isinstance(node, Atom) and node.predicate in names:
            return replace(node, predicate=names[node.predicate])
        if isinstance(node, Modal) and node.operator in names:
            return replace(node, operator=names[node.operator])
        return node

    return walk(formula)  # type: ignore[return-value]
