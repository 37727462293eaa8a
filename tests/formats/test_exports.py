"""Exports: what `gramprobe export` writes of a dataset, held against the demands of the programs that read it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from csv import DictReader
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest
from support import imppres_files, relatives
from support.datasets import FEW, SOME_SCALES, SharedDatasets
from test_formats import implicatures, presuppositions

import gramprobe
from gramprobe.cli.main import main
from gramprobe.dataset.export import export
from gramprobe.formats import csv, writers, written
from gramprobe.formats.imppres import RELATIONS
from gramprobe.formats.scripts import lm_eval_tasks
from gramprobe.formats.tabular import guarded, unguarded
from gramprobe.records import in_headline
from gramprobe.source.diagnostic import UsageError

Exports = Callable[..., Path]


@pytest.fixture(scope="module")
def nli(datasets: SharedDatasets) -> Path:
    return datasets("presupposition/both", n=FEW)


@pytest.fixture(scope="module")
def choice(datasets: SharedDatasets) -> Path:
    return datasets("scope/choice_universal_indefinite", n=FEW)


def test_csv_reads_back_as_it_was(nli: Path, choice: Path, tmp_path: Path) -> None:
    for source in (nli, choice):
        made = export("csv", source, tmp_path / source.name)
        dataset = gramprobe.read(source)
        (name,) = made.paradigms
        before = pa.Table.from_batches(dataset.rows(name)).replace_schema_metadata()
        file = made.folder / f"{name}.csv"
        assert csv.reads(file)
        assert csv.read(file).equals(before)
        assert pyarrow.csv.read_csv(file).num_rows == made.rows == before.num_rows
        (made.folder / csv.METADATA).unlink()  # without the types all cells are texts
        assert set(csv.read(file).select(["id", "phenomenon"]).schema.types) == {pa.string()}


TEXTS = ["=1+1", "-", "-3.2", "+4e5", "@x", "\tx", "\rx", "'=x", "''-y", "'s", "", None, "a=b", "−3", "-1-1", "=", "'"]


def test_texts_that_a_spreadsheet_runs_are_escaped_and_come_back() -> None:
    safe = guarded(pa.array(TEXTS)).to_pylist()
    assert [text for text in safe if text and text[0] in "=+-@\t\r"] == ["-3.2", "+4e5"]
    assert safe[0] == "'=1+1" and safe[7] == "''=x" and safe[9] == "'s"
    assert unguarded(pa.array(safe)).to_pylist() == TEXTS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "line 1: the first columns are a, b"),
        ("id,phenomenon,paradigm\nx,y\n", "line 2: no CSV"),
        ('id,phenomenon,paradigm\nx,"y,z\n', "no CSV"),
    ],
)
def test_a_csv_of_something_else_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(text, "utf-8")
    with pytest.raises(UsageError) as refused:
        csv.read(tmp_path / "x.csv")
    assert refused.value.code == "E46" and said in refused.value.message


def test_metadata_that_say_no_types_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,phenomenon,paradigm\nx,y,z\n", "utf-8")
    (tmp_path / csv.METADATA).write_text("[]", "utf-8")
    with pytest.raises(UsageError, match="does not say the types"):
        csv.read(tmp_path / "x.csv")


def test_licence_citation_and_hashes_travel_and_an_export_is_replaced(nli: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert main(["export", "csv", str(nli), "--out", str(tmp_path / "out")]) == 0
    readme = (tmp_path / "out/README.md").read_text("utf-8")
    assert "- Licence: MIT\n" in readme and "- Please cite: Paloma Jeretič" in readme
    assert "Certificates, accounts and the design are in the dataset alone" in readme
    record = json.loads((tmp_path / "out/export.json").read_text("utf-8"))
    assert set(record["files"]) == {f.name for f in (tmp_path / "out").iterdir()} - {"export.json"}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]


def test_mistakes_of_the_command(nli: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("mine", "utf-8")
    for arguments, said in (
        (["cvs", str(nli)], "error[E29]: no format of exports named `cvs`; did you mean `csv`?"),
        (["labels", str(nli)], "error[E29]: no format of exports named `labels`"),
        (["csv", str(tmp_path)], "error[E44]"),
        (["csv", str(nli), "--out", str(tmp_path / "mine")], "error[E44]: `"),
        (["csv", str(nli), "--out", str(nli)], "exists and is not an export of gramprobe"),
        (["csv", str(nli), "--out", str(tmp_path / "mine/thesis.txt")], "exists and is not an export"),
        (["csv", str(nli), "--out", str(tmp_path / "mine/thesis.txt/out")], "error[E37]"),
    ):
        assert main(["export", *arguments]) in (1, 2)
        assert said in capsys.readouterr().err, arguments
    assert (tmp_path / "mine/thesis.txt").read_text("utf-8") == "mine"


def test_every_format_says_what_it_is_and_fits_some_task(nli: Path, choice: Path) -> None:
    designs = [gramprobe.read(each).design(name) for each in (nli, choice) for name in gramprobe.read(each).paradigms]
    for name, form in writers().items():
        assert form.about and not form.about.endswith("."), name
        assert {form.fits(design) for design in designs} <= {True, False}


# -- imppres


def test_presuppositions_have_the_rows_of_imppres(nli: Path, tmp_path: Path) -> None:
    made = export("imppres", nli, tmp_path / "out")
    file = made.folder / "both.jsonl"
    table = imppres_files.presupposition(file)  # the reader of the released files
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert table.num_rows == 19 * FEW and len({row["id"] for row in rows}) == 19 * FEW
    assert set(rows[0]) - {"id"} == set(presuppositions()[0]) and set(rows[15]) - {"id"} == set(presuppositions()[1])
    assert [row["gold_label"][0] for row in rows[:19]] == list("ecn" * 5 + "cnnn")
    assert [row["pairID"] for row in rows[17:20]] == ["17n", "18n", "19e"]
    assert [row["paradigmID"] for row in rows[::19]] == list(range(FEW))
    assert [row.get("trigger", row.get("trigger1")) for row in rows[2:19:3]] == [
        "unembedded", "negated", "interrogative", "modal", "conditional", "modal"
    ]  # fmt: skip
    assert f"{19 * FEW:,} rows are not here" in " ".join(made.notes)


@pytest.mark.slow
def test_implicatures_have_the_rows_of_imppres(datasets: SharedDatasets, tmp_path: Path) -> None:
    made = export("imppres", datasets("implicature", among=SOME_SCALES, n=FEW), tmp_path / "out")
    for name, lexemes in (("numerals_10_100_subject", "ten - a hundred"), ("quantifiers_object", "some - all")):
        file = made.folder / f"{name}.jsonl"
        table = imppres_files.implicature(file)
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        assert table.num_rows == 12 * FEW
        assert all(set(row) - {"id"} == set(implicatures()[0]) for row in rows)
        relations = {row["spec_relation"] for row in rows}
        assert relations - {"no_impl"} <= set(RELATIONS.values()) and len(relations) >= 7
        assert ("no_impl" in relations) is name.startswith("numerals")
        assert lexemes in {row["lexemes"] for row in rows}


def test_a_format_with_no_place_for_a_task_names_those_that_have(choice: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        export("imppres", choice, tmp_path / "out")
    assert refused.value.code == "E29" and "has no place for the rows of any paradigm" in refused.value.message
    assert refused.value.help.startswith("formats that have: ") and "csv" in refused.value.help
    assert not (tmp_path / "out").exists()


# -- lm-eval


@pytest.mark.slow
def test_rows_of_lm_eval_are_those_with_a_right_answer(datasets: SharedDatasets, tmp_path: Path) -> None:
    source = datasets("implicature", among=SOME_SCALES, n=FEW)
    made = export("lm-eval", source, tmp_path / "out")
    dataset, left = gramprobe.read(source), 0
    for name in made.paradigms:
        file = made.folder / f"{name}.jsonl"  # none where no row has a label
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
        every = [row for batch in dataset.rows(name) for row in batch.to_pylist()]
        labels = {row["id"]: row["label"] for row in every if row["label"] is not None and in_headline(row["tag"])}
        assert {row["id"]: row["target"] for row in rows} == labels
        left += len(every) - len(rows)
    assert left and f"{left:,} rows are not here" in " ".join(made.notes)


def test_a_dataset_of_which_no_row_is_asked_is_refused(
    nli: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gramprobe.formats.lm_eval._docs", lambda *_: iter(()))
    with pytest.raises(UsageError, match="all 190 rows would be left out") as refused:
        export("lm-eval", nli, tmp_path / "out")
    assert refused.value.code == "E29" and not list(tmp_path.iterdir())


def test_ties_are_shares() -> None:
    one, other = (-1.0, False), (-2.0, False)
    assert [lm_eval_tasks.right({"target": t}, [one, one, other])["acc"] for t in (0, 1, 2)] == [0.5, 0.5, 0]
    assert lm_eval_tasks.option({"surface_at": 1, "preferred_at": -1}, [other, one]) == {"surface": 1}
    assert lm_eval_tasks.alpha({}, [one, other, other, one]) == {"alpha": -2, "alpha_positive": 0}
    assert lm_eval_tasks.candidate({}, [one, other]) == {"subject_bias": 1, "subject_preferred": 1}


# -- syntaxgym: its package cannot be installed with a Python of today, so that its demands stand here


REGION = re.compile(r"\((\d+);%([A-Za-z0-9_-]+)%\)")


def check_suite(suite: dict[str, Any]) -> None:
    """What the published schema and the parser of SyntaxGym 0.6 ask of a suite."""
    assert suite["meta"]["metric"] == "sum" and suite["meta"]["name"]
    numbers = [*map(str, range(1, len(suite["region_meta"]) + 1))]
    assert [*suite["region_meta"]] == numbers
    names = [[each["condition_name"] for each in item["conditions"]] for item in suite["items"]]
    assert all(own == names[0] for own in names) and all(re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in names[0])
    assert [item["item_number"] for item in suite["items"]] == [*range(1, len(names) + 1)]
    for condition in (each for item in suite["items"] for each in item["conditions"]):
        assert set(condition) == {"condition_name", "regions"}  # any other key is an argument too many
        assert [str(region["region_number"]) for region in condition["regions"]] == numbers
        assert all(text == " ".join(text.split()) for text in (r["content"] for r in condition["regions"]))
    for prediction in suite["predictions"]:
        assert prediction["type"] == "formula"
        assert {name for _, name in REGION.findall(prediction["formula"])} <= set(names[0])
        tree = ast.parse(REGION.sub("x", prediction["formula"]), mode="eval").body
        assert isinstance(tree, ast.Compare) and len(tree.ops) == 1
        for node in (each for each in ast.walk(tree) if isinstance(each, ast.BinOp)):
            assert f"({ast.unparse(node)})" in REGION.sub("x", prediction["formula"])  # two operands in parentheses


def test_a_suite_has_the_sentences_and_the_declared_formulas(tmp_path: Path) -> None:
    contrast = "  cleft = Tell(Passive(p, v), w, o, a)\ncontrast gap = orc - 0.5 src - 0.5 cleft\n"
    rows = relatives.rows_of(tmp_path, relatives.CLAUSES.replace("same words in verb, rest\n", contrast))
    made = export("syntaxgym", tmp_path / "data/reading", tmp_path / "out")
    suite = json.loads((made.folder / "relatives.json").read_text("utf-8"))
    check_suite(suite)
    texts = [
        " ".join(r["content"] for r in c["regions"]).rstrip() for item in suite["items"] for c in item["conditions"]
    ]
    assert texts == [row["sentence"] for row in rows]
    assert [each["formula"] for each in suite["predictions"]] == [
        f"(({n};%orc%) + ({n};%orc%)) > (({n};%src%) + ({own};%cleft%))" for n, own in ((1, 1), (3, 2), (4, 3))
    ]  # of subject, verb and rest: the cleft has no region `relative`, so that its numbers are others
    with (made.folder / "relatives.ids.csv").open(encoding="utf-8", newline="") as lines:
        ids = [row["id"] for row in DictReader(lines)]
    assert ids == [row["id"] for row in rows]


def test_a_suite_of_continuations_says_that_alpha_is_positive(datasets: SharedDatasets, tmp_path: Path) -> None:
    made = export("syntaxgym", datasets("scope/continuation_universal_indefinite", n=FEW), tmp_path / "out")
    suite = json.loads((made.folder / "continuation_universal_indefinite.json").read_text("utf-8"))
    check_suite(suite)
    (formula,) = [each["formula"] for each in suite["predictions"]]
    surprisal = {"ambiguous-followup_inverse": 4.0, "ambiguous-followup_surface": 1.0}
    surprisal |= {"control-followup_inverse": 2, "control-followup_surface": 2.5}
    # alpha: -[(-4 - -1) - (-2 - -2.5)] = 3.5
    assert eval(REGION.sub(lambda found: str(surprisal[found[2]]), formula)) is True


def test_a_suite_that_is_too_large_is_refused(nli: Path, choice: Path, tmp_path: Path, monkeypatch: Any) -> None:
    relatives.rows_of(tmp_path, relatives.CLAUSES)
    monkeypatch.setattr(written, "MOST", 5)
    with pytest.raises(UsageError, match="has 24 rows, and a test suite takes 5 at most") as refused:
        export("syntaxgym", tmp_path / "data/reading", tmp_path / "out")
    assert refused.value.code == "E29"
