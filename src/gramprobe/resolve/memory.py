"""What was resolved before in this process, by the content that it was resolved from.

A project that is loaded again after one file was changed (an editor does so at every pause) shares with the one before
all that does not rest on this file. Two loads are remembered, so that nothing grows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from gramprobe.source.files import Library
from gramprobe.syntax.grammar_tree import Category, GrammarLine

Resolved = TypeVar("Resolved")


class Memory:
    """Results by key. A key names everything that the result rests on: contents and paths, for findings show them."""

    def __init__(self, before: Memory | None = None) -> None:
        self._before = {} if before is None else before._now
        self._now: dict[Hashable, Any] = {}

    def recall(self, key: Hashable, resolve: Callable[[], Resolved]) -> Resolved:
        """What was resolved under this key, in this load or the one before; else what ``resolve`` gives."""
        if key not in self._now:
            self._now[key] = self._before[key] if key in self._before else resolve()
        result: Resolved = self._now[key]
        return result


def content_of_grammar(names: tuple[str, ...], lines: list[GrammarLine], library: Library) -> Hashable:
    """What a grammar of these files rests on: them, the words they name, and which other files there are to name."""
    tables = {f"lexicon/{line.file.text}" for line in lines if isinstance(line, Category) and line.file}
    sources = [s for s in library.having("grammars", ".gram") if s.stem in names]
    sources += [source for name, source in library.sources.items() if name in tables]
    others = tuple(source.name for source in library.having("lexicon", ".tsv"))
    return "grammar", names, tuple((s.path, s.sha256) for s in sources), others, library.unreadable
