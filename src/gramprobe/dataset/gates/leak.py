"""Do words of the hypothesis give the label away (Poliak et al. 2018; Gururangan et al. 2018)?

Some of what hypotheses give away is the design's own: `Jo has a cat` is entailed or neutral, `Jo doesn't have a cat`
never either. A paradigm declares that (`solvable by hypothesis`). A bag-of-words classifier that is better than readers
who know the design and no words shows a lexical leak: some word goes with a label.

Is a paradigm with `balance` lines balanced? Every kind of hypothesis must occur under at least two derived labels, and
guessing the label from the kind alone (the ceiling) must not be better, in headline scores, than always guessing the
most frequent label. No sentences are needed for that, so that `check` runs this gate too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gramprobe.certify.rule import LABELS
from gramprobe.dataset.gates.baselines import blanked, counted, labels_of
from gramprobe.dataset.gates.sentences import Reason, Sentences
from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import MOST_CODES
from gramprobe.items.label import PairLabels
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings

FOLDS = 5
STANDARD_ERRORS = 3.0


@dataclass(frozen=True, slots=True)
class Leak:
    """The accuracy of the classifier, and the reasons to refuse the paradigm."""

    accuracy: float
    reasons: tuple[Reason, ...]


def measure(sentences: Sentences, reached: float) -> Leak:
    """The accuracy of a cross-validated classifier of the words of hypotheses, over all pairs of some instances.

    There is a reason to refuse if it is above what readers without words get, by more than three standard errors. That
    is ``reached``, the accuracy of a table from hypotheses with their words blanked, or the best guess from their trees
    in these rows.
    """
    labels = labels_of(sentences.decisions, sentences.chunk)
    designs = kinds(sentences.decisions, counted(sentences.decisions.plan.paradigm))
    rows = int(np.sum(list(designs.values())))
    ceiling = max(reached, sum(int(tally.max()) for tally in designs.values()) / rows)
    instances = len(labels)
    if instances < 2:
        return Leak(max(map(int, np.sum(list(designs.values()), axis=0))) / rows, ())
    right = _cross_validated(sentences, labels)
    by_instance = right.mean(axis=1)
    accuracy, spread = float(by_instance.mean()), float(by_instance.std(ddof=1))
    binomial = float(np.sqrt(ceiling * (1 - ceiling) / right.size))
    error = max(spread / float(np.sqrt(instances)), binomial)
    if accuracy <= ceiling + STANDARD_ERRORS * error:
        return Leak(accuracy, ())
    what = (
        f"words of the hypothesis give the label away: {accuracy:.3f} of the labels are guessed from them, "
        f"{ceiling:.3f} from the design without words"
    )
    help = (
        "draw the words of the different hypotheses under the same conditions; declare what is compared as a `factor`, "
        'which is part of the design; or `allow leak because "..."`'
    )
    return Leak(accuracy, (Reason(what, tuple(_most_predictive(sentences, labels)), help),))


def kinds(decisions: Decisions, pairs: Sequence[int]) -> dict[str, NDArray[np.int64]]:
    """Kind of hypothesis (its tree with its draws blanked) -> (3,) how many of the rows of some pairs have each of the
    three labels. ``pairs``: their numbers."""
    tallies: dict[str, NDArray[np.int64]] = {}
    for at in pairs:
        pair = decisions.plan.paradigm.pairs[at]
        key = blanked(decisions.plan.paradigm.conditions[pair.hypothesis].tree)
        tally = tallies.setdefault(key, np.zeros(3, np.int64))
        for group, rows in decisions.rows[at].items():
            tally[_label(decisions, at, group)] += rows
    return tallies


def _label(decisions: Decisions, part: int, group: int) -> int:
    answer = decisions.answer(part, group)
    assert isinstance(answer, PairLabels)
    return answer.code


def _hypotheses(sentences: Sentences) -> NDArray[np.int64]:
    """(rows,) the number of the hypothesis of each row, an instance's rows together."""
    paradigm = sentences.decisions.plan.paradigm
    names = [paradigm.pairs[at].hypothesis for at in counted(paradigm)]
    return np.stack([sentences.codes[name] for name in names], axis=1).reshape(-1)


