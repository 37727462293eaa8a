"""Check the folder: it has exactly the files that its manifest names, no links, and the files have their hashes."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import UNSET

from gramprobe.dataset.manifest import (
    CARD,
    CERTIFICATES,
    DESIGN,
    MANIFEST,
    Invalid,
    Manifest,
    ParadigmEntry,
    manifest_from,
    written,
)
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.text import LONGEST_MANIFEST, Malformed, indented, read
from gramprobe.decide.prove.outside import NAMES as PROVERS
from gramprobe.items.tasks import TASKS
from gramprobe.records import sha256_of
from gramprobe.registry import check_installed

OWN_THEORIES = "as each paradigm says"
__all__ = ["CARD", "CERTIFICATES", "DESIGN", "MANIFEST", "OWN_THEORIES", "Dataset", "look"]
MOST_FILES = 100_000
"""The largest number of entries of a folder."""

_NAME = re.compile(r"[A-Za-z0-9_]+(--[A-Za-z0-9_]+)?")
LARGEST = 2**128
"""Numbers of a manifest must be smaller."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A folder with a readable manifest.

    Attributes:
        folder: the folder.
        manifest: the manifest as JSON data.
        record: the manifest as a record.
        sound: the files of the manifest that exist.
    """

    folder: Path
    manifest: dict[str, Any]
    record: Manifest
    sound: frozenset[str]

    def items(self, paradigm: str) -> str:
        """The name of a paradigm's JSON lines."""
        return f"items/{paradigm}.jsonl"

    def parquet_of(self, paradigm: str) -> dict[tuple[str, int], str]:
        """(split, part) -> the name of a paradigm's Parquet file, in the order of the rows."""
        found: dict[tuple[str, int], str] = {}
        parts: Counter[str] = Counter()
        for name, (of, split, _) in self.record.parquet_files().items():
            if of == paradigm:
                found[split, parts[split]] = name
                parts[split] += 1
        return found

    @property
    def built_of(self) -> str:
        """The phenomenon or paradigm that was built: `presupposition`, `presupposition/only`."""
        name: str = self.manifest["name"]
        return name.replace("--", "/")

    @property
    def phenomenon(self) -> str:
        """The phenomenon of its paradigms."""
        return self.built_of.partition("/")[0]

    @property
    def design(self) -> str:
        """The design that was built (`Paradigm.in_design`)."""
        design: str = self.manifest["design"]
        return design

    @property
    def theory(self) -> str | None:
        """The theory given to the build; None where each paradigm has its own."""
        named: str = self.manifest["theory"]
        return None if named == OWN_THEORIES else named


def look(folder: Path, problems: Problems) -> Dataset | None:
    """Check the folder against its manifest; None if the manifest is missing or unreadable. Raises OSError."""
    there = dict(_entries(folder, problems))
    if there.get(MANIFEST, -1) < 0:
        problems.add("E50", MANIFEST, "the manifest is missing")
        return None
    try:
        if there[MANIFEST] > LONGEST_MANIFEST:
            raise Malformed(f"it has over {LONGEST_MANIFEST:,} bytes")
        raw = (folder / MANIFEST).read_bytes()
        if not raw.endswith(b"\n"):
            raise Malformed("it is cut off")
        manifest, record = _read(raw[:-1])
    except Malformed as error:
        problems.add("E50", MANIFEST, str(error))
        return None
    paradigms = manifest["paradigms"]
    wanted = record.expected()
    for name in manifest["files"]:
        if name not in wanted:
            problems.add("E50", MANIFEST, f"it has a hash for `{name}`, which no dataset of these paradigms has")
    for name in sorted(wanted - manifest["files"].keys()):
        problems.add("E50", MANIFEST, f"it has no hash for `{name}`")
    for name in there:
        parquet = re.fullmatch(r"parquet/([^/]+)/[A-Za-z0-9_]+-\d{5}-of-\d{5}\.parquet", name)
        if name not in wanted and name != MANIFEST and not (parquet and parquet[1] in paradigms):
            problems.add("E50", name, "the manifest knows of no such file")
    sound = []
    for name in sorted(wanted & manifest["files"].keys()):
        if name not in there:
            problems.add("E50", name, "the file is missing")
            continue
        sound.append(name)
        if sha256_of(folder / name) != manifest["files"][name]:
            problems.add("E50", name, "its SHA-256 is not that of the manifest")
    _parquet(folder, record, there, problems)
    return Dataset(folder, manifest, record, frozenset(sound))


