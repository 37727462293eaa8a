"""Where laws of what follows from what are to be tested among the scored pairs of a dataset.

    cases_of(instances, pairs, forms) -> Cases

A sentence is its text within an instance. What is found hangs on texts and formulas alone, so that instances in which
these are equal and negated alike are looked at once, and a model's answers are read as whole columns.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.means import numbered

Numbers = NDArray[np.int64]
Pairs = tuple[tuple[int, int], ...]
E, C = "entailment", "contradiction"
SAYS: dict[str, tuple[tuple[str, ...], str]] = {
    "symmetry": ((C,), C),
    "transitivity": ((E, E), E),
    "excluded": ((E, C), C),
    "contraposition": ((E,), E),
    "equivalence": ((), E),
}
"""Law of an instance -> the labels of the pairs that are its condition, and the one that the last pair must then have.
"""
OF_THREE = ("symmetry", "excluded")
"""Laws that are tested where something in the instance is called a contradiction."""


@dataclass(frozen=True)
class Cases:
    """Where laws are to be tested.

    Attributes:
        instances: (items,) the number of the instance of each, from 0 in the order of their first items.
        first: (instances,) the first item of each.
        last: (items,) whether no later item of its instance has its two texts.
        cases: law of `SAYS` -> (cases, pairs) items: those of its condition, then the one that it speaks of.
        wording: (rows, 2) a group and an item of it: the pairs of an instance with the same two formulas.
    """

    instances: Numbers
    first: Numbers
    last: NDArray[np.bool_]
    cases: dict[str, Numbers]
    wording: Numbers


def cases_of(
    instances: Sequence[Hashable], pairs: Sequence[tuple[str, str]], forms: Sequence[tuple[str, str]]
) -> Cases:
    """The cases among items. ``instances``: (items,); ``pairs``: (items,) premise and hypothesis; ``forms``: (items,)
    their formulas, empty where there is none."""
    number = numbered(instances)
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number)) if len(number) else np.zeros(0, np.int64)
    alike: dict[tuple[Pairs, Pairs, tuple[tuple[int, ...], ...]], list[tuple[int, list[int]]]] = {}
    start = 0
    for at, end in enumerate(ends.tolist()):
        rows = order[start:end].tolist()
        start = end
        texts: dict[str, int] = {}
        known: dict[str, int] = {"": -1}
        own = tuple(
            (texts.setdefault(one, len(texts)), texts.setdefault(other, len(texts)))
            for one, other in (pairs[row] for row in rows)
        )
        of = tuple(
            (known.setdefault(one, len(known) - 1), known.setdefault(other, len(known) - 1))
            for one, other in (forms[row] for row in rows)
        )
        negated = tuple(tuple(_negations(form, known)) for form in known if form)
        alike.setdefault((own, of, negated), []).append((at, rows))
    cases: dict[str, list[tuple[Numbers, Numbers]]] = {law: [] for law in SAYS}
    groups: list[tuple[Numbers, Numbers]] = []
    last = np.ones(len(number), np.bool_)
    for shape, its in alike.items():
        items, where = np.array([rows for _, rows in its], np.int64), np.array([at for at, _ in its], np.int64)
        inside, same = _within(*shape)
        for law, found in inside.items():
            cases[law].append((np.repeat(where, len(found)), items[:, found].reshape(-1, found.shape[1])))
        if len(same):
            group = (where[:, None] * len(number) + same[:, 0]).ravel()
            groups.append((group, np.column_stack([group, items[:, same[:, 1]].ravel()])))
        kept = {pair: row for row, pair in enumerate(shape[0])}.values()
        last[np.delete(items, list(kept), axis=1)] = False
    return Cases(
        number,
        order[np.concatenate([[0], ends[:-1]]).astype(np.int64)] if len(ends) else ends,
        last,
        {law: _by_instance(found) for law, found in cases.items() if found},
        _by_instance(groups) if groups else np.zeros((0, 2), np.int64),
    )


def _by_instance(found: Sequence[tuple[Numbers, Numbers]]) -> Numbers:
    """Rows in the order of what they are found with."""
    keys, rows = (np.concatenate(own) for own in zip(*found, strict=True))
    ordered: Numbers = rows[np.argsort(keys, kind="stable")]
    return ordered


@lru_cache(1 << 10)
def _within(pairs: Pairs, forms: Pairs, negated: tuple[tuple[int, ...], ...]) -> tuple[Mapping[str, Numbers], Numbers]:
    """The cases among the pairs of an instance: law -> (cases, pairs) rows; and (rows, 2) groups of pairs with the same
    two formulas. ``forms``: the formulas of each pair, -1 for none; ``negated``: formula -> those that negate it."""
    at = {pair: row for row, pair in enumerate(pairs)}
    form: dict[int, int] = {}
    after: dict[int, list[int]] = {}
    for own, formulas in zip(pairs, forms, strict=True):
        for text, formula in zip(own, formulas, strict=True):
            form.setdefault(text, formula)
    for one, other in at:
        after.setdefault(one, []).append(other)
    texts = {formula: text for text, formula in form.items() if formula >= 0}
    found: dict[str, list[tuple[int, ...]]] = {law: [] for law in SAYS}
    for (a, b), row in at.items():
        if a == b:
            continue
        if (b, a) in at:
            found["symmetry"].append((row, at[b, a]))
        if form[a] >= 0 and form[a] == form[b]:
            found["equivalence"].append((row,))
        for c in after.get(b, ()):
            if (a, c) in at and c not in (a, b):
                found["transitivity"].append((row, at[b, c], at[a, c]))
        found["contraposition"] += [
            (row, at[not_b, not_a])
            for not_b in _texts_of(form[b], negated, texts)
            for not_a in _texts_of(form[a], negated, texts)
            if (not_b, not_a) in at and (not_b, not_a) != (a, b)
        ]
    found["excluded"] = found["transitivity"]
    same: dict[tuple[int, int], list[int]] = {}
    for row, own in enumerate(forms):
        if min(own) >= 0:
            same.setdefault(own, []).append(row)
    groups = [(n, row) for n, group in enumerate(same.values()) if len(group) > 1 for row in group]
    made = {law: np.array(own, np.int64) for law, own in found.items() if own}
    return made, np.array(groups, np.int64).reshape(-1, 2)


def _texts_of(formula: int, negated: Sequence[Sequence[int]], texts: Mapping[int, int]) -> list[int]:
    """The sentences whose formula negates this one, or is negated by it."""
    return [texts[each] for each in negated[formula] if each in texts] if formula >= 0 else []


def _negations(form: str, known: Mapping[str, int]) -> Iterator[int]:
    """The formulas that negate this one, or are negated by it. None with a presupposition or what is only implicated,
    with which entailment has no contraposition."""
    if " / " in form or form.startswith(("exh ", "? ")):
        return
    every = [f"~{form}", f"~({form})"]
    if form.startswith("~"):
        every += [form[1:], form[2:-1]]
    yield from (known[each] for each in every if each in known and each)
