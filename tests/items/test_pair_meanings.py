"""Whether the sentences of a minimal pair mean the same, and which decisions say what licenses."""

from __future__ import annotations

from typing import Any

import pytest
from support import shipped

from gramprobe.items.chart_groups import _wrong_meaning
from gramprobe.items.pair_meanings import PairMeaning, meaning_of


@pytest.fixture(scope="module")
def meanings() -> dict[str, tuple[PairMeaning, Any]]:
    found = {}
    for name, good, bad in [
        ("any_in_relative", "licensed", "unlicensed"),
        ("in_years", "plain", "unlicensed"),
        ("agreement_subject_verb", "plural", "plural_wrong"),
        ("filler_gap", "what", "that_wrong"),
    ]:
        plan = shipped.project().paradigm(f"acceptability/{name}").plan()
        draws, conditions = plan.space.draws(plan.space.permutation(0), 0, 1), plan.paradigm.conditions
        found[name] = meaning_of(plan, conditions[good], conditions[bad], draws), plan.decider
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "equivalent", "decided"),
    [
        ("any_in_relative", "no", True),
        ("in_years", "yes", True),  # what is decided is the clause below `in years`
        ("agreement_subject_verb", "yes", False),
        ("filler_gap", "", False),
    ],
)
def test_entailment_both_ways_is_decided(
    name: str, equivalent: str, decided: bool, meanings: dict[str, tuple[PairMeaning, Any]]
) -> None:
    found, _ = meanings[name]
    assert (found.equivalent, bool(found.same)) == (equivalent, decided)


@pytest.mark.slow
def test_what_licenses_rests_on_decisions_that_have_certificates(
    meanings: dict[str, tuple[PairMeaning, Any]],
) -> None:
    found, decider = meanings["any_in_relative"]
    assert {shape.id for shape, _ in decider.decided({*found.shapes})} == {*found.shapes}
    assert found.licensing is not None
    holds = {
        (each.constructor, *each.case.values()): {name: answer.holds for name, answer in each.properties.items()}
        for each in found.licensing.noun_phrases
        if each.constructor in ("Quantified", "Single")
    }
    assert holds["Quantified", "no"] == {"licensing": True, "antiadditive": True, "noun licensing": True}
    assert not holds["Quantified", "the"]["licensing"]
    assert meanings["agreement_subject_verb"][0].licensing is None


class _Lines(dict[str, Any]):
    def line(self, shape: str) -> Any:
        return self.get(shape)

    def is_rejected(self, shape: str) -> bool:
        return False


@pytest.mark.parametrize(
    ("equivalent", "by", "wrong"),
    [
        ("no", "a b", 0),
        ("yes", "a a", 0),
        ("yes", "", 0),  # one tree
        ("yes", "a b", 1),
        ("no", "a a", 1),
        ("no", "", 1),
        ("no", "a c", 2),
    ],
)
def test_a_row_that_says_something_else_than_its_certificates_is_refused(equivalent: str, by: str, wrong: int) -> None:
    row = {"equivalent": equivalent, "equivalent_by": by, "licensing_by": ""}
    assert len([*_wrong_meaning(row, _Lines(a={"h_values": "T"}, b={"h_values": "TF"}))]) == wrong
