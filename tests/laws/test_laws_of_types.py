"""Laws of type elimination: it never disagrees with the finder, and where it is complete it always answers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import Fragment, examples, formulas, projections

from gramprobe.certify.check import check_model
from gramprobe.certify.classical import problem
from gramprobe.certify.model import Model
from gramprobe.certify.reject import Budget
from gramprobe.certify.types import check
from gramprobe.decide.prove.types import closure, prove
from gramprobe.decide.search.bound import Bound
from gramprobe.decide.search.sat import Finder
from gramprobe.formula import ast, sorts
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import theory_to_json, to_json
from gramprobe.formula.theory import MIDDLE, Frame, Operator, Projection, TheorySlice

PROPOSITIONAL = Fragment(modal=True, agents=True, constants=True, here=True)
PARTIAL = Fragment(modal=True, agents=True, constants=True, partial=True)
QUANTIFIED = Fragment(modal=True, agents=True, constants=True, quantifiers=("forall", "exists"))
BITS = 12
"""With so many bits at most an answer is owed."""

S4: tuple[Frame, ...] = ("reflexive", "transitive")
S5: tuple[Frame, ...] = ("reflexive", "euclidean")
KD45: tuple[Frame, ...] = ("serial", "transitive", "euclidean")
CLASSES: dict[str, tuple[Frame, ...]] = {
    "K": (), "T": ("reflexive",), "KD": ("serial",), "K4": ("transitive",), "S4": S4, "S5": S5, "KD45": KD45,
    "KB": ("symmetric",), "functional": ("functional",),
}  # fmt: skip


def theory(box: tuple[Frame, ...], known: tuple[Frame, ...], *, within: bool = False, seen: bool = False) -> Any:
    """`K` and `dia` of one class; `box` of another, `within` K, `seen` by K."""
    relation = ("K",)
    return (
        Operator(
            name="box", kind="box", frame=frozenset(box), within=relation * within, introspected_by=relation * seen
        ),
        Operator(name="K", kind="box", frame=frozenset(known)),
        Operator(name="dia", kind="diamond", frame=frozenset(known)),
    )


LOGICS = {name: theory(frames, frames) for name, frames in CLASSES.items()} | {
    "KD45 in S4": theory(KD45, S4, within=True),
    "KD45 in S4, introspected": theory(KD45, S4, within=True, seen=True),
    "KD45 in S5": theory(KD45, S5, within=True),
    "KD45 in T": theory(KD45, CLASSES["T"], within=True),
    "KD45 in T, introspected": theory(KD45, CLASSES["T"], within=True, seen=True),
    "KD45 beside S4, introspected": theory(KD45, S4, seen=True),
    "S4 in S4": theory(S4, S4, within=True),
    "S4 in T": theory(S4, CLASSES["T"], within=True),
    "S5 in S4": theory(S5, S4, within=True),
    "KD in S5": theory(CLASSES["KD"], S5, within=True),
    "KD45 in KD45": theory(KD45, KD45, within=True),
}


def answers(slice_: TheorySlice, *posed: Formula, owed: bool) -> None:
    """What the engine says of formulas that shall all be true, against kernel and finder."""
    resolved = sorts.resolve([*posed, *slice_.postulates])
    slice_ = TheorySlice(
        operators=slice_.operators,
        postulates=resolved[len(posed) :],
        projection=slice_.projection,
        distinct=slice_.distinct,
    )
    data, wanted = theory_to_json(slice_), [(to_json(each), "T") for each in resolved[: len(posed)]]
    asked = problem(data, wanted)
    found = prove([asked])[0]
    if isinstance(found, Model):
        try:
            check_model(data, wanted, found)
        except ValueError as error:
            assume("silent" not in str(error))  # of a symbol that was folded away nothing is said
            raise
    elif found is not None:
        check(asked, json.loads(json.dumps(found)), Budget())
        with Finder(slice_, resolved[: len(posed)], Bound(worlds=4, individuals=2, occasions=0)) as finder:
            assert not isinstance(finder.find([(number, "T") for number in range(len(posed))]), Model)
    else:
        assert not owed or len(closure([asked])) > BITS


@pytest.mark.slow
@pytest.mark.parametrize("logic", LOGICS)
@settings(max_examples=examples(30), deadline=None)
@given(st.data())
def test_it_answers_and_agrees_with_the_finder(logic: str, data: st.DataObject) -> None:
    posed = [data.draw(formulas(PROPOSITIONAL, 4)), data.draw(formulas(PROPOSITIONAL, 3))]
    axioms = (data.draw(formulas(Fragment(modal=True, constants=True), 2)),) * data.draw(st.booleans())
    answers(TheorySlice(operators=LOGICS[logic], postulates=axioms), *posed, owed=True)


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(sorted(LOGICS)), formulas(PARTIAL, 3), projections)
def test_it_answers_of_gaps(logic: str, formula: Formula, projection: Projection) -> None:
    answers(TheorySlice(operators=LOGICS[logic], postulates=(), projection=projection), formula, owed=True)


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(sorted(LOGICS)), formulas(QUANTIFIED, 4), formulas(PROPOSITIONAL, 2, ("x",)), st.booleans())
def test_it_agrees_where_there_are_quantifiers(logic: str, formula: Formula, body: Formula, distinct: bool) -> None:
    axiom = ast.Quantified(quantifier="forall", variable="x", restrictor=ast.TRUE, scope=body)
    answers(
        TheorySlice(operators=LOGICS[logic], postulates=(axiom,), projection=MIDDLE, distinct=distinct),
        formula,
        owed=False,
    )


frames = st.frozensets(st.sampled_from(sorted({each for frame in CLASSES.values() for each in frame})), max_size=3)


@pytest.mark.slow
@settings(max_examples=examples(120), deadline=None)
@given(formulas(PROPOSITIONAL, 4), st.data())
def test_it_agrees_in_any_frames(formula: Formula, data: st.DataObject) -> None:
    """Conditions and relations at random, in circles too."""
    names = ("box", "K", "dia")
    related = st.lists(st.sampled_from(names), max_size=2, unique=True).map(tuple)
    operators = tuple(
        Operator(
            name=name,
            kind="diamond" if name == "dia" else "box",
            frame=data.draw(frames),
            within=data.draw(related),
            introspected_by=data.draw(related),
        )
        for name in names
    )
    answers(TheorySlice(operators=operators), formula, owed=False)
