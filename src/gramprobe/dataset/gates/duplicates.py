"""No pair occurs twice, no pair has two labels, no premise is its own hypothesis, no two pairs are always the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gramprobe.dataset.gates.sentences import Reason, Sentences
from gramprobe.resolve.paradigm.data import Pair
from gramprobe.resolve.tree import slots
from gramprobe.source.nearest import listed
from gramprobe.words.realise import mixed
from gramprobe.words.variants import drawn_category


def check(sentences: Sentences) -> list[Reason]:
    """Compare pairs by their two sentences. One chunk is enough, since the walk skips instances that repeat a pair of
    an earlier one."""
    pairs = sentences.decisions.plan.paradigm.pairs
    if _all_differ(sentences, pairs):
        return []
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
    for wrong, how in (
        (np.flatnonzero(lowest != highest), "with different labels"),
        (np.flatnonzero((held > 1) & (lowest == highest)), "twice"),
    ):
        wrong = np.setdiff1d(wrong, told)
        if len(wrong):
            examples = tuple(_text(sentences, values[i]) for i in wrong[:3])
            which = dict.fromkeys(f"`{_name(pairs[at])}`" for at in np.flatnonzero(np.isin(grid, wrong).any(axis=0)))
            where = f"{'they are' if len(wrong) > 1 else 'it is'} of {listed(which, 4)}"
            reasons.append(
                Reason(
                    f"{len(wrong):,} pair{' stands' if len(wrong) == 1 else 's stand'} {how}",
                    (*examples, *_of_one_form(sentences, np.flatnonzero(inverse == wrong[0]))),
                    f"{where}: reword one, or draw words that differ in form",
                )
            )
    return reasons


def _all_differ(sentences: Sentences, pairs: Sequence[Pair]) -> bool:
    """Whether fingerprints say that no two pairs are the same, and no two sentences of a pair: equal ones have the same
    fingerprint."""
    both = [(sentences.prints[pair.premise], sentences.prints[pair.hypothesis]) for pair in pairs]
    if any((one == other).any() for one, other in both):
        return False
    keys = np.sort(np.concatenate([mixed(one, other) for one, other in both]))
    return bool((keys[1:] != keys[:-1]).all())


def _of_one_form(sentences: Sentences, rows: NDArray[np.intp]) -> Iterator[str]:
    """Of rows with the same two sentences: the words, or values, in which the first two differ all the same."""
    first, second = (_filled(sentences, int(row)) for row in rows[:2])
    if len(first) == len(second):
        differing = dict.fromkeys(pair for pair in zip(first, second, strict=True) if pair[0] != pair[1])
        yield from (f"of one form: {one} and {other}" for one, other in differing)


def _filled(sentences: Sentences, row: int) -> list[str]:
    """The words and values that are drawn in the two sentences of a row, from left to right."""
    plan, draws = sentences.decisions.plan, sentences.chunk.draws
    instance, at = divmod(row, len(plan.paradigm.pairs))
    pair, box = plan.paradigm.pairs[at], plan.space.boxes[int(draws.box[instance])]
    found = []
    for name in (pair.premise, pair.hypothesis):
        for slot in slots(plan.space.tree(plan.paradigm.conditions[name].tree, box)):
            category = drawn_category(plan.space, slot)
            feature = plan.grammar.features.get(category)
            names = feature.values if feature else [word.id for word in plan.grammar.categories[category].lexemes]
            found.append(f"`{names[draws.columns[slot.name][instance]]}` ({slot.path})")
    return found


def _name(pair: Pair) -> str:
    return f"{pair.premise} => {pair.hypothesis}"


def _text(sentences: Sentences, key: int) -> str:
    premise, hypothesis = divmod(int(key), len(sentences.texts))
    return f"{sentences.text(premise)} => {sentences.text(hypothesis)}"
