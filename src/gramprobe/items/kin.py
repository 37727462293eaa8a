"""The words of a formula over slots, and how the words that fill them are tied by axioms: by column."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gramprobe.formula import ast
from gramprobe.formula.alternatives import Scales
from gramprobe.formula.ast import Formula
from gramprobe.formula.measure import symbols
from gramprobe.items.plan import Plan
from gramprobe.meaning.compose import CLOSE, OPEN
from gramprobe.resolve.rename import rename
from gramprobe.resolve.theory.slicing import axioms_tying, singular_words, tied_words
from gramprobe.resolve.tree import Slot
from gramprobe.space.space import Draws
from gramprobe.words.realise import drawn_category

Codes = NDArray[np.int64]


@cache
def spoken_of(formula: Formula) -> tuple[str, ...]:
    """Every symbol of a formula, in reading order."""
    found = symbols(formula)
    names = (*(p for p, _ in found.predicates), *found.constants, *(o for o, *_ in found.operators))
    return tuple(dict.fromkeys((*names, *(a.name for _, a in found.operators if isinstance(a, ast.Const)))))


def places(formula: Formula) -> tuple[str, ...]:
    """The slots' symbols in a formula, in reading order."""
    return tuple(n for n in spoken_of(formula) if n.startswith(OPEN))


def slot_of(place: str, plan: Plan) -> Slot:
    """``‹change.pre›`` to the slot it names; the symbol may end in a column."""
    path = place.removeprefix(OPEN).removesuffix(CLOSE)
    if path in plan.space.slots:
        return plan.space.slots[path]
    name, _, column = path.rpartition(".")
    slot = plan.space.slots[name]
    declared = plan.grammar.categories[slot.category].columns[column]
    return Slot(name, declared.type, False, column)


def filled(formula: Formula, plan: Plan, draws: Draws, row: int) -> Formula:
    """The formula of one instance: symbols of slots become ids of lexemes."""
    names = {}
    for place in places(formula):
        slot = slot_of(place, plan)
        names[place] = plan.realiser.lexeme(slot, int(draws.columns[slot.name][row])).id
    return rename(formula, names)


def strengthening(plan: Plan) -> tuple[str, ...]:
    """The words of the paradigm's own scale: what a shape depends on beside the words of the formulas."""
    return plan.scales[0] if plan.paradigm.scale else ()


def scales_at(plan: Plan, draws: Draws, row: int) -> Scales:
    """The scales of one instance, with the words that were drawn."""
    if not plan.paradigm.scale:
        return plan.scales

    def drawn(word: str) -> str:
        if not word.startswith(OPEN):
            return word
        slot = slot_of(word, plan)
        return plan.realiser.lexeme(slot, int(draws.columns[slot.name][row])).id

    return (tuple(map(drawn, plan.scales[0])),)


