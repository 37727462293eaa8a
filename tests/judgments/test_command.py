"""`gramprobe judgments` from files to a folder that stands beside scores; nothing about a person leaves it."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.datasets import FEW, SharedDatasets
from support.scores import labels_file

from gramprobe.analysis.answers import answers
from gramprobe.analysis.judgments import run_of
from gramprobe.analysis.long_frame import item_frame
from gramprobe.analysis.open import open_runs
from gramprobe.cli.main import main
from gramprobe.dataset.read import Dataset, read
from gramprobe.items import preferences
from gramprobe.judgments.folder import open_folder
from gramprobe.records import sha256_of
from gramprobe.source.diagnostic import Findings, UsageError
from gramprobe.source.files import Source

SECRETS = ("5f3c9d8e7a6b", "zoe@mail.org", "10.0.0.7", "Mozilla", "2026-11-26T10:00", "33 years", "<img src=x")


@pytest.fixture(scope="session")
def pairs(datasets: SharedDatasets) -> Dataset:
    return read(datasets("presupposition/both", n=FEW))


@pytest.fixture(scope="session")
def choices(datasets: SharedDatasets) -> Dataset:
    return read(datasets("scope/choice_universal_indefinite", n=FEW))


def rows_of(dataset: Dataset) -> list[dict[str, Any]]:
    return [row for name in dataset.paradigms for batch in dataset.rows(name) for row in batch.to_pylist()]


def answers_file(path: Path, dataset: Dataset, right: list[float]) -> Path:
    """Answers of a person for each share of ``right`` labels; others are wrong."""
    random = np.random.default_rng(1)
    with path.open("w", encoding="utf-8", newline="") as lines:
        out = csv.writer(lines)
        out.writerow(["person", "id", "answer", "rt", "PROLIFIC_PID", "ip", "agent", "received", "age", "comment"])
        for number, share in enumerate(right):
            for row in rows_of(dataset):
                label = row["label_name"]
                given = label if random.random() < share else "entailment" if label == "neutral" else "neutral"
                secret = (SECRETS[0], *SECRETS[2:])
                out.writerow([f"{SECRETS[1]}{number}", row["id"], given, 500 + number, *secret])
    return path


@pytest.fixture(scope="module")
def command(pairs: Dataset, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder that the command writes of answers of five people, and what it prints. Not to be changed."""
    place = tmp_path_factory.mktemp("judged")
    file = answers_file(place / "people.csv", pairs, [1.0, 0.9, 0.8, 0.7, 0.5])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(["judgments", str(file), "--dataset", str(pairs.folder), "--out", str(place / "out")]) == 0
    return place / "out", printed.getvalue()


@pytest.fixture
def judged(command: tuple[Path, str], tmp_path: Path) -> Path:
    """A copy of the folder."""
    return Path(shutil.copytree(command[0], tmp_path / "out"))


def test_nothing_about_a_person_is_written_or_printed(command: tuple[Path, str]) -> None:
    judged, printed = command
    assert "not read: PROLIFIC_PID, ip, agent, received, age, comment" in printed
    files = [file for file in judged.rglob("*") if file.is_file()]
    assert len(files) > 10
    for secret in SECRETS:
        assert secret not in printed
        assert not [file for file in files if secret.encode() in file.read_bytes()], secret
    for name in ("answers.parquet", "times.parquet"):
        table = pq.read_table(judged / name)
        for column in table.columns:
            assert not any(isinstance(v, str) and any(s in v for s in SECRETS) for v in column.to_pylist())
    assert set(pq.read_table(judged / "answers.parquet").column("person").to_pylist()) == {
        f"p00{n}" for n in range(1, 6)
    }


