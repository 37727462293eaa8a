"""Ray on one machine beside the processes of `--workers`: the same set, the same model, whole commands in turn.

    scripts/bench_ray.py --model models/minilm-l6-nli --rounds 3

Throughput is items by the wall time of a whole command, in which Ray also starts a cluster and ends it. CPU seconds are
those of all its processes, seen each second: they say more where other programs run, since Linux shares a busy machine
among sessions, and Ray's processes have sessions of their own. The files of both must have the same bytes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

from figures import record_figures


def run(*words: str) -> tuple[float, float]:
    """Run a command of gramprobe; its wall time, and the CPU time of all its processes, in seconds."""
    start, mark = time.monotonic(), uuid.uuid4().hex
    used: dict[int, float] = {}
    environment = {**os.environ, "GRAMPROBE_BENCH": mark}
    command = [sys.executable, "-m", "gramprobe", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as process:
        while process.poll() is None:
            used.update(seconds_of(mark))
            time.sleep(0.5)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} failed")
    return time.monotonic() - start, sum(used.values())


def seconds_of(mark: str) -> dict[int, float]:
    """The CPU seconds so far of each process that has the mark in its environment."""
    found = {}
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdecimal() and mark.encode() in (place / "environ").read_bytes():
                fields = (place / "stat").read_text().rpartition(")")[2].split()
                found[int(place.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            continue
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="a folder with a classifier of pairs")
    parser.add_argument("--paradigm", default="theory_of_mind/additional")
    parser.add_argument("--instances", type=int, default=4000, help="five items each in the default paradigm")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ways = {"workers": ["--engine", "processes"], "ray": ["--engine", "ray"]}
    times: dict[str, list[float]] = {name: [] for name in ways}
    cpu: dict[str, list[float]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as folder:
        run("build", options.paradigm, "--n", str(options.instances), "--out", f"{folder}/data")
        (data,) = Path(folder, "data").iterdir()
        words = ["score", str(data), "--model", str(options.model), "--workers", str(options.workers)]
        for number in range(options.rounds):
            written = {}
            for name, engine in ways.items():
                out = Path(folder, f"{name}-{number}")
                wall, used = run(*words, *engine, "--out", str(out))
                times[name].append(wall)
                cpu[name].append(used)
                written[name] = [file.read_bytes() for file in sorted((out / "scores").iterdir())]
            assert written["ray"] == written["workers"], "the files differ"
            shown = (f"{name} {times[name][-1]:.1f} s, {cpu[name][-1]:.1f} CPU s" for name in ways)
            print(f"round {number + 1}: " + "; ".join(shown))
            sys.stdout.flush()
    for key, each in (("ray", times), ("ray_cpu", cpu)):
        record_figures({key: statistics.median(each["workers"]) / statistics.median(each["ray"])})
    return 0


if __name__ == "__main__":
    sys.exit(main())
