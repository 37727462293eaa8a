"""Operators of words: ``operator each VS box frame reflexive around K where factive = yes``.

Every lexeme of the category that satisfies the conditions is an operator with a relation of its own; the relations
named after ``around`` lie within each of these. A lexeme whose id is an operator or a definition of the theory is that
operator. If several lines apply to a lexeme, the last line counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gramprobe.formula.theory import Frame, Kind, Operator
from gramprobe.resolve.grammar.data import Category, Grammar, Lexeme
from gramprobe.resolve.grammar.where import fits, kind_of_operand
from gramprobe.resolve.names import require_column
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import theory_tree as syntax
from gramprobe.syntax.tree import Word

#: a column, a value, and whether the column must hold the value (else it must not)
CellCondition = tuple[str, str, bool]


class LexicalOperator(Struct, frozen=True):
    """The operator of each lexeme of ``category`` that satisfies ``where``; ``around``: the operators within it."""

    category: str
    kind: Kind
    frame: frozenset[Frame]
    around: tuple[str, ...] = ()
    where: tuple[CellCondition, ...] = ()

    def applies(self, lexeme: Lexeme) -> bool:
        return lexeme.category == self.category and satisfies(lexeme, self.where)

    def operator(self, lexeme: Lexeme) -> Operator:
        return Operator(name=lexeme.id, kind=self.kind, frame=self.frame)


def satisfies(lexeme: Lexeme, where: Sequence[CellCondition]) -> bool:
    """Whether the columns of a lexeme hold (or lack) the values."""
    for column, value, equal in where:
        cell = lexeme.columns.get(column)
        holds = value in cell if isinstance(cell, tuple) else str(cell) == value
        if holds != equal:
            return False
    return True


def cell_condition(
    column: Word, value: Word, equal: bool, category: Category, grammar: Grammar, findings: Findings
) -> CellCondition | None:
    """A condition on a column; None, with a diagnostic, for an undeclared column or value."""
    if not require_column(column, category.name, category.known, findings, category.span):
        return None
    if not fits(value, kind_of_operand(category.name, column.text, grammar), grammar, findings):
        return None
    return column.text, value.text, equal


def conditions_of_each(
    line: syntax.OperatorLine | syntax.Withhold, grammar: Grammar, findings: Findings
) -> tuple[CellCondition, ...]:
    """The ``where`` of an ``operator each`` or ``withhold ... of each`` line: columns of its category by bare names."""
    assert line.each is not None
    category = grammar.categories[line.each.text]
    cells: list[CellCondition] = []
    for condition in line.where:
        left, *right = condition.operands
        if condition.kind not in ("=", "!=") or left.column is not None or right[0].column is not None:
            findings.add(messages.grammar.bad_each_condition(condition.span, category.name))
            continue
        cell = cell_condition(left.name, right[0].name, condition.kind == "=", category, grammar, findings)
        if cell is not None:
            cells.append(cell)
    return tuple(cells)


def with_words(
    operators: Sequence[Operator], patterns: Sequence[LexicalOperator], words: Sequence[Lexeme]
) -> tuple[Operator, ...]:
    """The operators of a theory and of some words; theirs follow in the order of the patterns.

    The order does not depend on the words, so that questions about different words of the same patterns have the same
    shape. Operators that a pattern names after `around` have the words' operators in their ``within``.
    """
    held: dict[str, list[str]] = {}
    own: list[Operator] = []
    pattern_of_word = [(word, pattern_of(word, patterns)) for word in words]
    for pattern in patterns:
        for word, its in pattern_of_word:
            if its is pattern:
                own.append(pattern.operator(word))
                for name in pattern.around:
                    held.setdefault(name, []).append(word.id)
    named = [
        Operator(
            name=o.name,
            kind=o.kind,
            frame=o.frame,
            within=(*o.within, *held[o.name]),
            introspected_by=o.introspected_by,
            gloss=o.gloss,
        )
        if o.name in held
        else o
        for o in operators
    ]
    return (*named, *own)


def pattern_of(lexeme: Lexeme, patterns: Sequence[LexicalOperator]) -> LexicalOperator | None:
    """The pattern that gives a lexeme its operator: the last pattern that applies; None if no pattern applies."""
    return next((p for p in reversed(patterns) if p.applies(lexeme)), None)
