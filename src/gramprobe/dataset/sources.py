"""The source files of a dataset: `build` writes them into the manifest, and `verify` expects them there."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.items.preferences import file_of
from gramprobe.items.tasks import task_of
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.files import Source


def sources_of(declarations: Declarations, paradigms: Sequence[Paradigm], theory: str | None) -> dict[str, Source]:
    """Relative name -> source file: those of the paradigms, of the theory in the place of theirs (if one is named),
    their veto lists, and the preferences of people for tasks with that column."""
    used = {path for paradigm in paradigms for path in declarations.files_of(paradigm.full_name)}
    used |= declarations.theory_files(theory) if theory else frozenset()
    beside = {f"grammars/{paradigm.full_name}.veto.tsv" for paradigm in paradigms}
    beside |= {file_of(paradigm.phenomenon) for paradigm in paradigms if "preferred" in task_of(paradigm).columns}
    every = declarations.library.sources
    return {name: source for name, source in every.items() if source.path in used or name in beside}
