"""What the decisions of a paradigm ask for, kept between runs (`gramprobe.cache`): the text of a shape, and the
renaming that leads there. Who knows it need fill no formula with words, cut no part out of a theory and write no
canonical text.

A file is of one content of a paradigm (`Plan.content`). In it stand, by the theory, the conditions, the column, and all
that was drawn in the row that is decided, what each pair of readings asks for: the readings of a row, its formulas and
the part of the theory that they need are made of these alone. Beside that stands which other rows had the shapes of the
first one of their group (`items.comparison`). A build with another seed, or a larger one, adds what it finds.

No label is kept here: the verdict on a shape comes from where verdicts are kept, and the kernel checks it
(`decide.cache`). Where there is none, the pair is decided from its formulas.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from gramprobe.cache import Folder
from gramprobe.decide.verdict import Asked
from gramprobe.formula.canonical import Renaming
from gramprobe.space.space import Draws

MOST = 1 << 22
"""The most bytes of a file; a longer one is not written."""


class _Line(msgspec.Struct, array_like=True, frozen=True):
    """What a decision asked for (`Asked`), with texts by their numbers in the file."""

    text: int
    alone: int
    predicates: tuple[tuple[str, int, str], ...]
    constants: dict[str, str]
    operators: dict[str, str]
    glosses: dict[str, str]


class _File(msgspec.Struct, array_like=True, frozen=True):
    """The content of a file."""

    texts: tuple[str, ...]
    asked: dict[str, tuple[_Line, ...]]
    agreed: tuple[str, ...]


class Shapes:
    """What the decisions of a paradigm ask for, in all theories, while it is :meth:`kept`; else nothing is known."""

    def __init__(self) -> None:
        self._asked: dict[str, list[Asked]] | None = None
        self._agreed: dict[str, None] = {}

    def of(self, row: str, *named: str) -> list[Asked]:
        """What the decisions on a row (`Member.row`) ask for, as far as it is known: one for each pair of readings, in
        order. What is added to the list will be kept. ``named``: the theory, the conditions and the column."""
        return [] if self._asked is None or not row else self._asked.setdefault(" ".join([*named, row]), [])

    def agreed(self, part: int, first: str, other: str) -> bool:
        """Whether it is known that a row has the shapes of the first one of its group."""
        return f"{part} {first} {other}" in self._agreed

    def agree(self, part: int, first: str, other: str) -> None:
        """Keep that it has."""
        if self._asked is not None:
            self._agreed[f"{part} {first} {other}"] = None

    @contextmanager
    def kept(self, content: str) -> Iterator[None]:
        """Know what is kept under a hash of all that the shapes of a paradigm depend on, and keep what is found."""
        folder = Folder("shapes")
        self._asked, self._agreed = _read(folder.get(content))
        before = self._size()
        yield
        if self._size() > before:
            data = _written(self._asked, self._agreed)
            if len(data) <= MOST:
                folder.put(content, data)
        self._asked, self._agreed = None, {}

    def _size(self) -> int:
        return sum(map(len, (self._asked or {}).values())) + len(self._agreed)


def row_of(draws: Draws, row: int) -> str:
    """What is drawn in a row, as text."""
    drawn = (f"{name}={int(draws.columns[name][row])}" for name in sorted(draws.columns))
    return ",".join([str(int(draws.box[row])), *drawn])


def _read(data: bytes | None) -> tuple[dict[str, list[Asked]], dict[str, None]]:
    if data is None:
        return {}, {}
    file = msgspec.json.decode(data, type=_File)
    asked = {key: [_asked(each, file.texts) for each in lines] for key, lines in file.asked.items()}
    return asked, dict.fromkeys(file.agreed)


def _asked(line: _Line, texts: tuple[str, ...]) -> Asked:
    predicates = {(name, arity): short for name, arity, short in line.predicates}
    renaming = Renaming(predicates, line.constants, line.operators)
    return Asked(texts[line.text], renaming, line.glosses, texts[line.alone])


def _written(asked: dict[str, list[Asked]], agreed: dict[str, None]) -> bytes:
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def line(each: Asked) -> _Line:
        predicates = tuple((name, arity, short) for (name, arity), short in each.renaming.predicates.items())
        names = each.renaming.constants, each.renaming.operators, dict(each.glosses)
        return _Line(number(each.text), number(each.alone), predicates, *names)

    lines = {key: tuple(map(line, known)) for key, known in asked.items()}
    return msgspec.json.encode(_File(tuple(texts), lines, tuple(agreed)))
