"""The source files that a dataset rests on: what `build` writes into the manifest, and what `verify` expects there."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.items.preferences import file_of
from gramprobe.items.tasks import task_of
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.files import Source


def sources_of(declarations: Declarations, paradigms: Sequence[Paradigm], theory: str | None) -> dict[str, Source]:
    """By relative name: the files of the paradigms and of the theory that is put in the place of theirs, and those
    that stand beside a paradigm (its veto list; what people prefer, for tasks with that column)."""
    used = {path for paradigm in paradigms for path in declarations.files_of(paradigm.full_name)}
    used |= declarations.theory_files(theory) if theory else frozenset()
    beside = {f"grammars/{paradigm.full_name}.veto.tsv" for paradigm in paradigms}
    beside |= {file_of(paradigm.phenomenon) for paradigm in paradigms if "preferred" in task_of(paradigm).columns}
    every = declarations.library.sources
    return {name: source for name, source in every.items() if source.path in used or name in beside}
