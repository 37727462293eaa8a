"""The conditions on draws, reduced to tests between two slots.

Conditions come from the paradigm's ``where`` lines and from the ``where`` of every constructor in every tree of the
paradigm, including redrawn trees: the grammar keeps sentences plausible even if the author adds no condition.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from msgspec import Struct

from gramprobe.resolve.grammar.data import NUMBERS, Cell, Grammar, Lexeme
from gramprobe.resolve.grammar.where import feature_of_value, kind_of_operand
from gramprobe.resolve.paradigm.data import Constraint
from gramprobe.resolve.tree import Apply, Given, Origin, Slot, Tree, category_of, looked_up, origin, put
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax.tree import Condition


class Key(Struct, frozen=True):
    """A value that depends on the lexeme in a slot: the value of a column, or (None) the lexeme itself."""

    slot: Slot
    column: str | None
    #: a table's values for those of the column, if a constructor looks the value up
    mapped: tuple[tuple[Cell, Cell], ...] = ()
    #: a sum of columns of numbers of the drawn word instead, each with its sign, and a constant
    terms: tuple[tuple[Slot, str, int], ...] = ()
    constant: Decimal = Decimal(0)

    def of(self, cell: Cell) -> frozenset[Cell]:
        """The values that count, for a cell of the column."""
        values = as_set(cell)
        return frozenset(new for old, new in self.mapped if old in values) if self.mapped else values

    def values(self, member: int, grammar: Grammar, drawn: str) -> frozenset[Cell]:
        """The values for a member of the category ``drawn``; none where a column of a sum is empty."""
        if not self.terms:
            return self.of(value_of(self.slot, self.column, member, grammar, drawn))
        total = self.constant
        for slot, column, sign in self.terms:
            cell = value_of(slot, column, member, grammar, drawn)
            if not isinstance(cell, int | Decimal):
                return frozenset()
            total += sign * cell
        return frozenset((total,))

    @property
    def shown(self) -> str:
        if self.terms:
            parts = [("+ " if sign > 0 else "- ") + f"{slot.path}.{column}" for slot, column, sign in self.terms]
            parts += [f"{'+' if self.constant > 0 else '-'} {abs(self.constant)}"] if self.constant else []
            return " ".join(parts).removeprefix("+ ")
        return f"{self.slot.path}.{self.column}" if self.column else self.slot.path


class Test(Struct, frozen=True, kw_only=True):
    """A condition on a slot or between two slots: the sets of values of its sides overlap, or (``!=``) do not.

    Attributes:
        left: a key.
        right: a key, or the values that ``left`` is compared with.
        name: `=`, `!=`, the name of a relation, `refers` (the column of a slot is not empty), or the sign of a
            comparison of numbers, whose left side is a sum.
        overlap: whether the sets must overlap.
        listed: the pairs of a relation, by which the values of the left side are mapped first.
        span: the place of the condition.
    """

    left: Key
    right: Key | frozenset[Cell]
    name: str
    overlap: bool
    listed: frozenset[tuple[Cell, Cell]] = frozenset()
    span: Span | None = None

    @property
    def shown(self) -> str:
        """The condition as an author writes it: ``a != b``, ``a.gen = fem``, ``selects(v, s)``."""
        values = self.right if isinstance(self.right, frozenset) else ()
        right = self.right.shown if isinstance(self.right, Key) else " or ".join(sorted(str(v) for v in values))
        if self.name == "refers":
            return f"{self.left.shown} not empty"
        if self.name in ("=", "!=", *_COMPARE):
            return f"{self.left.shown} {self.name} {right}"
        return f"{self.name}({self.left.shown}, {right})"

    @property
    def identity(self) -> bool:
        """Whether two slots must differ as words."""
        return (
            self.name == "!="
            and isinstance(self.right, Key)
            and self.left.column is None
            and self.right.column is None
            and not self.left.terms
        )

    def mapped(self, values: frozenset[Cell]) -> frozenset[Cell]:
        """The values that a listed relation pairs with the left side's values; without a list, the values."""
        return frozenset(b for a, b in self.listed if a in values) if self.listed else values

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots that it is about, each once."""
        sides = (self.left, self.right) if isinstance(self.right, Key) else (self.left,)
        return tuple({side.slot.name: side.slot for side in sides}.values())

    def holds(self, left: frozenset[Cell], right: frozenset[Cell]) -> bool:
        if self.left.terms:
            return any(_COMPARE[self.name](a, b) for a in left for b in right)
        return self.mapped(left).isdisjoint(right) != self.overlap


class Either(Struct, frozen=True):
    """Tests of which one must hold, on one slot or between two.

    Attributes:
        tests: the tests.
        span: the place of the condition.
    """

    tests: tuple[Test, ...]
    span: Span | None = None

    @property
    def shown(self) -> str:
        """The condition as an author writes it."""
        return " | ".join(test.shown for test in self.tests)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots that it is about, each once."""
        return tuple({slot.name: slot for test in self.tests for slot in test.slots}.values())


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip
Side = Key | tuple[Cell, ...]


