"""Printed and released numbers of two papers (published/*.tsv, with their sources), computed anew from what is small
enough to be frozen. What needs the released rows is compared by `scripts/published_numbers.py`."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from support import published
from support.imppres_files import PRESUPPOSITION
from support.released import from_released
from support.tables import cells, number, table

from gramprobe.analysis.findings import Findings
from gramprobe.analysis.inference import pearson
from gramprobe.analysis.output.table import Value
from gramprobe.analysis.papers import scope, scope_choices
from gramprobe.analysis.papers.scope import from_values
from gramprobe.analysis.papers.scope_choices import Choices
from gramprobe.analysis.studies.imppres import findings_of
from gramprobe.certify.rule import LABELS

# -- Kamath et al. (2024)

ALPHAS = [(row["model"], row) for row in published.read("scope_table_4.tsv")]
MISPRINT = {("GPT-2", "p"): "0.42"}


@cache
def of_scores() -> dict[str, dict[str, Value]]:
    """The rows of our table by model, from the scores that are frozen."""
    values: dict[str, dict[tuple[str, str], float]] = {}
    for row in published.read("scope_scores.tsv"):
        values.setdefault(row["model"], {}).update({(row["item"], part): float(row[part]) for part in scope.PARTS})
    pairs = dict.fromkeys((row["item"] for row in published.read("scope_scores.tsv")), "any")
    found = scope.models({model: from_values(pairs, each) for model, each in values.items()})
    keys = [column.key for column in found.columns]
    return {str(row[0]): dict(zip(keys, row, strict=True)) for row in found.rows}


@pytest.mark.parametrize(("model", "row"), [each for each in ALPHAS if each[0] in ("GPT-2", "GPT-3.5 td-003")])
def test_mean_alpha_its_p_and_the_share_above_0_are_those_of_table_4(model: str, row: dict[str, str]) -> None:
    ours = of_scores()[model]
    assert ours["n"] == 29
    for key in ("alpha", "positive", "p"):
        printed = MISPRINT.get((model, key), row[key])
        found = number(ours[key])
        assert isinstance(found, float) and published.rounds_to(found, printed), (key, found, printed)


@pytest.mark.parametrize(("which", "items"), [(4, 29), (6, 110)])
def test_the_p_of_each_printed_correlation_is_the_printed_one(which: int, items: int) -> None:
    """r is printed to two decimals: its p lies between those of the two ends of what rounds to it."""
    base = np.arange(items, dtype=float) - (items - 1) / 2
    other = np.where(np.arange(items) % 2, 1.0, -1.0)
    other -= other.mean() + base * (base @ (other - other.mean())) / (base @ base)
    base, other = (each / np.linalg.norm(each) for each in (base, other))

    def p_of(r: float) -> float:
        return pearson(base, r * base + np.sqrt(1 - r * r) * other)[1]

    rows = [row for row in published.read(f"scope_table_{which}.tsv") if row["r_p"] != "-"]
    assert len(rows) == 13
    for row in rows:
        r, (low, high) = float(row["r"]), published.ends(row["r_p"])
        assert p_of(r + 0.005) <= high and low <= p_of(r - 0.005), row["model"]


def chosen(surface: float, inverse: float, control: tuple[float, float]) -> Choices:
    """The answers to 534 and 303 sentences in both orders that have these shares, as near as whole answers come."""
    answers, without, preferred = [], [], []
    for name, count, share, other in (("surface", 534, surface, control[0]), ("inverse", 303, inverse, control[1])):
        rows = np.arange(2 * count)
        answers.append((rows < round(share * 2 * count)).astype(float))
        without.append((rows < round(other * 2 * count)).astype(float))
        preferred += [name] * (2 * count)
    other_reading = {"surface": "inverse", "inverse": "surface"}
    items = [str(row // 2) for row in range(len(preferred))]
    return Choices(
        items=tuple(items), orders=(1, 2) * 837, pairs=("any",) * 1674, picks_a=tuple(preferred),
        picks_b=tuple(other_reading[name] for name in preferred), preferred=tuple(preferred),
        first=np.concatenate(answers), control=np.concatenate(without),
    )  # fmt: skip


@pytest.mark.parametrize("row", published.read("scope_table_5.tsv"), ids=lambda row: row["model"])
def test_the_accuracy_of_all_of_table_5_follows_from_those_of_its_readings(row: dict[str, str]) -> None:
    share = {key: float(value) for key, value in row.items() if key != "model"}
    given = chosen(share["surface"], share["inverse"], (share["surface_control"], share["inverse_control"]))
    found = scope_choices.accuracy({"m": given})
    keys = [column.key for column in found.columns]
    of_all = dict(zip(keys, found.rows[0], strict=True))
    assert of_all["n"] == 837
    for ours, printed in (("share", "all"), ("control", "all_control")):
        # half a hundredth of rounding in what is printed of all, as much in what it follows from
        assert number(of_all[ours]) == pytest.approx(share[printed], abs=0.0101), ours


def test_the_third_cell_that_differs_is_336_of_606() -> None:
    """Table 5 prints .56 for Llama-2 7B Chat on inverse sentences; the released answers are right in 336 of 606."""
    found = scope_choices.accuracy({"m": chosen(0.58, 336 / 606, (0.58, 0.58))})
    inverse = dict(zip([column.key for column in found.columns], found.rows[2], strict=True))
    assert inverse["n"] == 303
    share = number(inverse["share"])
    assert isinstance(share, float) and published.rounds_to(share, "0.55")


# -- Jeretic et al. (2020)

RIGHT = {"positive": "entailment", "negated": "contradiction", "neutral": "neutral"}
BERT = published.read("imppres_bert.tsv")
BY_CONDITION = {(row["trigger"], row["premise"], row["hypothesis"]): row for row in BERT}


def right_label(row: dict[str, str]) -> str:
    if row["hypothesis"] == "control":
        return "contradiction" if row["premise"] == "negated" else "neutral"
    return RIGHT[row["hypothesis"]]


def labels_of(row: dict[str, str], which: str = "") -> Counter[str]:
    return Counter({label: int(row[which + label]) for label in LABELS})


@cache
def answered() -> Findings:
    """Answers to 100 instances of each trigger with the released counts, dealt out so that an instance is right on the
    plain trigger and on an operator's control as often as the released filter kept it."""
    items, given = [], []
    for row in BERT:
        trigger, premise, hypothesis = row["trigger"], row["premise"], row["hypothesis"]
        counts, right = labels_of(row), right_label(row)
        if hypothesis == "control":
            plain, kept = (
                labels_of(BY_CONDITION[trigger, name, "positive"], "kept_") for name in ("unembedded", premise)
            )
            wrong = [label for label in counts.elements() if label != right]
            first = Counter([right] * kept.total() + wrong[: plain.total() - kept.total()])
        else:
            first = labels_of(row, "kept_")
        dealt = [*first.elements(), *(counts - first).elements()]
        assert Counter(dealt) == +counts
        for instance, label in enumerate(dealt):
            item = f"{trigger}/{instance}/{premise}/{hypothesis}"
            kind = ("control", "") if hypothesis == "control" else ("target", hypothesis)
            texts = (item, f"{trigger}/{instance}", "", "", premise, kind[1], kind[0], right)
            items.append(dict(zip(PRESUPPOSITION.names, texts, strict=True)))
            given.append({"item": item, **{name: float(name == label) for name in LABELS}})
    pairs = from_released(pa.Table.from_pylist(items, PRESUPPOSITION), pa.Table.from_pylist(given), "BERT")
    return findings_of([pairs])


