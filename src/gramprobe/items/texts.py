"""From segments of texts to cells: dictionaries of texts, and for each row of a chunk its number in them.

The dictionaries of a paradigm are made once, the sources of a chunk once for each chunk, so that cells about the same
words share them and can be fused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramprobe.items.cells import Codes32, Lookup, Piece, Source, Text, Words
from gramprobe.resolve.tree import Slot
from gramprobe.space.space import Draws
from gramprobe.words.linearise import Segment
from gramprobe.words.realise import Realiser
from gramprobe.words.variants import Variants

#: the segments of a text
Segments = tuple[Segment, ...]
#: what may stand at one place of a text
Alternatives = tuple[Segment | None, ...]


@dataclass
class Dictionaries:
    """The dictionaries of segments: a text for every variant of a segment and every member of a category.

    Attributes:
        known: dictionaries that all chunks share.
    """

    realiser: Realiser
    known: dict[Any, Words] = field(default_factory=dict)

    def texts(self, texts: Sequence[str]) -> Words:
        """Some texts as a dictionary; the same object for the same texts."""
        key = tuple(texts)
        if key not in self.known:
            self.known[key] = Words(key)
        return self.known[key]

    def segments(self, variants: Alternatives, size: int, first: bool) -> Words:
        """The dictionary of variants of a segment, ``size`` texts for each variant in turn; None is an empty segment.

        ``first``: the segment begins a sentence, so that its first letter is a capital.
        """
        key = variants, size, first
        if key not in self.known:
            self.known[key] = self.of_members(variants, {}, size, first)
        return self.known[key]

    def of_members(self, variants: Alternatives, members: Mapping[str, Sequence[int]], size: int, first: bool) -> Words:
        """The same for slots of which only some members are numbered: ``members`` by the slot's name."""
        return Words([text for each in variants for text in self._texts(each, members, size, first)])

    def _texts(
        self, segment: Segment | None, members: Mapping[str, Sequence[int]], size: int, first: bool
    ) -> list[str]:
        if segment is None:
            return [""] * size
        if segment.form is None:
            return self.realiser.texts(segment, [0], first) * size
        slot = segment.form.slot
        texts = self.realiser.texts(segment, members.get(slot.name) or range(self.realiser.size(slot)), first)
        return [*texts, *[""] * (size - len(texts))]


@dataclass
class Spelling:
    """Makes sources and texts of one chunk of draws.

    Where a chunk has fewer rows than a category has members, only the members that it draws are numbered, and only
    they are spelt; likewise with the variants of a text.
    """

    words: Dictionaries
    draws: Draws
    _members: dict[str, Source] = field(default_factory=dict)
    _few: dict[str, list[int]] = field(default_factory=dict)
    _known: dict[Any, Words] = field(default_factory=dict)
    _narrowed: dict[Any, Source] = field(default_factory=dict)
    _used: dict[Source, tuple[Source, list[int]]] = field(default_factory=dict)
    _alone: dict[tuple[Segment, bool], Piece] = field(default_factory=dict)

    def member(self, slot: Slot) -> Source:
        """The number of the member in a slot in each row; any number in rows without the slot."""
        if slot.name not in self._members:
            codes = self.draws.columns[slot.name]
            if len(self.words.realiser.space.boxes) > 1:
                codes = np.maximum(codes, 0)
            size = self.words.realiser.size(slot)
            if 0 < len(codes) < size:
                used, inverse = np.unique(codes, return_inverse=True)
                self._few[slot.name], size, codes = used.tolist(), len(used), inverse.astype(np.int32)
            self._members[slot.name] = Source(size, codes)
        return self._members[slot.name]

    def narrowed(self, source: Source, to: Sequence[int]) -> Source:
        """The source with number ``to[i]`` in the place of i; the same object for the same arguments."""
        key = source, tuple(to)
        if key not in self._narrowed:
            size = max(to) + 1
            whole = size == source.size and list(to) == list(range(size))
            self._narrowed[key] = source if whole else Source(size, np.array(to, np.int32)[source.codes])
        return self._narrowed[key]

    def source(self, variants: Variants) -> Source | None:
        """The variant of each row; None where there is only one variant."""
        codes = variants.of(self.draws)
        return Source(len(variants.by_number), codes) if len(variants.by_number) > 1 else None

    def text(self, by: Source | None, segments: Sequence[Segments], sentence: bool) -> Text:
        """For each row the text with the segments ``segments[n]``, where n is the row's number in ``by``.

        Without ``by`` all rows have ``segments[0]``. ``sentence``: begin with a capital.
        """
        if not len(self.draws):
            return Text.of("")
        if by is not None and len(by) < by.size:
            by, used = self._with_rows(by)
            segments = [segments[number] for number in used]
        width = max(len(each) for each in segments)
        return Text.of(*(self._piece(by, segments, place, sentence and place == 0) for place in range(width)))

    def _with_rows(self, by: Source) -> tuple[Source, list[int]]:
        """The numbers of a source that some row has, and a source that numbers these."""
        if by not in self._used:
            used, codes = np.unique(by.codes, return_inverse=True)
            self._used[by] = Source(len(used), codes.astype(np.int32)), used.tolist()
        return self._used[by]

    def _piece(self, by: Source | None, segments: Sequence[Segments], place: int, first: bool) -> Piece:
        column = [each[place] if place < len(each) else None for each in segments]
        distinct = {each: number for number, each in enumerate(dict.fromkeys(column))}
        (one, *others) = distinct
        if one is not None and not others:
            if (one, first) not in self._alone:
                self._alone[one, first] = self._same(one, first)
            return self._alone[one, first]
        slots = {each.form.slot.name: each.form.slot for each in distinct if each is not None and each.form is not None}
        size = max((self.member(slot).size for slot in slots.values()), default=1)
        words = self._dictionary(tuple(distinct), slots, size, first)
        assert by is not None
        sources = [self.narrowed(by, [distinct[each] for each in column])]
        if len(slots) == 1:
            sources.append(self.member(next(iter(slots.values()))))
        elif slots:
            which = [each.form.slot.name if each is not None and each.form is not None else "" for each in distinct]
            sources.append(self._mixed(sources[0], which, slots, size))
        return Lookup(words, tuple(sources))

    def _same(self, segment: Segment, first: bool) -> Piece:
        """A segment that stands there in every row."""
        slots = {} if segment.form is None else {segment.form.slot.name: segment.form.slot}
        sources = tuple(map(self.member, slots.values()))
        words = self._dictionary((segment,), slots, sources[0].size if sources else 1, first)
        return Lookup(words, sources) if sources else words.texts[0]

    def _dictionary(self, distinct: Alternatives, slots: Mapping[str, Slot], size: int, first: bool) -> Words:
        few = {name: self._few[name] for name in slots if name in self._few}
        if not few:
            return self.words.segments(distinct, size, first)
        key = distinct, size, first
        if key not in self._known:  # another chunk has other words
            self._known[key] = self.words.of_members(distinct, few, size, first)
        return self._known[key]

    def _mixed(self, by: Source, which: Sequence[str], slots: dict[str, Slot], size: int) -> Source:
        """The member in the slot that the variant of each row has at this place."""
        codes: Codes32 = np.zeros(len(by), np.int32)
        for name, slot in slots.items():
            rows = np.flatnonzero(np.array([each == name for each in which])[by.codes])
            codes[rows] = self.member(slot).codes[rows]
        return Source(size, codes)
