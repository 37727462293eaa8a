"""Exports: what `gramprobe export` writes of a dataset, held against the demands of the programs that read it."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from csv import DictReader
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from forgery import Forger
from projects import PLAIN, toy
from support import imppres_files, minimal_pairs, relatives, scope_files
from support.datasets import FEW, SOME_SCALES, SharedDatasets
from test_formats import implicatures, presuppositions, write_csv

import gramprobe
from gramprobe.cli.main import main
from gramprobe.dataset.export import export
from gramprobe.dataset.read import Rights
from gramprobe.dataset.verify.verify import verify
from gramprobe.formats import (
    _unusable,
    blimp,
    csv,
    de_re,
    imppres,
    inspect,
    lm_eval,
    minicons,
    scope,
    syntaxgym,
    writers,
    writing,
)
from gramprobe.formats.imppres import RELATIONS
from gramprobe.formats.scripts import lm_eval_tasks
from gramprobe.formats.tabular import guarded, unguarded
from gramprobe.records import in_headline, sha256_of
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


def test_csv_has_the_levels_of_declared_factors_behind_the_columns_of_rows(
    datasets: SharedDatasets, tmp_path: Path
) -> None:
    source = datasets("acceptability/any_by_determiner", n=FEW)
    made = export("csv", source, tmp_path / "out")
    dataset = gramprobe.read(source)
    (name,) = made.paradigms
    design, rows = dataset.design(name), csv.read(made.folder / f"{name}.csv")
    assert design.factors and design.cells
    factors, cells = design.factors, design.cells
    before = pa.Table.from_batches(dataset.rows(name)).replace_schema_metadata()
    assert rows.select(before.column_names).equals(before)
    columns = {"licensor": "factor_licensor", "item": "item", "frequency": "frequency"}  # the rows have a `licensor`
    assert rows.column_names == [*before.column_names, *columns.values()]
    assert [each.name for each in factors] == list(columns) and "factor_licensor" in made.notes[1]
    for row in rows.to_pylist():
        for factor in factors:
            wanted: Any
            if factor.of == "condition":
                good, bad = (
                    next(each.levels for each in cells if condition in each.conditions)
                    for condition in row["condition"].split("-")
                )
                wanted = good[factor.name] if good[factor.name] == bad[factor.name] else None
            else:
                wanted = dataset.words[row["draws"][factor.draw]].values[str(factor.column)]
            found = row[columns[factor.name]]
            assert found == ((float(wanted) if wanted else None) if factor.kind == "number" else wanted)
    assert rows.schema.field("frequency").type == pa.float64() and rows.column("frequency").null_count < len(rows)


TEXTS = ["=1+1", "-", "-3.2", "+4e5", "@x", "\tx", "\rx", "'=x", "''-y", "'s", "", None, "a=b", "−3", "-1-1", "=", "'"]


def test_texts_that_a_spreadsheet_runs_are_escaped_and_come_back() -> None:
    safe = guarded(pa.array(TEXTS)).to_pylist()
    assert [text for text in safe if text and text[0] in "=+-@\t\r"] == ["-3.2", "+4e5"]
    assert safe[0] == "'=1+1" and safe[7] == "''=x" and safe[9] == "'s"
    assert unguarded(pa.array(safe)).to_pylist() == TEXTS


def test_a_csv_that_was_changed_beside_its_record_is_refused(nli: Path, tmp_path: Path) -> None:
    made = export("csv", nli, tmp_path / "out")
    file, about = made.folder / f"{made.paradigms[0]}.csv", made.folder / csv.METADATA
    for changed in (about, file):
        changed.write_bytes(changed.read_bytes() + b"\n")
        with pytest.raises(UsageError, match=changed.name) as refused:
            csv.read(file)
        assert refused.value.code == "E44"
        shutil.rmtree(made.folder)
        export("csv", nli, tmp_path / "out")


HEADING = "id,phenomenon,paradigm,premise,hypothesis,label,label_name,label_binary\n"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("a,p,q,x,y,0,entailment,1\nb,p,q,x,y,1,neutral,1\n", "line 3: `1` in `label_binary` beside the label neutral"),
        (
            'a,p,q,"x\n",y,0,entailment,1\nb,p,q,x,y,2,neutral,0\n',
            "line 4: `neutral` in `label_name` beside the label c",
        ),
        ("a,p,q,x,y,,entailment,\n", "line 2: `entailment` in `label_name` beside no label"),
        ("a,p,q,x,y,3,neutral,0\n", "line 2: `neutral` in `label_name` beside no label"),
        ("a,p,q,x,y,,not_entailment,\n", "line 2: `not_entailment` in `label_name` beside no label"),
        ("a,p,q,x,y,0,entailment,1\na,p,q,x,z,1,neutral,0\n", "line 3: `a` a second time"),
    ],
)
def test_rows_that_contradict_themselves_are_refused(rows: str, said: str, tmp_path: Path) -> None:
    """Whoever makes the hashes of a changed export anew still has to change all columns."""
    (tmp_path / "x.csv").write_text(HEADING + rows, "utf-8")
    with pytest.raises(UsageError) as refused:
        csv.read(tmp_path / "x.csv")
    assert refused.value.code == "E46" and said in refused.value.message


def test_whole_numbers_may_be_written_with_a_point(tmp_path: Path) -> None:
    """So pandas writes a column with an empty cell."""
    (tmp_path / "x.csv").write_text(f"{HEADING}a,p,q,x,y,0.0,entailment,1.0\nb,p,q,x,z,,,\n", "utf-8")
    assert csv.read(tmp_path / "x.csv").column("label_name").to_pylist() == ["entailment", None]
    (tmp_path / "x.csv").write_text(f"{HEADING}a,p,q,x,y,1.0,neutral,1.0\n", "utf-8")
    with pytest.raises(UsageError, match=r"`1\.0` in `label_binary` beside the label neutral"):
        csv.read(tmp_path / "x.csv")


SCORED = ["score", "--task", "nli", "--model", "rule:overlap", "--out", "o"]


@pytest.mark.parametrize("command", [SCORED, ["audit", "nli"]])
def test_a_pair_with_two_labels_is_refused(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text("premise,hypothesis,label,label_name\nIt is.,It is.,neutral,entailment\n", "utf-8")
    assert main([*command, "x.csv"]) == 2
    assert "x.csv, line 2: `entailment` in `label_name` beside the label neutral" in capsys.readouterr().err


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


def test_a_forged_dataset_is_refused_unless_asked_otherwise(
    nli: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger = Forger(Path(shutil.copytree(nli, tmp_path / nli.name)), "both")
    forger.edit_line(lambda line: bool(line["models"]), lambda line: line.update(rests_on=[], models={}))
    asked = ["export", "csv", str(forger.folder), "--out", str(tmp_path / "out")]
    assert main(asked) == 2
    assert "error[E44]" in capsys.readouterr().err and not (tmp_path / "out").exists()
    assert main([*asked, "--unchecked"]) == 0
    assert "was not checked" in (tmp_path / "out/README.md").read_text("utf-8")


def test_an_export_that_was_changed_is_not_read(
    nli: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    export("csv", nli, Path("out"))
    file = Path("out/both.csv")
    asked = ["score", str(file), "--task", "nli", "--model", "rule:overlap", "--out", "scores"]
    assert main(asked) == 0
    text = file.read_text("utf-8")
    file.write_text(text.replace('"target"', '"filler"', 1), "utf-8")
    assert file.read_text("utf-8") != text
    for command in ([*asked[:-1], "again"], ["audit", "nli", str(file)]):
        capsys.readouterr()
        assert main(command) == 2
        assert "was changed since it was exported" in capsys.readouterr().err
    Path("own.csv").write_bytes(file.read_bytes())
    assert main(["score", "own.csv", *asked[2:-1], "own"]) == 0


def test_an_export_with_fewer_rows_than_it_had_is_not_read(nli: Path, tmp_path: Path) -> None:
    """Though its hash was made anew."""
    made = export("csv", nli, tmp_path / "out")
    file, record = made.folder / "both.csv", made.folder / "export.json"
    before = sha256_of(file)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    record.write_text(record.read_text("utf-8").replace(before, sha256_of(file)), "utf-8")
    with pytest.raises(UsageError, match=r"the file has 189 rows, and `csv-metadata\.json` says 190") as refused:
        csv.read(file)
    assert refused.value.code == "E46"


def test_a_dataset_of_other_sources_is_exported_and_says_so(nli: Path, tmp_path: Path) -> None:
    for folder, said in ((nli, "has found nothing wrong"), (tmp_path / nli.name, "its sentences against nothing")):
        if not folder.exists():
            forger = Forger(Path(shutil.copytree(nli, folder)), "both")
            forger.edit_manifest(lambda made: next(iter(made["sources"].values())).update(sha256="0" * 64))
        assert main(["export", "csv", str(folder), "--out", str(tmp_path / "out")]) == 0
        assert said in (tmp_path / "out/README.md").read_text("utf-8")


def test_a_dataset_is_exported_beside_a_paradigm_that_was_edited_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files at hand give other rows, and ask for other certificates: nothing of that is a fault of the dataset."""
    monkeypatch.chdir(tmp_path)
    toy(tmp_path, f"size 3\n{PLAIN}").build("toy/one", out=tmp_path / "data")
    edited = PLAIN.replace("Lacks(w", "Lacks(v").replace("premise", "draw v : Who where v != w\npremise")
    project = toy(tmp_path, f"size 3\n{edited}")
    problems = verify(tmp_path / "data/toy--one", project.declarations).problems
    assert problems.by_code.keys() == {"E53", "E54"}, problems.kept
    assert main(["export", "csv", "data/toy--one", "--out", "out"]) == 0
    assert "its sentences against nothing" in Path("out/README.md").read_text("utf-8")


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


