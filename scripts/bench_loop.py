"""How long an author waits: one line of a paradigm is changed, then `gramprobe check NAME` or `gramprobe sample NAME`.

Each time (CPU seconds) is divided by U, that of `python -c "import numpy, lark, pysat.solvers"`, measured in turn with
it, so that the ratio depends less on the machine. Then how long `Project.reload` takes, which an editor waits for. With
`--against REVISION` commands of an earlier commit run in turn with those of the checkout, each with caches of its own:
everything checked, with and without caches, and a build.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import product
from pathlib import Path

from figures import record_figures

import gramprobe

ROOT = Path(__file__).resolve().parents[1]
PARADIGMS = {
    "only": "presupposition/only",
    "scope": "scope/choice_universal_indefinite",
    "training": "theory_of_mind/training_2",
    "pairs": "acceptability/passive",
}
COMMANDS = ("check", "sample")
EDIT, LIMIT, COMMENT, CONSTRUCTOR = "an edit", "another limit", "a comment", "another constructor"
"""What is changed: the name of a condition, so that all is derived again; how often a value may be drawn, so that other
instances are; a comment; a module that the paradigm uses gets a constructor that it does not."""
RENAMED = {"only": "denied", "scope": "different", "training": "NotY", "pairs": "active_wrong"}
"""The conditions that get another name."""
LIMITED = {"only": "focus.class", "scope": "f", "training": "n", "pairs": "p"}
"""The draws that get a new limit."""
MODULE = "english/determiners.gram"
RELOADED = ("lexicon/nouns.tsv", "logic/presupposition.logic", "grammars/english/determiners.gram")
"""What is changed besides a paradigm: one file of each kind."""


@dataclass(frozen=True)
class Checkout:
    """Code to be run, with caches of its own."""

    code: Path
    caches: Path

    def run(self, *arguments: str, cached: bool = True) -> float:
        """CPU seconds of `gramprobe` with these arguments; raises when it fails."""
        environment = {**os.environ, "PYTHONPATH": str(self.code / "src"), "XDG_CACHE_HOME": str(self.caches)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment.pop("GRAMPROBE_PATH", None)
        if not cached:
            environment |= {"GRAMPROBE_CACHE": "off"}
        return timed([sys.executable, "-m", "gramprobe", *arguments], environment, self.code)


def timed(command: Sequence[str], environment: dict[str, str] | None = None, folder: Path | None = None) -> float:
    """CPU seconds of one process and of those that it waits for; raises when it fails."""
    start = _spent()
    subprocess.run(command, check=True, env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return _spent() - start


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def unit() -> float:
    """U: CPU seconds of a process that imports the packages that every command needs."""
    return timed([sys.executable, "-c", "import numpy, lark, pysat.solvers"])


def in_turn(one: Callable[[], float], other: Callable[[], float], runs: int) -> tuple[float, float, float]:
    """Medians of both, run in turn, and of the ratio of one to the other, pair by pair."""
    pairs = [(one(), other()) for _ in range(runs)]
    first, second = (statistics.median(side) for side in zip(*pairs, strict=True))
    return first, second, statistics.median(a / b for a, b in pairs)


def loop(key: str, folder: Path, runs: int) -> Iterator[tuple[str, float]]:
    """What was done, and its times in U: a command after an edit of the paradigm, `check` after other changes."""
    checkout, name = Checkout(ROOT, folder / "caches"), PARADIGMS[key]
    own = folder / "own" / "grammars"
    file, module = own / f"{name}.paradigm", own / MODULE
    text, around = ((ROOT / "grammars" / each).read_text("utf-8") for each in (f"{name}.paradigm", MODULE))
    for each in (file, module):
        each.parent.mkdir(parents=True, exist_ok=True)
    number = 0

    def after(command: str, edit: str) -> float:
        nonlocal number
        number += 1
        said = re.sub(rf"\b{RENAMED[key]}\b", rf"\g<0>_{number}", text) if edit == EDIT else text
        limit = f"\neach {LIMITED[key]} at most {50 + number} times in 100\n" if edit == LIMIT else ""
        said = re.sub(r"\n(?=(premise|sentence|good)\n)", lambda _: f"{limit}\n", said, count=1)
        file.write_text(said.replace("\nabout", f"\n-- edit {number}\nabout", 1), "utf-8")
        if edit == CONSTRUCTOR:
            module.write_text(f"{around}\nfun Edit{number} (head n: PN) : NP\n  lin n\n  sem \\P. P(n)\n", "utf-8")
        seconds = checkout.run(command, name, "--path", str(folder / "own"))
        module.unlink(missing_ok=True)
        return seconds

    for command, edit in [*product(COMMANDS, [EDIT]), *product(["check"], [LIMIT, COMMENT, CONSTRUCTOR])]:
        after(command, edit)  # byte code and verdicts
        seconds, once, ratio = in_turn(lambda c=command, e=edit: after(c, e), unit, runs)  # type: ignore[misc]
        print(f"{command} {name} after {edit}: {seconds:.2f} s, U is {once:.2f} s")
        yield command if edit == EDIT else edit.split()[-1], ratio


def reloaded(names: Sequence[str], runs: int) -> float:
    """Seconds of `Project.reload` after a change of the kind of file that takes longest; ``names``: as for `load`."""
    project = gramprobe.load(names=names)
    slowest = 0.0
    for file in (*RELOADED, f"grammars/{PARADIGMS['only']}.paradigm"):
        text = (ROOT / file).read_text("utf-8")
        times = []
        for number in range(runs):
            mark = "" if file.endswith(".tsv") else f"-- edit {number}"
            start = time.perf_counter()
            project.reload({ROOT / file: f"{text}{mark}\n"})
            times.append(time.perf_counter() - start)
        slowest = max(slowest, statistics.median(times))
    return slowest


def unpacked(revision: str, folder: Path) -> Path:
    """The files of an earlier commit."""
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder


def against(before: Path, folder: Path, runs: int) -> None:
    """Print the ratios to an earlier commit."""
    old, new = Checkout(before, folder / "old"), Checkout(ROOT, folder / "new")
    build = ["build", "theory_of_mind", "--out", str(folder / "out")]
    for task, arguments in (("check of everything", ["check"]), ("build theory_of_mind", build)):
        for cached in (True, False):
            for checkout in (new, old) if cached else ():
                checkout.run(*arguments)
            here, there, ratio = in_turn(
                lambda a=arguments, c=cached: new.run(*a, cached=c),  # type: ignore[misc]
                lambda a=arguments, c=cached: old.run(*a, cached=c),  # type: ignore[misc]
                runs,
            )
            kept = "" if cached else ", nothing kept"
            print(f"{task + kept:<40}{here:>7.2f} s  before {there:.2f} s  ratio {ratio:.2f}", flush=True)


def report(runs: int, revision: str = "") -> None:
    """Measure every figure. ``revision``: the commit to compare with, if any."""
    for key in PARADIGMS:
        with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as folder:
            record_figures({f"{command}_{key}": ratio for command, ratio in loop(key, Path(folder), runs)})
    record_figures({"reload_one": reloaded([PARADIGMS["only"]], runs), "reload_all": reloaded([], runs)})
    if revision:
        with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as folder:
            given = Path(revision)
            before = given.resolve() if given.is_dir() else unpacked(revision, Path(folder) / "before")
            against(before, Path(folder), max(1, runs // 3))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--against", metavar="REVISION", default="", help="a commit, or a folder with its files")
    options = parser.parse_args()
    report(options.runs, options.against)
    return 0


if __name__ == "__main__":
    sys.exit(main())
