"""Laws of sentences: by column and one by one they are the same, and each looks like a sentence."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import shipped

FEW = settings(max_examples=max(5, settings().max_examples // 10))


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.some(shipped.paradigms(), 10))
@FEW
@given(data=st.data())
def test_a_column_is_its_sentences(name: str, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 12))
    draws = data.draw(shipped.instances(name, count))
    realiser = shipped.realiser(name)
    for condition in shipped.sentences(name):
        column = realiser.sentences(condition, draws).to_pylist()
        assert column == [realiser.sentence(condition, draws, row) for row in range(count)]
        assert column == realiser.written(condition, draws)
        assert realiser.written(condition, draws.take(np.arange(0))) == []


@pytest.mark.slow
@pytest.mark.parametrize("count", [100, pytest.param(500, marks=pytest.mark.deep)])
@pytest.mark.parametrize("name", shipped.some(shipped.paradigms(), 30))
def test_a_sentence_begins_in_upper_case_and_ends_in_its_own_final_sign(name: str, count: int) -> None:
    space, grammar, realiser = shipped.space(name), shipped.grammar_of(name), shipped.realiser(name)
    draws = space.draws(space.permutation(0), 0, min(count, space.size))
    for condition in shipped.sentences(name):
        source = shipped.source_of(name, condition, draws)
        final = grammar.sentences[grammar.constructors[source.name].result]
        for sentence in realiser.sentences(condition, draws).to_pylist():
            assert sentence is not None
            continues = grammar.constructors[source.name].result in grammar.continuing
            assert sentence[0].isupper() != continues or sentence.startswith("I "), sentence
            assert sentence.endswith(final), sentence
            assert not re.search(r"[.?!](?! [A-Z])", sentence[:-1]), sentence  # a story has several sentences
            assert sentence == " ".join(sentence.split()), sentence
            assert not re.search(r" [,.?']", sentence), sentence
