"""The figures of `make bench` about charts: sentences of twelve words in the whole of the shipped English."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from figures import record_figures

import gramprobe
from gramprobe.chart.judge import lifts
from gramprobe.chart.rules import Rules
from gramprobe.compiled.data import read, written
from gramprobe.compiled.from_resolve import compiled

GOOD = (
    "The boys that the nurse thanked saw two of the museums.",
    "Amy knows that every nurse from Ohio has visited the museum.",
    "Emma doesn't think that Noah has fed any dogs from Ohio.",
)
BAD = (
    "The boys that the nurse thanked has seen two of the museums.",
    "Amy knows that every nurse from Ohio have visited the museum.",
    "Emma thinks that the nurse from Ohio has fed any old dogs.",
)


def _seconds(work: Callable[[], object], runs: int) -> float:
    """Median CPU seconds."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def report() -> None:
    grammar = gramprobe.load(path=()).declarations.grammar("english", "scope", "de_re_de_dicto")
    text = written(compiled(grammar))
    loaded = _seconds(lambda: Rules(read(text)), 3)
    rules = Rules(read(text))
    for sentence in (*GOOD, *BAD):
        assert (lifts(sentence, rules) is None) == (sentence in GOOD), sentence
    good, bad = (max(_seconds(lambda s=each: lifts(s, rules), 9) for each in some) for some in (GOOD, BAD))  # type: ignore[misc]
    record_figures({"chart_load": loaded, "chart_good": good * 1000, "chart_lifted": bad * 1000})


if __name__ == "__main__":
    report()
