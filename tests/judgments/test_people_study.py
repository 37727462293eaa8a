"""Models beside people: the modified t test, groups of models, correlations with their ceiling, times by region."""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from support import relatives
from support.datasets import FEW, SharedDatasets
from support.scores import labels_file, scores_folder

from gramprobe.analysis.findings import Findings
from gramprobe.analysis.inference import one_case
from gramprobe.analysis.judgments import people_of
from gramprobe.analysis.long_frame import LongFrame, item_frame
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Table
from gramprobe.analysis.studies import found as studied
from gramprobe.analysis.study import Given
from gramprobe.cli.main import main
from gramprobe.dataset.read import Dataset, read
from gramprobe.experiment import trials
from gramprobe.judgments.folder import open_folder

SHARES = [1.0, 0.9, 0.85, 0.8, 0.75, 0.7]


@pytest.fixture(scope="session")
def pairs(datasets: SharedDatasets) -> Dataset:
    return read(datasets("presupposition/both", n=FEW))


def rows_of(dataset: Dataset) -> list[dict[str, Any]]:
    return [row for name in dataset.paradigms for batch in dataset.rows(name) for row in batch.to_pylist()]


def wrong(label: str) -> str:
    return "entailment" if label == "neutral" else "neutral"


@pytest.fixture
def judged(pairs: Dataset, tmp_path: Path) -> Path:
    """Six people with these shares of right answers; each is wrong where another seed says."""
    with (tmp_path / "people.csv").open("w", encoding="utf-8", newline="") as lines:
        out = csv.writer(lines)
        out.writerow(["person", "id", "answer"])
        for person, share in enumerate(SHARES):
            slips = np.random.default_rng(person).random(pairs.count()) >= share
            for row, slip in zip(rows_of(pairs), slips, strict=True):
                label = row["label_name"]
                out.writerow([person, row["id"], wrong(label) if slip else label])
    return folder_of(tmp_path / "people.csv", pairs, tmp_path / "people")


def folder_of(file: Path, dataset: Dataset, out: Path) -> Path:
    assert main(["judgments", str(file), "--dataset", str(dataset.folder), "--out", str(out)]) == 0
    return out


def study(paths: list[Path], dataset: Dataset) -> Findings:
    (found,) = studied(["people"], open_runs(paths, [dataset.folder]), Given())
    return found


def table(found: Findings, name: str) -> Table:
    return next(each for each in (*found.tables, *found.details) if each.name == name)


def model(path: Path, dataset: Dataset, right: Callable[[int], bool]) -> Path:
    labels = {r["id"]: r["label_name"] if right(n) else wrong(r["label_name"]) for n, r in enumerate(rows_of(dataset))}
    return labels_file(path, labels)


def test_a_model_is_tested_against_the_sample_of_people(judged: Path, pairs: Dataset, tmp_path: Path) -> None:
    good, bad = (model(tmp_path / name, pairs, right) for name, right in (
        ("good.csv", lambda n: n % 10 > 1), ("bad.csv", lambda n: n % 10 == 0),
    ))  # fmt: skip
    found = study([good, judged, bad], pairs)
    rows = dict(zip(("good", "bad"), table(found, "people_against").rows, strict=True))
    label = {row["id"]: row["label_name"] for row in rows_of(pairs)}
    given = open_folder(judged).answers.to_pylist()
    means = [
        np.mean([row["answer"] == label[row["id"]] for row in given if row["person"] == f"p00{person}"])
        for person in range(1, 7)
    ]
    value = np.mean([n % 10 > 1 for n in range(pairs.count())])
    case = one_case(float(value), means)
    assert case is not None
    wanted = (np.mean(means), np.std(means, ddof=1), value, case.below, case.t, 5)
    assert rows["good"][:2] == ("accuracy", 6)
    assert [float(cell) for cell in rows["good"][2:8]] == pytest.approx(wanted)  # type: ignore[arg-type]
    assert rows["good"][-1] == "not clearly different" and rows["bad"][-1] == "below people"
    by_condition = table(found, "people_against_conditions")
    assert {row[1] for row in by_condition.rows} == {row["condition"] for row in rows_of(pairs)}
    assert any("a group has 5 or more" in sentence for sentence in found.omitted)