def test_a_card_that_is_no_text_is_refused(nli: Path, tmp_path: Path) -> None:
    """Also where its hash was made anew."""
    spoilt = tmp_path / nli.name
    shutil.copytree(nli, spoilt)
    (spoilt / "README.md").write_bytes(b"\xff")
    manifest = (spoilt / "manifest.json").read_text("utf-8")
    before = json.loads(manifest)["files"]["README.md"]
    (spoilt / "manifest.json").write_text(manifest.replace(before, sha256_of(spoilt / "README.md")), "utf-8")
    with pytest.raises(UsageError, match="it is no UTF-8") as refused:
        export("croissant", spoilt, tmp_path / "out")
    assert refused.value.code == "E44" and not (tmp_path / "out").exists()


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
    assert len(set(names[0])) == len(names[0])  # a formula finds a sentence by its condition
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


@pytest.mark.slow
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


def suite_of(source: Path, folder: Path) -> tuple[dict[str, Any], str]:
    """The suite of a dataset of one paradigm, which meets the demands, and the sentences that its export prints."""
    made = export("syntaxgym", source, folder)
    suite = json.loads((made.folder / f"{made.paradigms[0]}.json").read_text("utf-8"))
    check_suite(suite)
    return suite, " ".join(made.notes)


def formulas_of(suite: dict[str, Any]) -> list[str]:
    return [each["formula"] for each in suite["predictions"]]


