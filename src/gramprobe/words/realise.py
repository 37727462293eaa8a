"""Realises the sentences of many instances by column, with table lookups.

The variants of a condition (its skeletons, and the values of the features it consults) are few; each is
linearised once. The texts of their segments are numbered, so that a column of sentences is one ``take`` for each place
of a segment and one join.

A sentence also has a fingerprint of 64 bits, made without the string: a polynomial hash of the text's bytes modulo 2 **
64 (Karp & Rabin 1987) of segments, joined by ``h(ab) = h(a) * B ** len(b) + h(b)``. It does not depend on how a
sentence is cut into segments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gramprobe.resolve.grammar.data import Grammar, Lexeme
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.tree import Regions, Slot, Tree, category_of
from gramprobe.space.space import Draws, Space
from gramprobe.words.linearise import Form, Segment, segments, text_of
from gramprobe.words.parts import Parts
from gramprobe.words.regions import border
from gramprobe.words.variants import Variant, Variants, drawn_category

if TYPE_CHECKING:
    import pyarrow as pa


AT_ONCE = 1 << 13
"""Rows that are made at once."""
#: what the forms that stand for a column of a lexeme begin with
_COLUMN = "#"
#: the form that stands for a lexeme's id (or a feature's value) instead of its words
ID = f"{_COLUMN}id"


@dataclass(slots=True)
class Places:
    """Which texts stand where in sentences of numbered variants.

    Attributes:
        sentence: whether the text at the first place begins with a capital.
        slots: the names of the slots that the variants mention.
        table: (2, places, variants) at each place of a variant where the texts of its segment begin (`_Texts`), and the
            number of its slot in ``slots``, or -1.
    """

    sentence: bool
    slots: list[str] = field(default_factory=list)
    table: NDArray[np.intp] = field(default_factory=lambda: np.zeros((2, 0, 0), np.intp))

    def of(
        self, variant: NDArray[np.int32], every: Sequence[tuple[Segment, ...]], draws: Draws, realiser: Realiser
    ) -> NDArray[np.intp]:
        """The numbers of the texts that the sentences of instances consist of, shape (places, instances).

        ``variant``: (instances,) the variant of each; ``every``: the segments of each variant.
        """
        known = self.table.shape[2]
        if known < len(every):
            width = max(self.table.shape[1], *(len(each) for each in every[known:]))
            more = [self._numbered(each, realiser) + [(0, -1)] * (width - len(each)) for each in every[known:]]
            before = np.stack([np.zeros((width, known), np.intp), np.full((width, known), -1)])
            before[:, : self.table.shape[1]] = self.table
            self.table = np.concatenate([before, np.array(more, np.intp).transpose(2, 1, 0)], axis=2)
        begin, slot = self.table[:, :, variant]
        columns = np.stack([*(draws.columns[name] for name in self.slots), np.zeros(len(draws), np.int32)])
        return np.asarray(begin + columns[slot, np.arange(len(draws))])

    def _numbered(self, segments_: Sequence[Segment], realiser: Realiser) -> list[tuple[int, int]]:
        """Where the texts of the segments of a sentence begin, and the numbers of their slots."""
        numbers = []
        for place, each in enumerate(segments_):
            slot = -1
            if each.form is not None:
                name = each.form.slot.name
                if name not in self.slots:
                    self.slots.append(name)
                slot = self.slots.index(name)
            numbers.append((realiser.known.begin(each, self.sentence and not place, realiser), slot))
        return numbers


class Worded:
    """The variants of a tree, each with the segments of its words.

    Attributes:
        variants: the variants, numbered as they occur.
        segments: of each variant by number.
    """

    def __init__(self, tree: Tree, space: Space, parts: Parts) -> None:
        """The words are cut into the regions of ``parts`` as well, if it has any, and those that `lin` lines mark."""
        self.variants = Variants(tree, parts.consulted, space, parts)
        self._parts = parts
        self._segments: list[tuple[Segment, ...]] = []
        self._made: dict[int, tuple[Segment, ...]] = {}  # by the id of a variant, which `variants` keeps
        self._places = Places(True), Places(False)

    @property
    def segments(self) -> list[tuple[Segment, ...]]:
        known = self._segments
        known += map(self.segments_of, self.variants.by_number[len(known) :])
        return known

    def segments_of(self, variant: Variant) -> tuple[Segment, ...]:
        """The segments that all instances of a variant share."""
        if id(variant) not in self._made:
            atoms, grammar = self._parts.words(variant.tree, {}, variant.chosen), self._parts.grammar
            final = grammar.sentences.get(category_of(variant.tree), "")  # a noun phrase alone ends in nothing
            cut = None if self._parts.regions is None else border
            self._made[id(variant)] = segments(atoms, final, grammar.language, cut)
        return self._made[id(variant)]

    def texts(self, draws: Draws, realiser: Realiser, sentence: bool = True) -> NDArray[np.intp]:
        """The numbers of the texts that the sentences of instances consist of (`_Texts`), shape (places,
        instances). ``sentence``: they begin with a capital."""
        variant = self.variants.of(draws)
        return self._places[0 if sentence else 1].of(variant, self.segments, draws, realiser)


@dataclass(slots=True)
class Realiser:
    """Sentences of a space's conditions, for columns of draws or for one instance.

    Attributes:
        space, grammar: of the draws, and of their words.
        parts: of the trees of its conditions.
    """

    space: Space
    grammar: Grammar
    parts: Parts = field(init=False)
    _worded: dict[str, Worded] = field(default_factory=dict)
    #: the same with borders of regions
    _cut: dict[str, Worded] = field(default_factory=dict)
    _fillers: dict[tuple[str, str | None, str, str], list[str]] = field(default_factory=dict)
    known: _Texts = field(default_factory=lambda: _Texts())

    def __post_init__(self) -> None:
        self.parts = Parts(self.grammar)

    def worded(self, condition: Condition) -> Worded:
        """The variants of a condition's sentences, which all chunks share."""
        worded = self._worded.get(condition.name)
        if worded is None or worded.variants.tree is not condition.tree:
            worded = self._worded[condition.name] = Worded(condition.tree, self.space, self.parts)
        return worded

    def size(self, slot: Slot) -> int:
        """How many members may fill a slot: those of the category or feature that it is drawn from."""
        drawn = drawn_category(self.space, slot)
        features, categories = self.grammar.features, self.grammar.categories
        return len(features[drawn].values if drawn in features else categories[drawn].lexemes)

    def lexeme(self, slot: Slot, member: int) -> Lexeme:
        """The lexeme that fills a slot if the member of that number is drawn for it."""
        drawn = self.grammar.categories[drawn_category(self.space, slot)]
        lexeme = self._referred(slot, drawn.lexemes[member])
        assert lexeme is not None
        return lexeme

    def _referred(self, slot: Slot, drawn: Lexeme) -> Lexeme | None:
        """The lexeme that fills a slot if this one is drawn: that of a column, or itself. None where the column has
        none: then it is not drawn."""
        return drawn if slot.column is None else self.grammar.lexeme(slot.category, str(drawn.columns[slot.column]))

    def fillers(self, form: Form) -> list[str]:
        """By member what fills the slot of a form: words, or the cell of a column; empty where nothing does.

        Many segments have the same words, so that these are looked up once for a whole category.
        """
        slot, drawn = form.slot, drawn_category(self.space, form.slot)
        key = drawn, slot.column, slot.category, form.form
        if key not in self._fillers:
            self._fillers[key] = self._filling(form, drawn)
        return self._fillers[key]

    def _filling(self, form: Form, drawn: str) -> list[str]:
        """The same, of the category or feature that the slot is drawn from."""
        if drawn in self.grammar.features:
            return list(self.grammar.features[drawn].values)
        lexemes: Sequence[Lexeme | None] = self.grammar.categories[drawn].lexemes
        if form.slot.column is not None:
            lexemes = [each and self._referred(form.slot, each) for each in lexemes]
        if not form.form.startswith(_COLUMN):
            return ["" if each is None else each.forms[form.form] for each in lexemes]
        column = form.form.removeprefix(_COLUMN)
        cells = ["" if each is None else each.columns[column] for each in lexemes]
        return ["|".join(cell) if isinstance(cell, tuple) else str(cell) for cell in cells]

    def texts(self, segment: Segment, members: Iterable[int], first: bool) -> list[str]:
        """The texts of a segment whose slot these members fill in turn; of one without a slot there is member 0 alone.

        ``first``: it begins the sentence.
        """
        fillers = [""] if segment.form is None else self.fillers(segment.form)
        if first or segment.capital:
            return [text_of(segment, fillers[member], first, self.grammar.language) for member in members]
        before, after = segment.before, segment.after  # nearly all; a call for each would take most of the time
        return [before + fillers[member] + after for member in members]

    def column(self, *texts: NDArray[np.intp]) -> pa.Array:
        """Sentences as a string array, one for each instance, those of several conditions one after the other;
        ``texts``: of each condition (places, instances) numbers (`_Texts`)."""
        from gramprobe.words.arrow import numbers, run_together

        array, places = self.known.array(np.concatenate([each.T.reshape(-1) for each in texts]), self)
        widths = np.repeat([len(each) for each in texts], [each.shape[1] for each in texts])
        return run_together(array.take(numbers(places)), widths)

    def prints(self, texts: NDArray[np.intp]) -> Words:
        """The fingerprints of the same sentences, shape (instances,)."""
        value = np.zeros(texts.shape[1], np.uint64)
        with np.errstate(over="ignore"):
            for hashed, power in zip(*self.known.of(texts, self), strict=True):
                value = value * power + hashed
        return value

    def sentences(self, condition: Condition, draws: Draws) -> pa.Array:
        """The sentences of a condition as a string array, one for each instance."""
        return self.column(self.worded(condition).texts(draws, self, self.begins(condition)))

    def written(self, condition: Condition, draws: Draws) -> list[str]:
        """The same as texts, without pyarrow."""
        texts = self.worded(condition).texts(draws, self, self.begins(condition))
        spelt, places = self.known.spelt(texts, self)
        columns = ([spelt[place] for place in own] for own in places.tolist())
        return [*map("".join, zip(*columns, strict=True))]

    def cut(self, condition: Condition, draws: Draws, regions: Regions) -> pa.Array:
        """The same with the borders of regions in them, which `words.regions.regions_of` reads."""
        worded = self._cut.get(condition.name)
        if worded is None or worded.variants.tree is not condition.tree:
            parts = Parts(self.grammar, regions)
            worded = self._cut[condition.name] = Worded(condition.tree, self.space, parts)
        return self.column(worded.texts(draws, self, self.begins(condition)))

    def sentence(self, condition: Condition, draws: Draws, row: int = 0) -> str:
        """The sentence of one row, without pyarrow."""
        one, worded = draws.take(np.array([row])), self.worded(condition)
        number = int(worded.variants.of(one)[0])
        return self.one(worded.segments[number], one, self.begins(condition))

    def begins(self, condition: Condition) -> bool:
        """Whether a condition begins with a capital: candidates and notes are no sentences, and some go on from
        another one."""
        return condition.role != "noted" and category_of(condition.tree) not in self.grammar.continuing

    def one(self, segments_: Sequence[Segment], draws: Draws, sentence: bool) -> str:
        """The text of a single row with these segments; a sentence is capitalised."""
        found = []
        for place, each in enumerate(segments_):
            member = 0 if each.form is None else int(draws.columns[each.form.slot.name][0])
            found += self.texts(each, [member], sentence and not place)
        return "".join(found)


