"""Model evaluations a second of the bit-parallel checker, beside the kernel's naive evaluator on the same models.

An evaluation is one formula at the actual world of one pointed model. `figures()` is what `make bench` may call.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from gramprobe.certify.evaluator import value
from gramprobe.decide.question import Value
from gramprobe.decide.search.planes import Planes
from gramprobe.decide.search.tables import Tables
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Operator, TheorySlice

ATTITUDES = TheorySlice((
    Operator("K", "box", frozenset({"reflexive", "transitive"})),
    Operator("B", "box", frozenset({"serial", "transitive", "euclidean"}), ("K",), ("K",)),
))  # fmt: skip
VALUES: tuple[Value, ...] = ("T", "F", "U")
OPERATORS = {operator.name: operator for operator in ATTITUDES.operators}
FORMULAS = {
    "B_a K_b X -> B_a X, 3 worlds": ("B[a] K[b] p -> B[a] p", 3, 2),
    "de re -> de dicto, 3 worlds x 3 individuals": (
        "(exists x. (dentist(x), B[a] sing(x))) -> B[a] (exists x. (dentist(x), sing(x)))", 3, 3
    ),
    "presupposition under might, 3 worlds": ("B[a] (p / q) -> p", 3, 1),
    "farmer and donkey, 4 individuals": (
        "forall x. (farmer(x), forall y. (donkey(y) & own(x, y), beat(x, y)))", 1, 4
    ),
    "most, 4 individuals": ("most x. (farmer(x), exists y. (donkey(y), own(x, y)))", 1, 4),
}  # fmt: skip
SMALL = {
    "8 models, propositional": (("p & q", "p | ~q & (r -> p)"), 1, 1),
    "512 models, counting": (("exactly 2 x. (f(x), g(x))", "atleast 2 x. (f(x), ~h(x))"), 1, 3),
    "96 models, one believer": (("B[a] (p & ~q)", "K[a] p | B[a] q"), 2, 1),
}


def figures(models: int = 1 << 18, runs: int = 5, naive: int = 300) -> dict[str, dict[str, float]]:
    """For each formula: evaluations a second in a batch of so many random models, naively, and the ratio."""
    found: dict[str, dict[str, float]] = {}
    for name, (text, worlds, individuals) in FORMULAS.items():
        formula = parse(text, operators=("K", "B"))
        tables = Tables.sampled(ATTITUDES, [formula], worlds, individuals, models=models, seed=0)

        def evaluate(tables: Tables = tables) -> None:
            Planes(tables.batch, OPERATORS, "middle").plane(tables.formulas[0], True)

        some, data = [tables.model(number) for number in range(naive)], to_json(formula)
        start = time.perf_counter()
        for model in some:
            value(data, model, "middle", {"K": "box", "B": "box"})
        slow = naive / (time.perf_counter() - start)
        fast = models / _median(evaluate, runs)
        found[name] = {"parallel": fast, "naive": slow, "ratio": fast / slow}
    return found


def labels(runs: int = 50) -> dict[str, tuple[int, float]]:
    """For each small pair: the size of its space, and the microseconds for the space and three questions over it."""
    found: dict[str, tuple[int, float]] = {}
    for name, (texts, worlds, individuals) in SMALL.items():
        pair = [parse(text, operators=("K", "B")) for text in texts]

        def screen(pair: list[Formula] = pair, worlds: int = worlds, individuals: int = individuals) -> Tables:
            tables = Tables(ATTITUDES, pair, worlds, individuals)
            for wanted in VALUES:
                tables.find([(0, "T"), (1, wanted)])
            return tables

        found[name] = screen().size, 1e6 * _median(screen, runs)
    return found


def _median(task: Callable[[], object], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    for models in (1 << 12, 1 << 16, 1 << 18, 1 << 20):
        print(f"{models:,} models a batch")
        for name, each in figures(models).items():
            print(f"  {name:<46}{each['parallel'] / 1e9:>8.2f} G/s{each['naive']:>10,.0f} naive{each['ratio']:>12,.0f}")
    for name, (size, microseconds) in labels().items():
        print(f"{name:<40}{size:>8,} models{microseconds:>8.0f} microseconds")


if __name__ == "__main__":
    main()
