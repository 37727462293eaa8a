"""scripts/published_numbers.py on invented files of the released form, whose numbers are counted by hand."""

from __future__ import annotations

import csv
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from support import published

from gramprobe.certify.rule import LABELS

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "published_numbers.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("published_numbers", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(path: Path, rows: Sequence[dict[str, object]]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_cells_of_continuations_stand_beside_those_of_table_4(script: ModuleType, tmp_path: Path) -> None:
    models = [row["model"] for row in published.read("scope_table_4.tsv") if row["model"] != "people"]
    random = np.random.default_rng(0)
    scores, people = [], []
    for item in range(6):
        for part in ("S F1", "S F2", "Sc F1", "Sc F2"):
            stype, ftype = part.split()
            row = {"idx": item, "sentence": "", "followup": "", "stype": stype, "ftype": ftype}
            row |= {"OP1": "a", "OP1_type": "IND", "OP2": "all", "OP2_type": "QD"}
            values = {model: (-3.0 if part == "S F2" else -5.0) + random.normal(0, 0.1) for model in models}
            scores.append(row | values)
            people.append(row | {"workerid": 1, "response": 7 - item % 3 if part != "Sc F2" else 1 + item % 3})
    written(tmp_path / "model_results" / "exp2a_model_results.csv", scores)
    written(tmp_path / "human_results" / "exp2a_human_results_cleaned.csv", people)
    found = {
        (where, column): (printed, ours) for where, column, printed, ours in script.of_continuations(tmp_path, "2a", 4)
    }
    assert len(found) == 13 * 5 + 3
    assert found["GPT-2", "alpha"] == ("0.29", pytest.approx(2, abs=0.5))
    assert found["GPT-2", "positive"] == ("0.52", 1.0)


def test_cells_of_choices_stand_beside_those_of_table_5(script: ModuleType, tmp_path: Path) -> None:
    models = [row["model"] for row in published.read("scope_table_5.tsv")]
    rows = []
    for item in range(4):
        for order, key in ((1, "A"), (2, "B")):
            row = {"idx": item, "sentence": "", "Option A": order, "Option B": 3 - order, "gold_ans": key}
            row |= {"gold_scope_label": "surface" if item < 3 else "inverse"}
            row |= {"OP1": "a", "OP1_type": "IND", "OP2": "all", "OP2_type": "QD"}
            for model in models:
                row |= {model: "Option A" if "Chat" in model else "A", f"{model} Control": key}
            rows.append(row)
    written(tmp_path / "model_results" / "exp1b_model_results.csv", rows)
    found = {(where, column): ours for where, column, _, ours in script.of_choices(tmp_path)}
    assert len(found) == 11 * 6
    assert {ours for (_, column), ours in found.items() if "control" not in column} == {0.5}
    assert {ours for (_, column), ours in found.items() if "control" in column} == {1.0}


def test_a_summary_is_counted_from_arrays(script: ModuleType, tmp_path: Path) -> None:
    """Two instances: the model entails every presupposition of one, and calls all else neutral."""
    embeddings, versions = ("unembedded", "negated"), ("positive", "negated", "neutral")
    gold = dict(zip(versions, ("entailment", "contradiction", "neutral"), strict=True))
    lines, array = [], []
    for instance in range(2):
        kinds = [(e, v) for e in embeddings for v in versions] + [("negated", "")]
        for number, (embedding, version) in enumerate(kinds):
            row = {
                "sentence1": "",
                "sentence2": "",
                "UID": "u",
                "pairID": f"{instance}.{number}",
                "paradigmID": instance,
            }
            if version:
                row |= {"trigger": embedding, "presupposition": version, "gold_label": gold[version]}
            else:
                row |= {"trigger1": embedding, "control_item": True, "gold_label": "contradiction"}
            right = (
                "contradiction"
                if not version
                else "entailment"
                if version == "positive" and not instance
                else "neutral"
            )
            lines.append(json.dumps(row))
            array.append([float(label == right) for label in LABELS])
    for folder in ("files", "arrays", "arrays/m"):
        (tmp_path / folder).mkdir()
    (tmp_path / "files" / "both_presupposition.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    np.save(tmp_path / "arrays" / "m" / "both_presupposition.npy", np.array(array))
    summary = []
    for name in ("all", "both_presupposition"):
        for filtered in (False, True):
            for embedding, version in [(e, v) for e in embeddings for v in versions] + [("negated", "")]:
                share = {"positive": 0.5, "negated": 0.0, "neutral": 1.0, "": 1.0}[version]
                row = {"model": "m", "filtered": filtered, "trigger_type": name, "trigger_condition": embedding}
                row |= {"presupposition_condition": version, "n_examples": 1 if filtered else 2}
                summary.append(row | {"accuracy": 1.0 if filtered and version == "positive" else share})
    written(tmp_path / "summary.csv", summary)
    cells = list(script.of_presuppositions(tmp_path / "files", tmp_path / "arrays", tmp_path / "summary.csv"))
    assert len(cells) == 2 * 2 * (7 + 6)
    assert script.shown(cells) == (len(cells), 0)
    assert script.shown([*cells, ("where", "n", "3", 2.0)]) == (len(cells) + 1, 1)
