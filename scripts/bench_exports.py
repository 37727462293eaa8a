"""Figures of `gramprobe export csv` of the million items of `de_re_de_dicto`.

CPU seconds of writing all rows, from tables in memory, are compared with what `pyarrow.csv.write_csv` needs for the
same tables; those of the export, which reads a dataset, with what `read_table` and `write_csv` need. All are taken in
turn in one process with one thread, of each the least of three, imports not counted. Memory is that of the command.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_items import PHENOMENON, one_thread
from figures import in_parts, record_figures


def seconds(data: Path) -> tuple[float, ...]:
    """CPU seconds of the export, of `read_table`, of the same rows in memory written here and by `write_csv`."""
    return tuple(map(min, zip(*(_once(data) for _ in range(3)), strict=True)))


def _once(data: Path) -> tuple[float, ...]:
    import pyarrow.csv
    import pyarrow.parquet

    from gramprobe.dataset.read import read
    from gramprobe.formats import csv

    one_thread()
    dataset = read(data)
    with tempfile.TemporaryDirectory(dir=data.parent) as folder:
        start = time.process_time()
        csv.write(dataset, dataset.paradigms, Path(folder))
        found = [time.process_time() - start, 0.0, 0.0, 0.0]
        for file in sorted(data.glob("parquet/*/*.parquet")):
            times = [time.process_time()]
            table = pyarrow.parquet.read_table(file)
            times.append(time.process_time())
            csv.write_batches(iter(table.to_batches()), Path(folder) / "here.csv")
            times.append(time.process_time())
            pyarrow.csv.write_csv(table.flatten(), Path(folder) / "plain.csv")
            times.append(time.process_time())
            found[1:] = [sum_ + end - begun for sum_, begun, end in zip(found[1:], times, times[1:], strict=False)]
    return tuple(found)


def memory(data: Path) -> float:
    """Peak memory of the whole command, in MiB."""
    command = [sys.executable, "-m", "gramprobe", "export", "csv", str(data), "--out", str(data.parent / "csv")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def report() -> None:
    """Measure every figure."""
    with tempfile.TemporaryDirectory(prefix="gramprobe-bench-") as name:
        out = Path(name)
        build = [sys.executable, "-m", "gramprobe", "build", PHENOMENON, "--n", "all", "--out", name]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        found: dict[str, list[float]] = {}
        for what in ("seconds", "memory"):
            run = subprocess.run(
                [sys.executable, __file__, what, str(out / PHENOMENON)], check=True, capture_output=True
            )
            found[what] = [float(each) for each in run.stdout.split()]
    export, reading, here, plain = found["seconds"]
    print(f"{export:.2f} CPU s; read_table {reading:.2f}; from memory {here:.2f}, write_csv {plain:.2f}")
    figures = {"export_csv": here / plain, "export_read": export / (reading + plain)}
    record_figures(figures | {"export_memory": found["memory"][0]})


def main() -> int:
    return in_parts({"seconds": seconds, "memory": memory}, report)


if __name__ == "__main__":
    sys.exit(main())
