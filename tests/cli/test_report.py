"""`gramprobe analyze SCORES` and `gramprobe report`, from a folder of scores and from files."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support import models
from support.datasets import FEW, SharedDatasets

import gramprobe
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output import document, figures, report
from gramprobe.analysis.output.table import Interval
from gramprobe.analysis.studies import found
from gramprobe.analysis.study import Given
from gramprobe.cli.main import main
from gramprobe.source.files import shipped_folder

pytestmark = pytest.mark.slow  # a model is made and scored

PARADIGM = "presupposition/both"
INSTANCES = FEW


@pytest.fixture(scope="module")
def dataset(datasets: SharedDatasets) -> Path:
    return datasets(PARADIGM, n=INSTANCES)


@pytest.fixture(scope="module")
def scored(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of scores by a tiny classifier with random weights."""
    place = tmp_path_factory.mktemp("scored")
    (place / "tiny").mkdir()
    model = models.bert(place / "tiny", ("contradiction", "neutral", "entailment"))
    assert main(["score", str(dataset), "--model", str(model), "--out", str(place / "scores")]) == 0
    return place / "scores"


@pytest.fixture(scope="module")
def labels(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the derived label of every item."""
    file = tmp_path_factory.mktemp("labels") / "people.csv"
    with file.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", "label"])
        for batch in gramprobe.read(dataset).rows("both", ["id", "label_name"]):
            rows.writerows(batch.to_pylist()[i].values() for i in range(batch.num_rows))
    return file


def test_the_tables_are_printed_with_models_side_by_side(
    dataset: Path, scored: Path, labels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", str(scored), str(labels), "--dataset", str(dataset), "--study", "accuracy"]) == 0
    out = capsys.readouterr().out
    heading = next(line for line in out.split("\n") if line.startswith("paradigm"))
    assert heading.split() == ["paradigm", "items", "majority", "tiny", "people"]
    assert re.search(rf"^both +{INSTANCES * 38} .* 100\.0 % \[\d\d\.\d, 100\.0\]$", out, re.M)


def test_a_report_of_choices_shows_their_items(datasets: SharedDatasets, tmp_path: Path) -> None:
    """Their parts have the names of columns of the dataset."""
    choices = datasets("scope/choice_universal_indefinite", n=FEW)
    file = tmp_path / "chooser.csv"
    with file.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", "part", "value"])
        for batch in gramprobe.read(choices).rows("choice_universal_indefinite", ["id"]):
            for id_ in batch.column("id").to_pylist():
                parts = ("option_a", "option_b", "without_context/option_a", "without_context/option_b")
                rows.writerows([id_, part, value] for part, value in zip(parts, (-0.5, -1.5, -1.0, -1.0), strict=True))
    out = tmp_path / "report.html"
    assert main(["report", str(file), "--dataset", str(choices), "--items", "1", "--out", str(out)]) == 0
    row = next(iter(gramprobe.read(choices).rows("choice_universal_indefinite", ["option_a"])))
    assert any(text in out.read_text("utf-8") for text in row.column("option_a").to_pylist())


def test_the_dataset_of_a_run_is_checked(
    scored: Path, datasets: SharedDatasets, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", str(scored), "--dataset", str(datasets(PARADIGM, n=FEW, design="paper"))]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error[E47]") and "another hash" in err


def test_that_a_model_is_no_better_than_what_does_not_reason_stands_above_everything(
    dataset: Path, scored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = "tiny is no better than a baseline that does not reason on 1 of 1 paradigm (`both`: "
    command = [str(scored), "--dataset", str(dataset)]
    assert main(["analyze", *command]) == 0
    assert capsys.readouterr().out.startswith(f"warning: {sentence}")
    assert main(["analyze", *command, "--study", "artefacts", "--json"]) == 0
    (study,) = json.loads(capsys.readouterr().out)["studies"]
    assert study["warnings"][0].startswith(sentence)
    assert main(["report", *command, "--out", str(tmp_path / "r.html")]) == 0
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    assert main(["report", *command, "--out", str(tmp_path / "notes.txt")]) == 2
    assert "not of the kind that this command writes" in capsys.readouterr().err
    assert (tmp_path / "notes.txt").read_text("utf-8") == "mine"
    page = (tmp_path / "r.html").read_text()
    summary = page[page.index('id="summary"') :]
    assert summary.index(f'<p class="warning">{sentence}') < summary.index("<table")
    assert sentence not in summary[summary.index("<table") :]


def test_json_has_the_numbers_unrounded(dataset: Path, labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["analyze", str(labels), "--dataset", str(dataset), "--study", "accuracy", "--json"]
    assert main(command) == 0
    (study,) = json.loads(capsys.readouterr().out)["studies"]
    table = study["tables"][0]
    assert table["name"] == "accuracy" and table["rows"][0]["paradigm"] == "both"
    assert table["rows"][0]["model_1"] == 1.0


def test_every_table_and_figure_is_written(dataset: Path, labels: Path, tmp_path: Path) -> None:
    other = tmp_path / "others.csv"
    other.write_bytes(labels.read_bytes())
    files = [str(labels), str(other)]
    command = ["analyze", *files, "--dataset", str(dataset), "--study", "accuracy", "--out", str(tmp_path)]
    assert main([*command, "--width", "84mm", "--columns", "2"]) == 0
    assert 'width="238.' in (tmp_path / "accuracy/accuracy.svg").read_text("utf-8")
    assert main(command) == 0
    place = tmp_path / "accuracy"
    names = {"accuracy", "confusions", "accuracy_both", "accuracy_against", "accuracy_against_conditions"}
    wanted = {f"{name}{ending}" for name in names for ending in (".md", ".html", ".tex", ".csv", ".json")}
    assert {file.name for file in place.iterdir()} == wanted | {"findings.md", "accuracy.svg", "accuracy.pdf"}
    before = (place / "accuracy.svg").read_bytes()
    assert main(command) == 0 and (place / "accuracy.svg").read_bytes() == before


def test_the_example_needs_no_scores(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "--example", "--study", "accuracy"]) == 0
    out = capsys.readouterr().out
    assert "words in common" in out and "negated hypothesis" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to analyse"),
        (["--example", "--frame", "x.csv"], "give scores, or --example"),
        (["scores", "--formula", "right ~ condition"], "gramprobe frame scores --out answers.csv, then"),
        (["--frame", "x.csv"], "needs both --frame and --formula"),
        (["--example", "--width", "3in"], "are for files"),
        (["--example", "--out", "x", "--width", "3"], "is no width of a figure"),
        (["--example", "--out", "x", "--font", "Dejavu"], "DejaVu Sans"),
        (["nowhere"], "`nowhere` is not there"),
        (["--example", "--study", "acuracy"], "did you mean `accuracy`"),
    ],
)
def test_wrong_use_is_exit_2_with_a_sentence(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["manifest.json", "run.json"])
def test_tables_are_not_written_into_what_is_replaced(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("{}", "utf-8")
    assert main(["analyze", "--example", "--out", str(tmp_path)]) == 2
    assert "give the tables a folder of their own" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == [name]


class Page(HTMLParser):
    """What a reader of a page relies on: balanced elements, anchors, nothing from elsewhere."""

    VOID = ("meta", "img", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.alternatives: list[str] = []
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if "href" in found else []
        self.sources += [found["src"] or ""] if "src" in found else []
        self.alternatives += [found.get("alt") or ""] if tag == "img" else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_a_report_is_one_file_that_loads_nothing(
    dataset: Path, scored: Path, labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "new" / "report.html"
    command = ["report", str(scored), str(labels), "--dataset", str(dataset), "--items", "1", "--out", str(file)]
    assert main([*command, "--title", "Of <two> & more"]) == 0
    text = file.read_text("utf-8")
    page = Page()
    page.feed(text)
    assert page.open == [] and len(set(page.ids)) == len(page.ids)
    assert {link.removeprefix("#") for link in page.links if link.startswith("#")} <= set(page.ids)
    files = [link for link in page.links if not link.startswith("#")]
    assert files and all(link.startswith("data:text/csv;charset=utf-8,") for link in files)
    assert page.sources and all(source.startswith("data:image/svg+xml;base64,") for source in page.sources)
    assert all(page.alternatives) and "@import" not in text and "url(" not in text
    assert text.count("<script") == 1 and "default-src 'none'" in text
    shown = "".join(page.text)
    assert "Of <two> & more" in shown
    assert "premise declared at grammars/" in shown and str(shipped_folder()) not in text  # the same on any machine
    assert "premise's tree" in shown and "In no model" in shown or "a model in which" in shown
    assert "with 95 % intervals by Wilson's method" in shown
    assert "tiny answers" in shown and f"gramprobe build presupposition/both --n {INSTANCES} --seed 0" in shown
    before = file.read_bytes()
    assert main([*command, "--title", "Of <two> & more"]) == 0 and file.read_bytes() == before


def test_methods_are_printed_as_prose_with_what_tables_share_said_once(
    dataset: Path, scored: Path, labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.html"
    command = ["report", str(scored), str(labels), "--dataset", str(dataset), "--methods", "--out", str(out)]
    assert main(command) == 0 and not out.exists()
    text = capsys.readouterr().out
    (run, _) = open_runs([scored, labels], [dataset])
    every = found([], open_runs([scored, labels], [dataset]), Given())
    methods = {replace(method, of="") for each in every for table in each.tables for method in table.methods}
    assert len(methods) > 3
    for method in methods:
        for part in (method.estimator, method.cluster, method.population, method.df, method.interval, method.test):
            assert part in text or part == "none", part
        assert text.count(f"estimate the {method.estimator}, with") <= len(methods)
    once = ("Wilson's method, for the effective number", "Degrees of freedom are instances less 1", "drawn with seed 0")
    assert [text.count(each) for each in once] == [1, 1, 1]
    assert f"gramprobe {gramprobe.__version__}" in text and "scipy " in text and "torch " in text
    assert run.model in text and "clusters" in text


def test_items_of_other_grammars_are_shown_without_their_trees(
    dataset: Path, labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gramprobe.cli import report

    monkeypatch.setattr(report, "_explained", lambda *_: ("", ""))
    file = tmp_path / "report.html"
    assert main(["report", str(labels), "--dataset", str(dataset), "--items", "1", "--out", str(file)]) == 0
    assert "the grammar here does not make this item" in file.read_text("utf-8")


def test_a_picture_that_stands_in_the_report_already_is_a_link_to_it(
    dataset: Path, labels: Path, tmp_path: Path
) -> None:
    """Two models with the same answers have the same pictures of their own; those that compare them stay."""
    other = tmp_path / "others.csv"
    other.write_bytes(labels.read_bytes())
    out = tmp_path / "report.html"
    arguments = ["--dataset", str(dataset), "--study", "theories", "--study", "imppres", "--items", "0"]
    assert main(["report", str(labels), str(other), *arguments, "--out", str(out)]) == 0
    page = out.read_text("utf-8")
    pictures = re.findall(r'<img src="([^"]*)"', page)
    assert pictures and len(set(pictures)) == len(pictures)
    for link in re.findall(r'<a href="#(picture-\d+)">The same picture as above', page):
        assert page.count(f'<figure id="{link}" ') == 1


def test_the_same_picture_is_in_a_page_once() -> None:
    drawn: dict[str, str] = {}
    first, second, other = (document.image(svg, "text", "caption", drawn) for svg in ("<svg/>", "<svg/>", "<svg />"))
    assert 'id="picture-1"' in first and "<img" in first
    assert "<img" not in second and 'caption <a href="#picture-1">' in second
    assert 'id="picture-2"' in other


def test_a_picture_is_made_smaller_without_its_texts() -> None:
    bars: dict[str, list[float | Interval | None]] = {
        "a <b>": [Interval(0.123456, 0.1, 0.2), 0.5],
        "0.123456789": [None, 1.0],
    }
    drawn = figures.grouped_bars(["one  two", "three"], bars, x="x", y="y")
    before = figures.svg(drawn)
    after = report.smaller(before)
    assert len(after) < 0.6 * len(before)
    one, other = (ElementTree.fromstring(svg) for svg in (before, after))
    name = "{http://www.w3.org/2000/svg}"
    assert [each.text for each in one.iter(f"{name}text")] == [each.text for each in other.iter(f"{name}text")]
    assert "0.123456789" in after and "one  two" in after
    for tag in ("path", "use", "text"):
        assert len(list(one.iter(name + tag))) == len(list(other.iter(name + tag)))
    named = {each.get("id") for each in other.iter()}
    assert {found for found in re.findall(r"#([\w.-]+)", after) if not re.fullmatch("[0-9a-f]{6}", found)} <= named
    classes = {each.get("class") for each in other.iter()} - {None}
    assert classes and all(f".{found}{{" in after for found in classes)
