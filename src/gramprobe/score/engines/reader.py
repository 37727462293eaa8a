"""Readers that learn from a set's own labels, scored like models: `--model reader:bag`, `--model vectors:DIR`.

A reader is made for each paradigm of the rows of the other folds of instances (`gramprobe.baselines.table`), so that no
row is scored by one that saw its instance. It is made of all rows that can be scored, also with `--total`: which
others are scored moves no score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.logistic import bags, probabilities
from gramprobe.baselines.table import FOLDS, KNOWN_FROM, counted
from gramprobe.baselines.views import Seen, levels, tokens_of
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.manifest import Word
from gramprobe.language import Language
from gramprobe.registry import Registry
from gramprobe.score.model import Wanted
from gramprobe.score.request import Classify, NoChat, Refusal, Reply, Request
from gramprobe.source import messages

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
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


@dataclass(frozen=True)
class Reader:
    """What answers a pair by the labels of other rows.

    Attributes:
        name: its name behind `reader:`.
        about: what it sees, and how it answers, as a phrase.
        sees: makes of the pairs of a paradigm, and the words of the lexicon by id, (rows, labels) probabilities; those
            of a row are made of the other folds of instances.
        package: the package that it needs beyond those of gramprobe.
    """

    name: str
    about: str
    sees: Callable[[Rows, Mapping[str, Word]], Floats]
    package: str = ""


class ReaderEngine(NoChat):
    """The engine of a reader. ``name``: as it was asked for; ``wanted``: what it is opened for."""

    kind = "reader"
    labels: tuple[str, ...] = LABELS

    def __init__(self, reader: Reader, name: str, wanted: Wanted) -> None:
        self.name, self._reader = name, reader
        self._source, self._mode, self._columns = wanted.source, wanted.bare, wanted.columns
        self._known: dict[tuple[str, str, str], tuple[float, ...]] = {}

    def prepare(self, request: Request) -> Classify | Refusal:
        if not isinstance(request, Classify):
            return Refusal("mode", "a reader gives labels to pairs, and no probability of a text")
        return request

    def settings(self) -> dict[str, Any]:
        return {"reader": self._reader.about, "folds": FOLDS, "known_from": KNOWN_FROM}

    def load(self) -> dict[str, Any]:
        """Make the reader of each paradigm; in one in which no row has a label all labels are equally likely, for there
        is nothing to learn. Raises UsageError (E91) if no row of any has one."""
        read = {name: self._rows(name, columns) for name, columns in self._columns.items()}
        read = {name: rows for name, rows in read.items() if rows.keys}  # of others all are there to be trained on
        labelled = {name for name, rows in read.items() if (rows.labels >= 0).any()}
        if read and not labelled:
            what = f"no row of {' or '.join(f'`{name}`' for name in read)} has a label to learn from"
            raise messages.score.unusable_model(self.name, what, "score it with a model or a rule")
        for name, rows in read.items():
            even = np.full((len(rows.keys), len(LABELS)), 1 / len(LABELS))
            found = self._reader.sees(rows, self._source.words) if name in labelled else even
            logs = np.log(np.maximum(found, LEAST))
            self._known.update(zip(rows.keys, map(tuple, logs.tolist()), strict=True))
        return {}

    def answer(self, prepared: Sequence[Classify]) -> list[tuple[Reply, ...]]:
        return [(Reply(self._known[pair.item, pair.premise, pair.hypothesis], 0),) for pair in prepared]

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


def reader_of(name: str) -> Reader:
    """The reader of pairs of a name. Raises UsageError for one that there is not, E91 for a package."""
    if name == "options":
        raise messages.score.of_other_items("reader", name, True, READERS)
    found = READERS.get(name)
    if found is None:
        raise messages.names.none_called("reader", name, READERS)
    check_package(found.package)
    return found


def check_package(package: str) -> None:
    """Raise UsageError (E91) if a package that a reader needs is not installed."""
    if package and find_spec(package) is None:
        raise messages.packages.lacking("this reader", package, "baselines")


def tabled(name: str, rows: Rows, words: Mapping[str, Word]) -> Floats:
    """(rows, labels) the shares of labels in the line of the table that answers a row, with 1 added to each count."""
    seen = Seen(words, rows.language)
    left, right = (seen.texts([key[at] for key in rows.keys], rows.draws) for at in (1, 2))
    counts = counted(levels(name, left, right), rows.labels, rows.instances, len(LABELS)) + 1.0
    found: Floats = counts / counts.sum(axis=1, keepdims=True)
    return found


def bagged(rows: Rows, words: Mapping[str, Word]) -> Floats:
    """(rows, labels) probabilities by words and pairs of neighbouring words of each sentence."""
    pairs = [[tokens_of(text, rows.language) for text in key[1:]] for key in rows.keys]
    texts = [dict(zip(("premise", "hypothesis"), each, strict=True)) for each in pairs]
    return probabilities(bags(texts, rows.instances), rows.labels, rows.instances, len(LABELS))


_SHIPPED = (
    Reader("hypothesis", "the hypothesis alone, by tables", partial(tabled, "hypothesis")),
    Reader("premise", "the premise alone, by tables", partial(tabled, "premise")),
    Reader("verbs", "the words of both without their order, by tables", partial(tabled, "verbs")),
    Reader(
        "bag", "words and pairs of neighbouring words of each sentence, by logistic regression", bagged, package="scipy"
    ),
)
READERS: Registry[Reader] = Registry(
    "reader", {reader.name: reader for reader in _SHIPPED}, "gramprobe.score.engines.reader:Reader"
)
"""The readers of pairs; packages add others."""
