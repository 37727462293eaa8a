"""Is a balanced companion balanced? Counted on the derived labels.

Every kind of hypothesis must occur under at least two labels, and guessing the label from the kind alone (the ceiling
of :mod:`gramprobe.dataset.gates.leak`) must not be better than always guessing the most frequent label. No sentences
are needed for that, so that `check` runs this gate too.
"""

from __future__ import annotations

import numpy as np

from gramprobe.certify.rule import LABELS
from gramprobe.dataset.gates.leak import kinds
from gramprobe.items.decisions import Decisions
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings


def check(decisions: Decisions, findings: Findings) -> None:
    """Report a balanced companion that is not balanced."""
    paradigm = decisions.plan.paradigm
    if paradigm.balanced_at is None:
        return
    tallies = kinds(decisions)
    single = [kind for kind, tally in tallies.items() if np.count_nonzero(tally) < 2]
    commonest = int(np.sum(list(tallies.values()), axis=0).max())
    ceiling = sum(int(tally.max()) for tally in tallies.values())
    if single:
        reason = f"{len(single)} of {len(tallies)} kinds of hypothesis stand{'s' * (len(single) == 1)} under one label"
    elif ceiling > commonest:
        rows = sum(int(tally.sum()) for tally in tallies.values())
        reason = (
            f"who knows the kind of hypothesis guesses {ceiling / rows:.3f} of the labels, "
            f"who always says the commonest {commonest / rows:.3f}"
        )
    else:
        return
    notes = [f"{kind}: {_counts(tallies[kind])}" for kind in (single or tallies)]
    findings.add(messages.paradigm.unbalanced(paradigm.balanced_at, paradigm.name, reason, notes))


def _counts(tally: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    return ", ".join(f"{int(n):,} {label}" for n, label in zip(tally, LABELS, strict=True) if n)