EMBEDDINGS = {"unembedded": "plain"}
VERSIONS = {"positive": "presupposed", "negated": "denied", "control": "plain trigger (control)"}


@pytest.mark.parametrize(
    "row", published.read("imppres_bert_all.tsv"), ids=lambda row: f"{row['premise']}-{row['hypothesis']}"
)
def test_accuracy_over_all_triggers_is_that_of_the_released_summary(row: dict[str, str]) -> None:
    """The counts by trigger are put in, and what comes out is what the summary has of all: shares, how many the filter
    keeps, and the shares of those."""
    premise, hypothesis = row["premise"], row["hypothesis"]
    place = EMBEDDINGS.get(premise, premise), VERSIONS.get(hypothesis, hypothesis)
    accuracy = cells(table(answered(), "imppres_presupposition"), *place)
    assert accuracy["n_1"] == int(row["n"])
    assert accuracy["model_1"] == pytest.approx(float(row["accuracy"]), abs=1e-12)
    if hypothesis != "control":
        kept = cells(table(answered(), "imppres_projection"), *place)
        assert (kept["n_before_1"], kept["n_after_1"]) == (int(row["n"]), int(row["kept"]))
        assert kept["after_1"] == pytest.approx(float(row["kept_accuracy"]), abs=1e-12)
