"""Does a model meet the theory's frame conditions? Each is checked pair by pair, as the correspondence table states it
(Blackburn, de Rijke & Venema 2001, ch. 3); and do different names denote different individuals?
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from gramprobe.certify.model import Model

Relation: TypeAlias = frozenset[tuple[int, int]]

_KEY = re.compile(r"([^\[\]]+)(\[(\d{1,6})\])?")

LARGEST_BY_SETS = 6
"""The most worlds of a model whose sets of worlds are checked one by one."""


@lru_cache(1024)  # most models have the same few relations
def holds(condition: str, relation: Relation, worlds: int) -> bool:
    """Whether a relation over `range(worlds)` meets a frame condition. ValueError for an unknown one."""
    everywhere = range(worlds)
    match condition:
        case "reflexive":
            return all((w, w) in relation for w in everywhere)
        case "serial":
            return all(any((w, v) in relation for v in everywhere) for w in everywhere)
        case "functional":
            return all(sum((w, v) in relation for v in everywhere) == 1 for w in everywhere)
        case "symmetric":
            return all((v, w) in relation for w, v in relation)
        case "transitive":
            return composed(relation, relation) <= relation
        case "euclidean":
            seen = successors(relation)
            return all(seen[w] <= seen.get(v, set()) for w, v in relation)
        case _:
            raise ValueError(f"no frame condition {condition!r}")


def composed(first: Relation, second: Relation) -> Relation:
    """The relation from w to u for which some v has w to v in `first` and v to u in `second`."""
    seen = successors(second)
    return frozenset((w, u) for w, v in first for u in seen.get(v, ()))


def successors(relation: Relation) -> dict[int, set[int]]:
    """The worlds that each world sees."""
    seen: dict[int, set[int]] = {}
    for w, v in relation:
        seen.setdefault(w, set()).add(v)
    return seen


def problems(model: Model, operators: Sequence[Any], distinct: bool) -> list[str]:
    """The reasons why a model is not one of the theory; empty if it is.

    `operators`: `[name, kind, frame, within, introspected_by]` each.
    """
    wrong: list[str] = []
    declared = {operator[0]: operator for operator in operators}
    for key in sorted({*model.relations, *model.neighbourhoods}):
        match = _KEY.fullmatch(key)
        if match is None or match[1] not in declared:
            wrong.append(f"relation {key} belongs to no operator of the theory")
            continue
        name, agent = match[1], match[2] or ""
        if match[3] is not None and int(match[3]) >= model.individuals:
            wrong.append(f"relation {key}: the model has no such individual")
        _, kind, frame, within, introspected_by = declared[name]
        by_sets = kind in ("neighbourhood", "dual")
        if (key in model.neighbourhoods) != by_sets or (key in model.relations) == by_sets:
            wrong.append(f"{key} has a relation or sets of worlds, and should have the other")
            continue
        others = [*((other, "within") for other in within), *((other, "introspected by") for other in introspected_by)]
        referring = [other for other, entry in declared.items() if name in (*entry[3], *entry[4])]
        missing = [other + agent for other in (*within, *introspected_by, *referring)]
        missing = [each for each in missing if each not in model.relations and each not in model.neighbourhoods]
        wrong += [f"{key} is related to {other}, of which the model is silent" for other in missing]
        if missing:
            continue
        if by_sets or any(other + agent in model.neighbourhoods for other, _ in others):
            wrong += _of_sets(model, key, frame, [(other + agent, how) for other, how in others])
            continue
        relation = model.relations[key]
        wrong += [f"relation {key} is not {each}" for each in frame if not holds(each, relation, model.worlds)]
        for other in within:
            if not relation <= model.relations[other + agent]:
                wrong.append(f"relation {key} is not within {other + agent}")
        for other in introspected_by:
            if not composed(model.relations[other + agent], relation) <= relation:
                wrong.append(f"relation {key} is not introspected by {other + agent}")
    if distinct and len(set(model.constants.values())) < len(model.constants):
        wrong.append("two names denote one individual")
    return wrong


def _of_sets(model: Model, key: str, frame: Sequence[str], others: Sequence[tuple[str, str]]) -> list[str]:
    """The violated conditions of an operator with sets of worlds, checked for every set (Chellas 1980, ch. 7)."""
    if model.worlds > LARGEST_BY_SETS:
        return [f"{key}: more than {LARGEST_BY_SETS} worlds are not checked set by set"]
    everywhere = frozenset(range(model.worlds))
    wrong: dict[str, None] = {}

    def needs(which: str, world: int, truths: frozenset[int]) -> bool:
        if which in model.neighbourhoods:
            return truths in model.neighbourhoods[which][world]
        return all(v in truths for w, v in model.relations[which] if w == world)

    for bits in range(1 << model.worlds):
        truths = frozenset(v for v in everywhere if bits >> v & 1)
        needing = frozenset(v for v in everywhere if needs(key, v, truths))
        excluding = frozenset(v for v in everywhere if needs(key, v, everywhere - truths))
        for w in everywhere:
            required = {
                "reflexive": w not in needing or w in truths,
                "serial": w not in needing or w not in excluding,
                "functional": (w in needing) != (w in excluding),
                "transitive": w not in needing or needs(key, w, needing),
                "euclidean": w in needing or needs(key, w, everywhere - needing),
                "symmetric": w not in truths or needs(key, w, everywhere - excluding),
            }
            wrong |= {f"{key} is not {each}": None for each in frame if not required.get(each, False)}
            for other, how in others:
                if how == "within" and needs(other, w, truths) and w not in needing:
                    wrong[f"{key} is not within {other}"] = None
                if how == "introspected by" and w in needing and not needs(other, w, needing):
                    wrong[f"{key} is not introspected by {other}"] = None
    return list(wrong)
