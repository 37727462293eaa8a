"""How often the printed intervals hold the true value: the tables of docs/intervals.md.

    python scripts/coverage.py [shares differences words principles correlations] [--sets 2000]
    python scripts/coverage.py theories DATASET...

Sets are drawn anew for each cell from a generator with one seed. Instances differ by a normal effect of one logit (of
words: by the one named); of two models the effects of an instance correlate at .7. The functions are those that print.
`theories` answers the items of datasets in ways that reason and ways that do not, and prints which theory is said to
fit better than another.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.inference import pearson, spearman
from gramprobe.analysis.means import difference, share
from gramprobe.analysis.output.table import Interval
from gramprobe.analysis.studies.principles import regression

Floats = NDArray[np.float64]
SIZES = [(k, m) for k in (4, 8, 12, 20, 50) for m in (1, 6, 19) if (k, m) not in ((4, 1),)]
"""(instances, items of each)."""
SHARES = (0.5, 0.65, 0.86, 0.97)
RNG = np.random.default_rng(27)
_NODES = np.linspace(-7, 7, 1401)
_WEIGHTS = np.exp(-_NODES * _NODES / 2) / np.exp(-_NODES * _NODES / 2).sum()


def expit(logits: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-logits))
    return found


def logit_of(share_: float, sd: float = 1.0) -> float:
    """The logit about which normal logits of this standard deviation give the share on average."""
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _WEIGHTS @ expit(middle + sd * _NODES) < share_ else (low, middle)
    return low


def held(found: Interval | float, true: float) -> float:
    """1 where an interval holds the true value, 0 where not, NaN without an interval."""
    return float(found.low <= true <= found.high) if isinstance(found, Interval) else float("nan")


def shares(sets: int) -> Iterator[tuple[str, ...]]:
    yield "instances x items", *(f"{p:.2f}" for p in SHARES)
    for k, m in SIZES:
        row = []
        for p in SHARES:
            means = RNG.binomial(m, expit(logit_of(p) + RNG.normal(size=(sets, k)))) / m
            row.append(np.mean([held(share(own, np.full(k, float(m))), p) for own in means]))
        yield f"{k} x {m}", *map("{:.3f}".format, row)
    for k in (8, 20, 50):
        row = []
        for p in SHARES:
            effects = RNG.normal(size=400_000)
            sizes = np.where(effects > 0, 19, 3)
            true = float((sizes * expit(logit_of(p) + effects)).sum() / sizes.sum())
            effects = RNG.normal(size=(sets, k))
            sizes = np.where(effects > 0, 19, 3)
            means = RNG.binomial(sizes, expit(logit_of(p) + effects)) / sizes
            row.append(np.mean([held(share(*own), true) for own in zip(means, sizes.astype(float), strict=True)]))
        yield f"{k} x 3 or 19, more where easier", *map("{:.3f}".format, row)


PAIRS = ((0.5, 0.5), (0.86, 0.86), (0.97, 0.97), (0.97, 0.93))


def differences(sets: int) -> Iterator[tuple[str, ...]]:
    yield "instances x items", *(f"{one:.2f} less {other:.2f}: holds, false better" for one, other in PAIRS)
    for k, m in SIZES:
        row = []
        clusters = np.repeat(np.arange(k), m)
        for pair in PAIRS:
            common = np.sqrt(0.7) * RNG.normal(size=(sets, k))
            one, other = (
                RNG.random((sets, k, m))
                < expit(logit_of(p) + common + np.sqrt(0.3) * RNG.normal(size=(sets, k)))[:, :, None]
                for p in pair
            )
            values = (one.astype(float) - other).reshape(sets, k * m)
            found = [difference(own, clusters) for own in values]
            true = pair[0] - pair[1]
            above = np.mean([isinstance(each, Interval) and each.low > true for each in found])
            row.append(f"{np.mean([held(each, true) for each in found]):.3f}, {above:.3f}")
        yield f"{k} x {m}", *row


def words(sets: int) -> Iterator[tuple[str, ...]]:
    """Instances of drawn words: the interval over instances holds for these words, that over words for others too."""
    yield (
        "words, instances, SD of words",
        "these words, over instances",
        "all words, over instances",
        "all words, over words",
    )
    for k, n in ((6, 100), (8, 100), (20, 100), (8, 500), (20, 500), (40, 500)):
        for sd in (0.5, 1.0):
            logits, true = logit_of(0.8, sd) + sd * RNG.normal(size=(sets, k)), 0.8
            drawn = RNG.integers(0, k, (sets, n))
            right = (RNG.random((sets, n)) < expit(np.take_along_axis(logits, drawn, axis=1))).astype(float)
            row: list[list[float]] = [[], [], []]
            for own, of, word in zip(right, logits, drawn, strict=True):
                plain = share(own, np.ones(n))
                sizes = np.bincount(word, minlength=k)[np.unique(word)].astype(float)
                by_word = share(np.bincount(word, weights=own)[np.unique(word)] / sizes, sizes)
                for cells, found, value in zip(
                    row, (plain, plain, by_word), (float(expit(of).mean()), true, true), strict=True
                ):
                    cells.append(held(found, value))
            yield f"{k}, {n}, {sd}", *(f"{np.mean(cells):.3f}" for cells in row)


def principles(sets: int) -> Iterator[tuple[str, ...]]:
    """Two principles that go together, and right answers that depend on none of them."""
    yield "instances x items", "all at once, share right .80", "share right .95"
    for k, m in ((8, 6), (12, 6), (20, 6), (50, 6), (20, 19)):
        clusters, cells, row = np.repeat(np.arange(k), m).astype(object), np.tile(np.arange(m) % 2, k), []
        for p in (0.8, 0.95):
            held_ = []
            for _ in range(sets):
                right = (RNG.random(k * m) < np.repeat(expit(logit_of(p) + RNG.normal(size=k)), m)).astype(float)
                first = RNG.random(k * m) < 0.4
                rests = np.column_stack([first, np.where(RNG.random(k * m) < 0.5, first, RNG.random(k * m) < 0.4)])
                effect = regression(right, rests, cells, clusters)[0]
                held_.append(float("nan") if effect is None else held(effect, 0.0))
            row.append(f"{np.nanmean(held_):.3f}")
        yield f"{k} x {m}", *row


def correlations(sets: int) -> Iterator[tuple[str, ...]]:
    """Of normal pairs, and of pairs with heavy tails (each divided by one chi of 5 degrees of freedom)."""
    yield "pairs, correlation", "Pearson, normal", "Spearman, normal", "Pearson, heavy tails", "Spearman, heavy tails"
    for n in (10, 20, 50, 200):
        for rho in (0.0, 0.5, 0.8):
            row = []
            for tails in (False, True):

                def pairs(rows: int, count: int, tails: bool = tails, rho: float = rho) -> Floats:
                    x = RNG.normal(size=(rows, 2, count))
                    x[:, 1] = rho * x[:, 0] + np.sqrt(1 - rho * rho) * x[:, 1]
                    return x / np.sqrt(RNG.chisquare(5, (rows, 1, count)) / 5) if tails else x

                many, drawn = pairs(1, 400_000)[0], pairs(sets, n)
                for of in (pearson, spearman):
                    true = rho if of is pearson else spearman(*many)[0].value
                    row.append(f"{np.mean([held(of(*own)[0], true) for own in drawn]):.3f}")
            yield f"{n}, {rho}", *row


TABLES: dict[str, Callable[[int], Iterator[tuple[str, ...]]]] = {
    "shares": shares, "differences": differences, "words": words, "principles": principles,
    "correlations": correlations,
}  # fmt: skip


def theories(folders: Sequence[Path]) -> Iterator[tuple[str, ...]]:
    """Who answers, and the pairs of theories of which one is said to fit better."""
    import tempfile

    from gramprobe.analysis.answers import answers
    from gramprobe.analysis.open import open_runs
    from gramprobe.analysis.pairs import items_of
    from gramprobe.analysis.studies.theories import STUDY
    from gramprobe.analysis.study import Given
    from gramprobe.analysis.theory_labels import COLUMNS, theory_labels
    from gramprobe.certify.rule import LABELS
    from gramprobe.dataset.read import read

    yield "dataset", "answers", "verdicts"
    for folder in folders:
        dataset = read(folder)
        items = items_of(dataset, dataset.paradigms)
        count = len(items.ids)
        place = {item: row for row, item in enumerate(items.ids)}
        blind = {f"always {label}": np.full(count, n) for n, label in enumerate(LABELS)}
        for rates in ((0.25, 0.45, 0.3), (0.6, 0.3, 0.1), (0.1, 0.1, 0.8), (1 / 3, 1 / 3, 1 / 3)):
            blind[f"at random, {'/'.join(f'{rate:.2f}' for rate in rates)}"] = RNG.choice(3, count, p=rates)
        for name, said in {**items.said, **{f"reader {r}": g for r, g in items.guesses.items()}}.items():
            blind[name] = np.where(said < len(LABELS), said, 1)
        with tempfile.TemporaryDirectory() as temporary:

            def verdicts(
                answer: NDArray[np.int64],
                file: Path = Path(temporary, "m.csv"),
                ids: Sequence[str] = items.ids,
                folder: Path = folder,
            ) -> list[str]:
                tables = STUDY.findings(open_runs([_file(file, ids, answer)], [folder]), Given()).tables
                return [f"{row[6]} > {row[1]}" for table in tables[1::3] for row in table.rows if row[6]]

            for name, answer in blind.items():
                yield folder.name, name, "; ".join(verdicts(answer)) or "none"
            (run,) = open_runs([_file(Path(temporary, "gold.csv"), items.ids, items.labels)], [folder])
            found = answers(run, COLUMNS)
            for theory, labels in theory_labels(found, ()).items():
                follows = items.labels.copy()
                for item, label in zip(found.column("id"), labels, strict=True):
                    if label and item in place:
                        follows[place[item]] = LABELS.index(label)
                for noise in (0.0, 0.3, 0.6, 0.8):
                    answer = np.where(RNG.random(count) < noise, RNG.integers(0, 3, count), follows)
                    said_ = verdicts(answer)
                    own = [each for each in said_ if theory in each.split(" > ")[0].split(" = ")]
                    against = [each for each in said_ if theory in each.split(" > ")[1].split(" = ")]
                    yield folder.name, f"{theory}, noise {noise:.0%}", f"for it {len(own)}, against it {len(against)}"


def _file(file: Path, ids: Sequence[str], labels: NDArray[np.int64]) -> Path:
    names = ("entailment", "neutral", "contradiction")
    lines = (f'"{item}",{names[label]}' for item, label in zip(ids, labels.tolist(), strict=True))
    file.write_text("\n".join(["item,label", *lines]) + "\n", "utf-8")
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=list(TABLES))
    parser.add_argument("--sets", type=int, default=2000)
    given = parser.parse_args()
    if given.tables[:1] == ["theories"]:
        written = [theories([Path(folder) for folder in given.tables[1:]])]
    else:
        written = [TABLES[name](given.sets) for name in given.tables]
    for rows in written:
        cells: list[str] = []
        for number, row in enumerate(rows):
            print(f"| {' | '.join(row)} |", flush=True)
            if number == 0:
                print(f"|{'---|' * len(row)}", flush=True)
            else:
                cells += row[1:]
        if given.tables[:1] != ["theories"]:
            print(f"\n{over_all(cells)}\n")


def over_all(cells: Sequence[str]) -> str:
    """What the cells of a table have in common: the smallest, mean and largest of their first and second numbers."""
    said = []
    for what, at in (("holds", 0), ("second number", 1)):
        numbers = [float(own[at]) for cell in cells if len(own := cell.split(", ")) > at and own[at][:1].isdigit()]
        if numbers:
            said.append(f"{what} {min(numbers):.3f} to {max(numbers):.3f}, mean {np.mean(numbers):.3f}")
    return f"{len(cells)} cells: {'; '.join(said)}" if said else f"{len(cells)} cells"


if __name__ == "__main__":
    main()
