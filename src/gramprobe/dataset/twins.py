"""The pairs of the paradigms of one dataset side by side: twins with different labels are always an error."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.label import LABELS, Labelling
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings


@dataclass
class Twins:
    """Fingerprints and labels of all pairs so far, sorted by fingerprint, by paradigm."""

    seen: list[tuple[str, NDArray[np.uint64], NDArray[np.int8]]] = field(default_factory=list)

    def add(self, labelling: Labelling, pairs: NDArray[np.uint64], findings: Findings) -> None:
        """Compare with the paradigms before (``pairs``: the selection's fingerprints); the first contradicting twin is
        told with both labels."""
        plan, keys = labelling.plan, pairs.reshape(-1)
        labels = np.stack([p.labels for p in labelling.pairs], axis=1).reshape(-1)
        for name, before, known in self.seen:
            at = np.minimum(np.searchsorted(before, keys), len(before) - 1)
            wrong = np.flatnonzero((before[at] == keys) & (known[at] != labels))
            if len(wrong):
                row, number = divmod(int(wrong[0]), len(labelling.pairs))
                pair = labelling.pairs[number].pair
                conditions = plan.paradigm.conditions
                premise, hypothesis = (
                    plan.realiser.sentence(conditions[n], labelling.draws, row) for n in (pair.premise, pair.hypothesis)
                )
                told = f"{premise} => {hypothesis}"
                was, now = LABELS[int(known[at[wrong[0]]])], LABELS[int(labels[wrong[0]])]
                findings.add(messages.build.twins(plan.paradigm.span, name, len(wrong), told, was, now))
        order = np.argsort(keys, kind="stable")
        self.seen.append((plan.paradigm.name, keys[order], labels[order]))
