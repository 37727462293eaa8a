"""What a derived result of a paradigm depends on, as data: a key of what is kept between runs (`gramprobe.cache`)."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

import msgspec

from gramprobe.cache import key_of, program_version
from gramprobe.items.preferences import file_of
from gramprobe.items.tasks import TASKS
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.space.space import DECIDING


def content_of(name: str, declarations: Declarations) -> list[Any]:
    """The categories of all grammars and the words of all tables that theories have lines for; and every file on which
    a paradigm rests: its own, its grammars, their words, its theories, its veto list and its preferences, with their
    paths, which diagnostics show."""
    sources = declarations.library.sources
    beside = (f"grammars/{name}.veto.tsv", file_of(name.rpartition("/")[0]))
    paths = {*declarations.files_of(name), *(sources[each].path for each in beside if each in sources)}
    lines = declarations.lines
    return [name, sorted(lines.categories), sorted(lines.withheld), _identities(paths, declarations)]


def _identities(paths: Collection[str], declarations: Declarations) -> list[Any]:
    by_path = {source.path: source for source in declarations.library.sources.values()}
    return [by_path[path].identity for path in sorted(paths)]


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


def key_of_walk(paradigm: Paradigm, declarations: Declarations) -> str:
    """A hash of all that the order of a paradigm's instances depends on: of every file that it rests on but its own, of
    what its own says of draws, sentences and limits, wherever that stands, and of all code. So it stays the same when
    a pair, a source or a comment changes. Empty where it depends on other code, too."""
    name = paradigm.full_name
    if is_of_package(name, declarations):
        return ""
    own = paradigm.span.path
    said = msgspec.json.encode({each: getattr(paradigm, each) for each in DECIDING}, order="deterministic").decode()
    place = rf'{{"path":{re.escape(json.dumps(own, ensure_ascii=False))},"line":\d+,"column":\d+,"length":\d+}}'
    said = re.sub(place, "", said)
    return key_of(program_version(), name, said, _identities(declarations.files_of(name) - {own}, declarations))
