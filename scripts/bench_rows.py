"""Rows a second, by what writing them alone costs: each shipped paradigm of task `nli` whose space has so many.

A build of 10,000 instances and one of 20,000, each a process of its own with verdicts kept: the difference of their CPU
seconds is what 10,000 instances cost. The floor is what JSON lines, their SHA-256 and Parquet (zstd) of the same rows
take by themselves, with the rows' cells at hand: the same difference, so that what is done once counts in neither, and
in turn with the builds. The least of three rounds counts, since other programs only add; a ratio above 1 means that
they were too noisy. What has fewer instances, or is refused, is named and left out. Names of paradigms can be given.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import record_figures

COMMAND = str(Path(sys.executable).with_name("gramprobe"))
FEW, MANY = 10_000, 20_000
ROUNDS = 3
WANTED = 0.47
"""Of the floor's rows a second."""


def names() -> list[str]:
    """The shipped paradigms of the task."""
    from gramprobe.project import load

    paradigms = load().declarations.paradigms
    return sorted(name for name, each in paradigms.items() if each.task == "nli")


def floor(name: str, count: int, folder: Path) -> tuple[float, int, int]:
    """CPU seconds of writing the rows of ``count`` instances, the rows, and the instances that there are."""
    import pyarrow as pa

    from gramprobe.dataset.write import Files
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.label import Decider
    from gramprobe.items.prepare import prepare
    from gramprobe.items.rows import Rows
    from gramprobe.project import load
    from gramprobe.source.diagnostic import Findings

    pa.set_cpu_count(1)
    project = load(names=(name,))
    declared = project.declarations.paradigms[name]
    with kept_verdicts() as kept:
        stream = prepare(declared, project.declarations, Findings(), count, decider=Decider(kept=kept), at_most=True)
        assert stream is not None
        made = Rows(stream.decisions, stream.task)
        ready = [(chunk, made.cells(chunk)) for chunk in stream.chunks()]
    start = time.process_time()
    with Files(stream, folder / "items.jsonl", lambda split, part: folder / f"{split}-{part}.parquet") as files:
        for chunk, cells in ready:
            files.put(cells, chunk)
    seconds = time.process_time() - start
    return seconds, stream.taken * stream.rows_each, stream.taken


def built(name: str, count: int, folder: Path) -> tuple[float, float]:
    """CPU seconds and peak memory (kB) of a build."""
    out = folder / f"out-{count}"
    arguments = [COMMAND, "build", name, "--n", str(count), "--out", str(out)]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, env={**os.environ, "GRAMPROBE_JOBS": "1"}) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, name
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def written(name: str, count: int, folder: Path) -> tuple[float, float, float]:
    """:func:`floor` in a process of its own."""
    run = [sys.executable, __file__, "--floor", name, str(count), str(folder)]
    seconds, rows, instances = map(
        float, subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
    )
    return seconds, rows, instances


def measured(name: str) -> tuple[float, float, float] | None:
    """Rows a second by those of the floor; CPU seconds before the first row; kB an instance more. None where there are
    too few instances, or the set is refused."""
    with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as place:
        folder = Path(place)
        _, rows, instances = written(name, MANY, folder)
        if instances < MANY:
            print(f"{name:50} {instances:,.0f} instances: not measured", flush=True)
            return None
        built(name, FEW, folder)  # so that all verdicts are kept
        rounds = [
            (
                written(name, FEW, folder)[0],
                written(name, MANY, folder)[0],
                built(name, FEW, folder),
                built(name, MANY, folder),
            )
            for _ in range(ROUNDS)
        ]
    few, many = min(each[0] for each in rounds), min(each[1] for each in rounds)
    one, two = min(each[2][0] for each in rounds), min(each[3][0] for each in rounds)
    small, large = min(each[2][1] for each in rounds), min(each[3][1] for each in rounds)
    ratio, more = (many - few) / (two - one), rows * (MANY - FEW) / MANY
    before, memory = one - (two - one) * FEW / (MANY - FEW), (large - small) / (MANY - FEW)
    rates = f"{more / (two - one):9,.0f} rows a second of {more / (many - few):9,.0f}"
    print(
        f"{name:50} {ratio:.2f} of the floor: {rates}; before {before:.1f} s; {memory:.2f} kB an instance", flush=True
    )
    return ratio, before, memory


def report() -> None:
    """Measure every paradigm."""
    found = [each for name in names() if (each := measured(name)) is not None]
    record_figures(
        {
            "rows_floor": min(ratio for ratio, _, _ in found),
            "rows_below": sum(ratio < WANTED for ratio, _, _ in found),
            "rows_before": max(before for _, before, _ in found),
        }
    )


def main() -> int:
    if sys.argv[1:2] == ["--floor"]:
        print(*floor(sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])))
    elif sys.argv[1:]:
        for name in sys.argv[1:]:
            measured(name)
    else:
        report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
