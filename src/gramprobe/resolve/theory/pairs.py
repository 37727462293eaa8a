"""Postulates over two words: ``each n, m : N where n != m postulate ~exists x. (n(x) & m(x))``.

An instance for every two words of the category that a question speaks of and that satisfy the conditions, in both
orders, and, unless a condition excludes it, for each word with itself.
"""

from __future__ import annotations

from msgspec import Struct

from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import rename
from gramprobe.resolve.grammar.data import Cell, Grammar, Lexeme
from gramprobe.resolve.names import require_column, require_known
from gramprobe.resolve.theory.axioms import names_in
from gramprobe.resolve.theory.lexical import CellCondition, cell_condition, satisfies
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import theory_tree as syntax
from gramprobe.syntax.tree import Condition


class Between(Struct, frozen=True):
    """A condition between two words: whether columns of theirs (None: the words themselves) are equal."""

    columns: tuple[str | None, str | None]
    equal: bool

    def holds(self, one: Lexeme, other: Lexeme) -> bool:
        left, right = (
            word.id if column is None else word.columns.get(column)
            for word, column in zip((one, other), self.columns, strict=True)
        )
        return (left == right) == self.equal


class PairSchema(Struct, frozen=True):
    """A postulate for every two lexemes of ``category``.

    Attributes:
        variables: the two names that stand for words in the formula.
        category: of both words.
        where: the conditions on each of them.
        between: the conditions between them.
        formula: the postulate.
    """

    variables: tuple[str, str]
    category: str
    where: tuple[tuple[CellCondition, ...], tuple[CellCondition, ...]]
    between: tuple[Between, ...]
    formula: Formula

    def role(self, lexeme: Lexeme) -> tuple[object, ...]:
        """Everything about a word that decides with which others the postulate has an instance: words alike in it can
        take each other's place."""
        if lexeme.category != self.category:
            return ()
        columns = {c for each in self.between for c in each.columns if c is not None}
        cells: tuple[Cell | None, ...] = tuple(lexeme.columns.get(column) for column in sorted(columns))
        return (*(satisfies(lexeme, each) for each in self.where), cells)

    def applies(self, one: Lexeme, other: Lexeme) -> bool:
        """Whether there is an instance with these words for the first and the second variable."""
        return (
            one.category == other.category == self.category
            and satisfies(one, self.where[0])
            and satisfies(other, self.where[1])
            and all(each.holds(one, other) for each in self.between)
        )

    def instance(self, one: Lexeme, other: Lexeme) -> Formula:
        """The postulate about these two words."""
        return rename(self.formula, dict(zip(self.variables, (one.id, other.id), strict=True)))


def pair_schema(line: syntax.Postulate, formula: Formula, grammar: Grammar, findings: Findings) -> PairSchema | None:
    """The schema of a postulate over two words; None, with a diagnostic, for a mistake in it."""
    assert line.category is not None
    if not require_known(line.category, grammar.categories, "category", findings):
        return None
    if len(line.variables) != 2:
        findings.add(messages.logic.not_two_words(line.variables[2].span))
        return None
    names = (line.variables[0].text, line.variables[1].text)
    if names[0] == names[1]:
        findings.add(messages.names.declared_twice(line.variables[1].span, f"`{names[0]}`", line.variables[0].span))
        return None
    where: tuple[list[CellCondition], list[CellCondition]] = ([], [])
    between: list[Between] = []
    ok = True
    for condition in line.where:
        ok = _add(condition, names, line.category.text, where, between, grammar, findings) and ok
    for name in names_in(formula):
        if name not in names and name not in grammar.constants:
            place = line.formula.span.at(max(line.formula.text.find(name), 0), len(name))
            findings.add(messages.logic.beside_two_words(place, name, names))
            ok = False
    if not ok:
        return None
    return PairSchema(names, line.category.text, (tuple(where[0]), tuple(where[1])), tuple(between), formula)


def _add(
    condition: Condition,
    names: tuple[str, str],
    category: str,
    where: tuple[list[CellCondition], list[CellCondition]],
    between: list[Between],
    grammar: Grammar,
    findings: Findings,
) -> bool:
    """Add a condition to those on one of the words, or between them; False, with a diagnostic, for any other."""
    if condition.kind not in ("=", "!="):
        findings.add(messages.logic.bad_pair_condition(condition.span, names))
        return False
    left, right = condition.operands
    equal, declared = condition.kind == "=", grammar.categories[category]
    if left.name.text in names and right.name.text in names:
        for operand in (left, right):
            if operand.column and not require_column(operand.column, category, declared.known, findings, declared.span):
                return False
        sides = [(o.name.text, o.column.text if o.column is not None else None) for o in (left, right)]
        first = [column for name, column in sides if name == names[0]]
        second = [column for name, column in sides if name == names[1]]
        if len(first) == len(second) == 1:
            between.append(Between((first[0], second[0]), equal))
            return True
    elif left.name.text in names and left.column is not None and right.column is None:
        cell = cell_condition(left.column, right.name, equal, declared, grammar, findings)
        if cell is not None:
            where[names.index(left.name.text)].append(cell)
        return cell is not None
    findings.add(messages.logic.bad_pair_condition(condition.span, names))
    return False
