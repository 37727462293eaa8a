"""Groups of rows that must have the same shapes: a number for each row, the same in every chunk of draws.

The answer of a row depends only on its formulas, on the axioms about each of its words, and on which of its words are
the same or related by an axiom. Two rows that agree in these have the same shapes, so that one row of each group is
decided (decision 006). Example: in *every N saw a M*, all rows with unrelated nouns are one group; rows in which M is a
hypernym of N are another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import rename
from gramprobe.items.plan import Plan
from gramprobe.items.shapes import row_of
from gramprobe.items.slots import Codes, scale_words, slot_of, symbols_of
from gramprobe.meaning.columns import ConsultedByMeaning
from gramprobe.meaning.reading import OPEN, Reading
from gramprobe.meaning.variants import VariantComposer
from gramprobe.resolve.paradigm.data import Pair
from gramprobe.resolve.theory.slicing import axioms_relating, related_words, singular_words
from gramprobe.resolve.tree import Slot, Tree
from gramprobe.space.space import Draws
from gramprobe.words.order import operators_in_words
from gramprobe.words.variants import Variant, Variants, drawn_category

MOST_CODES = 1 << 20
"""Values of a code up to which rows are counted in a table instead of being sorted."""
FEW_CODES = 1 << 14
"""The same for few rows, of which a table is larger than what it takes to sort them."""
CODES_EACH = 16
"""Values of a code for each row up to which a table is faster."""


class Part(Struct, frozen=True):
    """Conditions (by name) that are decided together: those of one ``pair``, or (None) all that occur in pairs."""

    conditions: tuple[str, ...]
    pair: Pair | None = None


class Member(Struct, frozen=True):
    """The first row of a group.

    Attributes:
        draws: its draws (one row).
        readings: the readings of each condition over its slots.
        row: what is drawn in it, by which it is known what its decisions ask for (`items.shapes`); empty where it
            is to have other readings than its own.
    """

    draws: Draws
    readings: dict[str, tuple[Reading, ...]]
    row: str = ""


class Groups(Struct, frozen=True):
    """The groups of a chunk's rows.

    Attributes:
        parts: for each part (rows,) numbers of groups.
        meanings: condition -> (rows,) numbers into :meth:`Grouping.readings`.
    """

    parts: tuple[Codes, ...]
    meanings: dict[str, Codes]

    def take(self, rows: NDArray[np.intp]) -> Groups:
        """The groups of some rows."""
        return Groups(tuple(c[rows] for c in self.parts), {name: c[rows] for name, c in self.meanings.items()})

    @classmethod
    def joined(cls, chunks: Sequence[Groups]) -> Groups:
        """The rows of several chunks one after the other."""
        if len(chunks) == 1:
            return chunks[0]
        return cls(
            tuple(np.concatenate(codes) for codes in zip(*(c.parts for c in chunks), strict=True)),
            {name: np.concatenate([c.meanings[name] for c in chunks]) for name in chunks[0].meanings},
        )


@dataclass
class Grouping:
    """Numbers the rows of chunks. ``members[p][g]`` is the first row of group g of part p.

    ``ordered``: the conditions whose readings say in which order the operators stand in the words.
    ``words``: which differences between words matter.
    """

    plan: Plan
    parts: tuple[Part, ...]
    ordered: frozenset[str] = frozenset()
    members: list[list[Member]] = field(init=False)

    def __post_init__(self) -> None:
        plan = self.plan
        names = dict.fromkeys(name for part in self.parts for name in part.conditions)
        self.members = [[] for _ in self.parts]
        self.words = SlotWords(plan)
        self._numbers: list[dict[tuple[object, ...], int]] = [{} for _ in self.parts]
        self._readings: dict[str, dict[tuple[Reading, ...], int]] = {name: {} for name in names}

        keys_of = ConsultedByMeaning(plan.grammar)

        def keys_of_words(tree: Tree) -> list[tuple[Slot, str | None]]:
            return list(dict.fromkeys((*keys_of(tree), *plan.realiser.parts.consulted(tree))))

        self._variants = {
            n: Variants(self._tree(n), keys_of_words if n in self.ordered else keys_of, plan.space, plan.realiser.parts)
            for n in names
        }
        #: condition -> for each of its variants the number of its readings
        self._codes: dict[str, list[int]] = {name: [] for name in names}
        self._columns: dict[tuple[int, tuple[int, ...]], list[Column]] = {}

    def of(self, draws: Draws) -> Groups:
        """The groups of each row."""
        composer = VariantComposer(self.plan.grammar)
        meanings = {name: self._meaning(name, draws, composer) for name in self._variants}
        chunk = _ChunkColumns(self.words, draws)
        parts = tuple(self._groups(at, draws, meanings, chunk) for at in range(len(self.parts)))
        return Groups(parts, meanings)

    def _tree(self, condition: str) -> Tree:
        """The tree whose meaning counts."""
        return self.plan.paradigm.conditions[condition].tree

    def readings(self, condition: str) -> list[tuple[Reading, ...]]:
        """The readings of a condition, by the number that :attr:`Groups.meanings` gives."""
        return list(self._readings[condition])

    def reading_ids(self, condition: str) -> list[str]:
        """The ids of every reading that a condition has had so far."""
        return list(dict.fromkeys(reading.id for known in self._readings[condition] for reading in known))

    def _groups(self, at: int, draws: Draws, meanings: dict[str, Codes], chunk: _ChunkColumns) -> Codes:
        codes = [meanings[name] for name in self.parts[at].conditions]
        whole, first = numbered(codes, len(draws))
        group = np.zeros(len(draws), np.int64)
        known, members = self._numbers[at], self.members[at]
        for number, start in enumerate(first):
            rows = np.flatnonzero(whole == number) if len(first) > 1 else None
            meaning = tuple(int(c[start]) for c in codes)
            inner = [c if rows is None else c[rows] for c in map(chunk.of, self._columns_of(at, meaning))]
            local, starts = numbered(inner, len(draws) if rows is None else len(rows))
            numbers = []
            for row in starts:
                key = (*meaning, -1, *(int(c[row]) for c in inner))
                if key not in known:
                    known[key] = len(members)
                    members.append(self._member(at, draws, int(row if rows is None else rows[row]), meaning))
                numbers.append(known[key])
            group_of_row = np.array(numbers, np.int64)[local]
            if rows is None:
                return group_of_row
            group[rows] = group_of_row
        return group

    def _member(self, at: int, draws: Draws, row: int, meaning: tuple[int, ...]) -> Member:
        named = zip(self.parts[at].conditions, meaning, strict=True)
        readings = {name: self.readings(name)[code] for name, code in named}
        return Member(draws.take(np.array([row])), readings, row_of(draws, row))

    def _meaning(self, condition: str, draws: Draws, composer: VariantComposer) -> Codes:
        """(rows,) numbers of each row's readings among all readings of the condition so far."""
        known, variants, codes = self._readings[condition], self._variants[condition], self._codes[condition]
        of_row, kept = variants.of(draws), self.plan.shapes.readings
        for code, variant in zip(variants.codes[len(codes) :], variants.by_number[len(codes) :], strict=True):
            readings = kept(condition, code, partial(self._composed, condition, variant, composer))
            codes.append(known.setdefault(readings, len(known)))
        return np.array(codes, np.int64)[of_row]

    def _composed(self, condition: str, variant: Variant, composer: VariantComposer) -> tuple[Reading, ...]:
        composed = composer.readings(variant.tree, variant.chosen)
        if condition not in self.ordered:
            return composed
        words = operators_in_words(variant.tree, variant.chosen, self.plan.grammar)
        return tuple(replace(reading, words=words) for reading in composed)

    def _columns_of(self, at: int, meaning: tuple[int, ...]) -> list[Column]:
        """The columns of words on which the shapes of rows with these readings depend."""
        if (at, meaning) not in self._columns:
            named = zip(self.parts[at].conditions, meaning, strict=True)
            composed = [r for name, code in named for r in self.readings(name)[code]]
            formulas = [f for r in composed for f in (r.formula, r.conveys) if f is not None]
            self._columns[at, meaning] = self.words.columns(formulas)
        return self._columns[at, meaning]


