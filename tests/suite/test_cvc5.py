"""The suite asked of cvc5: it finds the same values, wherever the pair is first order."""

from __future__ import annotations

import json

import pytest
from suite_rows import FOLDER, Row, rows

import gramprobe
from gramprobe.certify.classical import problem
from gramprobe.decide.prove.outside import ask
from gramprobe.project import Project

SECONDS = 10.0
OPEN = frozenset({"attitude-scope", "first-order", "neighbourhood", "updates", "agents"})
"""Files of which every fourth row is asked: quantifiers, several agents, updates. A row takes some 50 ms."""
ASKED = [row for row in rows() if row.file in OPEN][::4]


@pytest.fixture(scope="module")
def project() -> Project:
    return gramprobe.load(path=FOLDER)


@pytest.mark.parametrize("row", ASKED, ids=lambda row: row.name)
def test_cvc5_finds_the_same_values(project: Project, row: Row) -> None:
    decision = project.decide(row.premise, row.hypothesis, row.theory)
    data = json.loads(decision.shape.text)
    committed = (data["premise"], "D" if data["premise"][0] == "question" else "T")
    said = {
        value: ask(problem(data["theory"], [committed, (data["hypothesis"], value)]), "cvc5", SECONDS).status
        for value in "TFU"
    }
    assert "unknown" not in said.values()
    assert "".join(value for value in said if said[value] == "sat") == decision.verdict.h_values