def test_the_table_of_codes_is_written_where_it_is_asked_for(pairs: Dataset, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    first = rows_of(pairs)[0]["id"]
    file.write_text(f'person,id,answer\n"=HYPERLINK(""x"")",{first},neutral\nann,{first},neutral\n', "utf-8")
    out, codes = tmp_path / "out", tmp_path / "secret" / "codes.csv"
    arguments = ["judgments", str(file), "--dataset", str(pairs.folder), "--out", str(out), "--codes", str(codes)]
    assert main(arguments) == 0
    rows = list(csv.DictReader(codes.open(encoding="utf-8")))
    assert rows[0] == {"code": "p001", "file": "people.csv", "person": '\'=HYPERLINK("x")'}  # a spreadsheet runs none
    assert rows[1]["person"] == "ann"


def test_people_are_a_run_whose_accuracy_is_that_of_their_answers(judged: Path, pairs: Dataset) -> None:
    (run,) = open_runs([judged], [pairs.folder])
    assert (run.model, run.mode, run.labels) == ("people", "people", ("entailment", "neutral", "contradiction"))
    label = {row["id"]: row["label_name"] for row in rows_of(pairs)}
    given = pq.read_table(judged / "answers.parquet").to_pylist()
    share = np.mean([row["answer"] == label[row["id"]] for row in given if label[row["id"]]])
    assert np.nanmean(answers(run).right()) == pytest.approx(share)
    # and the norms say the same of each item
    norms = {row["id"]: row for row in csv.DictReader((judged / "items.csv").open(encoding="utf-8"))}
    first = next(id_ for id_ in label if label[id_] == "neutral")
    mine = [row["answer"] for row in given if row["id"] == first]
    assert float(norms[first]["share_neutral"]) == pytest.approx(mine.count("neutral") / 5)
    assert norms[first]["n"] == "5" and float(norms[first]["agreement"]) >= 0.5


def test_people_stand_in_the_tables_of_models_and_a_person_in_the_frame(
    judged: Path, pairs: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = labels_file(tmp_path / "yes.csv", {row["id"]: "entailment" for row in rows_of(pairs)})
    capsys.readouterr()
    common = [str(model), str(judged), "--dataset", str(pairs.folder)]
    assert main(["analyze", *common, "--study", "accuracy", "--json"]) == 0
    (study,) = json.loads(capsys.readouterr().out)["studies"]
    assert set(study["tables"][0]["rows"][0]) >= {"model_1", "model_2"}
    assert main(["frame", *common, "--out", str(tmp_path / "f.parquet")]) == 0
    table = pq.read_table(tmp_path / "f.parquet")
    kinds = dict(zip(table.column("source").to_pylist(), table.column("source_kind").to_pylist(), strict=True))
    assert kinds == {"yes": "model", **{f"p00{n}": "person" for n in range(1, 6)}}
    right = table.filter(pa.compute.equal(table.column("source"), "p001")).column("right")
    assert set(right.to_pylist()) == {1.0} and "rt" in table.column_names and "list" not in table.column_names
    report = tmp_path / "report.html"
    assert main(["report", *common, "--out", str(report)]) == 0
    assert "people" in report.read_text("utf-8")


def test_minimal_pairs_are_judged_by_choices_and_sentence_by_sentence(datasets: SharedDatasets, tmp_path: Path) -> None:
    """Accuracy is the share that picks the good sentence, or of items whose good sentence is rated higher; factors have
    the level of the sentence that was judged."""
    dataset = read(datasets("acceptability/any_by_determiner", n=FEW))
    rows = [row for row in rows_of(dataset) if row["tag"] != "cell"]
    picked = tmp_path / "picked.csv"
    wrong = rows[0]["id"]
    lines = [f"{p},{r['id']},{'sentence_bad' if r['id'] == wrong else 'sentence_good'}" for p in "ab" for r in rows]
    picked.write_text("\n".join(["person,id,answer", *lines]), "utf-8")
    rated = tmp_path / "rated.csv"
    scale = {"sentence_good": 6, "sentence_bad": 5}
    lines = [
        f"{p},{r['id']},{part},{7 - n if r['id'] == wrong else n}"
        for p in "ab" for r in rows for part, n in scale.items()
    ]  # fmt: skip
    rated.write_text("\n".join(["person,id,part,answer", *lines]), "utf-8")
    for file in (picked, rated):
        out = tmp_path / file.stem
        assert main(["judgments", str(file), "--dataset", str(dataset.folder), "--out", str(out)]) == 0
        (run,) = open_runs([out], [dataset.folder])
        table, measures = item_frame(run)
        of = dict(zip(table.column("id").to_pylist(), measures["accuracy"].tolist(), strict=True))
        assert of == {row["id"]: float(row["id"] != wrong) for row in rows}
    frame = tmp_path / "frame.parquet"
    options = ["--dataset", str(dataset.folder), "--out", str(frame)]
    assert main(["frame", str(tmp_path / "rated"), *options]) == 0
    levels = {
        (row["condition"], row["part"]): (row["item"], row["factor_licensor"])
        for row in pq.read_table(frame).to_pylist()
    }
    assert levels == {
        ("licensed-unlicensed", "sentence_good"): ("any", "yes"), ("plain-unlicensed", "sentence_good"): ("the", "no"),
        ("licensed-unlicensed", "sentence_bad"): ("any", "no"), ("plain-unlicensed", "sentence_bad"): ("any", "no"),
    }  # fmt: skip


def test_norms_are_joined_with_items_as_columns(judged: Path, pairs: Dataset, tmp_path: Path) -> None:
    rows = rows_of(pairs)
    model = labels_file(tmp_path / "yes.csv", {row["id"]: "entailment" for row in rows})
    plausible = judged.rename(tmp_path / "plausible-1")
    out = str(tmp_path / "f.parquet")
    arguments = ["frame", str(model), "--dataset", str(pairs.folder), "--norms", str(plausible), "--out", out]
    assert main(arguments) == 0
    table = pq.read_table(out)
    norms = {row["id"]: row for row in csv.DictReader((plausible / "items.csv").open(encoding="utf-8"))}
    assert table.num_rows == len(rows)
    for row in table.select(["id", "plausible_1_agreement", "plausible_1_n", "plausible_1_commonest"]).to_pylist():
        assert row["plausible_1_agreement"] == float(norms[row["id"]]["agreement"]) and row["plausible_1_n"] == 5
        assert (row["plausible_1_commonest"] or "") == norms[row["id"]]["commonest"]
    assert "plausible_1_entropy_c" in table.column_names


@pytest.mark.parametrize("spoilt", ["", "id,n\na,1,2\n", "n\n1\n", "id,id\na,b\n", "id,n\na,1\na,2\n"])
def test_norms_that_are_no_table_of_items_are_refused(
    spoilt: str, judged: Path, pairs: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the record has the hash of what was spoilt."""
    whole = (judged / "items.csv").read_bytes()
    (judged / "items.csv").write_text(spoilt, "utf-8")
    was, now = (hashlib.sha256(raw).hexdigest() for raw in (whole, spoilt.encode()))
    record = (judged / "judgments.json").read_text("utf-8")
    assert was in record
    (judged / "judgments.json").write_text(record.replace(was, now), "utf-8")
    common = ["--dataset", str(pairs.folder), "--norms", str(judged), "--out", str(tmp_path / "f.parquet")]
    assert main(["frame", str(judged), *common]) == 2
    assert "error[E94]" in capsys.readouterr().err


def test_means_of_ratings_do_not_leave_the_scale(pairs: Dataset, tmp_path: Path) -> None:
    rows = rows_of(pairs)[:12]
    given = [
        (f"p{person}", row["id"], 7 if (person + n) % 9 else 1) for person in range(9) for n, row in enumerate(rows)
    ]
    file = tmp_path / "a.csv"
    file.write_text("person,id,answer\n" + "".join(f"{p},{id_},{a}\n" for p, id_, a in given), "utf-8")
    arguments = [str(file), "--dataset", str(pairs.folder), "--out", str(tmp_path / "out")]
    assert main(["judgments", *arguments]) == 0
    (whole, *_) = csv.DictReader((tmp_path / "out" / "tables" / "judgments_answers.csv").open(encoding="utf-8"))
    assert float(whole["mean"]) == pytest.approx(np.mean([a for _, _, a in given]))
    low, high = (float(whole[f"mean_{end}"]) for end in ("low", "high"))
    assert 1 <= low < float(whole["mean"]) < high <= 7


def test_what_is_html_in_a_file_is_text_in_the_tables(pairs: Dataset, tmp_path: Path) -> None:
    id_, file = rows_of(pairs)[0]["id"], tmp_path / "a.csv"
    file.write_text(f"person,id,answer,region,word,rt\nann,{id_},,<img src=x>,=1+1,300\n", "utf-8")
    arguments = [str(file), "--dataset", str(pairs.folder), "--out", str(tmp_path / "out")]
    assert main(["judgments", *arguments]) == 0
    page = (tmp_path / "out" / "tables" / "judgments_regions.html").read_text("utf-8")
    assert "<img" not in page and "&lt;img src=x&gt;" in page


def test_choices_become_preferences_that_a_build_reads(choices: Dataset, tmp_path: Path) -> None:
    rows = rows_of(choices)
    with (tmp_path / "people.csv").open("w", encoding="utf-8", newline="") as lines:
        out = csv.writer(lines)
        out.writerow(["person", "id", "answer"])
        for person in range(4):
            for row in rows:
                surface = "A" if row["picks_a"] == row["surface"] else "B"
                out.writerow([f"q{person}", row["id"], surface if person else "AB"[surface == "A"]])
    folder = tmp_path / "out"
    arguments = [str(tmp_path / "people.csv"), "--dataset", str(choices.folder), "--out", str(folder)]
    assert main(["judgments", *arguments]) == 0
    text = (folder / "preferences.csv").read_text("utf-8")
    found = preferences.read(Source(name="p.csv", path="p.csv", text=text, sha256="", origin="given"), Findings())
    assert {sentence: each.reading for sentence, each in found.items()} == {
        row["sentence"]: row["surface"] for row in rows
    }
    run = run_of(open_folder(folder), choices)
    assert run.parts == ("option_a", "option_b") and sorted(set(run.scores.column("value").to_pylist())) == [0.25, 0.75]
    assert main(["analyze", str(folder), "--dataset", str(choices.folder), "--study", "scope"]) == 0
    assert main(["analyze", str(folder), "--dataset", str(choices.folder), "--study", "any"]) == 0


def test_instances_of_which_people_do_not_agree_are_on_the_veto_list(pairs: Dataset, tmp_path: Path) -> None:
    rows = rows_of(pairs)
    instances = list(dict.fromkeys(row["instance"] for row in rows))
    one, other, few = (next(row for row in rows if row["instance"] == name) for name in instances[:3])
    given = [(f"p{n}", one, "neutral") for n in range(4)]
    given += [(f"p{n}", other, ("neutral", "entailment")[n % 2]) for n in range(4)]
    given += [(f"p{n}", few, "neutral") for n in range(3)]
    text = "".join(f"{person},{row['id']},{answer}\n" for person, row, answer in given)
    (tmp_path / "a.csv").write_text(f"person,id,answer\n{text}", "utf-8")
    folder = tmp_path / "out"
    arguments = [str(tmp_path / "a.csv"), "--dataset", str(pairs.folder), "--out", str(folder)]
    assert main(["judgments", *arguments]) == 0
    lines = (folder / "veto" / "both.veto.tsv").read_text("utf-8").splitlines()
    assert lines == [
        "instance\treason",
        f"{other['instance']}\t50% of 4 people agree, less than 75% ({other['condition']})",
        f"{few['instance']}\t3 of the 4 answers that are needed ({few['condition']})",
    ]


def test_a_folder_is_replaced_by_another_run_and_nothing_else_is(judged: Path, pairs: Dataset, tmp_path: Path) -> None:
    file = answers_file(tmp_path / "two.csv", pairs, [1.0, 1.0])
    arguments = ["judgments", str(file), "--dataset", str(pairs.folder), "--out"]
    assert main([*arguments, str(judged)]) == 0
    assert open_folder(judged).entry.persons == 2
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x")
    assert main([*arguments, str(tmp_path / "mine")]) == 2
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "x"
    assert not list(tmp_path.glob(".*"))


def test_a_damaged_folder_is_refused(judged: Path, pairs: Dataset, tmp_path: Path) -> None:
    whole, record = ((judged / name).read_bytes() for name in ("answers.parquet", "judgments.json"))
    spoilt = {"answers.parquet": whole[:-3], "judgments.json": record.replace(b'"counted": ', b'"counted": 1')}
    for name, text in spoilt.items():
        copy = tmp_path / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(judged, copy)
        (copy / name).write_bytes(text)
        with pytest.raises(UsageError) as error:
            open_runs([copy], [pairs.folder])
        assert error.value.code == "E94"
    with pytest.raises(UsageError, match="not a folder of judgments"):
        open_folder(tmp_path)


@pytest.mark.slow
def test_a_record_that_contradicts_its_answers_is_refused(judged: Path, pairs: Dataset) -> None:
    """Labels of another name ended in a fault of ours, other numbers of people in the tables."""
    honest = json.loads((judged / "judgments.json").read_text("utf-8"))
    lies = [
        {"persons": honest["persons"] + 1}, {"kept": 10**20}, {"answers": 1}, {"values": ["yes", "no", "maybe"]},
        {"values": ["neutral", "contradiction"]}, {"kind": "name", "values": ["neutral"]}, {"kind": "rating"},
        {"excluded": {"same": {"rule": "x", "people": 0, "answers": 3}}},
        {"files": {name: value for name, value in honest["files"].items() if name != "persons.csv"}},
    ]  # fmt: skip
    for lie in lies:
        (judged / "judgments.json").write_text(json.dumps({**honest, **lie}), "utf-8")
        with pytest.raises(UsageError) as error:
            open_runs([judged], [pairs.folder])
        assert error.value.code == "E94", lie


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("paradigm", "other", "is not of other"),
        ("instance", "x", "is not of"),
        ("condition", "x", "is not of"),
        ("role", "filler", "has not the role"),
        ("number", 7.0, "an answer has a number"),
        ("rt", -5.0, "below 0, or no number"),
        ("rt", float("inf"), "below 0, or no number"),
    ],
)
def test_answers_that_contradict_themselves_are_refused(
    judged: Path, pairs: Dataset, column: str, value: object, reason: str
) -> None:
    """Though the hash of their file was made anew."""
    file, record = judged / "answers.parquet", judged / "judgments.json"
    table, before = pq.read_table(file), sha256_of(file)
    at = table.schema.get_field_index(column)
    values = [value, *table.column(column).to_pylist()[1:]]
    pq.write_table(table.set_column(at, table.schema.field(at), pa.array(values, table.schema.field(at).type)), file)
    record.write_text(record.read_text("utf-8").replace(before, sha256_of(file)), "utf-8")
    with pytest.raises(UsageError, match=reason) as error:
        open_runs([judged], [pairs.folder])
    assert error.value.code == "E94"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--exclude", "seconds=5..1"], "`--exclude seconds=5..1` is no rule"),
        (["--exclude", "catch=2"], "no answer is to one"),
        (["--codes", "out/codes.csv"], "handed on without names"),
        (["--codes", "a.csv"], "`a.csv` is read by this command"),
        (["--exclude", "same=2"], "no answer to an item of the dataset is left"),
        (["--experiment", "nowhere"], "experiment.json"),
    ],
)
def test_rules_that_cannot_be_are_refused(
    arguments: list[str],
    message: str,
    pairs: Dataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.csv"
    rows = rows_of(pairs)[:3]
    file.write_text("person,id,answer,rt\n" + "".join(f"ann,{row['id']},neutral,900\n" for row in rows), "utf-8")
    out = tmp_path / "out"
    assert main(["judgments", str(file), "--dataset", str(pairs.folder), "--out", str(out), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()