def test_five_models_are_a_group(judged: Path, pairs: Dataset, tmp_path: Path) -> None:
    files = [model(tmp_path / f"m{k}.csv", pairs, lambda n, k=k: (n + k) % (3 + k) > 2) for k in range(5)]  # type: ignore[misc]
    found = table(study([*files, judged], pairs), "people_models")
    assert found.rows[0][:3] == ("accuracy", "all", 5)
    given = open_folder(judged).answers.to_pylist()
    label = {row["id"]: row["label_name"] for row in rows_of(pairs)}
    right: dict[str, list[bool]] = {}
    for row in given:
        right.setdefault(row["person"], []).append(row["answer"] == label[row["id"]])
    models = [np.mean([(n + k) % (3 + k) > 2 for n in range(pairs.count())]) for k in range(5)]
    welch = scipy.stats.ttest_ind(models, [np.mean(own) for own in right.values()], equal_var=False)
    assert [float(cell) for cell in found.rows[0][6:8]] == pytest.approx([welch.statistic, welch.df])  # type: ignore[arg-type]


def test_items_correlate_up_to_the_ceiling(judged: Path, pairs: Dataset, tmp_path: Path) -> None:
    rows = table(study([model(tmp_path / "m.csv", pairs, lambda n: True), judged], pairs), "people_items").rows
    assert [row[0] for row in rows] == ["entailment", "neutral", "contradiction"]
    for row in rows:
        r, most = row[3], row[5]
        assert isinstance(r, Interval) and isinstance(most, float)
        assert 0.6 < r.value <= most + 0.1 < 1.1 and row[2] == pairs.count()


def test_ratings_correlate_with_each_probability(pairs: Dataset, tmp_path: Path) -> None:
    rates = {"entailment": 7, "neutral": 4, "contradiction": 1}
    rows = rows_of(pairs)
    text = "".join(f"{p},{row['id']},{rates[row['label_name']]}\n" for p in "ab" for row in rows)
    (tmp_path / "rated.csv").write_text(f"person,id,answer\n{text}", "utf-8")
    out = folder_of(tmp_path / "rated.csv", pairs, tmp_path / "rated")
    found = table(study([model(tmp_path / "m.csv", pairs, lambda n: True), out], pairs), "people_items").rows
    assert [row[1] for row in found] == [f"probability of {label}" for label in rates]
    signs = [row[3].value for row in found if isinstance(row[3], Interval)]
    assert signs[0] > 0.8 and signs[2] < -0.5 and found[0][5] == pytest.approx(1)


def test_people_alone_have_their_agreement(judged: Path, pairs: Dataset) -> None:
    found = study([judged], pairs)
    assert [each.name for each in found.tables] == ["people_agreement"]
    assert any("no scores of a model" in sentence for sentence in found.omitted)


