"""A meaning of a sentence, over the symbols of words that may not be drawn yet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import renaming
from gramprobe.meaning.antecedents import Antecedents
from gramprobe.resolve.tree import Slot

#: around a slot's path if it is a symbol of a formula, until the slot is filled
OPEN, CLOSE = "\u2039", "\u203a"


class Anaphor(Struct, frozen=True):
    """A requirement of a reading on the sentence before it.

    Attributes:
        variable: The free variable that needs an antecedent; None (`each time`) if an operator only has to occur.
        names: The scope names of possible antecedents, or of operators.
    """

    variable: str | None
    names: tuple[str, ...]


class Reading(Struct, frozen=True):
    """A meaning of a sentence.

    Attributes:
        id: The scope order of its operators, outermost first, or its name.
        formula: Its formula over the symbols of slots.
        antecedents: The antecedents for a later sentence: scope names with their bound variables in the formula (a
            numeral has its variable, or several above occasions).
        refers: Its own anaphors, whose variables are free in the formula.
        order: All its operators, outermost first.
        words: The operators of its sentence in the order of the words, where that was asked for.
        conveys: What is conveyed beside the formula, over the symbols of slots; None if nothing is declared.
    """

    id: str
    formula: Formula
    antecedents: Antecedents = ()
    refers: tuple[Anaphor, ...] = ()
    order: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    conveys: Formula | None = None


def symbol(slot: Slot, column: str | None = None) -> str:
    """The symbol of a slot in a formula before the slot is filled."""
    return f"{OPEN}{slot.path}{'.' + column if column else ''}{CLOSE}"


def exchanging(reading: Reading, names: Collection[str]) -> Callable[[Mapping[str, str]], Reading]:
    """What gives a reading with other words in the places of these."""
    said = renaming(reading.formula, names)
    conveyed = None if reading.conveys is None else renaming(reading.conveys, names)
    return lambda words: replace(reading, formula=said(words), conveys=conveyed and conveyed(words))
