"""The samples of this folder as a task of Inspect: `inspect eval DIR/task.py --model MODEL`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import accuracy, choice, grouped, stderr
from inspect_ai.solver import multiple_choice

HERE = Path(__file__).parent


@task
def gramprobe(paradigm: str = "", by: str = "paradigm") -> Task:
    """All paradigms, or one. Accuracy by paradigm (or condition) and in all, with the error over instances."""
    about: dict[str, Any] = json.loads((HERE / "task.json").read_text("utf-8"))
    files = [HERE / f"{name}.jsonl" for name in about["paradigms"] if paradigm in ("", name)]
    samples = [Sample(**json.loads(line)) for file in files for line in file.read_text("utf-8").splitlines()]
    return Task(
        dataset=MemoryDataset(samples, name=about["name"]),
        solver=multiple_choice(),
        scorer=choice(),
        metrics=[grouped(accuracy(), by), stderr(cluster="instance")],
        metadata=about["metadata"],
    )
