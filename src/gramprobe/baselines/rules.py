"""Readers that do not reason and need no training: a rule from the words of two sentences to a label.

    RULES["overlap"].says("The dog the boy saw slept.", "The boy slept.") -> "entailment"

A set on which one of them is right as often as a model does not show that the model reasons. What a rule says of a pair
is a label; None where it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from gramprobe.baselines.matches import MATCHES, Coded, Match, as_coded, words
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
        sees: what it sees of a sentence in a language, if its label follows from that of both sentences.
        of: what it says of what it sees of the premise and of the hypothesis.
    """

    name: str
    about: str
    label: Callable[[str, str, Language], str | None]
    two: bool = False
    languages: tuple[str, ...] = ()
    sees: Callable[[str, Language], Any] | None = None
    of: Callable[[Any, Any], str | None] | None = None

    def says(self, premise: str, hypothesis: str, language: Language | None = None) -> str | None:
        """`entailment`, `neutral` or `contradiction`; None where it says nothing, as of a language whose words it does
        not know. ``language``: English by default."""
        of = language or english()
        return self.label(premise, hypothesis, of) if not self.languages or of.code in self.languages else None


def said(
    rules: Iterable[Rule], premises: Sequence[str], hypotheses: Sequence[str], language: Language
) -> Iterator[tuple[str, list[str | None]]]:
    """Each rule with (pairs,) what it says. A sentence is looked at once for all rules that see the same of it."""
    number: dict[str, int] = {}
    pairs = [
        (number.setdefault(one, len(number)), number.setdefault(other, len(number)))
        for one, other in zip(premises, hypotheses, strict=True)
    ]
    every = list(rules)
    by_sentence = [
        each for each in every if each.sees and each.of and language.code in (each.languages or [language.code])
    ]
    seen: dict[Callable[[str, Language], Any], list[Any]] = {each.sees: [] for each in by_sentence if each.sees}
    for text in number:
        for sees, own in seen.items():
            own.append(sees(text, language))
    for rule in every:
        if rule in by_sentence and rule.sees and (of := rule.of):
            own = seen[rule.sees]
            yield rule.name, [of(own[one], own[other]) for one, other in pairs]
        else:
            both = zip(premises, hypotheses, strict=True)
            yield rule.name, [rule.says(one, other, language) for one, other in both]


@lru_cache(1 << 14)
def negated(sentence: str, language: Language) -> bool:
    """Whether a sentence has a word of negation."""
    return any(word in language.negations or word.endswith(language.negative_endings) for word in words(sentence))


def overlap(premise: str, hypothesis: str) -> bool:
    """Whether every word of the hypothesis is in the premise."""
    return _vocabulary(hypothesis, None) <= _vocabulary(premise, None)


@lru_cache(1 << 14)
def _vocabulary(sentence: str, _: Language | None) -> frozenset[str]:
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
    by = find or finder()
    return [*_embedding(by, premise), *_embedding(by, hypothesis)]


@lru_cache(1 << 12)
def _embedding(find: Finder, text: str) -> list[Use]:
    """The sentences of an instance stand in many of its pairs."""
    return [use for use in find.uses(text) if use.embeds]


def _label(entailed: bool | None) -> str | None:
    return None if entailed is None else "entailment" if entailed else "neutral"


def _denial(denied: bool) -> str:
    return "contradiction" if denied else "entailment"


def _seen(sentence: str, _: Language) -> list[Use]:
    return _embedding(finder(), sentence)


def _of_sentences(
    name: str, about: str, sees: Callable[[str, Language], Any], of: Callable[[Any, Any], str | None], **options: Any
) -> Rule:
    """A rule whose label follows from what it sees of each sentence."""
    label = lambda premise, hypothesis, language: of(sees(premise, language), sees(hypothesis, language))  # noqa: E731
    return Rule(name, about, label, sees=sees, of=of, **options)


def _match(match: Match) -> Callable[[Coded, Coded], str | None]:
    return lambda premise, hypothesis: _label(match.holds(premise, hypothesis))


ENGLISH = ("en",)
"""The language of the shipped lexicon, whose verbs two rules find."""
_SHIPPED = (
    _of_sentences(
        "overlap",
        "Entailment where every word of the hypothesis is in the premise (McCoy et al. 2019), else none.",
        _vocabulary,
        lambda premise, hypothesis: _label(hypothesis <= premise),
        two=True,
    ),
    *(
        _of_sentences(name, f"Entailment where {match.about}, else none.", as_coded, _match(match), two=True)
        for name, match in MATCHES.items()
    ),
    _of_sentences(
        "negation",
        "Contradiction where one sentence is negated and the other is not, else entailment.",
        negated,
        lambda premise, hypothesis: _denial(premise != hypothesis),
    ),
    _of_sentences(
        "negated_hypothesis",
        "Contradiction where the hypothesis is negated, else entailment (Gururangan et al. 2018).",
        negated,
        lambda _, hypothesis: _denial(hypothesis),
    ),
    _of_sentences(
        "verbs",
        "No entailment where either sentence has a verb that is not factive; entailment where it has a factive one "
        "(Cohen 2021, section 4.2); silent where it has neither.",
        _seen,
        lambda premise, hypothesis: _label(all_factive([*premise, *hypothesis])),
        two=True,
        languages=ENGLISH,
    ),
    _of_sentences(
        "persons",
        "No entailment where two persons are said to know or think (Cohen 2021, section 4.3); entailment where it "
        "is one, or none.",
        _seen,
        lambda premise, hypothesis: _label(one_person([*premise, *hypothesis])),
        two=True,
        languages=ENGLISH,
    ),
)
RULES: Registry[Rule] = Registry("rule", {rule.name: rule for rule in _SHIPPED}, "gramprobe.baselines.rules:Rule")
"""Name -> rule; packages add others."""
