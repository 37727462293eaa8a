"""Properties of a formula's nodes that are needed often, computed once: free variables, can it be undefined?"""

from __future__ import annotations

from typing import TypeAlias

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula

Node: TypeAlias = tuple[tuple[str, ...], bool]
"""The free variables; whether the formula is always true or false."""

_PARTS = (ast.And, ast.Or, ast.Implies, ast.Iff)
_BODY = (ast.Not, ast.Here)


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
        elif isinstance(formula, _PARTS):
            (left, one), (right, other) = self.of(formula.left), self.of(formula.right)
            node = _joined(left, right), one and other
        elif isinstance(formula, _BODY):
            node = self.of(formula.body)
        elif isinstance(formula, ast.Modal):
            free, total = self.of(formula.body)
            node = (free if formula.agent is None else _joined(_variables((formula.agent,)), free)), total
        elif isinstance(formula, ast.Quantified):
            (left, one), (right, other) = self.of(formula.restrictor), self.of(formula.scope)
            free = tuple([name for name in _joined(left, right) if name != formula.variable])
            node = free, one and other and formula.quantifier != "the"
        elif isinstance(formula, ast.Presupposing):
            free = _joined(self.of(formula.presupposition)[0], self.of(formula.assertion)[0])
            node = free, False
        elif isinstance(formula, ast.Equal):
            node = _variables((formula.left, formula.right)), True
        elif isinstance(formula, ast.Truth):
            node = (), True
        else:
            raise ValueError(f"{type(formula).__name__} has no truth value of its own: compile it away first")
        self.known[id(formula)] = node
        return node


def _variables(terms: tuple[Argument, ...]) -> tuple[str, ...]:
    return tuple([term.name for term in terms if isinstance(term, ast.Var)])


def _joined(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one + other)) if one and other else one or other
