"""The grammar `texts` reads what people wrote elsewhere: what it labels, what it leaves alone, and that no text breaks
it."""

from __future__ import annotations

import csv
import gc
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support import shipped

from gramprobe.formula.notation import show
from gramprobe.interpret.pairs import labelled, unread
from gramprobe.interpret.read import Reader

SUITE = Path(__file__).parents[1] / "chart"
#: how many of the good sentences are read by `english` or `texts` at least
READ = 160


@cache
def reader(guess: bool = True) -> Reader:
    return shipped.project().reader(["texts"], "texts", guess=guess)


@cache
def both() -> Reader:
    return shipped.project().reader()


def label(*sentences: str) -> str | None:
    found = labelled(sentences[:-1], sentences[-1], reader())
    assert not any(map(unread, found.sentences)), [unread(each) for each in found.sentences]
    return found.label


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        # determiners, upward and downward in both places (Barwise & Cooper 1981)
        (("Some tall plumbers are Irish.", "There are tall plumbers who are Irish."), "entailment"),
        (("Most glassblowers sang loudly.", "Most glassblowers sang."), "entailment"),
        (("Most glassblowers sang.", "Most glassblowers sang loudly."), "neutral"),
        (("No beadle sneezed.", "Some Welsh beadle sneezed."), "contradiction"),
        (("At most four beadles sneezed.", "At most four Welsh beadles sneezed loudly."), "entailment"),
        (("At most four Welsh beadles sneezed.", "At most four beadles sneezed."), "neutral"),
        (("Every beadle sneezed.", "Every Welsh beadle sneezed."), "entailment"),
        (("Exactly three beadles sneezed.", "Five beadles sneezed."), "contradiction"),
        # an indefinite below what does not rise has the scope of its place, too, or that above
        (("At most four beadles drove a car.", "At most four beadles drove a red car."), None),
        # a premise of several sentences
        (("Every beadle is tall. Adam is a beadle.", "Adam is tall."), "entailment"),
        (("If Emma yawned, Noah yawned. Emma yawned.", "Noah yawned."), "entailment"),
        # what is said of one time is no reason for what is said of another
        (("Emma was a nurse.", "Emma is a nurse."), None),
        (("The dog was in the garden.", "The dog is not in the garden."), None),
        (("The dog was in the garden.", "There is a dog in the garden."), None),
        (("Emma was a nurse.", "Someone was a nurse."), "entailment"),
        (("Every tall beadle sneezes.", "Every tall beadle sneezed."), None),
        # many and few are read, and say no more than they do
        (("Many beadles sneezed.", "Some beadles sneezed."), None),  # or two
        (("Many beadles sneezed.", "A beadle sneezed."), "entailment"),
        (("Many beadles sneezed.", "Few beadles sneezed."), None),
        (("Several beadles sneezed.", "Many beadles sneezed."), None),
        # adverbials and phrases behind nouns
        (("Adam finished the survey on time.", "Adam finished the survey."), "entailment"),
        (("Adam won the medal in 1992.", "Adam won the medal."), "entailment"),
        (("Adam read no brochure in Paris.", "Adam read no brochure."), "neutral"),
        (("Every resident of Cardiff voted.", "Adam is a resident of Cardiff.", "Adam voted."), "entailment"),
        # adjectives (Kamp & Partee 1995)
        (
            ("Adam is a Welsh beadle.", "Every beadle is a juggler.", "Adam is a Welsh juggler."),
            None,
        ),  # of guessed nouns
        (("Adam is a Welsh nurse.", "Every nurse is a singer.", "Adam is a Welsh singer."), "entailment"),
        (("Adam is a skillful beadle.", "Every beadle is a juggler.", "Adam is a skillful juggler."), None),
        (("Adam is a former beadle.", "Adam is a beadle."), None),
        # relative clauses, passives, two objects, coordination
        (("A beadle who sneezed laughed.", "A beadle laughed."), "entailment"),
        (("The survey was finished by a beadle.", "A beadle finished the survey."), "entailment"),
        (
            ("Exactly two beadles and three jugglers sneezed.", "Six jugglers sneezed."),
            None,
        ),  # three, or three at least
        (("Adam, Emma and a beadle sneezed.", "Emma sneezed."), "entailment"),
        (("Either Adam or Emma sneezed.", "Adam didn't sneeze.", "Emma sneezed."), "entailment"),
        (("Adam and Emma baked two cakes.", "Adam baked two cakes."), None),  # each, or together
        # infinitives (Karttunen 1971) and perception (Barwise 1981)
        (("Adam managed to sneeze.", "Adam sneezed."), "entailment"),
        (("Adam failed to sneeze.", "Adam sneezed."), "contradiction"),
        (("Adam didn't manage to sneeze.", "Adam sneezed."), "contradiction"),
        (("Adam tried to sneeze.", "Adam sneezed."), "neutral"),
        (("Adam saw Emma sneeze.", "Emma sneezed."), "entailment"),
        (("It is false that Adam sneezed.", "Adam sneezed."), "contradiction"),
        (("Adam believed that Emma sneezed.", "Emma sneezed."), "neutral"),
        # definites of several, and what is typical
        (("The beadles sneezed.", "Every beadle sneezed."), None),
        (("All the beadles sneezed.", "Every beadle sneezed."), "entailment"),
        (("Beadles sneeze.", "Every beadle sneezes."), None),
        # time
        (("Adam is building a house.", "Adam built a house."), None),
        (("Adam will sneeze.", "Adam sneezed."), "neutral"),
        # hypernyms, and words of which nothing is known
        (("Some dogs are barking.", "Some animals are barking."), "entailment"),
        (("No animal barked.", "No dog barked."), "entailment"),
        (("A poodlet barked.", "A houndling barked."), None),
        (("Adam sneezed.", "Adam coughed."), "neutral"),
        # existential import
        (("Every beadle sneezed.", "Some beadle sneezed."), None),
    ],
)
def test_labels(sentences: tuple[str, ...], expected: str | None) -> None:
    assert label(*sentences) == expected