def of_constraint(
    constraint: Constraint, skeletons: Mapping[str, Tree], grammar: Grammar, findings: Findings
) -> Test | Either | bool | None:
    """A condition of the paradigm as a test, or its value if it depends on no draw; None, with a diagnostic, for one
    that depends on too many."""
    if constraint.kind == "either":
        parts = [of_constraint(part, skeletons, grammar, findings) for part in constraint.parts]
        return _either(parts, constraint.span, findings)
    if constraint.kind == "numbers":
        left, right = (
            ([(sign, _side(put(tree, skeletons), column, grammar)) for sign, tree, column in m.terms], m.constant)
            for m in constraint.measures
        )
        return _comparison(constraint.relation, left, right, constraint.span, findings)
    operands = _differing(constraint, skeletons)
    if operands is None:
        return True
    if constraint.kind != "relation" and _numeric(operands, grammar):
        one, other = (_side(t, c, grammar) for t, c in operands)
        zero = Decimal(0)
        return _comparison(constraint.kind, ([(1, one)], zero), ([(1, other)], zero), constraint.span, findings)
    if constraint.kind == "relation":
        trees = [t for t, _ in operands]
        columns = _columns(constraint.relation, trees, grammar)
        operands = ((trees[0], columns[0]), (trees[1], columns[1]))
    one, other = (_side(t, c, grammar) for t, c in operands)
    return _test(constraint.kind, constraint.relation, one, other, grammar, constraint.span)


def _numeric(operands: Sequence[tuple[Tree, str | None]], grammar: Grammar) -> bool:
    """Whether columns of numbers are compared: a missing number equals none, and differs from none."""
    return all(c is not None and kind_of_operand(category_of(t), c, grammar) in NUMBERS for t, c in operands)


def _either(parts: Sequence[Test | Either | bool | None], span: Span, findings: Findings) -> Either | bool | None:
    """The disjunction of some tests."""
    if any(part is None for part in parts):
        return None
    if any(part is True for part in parts):
        return True
    tests = [part for part in parts if isinstance(part, Test)]
    if not tests:
        return False
    whole = Either(tuple(tests), span)
    if len(whole.slots) > 2:
        findings.add(messages.grammar.three_draws(span, [slot.path for slot in whole.slots]))
        return None
    return whole


_Measured = tuple[list[tuple[int, Side]], Decimal]


def _comparison(sign: str, left: _Measured, right: _Measured, span: Span, findings: Findings) -> Test | bool | None:
    """A comparison of two sums as a test, with the columns of one draw on each side."""
    constant = left[1] - right[1]
    terms: dict[str, list[tuple[Slot, str, int]]] = {}
    for each, side in ((1, left), (-1, right)):
        for factor, key in side[0]:
            if isinstance(key, Key):
                assert key.column is not None
                terms.setdefault(key.slot.name, []).append((key.slot, key.column, each * factor))
            elif len(key) == 1 and isinstance(key[0], int | Decimal):
                constant += each * factor * key[0]
            else:  # the column of this word is empty
                return False
    if len(terms) > 2:
        findings.add(messages.grammar.three_draws(span, list(terms)))
        return None
    if not terms:
        return _COMPARE[sign](constant, Decimal(0))
    first, *others = terms.values()
    one = Key(first[0][0], None, (), tuple(first), constant)
    if not others:
        return Test(left=one, right=frozenset((Decimal(0),)), name=sign, overlap=True, span=span)
    (second,) = others
    other = Key(second[0][0], None, (), tuple((slot, column, -factor) for slot, column, factor in second))
    return Test(left=one, right=other, name=sign, overlap=True, span=span)


