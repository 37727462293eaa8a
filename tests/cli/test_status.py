"""The line of a terminal that says what a command is busy with."""

from __future__ import annotations

import os

import pytest

from gramprobe.cli.status import progress, status_line


def on_screen(text: str) -> list[str]:
    """The lines that stand on a terminal after this output: a line is begun anew where it was cleared."""
    return [line.rpartition("\r\033[K")[2] for line in text.split("\n")]


def test_parts_are_reported_above_a_line_that_is_gone_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(2, quiet=False, interactive=True) as report:
        assert on_screen(capsys.readouterr().err) == ["building 1 of 2"]
        report("one is done")
        printed = capsys.readouterr()
        assert printed.out == "one is done\n"
        assert on_screen(printed.err) == ["building 2 of 2"]
        report("two is done")
    printed = capsys.readouterr()
    assert printed.out == "two is done\n"
    assert on_screen(printed.err) == [""]


def test_no_terminal_sees_the_lines_alone(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(1, quiet=False, interactive=False) as report:
        report("one is done")
    assert tuple(capsys.readouterr()) == ("one is done\n", "")


def test_a_quiet_command_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(1, quiet=True, interactive=True) as report:
        report("one is done")
    assert tuple(capsys.readouterr()) == ("", "")


def test_a_long_text_stays_in_one_line_and_is_cleared_after_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda fallback=(80, 24): os.terminal_size((20, 24)))

    def interrupted() -> None:
        with status_line(True) as show:
            show("x" * 50)
            assert on_screen(capsys.readouterr().err) == ["x" * 19]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert on_screen(capsys.readouterr().err) == [""]
