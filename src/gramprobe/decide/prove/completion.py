"""Completes candidates with the symbols that folding removed from the formulas, so that they have a value there too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gramprobe.certify.model import Model
from gramprobe.formula.encoding import Json


def completed(model: Model, formulas: Iterable[Json]) -> Model:
    """The model with an interpretation of every symbol of the formulas; a candidate, for the kernel to confirm.

    A missing predicate is true of no individual, a missing name denotes an unnamed individual (a new one if
    necessary), a missing relation leads from every world to itself only.
    """
    atoms, names, seers = set[str](), set[str](), set[tuple[str, str | None]]()
    for kind, *parts in (node for formula in formulas for node in _nodes(formula)):
        if kind == "atom":
            atoms.add(parts[0])
        elif kind == "const":
            names.add(parts[0])
        elif kind == "modal":
            agent = parts[1]
            if agent is None or agent[0] == "const":
                seers.add((parts[0], None if agent is None else agent[1]))
    predicates = model.predicates | {
        name: (frozenset(),) * model.worlds for name in sorted(atoms - set(model.predicates))
    }
    constants = dict(model.constants)
    unnamed = [who for who in range(model.individuals) if who not in constants.values()]
    individuals = model.individuals
    for name in sorted(names - set(constants)):
        if not unnamed:
            unnamed, individuals = [individuals], individuals + 1
        constants[name] = unnamed.pop(0)
    relations = dict(model.relations)
    for operator, agent in sorted(seers, key=str):
        key = operator if agent is None else f"{operator}[{constants[agent]}]"
        if key not in model.neighbourhoods:
            relations.setdefault(key, frozenset((w, w) for w in range(model.worlds)))
    return replace(model, individuals=individuals, predicates=predicates, constants=constants, relations=relations)


def _nodes(data: Json) -> Iterator[Json]:
    yield data
    for part in data[1:]:
        if isinstance(part, list):
            yield from _nodes(part)
