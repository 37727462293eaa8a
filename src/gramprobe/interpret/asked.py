"""Premises and a hypothesis with their decision, of which the doubts of a label ask."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gramprobe.certify.rule import LABELS
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Decision
from gramprobe.formula.ast import Formula
from gramprobe.interpret import unsaid
from gramprobe.interpret.read import Reader
from gramprobe.judge.judge import label_like
from gramprobe.resolve.theory.data import Theory, Withheld

ENTAILMENT, NEUTRAL, CONTRADICTION = LABELS
OTHER_TIMES = "premises and hypothesis speak of different times"


@dataclass(frozen=True)
class Pair:
    """Premises and a hypothesis as formulas, with their decision.

    ``words``: those of premises and of the hypothesis in small letters, in their order; ``times``: of the premises;
    ``asked_times``: of the hypothesis; ``now``: the words that are said of the present.
    """

    said: Formula
    asked: Formula
    decided: Decision
    reader: Reader
    words: tuple[tuple[str, ...], tuple[str, ...]]
    decider: Decider | None = None
    times: Collection[str] = ()
    asked_times: Collection[str] = ()
    now: Collection[str] = ()

    @cached_property
    def label(self) -> str:
        return self.decided.verdict.label or ""

    def with_others(self, said: Formula, asked: Formula, theory: Theory | None = None) -> str | None:
        """The label with other formulas, or in another theory."""
        reader = self.reader
        return label_like(self.decided, said, asked, theory or reader.theory, reader.symbols, self.decider)

    @cached_property
    def of_those(self) -> frozenset[str]:
        """The nouns of plural definites: *all the nurses*, *two of the nurses*."""
        sides = zip((self.said, self.asked), self.words, strict=True)
        return frozenset(noun for side, words in sides for noun in unsaid.several(side, words, self.reader)[0])

    @cached_property
    def several(self) -> tuple[frozenset[str], frozenset[str]]:
        """The nouns that stand in the plural without an article, in premises and hypothesis."""
        said, asked = (unsaid.several(side, words, self.reader)[1] for side, words in
                       zip((self.said, self.asked), self.words, strict=True))  # fmt: skip
        return said, asked

    def lines(self, *forms: str, what: str = "") -> list[Withheld]:
        """The lines of the theory of some forms: all of them, or those that withhold all labels, or `neutral`."""
        return [each for each in self.reader.theory.withholding(*forms) if what in ("", each.what)]


class Other(NamedTuple):
    """Other formulas for a pair, which has no label if they have another one; ``why``: what they take to be so."""

    why: str
    said: Formula
    asked: Formula
    theory: Theory | None = None


def another_time(word: str, reader: Reader) -> str:
    """Why nothing follows where premises and hypothesis say a word, or a kind of clause, of two times."""
    words = reader.symbols
    return (
        f"premises and hypothesis say `{unsaid.spelt(word, words)}` of different times"
        if word in words
        else OTHER_TIMES
    )
