"""Runs: scores and items are joined by id, whatever the order of either; what does not fit is an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.datasets import FEW, SOME_TRIGGERS, SharedDatasets
from support.scores import labels_file, scores_folder, table_file

import gramprobe
from gramprobe.analysis.open import open_runs
from gramprobe.source.diagnostic import UsageError

PART = "hypothesis"


@pytest.fixture(scope="module")
def pairs(datasets: SharedDatasets) -> Path:
    """A dataset of several paradigms with labels."""
    return datasets("presupposition", among=SOME_TRIGGERS, n=FEW)


def ids(dataset: Path) -> list[str]:
    found = gramprobe.read(dataset)
    return [i for name in found.paradigms for batch in found.rows(name, ["id"]) for i in batch.column("id").to_pylist()]


def test_values_are_joined_by_id_over_paradigms(pairs: Path, tmp_path: Path) -> None:
    every = ids(pairs)
    values = {(item, PART): -1.0 * number for number, item in enumerate(every)}
    folder = scores_folder(tmp_path / "v", pairs, "continuation", dict(sorted(values.items(), reverse=True)))
    (run,) = open_runs([folder], [pairs])
    seen = []
    for paradigm in run.paradigms:
        rows = run.rows(paradigm, ["paradigm", "draws.t", "nothing"])
        assert set(rows.column("paradigm").to_pylist()) == {paradigm}
        assert rows.column("nothing").null_count == rows.num_rows
        for item, value in zip(*(rows.column(n).to_pylist() for n in ("id", PART)), strict=True):
            assert value == -every.index(item)
            seen.append(item)
    assert seen == every


def test_a_partial_run_has_the_scored_items_alone_and_a_refused_one_is_null(pairs: Path, tmp_path: Path) -> None:
    one, two, three, *_ = ids(pairs)
    scores = {(three, PART): -3.0, (one, PART): -1.0, (two, PART): None}
    (run,) = open_runs([scores_folder(tmp_path / "m", pairs, "continuation", scores, complete=False)], [pairs])
    rows = run.rows(run.paradigms[0])
    expected = [{"id": i, PART: x} for i, x in ((one, -1), (two, None), (three, -3))]
    assert rows.select(["id", PART]).to_pylist() == expected
    assert run.rows(run.paradigms[-1]).num_rows == 0
    assert [w.partition(": ")[2] for w in run.warnings()] == [
        "the run is not complete; 3 items have scores",
        "1 items could not be scored and are left out",
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("nobody", "x", -1), "line 3: scores of `nobody`"),
        (("", "x", -2), "a second time"),
    ],
)
def test_a_score_that_fits_no_item_or_stands_twice_is_an_error(
    row: tuple[str, str, int], message: str, pairs: Path, tmp_path: Path
) -> None:
    first = ids(pairs)[0]
    rows = [(first, "x", -1), (row[0] or first, *row[1:])]
    with pytest.raises(UsageError, match=message):
        open_runs([table_file(tmp_path / "v.csv", ("item", "part", "value"), rows)], [pairs])


def test_an_infinite_score_is_an_error(pairs: Path, tmp_path: Path) -> None:
    one, two, *_ = ids(pairs)
    folder = scores_folder(tmp_path / "m", pairs, "continuation", {(one, PART): -1.0, (two, PART): float("-inf")})
    with pytest.raises(UsageError, match="no logarithm of a probability"):
        open_runs([folder], [pairs])


def test_a_dataset_beside_the_scores_is_found_by_its_hash(pairs: Path, tmp_path: Path) -> None:
    (tmp_path / pairs.name).symlink_to(pairs)
    (run,) = open_runs([scores_folder(tmp_path / "m", pairs, "continuation", {(ids(pairs)[0], PART): -1.0})])
    assert run.dataset.folder.name == pairs.name
    with pytest.raises(UsageError, match="is not found"):
        open_runs([scores_folder(tmp_path / "far" / "m", pairs, "continuation", {(ids(pairs)[0], PART): -1.0})])


def test_predicted_labels_are_shares(pairs: Path, tmp_path: Path) -> None:
    one, two, *_ = ids(pairs)
    (run,) = open_runs([labels_file(tmp_path / "l.csv", {two: "neutral", one: "entailment"})], [pairs])
    assert run.labels == ("entailment", "neutral", "contradiction")
    assert run.rows(run.paradigms[0]).column("label.entailment").to_pylist() == [1, 0]
