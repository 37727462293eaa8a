"""What readers take out of the scope of an operator, or below it, where a grammar has one order: formulas to hold
labels against.

*The teacher*, of whom somebody knows something, may be whoever it is (de re: Quine 1956). Of what may be this or that,
each may be (free choice: Kamp 1973). A clause behind *because* may say why what is denied would be so (Lakoff 1970).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import reduce
from itertools import count

from msgspec.structs import replace

from gramprobe.formula.ast import (
    TRUE,
    And,
    Argument,
    Atom,
    Const,
    Formula,
    Implies,
    Modal,
    Not,
    Or,
    Quantified,
    Var,
    as_formula,
    bottom_up,
    map_parts,
    walk,
)
from gramprobe.formula.binding import free_variables, substituted
from gramprobe.interpret.read import Reader
from gramprobe.interpret.rewrites import UNIVERSAL

UPWARD = frozenset({"exists", "forall", "the", "atleast", "most"})
"""Quantifiers of which more is true, the more is said of what they are about."""


def existing(formula: Formula) -> Iterator[Formula]:
    """Of each universal noun phrase that there is something that it is about."""
    for node in walk(formula):
        if isinstance(node, Quantified) and node.quantifier in UNIVERSAL and node.restrictor != TRUE:
            free = (node.variable, *sorted({*free_variables(node.restrictor)} - {node.variable}))
            yield reduce(_some, free, node.restrictor)


def _some(formula: Formula, variable: str) -> Formula:
    return Quantified(quantifier="exists", variable=variable, restrictor=TRUE, scope=formula)


def is_denied(formula: Formula, names: Collection[str], reader: Reader) -> bool:
    """Whether what stands beside a proposition of some name (`joined & F`) is denied, possible, wanted, or counted
    downward, in whole or in part."""

    def is_open(node: object) -> bool:
        if isinstance(node, Modal):
            word = reader.symbols.get(node.operator)
            kinds = [each.kind for each in reader.theory.lexical_operators if word is not None and each.applies(word)]
            believed = node.agent is not None and "neighbourhood" not in kinds
            return not believed and not reader.is_factive(node.operator)
        if isinstance(node, Or):
            return node.right != TRUE
        return isinstance(node, Not | Implies) or (isinstance(node, Quantified) and node.quantifier not in UPWARD)

    pairs = ((node.left, node.right) for node in walk(formula) if isinstance(node, And))
    return any(
        isinstance(one, Atom) and one.predicate in names and any(map(is_open, walk(other))) for one, other in pairs
    )


def by_choice(node: Argument, names: Collection[str]) -> Formula:
    """A formula in which of *a or b* below operators each is possible, by the first of these operators, unless that is
    denied: *may sing or dance* says that both are allowed, and so do *must*, and two clauses (*may sing or may dance*:
    Zimmermann 2000)."""
    possible, *_ = names
    if isinstance(node, Not | Var | Const):
        return node  # type: ignore[return-value]
    part = as_formula(map_parts(lambda each: by_choice(each, names), node))
    if isinstance(part, Modal) and part.operator in names:
        body = part.body.left if isinstance(part.body, And) else part.body
        if isinstance(body, Or):
            one, other = (replace(part, operator=possible, body=each) for each in (body.left, body.right))
            return And(part, And(one, other))
    elif isinstance(part, Or) and all(
        isinstance(each, Modal) and each.operator == possible for each in (part.left, part.right)
    ):
        return And(part.left, part.right)
    return part


def de_re(formula: Formula, quantifiers: Collection[str] = ("the",), of_modals: bool = False) -> Formula:
    """A formula with noun phrases of some quantifiers above what somebody knows or believes of them, where nothing in
    it binds them; ``of_modals``: and above operators that are nobody's."""
    numbers = count()

    def put(part: Formula) -> Formula:
        if not isinstance(part, Modal) or isinstance(part.body, Implies):
            return part
        return raised(part) if of_modals or part.agent is not None else part

    def raised(modal: Modal) -> Formula:
        outer = {*free_variables(modal.body)}
        for node in walk(modal.body):
            if isinstance(node, Quantified) and node.quantifier in quantifiers:
                inner = {*free_variables(node.restrictor)} - {node.variable}
                if inner <= outer:
                    fresh = f"raised{next(numbers)}"
                    of = {node.variable: Var(fresh)}
                    body = _with(modal.body, node, substituted(node.scope, of))
                    restrictor = substituted(node.restrictor, of)
                    scope = raised(replace(modal, body=body))
                    return replace(node, variable=fresh, restrictor=restrictor, scope=scope)
        return modal

    return bottom_up(put, formula)


def _with(node: Argument, old: Formula, new: Formula) -> Formula:
    """A formula with another part in the place of one."""
    if node is old:
        return new
    return map_parts(lambda part: _with(part, old, new), node) if not isinstance(node, Var | Const) else node  # type: ignore[return-value]
