"""`make bench-tests`: what the tests cost, in CPU seconds of all their processes, and how long the loop takes.

`make test` runs twice, with a folder for verdicts (GRAMPROBE_TEST_CACHE) that is empty and that is full, `make
test-fast` with what it keeps from run to run. Which files and tests cost most: `python -m pytest --cpu`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

from figures import record_figures


def run(target: str, **environment: str) -> tuple[float, float]:
    """CPU and wall seconds of a target of the Makefile. Raises CalledProcessError if a test fails."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(["make", target], check=True, env=os.environ | environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - start


def main() -> int:
    with tempfile.TemporaryDirectory() as verdicts:
        record_figures({"tests_cold": run("test", GRAMPROBE_TEST_CACHE=verdicts)[0]})
        record_figures({"tests_warm": run("test", GRAMPROBE_TEST_CACHE=verdicts)[0]})
    run("test-fast")  # what it keeps
    seconds, wall = run("test-fast")
    record_figures({"tests_fast_cpu": seconds, "tests_fast": wall})
    return 0


if __name__ == "__main__":
    sys.exit(main())
