"""The chart finds the trees of a sentence: those that NLTK's parser finds, the one that it was made of among them."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import shipped
from support.chart_parser import Term
from support.chart_parser import trees as trees_of_nltk

from gramprobe.chart.cuts import cuts
from gramprobe.chart.forest import Tree
from gramprobe.chart.parse import parse
from gramprobe.chart.rules import Rules
from gramprobe.compiled.data import Argument, Compiled, Constructor, Daughter, Production, Sentence, Word
from gramprobe.compiled.from_resolve import compiled
from gramprobe.language import Language

FEW = settings(max_examples=max(5, settings().max_examples // 8))


@cache
def rules(name: str) -> Rules:
    return Rules(compiled(shipped.grammar_of(name)))


def term(tree: Tree | str, grammar: Compiled) -> Term:
    """A tree as names, as the reader over NLTK has it."""
    if isinstance(tree, str):
        return Term(tree)
    (arguments,) = (c.arguments for c in grammar.constructors if c.name == tree.constructor)
    values, parts = dict(tree.values), dict(tree.parts)
    return Term(
        tree.constructor,
        tuple(
            Term(values[a.name]) if a.name in values else term(parts[number], grammar) if number in parts else None
            for number, a in enumerate(arguments)
        ),
    )


def found(text: str, name: str) -> tuple[int, set[Term]]:
    """The number of trees of a text, and the trees."""
    using = rules(name)
    forests = [parse(tokens, using) for tokens in cuts(text, using.grammar.language, using.known)]
    count = sum(forest.count() for forest in forests)
    return count, {term(tree, using.grammar) for forest in forests for tree in forest.trees()}


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.some(shipped.paradigms("nli"), 4))
@FEW
@given(data=st.data())
def test_a_sentence_has_the_trees_that_nltk_finds(name: str, data: st.DataObject) -> None:
    draws = data.draw(shipped.instances(name))
    condition = data.draw(st.sampled_from(shipped.sentences(name)))
    sentence = shipped.realiser(name).sentence(condition, draws)
    count, trees = found(sentence, name)
    expected = set(trees_of_nltk(sentence, shipped.grammar_of(name)))
    assert (count, trees) == (len(expected), expected), sentence
    words = sentence.split(" ")
    for other in (" ".join(data.draw(st.permutations(words))), " ".join(words[1:]), " ".join(words[:-1])):
        expected = set(trees_of_nltk(other, shipped.grammar_of(name)))
        assert found(other, name) == (len(expected), expected), other


def _toy(productions: list[Production], words: list[Word], arguments: dict[str, int]) -> Compiled:
    constructors = tuple(
        Constructor(
            name=name,
            category="X",
            arguments=tuple(
                Argument(name=f"a{n}", category="X", feature=False, head=False, unsaid=False) for n in range(count)
            ),
            where=(),
        )
        for name, count in arguments.items()
    )
    return Compiled(
        version=3,
        language=Language(code="x", marks=(".",), ends=(".",)),
        sentences=(Sentence(category="S", final=".", continues=False),),
        constructors=constructors,
        productions=tuple(productions),
        words=tuple(words),
        carried=(),
        texts={},
    )


def _production(name: str, category: str, *daughters: str | Daughter, **features: str | None) -> Production:
    return Production(constructor=name, category=category, features=features, daughters=daughters, values={})


def _daughter(argument: int, category: str, **features: str | None) -> Daughter:
    return Daughter(argument=argument, category=category, features=features, constraints={})


def _word(category: str, spelling: str, **features: str) -> Word:
    return Word(category=category, id=spelling, features=features, tokens=(spelling,))


@cache
def _catalan() -> Rules:
    """S -> S and S | p: a sentence of n times *p* has as many trees as there are binary trees with n leaves."""
    both = _production("And", "S", _daughter(0, "S"), "and", _daughter(1, "S"))
    one = _production("Say", "S", _daughter(0, "P"))
    return Rules(_toy([both, one], [_word("P", "p")], {"And": 2, "Say": 1}))


@pytest.mark.parametrize(("leaves", "trees"), [(1, 1), (2, 1), (3, 2), (4, 5), (5, 14), (12, 58786), (40, None)])
def test_trees_are_counted_without_being_made(leaves: int, trees: int | None) -> None:
    forest = parse([*" and ".join("p" * leaves).split(), "."], _catalan())
    if trees is not None:
        assert forest.count() == trees
    else:
        assert forest.count() == 680425371729975800390  # the 40th number of Catalan, OEIS A000108
    if leaves <= 5:
        assert len({*forest.trees()}) == trees


def test_derivations_that_differ_in_features_alone_are_one_tree() -> None:
    say = _production("Say", "S", _daughter(0, "V"))
    forms = [_word("V", "put", form="past"), msgspec.structs.replace(_word("V", "put", form="base"))]
    forest = parse(["put", "."], Rules(_toy([say], forms, {"Say": 1})))
    assert (len(forest.roots), forest.count(), len([*forest.trees()])) == (1, 1, 1)
    assert [edge.values for edge in forest.edges if edge.category == "V"] == [("past",), ("base",)]


def test_a_mother_has_the_values_of_her_head() -> None:
    productions = [
        _production("Say", "S", _daughter(0, "N", num="sg")),
        _production("Old", "N", "old", _daughter(0, "N", num=None), num=None),
    ]
    using = Rules(_toy(productions, [_word("N", "man", num="sg"), _word("N", "men", num="pl")], {"Say": 1, "Old": 1}))
    assert parse(["old", "old", "man", "."], using).count() == 1
    assert parse(["old", "old", "men", "."], using).count() == 0


def test_a_grammar_whose_trees_have_no_end_is_refused() -> None:
    productions = [_production("Say", "S", _daughter(0, "N")), _production("Same", "N", _daughter(0, "N"))]
    using = Rules(_toy(productions, [_word("N", "man")], {"Say": 1, "Same": 1}))
    with pytest.raises(ValueError, match="N is a part of itself over the same tokens"):
        parse(["man", "."], using).count()


@pytest.mark.parametrize("text", ["", ".", "p", "p and", "and p .", "q .", "p . p .", "\u200b"])
def test_what_is_no_sentence_has_no_tree(text: str) -> None:
    using = _catalan()
    assert sum(parse(t, using).count() for t in cuts(text, using.grammar.language, using.known)) == 0


def test_a_word_that_begins_a_sentence_is_read_both_ways_where_both_are_known() -> None:
    english = shipped.grammar("english.clauses").language
    assert [*cuts("Will ran. It did.", english, {"will", "Will", "ran", "it", "did", "."})] == [
        ("Will", "ran", ".", "it", "did", "."),
        ("will", "ran", ".", "it", "did", "."),
    ]
    assert [*cuts("Will flew.", english, {"will", "Will", "."})] == []
