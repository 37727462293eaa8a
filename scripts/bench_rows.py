"""Rows a second, by what writing them alone costs: each shipped paradigm of task `nli` whose space has so many.

Builds of 10,000 and of 20,000 instances in turn, in one process with one computing thread for Arrow, verdicts kept, but
nothing that an earlier build found of these very instances (the walk, what gates found): the difference of their CPU
seconds is what 10,000 instances cost. The floor is what a plain program takes for rows of the
larger build when it has them in memory, as Python objects and as an Arrow table: JSON lines by msgspec, their SHA-256,
and Parquet (zstd). It is measured in the same process after each pair of builds, and knows nothing of how gramprobe
writes: what makes writing faster raises the ratio, which may be above 1. The median of the rounds counts, after a first
one in which everything that is done once is done.

`before`: CPU seconds of a process of its own that builds one instance. Memory: by how much more is held after a chunk
than after the one before it, by `tracemalloc` and Arrow, in chunks of one size, the median of those between 10,000 and
20,000 instances: what is drawn ahead, at most 65,536 instances, comes and goes by megabytes at some of them.

What has fewer instances, or is refused, is named and left out. Names of paradigms can be given.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from itertools import pairwise
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from figures import record_figures

COMMAND = str(Path(sys.executable).with_name("gramprobe"))
FEW, MANY = 10_000, 20_000
ROUNDS = 3
WANTED = 0.47
"""Of the floor's rows a second."""
ROWS = 40_000
"""So many rows are written alone."""
CHUNK = 2_048
"""Instances of a chunk while memory is measured."""
BENCH = "GRAMPROBE_BENCH_CACHE"
"""The environment variable with the folder of the cache of these builds."""
OF_INSTANCES = ("walks", "shapes", "sentences", "readings", "readers")
"""Folders of the cache that keep what is known of instances that were built before."""


def names() -> list[str]:
    """The shipped paradigms of the task."""
    from gramprobe.project import load

    paradigms = load().declarations.paradigms
    return sorted(name for name, each in paradigms.items() if each.task == "nli")


def written_alone(folder: Path) -> tuple[float, int]:
    """CPU seconds of writing rows of a build that are in memory, and how many: the first :data:`ROWS`, at most."""
    from gramprobe.dataset.write import WRITING

    lines: list[bytes] = []
    for file in sorted(folder.rglob("*.jsonl")):
        with file.open("rb") as opened:
            lines += itertools.islice(opened, ROWS - len(lines))
    encoder, rows = msgspec.json.Encoder(), [msgspec.json.decode(line) for line in lines]
    tables = [pq.read_table(file) for file in sorted(folder.rglob("*.parquet"))]
    table = pa.concat_tables(tables).slice(0, len(rows)).combine_chunks()
    start = time.process_time()
    text = encoder.encode_lines(rows)
    hashlib.sha256(text)
    (folder / "alone.jsonl.again").write_bytes(text)
    pq.write_table(table, folder / "alone.parquet.again", **WRITING)
    seconds = time.process_time() - start
    assert text == b"".join(lines) and len(table) == len(rows)
    return seconds, len(rows)


