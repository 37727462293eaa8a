"""A folder of judgments whose parts contradict each other is refused, though every hash was made anew."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.datasets import FEW, SharedDatasets

from gramprobe.analysis.judgments import norms_of
from gramprobe.analysis.open import open_runs
from gramprobe.cli.main import main
from gramprobe.dataset.read import Dataset, read
from gramprobe.judgments.folder import open_folder
from gramprobe.records import sha256_of
from gramprobe.source.diagnostic import UsageError

Row = dict[str, Any]
Edit = Callable[["Forged"], object]


@pytest.fixture(scope="module")
def pairs(datasets: SharedDatasets) -> Dataset:
    return read(datasets("presupposition/both", n=FEW))


@pytest.fixture(scope="module")
def judged(pairs: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Labels of five people; one always says the same, some answers take too little time."""
    return _judged(pairs, tmp_path_factory.mktemp("labels"), ["entailment", "neutral", "contradiction"])


@pytest.fixture(scope="module")
def rated(pairs: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with ratings."""
    return _judged(pairs, tmp_path_factory.mktemp("ratings"), ["2", "4", "7"])


def _judged(pairs: Dataset, place: Path, names: list[str]) -> Path:
    ids = [id_ for batch in pairs.rows("both", ["id"]) for id_ in batch.column("id").to_pylist()][:20]
    with (place / "people.csv").open("w", encoding="utf-8", newline="") as lines:
        out = csv.writer(lines)
        out.writerow(["person", "id", "answer", "rt"])
        for person in range(5):
            for number, id_ in enumerate(ids):
                answer = names[0] if person == 4 else names[(number + person) % 3]
                out.writerow([f"somebody {person}", id_, answer, 100 if (number + person) % 7 == 0 else 900 + number])
    rules = ["--exclude", "same=12", "--exclude", "seconds=0.2..30"]
    arguments = [str(place / "people.csv"), "--dataset", str(pairs.folder), "--out", str(place / "out"), *rules]
    assert main(["judgments", *arguments]) == 0
    return place / "out"


class Forged:
    """A copy of a folder: what is edited, and then every hash made anew."""

    def __init__(self, honest: Path, place: Path) -> None:
        self.place = place
        shutil.copytree(honest, place)
        self.record: Row = json.loads((place / "judgments.json").read_text("utf-8"))

    def answers(self, edit: Callable[[list[Row]], Any], count: bool = True) -> None:
        """Change the rows of the answers; with `count` the numbers of the record follow."""
        file = self.place / "answers.parquet"
        table = pq.read_table(file)
        rows = table.to_pylist()
        edit(rows)
        pq.write_table(pa.Table.from_pylist(rows, table.schema), file)
        if count:
            kept = [row for row in rows if not row["excluded"]]
            self.record |= {"answers": len(rows), "counted": len(kept), "kept": len({row["person"] for row in kept})}
            self.record["rows"]["answers.parquet"] = len(rows)
            for name, entry in self.record["excluded"].items():
                entry["answers"] = sum(row["excluded"] == name for row in rows)

    def cells(self, name: str, **cells: str) -> None:
        """Change cells of the first row of a table."""
        with (self.place / name).open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        rows[0] |= cells
        with (self.place / name).open("w", encoding="utf-8", newline="") as lines:
            out = csv.DictWriter(lines, rows[0])
            out.writeheader()
            out.writerows(rows)

    def written(self) -> Path:
        self.record["files"] = {name: sha256_of(self.place / name) for name in self.record["files"]}
        (self.place / "judgments.json").write_text(json.dumps(self.record), "utf-8")
        return self.place


def _counts_again(rows: list[Row], why: str) -> None:
    next(row for row in rows if row["excluded"] == why)["excluded"] = ""


def _first_of(rows: list[Row], **cells: Any) -> None:
    rows[0].update(cells)


def _other_answer(rows: list[Row]) -> None:
    row = next(row for row in rows if not row["excluded"])
    row["answer"] = next(other["answer"] for other in rows if other["answer"] != row["answer"])


LIES: dict[str, tuple[Edit, str]] = {
    "an answer that took too little time counts": (
        lambda f: f.answers(lambda rows: _counts_again(rows, "seconds")),
        "against the rules",
    ),
    "one of who always says the same counts": (
        lambda f: f.answers(lambda rows: _counts_again(rows, "same")),
        "against the rules",
    ),
    "an answer is left out by a rule that does not": (
        lambda f: f.answers(lambda rows: _first_of([row for row in rows if not row["excluded"]], excluded="seconds")),
        "against the rules",
    ),
    "another rule": (lambda f: f.record["excluded"]["same"].update(rule="40 equal answers in a row, or more"), "rules"),
    "a rule in other words": (lambda f: f.record["excluded"]["same"].update(rule="12 alike"), "says it otherwise"),
    "more people left out": (lambda f: f.record["excluded"]["same"].update(people=2), "people and answers"),
    "an answer twice": (lambda f: f.answers(lambda rows: rows.append(rows[0])), "twice"),
    "an answer that is none": (lambda f: f.answers(lambda rows: _first_of(rows, answer=None)), "has not the answer"),
    "a person that is none": (lambda f: f.answers(lambda rows: _first_of(rows, person=None)), "is not in|is empty"),
    "a place below 0": (lambda f: f.answers(lambda rows: _first_of(rows, position=-1)), "below 0"),
    "a right answer": (lambda f: f.answers(lambda rows: _first_of(rows, expected="neutral")), "there is none"),
    "answers exchanged": (
        lambda f: f.answers(_other_answer),
        "`items.csv` is not what",
    ),
    "a share": (lambda f: f.cells("items.csv", share_neutral="0.9"), "`items.csv` is not what"),
    "a number of people": (lambda f: f.cells("items.csv", n="999"), "`items.csv` is not what"),
    "a mean time": (lambda f: f.cells("items.csv", rt="nan"), "`items.csv` is not what"),
    "another item": (lambda f: f.cells("items.csv", id="presupposition/both/x/y"), "`items.csv` is not what"),
    "a further column": (lambda f: f.cells("items.csv", note="checked"), "`items.csv` is not what"),
    "a person with more answers": (lambda f: f.cells("persons.csv", answers="99"), "`persons.csv` is not what"),
    "no norms": (lambda f: f.record["files"].pop("items.csv"), "`items.csv`"),
    "no instance to veto": (
        lambda f: (f.place / "veto/both.veto.tsv").write_text("instance\treason\n", "utf-8"),
        "`veto/both.veto.tsv` is not what",
    ),
    "an experiment that is none": (lambda f: f.record.update(experiment="x"), "is no hash"),
    "deviations from none": (lambda f: f.record.update(deviations=["list 2 has 3 people"]), "from no experiment"),
    "rows of another file": (lambda f: f.record["rows"].update({"x.parquet": 1}), "`rows` is not of"),
    "no version": (lambda f: f.record.update(gramprobe=""), "is empty"),
}
RATINGS: dict[str, tuple[Edit, str]] = {
    "another number": (lambda f: f.answers(lambda rows: _first_of(rows, number=rows[1]["number"])), "another number"),
    "a wider scale": (lambda f: f.record["values"].append(99.0), "nobody gives"),
    "ratings out of order": (lambda f: f.record["values"].reverse(), "out of order"),
    "another mean": (lambda f: f.cells("items.csv", mean="99"), "`items.csv` is not what"),
    "no spread": (lambda f: f.cells("items.csv", sd="0"), "`items.csv` is not what"),
}


@pytest.mark.parametrize("name", [*LIES, *RATINGS])
def test_what_contradicts_the_answers_is_refused(name: str, judged: Path, rated: Path, tmp_path: Path) -> None:
    honest, (edit, says) = (judged, LIES[name]) if name in LIES else (rated, RATINGS[name])
    forged = Forged(honest, tmp_path / "forged")
    edit(forged)
    with pytest.raises(UsageError, match=says) as error:
        open_folder(forged.written())
    assert error.value.code == "E94"


def test_honest_folders_are_read_also_where_sums_differ_a_little(judged: Path, rated: Path, tmp_path: Path) -> None:
    """Another machine may add numbers up in another order."""
    forged = Forged(rated, tmp_path / "forged")
    mean = open_folder(rated).answers.filter(pa.compute.field("excluded") == "").slice(0, 1)
    norms = norms_of(open_folder(rated)).columns["out_mean"]
    assert mean.num_rows and len(norms) == 20
    forged.cells("items.csv", mean=repr(norms[0].as_py() * (1 + 1e-14)))
    assert open_folder(forged.written()).entry.kind == "rating"
    assert open_folder(judged).entry.excluded["same"].people == 1


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ({"condition": "trigger"}, "is not of both"),
        ({"part": "sentence_bad"}, "has no part"),
        ({"id": "presupposition/both/x/y", "instance": "x", "condition": "y"}, "has no item"),
    ],
)
def test_what_contradicts_the_dataset_is_refused(
    cells: Row, says: str, judged: Path, pairs: Dataset, tmp_path: Path
) -> None:
    """Also of an answer that is left out, of which no table by item says anything."""
    forged = Forged(judged, tmp_path / "forged")

    def edit(rows: list[Row]) -> None:
        row = next(row for row in rows if row["excluded"] and row["condition"].startswith("trigger-"))
        row.update(cells)

    forged.answers(edit)
    with pytest.raises(UsageError, match=says) as error:
        open_runs([forged.written()], [pairs.folder])
    assert error.value.code == "E94"


def test_sentences_that_are_only_read_may_be_of_another_task(datasets: SharedDatasets, tmp_path: Path) -> None:
    """People choose an option of some items, and read others, of which no answer is an option."""
    among = ("scope/choice_universal_indefinite", "scope/continuation_universal_indefinite")
    dataset = read(datasets("scope", among=among, n=2))
    with (tmp_path / "people.csv").open("w", encoding="utf-8", newline="") as lines:
        out = csv.writer(lines)
        out.writerow(["person", "id", "answer", "region", "word", "rt"])
        for name in dataset.paradigms:
            for id_ in next(dataset.rows(name, ["id"])).column("id").to_pylist():
                out.writerow(["jo", id_, *(["A", "", ""] if name.startswith("choice") else ["", "all", "x"]), 400])
    arguments = [str(tmp_path / "people.csv"), "--dataset", str(dataset.folder), "--out", str(tmp_path / "out")]
    assert main(["judgments", *arguments]) == 0
    (run,) = open_runs([tmp_path / "out"], [dataset.folder])
    assert "time_all" in run.parts
