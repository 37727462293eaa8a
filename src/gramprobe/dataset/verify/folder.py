"""The folder itself: exactly the files that its manifest names, no link, nothing that leads out, and their hashes."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gramprobe.dataset.report import ACCOUNTS
from gramprobe.dataset.schema import COLUMNS
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.text import LONGEST_MANIFEST, Malformed, indented, read
from gramprobe.decide.prove.outside import NAMES as PROVERS
from gramprobe.items.tasks import TASKS
from gramprobe.resolve.paradigm.balance import BALANCED

MANIFEST, CERTIFICATES, CARD = "manifest.json", "certificates.jsonl", "README.md"
OWN_THEORIES = "as each paradigm says"
MOST_FILES = 100_000
"""Entries of a folder that are looked at."""

_NAME = re.compile(r"[A-Za-z0-9_]+(--[A-Za-z0-9_]+){0,2}")
_COMPANION = f"--{BALANCED}"
_SHA256 = re.compile(r"[0-9a-f]{64}")
_FIELDS: dict[str, type] = {
    "format": int, "gramprobe": str, "name": str, "seed": int, "task": str, "theory": str, "balanced": bool,
    "allow_bounded": bool, "oracle": str, "paradigms": dict, "sources": dict, "files": dict,
}  # fmt: skip
_NUMBERS = ("instances", "pairs", "rows", "space", "passed_over", "vetoed", "content_words", "on_trust")
_COUNTS = ("certificates",)


@dataclass(frozen=True, slots=True)
class Dataset:
    """A folder whose manifest could be read, and which of its files are there as they should be."""

    folder: Path
    manifest: dict[str, Any]
    sound: frozenset[str]

    def items(self, paradigm: str) -> str:
        """The name of a paradigm's JSON lines."""
        return f"items/{paradigm}.jsonl"

    @property
    def built_of(self) -> str:
        """The phenomenon or paradigm that was built: `presupposition`, `presupposition/only`."""
        name: str = self.manifest["name"]
        return name.removesuffix(_COMPANION if self.balanced else "").replace("--", "/")

    @property
    def phenomenon(self) -> str:
        return self.built_of.partition("/")[0]

    @property
    def balanced(self) -> bool:
        """Whether it holds balanced companions."""
        found: bool = self.manifest["balanced"]
        return found

    @property
    def theory(self) -> str | None:
        """The theory given to the build, None where each paradigm has its own."""
        named: str = self.manifest["theory"]
        return None if named == OWN_THEORIES else named


def look(folder: Path, problems: Problems) -> Dataset | None:
    """Check the folder against its manifest; None where the manifest is none. Raises OSError."""
    there = dict(_entries(folder, problems))
    if there.get(MANIFEST, -1) < 0:
        problems.add("E50", MANIFEST, "a dataset has a manifest, and here is none")
        return None
    try:
        if there[MANIFEST] > LONGEST_MANIFEST:
            raise Malformed(f"it has over {LONGEST_MANIFEST:,} bytes")
        raw = (folder / MANIFEST).read_bytes()
        if not raw.endswith(b"\n"):
            raise Malformed("it is cut off")
        manifest = read(raw[:-1], indented)
        _typed(manifest)
    except Malformed as error:
        problems.add("E50", MANIFEST, str(error))
        return None
    paradigms = manifest["paradigms"]
    wanted = {CERTIFICATES, CARD, *(f"items/{name}.jsonl" for name in paradigms)}
    wanted |= {ACCOUNTS} if any(TASKS[part["task"]].has_accounts for part in paradigms.values()) else set()
    for name in manifest["files"]:
        if name not in wanted:
            problems.add("E50", MANIFEST, f"it has a hash for `{name}`, which no dataset of these paradigms has")
    for name in sorted(wanted - manifest["files"].keys()):
        problems.add("E50", MANIFEST, f"it has no hash for `{name}`")
    for name in there:
        parquet = re.fullmatch(r"parquet/([^/]+)/[A-Za-z0-9_]+-00000-of-00001\.parquet", name)
        if name not in wanted and name != MANIFEST and not (parquet and parquet[1] in paradigms):
            problems.add("E50", name, "the manifest knows of no such file")
    sound = []
    for name in sorted(wanted & manifest["files"].keys()):
        if name not in there:
            problems.add("E50", name, "the file is missing")
            continue
        sound.append(name)
        if _digest(folder / name) != manifest["files"][name]:
            problems.add("E50", name, "its SHA-256 is not that of the manifest")
    return Dataset(folder, manifest, frozenset(sound))


