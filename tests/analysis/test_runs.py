"""Scores joined with their items: by id, from folders and from files, and what is refused."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.datasets import FEW, SharedDatasets
from support.scores import scores_folder

import gramprobe
from gramprobe.analysis.answers import answers
from gramprobe.analysis.means import share
from gramprobe.analysis.open import by_prompt, open_runs, sized
from gramprobe.analysis.output.table import Interval, Unit
from gramprobe.analysis.runs import Run
from gramprobe.analysis.studies import chosen, found, unused
from gramprobe.analysis.study import Given
from gramprobe.cli.main import main
from gramprobe.dataset.read import read
from gramprobe.records import sha256_of
from gramprobe.source.diagnostic import UsageError

Rows = list[tuple[str, ...]]
BASE = Path(__file__).resolve().parents[1] / "errors" / "base"


@pytest.fixture(scope="session")
def only(datasets: SharedDatasets) -> Path:
    """A dataset with labels."""
    return datasets("presupposition/both", n=FEW)


@pytest.fixture(scope="session")
def follow_ups(datasets: SharedDatasets) -> Path:
    """A dataset whose items have parts with a value each."""
    return datasets("scope/continuation_universal_indefinite", n=FEW)


@pytest.fixture
def table(tmp_path: Path) -> Callable[[str, Sequence[str], Rows], Path]:
    """Writes a CSV file."""

    def write(name: str, columns: Sequence[str], rows: Rows) -> Path:
        with (tmp_path / name).open("w", newline="") as stream:
            csv.writer(stream).writerows([columns, *rows])
        return tmp_path / name

    return write


def gold(folder: Path) -> dict[str, str]:
    dataset = gramprobe.read(folder)
    rows = [
        row for name in dataset.paradigms for b in dataset.rows(name, ["id", "label_name"]) for row in b.to_pylist()
    ]
    return {row["id"]: row["label_name"] for row in rows}


def shuffled(labels: dict[str, str]) -> Rows:
    rows: Rows = list(labels.items())
    random.Random(1).shuffle(rows)
    return rows


def test_labels_are_joined_by_id_and_not_by_row(only: Path, table: Callable[..., Path]) -> None:
    right = gold(only)
    wrong = dict(right)
    wrong_ids = sorted(right)[:10]
    for id_ in wrong_ids:
        wrong[id_] = "neutral" if right[id_] != "neutral" else "entailment"
    (run,) = open_runs([table("model.csv", ("item", "label"), shuffled(wrong))], [only])
    found = answers(run)
    by_id = dict(zip(found.column("id"), found.right(), strict=True))
    assert by_id == {id_: float(id_ not in wrong_ids) for id_ in right}
    assert found.column("label") == [right[id_ or ""] for id_ in found.column("id")]


def test_two_labels_are_measured_as_two(only: Path, table: Callable[..., Path]) -> None:
    right = gold(only)
    rows = [(id_, "entailment" if label == "entailment" else "not_entailment") for id_, label in right.items()]
    (run,) = open_runs([table("two.csv", ("item", "label"), rows)], [only])
    found = answers(run)
    assert found.labels == ("entailment", "not_entailment") and found.right().mean() == 1.0
    with pytest.raises(ValueError, match="neutral"):
        found.share_of("neutral")


def test_items_without_an_answer_are_counted_and_left_out(only: Path, table: Callable[..., Path]) -> None:
    rows = shuffled(gold(only))[:30]
    (run,) = open_runs([table("some.csv", ("item", "label"), rows)], [only])
    assert (run.coverage.scored, run.coverage.items) == (30, FEW * 38)
    assert answers(run).items.num_rows == 30
    assert list(run.warnings()) == [f"some: 30 of {FEW * 38} items have scores; the others are left out"]


def ids_of(folder: Path) -> list[str]:
    dataset = gramprobe.read(folder)
    return [id_ for name in dataset.paradigms for b in dataset.rows(name, ["id"]) for id_ in b.column("id").to_pylist()]


PARTS = [f"{context}/followup_{kind}" for context in ("ambiguous", "control") for kind in ("inverse", "surface")]


def test_items_that_lack_a_part_are_counted(follow_ups: Path, table: Callable[..., Path]) -> None:
    rows = [(id_, part, -1.0) for id_ in ids_of(follow_ups) for part in PARTS]
    (run,) = open_runs([table("all.csv", ("item", "part", "value"), rows)], [follow_ups])
    assert list(run.warnings()) == []
    (run,) = open_runs([table("less.csv", ("item", "part", "value"), rows[:-1])], [follow_ups])
    assert list(run.warnings()) == ["less: 1 items lack a part that other items of their paradigm have"]


def test_parts_are_those_of_the_item(follow_ups: Path, only: Path, table: Callable[..., Path]) -> None:
    columns = ("item", "part", "value")
    rows = [(id_, part, -1.0) for id_ in ids_of(follow_ups) for part in PARTS]
    rows[2] = (rows[2][0], "control/followup_invers", -1.0)
    with pytest.raises(UsageError) as refused:
        open_runs([table("parts.csv", columns, rows)], [follow_ups])
    assert refused.value.code == "E47"
    assert "parts.csv, line 4" in refused.value.message and "`control/followup_inverse`?" in refused.value.message
    assert "continuation: ambiguous/followup_inverse, " in refused.value.help
    with pytest.raises(UsageError) as labels:
        open_runs([table("pairs.csv", columns, [(ids_of(only)[0], "hypothesis", -1.0)])], [only])
    assert "pairs.csv, line 2" in labels.value.message and "item,label" in labels.value.help


def test_a_dataset_that_no_run_is_of_is_refused(only: Path, follow_ups: Path, table: Callable[..., Path]) -> None:
    file = table("labels.csv", ("item", "label"), shuffled(gold(only)))
    with pytest.raises(UsageError) as refused:
        open_runs([file], [only, follow_ups])
    assert refused.value.code == "E47"
    assert f"`{follow_ups}` fits none" in refused.value.message and f"of `{only}`" in refused.value.message


def test_choices_of_lm_eval_are_three_or_two_for_every_item(only: Path, follow_ups: Path, tmp_path: Path) -> None:
    def samples(name: str, ids: Sequence[str], counts: Sequence[int]) -> Path:
        lines = [
            json.dumps({"doc": {"id": id_}, "filtered_resps": [["-1.0", "False"]] * count})
            for id_, count in zip(ids, counts, strict=True)
        ]
        (tmp_path / name).write_text("\n".join(lines))
        return tmp_path / name

    ids = ids_of(only)[:3]
    for counts, line in (((3, 3, 2), 3), ((4, 4, 4), 1)):
        with pytest.raises(UsageError) as refused:
            open_runs([samples("some.jsonl", ids, counts)], [only])
        assert refused.value.code == "E47" and f"some.jsonl, line {line}:" in refused.value.message
    with pytest.raises(UsageError, match="items of `continuation_universal_indefinite` have none"):
        open_runs([samples("other.jsonl", ids_of(follow_ups)[:1], [3])], [follow_ups])


def test_samples_of_lm_eval_are_labels_in_our_order(only: Path, tmp_path: Path) -> None:
    right = gold(only)
    names = ["entailment", "neutral", "contradiction"]
    lines = []
    for id_, label in shuffled(right):
        numbers = [-1.0 if name == label else -5.0 for name in names]
        lines.append(json.dumps({"doc": {"id": id_}, "filtered_resps": [[str(x), "False"] for x in numbers]}))
    (tmp_path / "samples.jsonl").write_text("\n".join(lines))
    (run,) = open_runs([tmp_path / "samples.jsonl"], [only])
    assert answers(run).right().mean() == 1.0


def samples(path: Path, right: Mapping[str, str], choices: Sequence[str], targets: Sequence[str]) -> Path:
    """Samples of lm-eval. ``right``: id -> the likeliest label; ``choices``: their order; ``targets``: what counts."""
    lines = []
    for (id_, label), target in zip(right.items(), targets, strict=True):
        numbers = [-1.0 if name == label else -5.0 for name in choices]
        place = choices.index(target)
        acc = float(numbers[place] == -1.0)
        responses = [[str(x), "False"] for x in numbers]
        lines.append(json.dumps({"doc": {"id": id_}, "target": str(place), "filtered_resps": responses, "acc": acc}))
    path.write_text("\n".join(lines))
    return path


def test_targets_of_lm_eval_are_held_against_the_labels(only: Path, tmp_path: Path) -> None:
    """Choices in another order than ours, and samples of another build, give another target."""
    right, ours = gold(only), ["entailment", "neutral", "contradiction"]
    (run,) = open_runs([samples(tmp_path / "s.jsonl", right, ours, [*right.values()])], [only])
    assert answers(run).right().mean() == 1.0
    with pytest.raises(UsageError) as refused:
        open_runs([samples(tmp_path / "s.jsonl", right, ["contradiction", *ours[:2]], [*right.values()])], [only])
    assert refused.value.code == "E47" and "s.jsonl, line 1: `target` says" in refused.value.message
    changed = [*right.values()]
    changed[3] = next(name for name in ours if name != changed[3])
    with pytest.raises(UsageError, match=r"s\.jsonl, line 4: `target` says"):
        open_runs([samples(tmp_path / "s.jsonl", right, ours, changed)], [only])


@pytest.mark.parametrize("field", ["context", "premise", "hypothesis", "condition"])
def test_texts_of_documents_are_held_against_the_items(field: str, only: Path, tmp_path: Path) -> None:
    """A document with another text was scored on something else than its item."""
    dataset = read(only)
    (batch,) = dataset.rows(dataset.paradigms[0], ["id", "premise", "hypothesis", "condition"])
    docs = [{**row, "context": row["premise"]} for row in batch.to_pylist()]
    file = tmp_path / "s.jsonl"

    def written() -> None:
        responses = [["-1", "False"]] * 3
        file.write_text("\n".join(json.dumps({"doc": doc, "filtered_resps": responses}) for doc in docs))

    written()
    open_runs([file], [only])
    docs[4][field] = "Nobody slept."
    written()
    with pytest.raises(UsageError, match=f"line 5: `{field}` of `.*` is `Nobody slept.`, and `.*` in the") as refused:
        open_runs([file], [only])
    assert refused.value.code == "E47"


def test_labels_of_documents_may_be_in_words_of_a_task(only: Path, tmp_path: Path) -> None:
    dataset, file = read(only), tmp_path / "s.jsonl"
    (batch,) = dataset.rows(dataset.paradigms[0], ["id"])
    for word, choices in (("no entailment", 2), ("Neither", 3), ("contradiction", 3)):
        samples = (
            {"doc": {**row, "label": word}, "filtered_resps": [["-1", "False"]] * choices} for row in batch.to_pylist()
        )
        file.write_text("\n".join(map(json.dumps, samples)))
        if word != "contradiction":
            open_runs([file], [only])
    with pytest.raises(UsageError, match=r"line \d+: `label` of `.*` is `contradiction`"):
        open_runs([file], [only])


def test_targets_of_two_choices_are_entailment_or_not(only: Path, tmp_path: Path) -> None:
    right = {id_: label if label == "entailment" else "not_entailment" for id_, label in gold(only).items()}
    two = ["entailment", "not_entailment"]
    (run,) = open_runs([samples(tmp_path / "s.jsonl", right, two, [*right.values()])], [only])
    assert answers(run).right(binary=True).mean() == 1.0
    with pytest.raises(UsageError, match="`target` says"):
        open_runs([samples(tmp_path / "s.jsonl", right, two[::-1], [*right.values()])], [only])


def test_ties_are_shared(only: Path) -> None:
    dataset = gramprobe.read(only)
    ids = list(gold(only))
    scores = pa.table(
        {
            "item": ids, "part": ["hypothesis"] * len(ids), "entailment": [-1.0] * len(ids),
            "neutral": [-1.0 - 1e-9] * len(ids), "contradiction": [-2.0] * len(ids),
        }
    )  # fmt: skip
    run = Run("m", "nli", dataset, scores, ("entailment", "neutral", "contradiction"), ("both",), tie=1e-6)
    assert np.unique(answers(run).shares, axis=0).tolist() == [[0.5, 0.5, 0.0]]
    exact = Run("m", "nli", dataset, scores, ("entailment", "neutral", "contradiction"), ("both",))
    assert np.unique(answers(exact).shares, axis=0).tolist() == [[1.0, 0.0, 0.0]]


def test_a_run_of_prompts_is_a_run_with_labels_for_each(only: Path) -> None:
    ids = list(gold(only))
    parts = [(prompt, label) for prompt in ("one", "two") for label in ("neutral", "entailment", "contradiction")]
    best = {"one": "neutral", "two": "contradiction"}
    rows = [
        (id_, f"{prompt}/{label}", -1.0 if best[prompt] == label else -9.0) for id_ in ids for prompt, label in parts
    ]
    scores = pa.table(list(map(list, zip(*rows, strict=True))), names=["item", "part", "value"])
    run = Run("m", "prompted", gramprobe.read(only), scores, ("value",), ("both",))
    one, two = by_prompt(run)
    assert (one.model, two.model) == ("m, one", "m, two")
    assert (
        answers(one).share_of("neutral").tolist() == answers(two).share_of("contradiction").tolist() == [1.0] * len(ids)
    )


def test_refused_items_are_left_out_with_a_warning(only: Path) -> None:
    ids = list(gold(only))
    values = [None, None, *[-1.0] * (len(ids) - 2)]
    columns = {name: pa.array(values, pa.float64()) for name in ("entailment", "neutral", "contradiction")}
    scores = pa.table({"item": ids, "part": ["hypothesis"] * len(ids), **columns})
    run = Run("m", "nli", gramprobe.read(only), scores, ("entailment", "neutral", "contradiction"), ("both",))
    assert answers(run).items.num_rows == len(ids) - 2
    assert list(run.warnings()) == ["m: 2 items could not be scored and are left out"]


def test_accuracy_counts_what_was_counted_by_hand(only: Path, table: Callable[..., Path]) -> None:
    right = gold(only)
    always = [(id_, "neutral") for id_ in right]
    runs = open_runs(
        [table("right.csv", ("item", "label"), shuffled(right)), table("flat.csv", ("item", "label"), always)], [only]
    )
    ((study, own),) = chosen(["accuracy"], runs)
    found = study.findings(own, Given())
    accuracy, *_, confusions = found.tables
    share = sum(label == "neutral" for label in right.values()) / len(right)
    last = accuracy.rows[-1]
    assert last[1] == len(right) and isinstance(last[3], Interval) and last[3].value == 1.0
    value = last[4].value if isinstance(last[4], Interval) else last[4]
    assert value == pytest.approx(share)
    assert [row[2:] for row in confusions.rows[:3]] == [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    conditions = {str(row[0]): row[3] for row in found.details[0].rows}
    assert conditions["trigger-denied"] == 1.0  # five instances with one item each have no interval


@pytest.mark.parametrize(
    ("columns", "rows", "message"),
    [
        (("item", "label"), [("presupposition/both/no/such", "neutral")], "has no such item"),
        (("item", "label"), [("ID", "Entailment")], "line 2: the label `Entailment`; did you mean `entailment`?"),
        (("item", "label"), [("ID", "contradiction"), ("x", "maybe")], "line 3: the label `maybe`"),
        (
            ("item", "label"),
            [("ID", "neutral"), ("x", "not_entailment")],
            "labels of two kinds: not_entailment beside `neutral`",
        ),
        (("item", "part", "value"), [("presupposition/both/no/such", "x", "-1")], "has no such item"),
    ],
)
def test_scores_of_other_items_are_refused(
    columns: tuple[str, ...], rows: Rows, message: str, only: Path, table: Callable[..., Path]
) -> None:
    rows = [tuple(next(iter(gold(only))) if cell == "ID" else cell for cell in row) for row in rows]
    with pytest.raises(UsageError) as refused:
        open_runs([table("bad.csv", columns, rows)], [only])
    assert refused.value.code == "E47" and message in refused.value.message


def test_scores_given_twice_are_refused(only: Path, table: Callable[..., Path]) -> None:
    file = table("labels.csv", ("item", "label"), shuffled(gold(only)))
    with pytest.raises(UsageError, match="given twice"):
        open_runs([file, file.parent / "." / file.name], [only])


def test_a_file_needs_its_dataset(only: Path, table: Callable[..., Path]) -> None:
    with pytest.raises(UsageError) as refused:
        open_runs([table("labels.csv", ("item", "label"), shuffled(gold(only)))])
    assert "--dataset" in refused.value.help
    with pytest.raises(UsageError) as missing:
        open_runs([only / "nowhere"], [only])
    assert missing.value.code == "E44" and "not there" in missing.value.message


def test_a_study_that_does_not_fit_says_what_it_needs(follow_ups: Path, table: Callable[..., Path]) -> None:
    values = [(id_, part, "-1.0") for id_ in ids_of(follow_ups) for part in PARTS]
    runs = open_runs([table("values.csv", ("item", "part", "value"), values)], [follow_ups])
    with pytest.raises(UsageError) as refused:
        chosen(["accuracy"], runs)
    assert refused.value.code == "E47" and "--mode nli" in refused.value.help
    with pytest.raises(UsageError, match="did you mean `accuracy`"):
        chosen(["acuracy"], runs)


def test_the_factors_of_an_author_come_first(tmp_path: Path, table: Callable[..., Path]) -> None:
    """Beside what is asked of every set with labels, such as accuracy."""
    (tmp_path / "grammars/own").mkdir(parents=True)
    lines = "premise\n  said = Assert(Does(Who(a), v))\n  perhaps = Maybe(Does(Who(a), v))\n"
    lines += "hypothesis\n  other = Assert(Does(Who(b), v))\npair any => other\n"
    head = "paradigm mine\nuses tiny\ntheory tiny\nsize 2\ndraw a, b : Name where a != b\ndraw v : Verb\n"
    paradigm = tmp_path / "grammars/own/mine.paradigm"
    for factor, first in (("", "accuracy"), ("factor mood = plain: said | possible: perhaps\n", "any")):
        paradigm.write_text(head + lines + factor, "utf-8")
        (built,) = gramprobe.load([BASE, tmp_path]).build("own/mine", out=tmp_path / f"data-{first}")
        labels = table("labels.csv", ("item", "label"), shuffled(gold(built.folder)))
        studies = [study.name for study, _ in chosen([], open_runs([labels], [built.folder]))]
        assert studies[0] == first and "any" in studies


def test_what_no_study_reads_is_reported(only: Path, follow_ups: Path, table: Callable[..., Path]) -> None:
    values = [(id_, part, "-1.0") for id_ in ids_of(follow_ups) for part in PARTS]
    files = [
        table("values.csv", ("item", "part", "value"), values),
        table("labels.csv", ("item", "label"), shuffled(gold(only))),
    ]
    runs = open_runs(files, [only, follow_ups])
    given = Given(ratings=Path("people.csv"), labels=(gramprobe.read(only),))
    assert unused(chosen([], runs), runs, given) == []
    assert unused(chosen(["accuracy"], runs), runs, given, ["accuracy"]) == [
        "values is in no table: no analysis that was asked for applies to its scores (mode values)",
        "--ratings is not used: it is for --study scope",
        "--labels is not used: it is for --study imppres and --study consistency and --study theories",
    ]


def test_a_folder_that_is_not_of_scores_says_what_it_is(only: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / "scores" / name).mkdir(parents=True)
        (tmp_path / "scores" / name / "run.json").write_text("{}")
    (tmp_path / "empty").mkdir()
    for folder, what, help in (
        (only, "is a dataset", "gramprobe score"),
        (tmp_path / "scores", "is a folder of 2 runs", f"one {tmp_path / 'scores' / 'two'}"),
        (tmp_path / "empty", "without the record of a run", "folders of `gramprobe score`"),
    ):
        with pytest.raises(UsageError, match=what) as refused:
            open_runs([folder])
        assert refused.value.code == "E44" and help in refused.value.help


def test_models_that_answered_different_items_are_warned_of(only: Path, table: Callable[..., Path]) -> None:
    every = shuffled(gold(only))
    files = [table("all.csv", ("item", "label"), every), table("some.csv", ("item", "label"), every[:30])]
    ((study, own),) = chosen(["accuracy"], open_runs(files, [only]))
    warnings = study.findings(own, Given()).warnings
    assert any(f"(all {FEW * 38} of {only.name}; some 30 of {only.name})" in each for each in warnings)
    ((study, own),) = chosen(["accuracy"], open_runs(files[:1], [only]))
    assert study.findings(own, Given()).warnings == ()


def test_a_file_with_other_columns_names_both_forms(only: Path, table: Callable[..., Path]) -> None:
    with pytest.raises(UsageError, match="line 1: the columns Item, Label") as refused:
        open_runs([table("other.csv", ("Item", "Label"), [("a", "neutral")])], [only])
    assert "item,label" in refused.value.help and "item,part,value" in refused.value.help


def test_intervals_hold_for_more_values_of_the_cluster_that_is_named(only: Path, table: Callable[..., Path]) -> None:
    """Answers that are wrong with half of the values of a draw: over these the interval is wider than over instances,
    and the table says of what it is. A draw may be called by its name alone."""
    dataset = gramprobe.read(only)
    rows = [row for name in dataset.paradigms for batch in dataset.rows(name) for row in batch.to_pylist()]
    draw = max(rows[0]["draws"], key=lambda name: len({row["draws"][name] for row in rows}))
    values = sorted({row["draws"][draw] for row in rows})
    given = [(row["id"], row["label_name"] if values.index(row["draws"][draw]) % 2 else "none") for row in rows]
    labels = [(id_, "neutral" if label == "none" else label) for id_, label in given]
    runs = open_runs([table("m.csv", ("item", "label"), labels)], [only])
    ((study, own),) = chosen(["accuracy"], runs)
    for cluster in (draw, f"draws.{draw}"):
        accuracy = study.findings(own, Given(cluster=cluster)).tables[0]
        assert accuracy.methods[0].cluster == f"values of `{cluster}`"
        assert f"It holds for new values of `{cluster}`." in accuracy.remarks[-1]
        said = dict(labels)
        means = [
            np.mean([said[row["id"]] == row["label_name"] for row in rows if row["draws"][draw] == value])
            for value in values
        ]
        sizes = [float(sum(row["draws"][draw] == value for row in rows)) for value in values]
        assert accuracy.rows[-1][3] == share(np.array(means), np.array(sizes))
    with pytest.raises(UsageError, match="no draw or column named `drws`"):
        study.findings(own, Given(cluster="drws"))


def test_every_table_with_intervals_or_tests_says_how_they_were_made(
    only: Path, follow_ups: Path, table: Callable[..., Path]
) -> None:
    values = [(id_, part, str(-1.0 - i % 7)) for i, (id_, part) in enumerate(product(ids_of(follow_ups), PARTS))]
    files = [
        table("values.csv", ("item", "part", "value"), values),
        table("labels.csv", ("item", "label"), shuffled(gold(only))),
    ]
    every = found([], open_runs(files, [only, follow_ups]), Given())
    assert {each.study for each in every} >= {"accuracy", "scope", "artefacts", "principles"}
    for each in every:
        for one in (*each.tables, *each.details):
            cells = any(isinstance(cell, Interval) for row in one.rows for cell in row)
            if cells or any(column.unit is Unit.PROBABILITY for column in one.columns):
                assert one.methods, one.name
                parts = ("Estimator", "Interval", "Cluster", "Degrees of freedom", "Correction", "It holds for")
                places = [[note.index(part) for part in parts] for note in one.remarks[-len(one.methods) :]]
                assert places == [sorted(own) for own in places]


def test_several_people_are_one_run_with_the_share_of_them_that_gives_each_label(
    only: Path, table: Callable[..., Path]
) -> None:
    right = gold(only)
    rows = [(id_, label if who == "a" else "neutral", who) for id_, label in right.items() for who in ("a", "b")]
    (run,) = open_runs([table("people.csv", ("item", "label", "person"), rows)], [only])
    found = answers(run)
    assert run.mode == "people" and run.coverage.scored == len(right)
    by_id = dict(zip(found.column("id"), found.right(), strict=True))
    assert by_id == {id_: 1.0 if label == "neutral" else 0.5 for id_, label in right.items()}


def test_models_are_ordered_by_the_sizes_that_are_said(only: Path, table: Callable[..., Path]) -> None:
    files = [table(f"{name}.csv", ("item", "label"), shuffled(gold(only))) for name in ("big", "small")]
    runs = open_runs(files, [only])
    assert [run.model for run in sized(runs, {"big": 7, "small": 2}, by_size=True)] == ["small", "big"]
    assert [run.parameters for run in sized(runs, {"small": 2})] == [None, 2]
    with pytest.raises(UsageError, match="how many parameters big has is not known"):
        sized(runs, {"small": 2}, by_size=True)
    with pytest.raises(UsageError, match="did you mean `small`"):
        sized(runs, {"smal": 2})


@pytest.fixture
def scored(only: Path, tmp_path: Path) -> Path:
    """Scores of a rule."""
    scores = tmp_path / "scores"
    assert main(["score", str(only), "--model", "rule:overlap", "--out", str(scores)]) == 0
    open_runs([scores], [only])
    return scores


def _exchange(rows: list[dict[str, Any]]) -> None:
    """The items of two rows that have not equally many characters."""
    other = next(row for row in rows if row["characters"] != rows[0]["characters"])
    rows[0]["item"], other["item"] = other["item"], rows[0]["item"]


@pytest.mark.parametrize(
    ("edit", "wrong"),
    [
        (lambda rows: rows[3].update(characters=rows[3]["characters"] + 1), "characters, and its text"),
        (lambda rows: rows[3].update(part="trigger/hypothesis"), "which the mode `nli` does not make"),
        (lambda rows: _exchange(rows), "words, and its text"),
    ],
)
def test_texts_that_were_scored_have_the_lengths_of_the_items(
    edit: Callable[[list[dict[str, Any]]], None], wrong: str, only: Path, scored: Path
) -> None:
    """Scores of an older dataset with the same ids, whose record names this one."""
    (file,) = scored.glob("scores/*.parquet")
    before, table = sha256_of(file), pq.read_table(file)
    rows = table.to_pylist()
    edit(rows)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), file, compression="zstd")
    record = scored / "run.json"
    record.write_text(record.read_text("utf-8").replace(before, sha256_of(file)), "utf-8")
    with pytest.raises(UsageError, match=wrong) as refused:
        open_runs([scored], [only])
    assert refused.value.code == "E94"


def test_a_part_that_only_some_items_have_is_refused(datasets: SharedDatasets, tmp_path: Path) -> None:
    choices = datasets("scope/choice_universal_indefinite", n=FEW)
    batches = read(choices).rows("choice_universal_indefinite", ["id"])
    ids = [item for batch in batches for item in batch.column("id").to_pylist()]
    scores = {(item, part): -1.0 for item in ids for part in ("option_a", "option_b")}
    open_runs([scores_folder(tmp_path / "all", choices, "choice", scores)], [choices])
    del scores[ids[1], "option_b"]
    with pytest.raises(UsageError, match="has no part `option_b`"):
        open_runs([scores_folder(tmp_path / "some", choices, "choice", scores)], [choices])


def test_a_rule_does_not_go_by_the_name_of_another(only: Path, scored: Path) -> None:
    record = scored / "run.json"
    honest = record.read_text("utf-8")
    record.write_text(honest.replace("rule:overlap", "rule:negation"), "utf-8")
    with pytest.raises(UsageError, match="that of another rule than `rule:negation`") as refused:
        open_runs([scored], [only])
    assert refused.value.code == "E94"
    record.write_text(honest.replace("Entailment where every word", "Yes where each word"), "utf-8")  # of an older one
    open_runs([scored], [only])