def value_of(slot: Slot, column: str | None, member: int, grammar: Grammar, drawn: str) -> Cell:
    """The value of a key if lexeme (or feature value) number ``member`` of the category ``drawn`` fills the slot."""
    if drawn in grammar.features:
        return grammar.features[drawn].values[member]
    lexeme: Lexeme | None = grammar.categories[drawn].lexemes[member]
    assert lexeme is not None
    if slot.column is not None:
        cell = lexeme.columns[slot.column]
        if slot.is_feature or column is None or not cell:
            return cell
        lexeme = grammar.lexeme(slot.category, str(cell))
        assert lexeme is not None
    if column is None:
        return lexeme.id
    category = grammar.categories[lexeme.category]
    if column in category.fixed:
        return category.fixed[column]
    return lexeme.columns[column]


def cells_of(slot: Slot, column: str | None, grammar: Grammar, drawn: str) -> list[Cell]:
    """`value_of` for every member of the category ``drawn``."""
    if drawn in grammar.features:
        return list(grammar.features[drawn].values)
    lexemes = grammar.categories[drawn].lexemes
    if slot.column is None:
        if column is None:
            return [lexeme.id for lexeme in lexemes]
        if not any(column in grammar.categories[name].fixed for name in {lexeme.category for lexeme in lexemes}):
            return [lexeme.columns[column] for lexeme in lexemes]
    return [value_of(slot, column, member, grammar, drawn) for member in range(len(lexemes))]


def _differing(
    constraint: Constraint, skeletons: Mapping[str, Tree]
) -> tuple[tuple[Tree, str | None], tuple[Tree, str | None]] | None:
    """The operands with skeletons put in; for ``!=`` between two trees, the only part in which they may differ.

    None if the condition is always true, since the trees have heads of different categories.
    """
    (a, ca), (b, cb) = constraint.operands
    a, b = put(a, skeletons), put(b, skeletons)
    if constraint.kind == "!=" and ca is None and cb is None:
        while isinstance(a, Apply) and isinstance(b, Apply) and a.constructor.name == b.constructor.name:
            differing = [(x, y) for x, y in zip(a.arguments, b.arguments, strict=True) if x != y]
            if len(differing) != 1:  # several parts differ: the heads must differ then, which is stricter than needed
                break
            a, b = differing[0]
        a, b = head_word(a), head_word(b)
        if category_of(a) != category_of(b) and not (isinstance(a, Given) or isinstance(b, Given)):
            return None
    return (a, ca), (b, cb)


def head_word(tree: Tree) -> Tree:
    """The word at the bottom of the heads; for a tree without a head, the tree."""
    while isinstance(tree, Apply) and tree.constructor.head is not None:
        tree = tree.arguments[tree.constructor.arguments.index(tree.constructor.head)]
    return tree


def _columns(relation: str, trees: list[Tree], grammar: Grammar) -> tuple[str, str]:
    columns = grammar.related_columns(relation, [category_of(t) for t in trees])
    assert columns is not None
    return columns


