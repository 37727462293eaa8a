"""Measures of formulas: the symbols that occur, the modal depth and the largest count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

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


def symbols(*formulas: Formula) -> Symbols:
    """The predicates with arity, the constants and the operators of some formulas, in reading order."""
    found: dict[str, dict[Any, None]] = {"predicates": {}, "constants": {}, "operators": {}}

    def visit(part: Argument, bound: frozenset[str]) -> None:
        own = _SYMBOL[type(part)]
        if own:
            kind, symbol = own(part)
            if kind != "predicates" or symbol[0] not in bound:
                found[kind][symbol] = None
        elif isinstance(part, Lambda):
            bound = bound | {part.variable}
        for each in parts(part):
            visit(each, bound)

    for formula in formulas:
        visit(formula, frozenset())
    return Symbols(**{kind: tuple(each) for kind, each in found.items()})


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
