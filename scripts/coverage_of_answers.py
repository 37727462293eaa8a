"""How often the intervals of logistic and ordinal mixed models hold the truth: the tables of docs/mixed_models.md.

    python scripts/coverage_of_answers.py [STUDIES] [binomial|ordinal]

Words that differ (standard deviation 1, in log odds) answer to 12 items each. Half of the words have each level of
`between`, which varies between words, and every word both levels of `within`, whose effect differs by word (0.5). An
ordinal answer is a rating from 1 to 5: the same log odds, cut at four places.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # before numpy is loaded

import sys

import numpy as np
import pyarrow as pa
from scipy.special import ndtri, stdtrit

from gramprobe.analysis.mixed.model import answer_model
from gramprobe.source.diagnostic import AuthoringError

WORDS = (6, 8, 12, 20, 40)
ITEMS = 12
SHARES = {"0.50": 0.0, "0.88": 2.2}
TRUTH = {"between": 0.8, "within": 0.8}
CUTS = {"binomial": (0.0,), "ordinal": (-2.0, -0.7, 0.7, 2.0)}


def study(words: int, level: float, random: np.random.Generator, family: str) -> pa.Table:
    """The answers of one study."""
    word, item = np.divmod(np.arange(words * ITEMS), ITEMS)
    between, within = np.where(word % 2, 0.5, -0.5), np.where(item % 2, 0.5, -0.5)
    eta = level + TRUTH["between"] * between + (TRUTH["within"] + 0.5 * random.standard_normal(words)[word]) * within
    eta += random.standard_normal(words)[word]
    drawn = random.random(len(eta))
    answer = np.searchsorted(CUTS[family], eta - np.log(drawn / (1.0 - drawn)))
    return pa.table({"answer": answer, "between": between, "within": within, "word": [f"w{k}" for k in word]})


def main() -> int:
    """Print a row for each number of words and share of right answers, or of ratings above the middle one."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    family = sys.argv[2] if len(sys.argv) > 2 else "binomial"
    above = "share right" if family == "binomial" else "share above 3"
    print(f"| words | {above} | between, z | between, t | within, z | within, t | not estimated |")
    print("|---|---|---|---|---|---|---|")
    for share, level in SHARES.items():
        for words in WORDS:
            random = np.random.Generator(np.random.PCG64([words, int(level * 10)]))
            held = {(name, by): 0 for name in TRUTH for by in "zt"}
            fitted = 0
            for _ in range(studies):
                frame = study(words, level, random, family)
                try:
                    found = answer_model("answer ~ between + within + (1 + within | word)", frame, family).fit
                except AuthoringError:  # an effect without a finite estimate
                    continue
                fitted += 1
                for effect in found.effects():
                    if effect.name in TRUTH and effect.df is not None:
                        away = abs(effect.estimate - TRUTH[effect.name]) / effect.error
                        held[effect.name, "z"] += away < ndtri(0.975)
                        held[effect.name, "t"] += away < stdtrit(effect.df, 0.975)
            cells = [f"{held[name, by] / fitted:.3f}" for name in TRUTH for by in "zt"]
            print(f"| {words} | {share} | {' | '.join(cells)} | {studies - fitted} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
