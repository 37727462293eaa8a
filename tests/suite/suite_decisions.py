"""The decisions of the suite's rows, each made once for all tests of a session."""

from __future__ import annotations

from functools import cache

from suite_rows import FOLDER, Row

import gramprobe
from gramprobe.decide.verdict import Decision
from gramprobe.project import Project


@cache
def project() -> Project:
    """What is shipped, and the theories of tests/suite/logic."""
    return gramprobe.load(path=FOLDER)


@cache
def decision(row: Row) -> Decision:
    """The decision on a row."""
    return project().decide(row.premise, row.hypothesis, row.theory)