def of_constructor(node: Apply, line: Condition, grammar: Grammar, findings: Findings) -> Test | Either | bool | None:
    """A condition of a constructor's ``where`` as a test, or its value; None, with a diagnostic, for a mistake."""
    if line.kind == "either":
        return _either([of_constructor(node, part, grammar, findings) for part in line.parts], line.span, findings)
    trees: list[tuple[Tree, str | None]] = []
    for operand in line.operands:
        index = node.constructor.argument(operand.name.text)
        if index is None:
            feature = feature_of_value(operand.name.text, line, len(trees), grammar)
            if feature is None:
                known = [a.name for a in node.constructor.arguments]
                findings.add(messages.names.unknown_name(operand.name.span, "argument", operand.name.text, known))
                return None
            trees.append((Given(operand.name.text, feature, True), None))
        else:
            trees.append((node.arguments[index], operand.column.text if operand.column else None))
    if line.kind == "numbers":
        assert line.name is not None
        keys = iter([_side(tree, column, grammar) for tree, column in trees])
        sides = [
            ([(1 if sign == "+" else -1, next(keys)) for sign, _ in each.terms], Decimal(each.constant))
            for each in line.sums
        ]
        return _comparison(line.name.text, sides[0], sides[1], line.span, findings)
    (a, ca), (b, cb) = trees
    if line.kind != "relation" and _numeric(((a, ca), (b, cb)), grammar):
        zero = Decimal(0)
        one, other = ([(1, _side(a, ca, grammar))], zero), ([(1, _side(b, cb, grammar))], zero)
        return _comparison(line.kind, one, other, line.span, findings)
    if line.kind != "relation":
        return _test(line.kind, "", _side(a, ca, grammar), _side(b, cb, grammar), grammar, line.span)
    assert line.name is not None
    name = line.name.text
    if name not in grammar.relations:
        findings.add(messages.names.unknown_name(line.name.span, "relation", name, grammar.relations))
        return None
    categories = [category_of(a), category_of(b)]
    columns = grammar.related_columns(name, categories)
    if columns is None:
        findings.add(messages.tables.relation_misfit(line.span, name, categories, grammar))
        return None
    left, right = _side(a, columns[0], grammar), _side(b, columns[1], grammar)
    if (left == () and _wordless(a)) or (right == () and _wordless(b)):
        return True
    return _test("relation", name, left, right, grammar, line.span)


def _wordless(tree: Tree) -> bool:
    """Whether a phrase has no word in it, as a trace or a reflexive: what has no class goes with every verb."""
    return isinstance(tree, Apply) and all(each.is_feature for each in tree.constructor.arguments)


def _side(tree: Tree, column: str | None, grammar: Grammar) -> Side:
    """The key or the constant that an operand stands for."""
    if column is None or (isinstance(tree, Slot | Given) and tree.is_feature):
        if isinstance(tree, Given):
            feature = grammar.features.get(tree.category)
            return feature.expand(tree.value) if feature else (tree.value,)
        if isinstance(tree, Slot):
            return Key(tree, None)
        word = head_word(tree)
        return _side(word, None, grammar) if not isinstance(word, Apply) else (word.constructor.name,)
    if column == "id" and isinstance(tree, Slot):
        return Key(tree, None)
    source = origin(tree, column, grammar)
    if source.slot is not None:
        return Key(source.slot, source.column)
    if source.table is not None:
        return _mapped(source, column, grammar)
    return source.constant or ()


class OfTwoDraws(Exception):
    """A condition on a feature that a constructor looks up by two draws, beside which another draw is compared."""

    def __init__(self, feature: str) -> None:
        self.feature = feature
        super().__init__(feature)


def _mapped(source: Origin, feature: str, grammar: Grammar) -> Key:
    """The key of a feature that is looked up by one draw. Raises OfTwoDraws if it is looked up by several."""
    if len(source.slots) != 1 or source.is_open:
        raise OfTwoDraws(feature)
    ((slot, column),) = source.slots
    at = column or slot.category
    declared = grammar.categories[slot.category].columns.get(at) if slot.category in grammar.categories else None
    values = grammar.features[declared.type if declared is not None else at].values
    table = tuple((value, looked_up(source, {(slot.path, column): value}, grammar)) for value in values)
    return Key(slot, column, table)


def _test(kind: str, relation: str, left: Side, right: Side, grammar: Grammar, span: Span | None = None) -> Test | bool:
    """A test, or its value if it does not depend on a slot.

    A relation with a list holds of the listed pairs of values; without a list, if one side is a member of the other.
    """
    listed = grammar.listed_pairs(relation) if kind == "relation" else frozenset()
    name, overlap = relation or kind, kind != "!="
    if not isinstance(left, Key) and isinstance(right, Key):
        left, right = right, left
        listed = frozenset((b, a) for a, b in listed)
    if isinstance(left, Key):
        if left == right:
            return overlap
        return Test(
            left=left,
            right=right if isinstance(right, Key) else frozenset(right),
            name=name,
            overlap=overlap,
            listed=listed,
            span=span,
        )
    assert not isinstance(right, Key)
    return Test(left=Key(Slot("", "", True), None), right=frozenset(), name=name, overlap=overlap, listed=listed).holds(
        frozenset(left), frozenset(right)
    )


def as_set(cell: Cell) -> frozenset[Cell]:
    """A cell as the set of its values."""
    return frozenset(cell) if isinstance(cell, tuple) else frozenset((cell,))
