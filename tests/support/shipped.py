"""The shipped files, resolved once for a test session, and the trees from which their sentences come."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from gramprobe.interpret.read import Reader
from gramprobe.project import Project, load
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.data import Condition, Paradigm
from gramprobe.resolve.paradigm.terms import Environment, expanded
from gramprobe.resolve.project import Declarations
from gramprobe.resolve.tasks import TaskForm
from gramprobe.resolve.tree import Apply, Given, Slot, Tree
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.source.render import render
from gramprobe.space.constraints import value_of
from gramprobe.space.space import Draws, Space, space_of
from gramprobe.words.realise import Realiser
from gramprobe.words.settled import settled
from gramprobe.words.variants import drawn_category
from support.chart_parser import Term, abstract

TASK = TaskForm(name="", headings=(), claims=None)


@cache
def project() -> Project:
    """The project of `gramprobe.load()`, loaded once for each process. Tests only read it."""
    return load()


@cache
def reader() -> Reader:
    """What reads English, made once for each process. Tests only read with it."""
    return project().reader()


def declarations() -> Declarations:
    """Every shipped file resolved; fails the test that asks first when there is an error in one."""
    resolved = project().declarations
    assert not resolved.findings.failed, render(resolved.findings.items, resolved.library)
    return resolved


def paradigms(task: str = "") -> list[str]:
    """The full names of all shipped paradigms, or of those of a task."""
    return sorted(n for n, p in declarations().paradigms.items() if task in ("", p.task))


def some(names: Sequence[Any], count: int) -> list[Any]:
    """Values for `parametrize`: so many, evenly spaced, are tried by `make test`, the others by `make test-deep`."""
    return only(names, {names[at * len(names) // count] for at in range(count)})


def only(names: Sequence[Any], tried: Collection[Any]) -> list[Any]:
    """Values for `parametrize`: these are tried by `make test`, the others by `make test-deep`. A tuple has a value for
    each of several arguments."""
    assert {*tried} <= {*names}
    return [
        name if name in tried else pytest.param(*(name if isinstance(name, tuple) else (name,)), marks=pytest.mark.deep)
        for name in names
    ]


#: paradigms whose spaces take half a second and more to count, each a second with what is tested of it
LARGE = frozenset(
    f"presupposition/{name}" for name in ("all_n", "both", "cleft_existence", "cleft_uniqueness", "only", "question")
)


def every(count: int | None = None) -> list[Any]:
    """The names of all shipped paradigms for `parametrize`; those with large spaces are slow. With a count so many,
    evenly spaced, are tried by `make test`, the others by `make test-deep`."""
    named = paradigms()
    return [
        pytest.param(each, marks=pytest.mark.slow) if isinstance(each, str) and each in LARGE else each
        for each in (named if count is None else some(named, count))
    ]


def sentences(name: str) -> list[Condition]:
    """The conditions of a paradigm that are whole sentences, and good ones; candidates are noun phrases, notes words of
    columns."""
    return [c for c in paradigm(name).conditions.values() if c.role != "noted" and not c.may_break]


def paradigm(name: str) -> Paradigm:
    return declarations().paradigms[name]


def grammar_of(name: str) -> Grammar:
    """The grammar that a paradigm uses."""
    grammar = declarations().grammar_of_paradigm(name)
    assert grammar is not None
    return grammar


def grammar(*modules: str) -> Grammar:
    """Everything that some modules declare."""
    return declarations().grammar(*modules)


@cache
def space(name: str) -> Space:
    findings = Findings()
    counted = space_of(paradigm(name), grammar_of(name), findings)
    assert counted is not None, render(findings.items, declarations().library)
    return counted


@cache
def realiser(name: str) -> Realiser:
    return Realiser(space(name), grammar_of(name))


@st.composite
def instances(draw: st.DrawFn, name: str, count: int = 1) -> Draws:
    """Instances of a paradigm; every way to build its drawn trees is as likely as any other."""
    whole = space(name)
    starts = list(accumulate((box.size for box in whole.boxes), initial=0))  # in numpy, some would be rounded
    inhabited = [number for number, box in enumerate(whole.boxes) if box.size]
    ranks = []
    for _ in range(count):
        box = draw(st.sampled_from(inhabited))
        ranks.append(starts[box] + draw(st.integers(0, whole.boxes[box].size - 1)))
    return whole.at(np.array(ranks, dtype=np.int64 if whole.size < 1 << 62 else object))


def filled(name: str, condition: Condition, draws: Draws, row: int = 0) -> Tree:
    """The tree of a condition with the words of one instance; definitions stand in it with what they stand for."""
    whole, grammar = space(name), grammar_of(name)

    def within(tree: Tree) -> Tree:
        if isinstance(tree, Apply):
            return Apply(tree.constructor, tuple(map(within, tree.arguments)), tree.span)
        if isinstance(tree, Slot):
            value = value_of(tree, None, int(draws.columns[tree.name][row]), grammar, drawn_category(whole, tree))
            return Given(str(value), tree.category, tree.is_feature)
        return tree

    return within(whole.tree(condition.tree, whole.boxes[int(draws.box[row])]))


def source_of(name: str, condition: Condition, draws: Draws, row: int = 0) -> Term:
    """The abstract tree from which a condition's sentence for one instance is made."""
    return abstract(settled(filled(name, condition, draws, row), {}, grammar_of(name)))


def built(term: Term | None, grammar: Grammar, category: str) -> Tree:
    """The tree that a term names; for a part without words, the first word or else constructor of its category.

    Raises KeyError for a name that the grammar does not have.
    """
    is_feature = category in grammar.features
    if term is None:
        if is_feature:
            return Given(grammar.features[category].values[0], category, True)
        if grammar.categories[category].lexemes:
            return Given(grammar.categories[category].lexemes[0].id, category, False)
        first = next(c for c in grammar.constructors.values() if c.result == category)
        return Apply(first, tuple(built(None, grammar, a.category) for a in first.arguments), Span("test", 1, 1))
    if is_feature:
        if term.name not in grammar.features[category].values:
            raise KeyError(f"{term.name} is not a {category}")
        return Given(term.name, category, True)
    if term.name in grammar.definitions:
        definition, env = grammar.definitions[term.name], Environment(grammar=grammar, task=TASK, findings=Findings())
        wanted = zip(term.parts, definition.chooser.declared, strict=True)
        parts_ = tuple(built(part, grammar, argument.category) for part, argument in wanted)
        tree = expanded(definition, parts_, env, Span("test", 1, 1))
        assert tree is not None
        return settled(tree, {}, grammar)
    if term.name in grammar.constructors:
        constructor = grammar.constructors[term.name]
        if constructor.result != category or len(constructor.arguments) != len(term.parts):
            raise KeyError(f"{term} is not a {category}")
        parts = zip(term.parts, constructor.arguments, strict=True)
        arguments = tuple(built(part, grammar, argument.category) for part, argument in parts)
        return Apply(constructor, arguments, Span("test", 1, 1))
    if term.name not in grammar.categories[category].by_id:
        raise KeyError(f"{term.name} is not a {category}")
    return Given(term.name, category, False)
