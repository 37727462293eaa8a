"""Descriptions moved out of term position: `V(the x. (N(x)))` is `the x. (N(x), V(x))`, with scope over the smallest
enclosing atom.
"""

from __future__ import annotations

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Description, Formula, Var, as_formula
from gramprobe.formula.binding import free_variables, fresh, names, substituted


def expand(formula: Formula) -> Formula:
    """The formula without descriptions as terms, each with scope over its atom or equation; for composed meanings."""

    def visit(node: Argument) -> Argument:
        node = ast.map_parts(visit, node)
        return expanded(node) if isinstance(node, (ast.Atom, ast.Equal)) else node

    return as_formula(visit(formula))


def expanded(atom: ast.Atom | ast.Equal) -> Formula:
    """The atom below the descriptions that are its arguments, the first with the widest scope, with distinct variables.

    `sees(the x. (A(x)), the x. (B(x)))` is `the x. (A(x), the x1. (B(x1), sees(x, x1)))`.
    """
    held = atom.args if isinstance(atom, ast.Atom) else (atom.left, atom.right)
    if not any(isinstance(arg, Description) for arg in held):
        return atom
    taken = set().union(*(names(arg) for arg in held if not isinstance(arg, Description)))
    for arg in held:
        if isinstance(arg, Description):
            taken |= set(free_variables(arg))
    plain: list[Argument] = []
    around: list[tuple[str, Formula]] = []
    for arg in held:
        if isinstance(arg, Description):
            variable = fresh(arg.variable, taken | (names(arg.body) - {arg.variable}))
            taken.add(variable)
            around.append((variable, substituted(arg.body, {arg.variable: Var(variable)})))
            plain.append(Var(variable))
        else:
            plain.append(arg)
    read: Formula = ast.Atom(atom.predicate, tuple(plain)) if isinstance(atom, ast.Atom) else ast.Equal(*plain)
    for variable, body in reversed(around):
        read = ast.Quantified(quantifier="the", variable=variable, restrictor=body, scope=read)
    return read
