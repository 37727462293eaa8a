"""Work for the actors of a Ray cluster, which import it by name."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def noting(options: dict[str, Any]) -> Iterator[Callable[[str], str]]:
    """Note each start of a unit in a file of its name below ``folder``, and give the unit in capitals.

    ``deaths``: unit -> how many of its starts end the actor. ``refused``: a unit that raises an error. ``dead``: no
    actor gets ready.
    """
    folder, deaths = Path(options["folder"]), options.get("deaths", {})
    if options.get("dead"):
        os._exit(1)

    def work(unit: str) -> str:
        with (folder / unit).open("a") as stream:
            stream.write(f"{os.getpid()}\n")
        starts = len((folder / unit).read_text().splitlines())
        if starts <= deaths.get(unit, 0):
            os._exit(1)
        if unit == options.get("refused"):
            raise ValueError(f"{unit} is refused")
        if unit == options.get("slow"):
            time.sleep(1)
        return unit.upper()

    yield work
