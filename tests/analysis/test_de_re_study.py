"""The study of de re and de dicto: bias, medians, raw effects and the paper's mixed model, on made-up scores."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support.datasets import MANY, SharedDatasets
from support.released import from_release
from support.scores import scores_folder, values_file

import gramprobe
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.mixed.model import mixed_model
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Table
from gramprobe.analysis.papers import de_re
from gramprobe.analysis.papers.de_re import SentenceScores
from gramprobe.analysis.studies.de_re_de_dicto import STUDY, medians, of_scores
from gramprobe.analysis.study import Given
from gramprobe.formats.de_re import BIAS
from gramprobe.source.diagnostic import UsageError

Row = dict[str, Any]
Scores = dict[tuple[str, str], float]
FOLLOWUPS = ("greet", "like", "meet")
HELMERT = {"greet": (-1, -1), "like": (1, -1), "meet": (0, 2)}


@pytest.fixture(scope="module")
def dataset(datasets: SharedDatasets) -> Path:
    return datasets("de_re_de_dicto", n=MANY)


@pytest.fixture(scope="module")
def rows(dataset: Path) -> list[Row]:
    return rows_of(dataset)


def rows_of(dataset: Path) -> list[Row]:
    found = gramprobe.read(dataset)
    return [row for name in found.paradigms for batch in found.rows(name) for row in batch.to_pylist()]


def scored(rows: list[Row], seed: int = 0) -> tuple[Scores, dict[str, float]]:
    """Scores of both candidates, and the bias of each item: effects of determiner, type, subject, follow-up and words,
    and a residual."""
    random = np.random.default_rng(seed)
    words: dict[str, float] = {}
    values: Scores = {}
    biases = {}
    for row in rows:
        draws = row["draws"]
        bias = 3 + 2 * half(draws["d"] == "indefinite") - 2 * half(row["verb_class"] == "perceptual")
        bias -= half(draws["who"] == "mary") + HELMERT[draws["met"]][1]
        bias += sum(words.setdefault(draws[name], float(random.normal())) for name in ("verb", "noun", "act"))
        bias += float(random.normal())
        subject = float(random.normal(-6))
        values[row["id"], "candidate_subject"] = subject
        values[row["id"], "candidate_embedded"] = subject - bias
        biases[row["id"]] = subject - (subject - bias)
    return values, biases


def half(yes: bool) -> float:
    return 0.5 if yes else -0.5


def study(files: list[Path], dataset: Path) -> Findings:
    runs = open_runs(files, [dataset])
    assert all(STUDY.fits(run) for run in runs)
    return STUDY.findings(runs, Given())


def table(found: Findings, name: str) -> Table:
    return next(t for t in found.tables if t.name == name)


def test_medians_of_the_bias(dataset: Path, rows: list[Row], tmp_path: Path) -> None:
    values, biases = scored(rows)
    (run,) = open_runs([values_file(tmp_path / "m.csv", dict(reversed(values.items())))], [dataset])
    scores = de_re.from_run(run)
    assert {"hopes", "intends for"} & set(scores.levels("matrix_verb"))  # words, not their ids
    cells = {row[:2]: row[2:] for row in medians({"m": scores}).rows}

    def own(perceptual: bool, determiner: str) -> list[float]:
        return [
            biases[row["id"]]
            for row in rows
            if row["draws"]["d"] == determiner
            and (row["verb_class"] == "perceptual") == perceptual
            and row["verb_class"] != "extensional"
        ]

    for which, values_of, paper in (
        ("perceptual, that", own(True, "deictic"), -0.6),
        ("intensional, a/an", own(False, "indefinite"), 6.7),
    ):
        n, first, middle, third, printed = cells["type × determiner", which]
        assert n == len(values_of)
        assert middle == pytest.approx(median(values_of))
        assert [first, third] == pytest.approx(np.percentile(values_of, [25, 75]).tolist())
        assert printed == paper
    everyone = [biases[row["id"]] for row in rows if row["draws"]["who"] == "john"]
    assert cells["matrix subject", "john"][2] == pytest.approx(median(everyone))
    assert cells["frame × determiner", "relative, that"][0] == sum(
        row["frame"] == "relative" and row["draws"]["d"] == "deictic" for row in rows
    )


def crossing() -> pa.Table:
    """Released scores of a small design in which everything is crossed but verbs with types, with effects and noise."""
    random = np.random.default_rng(3)
    words = {name: random.normal(size=(6, 5)) for name in ("verb", "noun", "embedded_verb")}
    rows: list[Row] = []
    for verb, noun, act, d, who, met in product(range(6), range(5), range(5), range(2), range(2), range(3)):
        x = np.array([1.0, 0.5 - d, half(verb < 3), half(who == 0), (-1, -1, 2)[met]])
        y = x @ [3.0, 2.0, -2.0, -1.0, -1.0] + random.normal()
        slopes = np.array([1.0, 1.0, 0.0, 1.0, 1.0])  # a verb is of one type
        for name, level in (("verb", verb), ("noun", noun), ("embedded_verb", act)):
            y += (slopes if name == "verb" else 1.0) * x @ words[name][level]
        rows.append(
            {
                "sentence": str(len(rows)), "verb": f"v{verb}", "noun": f"n{noun}", "embedded_verb": f"e{act}",
                "verb_class": "perceptual" if verb < 3 else ("intensional", "intensional_nf")[verb % 2],
                "determiner": ("indefinite", "deictic")[d], "subject": ("Mary", "John")[who],
                "followup": ("greeted", "liked", "met")[met],
                "subject_score": y - 9, "embedded_score": -9.0, "bias": y,
            }
        )  # fmt: skip
    return pa.Table.from_pylist(rows, BIAS)


@pytest.mark.slow
def test_the_model_is_that_of_the_script_fitted_to_the_numbers_of_its_coding() -> None:
    released = crossing()
    found = of_scores({"m": from_release(released)})
    fixed = table(found, "de_re_fixed")
    assert "as fitted in the paper's script" in fixed.notes[0]
    columns: dict[str, list[Any]] = {
        "bias": released.column("bias").to_pylist(),
        "det": [half(value == "indefinite") for value in released.column("determiner").to_pylist()],
        "type": [half(value == "perceptual") for value in released.column("verb_class").to_pylist()],
        "subj": [half(value == "Mary") for value in released.column("subject").to_pylist()],
        "f1": [{"greeted": -1, "liked": 1, "met": 0}[value] for value in released.column("followup").to_pylist()],
        "f2": [2 if value == "met" else -1 for value in released.column("followup").to_pylist()],
        **{name: released.column(name).to_pylist() for name in ("verb", "noun", "embedded_verb")},
    }
    slopes = "(0 + det * type + subj || {0}) + (1 + f1 + f2 | {0})"
    verb = "(0 + det + subj || verb) + (1 + f1 + f2 | verb)"
    bars = f"{slopes.format('noun')} + {verb} + {slopes.format('embedded_verb')}"
    other = mixed_model(f"bias ~ det * type + subj + f1 + f2 + {bars}", pa.table(columns)).fit
    effects = {effect.name: effect for effect in other.effects()}
    names = {
        "determiner": "det",
        "subject": "subj",
        "followup1": "f1",
        "followup2": "f2",
        "determiner:type": "det:type",
    }
    assert len(fixed.rows) == len(effects) == 7
    for term, b, se, df, *_ in fixed.rows:
        same = effects[names.get(str(term), str(term))]
        assert isinstance(b, Interval)
        assert b.value == pytest.approx(same.estimate, abs=1e-4)
        assert se == pytest.approx(same.error, rel=1e-3)
        assert df == pytest.approx(same.df, rel=1e-2)
    random = table(found, "de_re_random")
    assert len(random.rows) == 7 + 5 + 7 + 1
    assert random.rows[0][:2] == ("emb_subject", "(Intercept)")
    assert random.rows[-1][2] == pytest.approx(other.sigma**2, rel=1e-3)
    assert len(found.figures) == 12
    for figure in found.figures:
        figure.draw()


def test_what_few_sentences_cannot_estimate_is_said(dataset: Path, rows: list[Row], tmp_path: Path) -> None:
    few = [row for row in rows if row["verb_class"] in ("perceptual", "doubt")][::4]
    values, _ = scored(few)
    found = study([scores_folder(tmp_path / "m", dataset, "coref", values, complete=False)], dataset)
    assert "not complete" in found.warnings[0]
    said = [warning for warning in found.warnings if "cannot be estimated" in warning]
    assert said and said[0].startswith("m: the model as fitted in the paper's script cannot be estimated: ")
    assert "as fitted" not in table(found, "de_re_fixed").notes[0]


def test_one_type_of_verbs_has_a_model_without_it(dataset: Path, rows: list[Row], tmp_path: Path) -> None:
    values, _ = scored([row for row in rows if row["frame"] == "infinitive"])
    found = study([values_file(tmp_path / "m.csv", values)], dataset)
    assert "type" not in [row[0] for row in table(found, "de_re_fixed").rows]
    assert any("Figures 6 and 7" in sentence for sentence in found.omitted)


@pytest.mark.slow
def test_refused_items_are_left_out_and_models_stand_side_by_side(
    dataset: Path, rows: list[Row], tmp_path: Path
) -> None:
    some = [row for row in rows if row["frame"] in ("infinitive", "relative")]
    values, _ = scored(some)
    refused = {**values, (some[0]["id"], "candidate_subject"): None}
    files = [scores_folder(tmp_path / name, dataset, "coref", v) for name, v in (("a", values), ("b", refused))]
    found = study(files, dataset)
    of = table(found, "de_re_medians")
    keys = [column.key for column in of.columns]
    own = [row for row in of.rows if row[0] == "matrix subject"]
    counts = [sum(n for row in own if isinstance(n := row[keys.index(key)], int)) for key in ("n_1", "n_2")]
    assert counts == [len(some), len(some) - 1]
    assert {"de_re_fixed_1", "de_re_fixed_2"} <= {t.name for t in found.tables}
    assert "b: 1 items could not be scored and are left out" in found.warnings
    assert any("sentences with extensional verbs" in warning for warning in found.warnings)
    nothing = {(rows[0]["id"], "candidate_subject"): None, (rows[0]["id"], "candidate_embedded"): -1.0}
    folder = scores_folder(tmp_path / "c", dataset, "coref", nothing)
    with pytest.raises(UsageError, match="scores of both candidates"):
        study([folder], dataset)


def crossed() -> SentenceScores:
    """Two frames with one verb of each type and both determiners, and one frame without the perceptual verb."""
    cells = [  # subject, verb, determiner, score of the subject; that of the embedded one is 0
        ("mary", "hope", "indefinite", 8.0), ("mary", "hope", "deictic", 4.0),
        ("mary", "see", "indefinite", 3.0), ("mary", "see", "deictic", 1.0),
        ("john", "hope", "indefinite", 1.0), ("john", "hope", "deictic", 0.0),
        ("john", "see", "indefinite", 1.0), ("john", "see", "deictic", 3.0),
        ("kim", "hope", "indefinite", 9.0), ("kim", "hope", "deictic", 9.0),
    ]  # fmt: skip
    columns = list(zip(*cells, strict=True))
    names: dict[str, tuple[str, ...]] = dict.fromkeys(de_re.FACTORS, ("x",))
    names |= {
        "subject": ("mary", "john", "kim"),
        "matrix_verb": ("hope", "see"),
        "determiner": ("indefinite", "deictic"),
    }
    names["type"] = ("intensional", "perceptual", "extensional")
    codes = {name: np.zeros(len(cells), np.int64) for name in de_re.FACTORS}
    for name, column in (("subject", 0), ("matrix_verb", 1), ("determiner", 2)):
        codes[name] = np.array([names[name].index(str(value)) for value in columns[column]])
    codes["type"] = codes["matrix_verb"]
    scores = np.column_stack([np.array(columns[3], float), np.zeros(len(cells))])
    return SentenceScores(names, codes, scores)


def test_raw_effects_are_differences_of_means_in_each_frame() -> None:
    found = de_re.effects(crossed())
    assert found.determiner.tolist() == [0.5 * (8 + 3 - 4 - 1), 0.5 * (1 + 1 - 0 - 3)]
    assert found.type.tolist() == [0.5 * (8 + 4 - 3 - 1), 0.5 * (1 + 0 - 1 - 3)]
    assert found.interaction.tolist() == [8 - 3 - 4 + 1, 1 - 1 - 0 + 3]


def test_words_are_ordered_by_bias_with_one_standard_deviation() -> None:
    names, series = de_re.by_word(crossed(), "subject")
    assert names == ["john", "mary", "kim"]
    mary = series["matrix subject"][1]
    assert mary.value == fmean([8, 4, 3, 1])
    assert mary.high - mary.value == pytest.approx(stdev([8, 4, 3, 1]))
    assert [each.value for each in series["embedded subject"]] == [0, 0, 0]


def test_released_scores_give_the_same_tables() -> None:
    common = {"verb": "hopes that", "followup": "met", "noun": "pilot", "embedded_verb": "resting"}
    released = [
        {"subject": "Mary", "verb_class": "intensional", "determiner": "indefinite", "bias": 5.0, **common},
        {"subject": "John", "verb_class": "intensional_nf", "determiner": "indefinite", "bias": 2.0, **common},
        {"subject": "John", "verb_class": "perceptual", "determiner": "deictic", "bias": -1.0, **common},
    ]
    rows = [
        {"sentence": str(i), "subject_score": r["bias"], "embedded_score": 0.0, **r} for i, r in enumerate(released)
    ]
    found = of_scores({"m": from_release(pa.Table.from_pylist(rows, BIAS))})
    cells = {row[:2]: row[2:] for row in table(found, "de_re_medians").rows}
    assert cells["type × determiner", "intensional, a/an"][2] == 3.5
    assert cells["frame × determiner", "infinitive, a/an"][2] == 2.0
    assert cells["matrix subject", "mary"] == (1, 5.0, 5.0, 5.0, 3.6)
    assert len(found.omitted) == 2  # no model, no raw effects
    for figure in found.figures:
        figure.draw()
    scored = from_release(pa.Table.from_pylist(rows, BIAS))
    both = of_scores({"first": scored, "second": scored.where(scored.is_level("subject", "john"))})
    (boxes,) = [figure for figure in both.figures if figure.name == "de_re_2"]
    axes = boxes.draw().axes[0]
    assert [label.get_text() for label in axes.get_legend().get_texts()] == ["first", "second"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["perceptual, that", "intensional, a/an"]
