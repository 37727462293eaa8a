"""How many trees the whole English grammar gives to sentences of the shipped sets, and which constructors it mixes up.

    python scripts/count_trees.py [--words 16] [--worst 10] [--pairs 20]

Read are the recorded sentences of every condition (tests/golden/sentences), with a grammar of all shipped modules: each
paradigm uses only some of them, and a reader has them all. Printed are the trees of a sentence (median, 95th
percentile, most), the sentences with most of them, and the pairs of constructors that build one category over the same
words most often: where their meaning is one too, they are one constructor.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from figures import record_figures

from gramprobe.chart.cuts import cuts
from gramprobe.chart.forest import Forest
from gramprobe.chart.parse import parse
from gramprobe.chart.rules import Rules
from gramprobe.compiled.from_resolve import compiled
from gramprobe.project import load

ROOT = Path(__file__).resolve().parent.parent
WORDS = 16
MODULES = ("english", "scope", "de_re_de_dicto")


def sentences(words: int) -> list[str]:
    """The recorded sentences of at most so many words, each once."""
    files = sorted((ROOT / "tests" / "golden" / "sentences").glob("*.txt"))
    said = [line.split(maxsplit=1) for file in files for line in file.read_text("utf-8").splitlines()]
    return [*dict.fromkeys(line[1] for line in said if len(line) == 2 and len(line[1].split()) <= words)]


def mixed_up(forest: Forest) -> Iterator[tuple[str, str]]:
    """The pairs of constructors that build one category over the same tokens, each once for each stretch of them."""
    for used in forest.constructors().values():
        yield from combinations(sorted(used), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=WORDS, help="sentences of at most so many words")
    parser.add_argument("--worst", type=int, default=10, help="print so many of the sentences with most trees")
    parser.add_argument("--pairs", type=int, default=20, help="print so many pairs of constructors")
    asked = parser.parse_args()
    rules = Rules(compiled(load(path=()).declarations.grammar(*MODULES)))
    counts: list[tuple[int, str]] = []
    pairs: Counter[tuple[str, str]] = Counter()
    times = []
    for text in sentences(asked.words):
        start = time.perf_counter()
        forests = [parse(tokens, rules) for tokens in cuts(text, rules.grammar.language, rules.known)]
        counts.append((sum(forest.count() for forest in forests), text))
        times.append(time.perf_counter() - start)
        pairs.update({pair for forest in forests for pair in mixed_up(forest)})
    counts.sort()
    trees = [count for count, _ in counts]
    print(f"{len(rules.grammar.constructors)} constructors, {len(rules.grammar.productions)} productions")
    print(
        f"{len(counts)} sentences of at most {asked.words} words, {1000 * sorted(times)[len(times) // 2]:.1f} ms each"
    )
    median, most = trees[len(trees) // 2], trees[int(0.95 * len(trees))]
    if asked.words == WORDS:
        record_figures({"trees_median": median, "trees_most": most, "trees_all": trees[-1]})
    print(f"trees: median {median}, 95th percentile {most}, most {trees[-1]}; one tree for {trees.count(1)},", end=" ")
    print(f"none for {trees.count(0)}, more than 100 for {sum(t > 100 for t in trees)}")
    print("\nmost trees")
    for count, text in reversed(counts[-asked.worst :]):
        print(f"{count:9,}  {text}")
    print("\nbuilt over the same words, with one category")
    for (first, second), count in pairs.most_common(asked.pairs):
        print(f"{count:9,}  {first}, {second}")


if __name__ == "__main__":
    main()
