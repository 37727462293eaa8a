"""A Markdown page as a session: its files written, its commands run in order, its printed output compared.

A fenced block whose info string has a second word is a file (```` ```gram grammars/pets.gram ````) and is written
before the commands below it run. In a ``console`` block (also ``sh``, ``bash``) a line that begins with ``$ `` is a
command; the lines below it are its output, standard error included, where a line ``...`` stands for any lines. No
lines: only the exit code counts, 0 or what a comment says (``# exit 1``). A ``python`` block is run as a program, and
so is an ``r`` block where R and the packages that it loads are there.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import re
import shlex
import shutil
import subprocess
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest import mock

from support.models import stand_ins

from gramprobe.cli.main import main

CONSOLES = ("console", "sh", "bash", "shell")
#: commands of a reader's own shell that a test has no business to run
NOT_RUN = ("git", "cd")
_FENCE = re.compile(r"(`{3,})(\w*)[ \t]*([^`\n]*)")
_EXIT = re.compile(r"\s+#\s*exit (\d+)\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: ``file`` is what follows the language, ``line`` that of its first fence."""

    language: str
    file: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command with the exit code and the output that a page gives it; no output: None."""

    text: str
    code: int
    output: tuple[str, ...] | None
    line: int


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page from top to bottom. Raises ValueError for one that is never closed."""
    fenced: list[Block] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at])
        if opening is None:
            at += 1
            continue
        if opening[1] not in lines[at + 1 :]:
            raise ValueError(f"the block of line {at + 1} is never closed")
        end = lines.index(opening[1], at + 1)
        body = "".join(line + "\n" for line in lines[at + 1 : end])
        fenced.append(Block(opening[2], opening[3].strip(), body, at + 1))
        at = end + 1
    return fenced


def commands(block: Block) -> list[Command]:
    """The commands of a console block; where no line begins with ``$ ``, every line is one."""
    lines = block.text.rstrip("\n").split("\n")
    prompted = any(line.startswith("$ ") for line in lines)
    listed: list[Command] = []
    for number, line in enumerate(lines, block.line + 1):
        if prompted and not line.startswith("$ "):
            if listed:
                before = listed[-1]
                listed[-1] = Command(before.text, before.code, (*(before.output or ()), line), before.line)
            continue
        text = line.removeprefix("$ ")
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        code = _EXIT.search(text)
        listed.append(Command(_EXIT.sub("", text), int(code[1]) if code else 0, None, number))
    return listed


def fits(printed: tuple[str, ...], actual: list[str]) -> bool:
    """Whether output is what a page prints; a line ``...`` fits any number of lines, also none."""
    if not printed:
        return not actual
    if printed[0] == "...":
        return any(fits(printed[1:], actual[n:]) for n in range(len(actual) + 1))
    return bool(actual) and printed[0] == actual[0] and fits(printed[1:], actual[1:])


def make_targets(makefile: Path) -> set[str]:
    """The targets that a Makefile names at the beginning of a line."""
    return set(re.findall(r"^([a-z]+):", makefile.read_text("utf-8"), re.MULTILINE))


def problems(page: Path, folder: Path, makefile: Path) -> list[str]:
    """What a page promises and does not hold, each as ``page:line: ...``; commands work in ``folder``."""
    gc.freeze()  # each training has accelerate look for circles in all that was loaded before
    return [f"{page.name}:{line}: {what}" for line, what in _session(page, folder, makefile)]


def _session(page: Path, folder: Path, makefile: Path) -> Iterator[tuple[int, str]]:
    for block in blocks(page.read_text("utf-8")):
        if block.file:
            file = folder / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
        elif block.language == "python":
            run = _run_here(partial(_program, block.text), folder)
            if run.returncode:
                yield block.line, f"this program ends with {run.returncode}:\n{run.stdout}"
        elif block.language == "r" and shutil.which("Rscript"):
            needed = ", ".join(f'"{name}"' for name in re.findall(r"library\((\w+)\)", block.text))
            there = f"for (p in c({needed})) if (!requireNamespace(p, quietly = TRUE)) quit(status = 0)\n"
            run = _run(["Rscript", "--vanilla", "-e", there + block.text], folder)
            if run.returncode:
                yield block.line, f"this program of R ends with {run.returncode}:\n{run.stdout}"
        elif block.language in CONSOLES:
            for command in commands(block):
                yield from ((command.line, what) for what in _held(command, folder, makefile))


def _held(command: Command, folder: Path, makefile: Path) -> Iterator[str]:
    words = shlex.split(command.text, comments=True)
    if words[0] in NOT_RUN:
        return
    if words[0] == "make":
        targets = [w for w in words[1:] if "=" not in w and not w.startswith("-")]
        for target in set(targets) - make_targets(makefile):
            yield f"the Makefile has no target `{target}`"
        if "models" in targets:
            stand_ins(folder / "models")
        return
    if Path(words[0]).name != "gramprobe":
        yield f"`{words[0]}` is no command that a page may show"
        return
    run = _run_here(partial(main, words[1:]), folder)
    if run.returncode != command.code:
        yield f"`{command.text}` ends with {run.returncode}, not {command.code}:\n{run.stdout}"
    elif command.output is not None:
        actual = [line.rstrip() for line in run.stdout.rstrip("\n").split("\n")]
        printed = tuple(line.rstrip() for line in command.output)
        if not fits(printed, actual):
            yield f"`{command.text}` prints\n{run.stdout}"


def _environment(folder: Path) -> dict[str, str]:
    """Nothing is taken from the tester's own settings."""
    mine = ("GRAMPROBE_PATH", "GRAMPROBE_DEBUG", "FORCE_COLOR")
    environment = {k: v for k, v in os.environ.items() if k not in mine}
    environment |= {"PYTHONIOENCODING": "utf-8", "HF_HOME": str(folder / ".hf"), "HF_DATASETS_OFFLINE": "1"}
    return environment | {"COLUMNS": "80", "LINES": "24"}  # as where no terminal is


def _program(text: str) -> int:
    """Run a program of Python; its exit code."""
    try:
        exec(compile(text, "program", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        traceback.print_exc()
        return 1
    return 0


def _run_here(run: Callable[[], int], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `gramprobe` or a program in the folder and in this process: pages hold many, and starting Python and reading
    the shipped files for each takes longer than most of them."""
    printed = io.StringIO()
    with (
        mock.patch.dict(os.environ, _environment(folder), clear=True),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        code = run()
    return subprocess.CompletedProcess([], code, printed.getvalue())


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run in the folder, output and errors as they come."""
    return subprocess.run(
        command,
        cwd=folder,
        env=_environment(folder),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
