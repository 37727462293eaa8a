"""What is carried upward from the parts of a rule to the whole, at most one of a kind.

A way up that breaks a constraint, and only one, is found with the constraint: who lifts constraints takes it, and who
does not passes it over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from gramprobe.chart.rules import Line, Rule, Values
from gramprobe.compiled.data import Carried

#: what a part carries: kinds by name, each with its values
Load: TypeAlias = tuple[tuple[str, Values], ...]


def carried_up(
    rule: Rule, loads: Sequence[tuple[int, Load]], kept: Sequence[tuple[int, Values]], kinds: dict[str, Carried]
) -> tuple[Load, str | None] | None:
    """What the mother carries, and the constraint that this breaks; None if there is no way, or none that breaks one
    only. ``loads`` and ``kept``: number of the daughter -> what she carries, and her values that are compared."""
    found: list[tuple[str, Values]] = []
    broken: str | None = None
    compared = dict(kept)
    for name in sorted({*rule.carrying, *(kind for _, load in loads for kind, _ in load)}):
        here = {part: values for part, load in loads for kind, values in load if kind == name}
        way = _up(kinds[name], rule, here, compared)
        if way is None or (way[1] is not None and broken is not None):
            return None
        found += [(name, way[0])] if way[0] is not None else []
        broken = way[1] or broken
    return tuple(found), broken


def _up(
    kind: Carried, rule: Rule, here: dict[int, Values], kept: dict[int, Values]
) -> tuple[Values | None, str | None] | None:
    """The way up of one kind; ``here``: number of the daughter -> what she carries."""
    lines = rule.carrying.get(kind.name, ())
    broken: list[str] = []
    for line in lines:
        if line.how not in ("fills", "binds", "licenses") or not line.parts:
            continue
        (part,) = line.parts
        if part not in here:
            broken += [line.constraint] if line.how == "fills" else []
        elif fits(line, here[part], kept):
            del here[part]
        elif line.how != "licenses":
            del here[part]
            broken.append(line.constraint)
    own = [line.values for line in lines if line.how == "carries"]
    if here and kind.by_line and own:
        return None
    values = {*here.values(), *own}
    together = len(here) == rule.said and any(line.how == "all" for line in lines)
    if len(values) > 1 or (len(here) > 1 and kind.by_line and not together):
        return None
    stops = {part: line.constraint for line in lines if line.how == "barrier" for part in line.parts}
    through = {part for line in lines if line.how == "through" for part in line.parts}
    for part in here:
        if part in stops:
            broken.append(stops[part])
        elif kind.by_line and part not in through and not together:
            return None
    if len(broken) > 1:
        return None
    return next(iter(values), None), broken[0] if broken else None


def fits(line: Line, values: Values, kept: dict[int, Values]) -> bool:
    """Whether what is carried fits the daughter with which a line compares it."""
    other = kept.get(line.by, ())
    for mine, its in line.equal:
        if other[its] is not None and other[its] != values[mine]:
            return False
    return all(other[its] is None or (values[mine], other[its]) in pairs for mine, its, pairs in line.related)
