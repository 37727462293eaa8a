"""The labels that theories give to the items of a run: its own theory, others that a paradigm names, those of datasets
of the same items that were built under other theories, and other readings of scalar items."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gramprobe.analysis.answers import Answers
from gramprobe.dataset.read import Dataset
from gramprobe.source import messages

OWN = {"label_literal": "literal", "label_pragmatic": "pragmatic", "label_imppres": "IMPPRES"}
"""Column of labels beside the gold one -> what tables call it."""
COLUMNS = ("theory", "premise_condition", "hypothesis_condition", "labels_by_theory", *OWN)
"""The columns of answers that are read."""
Labels = dict[str, list[str | None]]
"""Theory -> its label of each item, None where it has none."""


def theory_labels(found: Answers, datasets: Sequence[Dataset]) -> Labels:
    """The labels of each theory. ``found``: with `COLUMNS`; ``datasets``: built under other theories. Raises UsageError
    for one that has none of the items."""
    labels: Labels = {_name(found): found.column("label")}
    labels |= {name: own for name, own in _beside(found).items() if name not in labels}
    for dataset in datasets:
        name, own = _labels_of(dataset, found)
        if not any(own):
            raise messages.analysis.no_labels_of(str(dataset.folder), found.run.model)
        if labels.get(name) != own:
            labels[name if name not in labels else f"{name} ({dataset.folder.name})"] = own
    for column, name in OWN.items():
        own = found.column(column)
        if any(own) and all(own != other for other in labels.values()):
            labels[name] = own
    return labels


def _name(found: Answers) -> str:
    """The theory of the run's own dataset."""
    names = list(dict.fromkeys(name for name in found.column("theory") if name))
    return ", ".join(names) or "its own"


def _beside(found: Answers) -> Labels:
    """Theory -> its label of each item, from `labels_by_theory`: None where the item does not have it. Where readings
    differ it is that of the readings that the author chose, else of the first ones."""
    columns = ("paradigm", "premise_condition", "hypothesis_condition", "labels_by_theory")
    rows = list(zip(*(found.column(name) for name in columns), strict=True))
    parsed = {text: json.loads(text) for *_, text in dict.fromkeys(rows) if text}
    chosen = {
        name: {each.name: each.reading for each in found.dataset_of(name).design(name).conditions}
        for name in dict.fromkeys(paradigm for paradigm, *_ in rows if paradigm)
    }
    theories: dict[str, None] = dict.fromkeys(name for each in parsed.values() for name in each)
    different = dict.fromkeys(rows)
    of_rows: Labels = {name: [] for name in theories}
    for paradigm, premise, hypothesis, text in different:
        for name, own in of_rows.items():
            label = parsed.get(text, {}).get(name)
            if isinstance(label, dict):
                known = chosen[paradigm or ""]
                readings = " => ".join(filter(None, (known.get(premise or ""), known.get(hypothesis or ""))))
                label = label.get(readings, next(iter(label.values())))
            own.append(label)
    numbers = {row: number for number, row in enumerate(different)}
    places = [numbers[row] for row in rows]
    return {name: [own[place] for place in places] for name, own in of_rows.items()}


def _labels_of(dataset: Dataset, found: Answers) -> tuple[str, list[str | None]]:
    """(the theory's name, its label of each item by id: None where the dataset has none)."""
    labels: dict[str, str] = {}
    theories: dict[str, None] = {}
    for paradigm in dataset.paradigms:
        columns = dataset.columns(paradigm)
        if "label_name" not in columns:
            continue
        wanted = [name for name in ("id", "label_name", "theory") if name in columns]
        for batch in dataset.rows(paradigm, wanted):
            for row in batch.to_pylist():
                labels[row["id"]] = row["label_name"]
                theories[row.get("theory") or ""] = None
    name = ", ".join(name for name in theories if name) or dataset.folder.name
    return name, [labels.get(item or "") or None for item in found.column("id")]
