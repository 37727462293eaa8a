"""What keeps an instance out of a walk, other than limits: a text that another one has, and a veto list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import chain

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.items.instance import names
from gramprobe.items.plan import Plan
from gramprobe.items.stretch import Keys, Pairs
from gramprobe.source.diagnostic import Span
from gramprobe.space.space import Draws
from gramprobe.words.realise import fingerprints, mixed


class Veto(Struct, frozen=True):
    """An instance that a reader rejected, with the reason and the place in the veto list."""

    instance: str
    reason: str
    span: Span


@dataclass
class Marks:
    """What keeps an instance out.

    Attributes:
        plan: the paradigm.
        texts: tuples of conditions whose sentences, taken together, no two instances may share.
        vetoes: instances to skip.
    """

    plan: Plan
    texts: Sequence[tuple[str, ...]]
    vetoes: tuple[Veto, ...] = ()

    def vetoed(self, draws: Draws) -> NDArray[np.bool_]:
        """Which instances the veto list names."""
        if not self.vetoes:
            return np.zeros(len(draws), np.bool_)
        instances = {veto.instance for veto in self.vetoes}
        return np.fromiter((name in instances for name in names(self.plan, draws)), np.bool_, len(draws))

    @cached_property
    def pairs(self) -> Pairs | None:
        """The texts that may not be repeated as pairs, where it takes much less memory to hold their sentences: these
        take longer to compare where most instances repeat one."""
        if any(len(text) != 2 for text in self.texts):
            return None
        firsts, seconds = (list(dict.fromkeys(names)) for names in zip(*self.texts, strict=True))
        if 3 * (12 * len(firsts) + 8 * len(seconds)) >= 2 * 8 * len(self.texts):
            return None
        first = [firsts.index(one) for one, _ in self.texts]
        second = [len(firsts) + seconds.index(other) for _, other in self.texts]
        beside = tuple(tuple(s for f, s in zip(first, second, strict=True) if f == at) for at in range(len(firsts)))
        return Pairs(len(firsts), np.array(first, np.intp), np.array(second, np.intp), beside)

    def prints(self, draws: Draws) -> Keys:
        """(instances, sentences), the fingerprints that are held of instances: those of the texts that may not be
        repeated, or of the sentences of :attr:`pairs`."""
        conditions, realiser = self.plan.paradigm.conditions, self.plan.realiser
        marks = {
            name: fingerprints(realiser, conditions[name], draws)
            for name in dict.fromkeys(name for text in self.texts for name in text)
        }
        if self.pairs is None:
            return np.stack([reduce(mixed, [marks[name] for name in text]) for text in self.texts], axis=1)
        names = (dict.fromkeys(names) for names in zip(*self.texts, strict=True))
        return np.stack([marks[name] for name in chain.from_iterable(names)], axis=1)

    def keys(self, prints: Keys) -> Keys:
        """(instances, texts), the fingerprints of the texts that may not be repeated."""
        return prints if self.pairs is None else self.pairs.keys(prints)
