"""What is conveyed beside a composed formula, and what is so at the actual world: taken out of a whole sentence."""

from __future__ import annotations

from typing import cast

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Atom, Formula, map_children, map_parts

CONVEYS = " conveys "
"""The predicate of an atom that holds a formula and what is conveyed beside it, until the sentence is whole."""


def parted(formula: Formula) -> tuple[Formula, Formula | None]:
    """A composed formula without what is conveyed, and what counts of that: it was declared by the constructor whose
    own formula the sentence asserts or denies. What stands below another operator says nothing about the whole."""
    main: Argument = formula
    conveyed: Formula | None = None
    while True:
        match main:
            case Atom(predicate, (said, beside)) if predicate == CONVEYS:
                more = _said(beside)
                main, conveyed = said, more if conveyed is None else ast.And(conveyed, more)
            case ast.Not(body):
                main = body
            case ast.Presupposing(_, assertion):
                main = assertion
            case _:
                return _said(formula), conveyed


def _said(node: Argument) -> Formula:
    """The formula without what is conveyed."""
    return ast.as_formula(_bare(node))


def _bare(part: Argument) -> Argument:
    conveying = isinstance(part, Atom) and part.predicate == CONVEYS
    return _bare(cast(Atom, part).args[0]) if conveying else map_parts(_bare, part)


def at_actual(formula: Formula) -> Formula:
    """The formula without `@ here` where that has no effect: at the actual world, below no operator or update."""
    match formula:
        case ast.Here(body):
            return at_actual(body)
        case _:
            match ast.signature(formula, "at_actual").worlds:
                case "same":
                    return map_children(at_actual, formula)
                case "seen" | "updated":
                    return formula
                case _:
                    raise ast.NoRule("at_actual", type(formula))