def rates(name: str) -> tuple[float, float, int] | None:
    """CPU seconds of 10,000 instances and of writing their rows alone, medians of several rounds, and their rows; None
    if there are too few instances, or the set is refused."""
    from gramprobe.cache import cache_folder
    from gramprobe.dataset.paradigm import work
    from gramprobe.project import load

    pa.set_cpu_count(1)
    declarations = load(names=(name,)).declarations
    found, rows = [], 0
    for number in range(ROUNDS + 1):
        costs = []
        for count in (FEW, MANY):
            with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as place:
                for folder in OF_INSTANCES:
                    shutil.rmtree(cache_folder() / folder, ignore_errors=True)
                options = {"count": count, "twins": False, "folder": place}
                with work(declarations, options) as written:
                    start = time.process_time()
                    summary = written(name).summary
                    costs.append(time.process_time() - start)
                if summary is None:
                    return None
                if count == MANY:
                    seconds, alone = written_alone(Path(place))
            rows = summary.entry["rows"] * (MANY - FEW) // MANY
        if number:
            found.append((costs[1] - costs[0], seconds / alone * rows))
    whole, floor = sorted(found, key=lambda each: each[1] / each[0])[len(found) // 2]
    return whole, floor, rows


def held(name: str) -> float:
    """kB an instance that are held, without chunks and what is drawn ahead."""
    from gramprobe.dataset.gates import Gates
    from gramprobe.dataset.report import Report
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.label import Decider
    from gramprobe.items import hands, walk
    from gramprobe.items.prepare import prepare
    from gramprobe.project import load
    from gramprobe.source.diagnostic import Findings

    walk.CHUNK = hands.KEPT = CHUNK
    declarations = load(names=(name,)).declarations
    with kept_verdicts() as kept:
        findings = Findings()
        stream = prepare(
            declarations.paradigms[name], declarations, findings, None, decider=Decider(kept=kept), twins=False
        )
        assert stream is not None
        gates = Gates(stream.decisions, findings, None)
        report = Report.of(stream, gates, declarations, None)
        at = list[tuple[int, int]]()  # instances taken, bytes held
        tracemalloc.start()
        for chunk in stream.chunks():
            report.add(chunk)
            gates.read(chunk)
            at.append((stream.taken, tracemalloc.get_traced_memory()[0] + pa.total_allocated_bytes()))
            if stream.taken >= MANY:
                break
    more = [(after - before) / (many - few) for (few, before), (many, after) in pairwise(at) if few >= FEW]
    return statistics.median(more) / 1000


def before(name: str) -> float:
    """CPU seconds of a build of one instance with verdicts kept, the median of several."""
    seconds = []
    with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as place:
        for _ in range(ROUNDS):
            arguments = [COMMAND, "build", name, "--n", "1", "--out", place]
            environment = {**os.environ, "GRAMPROBE_JOBS": "1"}
            with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, env=environment) as process:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            assert process.returncode == 0, name
            seconds.append(usage.ru_utime + usage.ru_stime)
    return statistics.median(seconds)


def measured(name: str) -> tuple[float, float, float] | None:
    """Rows a second by those of the floor; CPU seconds before the first row; kB an instance. Each in a process of its
    own. None where there are too few instances, or the set is refused."""

    def alone(what: str) -> list[float]:
        run = subprocess.run([sys.executable, __file__, what, name], check=True, stdout=subprocess.PIPE, text=True)
        return [float(each) for each in run.stdout.split()]

    found = alone("--rates")
    if not found:
        print(f"{name:50} too few instances, or refused: not measured", flush=True)
        return None
    (whole, floor, rows), (memory,), first = found, alone("--held"), before(name)
    speed = f"{rows / whole:9,.0f} rows a second of {rows / floor:9,.0f}"
    print(f"{name:50} {floor / whole:.2f} of the floor: {speed}; before {first:.1f} s; {memory:.2f} kB an instance")
    sys.stdout.flush()
    return floor / whole, first, memory


def report() -> None:
    """Measure every paradigm."""
    found = [each for name in names() if (each := measured(name)) is not None]
    record_figures(
        {
            "rows_floor": min(ratio for ratio, _, _ in found),
            "rows_below": sum(ratio < WANTED for ratio, _, _ in found),
            "rows_before": max(before for _, before, _ in found),
            "rows_memory": max(memory for _, _, memory in found),
        }
    )


def main() -> int:
    from gramprobe.cache import cache_folder

    os.environ.setdefault(BENCH, str(cache_folder() / "bench"))  # some of it is deleted: it is no cache of the user's
    os.environ["XDG_CACHE_HOME"] = os.environ[BENCH]
    match sys.argv[1:]:
        case ["--rates", name]:
            print(*(rates(name) or ()))
        case ["--held", name]:
            print(held(name))
        case []:
            report()
        case given:
            for name in given:
                measured(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
