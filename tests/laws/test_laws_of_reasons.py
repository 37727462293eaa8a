"""Laws of told reasons: every fact that a reason names is one, and there is a reason for every value."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from strategies import OPERATORS, PARTIAL, Fragment, examples, formulas, projections

from gramprobe.certify.evaluator import value
from gramprobe.decide.search.tables import Tables
from gramprobe.explain.reason import Reasons
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Projection, TheorySlice

EVERYTHING = Fragment(
    modal=True, agents=True, quantifiers=PARTIAL.quantifiers, binary=True, constants=True, equality=True,
    partial=True, here=True,
)  # fmt: skip
FACT = re.compile(r"`([^`]*)` (holds|does not hold)(?: at w(\d+))?")
EVERYWHERE = re.compile(r"`([^`]*)` is (true|false) in all worlds that w(\d+) sees by (\w+)(?:\[(\w+)\])?")
SEES = re.compile(r"w(\d+) sees (?:only )?(itself|w(\d+)) by (\w+)(?:\[(\w+)\])?")


@pytest.mark.slow
@settings(max_examples=examples(300), deadline=None)
@given(formulas(EVERYTHING, 4), projections)
def test_what_a_reason_names_is_so(formula: Formula, projection: Projection) -> None:
    theory = TheorySlice(operators=OPERATORS, postulates=(), projection=projection)
    kinds = {operator.name: str(operator.kind) for operator in OPERATORS}
    tables = Tables.sampled(theory, [formula], 2, 3, models=4, seed=1)
    for number in range(tables.size):
        model = tables.model(number)
        reasons = Reasons(model, theory)
        told = reasons.because(formula)
        assert told
        everybody = {name: at for at, name in enumerate(reasons.names)} | model.constants
        spoken = replace(model, constants=everybody)
        for text, holds, world in FACT.findall(told):
            fact = to_json(parse(text, operators=[*kinds]))
            found = value(fact, spoken, projection.data, kinds, int(world or 0))
            assert found == ("T" if holds == "holds" else "F"), told
        for start, _, end, operator, agent in SEES.findall(told):
            key = f"{operator}[{everybody[agent]}]" if agent else operator
            assert (int(start), int(end or start)) in model.relations[key], told
        for text, said, start, operator, agent in EVERYWHERE.findall(told):
            body, key = (
                to_json(parse(text, operators=[*kinds])),
                f"{operator}[{everybody[agent]}]" if agent else operator,
            )
            seen = {v for w, v in model.relations[key] if w == int(start)}
            assert {value(body, spoken, projection.data, kinds, v) for v in seen} == {"T" if said == "true" else "F"}, (
                told
            )
