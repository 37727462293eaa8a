"""`true_false`: does a model say of an ambiguous sentence what it may mean?

The test of Liu et al. (2023, 4.2), which Kamath et al. (2024, 7) run on scope: of each paraphrase of a reading a model
is asked whether the sentence may mean it, does not necessarily mean it, cannot mean it, can only mean it. Of an
ambiguous sentence the first two are true, the other two false, for both readings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gramprobe.score.mode import Asked, Measures, Mode, Options, Scores, known, mass, share
from gramprobe.score.request import Chat, Continue
from gramprobe.score.source import Table

CLAIMS = {
    "may": ("This may mean: {}", True),
    "not_necessarily": ("This does not necessarily mean: {}", True),
    "cannot": ("This cannot mean: {}", False),
    "only": ("This can only mean: {}", False),
}
"""Name -> the claim about a paraphrase, and whether it is true of an ambiguous sentence."""
PARAPHRASES = ("paraphrase_surface", "paraphrase_inverse")
ANSWERS = ("True", "False")
QUESTION = "True or False? Answer:"


@dataclass(frozen=True)
class TrueFalse(Mode):
    """Ambiguous sentences with a paraphrase of each reading. ``chat``: whether the questions are messages."""

    chat: bool = False

    name: ClassVar[str] = "true_false"
    about: ClassVar[str] = "whether a sentence may, need not, cannot or can only mean a paraphrase: true or false"
    kinds: ClassVar[tuple[str, ...]] = ("causal", "endpoint")
    kept: ClassVar[tuple[str, ...]] = PARAPHRASES

    def fits(self, table: Table) -> bool:
        return set(PARAPHRASES) <= set(table.columns) and bool(table.scored.context)

    def configured(self, options: Options) -> Mode:
        return TrueFalse(options.chat if options.prompt == "auto" else options.prompt == "chat")

    def settings(self, shown: Callable[[str | Chat], str]) -> dict[str, Any]:
        claims = {
            name: shown(self._context("{sentence}", form.format("{paraphrase}"))) for name, (form, _) in CLAIMS.items()
        }
        return {
            "form": "chat" if self.chat else "completion",
            "prompts": claims,
            "answers": list(map(list, self._spellings())),
        }

    def reduction(self, kind: str) -> str:
        return "log of the summed probability of an answer's spellings"

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        sentence = str(row[table.scored.context[0]])
        return [
            Asked(
                Continue(self._context(sentence, form.format(row[paraphrase])), self._spellings()),
                tuple((f"{paraphrase}/{name}/{answer.lower()}", answer) for answer in ANSWERS),
            )
            for paraphrase in PARAPHRASES
            if row.get(paraphrase)
            for name, (form, _) in CLAIMS.items()
        ]

    def _context(self, sentence: str, claim: str) -> str | Chat:
        text = f'Q: "{sentence}" {claim} {QUESTION}'
        return (("user", text),) if self.chat else text

    def _spellings(self) -> tuple[tuple[str, ...], ...]:
        return tuple((answer,) if self.chat else (f" {answer}", answer) for answer in ANSWERS)

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        """The share of claims that are answered rightly, of each kind of claim; `answer_mass` of both answers."""
        right: dict[str, list[float]] = {}
        masses = []
        for paraphrase in PARAPHRASES:
            for name, (_, true) in CLAIMS.items():
                yes, no = (known(scores, f"{paraphrase}/{name}/{answer.lower()}") for answer in ANSWERS)
                if yes is None or no is None:
                    continue
                said = share(yes, no, tie)
                right.setdefault(name, []).append(said if true else 1 - said)
                masses.append(mass((yes, no)))
        if not masses:
            return {}
        every = [each for own in right.values() for each in own]
        return {
            "accuracy": math.fsum(every) / len(every),
            **{f"accuracy_{name}": math.fsum(own) / len(own) for name, own in right.items()},
            "answer_mass": math.fsum(masses) / len(masses),
        }
