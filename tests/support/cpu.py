"""What each test file costs in CPU seconds: ``pytest --cpu``. Walls say little where others use the machine."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Generator

import pytest

#: so many of the dearest tests are named
NAMED = 40


def spent() -> float:
    """The CPU seconds of this process, and of all programs that it started and waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class CpuSeconds:
    """A plugin of pytest that adds up what the phases of each test cost. A fixture that several tests share is paid by
    the first that asks for it. What a worker spends before its first test is not counted."""

    def __init__(self, worker: bool, clock: Callable[[], float] = spent) -> None:
        """``worker``: whether this is a worker of pytest-xdist, whose reports another process adds up."""
        self._worker = worker
        self._clock = clock
        self._last = clock()
        self._phases: dict[tuple[str, str], float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Write on the report of a phase what was spent since the last one."""
        report = yield
        now = self._clock()
        report.user_properties.append(("cpu", now - self._last))
        self._last = now
        return report

    def pytest_collection_finish(self) -> None:
        """Leave the start out of the cost of the first test."""
        self._last = self._clock()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up, in the process that reports."""
        if not self._worker:
            seconds = [float(str(value)) for name, value in report.user_properties if name == "cpu"]
            self._phases[report.nodeid, report.when] += sum(seconds)

    def files(self) -> dict[str, float]:
        """File -> CPU seconds."""
        files: dict[str, float] = defaultdict(float)
        for (node, _), seconds in self._phases.items():
            files[node.partition("::")[0]] += seconds
        return files

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print folders, files, and the dearest tests with what their fixtures took in brackets."""
        files = self.files()
        folders: dict[str, float] = defaultdict(float)
        for file, seconds in files.items():
            folders[file.rpartition("/")[0]] += seconds
        tests: dict[str, float] = defaultdict(float)
        for (node, _), seconds in self._phases.items():
            tests[node] += seconds
        terminalreporter.section("CPU seconds")
        for table in (folders, files):
            for name, seconds in dearest(table):
                terminalreporter.write_line(f"{seconds:8.1f}  {name}")
            terminalreporter.write_line("")
        for node, seconds in dearest(tests)[:NAMED]:
            terminalreporter.write_line(f"{seconds:8.1f}  ({self._phases[node, 'setup']:.1f})  {node}")
        terminalreporter.write_line(f"{sum(files.values()):8.1f}  in all, imports and collection not counted")


def dearest(costs: dict[str, float]) -> list[tuple[str, float]]:
    """Names and costs, the highest first."""
    return sorted(costs.items(), key=lambda item: -item[1])
