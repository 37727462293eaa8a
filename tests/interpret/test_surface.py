"""Of a sentence that is said to have one tree alone, a reader who looks for all readings finds no others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import shipped

from gramprobe.interpret.read import Reader
from gramprobe.interpret.rules import rules_for
from gramprobe.interpret.same_form import SameForm
from gramprobe.interpret.surface import Alone, _raised_and_kept
from gramprobe.judge.judge import readings_of
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.tree import Apply, Tree
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws
from gramprobe.words.settled import settled

FEW = settings(max_examples=max(2, settings().max_examples // 25))
NAMES = [
    name
    for name in shipped.paradigms()
    if shipped.paradigm(name).theory and not shipped.paradigm(name).task.startswith("pairs")
]


@cache
def theory_of(name: str) -> Theory:
    theory = shipped.declarations().theory(shipped.paradigm(name).theory, shipped.grammar_of(name), Findings())
    assert theory is not None
    return theory


@cache
def reader(name: str) -> Reader:
    return Reader(shipped.grammar_of(name), theory_of(name))


def made(name: str, draws: Draws) -> Iterator[tuple[str, Tree]]:
    """The sentences of some instances, each with the tree that it was made from."""
    grammar = shipped.grammar_of(name)
    for row in range(len(draws)):
        one = draws.take(np.array([row]))
        for condition in shipped.sentences(name):
            tree = settled(shipped.filled(name, condition, one), {}, grammar)
            if isinstance(tree, Apply) and tree.constructor.name in grammar.constructors:
                yield shipped.realiser(name).sentence(condition, one), tree


def asked(name: str, draws: Draws) -> Iterator[tuple[str, Tree, set[object], bool]]:
    """The sentences with their trees, the formulas of these, and whether they are said to have no others."""
    grammar, theory, every = shipped.grammar_of(name), theory_of(name), [*made(name, draws)]
    tokens = {token for text, _ in every for token in grammar.language.tokens(text)}
    alone = Alone(grammar, theory, rules_for(grammar, tokens))
    for text, tree in every:
        own = [each.formula for each in readings_of(tree, theory, grammar)]
        yield text, tree, {*own}, alone.holds(text, tree, own)


@pytest.mark.parametrize("name", shipped.some(NAMES, 6))
@FEW
@given(data=st.data())
def test_a_reader_finds_no_more(name: str, data: st.DataObject) -> None:
    for text, tree, own, holds in asked(name, data.draw(shipped.instances(name, 3))):
        if holds:
            read = reader(name).read_back(text, tree)
            assert own <= {each.reading.formula for each in read.readings}
            assert all(each.reading.formula in own for each in read.readings if each.kind == "parse")


@pytest.mark.parametrize("name", shipped.some(NAMES, 6))
@FEW
@given(data=st.data())
def test_a_sentence_is_read_as_where_nothing_is_known_of_its_form(name: str, data: st.DataObject) -> None:
    for text, tree in made(name, data.draw(shipped.instances(name, 3))):
        known = reader(name).read_back(text, tree)
        with mock.patch.object(SameForm, "readings", return_value=None):
            assert known == reader(name).read_back(text, tree), text


@FEW
@given(data=st.data())
def test_noun_phrases_that_may_stay_in_their_places_make_no_other_tree(data: st.DataObject) -> None:
    name = "theory_of_mind/additional"
    kept = False
    for text, tree, own, holds in asked(name, data.draw(shipped.instances(name, 2))):
        assert holds, text
        kept |= len(reader(name).read_back(text, tree).readings) > len(own)
    assert kept


def test_a_tree_without_the_surface_reading_is_not_the_only_one() -> None:
    name = "theory_of_mind/additional"
    grammar, theory = shipped.grammar_of(name), theory_of(name)
    draws = shipped.space(name).at(np.arange(2))
    every = [(text, tree) for text, tree in made(name, draws) if _raised_and_kept(tree, grammar) != (tree, tree)]
    assert every
    for text, tree in every:
        alone = Alone(grammar, theory, rules_for(grammar, grammar.language.tokens(text)))
        assert not alone.holds(text, tree, [])
