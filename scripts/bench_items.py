"""Figures of the million items of `de_re_de_dicto`: drawing, labelling and writing them, and how much memory it takes.

Each figure comes from a process of its own with one thread. CPU seconds are compared with what
`pyarrow.parquet.write_table` needs for the same finished tables; imports and the compilation of the files are not
counted.
"""

from __future__ import annotations

import hashlib
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from figures import in_parts, record_figures

if TYPE_CHECKING:
    from gramprobe.items.stream import Stream

PHENOMENON = "de_re_de_dicto"


def streams(theory: str | None = None) -> Iterator[Stream]:
    """All items of each paradigm of the phenomenon, with nothing drawn yet."""
    from gramprobe.decide.label import Decider
    from gramprobe.items.prepare import prepare
    from gramprobe.project import load
    from gramprobe.source.diagnostic import Findings

    declarations = load().declarations
    for name in sorted(n for n in declarations.paradigms if n.startswith(f"{PHENOMENON}/")):
        findings = Findings()
        decider = Decider(dependence=True)
        stream = prepare(declarations.paradigms[name], declarations, findings, None, theory=theory, decider=decider)
        assert stream is not None, findings.items
        yield stream


def one_thread() -> None:
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


def tables(folder: Path) -> tuple[float, int]:
    """CPU seconds of drawing, labelling and writing every item as Parquet; rows."""
    import pyarrow.parquet as pq

    from gramprobe.dataset.describe import columns_of
    from gramprobe.dataset.schema import schema
    from gramprobe.items.cells import table
    from gramprobe.items.rows import Rows

    one_thread()
    prepared, seconds, rows = list(streams()), 0.0, 0
    next(iter(next(streams()).chunks()))  # imports every module that is imported on first use
    for stream in prepared:
        paradigm = stream.plan.paradigm
        columns = schema(columns_of(stream.task), [d.name for d in paradigm.draws])
        start = time.process_time()
        made = Rows(stream.decisions, stream.task)
        with pq.ParquetWriter(folder / f"{paradigm.name}.parquet", columns, compression="zstd") as writer:
            for chunk in stream.chunks():
                writer.write_table(table(made.cells(chunk), len(chunk), columns))
        seconds += time.process_time() - start
        rows += stream.taken
    return seconds, rows


def baseline(folder: Path) -> float:
    """CPU seconds of `write_table` for the same tables, finished."""
    import pyarrow.parquet as pq

    one_thread()
    seconds = 0.0
    for file in sorted(folder.glob("*.parquet")):
        whole = pq.read_table(file)
        start = time.process_time()
        pq.write_table(whole, folder / "again", compression="zstd")
        seconds += time.process_time() - start
    return seconds


def lines(folder: Path) -> float:
    """Wall seconds of drawing, labelling and writing every item as JSON lines, with their hash."""
    from gramprobe.items.cells import lines as lines_of
    from gramprobe.items.rows import Rows

    one_thread()
    prepared, start = list(streams()), time.perf_counter()
    for stream in prepared:
        made, digest = Rows(stream.decisions, stream.task), hashlib.sha256()
        with (folder / "items.jsonl").open("wb") as file:
            for chunk in stream.chunks():
                for buffer in lines_of(made.cells(chunk), len(chunk), stream.task.columns):
                    digest.update(buffer)
                    file.write(buffer)
    return time.perf_counter() - start


def command(folder: Path) -> tuple[float, float]:
    """Wall seconds and peak memory (MiB) of the whole build."""
    return _built(folder, [])


def five(folder: Path) -> tuple[float, float]:
    """The same with five times as many names, so five times as many items."""
    lexicon = folder / "five" / "lexicon"
    lexicon.mkdir(parents=True, exist_ok=True)
    names = [("John", "masc"), ("Mary", "fem"), ("Anna", "fem"), ("Bill", "masc"), ("Cora", "fem")]
    names += [("Dave", "masc"), ("Ella", "fem"), ("Fred", "masc"), ("Gina", "fem"), ("Hugo", "masc")]
    rows = ["id\tname\tgender", *(f"{name.lower()}\t{name}\t{gender}" for name, gender in names)]
    (lexicon / "de_re_names.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    return _built(folder, ["--path", str(folder / "five")])


def _built(folder: Path, more: list[str]) -> tuple[float, float]:
    start = time.perf_counter()
    arguments = [sys.executable, "-m", "gramprobe", "build", PHENOMENON, "--n", "all", "--out", str(folder / "out")]
    subprocess.run([*arguments, *more], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def measured(what: str, folder: Path) -> list[float]:
    """The figures of one process of its own."""
    run = [sys.executable, __file__, what, str(folder)]
    return [float(each) for each in subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()]


def report() -> None:
    """Measure every figure."""
    with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as name:
        folder = Path(name)
        seconds, rows = measured("tables", folder)
        (plain,) = measured("baseline", folder)
        print(f"{rows:,.0f} items: {seconds:.2f} CPU s, of which write_table takes {plain:.2f}")
        (written,) = measured("lines", folder)
        wall, memory = measured("command", folder)
        _, more = measured("five", folder)
    record_figures(
        {
            "items_parquet": seconds / plain,
            "items_lines": written,
            "items_build": wall,
            "items_memory": memory,
            "items_more": more / memory,
        }
    )


def main() -> int:
    parts = {"tables": tables, "baseline": baseline, "lines": lines, "command": command, "five": five}
    return in_parts(parts, report)


if __name__ == "__main__":
    sys.exit(main())
