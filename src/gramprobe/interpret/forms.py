"""The form of a tree: all of it on which hangs what it means, but for its words."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gramprobe.formula.ast import Modal, walk
from gramprobe.formula.binding import names
from gramprobe.interpret.trees import is_raised, kept_versions
from gramprobe.meaning.columns import consulted
from gramprobe.meaning.compose import Composer
from gramprobe.meaning.variants import number_of
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.tree import Apply, Given, Tree, nodes, origin

Names = dict[tuple[bool, str], int]
"""A value of a feature (True), or a word or what a column of one names (False) -> its number."""


def form(tree: Tree, grammar: Grammar, known: Names) -> object:
    """All of a tree on which hangs what it means, and where its noun phrases may be kept, but for its words, values of
    features and what columns name: these are numbered in ``known`` as they first occur. A number says which of them
    are the same, and a meaning asks of no more, but for what its cases ask, which is in the form.

    Trees of one form, also those of two grammars, mean the same with the names of the one in the places of those of
    the other, unless meanings write such names themselves (`literal`)."""
    if isinstance(tree, Given) and not tree.value.isdigit():
        return known.setdefault((tree.is_feature, tree.value), len(known))
    if not isinstance(tree, Apply):
        return tree
    constructor = grammar.constructors.get(tree.constructor.name, tree.constructor)
    operands, columns = _asked(constructor, grammar)
    values = (*(_value(tree.arguments[at], column, grammar) for at, column in operands),)
    named = [value for at, column in columns for value in _value(tree.arguments[at], column, grammar)]
    named_so = [each if each.isdigit() else known.setdefault((False, each), len(known)) for each in named]
    kept = next(kept_versions(tree, grammar), None)
    versions = [_number(tree, each, values, grammar) for each in (constructor, kept, tree.constructor) if each]
    return *versions, tree.breach, *named_so, *[form(each, grammar, known) for each in tree.arguments]


def literal(tree: Tree, grammar: Grammar) -> Iterator[frozenset[str]]:
    """Of each constructor in a tree the names that its meanings write."""
    for node in nodes(tree):
        if isinstance(node, Apply):
            constructor = grammar.constructors.get(node.constructor.name, node.constructor)
            key = "names in meanings", id(constructor)
            if key not in grammar.shared:
                every = [names(meaning.formula) for meaning in constructor.sems]
                parts = (part for meaning in constructor.sems for part in walk(meaning.formula))
                every.append(frozenset(part.operator for part in parts if isinstance(part, Modal)))
                grammar.shared[key] = constructor, frozenset[str]().union(*every)
            yield grammar.shared[key][1]


_Places = list[tuple[int, str | None]]


def _asked(constructor: Constructor, grammar: Grammar) -> tuple[_Places, _Places]:
    """The arguments, and columns of these, that the cases of a constructor ask for, and that its meanings name."""
    key = "asked by meanings", id(constructor)
    if key not in grammar.shared:
        operands, columns = consulted(constructor, grammar)
        asked = [(each.name.text, None if each.column is None else each.column.text) for each in operands]
        places = [[(constructor.argument(name), column) for name, column in each] for each in (asked, columns)]
        grammar.shared[key] = constructor, tuple([each for each in place if each[0] is not None] for place in places)
    found: tuple[_Places, _Places] = grammar.shared[key][1]
    return found


def _value(part: Tree, column: str | None, grammar: Grammar) -> tuple[str, ...]:
    """The value that a part of a tree is, or that it has in a column; none where it has no single one."""
    if column is None:
        return (part.value,) if isinstance(part, Given) else ()
    return origin(part, column, grammar).constant or ()


def _number(tree: Apply, constructor: Constructor, values: tuple[tuple[str, ...], ...], grammar: Grammar) -> int:
    """The number of all that a constructor means at the root of a tree: what its cases ask for has these values."""
    key = "meaning", id(constructor), values
    if key not in grammar.shared:
        node, composer = replace(tree, constructor=constructor), Composer({}, grammar)
        asked = is_raised(constructor, grammar), *_asked(constructor, grammar)[1]
        grammar.shared[key] = constructor, number_of((constructor.name, *asked, *composer.meant(node)))
    found: int = grammar.shared[key][1]
    return found
