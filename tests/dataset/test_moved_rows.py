"""scripts/moved_rows.py on a small dataset and a copy with three changes."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

from support.datasets import FEW, SharedDatasets

from gramprobe.records import sha256_of

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "moved_rows.py"


def test_labels_and_conditions_that_moved_are_named(datasets: SharedDatasets, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("moved_rows", SCRIPT)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    former = datasets("presupposition/both", n=FEW)
    present = tmp_path / "present"
    shutil.copytree(former, present)
    (file,) = (present / "items").glob("*.jsonl")
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    denied = [row for row in rows if row["condition"] == "negated-denied"]
    for row in denied:
        row["label_name"] = "neutral"
    kept = [row for row in rows if row["condition"] != "modal-trigger"]
    left = len(rows) - len(kept)
    next(row for row in kept if row["condition"] == "trigger-neutral")["premise"] += " Really."
    file.write_text("".join(json.dumps(row) + "\n" for row in kept), "utf-8")
    record = present / "manifest.json"
    manifest = json.loads(record.read_text("utf-8"))
    manifest["files"]["items/both.jsonl"] = sha256_of(file)
    record.write_text(json.dumps(manifest), "utf-8")
    lines = list(script.lines(former, present))
    assert f"| both | {len(kept)} | {left} | 0 | 1 | 1 | 0 | contradiction → neutral: 1 |" in lines
    assert "- both; contradiction → neutral: `negated-denied`." in lines
    assert "- both; left: `modal-trigger`." in lines
    assert any(line.strip() == "As they were: both." for line in script.lines(former, former))
