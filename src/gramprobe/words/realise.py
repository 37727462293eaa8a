"""Conditions by column: every sentence of many instances by table lookups.

The variants of a condition (its skeletons, and the values of the features it consults) are few; each is
linearised once. Variants over the same slots share one table a slot, so that a column of sentences is one
``take`` a slot and one join.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.resolve.declarations import Cell, Grammar, Lexeme
from gramprobe.resolve.paradigm import Condition
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
    """Instances that share a tree and the values of some features: their numbers, the tree, the values."""

    rows: NDArray[np.intp]
    tree: Tree
    chosen: dict[tuple[str, str | None], Cell]


def drawn_category(space: Space, slot: Slot) -> str:
    """The category (or feature) from which the slot itself is drawn, whatever column of it is meant."""
    return space.slots[slot.name].category


def skeletons_of(box: Box, space: Space) -> dict[str, Tree]:
    draws = space.paradigm.draws
    return {d.name: s.tree for d, s in zip(draws, box.skeletons, strict=True) if s.constructors}


def codes_of(slot: Slot, column: str | None, space: Space, grammar: Grammar) -> tuple[NDArray[np.int64], list[Cell]]:
    """For every member of the drawn category the number of its value, and the values in order of first use."""
    drawn = drawn_category(space, slot)
    count = (
        len(grammar.features[drawn].values) if drawn in grammar.features else len(grammar.categories[drawn].lexemes)
    )
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
    found: list[Profile] = []
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
            found.append(Profile(rows[inverse == number], whole, chosen))
    return found


@dataclass(frozen=True, slots=True)
class Filled:
    """A segment of many rows: the segment's variants, and for each row a variant and what fills its slot."""

    variants: tuple[Segment, ...]
    slot: Slot | None
    variant: NDArray[np.int64]
    member: NDArray[np.int64]


@dataclass(slots=True)
class Realiser:
    """Sentences of a space's conditions, for columns of draws or for one instance."""

    space: Space
    grammar: Grammar
    _programs: dict[tuple[str, tuple[Any, ...]], tuple[Segment, ...]] = field(default_factory=dict)

    def segments_of(self, condition: Condition, profile: Profile) -> tuple[Segment, ...]:
        atoms = linearise(profile.tree, {}, profile.chosen, self.grammar)
        return segments(atoms, self.grammar.sentences[category_of(profile.tree)])

    def filled(self, condition: Condition, draws: Draws) -> list[tuple[NDArray[np.intp], list[Filled]]]:
        """Rows in groups that mention the same slots in the same order, with their segments."""
        groups: dict[tuple[str, ...], list[tuple[Profile, tuple[Segment, ...]]]] = {}
        for profile in profiles(
            condition.tree, lambda t: consulted(t, self.grammar), draws, self.space, self.grammar
        ):
            parts = self.segments_of(condition, profile)
            groups.setdefault(tuple(s.form.slot.path if s.form else "" for s in parts), []).append((profile, parts))
        found: list[tuple[NDArray[np.intp], list[Filled]]] = []
        for members in groups.values():
            rows = np.concatenate([p.rows for p, _ in members])
            sizes = [len(p.rows) for p, _ in members]
            columns: list[Filled] = []
            for index in range(len(members[0][1])):
                variants: dict[Segment, int] = {}
                numbers = [variants.setdefault(parts[index], len(variants)) for _, parts in members]
                form = members[0][1][index].form
                slot = form.slot if form else None
                column = draws.columns[slot.name][rows].astype(np.int64) if slot else np.zeros(len(rows), np.int64)
                columns.append(Filled(tuple(variants), slot, np.repeat(np.array(numbers, np.int64), sizes), column))
            found.append((rows, columns))
        return found

    def column(self, condition: Condition, draws: Draws) -> pa.Array:
        """The sentences of a condition, one an instance, as a string array."""
        import pyarrow as pa
        import pyarrow.compute as pc

        parts: list[pa.Array] = []
        order: list[NDArray[np.intp]] = []
        for rows, columns in self.filled(condition, draws):
            taken = [self._taken(filled, index == 0) for index, filled in enumerate(columns)]
            parts.append(taken[0] if len(taken) == 1 else pc.binary_join_element_wise(*taken, ""))
            order.append(rows)
        if len(parts) == 1:
            return _in_order(parts[0], order[0])
        return _in_order(pa.concat_arrays(parts), np.concatenate(order))

    def _taken(self, filled: Filled, first: bool) -> pa.Array:
        import pyarrow as pa

        size = int(filled.member.max(initial=0)) + 1
        used, inverse = np.unique(filled.variant * size + filled.member, return_inverse=True)
        texts = [self._text(filled.variants[u // size], int(u % size), first) for u in used.tolist()]
        return pa.array(texts, pa.string()).take(pa.array(inverse))

    def _text(self, segment: Segment, member: int, first: bool) -> str:
        if segment.form is None:
            return text_of(segment, "", first)
        return text_of(segment, self.lexeme(segment.form.slot, member).forms[segment.form.form], first)

    def lexeme(self, slot: Slot, member: int) -> Lexeme:
        """What fills a slot when member number ``member`` is drawn for it."""
        drawn = self.grammar.categories[drawn_category(self.space, slot)]
        lexeme = drawn.lexemes[member]
        if slot.column is None:
            return lexeme
        found = self.grammar.lexeme(slot.category, str(lexeme.columns[slot.column]))
        assert found is not None
        return found

    def sentence(self, condition: Condition, draws: Draws, row: int = 0) -> str:
        """One sentence, without pyarrow."""
        one = draws.take(np.array([row]))
        (profile,) = profiles(condition.tree, lambda t: consulted(t, self.grammar), one, self.space, self.grammar)
        parts = self.segments_of(condition, profile)
        texts = [
            self._text(s, int(one.columns[s.form.slot.name][0]) if s.form else 0, i == 0) for i, s in enumerate(parts)
        ]
        return "".join(texts)


def _in_order(values: pa.Array, rows: NDArray[np.intp]) -> pa.Array:
    """Values that stand in the order of ``rows`` put back into the order of the instances."""
    import pyarrow as pa

    if len(rows) < 2 or bool((rows[1:] > rows[:-1]).all()):
        return values
    return values.take(pa.array(np.argsort(rows, kind="stable")))


def lexeme_ids(slot: Slot, space: Space, grammar: Grammar) -> list[str]:
    """The id (or feature value) of every member that may fill the slot itself."""
    drawn = drawn_category(space, slot)
    if drawn in grammar.features:
        return list(grammar.features[drawn].values)
    return [x.id for x in grammar.categories[drawn].lexemes]