def test_reading_times_stand_beside_surprisal_by_region(tmp_path: Path) -> None:
    rows = relatives.rows_of(tmp_path / "project", relatives.CLAUSES)
    dataset = read(tmp_path / "project" / "data" / "reading")
    times = {"src": 300, "orc": 400}
    with (tmp_path / "times.csv").open("w", encoding="utf-8", newline="") as lines:
        out = csv.writer(lines)
        out.writerow(["person", "id", "answer", "region", "word", "rt"])
        for person in range(4):
            for number, row in enumerate(rows):
                for region in ("verb", "rest"):
                    out.writerow([person, row["id"], "", region, "x", times[row["condition"]] + person + number])
    out_ = folder_of(tmp_path / "times.csv", dataset, tmp_path / "times")
    scores = {(row["id"], at["name"]): 1.0 + n for n, row in enumerate(rows) for at in json.loads(row["regions"])}
    (run, people) = open_runs(
        [scores_folder(tmp_path / "v", dataset.folder, "surprisal", scores), out_], [dataset.folder]
    )
    assert people.parts == ("time_verb", "time_rest") and run.model == "v"
    _, measures = item_frame(people)
    wanted = [times[row["condition"]] + 1.5 + n for n, row in enumerate(rows)]
    assert measures["time_verb"].tolist() == wanted
    frame = LongFrame((), people_of(open_folder(out_)), (dataset,))
    (batch,) = frame.batches()
    first = batch.to_pylist()[0]
    assert (first["source"], first["part"], first["score"], first.get("answer")) == (
        "p001", "verb", 300.0, None,
    )  # fmt: skip
    assert main(["frame", str(out_), "--dataset", str(dataset.folder), "--wide", "--out", str(tmp_path / "w.csv")]) == 0
    wide = list(csv.DictReader((tmp_path / "w.csv").open(encoding="utf-8")))
    assert [(row["source"], row["id"]) for row in wide[: len(rows)]] == [("p001", row["id"]) for row in rows]
    of_verb = [float(row["measure_time_verb"]) for row in wide]
    assert of_verb == [times[row["condition"]] + person + n for person in range(4) for n, row in enumerate(rows)]
    rows_ = table(study([tmp_path / "v", out_], dataset), "people_items").rows
    assert [row[0] for row in rows_] == ["time verb", "time rest"] and rows_[0][1] == "verb"
    text = (out_ / "judgments.md").read_text("utf-8")
    assert "Reading times by region" in text


def test_the_planned_model_of_reading_times_can_be_fitted(tmp_path: Path) -> None:
    """Also where a question is asked of each sentence, and a rule leaves out some of the answers."""
    factor = "factor clause = subject: src | object: orc\n"
    lines = f"{relatives.CLAUSES}{factor}question\n  asked = Tell(Subject(p, q, v), w, o, a)\n"
    relatives.project_of(tmp_path / "project", lines).build("reading", tmp_path / "data")
    dataset, planned = read(tmp_path / "data" / "reading"), str(tmp_path / "planned")
    folder, rules = str(dataset.folder), ("--exclude", "seconds=0.5..9")
    assert main(["lists", folder, "--kind", "self_paced", *rules, "--out", planned]) == 0
    experiment = trials.read(tmp_path / "planned")
    answers, draw = [], np.random.default_rng(1)
    for person in range(12):
        for trial in (each for each in experiment.trials if each.list == person % experiment.plan.lists + 1):
            mine = {"person": f"t{person}", "list": trial.list, "position": trial.position, "id": trial.id}
            cut = [(region.name, word) for region in trial.regions for word in region.text.split()]
            answers += [
                {**mine, "region": region, "word": word, "word_number": n, "rt": int(draw.normal(400, 50))}
                for n, (region, word) in enumerate(cut, 1)
            ]
            answers.append({**mine, "answer": "yes", "rt": 400 if trial.position == 1 else 900})
    (tmp_path / "answers.json").write_text(json.dumps(answers), "utf-8")
    out = str(tmp_path / "people")
    assert (
        main(["judgments", str(tmp_path / "answers.json"), "--dataset", folder, "--experiment", planned, "--out", out])
        == 0
    )
    page = (tmp_path / "planned" / "design.md").read_text("utf-8")
    frame, analyze = (
        shlex.split(line)[1:] for line in page.splitlines() if line.startswith(("    gramprobe f", "    gramprobe a"))
    )
    assert "log(measure_time_verb) ~ clause + (" in analyze[-1]
    file = str(tmp_path / "frame.parquet")
    named = {"JUDGMENTS": out, "frame.parquet": file}
    assert main([*(named.get(each, each) for each in frame), "--dataset", folder]) == 0
    assert main([named.get(each, each) for each in analyze]) == 0
    (any_,) = studied(["any"], open_runs([tmp_path / "people"], [dataset.folder]), Given())
    # the frame has a row for each person, the table one for each item
    means = "measure_time_verb = ave(measure_time_verb, id, FUN = function(t) mean(t, na.rm = TRUE))), !duplicated(id))"
    assert any(means in note for note in table(any_, "any_effects").notes)
