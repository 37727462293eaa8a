"""Why a paradigm has no instance: how many each condition leaves, and which is to blame."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.data import Domain, Paradigm
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.space.boxes import Boxes
from gramprobe.space.constraints import Either, Test

#: the number of ways to fill domains under tests; None if counting would need too large a table
Count = Callable[[list[Domain], list[Test | Either]], int | None]


def why_empty(paradigm: Paradigm, grammar: Grammar, count: Count) -> tuple[Span, list[str], str]:
    """The place of the condition to blame, notes with the numbers of instances, and a help."""
    boxes: list[tuple[list[Domain], list[Test | Either]]] = []
    never: list[Span] = []
    boxes_of = Boxes(paradigm, grammar, Findings())
    for skeletons in product(*(d.skeletons for d in paradigm.draws)):
        trees = {d.name: s.tree for d, s in zip(paradigm.draws, skeletons, strict=True) if s.constructors}
        tests = boxes_of.tests(trees, never)
        if tests is not None:
            boxes.append(([x for s in skeletons for x in s.domains], tests))
    first = paradigm.draws[0].span if paradigm.draws else paradigm.span
    if not boxes:
        return (never[0] if never else first), ["this condition holds of no words at all"], ""
    words = [f"{d.slot.name} {len(d.members):,}" for d in boxes[0][0]]
    total = sum(prod(len(d.members) for d in domains) for domains, _ in boxes)
    notes = [f"words: {', '.join(words)}: {total:,} in all" + (" ways of building them" if len(boxes) > 1 else "")]
    every = list(dict.fromkeys(t for _, tests in boxes for t in tests))
    kept: set[Test | Either] = set()
    for test in every:
        kept.add(test)
        left = _total(boxes, count, kept)
        if left is None:
            break
        notes.append(f"{left:,} with {test.shown}{_place(test.span, paradigm)}")
        if not left:
            break
    blamed = [t for t in every if _total(boxes, count, {o for o in every if o != t})]
    span = next((t.span for t in (*blamed, *every[::-1]) if t.span and t.span.path == paradigm.span.path), first)
    shown = " or ".join(dict.fromkeys(f"`{t.shown}`" for t in blamed[:3]))
    return span, notes, f"there are words without {shown}; or widen a draw" if shown else "widen a draw, or add words"


def _total(boxes: list[tuple[list[Domain], list[Test | Either]]], count: Count, kept: set[Test | Either]) -> int | None:
    sizes = [count(domains, [t for t in tests if t in kept]) for domains, tests in boxes]
    return None if any(s is None for s in sizes) else sum(s for s in sizes if s)


def _place(span: Span | None, paradigm: Paradigm) -> str:
    """The place of a condition that is in another file than the paradigm."""
    return f" ({span.path}:{span.line})" if span is not None and span.path != paradigm.span.path else ""
