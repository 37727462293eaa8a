"""A model that answered several sets is one model, by one name, in tables and in the summary of a report."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from support.datasets import FEW, SharedDatasets
from support.scores import labels_file, scores_folder, values_file

import gramprobe
from gramprobe.analysis.answers import answers_of_models
from gramprobe.analysis.findings import Findings, said_once
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Table, Value
from gramprobe.analysis.runs import Run, apart, asked_by
from gramprobe.analysis.studies import asked_apart, found
from gramprobe.analysis.study import Given
from gramprobe.source.diagnostic import UsageError

NAMES = ("presupposition/both", "theory_of_mind/additional", "implicature/numerals_2_3_existential")
LABELS = ("entailment", "neutral", "contradiction")


@pytest.fixture(scope="module")
def sets(datasets: SharedDatasets) -> list[Path]:
    return [datasets(name, n=FEW) for name in NAMES]


def gold(folder: Path) -> dict[str, str]:
    dataset = gramprobe.read(folder)
    rows = (row for n in dataset.paradigms for b in dataset.rows(n, ["id", "label_name"]) for row in b.to_pylist())
    return {row["id"]: row["label_name"] for row in rows}


def scored(place: Path, dataset: Path) -> Path:
    """A folder of scores by which every third answer is *neutral*, the others right."""
    numbers = {
        (item, "hypothesis"): [0.0 if name == ((n % 3 and label) or "neutral") else -9.0 for name in LABELS]
        for n, (item, label) in enumerate(gold(dataset).items())
    }
    return scores_folder(place, dataset, "nli", numbers, values=LABELS)


def number(value: Value) -> float:
    assert not isinstance(value, str | None)
    return value.value if isinstance(value, Interval) else value


def tables(every: list[Findings]) -> dict[str, Table]:
    return {table.name: table for each in every for table in (*each.tables, *each.details)}


def test_a_model_on_three_sets_has_one_column_with_all_its_answers(sets: list[Path], tmp_path: Path) -> None:
    folders = [scored(tmp_path / f"{n}" / "m", dataset) for n, dataset in enumerate(sets)]
    runs = open_runs(folders, sets)
    assert {run.model for run in runs} == {"m"}
    every = found([], runs, Given())
    assert {each.study for each in every} >= {"accuracy", "imppres", "theory_of_mind", "consistency", "theories"}
    accuracy = tables(every)["accuracy"]
    assert [column.heading for column in accuracy.columns] == ["paradigm", "items", "majority", "m"]
    both = zip(folders, sets, strict=True)
    alone = [found(["accuracy"], open_runs([folder], [dataset]), Given()) for folder, dataset in both]
    own = {row[0]: row for each in alone for row in tables(each)["accuracy"].rows}
    assert {row[0]: row for row in accuracy.rows[:-1]} == own
    sums = [(number(row[1]), number(row[1]) * number(row[-1])) for row in own.values()]
    items, right = (sum(each) for each in zip(*sums, strict=True))
    assert accuracy.rows[-1][1] == items and math.isclose(number(accuracy.rows[-1][-1]), right / items)
    assert [each.model for each in every[0].numbers] == ["m"]


def test_each_study_says_of_the_sets_together_what_it_says_of_each(sets: list[Path], tmp_path: Path) -> None:
    folders = [scored(tmp_path / f"{n}" / "m", dataset) for n, dataset in enumerate(sets)]
    together = tables(found(["consistency", "any", "imppres"], open_runs(folders, sets), Given()))
    (one,) = answers_of_models(open_runs(folders, sets))
    assert one.paradigms == tuple(name.partition("/")[2] for name in NAMES)
    for folder, dataset in zip(folders, sets, strict=True):
        alone = tables(found(["consistency", "any"], open_runs([folder], [dataset]), Given()))
        conditions = {(row[0], *row[2:]) for row in together["any_conditions"].rows}  # without the number of paradigms
        assert {row for row in alone["any_conditions"].rows if row[0] != "all"} <= conditions
        for row in alone["consistency"].rows:
            whole = next(each for each in together["consistency"].rows if each[0] == row[0])
            assert number(whole[2]) >= number(row[2]) > 0
    assert {"imppres_conditions", "imppres_presupposition"} <= set(together)


def test_labels_and_choices_of_one_model_are_tested_for_consistency_together(
    sets: list[Path], datasets: SharedDatasets, tmp_path: Path
) -> None:
    choices = datasets("scope/choice_universal_indefinite", n=FEW)
    dataset = gramprobe.read(choices)
    ids = [i for n in dataset.paradigms for b in dataset.rows(n, ["id"]) for i in b.column("id").to_pylist()]
    values = {(item, part): -1.0 - n for item in ids for n, part in enumerate(("option_a", "option_b"))}
    files = [labels_file(tmp_path / "m.csv", gold(sets[0])), values_file(_in(tmp_path / "v"), values)]
    runs = open_runs(files, [sets[0], choices])
    laws = {row[0]: row for row in tables(found(["consistency"], runs, Given()))["consistency"].rows}
    assert {run.model for run in runs} == {"m"}
    assert number(laws["order"][4]) == 1.0 and number(laws["renaming"][4]) == 0.0  # shares broken


def _in(folder: Path) -> Path:
    folder.mkdir()
    return folder / "m.csv"


def test_runs_that_are_not_of_one_model_have_names_that_tell_them_apart(sets: list[Path], tmp_path: Path) -> None:
    first, second, *_ = sets
    twice = [labels_file(_in(tmp_path / name), gold(first)) for name in ("a", "b")]
    assert [run.model for run in open_runs(twice, [first])] == ["m (a/m.csv)", "m (b/m.csv)"]
    folder = scored(tmp_path / "c" / "m", second)
    runs = open_runs([twice[0], folder], [first, second])
    assert len({run.model for run in runs}) == 2  # of a file nothing is known, of a folder the weights
    assert [run.model for run in apart(open_runs([scored(tmp_path / "d" / "m", first), folder], [first, second]))] == [
        f"m, {first.name}",
        f"m, {second.name}",
    ]


def test_runs_that_were_asked_in_other_ways_are_named_by_these(sets: list[Path], tmp_path: Path) -> None:
    folders = [scored(tmp_path / str(n) / "m", dataset) for n, dataset in enumerate(sets[:2])]
    asked(folders[0], {"form": "chat"})
    assert [run.model for run in open_runs(folders, sets[:2])] == ["m (chat)", "m (1/m)"]  # of one nothing is recorded
    asked(folders[1], {"form": "completion"})
    runs = open_runs(folders, sets[:2])
    assert [run.model for run in runs] == ["m (chat)", "m (completion)"] and len(asked_apart(runs)) == 1
    asked(folders[1], {"form": "chat"})
    runs = open_runs(folders, sets[:2])
    assert {run.model for run in runs} == {"m"} and not asked_apart(runs)


def test_a_run_without_any_answer_is_left_out_and_named(sets: list[Path], tmp_path: Path) -> None:
    first, second, *_ = sets
    silent = dict.fromkeys(((item, "hypothesis") for item in gold(second)), [None] * 3)
    folders = [
        scored(tmp_path / "1" / "m", first),
        scores_folder(tmp_path / "1" / "n", second, "nli", silent, values=LABELS),
    ]
    every = found([], open_runs(folders, [first, second]), Given())
    assert f"n is in no table of {second.name}: none of its {len(silent)} items could be" in every[0].headlines[0]
    assert not any("n" in (c.heading, c.group) for table in tables(every).values() for c in table.columns)
    with pytest.raises(UsageError, match="no item could be scored by") as error:
        found([], open_runs(folders[1:], [second]), Given())
    assert error.value.code == "E47" and error.value.help
    more = dict.fromkeys(((item, "hypothesis") for item in gold(first)), [None] * 3)
    folders[0] = scores_folder(tmp_path / "2" / "n", first, "nli", more, values=LABELS)
    with pytest.raises(UsageError, match=rf"by n \({len(silent) + len(more):,} refused\)"):
        found([], open_runs(folders, [first, second]), Given())


def test_examples_are_counted_since_each_set_has_its_own(sets: list[Path], tmp_path: Path) -> None:
    (run, _) = open_runs([scored(tmp_path / str(n) / "m", each) for n, each in enumerate(sets[:2])], sets[:2])

    def with_examples(**own: list[str]) -> Run:
        assert run.record is not None
        settings = structs.replace(run.record.settings, prompt={"examples": own})
        return replace(run, record=structs.replace(run.record, settings=settings))

    assert asked_by(with_examples(both=["a", "b"])) == asked_by(with_examples(additional=["c", "d"]))
    assert asked_by(with_examples(both=["a"])).words["examples"] == "1 example"
    assert asked_by(with_examples()).words["examples"] == "no examples"


def asked(folder: Path, prompt: dict[str, object]) -> None:
    record = json.loads((folder / "run.json").read_text("utf-8"))
    record["settings"]["prompt"] = prompt
    (folder / "run.json").write_text(json.dumps(record), "utf-8")


def test_what_limits_several_models_alike_is_said_once() -> None:
    warnings = ["m: 3 items are out", "rule:m: 3 items are out", "m: 4 items are out", "no model"]
    assert said_once(warnings, ["m", "rule:m"]) == ("m, rule:m: 3 items are out", "m: 4 items are out", "no model")


def test_tables_of_each_set_name_it_and_conditions_without_a_label_are_no_rows(
    sets: list[Path], datasets: SharedDatasets, tmp_path: Path
) -> None:
    graded = datasets("implicature/quantifiers_subject", n=FEW)  # some conditions are graded and have no label
    both = [sets[0], graded]
    runs = open_runs([scored(tmp_path / str(n) / "m", dataset) for n, dataset in enumerate(both)], both)
    made = tables(found(["accuracy", "artefacts"], runs, Given()))
    for number, dataset in enumerate(both, 1):
        assert made[f"artefact_tokens_{number}"].caption.endswith(f" Set: {dataset.name}.")
    table = made["accuracy_quantifiers_subject"]
    assert all(row[1] for row in table.rows)
    assert any(note.startswith("No item has a label") and "not_strong-weak" in note for note in table.notes)