def test_a_suite_of_crossed_minimal_pairs_has_each_sentence_once(tmp_path: Path) -> None:
    suite, notes = suite_of(minimal_pairs.built(tmp_path, minimal_pairs.CROSSED), tmp_path / "out")
    (names,) = {tuple(c["condition_name"] for c in item["conditions"]) for item in suite["items"]}
    assert sorted(names) == ["many", "many_s", "one", "one_base"]
    assert formulas_of(suite) == [
        "(1;%one%) < (1;%one_base%)",
        "(1;%many%) < (1;%many_s%)",
        "((1;%one_base%) + (1;%many_s%)) > ((1;%one%) + (1;%many%))",
    ]
    assert "the last formula says" in notes


def test_a_suite_without_a_contrast_goes_by_two_conditions_or_says_what_to_declare(tmp_path: Path) -> None:
    relatives.rows_of(tmp_path / "two", relatives.CLAUSES)
    suite, notes = suite_of(tmp_path / "two/data/reading", tmp_path / "out")
    assert formulas_of(suite) == [f"({n};%orc%) > ({n};%src%)" for n in (2, 3, 4)]
    assert "direction of the formulas is not declared: they say that the second condition is harder" in notes
    third = "  cleft = Tell(Passive(p, v), w, o, a)\n"
    relatives.rows_of(tmp_path / "three", relatives.CLAUSES.replace("same words in verb, rest\n", third))
    suite, notes = suite_of(tmp_path / "three/data/reading", tmp_path / "out")
    assert not formulas_of(suite) and "declare `contrast gap = orc - src`, or a factor of two levels" in notes


