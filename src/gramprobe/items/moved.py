"""Labels that another theory moves: a result for the linguist, expectation or not."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gramprobe.decide.decider import Decider
from gramprobe.items.label import LABELS, Labelling, label
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings


@dataclass(frozen=True, slots=True)
class Moved:
    """So many rows of a condition have one label under the paradigm's own theory and another here."""

    condition: str
    before: str
    after: str
    rows: int

    def __str__(self) -> str:
        return f"{self.condition}: {self.before} -> {self.after} in {self.rows:,} rows"


def moved(labelling: Labelling, declarations: Declarations) -> tuple[Moved, ...]:
    """Compare with the labels of the same instances under the paradigm's own theory."""
    made = labelling.plan
    theory = declarations.theory(made.paradigm.theory, made.grammar, Findings())
    if theory is None or theory.name == made.theory.name:
        return ()
    own = replace(made, theory=theory, decider=Decider())
    found: list[Moved] = []
    for before, after in zip(label(own, labelling.draws, Findings()).pairs, labelling.pairs, strict=True):
        codes = before.labels.astype(np.int64) * len(LABELS) + after.labels
        for code, rows in zip(*np.unique(codes, return_counts=True), strict=True):
            old, new = divmod(int(code), len(LABELS))
            if old != new:
                found.append(Moved(after.pair.condition, LABELS[old], LABELS[new], int(rows)))
    return tuple(found)
