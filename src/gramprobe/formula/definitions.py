"""Operators defined by a formula, written out: `define nec F = ~poss ~F` makes `nec p` be `~poss ~p`."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs
from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula, as_formula, map_parts
from gramprobe.formula.binding import free_variables, fresh, names, substituted
from gramprobe.formula.theory import Definition


def expand(formula: Formula, definitions: Mapping[str, Definition]) -> Formula:
    """The formula without defined operators. No binder of a definition captures a variable of the formula.

    Raises ValueError if an operator has an agent and its definition has not, or the other way round.
    """

    known: dict[int, Argument] = {}

    def expanded(node: Argument) -> Argument:
        if isinstance(node, ast.Var | ast.Const):
            return node
        if id(node) not in known:
            inner = known[id(node)] = map_parts(expanded, node)
            if isinstance(inner, ast.Modal) and inner.operator in definitions:
                known[id(node)] = applied(definitions[inner.operator], inner)
        return known[id(node)]

    return as_formula(expanded(formula)) if definitions else formula


def applied(definition: Definition, use: ast.Modal) -> Formula:
    """The formula that one use of a defined operator stands for. Raises ValueError as `expand`."""
    if (use.agent is None) != (definition.agent is None):
        wanted = "an agent" if definition.agent is not None else "no agent"
        raise ValueError(f"`{use.operator}` takes {wanted}: its definition says so")
    caught: frozenset[str] = frozenset()
    if ast.Quantified in ast.kinds(definition.formula):
        caught = frozenset(name for part in ast.parts(use) for name in free_variables(part))
    return as_formula(_plugged(definition.formula, definition, use, caught))


def _plugged(node: Argument, definition: Definition, use: ast.Modal, caught: frozenset[str]) -> Argument:
    """A part of a definition with the body and the agent of a use in their places; ``caught``: the variables that are
    free in these."""
    if node == ast.Atom(definition.body):
        return use.body
    if isinstance(node, ast.Quantified) and (node.variable in caught or node.variable == definition.agent):
        other = fresh(node.variable, caught | names(node))
        renaming: dict[str, Argument] = {node.variable: ast.Var(other)}
        node = structs.replace(
            node,
            variable=other,
            restrictor=substituted(node.restrictor, renaming),
            scope=substituted(node.scope, renaming),
        )
    if definition.agent is not None and node == ast.Var(definition.agent):
        assert use.agent is not None
        return use.agent
    if not isinstance(node, ast.Quantified) and ast.signature(node, "definitions").binds is not False:
        raise ast.NoRule("definitions", type(node))
    return map_parts(lambda part: _plugged(part, definition, use, caught), node)


def circle(definitions: Mapping[str, Definition]) -> tuple[str, ...]:
    """The names of definitions that lead back to the first of them, which is repeated at the end; else `()`."""
    settled: set[str] = set()

    def reach(name: str, above: tuple[str, ...]) -> tuple[str, ...]:
        if name in above:
            return (*above[above.index(name) :], name)
        if name in settled:
            return ()
        for other in used(definitions[name].formula, definitions):
            if names := reach(other, (*above, name)):
                return names
        settled.add(name)
        return ()

    for name in definitions:
        if names := reach(name, ()):
            return names
    return ()


def used(formula: Formula, definitions: Mapping[str, Definition]) -> tuple[str, ...]:
    """The defined operators that a formula mentions, by first occurrence."""
    operators = (part.operator for part in ast.walk(formula) if isinstance(part, ast.Modal))
    return tuple(dict.fromkeys(name for name in operators if name in definitions))


def flattened(name: str, definitions: Mapping[str, Definition]) -> Definition:
    """A definition in terms of operators that are not defined. There must be no circle. Raises as `expand`."""
    definition = definitions[name]
    inner = {other: flattened(other, definitions) for other in used(definition.formula, definitions)}
    return replace(definition, formula=expand(definition.formula, inner))
