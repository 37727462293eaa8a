"""The suite asked of cvc5: it finds the same values, wherever the pair is first order."""

from __future__ import annotations

import json

import pytest
from suite_decisions import decision
from suite_rows import Row, rows

from gramprobe.certify.classical import problem
from gramprobe.decide.prove.outside import ask

SECONDS = 10.0
OPEN = frozenset({"attitude-scope", "first-order", "neighbourhood", "updates", "agents"})
"""Files of which every sixth row is asked: quantifiers, several agents, updates. A row takes some 200 ms."""
ASKED = [row for row in rows() if row.file in OPEN][::6]


@pytest.mark.outside("cvc5")
@pytest.mark.parametrize("row", ASKED, ids=lambda row: row.name)
def test_cvc5_finds_the_same_values(row: Row) -> None:
    found = decision(row)
    data = json.loads(found.shape.text)
    committed = (data["premise"], "D" if data["premise"][0] == "question" else "T")
    said = {
        value: ask(problem(data["theory"], [committed, (data["hypothesis"], value)]), "cvc5", SECONDS).status
        for value in "TFU"
    }
    assert "unknown" not in said.values()
    assert "".join(value for value in said if said[value] == "sat") == found.verdict.h_values
