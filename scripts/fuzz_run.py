"""Running commands in this process, for `fuzz.py`: what is loaded is kept, what went wrong is noted."""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import re
import shutil
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from fuzz_spoil import Copies, Spoiler

ROOT = Path(__file__).resolve().parents[1]
LIMIT, PATIENCE = 20, 300
"""CPU seconds that one command may take, and seconds by the clock, on a machine that has other work too."""
LOADED = 40
"""How many loaded projects are kept."""


class TooLong(BaseException):
    """A command has taken LIMIT seconds."""


@dataclass
class Found:
    """What went wrong, each once by its place: what, the command, the last lines of the trace."""

    faults: dict[str, tuple[str, str]] = field(default_factory=dict)
    runs: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")

    def add(self, what: str, command: Sequence[object], trace: str = "") -> None:
        if what not in self.faults:
            print(f"found: {what}\n  gramprobe {_shown(command)}", flush=True)
        self.faults.setdefault(what, (_shown(command), trace[-1500:]))


def _shown(command: Sequence[object]) -> str:
    return " ".join(ascii(str(each))[:200] for each in command)


class Fuzz:
    """One run of the driver. ``work``: a folder of its own, with the honest inputs below ``honest``, the small projects
    below ``small``; ``spoil``: what the kind at hand draws from."""

    def __init__(self, work: Path, seed: int) -> None:
        self.work, self.honest, self.small, self.seed = work, work / "honest", work / "small", seed
        self.found, self.copies, self.spoil = Found(), Copies(work / "copies"), Spoiler(str(seed))
        self.empty, self.out = work / "empty", work / "out"
        self.empty.mkdir(parents=True)
        self.loaded: dict[Any, Any] = {}
        self.answers: dict[Any, Any] = {}
        self.printed = ""

    def run(self, kind: str, *arguments: object) -> int | str:
        """The exit code of a command; faults and slow ones are noted. What it printed is ``printed``."""
        from gramprobe.cli.main import main

        if self.out.exists():
            shutil.rmtree(self.out, ignore_errors=True)
        out, err, trace = _output(), _output(), ""
        start = time.process_time()
        code: int | str
        signal.setitimer(signal.ITIMER_PROF, LIMIT)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main([str(each) for each in arguments])
        except TooLong:
            code = "too long"
            self.found.add(f"over {LIMIT} seconds: {kind} {arguments[0]}", arguments)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 2
        except BaseException as error:
            code, trace = "exception", traceback.format_exc()
            self.found.add(f"{type(error).__name__} at {_place(trace)}", arguments, trace)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
        if code == 3:
            self.found.add(f"E99 at {_place(_text(err))}", arguments, _text(err))
        self.found.slowest = max(self.found.slowest, (time.process_time() - start, _shown(arguments)))
        self.found.runs[f"{kind} {code}"] += 1
        self.printed = _text(out)
        return code

    def often(self, share: float) -> bool:
        return self.spoil.often(share)

    def any(self, each: Sequence[Any]) -> Any:
        return self.spoil.random.choice(each)

    def write(self, name: str, content: bytes | str) -> Path:
        """A file of an input."""
        file = self.work / name
        file.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        return file

    def prepared(self, *arguments: object) -> None:
        """Run a command that has to work."""
        if self.run("prepare", *arguments) != 0:
            raise RuntimeError(f"{arguments}: {self.found.faults}")

    @contextlib.contextmanager
    def project(self, name: str) -> Iterator[Path]:
        """Commands take one of the small projects for what is shipped."""
        project: Any = importlib.import_module("gramprobe.project")
        before = project.shipped_folder
        project.shipped_folder = lambda: self.small / name
        try:
            yield self.small / name
        finally:
            project.shipped_folder = before

    def keep_loaded(self) -> None:
        """Keep each project that has no files of its own, instead of loading it for every command."""
        project: Any = importlib.import_module("gramprobe.project")
        load = project._load

        @functools.wraps(load)
        def kept(own: list[Path], sentences: Path | None, names: Sequence[str], *more: Any) -> Any:
            if any(folder != self.empty for folder in own) or sentences is not None or more:
                return load(own, sentences, names, *more)
            key = project.shipped_folder(), tuple(own), tuple(names)
            if key not in self.loaded:
                if len(self.loaded) >= LOADED:
                    del self.loaded[next(iter(self.loaded))]
                self.loaded[key] = load(own, sentences, names)
            return self.loaded[key]

        project._load = kept

    def forget(self) -> None:
        """Forget everything that this process remembers, so that the cache folder is read."""
        self.loaded.clear()
        for name, module in list(sys.modules.items()):
            if name.startswith("gramprobe"):
                for each in list(vars(module).values()):
                    if hasattr(each, "cache_clear"):
                        each.cache_clear()
        for name in ("resolve.memory._shipped", "syntax.cache._memory", "decide.cache._KNOWN"):
            module_name, _, memory = f"gramprobe.{name}".rpartition(".")
            getattr(importlib.import_module(module_name), memory).clear()


def limits() -> None:
    """Stop a command that takes too long."""

    def late(number: int, frame: FrameType | None) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, late)
    signal.signal(signal.SIGPROF, late)


def _output() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="\n")


def _text(output: io.TextIOWrapper) -> str:
    """What was printed, texts and bytes."""
    output.flush()
    raw: bytes = output.buffer.getvalue()  # type: ignore[attr-defined]
    return raw.decode("utf-8", "replace")


def _place(trace: str) -> str:
    """The last line of our code in a trace."""
    found = re.findall(r'File "[^"]*/(gramprobe/[^"]+)", line (\d+)', trace)
    return ":".join(found[-1]) if found else "?"
