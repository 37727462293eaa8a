"""`prompted`: which label does a language model answer to a question about a pair?

Each prompt is asked in each order of its options. A value is the log of the summed probability of an answer's
spellings as the next tokens; what is left to other tokens is part of the result (`answer_mass`): where it is small,
the model would have said something else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from gramprobe.score.mode import Asked, Measures, Mode, Options, Scores, known, mass, share_of
from gramprobe.score.prompts import Prompt
from gramprobe.score.request import Chat, Continue
from gramprobe.score.source import Table

ELSEWHERE = 0.5
"""Where all answers together are less probable than this, the model would rather say something else."""


@dataclass(frozen=True)
class Prompted(Mode):
    """Items with labels. ``prompts``: those that are asked; ``examples``: table -> answered items before the question;
    ``chat``: whether they are messages to a chat model."""

    prompts: tuple[Prompt, ...] = ()
    examples: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    chat: bool = False

    name: ClassVar[str] = "prompted"
    about: ClassVar[str] = "the label that a model answers to a prompt"
    kinds: ClassVar[tuple[str, ...]] = ("causal", "endpoint")
    by_columns: ClassVar[bool] = True

    @property
    def kept(self) -> tuple[str, ...]:
        """The label, and whatever columns the prompts show."""
        return tuple(dict.fromkeys(["label", *(column for prompt in self.prompts for column in prompt.columns)]))

    def fits(self, table: Table) -> bool:
        if not self.prompts:
            return bool(table.labels and table.scored.context and table.scored.continuations)
        return any(prompt.fits(table) for prompt in self.prompts)

    def configured(self, options: Options) -> Mode:
        from gramprobe.score.prompts import load

        prompts = options.prompts or load()
        return Prompted(
            prompts, options.examples, options.chat if options.prompt == "auto" else options.prompt == "chat"
        )

    def settings(self, shown: Callable[[str | Chat], str]) -> dict[str, Any]:
        """Each prompt with the item's columns as they are named, and the ids of the items that are examples."""
        found = {}
        for prompt in self.prompts:
            row = {column: f"{{{column}}}" for column in prompt.columns}
            found[prompt.name] = {
                "prompt": shown(prompt.context(row, (), self.chat)),
                "answers": {
                    name: list(forms) for name, forms in zip(prompt.labels, prompt.spellings(self.chat), strict=True)
                },
            }
        examples = {table: [str(example["id"]) for example in own] for table, own in self.examples.items() if own}
        return {"form": "chat" if self.chat else "completion", "prompts": found, "examples": examples}

    def reduction(self, kind: str) -> str:
        return "log of the summed probability of an answer's spellings"

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        return [
            Asked(
                Continue(
                    prompt.context(row, self.examples.get(table.name, ()), self.chat), prompt.spellings(self.chat)
                ),
                tuple(
                    (f"{prompt.name}/{label}", answers[0])
                    for label, answers in zip(prompt.labels, prompt.answers, strict=True)
                ),
            )
            for prompt in self.prompts
            if prompt.fits(table)
        ]

    def parts(self, table: Table, row: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        """Of all prompts that ask for the table's labels, by their answers in the settings."""
        try:
            prompts = {name: prompt["answers"] for name, prompt in settings["prompts"].items()}
            return tuple(
                (f"{name}/{label}", spellings[0].strip())
                for name, answers in prompts.items()
                if set(answers) == set(table.labels)
                for label, spellings in answers.items()
            )
        except (AttributeError, IndexError, KeyError, TypeError):  # the record says something else
            return ()

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        """`accuracy` of each prompt (a tie is shared) and the mean over prompts; `answer_mass`; `elsewhere`: the share
        of prompts after which all answers together have less than half of the probability."""
        gold, found, right, masses = row.get("label"), Measures(), [], []
        for prompt in self.prompts:
            values = [known(scores, f"{prompt.name}/{label}") for label in table.labels]
            there = [value for value in values if value is not None]
            if len(there) < len(values) or not there:
                continue
            masses.append(mass(there))
            if gold not in ("", None):
                right.append(share_of(there, int(gold), tie))
                found[f"accuracy_{prompt.name}"] = right[-1]
        if right:
            found = {"accuracy": math.fsum(right) / len(right), **(found if len(right) > 1 else {})}
        if masses:
            found["answer_mass"] = math.fsum(masses) / len(masses)
            found["elsewhere"] = sum(mass < ELSEWHERE for mass in masses) / len(masses)
        return found