class Kin:
    """What the words that fill slots have to do with the axioms and with each other, by column.

    A word is told from others only by the schemas that apply to it and by what it is as an operator; a word of a plain
    postulate, or an operator by name, from every other. Words that axioms tie to each other are told apart, all that
    a pair speaks of together, by these axioms. Two slots, and a slot and a word written out, may hold one word.
    """

    def __init__(self, plan: Plan, draws: Draws):
        self.plan, self.draws = plan, draws
        self.tied = tied_words(plan.theory, plan.symbols)
        self.singular = singular_words(plan.theory, plan.symbols)
        self._ids: dict[Slot, tuple[str, ...]] = {}
        self._words: dict[Slot, Codes] = {}
        self._same: dict[tuple[Slot, Slot | str], Codes | None] = {}
        self._tied: dict[Slot, tuple[str, ...]] = {}
        self._ties: dict[tuple[tuple[Slot, ...], tuple[str, ...]], Codes | None] = {}
        self._held: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], frozenset[Formula]] = {}

    def ids(self, slot: Slot) -> tuple[str, ...]:
        """The symbol that each member drawn for the slot puts there (empty: it refers to nothing)."""
        if slot not in self._ids:
            drawn = self.plan.grammar.categories[drawn_category(self.plan.space, slot)]
            self._ids[slot] = tuple(
                str(x.columns[slot.column]) if slot.column is not None else x.id for x in drawn.lexemes
            )
        return self._ids[slot]

    def words(self, slot: Slot) -> Codes:
        """For each row the number of what axioms can tell of the word in the slot."""
        if slot not in self._words:
            kinds: dict[object, int] = {}
            codes = [kinds.setdefault(self._kind(i), len(kinds)) for i in self.ids(slot)]
            self._words[slot] = np.array(codes, np.int64)[self.draws.columns[slot.name]]
        return self._words[slot]

    def _kind(self, id_: str) -> object:
        lexeme = self.plan.symbols.get(id_)
        if id_ in self.singular or lexeme is None:
            return id_
        return self.plan.theory.kind_of(lexeme)

    def ties(self, slots: Sequence[Slot], given: Sequence[str]) -> Codes | None:
        """For each row the number of the axioms that tie the words in the slots, and the given ones, to each other and
        to others, each slot's word by the slot; None where nothing is tied."""
        key = tuple(slots), tuple(name for name in given if name in self.tied)
        if key not in self._ties:
            self._ties[key] = self._tied_by(*key)
        return self._ties[key]

    def _tied_by(self, slots: tuple[Slot, ...], fixed: tuple[str, ...]) -> Codes | None:
        members = {slot: ids for slot in slots if (ids := self._tied_ids(slot))}
        if not members:
            return None
        known = {
            word: number for number, word in enumerate(dict.fromkeys(["", *(i for m in members.values() for i in m)]))
        }
        told = [
            np.array([known[i] for i in ids], np.int64)[self.draws.columns[slot.name]] for slot, ids in members.items()
        ]
        rows, inverse = np.unique(np.stack(told, axis=1), axis=0, return_inverse=True)
        named = list(known)
        kinds: dict[object, int] = {}
        codes = np.zeros(len(rows), np.int64)
        for number, row in enumerate(rows.tolist()):
            words = [named[word] for word in row]
            places: dict[str, str] = {}
            for slot, word in zip(members, words, strict=True):
                places.setdefault(word, slot.path)
            held = self._held_by((*filter(None, words), *fixed), tuple(places.items()))
            codes[number] = kinds.setdefault(held, len(kinds))
        return codes[inverse.reshape(-1)]

    def _tied_ids(self, slot: Slot) -> tuple[str, ...]:
        """The symbols of a slot, empty where nothing ties them to another; none at all where no word of it is tied."""
        if slot not in self._tied:
            ids = tuple(i if i in self.tied else "" for i in self.ids(slot))
            self._tied[slot] = ids if any(ids) else ()
        return self._tied[slot]

    def _held_by(self, words: tuple[str, ...], places: tuple[tuple[str, str], ...]) -> frozenset[Formula]:
        """The axioms that tie these words, with places for words."""
        key = words, places
        if key not in self._held:
            named = dict(places)
            axioms = axioms_tying(words, self.plan.theory, self.plan.symbols)
            self._held[key] = frozenset(rename(axiom, named) for axiom in axioms)
        return self._held[key]

    def same(self, one: Slot, other: Slot | str) -> Codes | None:
        """For each row 1 where both are one word; None when they never are."""
        if (one, other) not in self._same:
            self._same[one, other] = self._one_word(one, other)
        return self._same[one, other]

    def _one_word(self, one: Slot, other: Slot | str) -> Codes | None:
        numbers: dict[str, int] = {}
        left = np.array([numbers.setdefault(i, len(numbers)) for i in self.ids(one)], np.int64)
        a = left[self.draws.columns[one.name]]
        if isinstance(other, str):
            same = (a == numbers.get(other, -1)).astype(np.int64)
        else:
            right = np.array([numbers.setdefault(i, len(numbers)) for i in self.ids(other)], np.int64)
            same = (a == right[self.draws.columns[other.name]]).astype(np.int64)
        return same if same.any() else None