def test_regions_that_some_items_lack_keep_their_numbers() -> None:
    assert syntaxgym._merged("p", "c", [["a", "c"], ["a", "b", "c"], ["c", "d"]]) == ["a", "b", "c", "d"]
    with pytest.raises(UsageError, match="stand in different orders: a, b and b, a") as refused:
        syntaxgym._merged("p", "c", [["a", "b"], ["b", "a"]])
    assert refused.value.code == "E29"
    texts = [
        r["content"] for r in syntaxgym._condition("c", [("a", "x"), ("c", "y  z")], ["a", "b", "c"], 4)["regions"]
    ]
    assert texts == ["x", "", "y z", ""]


class Lacking(SimpleNamespace):
    """A dataset of sentences of which some stood in an earlier instance."""

    count = len

    def __init__(self, *conditions: str) -> None:
        super().__init__(conditions=conditions, manifest=SimpleNamespace(name="x"), rights=Rights("MIT", (), ()))

    def design(self, name: str) -> Any:
        scored = SimpleNamespace(context=(), options=(), continuations=("text",), slot="", label=())
        return SimpleNamespace(scored=scored, labels=None, factors=(), contrasts=(), cells=())

    def columns(self, name: str) -> list[str]:
        return ["id", "condition", "instance", "text", "tag"]

    def rows(self, name: str, columns: Any) -> Any:
        every = [
            {"id": f"{n}{c}", "condition": c, "instance": str(n), "text": f"{n} {c}", "tag": "target"}
            for n, own in enumerate(self.conditions)
            for c in own
        ]
        yield pa.RecordBatch.from_pylist(every).select(columns)


def test_instances_that_lack_a_condition_are_counted(tmp_path: Path) -> None:
    notes = syntaxgym.write(Lacking("b", "ab", "ab"), ["p"], tmp_path)
    suite = json.loads((tmp_path / "p.json").read_text("utf-8"))
    check_suite(suite)
    assert [c["regions"][0]["content"] for c in suite["items"][0]["conditions"]] == ["1 a", "1 b"]
    assert any("1 of 3 instances are not here" in note for note in notes)
    with pytest.raises(UsageError, match="no instance of `p` has all conditions"):
        syntaxgym.write(Lacking("a", "b"), ["p"], tmp_path)


def test_cells_of_a_design_are_no_pairs_of_headline_scores(datasets: SharedDatasets, tmp_path: Path) -> None:
    source = datasets("acceptability/any_by_determiner", n=FEW)
    for form in ("lm-eval", "inspect", "blimp"):
        made = export(form, source, tmp_path / form)
        lines = (made.folder / "any_by_determiner.jsonl").read_text("utf-8").splitlines()
        cells = [line for line in lines if "licensed_plain" in json.loads(line)["id"]]
        assert len(lines) == 2 * FEW and not cells, form
        assert any(note.startswith(f"{FEW} rows are not here") for note in made.notes), form
        assert not any("Columns that are not here" in note and "sentence_good" in note for note in made.notes), form


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
    monkeypatch.setattr(writing, "MOST", 5)
    with pytest.raises(UsageError, match="has 24 rows, and a test suite takes 5 at most") as refused:
        export("syntaxgym", tmp_path / "data/reading", tmp_path / "out")
    assert refused.value.code == "E29"


# -- scope and de_re: read by the readers of the released files


