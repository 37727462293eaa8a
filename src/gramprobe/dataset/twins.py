"""Pairs of sentences that two paradigms of one dataset share. If their answers differ (contradicting duplicates), the
build is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from gramprobe.items.decisions import Decisions
from gramprobe.items.rows import Chunk
from gramprobe.items.tasks import task_of

Keys = NDArray[np.uint64]
Codes = NDArray[np.int16]


class Pairs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pairs of sentences of a paradigm with their answers, those of an instance together.

    Attributes:
        keys: the fingerprint of each pair: integers of 64 bits.
        answers: the answer of each pair, as its place in ``words``: integers of 16 bits.
        words: the answers that occur.
        each: how many pairs an instance has.
    """

    keys: bytes = b""
    answers: bytes = b""
    words: list[str] = []
    each: int = 1

    @classmethod
    def joined(cls, parts: Sequence[Pairs]) -> Pairs:
        """The pairs of several runs of instances, in order."""
        words: dict[str, int] = {}
        answers = []
        for part in parts:
            numbers = np.array([words.setdefault(each, len(words)) for each in part.words], np.int16)
            answers.append(numbers[np.frombuffer(part.answers, np.int16)].tobytes())
        each = next((part.each for part in parts), 1)
        return cls(keys=b"".join(p.keys for p in parts), answers=b"".join(answers), words=list(words), each=each)


class PairsOf:
    """Collects the pairs of a paradigm: call :meth:`add` with every chunk.

    Only tasks in which single pairs may not be repeated have fingerprints of pairs; of other tasks there are none, nor
    of graded sets, which have no answers, nor if they are not ``wanted``.
    """

    def __init__(self, decisions: Decisions, wanted: bool = True) -> None:
        self._decisions, self._wanted = decisions, wanted
        self._keys: list[Keys] = []
        self._answers: list[Codes] = []
        self._words: dict[str, int] = {}

    def add(self, chunk: Chunk) -> None:
        """Collect the pairs of a chunk."""
        if (
            not self._wanted
            or self._decisions.plan.paradigm.graded
            or chunk.keys is None
            or chunk.keys.shape[1] != len(self._decisions.parts)
            or not len(chunk)
        ):
            return
        self._keys.append(chunk.keys.reshape(-1))
        self._answers.append(self._answers_of(chunk))

    def pairs(self) -> Pairs:
        """All pairs so far, in the order of the rows."""
        return Pairs(
            keys=b"".join(each.tobytes() for each in self._keys),
            answers=b"".join(each.tobytes() for each in self._answers),
            words=list(self._words),
            each=len(self._decisions.parts),
        )

    def _answers_of(self, chunk: Chunk) -> Codes:
        """(instances x pairs,) the number of each pair's answer, an instance's pairs together."""
        task, columns = task_of(self._decisions.plan.paradigm), []
        for at, groups in enumerate(chunk.groups.parts):
            table = np.zeros(int(groups.max(initial=-1)) + 1, np.int16)
            for group in np.unique(groups).tolist():
                words = "; ".join(task.answered(self._decisions.answer(at, group)))
                table[group] = self._words.setdefault(words, len(self._words))
            columns.append(table[groups])
        return np.stack(columns, axis=1).reshape(-1)


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """Pairs of a paradigm that an earlier one has with another answer.

    Attributes:
        paradigm: the name of the earlier paradigm.
        count: how many pairs.
        instance, part: the number of the instance and of the pair in it, for the first of them.
        before, now: its answer there and here.
    """

    paradigm: str
    count: int
    instance: int
    part: int
    before: str
    now: str


class Twins:
    """The pairs of all paradigms so far."""

    def __init__(self) -> None:
        self._seen: list[tuple[str, Keys, Codes]] = []  # sorted by key
        self._words: dict[str, int] = {}

    def add(self, name: str, pairs: Pairs) -> Iterator[Contradiction]:
        """Add the pairs of a paradigm, and give its contradictions with each of those before."""
        keys = np.frombuffer(pairs.keys, np.uint64)
        if not len(keys):
            return
        numbers = np.array([self._words.setdefault(each, len(self._words)) for each in pairs.words], np.int16)
        answers = numbers[np.frombuffer(pairs.answers, np.int16)]
        words = list(self._words)
        order = np.argsort(keys, kind="stable")
        in_order, said = keys[order], answers[order]  # what is sorted is found faster
        for other, before, known in self._seen:
            at = np.minimum(np.searchsorted(before, in_order), len(before) - 1)
            different = np.flatnonzero((before[at] == in_order) & (known[at] != said))
            if len(different):
                first = int(different[np.argmin(order[different])])
                instance, part = divmod(int(order[first]), pairs.each)
                yield Contradiction(
                    paradigm=other,
                    count=len(different),
                    instance=instance,
                    part=part,
                    before=words[int(known[at[first]])],
                    now=words[int(said[first])],
                )
        self._seen.append((name, in_order, said))
