"""`choice`: is the next token A or B, after a sentence and two options?

The prompt is that of the released code of Kamath et al. (2024), experiment 1 (its paper's figure has another wording).
The control is the prompt without the sentence. Both spellings of an answer are summed, and what is left to other
tokens is part of the result: the probability of A and B together (`answer_mass`).

What does not read prompts (a rule, a reader, an n-gram model) is shown the sentence and the options themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gramprobe.score.mode import Asked, Measures, Mode, Options, Scores, known, mass, share, texts
from gramprobe.score.request import Chat, Continue, Pick
from gramprobe.score.source import Table

FRAME = "On the basis of this phrase/statement alone, and with no further context, there are only two options:"
COMPLETION = "The most likely option is option"
QUESTION = (
    "Which of the two options is most likely? Answer with either 'Option A' (for Option A) or 'Option B' "
    "(for option B)."
)
SYSTEM = "You are a helpful assistant who answers common-sense reasoning questions. Respond with only two words."
LETTERS = ("A", "B")
SPELLINGS = {"completion": (" {}", "{}"), "chat": ("Option {}", "{}")}
WITHOUT = "without_context"


@dataclass(frozen=True)
class Choice(Mode):
    """A sentence with two options. ``prompt``: `completion` or `chat`, by whether the model has a chat template; `none`
    for what reads texts alone."""

    prompt: str = "completion"

    name: ClassVar[str] = "choice"
    about: ClassVar[str] = "which of two options is likelier after a sentence, and without it"
    kinds: ClassVar[tuple[str, ...]] = ("causal", "endpoint", "rule", "reader", "ngram")
    kept: ClassVar[tuple[str, ...]] = ("picks_a", "picks_b", "surface", "preferred")

    def fits(self, table: Table) -> bool:
        scored = table.scored
        return bool(scored.context and len(scored.options) == 2 and not scored.slot)

    def configured(self, options: Options) -> Mode:
        if options.bare:
            return Choice("none")
        if options.prompt == "auto":
            return Choice("chat" if options.chat else "completion")
        return Choice(options.prompt)

    def settings(self, shown: Callable[[str | Chat], str]) -> dict[str, Any]:
        """With the messages by the model's template: some templates write the day's date into them."""
        if self.prompt == "none":
            return {}
        prompt = shown(self._prompt("{sentence}", ("{option A}.", "{option B}.")))
        return {
            "form": self.prompt,
            "prompt": prompt,
            "answers": [[form.format(x) for form in SPELLINGS[self.prompt]] for x in LETTERS],
        }

    def reduction(self, kind: str) -> str:
        if kind == "ngram":
            return "sum over words"
        bare = kind in ("rule", "reader")
        return (
            "log of the probability of an option" if bare else "log of the summed probability of an answer's spellings"
        )

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        scored = table.scored
        sentence = " ".join(texts(row, scored.context).values())
        options = [str(row[column]) for column in scored.options]
        if self.prompt == "none":
            return [Asked(Pick(sentence, tuple(options)), tuple(zip(scored.options, options, strict=True)))]
        answers = tuple(tuple(form.format(letter) for form in SPELLINGS[self.prompt]) for letter in LETTERS)
        return [
            Asked(
                Continue(self._prompt(given, (options[0], options[1])), answers),
                tuple((before + column, letter) for column, letter in zip(scored.options, LETTERS, strict=True)),
            )
            for before, given in (("", sentence), (f"{WITHOUT}/", ""))
        ]

    def parts(self, table: Table, row: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        """After a prompt the text of a part is a letter."""
        mode = Choice("completion" if settings else "none")
        return tuple(part for asked in mode.asked(table, row) for part in asked.parts)

    def _prompt(self, sentence: str, options: tuple[str, str]) -> str | Chat:
        lines = [sentence] if sentence else []
        lines.append(FRAME)
        lines += [f"Option {x}: {_ended(text)}" for x, text in zip(LETTERS, options, strict=True)]
        if self.prompt == "completion":
            return "\n".join([*lines, COMPLETION])
        return (("system", SYSTEM), ("user", "\n".join([*lines, QUESTION])))

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        found: Measures = {}
        for before, end in (("", ""), (f"{WITHOUT}/", "_without_context")):
            one, other = (known(scores, before + column) for column in table.scored.options)
            if one is None or other is None:
                continue
            first = share(one, other, tie)
            for measure, reading in (("preferred", row.get("preferred")), ("surface", row.get("surface"))):
                picked = [row.get("picks_a"), row.get("picks_b")]
                if reading and reading in picked:
                    found[measure + end] = first if picked[0] == reading else 1 - first
            found[f"first_option{end}"] = first
            if self.prompt != "none":
                found[f"answer_mass{end}"] = mass((one, other))
        return found


def _ended(text: str) -> str:
    """An option with a point at its end, if it has no final mark of its own."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
