"""The suite: every pair has the label of its source, with a certificate that the kernel accepts.

Labels were written down from the sources first. A row whose label no proof supports stands in `WITHOUT_PROOF`, which is
strict: a row that has a proof may not stand there.
"""

from __future__ import annotations

import json
from collections import Counter
from importlib import import_module

import pytest
from suite_decisions import decision
from suite_rows import Row, rows

from gramprobe.certify.check import check_entry
from gramprobe.certify.classical import problem
from gramprobe.certify.model import Model
from gramprobe.certify.reject import Budget
from gramprobe.certify.rule import EXCLUDED
from gramprobe.decide.verdict import certificate_line

ROWS = rows()
WITHOUT_PROOF = frozenset({"scope/scope-10"})
"""`most` over a two-place relation: outside every fragment that an engine decides."""

ENGINES = {"type-elimination": "types", "venn": "venn", "herbrand": "herbrand"}
AIMS = (
    "models", "tables", "sat", "type-elimination", "venn", "herbrand", "cluster", "trivalence", "exh", "updates",
)  # fmt: skip
FRAMES = ("K", "T", "KD", "B", "S4", "S5", "KD45", "S5 two agents", "KD45 two agents", "mixed", "functional",
          "inclusion", "bridge", "neighbourhood")  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_label_is_that_of_the_source(row: Row) -> None:
    found = decision(row)
    verdict = found.verdict
    assert (verdict.label, verdict.findings) == (row.label, (row.finding,) if row.finding else ())
    unproved = row.name in WITHOUT_PROOF
    assert verdict.kind.startswith(("bounded", "prover")) == unproved, verdict.kind
    assert check_entry(certificate_line(found.shape, verdict)) or unproved


@pytest.mark.parametrize("engine", ENGINES)
def test_each_engine_proves_its_rows_by_itself(engine: str) -> None:
    """What the label excludes, one after the other, asked of one engine: its proof passes the kernel."""
    prover = import_module(f"gramprobe.decide.prove.{ENGINES[engine]}")
    check = import_module(f"gramprobe.certify.{ENGINES[engine]}").check
    proved, failed = 0, []
    for row in ROWS:
        if engine not in row.needs:
            continue
        data = json.loads(decision(row).shape.text)
        premise, hypothesis = data["premise"], data["hypothesis"]
        committed = (premise, "D" if premise[0] == "question" else "T")
        for value in EXCLUDED[row.label]:
            absent = problem(data["theory"], [committed, (hypothesis, value)])
            (answer,) = prover.prove([absent])
            if answer is None and hasattr(prover, "prove_more"):
                (answer,) = prover.prove_more([absent])
            if answer is None or isinstance(answer, Model):
                failed.append(row.name)
                break
            check(absent, answer, Budget())
        else:
            proved += 1
    assert failed == []
    assert proved >= 20


def test_enough_rows_for_each_engine_and_frame() -> None:
    assert len(ROWS) >= 250
    engines = Counter(engine for row in ROWS for engine in row.needs)
    frames = Counter(frame for row in ROWS for frame in row.frames)
    assert {engine: engines[engine] for engine in AIMS if engines[engine] < 20} == {}
    assert {frame: frames[frame] for frame in FRAMES if frames[frame] < 20} == {}
    assert set(frames) <= set(FRAMES)


def test_every_row_has_a_source_and_a_name_of_its_own() -> None:
    assert [row.name for row in ROWS if not row.source] == []
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert len({(row.theory, row.premise, row.hypothesis) for row in ROWS}) == len(ROWS)


def test_the_exceptions_are_rows() -> None:
    assert {row.name for row in ROWS} >= WITHOUT_PROOF
