"""Where an update may leave an agent believing everything.

An update removes worlds, so that a serial relation need not stay serial: an agent who believed that not p sees no
world after p is announced, and believes everything (van Ditmarsch, van der Hoek & Kooi 2007, ch. 6). For every serial
operator below an update this module gives a formula that is true where that happens: there, `B[a] false` holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from gramprobe.formula import ast
from gramprobe.formula.ast import FALSE, TRUE, Argument, Formula, Modal, Not, as_formula
from gramprobe.formula.updates import Irreducible, Language, has_updates

_Around: TypeAlias = tuple[bool, Callable[[Formula], Formula]]
"""Whether the node is an update, and a function that writes around a formula that it holds somewhere below the node."""


@dataclass(frozen=True, slots=True)
class Danger:
    """After `update`, the `operator` of `agent` may see no world at all: exactly where `formula` is true."""

    update: Formula
    operator: str
    agent: Argument | None
    formula: Formula


def dangers(formula: Formula, language: Language) -> Iterator[Danger]:
    """A danger for every update above every serial operator, the first update first.

    `formula` holds no `exh` and no defined operators; the formulas yielded still hold updates. The formulas to the
    left of an update count (`p -> [! p] G` announces only where p holds), as in the local contexts of Karttunen
    1974. Updates do not change operators of functional frame; reflexive operators always see the world where they
    are evaluated. Raises Irreducible for an update below a neighbourhood operator.
    """
    if isinstance(formula, ast.Interrogative):
        formula = formula.body
    yield from _below(formula, (), (), language)


def _below(
    node: Formula, around: tuple[_Around, ...], updates: tuple[Formula, ...], language: Language
) -> Iterator[Danger]:
    def go(part: Formula, write: Callable[[Formula], Formula], update: Formula | None = None) -> Iterator[Danger]:
        inner = updates if update is None else (*updates, update)
        return _below(part, (*around, (update is not None, write)), inner, language)

    match node:
        case ast.And(left, right) | ast.Implies(left, right) | ast.Presupposing(left, right):
            yield from _below(left, around, updates, language)
            yield from go(right, lambda hole: ast.And(left, hole))
        case ast.Or(left, right):
            yield from _below(left, around, updates, language)
            yield from go(right, lambda hole: ast.And(Not(left), hole))
        case ast.Quantified(variable=variable, restrictor=restrictor, scope=scope, sort=sort):
            yield from go(
                restrictor,
                lambda hole: ast.Quantified(
                    quantifier="exists", variable=variable, restrictor=TRUE, scope=hole, sort=sort
                ),
            )
            yield from go(
                scope,
                lambda hole: ast.Quantified(
                    quantifier="exists", variable=variable, restrictor=restrictor, scope=hole, sort=sort
                ),
            )
        case ast.Here(body):
            yield from go(body, ast.Here)
        case ast.Announced(announced, body):
            yield from _below(announced, around, updates, language)
            yield from go(body, lambda hole: Not(ast.Announced(announced, Not(hole))), node)
        case ast.EventUpdate(event, body, args):
            yield from go(body, lambda hole: Not(ast.EventUpdate(event, Not(hole), args)), node)
        case Modal(operator, agent, body):
            declared = language.operator(operator)
            frame = declared.frame
            if declared.kind in ("neighbourhood", "dual"):
                if has_updates(body):
                    raise Irreducible(f"an update below `{operator}`: it has neighbourhoods, not worlds")
                return
            box = declared.kind == "box"
            if "functional" in frame:  # the body is about a time before those updates
                around, updates = tuple((False, write) for _, write in around), ()
            if updates and "serial" in frame and "reflexive" not in frame:
                blind: Formula = Modal(operator, agent, FALSE) if box else Not(Modal(operator, agent, TRUE))
                for number, update in enumerate(updates, 1):
                    yield Danger(update, operator, agent, _written(around, blind, number))
            if box:
                yield from go(body, lambda hole: Not(Modal(operator, agent, Not(hole))))
            else:
                yield from go(body, lambda hole: Modal(operator, agent, hole))
        case _:
            ast.only_extensional(node, "survival")
            for part in ast.children(node):
                yield from _below(part, around, updates, language)


def _written(around: tuple[_Around, ...], blind: Formula, updates: int) -> Formula:
    """The formula inside everything that is around it, except all updates after the first `updates`."""
    kept: list[Callable[[Formula], Formula]] = []
    for is_update, write in around:
        if is_update:
            updates -= 1
            if updates < 0:
                continue
        kept.append(write)
    for write in reversed(kept):
        blind = write(blind)
    return as_formula(blind)
