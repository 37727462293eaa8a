"""What a derived result of a paradigm depends on, as data: a key of what is kept between runs (`gramprobe.cache`)."""

from __future__ import annotations

from typing import Any

from gramprobe.cache import key_of, program_version
from gramprobe.items.preferences import file_of
from gramprobe.items.tasks import TASKS
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations


def content_of(name: str, declarations: Declarations) -> list[Any]:
    """The categories of all grammars (a theory may have lines for them), and every file on which a paradigm rests: its
    own, its grammars, their words, its theories, its veto list and its preferences, with their paths, which diagnostics
    show."""
    sources = declarations.library.sources
    beside = (f"grammars/{name}.veto.tsv", file_of(name.rpartition("/")[0]))
    paths = {*declarations.files_of(name), *(sources[each].path for each in beside if each in sources)}
    by_path = {source.path: source for source in sources.values()}
    return [name, sorted(declarations.lines.categories), [by_path[path].identity for path in sorted(paths)]]


def is_of_package(name: str, declarations: Declarations) -> bool:
    """Whether the task of a paradigm is of an installed package, on whose code results depend too."""
    paradigm = declarations.paradigms.get(name)
    return paradigm is not None and TASKS.entry(paradigm.task) is not None


def key_of_plan(paradigm: Paradigm, theory: str, declarations: Declarations) -> str:
    """A hash of all that what is derived of a paradigm in a theory depends on: of every file that it rests on, of all
    theories, and of all code of gramprobe with the SAT solver and Python. Empty where it depends on other code, too."""
    name = paradigm.full_name
    if is_of_package(name, declarations):
        return ""
    theories = [each.identity for each in declarations.library.having("logic", ".logic")]
    asked = theory, [*paradigm.conditions], [pair.condition for pair in paradigm.pairs]
    return key_of(program_version(), content_of(name, declarations), theories, asked)
