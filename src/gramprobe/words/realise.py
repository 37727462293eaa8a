"""Realises the sentences of many instances by column, with table lookups.

The variants of a condition (its skeletons, and the values of the features it consults) are few; each is
linearised once. Variants over the same slots share a table for each slot, so that a column of sentences is one
``take`` for each slot and one join.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gramprobe.resolve.grammar.data import Cell, Grammar, Lexeme
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.tree import Composite, Slot, Tree, category_of, nodes, put
from gramprobe.space.constraints import value_of
from gramprobe.space.space import Box, Draws, Space
from gramprobe.words.linearise import consulted, linearise
from gramprobe.words.program import Segment, segments, text_of

if TYPE_CHECKING:
    import pyarrow as pa

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Profile:
    """Instances that share a tree and the values of some features.

    Attributes:
        rows: The numbers of the instances, shape (instances,).
        tree: The tree with its skeletons put in.
        chosen: The value for each (slot path, column).
    """

    rows: NDArray[np.intp]
    tree: Tree
    chosen: dict[tuple[str, str | None], Cell]


def drawn_category(space: Space, slot: Slot) -> str:
    """The category (or feature) from which the slot itself is drawn, whatever column of it is meant."""
    return space.slots[slot.name].category


def skeletons_of(box: Box, space: Space) -> dict[str, Tree]:
    """The tree of each composite draw in a box of the space."""
    draws = space.paradigm.draws
    return {d.name: s.tree for d, s in zip(draws, box.skeletons, strict=True) if s.constructors}


def codes_of(slot: Slot, column: str | None, space: Space, grammar: Grammar) -> tuple[NDArray[np.int64], list[Cell]]:
    """For every member of the drawn category the number of its value, shape (members,), and the values by number."""
    drawn = drawn_category(space, slot)
    count = len(grammar.features[drawn].values) if drawn in grammar.features else len(grammar.categories[drawn].lexemes)
    values: dict[Cell, int] = {}
    codes = [values.setdefault(value_of(slot, column, m, grammar, drawn), len(values)) for m in range(count)]
    return np.array(codes, dtype=np.int64), list(values)


def profiles(
    tree: Tree,
    keys_of: Callable[[Tree], Sequence[tuple[Slot, str | None]]],
    draws: Draws,
    space: Space,
    grammar: Grammar,
) -> list[Profile]:
    """Group instances by the skeletons in the tree and by the values of the keys; in order of first occurrence."""
    composites = {n.name for n in nodes(tree) if isinstance(n, Composite)}
    trees: dict[tuple[tuple[str, ...], ...], tuple[Tree, list[int]]] = {}
    for number, box in enumerate(space.boxes):
        named = zip(space.paradigm.draws, box.skeletons, strict=True)
        label = tuple(s.constructors for d, s in named if d.name in composites)
        if label not in trees:
            trees[label] = (put(tree, skeletons_of(box, space)), [])
        trees[label][1].append(number)
    grouped: list[Profile] = []
    for whole, numbers in trees.values():
        rows = np.flatnonzero(np.isin(draws.box, numbers)) if len(trees) > 1 else np.arange(len(draws))
        if not len(rows):
            continue
        keys = list(keys_of(whole))
        tables = [codes_of(slot, column, space, grammar) for slot, column in keys]
        code: Codes = np.zeros(len(rows), np.int64)
        for (slot, _), (codes, values) in zip(keys, tables, strict=True):
            code = code * len(values) + codes[draws.columns[slot.name][rows]]
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
        for number in np.argsort(first, kind="stable"):
            row = rows[first[number]]
            chosen = {
                (slot.path, column): values[codes[draws.columns[slot.name][row]]]
                for (slot, column), (codes, values) in zip(keys, tables, strict=True)
            }
            grouped.append(Profile(rows[inverse == number], whole, chosen))
    return grouped


@dataclass(frozen=True, slots=True)
class Filled:
    """A segment of many rows.

    Attributes:
        variants: The variants of the segment.
        variant: For each row the number of its variant, shape (rows,).
        member: For each row the number of the word that fills the slot, shape (rows,).
    """

    variants: tuple[Segment, ...]
    variant: NDArray[np.int64]
    member: NDArray[np.int64]


#: rows, and their segments from left to right
Group = tuple[NDArray[np.intp], list[Filled]]
#: the form that stands for a lexeme's id (or a feature's value) instead of its words
ID = "#id"


@dataclass(slots=True)
class Realiser:
    """Sentences of a space's conditions, for columns of draws or for one instance."""

    space: Space
    grammar: Grammar

    def segments_of(self, profile: Profile) -> tuple[Segment, ...]:
        """The segments that all instances of a profile share."""
        atoms = linearise(profile.tree, {}, profile.chosen, self.grammar)
        final = self.grammar.sentences.get(category_of(profile.tree), "")  # a noun phrase alone ends in nothing
        return segments(atoms, final)

    def filled(self, condition: Condition, draws: Draws) -> list[Group]:
        """The sentences of a condition as rows in groups that mention the same slots, with their segments."""

        def keys(tree: Tree) -> list[tuple[Slot, str | None]]:
            return consulted(tree, self.grammar)

        groups = profiles(condition.tree, keys, draws, self.space, self.grammar)
        return gathered([(p.rows, self.segments_of(p)) for p in groups], draws)

    def texts(self, filled: Filled, first: bool) -> tuple[list[str], NDArray[np.intp]]:
        """The different texts of a segment, and for each row the index of its text, shape (rows,)."""
        size = int(filled.member.max(initial=0)) + 1
        used, inverse = np.unique(filled.variant * size + filled.member, return_inverse=True)
        return [self.text(filled.variants[u // size], int(u % size), first) for u in used.tolist()], inverse

    def text(self, segment: Segment, member: int, first: bool) -> str:
        """The text of a segment whose slot is filled by a member; ``first``: it begins the sentence."""
        if segment.form is None:
            return text_of(segment, "", first)
        slot, form = segment.form.slot, segment.form.form
        if form != ID:
            return text_of(segment, self.lexeme(slot, member).forms[form], first)
        drawn = drawn_category(self.space, slot)
        if drawn in self.grammar.features:
            return text_of(segment, self.grammar.features[drawn].values[member], first)
        return text_of(segment, self.lexeme(slot, member).id, first)

    def lexeme(self, slot: Slot, member: int) -> Lexeme:
        """The lexeme that fills a slot if the member of that number is drawn for it."""
        drawn = self.grammar.categories[drawn_category(self.space, slot)]
        lexeme = drawn.lexemes[member]
        if slot.column is None:
            return lexeme
        lexeme_ = self.grammar.lexeme(slot.category, str(lexeme.columns[slot.column]))
        assert lexeme_ is not None
        return lexeme_

    def column(self, groups: list[Group], sentence: bool) -> pa.Array:
        """The texts of rows in groups as one string array, in the order of the instances; a sentence is capitalised."""
        import pyarrow as pa
        import pyarrow.compute as pc

        parts: list[pa.Array] = []
        for _, columns in groups:
            taken = []
            for index, filled in enumerate(columns):
                texts, inverse = self.texts(filled, sentence and index == 0)
                taken.append(pa.array(texts, pa.string()).take(pa.array(inverse)))
            parts.append(taken[0] if len(taken) == 1 else pc.binary_join_element_wise(*taken, ""))
        rows = np.concatenate([r for r, _ in groups])
        whole = parts[0] if len(parts) == 1 else pa.concat_arrays(parts)
        in_order = len(rows) < 2 or bool((rows[1:] > rows[:-1]).all())
        return whole if in_order else whole.take(pa.array(np.argsort(rows, kind="stable")))

    def sentences(self, condition: Condition, draws: Draws) -> pa.Array:
        """The sentences of a condition as a string array, one for each instance."""
        return self.column(self.filled(condition, draws), sentence=True)

    def sentence(self, condition: Condition, draws: Draws, row: int = 0) -> str:
        """The sentence of one row, without pyarrow; a candidate is not capitalised."""
        return self.one(self.filled(condition, draws.take(np.array([row]))), condition.side != "candidate")

    def one(self, groups: list[Group], sentence: bool) -> str:
        """The text of a single row."""
        ((_, columns),) = groups
        return "".join(self.texts(filled, sentence and index == 0)[0][0] for index, filled in enumerate(columns))


def gathered(parts: list[tuple[NDArray[np.intp], tuple[Segment, ...]]], draws: Draws) -> list[Group]:
    """Group variants and their rows by the slots that they mention: one table for each slot serves a whole group."""
    groups: dict[tuple[str, ...], list[tuple[NDArray[np.intp], tuple[Segment, ...]]]] = {}
    for rows, segments_ in parts:
        groups.setdefault(tuple(s.form.slot.path if s.form else "" for s in segments_), []).append((rows, segments_))
    filled: list[Group] = []
    for members in groups.values():
        rows = np.concatenate([r for r, _ in members])
        sizes = [len(r) for r, _ in members]
        columns: list[Filled] = []
        for index in range(len(members[0][1])):
            variants: dict[Segment, int] = {}
            numbers = [variants.setdefault(segments_[index], len(variants)) for _, segments_ in members]
            form = members[0][1][index].form
            slot = form.slot if form else None
            column = draws.columns[slot.name][rows].astype(np.int64) if slot else np.zeros(len(rows), np.int64)
            columns.append(Filled(tuple(variants), np.repeat(np.array(numbers, np.int64), sizes), column))
        filled.append((rows, columns))
    return filled
