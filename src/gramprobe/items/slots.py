"""Formulas over slots: their symbols of slots (``‹change.pre›``), and the words that fill them in a row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gramprobe.formula import ast
from gramprobe.formula.alternatives import Scales
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import rename, renaming
from gramprobe.formula.measure import symbols
from gramprobe.formula.notation import show
from gramprobe.items.plan import Plan, Slotted
from gramprobe.meaning.reading import CLOSE, OPEN
from gramprobe.resolve.tree import Slot
from gramprobe.space.space import Draws
from gramprobe.words.linearise import Form, Segment
from gramprobe.words.realise import ID

Codes = NDArray[np.int64]


@cache
def symbols_of(formula: Formula) -> tuple[str, ...]:
    """Every predicate, constant, operator and agent of a formula, in reading order."""
    known = symbols(formula)
    names = (*(p for p, _ in known.predicates), *known.constants, *(o for o, *_ in known.operators))
    return tuple(dict.fromkeys((*names, *(a.name for _, a in known.operators if isinstance(a, ast.Const)))))


def slot_symbols(formula: Formula) -> tuple[str, ...]:
    """The symbols of slots in a formula, in reading order."""
    return tuple(n for n in symbols_of(formula) if n.startswith(OPEN))


def slot_of(symbol: str, plan: Plan) -> Slot:
    """The slot that a symbol names, with its column if the symbol ends in one."""
    path = symbol.removeprefix(OPEN).removesuffix(CLOSE)
    if path in plan.space.slots:
        return plan.space.slots[path]
    name, _, column = path.rpartition(".")
    slot = plan.space.slots[name]
    declared = plan.grammar.categories[slot.category].columns[column]
    return Slot(name, declared.type, False, column)


def word_in(symbol: str, plan: Plan, draws: Draws, row: int) -> str:
    """The id of the lexeme that fills a slot in a row."""
    if symbol not in plan.words:
        slot = slot_of(symbol, plan)
        plan.words[symbol] = slot.name, plan.realiser.fillers(Form(slot, ID, False))
    name, words = plan.words[symbol]
    return words[int(draws.columns[name][row])]


def filled(formula: Formula, plan: Plan, draws: Draws, row: int) -> Formula:
    """The formula of one instance: symbols of slots become ids of lexemes."""
    known = plan.slots.get(id(formula))  # hashing a formula would take longer than the rest
    if known is None or known.formula is not formula:
        slots = {symbol: slot_of(symbol, plan) for symbol in slot_symbols(formula)}
        known = plan.slots[id(formula)] = Slotted(formula, slots, renaming(formula, slots))
    lexeme, columns = plan.realiser.lexeme, draws.columns
    words = {name: lexeme(slot, int(columns[slot.name][row])).id for name, slot in known.slots.items()}
    if known.words != words:  # the same instance is decided in each theory
        known.words, known.filled = words, known.fill(words)
    return known.filled


def scale_words(plan: Plan) -> tuple[str, ...]:
    """The words of the paradigm's own scale: a shape depends on them too, beside the symbols of its formulas."""
    return plan.scales[0] if plan.paradigm.scale else ()


def scales_at(plan: Plan, draws: Draws, row: int) -> Scales:
    """The scales of one instance, with the words that were drawn."""
    if not plan.paradigm.scale:
        return plan.scales
    return (tuple(word_in(w, plan, draws, row) if w.startswith(OPEN) else w for w in plan.scales[0]),)


def slots_of_words(symbols: list[str], plan: Plan, draws: Draws, row: int) -> dict[str, str]:
    """Id of a lexeme -> the first of these symbols whose slot it fills in a row; other rows of the group have other
    words there."""
    slots: dict[str, str] = {}
    for symbol in dict.fromkeys(symbols):
        slots.setdefault(word_in(symbol, plan, draws, row), symbol)
    return slots


def with_slots(principles: Sequence[str | Formula], slots: Mapping[str, str]) -> list[str]:
    """Principles as texts in which words of the row are replaced by symbols of slots (``slots``: id -> symbol).

    Principles that are phrases may name a verb, as `factivity of see`.
    """
    return [
        re.sub(r"\w+", lambda word: slots.get(word[0], word[0]), each)
        if isinstance(each, str)
        else show(rename(each, dict(slots)))
        for each in principles
    ]


def cut_at_slots(text: str, plan: Plan) -> tuple[Segment, ...]:
    """A text cut at its symbols of slots, each of which will be replaced by the id of a word."""
    segments: list[Segment] = []
    rest = text
    while OPEN in rest:
        before, _, behind = rest.partition(OPEN)
        path, _, rest = behind.partition(CLOSE)
        segments.append(Segment(before, Form(slot_of(OPEN + path + CLOSE, plan), ID, False)))
    if not segments:
        return (Segment(text, None),)
    segments[-1] = Segment(segments[-1].before, segments[-1].form, rest)
    return tuple(segments)
