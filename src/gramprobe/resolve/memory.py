"""A cache of resolved grammars, theories and paradigms of this process, by the content that they were resolved from.

A project that is loaded again after a file was changed (an editor does so at every pause) shares everything that does
not depend on this file with the load before. Two loads are remembered, so that the cache does not grow.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from gramprobe.resolve.modules import Used, file_names
from gramprobe.source.files import Library
from gramprobe.syntax.grammar_tree import Category, Declaration, Function

Resolved = TypeVar("Resolved")


class Memory:
    """Results by key. A key holds everything that the result depends on: contents, and the paths that messages show."""

    def __init__(self, before: Memory | None = None) -> None:
        self._before = {} if before is None else before._now
        self._now: dict[Hashable, Any] = {}

    def recall(self, key: Hashable, resolve: Callable[[], Resolved]) -> Resolved:
        """The result of this key, from this load or the load before; else the result of ``resolve``."""
        if key not in self._now:
            self._now[key] = self._before[key] if key in self._before else resolve()
        result: Resolved = self._now[key]
        return result


def content_of_grammar(used: Used, lines: Sequence[Declaration], library: Library) -> Hashable:
    """A key of everything that a grammar depends on: what its `uses` lines say, the files of its modules, which of
    their declarations it has, their tables of words, the names of all tables."""
    names = file_names(used.modules, lines)
    sources = tuple((s.path, s.sha256) for name, s in library.sources.items() if name in names)
    reached = tuple(line.name.text for line in lines if isinstance(line, Function | Category))
    others = tuple(source.name for source in library.having("lexicon", ".tsv"))
    return "grammar", used.spec, used.modules, sources, reached, others, library.unreadable
