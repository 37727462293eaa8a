"""The study of acceptability: shares of pairs, measures, and differences of differences, counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.minimal_pairs import CROSSED, built, rows_of

from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Table, records
from gramprobe.analysis.studies.acceptability import STUDY
from gramprobe.analysis.study import Given


@pytest.fixture(scope="module")
def crossed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("crossed"), CROSSED)


def values(dataset: Path, file: Path) -> Path:
    """Scores by hand: -10 for each sentence, -1 more with `s` behind a plural, -3 more without behind a singular."""
    lines = ["item,part,value"]
    for row in rows_of(dataset):
        singular = row["sentence_good"].startswith("This")
        lines.append(f"{row['id']},sentence_good,-10")
        lines.append(f"{row['id']},sentence_bad,{-13 if singular else -9}")
        assert singular == (row["condition"] == "one-one_base")
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


def found(dataset: Path, file: Path, given: Given | None = None) -> dict[str, Table]:
    runs = open_runs([values(dataset, file)], [dataset])
    assert all(STUDY.fits(run) for run in runs)
    findings = STUDY.findings(runs, given or Given())
    return {table.name: table for table in (*findings.tables, *findings.details)}


@pytest.mark.slow
def test_shares_measures_and_the_difference_of_differences(crossed: Path, tmp_path: Path) -> None:
    tables = found(crossed, tmp_path / "by_hand.csv")
    (row,) = records(tables["acceptability"])
    assert (row["paradigm"], row["constraint"], row["n"], row["model_1"]) == ("agreement", "agree sv", 24, 0.5)
    measures = {each["measure"]: each for each in records(tables["acceptability_measures"])}
    assert measures["whole sentence"]["agreement"] == 1.0
    row, by_subject = records(tables["acceptability_differences"])
    assert by_subject["compared"] == "one \u2212 one_base \u2212 many + many_s"
    assert by_subject["model_1"] == pytest.approx(4.0)  # (-10 + 13) - (-10 + 9)
    assert row["compared"] == "one + many \u2212 one_base \u2212 many_s" and row["model_1"] == pytest.approx(1.0)
    effects = next(table for name, table in tables.items() if "effects" in name and "simple" not in name)
    both = next(row for row in effects.rows if "\u00d7" in str(row[0]))
    value = next(each for each in both if isinstance(each, float | Interval))
    # (one - one_base) - (many_s - many) = (-10 + 13) - (-9 + 10)
    assert (value.value if isinstance(value, Interval) else value) == pytest.approx(2.0)


def test_what_is_compared_within_instances_says_so_whatever_is_drawn(crossed: Path, tmp_path: Path) -> None:
    tables = found(crossed, tmp_path / "m.csv", Given(cluster="condition"))
    clusters = {name: {method.cluster for method in table.methods} for name, table in tables.items()}
    assert clusters["acceptability"] == {"values of `condition`"}
    assert all(own == {"instances"} for name, own in clusters.items() if "differences" in name or "effects" in name)
