"""The tests of the boxes of a paradigm. Boxes differ in some skeletons alone: what stands on the same skeletons, a part
of a tree or a condition, is reduced to tests once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from gramprobe.resolve.grammar.constraints import PLAUSIBLE, name_of
from gramprobe.resolve.grammar.data import ArgumentWords, Grammar, Lookup, Operand, leaves
from gramprobe.resolve.paradigm.data import Constraint, Paradigm
from gramprobe.resolve.tree import Apply, Composite, Slot, Tree, nodes, origin, put
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.space.constraints import Either, Key, OfTwoDraws, Test, of_constraint, of_constructor

Numbered = dict[int, Test | Either]


class _Found(NamedTuple):
    """The tests of a tree or of a condition, by number, each once.

    Attributes:
        there: that words have a value in a column.
        others: those of conditions.
        never: the place of the first condition that holds of no words.
    """

    there: Numbered
    others: Numbered
    never: Span | None


class Boxes:
    """The tests of every choice of skeletons of a paradigm. Mistakes go to ``findings``."""

    def __init__(self, paradigm: Paradigm, grammar: Grammar, findings: Findings) -> None:
        self._grammar, self._findings = grammar, findings
        self._constraints = [(each, tuple(dict.fromkeys(_names_of(each)))) for each in paradigm.constraints]
        # also those that the paper's design leaves out, so that it has the same instances
        self._conditions = [*{**paradigm.conditions, **paradigm.swapped}.values()]
        self._names: dict[int, tuple[str, ...]] = {}
        self._filled: dict[tuple[int, ...], Tree] = {}
        self._of_trees: dict[tuple[int, bool], _Found] = {}
        self._of_constraints: dict[tuple[int, ...], _Found] = {}
        self._numbers: dict[object, int] = {}
        self._chosen: dict[int, Tree] = {}  # what is known by its identity must stay

    def tests(self, skeletons: Mapping[str, Tree], never: list[Span] | None = None) -> list[Test | Either] | None:
        """Every test for a choice of skeletons, each once.

        ``skeletons``: draw -> tree, the same object wherever it is chosen. Returns None if a condition can never hold,
        and adds its place to ``never``. Conditions are first reduced to two sides (`constraints.Side`): a key, or
        constant values. Example: ``owner.gen = fem`` becomes a test of the key `owner.gen` against the set of `fem`.
        """
        self._chosen.update((id(tree), tree) for tree in skeletons.values())
        every = [self._of_constraint(each, names, skeletons) for each, names in self._constraints]
        every += [self._of_tree(self.put(each.tree, skeletons), each.may_break) for each in self._conditions]
        place = next((found.never for found in every if found.never is not None), None)
        if place is not None:
            if never is not None:
                never.append(place)
            return None
        return list(_joined((*(found.there for found in every), *(found.others for found in every))).values())

    def put(self, tree: Tree, skeletons: Mapping[str, Tree]) -> Tree:
        """The tree with drawn trees replaced: the same object for the same skeletons in it."""
        names = self._names_of(tree)
        key = id(tree), *(id(skeletons.get(name)) for name in names)
        if key not in self._filled:
            filled = tree
            if not isinstance(tree, Apply):
                filled = put(tree, skeletons)
            elif any(name in skeletons for name in names):
                filled = replace(tree, arguments=tuple(self.put(each, skeletons) for each in tree.arguments))
            self._filled[key] = filled
        return self._filled[key]

    def _names_of(self, tree: Tree) -> tuple[str, ...]:
        """The names of the draws in a tree of the paradigm, each once."""
        if id(tree) not in self._names:
            inside = chain(*map(self._names_of, tree.arguments)) if isinstance(tree, Apply) else _names_in(tree)
            self._names[id(tree)] = tuple(dict.fromkeys(inside))
        return self._names[id(tree)]

    def _of_constraint(self, constraint: Constraint, names: tuple[str, ...], skeletons: Mapping[str, Tree]) -> _Found:
        key = id(constraint), *(id(skeletons.get(name)) for name in names)
        if key not in self._of_constraints:
            found = _Found({}, {}, None)
            try:
                test = of_constraint(constraint, skeletons, self._grammar, self._findings)
                found = self._reduced([(test, constraint.span)])
            except OfTwoDraws as error:
                self._findings.add(messages.grammar.looked_up_by_two(constraint.span, error.feature, constraint.span))
            self._of_constraints[key] = found
        return self._of_constraints[key]

    def _of_tree(self, tree: Tree, may_break: bool) -> _Found:
        """The tests of a tree that was made by `put`, which keeps it."""
        key = id(tree), may_break
        if key not in self._of_trees:
            below = [self._of_tree(each, may_break) for each in tree.arguments] if isinstance(tree, Apply) else []
            own = self._of_node(tree, may_break) if isinstance(tree, Apply) else self._of_leaves(tree)
            every = [own, *below]
            self._of_trees[key] = _Found(
                _joined(found.there for found in every),
                _joined(found.others for found in every),
                next((found.never for found in every if found.never is not None), None),
            )
        return self._of_trees[key]

    def _of_leaves(self, tree: Tree) -> _Found:
        there = (
            Test(left=Key(each, None), right=frozenset({""}), name="refers", overlap=False)
            for each in nodes(tree)
            if isinstance(each, Slot) and each.column is not None and not each.is_feature
        )
        return _Found({self._number(test): test for test in there}, {}, None)

    def _of_node(self, node: Apply, may_break: bool) -> _Found:
        """The tests of a constructor for its arguments."""
        reduced: list[tuple[Test | Either | bool | None, Span]] = []
        for line in node.constructor.where:
            if may_break and name_of(line) != PLAUSIBLE:
                continue
            try:
                reduced.append((of_constructor(node, line, self._grammar, self._findings), line.span))
            except OfTwoDraws as error:
                self._findings.add(messages.grammar.looked_up_by_two(line.span, error.feature, node.span))
        there: Numbered = {}
        for test in _looked_up_in_words(node, self._grammar):
            there.setdefault(self._number(test), test)
        return self._reduced(reduced)._replace(there=there)

    def _reduced(self, tests: Iterable[tuple[Test | Either | bool | None, Span]]) -> _Found:
        others: Numbered = {}
        for test, span in tests:
            if test is False:
                return _Found({}, {}, span)
            if isinstance(test, Test | Either):
                others.setdefault(self._number(test), test)
        return _Found({}, others, None)

    def _number(self, test: Test | Either) -> int:
        key = test.tests if isinstance(test, Either) else (test.left, test.right, test.name)
        return self._numbers.setdefault(key, len(self._numbers))


def tests_of(
    paradigm: Paradigm,
    skeletons: Mapping[str, Tree],
    grammar: Grammar,
    findings: Findings,
) -> list[Test | Either] | None:
    """The tests of one choice of skeletons (`Boxes.tests`)."""
    return Boxes(paradigm, grammar, findings).tests(skeletons)


def _joined(every: Iterable[Numbered]) -> Numbered:
    """Tests with those of later ones behind them; of equal tests the first counts."""
    joined: Numbered = {}
    for each in every:
        for number, test in each.items():
            joined.setdefault(number, test)
    return joined


def _names_in(tree: Tree) -> Iterator[str]:
    """The names of the draws in a tree."""
    return (each.name for each in nodes(tree) if isinstance(each, Slot | Composite))


def _names_of(constraint: Constraint) -> Iterator[str]:
    """The names of the draws that a condition is about."""
    for tree in (
        *(tree for tree, _ in constraint.operands),
        *(tree for measure in constraint.measures for _, tree, _ in measure.terms),
    ):
        yield from _names_in(tree)
    for part in constraint.parts:
        yield from _names_of(part)


def _looked_up_in_words(node: Apply, grammar: Grammar) -> Iterator[Test]:
    """The tests that drawn words have a value in the columns that the words of a constructor look up in tables: a word
    of another table may have none in a column that was added."""
    for line in node.constructor.lines:
        # a case may leave such words to another line
        settled = {case.argument for case, _ in line.cases if case.column}
        for atom in line.atoms:
            values = [value for _, value in atom.requests] if isinstance(atom, ArgumentWords) else [atom]
            for operand in (leaf for value in values if isinstance(value, Lookup) for leaf in leaves(value)):
                if not isinstance(operand, Operand) or operand.argument is None or operand.column is None:
                    continue
                if operand.argument in settled:
                    continue
                for slot, column in origin(node.arguments[operand.argument], operand.column, grammar).slots:
                    category = grammar.categories.get(slot.category)
                    declared = category.columns.get(column or "") if category is not None else None
                    if declared is not None and (declared.added or declared.optional):
                        key, at = Key(slot, column), node.constructor.span
                        yield Test(left=key, right=frozenset({""}), name="refers", overlap=False, span=at)
