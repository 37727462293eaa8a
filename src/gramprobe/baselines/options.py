"""Rules that choose between the options of an item without reading what the sentence means.

    OPTION_RULES["longer"].says("Every guard saw a dog.", ("It was one dog.", "It was a different dog for each.")) -> 1

What a rule says is the number of an option; None where it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gramprobe.baselines.matches import words
from gramprobe.registry import Registry


@dataclass(frozen=True)
class OptionRule:
    """A rule that chooses an option.

    Attributes:
        name: its name in tables.
        about: what it does, as a sentence.
        says: (sentence, options) -> the number of an option; None where it says nothing.
    """

    name: str
    about: str
    says: Callable[[str, Sequence[str]], int | None]


def greatest(numbers: Sequence[float]) -> int | None:
    """The place of the greatest number; None if it is there twice."""
    most = max(numbers)
    return None if numbers.count(most) > 1 else numbers.index(most)


def shared(sentence: str, option: str) -> float:
    """The part of an option's words that the sentence has."""
    there, own = set(words(sentence)), words(option)
    return sum(word in there for word in own) / len(own) if own else 0.0


_SHIPPED = (
    OptionRule("first", "The option that stands first.", lambda sentence, options: 0),
    OptionRule(
        "longer",
        "The option that has more words; silent where they have equally many.",
        lambda sentence, options: greatest([len(words(option)) for option in options]),
    ),
    OptionRule(
        "overlap",
        "The option of whose words the sentence has a larger part; silent where it is the same part.",
        lambda sentence, options: greatest([shared(sentence, option) for option in options]),
    ),
)
OPTION_RULES: Registry[OptionRule] = Registry(
    "option_rule", {rule.name: rule for rule in _SHIPPED}, "gramprobe.baselines.options:OptionRule"
)
"""Name -> rule; packages add others."""
