"""What `--model` names: what a model is opened for, what opening it gives, and the kinds that a prefix names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from gramprobe.language import english
from gramprobe.score.mode import Mode, Options
from gramprobe.score.order import RunOrder
from gramprobe.score.request import Engine, Pick
from gramprobe.score.source import Source
from gramprobe.source import messages


class Model(Protocol):
    """What the record of a run says of a model.

    Attributes:
        name: a name that no path is part of.
        kind: the kind of its engine, which a mode names (`Mode.kinds`).
        revision: the commit on the Hugging Face hub; empty elsewhere.
    """

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def revision(self) -> str: ...

    def hashes(self) -> dict[str, dict[str, str]]:
        """The SHA-256 of its files by name, under `weights`, `tokenizer` and `config`."""


@dataclass(frozen=True)
class Fileless:
    """A model that is no folder with weights: behind an endpoint, a rule, a reader. ``files``: those that it is made
    of, with their hashes."""

    name: str
    kind: str
    revision: str = ""
    files: Mapping[str, dict[str, str]] = field(default_factory=dict)

    def hashes(self) -> dict[str, dict[str, str]]:
        """The SHA-256 of files by kind and name."""
        return {kind: self.files.get(kind, {}) for kind in ("weights", "tokenizer", "config")}


@dataclass(frozen=True)
class Wanted:
    """What a model is opened for: an order, the items, and the mode with the tables that it scores."""

    order: RunOrder
    source: Source
    mode: Mode
    tables: tuple[str, ...]

    def check_kind(self, kind: str, model: str = "") -> None:
        """Raise UsageError (E91) if the mode needs a model of another kind; its help names modes that fit both.

        ``model``: its name, if that is not the order's.
        """
        from gramprobe.score.modes import MODES

        if kind not in self.mode.kinds:
            table = self.source.tables[self.tables[0]]
            others = [each.name for each in MODES.values() if kind in each.kinds and each.fits(table)]
            raise messages.score.wrong_kind(model or self.order.model, kind, self.mode.name, self.mode.kinds, others)

    def check_languages(self, codes: Sequence[str] = ()) -> None:
        """Raise UsageError (E91) for a paradigm in a language that a baseline cannot read: one that writes no spaces
        between words, or is none of ``codes``, if there are any."""
        for name in self.tables:
            language = self.source.tables[name].language or english()
            if not language.joiner.isspace():
                raise messages.score.no_spaces(self.order.model, name, language.code)
            if codes and language.code not in codes:
                raise messages.score.other_language(self.order.model, name, language.code, codes)

    @property
    def bare(self) -> Mode:
        """The mode for a model that reads texts and no prompt."""
        return self.mode.configured(Options(prompt=self.order.prompt, bare=True))

    @property
    def picks(self) -> bool:
        """Whether the mode asks what reads texts to choose an option, by what it asks of the first item."""
        table, columns = next(iter(self.columns.items()))
        first = next(iter(self.source.rows(table, columns)), None)
        asked = [] if first is None else self.bare.asked(self.source.tables[table], first.row)
        return any(isinstance(each.request, Pick) for each in asked)

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """Table -> the columns that the mode reads, as a model gets them that reads no prompt."""
        return {name: self.bare.columns(self.source.tables[name]) for name in self.tables}


@dataclass(frozen=True)
class Opened:
    """A model, its weights not read yet.

    Attributes:
        engine: what answers requests.
        model: what the record of the run says of it.
        chat: whether it has a chat template.
        packages: kind -> name -> the package of what of it is not of gramprobe itself.
        parameters: how many numbers its weights are; None where that is not known.
    """

    engine: Engine
    model: Model
    chat: bool = False
    packages: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    parameters: int | None = None


@dataclass(frozen=True)
class ModelKind:
    """A kind of models that a prefix of `--model` names: `rule` of `rule:overlap`.

    Attributes:
        open: opens what stands behind the colon. Raises UsageError.
        help: what to give behind the colon, for a message: `name a file of plain text`.
        place: whether that is a `file`, or a `folder` or file; empty for a name.
        bare: whether its models read texts and no prompt.
    """

    open: Callable[[str, Wanted], Opened]
    help: str
    place: Literal["", "file", "folder"] = ""
    bare: bool = True
