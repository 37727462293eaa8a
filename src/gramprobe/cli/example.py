"""The runs of `gramprobe analyze --example`: two readers that do not reason, on a small set that is built for them."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gramprobe.baselines.rules import RULES, negated, overlap
from gramprobe.language import english

if TYPE_CHECKING:
    from gramprobe.analysis.runs import Run

NAME = "possessed_definites_existence"
PARADIGM = f"presupposition/{NAME}"
INSTANCES = 20


@contextmanager
def example_runs(seed: int) -> Iterator[tuple[Run, ...]]:
    """Runs on a dataset that is there until the context ends.

    The first reader says entailment where all words of the hypothesis stand in the premise, contradiction where one of
    the two has a negation and the other none, else neutral. The second says contradiction where the hypothesis has a
    negation, else entailment.
    """
    from gramprobe.analysis.open import open_runs
    from gramprobe.dataset.read import read
    from gramprobe.project import load

    with tempfile.TemporaryDirectory() as place:
        built = load(names=(PARADIGM,)).build(PARADIGM, Path(place) / "data", n=INSTANCES, seed=seed)[0]
        pairs = [
            row for batch in read(built.folder).rows(NAME, ["id", "premise", "hypothesis"]) for row in batch.to_pylist()
        ]
        files = []
        for name, reader in (("words in common", _overlap), ("negated hypothesis", _negation)):
            files.append(Path(place) / f"{name}.csv")
            with files[-1].open("w", encoding="utf-8", newline="") as stream:
                rows = csv.writer(stream)
                rows.writerow(["item", "label"])
                rows.writerows((row["id"], reader(row["premise"], row["hypothesis"])) for row in pairs)
        yield open_runs(files, [built.folder])


def _overlap(premise: str, hypothesis: str) -> str:
    if negated(premise, english()) != negated(hypothesis, english()):
        return "contradiction"
    return "entailment" if overlap(premise, hypothesis) else "neutral"


def _negation(premise: str, hypothesis: str) -> str:
    return RULES["negated_hypothesis"].says(premise, hypothesis) or ""
