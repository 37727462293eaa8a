"""Prompts for items with labels, declared in TOML: those of `prompts.toml`, and a user's own (`--prompts FILE`)."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec

from gramprobe.records import why_no_record
from gramprobe.score.request import Chat
from gramprobe.score.source import Table
from gramprobe.source import messages
from gramprobe.source.nearest import listed

LETTERS = string.ascii_uppercase
ORDERS = ("given", "rotations", "all")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A prompt as it is declared.

    Attributes:
        text: with columns of the item in braces, and {options}.
        answers: label -> the spellings of its answer.
        options: label -> the option that says it; the answers are letters.
        orders: of the options: `given`, `rotations` (each label once at each place), `all`.
        system: the first message to a chat model.
    """

    text: str
    answers: dict[str, list[str]] = {}
    options: dict[str, str] = {}
    orders: str = "given"
    system: str = ""


@dataclass(frozen=True)
class Prompt:
    """One prompt in one order of its options.

    Attributes:
        name: of the declaration, and the number of the order if there are several (`options.2`).
        entry: the declaration.
        labels: the labels, in the order of the options.
        answers: for each of `labels`, the spellings of its answer.
    """

    name: str
    entry: Entry
    labels: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of an item that its text shows."""
        return _fields(self.entry.text)

    def fits(self, table: Table) -> bool:
        """Whether a table has its columns and labels."""
        return not self.lacking(table)

    def lacking(self, table: Table) -> str:
        """Why it does not fit a table, as a clause; empty if it does."""
        missing = [column for column in self.columns if column not in table.columns]
        if missing:
            return f"the text shows {{{missing[0]}}}, and `{table.name}` has no such column"
        if set(self.labels) != set(table.labels):
            return f"the labels are {listed(self.labels)}, and those of `{table.name}` are {listed(table.labels)}"
        return ""

    def shown(self, row: Mapping[str, Any]) -> str:
        """The text for an item, up to the answer."""
        options = "\n".join(
            f"{letter}. {self.entry.options[label]}" for letter, label in zip(LETTERS, self.labels, strict=False)
        ) if self.entry.options else ""  # fmt: skip
        return self.entry.text.strip("\n").format_map({**row, "options": options})

    def context(self, row: Mapping[str, Any], examples: Sequence[Mapping[str, Any]], chat: bool) -> str | Chat:
        """What a model reads before its answer. ``examples``: answered items that stand before it, each with the name
        of its label under `label`."""
        answered = [
            (self.shown(example), self.answers[self.labels.index(str(example["label"]))][0]) for example in examples
        ]
        if not chat:
            return "\n\n".join([*(f"{text} {answer}" for text, answer in answered), self.shown(row)])
        turns = [turn for text, answer in answered for turn in (("user", text), ("assistant", answer))]
        system = [("system", self.entry.system)] if self.entry.system else []
        return (*system, *turns, ("user", self.shown(row)))

    def spellings(self, chat: bool) -> tuple[tuple[str, ...], ...]:
        """For each of `labels` the texts whose probabilities are summed: behind a text with a space and without."""
        return tuple(
            tuple(own if chat else (form for each in own for form in (f" {each}", each))) for own in self.answers
        )


def load(path: Path | None = None) -> tuple[Prompt, ...]:
    """The prompts of a file, or the shipped ones, in each of their orders. Raises UsageError (E48)."""
    name = str(path) if path is not None else "prompts.toml"
    try:
        if path is None:
            text = files("gramprobe.score").joinpath("prompts.toml").read_text("utf-8")
        else:
            text = path.read_text("utf-8")
        entries = msgspec.convert(tomllib.loads(text), dict[str, Entry])
    except OSError as error:
        raise messages.score.bad_prompts(name, f"cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise messages.score.bad_prompts(name, f"is no TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise messages.score.bad_prompts(name, f"is no table of prompts: {why_no_record(error)}") from None
    if not entries:
        raise messages.score.bad_prompts(name, "declares no prompt")
    for prompt, entry in entries.items():
        wrong = _wrong(entry)
        if wrong:
            raise messages.score.bad_prompts(name, f"in [{prompt}], {wrong}")
    return tuple(each for prompt, entry in entries.items() for each in _orders(prompt, entry))


def check_fit(prompts: Sequence[Prompt], tables: Sequence[Table], path: Path | None = None) -> None:
    """Raise UsageError (E48) for a prompt that fits no table, and for a table that no prompt fits."""
    idle = [(prompt, tables[0]) for prompt in prompts if not any(map(prompt.fits, tables))]
    silent = [(prompts[0], table) for table in tables if not any(prompt.fits(table) for prompt in prompts)]
    for prompt, table in [*idle, *silent]:
        name = prompt.name.partition(".")[0]
        file = str(path) if path is not None else "prompts.toml"
        raise messages.score.bad_prompts(file, f"in [{name}], {prompt.lacking(table)}")


def _orders(name: str, entry: Entry) -> list[Prompt]:
    if entry.answers:
        return [Prompt(name, entry, tuple(entry.answers), tuple(map(tuple, entry.answers.values())))]
    labels = tuple(entry.options)
    match entry.orders:
        case "all":
            orders = list(permutations(labels))
        case "rotations":
            orders = [labels[i:] + labels[:i] for i in range(len(labels))]
        case _:
            orders = [labels]
    letters = tuple((letter,) for letter in LETTERS[: len(labels)])
    if len(orders) == 1:
        return [Prompt(name, entry, labels, letters)]
    return [Prompt(f"{name}.{number}", entry, order, letters) for number, order in enumerate(orders, 1)]


def _wrong(entry: Entry) -> str:
    """What is wrong with a declaration, as a clause; empty if nothing is."""
    try:
        columns = _fields(entry.text)
    except ValueError as error:
        return f"the text cannot be read: {error}"
    if not columns:
        return "the text shows no column of the item: write {premise}"
    if bool(entry.answers) == bool(entry.options):
        return "there are to be either `answers` or `options`"
    if entry.options and "{options}" not in entry.text:
        return "the text does not show its {options}"
    if entry.orders not in ORDERS:
        return f"`orders` is one of {', '.join(ORDERS)}"
    spelled = [form for forms in entry.answers.values() for form in forms]
    if any(not forms for forms in entry.answers.values()) or any(not f.strip() or f != f.strip() for f in spelled):
        return "every label has answers, which are neither empty nor begin or end with a space"
    if len(set(spelled)) < len(spelled):
        return "one answer stands for two labels"
    return ""


def _fields(text: str) -> tuple[str, ...]:
    """The columns in braces. Raises ValueError for braces that are not closed, or hold more than a name."""
    found = []
    for _, field, form, conversion in string.Formatter().parse(text):
        if field is None:
            continue
        if not field.isidentifier() or form or conversion:
            raise ValueError(f"`{{{field}}}` is no name of a column")
        found.append(field)
    return tuple(dict.fromkeys(name for name in found if name != "options"))
