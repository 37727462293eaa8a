"""`make bench`: the figures of docs/benchmarks.md, each as a median of several runs of the installed command.

Absolute times depend on the machine; the last column is the ratio to the same machine's plain Python start-up, taken
in the same run. `bench_loop` measures how long an author waits after a change, `bench_labels` labels and their
certificates, `bench_items` a million items.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bench_items
import bench_labels
import bench_loop

COMMAND = str(Path(sys.executable).with_name("gramprobe"))


OTHERS = ("implicature", "scope", "theory_of_mind")
"""Phenomena whose builds are measured, beside presupposition and de_re_de_dicto, which have figures of their own."""


def run(arguments: list[str], environment: dict[str, str]) -> float:
    """Wall seconds of one process; raises when it fails."""
    start = time.perf_counter()
    subprocess.run(arguments, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--large", type=int, default=10_000, help="instances of each paradigm in the large build")
    parser.add_argument("--pairs", type=int, default=1_000_000, help="renamed pairs to canonicalise and label")
    parser.add_argument("--against", metavar="REVISION", default="", help="also the ratios to this earlier commit")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="gramprobe-bench-"))
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    out = ["--out", str(folder / "out")]
    large = ["build", "presupposition", "--n", str(options.large), *out]
    tasks = {
        "python -c pass": ([sys.executable, "-c", "pass"], options.runs),
        "gramprobe list (first run, no cache)": ([COMMAND, "list"], 1),
        "gramprobe list": ([COMMAND, "list"], options.runs),
        "gramprobe check (first run, nothing kept)": ([COMMAND, "check"], 1),
        "gramprobe check": ([COMMAND, "check"], options.runs),
        "the same, no verdict kept": (["env", "GRAMPROBE_CACHE=off", COMMAND, "build", "presupposition", *out], 3),
        **{f"build {name}": ([COMMAND, "build", name, *out], 3) for name in OTHERS},
        **{
            f"build {name}, no verdict kept": (["env", "GRAMPROBE_CACHE=off", COMMAND, "build", name, *out], 1)
            for name in OTHERS
        },
        "gramprobe verify (17,100 rows)": ([COMMAND, "verify", str(folder / "out" / "presupposition")], 3),
        "build presupposition (17,100 rows)": ([COMMAND, "build", "presupposition", *out], options.runs),
        f"build presupposition --n {options.large}": ([COMMAND, *large], max(1, options.runs // 3)),
    }
    try:
        report(tasks, environment, options.large * 19 * 9)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print_promises(bench_loop.report(options.runs, options.against))
    print_promises(bench_items.report())
    print_promises(bench_labels.report(options.pairs))
    return 0


def print_promises(promises: dict[str, bool]) -> None:
    """Print one line for each promise."""
    for promise, kept in promises.items():
        print(f"{'kept  ' if kept else 'MISSED'}  {promise}")


def report(tasks: dict[str, tuple[list[str], int]], environment: dict[str, str], rows: int) -> None:
    """Print one line for each task, then the rates, the peak memory and the promises."""
    medians: dict[str, float] = {}
    print(f"{'task':<44}{'median s':>10}{'min':>8}{'max':>8}{'ratio':>8}")
    for name, (arguments, runs) in tasks.items():
        times = [run(arguments, environment) for _ in range(runs)]
        medians[name] = statistics.median(times)
        ratio = medians[name] / next(iter(medians.values()))
        print(f"{name:<44}{medians[name]:>10.3f}{min(times):>8.3f}{max(times):>8.3f}{ratio:>8.0f}", flush=True)
    small, large = list(medians)[-2:]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    start_up = medians["gramprobe list"]
    print(f"rows a second in the large build, start-up taken off: {rows / (medians[large] - start_up):,.0f}")
    per_row = [medians[small] / 17_100, medians[large] / rows]
    print(f"seconds a row: {per_row[0]:.2e} in the small build, {per_row[1]:.2e} in the large one")
    print(f"largest peak memory of a command: {peak:,.0f} MiB")
    rate = rows / (medians[large] - start_up)
    promises = {
        "list in 0.5 s": start_up <= 0.5,
        "check of everything in 5 s": medians["gramprobe check"] <= 5,
        "every other phenomenon in 10 s": all(medians[f"build {name}"] <= 10 for name in OTHERS),
        "every other phenomenon in 10 s, no verdict kept": all(
            medians[f"build {name}, no verdict kept"] <= 10 for name in OTHERS
        ),
        "17,100 rows in 5 s": medians[small] <= 5,
        "1 GiB at most": peak <= 1024,
        "100,000 rows a second": rate >= 100_000,
        "a row costs less in the large build": per_row[1] < per_row[0],
    }
    print_promises(promises)
    print(json.dumps({"medians": medians, "peak_mib": peak}))


if __name__ == "__main__":
    sys.exit(main())
