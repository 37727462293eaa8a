"""Formulas as JSON: nested lists whose first element names the node, the form in which certificates hold them.

`["atom", "cat", ["var", "x"]]`, `["quantified", "atleast", 2, "x", "individual", R, S]`,
`["modal", "K", ["const", "jo"], F]` (null for an operator without an agent). Law: `from_json(to_json(f)) == f`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula, as_formula
from gramprobe.formula.theory import Operator, TheorySlice

Json: TypeAlias = list[Any]

_NAMES: dict[type, str] = {
    ast.Equal: "equal", ast.Not: "not", ast.And: "and", ast.Or: "or", ast.Implies: "implies", ast.Iff: "iff",
    ast.Presupposing: "presupposing", ast.Interrogative: "question", ast.Here: "here",
    ast.Exhaustified: "exhaustified", ast.Announced: "announced",
}  # fmt: skip
_NODES: dict[str, Any] = {name: node for node, name in _NAMES.items()}


def to_json(node: Argument) -> Json:
    """The nested list of a formula or term."""
    match node:
        case ast.Var(name):
            return ["var", name]
        case ast.Const(name):
            return ["const", name]
        case ast.Truth(value):
            return ["true"] if value else ["false"]
        case ast.Atom(predicate, args):
            return ["atom", predicate, *map(to_json, args)]
        case ast.Quantified(
            quantifier=quantifier, count=count, variable=variable, restrictor=restrictor, scope=scope, sort=sort
        ):
            return ["quantified", quantifier, count, variable, sort, to_json(restrictor), to_json(scope)]
        case ast.Modal(operator, agent, body):
            return ["modal", operator, None if agent is None else to_json(agent), to_json(body)]
        case ast.EventUpdate(event, body, args):
            return ["event", event, to_json(body), *map(to_json, args)]
        case ast.Lambda(variable, argument):
            return ["lambda", variable, to_json(argument)]
        case ast.Description(variable, body):
            return ["description", variable, to_json(body)]
        case _:
            return [_NAMES[type(node)], *map(to_json, ast.parts(node))]


def from_json(data: Json) -> Argument:
    """The formula or term of a nested list. Raises ValueError for any other data."""
    match data:
        case ["var", str(name)]:
            return ast.Var(name)
        case ["const", str(name)]:
            return ast.Const(name)
        case ["true"]:
            return ast.TRUE
        case ["false"]:
            return ast.FALSE
        case ["atom", str(predicate), *args]:
            return ast.Atom(predicate, tuple(map(from_json, args)))
        case [
            "quantified",
            str(quantifier),
            count,
            str(variable),
            "individual" | "occasion" as sort,
            restrictor,
            scope,
        ]:
            return ast.Quantified(
                quantifier=cast(ast.Quantifier, quantifier),
                count=count,
                variable=variable,
                restrictor=formula_from(restrictor),
                scope=formula_from(scope),
                sort=sort,
            )
        case ["modal", str(operator), agent, body]:
            return ast.Modal(operator, None if agent is None else from_json(agent), formula_from(body))
        case ["event", str(event), body, *args]:
            return ast.EventUpdate(event, formula_from(body), tuple(map(from_json, args)))
        case ["lambda", str(variable), argument]:
            return ast.Lambda(variable, from_json(argument))
        case ["description", str(variable), body]:
            return ast.Description(variable, formula_from(body))
        case [str(name), *arguments] if name in _NODES:
            try:
                return cast(Formula, _NODES[name](*map(from_json, arguments)))
            except TypeError:
                raise ValueError(f"`{name}` has the wrong number of parts: {data!r}") from None
        case _:
            raise ValueError(f"no formula: {data!r}")


def formula_from(data: Json) -> Formula:
    """`from_json` for a formula. Raises ValueError as `from_json`, and TypeError for a term."""
    return as_formula(from_json(data))


def operator_to_json(operator: Operator) -> Json:
    """`[name, kind, [frame conditions, sorted], [within], [introspected_by]]`."""
    return [
        operator.name,
        operator.kind,
        sorted(operator.frame),
        [*operator.within],
        [*operator.introspected_by],
    ]


def operator_from_json(data: Json) -> Operator:
    """The operator of `operator_to_json`."""
    name, kind, frame, within, introspected_by = data
    return Operator(
        name=name, kind=kind, frame=frozenset(frame), within=tuple(within), introspected_by=tuple(introspected_by)
    )


def theory_to_json(theory: TheorySlice) -> dict[str, Any]:
    """The theory slice as a certificate holds it: operators, postulates, projection, distinct."""
    return {
        "operators": [operator_to_json(operator) for operator in theory.operators],
        "postulates": [to_json(postulate) for postulate in theory.postulates],
        "projection": theory.projection,
        "distinct": theory.distinct,
    }


def theory_from_json(data: Mapping[str, Any]) -> TheorySlice:
    """The theory slice of `theory_to_json`."""
    return TheorySlice(
        operators=tuple(map(operator_from_json, data["operators"])),
        postulates=tuple(map(formula_from, data["postulates"])),
        projection=data["projection"],
        distinct=data["distinct"],
    )
