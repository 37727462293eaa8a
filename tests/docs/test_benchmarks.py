"""docs/benchmarks.md: one table, whose rows are the figures that scripts measure, under commands that there are."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "benchmarks.md"


@pytest.fixture(scope="module")
def figures() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "scripts"))
    yield import_module("figures")
    sys.path.remove(str(ROOT / "scripts"))


def scripts_of(command: str) -> list[Path]:
    """The scripts that a command of the table runs: a target of the Makefile."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = re.search(rf"^{command.removeprefix('make ')}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert recipe, f"the Makefile has no target for `{command}`"
    ran = re.findall(r"\$\(ROWS\) \S+ (scripts/\w+\.py)", recipe[1])
    assert ran and "ROWS := FIGURES_PAGE=docs/benchmarks.md\n" in makefile, f"`{command}` writes no rows"
    return [ROOT / name for name in ran]


@cache
def keys_of(file: Path) -> list[re.Pattern[str]]:
    """The texts that a script, or one of scripts/ that it imports, may hand over as a key."""
    tree = ast.parse(file.read_text("utf-8"))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(re.compile(re.escape(node.value)))
        elif isinstance(node, ast.JoinedStr):
            parts = (re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"\w+" for p in node.values)
            found.append(re.compile("".join(parts)))
        elif isinstance(node, ast.Import):
            below = (file.with_name(f"{name.name}.py") for name in node.names)
            found += [pattern for other in below if other.exists() for pattern in keys_of(other)]
    return found


def test_the_rows_of_the_page_are_the_figures(figures: ModuleType) -> None:
    page = PAGE.read_text("utf-8")
    assert page.count("\n|---|") == 1, "the page has one table"
    assert figures.written(page, {}, "") == page, "what is promised and its command stand in scripts/figures.py"
    names = [figure.what for figure in figures.FIGURES.values()]
    assert len(set(names)) == len(names)


@pytest.mark.slow
def test_every_figure_has_a_command_that_measures_it(figures: ModuleType) -> None:
    for key, figure in figures.FIGURES.items():
        files = scripts_of(figure.command)
        assert any(p.fullmatch(key) for file in files for p in keys_of(file)), f"no script of it measures {key}"


def test_what_is_measured_replaces_its_row_and_no_other(figures: ModuleType) -> None:
    page = figures.written(PAGE.read_text("utf-8"), {"list": 0.25}, "some day")
    new = figures.written(page, {"list": 0.75, "large_rate": 123456.7}, "another day")
    changed = [(a, b) for a, b in zip(page.splitlines(), new.splitlines(), strict=True) if a != b]
    command = "| `gramprobe list`: every paradigm with its exact size | `make bench` | at most 0.5 s |"
    assert changed[0] == (f"{command} 0.25 s | some day |", f"{command} 0.75 s, missed | another day |")
    assert changed[1][1].endswith("| at least 100,000 | 123,457 | another day |")
    assert len(changed) == 2


def test_a_figure_is_printed_with_its_promise_and_written_where_it_is_asked(
    figures: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "page.md"
    copy.write_text(PAGE.read_text("utf-8"), "utf-8")
    monkeypatch.delenv("FIGURES_PAGE", raising=False)
    figures.record_figures({"peak": 2000.0})
    said = " ".join(capsys.readouterr().out.split())
    assert said == "MISSED 2,000 MiB at most 1,024 MiB largest peak memory of the commands above"
    assert copy.read_text("utf-8") == PAGE.read_text("utf-8")
    monkeypatch.setenv("FIGURES_PAGE", str(copy))
    figures.record_figures({"peak": 2000.0})
    assert "| 2,000 MiB, missed | " in copy.read_text("utf-8")
    with pytest.raises(KeyError):
        figures.record_figures({"peek": 1.0})