def test_items_of_scope_are_read_as_the_released_files(datasets: SharedDatasets, choice: Path, tmp_path: Path) -> None:
    made = export("scope", choice, tmp_path / "choice")
    table = scope_files.choice(made.folder / "exp1_base_dataset.csv")
    assert table.column("order").to_pylist() == [1, 2] * FEW
    assert table.column("key").to_pylist().count("A") == FEW and set(table.column("reading").to_pylist()) == {"surface"}
    assert {*table.column("op1_kind").to_pylist(), *table.column("op2_kind").to_pylist()} == {"universal", "indefinite"}
    with (made.folder / "exp1.ids.csv").open(encoding="utf-8", newline="") as lines:
        ids = list(DictReader(lines))
    assert [row["idx"] for row in ids] == table.column("item").to_pylist()
    source = datasets("scope/continuation_universal_indefinite", n=FEW)
    made = export("scope", source, tmp_path / "continuation")
    parts = scope.continuation(made.folder / "exp2_base_dataset.csv").to_pylist()
    (row, *_) = next(gramprobe.read(source).rows("continuation_universal_indefinite")).to_pylist()
    assert [(p["part"], p["sentence"], p["followup"]) for p in parts[:4]] == [
        ("s_f1", row["ambiguous"], row["followup_inverse"]),
        ("s_f2", row["ambiguous"], row["followup_surface"]),
        ("control_f1", row["control"], row["followup_inverse"]),
        ("control_f2", row["control"], row["followup_surface"]),
    ]
    assert (parts[0]["op1_kind"], parts[0]["op2_kind"]) == ("QD", "IND") and len(parts) == 4 * FEW


def test_texts_of_de_re_are_read_as_the_released_files(datasets: SharedDatasets, tmp_path: Path) -> None:
    source = datasets("de_re_de_dicto/belief", n=FEW)
    made = export("de_re", source, tmp_path / "out")
    file = made.folder / "belief_preprocessed.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(DictReader(lines))
    assert [row[""] for row in rows] == [str(n) for n in range(2 * FEW)]
    write_csv(tmp_path / "processed.csv", [{**row, "score": -1.5 if "_J" in row["sentence"] else -2} for row in rows])
    biases = de_re.biases([tmp_path / "processed.csv"]).to_pylist()
    texts = [row["text"] for batch in gramprobe.read(source).rows("belief") for row in batch.to_pylist()]
    assert [row["sentence"] for row in biases] == texts
    for row in biases:
        that = {"indefinite": r"an?", "deictic": "that"}[row["determiner"]]
        made_of = (
            rf"{row['subject']} {row['verb']} {that} {row['noun']} is {row['embedded_verb']}\. I {row['followup']} "
        )
        assert re.match(made_of, row["sentence"]) and row["verb_class"] == "intensional"


def test_a_text_of_another_form_is_left_out_and_counted() -> None:
    scored = SimpleNamespace(context=("text",), options=("a", "b"), slot="[pronoun]")
    row = {"text": "Kim left. I met [pronoun].", "a": "Kim", "b": "a pilot", "frame": "finite", "id": "x"}
    assert list(de_re._rows(scored, row)) == []
    row["text"] = "Kim would like a pilot to sing. I met [pronoun]."
    sentences = [each[0] for each in de_re._rows(scored, row)]
    assert sentences == [row["text"].replace("a pilot", "_a pilot_"), row["text"].replace("Kim", "_Kim_")]


# -- croissant


def test_croissant_says_licence_answers_and_hashes(nli: Path, tmp_path: Path) -> None:
    made = export("croissant", nli, tmp_path / "out")
    said = json.loads((made.folder / "croissant.json").read_text("utf-8"))
    assert said["license"] == "https://spdx.org/licenses/MIT" and said["citeAs"].startswith("Paloma Jeretič")
    assert said["conformsTo"][0].endswith("/croissant/1.1") and said["rai:hasSyntheticData"] is True
    assert {name for name in said if name.startswith("rai:")} >= {
        "rai:dataLimitations", "rai:dataBiases", "rai:personalSensitiveInformation", "rai:dataUseCases",
        "rai:dataSocialImpact", "rai:dataCollection",
    }  # fmt: skip
    (file,) = said["distribution"]
    assert file["sha256"] == sha256_of(made.folder / "both.parquet")
    assert not any(pa.types.is_nested(field.type) for field in pa.parquet.read_schema(made.folder / "both.parquet"))


# -- pairs of sentences, which no shipped paradigm has


PAIRS = [
    ("The cats near the dog sleep.", "The cats near the dog sleeps."),
    ("The cat sleeps here.", "The cats sleeps here."),
    ("No cat ever sleeps.", "Some cat ever sleeps."),
    ("Cats sleep.", "Sleep cats."),
]


