"""The naive evaluator: the three values of a formula at a world of a model, straight from the tables.

Formulas are nested lists (`["atom", "cat", ["var", "x"]]`). Quantifiers count individuals one by one; modals evaluate
every accessible world. A theory names one of the PROJECTIONS, or has tables of its own in this form: the nine values of
a connective, left side true, false, undefined by right side; and whether `every` or `some` case (world, individual) has
to have a value before the whole has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from gramprobe.certify.model import Model, ModelError
from gramprobe.certify.reject import Budget

_NEGATED = {"T": "F", "F": "T", "U": "U"}
LENGTHS = {
    "true": 1, "false": 1, "not": 2, "here": 2, "and": 3, "or": 3, "implies": 3, "iff": 3, "presupposing": 3,
    "equal": 3, "modal": 4, "quantified": 7,
}  # fmt: skip
"""How long the list of a formula is, by its head; that of an atom is as long as it has terms."""

_TABLES = ("and", "or", "implies", "modals", "quantifiers")
PROJECTIONS: dict[str, dict[str, str]] = {
    name: dict(zip(_TABLES, tables.split(), strict=True))
    for name, tables in {
        "middle": "TFUFFFUUU TTTTFUUUU TFUTTTUUU every every",
        "strong": "TFUFFFUFU TTTTFUTUU TFUTTTTUU some some",
        "weak": "TFUFFUUUU TTUTFUUUU TFUTTUUUU every every",
    }.items()
}
"""Middle (Peters 1979), strong (Kleene 1952) and weak Kleene (Bochvar 1938)."""
_CORNERS = {"and": "TFFF", "or": "TTTF", "implies": "TFTT"}


class Projection:
    """The tables of a theory. `cells["and"]["T", "U"]`: the value of a conjunction of a true and an undefined side.

    Raises ModelError if these are no tables, or if a connective is not the classical one where both sides have a value.
    """

    def __init__(self, tables: Mapping[str, str]) -> None:
        self.cells: dict[str, dict[tuple[str, str], str]] = {}
        for connective, corners in _CORNERS.items():
            values = tables[connective]
            if not isinstance(values, str) or len(values) != 9 or not set(values) <= set("TFU"):
                raise ModelError(f"no table of `{connective}`: {values!r}")
            if values[0] + values[1] + values[3] + values[4] != corners:
                raise ModelError(f"`{connective}` is not classical where both sides have a value: {values}")
            self.cells[connective] = dict(zip(((one, other) for one in "TFU" for other in "TFU"), values, strict=True))
        if not {tables["modals"], tables["quantifiers"]} <= {"every", "some"}:
            raise ModelError(f"neither `every` nor `some` case: {tables!r}")
        self.modals, self.quantifiers = tables["modals"], tables["quantifiers"]


@lru_cache(64)
def _made(tables: tuple[tuple[str, str], ...]) -> Projection:
    return Projection(dict(tables))


def projection_of(data: Any) -> Projection:
    """The projection of a theory slice: the name of one of the PROJECTIONS, or tables. Raises ModelError otherwise."""
    tables = PROJECTIONS.get(data) if isinstance(data, str) else data
    if not isinstance(tables, dict) or tuple(tables) != _TABLES or not all(isinstance(v, str) for v in tables.values()):
        raise ModelError(f"no projection {data!r}")
    return _made(tuple(tables.items()))


def value(
    formula: Any,
    model: Model,
    projection: Any,
    kinds: Mapping[str, str],
    world: int | None = None,
    budget: Budget | None = None,
) -> str:
    """The value of a formula, `"T"`, `"F"` or `"U"`, at a world (by default the actual one).

    `projection`: as in a theory slice, a name or tables. `kinds`: for each operator `box`, `diamond`, `neighbourhood`
    or `dual`. Raises ModelError for a formula or model that does not determine a value, CertificateError when the
    budget is spent.
    """
    evaluator = Evaluator(model, projection_of(projection), kinds, budget or Budget())
    return evaluator.value(formula, model.actual if world is None else world, {})


class Evaluator:
    """Evaluates formulas in one model."""

    def __init__(self, model: Model, projection: Projection, kinds: Mapping[str, str], budget: Budget) -> None:
        self.model, self.projection, self.kinds, self.budget = model, projection, kinds, budget
        self._successors: dict[str, dict[int, list[int]]] = {}

    def value(self, formula: Any, world: int, bound: dict[str, int]) -> str:
        self.budget.spend()
        head = formula[0] if isinstance(formula, list) and formula else None
        if not isinstance(head, str) or LENGTHS.get(head, len(formula)) != len(formula):
            raise ModelError(f"no formula with a truth value: {formula!r}")
        match head:  # by the head alone: a pattern for each list costs as much as a value
            case "atom" if len(formula) > 1 and isinstance(formula[1], str):
                extension = self.model.predicates.get(formula[1])
                if extension is None:
                    raise ModelError(f"the model is silent on {formula[1]}")
                member = tuple([self.denotation(arg, bound) for arg in formula[2:]])
                return "T" if member in extension[world] else "F"
            case "and" | "or" | "implies" | "iff":
                _, left, right = formula
                return self.connected(head, self.value(left, world, bound), self.value(right, world, bound))
            case "not":
                return _NEGATED[self.value(formula[1], world, bound)]
            case "true":
                return "T"
            case "false":
                return "F"
            case "quantified" if isinstance(formula[3], str):
                _, quantifier, count, variable, sort, restrictor, scope = formula
                pairs = []
                for who in self.model.domain(sort):
                    inner = {**bound, variable: who}
                    fits = self.value(restrictor, world, inner)
                    # whoever is outside the restrictor counts for no quantifier, whatever the scope says there
                    pairs.append((fits, "F" if fits == "F" else self.value(scope, world, inner)))
                return self.quantified(quantifier, count, pairs)
            case "modal" if isinstance(formula[1], str):
                _, operator, agent, body = formula
                return self.modal(operator, agent, body, world, bound)
            case "equal":
                return "T" if self.denotation(formula[1], bound) == self.denotation(formula[2], bound) else "F"
            case "presupposing":
                if self.value(formula[1], world, bound) != "T":
                    return "U"
                return self.value(formula[2], world, bound)
            case "here":
                return self.value(formula[1], self.model.actual, bound)
            case _:
                raise ModelError(f"no formula with a truth value: {formula!r}")

    def denotation(self, term: Any, bound: dict[str, int]) -> int:
        kind, name = term if isinstance(term, list) and len(term) == 2 and isinstance(term[1], str) else ("", "")
        who = bound.get(name) if kind == "var" else self.model.constants.get(name) if kind == "const" else None
        if who is None:
            raise ModelError(f"the model is silent on the term {term!r}")
        return who

    def connected(self, connective: str, left: str, right: str) -> str:
        if connective == "iff":
            return "U" if "U" in (left, right) else "T" if left == right else "F"
        return self.projection.cells[connective][left, right]

    def modal(self, operator: str, agent: Any, body: Any, world: int, bound: dict[str, int]) -> str:
        key = operator if agent is None else f"{operator}[{self.denotation(agent, bound)}]"
        if self.kinds.get(operator) in ("neighbourhood", "dual"):
            return self.neighbourhood(key, self.kinds[operator] == "dual", body, world, bound)
        if key not in self.model.relations or operator not in self.kinds:
            raise ModelError(f"the model is silent on {key}")
        seen = [self.value(body, other, bound) for other in self.successors(key).get(world, ())]
        settling, other_value = ("F", "T") if self.kinds[operator] == "box" else ("T", "F")
        if self.projection.modals == "some" and settling in seen:
            return settling
        if "U" in seen:
            return "U"
        return settling if settling in seen else other_value

    def successors(self, key: str) -> dict[int, list[int]]:
        known = self._successors.get(key)
        if known is None:
            known = self._successors[key] = {}
            for one, other in sorted(self.model.relations[key]):
                known.setdefault(one, []).append(other)
            self.budget.spend(len(self.model.relations[key]))
        return known

    def neighbourhood(self, key: str, dual: bool, body: Any, world: int, bound: dict[str, int]) -> str:
        if key not in self.model.neighbourhoods:
            raise ModelError(f"the model is silent on {key}")
        values = [self.value(body, other, bound) for other in range(self.model.worlds)]
        truths = frozenset(v for v, each in enumerate(values) if each == ("F" if dual else "T"))
        return "T" if (truths in self.model.neighbourhoods[key][world]) != dual else "F"

    def quantified(self, quantifier: str, count: Any, pairs: list[tuple[str, str]]) -> str:
        """`pairs`: the value of restrictor and scope for each member of the domain."""
        if quantifier == "the":
            fitting = [scope for restrictor, scope in pairs if restrictor == "T"]
            return fitting[0] if len(fitting) == 1 and all(r != "U" for r, _ in pairs) else "U"
        open_ = [(r, s) for r, s in pairs if r == "U" or (r == "T" and s == "U")]
        if self.projection.quantifiers == "every" and open_:
            return "U"
        # numbers of cases (R and S) and counter-cases (R and not S): the sure ones, and the possible ones
        cases, counters = pairs.count(("T", "T")), pairs.count(("T", "F"))
        may_be_cases = cases + sum(s != "F" for _, s in open_)
        may_be_counters = counters + sum(s != "T" for _, s in open_)
        match quantifier, count:
            case "forall", None:
                true, false = may_be_counters == 0, counters > 0
            case "exists", None:
                true, false = cases > 0, may_be_cases == 0
            case "atleast", int():
                true, false = cases >= count, may_be_cases < count
            case "atmost", int():
                true, false = may_be_cases <= count, cases > count
            case "exactly", int():
                true, false = cases == may_be_cases == count, not cases <= count <= may_be_cases
            case "most", None:
                true, false = cases > may_be_counters, may_be_cases <= counters
            case _:
                raise ModelError(f"no quantifier {quantifier!r} with count {count!r}")
        return "T" if true else "F" if false else "U"
