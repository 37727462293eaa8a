"""`make bench-builds BASE=CHECKOUT`: what a proof and a row cost, by what they cost in a checkout of a former release.

Both build the same phenomena in turn, in one process each, with caches of their own: first with nothing kept, then with
the verdicts of that build kept. CPU seconds, start-up counted; the ratios of one run depend little on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from figures import record_figures

ROOT = Path(__file__).resolve().parents[1]
PHENOMENA = ("presupposition", "implicature", "scope", "theory_of_mind")
COUNT = 10
"""How many instances of each paradigm: so few that proofs count for more than rows."""


@dataclass(frozen=True)
class Cost:
    """CPU seconds of a build with nothing kept and with its verdicts kept; how many certificates and rows it has."""

    first: float
    again: float
    proofs: int
    rows: int


def cost(checkout: Path, name: str, folder: Path) -> Cost:
    """The cost of a build of a phenomenon by a checkout's code from its own files; raises when it fails."""
    environment = {key: value for key, value in os.environ.items() if key != "GRAMPROBE_PATH"}
    environment |= {"PYTHONPATH": str(checkout / "src"), "XDG_CACHE_HOME": str(folder / "cache"), "GRAMPROBE_JOBS": "1"}
    command = [sys.executable, "-m", "gramprobe", "build", name, "--n", str(COUNT), "--out", str(folder)]
    seconds = []
    for _ in range(2):
        before = _spent()
        subprocess.run(command, check=True, env=environment, cwd=checkout, stdout=subprocess.DEVNULL)
        seconds.append(_spent() - before)
    certificates = (folder / name / "certificates.jsonl").read_bytes().count(b"\n")
    parts = json.loads((folder / name / "manifest.json").read_text("utf-8"))["paradigms"].values()
    return Cost(seconds[0], seconds[1], certificates, sum(part["rows"] for part in parts))


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path, help="a checkout of the former release")
    parser.add_argument("names", nargs="*", default=PHENOMENA)
    options = parser.parse_args()
    for name in options.names:
        with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as folder:
            before, now = (
                cost(checkout, name, Path(folder) / part)
                for checkout, part in ((options.base.resolve(), "before"), (ROOT, "now"))
            )
        for part, each in (("before", before), ("now", now)):
            print(
                f"        {name} {part}: {each.first:.1f} CPU s, verdicts kept {each.again:.1f}; "
                f"{each.proofs:,} proofs, {each.rows:,} rows"
            )
        record_figures(
            {
                f"proof_{name}": now.first / now.proofs / (before.first / before.proofs),
                f"row_{name}": now.first / now.rows / (before.first / before.rows),
                f"kept_{name}": now.again / now.rows / (before.again / before.rows),
            }
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
