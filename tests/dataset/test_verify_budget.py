"""A dataset of many certificates that each take as long as one may: verify ends, in bounded time and memory."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from forgery import ORDER, Forger, Row
from support.datasets import SharedDatasets

from gramprobe.certify.check import check_entry, digest
from gramprobe.certify.reject import LINE, Budget, CertificateError
from gramprobe.dataset.verify import certificates
from gramprobe.dataset.verify.certificates import Certificates, check_certificates
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.verify import verify
from gramprobe.project import Project

NAME = "possessed_definites_existence"
SLOW = {"kind": "venn", "depth": 8, "naming": True, "looking": True, "splits": [], "parts": []}
"""A proof whose regions are many, and which shows nothing."""


@pytest.fixture
def honest(datasets: SharedDatasets) -> Path:
    return datasets(f"presupposition/{NAME}", n=2)


@pytest.fixture
def forger(honest: Path, tmp_path: Path) -> Forger:
    return Forger(Path(shutil.copytree(honest, tmp_path / honest.name)), NAME)


class Steps:
    """Counts the steps that are spent, and lets every line take as many as it may without doing anything."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: list[int] = []
        monkeypatch.setattr(certificates, "check_entry", self.check)

    def check(self, line: dict[str, Any], budget: Budget) -> bool:
        self.lines.append(budget.steps)
        budget.spend(budget.steps + 1)
        return True


def with_slow_proofs(line: Row) -> Row:
    forged = {**line, "absent": dict.fromkeys(line["absent"], SLOW), "rests_on": None}
    return {**forged, "sha256": digest({key: forged[key] for key in ORDER})}


def steps_of_slow_proofs(line: Row) -> int:
    budget = Budget(20_000)
    with pytest.raises(CertificateError):
        check_entry(with_slow_proofs(line), budget)
    return budget.spent


def slowed(forger: Forger, count: int) -> None:
    """So many lines more, with proofs that take long to see through."""
    lines = forger.lines()
    line = max((each for each in lines if each["absent"]), key=steps_of_slow_proofs)
    forger.put_lines([*lines, *[with_slow_proofs(line) for _ in range(count)]])


def checked(forger: Forger) -> tuple[Certificates, Problems]:
    problems = Problems()
    return check_certificates(forger.certificates, "certificates.jsonl", problems), problems


@pytest.mark.slow
def test_all_lines_share_one_budget(forger: Forger, monkeypatch: pytest.MonkeyPatch) -> None:
    slowed(forger, 60)
    steps = Steps(monkeypatch)
    found, problems = checked(forger)
    allowed = certificates.STEPS + certificates.STEPS_A_BYTE * forger.certificates.stat().st_size
    assert sum(steps.lines) == allowed
    assert max(steps.lines) == LINE
    assert found.unchecked == len(forger.lines()) - len(steps.lines) > 20
    told = [problem for problem in problems.kept if "nothing is checked" in problem.reason]
    assert [(problem.code, problem.line) for problem in told] == [("E51", len(steps.lines) + 1)]


def test_one_line_has_a_budget_of_its_own(forger: Forger) -> None:
    line = max((each for each in forger.lines() if each["absent"]), key=steps_of_slow_proofs)
    budget = Budget(steps_of_slow_proofs(line) // 2)
    with pytest.raises(CertificateError, match="too long"):
        check_entry(with_slow_proofs(line), budget)
    assert budget.spent == budget.steps


@pytest.mark.slow
def test_a_folder_of_slow_lines_is_refused_in_few_steps(
    forger: Forger, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole of verify, with a budget as small as the test can wait for."""
    monkeypatch.setattr(certificates, "STEPS", 0)
    monkeypatch.setattr(certificates, "STEPS_A_BYTE", 1)
    slowed(forger, 120)
    problems = verify(forger.folder, project.declarations).problems
    assert any("nothing is checked" in problem.reason for problem in problems.kept)


def test_what_is_honest_stays_far_below_the_budget(honest: Path) -> None:
    """A fifth of what the bytes of the file alone allow."""
    spent = 0
    forger = Forger(honest, NAME)
    for line in forger.lines():
        budget = Budget()
        check_entry(line, budget)
        spent += budget.spent
    assert 0 < 5 * spent < certificates.STEPS_A_BYTE * forger.certificates.stat().st_size


def test_steps_that_are_overdrawn_are_not_counted_twice() -> None:
    budget = Budget(10)
    with pytest.raises(CertificateError):
        budget.spend(1_000)
    assert budget.spent == 10
