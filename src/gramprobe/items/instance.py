"""The name of an instance, the ids of its draws joined by points; and from such a name back to the draws."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gramprobe.items.plan import Plan
from gramprobe.resolve.paradigm.data import Carried, Draw, Skeleton
from gramprobe.resolve.paradigm.draws import source_of
from gramprobe.resolve.tree import Apply, Slot, Tree
from gramprobe.space.space import Box, Draws
from gramprobe.words.linearise import Form, Segment
from gramprobe.words.realise import ID, Places, column_form


def parts(tree: Tree, named: bool) -> Iterator[str | Slot]:
    """The parts of a name: slots of a drawn tree from left to right, with constructors where ``named``."""
    if isinstance(tree, Slot):
        yield tree
    elif isinstance(tree, Apply):
        if named:
            yield tree.constructor.name
        for argument in tree.arguments[: len(tree.constructor.declared)]:  # of a definition, what was given to it
            yield from parts(argument, named)


def _segments(pieces: list[str | Slot]) -> tuple[Segment, ...]:
    """``Transitive . <v> . Name . <p>`` as segments around the slots."""
    segments: list[Segment] = []
    held = ""
    for index, piece in enumerate(pieces):
        held += "." if index else ""
        if isinstance(piece, str):
            held += piece
        else:
            segments.append(Segment(held, Form(piece, ID, False)))
            held = ""
    if not segments:
        return (Segment(held, None),)
    if held:
        segments[-1] = Segment(segments[-1].before, segments[-1].form, held)
    return tuple(segments)


def names(plan: Plan, draws: Draws) -> list[str]:
    """The names of instances."""
    every = [segments_of(plan, box) for box in plan.space.boxes]
    texts = Places(sentence=False).of(draws.box, every, draws, plan.realiser)
    return plan.realiser.column(texts).to_pylist()  # type: ignore[no-any-return]


def name_of(plan: Plan, draws: Draws) -> str:
    """The name of a single instance, without pyarrow."""
    return plan.realiser.one(segments_of(plan, plan.space.boxes[int(draws.box[0])]), draws, sentence=False)


def segments_of(plan: Plan, box: Box, only: Draw | None = None) -> tuple[Segment, ...]:
    """The name of a box's instances (or the part of one draw) as segments."""
    pairs = zip(plan.paradigm.draws, box.skeletons, strict=True)
    return _segments([p for d, s in pairs if only in (None, d) for p in parts(s.tree, d.named)])


def carried_segments(plan: Plan, box: Box, carried: Carried) -> tuple[Segment, ...]:
    """The value of a carried column in a box's instances; empty where the drawn phrase has no such column."""
    at = next(number for number, draw in enumerate(plan.paradigm.draws) if draw.name == carried.draw)
    source = source_of(box.skeletons[at], carried.column, plan.grammar)
    if source is not None and source.slot is not None and source.column is not None:
        return (Segment("", Form(source.slot, column_form(source.column), False)),)
    return (Segment("|".join(source.constant or ()) if source is not None else "", None),)


def draws_of(plan: Plan, instance: str) -> Draws | None:
    """The draws of the instance with a name; None if no instance of the paradigm has it."""
    words = instance.split(".")
    for number, box in enumerate(plan.space.boxes):
        filled = _filled(plan, box.skeletons, words)
        if filled is not None and box.network and box.network.holds([filled[s.name] for s in box.slots]):
            columns = {n: np.array([filled.get(n, -1)], np.int32) for n in plan.space.slots}
            return Draws(np.array([number], np.int32), columns)
    return None


def _filled(plan: Plan, skeletons: tuple[Skeleton, ...], words: list[str]) -> dict[str, int] | None:
    """Slot -> member where the words are, in order, the skeletons' constructors and lexemes of their domains; else
    None."""
    pairs = zip(plan.paradigm.draws, skeletons, strict=True)
    pieces = [p for d, s in pairs for p in parts(s.tree, d.named)]
    if len(pieces) != len(words):
        return None
    domains = {d.slot.name: d.members for s in skeletons for d in s.domains}
    members: dict[str, int] = {}
    for piece, word in zip(pieces, words, strict=True):
        if isinstance(piece, str):
            if piece != word:
                return None
            continue
        member = _member(plan, piece, word)
        if member is None or member not in domains[piece.name]:
            return None
        members[piece.name] = member
    return members


def _member(plan: Plan, slot: Slot, word: str) -> int | None:
    if slot.is_feature:
        values = plan.grammar.features[slot.category].values
        return values.index(word) if word in values else None
    lexeme = plan.grammar.lexeme(slot.category, word)
    return lexeme.index if lexeme else None
