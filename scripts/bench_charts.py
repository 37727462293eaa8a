"""The figures of `make bench` about charts: sentences of twelve words in the whole of the shipped English; and minimal
pairs, built and verified."""

from __future__ import annotations

import gc
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from figures import record_figures

import gramprobe
from gramprobe.chart.judge import lifts
from gramprobe.chart.rules import Rules
from gramprobe.chart.shape import Shapes
from gramprobe.compiled.data import read, written
from gramprobe.compiled.from_resolve import compiled
from gramprobe.dataset.verify.charts import Charts
from gramprobe.dataset.verify.problems import Problems
from gramprobe.items.chart_groups import wrong_row

PARADIGM = "agreement_subject_verb"
"""Of a thousand pairs."""
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


def _charted(sentence: str, rules: Rules, good: bool) -> float:
    """Median CPU seconds of the chart of a sentence, each time as of the first sentence that is read."""
    times = []
    for _ in range(5):
        shapes = Shapes(rules)
        start = time.process_time()
        found = lifts(sentence, shapes)
        times.append(time.process_time() - start)
        assert (found is None) == good, sentence
    return statistics.median(times)


def _built(name: str, out: Path, *options: str) -> tuple[float, float]:
    """CPU seconds and wall seconds of `gramprobe build NAME`, nothing kept, start-up and all processes counted."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "gramprobe", "build", name, "--out", str(out), *options]
    subprocess.run(command, check=True, env={**os.environ, "XDG_CACHE_HOME": str(out / "cache")}, stdout=sys.stderr)
    after, waited = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, waited


def _verified(folder: Path) -> None:
    """Check the charts of a dataset, and its rows by them."""
    problems = Problems()
    evidence = SimpleNamespace(charts=Charts(folder, "charts.jsonl", "grammar.json", problems))
    rows = map(json.loads, (folder / f"items/{PARADIGM}.jsonl").read_text("utf-8").splitlines())
    assert not problems.count and not [each for row in rows for each in wrong_row(row, evidence)]


def report() -> None:
    gc.set_threshold(10_000_000, 50, 100)  # as every command does
    with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as folder:
        out = Path(folder)
        _built(f"acceptability/{PARADIGM}", out)
        checked = _seconds(lambda: _verified(out / f"acceptability--{PARADIGM}"), 3)
        whole, _ = _built("acceptability", out / "whole")
        _, waited = _built("acceptability", out / "some", "--n", "266")
        record_figures({"pairs_verified": checked, "pairs_built": whole, "pairs_waited": waited})
    grammar = gramprobe.load(path=()).declarations.grammar("english", "scope", "de_re_de_dicto")
    text = written(compiled(grammar))
    loaded = _seconds(lambda: Rules(read(text)), 3)
    rules = Rules(read(text))
    backbone = _seconds(lambda: Shapes(rules), 3)
    good, bad = (max(_charted(each, rules, some is GOOD) for each in some) for some in (GOOD, BAD))
    record_figures(
        {"chart_load": loaded, "chart_backbone": backbone, "chart_good": good * 1000, "chart_lifted": bad * 1000}
    )


if __name__ == "__main__":
    report()
