"""The pages as a whole: links lead somewhere, every page is reached from the index, lines are short, API is current."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
INDEX = ROOT / "docs" / "index.md"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def script(file: str) -> ModuleType:
    """A program of scripts/ as a module."""
    spec = importlib.util.spec_from_file_location(file, ROOT / "scripts" / f"{file}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prose(page: Path) -> str:
    """The text of a page without its blocks of code."""
    return re.sub(r"^(`{3,}).*?^\1$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def links(page: Path) -> list[str]:
    """The targets of the links of a page, other sites left out."""
    targets = re.findall(r"\]\(\s*([^)\s]+)\s*\)", prose(page))
    return [target for target in targets if "://" not in target]


@cache
def anchors(page: Path) -> set[str]:
    """The names by which the headings of a page are linked to, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path) -> list[str]:
    """The links of a page that lead nowhere: to no file, or to no heading of it."""
    lost = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            lost.append(link)
    return lost


def reached(start: Path) -> set[Path]:
    """The pages to which links lead from a page, directly or by way of others."""
    seen, waiting = {start}, [start]
    while waiting:
        page = waiting.pop()
        for link in links(page):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target.exists() and target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def test_every_link_leads_somewhere() -> None:
    assert {name(page): lost for page in PAGES if (lost := broken(page))} == {}


@pytest.mark.slow
def test_every_page_is_reached_from_the_index() -> None:
    there = reached(INDEX)
    assert [name(page) for page in PAGES if page not in there] == []


def test_the_index_lists_every_page_itself() -> None:
    listed = {(INDEX.parent / link.partition("#")[0]).resolve() for link in links(INDEX)}
    assert [name(page) for page in PAGES if page not in listed | {INDEX}] == []


def test_every_decision_has_its_line_in_the_index() -> None:
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    lines = [f"- [{page.name[:3]}](decisions/{page.name}): " for page in decisions]
    assert lines
    text = INDEX.read_text("utf-8").splitlines()
    assert [line for line in lines if not any(x.startswith(line) and len(x) > len(line) for x in text)] == []


def test_recipes_name_files_that_are_there() -> None:
    """Paths with a placeholder (`<name>`) stand for new files: their folder must be there."""
    paths = re.findall(r"`((?:src|tests|docs|scripts)/[^`\s]*)`", prose(ROOT / "CONTRIBUTING.md"))
    assert len(paths) > 20
    places = [path.partition("<")[0].rpartition("/")[0] if "<" in path else path for path in paths]
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_lines_are_wrapped() -> None:
    wrap = script("wrap_docs")
    found = {name(page): wrap.long_lines(page.read_text("utf-8")) for page in PAGES}
    assert {page: lines for page, lines in found.items() if lines} == {}, "`make docs` wraps them"


def test_the_api_page_is_current() -> None:
    """The page is made from docstrings: run `make docs` after a change of one."""
    assert (ROOT / "docs" / "api.md").read_text("utf-8") == script("api_page").page()


@pytest.mark.slow
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.deep)])
def test_the_page_of_english_is_current(every: int) -> None:
    """The page is made from the grammar: run `make docs` after a change of it. What is decided, made and parsed for it
    is looked at in samples by `make test`, and all of it by `make test-deep`."""
    assert (ROOT / "docs" / "english.md").read_text("utf-8") == script("english_page").page(every)


# ---- the checks find what they are there to find


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A heading, with `code`\n", "utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md) [b](other.md#a-heading-with-code) [c](gone.md) [d](other.md#gone) [e](#gone)\n"
        "```\n[f](in/code.md)\n```\n",
        "utf-8",
    )
    assert broken(page) == ["gone.md", "other.md#gone", "#gone"]


def test_a_page_that_nothing_links_to_is_found(tmp_path: Path) -> None:
    for file, text in (("a.md", "[b](b.md)"), ("b.md", "[a](a.md)"), ("c.md", "[a](a.md)")):
        (tmp_path / file).write_text(text, "utf-8")
    assert {page.name for page in reached(tmp_path / "a.md")} == {"a.md", "b.md"}


def test_only_long_paragraphs_are_wrapped() -> None:
    wrap = script("wrap_docs")
    words = " ".join(["word"] * 40)
    table, code = f"| {words} |", f"```\n{words}\n```"
    kept = f"# A heading\n\n{table}\n\n{code}\n\nshort\nlines\n"
    assert wrap.wrapped(kept) == kept
    assert wrap.long_lines(kept) == []
    long = f"{kept}\n- {words}\n  and more\n- next\n"
    assert wrap.long_lines(long) == [12]
    lines = wrap.wrapped(long).splitlines()
    assert max(map(len, lines[11:])) <= 120
    assert lines[11].startswith("- word") and lines[12].startswith("  word") and lines[-1] == "- next"
    assert wrap.wrapped(long).split() == long.split()
