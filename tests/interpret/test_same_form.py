"""What is found of one sentence holds of all of its form, with their words in the places of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from unittest import mock

import pytest
from projects import PLAIN, TOY_GRAMMAR, toy

from gramprobe.interpret import same_form
from gramprobe.interpret.read import Interpretation, Reader
from gramprobe.interpret.same_form import SameForm
from gramprobe.project import Project
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.tree import Apply, Given, Tree
from gramprobe.source.diagnostic import Findings


def alone(reader: Reader, text: str, tree: Tree) -> Interpretation:
    """A sentence as it is read where nothing is known of others."""
    with mock.patch.object(SameForm, "readings", return_value=None):
        return reader.read_back(text, tree)


@pytest.fixture
def known() -> Iterator[Mapping[object, object]]:
    """What is known of forms, of none at first."""
    with mock.patch.dict(same_form._known, clear=True):
        yield same_form._known


def read_in(project: Project) -> Grammar:
    """The grammar of a toy project in which some sentences were read as they are alone."""
    grammar = project.declarations.grammar_of_paradigm("toy/one")
    assert grammar is not None
    theory = project.declarations.theory("toy", grammar, Findings())
    assert theory is not None
    reader, has = Reader(grammar, theory), grammar.constructors["Has"]
    for who, animal in (("wanda", "a newt"), ("uma", "an owlet"), ("vito", "a birdie"), ("wanda", "a newt")):
        words = Given(who, "Who", False), Given(animal.split()[1], "Kind", False)
        text, tree = f"{who.capitalize()} has {animal}.", Apply(has, words, has.span)
        read = reader.read_back(text, tree)
        assert len(read.readings) == 1
        assert read == alone(reader, text, tree), text
    return grammar


def test_sentences_of_one_form_are_composed_once(tmp_path: Path, known: Mapping[object, object]) -> None:
    """So they are in another grammar, in which constructors mean the same."""
    one = read_in(toy(tmp_path / "one", PLAIN))
    assert len(known) == 1
    other = read_in(toy(tmp_path / "other", PLAIN, grammar="const lacks : e -> e -> t" + TOY_GRAMMAR))
    assert one.constructors["Has"] is not other.constructors["Has"]
    assert len(known) == 1
    read_in(toy(tmp_path / "third", PLAIN, grammar=TOY_GRAMMAR.replace("sem exists", "sem ~~exists")))
    assert len(known) == 2


def test_a_name_that_a_meaning_writes_is_no_word(tmp_path: Path, known: Mapping[object, object]) -> None:
    """Who has some animal has a newt in this grammar, too, whatever the animal is."""
    grammar = TOY_GRAMMAR.replace("sem exists x. (k(x),", "sem exists x. (newt(x) & k(x),")
    read_in(toy(tmp_path, PLAIN, grammar=grammar))
    assert len(known) == 1
