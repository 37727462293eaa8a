"""Properties of a formula's nodes that are needed often, computed once: free variables, can it be undefined?"""

from __future__ import annotations

from typing import TypeAlias

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula

Node: TypeAlias = tuple[tuple[str, ...], bool]
"""The free variables; whether the formula is always true or false."""


class Nodes:
    """The properties of formulas, by identity: keep the formulas alive meanwhile.

    Raises ValueError for a node without a truth value.
    """

    def __init__(self) -> None:
        self.known: dict[int, Node] = {}

    def of(self, formula: Formula) -> Node:
        """The node of a formula."""
        return self.known.get(id(formula)) or self._compute(formula)

    def _compute(self, formula: Formula) -> Node:
        if isinstance(formula, ast.Atom):
            node = _variables(formula.args), True
        elif isinstance(formula, ast.BINARY):
            (left, one), (right, other) = self.of(formula.left), self.of(formula.right)
            node = _joined(left, right), one and other
        elif isinstance(formula, ast.Modal):
            free, total = self.of(formula.body)
            node = (free if formula.agent is None else _joined(_variables((formula.agent,)), free)), total
        elif isinstance(formula, ast.Quantified):
            (left, one), (right, other) = self.of(formula.restrictor), self.of(formula.scope)
            free = tuple([name for name in _joined(left, right) if name != formula.variable])
            node = free, one and other and formula.quantifier != "the"
        elif isinstance(formula, ast.Equal):
            node = _variables((formula.left, formula.right)), True
        else:
            known = ast.signature(formula, "nodes")
            if known.stage != "shape":
                raise ValueError(f"{type(formula).__name__} has no truth value of its own: compile it away first")
            if not isinstance(formula, ast.Here):
                ast.only_extensional(formula, "nodes")
            free, total = (), not ast.may_be_undefined(formula)
            for part in ast.children(formula):
                more, defined = self.of(part)
                free, total = _joined(free, more), total and defined
            node = free, total
        self.known[id(formula)] = node
        return node


def _variables(terms: tuple[Argument, ...]) -> tuple[str, ...]:
    return tuple([term.name for term in terms if isinstance(term, ast.Var)])


def _joined(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one + other)) if one and other else one or other
