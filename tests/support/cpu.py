"""What each test file costs in CPU seconds: ``pytest --cpu``. Walls say little where others use the machine."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator

import pytest

#: so many of the dearest tests are named
NAMED = 40


def _spent() -> float:
    """The CPU seconds of this process and of all programs that it started and waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class CpuSeconds:
    """A plugin of pytest that adds up what the phases of each test cost. A fixture that several tests share is paid by
    the first that asks for it; imports and collection stand in a line of their own."""

    def __init__(self, config: pytest.Config) -> None:
        self._worker = hasattr(config, "workerinput")
        self._last = _spent()
        self._phases: Counter[tuple[str, str]] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Write on the report of a phase what was spent since the last one."""
        report = yield
        now = _spent()
        report.user_properties.append((f"cpu {report.when}", now - self._last))
        self._last = now
        return report

    def pytest_collection_finish(self) -> None:
        """Leave the start out of the cost of the first test."""
        self._last = _spent()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up, in the process that reports."""
        if not self._worker:
            name = f"cpu {report.when}"
            self._phases[report.nodeid, report.when or ""] += dict(report.user_properties).get(name, 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print folders, files and the dearest tests, with what their fixtures took in brackets."""
        tests: Counter[str] = Counter()
        files: Counter[str] = Counter()
        folders: Counter[str] = Counter()
        for (node, _), seconds in self._phases.items():
            tests[node] += seconds
            file = node.partition("::")[0]
            files[file] += seconds
            folders[file.rpartition("/")[0]] += seconds
        terminalreporter.section("CPU seconds")
        for table in (folders, files):
            for name, seconds in table.most_common():
                if seconds >= 0.05:
                    terminalreporter.write_line(f"{seconds:8.1f}  {name}")
            terminalreporter.write_line("")
        for node, seconds in tests.most_common(NAMED):
            terminalreporter.write_line(f"{seconds:8.1f}  ({self._phases[node, 'setup']:.1f})  {node}")
        terminalreporter.write_line(f"{tests.total():8.1f}  in all, imports and collection not counted")
