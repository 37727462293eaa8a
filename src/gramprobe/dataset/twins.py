"""Pairs of sentences that two paradigms of one dataset share. If their answers differ (contradicting duplicates), the
build is refused."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.decisions import Decisions
from gramprobe.items.stream import Chunk
from gramprobe.items.tasks import task_of
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings

Keys = NDArray[np.uint64]
Codes = NDArray[np.int16]


@dataclass
class Twins:
    """Fingerprints and answers of all pairs so far, by chunk, each sorted by fingerprint.

    Only tasks in which single pairs may not be repeated have fingerprints of pairs; other tasks are not compared.
    """

    seen: list[tuple[str, Keys, Codes]] = field(default_factory=list)
    _words: dict[str, int] = field(default_factory=dict)

    def add(self, decisions: Decisions, chunk: Chunk, findings: Findings) -> None:
        """Compare a chunk with earlier paradigms; the first pair with another answer is reported with both answers."""
        paradigm = decisions.plan.paradigm
        if chunk.keys is None or chunk.keys.shape[1] != len(decisions.parts) or not len(chunk):
            return
        keys, answers = chunk.keys.reshape(-1), self._answers(decisions, chunk)
        for name, before, known in self.seen:
            if name == paradigm.name:
                continue
            at = np.minimum(np.searchsorted(before, keys), len(before) - 1)
            wrong = np.flatnonzero((before[at] == keys) & (known[at] != answers))
            if len(wrong):
                row, part = divmod(int(wrong[0]), len(decisions.parts))
                sentences = " => ".join(
                    decisions.plan.realiser.sentence(paradigm.conditions[condition], chunk.draws, row)
                    for condition in decisions.parts[part].conditions
                )
                words = list(self._words)
                was, now = words[int(known[at[wrong[0]]])], words[int(answers[wrong[0]])]
                findings.add(
                    messages.build.contradicting_duplicates(paradigm.span, name, len(wrong), sentences, was, now)
                )
        order = np.argsort(keys, kind="stable")
        self.seen.append((paradigm.name, keys[order], answers[order]))

    def _answers(self, decisions: Decisions, chunk: Chunk) -> Codes:
        """(instances x pairs,) the number of each pair's answer, an instance's pairs together."""
        task, columns = task_of(decisions.plan.paradigm), []
        for at, groups in enumerate(chunk.groups.parts):
            table = np.zeros(int(groups.max(initial=-1)) + 1, np.int16)
            for group in np.unique(groups).tolist():
                words = "; ".join(task.answered(decisions.answer(at, group)))
                table[group] = self._words.setdefault(words, len(self._words))
            columns.append(table[groups])
        return np.stack(columns, axis=1).reshape(-1)
