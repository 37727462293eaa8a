"""Symbols of a formula put in the place of others."""

from __future__ import annotations

from collections.abc import Mapping

from gramprobe.formula.ast import Argument, Atom, Const, Formula, Modal, as_formula, map_parts


def rename(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula with predicates, constants and operators renamed; bound variables stay."""

    def walk(node: Argument) -> Argument:
        match node:
            case Const(name):
                return Const(names.get(name, name))
            case Atom(predicate, args):
                return Atom(names.get(predicate, predicate), tuple(map(walk, args)))
            case Modal(operator, agent, body):
                inner = as_formula(walk(body))
                return Modal(names.get(operator, operator), None if agent is None else walk(agent), inner)
            case _:
                return map_parts(walk, node)

    return as_formula(walk(formula))
