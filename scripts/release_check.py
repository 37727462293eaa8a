"""`make release-check`: what would be published is built, installed bare, and run from `/`.

A source distribution and a wheel of it are built, as a publisher does. Each is installed into a new environment of each
Python that is supported, with what it depends on and nothing else, and there a session runs: list, sample, build,
verify, explain. A Python is looked for by name, below pyenv's and uv's folders, and in `--python`; one that is not here
is named as missing. Exit 0: all that was found works; 1: something does not, or (`--all`) a Python is missing.

    make release-check
    scripts/release_check.py --python /opt/python3.13/bin/python3 --all
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13")
"""Those of the classifiers in pyproject.toml; a test compares them."""
SESSION = (
    ("--version",),
    ("list",),
    ("sample", "presupposition/only", "--n", "1"),
    ("build", "presupposition/only", "--n", "2", "--out", "{out}"),
    ("verify", "{out}/presupposition--only"),
    ("explain", "E10"),
)
"""What a user does first, without an extra."""
LEFT_BEHIND = ("PYTHON", "GRAMPROBE", "VIRTUAL_ENV", "MAKE", "MFLAGS")
"""How the variables begin that would lead a program to this checkout or environment."""


@dataclass(frozen=True, slots=True)
class Failed(Exception):
    """A command that did not do what it must."""

    command: str
    printed: str


def run(*command: str | Path, cwd: Path | str = "/", **variables: str) -> str:
    """What a command prints. Raises Failed unless it ends with 0."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_BEHIND)}
    words = [str(part) for part in command]
    done = subprocess.run(words, cwd=cwd, env=kept | variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(" ".join(words), f"{done.stdout}{done.stderr}".strip())
    return done.stdout


def version_of(python: str | Path) -> str | None:
    """`3.12` of a program that is a Python; None of any other, as of a name that only says which versions there are."""
    try:
        return run(python, "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])").strip()
    except (Failed, OSError):
        return None


def candidates(version: str, given: Sequence[str]) -> Iterator[str]:
    """Where a Python of this version may be, the likeliest first."""
    yield from given
    yield from filter(None, [shutil.which(f"python{version}")])
    homes = (os.environ.get("PYENV_ROOT", "~/.pyenv"), "versions"), ("~/.local/share/uv", "python")
    for home, inner in homes:
        folder = Path(home).expanduser() / inner
        yield from map(str, sorted(folder.glob(f"*{version}.*/bin/python{version}"), reverse=True))


def found(versions: Sequence[str], given: Sequence[str]) -> dict[str, str | None]:
    """Version -> a Python of it, or None."""
    return {v: next((c for c in candidates(v, given) if version_of(c) == v), None) for v in versions}


def built(folder: Path) -> dict[str, Path]:
    """The wheel and the source distribution, in this folder. Raises Failed."""
    run(sys.executable, "-m", "build", ROOT, "--outdir", folder, PIP_CONSTRAINT=str(ROOT / "constraints.txt"))
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist}


def tried(python: str, archive: Path, folder: Path) -> None:
    """Install an archive into a new environment in a folder and run the session from `/`. Raises Failed."""
    home, out = folder / "environment", folder / "data"
    run(python, "-m", "venv", home)
    inside = home / "bin" / "python"
    pip = (inside, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "--constraint", ROOT / "constraints.txt", archive)
    run(inside, "-m", "pip", "check")
    package = run(inside, "-c", "import gramprobe; print(gramprobe.__file__)").strip()
    if not Path(package).is_relative_to(home):
        raise Failed("import gramprobe", f"{package} is not that of the environment")
    for words in SESSION:
        given = [word.format(out=out) for word in words]
        if not run(home / "bin" / "gramprobe", *given, XDG_CACHE_HOME=str(folder / "cache")).strip():
            raise Failed(f"gramprobe {' '.join(given)}", "it prints nothing")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", default=[], metavar="FILE", help="a Python to take, if it fits")
    parser.add_argument("--only", action="append", choices=VERSIONS, help="this version alone")
    parser.add_argument("--all", action="store_true", help="a missing Python is a failure")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where wheel and source distribution go")
    options = parser.parse_args()
    shutil.rmtree(options.out, ignore_errors=True)
    try:
        archives = built(options.out.resolve())
    except Failed as failed:
        print(f"cannot be built: {failed.command}\n{failed.printed}", file=sys.stderr)
        return 1
    for kind, archive in archives.items():
        print(f"{kind}: {archive.name}, {archive.stat().st_size / 1e6:.1f} MB", flush=True)
    pythons = found(options.only or VERSIONS, options.python)
    wrong = [version for version, python in pythons.items() if python is None and options.all]
    for version, python in pythons.items():
        if python is None:
            print(f"Python {version}: missing here, nothing tried; name one with --python", flush=True)
            continue
        for kind, archive in archives.items():
            with tempfile.TemporaryDirectory(prefix="gramprobe-release-") as folder:
                try:
                    tried(python, archive, Path(folder).resolve())
                except Failed as failed:
                    wrong.append(version)
                    print(f"Python {version}, {kind}: fails\n  {failed.command}\n{failed.printed}", flush=True)
                else:
                    print(f"Python {version}, {kind}: installed bare, {len(SESSION)} commands run from /", flush=True)
    if not any(pythons.values()):
        print("no Python of these versions is here: nothing was tried", file=sys.stderr)
    return int(bool(wrong) or not any(pythons.values()))


if __name__ == "__main__":
    sys.exit(main())
