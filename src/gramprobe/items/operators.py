"""The operators that a paradigm's meanings need; a theory must declare these and no others.

A meaning names an operator outright (``poss``), or an argument whose words are operators (``v[p] c`` of ``v: Att``). Of
the words that may fill the argument only those count that the meaning's cases and the paradigm's conditions allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gramprobe.formula import ast
from gramprobe.resolve.grammar.data import Category, Cell, Grammar, Lexeme, Meaning
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.tree import Apply, Given, Slot, Tree, nodes
from gramprobe.source.diagnostic import Span
from gramprobe.space.constraints import as_set, value_of
from gramprobe.space.once import Once
from gramprobe.space.space import Box, Space
from gramprobe.syntax.tree import Case
from gramprobe.words.linearise import key_of, keys_of, operand_value
from gramprobe.words.variants import drawn_category


@dataclass(frozen=True, slots=True)
class Needed:
    """An operator that some condition needs.

    Attributes:
        name: the operator, or the category of the words that must be operators.
        words: these words; None where ``name`` is an operator.
        place: where a meaning mentions it.
        condition: the condition whose tree has that meaning.
    """

    name: str
    words: tuple[Lexeme, ...] | None
    place: Span
    condition: str

    def lacking(self, theory: Theory) -> str | None:
        """The operator, category or word that the theory does not declare; None if it declares all."""
        if self.words is None:
            return None if self.name in theory.operator_names else self.name
        without = next((word.id for word in self.words if not theory.has_operator(word)), None)
        if without is None or any(pattern.category == self.name for pattern in theory.lexical_operators):
            return without
        return self.name


def operators_needed(space: Space, grammar: Grammar) -> list[Needed]:
    """Every operator that a meaning of the paradigm needs, in the order of its conditions."""
    needed: dict[tuple[str, tuple[str, ...] | None], Needed] = {}
    trees, meanings = Once(), Once()  # boxes share trees, and trees meanings
    for condition in space.paradigm.conditions.values():
        for box in space.boxes:
            if not box.size:
                continue
            for node, meaning, names in trees(_modal, (space.tree(condition.tree, box),), meanings):
                for each in _of_meaning(node, meaning, names, box, space, grammar, condition.name):
                    ids = tuple(word.id for word in each.words) if each.words is not None else None
                    needed.setdefault((each.name, ids), each)
    return list(needed.values())


def _modal(once: Once, tree: Tree) -> list[tuple[Apply, Meaning, list[str]]]:
    """The meanings in a tree that name operators, with their nodes and these names, each once."""
    meanings = [(node, sem) for node in nodes(tree) if isinstance(node, Apply) for sem in node.constructor.sems]
    return [(node, sem, names) for node, sem in meanings if (names := once(_operators_of, (sem,)))]


def _operators_of(meaning: Meaning) -> list[str]:
    return list(dict.fromkeys(part.operator for part in ast.walk(meaning.formula) if isinstance(part, ast.Modal)))


def words_like_operators(space: Space, grammar: Grammar, theory: Theory) -> list[Lexeme]:
    """The words that are drawn as predicates of one thing, or as statements, and have the id of an operator.

    ``poss(amy)`` could be either. Predicates of two things, names and operators of words are distinguished by their
    place in a formula.
    """
    categories = [each.by_id.keys() for each in grammar.categories.values() if _is_one_place(each)]
    if all(map(theory.named_outright.isdisjoint, categories)):  # no network is made to see which words are drawn
        return []
    words = space.once("one place", lambda: _one_place(space, grammar))
    return [word for word in words if word.id in theory.named_outright]


def _is_one_place(category: Category) -> bool:
    return str(category.type) in ("e -> t", "t")


def _one_place(space: Space, grammar: Grammar) -> list[Lexeme]:
    words: dict[str, Lexeme] = {}
    for box in space.boxes:
        for slot, members in zip(box.slots, box.network.domains if box.network is not None else (), strict=False):
            if not slot.is_feature:
                lexemes = grammar.categories[slot.category].lexemes
                words |= {lexemes[member].id: lexemes[member] for member in members}
    for condition in space.paradigm.conditions.values():
        for node in nodes(condition.tree):
            lexeme = (
                grammar.lexeme(node.category, node.value) if isinstance(node, Given) and not node.is_feature else None
            )
            words |= {lexeme.id: lexeme} if lexeme is not None else {}
    return [word for word in words.values() if _is_one_place(grammar.categories[word.category])]


def _of_meaning(
    node: Apply, meaning: Meaning, names: Iterable[str], box: Box, space: Space, grammar: Grammar, condition: str
) -> Iterator[Needed]:
    if not possible(meaning.cases, node, box, space, grammar):
        return
    for name in names:
        index = node.constructor.argument(name)
        place = meaning.find(name)
        if index is None:
            yield Needed(name, None, place, condition)
        else:
            words = tuple(_words(node, index, meaning.cases, box, space, grammar))
            yield Needed(node.constructor.arguments[index].category, words, place, condition)


def possible(cases: tuple[Case, ...], node: Apply, box: Box, space: Space, grammar: Grammar) -> bool:
    """Whether each of the cases may hold in some instance; a case about a requested feature always may."""
    for case in cases:
        key = key_of(case.operand, node, grammar)
        if key is not None:
            values = grammar.expanded(case.values)
            if not any(values & as_set(_value(key, m, space, grammar)) for m in _members(key[0], box)):
                return False
            continue
        if keys_of(case.operand, node, grammar):  # out of a table
            continue
        try:
            value = operand_value(case.operand, node, {}, {}, grammar)
        except KeyError:
            continue
        if node.constructor.argument(case.operand.name.text) is not None and value not in grammar.expanded(case.values):
            return False
    return True


def _words(
    node: Apply, index: int, cases: tuple[Case, ...], box: Box, space: Space, grammar: Grammar
) -> Iterator[Lexeme]:
    """The words that may fill an argument where all the cases hold."""
    argument = node.arguments[index]
    if isinstance(argument, Given):
        lexeme = grammar.lexeme(argument.category, argument.value)
        if lexeme is not None:
            yield lexeme
    elif isinstance(argument, Slot):
        keys = [(key, grammar.expanded(case.values)) for case in cases if (key := key_of(case.operand, node, grammar))]
        own = [(key, values) for key, values in keys if key[0].path == argument.path]
        for member in _members(argument, box):
            if all(values & as_set(_value(key, member, space, grammar)) for key, values in own):
                lexeme = grammar.lexeme(argument.category, str(_value((argument, "id"), member, space, grammar)))
                if lexeme is not None:
                    yield lexeme


def _members(slot: Slot, box: Box) -> Sequence[int]:
    """The members that may fill a slot, by the conditions on this slot alone."""
    assert box.network is not None
    number = next(i for i, each in enumerate(box.slots) if each.name == slot.name)
    return box.network.domains[number]


def _value(key: tuple[Slot, str | None], member: int, space: Space, grammar: Grammar) -> Cell:
    slot, column = key
    return value_of(slot, column, member, grammar, drawn_category(space, slot))
