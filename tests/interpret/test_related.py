"""What words have to do with each other, by the lists of their language."""

from __future__ import annotations

from functools import cache

import pytest
from support import shipped

from gramprobe.formula.notation import show
from gramprobe.interpret.pairs import labelled
from gramprobe.interpret.read import Reader


@cache
def readers() -> tuple[Reader, Reader]:
    english, texts, *_ = shipped.project().reader(guess=True).readers()
    return english, texts


@pytest.mark.parametrize(
    ("one", "other", "tie"),
    [
        ("sing", "dance", "independent"),
        ("whisper", "speak_i_t", "kind"),
        ("poodle_n", "cat", ""),
        ("dog", "cat", "exclusive"),
        ("kitten", "dog", "exclusive"),
        ("kitten", "cat", "kind"),
        ("animal_n", "dog", "has kind"),
        ("nurse", "doctor", "siblings"),
        ("nurse", "dog", "siblings"),
        ("nurse", "sing", "independent"),
        ("singer", "sing", ""),
        ("dead_a_t", "dog", ""),
        ("murder_v_t", "die", "causes"),
        ("die", "murder_v_t", "caused"),
        ("eat", "eat_i_t", "causes"),
        ("eat_i_t", "eat", "caused"),
        ("above_p_t", "below_p_t", "converse"),
        ("married_a_t", "unmarried_a_t", "complementary"),
        ("tall_a_t", "nurse", "independent"),
        ("boy", "young_a_t", ""),
        ("arrive", "leave_i_t", ""),
        ("play", "win_v_t", ""),
        ("interview", "speak_i_t", ""),
        ("over_p_t", "under_p_t", ""),
        ("sing", "sing", ""),
    ],
)
def test_how_two_words_are_related(one: str, other: str, tie: str) -> None:
    assert readers()[1].related.tie(one, other) == tie


@pytest.mark.parametrize(
    ("premise", "hypothesis", "axioms"),
    [
        (
            "Noah was murdered.",
            "Noah died.",
            ["forall x. forall y. person(y) & murder_v_t(x, y) -> die(y)", "person(noah)"],
        ),
        ("Noah sang.", "Noah danced.", []),
        (
            "The soup is hot.",
            "The soup is cold.",
            ["forall x. soup_m_t(x) -> ~(cold_a_t[x] one(x) & hot_a_t[x] one(x))"],
        ),
        ("The wine is dry.", "The wine is wet.", []),
        ("Emma is a rich nurse.", "Emma is a poor nurse.", []),
        ("Jumbo is a small elephant.", "Jumbo is a big animal.", ["forall x. elephant(x) -> animal_n(x)"]),
    ],
)  # fmt: skip
def test_the_axioms_of_a_pair(premise: str, hypothesis: str, axioms: list[str]) -> None:
    texts = readers()[1]
    both = [texts.read(text).readings[0].reading.formula for text in (premise, hypothesis)]
    assert sorted(map(show, texts.related.axioms(both))) == axioms


def test_what_the_first_grammar_does_not_know_the_next_one_is_asked() -> None:
    english, texts = readers()
    alone = Reader(english.grammar, english.theory)
    assert (found := labelled(["Emma stopped smoking."], "Emma smoked.", alone)).label is None and found.of_words
    found = labelled(["Emma stopped smoking."], "Emma smoked.", english)
    assert (found.label, found.reader) == ("entailment", texts)


def test_a_built_label_does_not_ask() -> None:
    project = shipped.project()
    assert project.decide("dog(emma)", "cat(emma)", "reading").verdict.label == "neutral"
