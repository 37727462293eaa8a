"""What a model can be asked, and what it answers. Modes write requests; an engine says which of them it answers.

Requests are texts: how they become tokens is the engine's business, so that a mode works with a model of another kind
or behind an endpoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from gramprobe.language import Language

Chat: TypeAlias = tuple[tuple[str, str], ...]
"""Messages to a chat model: (role, text)."""


@dataclass(frozen=True, slots=True)
class Continue:
    """How probable are these texts after a context?

    Attributes:
        context: a text, or messages that the model's chat template turns into one.
        texts: for each part its spellings, whose probabilities are summed; each begins with what joins it to the
            context (a space).
    """

    context: str | Chat
    texts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Whole:
    """How probable are these texts, each by itself?"""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fill:
    """How probable are these candidates in the place of the slot, a mark that stands in the text once?"""

    text: str
    slot: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Regions:
    """How surprising is each region of a text? The text is its regions with a space between."""

    regions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Classify:
    """Which label does a classifier of pairs give?

    Attributes:
        premise: the first text.
        hypothesis: the second text.
        item: the id of the row that the pair is from: a reader that learned from other rows' labels answers by it.
        language: of the texts; None for English.
    """

    premise: str
    hypothesis: str
    item: str = ""
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """Which of these options goes with a sentence? For what reads texts and no prompt.

    Attributes:
        sentence: what the options are about.
        options: the options.
        item: the id of the row that they are from.
    """

    sentence: str
    options: tuple[str, ...]
    item: str = ""


Request: TypeAlias = Continue | Whole | Fill | Regions | Classify | Pick


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer for one part.

    Attributes:
        values: one number, or one for each label: log-probabilities in nats; None where nothing of it has one.
        tokens: how many tokens it is made of.
        flags: what a reader has to know of it (`record.FLAGS`).
    """

    values: tuple[float | None, ...]
    tokens: int
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request cannot be answered: a flag of `record.FLAGS` and a clause."""

    flag: str
    reason: str


class Engine(Protocol):
    """A model. Tokens are made and checked without its weights, which `load` reads.

    Attributes:
        kind: `causal`, `masked`, `classifier`, `endpoint`, `rule`, `reader` or `ngram`.
        labels: of a classifier, the columns of its answer.
    """

    kind: str
    labels: tuple[str, ...]

    def prepare(self, request: Request) -> Any | Refusal:
        """A request as tokens, or why it cannot be answered."""

    def settings(self) -> dict[str, Any]:
        """What of the model and its tokenizer decides the scores, as JSON data."""

    def shown(self, context: str | Chat) -> str:
        """A context as the model reads it, before it is tokens: messages by its chat template."""

    def load(self) -> dict[str, Any]:
        """Read the weights and try how rows can be put together; what was found, as JSON data."""

    def answer(self, prepared: Sequence[Any]) -> list[tuple[Reply, ...]]:
        """For each prepared request the answers of its parts."""


class NoChat:
    """What engines without a chat template share: messages are read as their texts, a line each."""

    def shown(self, context: str | Chat) -> str:
        """A context as the model reads it."""
        return context if isinstance(context, str) else "\n".join(text for _, text in context)
