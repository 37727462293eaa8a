"""No pair occurs twice, no pair has two labels, no premise is its own hypothesis."""

from __future__ import annotations

import numpy as np

from gramprobe.dataset.gates.sentences import Reason, Sentences


def check(sentences: Sentences) -> list[Reason]:
    """Compare pairs by their two sentences. One chunk is enough, since the walk skips instances that repeat a pair of
    an earlier one."""
    pairs = sentences.decisions.plan.paradigm.pairs
    size = len(sentences.texts)
    premise = np.stack([sentences.codes[p.premise] for p in pairs], axis=1).reshape(-1)
    hypothesis = np.stack([sentences.codes[p.hypothesis] for p in pairs], axis=1).reshape(-1)
    labels = sentences.pair_answers().reshape(-1)
    reasons: list[Reason] = []
    same = np.flatnonzero(premise == hypothesis)
    if len(same):
        examples = tuple(dict.fromkeys(sentences.text(premise[i]) for i in same[:3]))
        what = f"{len(same):,} rows whose premise is their hypothesis"
        reasons.append(Reason(what, examples, "the two conditions of such a pair say the same: change one"))
    keys = premise * size + hypothesis
    values, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    if len(values) == len(keys):
        return reasons
    lowest = np.full(len(values), labels.max(initial=0) + 1, np.int64)
    highest = np.full(len(values), -1, np.int64)
    np.minimum.at(lowest, inverse, labels)
    np.maximum.at(highest, inverse, labels)
    help = "two words with one form, or two conditions with the same words, make a pair come again"
    for wrong, what in (
        (np.flatnonzero(lowest != highest), "pairs stand with different labels"),
        (np.flatnonzero((counts > 1) & (lowest == highest)), "pairs stand twice"),
    ):
        if len(wrong):
            examples = tuple(
                f"{sentences.text(values[i] // size)} => {sentences.text(values[i] % size)}" for i in wrong[:3]
            )
            reasons.append(Reason(f"{len(wrong):,} {what}", examples, help))
    return reasons
