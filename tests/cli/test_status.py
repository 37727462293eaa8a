"""How far a command is: in a line of the terminal, a line a minute on a pipe, or nowhere."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from projects import PLAIN, toy

from gramprobe.check.check import check
from gramprobe.cli import status
from gramprobe.cli.status import SILENT, Progress, progress, state
from gramprobe.dataset.verify.verify import verify
from gramprobe.progress import report_progress, reported_to


class Clock:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(status, "time", found)
    monkeypatch.delenv(SILENT, raising=False)
    return found


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard error that is read is a terminal."""
    monkeypatch.setattr(status, "sys", SimpleNamespace(stderr=SimpleNamespace(isatty=lambda: True)))


def on_screen(text: str) -> list[str]:
    """The lines that stand on a terminal after this output: a line is begun anew where it was cleared."""
    return [line.rpartition("\r\033[K")[2] for line in text.split("\n")]


def test_a_state_says_of_what_how_much_of_all_how_fast_and_the_time_left() -> None:
    assert state("only: instances", 95_000, 380_000, 1_900.0) == (
        "only: instances [######..................] 95,000 of 380,000, 1,900.0/s, 2:30 left"
    )
    assert state("rows", 7, 7, 2.0) == f"rows [{'#' * 24}] 7 of 7, 2.0/s"
    assert state("rows", 1, 36_001, 2.0).endswith(" 5:00:00 left")
    assert state("building again", 0, 0, 0.0) == "building again ..."


def test_the_rate_is_that_since_the_work_began(
    clock: Clock, terminal: None, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = Progress()
    shown("rows", 500, 1_000)
    clock.now += 10
    shown("rows", 700, 1_000)
    assert on_screen(capsys.readouterr().err) == [f"rows [{'#' * 16}{'.' * 8}] 700 of 1,000, 20.0/s, 0:15 left"]


def test_a_command_with_several_parts_says_which(
    clock: Clock, terminal: None, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = Progress()
    shown.before = "2 of 3: "
    shown("loading the model")
    assert on_screen(capsys.readouterr().err) == ["2 of 3: loading the model ..."]


def test_a_terminal_has_one_line_that_is_gone_at_the_end(
    clock: Clock, terminal: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress() as shown:
        report_progress("rows", 1, 2)
        assert on_screen(capsys.readouterr().err)[-1].endswith("1 of 2")
        shown.line("one is done")
        printed = capsys.readouterr()
        assert printed.out == "one is done\n"
        assert on_screen(printed.err) == [""]
        report_progress("rows", 2, 2)
    assert on_screen(capsys.readouterr().err) == [""]


def test_a_terminal_is_not_drawn_more_often_than_it_can_be_read(
    clock: Clock, terminal: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress():
        for number in range(1, 1_000):
            clock.now += 0.001
            report_progress("rows", number, 1_000)
        assert 5 <= capsys.readouterr().err.count("rows") <= 11


def test_a_pipe_gets_a_line_a_minute(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress():
        for number in range(1, 151):
            clock.now += 1
            report_progress("rows", number, 150)
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition("]")[2].partition(",")[0] for line in lines] == [" 60 of 150", " 120 of 150"]


@pytest.mark.parametrize("by", ["variable", "answer of JSON"])
def test_nothing_is_shown(
    by: str, clock: Clock, terminal: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if by == "variable":
        monkeypatch.setenv(SILENT, "1")
    with progress(by == "variable"):
        for number in range(200):
            clock.now += 1
            report_progress("rows", number, 200)
    assert tuple(capsys.readouterr()) == ("", "")


def test_a_long_state_stays_in_one_line_and_is_cleared_after_an_error(
    clock: Clock, terminal: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda fallback=(80, 24): os.terminal_size((20, 24)))

    def interrupted() -> None:
        with progress():
            report_progress("x" * 50)
            assert on_screen(capsys.readouterr().err) == ["x" * 19]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert on_screen(capsys.readouterr().err) == [""]


@pytest.mark.slow
def test_builds_verifications_and_checks_tell_how_far_they_are(tmp_path: Path) -> None:
    own = toy(tmp_path / "own", PLAIN)
    told: list[tuple[str, int, int]] = []
    with reported_to(lambda *each: told.append(each)):
        (built,) = own.build("toy/one", tmp_path / "data", n=3)
        assert told[-1] == ("one: instances", 3, 3)
        told.clear()
        verify(built.folder, own.declarations)
        assert {what for what, _, _ in told} == {"certificates", "one: instances derived again"}
        assert all(0 < done <= of for _, done, of in told)
        told.clear()
        dict(check(own, ["toy/one"], False))
        assert told == [("paradigms", 1, 1)]
