"""Measures of formulas: the symbols that occur, the modal depth and the largest count."""

from __future__ import annotations

from dataclasses import dataclass

from gramprobe.formula.ast import Argument, Atom, Const, Formula, Lambda, Modal, Quantified, parts


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
    predicates: dict[tuple[str, int], None] = {}
    constants: dict[str, None] = {}
    operators: dict[tuple[str, Argument | None], None] = {}

    def visit(part: Argument, bound: frozenset[str]) -> None:
        if isinstance(part, Const):
            constants[part.name] = None
        elif isinstance(part, Atom) and part.predicate not in bound:
            predicates[part.predicate, len(part.args)] = None
        elif isinstance(part, Modal):
            operators[part.operator, part.agent] = None
        elif isinstance(part, Lambda):
            bound = bound | {part.variable}
        for each in parts(part):
            visit(each, bound)

    for formula in formulas:
        visit(formula, frozenset())
    return Symbols(tuple(predicates), tuple(constants), tuple(operators))


def modal_depth(node: Argument) -> int:
    """The deepest nesting of modal operators."""
    below = max(map(modal_depth, parts(node)), default=0)
    return below + 1 if isinstance(node, Modal) else below


def max_count(node: Argument) -> int:
    """The largest n of a counting quantifier; 1 for `the`, 0 without any."""
    below = max(map(max_count, parts(node)), default=0)
    if isinstance(node, Quantified):
        if isinstance(node.count, int):
            return max(below, node.count)
        if node.quantifier == "the":
            return max(below, 1)
    return below
