"""Baselines that choose between two options: `--mode choice --model rule:longer`, `--model reader:options`.

A value is the log-probability of an option, of both together 1. A rule gives the option that it chooses 0 and the other
-100; where it says nothing both are equally probable.

A reader learns which option picks the surface reading. It is made of the rows of all paradigms that are scored, not of
each paradigm by itself: all sentences of a paradigm have one order of operators, so that in it the wording of an option
always tells the reading. That it does not is a claim about the whole set, in which each pair of operators stands in
both orders under the same options. A row is answered by what was learned of the other folds of instances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.constituents import NAME as CONSTITUENT
from gramprobe.baselines.logistic import bags, probabilities
from gramprobe.baselines.options import OPTION_RULES
from gramprobe.baselines.rules import RULES
from gramprobe.baselines.table import FOLDS, KNOWN_FROM, counted, numbered
from gramprobe.baselines.views import tokens_of
from gramprobe.language import Language
from gramprobe.score.engines.reader import LEAST, READERS, Numbers, check_package
from gramprobe.score.record import OTHERS
from gramprobe.score.request import NoChat, Pick, Refusal, Reply, Request
from gramprobe.source import messages

if TYPE_CHECKING:
    from gramprobe.score.source import Source

Floats = NDArray[np.float64]
ABOUT = {
    "options": "the two options alone, as they are or with blanks for words of few instances, by tables",
    "bag": "words and pairs of neighbouring words of the sentence and of each option, by logistic regression",
}
"""Reader -> what it sees, and how it answers."""
PICKS = ("picks_a", "picks_b")
"""The columns that say which reading an option picks."""


class OptionEngine(NoChat):
    """The engine of what chooses an option.

    ``kind``: `rule` or `reader`; ``about``: what of it decides the values, as JSON data; ``logs``: the log-probability
    of each option; ``ready``: called before the first answer.
    """

    labels: tuple[str, ...] = ()

    def __init__(
        self,
        kind: str,
        about: dict[str, Any],
        logs: Callable[[Pick], Sequence[float]],
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        self.kind, self._about, self._logs, self._ready = kind, about, logs, ready

    def prepare(self, request: Request) -> Pick | Refusal:
        if not isinstance(request, Pick):
            return Refusal("mode", "it chooses between options, and gives no probability of a text")
        return request

    def settings(self) -> dict[str, Any]:
        return self._about

    def load(self) -> dict[str, Any]:
        self._ready()
        return {}

    def answer(self, prepared: Sequence[Pick]) -> list[tuple[Reply, ...]]:
        return [tuple(Reply((value,), 0) for value in self._logs(pick)) for pick in prepared]


def option_rule(name: str) -> OptionEngine:
    """The engine of a rule. Raises UsageError for one that there is not."""
    rule = OPTION_RULES.get(name)
    if rule is None:
        if name in (*RULES, CONSTITUENT):
            raise messages.score.of_other_items("rule", name, False, OPTION_RULES)
        raise messages.names.none_called("rule for options", name, OPTION_RULES)

    def logs(pick: Pick) -> Sequence[float]:
        said = rule.says(pick.sentence, pick.options)
        if said is None:
            return [math.log(1 / len(pick.options))] * len(pick.options)
        return [0.0 if number == said else OTHERS for number in range(len(pick.options))]

    return OptionEngine("rule", {"rule": rule.about}, logs)


def option_reader(name: str, source: Source, columns: Mapping[str, Sequence[str]]) -> OptionEngine:
    """The engine of a reader. ``columns``: table -> the columns that the mode reads.

    Raises UsageError for one that there is not, E91 for a package; `load` raises E91 if no row says what is picked.
    """
    if name not in ABOUT:
        if name in READERS:
            raise messages.score.of_other_items("reader", name, False, ABOUT)
        raise messages.names.none_called("reader of options", name, ABOUT)
    for table in columns:
        if (count := len(source.tables[table].scored.options)) != len(PICKS):
            what = f"it chooses between two options, and items of `{table}` have {count}"
            raise messages.score.unusable_model(f"reader:{name}", what, "score it with a model or a rule")
    if name == "bag":
        check_package("scipy")
    known: dict[str, Sequence[float]] = {}

    def ready() -> None:
        rows = rows_of(source, columns)
        if not (rows.surface >= 0).any():
            raise messages.score.unusable_model(
                f"reader:{name}",
                "no row says which option picks the surface reading",
                "score it with a model or a rule",
            )
        logs = np.log(np.maximum(bagged(rows) if name == "bag" else tabled(rows), LEAST))
        known.update(zip(rows.ids, logs.tolist(), strict=True))

    about = {"reader": ABOUT[name], "folds": FOLDS, "known_from": KNOWN_FROM, "learned_from": sorted(columns)}
    return OptionEngine("reader", about, lambda pick: known[pick.item], ready)


@dataclass(frozen=True)
class Rows:
    """The items of all paradigms.

    Attributes:
        ids: (rows,) of the items.
        texts: (rows,) the sentence and the two options.
        tables: (rows,) the paradigms.
        languages: (rows,) of the texts; None for English.
        picks: (rows,) the number of the option that goes with the surface reading; -1 where that is not known.
        numbers: (rows,) of the instances, in the order of the rows.
    """

    ids: list[str] = field(default_factory=list)
    texts: list[tuple[str, str, str]] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    languages: list[Language | None] = field(default_factory=list)
    picks: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    @property
    def surface(self) -> Numbers:
        """`picks` as an array."""
        return np.array(self.picks, np.int64)

    @property
    def instances(self) -> Numbers:
        """`numbers` as an array."""
        return np.array(self.numbers, np.int64)


def rows_of(source: Source, columns: Mapping[str, Sequence[str]]) -> Rows:
    """The items of some tables."""
    rows, instances = Rows(), dict[tuple[str, str], int]()
    for name, wanted in columns.items():
        table = source.tables[name]
        for item in source.rows(name, wanted):
            row = item.row
            one, other = (str(row[column]) for column in table.scored.options)
            rows.ids.append(item.id)
            rows.texts.append((" ".join(str(row[column]) for column in table.scored.context), one, other))
            rows.tables.append(name)
            rows.languages.append(table.language)
            rows.picks.append(surface_option(row))
            rows.numbers.append(instances.setdefault((name, item.instance), len(instances)))
    return rows


def surface_option(row: Mapping[str, Any]) -> int:
    """The number of the option that picks the surface reading, or that is left where the other picks another reading;
    -1 where the row does not say it."""
    surface, picks = row.get("surface"), [row.get(column) for column in PICKS]
    if not surface or not any(picks):
        return -1
    if surface in picks:
        return picks.index(surface)
    return 1 if picks[0] else 0


def tabled(rows: Rows) -> Floats:
    """(rows, options) the shares of the line of the table that answers a row, with 1 added to each count."""
    both = [
        [tokens_of(option, language) for option in texts[1:]]
        for texts, language in zip(rows.texts, rows.languages, strict=True)
    ]
    frames = [[frame(words, kept) for words in each] for each, kept in zip(both, kept_words(rows, both), strict=True)]
    keys = [numbered([tuple(each) for each in level]) for level in (both, frames)]
    counts = counted(keys, rows.surface, rows.instances, 2) + 1.0
    found: Floats = counts / counts.sum(axis=1, keepdims=True)
    return found


OFTEN = 1 / 4
"""A word of the options that stands in so many of a paradigm's instances belongs to its frame, not to its content."""
LEAST_INSTANCES = 3
"""In fewer instances than these no word stands often."""


