"""The sentences of a chunk as numbers and as words, made once for all gates; and the reasons that gates give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.decisions import Decisions
from gramprobe.items.rows import Chunk
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.tree import category_of
from gramprobe.words.realise import Words

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a gate refuses a paradigm: what is wrong, up to three examples, and what to do."""

    what: str
    examples: tuple[str, ...]
    help: str


Numbers = NDArray[np.int64]


class Texts:
    """Sentences of any origin, as the gates of spelling read them.

    Attributes:
        grammar: whose words and language they are held against.
        own: whether they are of a paradigm, whose words are known.
    """

    own = False

    def __init__(self, texts: pa.Array, grammar: Grammar) -> None:
        """``texts``: every different sentence."""
        self.grammar = grammar
        self._texts = texts

    @property
    def texts(self) -> pa.Array:
        """Every different sentence."""
        return self._texts

    @property
    def in_parts(self) -> Texts | None:
        """Texts with which nothing is wrong, by their words and neighbouring words, iff nothing is with these; None
        where there are none."""
        return None

    @cached_property
    def _split(self) -> tuple[Numbers, list[str], Numbers]:
        import pyarrow.compute as pc

        from gramprobe.words.arrow import values

        split = pc.split_pattern(self.texts, self.grammar.language.joiner or " ")
        flat = pc.list_flatten(split).dictionary_encode()
        return values(flat.indices), flat.dictionary.to_pylist(), values(split.offsets)

    @property
    def words(self) -> Numbers:
        """The words of all texts end to end, as numbers into :attr:`vocabulary`."""
        return self._split[0]

    @property
    def vocabulary(self) -> list[str]:
        """The different words."""
        return self._split[1]

    @property
    def starts(self) -> Numbers:
        """(texts + 1,), text j has ``words[starts[j] : starts[j + 1]]``."""
        return self._split[2]

    def text(self, number: int) -> str:
        """A sentence by its number."""
        return str(self.texts[int(number)].as_py())

    def of_parts(self, ending: bool) -> set[int]:
        """The numbers of texts that are parts of a sentence; of those without a paradigm none is known to be one."""
        return set()

    def texts_with(self, positions: NDArray[np.intp]) -> list[int]:
        """The numbers of the texts with these positions of ``words``, each once."""
        return list(dict.fromkeys((np.searchsorted(self.starts, positions, side="right") - 1).tolist()))


def is_part(condition: Condition, grammar: Grammar, ending: bool) -> bool:
    """Whether the sentences of a condition are parts of one: another one ends them, or they begin small."""
    category, language = category_of(condition.tree), grammar.language
    final = grammar.sentences.get(category, "")
    return final in language.marks and final not in language.ends if ending else category in grammar.continuing


class Sentences(Texts):
    """The sentences of a chunk, as gates read them, without candidates and notes, which are not sentences. What needs
    their texts is made when it is first asked for.

    Attributes:
        decisions: the answers of the paradigm.
        chunk: the instances.
        conditions: those of the sentences.
    """

    own = True

    def __init__(
        self, decisions: Decisions, chunk: Chunk, fresh: Callable[[Sentences], Texts | None] = lambda _: None
    ) -> None:
        """``fresh``: gives :attr:`in_parts`."""
        self.grammar, self.decisions, self.chunk = decisions.plan.grammar, decisions, chunk
        self.conditions = [c for c in decisions.plan.paradigm.conditions.values() if c.role != "noted"]
        self._fresh = fresh

    @cached_property
    def pieces(self) -> dict[str, NDArray[np.intp]]:
        """Condition -> (places, instances) the numbers of the texts that its sentences consist of."""
        realiser = self.decisions.plan.realiser
        begins = {c.name: realiser.begins(c) for c in self.conditions}
        return {c.name: realiser.worded(c).texts(self.chunk.draws, realiser, begins[c.name]) for c in self.conditions}

    @cached_property
    def prints(self) -> dict[str, Words]:
        """Condition -> (instances,) the fingerprints of its sentences."""
        realiser = self.decisions.plan.realiser
        return {name: realiser.prints(pieces) for name, pieces in self.pieces.items()}

    @cached_property
    def in_parts(self) -> Texts | None:
        return self._fresh(self)

    @cached_property
    def _encoded(self) -> pa.DictionaryArray:
        return self.decisions.plan.realiser.column(*self.pieces.values()).dictionary_encode()

    @property
    def texts(self) -> pa.Array:
        return self._encoded.dictionary

    @cached_property
    def codes(self) -> dict[str, Numbers]:
        """Condition -> (instances,) the number of each sentence in :attr:`texts`."""
        from gramprobe.words.arrow import values

        numbers, count = values(self._encoded.indices), len(self.chunk)
        return {name: numbers[k * count : (k + 1) * count] for k, name in enumerate(self.pieces)}

    def of_parts(self, ending: bool) -> set[int]:
        """The numbers of texts that are parts of a sentence: those that another one ends, or that begin small."""
        numbers: set[int] = set()
        for condition in self.conditions:
            if is_part(condition, self.grammar, ending):
                numbers.update(np.unique(self.codes[condition.name]).tolist())
        return numbers

    def pair_answers(self) -> Numbers:
        """(instances, pairs) numbers of answers, equal for equal answers."""
        decisions, known = self.decisions, dict[str, int]()
        columns: dict[str, Numbers] = {}
        for at, part in enumerate(decisions.parts):
            groups = self.chunk.groups.parts[at]
            words: dict[str, dict[int, int]] = {}
            for group in np.flatnonzero(np.bincount(groups)).tolist():
                for outcome in decisions.task.outcomes(part, decisions.answer(at, group)):
                    words.setdefault(outcome.part, {})[group] = known.setdefault(outcome.words, len(known))
            for name, numbers in words.items():
                table = np.zeros(int(groups.max(initial=-1)) + 1, np.int64)
                table[list(numbers)] = list(numbers.values())
                columns[name] = table[groups]
        return np.stack([columns[pair.condition] for pair in decisions.plan.paradigm.pairs], axis=1)
