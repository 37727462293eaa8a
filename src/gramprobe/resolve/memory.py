"""A cache of resolved grammars, theories and paradigms of this process, by the content that they were resolved from.

A project that is loaded again after a file was changed (an editor does so at every pause) shares everything that does
not depend on this file with the load before. Two loads are remembered, so that the cache does not grow. What rests on
shipped files alone is remembered for every load of the process: a session loads several projects beside them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from gramprobe.resolve.modules import Selection, Used
from gramprobe.source.files import TABLES, Library

Resolved = TypeVar("Resolved")

MOST = 1000
"""How many results that rest on shipped files are remembered: those of three loads of everything."""
_shipped: OrderedDict[Hashable, Any] = OrderedDict()


class Memory:
    """Results by key. A key holds everything that the result depends on: contents, and the paths that messages show."""

    def __init__(self, before: Memory | None = None) -> None:
        self._before = {} if before is None else before._now
        self._now: dict[Hashable, Any] = {}

    def recall(self, key: Hashable, resolve: Callable[[], Resolved], shipped: bool = False) -> Resolved:
        """The result of this key, from this load or the load before; else the result of ``resolve``.

        ``shipped``: it rests on shipped files alone, and any load of this process may have it.
        """
        if key not in self._now:
            if key in self._before:
                self._now[key] = self._before[key]
            elif shipped:
                self._now[key] = _of_any_load(key, resolve)
            else:
                self._now[key] = resolve()
        result: Resolved = self._now[key]
        return result


def _of_any_load(key: Hashable, resolve: Callable[[], Resolved]) -> Resolved:
    result: Resolved = _shipped[key] if key in _shipped else resolve()
    _shipped[key] = result
    _shipped.move_to_end(key)
    while len(_shipped) > MOST:
        _shipped.popitem(last=False)
    return result


def content_of_grammar(used: Used, part: Selection, library: Library) -> Hashable:
    """A key of everything that a grammar depends on: what its `uses` lines say, the files of its modules, which of
    their declarations it has, their tables of words; and the names of all tables, which the message about one that is
    missing lists."""
    there = [source for name in part.files if (source := library.sources.get(name)) is not None]
    sources = tuple((source.path, source.sha256) for source in there)
    missing = len(there) < len(part.files)
    others = tuple(source.name for source in library.having("lexicon", TABLES)) if missing else ()
    return "grammar", used.spec, used.modules, sources, part.names, others, frozenset(library.unreadable.values())
