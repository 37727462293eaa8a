"""Python processes that answer each line of their input with a line.

Who starts them ends them: `end` leaves neither a process, nor a thread that asks one, nor an open pipe.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterable

Process = subprocess.Popen[bytes]


def start(program: str) -> Process:
    """Start a Python that runs a program, whose first argument is our `sys.path` as JSON. Raises OSError."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", program, json.dumps(sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # an error of a worker occurs here again, where it is reported
    )


def answer(process: Process, line: bytes) -> bytes:
    """Send a line, and wait for the line that answers it; empty if the process has ended."""
    assert process.stdin is not None and process.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        process.stdin.write(line + b"\n")
        process.stdin.flush()
        return process.stdout.readline()
    return b""


def end(processes: Iterable[Process], threads: Iterable[threading.Thread]) -> None:
    """End processes, whatever they are doing, and wait for the threads that ask them."""
    ended = list(processes)
    for process in ended:
        process.kill()
    for thread in threads:
        thread.join()
    for process in ended:
        process.wait()
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]