@pytest.mark.parametrize(
    ("sentence", "surface", "other"),
    [
        ("No nurse drove a car.", "~exists x. (nurse(x), exists y. ", "exists x. (car(x), ~exists y. "),
        ("Every nurse drove a car.", "forall x. (nurse(x), exists y. ", "exists x. (car(x), forall y. "),
        (
            "Fewer than three nurses drove every car.",
            "~atleast 3 x. (nurse(x), forall y. ",
            "forall x. (car(x), ~atleast",
        ),
    ],
)
def test_noun_phrases_stay_or_rise(sentence: str, surface: str, other: str) -> None:
    found = {each.kind: show(each.reading.formula) for each in reader(False).read(sentence).readings}
    assert found["parse"].startswith(surface)
    assert found["scope"].startswith(other)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("Emma will sing.", "Emma sang.", "neutral"),
        ("No nurse laughed.", "No nurse will laugh.", "neutral"),
        ("Emma has sung.", "Emma sang.", "entailment"),
        ("There was a dog in the garden.", "There is a dog in the garden.", None),
        ("Emma has a cat.", "Emma had a cat.", None),
        ("Emma's cat yawned.", "Emma has a cat.", "entailment"),  # a noun may be of another time (Enç 1986)
        ("Noah knows that Emma sang.", "Emma sang.", "entailment"),
        ("Noah says that Emma sang.", "Noah says that Emma sings.", None),
    ],
)
def test_nothing_follows_for_another_time(premise: str, hypothesis: str, expected: str | None) -> None:
    assert labelled([premise], hypothesis, both()).label == expected


@pytest.mark.slow
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.deep)])
def test_the_suite_of_sentences(step: int) -> None:
    """Of the sentences written for `tests/chart`, `english` or `texts` reads most good ones, and `texts` no bad one."""
    read = {
        file: [row["sentence"] for row in csv.DictReader((SUITE / file).open(encoding="utf-8"), delimiter="\t")][::step]
        for file in ("good_sentences.tsv", "bad_sentences.tsv")
    }
    bad = [text for text in read["bad_sentences.tsv"] if reader(guess=False).read(text).readings]
    assert bad == []
    good = [text for text in read["good_sentences.tsv"] if both().parsed(text)[0].readings]
    assert len(good) >= READ // step, len(good)


def unbroken(text: str) -> None:
    found = reader().read(text)
    assert found.readings or unread(found)
    if found.reached and not found.trees and not found.unknown:
        reader().broken(text)


WORDS = "Adam Every the dog dogs who that barked and or , not is of in old Rome zzz ' \" 's"
texts = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS.split()), max_size=30).map(" ".join))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example("")
@example("\x00\ud7ff\u202e")
@example("Adam " * 59)
@example("the dog of " * 19)
@example("dogs who " * 25)
@given(texts)
def test_no_text_breaks_it(text: str) -> None:
    unbroken(text)


SIGNS = "()[]{}<>\"'\u2018\u2019“”«»`\\/|@#$%^&*~?!.,;:-_=+\n\t\r ab"
LETTERS = [(0, 32), (127, 160), (0x300, 0x36F), (0x590, 0x700), (0x2000, 0x2070), (0x4E00, 0x4F00), (0xD800, 0xDFFF),
           (0xFE00, 0xFE0F), (0x1F300, 0x1F64F), (0x10FFF0, 0x10FFFF)]  # fmt: skip


def arbitrary(seed: int) -> str:
    """Control characters, combining marks, letters from right to left, emoji, halves of characters, quotes, brackets;
    one of them thousands of times; words that make no sentence."""
    draw = random.Random(seed)
    letters = [chr(draw.randint(*draw.choice(LETTERS))) for _ in range(draw.randrange(1, 60))]
    words = " ".join(draw.choice(WORDS.split()) for _ in range(draw.randrange(1, 12)))
    at = draw.randrange(len(words))
    return [
        "".join(letters),
        "".join(draw.choice(SIGNS) for _ in range(draw.randrange(1, 120))),
        letters[0] * draw.randrange(1, 3000),
        letters[0] + words + letters[-1],
        words[:at] + letters[0] + words[at:],
        words,
    ][seed % 6]


@pytest.mark.slow
@pytest.mark.parametrize("count", [18, pytest.param(120, marks=pytest.mark.deep)])
def test_no_arbitrary_string_breaks_it(count: int) -> None:
    """How long 10,000 of them take is measured by `scripts/bench_reading.py`."""
    both().read("Adam yawned the."), both().broken("Adam yawned the.")
    gc.collect()
    gc.freeze()  # what is loaded is not looked through again and again
    before = "Adam sang."
    for seed in range(count):
        text = arbitrary(seed)
        found, by = both().parsed(text)
        assert found.readings or unread(found)
        if found.reached and not found.trees:
            by.broken(text)
        if seed % 3 == 0:
            pair = labelled([text], before, both()) if seed % 2 else labelled([before], text, both())
            assert pair.label or pair.why


@pytest.mark.deep
@settings(max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts)
def test_no_text_of_ten_thousand_breaks_it(text: str) -> None:
    unbroken(text)
