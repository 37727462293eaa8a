"""n-gram models: by hand, against NLTK, and that probabilities sum to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import exp, fsum, log
from pathlib import Path

import pytest

from gramprobe.baselines.ngrams import BEGIN, END, NGrams, sentences_of, words_of
from gramprobe.source.diagnostic import UsageError

CORPUS = ("The boy saw a dog.", "A dog slept.", "The girl saw the boy.", "The dog saw a girl.", "A boy slept.")


def probability(model: NGrams, word: str, *before: str) -> float:
    return exp(model.log_probability(word, before))


def test_a_bigram_model_by_hand() -> None:
    # bigrams: <s> a (2), a b (1), a c (1), b </s> (1), c </s> (1)
    model = NGrams.of(["a b", "a c"], order=2)
    # of bigrams n1 = 4, n2 = 1: D = 4 / 6. Of words, by what they stand behind: a 1, b 1, c 1, </s> 2, so D = 3 / 5.
    assert model.discounts == pytest.approx((3 / 5, 4 / 6))
    below = 3 / 5 * 4 / 5 / 5  # D * different words / all, shared by a, b, c, </s> and the unknown word
    one = {"a": (1 - 3 / 5) / 5 + below, "b": (1 - 3 / 5) / 5 + below, END: (2 - 3 / 5) / 5 + below, "x": below}
    assert probability(model, "a") == pytest.approx((2 - 4 / 6) / 2 + 4 / 6 / 2 * one["a"])
    assert probability(model, "b", "a") == pytest.approx((1 - 4 / 6) / 2 + 4 / 6 * 2 / 2 * one["b"])
    assert probability(model, "x", "a") == pytest.approx(4 / 6 * 2 / 2 * one["x"])
    assert probability(model, "a", "x") == pytest.approx(one["a"])  # nothing is known of what follows x
    assert probability(model, END, "a", "b") == pytest.approx((1 - 4 / 6) / 1 + 4 / 6 * one[END])


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_the_probabilities_of_what_may_follow_sum_to_one(order: int) -> None:
    model = NGrams.of(CORPUS, order)
    words = [*sorted(model.vocabulary), END, "unheard"]
    for before in [(), ("the",), ("the", "boy"), ("unheard", "saw"), ("a", "dog", "slept")]:
        assert fsum(probability(model, word, *before) for word in words) == pytest.approx(1.0)


@pytest.mark.parametrize("order", [2, 3])
def test_it_is_nltks_model_but_for_single_words(order: int) -> None:
    from nltk.lm import KneserNeyInterpolated, Vocabulary

    # NLTK takes one discount for all lengths, and does not smooth single words.
    model = NGrams.of(CORPUS, order)
    model = replace(model, discounts=(0.0, *[0.1] * (order - 1)))
    theirs = KneserNeyInterpolated(order, vocabulary=Vocabulary([*model.vocabulary, END, BEGIN]))
    theirs.counts.update(grams(CORPUS, order))
    words = sorted(model.vocabulary)
    for word, *before in product(words, repeat=order):
        # For what begins a sentence NLTK counts the signs of its beginning as words.
        if fsum(theirs.counts[tuple(before)].values()):
            assert probability(model, word, *words[:1], *before) == pytest.approx(theirs.score(word, before), abs=1e-12)


def grams(sentences: Sequence[str], order: int) -> Iterator[Iterator[tuple[str, ...]]]:
    for sentence in sentences:
        padded = (*[BEGIN] * (order - 1), *words_of(sentence), END)
        ends = range(order - 1, len(padded))
        yield (padded[end + 1 - length : end + 1] for end in ends for length in range(1, order + 1))


def test_equal_corpora_give_equal_numbers_whatever_the_order_of_their_lines() -> None:
    one, other = NGrams.of(CORPUS), NGrams.of(reversed(CORPUS))
    text = words_of("The boy saw a unicorn.")
    assert one.text(text) == other.text(text)


def test_each_sentence_of_a_text_is_by_itself() -> None:
    model = NGrams.of(CORPUS)
    first, second = words_of("The boy slept."), words_of("A dog saw the girl!")
    assert model.text([*first, *second]) == [*model.text(first), *model.text(second)]
    assert list(sentences_of(words_of("He left?! So did she."), ".?!")) == [0, 4]
    assert list(sentences_of(words_of("He left. So did she!"), "!")) == [0]


def test_what_is_a_word() -> None:
    assert words_of("Jo’s dog isn't half-asleep, (is it)?") == [
        "jo's", "dog", "isn't", "half-asleep", ",", "(", "is", "it", ")", "?",
    ]  # fmt: skip


def test_a_corpus_is_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "corpus.txt"
    file.write_bytes("\ufeffThe boy slept.\r\n\r\n  \nA dog slept.\n".encode())
    model = NGrams.read(file)
    assert (model.sentences, model.tokens) == (2, 10)
    assert model.vocabulary == {"the", "boy", "slept", "a", "dog", "."}
    assert model.log_probability("boy", ["the"]) == NGrams.of(["The boy slept.", "A dog slept."]).log_probability(
        "boy", ["the"]
    )
    assert log(1) > model.log_probability("boy", ["the"])


@pytest.mark.parametrize(
    ("name", "raw", "what"),
    [
        ("c.txt", b"", "line 1: no sentence"),
        ("c.txt", b"\n \n", "line 1: no sentence"),
        ("c.txt", b"fine\nna\xefve\n", "line 2: no UTF-8"),
        ("c.txt", b"fine\nab\0c\n", "line 2: a character of no text"),
        ("c.csv", b"premise,hypothesis\n", "`.csv` is no format of a corpus of plain text"),
    ],
)
def test_a_file_that_is_no_corpus_is_refused_with_the_line(name: str, raw: bytes, what: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(UsageError) as error:
        NGrams.read(tmp_path / name)
    assert what in str(error.value)
