"""Sentences that a person has read: three instances of every paradigm, and every construction.

``pytest --accept tests/golden`` records them anew; the difference is for a person to read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import shipped
from support.chart_parser import Term, abstract, matches, trees
from support.conditions import plausible

from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.tree import Apply, Given, Tree, category_of, nodes
from gramprobe.source.diagnostic import Span
from gramprobe.words.linearise import linearise, segments

HERE = Path(__file__).parent
SENTENCES = HERE / "sentences"
CONSTRUCTIONS = HERE / "constructions.txt"
INSTANCES = 3


# ---- paradigms -----------------------------------------------------------------------------------


def place_of(name: str) -> Path:
    """Where the sentences of a paradigm are kept."""
    return SENTENCES / f"{name.rpartition('/')[2]}.txt"


def sentences_of(name: str) -> str:
    """The first instances of seed 0 in every condition; a swapped premise is one of them with other words."""
    space, paradigm = shipped.space(name), shipped.paradigm(name).paper
    draws = space.draws(space.permutation(0), 0, min(INSTANCES, space.size))
    width = max(map(len, paradigm.conditions))
    blocks = []
    for row in range(len(draws)):
        sentence = {c: shipped.realiser(name).sentence(x, draws, row) for c, x in paradigm.conditions.items()}
        blocks.append("".join(f"{condition:{width}}  {text}\n" for condition, text in sentence.items()))
    return "\n".join(blocks)


@pytest.mark.parametrize("name", shipped.every())
def test_sentences_of_a_paradigm(name: str, recorded: Callable[[str, Path], None]) -> None:
    recorded(sentences_of(name), place_of(name))


def test_every_recording_is_of_a_paradigm(accept: bool) -> None:
    stale = set(SENTENCES.glob("*.txt")) - {place_of(name) for name in shipped.paradigms()}
    if accept:
        for place in stale:
            place.unlink()
    else:
        assert not stale
    assert len({place_of(name) for name in shipped.paradigms()}) == len(shipped.paradigms())


# ---- constructions -------------------------------------------------------------------------------
# The trees in constructions.txt are written by hand, their sentences by this test.


MODULES = ("change", "clefts", "existentials", "focus", "numbers", "possession", "questions", "relatives")


def english() -> Grammar:
    return shipped.grammar(*(f"english.{module}" for module in MODULES))


def parsed(text: str) -> Term:
    """``Name(jo)`` as a tree of names."""
    tokens = re.findall(r"\w+|\S", text)
    term, rest = _term(tokens)
    assert not rest, f"{text}: too much behind {term}"
    return term


def _term(tokens: list[str]) -> tuple[Term, list[str]]:
    name, rest = tokens[0], tokens[1:]
    parts: list[Term | None] = []
    if rest[:1] == ["("]:
        while rest[0] != ")":
            part, rest = _term(rest[1:])
            parts.append(part)
        rest = rest[1:]
    return Term(name, tuple(parts)), rest


def written() -> list[Term]:
    """The trees of the file, in its order."""
    lines = CONSTRUCTIONS.read_text().splitlines()
    return [parsed(line) for line in lines if line and not line.startswith((" ", "#"))]


def tree_of(term: Term) -> Tree:
    made = english().constructors.get(term.name) or english().definitions[term.name].chooser
    return shipped.built(term, english(), made.result)


def whole(term: Term) -> Iterator[tuple[str, Tree]]:
    """A tree as a sentence, or as every sentence that a constructor or a definition makes of it alone."""
    grammar, tree = english(), tree_of(term)
    if category_of(tree) in grammar.sentences:
        yield "", tree
    for constructor in grammar.constructors.values():
        only = [a.category for a in constructor.arguments] == [category_of(tree)]
        if only and constructor.result in grammar.sentences:
            yield constructor.name, Apply(constructor, (tree,), Span("test", 1, 1))
    for name, definition in grammar.definitions.items():
        made = definition.chooser
        if [a.category for a in made.given] == [category_of(tree)] and made.result in grammar.sentences:
            yield name, shipped.built(Term(name, (term,)), grammar, made.result)


def printed(tree: Tree) -> str:
    language = english().language
    (segment,) = segments(linearise(tree, {}, {}, english()), english().sentences[category_of(tree)], language)
    return language.capitalised(segment.before)


@pytest.mark.slow
def test_constructions(recorded: Callable[[str, Path], None]) -> None:
    head = [line for line in CONSTRUCTIONS.read_text().splitlines() if line.startswith("#")]
    blocks = ["\n".join(head)]
    for term in written():
        tree = tree_of(term)
        applied = [n for n in nodes(tree) if isinstance(n, Apply)]
        assert all(plausible(n, english()) for n in applied), f"a `where` does not hold of {term}"
        ways = list(whole(term))
        assert ways, f"nothing makes a sentence of {term}"
        lines = [f"  {name:7} {printed(tree)}" if name else f"  {printed(tree)}" for name, tree in ways]
        blocks.append("\n".join([str(term), *lines]))
    recorded("\n\n".join(blocks) + "\n", CONSTRUCTIONS)


def test_every_constructor_stands_among_the_constructions() -> None:
    grammar = english()
    found = {node.constructor.name for term in written() for _, tree in whole(term) for node in built_of(tree)}
    assert not set(grammar.constructors) - found


def built_of(tree: Tree) -> Iterator[Apply]:
    """The constructors of a tree, with what they are applied to."""
    return (node for node in nodes(tree) if isinstance(node, Apply))


def has_words(constructor: Constructor, argument: str, value: str) -> bool:
    """Whether some line may fit a value: a `where` can exclude a value that no line has."""
    cases = [{c.operand.text: {w.text for w in c.values} for c in line.cases} for line in constructor.lins]
    return any(value in each.get(argument, {value}) for each in cases)


def test_every_value_of_a_feature_argument_stands_among_the_constructions() -> None:
    grammar = english()
    trees_ = [node for term in written() for _, tree in whole(term) for node in built_of(tree)]
    given = [(n.constructor.name, i, p) for n in trees_ for i, p in enumerate(n.arguments)]
    seen = {(name, i, part.value) for name, i, part in given if isinstance(part, Given)}
    missing = set()
    for constructor in grammar.constructors.values():
        for index, argument in enumerate(constructor.arguments):
            if argument.is_feature:
                values = grammar.features[argument.category].values
                worded = {value for value in values if has_words(constructor, argument.name, value)}
                missing |= {(constructor.name, index, value) for value in worded} - seen
    assert not missing


@pytest.mark.slow
@pytest.mark.parametrize("term", shipped.some(written(), 16), ids=str)
def test_constructions_read_back(term: Term) -> None:
    for _, tree in whole(term):
        source = abstract(tree)
        assert any(matches(read, source) for read in trees(printed(tree), english())), printed(tree)
