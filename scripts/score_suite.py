"""Hold a published suite that you have against what follows from its sentences, with counts by kind.

    scripts/score_suite.py fracas fracas.xml --kinds 1,2,9 --numbers even
    scripts/score_suite.py med MED.tsv --most 500

Sentences are read as `gramprobe audit FORMAT FILE --guess` reads them. ``--kinds``: how the names of the kinds begin
that are scored; ``--numbers``: of pairs whose names are numbers the odd or the even ones; ``--most``: so many pairs,
evenly spread over the file.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import gramprobe
from gramprobe.audit.pairs import Audit, Count, audit
from gramprobe.decide.label import Decider
from gramprobe.formats import audited
from gramprobe.formats.nli import Pair


def chosen(pairs: Sequence[Pair], kinds: str, numbers: str, most: int) -> list[Pair]:
    """The pairs that are scored."""
    wanted = tuple(f"{kind} " for kind in kinds.split(",")) if kinds else ("",)
    found = [pair for pair in pairs if f"{pair.kind} ".startswith(wanted)]
    if numbers:
        found = [pair for pair in found if pair.name.isdigit() and int(pair.name) % 2 == (numbers == "odd")]
    step = max(1, len(found) // most) if most else 1
    return found[::step][: most or None]


def line(name: str, count: Count) -> str:
    """A row of the table."""
    return f"{name:<40} {count.rows:>6} {count.read:>6} {count.labelled:>9} {count.agree:>6}"


def scored(pairs: Sequence[Pair]) -> tuple[Audit, Audit]:
    """What is made of the pairs, and of those with one premise."""
    reader, decider = gramprobe.load().reader(guess=True), Decider()
    return audit(pairs, reader, decider), audit([pair for pair in pairs if len(pair.premises) < 2], reader, decider)


def main() -> None:
    """Print the table and the pairs with another label."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("format", choices=[name for name, each in audited().items() if each.gives == "pairs"])
    options.add_argument("file", type=Path)
    options.add_argument("--kinds", default="")
    options.add_argument("--numbers", choices=["odd", "even"], default="")
    options.add_argument("--most", type=int, default=0)
    given = options.parse_args()
    pairs = chosen(list(audited()[given.format].read(given.file)), given.kinds, given.numbers, given.most)
    started = time.process_time()
    every, single = scored(pairs)
    print(f"{'kind':<40} {'pairs':>6} {'read':>6} {'labelled':>9} {'agree':>6}")
    for name, count in (("all", every.whole), ("one premise", single.whole)):
        print(line(name, count))
    for name in sorted(every.kinds):
        print(line(name, every.kinds[name]))
        print(line("    one premise", single.kinds.get(name, Count())))
    print(f"{time.process_time() - started:.0f} s")
    for each in every.against:
        print("", f"{each.place}: {each.heading}", *(f"  {text}" for text in each.lines), sep="\n")
    for why, pairs_without in sorted(every.abstained.items(), key=lambda each: -each[1]):
        print(f"no label: {why}: {pairs_without}")


if __name__ == "__main__":
    main()