def column_form(column: str) -> str:
    """The form that stands for a column of a lexeme: several values have `|` between them."""
    return f"{_COLUMN}{column}"


Words = NDArray[np.uint64]
_BASE = 0x9E3779B97F4A7C15


def _hashed(texts: Sequence[str]) -> tuple[Words, Words]:
    """(texts,) the hashes of texts and the powers of the base that their lengths shift by."""
    every = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, every)])
    sizes = np.diff(ends)
    powers = np.full(int(sizes.max()) + 1, _BASE, np.uint64)
    powers[0] = 1
    powers = np.multiply.accumulate(powers)
    bytes_ = np.frombuffer(b"".join(every), np.uint8).astype(np.uint64) + np.uint64(1)
    shifts = np.repeat(ends[1:] - 1, sizes) - np.arange(ends[-1])
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(bytes_ * powers[shifts])])
    return sums[ends[1:]] - sums[ends[:-1]], powers[sizes]


@dataclass(slots=True)
class _Texts:
    """The texts of segments, which the sentences of all conditions share. Each is spelt once, when it is first met.

    Attributes:
        begins: a segment, and whether it begins sentences -> the number of its text with the first member, behind which
            those with the others follow, in ascending order. The first number is that of no segment.
        numbers: those of ``begins``.
        end: how many texts there are.
        met: the texts that were met.
        places: (texts,), or longer: the place in ``met``; -1 for texts that were not met.
        values, powers: (met,), or shorter: what :func:`_hashed` gives of each.
        strings: those of ``met`` that were met when a column was last made.
    """

    begins: dict[tuple[Segment, bool], int] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=list)
    end: int = 1
    met: list[str] = field(default_factory=lambda: [""])
    places: NDArray[np.int32] = field(default_factory=lambda: np.array([0], np.int32))
    values: Words = field(default_factory=lambda: np.array([0], np.uint64))
    powers: Words = field(default_factory=lambda: np.array([1], np.uint64))
    strings: pa.Array | None = None

    def begin(self, segment: Segment, first: bool, realiser: Realiser) -> int:
        """The number of the text of a segment with the first member."""
        begin = self.begins.get((segment, first))
        if begin is None:
            begin = self.begins[segment, first] = self.end
            self.numbers.append(begin)
            self.end += 1 if segment.form is None else realiser.size(segment.form.slot)
        return begin

    def of(self, texts: NDArray[np.intp], realiser: Realiser) -> tuple[Words, Words]:
        """The hash and the power of each text, of the shape of ``texts``."""
        places = self._places(texts, realiser)
        if len(self.values) < len(self.met):
            values, powers = _hashed(self.met[len(self.values) :])
            self.values, self.powers = np.append(self.values, values), np.append(self.powers, powers)
        return self.values[places], self.powers[places]

    def array(self, texts: NDArray[np.intp], realiser: Realiser) -> tuple[pa.Array, NDArray[np.int32]]:
        """An array of texts, and the place of each in it, of the shape of ``texts``."""
        import pyarrow as pa

        from gramprobe.words.arrow import strings

        places = self._places(texts, realiser)
        known = 0 if self.strings is None else len(self.strings)
        if known < len(self.met):
            more = strings(self.met[known:])
            self.strings = more if self.strings is None else pa.concat_arrays([self.strings, more])
        return self.strings, places

    def spelt(self, texts: NDArray[np.intp], realiser: Realiser) -> tuple[list[str], NDArray[np.int32]]:
        """The texts that were met, and the place of each among them, of the shape of ``texts``."""
        places = self._places(texts, realiser)
        return self.met, places

    def _places(self, texts: NDArray[np.intp], realiser: Realiser) -> NDArray[np.int32]:
        """The place of each text in ``met``, of the shape of ``texts``."""
        more = self.end - len(self.places)
        if more > 0:
            self.places = np.append(self.places, np.full(max(more, len(self.places)), -1, np.int32))
        places = self.places[texts]
        if (places < 0).any():
            lacking = np.unique(texts[places < 0])
            spelt = self._spelt(lacking, realiser)
            self.places[lacking] = np.arange(len(self.met), len(self.met) + len(lacking))
            self.met += spelt
            places = self.places[texts]
        return places

    def _spelt(self, numbers: NDArray[np.intp], realiser: Realiser) -> list[str]:
        """The texts of some numbers, in ascending order, none of them that of no segment."""
        every, found = list(self.begins), list[str]()
        at = np.searchsorted(self.numbers, numbers, "right") - 1
        for own in np.split(np.arange(len(at)), np.flatnonzero(np.diff(at)) + 1):
            segment, first = every[at[own[0]]]
            members = numbers[own] - self.numbers[at[own[0]]]
            found += realiser.texts(segment, members.tolist(), first)
        return found


def fingerprints(realiser: Realiser, condition: Condition, draws: Draws) -> Words:
    """The fingerprints of a condition's sentences, shape (instances,).

    Equal sentences have equal fingerprints, and hardly any other sentences do.
    """
    if len(draws) > AT_ONCE:
        parts = (np.arange(start, min(start + AT_ONCE, len(draws))) for start in range(0, len(draws), AT_ONCE))
        return np.concatenate([fingerprints(realiser, condition, draws.take(part)) for part in parts])
    return realiser.prints(realiser.worded(condition).texts(draws, realiser))


def mixed(premise: Words, hypothesis: Words) -> Words:
    """The fingerprints of pairs, from those of their sentences; all of shape (instances,)."""
    with np.errstate(over="ignore"):
        x = premise * np.uint64(0xD6E8FEB86659FD93) + hypothesis
        x = (x ^ (x >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
        return x ^ (x >> np.uint64(29))
