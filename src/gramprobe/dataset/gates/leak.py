"""Does the hypothesis alone give the label away (Poliak et al. 2018; Gururangan et al. 2018)?

Some of that is the design's own: `Jo has a cat` is entailed or neutral, `Jo doesn't have a cat` never either. The
CEILING is what a reader of hypotheses can reach who knows the design but no words: the best guess from the
hypothesis' tree with its draws blanked. What a bag-of-words classifier finds beyond it is a lexical leak.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gramprobe.dataset.gates.reason import Reason
from gramprobe.dataset.gates.sentences import sentences_of
from gramprobe.items.label import Labelling
from gramprobe.resolve.tree import Apply, Given, Tree

if TYPE_CHECKING:
    from gramprobe.items.rows import Rows

MOST_INSTANCES = 500
FOLDS = 5
STANDARD_ERRORS = 3.0


@dataclass(frozen=True, slots=True)
class HypothesisOnly:
    """Accuracies: always the commonest label, the design's ceiling, the classifier's with its standard error."""

    majority: float
    ceiling: float
    accuracy: float
    error: float

    @property
    def leaks(self) -> bool:
        return self.accuracy > self.ceiling + STANDARD_ERRORS * self.error


def check(rows: Rows) -> list[Reason]:
    """Shut when the classifier is above the ceiling by more than three standard errors."""
    found = hypothesis_only(rows)
    if not found.leaks:
        return []
    what = (
        f"a reader of hypotheses alone reaches {found.accuracy:.3f}, above the design's ceiling of {found.ceiling:.3f} "
        f"by more than {STANDARD_ERRORS:g} standard errors ({found.error:.3f})"
    )
    help = "some word goes with a label: draw the words of the different hypotheses under the same conditions"
    return [Reason(what, tuple(_telling(rows)), help)]


def hypothesis_only(rows: Rows) -> HypothesisOnly:
    """Majority, ceiling and cross-validated classifier over the first instances of a paradigm."""
    if rows.leak_cache is None:
        rows.leak_cache = _hypothesis_only(rows)
    found: HypothesisOnly = rows.leak_cache
    return found


def blanked(tree: Tree) -> str:
    """A tree with its draws blanked: constructors, words the author wrote out, and the categories of what is drawn."""
    if isinstance(tree, Apply):
        return f"{tree.constructor.name}({', '.join(blanked(a) for a in tree.arguments)})"
    return tree.value if isinstance(tree, Given) else f"_{tree.category}"


def kinds(labelling: Labelling) -> dict[str, NDArray[np.int64]]:
    """Kind of hypothesis (its tree with its draws blanked) -> how often it stands under each of the three labels."""
    found: dict[str, NDArray[np.int64]] = {}
    for pair in labelling.pairs:
        key = blanked(labelling.plan.paradigm.conditions[pair.pair.hypothesis].tree)
        found[key] = found.get(key, np.zeros(3, np.int64)) + np.bincount(pair.labels, minlength=3)
    return found


def _labels(rows: Rows) -> NDArray[np.int64]:
    """(instances, pairs)"""
    return np.stack([p.labels for p in rows.labelling.pairs], axis=1).astype(np.int64)


def _hypothesis_only(rows: Rows) -> HypothesisOnly:
    labels = _labels(rows)
    counts = np.bincount(labels.reshape(-1), minlength=3)
    majority = counts.max() / counts.sum()
    designs = kinds(rows.labelling)
    ceiling = sum(int(t.max()) for t in designs.values()) / labels.size
    instances = min(rows.count, MOST_INSTANCES)
    if instances < 2:
        return HypothesisOnly(float(majority), ceiling, float(majority), 1.0)
    right = _cross_validated(rows, labels[:instances])
    by_instance = right.mean(axis=1)
    binomial = np.sqrt(ceiling * (1 - ceiling) / right.size)
    error = max(float(by_instance.std(ddof=1) / np.sqrt(instances)), float(binomial))
    return HypothesisOnly(float(majority), ceiling, float(by_instance.mean()), error)


def _features(rows: Rows, instances: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For every row its features end to end: (row, feature) with features numbered, 1-grams and 2-grams."""
    found = sentences_of(rows)
    texts = np.stack([found.codes[p.pair.hypothesis][:instances] for p in rows.labelling.pairs], axis=1).reshape(-1)
    starts, ends = found.starts[texts], found.starts[texts + 1]
    lengths = ends - starts
    row = np.repeat(np.arange(len(texts)), lengths)
    position = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(starts, lengths)
    words = found.words[position]
    size = len(found.vocabulary)
    inner = position + 1 < np.repeat(ends, lengths)
    pairs = size + words[inner] * size + found.words[position[inner] + 1]
    features = np.concatenate([words, pairs])
    _, numbered = np.unique(features, return_inverse=True)
    return np.concatenate([row, row[inner]]), numbered


def _cross_validated(rows: Rows, labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Multinomial naive Bayes with add-one smoothing (McCallum & Nigam 1998), folds by instance."""
    instances, pairs = labels.shape
    row, feature = _features(rows, instances)
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
        scores = np.stack([np.bincount(row, weights[k][feature], len(flat)) + prior[k] for k in range(3)])
        guess = scores.argmax(axis=0)
        right[~train] = guess[~train] == flat[~train]
    return right.reshape(instances, pairs)


def _telling(rows: Rows) -> list[str]:
    """The words whose presence in a hypothesis says most about the label."""
    found = sentences_of(rows)
    instances = min(rows.count, MOST_INSTANCES)
    labels = _labels(rows)[:instances].reshape(-1)
    row, feature = _features(rows, instances)
    texts = np.stack([found.codes[p.pair.hypothesis][:instances] for p in rows.labelling.pairs], axis=1).reshape(-1)
    lengths = found.starts[texts + 1] - found.starts[texts]
    words = int(lengths.sum())
    tally = np.bincount(labels[row[:words]] * (feature.max() + 1) + feature[:words], minlength=3 * (feature.max() + 1))
    shares = tally.reshape(3, -1)
    excess = shares.max(axis=0) - shares.sum(axis=0) * np.bincount(labels, minlength=3).max() / len(labels)
    names: dict[int, str] = {}
    position = (
        np.arange(words) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(found.starts[texts], lengths)
    )
    for at, number in zip(position, feature[:words], strict=True):
        names.setdefault(int(number), found.vocabulary[int(found.words[at])])
    best = [int(i) for i in np.argsort(-excess) if int(i) in names][:3]
    kinds = ("entailment", "neutral", "contradiction")
    return [
        f"`{names[i]}`: {', '.join(f'{int(n)} {k}' for n, k in zip(shares[:, i], kinds, strict=True) if n)}"
        for i in best
    ]
