"""The protocol of modes: what is asked of a model about an item, and what its answers say.

A mode is one module in `modes/` and one entry of `modes.MODES`. It knows the columns of a task (`source.Table.scored`)
and no task by name, so that a new task needs no new mode; and it knows requests and no tokens, so that it works with
every kind of model that answers them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from gramprobe.score.request import Chat, Reply, Request
from gramprobe.score.source import Table

if TYPE_CHECKING:
    from gramprobe.score.prompts import Prompt

Values = tuple[float | None, ...]
"""The values of one part: one number, or one for each label."""
Scores = Mapping[str, Values]
"""Part -> its values, of one item."""
Measures = dict[str, float | None]
"""What a summary averages: name -> the number of one item, or None where it says nothing."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request about an item.

    Attributes:
        request: what is asked.
        parts: for each answer the name of the part, and its text, whose words and characters are counted.
    """

    request: Request
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a user may choose of a mode.

    Attributes:
        prompt: `auto`, `completion` or `chat`.
        chat: whether the model has a chat template.
        bare: whether the model reads texts and no prompt: a rule, a reader, an n-gram model.
        prompts: the prompts of the mode `prompted`; empty: those that are shipped.
        examples: table -> answered items that stand before a question, with the name of the label under `label`.
    """

    prompt: str = "auto"
    chat: bool = False
    bare: bool = False
    prompts: tuple[Prompt, ...] = ()
    examples: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)


class Mode(Protocol):
    """One way to score items. Until a mode says otherwise there is nothing to choose of it and nothing of it in the
    settings, and a value is the sum over the tokens of its part.

    Attributes:
        name: the word after `--mode`.
        about: one line about it.
        kinds: the kinds of models that answer its requests.
        kept: columns that `measures` reads, where a table has them.
        by_columns: whether one table of a run may lack parts that another has: a prompt shows columns that it has not.
    """

    @property
    def name(self) -> str: ...

    @property
    def about(self) -> str: ...

    @property
    def kinds(self) -> tuple[str, ...]: ...

    @property
    def kept(self) -> tuple[str, ...]:
        return ()

    @property
    def by_columns(self) -> bool:
        return False

    def columns(self, table: Table) -> tuple[str, ...]:
        """The columns of a table that it reads."""
        scored = table.scored
        wanted = [*scored.context, *scored.options, *scored.continuations, *self.kept]
        return tuple(column for column in dict.fromkeys(wanted) if column in table.columns)

    def fits(self, table: Table) -> bool:
        """Whether it can score the rows of a table."""

    def configured(self, options: Options) -> Mode:
        """The mode with what a user chose."""
        return self

    def settings(self, shown: Callable[[str | Chat], str]) -> dict[str, Any]:
        """What of it decides the scores, as JSON data: prompts. ``shown``: a context as the model reads it."""
        return {}

    def reduction(self, kind: str) -> str:
        """What a value is made of, for a kind of model: a phrase for `run.json`."""
        return "sum over tokens"

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        """The requests about a row, with the parts that they answer."""

    def parts(self, table: Table, row: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        """The parts of a row with their texts, in a run with these :meth:`settings`."""
        return tuple(part for asked in self.asked(table, row) for part in asked.parts)

    def naming(self, table: Table) -> tuple[str, ...]:
        """The columns whose texts say which parts an item has, where the columns' names do not say it; else none."""
        return ()

    def values(self, answer: Reply, kind: str) -> Values:
        """The values of a part: the answer, reduced."""
        return answer.values

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        """What the scores of a row say. Differences up to ``tie`` nats are ties: each side gets its share."""


def part_name(contexts: Sequence[str], context: str, column: str) -> str:
    """The name of a part: its column, behind the context's where there are several."""
    return f"{context}/{column}" if len(contexts) > 1 else column


def share(value: float, other: float, tie: float) -> float:
    """1 if the value is greater than the other, 0.5 if they tie, else 0."""
    return 0.5 if abs(value - other) <= tie else float(value > other)


def share_of(values: Sequence[float], chosen: int, tie: float) -> float:
    """The share that one of several values has of the greatest: 1, or divided by how many tie with it, or 0."""
    most = max(values)
    best = [number for number, value in enumerate(values) if most - value <= tie]
    return 1 / len(best) if chosen in best else 0.0


def mass(values: Sequence[float]) -> float:
    """The probability of some answers together. At most 1, though a value may be an upper bound (flag `unlisted`)."""
    return min(1.0, math.fsum(map(math.exp, values)))


def known(scores: Scores, part: str) -> float | None:
    """The value of a part; None if it was refused, or is not there."""
    return scores.get(part, (None,))[0]


def texts(row: Mapping[str, Any], columns: Sequence[str]) -> dict[str, str]:
    """The texts of some columns of a row, without optional columns that are empty or missing."""
    from gramprobe.score.forms import OPTIONAL

    found = {column: str(row.get(column) or "") for column in columns}
    return {column: text for column, text in found.items() if text or column not in OPTIONAL}
