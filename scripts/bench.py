"""`make bench`: the figures of docs/benchmarks.md that need no language model (scripts/figures.py).

Wall seconds of the installed command as a whole process, medians of several runs. `bench_loop` measures how long an
author waits after a change, `bench_labels` labels and their certificates, `bench_items` a million items,
`bench_exports` their export, `bench_rows` rows a second, `bench_charts` charts of sentences, `bench_reading` their
readings.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bench_charts
import bench_exports
import bench_items
import bench_labels
import bench_loop
import bench_reading
import bench_rows
from figures import record_figures

COMMAND = str(Path(sys.executable).with_name("gramprobe"))
PHENOMENA = ("presupposition", "implicature", "scope", "theory_of_mind")
"""Phenomena whose builds are measured; de_re_de_dicto is measured by `bench_items`."""


class Commands:
    """Runs of gramprobe with a cache and a place for datasets of their own."""

    def __init__(self, folder: Path) -> None:
        self.out = folder / "out"
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}

    def seconds(self, runs: int, *arguments: str, **environment: str) -> float:
        """Median wall seconds of a command; raises when it fails."""
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            subprocess.run(
                [COMMAND, *arguments],
                check=True,
                env=self.environment | environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    def build(self, runs: int, name: str, *more: str, **environment: str) -> float:
        return self.seconds(runs, "build", name, *more, "--out", str(self.out), **environment)

    def rows(self, name: str) -> int:
        """The rows of the dataset that was built last."""
        manifest = json.loads((self.out / name / "manifest.json").read_text("utf-8"))
        return sum(part["rows"] for part in manifest["paradigms"].values())


def commands(folder: Path, runs: int, large: int) -> None:
    """Measure what a user waits for."""
    here = Commands(folder)
    record_figures({"list_first": here.seconds(1, "list"), "list": (start_up := here.seconds(runs, "list"))})
    record_figures({"check_first": here.seconds(1, "check"), "check": here.seconds(runs, "check")})
    for name in PHENOMENA:
        record_figures({f"{name}_first": here.build(1, name, GRAMPROBE_CACHE="off")})
        here.build(1, name)  # verdicts
        record_figures({name: (small := here.build(runs, name))})
        if name == "presupposition":
            record_figures({"verify": here.seconds(3, "verify", str(here.out / name))})
            per_row = small / here.rows(name)
            seconds = here.build(max(1, runs // 3), name, "--n", str(large))
            rows = here.rows(name)
            record_figures(
                {"large": seconds, "large_rate": rows / (seconds - start_up), "large_row": seconds / rows / per_row}
            )
    record_figures({"peak": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--large", type=int, default=10_000, help="instances of each paradigm in the large build")
    parser.add_argument("--pairs", type=int, default=1_000_000, help="renamed pairs to canonicalise and label")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as folder:
        commands(Path(folder), options.runs, options.large)
    bench_loop.report(options.runs)
    bench_items.report()
    bench_exports.report()
    bench_rows.report()
    bench_labels.report(options.pairs)
    bench_charts.report()
    bench_reading.report(10_000)
    return 0


if __name__ == "__main__":
    sys.exit(main())
