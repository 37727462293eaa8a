"""Inspect (the UK AI Security Institute's `inspect_ai`): samples with choices, and a file with the task.

A row is a question with lettered choices: what follows from a premise, which option goes with a sentence, which of
several sentences is better. The right choice stands at each place equally often, one more or less; the two rows of an
item with options keep their order.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gramprobe.certify.rule import LABELS
from gramprobe.formats import writing

about = "multiple-choice samples and a task for Inspect (`inspect eval DIR/task.py --model MODEL`)"
_SAID = dict(zip(LABELS, ("It must be true, too.", "It may be true or false.", "It must be false."), strict=True))
_KEPT = ("id", "paradigm", "condition", "instance", "tag")


def fits(design: Any) -> bool:
    """Whether rows have a right choice: of labels, of options, or of sentences."""
    return writing.kind_of(design) in ("label", "choice", "pair")


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """The task and its samples, a file for each paradigm. Raises OSError."""
    keys: Counter[str] = Counter()
    counts = {}
    for name in paradigms:
        samples = _samples(dataset, name, dataset.design(name), keys)
        counts[name] = writing.json_lines(folder / f"{name}.jsonl", samples)
    if not any(counts.values()):
        raise writing.nothing(dataset)
    empty = [name for name, count in counts.items() if not count]
    for name in empty:
        (folder / f"{name}.jsonl").unlink()
    every = (dataset.design(name).scored for name in paradigms)
    asked = [c for each in every for c in (*each.context, *each.options, *each.continuations, *each.label)]
    rights = dataset.rights
    metadata = {"licence": rights.licence, "cite": list(rights.cite), "gramprobe": dataset.manifest.gramprobe}
    about = {"name": dataset.manifest.name, "paradigms": [n for n in paradigms if n not in empty], "metadata": metadata}
    writing.json_file(folder / "task.json", about)
    shutil.copyfile(Path(__file__).with_name("scripts") / "inspect_task.py", folder / "task.py")
    surface = [
        f"In {keys['surface']:,} samples the target is the option that picks the surface reading, which is what they "
        "measure: nobody has recorded which reading people prefer."
    ] if keys["surface"] else []  # fmt: skip
    return [
        "Run it by `inspect eval DIR/task.py --model MODEL`, DIR relative to where you are; `-T paradigm=NAME` runs "
        "one paradigm, `-T by=condition` gives accuracies by condition. Errors are clustered by instance.",
        *surface,
        *writing.counted(sum(map(dataset.count, paradigms)) - sum(counts.values()), writing.UNASKED, empty),
        writing.columns_left(dataset, paradigms, [*_KEPT, *asked]),
    ]


def _samples(dataset: Any, name: str, design: Any, keys: Counter[str]) -> Iterator[dict[str, Any]]:
    """The samples; ``keys`` counts by which reading they have their target."""
    scored, kind = design.scored, writing.kind_of(design)
    columns = (*_KEPT, *scored.context, *scored.options, *scored.continuations, *scored.label, "surface", "preferred")
    turns: Counter[int] = Counter()
    for row in writing.headline(dataset, name, columns):
        choices = [row[column] for column in scored.options]
        turn, right = 0, 0
        match kind:
            case "label":
                if row["label"] is None:
                    continue
                premise, hypothesis = row[scored.context[0]], row[scored.continuations[0]]
                question = f"Suppose this is true: {premise}\nThen what about this: {hypothesis}"
                choices, right = list(_SAID.values()), row["label"]
            case "choice":
                of = "preferred" if row.get("preferred") else "surface"
                right = writing.picking(row, scored, row.get(of))
                if right < 0:
                    continue
                keys[of] += 1
                question = f"{' '.join(row[c] for c in scored.context)}\nWhich of these is likelier to be meant?"
            case _:
                question = "Which of these sentences is better?"
        if kind != "choice":
            turn = (right - turns[right]) % len(choices)
            turns[right] += 1
        metadata = {**{k: row[k] for k in _KEPT[1:]}, "instance": f"{name}/{row['instance']}"}
        yield {
            "id": row["id"],
            "input": question,
            "choices": choices[turn:] + choices[:turn],
            "target": chr(ord("A") + (right - turn) % len(choices)),
            "metadata": metadata,
        }
