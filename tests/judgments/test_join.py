"""Answers joined with what was asked: names from places and keys, rules, deviations from a design; what is refused."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.datasets import FEW, SharedDatasets

from gramprobe.experiment.trials import Exclusions, Experiment, Option, Plan, Region, Trial
from gramprobe.judgments.deviations import deviations
from gramprobe.judgments.gather import Gathered, gather
from gramprobe.judgments.items import Items, items_of
from gramprobe.judgments.join import Judgments, judge
from gramprobe.judgments.rules import Rules
from gramprobe.score.source import DatasetSource
from gramprobe.source.diagnostic import UsageError

LABELS = ("entailment", "neutral", "contradiction")


@pytest.fixture(scope="session")
def pairs(datasets: SharedDatasets) -> Path:
    return datasets("presupposition/both", n=FEW)


@pytest.fixture(scope="session")
def choices(datasets: SharedDatasets) -> Path:
    return datasets("scope/choice_universal_indefinite", n=FEW)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    dataset = DatasetSource(folder).dataset
    return [row for name in dataset.paradigms for batch in dataset.rows(name) for row in batch.to_pylist()]


def written(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def items(folder: Path, gathered: Gathered) -> Items:
    return items_of(DatasetSource(folder), {each.trial.id for each in (*gathered.answers,)} | {
        each.trial.id for each in gathered.words
    })  # fmt: skip


def judged(folder: Path, file: Path, experiment: Experiment | None = None, rules: Rules | None = None) -> Judgments:
    gathered = gather([file])
    return judge(gathered, items(folder, gathered), experiment, rules or Rules())


def trial(position: int, id_: str, list_: int = 1, **others: Any) -> Trial:
    fields = {"role": "experimental", "texts": {"premise": "P"}, "options": LABELS, "keys": ("f", "j", "k"), **others}
    return Trial(list=list_, position=position, id=id_, **fields)


def experiment_of(trials: Sequence[Trial], **others: Any) -> Experiment:
    plan = Plan(
        format=1, gramprobe="0", dataset="d", sha256="0" * 64, paradigms=("both",), kind="nli", question="?",
        scale=tuple(Option(label, f"It is {label}.") for label in LABELS), seed=0, platform="csv", factors=(),
        lists=max(each.list for each in trials), per_person=1, fillers=0, catch=0, orders=1, instances=1, cells=1,
        repeats=1, exclusions=Exclusions(), model="", words={}, trials="0" * 64,
    )  # fmt: skip
    return Experiment(msgspec.structs.replace(plan, **others), tuple(trials))


def test_names_come_from_places_keys_and_wordings(pairs: Path, tmp_path: Path) -> None:
    ids = [row["id"] for row in rows_of(pairs)[:4]]
    turned = ("neutral", "contradiction", "entailment")
    experiment = experiment_of([trial(n, id_, options=turned) for n, id_ in enumerate(ids, 1)])
    file = tmp_path / "data.json"
    base = {"person": "x", "list": 1}
    file.write_bytes(
        msgspec.json.encode(
            [
                {**base, "id": ids[0], "position": 1, "trial_type": "html-button-response", "response": 0, "rt": 9},
                {**base, "id": ids[1], "position": 2, "trial_type": "html-keyboard-response", "response": "J"},
                {**base, "id": ids[2], "position": 3, "trial_type": "any", "answer": "It is entailment."},
                {**base, "id": ids[3], "position": 4, "trial_type": "any", "answer": "contradiction"},
            ]
        )
    )
    found = judged(pairs, file, experiment)
    assert [each.answer for each in found.answers] == ["neutral", "contradiction", "entailment", "contradiction"]
    assert [each.place for each in found.answers] == [0, 1, 2, 1]
    assert found.kind == "label" and found.values == LABELS
    assert [each.item.paradigm if each.item else "" for each in found.answers] == ["both"] * 4
    # without the experiment a place has no name
    with pytest.raises(UsageError, match="line 1: place 1 of its answers was chosen") as error:
        judged(pairs, file)
    assert "--experiment DIR" in error.value.help


def test_options_are_named_or_lettered(choices: Path, tmp_path: Path) -> None:
    rows = rows_of(choices)[:2]
    file = written(
        tmp_path / "a.csv",
        [
            {"person": "x", "id": rows[0]["id"], "answer": "A"},
            {"person": "x", "id": rows[1]["id"], "answer": "option_b"},
        ],
    )
    found = judged(choices, file)
    assert [each.answer for each in found.answers] == ["option_a", "option_b"]
    assert found.kind == "option" and found.values == ("option_a", "option_b")
    item = found.answers[0].item
    assert item is not None and item.sentence == rows[0]["sentence"]
    assert item.readings == {"option_a": rows[0]["picks_a"], "option_b": rows[0]["picks_b"]}


def test_ratings_are_numbers_of_the_scale(pairs: Path, tmp_path: Path) -> None:
    ids = [row["id"] for row in rows_of(pairs)[:2]]
    file = written(
        tmp_path / "a.csv", [{"person": "x", "id": id_, "answer": a} for id_, a in zip(ids, "53", strict=True)]
    )
    found = judged(pairs, file)
    assert found.kind == "rating" and found.values == (3.0, 5.0)
    scale = tuple(Option(str(n), "") for n in range(1, 8))
    names = tuple(option.name for option in scale)
    experiment = experiment_of(
        [trial(n, id_, options=names) for n, id_ in enumerate(ids, 1)], kind="rating", scale=scale
    )
    file = written(tmp_path / "b.csv", [{"person": "x", "id": ids[0], "answer": "5.0"}])
    assert judged(pairs, file, experiment).values == (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
    with pytest.raises(UsageError, match="`8` is no answer to this item"):
        judged(pairs, written(tmp_path / "c.csv", [{"person": "x", "id": ids[0], "answer": "8"}]), experiment)


@pytest.mark.parametrize(
    ("rows", "message", "code"),
    [
        ([("x", 0, "<b>neutral</b>")], "line 2: `<b>neutral</b>` is no answer to this item", "E46"),
        ([("x", 0, "neutrl")], "did you mean `neutral`?", "E46"),
        ([("x", 0, "neutral"), ("x", 1, "4")], "line 3: this is one of the numbers, and before it stand labels", "E46"),
        ([("x", 0, "neutral"), ("x", 1, "not_entailment")], "labels of two kinds", "E47"),
        ([("x", "<script>", "neutral")], "has no item `<script>`", "E47"),
        (
            [("x", 0, "neutral"), ("x", "a", "neutral"), ("y", "b", "neutral")],
            "`a`, and 1 other ids are unknown",
            "E47",
        ),
        ([("x", 0, "nan")], "`nan` is no answer to this item", "E46"),
        ([("x", 0, "3"), ("y", 0, "4", "premise")], "line 2: this row has no `part`", "E46"),
        ([("x", 0, "neutral", "premis")], "`premis` is no text of this item; did you mean `premise`?", "E46"),
    ],
)
def test_what_is_no_answer_to_an_item_is_refused(
    rows: list[tuple[Any, ...]], message: str, code: str, pairs: Path, tmp_path: Path
) -> None:
    known = rows_of(pairs)
    given = [
        {"person": person, "id": known[item]["id"] if isinstance(item, int) else item, "answer": answer,
         "part": part[0] if part else ""}
        for person, item, answer, *part in rows
    ]  # fmt: skip
    with pytest.raises(UsageError) as error:
        judged(pairs, written(tmp_path / "a.csv", given))
    assert message in error.value.message and error.value.code == code


def test_rules_leave_out_people_and_trials(pairs: Path, tmp_path: Path) -> None:
    ids = [row["id"] for row in rows_of(pairs)[:4]]
    trials = [trial(n, id_) for n, id_ in enumerate(ids, 1)]
    trials.append(trial(5, "catch/1", role="catch", expected="neutral"))
    trials.append(trial(6, "filler/1", role="filler"))
    experiment = experiment_of(trials)
    answers = {
        "careful": ("neutral", "entailment", "neutral", "neutral", "neutral", "neutral"),
        "asleep": ("entailment", "entailment", "entailment", "entailment", "neutral", "neutral"),
        "careless": ("neutral", "entailment", "neutral", "entailment", "entailment", "neutral"),
    }
    rows = [
        {"person": person, "id": each.id, "answer": answer, "rt": 50 if each.position == 2 else 1000, "list": 1,
         "position": each.position}
        for person, given in answers.items() for each, answer in zip(trials, given, strict=True)
    ]  # fmt: skip
    rules = Rules(catch=1, seconds=(0.1, 10), same=4)
    found = judged(pairs, written(tmp_path / "a.csv", rows), experiment, rules)
    by_person = {
        code: [each.excluded for each in found.answers if each.person == code] for code in ("p001", "p002", "p003")
    }
    assert by_person["p001"] == ["", "seconds", "", "", "", ""]
    assert set(by_person["p002"]) == {"same"} and set(by_person["p003"]) == {"catch"}
    assert found.left_out == {"catch": (1, 6), "same": (1, 6), "seconds": (0, 1)}
    assert len(found.kept) == 3  # no filler and no catch trial
    assert [each.role for each in found.answers[:6]] == ["experimental"] * 4 + ["catch", "filler"]
    with pytest.raises(UsageError, match="no answer is to one"):
        judged(pairs, written(tmp_path / "b.csv", rows[:4]), experiment, rules)


def test_straight_lining_is_by_place_where_the_order_is_known(pairs: Path, tmp_path: Path) -> None:
    ids = [row["id"] for row in rows_of(pairs)[:3]]
    turned = [LABELS, LABELS[1:] + LABELS[:1], LABELS[2:] + LABELS[:2]]
    experiment = experiment_of(
        [trial(n, id_, options=own) for (n, id_), own in zip(enumerate(ids, 1), turned, strict=True)]
    )
    rows = [
        {"person": "first", "id": id_, "answer": own[0], "list": 1, "position": n}
        for (n, id_), own in zip(enumerate(ids, 1), turned, strict=True)
    ]
    rows += [{**row, "person": "same", "answer": "neutral"} for row in rows]
    found = judged(pairs, written(tmp_path / "a.csv", rows), experiment, Rules(same=3))
    assert {each.person: each.excluded for each in found.answers} == {"p001": "same", "p002": ""}


def test_answers_to_another_experiment_are_refused(pairs: Path, tmp_path: Path) -> None:
    id_ = rows_of(pairs)[0]["id"]
    rows = [{"person": "x", "id": id_, "answer": "neutral", "experiment": "0000"}]
    file, experiment = written(tmp_path / "a.csv", rows), experiment_of([trial(1, id_)])
    assert len(judged(pairs, file, experiment).kept) == 1
    experiment = replace(experiment, plan=msgspec.structs.replace(experiment.plan, trials="f" * 64))
    with pytest.raises(UsageError, match="line 2: this answer is to another experiment"):
        judged(pairs, file, experiment)


def test_words_get_the_regions_of_the_design(pairs: Path, tmp_path: Path) -> None:
    ids = [row["id"] for row in rows_of(pairs)[:2]]
    regions = (Region("subject", "The cat"), Region("verb", "sleeps."))
    experiment = experiment_of([trial(n, id_, regions=regions) for n, id_ in enumerate(ids, 1)], kind="self_paced")
    words = [("The", 1), ("cat", 2), ("sleeps.", 3)]
    rows = [{"person": "x", "id": ids[0], "answer": "", "word": word, "rt": 100 * n} for word, n in words]
    rows += [{"person": "x", "id": ids[1], "answer": "", "word": r.text, "rt": 500} for r in regions]
    found = judged(pairs, written(tmp_path / "a.csv", rows), experiment)
    assert [(each.region, each.rt) for each in found.words] == [
        ("subject", 100), ("subject", 200), ("verb", 300), ("subject", 500), ("verb", 500),
    ]  # fmt: skip


def test_each_deviation_from_the_design_is_said(pairs: Path, tmp_path: Path) -> None:
    ids = [row["id"] for row in rows_of(pairs)[:4]]
    trials = [trial(n, id_, list_) for list_ in (1, 2, 3) for n, id_ in enumerate(ids[:2] if list_ < 3 else ids[2:], 1)]
    experiment = experiment_of(trials, exclusions=Exclusions(seconds=(0.2, 20), straight_lining=8))
    base = {"answer": "neutral", "rt": ""}
    rows = [
        {**base, "person": "whole", "id": ids[0], "list": 1, "position": 1},
        {**base, "person": "whole", "id": ids[1], "list": 1, "position": 2},
        {**base, "person": "turned", "id": ids[1], "list": 1, "position": 1},
        {**base, "person": "turned", "id": ids[0], "list": 1, "position": 2},
        {**base, "person": "short", "id": ids[0], "list": 2, "position": 1},
        {**base, "person": "nowhere", "id": ids[0], "list": "", "position": ""},
        {**base, "person": "two lists", "id": ids[0], "list": 1, "position": 1},
        {**base, "person": "two lists", "id": ids[2], "list": 3, "position": 1},
    ]
    gathered = gather([written(tmp_path / "a.csv", rows)])
    found = deviations(gathered, experiment, Rules(seconds=(0.2, 20), catch=1))
    assert found == (
        "Exclusion: the design says 8 equal answers in a row, or more, applied was nothing (same).",
        "Exclusion: the design says nothing, applied was fewer than 1 catch trials right (catch).",
        "People of no list of the experiment, whose order is not checked: p004.",
        "People of more than one list: p005.",
        "Lists have unlike numbers of people: fewest 3 (0), most 1 (2); conditions are balanced over people only where "
        "these are equal.",
        "Trials that are missing: p003 (1 of 2), p005 (1 of 2), p005 (1 of 2).",
        "Answers to another item than was planned there: p002 in list 1 at 1, p002 in list 1 at 2.",
        "8 answers have no time: the rule about seconds does not reach them.",
    )
    visits = replace(gathered, visits=(("p001", "p002"),))
    assert "p001 and p002 answered from one address" in deviations(visits, experiment, Rules(seconds=(0.2, 20)))[-1]


def test_data_as_planned_have_no_deviation(pairs: Path, tmp_path: Path) -> None:
    ids = [row["id"] for row in rows_of(pairs)[:2]]
    experiment = experiment_of([trial(n, id_) for n, id_ in enumerate(ids, 1)])
    rows = [
        {"person": person, "id": id_, "answer": "neutral", "list": 1, "position": n}
        for person in "ab"
        for n, id_ in enumerate(ids, 1)
    ]
    assert deviations(gather([written(tmp_path / "a.csv", rows)]), experiment, Rules()) == ()
