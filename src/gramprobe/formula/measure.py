"""Measures of formulas: the symbols that occur, the modal depth and the largest count.

Of the nodes of a formula, :class:`Nodes` computes once what is needed often: free variables, can it be undefined?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from gramprobe.formula import ast
from gramprobe.formula.ast import (
    Argument,
    Atom,
    Const,
    Description,
    Formula,
    Lambda,
    Modal,
    Quantified,
    Rules,
    parts,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbols of a formula, each by first occurrence.

    Attributes:
        predicates: (name, arity).
        constants: Names.
        operators: (name, agent), the agent None where the operator has no agent.
    """

    predicates: tuple[tuple[str, int], ...]
    constants: tuple[str, ...]
    operators: tuple[tuple[str, Argument | None], ...]

    @property
    def names(self) -> frozenset[str]:
        """What they are called, each name once."""
        return frozenset([*self.constants, *[name for name, _ in (*self.predicates, *self.operators)]])


def symbols(*formulas: Formula) -> Symbols:
    """The predicates with arity, the constants and the operators of some formulas, in reading order."""
    found: dict[str, dict[Any, None]] = {"predicates": {}, "constants": {}, "operators": {}}
    for formula in formulas:
        _find_symbols(formula, frozenset(), found, set())
    return Symbols(**{kind: tuple(each) for kind, each in found.items()})


def _find_symbols(part: Argument, bound: frozenset[str], found: dict[str, dict[Any, None]], met: set[int]) -> None:
    """Add the symbols of a part of a formula to ``found``; ``bound``: predicates that lambdas outside it bind; ``met``:
    the identities of parts that were looked at with the same ones bound."""
    if id(part) in met:
        return
    met.add(id(part))
    own = _SYMBOL[type(part)]
    if own:
        kind, symbol = own(part)
        if kind != "predicates" or symbol[0] not in bound:
            found[kind][symbol] = None
    elif isinstance(part, Lambda):
        bound, met = bound | {part.variable}, set()
    for each in parts(part):
        _find_symbols(each, bound, found, met)


def modal_depth(node: Argument) -> int:
    """The deepest nesting of modal operators."""
    return max(map(modal_depth, parts(node)), default=0) + _DEPTH[type(node)]


def max_count(node: Argument) -> int:
    """The largest n of a counting quantifier; 1 for `the`, 0 without any."""
    own = _COUNT[type(node)]
    return max(own(node) if own else 0, *map(max_count, parts(node)), 0)


_SYMBOL = Rules[Callable[[Any], tuple[str, Any]] | Literal[False]](
    "symbols",
    {
        Const: lambda node: ("constants", node.name),
        Atom: lambda node: ("predicates", (node.predicate, len(node.args))),
        Modal: lambda node: ("operators", (node.operator, node.agent)),
    },
    lambda signature: None if signature.worlds in (None, "seen") else False,
)
"""The symbol that a node adds to those of its parts; False for none."""
_DEPTH = Rules[int]("modal_depth", {}, lambda s: None if s.worlds is None else int(s.worlds == "seen"))
_COUNT = Rules[Callable[[Any], int] | Literal[False]](
    "max_count",
    {
        Quantified: lambda node: node.count if isinstance(node.count, int) else int(node.quantifier == "the"),
        Lambda: False,
        Description: False,
    },
    lambda signature: None if signature.binds is not False else False,
)


Node: TypeAlias = tuple[tuple[str, ...], bool]
"""The free variables; whether the formula is always true or false."""


class Nodes:
    """The properties of formulas, by identity: keep the formulas alive meanwhile.

    Raises ValueError for a node without a truth value.
    """

    def __init__(self) -> None:
        self.known: dict[int, Node] = {}
        self._symbols: dict[tuple[int, ...], Symbols] = {}

    def of(self, formula: Formula) -> Node:
        """The node of a formula."""
        return self.known.get(id(formula)) or self._compute(formula)

    def symbols(self, formulas: Iterable[Formula]) -> Symbols:
        """The symbols of some formulas."""
        key = tuple(map(id, formulas := (*formulas,)))
        if key not in self._symbols:
            self._symbols[key] = symbols(*formulas)
        return self._symbols[key]

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
