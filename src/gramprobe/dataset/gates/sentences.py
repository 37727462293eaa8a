"""The sentences of a chunk as numbers and as words, computed once for all gates; and the reasons that gates give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.decisions import Decisions
from gramprobe.items.rows import Chunk
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.tree import category_of

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a gate refuses a paradigm: what is wrong, up to three examples, and what to do."""

    what: str
    examples: tuple[str, ...]
    help: str


Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Sentences of any origin, as the gates of spelling read them.

    Attributes:
        grammar: whose words and language they are held against.
        texts: every different sentence.
        words: the words of all texts end to end, as numbers into ``vocabulary``; text j has
            ``words[starts[j] : starts[j + 1]]``.
    """

    grammar: Grammar
    texts: pa.Array
    words: Numbers
    vocabulary: list[str]
    starts: Numbers

    @classmethod
    def plain(cls, texts: pa.Array, grammar: Grammar) -> Texts:
        """Different sentences without any paradigm."""
        return cls(grammar=grammar, texts=texts, **_words(texts, grammar))

    def text(self, number: int) -> str:
        """A sentence by its number."""
        return str(self.texts[int(number)].as_py())

    def of_parts(self, ending: bool) -> set[int]:
        """The numbers of texts that are parts of a sentence; of those without a paradigm none is known to be one."""
        return set()

    def texts_with(self, positions: NDArray[np.intp]) -> list[int]:
        """The numbers of the texts with these positions of ``words``, each once."""
        return list(dict.fromkeys((np.searchsorted(self.starts, positions, side="right") - 1).tolist()))


def _words(texts: pa.Array, grammar: Grammar) -> dict[str, Any]:
    """The words of texts, in the fields of `Texts`."""
    import pyarrow.compute as pc

    from gramprobe.words.arrow import values

    split = pc.split_pattern(texts, grammar.language.joiner or " ")
    flat = pc.list_flatten(split).dictionary_encode()
    return {"words": values(flat.indices), "vocabulary": flat.dictionary.to_pylist(), "starts": values(split.offsets)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences(Texts):
    """The sentences of a chunk, as gates read them.

    Attributes:
        decisions: the answers of the paradigm.
        chunk: the instances.
        codes: condition -> (instances,) the number of each sentence in ``texts``.
    """

    decisions: Decisions
    chunk: Chunk
    codes: dict[str, Numbers]

    @classmethod
    def of(cls, decisions: Decisions, chunk: Chunk) -> Sentences:
        """The sentences of a chunk, without candidates and notes, which are not sentences."""
        import pyarrow as pa

        from gramprobe.words.arrow import values

        realiser, count = decisions.plan.realiser, len(chunk)
        conditions = [c for c in decisions.plan.paradigm.conditions.values() if c.role != "noted"]
        columns = [realiser.sentences(condition, chunk.draws) for condition in conditions]
        encoded = pa.concat_arrays(columns).dictionary_encode()
        numbers = values(encoded.indices)
        grammar = decisions.plan.grammar
        return cls(
            grammar=grammar,
            decisions=decisions,
            chunk=chunk,
            texts=encoded.dictionary,
            codes={c.name: numbers[k * count : (k + 1) * count] for k, c in enumerate(conditions)},
            **_words(encoded.dictionary, grammar),
        )

    def of_parts(self, ending: bool) -> set[int]:
        """The numbers of texts that are parts of a sentence: those that another one ends, or that begin small."""
        grammar, plan = self.grammar, self.decisions.plan
        numbers: set[int] = set()
        for name, codes in self.codes.items():
            category = category_of(plan.paradigm.conditions[name].tree)
            final, language = grammar.sentences.get(category, ""), grammar.language
            another_ends_it = final in language.marks and final not in language.ends
            if another_ends_it if ending else category in grammar.continuing:
                numbers.update(np.unique(codes).tolist())
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
