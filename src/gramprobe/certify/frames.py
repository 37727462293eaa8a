"""Is a model one of the theory's frames? Each condition as the correspondence table states it (Blackburn, de
Rijke & Venema 2001, ch. 3), checked pair by pair; and do different names denote different individuals?
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from gramprobe.certify.model import Model

Relation: TypeAlias = frozenset[tuple[int, int]]

_KEY = re.compile(r"([^\[\]]+)(\[(\d+)\])?")


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
            return all((v, u) in relation for w, v in relation for x, u in relation if w == x)
        case _:
            raise ValueError(f"no frame condition {condition!r}")


def composed(first: Relation, second: Relation) -> Relation:
    """From w to u where some v lies between."""
    return frozenset((w, u) for w, v in first for x, u in second if v == x)


def problems(model: Model, operators: Sequence[Any], distinct: bool) -> list[str]:
    """What keeps a model from being one of the theory; `operators` as `[name, kind, frame, within,
    introspected_by]`.
    """
    found: list[str] = []
    declared = {operator[0]: operator for operator in operators}
    for key in sorted(model.relations):
        match = _KEY.fullmatch(key)
        if match is None or match[1] not in declared:
            found.append(f"relation {key} belongs to no operator of the theory")
            continue
        name, agent = match[1], match[2] or ""
        if match[3] is not None and int(match[3]) >= model.individuals:
            found.append(f"relation {key}: the model has no such individual")
        _, _, frame, within, introspected_by = declared[name]
        relation = model.relations[key]
        found += [f"relation {key} is not {each}" for each in frame if not holds(each, relation, model.worlds)]
        for other in within:
            wider = model.relations.get(other + agent)
            if wider is None or not relation <= wider:
                found.append(f"relation {key} is not within {other + agent}")
        for other in introspected_by:
            looking = model.relations.get(other + agent)
            if looking is None or not composed(looking, relation) <= relation:
                found.append(f"relation {key} is not introspected by {other + agent}")
    if distinct and len(set(model.constants.values())) < len(model.constants):
        found.append("two names denote one individual")
    return found
