"""How long an author waits: one line of a paradigm is changed, then `gramprobe check NAME` or `gramprobe sample NAME`.

Each time is divided by U, the time of `python -c "import numpy, lark, pysat.solvers"`, measured in turn with it, so
that the ratio depends less on the machine. With `--against REVISION` the same commands of an earlier commit run in turn
with those of the checkout, each with caches of its own: everything checked, with and without caches, and a build.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARADIGMS = ("presupposition/only", "scope/choice_universal_indefinite", "theory_of_mind/training_2")
LOOP = {"check": 6.0, "sample": 4.0}
"""Command -> how many times U it may take after one line of the paradigm was changed."""


@dataclass(frozen=True)
class Checkout:
    """Code to be run, with caches of its own."""

    code: Path
    caches: Path

    def run(self, *arguments: str, cached: bool = True) -> float:
        """Wall seconds of `gramprobe` with these arguments; raises when it fails."""
        environment = {**os.environ, "PYTHONPATH": str(self.code / "src"), "XDG_CACHE_HOME": str(self.caches)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment.pop("GRAMPROBE_PATH", None)
        if not cached:
            environment |= {"GRAMPROBE_CACHE": "off"}
        return timed([sys.executable, "-m", "gramprobe", *arguments], environment, self.code)


def timed(command: Sequence[str], environment: dict[str, str] | None = None, folder: Path | None = None) -> float:
    """Wall seconds of one process; raises when it fails."""
    start = time.perf_counter()
    subprocess.run(command, check=True, env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return time.perf_counter() - start


def unit() -> float:
    """U: wall seconds of a process that imports the packages that every command needs."""
    return timed([sys.executable, "-c", "import numpy, lark, pysat.solvers"])


def in_turn(one: Callable[[], float], other: Callable[[], float], runs: int) -> tuple[float, float, float]:
    """Medians of both, run in turn, and of the ratio of one to the other, pair by pair."""
    pairs = [(one(), other()) for _ in range(runs)]
    first, second = (statistics.median(side) for side in zip(*pairs, strict=True))
    return first, second, statistics.median(a / b for a, b in pairs)


def loop(code: Path, name: str, folder: Path, runs: int) -> dict[str, bool]:
    """Print the ratios of `check` and `sample` after an edit of the paradigm; return promise -> kept."""
    checkout = Checkout(code, folder / "caches")
    file = folder / "own" / "grammars" / f"{name}.paradigm"
    file.parent.mkdir(parents=True)
    text = (code / "grammars" / f"{name}.paradigm").read_text("utf-8")
    number = 0

    def after_edit(command: str) -> float:
        nonlocal number
        number += 1
        file.write_text(text.replace("\nabout", f"\n-- edit {number}\nabout", 1), "utf-8")
        return checkout.run(command, name, "--path", str(folder / "own"))

    promises = {}
    for command, limit in LOOP.items():
        after_edit(command)  # byte code and verdicts
        seconds, once, ratio = in_turn(lambda command=command: after_edit(command), unit, runs)  # type: ignore[misc]
        print(f"{command + ' ' + name + ', one line changed':<58}{seconds:>7.2f} s  U {once:.2f} s  {ratio:>5.1f} U")
        promises[f"{command} {name} in {limit:g} U"] = ratio <= limit
    return promises


def unpacked(revision: str, folder: Path) -> Path:
    """The files of an earlier commit."""
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder


def against(before: Path, folder: Path, runs: int) -> dict[str, bool]:
    """Print the ratios to an earlier commit; return promise -> kept."""
    old, new = Checkout(before, folder / "old"), Checkout(ROOT, folder / "new")
    build = ["build", "theory_of_mind", "--out", str(folder / "out")]
    tasks: list[tuple[str, list[str], bool, float]] = [
        ("check of everything", ["check"], True, 0.5),
        ("check of everything, nothing kept", ["check"], False, 0.6),
        ("build theory_of_mind", build, True, 0.65),
        ("build theory_of_mind, nothing kept", build, False, 0.65),
    ]
    promises = {}
    for task, arguments, cached, limit in tasks:
        for checkout in (new, old) if cached else ():
            checkout.run(*arguments)
        here, there, ratio = in_turn(
            lambda a=arguments, c=cached: new.run(*a, cached=c),  # type: ignore[misc]
            lambda a=arguments, c=cached: old.run(*a, cached=c),  # type: ignore[misc]
            runs,
        )
        print(f"{task:<58}{here:>7.2f} s  before {there:.2f} s  ratio {ratio:.2f}", flush=True)
        promises[f"{task} in {limit:g} of the time before"] = ratio <= limit
    return promises


def report(runs: int, revision: str = "") -> dict[str, bool]:
    """Print every figure; return promise -> kept. ``revision``: the commit to compare with, if any."""
    promises: dict[str, bool] = {}
    for name in PARADIGMS:
        with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as folder:
            promises |= loop(ROOT, name, Path(folder), runs)
    if revision:
        with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as folder:
            given = Path(revision)
            before = given.resolve() if given.is_dir() else unpacked(revision, Path(folder) / "before")
            promises |= against(before, Path(folder), max(1, runs // 3))
    return promises


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--against", metavar="REVISION", default="", help="a commit, or a folder with its files")
    options = parser.parse_args()
    for promise, kept in report(options.runs, options.against).items():
        print(f"{'kept  ' if kept else 'MISSED'}  {promise}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