def _entries(folder: Path, problems: Problems) -> Iterator[tuple[str, int]]:
    """Every plain file below the folder by its relative name, with its size; anything else but folders is a problem."""
    todo, seen = [folder], 0
    while todo:
        here = todo.pop()
        with os.scandir(here) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                seen += 1
                name = Path(entry.path).relative_to(folder).as_posix()
                if seen > MOST_FILES:
                    problems.add("E50", name, f"more than {MOST_FILES:,} files")
                    return
                mode = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(mode.st_mode):
                    depth = name.count("/") + 1
                    if name not in ("items", "parquet") and not (depth == 2 and name.startswith("parquet/")):
                        problems.add("E50", name, "no dataset has such a folder")
                    else:
                        todo.append(Path(entry.path))
                elif stat.S_ISREG(mode.st_mode):
                    yield name, mode.st_size
                else:
                    what = "a link" if entry.is_symlink() else "no file"
                    problems.add("E50", name, f"it is {what}: a dataset consists of plain files")


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _typed(manifest: Mapping[str, Any]) -> None:
    """Raises Malformed unless every field is there and of its type."""
    _wants(tuple(manifest) == tuple(_FIELDS), f"its fields are not {', '.join(_FIELDS)}, in this order")
    for name, type_ in _FIELDS.items():
        none = name == "oracle" and manifest[name] is None
        _wants(none or type(manifest[name]) is type_, f"`{name}` is of a wrong type")
    _wants(manifest["format"] == 1, f"format {manifest['format']} is not known")
    _wants(_NAME.fullmatch(manifest["name"]) is not None, f"`{manifest['name']}` is no name of a dataset")
    told = "is" if manifest["balanced"] else "is not"
    _wants(manifest["name"].endswith(_COMPANION) == manifest["balanced"], f"`{manifest['name']}` {told} balanced")
    _wants(0 <= manifest["seed"] < 2**128, "`seed` is out of range")
    _wants(manifest["oracle"] in (None, *PROVERS), f"no prover is named `{manifest['oracle']}`")
    for name, digest in manifest["files"].items():
        _wants(type(digest) is str and _SHA256.fullmatch(digest) is not None, f"no SHA-256 of `{name}`")
    for name, source in manifest["sources"].items():
        _wants(type(source) is dict and _described(source), f"source `{name}` has other fields")
        _wants(_hashed(source), f"source `{name}` has no hash, or is neither `shipped` nor `own` nor `given`")
    _wants(bool(manifest["paradigms"]), "it has no paradigms")
    for name, part in manifest["paradigms"].items():
        _wants(re.fullmatch(r"[A-Za-z0-9_]+", name) is not None, f"`{name}` is no name of a paradigm")
        _wants(type(part) is dict, f"paradigm `{name}` is no object")
        for key in _NUMBERS:
            _wants(type(part.get(key)) is int and 0 <= part[key] < 2**128, f"`{key}` of `{name}` is no number")
        _wants(part.get("task") in COLUMNS, f"the task of `{name}` is not known")
        counts = (*_COUNTS, TASKS[part["task"]].answers_key)
        _splits(name, part)
        for key in (*counts, "allowed"):
            _wants(type(part.get(key)) is dict, f"`{key}` of `{name}` is no object")
        for key in counts:
            _wants(all(type(n) is int for n in part[key].values()), f"`{key}` of `{name}` has what is no number")
        _wants(type(part.get("theory")) is str, f"`theory` of `{name}` is no text")
        _wants(type(part.get("one_row_each", False)) is bool, f"`one_row_each` of `{name}` is neither true nor false")
        if "leak" in TASKS[part["task"]].gates:
            _wants(type(part.get("hypothesis_only")) is dict, f"`hypothesis_only` of `{name}` is no object")
        _moves(name, part, manifest["theory"])
    tasks = ", ".join(sorted({part["task"] for part in manifest["paradigms"].values()}))
    _wants(manifest["task"] == tasks, f"`task` is not that of its paradigms: {tasks}")


def _splits(name: str, part: Mapping[str, Any]) -> None:
    splits = part.get("splits")
    held = type(splits) is dict and bool(splits) and all(type(n) is int and n > 0 for n in splits.values())
    _wants(held, f"`splits` of `{name}` is no object of numbers of rows")
    _wants(all(re.fullmatch(r"[a-z]+", s) for s in splits or ()), f"`splits` of `{name}` have odd names")


def _moves(name: str, part: Mapping[str, Any], theory: str) -> None:
    moved = part.get("moved", [])
    _wants(type(moved) is list and all(map(_move, moved)), f"`moved` of `{name}` is no list of labels that moved")
    told = theory == OWN_THEORIES and moved
    _wants(not told, f"`moved` of `{name}`: labels move under another theory only")


def _move(entry: Any) -> bool:
    """Whether an entry says of a condition how many labels moved from which to which."""
    wanted = {"condition": str, "before": str, "after": str, "rows": int}
    return type(entry) is dict and {key: type(value) for key, value in entry.items()} == wanted


def _described(source: Mapping[str, Any]) -> bool:
    """Whether a source has its fields; given sentences come with their licence."""
    more = {"licence", "source"} if source.get("from") == "given" else set()
    return set(source) == {"sha256", "from", *more} and all(type(source[key]) is str for key in more)


def _hashed(source: Mapping[str, Any]) -> bool:
    digest, origin = source["sha256"], source["from"]
    return type(digest) is str and _SHA256.fullmatch(digest) is not None and origin in ("shipped", "own", "given")


def _wants(held: bool, otherwise: str) -> None:
    if not held:
        raise Malformed(otherwise)