# ---- the words of slots ------------------------------------------------------------------------------------------


class KindOf(Struct, frozen=True):
    """Which axioms are about the word in a slot."""

    slot: Slot


class SameWord(Struct, frozen=True):
    """Whether a slot holds the same word as another slot, or as a word that the formulas spell out."""

    slot: Slot
    other: Slot | str


class Related(Struct, frozen=True):
    """The axioms that relate the words in some slots, and some spelled-out words, to each other and to others.

    ``names``: the other symbols of the formulas, since an axiom can relate two words through one of them.
    """

    slots: tuple[Slot, ...]
    words: tuple[str, ...]
    names: tuple[str, ...]


Column = KindOf | SameWord | Related
#: the category of which a word is drawn, and the column that holds what is meant (None: the word itself)
Source = tuple[str, str | None]


class SlotWords:
    """Which differences between the words that fill slots matter to the theories of a plan.

    Two words are of the same kind if the same schemas apply to them and they are the same as operators; a word that a
    plain postulate mentions, or that is an operator by name, has a kind of its own. Words that axioms relate to each
    other are compared by these axioms, all words of a part together. Two slots may hold the same word, and so may a
    slot and a formula that spells the word out.
    """

    def __init__(self, plan: Plan):
        self.plan = plan
        self.theories = tuple({theory.name: theory for theory in plan.theories}.values())
        self.related = frozenset().union(*(related_words(theory, plan.symbols) for theory in self.theories))
        self.singular = frozenset().union(*(singular_words(theory, plan.symbols) for theory in self.theories))
        self._ids: dict[Source, tuple[str, ...]] = {}
        self._every_id: dict[Source, frozenset[str]] = {}
        self._numbers: dict[str, int] = {}
        self._kind_of: dict[str, int] = {}
        self._known_kinds: dict[object, int] = {}
        self._members: dict[tuple[Source, bool], Codes] = {}
        self._columns: dict[tuple[str, ...], list[Column]] = {}
        #: for each set of related slots and words: the axioms that relate them -> their number
        self._axioms: dict[Related, dict[frozenset[Formula], int]] = {}

    def columns(self, formulas: Sequence[Formula]) -> list[Column]:
        """The columns on which the shapes of these formulas depend and that can differ between rows."""
        words = tuple(dict.fromkeys([*(n for f in formulas for n in symbols_of(f)), *scale_words(self.plan)]))
        if words not in self._columns:  # many readings of a pair are of the same words
            self._columns[words] = self._columns_of(words)
        return self._columns[words]

    def _columns_of(self, words: tuple[str, ...]) -> list[Column]:
        slots = [slot_of(p, self.plan) for p in words if p.startswith(OPEN)]
        given = [n for n in words if n in self.plan.symbols]
        columns: list[Column] = [KindOf(slot) for slot in slots if self.kinds(slot).any()]
        related = tuple(slot for slot in slots if not self.related.isdisjoint(self.ids(slot)))
        if related:
            others = tuple(n for n in words if not n.startswith(OPEN) and n not in self.plan.symbols)
            columns.append(Related(related, tuple(n for n in given if n in self.related), others))
        couples: list[tuple[Slot, Slot | str]] = [*combinations(slots, 2), *product(slots, given)]
        columns += [SameWord(one, other) for one, other in couples if self._may_be_same(one, other)]
        return columns

    def ids(self, slot: Slot) -> tuple[str, ...]:
        """The symbol that each member of the slot's category puts there (empty: the member refers to no word)."""
        source = self._source(slot)
        if source not in self._ids:
            name, column = source
            lexemes = self.plan.grammar.categories[name].lexemes
            self._ids[source] = tuple([x.id if column is None else str(x.columns[column]) for x in lexemes])
        return self._ids[source]

    def _source(self, slot: Slot) -> Source:
        return drawn_category(self.plan.space, slot), slot.column

    def kinds(self, slot: Slot) -> Codes:
        """(members,) for each member of the slot's category the number of its word's kind, from 0."""
        source = self._source(slot)
        if (source, True) not in self._members:
            ids, known = self.ids(slot), self._kind_of
            for each in dict.fromkeys(ids):
                if each not in known:
                    known[each] = self._known_kinds.setdefault(self._kind(each), len(self._known_kinds))
            codes = np.array([known[each] for each in ids], np.int64)
            self._members[source, True] = numbered([codes], len(codes))[0]
        return self._members[source, True]

    def numbers(self, slot: Slot) -> Codes:
        """(members,) for each member of the slot's category the number of its word, the same for every slot."""
        source = self._source(slot)
        if (source, False) not in self._members:
            codes = [self.number(i) for i in self.ids(slot)]
            self._members[source, False] = np.array(codes, np.int64)
        return self._members[source, False]

    def number(self, word: str) -> int:
        """The number of a word."""
        return self._numbers.setdefault(word, len(self._numbers))

    def axioms(self, column: Related, words: Sequence[str]) -> int:
        """The number of the set of axioms that relate these words (an empty text: a word that no axiom relates)."""
        symbols: dict[str, str] = {}
        for slot, word in zip(column.slots, words, strict=True):
            symbols.setdefault(word, slot.path)
        present = [*filter(None, words), *column.words]
        axioms = frozenset(
            rename(axiom, symbols)
            for theory in self.theories
            for axiom in axioms_relating(present, theory, self.plan.symbols, column.names)
        )
        known = self._axioms.setdefault(column, {})
        return known.setdefault(axioms, len(known))

    def _kind(self, id_: str) -> object:
        lexeme = self.plan.symbols.get(id_)
        if id_ in self.singular or lexeme is None:
            return id_
        return tuple(theory.kind_of_lexeme(lexeme) for theory in self.theories)

    def _may_be_same(self, one: Slot, other: Slot | str) -> bool:
        if isinstance(other, Slot):
            return not self._words_of(one).isdisjoint(self._words_of(other))
        return other in self._words_of(one)

    def _words_of(self, slot: Slot) -> frozenset[str]:
        source = self._source(slot)
        if source not in self._every_id:
            self._every_id[source] = frozenset(self.ids(slot))
        return self._every_id[source]


