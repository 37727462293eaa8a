"""What objects show of themselves in a notebook and in a terminal: everything, and nothing that a browser would run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from projects import write
from support import shipped
from support.relatives import CLAUSES, GRAMMAR, PARADIGM, TABLES

import gramprobe
from gramprobe import shown
from gramprobe.analysis.findings import Figure, Findings
from gramprobe.analysis.output.table import Column, Interval, Table
from gramprobe.cli.main import main
from gramprobe.resolve.tree import Apply, node_of
from gramprobe.source.diagnostic import UsageError

HOSTILE = "<script>alert('x')</script>"
SVG = "{http://www.w3.org/2000/svg}"


class Read(HTMLParser):
    """The tags and the text of a piece of HTML."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name.startswith("on") or (value or "").startswith("http") for name, value in attrs)
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += f"{data} "


def words_of(page: str) -> str:
    """The text of HTML in which nothing runs."""
    read = Read(page)
    assert not {"script", "iframe", "object", "link", "style"} & set(read.tags)
    return read.words


# ---- the pieces


@given(st.text(max_size=40))
def test_every_text_is_text(text: str) -> None:
    pages = [
        shown.table((text,), [(text,)], text), shown.facts(text, {text: text}), shown.paragraph(text),
        shown.lines(text), shown.picture("<svg/>", text),
    ]  # fmt: skip
    for page in pages:
        assert set(Read(page).tags) <= {"table", "caption", "thead", "tr", "th", "td", "b", "p", "pre", "img"}


def test_long_tables_say_how_much_they_leave_out() -> None:
    page = shown.table(("n",), [(number,) for number in range(1000, 1030)])
    assert "1,019" in page and "1,020" not in page and "and 10 more" in page


# Not by `text`, which Hypothesis also fills with characters of the code, such as `\x1f`, that no grammar may hold; nor
# leaves by `builds`, which gives a named tuple what has a default too, by its type: any text.
NAMES = st.lists(st.sampled_from("aé<&\"'"), min_size=1, max_size=12).map("".join)
KINDS = st.lists(st.sampled_from("S<"), max_size=12).map("".join)
TREES = st.recursive(
    NAMES.map(shown.Node),
    lambda below: st.builds(shown.Node, NAMES, KINDS, st.lists(below, max_size=3).map(tuple)),
    max_leaves=8,
)


@given(TREES)
def test_a_tree_is_drawn_whole_and_nothing_lies_upon_another(root: shown.Node) -> None:
    def nodes(node: shown.Node) -> Iterator[shown.Node]:
        yield node
        for child in node.below:
            yield from nodes(child)

    drawing = ElementTree.fromstring(shown.tree(root))
    left, top, wide, high = map(float, drawing.attrib["viewBox"].split())
    texts = [(float(t.attrib["x"]), float(t.attrib["y"]), t.text or "") for t in drawing.iter(f"{SVG}text")]
    assert sorted(t for _, _, t in texts) == sorted(t for n in nodes(root) for t in (n.name, n.kind) if t)
    assert len(list(drawing.iter(f"{SVG}line"))) == sum(1 for _ in nodes(root)) - 1
    rows: dict[float, list[tuple[float, float]]] = {}
    for x, y, text in texts:
        half = len(text) * shown.LETTER / 2
        assert left <= x - half and x + half <= left + wide + 1 and top <= y <= top + high
        rows.setdefault(y, []).append((x - half, x + half))
    for spans in rows.values():
        spans.sort()
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))


