"""The study of scalar diversity: rates of people read from rows, and correlations over scales by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.datasets import FEW, SOME_SCALES, SharedDatasets
from support.scores import labels_file

import gramprobe
from gramprobe.analysis.inference import pearson
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval
from gramprobe.analysis.studies import scalar_diversity
from gramprobe.analysis.studies.scalar_diversity import STUDY, Measured, measured
from gramprobe.analysis.study import Given

RONAI = "Ronai & Xiang 2022"


def rows(dataset: Path) -> list[dict[str, Any]]:
    found = gramprobe.read(dataset)
    return [row for name in found.paradigms for batch in found.rows(name) for row in batch.to_pylist()]


def test_a_row_says_what_each_study_measured() -> None:
    sources = "Gotzner et al. 2018: cool / cold; Ronai & Xiang 2022: cool / cold"
    assert list(measured("43; 42.5", sources)) == [
        Measured("Gotzner et al. 2018", "cool / cold", 43.0),
        Measured("Ronai & Xiang 2022", "cool / cold", 42.5),
    ]


def test_a_model_that_answered_nothing_of_some_scales(datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = datasets("implicature", among=SOME_SCALES, n=FEW)
    answers = {row["id"]: "neutral" for row in rows(dataset) if row["paradigm"] == "quantifiers_object"}
    runs = open_runs([labels_file(tmp_path / "m.csv", answers)], [dataset])
    (run,) = (replace(each, paradigms=gramprobe.read(dataset).paradigms) for each in runs)
    found = STUDY.findings([run], Given())
    assert {row[0] for row in found.details[0].rows} == {"some / all"}


def test_probabilities_that_differ_by_rounding_alone_have_no_correlation() -> None:
    drawn, people = [1e-44, 3e-44, 0.0, 2e-44], [1.0, 2.0, 3.0, 4.0]
    assert scalar_diversity._value(partial(pearson, drawn, people), drawn, people) is None
    assert isinstance(scalar_diversity._value(partial(pearson, people, people[::-1]), people), Interval)


@pytest.mark.slow
def test_a_model_that_orders_scales_as_people_do(datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = datasets("implicature/gradable_adjectives", n=15)
    items = [row for row in rows(dataset) if row["condition"] == "weak-not_strong" and row["si_rate"]]
    known = {
        row["id"]: {each.study: each for each in measured(row["si_rate"], row["si_source"])}.get(RONAI) for row in items
    }
    rates = {each.scale: each.rate for each in known.values() if each}
    assert len(rates) > scalar_diversity.FEWEST
    middle = sorted(rates.values())[len(rates) // 2]
    answers = {id_: "entailment" if each and each.rate >= middle else "neutral" for id_, each in known.items()}
    files = [labels_file(tmp_path / "m.csv", answers)]
    files.append(
        labels_file(
            tmp_path / "opposed.csv", {i: "neutral" if a == "entailment" else "entailment" for i, a in answers.items()}
        )
    )
    files.append(labels_file(tmp_path / "never.csv", dict.fromkeys(answers, "neutral")))
    found = STUDY.findings(open_runs(files, [dataset]), Given())
    (table,), (by_scale,) = found.tables, found.details
    models = list(table.sections.values())
    starts = [*table.sections, len(table.rows)]
    cells = {
        model: next(row for row in table.rows[a:b] if row[0] == RONAI)
        for model, a, b in zip(models, starts, starts[1:], strict=False)
    }
    agrees, opposed, never = (cells[model] for model in models)
    assert agrees[1] == len(rates) and agrees[2] == sum(each is not None for each in known.values())
    rho, minus = agrees[3], opposed[3]
    assert isinstance(rho, Interval) and isinstance(minus, Interval)
    assert rho.value > 0.5 and minus.value == pytest.approx(-rho.value)
    assert rho.low < rho.value < rho.high
    assert never[3:] == (None, None)  # who always says the same has no order
    assert {row[0]: row[3] for row in by_scale.rows if row[0] in rates} == {
        scale: float(rate >= middle) for scale, rate in rates.items()
    }