def _parquet(folder: Path, record: Manifest, there: Mapping[str, int], problems: Problems) -> None:
    """Check that the manifest has a hash for each Parquet file, and that they agree. (Missing files are reported
    with their rows.)"""
    wanted, hashes = record.parquet_files(), record.parquet
    for name in sorted(hashes.keys() ^ wanted.keys()):
        what = "a hash for" if name in hashes else "no hash for"
        problems.add("E50", MANIFEST, f"it has {what} `{name}`")
    for name in sorted(hashes.keys() & wanted.keys() & there.keys()):
        if sha256_of(folder / name) != hashes[name]:
            problems.add("E50", name, "its SHA-256 is not that of the manifest")


def _entries(folder: Path, problems: Problems) -> Iterator[tuple[str, int]]:
    """Every plain file below the folder, by its relative name, with its size; links and other entries are reported."""
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


def _read(raw: bytes) -> tuple[dict[str, Any], Manifest]:
    """The manifest as data and as a record. Raises Malformed if a field is missing, of another type or out of
    order; UsageError (E64) if a task is of a package that is not installed."""
    data = read(raw, indented)
    try:
        manifest = manifest_from(data)
    except Invalid as error:
        raise Malformed(str(error)) from None
    _wants(list(data) == list(written(manifest)), "its fields are not in the order in which they are written")
    _wants(indented(written(manifest)) == indented(data), "the fields of an entry are not in the order of a manifest")
    _wants(_NAME.fullmatch(manifest.name) is not None, f"`{manifest.name}` is no name of a dataset")
    _wants(manifest.seed < LARGEST, "`seed` is out of range")
    _wants(manifest.oracle in (None, *PROVERS), f"no prover is named `{manifest.oracle}`")
    for name, source in manifest.sources.items():
        given = source.origin == "given"
        described = (source.licence is not UNSET) == (source.source is not UNSET) == given
        _wants(described, f"source `{name}`: sentences that were given, and these only, have licence and source")
    packages = {} if manifest.packages is UNSET else manifest.packages
    check_installed(packages)
    for name, part in manifest.paradigms.items():
        _part(name, part, manifest)
    added = TASKS.origins(part.task for part in manifest.paradigms.values()).get("task", {})
    _wants(added.keys() == packages.get("task", {}).keys(), "`packages` does not name the packages of its tasks")
    tasks = ", ".join(sorted({part.task for part in manifest.paradigms.values()}))
    _wants(manifest.task == tasks, f"`task` is not that of its paradigms: {tasks}")
    return data, manifest


def _part(name: str, part: ParadigmEntry, manifest: Manifest) -> None:
    """Raise Malformed if a paradigm lacks fields of its task, has others, or has numbers out of range."""
    _wants(part.task in TASKS, f"the task of `{name}` is not known")
    task = TASKS[part.task]
    form = task.form
    fields = {"labels": form.claims == "label", "answers": form.claims == "readings", "theory": form.theory}
    fields |= dict.fromkeys(("certificates", "on_trust"), form.claims is not None)
    labelled, outside = (0 if rows is UNSET else sum(rows.values()) for rows in (part.labels, part.outside))
    fields["baselines"] = "leak" in form.gates and labelled > outside
    for key, wanted in fields.items():
        verb = "has" if wanted else "has not"
        _wants((getattr(part, key) is not UNSET) == wanted, f"a paradigm of its task {verb} `{key}`: `{name}`")
    numbers = (part.instances, part.pairs, part.rows, part.space, part.passed_over, part.vetoed, part.content_words)
    _wants(max(numbers) < LARGEST, f"a number of `{name}` is out of range")
    _wants(bool(manifest.theory), "`theory` is empty")
    if part.theory is not UNSET:
        _wants(manifest.theory in (OWN_THEORIES, part.theory), f"`theory` of `{name}` is not that of the manifest")
    held = manifest.theory != OWN_THEORIES or not part.moved
    _wants(held, f"`moved` of `{name}`: labels move under another theory only")


def _wants(held: bool, otherwise: str) -> None:
    if not held:
        raise Malformed(otherwise)
