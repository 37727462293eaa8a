"""What a row of a very large dataset costs in each stage of `gramprobe build --engine ray`, in one process.

    scripts/bench_parts.py implicature/quantifiers_object --rows 4000000

Prints CPU seconds and rows a second for one core, and bytes of memory and disk a row: of the fingerprints (any
machine), of the choice among repeated texts (the machine of the command), of the rows (any machine), of putting the
files together (the machine of the command). Then for a set of `--of` rows on `--cores` cores.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gramprobe.dataset import cut
from gramprobe.dataset.gates import Gates
from gramprobe.dataset.paradigm import Options, stream_of
from gramprobe.dataset.parts import LINES, PARQUET, PARTS, Marks, Unit, maker, part_place
from gramprobe.decide.label import Decider
from gramprobe.project import load
from gramprobe.source.diagnostic import Findings


class Timed:
    """Workers of this process; CPU seconds by kind of unit."""

    count = 1

    def __init__(self, make: Any) -> None:
        self.make, self.seconds = make, {"marks": 0.0, "parts": 0.0}

    def in_order(self, units: Iterator[Unit], ahead: int) -> Generator[tuple[Unit, Any]]:
        for unit in units:
            kind = "marks" if isinstance(unit, Marks) else "parts"
            start = time.process_time()
            result = self.make(unit)
            self.seconds[kind] += time.process_time() - start
            yield unit, result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paradigm")
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--of", type=int, default=1_000_000_000)
    parser.add_argument("--cores", type=int, default=32)
    given = parser.parse_args()
    project = load(names=[given.paradigm])
    declarations = project.declarations
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in ("items", PARTS):
            (folder / name).mkdir()
        paradigm = project.paradigm(given.paradigm).declared
        (folder / "parquet" / paradigm.name).mkdir(parents=True)
        decider = Decider(dependence=True)
        options = Options(count=1, twins=False)
        each = stream_of(given.paradigm, declarations, options, decider, Findings()).rows_each  # type: ignore[union-attr]
        options = Options(count=given.rows // each, twins=False, part_rows=1 << 20)
        stream = stream_of(given.paradigm, declarations, options, decider, Findings())
        assert stream is not None
        workers = Timed(maker(declarations, options, folder, decider))
        start = time.process_time()
        taken = cut._taken(given.paradigm, stream, workers)
        choice = time.process_time() - start - workers.seconds["marks"]
        units = list(cut._parts(given.paradigm, stream, taken))
        start = time.process_time()
        cut._head(stream, Gates(stream.decisions, Findings(), None), taken)
        head = time.process_time() - start
        joined, digest = 0.0, hashlib.sha256()
        sizes = {"lines": 0, "parquet": 0}
        with (folder / "items" / "all").open("wb") as lines:
            for unit, _ in workers.in_order(iter(units), 1):
                where = part_place(folder, stream, unit)  # type: ignore[arg-type]
                sizes["lines"] += where.with_name(where.name + LINES).stat().st_size
                sizes["parquet"] += where.with_name(where.name + PARQUET).stat().st_size
                start = time.process_time()
                cut._append(where.with_name(where.name + LINES), lines, digest)
                joined += time.process_time() - start
                where.with_name(where.name + PARQUET).unlink()
    rows = taken.total * each
    walked = taken.total + taken.repeats + taken.vetoed
    keys = np.uint64().nbytes * (0 if stream.walk.never_repeats() else len(stream.walk.texts)) / each
    print(f"{given.paradigm}: {rows:,} rows of {taken.total:,} instances ({walked:,} walked), {each} rows each")
    stages = {"fingerprints (any)": workers.seconds["marks"], "choice, walk (command's)": choice,
              "first instances, gates (command's, once)": head,
              "rows (any)": workers.seconds["parts"], "files together (command's)": joined}  # fmt: skip
    for name, seconds in stages.items():
        rate = f"{rows / seconds:,.0f} rows a second and core" if seconds else ""
        print(f"  {name:42} {seconds:8.1f} CPU s  {rate}")
    print(f"  memory of the command for repeated texts: {keys:.1f} bytes a row, twice while runs are merged")
    print(f"  disk: {sizes['lines'] / rows:,.0f} bytes a row of lines, {sizes['parquet'] / rows:.1f} of Parquet")
    scale = given.of / rows / 3600
    lines, parquet = (given.of * size / rows / 1e9 for size in sizes.values())
    print(
        f"  {given.of:,} rows: {scale * (workers.seconds['marks'] + workers.seconds['parts']) / given.cores:.2f} h on"
        f" {given.cores} cores, and {scale * choice:.2f} h (choice) + {scale * joined:.2f} h (files) of the command's;"
        f" {lines:,.0f} GB of lines, {parquet:,.0f} of Parquet, {2 * keys * given.of / 1e9:,.0f} GB of memory"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
