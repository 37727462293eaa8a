"""Datasets that several tests read: each is built once in a run, whichever worker asks first."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from filelock import FileLock

from gramprobe.dataset.gates.reading import MOST, RoundTrip
from gramprobe.dataset.read import Dataset
from gramprobe.project import Project

FEW, MANY = 5, 40
"""Instances of each paradigm: of all datasets whose size does not matter, and of those of which something is counted.
With two sizes tests share what is built."""

SOME_TRIGGERS = tuple(f"presupposition/{name}" for name in ("both", "change_of_state", "possessed_definites_existence"))
"""Of the sets of presupposition, those that `make test` builds where several are wanted; the others are dear."""

SOME_SCALES = tuple(
    f"implicature/{name}"
    for name in (
        "connectives",
        "modals_bare",
        "numerals_2_3_existential",
        "numerals_10_100_subject",
        "quantifiers_object",
    )
)
"""Of the sets of implicature, one of each scale, and of each form of the numerals."""

READ_BACK = MOST if os.environ.get("GRAMPROBE_TEST_PROFILE") == "full" else 3
"""So many shapes of a paradigm are read back where tests build or check it, but for `all_read_back`: a third of the
time of a build goes into all of them. What reading back finds is the business of `dataset/test_gates.py`."""

Stamp = dict[str, tuple[int, int]]
"""Relative path -> size and time of the last change in nanoseconds."""


class SharedDatasets:
    """Builds datasets of one project below a folder that all processes of a test run share.

    A dataset is identified by the hash of the request and of the files that the project was loaded from. A lock is
    held while it is built, so that a second process waits for the first instead of building it too.
    """

    _handed_out: ClassVar[dict[Path, Stamp]] = {}

    def __init__(self, project: Project, root: Path) -> None:
        self.project, self.root = project, root
        sources = sorted((name, source.sha256) for name, source in project.library.sources.items())
        self._sources = hashlib.sha256(json.dumps(sources).encode()).hexdigest()

    def __call__(self, name: str, among: Sequence[str] = (), **options: Any) -> Path:
        """The folder of the dataset that ``project.build(name, out, **options)`` writes, but for what was read back
        (`READ_BACK`). Not to be changed.

        ``among``: paradigms of the phenomenon ``name``, if not all.
        """
        request = json.dumps([self._sources, name, list(among), options], sort_keys=True)
        place = self.root / hashlib.sha256(request.encode()).hexdigest()[:16]
        place.mkdir(parents=True, exist_ok=True)
        done = place / "done"
        with FileLock(place / "lock"):
            if not done.exists():
                named = self.project.named
                only = {name: list(among)} if among else {}
                with (
                    mock.patch.object(self.project, "named", lambda asked: only.get(asked) or named(asked)),
                    mock.patch.object(RoundTrip.__init__, "__defaults__", (READ_BACK,)),
                ):
                    (built,) = self.project.build(name, place, **options)
                done.write_text(built.folder.name, "utf-8")
        folder = place / done.read_text("utf-8")
        self._handed_out.setdefault(folder, stamp(folder))
        return folder

    @classmethod
    def checked_once(cls, check: Callable[..., None]) -> Callable[..., None]:
        """A check of a dataset, and of one of its files, that finds the same each time while the dataset stays as it
        is: of one that tests share, what was found to be right is not checked again in this process. Of every other
        dataset, copies among them, it is."""
        right = set[tuple[object, ...]]()

        def checked(dataset: Dataset, *given: object) -> None:
            what = (dataset.folder, *given)
            if what not in right:
                check(dataset, *given)
            if dataset.folder in cls._handed_out:
                right.add(what)

        return checked

    @classmethod
    def changed(cls) -> list[str]:
        """The datasets handed out in this process that are no longer as they were, by name."""
        return sorted(folder.name for folder, before in cls._handed_out.items() if stamp(folder) != before)


def stamp(folder: Path) -> Stamp:
    """The size and time of the last change of every file below a folder."""
    files = [f for f in folder.rglob("*") if f.is_file()]
    return {f.relative_to(folder).as_posix(): (f.stat().st_size, f.stat().st_mtime_ns) for f in files}
