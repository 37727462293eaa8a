"""The different parts of the sentences of a paradigm, which are much fewer than its sentences.

A sentence consists of texts, one for each drawn word (`words.realise`), mostly with a space before it. Where one goes
on with a word of the text before (`. He looks in`), its first word is of the part before it. So two neighbouring words
of a sentence stand in one part, or the first ends a part and the second begins the next: that is a joint. A gate that
reads words and neighbouring words finds something in a sentence iff it does in a part of it or in a joint, and each of
these is read once for all chunks. What a gate says counts whole sentences: if it finds something, it reads these.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gramprobe.dataset.gates.sentences import Sentences, Texts, is_part
from gramprobe.items.decisions import Decisions
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.words.arrow import strings

MOST_JOINTS = 1 << 24
"""The most joints that words at the ends of parts could make: above, sentences are read as wholes."""

#: what a part is in some sentence: one behind others; the first; one that must begin with a capital; one that must end
#: in a final sign
LATER, FIRST, CAPITAL, FINAL = 1, 2, 4, 8

Numbers = NDArray[np.int32]


class _Fresh(Texts):
    """Parts and joints that no chunk before had. ``bits``: what each is."""

    own = True

    def __init__(self, texts: list[str], bits: list[int], grammar: Grammar) -> None:
        super().__init__(strings(texts), grammar)
        self._bits = bits

    def of_parts(self, ending: bool) -> set[int]:
        bit = FINAL if ending else CAPITAL
        return {number for number, bits in enumerate(self._bits) if not bits & bit}


class Joints:
    """The parts and joints that were read of a paradigm's sentences."""

    def __init__(self, decisions: Decisions) -> None:
        self._realiser, self._grammar = decisions.plan.realiser, decisions.plan.grammar
        self._numbers: dict[str, int] = {}
        self._texts: list[str] = []
        #: the words at the beginnings and at the ends of parts
        self._words: tuple[dict[str, int], dict[str, int]] = {}, {}
        #: of each part: the numbers of its first and last word; of the part with which it goes on with a word, and of
        #: what is behind that; and what it was read as
        self._table: Numbers = np.zeros((5, 0), np.int32)
        self._of_text = np.zeros(0, np.int32)  # by its place among the strings of the realiser
        self._joints = np.zeros((0, 0), np.bool_)  # (last words, first words) those that were read
        self._number("")  # a part that is not there

    def fresh(self, sentences: Sentences) -> Texts | None:
        """The parts and joints of a chunk that no chunk before had, which then count as read. None where there is no
        space between words, or too many words end or begin parts."""
        if self._grammar.language.joiner != " ":
            return None
        every = {c.name: self._parts(sentences.pieces[c.name]) for c in sentences.conditions}
        lasts, firsts = map(len, reversed(self._words))
        if lasts * firsts > MOST_JOINTS:
            return None
        joints = np.zeros((lasts, firsts), np.bool_)
        read = self._table[4]
        bits = np.zeros_like(read)
        for condition in sentences.conditions:
            parts = every[condition.name]
            begin = np.zeros_like(parts[0])
            end = begin
            for place in parts:
                there, inner = place > 0, end > 0
                before = end[there & inner]
                joints[self._table[1, before], self._table[0, place[there & inner]]] = True
                _mark(bits, place[there & inner], LATER)
                begin = np.where(inner, begin, place)
                end = np.where(there, place, end)
            _mark(bits, begin, FIRST if is_part(condition, self._grammar, False) else FIRST | CAPITAL)
            _mark(bits, end, 0 if is_part(condition, self._grammar, True) else FINAL)
        known = np.zeros_like(joints)
        known[: len(self._joints), : self._joints.shape[1]] = self._joints
        found = list(self._shown(bits & ~read, joints & ~known))
        read |= bits
        self._joints = joints | known
        return _Fresh([text for text, _ in found], [own for _, own in found], self._grammar)

    def _shown(self, bits: Numbers, joints: NDArray[np.bool_]) -> Iterator[tuple[str, int]]:
        """The texts of parts, as what they are new, and of joints."""
        bits[0] = 0
        for number in np.flatnonzero(bits).tolist():
            text, own = self._texts[number], int(bits[number])
            if own & FIRST:
                yield text, own & ~LATER
            if own & (LATER | FINAL):
                yield text.removeprefix(" "), own & FINAL
        firsts, lasts = map(list, self._words)
        for last, first in np.argwhere(joints).tolist():
            yield f"{lasts[last]} {firsts[first]}", 0

    def _parts(self, pieces: NDArray[np.intp]) -> Numbers:
        """(places, instances) the parts of sentences, 0 for none, from the texts that they consist of."""
        texts, places = self._realiser.known.array(pieces, self._realiser)
        lacking = texts.slice(len(self._of_text)).to_pylist()
        self._of_text = np.append(self._of_text, np.array([self._number(each) for each in lacking], np.int32))
        parts = self._of_text[places]
        for at in range(len(parts) - 1, 0, -1):
            heads, rests = self._grown()[2:4]
            rows = np.flatnonzero(heads[parts[at]])
            if len(rows):
                both = parts[at - 1, rows].astype(np.int64) * len(self._texts) + heads[parts[at, rows]]
                used, inverse = np.unique(both, return_inverse=True)
                pairs = zip(*(each.tolist() for each in np.divmod(used, len(self._texts))), strict=True)
                joined = [self._number(self._texts[one] + self._texts[other]) for one, other in pairs]
                parts[at - 1, rows], parts[at, rows] = np.array(joined, np.int32)[inverse], rests[parts[at, rows]]
        self._grown()
        return parts

    def _number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self._texts)
            self._texts.append(text)
        return self._numbers[text]

    def _grown(self) -> Numbers:
        """The table of parts, with all of them in it."""
        while more := self._texts[self._table.shape[1] :]:
            self._table = np.concatenate([self._table, np.array(list(map(self._row, more)), np.int32).T], axis=1)
        return self._table

    def _row(self, text: str) -> tuple[int, ...]:
        """What the table says of a part."""
        words = text.removeprefix(" ").split(" ")
        both = zip(self._words, (words[0], words[-1]), strict=True)
        first, last = (own.setdefault(word, len(own)) for own, word in both)
        if text.startswith(" "):
            return first, last, 0, 0, 0
        rest = text[len(words[0]) :]
        return first, last, self._number(words[0]), self._number(rest), 0


def _mark(bits: Numbers, parts: Numbers, bit: int) -> None:
    """Say that parts are something."""
    there = np.zeros(len(bits), np.bool_)
    there[parts] = True
    bits[there] |= bit
