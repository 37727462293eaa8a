"""A pointed model: finite worlds with the actual one, constant domain, rigid names, relations between worlds.

Individuals are 0 .. individuals-1; occasions, a second sort, are numbered after them. An operator with an
agent has one relation per individual, under the key `K[2]`; an operator without agent has its name as key.
Neighbourhood operators have, per world, a set of sets of worlds instead (Chellas 1980, ch. 7).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Extension: TypeAlias = tuple[frozenset[tuple[int, ...]], ...]
Neighbourhood: TypeAlias = tuple[frozenset[frozenset[int]], ...]

LARGEST = 2000
"""The most worlds, individuals or occasions of a model that is read."""


class ModelError(ValueError):
    """Data that is not a model, or a model without a value for a symbol of the formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A pointed model.

    Attributes:
        worlds: How many worlds there are, 0 .. worlds - 1.
        individuals: How many individuals there are.
        actual: The actual world.
        constants: Name -> individual.
        predicates: Name -> for each world the set of tuples that it is true of.
        relations: Operator key -> pairs of worlds.
        occasions: How many occasions there are.
        neighbourhoods: Operator key -> for each world a set of sets of worlds.
    """

    worlds: int
    individuals: int
    actual: int
    constants: dict[str, int]
    predicates: dict[str, Extension]
    relations: dict[str, frozenset[tuple[int, int]]] = field(default_factory=dict)
    occasions: int = 0
    neighbourhoods: dict[str, Neighbourhood] = field(default_factory=dict)

    def domain(self, sort: str) -> range:
        """The members of a sort, `individual` or `occasion`."""
        if sort == "individual":
            return range(self.individuals)
        if sort == "occasion" and self.occasions:
            return range(self.individuals, self.individuals + self.occasions)
        raise ModelError(f"the model has no {sort}s")

    def to_json(self) -> dict[str, Any]:
        """The model as JSON data, everything in a fixed order."""
        data = {
            "worlds": self.worlds,
            "individuals": self.individuals,
            "occasions": self.occasions,
            "actual": self.actual,
            "constants": {name: self.constants[name] for name in sorted(self.constants)},
            "predicates": {
                name: [[list(member) for member in sorted(world)] for world in self.predicates[name]]
                for name in sorted(self.predicates)
            },
            "relations": {key: [list(pair) for pair in sorted(self.relations[key])] for key in sorted(self.relations)},
        }
        if self.neighbourhoods:
            data["neighbourhoods"] = {
                key: [sorted(sorted(each) for each in world) for world in self.neighbourhoods[key]]
                for key in sorted(self.neighbourhoods)
            }
        return data

    @classmethod
    def from_json(cls, data: Any) -> Model:
        """Read and validate; raises ModelError with what is wrong."""
        if not isinstance(data, dict) or set(data) - {"neighbourhoods"} != _FIELDS:
            raise ModelError(f"a model has exactly the fields {', '.join(sorted(_FIELDS))}")
        worlds = _number(data["worlds"], 1, LARGEST, "worlds")
        individuals = _number(data["individuals"], 1, LARGEST, "individuals")
        occasions = _number(data["occasions"], 0, LARGEST, "occasions")
        actual = _number(data["actual"], 0, worlds, "actual")
        size = individuals + occasions
        constants = {name: _number(who, 0, individuals, f"constant {name}") for name, who in _table(data, "constants")}
        predicates: dict[str, Extension] = {}
        for name, per_world in _table(data, "predicates"):
            if len(_list(per_world, name)) != worlds:
                raise ModelError(f"predicate {name} needs one extension per world")
            what = f"predicate {name}"
            predicates[name] = tuple(
                [frozenset([_members(each, size, what) for each in _list(world, name)]) for world in per_world]
            )
        relations: dict[str, frozenset[tuple[int, int]]] = {}
        for key, pairs in _table(data, "relations"):
            read = [_members(pair, worlds, key) for pair in _list(pairs, key)]
            if any(len(pair) != 2 for pair in read):
                raise ModelError(f"relation {key} holds pairs of worlds")
            relations[key] = frozenset((pair[0], pair[1]) for pair in read)
        neighbourhoods: dict[str, Neighbourhood] = {}
        for key, per_world in _table(data, "neighbourhoods") if "neighbourhoods" in data else ():
            if len(_list(per_world, key)) != worlds:
                raise ModelError(f"{key} needs its sets of worlds for each world")
            neighbourhoods[key] = tuple(
                frozenset(frozenset(_members(each, worlds, key)) for each in _list(world, key)) for world in per_world
            )
        return cls(
            worlds=worlds,
            individuals=individuals,
            actual=actual,
            constants=constants,
            predicates=predicates,
            relations=relations,
            occasions=occasions,
            neighbourhoods=neighbourhoods,
        )


_FIELDS = {"worlds", "individuals", "occasions", "actual", "constants", "predicates", "relations"}


def _number(value: Any, low: int, high: int, what: str) -> int:
    if type(value) is not int or not low <= value < high:
        raise ModelError(f"{what}: {value!r} is out of range")
    return value


def _members(value: Any, high: int, what: str) -> tuple[int, ...]:
    for each in _list(value, what):
        if type(each) is not int or not 0 <= each < high:
            raise ModelError(f"{what}: {each!r} is out of range")
    return tuple(value)


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ModelError(f"{what}: a list is wanted")
    return value


def _table(data: dict[str, Any], name: str) -> list[tuple[str, Any]]:
    table = data[name]
    if not isinstance(table, dict):
        raise ModelError(f"{name}: a table is wanted")
    return list(table.items())
