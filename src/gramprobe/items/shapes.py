"""What the decisions of a paradigm ask for, kept between runs (`gramprobe.cache`): the readings of its sentences, the
text of a shape, and the renaming that leads there. Who knows them need compose no reading, fill no formula with words,
cut no part out of a theory and write no canonical text.

A file is of one content of a paradigm (`Plan.content`). In it stand, by the theory, the conditions, the column, and all
that was drawn in the row that is decided, what each pair of readings asks for: the readings of a row, its formulas and
the part of the theory that they need are made of these alone. Beside that stand the readings of each variant of a
sentence, and which other rows had the shapes of the first one of their group (`items.comparison`). A build with another
seed, or a larger one, adds what it finds.

No label is kept here: the verdict on a shape comes from where verdicts are kept, and the kernel checks it
(`decide.cache`). Where there is none, the pair is decided from its formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from gramprobe.cache import Folder
from gramprobe.decide.verdict import Asked
from gramprobe.formula.ast import Formula
from gramprobe.formula.canonical import Renaming
from gramprobe.formula.encoding import formula_from, to_json
from gramprobe.meaning.antecedents import Antecedents
from gramprobe.meaning.reading import Anaphor, Reading
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


class _Said(msgspec.Struct, array_like=True, frozen=True):
    """A reading (`Reading`), with formulas by their numbers in the file."""

    id: str
    formula: int
    antecedents: Antecedents
    refers: tuple[Anaphor, ...]
    order: tuple[str, ...]
    words: tuple[str, ...]
    conveys: int | None


class _File(msgspec.Struct, array_like=True, frozen=True):
    """The content of a file: formulas as JSON data, and for each variant of a condition the number of its readings."""

    texts: tuple[str, ...]
    asked: dict[str, tuple[_Line, ...]]
    agreed: tuple[str, ...]
    formulas: tuple[Any, ...]
    said: tuple[tuple[_Said, ...], ...]
    variants: dict[str, int]


class Shapes:
    """What the decisions of a paradigm ask for, in all theories, while it is :meth:`kept`; else nothing is known."""

    def __init__(self) -> None:
        self._asked: dict[str, list[Asked]] | None = None
        self._agreed: dict[str, None] = {}
        self._readings: dict[str, tuple[Reading, ...]] = {}

    def readings(self, condition: str, variant: int, compose: Callable[[], tuple[Reading, ...]]) -> tuple[Reading, ...]:
        """The readings of a variant (`Variants.codes`) of a condition: known ones, or what ``compose`` gives."""
        if self._asked is None:
            return compose()
        key = f"{condition} {variant}"
        if key not in self._readings:
            self._readings[key] = compose()
        return self._readings[key]

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
        """Know what is kept under a hash of all that the shapes of a paradigm depend on, and keep what is found;
        nothing under an empty one."""
        if not content:
            yield
            return
        folder = Folder("shapes")
        self._asked, self._agreed, self._readings = _read(folder.get(content))
        before = self._size()
        yield
        if self._size() > before:
            data = _written(self._asked, self._agreed, self._readings)
            if len(data) <= MOST:
                folder.put(content, data)
        self._asked, self._agreed, self._readings = None, {}, {}

    def _size(self) -> int:
        return sum(map(len, (self._asked or {}).values())) + len(self._agreed) + len(self._readings)


def row_of(draws: Draws, row: int) -> str:
    """What is drawn in a row, as text."""
    drawn = (f"{name}={int(draws.columns[name][row])}" for name in sorted(draws.columns))
    return ",".join([str(int(draws.box[row])), *drawn])


_Known = tuple[dict[str, list[Asked]], dict[str, None], dict[str, tuple[Reading, ...]]]


def _read(data: bytes | None) -> _Known:
    if data is None:
        return {}, {}, {}
    file = msgspec.json.decode(data, type=_File)
    asked = {key: [_asked(each, file.texts) for each in lines] for key, lines in file.asked.items()}
    formulas = [*map(formula_from, file.formulas)]
    readings = [tuple(_reading(each, formulas) for each in said) for said in file.said]
    return asked, dict.fromkeys(file.agreed), {key: readings[number] for key, number in file.variants.items()}


def _reading(said: _Said, formulas: list[Formula]) -> Reading:
    conveys = None if said.conveys is None else formulas[said.conveys]
    return Reading(said.id, formulas[said.formula], said.antecedents, said.refers, said.order, said.words, conveys)


def _asked(line: _Line, texts: tuple[str, ...]) -> Asked:
    predicates = {(name, arity): short for name, arity, short in line.predicates}
    renaming = Renaming(predicates, line.constants, line.operators)
    return Asked(texts[line.text], renaming, line.glosses, texts[line.alone])


def _written(asked: dict[str, list[Asked]], agreed: dict[str, None], readings: dict[str, tuple[Reading, ...]]) -> bytes:
    texts: dict[str, int] = {}
    formulas: dict[Formula, int] = {}
    said: dict[tuple[Reading, ...], int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def numbered(formula: Formula) -> int:
        return formulas.setdefault(formula, len(formulas))

    def line(each: Asked) -> _Line:
        predicates = tuple((name, arity, short) for (name, arity), short in each.renaming.predicates.items())
        names = each.renaming.constants, each.renaming.operators, dict(each.glosses)
        return _Line(number(each.text), number(each.alone), predicates, *names)

    def reading(each: Reading) -> _Said:
        conveys = None if each.conveys is None else numbered(each.conveys)
        rest = each.antecedents, each.refers, each.order, each.words, conveys
        return _Said(each.id, numbered(each.formula), *rest)

    lines = {key: tuple(map(line, known)) for key, known in asked.items()}
    variants = {key: said.setdefault(each, len(said)) for key, each in readings.items()}
    every = tuple(tuple(map(reading, each)) for each in said)
    known = tuple(map(to_json, formulas)), every, variants
    return msgspec.json.encode(_File(tuple(texts), lines, tuple(agreed), *known))