@dataclass
class _ChunkColumns:
    """The columns of one chunk, each computed once."""

    words: SlotWords
    draws: Draws
    known: dict[Column, Codes] = field(default_factory=dict)

    def of(self, column: Column) -> Codes:
        """(rows,) the code of each row."""
        if column not in self.known:
            self.known[column] = self._codes(column)
        return self.known[column]

    def _codes(self, column: Column) -> Codes:
        words, drawn = self.words, self.draws.columns
        match column:
            case KindOf(slot):
                return words.kinds(slot)[drawn[slot.name]]
            case SameWord(slot, str() as word):
                return np.asarray(words.numbers(slot)[drawn[slot.name]] == words.number(word), np.int64)
            case SameWord(slot, Slot() as other):
                left, right = words.numbers(slot)[drawn[slot.name]], words.numbers(other)[drawn[other.name]]
                return np.asarray(left == right, np.int64)
            case Related(slots, _, _):
                return self._related(column, slots)
        raise AssertionError(column)

    def _related(self, column: Related, slots: tuple[Slot, ...]) -> Codes:
        words = self.words
        ids = {slot: [i if i in words.related else "" for i in words.ids(slot)] for slot in slots}
        names = list(dict.fromkeys(["", *(i for each in ids.values() for i in each)]))
        number = {name: at for at, name in enumerate(names)}
        members = [np.array([number[i] for i in each], np.int64)[self.draws.columns[s.name]] for s, each in ids.items()]
        code, first = numbered(members, len(self.draws))
        axioms = [words.axioms(column, [names[int(m[row])] for m in members]) for row in first]
        return np.array(axioms, np.int64)[code]


def numbered(columns: Sequence[Codes], count: int) -> tuple[Codes, NDArray[np.intp]]:
    """Number rows by their entries in all columns, from 0 in order of first occurrence.

    Returns (rows,) the number of each row, and the first row of each number. Rows (a, x), (b, x), (a, x) give the
    numbers 0, 1, 0 and the first rows 0, 1.
    """
    code: Codes = np.zeros(count, np.int64)
    size = 1
    for column in columns:
        radix = int(column.max(initial=0)) + 1
        if radix == 1:
            continue
        if size * radix > MOST_CODES:
            _, code = np.unique(code, return_inverse=True)
            size = int(code.max(initial=0)) + 1
        code = code * radix + column
        size *= radix
    if size == 1:
        return code, np.zeros(min(count, 1), np.intp)
    if size <= min(MOST_CODES, max(FEW_CODES, CODES_EACH * count)):
        first = np.full(size, count, np.intp)
        first[code[::-1]] = np.arange(count)[::-1]  # the last one written is the first row
        used = np.flatnonzero(first < count)
        used = used[np.argsort(first[used], kind="stable")]
        number = np.zeros(size, np.int64)
        number[used] = np.arange(len(used))
        return number[code], first[used]
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.zeros(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[inverse], first[order]
