"""Formulas as JSON: nested lists whose first element names the node, the form in which certificates hold them.

`["atom", "cat", ["var", "x"]]`, `["quantified", "atleast", 2, "x", "individual", R, S]`,
`["modal", "K", ["const", "jo"], F]` (null for an operator without an agent). Law: `from_json(to_json(f)) == f`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, cast

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula, as_formula
from gramprobe.formula.theory import EventModel, Operator, Projection, TheorySlice

Json: TypeAlias = list[Any]


def to_json(node: Argument) -> Json:
    """The nested list of a formula or term."""
    return _JSON[type(node)](node)


def _plain(signature: ast.Signature) -> Callable[[Any], Json] | None:
    """The rule of a class whose fields are its parts: its tag, and its parts behind it."""
    return (lambda node: [signature.tag, *map(to_json, ast.parts(node))]) if signature.plain else None


_JSON = ast.Rules[Callable[[Any], Json]](
    "to_json",
    {
        ast.Var: lambda node: ["var", node.name],
        ast.Const: lambda node: ["const", node.name],
        ast.Truth: lambda node: ["true"] if node.value else ["false"],
        ast.Atom: lambda node: ["atom", node.predicate, *map(to_json, node.args)],
        ast.Quantified: lambda node: [
            "quantified", node.quantifier, node.count, node.variable, node.sort, to_json(node.restrictor),
            to_json(node.scope),
        ],
        ast.Modal: lambda node: [
            "modal", node.operator, None if node.agent is None else to_json(node.agent), to_json(node.body)
        ],
        ast.EventUpdate: lambda node: ["event", node.event, to_json(node.body), *map(to_json, node.args)],
        ast.Lambda: lambda node: ["lambda", node.variable, to_json(node.body)],
        ast.Description: lambda node: ["description", node.variable, to_json(node.body)],
    },
    _plain,
)  # fmt: skip


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
        case [str(name), *arguments] if name in ast.TAGGED:
            try:
                return cast(Formula, ast.TAGGED[name](*map(from_json, arguments)))
            except TypeError:
                raise ValueError(f"`{name}` has the wrong number of parts: {data!r}") from None
        case _:
            raise ValueError(f"no formula: {data!r}")


def formula_from(data: Json) -> Formula:
    """`from_json` for a formula. Raises ValueError as `from_json`, and TypeError for a term."""
    return as_formula(from_json(data))


def nodes(data: Json) -> Iterator[Json]:
    """A formula, its parts and its terms, in reading order."""
    left = [data]
    while left:
        node = left.pop()
        yield node
        left += [part for part in node[:0:-1] if type(part) is list]


def atoms(data: Json) -> Iterator[Json]:
    """The atoms of a formula, in reading order."""
    return (node for node in nodes(data) if node[0] == "atom")


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


def event_to_json(event: EventModel) -> dict[str, Any]:
    """An event as `certify.product` reads it."""
    return {
        "parameters": [*event.parameters],
        "actual": event.actual,
        "actions": [
            [action.name, to_json(action.pre), [[to_json(atom), to_json(new)] for atom, new in action.post]]
            for action in event.actions
        ],
        "arrows": [[each.operator, each.agent, [*map(list, sorted(each.pairs))]] for each in event.arrows],
    }


def theory_to_json(theory: TheorySlice) -> dict[str, Any]:
    """The theory slice as a certificate holds it: operators, postulates, projection, distinct."""
    return {
        "operators": [operator_to_json(operator) for operator in theory.operators],
        "postulates": [to_json(postulate) for postulate in theory.postulates],
        "projection": theory.projection.data,
        "distinct": theory.distinct,
    }


def theory_from_json(data: Mapping[str, Any]) -> TheorySlice:
    """The theory slice of `theory_to_json`."""
    return TheorySlice(
        operators=tuple(map(operator_from_json, data["operators"])),
        postulates=tuple(map(formula_from, data["postulates"])),
        projection=Projection.of(data["projection"]),
        distinct=data["distinct"],
    )
