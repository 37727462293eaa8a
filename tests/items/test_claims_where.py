"""Claims about some instances: `expect entailment where q = every`."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import toy

HAS = """size 12
draw w, other : Who
draw k : Kind
premise
 p = Has(w, k)
hypothesis
 h = Has(other, k)
pair p => h   """


@pytest.mark.parametrize(
    ("claims", "codes"),
    [
        ("expect entailment where w = uma, other = uma   expect neutral where w = uma, other = vito | wanda", []),
        ("expect neutral where w = uma", ["E10"]),  # not where `other` is the same
        ("expect entailment where other = w", ["E02"]),  # values, no draws
        ("expect neutral where k.onset = v, w = uma, other = vito", []),
        ("expect entailment where k.onset = v, w = uma, other = vito", ["E10"]),
        ("expect neutral where w = uma, other = vito   expect literal entailment", ["E10"]),
        ("expect neutral where w = nobody", ["E02"]),
    ],
)
def test_a_claim_is_about_the_instances_that_it_names(claims: str, codes: list[str], tmp_path: Path) -> None:
    lines = HAS + claims + "\n"
    found = toy(tmp_path, lines).check("toy/one")
    assert [each.code for each in found if each.is_error and each.code != "E34"] == codes
