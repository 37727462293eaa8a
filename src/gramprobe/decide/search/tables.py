"""The bit-parallel model checker: all models of a small space at once, or a random batch of a large one.

A space holds every pointed model of W worlds and D individuals whose relations are of the theory's frame classes, up
to atoms and relations that no formula depends on (`search.layout`). A model's number is written in mixed radix: the
relations lowest, then the names, then one bit for each atom; so the models of few arrows and few facts have low
numbers. Each formula is evaluated once over all of them (`search.planes`), and a question is a conjunction of bit sets.
If a space has no model for a question, that is no proof: all its models have the same size.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Self

from gramprobe.certify.model import Model
from gramprobe.decide.question import Value
from gramprobe.decide.search.layout import Layout, layout_of
from gramprobe.decide.search.planes import Batch, Planes, alternating, packed, repeated, spread
from gramprobe.decide.search.relations import TooLarge, pairs
from gramprobe.formula.ast import Formula
from gramprobe.formula.measure import Nodes
from gramprobe.formula.theory import TheorySlice

LARGEST = 1 << 24
"""The most models of a space that is enumerated; with more than some thousand models, SAT is faster."""


class Tables:
    """Evaluates formulas over a whole space, and finds models in which the formulas have wanted values.

    The formulas are sorted (`formula.sorts`), closed and without `?`, exh and updates. Raises TooLarge for a space of
    more than `limit` models, ValueError as `layout_of`.
    """

    def __init__(
        self,
        theory: TheorySlice,
        formulas: Sequence[Formula],
        worlds: int,
        individuals: int,
        occasions: int = 0,
        limit: int = LARGEST,
        nodes: Nodes | None = None,
    ) -> None:
        nodes = nodes or Nodes()
        layout = layout_of(theory, formulas, worlds, individuals, occasions, nodes, limit)
        if layout.size > limit:
            raise TooLarge(f"a space of {layout.size:,} models, and no more than {limit:,} are enumerated")
        self._start(theory, formulas, layout, _space(layout), nodes)

    @classmethod
    def tiny(
        cls,
        theory: TheorySlice,
        formulas: Sequence[Formula],
        worlds: int,
        individuals: int,
        occasions: int = 0,
        limit: int = 4096,
        nodes: Nodes | None = None,
    ) -> Self | None:
        """The tables of a space of at most `limit` models; None if it is larger, or if `Tables` does not take it.

        `nodes`: what is known of the formulas and postulates, by tables of other sizes.
        """
        try:
            return cls(theory, formulas, worlds, individuals, occasions, limit, nodes)
        except ValueError:
            return None

    @classmethod
    def sampled(
        cls,
        theory: TheorySlice,
        formulas: Sequence[Formula],
        worlds: int,
        individuals: int,
        occasions: int = 0,
        *,
        models: int,
        seed: int,
    ) -> Self:
        """The tables of a random batch: every relation, name and atom is drawn uniformly and independently.

        The same arguments give the same batch. `count` is then the number in the batch, and `find` may miss models.
        """
        tables = cls.__new__(cls)
        layout = layout_of(theory, formulas, worlds, individuals, occasions)
        tables._start(theory, formulas, layout, _batch(layout, models, random.Random(seed)), Nodes())
        return tables

    def _start(
        self, theory: TheorySlice, formulas: Sequence[Formula], layout: Layout, batch: Batch, nodes: Nodes
    ) -> None:
        self.layout, self.batch, self.formulas, self.theory = layout, batch, tuple(formulas), theory
        operators = {operator.name: operator for operator in theory.operators}
        self._planes = Planes(batch, operators, theory.projection, nodes)
        self._lawful = batch.full
        for postulate in theory.postulates:
            for world in range(layout.worlds):
                self._lawful &= self._planes.plane(postulate, True, world)

    @property
    def size(self) -> int:
        """How many pointed models were enumerated, those that break a postulate included."""
        return self.batch.size

    def models(self, wanted: Sequence[tuple[int, Value]]) -> int:
        """The bit set of the models in which each formula (by its number) has the wanted value."""
        fitting, full, plane = self._lawful, self.batch.full, self._planes.plane
        for number, value in wanted:
            formula = self.formulas[number]
            match value:
                case "T":
                    fitting &= plane(formula, True)
                case "F":
                    fitting &= plane(formula, False)
                case "N":
                    fitting &= full ^ plane(formula, True)
                case "D":
                    fitting &= plane(formula, True) | plane(formula, False)
                case "U":
                    fitting &= full ^ (plane(formula, True) | plane(formula, False))
        return fitting

    def find(self, wanted: Sequence[tuple[int, Value]]) -> Model | None:
        """The model of the lowest number in which each formula has the wanted value; None if there is no such model."""
        fitting = self.models(wanted)
        return self.model((fitting & -fitting).bit_length() - 1) if fitting else None

    def count(self, wanted: Sequence[tuple[int, Value]]) -> int:
        """How many models there are in which each formula has the wanted value."""
        return self.models(wanted).bit_count()

    def model(self, number: int) -> Model:
        """The model of a number."""
        layout, batch = self.layout, self.batch
        people, times = layout.domains["individual"], layout.domains["occasion"]
        constants = {
            name: next(who for who, where in bearers if where >> number & 1) for name, bearers in batch.bearers.items()
        }
        extensions: dict[str, list[set[tuple[int, ...]]]] = {
            name: [set() for _ in range(layout.worlds)] for name, _ in layout.predicates
        }
        for (name, world, members), where in batch.facts.items():
            if where >> number & 1:
                extensions[name][world].add(members)
        relations: dict[str, frozenset[tuple[int, int]]] = {}
        for (name, agent), sees in batch.arrows.items():
            key = name if agent is None else f"{name}[{agent}]"
            relations[key] = frozenset((w, v) for w, v in pairs(layout.worlds) if sees[w][v] >> number & 1)
        predicates = {name: tuple(map(frozenset, worlds)) for name, worlds in extensions.items()}
        return Model(
            worlds=layout.worlds,
            individuals=len(people),
            actual=0,
            constants=constants,
            predicates=predicates,
            relations=relations,
            occasions=len(times),
        )


def _space(layout: Layout) -> Batch:
    """Every model once: each choice is a digit of the model's number, `below` the product of the radices before it."""
    size, worlds = layout.size, layout.worlds
    batch = Batch(size=size, worlds=worlds, domains=layout.domains)
    below = 1

    def digit(bits: Sequence[bool]) -> int:
        return repeated(spread(bits, below), below * len(bits), size // (below * len(bits)))

    for seers, choices in zip(layout.seers, layout.choices, strict=True):
        for position, seer in enumerate(seers):
            batch.arrows[seer] = [
                [digit([bool(frame[position] >> w * worlds + v & 1) for frame in choices]) for v in range(worlds)]
                for w in range(worlds)
            ]
        below *= len(choices)
    for at, name in enumerate(layout.constants):
        bearers = sorted({way[at] for way in layout.naming})
        batch.bearers[name] = [(who, digit([way[at] == who for way in layout.naming])) for who in bearers]
    below *= len(layout.naming)
    for fact in layout.facts:
        batch.facts[fact] = alternating(below, size)
        below *= 2
    return batch


def _batch(layout: Layout, size: int, draw: random.Random) -> Batch:
    batch, worlds = Batch(size=size, worlds=layout.worlds, domains=layout.domains), layout.worlds
    for seers, choices in zip(layout.seers, layout.choices, strict=True):
        drawn = draw.choices(choices, k=size)
        for position, seer in enumerate(seers):
            batch.arrows[seer] = [
                [packed([frame[position] >> w * worlds + v & 1 == 1 for frame in drawn]) for v in range(worlds)]
                for w in range(worlds)
            ]
    ways = draw.choices(layout.naming, k=size) if len(layout.naming) > 1 else [layout.naming[0]] * size
    for at, name in enumerate(layout.constants):
        bearers = sorted({way[at] for way in layout.naming})
        batch.bearers[name] = [(who, packed([way[at] == who for way in ways])) for who in bearers]
    for fact in layout.facts:
        batch.facts[fact] = draw.getrandbits(size)
    return batch