# ---- what the package returns


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A study with a hostile word and description, built and scored; the folder is the one that tests work in."""
    folder = tmp_path_factory.mktemp("shown")
    tables = {name: text.replace("\tsenator\n", f"\t{HOSTILE.replace(' ', '')}\n") for name, text in TABLES.items()}
    paradigm = PARADIGM.format(lines=f"{CLAUSES}factor clause = subject: src | object: orc")
    files = {
        "grammars/relative.gram": GRAMMAR,
        "grammars/reading/relatives.paradigm": paradigm.replace("Relative clauses.", HOSTILE),
        "corpus.txt": "the banker attacked the nurse .\nthe nurse looked for the banker in the hall .\n",
    }
    write(folder, {**files, **tables})
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["build", "reading"]) == 0
        assert main(["score", "data/reading", "--model", "ngram:corpus.txt", "--out", "scores"]) == 0
        yield folder


def test_a_project_a_paradigm_and_its_instances(study: Path) -> None:
    project = gramprobe.load(names=["reading/relatives"])
    paradigm = project.paradigm("reading/relatives")
    assert "relatives" in words_of(project._repr_html_())
    page = words_of(paradigm._repr_html_())
    assert HOSTILE in page and "sentences" in page
    sample = paradigm.instances(3)
    assert len(sample.instances) == 3
    assert all(line.sentence in words_of(sample._repr_html_()) for lines in sample.instances for line in lines)
    assert [len(repr(each).splitlines()) for each in (project, paradigm)] == [1, 1]


@pytest.mark.slow
def test_instances_print_what_the_command_prints(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample", "reading/relatives", "--n", "2"]) == 0
    assert capsys.readouterr().out == f"{gramprobe.load().paradigm('reading/relatives').instances(2)}\n"


@pytest.mark.slow
def test_a_dataset_its_scores_and_what_studies_find(study: Path) -> None:
    dataset, scores = gramprobe.read("data/reading"), gramprobe.read_scores("scores")
    assert (
        HOSTILE in words_of(dataset._repr_html_()) and repr(dataset) == "<dataset data/reading: 24 rows of 1 paradigm>"
    )
    assert "ngram" in words_of(scores._repr_html_()) and "24 items of reading" in repr(scores)
    (found,) = gramprobe.analyze("scores")
    page = found._repr_html_()
    assert "Effects of the factors" in words_of(page) and page.count("<table>") == len(found.tables)
    assert page.count("<img") == len(found.figures) > 0
    assert repr(found).startswith(found.title.upper())
    assert "\nclause " in repr(next(table for table in found.tables if "effects" in table.name))


def test_what_cannot_be_analysed_is_a_mistake_of_the_user(study: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        gramprobe.analyze("nowhere")


def test_a_table_and_a_figure_escape_what_they_hold() -> None:
    columns = (Column("model", HOSTILE), Column("value", "value"))
    table = Table("t", HOSTILE, columns, ((HOSTILE, Interval(1.0, 0.5, 1.5)),), notes=(HOSTILE,))
    shown_table: Any = table
    assert words_of(shown_table._repr_html_()).count(HOSTILE) == 4

    def draw() -> Any:
        from gramprobe.analysis.output.figures import grouped_bars

        return grouped_bars([HOSTILE, "b"], {"model": [1.0, 2.0]}, x="", y=HOSTILE)

    figure = Figure("f", HOSTILE, HOSTILE, draw)
    found = Findings("s", HOSTILE, (table,), (figure,), warnings=(HOSTILE,), omitted=(HOSTILE,))
    assert words_of(found._repr_html_()).count(HOSTILE) == 8


# ---- items, readings, trees and models


def test_a_decision_and_its_models() -> None:
    decision: Any = shipped.project().decide("B[jo] rain", "rain", theory="attitudes")
    assert repr(decision) == "<neutral: certificate models, h_values TF>"
    page = decision._repr_html_()
    assert "neutral" in words_of(page) and page.count("<img") == 1
    drawing = ElementTree.fromstring(decision.model("F")._repr_svg_())
    assert "not rain" in [text.text for text in drawing.iter(f"{SVG}text")]


def test_an_item_with_its_readings_trees_and_models() -> None:
    project = shipped.project()
    (item,) = project.paradigm("scope/choice_universal_indefinite").sample(1).slice(0, 1).to_pylist()
    page = project.explain(item["id"])
    assert " > a: " in words_of(page._repr_html_())
    assert repr(page) == page.text and page.trees
    for name, tree in page.trees.items():
        assert f"tree of `{name}`" in page.text and repr(tree).splitlines()[0] in page.text
        assert ElementTree.fromstring(tree._repr_svg_()).tag == f"{SVG}svg"


def test_a_tree_of_a_condition_shows_itself() -> None:
    tree = next(iter(shipped.paradigm("presupposition/only").conditions.values())).tree
    assert isinstance(tree, Apply)
    names = [text.text for text in ElementTree.fromstring(tree._repr_svg_()).iter(f"{SVG}text")]
    assert tree.constructor.name in names and tree.constructor.result in names
    assert re.match(rf"{tree.constructor.name} : {tree.constructor.result}\n", repr(node_of(tree)))
