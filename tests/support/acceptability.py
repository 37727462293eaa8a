"""The recorded sentences of the minimal pairs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def sentences() -> list[tuple[str, str, bool, str]]:
    """Paradigm, condition, whether it is good, and a sentence, of the recorded instances of each paradigm."""
    found = []
    for file in sorted((ROOT / "grammars" / "acceptability").glob("*.paradigm")):
        heading, side = "", {}
        for line in file.read_text("utf-8").splitlines():
            heading = line.split()[0] if re.match(r"\w", line) else heading
            named = re.match(r"\s+(\w+)\s*=", line)
            if named and heading in ("good", "bad"):
                side[named[1]] = heading == "good"
        recorded = ROOT / "tests" / "golden" / "sentences" / f"{file.stem}.txt"
        for line in recorded.read_text("utf-8").splitlines():
            name, _, sentence = line.partition(" ")
            if name in side:
                found.append((file.stem, name, side[name], sentence.strip()))
    return found
