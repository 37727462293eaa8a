"""Ambiguities that sentences of a pair share are resolved alike in all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import combinations, product

from gramprobe.interpret.read import MISSING, Reader, Understood


def read_alike(choices: Sequence[Sequence[Understood]], reader: Reader) -> Iterator[tuple[Understood, ...]]:
    """The choices of a reading of each sentence in which an ambiguity that two of them share is resolved alike: of each
    reading of the one the most similar ones of the other, and the other way round. Where the words that they share
    stand in another order, as in a passive, each is read by itself: the order of words is one of scopes. Where one form
    may be one word of a type in both, it is not two (*broke a cup*, *broke it*)."""
    choices = [_known_elsewhere(each, [o for o in choices if o is not each]) for each in choices]
    kept = {(a, b): _similar(choices[a], choices[b]) for a, b in combinations(range(len(choices)), 2)}
    same = {(a, b): _without_twins(choices[a], choices[b], pairs, reader) for (a, b), pairs in kept.items()}
    found = False
    for among in (same, kept) if same != kept else (kept,):
        for picked in product(*map(range, map(len, choices))) if not found else ():
            if all((picked[a], picked[b]) in pairs for (a, b), pairs in among.items()):
                found = True
                yield tuple(readings[at] for readings, at in zip(choices, picked, strict=True))


def _without_twins(
    one: Sequence[Understood], other: Sequence[Understood], kept: Collection[tuple[int, int]], reader: Reader
) -> set[tuple[int, int]]:
    """The choices of a reading of two sentences in which the fewest forms are two words of one type."""
    words, categories = reader.symbols, reader.grammar.categories

    @cache
    def are_twins(first: str, second: str) -> bool:
        types = {categories[words[each].category].type for each in (first, second)}
        forms = {*words[first].forms.values()} & {*words[second].forms.values()} - {MISSING}
        return first != second and len(types) == 1 and bool(forms)

    def count(choice: tuple[int, int]) -> int:
        sides = ({word for _, word in side[at].words} for side, at in zip((one, other), choice, strict=True))
        return sum(are_twins(*pair) for pair in product(*sides))

    counts = {choice: count(choice) for choice in kept}
    return {choice for choice, number in counts.items() if number == min(counts.values())}


def _known_elsewhere(readings: Sequence[Understood], others: Sequence[Sequence[Understood]]) -> list[Understood]:
    """The readings of a sentence with the fewest guesses that no other sentence shares: *Jones* is a name in all."""
    shared = {word for other in others for read in other for word in read.guessed}
    alone = [len({*read.guessed} - shared) for read in readings]
    return [read for read, count in zip(readings, alone, strict=True) if count == min(alone)]


def _similar(one: Sequence[Understood], other: Sequence[Understood]) -> set[tuple[int, int]]:
    if one and other and _in_other_order(one[0].words, other[0].words):
        return set(product(range(len(one)), range(len(other))))
    parts = [[_parts(each) for each in side] for side in (one, other)]
    alike = [[(a & b).total() for b in parts[1]] for a in parts[0]]
    rows = {(i, j) for i, row in enumerate(alike) for j, value in enumerate(row) if value == max(row)}
    columns = [max(column) for column in zip(*alike, strict=True)]
    return rows | {(i, j) for i, row in enumerate(alike) for j, value in enumerate(row) if value == columns[j]}


def _in_other_order(one: Sequence[tuple[str, str]], other: Sequence[tuple[str, str]]) -> bool:
    """Whether the words that two sentences share, each once, stand in another order."""
    firsts = [[word for word in dict.fromkeys(side) if word in beside] for side, beside in ((one, other), (other, one))]
    return firsts[0] != firsts[1]


def _parts(read: Understood) -> Counter[str]:
    return Counter([*re.findall(r"[A-Z]\w*", read.term), read.reading.id])
