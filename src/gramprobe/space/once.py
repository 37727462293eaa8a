"""What is worked out of the same objects, once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


class Once:
    """Results by the identity of what they were worked out of. Nobody changes these objects, or the results."""

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, ...], tuple[Any, tuple[object, ...]]] = {}

    def __call__(self, work: Callable[..., T], objects: Iterable[object], *values: Hashable) -> T:
        """``work(*values, *objects)``: what was found before for equal values and the same objects."""
        of = tuple(objects)
        key = (work, *values, *map(id, of))
        if key not in self._known:
            self._known[key] = work(*values, *of), of  # as long as these are kept, nothing else has their identities
        result: T = self._known[key][0]
        return result
