"""The paradigms of acceptability: in crossed ones every word stands as often in good sentences as in bad ones."""

from __future__ import annotations

from collections import Counter

import pytest
from support import shipped

#: one of four cells is bad (and in island_adjunct, whose verbs have two forms: *say, winced* against *wince, said*)
ONE_BAD_CELL = ["island_complex_noun_phrase", "raising"]
CROSSED = [
    "agreement_determiner_noun",
    "agreement_determiner_noun_irregular",
    "agreement_prepositional_phrase",
    "agreement_relative_clause",
    "agreement_subject_verb",
    "filler_gap",
    "passive",
    "reflexive_command",
    "reflexive_gender",
    "reflexive_gender_noun",
    "reflexive_number",
    "verb_form_auxiliary",
    "verb_form_participle",
]


def cells(name: str, at: int) -> dict[str, list[list[str]]]:
    """The words of the sentences of one instance, by heading."""
    space, realiser = shipped.space(name), shipped.realiser(name)
    draws = space.draws(space.permutation(0), at, at + 1)
    found: dict[str, list[list[str]]] = {"good": [], "bad": []}
    for condition in shipped.paradigm(name).conditions.values():
        sentence = realiser.sentence(condition, draws, 0)
        found[condition.side].append((sentence[0].lower() + sentence[1:-1]).split())
    return found


@pytest.mark.parametrize("name", CROSSED)
def test_every_word_stands_as_often_in_good_sentences_as_in_bad_ones(name: str) -> None:
    for at in (0, 7):
        found = cells(f"acceptability/{name}", at)
        good, bad = (Counter(word for words in found[side] for word in words) for side in ("good", "bad"))
        assert good == bad
        assert len(found["good"]) == len(found["bad"]) in (2, 4)


@pytest.mark.parametrize("name", ONE_BAD_CELL)
def test_words_cancel_in_the_difference_of_differences(name: str) -> None:
    found = cells(f"acceptability/{name}", 3)
    (bad,), words = found["bad"], Counter(word for sentence in found["good"] for word in sentence)
    rest = [Counter(sentence) for sentence in found["good"]]
    assert any(Counter(bad) + one == words - one for one in rest)
