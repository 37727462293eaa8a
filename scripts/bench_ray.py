"""Ray on one machine beside the processes of `--workers`: the same set, the same model, whole commands in turn.

    scripts/bench_ray.py --model models/minilm-l6-nli --rounds 3

Throughput is items by the wall time of a whole command, in which Ray also starts a cluster and ends it. The files of
both must have the same bytes.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run(*words: str) -> float:
    """Run a command of gramprobe; its wall time in seconds."""
    start = time.monotonic()
    subprocess.run([sys.executable, "-m", "gramprobe", *words], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


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
    with tempfile.TemporaryDirectory() as folder:
        run("build", options.paradigm, "--n", str(options.instances), "--out", f"{folder}/data")
        (data,) = Path(folder, "data").iterdir()
        words = ["score", str(data), "--model", str(options.model), "--workers", str(options.workers)]
        for number in range(options.rounds):
            written = {}
            for name, engine in ways.items():
                out = Path(folder, f"{name}-{number}")
                times[name].append(run(*words, *engine, "--out", str(out)))
                written[name] = [file.read_bytes() for file in sorted((out / "scores").iterdir())]
            assert written["ray"] == written["workers"], "the files differ"
            print(f"round {number + 1}: " + ", ".join(f"{name} {each[-1]:.1f} s" for name, each in times.items()))
            sys.stdout.flush()
    medians = {name: statistics.median(each) for name, each in times.items()}
    print(f"medians: {medians}; throughput of ray by that of workers: {medians['workers'] / medians['ray']:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
