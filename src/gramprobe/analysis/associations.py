"""Words that go with a label: tokens of premises and hypotheses, and the words of a slot.

    tokens(items) -> a table: z and PMI of the tokens that go with a label most
    slots(items) -> a table: Cramer's V of each slot whose words are not balanced over the labels

z: Gardner et al. (2021, 3.1); PMI: Gururangan et al. (2018); V with its correction: Bergsma (2013).
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.inference import benjamini_hochberg, holm
from gramprobe.analysis.output.table import Column, Method, Table, Unit, Value, percent
from gramprobe.analysis.pairs import Items
from gramprobe.baselines.views import tokens_of
from gramprobe.certify.rule import LABELS

Floats = NDArray[np.float64]
FEWEST = 20
"""In how many items a token must stand to be tested."""
SHOWN = 25
"""How many tokens are shown."""
ROUNDING = 1e-9
"""Smaller differences of shares are errors of rounding."""
SMOOTHING = 100
"""What is added to each count of a token with a label, after Gururangan et al. (2018)."""


def tokens(items: Items, end: str = "") -> Table:
    """The tokens that go with a label most: z against the label's share, and PMI.

    A token counts once in an item and text. z = (p - p0) / sqrt(p0 (1 - p0) / n): p is the share of the label among
    the n items with the token, p0 among all (Gardner et al. 2021 take 1/3, which it is in a balanced set). PMI has 100
    added to each count (Gururangan et al. 2018). All tokens with 20 items or more are tested, with each label.
    """
    count = len(items.labels)
    share = np.bincount(items.labels, minlength=len(LABELS)) / max(count, 1)
    rows: list[tuple[str, str, int, int, float, float, float]] = []
    for text, sentences in (("premise", items.premises), ("hypothesis", items.hypotheses)):
        with_label: Counter[tuple[str, int]] = Counter()
        alike = Counter(zip(sentences, items.paradigms.tolist(), items.labels.tolist(), strict=True))
        for (sentence, name, label), often in alike.items():
            for token in set(tokens_of(sentence, items.languages.get(name))):
                with_label[token, label] += often
        whole: Counter[str] = Counter()
        for (token, _), n in with_label.items():
            whole[token] += n
        of_label = [sum(n for (_, own), n in with_label.items() if own == i) for i in range(len(LABELS))]
        pairs = sum(of_label) + SMOOTHING * len(whole) * len(LABELS)
        for token, n in whole.items():
            for label in np.flatnonzero((share > 0) & (share < 1)).tolist():
                if n < FEWEST or n == count:
                    continue
                own, p0 = with_label[token, label], float(share[label])
                together = (own + SMOOTHING) / pairs
                token_share = (n + SMOOTHING * len(LABELS)) / pairs
                label_share = (of_label[label] + SMOOTHING * len(whole)) / pairs
                pmi = float(np.log(together / (token_share * label_share)))
                z = (own / n - p0) / float(np.sqrt(p0 * (1 - p0) / n))
                rows.append((text, token, label, n, own / n, pmi, z))
    p = _two_sided(np.array([row[-1] for row in rows]))
    corrected = list(zip(holm(p), benjamini_hochberg(p), strict=True)) if len(rows) else []
    order = sorted(range(len(rows)), key=lambda i: (-abs(rows[i][-1]), rows[i][:3]))[:SHOWN]
    shown: list[tuple[Value, ...]] = []
    for i in order:
        text, token, label, n, own_share, pmi, z = rows[i]
        shown.append((token, text, LABELS[label], n, own_share, float(share[label]), pmi, z, *map(float, corrected[i])))
    return Table(
        f"artefact_tokens{end}",
        "The tokens that go with a label most.",
        (
            Column("token", "token"),
            Column("text", "in the"),
            Column("label", "label"),
            Column("n", "items"),
            percent("share", "share of the label"),
            percent("label_share", "among all"),
            Column("pmi", "PMI"),
            Column("z", "z", digits=1),
            Column("holm", "p (Holm)", unit=Unit.PROBABILITY),
            Column("bh", "p (BH)", unit=Unit.PROBABILITY),
        ),
        tuple(shown),
        notes=(
            f"The {len(shown)} of {len(rows):,} tests with the greatest z; tokens in fewer than {FEWEST} items, and in "
            "all, are not tested. The items of an instance share words, so that z is too far from 0.",
        ),
        stub=3,
        methods=(
            Method(
                estimator="share of a label among the items with a token, and their pointwise mutual information",
                test="a z test of a share, two-sided",
                cluster="items, as if independent",
                df="none",
                correction="Holm's method, and Benjamini and Hochberg's, over all tests",
                population="new items",
            ),
        ),
    )


def _two_sided(z: Floats) -> Floats:
    from scipy.special import ndtr

    found: Floats = 2.0 * ndtr(-np.abs(z))
    return found


def slots(items: Items, end: str = "") -> Table:
    """Whether the words of a slot are balanced over the labels: Cramer's V by slot, with the chi-square test.

    V is corrected for its bias (Bergsma 2013): 0 where words and labels are independent. p is Holm's over all slots.
    """
    rows: list[tuple[str, str, int, int, float, float, float]] = []
    balanced = 0
    for name, where in items.groups():
        if name == "all":
            continue
        at = np.flatnonzero(where).tolist()
        for slot in dict.fromkeys(key for i in at for key in items.draws[i]):
            values = [items.draws[i].get(slot) or "" for i in at]
            words = {value: n for n, value in enumerate(dict.fromkeys(values))}
            counts = np.zeros((len(words), len(LABELS)))
            np.add.at(counts, (np.array([words[value] for value in values]), items.labels[at]), 1.0)
            counts = counts[:, counts.sum(axis=0) > 0]
            if min(counts.shape) < 2:
                continue
            v, p = cramer(counts)
            largest = float(np.abs(counts / counts.sum(axis=1, keepdims=True) - counts.sum(axis=0) / len(at)).max())
            if largest < ROUNDING:
                balanced += 1
                continue
            rows.append((name, slot, len(words), len(at), v, largest, p))
    corrected = holm([row[-1] for row in rows]).tolist() if rows else []
    return Table(
        f"artefact_slots{end}",
        "How evenly the words of each slot go with the labels: 0 is even, 1 means that the word tells the label.",
        (
            Column("paradigm", "paradigm"),
            Column("slot", "slot"),
            Column("words", "words"),
            Column("n", "items"),
            Column("v", "Cramer's V", digits=3),
            percent("largest", "largest difference"),
            Column("p", "p (Holm)", unit=Unit.PROBABILITY),
        ),
        tuple((*row[:-1], p) for row, p in zip(rows, corrected, strict=True)),
        notes=(
            f"Of {balanced:,} slots that are not listed each word has every label equally often: they tell nothing.",
            "V is corrected for its bias. Largest difference: of the share of a label with one word and among all "
            "items. The items of an instance share their words, so that p is too low where V is not 0.",
        ),
        stub=2,
        methods=(
            Method(
                estimator="Cramer's V, corrected for bias (Bergsma 2013)",
                test="a chi-square test",
                cluster="items, as if independent",
                df="(words less 1) times (labels less 1)",
                correction="Holm's method over all slots",
                population="new items",
            ),
        ),
    )


def cramer(counts: Floats) -> tuple[float, float]:
    """(Cramer's V with Bergsma's correction, p of the chi-square test) of a table of counts without empty lines."""
    from scipy.special import chdtrc

    n = counts.sum()
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / n
    statistic = float(((counts - expected) ** 2 / expected).sum())
    r, k = counts.shape
    df = (r - 1) * (k - 1)
    phi = max(0.0, statistic / n - df / (n - 1))
    rows, columns = r - (r - 1) ** 2 / (n - 1), k - (k - 1) ** 2 / (n - 1)
    least = min(rows, columns) - 1
    return float(np.sqrt(phi / least)) if least > 0 else 0.0, float(chdtrc(df, statistic))