def _features(sentences: Sentences, texts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The 1-grams and 2-grams of some texts as two arrays of equal length: the place of the text, and the number of
    the n-gram."""
    starts, ends = sentences.starts[texts], sentences.starts[texts + 1]
    lengths = ends - starts
    text = np.repeat(np.arange(len(texts)), lengths)
    position = np.arange(len(text)) - np.repeat(np.cumsum(lengths) - lengths - starts, lengths)
    words = sentences.words[position]
    size = len(sentences.vocabulary)
    inner = np.flatnonzero(position + 1 < np.repeat(ends, lengths))
    pairs = size + words[inner] * size + sentences.words[position[inner] + 1]
    return np.concatenate([text, text[inner]]), _ranked(np.concatenate([words, pairs]))[1]


def _ranked(numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different numbers in ascending order, and for each number its place there; a table is faster than sorting."""
    if int(numbers.max()) >= MOST_CODES:
        distinct, place = np.unique(numbers, return_inverse=True)
        return distinct, place
    there = np.zeros(int(numbers.max()) + 1, np.int64)
    there[numbers] = 1
    return np.flatnonzero(there), (np.cumsum(there) - 1)[numbers]


def _cross_validated(sentences: Sentences, labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(instances, pairs) whether a classifier trained on the other folds of instances predicts the label.

    Multinomial naive Bayes with add-one smoothing (McCallum & Nigam 1998). A hypothesis that several rows of a fold
    have is read once.
    """
    instances, pairs = labels.shape
    flat = labels.reshape(-1)
    fold = np.arange(instances * pairs) // pairs % min(FOLDS, instances)
    texts, row = _ranked(fold * len(sentences.texts) + _hypotheses(sentences))
    of, feature = _features(sentences, texts % len(sentences.texts))
    size = int(feature.max()) + 1
    often = np.bincount(row * 3 + flat, minlength=3 * len(texts)).reshape(-1, 3)  # with each label
    shares = np.stack([np.bincount(feature, often[of, k], size) for k in range(3)])
    every = np.bincount(flat, minlength=3)
    right = np.zeros(instances * pairs, np.bool_)
    for held in range(min(FOLDS, instances)):
        first, end = np.searchsorted(texts, np.array([held, held + 1]) * len(sentences.texts)).tolist()
        inside = np.flatnonzero((of >= first) & (of < end))
        own, seen = of[inside], feature[inside]
        tally = shares - np.stack([np.bincount(seen, often[own, k], size) for k in range(3)]) + 1.0
        weights = np.log(tally / tally.sum(axis=1, keepdims=True))
        rows = fold == held
        prior = np.log(every - np.bincount(flat[rows], minlength=3) + 1e-9)
        scores = np.stack([np.bincount(own - first, weights[k][seen], end - first) + prior[k] for k in range(3)])
        right[rows] = scores.argmax(axis=0)[row[rows] - first] == flat[rows]
    return right.reshape(instances, pairs)


def _most_predictive(sentences: Sentences, by_instance: NDArray[np.int64]) -> list[str]:
    """The three words of hypotheses that best predict the label, each with its counts of labels.

    A word is as good as the number of rows it gets right beyond the most frequent label: a word in 10 rows, 9 of them
    entailments, where half of all rows are, has 9 - 5 = 4.
    """
    labels = by_instance.reshape(-1)
    texts = _hypotheses(sentences)
    row, feature = _features(sentences, texts)
    lengths = sentences.starts[texts + 1] - sentences.starts[texts]
    words = int(lengths.sum())
    tally = np.bincount(labels[row[:words]] * (feature.max() + 1) + feature[:words], minlength=3 * (feature.max() + 1))
    shares = tally.reshape(3, -1)
    excess = shares.max(axis=0) - shares.sum(axis=0) * np.bincount(labels, minlength=3).max() / len(labels)
    names: dict[int, str] = {}
    position = (
        np.arange(words)
        - np.repeat(np.cumsum(lengths) - lengths, lengths)
        + np.repeat(sentences.starts[texts], lengths)
    )
    for at, number in zip(position, feature[:words], strict=True):
        names.setdefault(int(number), sentences.vocabulary[int(sentences.words[at])])
    best = [int(i) for i in np.argsort(-excess) if int(i) in names][:3]
    return [
        f"`{names[i]}`: {', '.join(f'{int(n)} {k}' for n, k in zip(shares[:, i], LABELS, strict=True) if n)}"
        for i in best
    ]


def balance(decisions: Decisions, findings: Findings) -> None:
    """Report a paradigm with `balance` lines that is not balanced."""
    paradigm = decisions.plan.paradigm
    if paradigm.balanced_at is None or not counted(paradigm):
        return
    tallies = kinds(decisions, counted(paradigm))
    labelled = kinds(decisions, [at for at, pair in enumerate(paradigm.pairs) if not pair.graded])
    single = [kind for kind, tally in labelled.items() if np.count_nonzero(tally) < 2]
    commonest = int(np.sum(list(tallies.values()), axis=0).max())
    ceiling = sum(int(tally.max()) for tally in tallies.values())
    if single:
        reason = f"{len(single)} of {len(labelled)} kinds of hypothesis stand{'s' * (len(single) == 1)} under one label"
    elif ceiling > commonest:
        rows = sum(int(tally.sum()) for tally in tallies.values())
        reason = (
            f"whoever knows the kind of hypothesis guesses {ceiling / rows:.3f} of the labels, "
            f"whoever always says the commonest {commonest / rows:.3f}"
        )
    else:
        return
    notes = [f"{kind}: {_counts((labelled if single else tallies)[kind])}" for kind in (single or tallies)]
    findings.add(messages.paradigm.unbalanced(paradigm.balanced_at, paradigm.name, reason, notes))


def _counts(tally: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    return ", ".join(f"{int(n):,} {label}" for n, label in zip(tally, LABELS, strict=True) if n)
