"""No pair occurs twice, no pair has two labels, no premise is its own hypothesis, no two pairs are always the same."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from gramprobe.dataset.gates.sentences import Reason, Sentences
from gramprobe.resolve.paradigm.data import Pair
from gramprobe.source.nearest import listed


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
    held = counts
    if sentences.chunk.kept is not None and not sentences.decisions.plan.paradigm.shared:
        held = np.bincount(inverse[sentences.chunk.kept.reshape(-1)], minlength=len(values))
    grid = inverse.reshape(-1, len(pairs))
    always = [
        (one, other)
        for one, other in combinations(range(len(pairs)), 2)
        if len(grid) > 1 and np.array_equal(grid[:, one], grid[:, other])
    ]
    for one, other in always:
        names = f"`{_name(pairs[one])}` and `{_name(pairs[other])}`"
        labelled = ", with different labels" if (lowest < highest)[grid[:, one]].any() else ""
        what = f"{names} are the same two sentences in every instance{labelled}"
        reasons.append(Reason(what, (_text(sentences, values[grid[0, one]]),), "drop one of them, or reword it"))
    told = np.unique(grid[:, [one for one, _ in always]])
    for wrong, what in (
        (np.flatnonzero(lowest != highest), "pairs stand with different labels"),
        (np.flatnonzero((held > 1) & (lowest == highest)), "pairs stand twice"),
    ):
        wrong = np.setdiff1d(wrong, told)
        if len(wrong):
            examples = tuple(_text(sentences, values[i]) for i in wrong[:3])
            which = dict.fromkeys(f"`{_name(pairs[at])}`" for at in np.flatnonzero(np.isin(grid, wrong).any(axis=0)))
            help = f"they are of {listed(which, 4)}: reword one, or draw words that differ in form"
            reasons.append(Reason(f"{len(wrong):,} {what}", examples, help))
    return reasons


def _name(pair: Pair) -> str:
    return f"{pair.premise} => {pair.hypothesis}"


def _text(sentences: Sentences, key: int) -> str:
    premise, hypothesis = divmod(int(key), len(sentences.texts))
    return f"{sentences.text(premise)} => {sentences.text(hypothesis)}"
