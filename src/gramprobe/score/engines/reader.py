"""Readers that learn from a set's own labels, scored like models: `--model reader:bag`, `--model vectors:DIR`.

A reader is made for each paradigm of the rows of the other folds of instances (`gramprobe.baselines.table`), so that no
row is scored by one that saw its instance. It is made of all rows that can be scored, also with `--total`: which
others are scored moves no score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.logistic import bags, probabilities
from gramprobe.baselines.readers import READERS
from gramprobe.baselines.seen import Seen, levels, tokens_of
from gramprobe.baselines.table import FOLDS, KNOWN_FROM, counted
from gramprobe.certify.rule import LABELS
from gramprobe.language import Language
from gramprobe.score.mode import Mode
from gramprobe.score.request import Answer, Classify, NoChat, Refusal, Request
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean

if TYPE_CHECKING:
    from gramprobe.score.source import Source

READER, VECTORS = "reader:", "vectors:"
Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
ABOUT = {
    "hypothesis": "the hypothesis alone, by tables",
    "premise": "the premise alone, by tables",
    "verbs": "the words of both without their order, by tables",
    "bag": "words and pairs of neighbouring words of each sentence, by logistic regression",
}
"""Reader -> what it sees, and how it answers."""
LEAST = 1e-12
"""The least probability that a logarithm is taken of."""


@dataclass(frozen=True)
class Rows:
    """The pairs of one paradigm.

    Attributes:
        keys: (rows,) (item, premise, hypothesis).
        draws: (rows,) name of a draw -> word.
        labels: (rows,) numbers in `LABELS`; -1 where there is none.
        instances: (rows,) numbers, in the order of the rows.
        language: of the sentences; None for English.
    """

    keys: list[tuple[str, str, str]]
    draws: list[Mapping[str, Any]]
    labels: Numbers
    instances: Numbers
    language: Language | None = None


class Sees(Protocol):
    """What a reader makes of the pairs of a paradigm."""

    def __call__(self, rows: Rows) -> Floats:
        """(rows, labels) probabilities; those of a row are made of the other folds."""


class ReaderEngine(NoChat):
    """The engine of a reader.

    ``name``: as it was asked for; ``about``: what it sees, in words; ``columns``: table -> the columns that the mode
    reads.
    """

    kind = "reader"
    labels: tuple[str, ...] = LABELS

    def __init__(
        self, name: str, about: str, sees: Sees, source: Source, mode: Mode, columns: Mapping[str, Sequence[str]]
    ) -> None:
        self.name, self.about, self._sees = name, about, sees
        self._source, self._mode, self._columns = source, mode, columns
        self._known: dict[tuple[str, str, str], tuple[float, ...]] = {}

    def prepare(self, request: Request) -> Classify | Refusal:
        if not isinstance(request, Classify):
            return Refusal("mode", "a reader gives labels to pairs, and no probability of a text")
        return request

    def settings(self) -> dict[str, Any]:
        return {"reader": self.about, "folds": FOLDS, "known_from": KNOWN_FROM}

    def load(self) -> dict[str, Any]:
        """Make the reader of each paradigm. Raises UsageError (E91) if no row of one has a label."""
        for name, columns in self._columns.items():
            rows = self._rows(name, columns)
            if not rows.keys:  # all of them are there to be trained on
                continue
            if not (rows.labels >= 0).any():
                raise messages.score.unusable_model(
                    self.name, f"no row of `{name}` has a label to learn from", "score it with a model or a rule"
                )
            logs = np.log(np.maximum(self._sees(rows), LEAST))
            self._known.update(zip(rows.keys, map(tuple, logs.tolist()), strict=True))
        return {}

    def answer(self, prepared: Sequence[Classify]) -> list[tuple[Answer, ...]]:
        return [(Answer(self._known[pair.item, pair.premise, pair.hypothesis], 0),) for pair in prepared]

    def _rows(self, name: str, columns: Sequence[str]) -> Rows:
        table = self._source.tables[name]
        wanted = [*columns, *(["draws"] if "draws" in table.columns else [])]
        found = list(self._pairs(name, wanted))
        instances: dict[str, int] = {}
        return Rows(
            [key for key, *_ in found],
            [draws for _, draws, _, _ in found],
            np.array([label for _, _, label, _ in found], np.int64),
            np.array([instances.setdefault(instance, len(instances)) for *_, instance in found], np.int64),
            table.language,
        )

    def _pairs(
        self, name: str, columns: Sequence[str]
    ) -> Iterator[tuple[tuple[str, str, str], Mapping[str, Any], int, str]]:
        table = self._source.tables[name]
        for item in self._source.rows(name, columns):
            gold, draws = item.row.get("label"), item.row.get("draws")
            label = -1 if gold in ("", None) else LABELS.index(table.labels[gold])
            for asked in self._mode.asked(table, item.row):
                if isinstance(asked.request, Classify):
                    key = (item.id, asked.request.premise, asked.request.hypothesis)
                    yield key, draws if isinstance(draws, dict) else {}, label, item.instance


def reader_of(name: str, source: Source) -> tuple[str, Sees]:
    """What a reader sees in words, and its function. Raises UsageError for one that there is not, E91 for a package."""
    if name == "options":
        raise UsageError(
            "the reader `options` chooses between options, and these are pairs",
            f"for pairs there are: {', '.join(ABOUT)}",
        )
    if name not in ABOUT:
        raise UsageError(f"no reader named `{name}`{did_you_mean(name, ABOUT)}", f"there are: {', '.join(ABOUT)}")
    if name in READERS:
        return ABOUT[name], lambda rows: tabled(name, rows, source)
    check_scipy()
    return ABOUT[name], bagged


def check_scipy() -> None:
    """Raise UsageError (E91) if scipy is not installed."""
    if find_spec("scipy") is None:
        raise messages.score.reader_not_installed("scipy")


def tabled(name: str, rows: Rows, source: Source) -> Floats:
    """(rows, labels) the shares of labels in the line of the table that answers a row, with 1 added to each count."""
    seen = Seen(source.words, rows.language)
    left, right = (seen.texts([key[at] for key in rows.keys], rows.draws) for at in (1, 2))
    counts = counted(levels(name, left, right), rows.labels, rows.instances, len(LABELS)) + 1.0
    found: Floats = counts / counts.sum(axis=1, keepdims=True)
    return found


def bagged(rows: Rows) -> Floats:
    """(rows, labels) probabilities by words and pairs of neighbouring words of each sentence."""
    pairs = [[tokens_of(text, rows.language) for text in key[1:]] for key in rows.keys]
    texts = [dict(zip(("premise", "hypothesis"), each, strict=True)) for each in pairs]
    return probabilities(bags(texts, rows.instances), rows.labels, rows.instances, len(LABELS))
