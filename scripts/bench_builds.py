"""`make bench-builds BASE=CHECKOUT`: what is built and checked, by what it costs in a checkout of a former release.

Both do the same in turn, in one process each, with caches of their own: they build ten instances of each paradigm of a
phenomenon, then the paradigms that both have in their full size, each first with nothing kept and then with the
verdicts of that build kept; and they check the paradigms that both have, with nothing kept. CPU seconds, start-up
counted; the ratios of one run depend little on the machine. Where it is busy, CPU seconds of one and the same command
differ by half: with ``--runs 3`` all is done three times, both checkouts in turn, and the least of each counts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from figures import record_figures

ROOT = Path(__file__).resolve().parents[1]
PHENOMENA = ("presupposition", "implicature", "scope", "theory_of_mind")
WHOLE = ("scope", "theory_of_mind")
"""What is also built in its full size."""
COUNT = 10
"""How many instances of each paradigm of PHENOMENA: so few that proofs count for more than rows."""


@dataclass(frozen=True)
class Cost:
    """CPU seconds of a build with nothing kept and with its verdicts kept; how many certificates and rows it has."""

    first: float
    again: float
    proofs: int
    rows: int

    def __str__(self) -> str:
        return f"{self.first:.1f} CPU s, verdicts kept {self.again:.1f}; {self.proofs:,} proofs, {self.rows:,} rows"


@dataclass(frozen=True)
class Checkout:
    """A checkout whose code runs on its own files; what it keeps and builds is in ``folder``, empty at the start."""

    path: Path
    folder: Path

    def run(self, *command: str) -> str:
        """What a command prints; raises CalledProcessError when it fails."""
        environment = {key: value for key, value in os.environ.items() if key != "GRAMPROBE_PATH"}
        environment |= {"PYTHONPATH": str(self.path / "src"), "XDG_CACHE_HOME": str(self.folder / "cache")}
        environment |= {"GRAMPROBE_JOBS": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "gramprobe", *command],
            check=True,
            env=environment,
            cwd=self.path,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout

    def spent(self, *command: str) -> float:
        """CPU seconds of a command."""
        before = _spent()
        self.run(*command)
        return _spent() - before

    def cost(self, *what: str) -> Cost:
        """What it costs to build the names and options of ``what``, twice."""
        first, again = (self.spent("build", *what, "--out", str(self.folder / "built")) for _ in range(2))
        rows = proofs = 0
        for manifest in self.folder.glob("built/*/manifest.json"):
            rows += sum(part["rows"] for part in json.loads(manifest.read_text("utf-8"))["paradigms"].values())
            proofs += (manifest.parent / "certificates.jsonl").read_bytes().count(b"\n")
        return Cost(first, again, proofs, rows)

    def paradigms(self) -> list[str]:
        return [paradigm["name"] for paradigm in json.loads(self.run("list", "--json"))["paradigms"]]


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def _both(base: Path) -> Iterator[tuple[Checkout, Checkout]]:
    """The former release and this one, with nothing kept."""
    with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as folder:
        yield Checkout(base, Path(folder) / "before"), Checkout(ROOT, Path(folder) / "now")


def _costs(base: Path, phenomenon: str, *what: str, runs: int) -> tuple[Cost, Cost]:
    """The least costs of both checkouts in so many runs."""
    costs: list[tuple[Cost, Cost]] = []
    for _ in range(runs):
        with _both(base) as checkouts:
            before, now = (checkout.cost(*what) for checkout in checkouts)
        for name, each in (("before", before), ("now", now)):
            print(f"        {phenomenon} {name}: {each}", flush=True)
        costs.append((before, now))
    before, now = (_least(each) for each in zip(*costs, strict=True))
    return before, now


def _least(costs: Sequence[Cost]) -> Cost:
    """The least CPU seconds of several runs, which have the same rows."""
    return replace(costs[0], first=min(each.first for each in costs), again=min(each.again for each in costs))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path, help="a checkout of the former release")
    parser.add_argument("names", nargs="*", default=PHENOMENA, help="phenomena, if not all; then nothing is checked")
    parser.add_argument("--runs", type=int, default=1, help="the least CPU seconds of so many runs count")
    options = parser.parse_args()
    base = options.base.resolve()
    for name in options.names:
        before, now = _costs(base, name, name, "--n", str(COUNT), runs=options.runs)
        record_figures(
            {
                f"proof_{name}": now.first / now.proofs / (before.first / before.proofs),
                f"row_{name}": now.first / now.rows / (before.first / before.rows),
                f"kept_{name}": now.again / now.rows / (before.again / before.rows),
            }
        )
    with _both(base) as (former, current):
        known = set(former.paradigms())
        shared = [name for name in current.paradigms() if name in known]
    for name in options.names:
        if name in WHOLE:
            whole = [each for each in shared if each.startswith(f"{name}/")]
            before, now = _costs(base, name, *whole, runs=options.runs)
            record_figures(
                {
                    f"whole_{name}": now.first / now.rows / (before.first / before.rows),
                    f"whole_kept_{name}": now.again / now.rows / (before.again / before.rows),
                }
            )
    if options.names == PHENOMENA:
        spent = []
        for _ in range(options.runs):
            with _both(base) as checkouts:
                spent.append([checkout.spent("check", *shared) for checkout in checkouts])
        seconds, fewer = map(min, zip(*spent, strict=True))
        print(f"        check of {len(shared)} paradigms: before {seconds:.1f} CPU s, now {fewer:.1f}")
        record_figures({"check_shared": fewer / seconds})
    return 0


if __name__ == "__main__":
    sys.exit(main())