def kept_words(rows: Rows, both: Sequence[Sequence[Sequence[str]]]) -> list[frozenset[str]]:
    """(rows,) the words of the options that are of the frame in the row's paradigm."""
    there: dict[str, dict[str, set[int]]] = {}
    instances: dict[str, set[int]] = {}
    for table, number, options in zip(rows.tables, rows.numbers, both, strict=True):
        instances.setdefault(table, set()).add(number)
        for word in {word for words in options for word in words}:
            there.setdefault(table, {}).setdefault(word, set()).add(number)
    kept = {
        table: frozenset(
            word for word, own in there.get(table, {}).items() if len(own) >= max(LEAST_INSTANCES, OFTEN * len(every))
        )
        for table, every in instances.items()
    }
    return [kept[table] for table in rows.tables]


def frame(words: Sequence[str], kept: frozenset[str]) -> tuple[str, ...]:
    """The words of the frame, with a blank for each run of others."""
    marks = [word if word in kept else BLANK for word in words]
    return tuple(m for before, m in zip(["", *marks], marks, strict=False) if (before, m) != (BLANK, BLANK))


BLANK = "_"


def bagged(rows: Rows) -> Floats:
    """(rows, options) probabilities by words and pairs of neighbouring words of each text."""
    names = ("sentence", "option_a", "option_b")
    texts = [
        {name: tokens_of(text, language) for name, text in zip(names, each, strict=True)}
        for each, language in zip(rows.texts, rows.languages, strict=True)
    ]
    return probabilities(bags(texts, rows.instances), rows.surface, rows.instances, 2)
