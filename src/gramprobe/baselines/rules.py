"""Readers that do not reason and need no training: a rule from the words of two sentences to a label.

    RULES["overlap"].says("The dog the boy saw slept.", "The boy slept.") -> "entailment"

A set on which one of them is right as often as a model does not show that the model reasons. What a rule says of a pair
is a label; None where it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial

from gramprobe.baselines.matches import MATCHES, matches, words
from gramprobe.baselines.verbs import Finder, Use, shipped
from gramprobe.language import Language, english
from gramprobe.registry import Registry


@dataclass(frozen=True)
class Rule:
    """A rule that gives a label.

    Attributes:
        name: its name in tables.
        about: what it does, as a sentence.
        label: what it says of a premise and a hypothesis in a language.
        two: whether it only tells entailment from its absence, for which `neutral` stands.
        languages: the codes of those whose words it knows; empty for any.
    """

    name: str
    about: str
    label: Callable[[str, str, Language], str | None]
    two: bool = False
    languages: tuple[str, ...] = ()

    def says(self, premise: str, hypothesis: str, language: Language | None = None) -> str | None:
        """`entailment`, `neutral` or `contradiction`; None where it says nothing, as of a language whose words it does
        not know. ``language``: English by default."""
        of = language or english()
        return self.label(premise, hypothesis, of) if not self.languages or of.code in self.languages else None


@lru_cache(1 << 14)
def negated(sentence: str, language: Language) -> bool:
    """Whether a sentence has a word of negation."""
    return any(word in language.negations or word.endswith(language.negative_endings) for word in words(sentence))


def overlap(premise: str, hypothesis: str) -> bool:
    """Whether every word of the hypothesis is in the premise."""
    return _vocabulary(hypothesis) <= _vocabulary(premise)


@lru_cache(1 << 14)
def _vocabulary(sentence: str) -> frozenset[str]:
    return frozenset(words(sentence))


def all_factive(uses: list[Use]) -> bool | None:
    """Whether all verbs that embed clauses are factive; None if there are none."""
    return all(use.verb.factive for use in uses) if uses else None


def one_person(uses: list[Use]) -> bool:
    """Whether at most one named person is said to know or think."""
    return len({use.subject for use in uses} - {""}) < 2


@cache
def finder() -> Finder:
    """Finds the verbs of the shipped lexicon."""
    return Finder(shipped())


def uses(premise: str, hypothesis: str, find: Finder | None = None) -> list[Use]:
    """The verbs of both sentences that embed a clause there."""
    uses_in = partial(_embedding, find) if find else _shipped_uses
    return [*uses_in(premise), *uses_in(hypothesis)]


@lru_cache(1 << 12)
def _shipped_uses(text: str) -> list[Use]:
    """The uses of the verbs of the shipped lexicon: the sentences of an instance stand in many of its pairs."""
    return _embedding(finder(), text)


def _embedding(find: Finder, text: str) -> list[Use]:
    return [use for use in find.uses(text) if use.embeds]


def _label(entailed: bool | None) -> str | None:
    return None if entailed is None else "entailment" if entailed else "neutral"


def _denial(denied: bool) -> str:
    return "contradiction" if denied else "entailment"


def _matching(name: str) -> Callable[[str, str, Language], str | None]:
    """What the rule of a match says."""
    return lambda premise, hypothesis, language: _label(matches(name, premise, hypothesis, language))


ENGLISH = ("en",)
"""The language of the shipped lexicon, whose verbs two rules find."""
_SHIPPED = (
    Rule(
        "overlap",
        "Entailment where every word of the hypothesis is in the premise (McCoy et al. 2019), else none.",
        lambda premise, hypothesis, _: _label(overlap(premise, hypothesis)),
        two=True,
    ),
    *(
        Rule(name, f"Entailment where {match.about}, else none.", _matching(name), two=True)
        for name, match in MATCHES.items()
    ),
    Rule(
        "negation",
        "Contradiction where one sentence is negated and the other is not, else entailment.",
        lambda premise, hypothesis, language: _denial(negated(premise, language) != negated(hypothesis, language)),
    ),
    Rule(
        "negated_hypothesis",
        "Contradiction where the hypothesis is negated, else entailment (Gururangan et al. 2018).",
        lambda _, hypothesis, language: _denial(negated(hypothesis, language)),
    ),
    Rule(
        "verbs",
        "No entailment where either sentence has a verb that is not factive; entailment where it has a factive one "
        "(Cohen 2021, section 4.2); silent where it has neither.",
        lambda premise, hypothesis, _: _label(all_factive(uses(premise, hypothesis))),
        two=True,
        languages=ENGLISH,
    ),
    Rule(
        "persons",
        "No entailment where two persons are said to know or think (Cohen 2021, section 4.3); entailment where it "
        "is one, or none.",
        lambda premise, hypothesis, _: _label(one_person(uses(premise, hypothesis))),
        two=True,
        languages=ENGLISH,
    ),
)
RULES: Registry[Rule] = Registry("rule", {rule.name: rule for rule in _SHIPPED}, "gramprobe.baselines.rules:Rule")
"""Name -> rule; packages add others."""
