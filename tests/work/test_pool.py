"""Units that several processes share: in order, as they are finished, and when a process fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from gramprobe.work import pool
from gramprobe.work.pool import Job, each, in_order

UNITS = [str(number) for number in range(6)]

DOUBLES = """
import json, sys
sys.stdin.readline()
print("ready", flush=True)
for line in sys.stdin:
    if line.strip() == {fails!r}:
        sys.exit(1)
    print(json.dumps(line.strip() * 2), flush=True)
"""


@pytest.fixture
def doubling(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Job[str]]:
    """A job whose workers double a text, and end at one unit."""

    def job(fails: str) -> Job[str]:
        monkeypatch.setattr(pool, "_START", DOUBLES.format(fails=fails))
        return Job(start="nowhere:work", options={}, result=str)

    return job


@contextmanager
def ours(done: list[str]) -> Iterator[Callable[[str], str]]:
    def work(unit: str) -> str:
        done.append(unit)
        return unit * 2

    yield work


def test_results_come_in_the_order_given(doubling: Any) -> None:
    done: list[str] = []
    assert list(in_order(doubling(""), UNITS, 1, ours(done))) == [(unit, unit * 2) for unit in UNITS]


def test_a_unit_whose_worker_fails_is_done_here(doubling: Any) -> None:
    done: list[str] = []
    assert list(in_order(doubling("0"), ["0"], 1, ours(done))) == [("0", "00")]
    assert done == ["0"]


def test_workers_alone_leave_out_the_units_that_failed(doubling: Any) -> None:
    """No other worker tries them: what ended one may end all."""
    assert sorted(each(doubling("3"), UNITS, 2)) == [(unit, unit * 2) for unit in UNITS if unit != "3"]


def test_without_a_worker_nothing_is_finished(doubling: Any) -> None:
    assert list(each(doubling(""), UNITS, 0)) == []
