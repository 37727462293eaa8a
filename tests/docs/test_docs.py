"""What the documentation says holds: its commands, its output, its files; and it leaves nothing out."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from _pytest.mark import ParameterSet
from consoles import Block, Command, blocks, commands, fits, problems

from gramprobe.cli.main import cli
from gramprobe.items.tasks import task_forms
from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.files import Source
from gramprobe.syntax.files import read_grammar, read_paradigm, read_theory
from gramprobe.syntax.statements import keywords

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(p for p in DOCS.rglob("*.md") if "decisions" not in p.parts)
README = ROOT / "README.md"
OUTSIDE = {"datasets": "import load_dataset", "polars": "import polars"}
"""Package of the extra `outside` -> what a program that needs it says."""
READERS = {
    "gram": read_grammar,
    "paradigm": lambda source: read_paradigm(source, task_forms().headings()),
    "logic": read_theory,
}
LANGUAGE = ("authoring", "grammar", "carried", "paradigms", "tasks", "theories")
"""The pages of the language."""
#: what a fragment of each kind of file needs above it to stand alone
HEADS = {"gram": "", "paradigm": "paradigm fragment\n", "logic": "theory fragment\n"}


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def sessions() -> Iterator[ParameterSet]:
    """The pages to run; a page with a program that imports a package of the extra `outside` needs it."""
    for page in (README, *PAGES):
        programs = "".join(b.text for b in blocks(page.read_text("utf-8")) if b.language == "python")
        needed = [package for package, line in OUTSIDE.items() if line in programs]
        marks = [pytest.mark.docs, *([pytest.mark.outside(*needed)] if needed else [])]
        yield pytest.param(page, marks=marks, id=name(page))


def written() -> str:
    """All that a reader may be expected to find."""
    return "\n".join(page.read_text("utf-8") for page in (README, *PAGES))


def language_blocks() -> Iterator[tuple[str, Block]]:
    for page in (README, *PAGES):
        for block in blocks(page.read_text("utf-8")):
            if block.language in READERS:
                yield f"{name(page)}:{block.line}", block


def complaints(block: Block) -> list[Diagnostic]:
    """What the reader of its language finds wrong in a block."""
    keyword = HEADS[block.language].partition(" ")[0]
    whole = re.search(rf"^{keyword}\b", block.text, re.MULTILINE)
    text = block.text if whole else HEADS[block.language] + block.text
    source = Source(name=f"page.{block.language}", path=f"page.{block.language}", text=text, sha256="", origin="page")
    return READERS[block.language](source)[1]


@pytest.mark.parametrize("page", list(sessions()))
def test_a_page_holds_what_it_promises(page: Path, tmp_path: Path) -> None:
    found = problems(page, tmp_path, ROOT / "Makefile")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("place", "block"), list(language_blocks()), ids=[p for p, _ in language_blocks()])
def test_a_snippet_is_read(place: str, block: Block) -> None:
    assert [f"{place}: {d.span.line}: {d.message}" for d in complaints(block)] == []


@pytest.mark.parametrize("suffix", [".gram", ".paradigm", ".logic"])
def test_every_keyword_is_explained(suffix: str) -> None:
    page = "\n".join((DOCS / f"{name}.md").read_text("utf-8") for name in LANGUAGE)
    assert [k for k in keywords(suffix) if f"`{k}" not in page] == []


def test_every_code_is_explained() -> None:
    sources = (ROOT / "src").rglob("*.py")
    codes = sorted({c for file in sources for c in re.findall(r'"(E\d\d)"', file.read_text("utf-8"))})
    assert len(codes) > 30
    page = (DOCS / "authoring.md").read_text("utf-8")
    known: set[str] = set()
    if importlib.util.find_spec("gramprobe.source.codes"):
        known = set(importlib.import_module("gramprobe.source.codes").CODES)
    assert [c for c in codes if c not in page and c not in known] == []


def options(command: click.Command, words: str) -> Iterator[tuple[str, str]]:
    """Every command with each of its options, the group's own included."""
    yield words, ""
    context = click.Context(command)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield words, max(parameter.opts, key=len)
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from options(found, f"{words} {inner}")


def test_every_command_and_option_is_written_of() -> None:
    text = written()
    shown = list(options(cli, "gramprobe"))
    assert len(shown) > 25
    lacking = [f"{c} {o}" for c, o in shown if c not in text or (o and not re.search(rf"{o}(?![\w-])", text))]
    assert lacking == []


# ---- the runner finds what it is there to find -----------------------------------------------------------------


def page_of(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text, "utf-8")
    return page


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        ("```console\n$ gramprobe decide p q\nentailment\n```\n", "prints"),
        ("```console\n$ gramprobe decide p '('\n```\n", "ends with 2, not 0"),
        ("```console\n$ gramprobe decide p q  # exit 1\n```\n", "ends with 0, not 1"),
        ("```console\n$ make nothing\n```\n", "no target `nothing`"),
        ("```console\n$ rm -r x\n```\n", "no command that a page may show"),
        ("```python\nraise SystemExit(3)\n```\n", "ends with 3"),
    ],
)
def test_a_promise_that_does_not_hold_is_reported(block: str, complaint: str, tmp_path: Path) -> None:
    found = problems(page_of(tmp_path, block), tmp_path, ROOT / "Makefile")
    assert len(found) == 1
    assert complaint in found[0]
    assert found[0].startswith("page.md:")


def test_a_session_goes_on_in_the_files_above_it(tmp_path: Path) -> None:
    text = (
        "```logic logic/own.logic\ntheory own\ninclude classical\npostulate p\n```\n"
        "```console\n$ gramprobe decide --path . --theory own 'p -> q' q\n"
        "entailment   (certificate type-elimination, h_values T)\n...\n```\n"
    )
    assert problems(page_of(tmp_path, text), tmp_path, ROOT / "Makefile") == []


def test_dots_fit_any_lines() -> None:
    assert fits(("a", "...", "d"), ["a", "b", "c", "d"])
    assert fits(("a", "...", "d"), ["a", "d"])
    assert fits(("...",), [])
    assert not fits(("a", "...", "d"), ["a", "b"])
    assert not fits(("a",), ["a", "b"])


def test_commands_and_their_output_are_distinguished() -> None:
    block = Block("console", "", "$ gramprobe list\na\n\nb\n$ gramprobe check x   # exit 1\n", 10)
    assert commands(block) == [
        Command("gramprobe list", 0, ("a", "", "b"), 11),
        Command("gramprobe check x", 1, None, 15),
    ]


def test_a_block_that_is_never_closed_is_an_error() -> None:
    with pytest.raises(ValueError, match="line 2 is never closed"):
        blocks("\n```console\n$ gramprobe list\n")


def test_a_snippet_that_cannot_be_read_is_found() -> None:
    assert complaints(Block("paradigm", "", "draw a N\n", 1))
    assert complaints(Block("gram", "", "lin x\n", 1))
    assert complaints(Block("logic", "", "operator box\n", 1))