class Pairs:
    """A dataset of pairs, as a format sees it."""

    manifest = SimpleNamespace(name="agreement", gramprobe="0", paradigms={})
    rights = Rights("CC-BY-4.0", (), ())
    own = SimpleNamespace(context=(), options=("good", "bad"), continuations=(), slot="", label=())

    def design(self, name: str) -> Any:
        return SimpleNamespace(scored=self.own, labels=None, columns=[], factors=(), cells=())

    def columns(self, name: str) -> tuple[str, ...]:
        return ("id", "paradigm", "condition", "instance", "tag", "good", "bad")

    def count(self, name: str) -> int:
        return len(PAIRS)

    def rows(self, name: str, columns: list[str]) -> Any:
        common = {"paradigm": name, "condition": "c", "tag": "target"}
        every = [{"id": f"x/{n}", "instance": str(n), "good": g, "bad": b, **common} for n, (g, b) in enumerate(PAIRS)]
        yield pa.RecordBatch.from_pylist(every).select(columns)


def test_minimal_pairs_have_the_fields_of_blimp(tmp_path: Path) -> None:
    assert blimp.fits(Pairs().design("p")) and not imppres.fits(Pairs().design("p"))
    blimp.write(Pairs(), ["p"], tmp_path)
    one, two, three, four = (json.loads(line) for line in (tmp_path / "p.jsonl").read_text("utf-8").splitlines())
    assert set(one) >= {
        "sentence_good", "sentence_bad", "field", "linguistics_term", "UID", "simple_LM_method", "one_prefix_method",
        "two_prefix_method", "lexically_identical", "pairID",
    }  # fmt: skip
    assert (one["one_prefix_prefix"], one["one_prefix_word_good"], one["one_prefix_word_bad"]) == (
        "The cats near the dog", "sleep.", "sleeps."
    )  # fmt: skip
    assert not one["two_prefix_method"]
    assert (two["one_prefix_method"], two["two_prefix_method"], two["two_prefix_word"]) == (True, True, "sleeps")
    assert (three["one_prefix_method"], three["two_prefix_prefix_bad"], three["two_prefix_word"]) == (
        False,
        "Some",
        "cat",
    )
    assert not four["one_prefix_method"] and not four["two_prefix_method"]


def test_the_better_sentence_stands_first_in_every_other_row(tmp_path: Path) -> None:
    lm_eval.write(Pairs(), ["p"], tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text("utf-8").splitlines()]
    assert [(row["target"], row["choices"][row["target"]]) for row in rows] == [
        (n % 2, good) for n, (good, _) in enumerate(PAIRS)
    ]
    inspect.write(Pairs(), ["p"], tmp_path)
    samples = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text("utf-8").splitlines()]
    assert [(s["target"], s["choices"]["AB".index(s["target"])]) for s in samples] == [
        ("AB"[n % 2], good) for n, (good, _) in enumerate(PAIRS)
    ]
    syntaxgym.write(Pairs(), ["p"], tmp_path)
    check_suite(suite := json.loads((tmp_path / "p.json").read_text("utf-8")))
    assert suite["predictions"] == [{"type": "formula", "formula": "(1;%c-good%) < (1;%c-bad%)"}]
    minicons.write(Pairs(), ["p"], tmp_path)
    with (tmp_path / "p.parts.csv").open(encoding="utf-8", newline="") as lines:
        parts = [(row["part"], row["start"], row["context"], row["text"]) for row in DictReader(lines)]
    assert parts[:2] == [("good", "yes", "", PAIRS[0][0]), ("bad", "yes", "", PAIRS[0][1])]


@pytest.mark.parametrize("which", ["nli", "choice"])
def test_right_choices_stand_at_each_letter_equally_often(which: str, nli: Path, choice: Path, tmp_path: Path) -> None:
    made = export("inspect", nli if which == "nli" else choice, tmp_path / "out")
    (file,) = made.folder.glob("*.jsonl")
    samples = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    letters = Counter(sample["target"] for sample in samples)
    assert max(letters.values()) - min(letters.values()) <= 3
    assert all(len(sample["choices"]) == len(set(sample["choices"])) for sample in samples)


def test_what_neither_reads_nor_writes_is_no_format() -> None:
    assert _unusable(csv) == _unusable(blimp) == _unusable(SimpleNamespace(about="x", fits=len, write=len)) == ""
    assert _unusable(SimpleNamespace(about="x", write=len)).startswith("it has neither `suffixes`")
    assert _unusable(Pairs) == "it is the class Pairs, and not an object of it"
