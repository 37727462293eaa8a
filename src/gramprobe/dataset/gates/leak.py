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
from gramprobe.items.groups import numbered
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


def _features(sentences: Sentences) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The 1-grams and 2-grams of all rows as two arrays of equal length: the row, and the number of the n-gram."""
    texts = _hypotheses(sentences)
    starts, ends = sentences.starts[texts], sentences.starts[texts + 1]
    lengths = ends - starts
    row = np.repeat(np.arange(len(texts)), lengths)
    position = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(starts, lengths)
    words = sentences.words[position]
    size = len(sentences.vocabulary)
    inner = position + 1 < np.repeat(ends, lengths)
    pairs = size + words[inner] * size + sentences.words[position[inner] + 1]
    features = np.concatenate([words, pairs])
    code, first = numbered([features], len(features))
    rank = np.argsort(np.argsort(features[first]))
    return np.concatenate([row, row[inner]]), rank[code]


def _cross_validated(sentences: Sentences, labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(instances, pairs) whether a classifier trained on the other folds of instances predicts the label.

    Multinomial naive Bayes with add-one smoothing (McCallum & Nigam 1998).
    """
    instances, pairs = labels.shape
    row, feature = _features(sentences)
    size = int(feature.max()) + 1
    flat = labels.reshape(-1)
    fold = np.arange(instances * pairs) // pairs % min(FOLDS, instances)
    right = np.zeros(instances * pairs, np.bool_)
    for held in range(min(FOLDS, instances)):
        train = fold != held
        inside = train[row]
        tally = np.bincount(flat[row[inside]] * size + feature[inside], minlength=3 * size).reshape(3, size) + 1.0
        weights = np.log(tally / tally.sum(axis=1, keepdims=True))
        prior = np.log(np.bincount(flat[train], minlength=3) + 1e-9)
        rows, own = row[~inside], feature[~inside]
        scores = np.stack([np.bincount(rows, weights[k][own], len(flat)) + prior[k] for k in range(3)])
        guess = scores.argmax(axis=0)
        right[~train] = guess[~train] == flat[~train]
    return right.reshape(instances, pairs)


def _most_predictive(sentences: Sentences, by_instance: NDArray[np.int64]) -> list[str]:
    """The three words of hypotheses that best predict the label, each with its counts of labels.

    A word is as good as the number of rows it gets right beyond the most frequent label: a word in 10 rows, 9 of them
    entailments, where half of all rows are, has 9 - 5 = 4.
    """
    labels = by_instance.reshape(-1)
    row, feature = _features(sentences)
    texts = _hypotheses(sentences)
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
