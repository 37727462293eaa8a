"""Tables (words or values by features) and relations (pairs of values of two columns)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gramprobe.resolve.grammar.categories import feature_values
from gramprobe.resolve.grammar.data import Cell, Grammar, Relation, Table
from gramprobe.resolve.grammar.where import fits, kind_of_operand
from gramprobe.resolve.names import require_column, require_known, require_new
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Word


def resolve_table(line: syntax.Table, grammar: Grammar, findings: Findings) -> None:
    if not require_new(line.name, grammar.tables, "table", findings):
        return
    known = [require_known(k, grammar.features, "feature", findings) for k in line.keys]
    if line.result is not None:
        known.append(require_known(line.result, grammar.features, "feature", findings))
    if not all(known):
        findings.unread.add(line.name.text)
        return
    keys = [grammar.features[k.text] for k in line.keys]
    wrong = line.broken
    cells: dict[tuple[str, ...], str] = {}
    exact: dict[tuple[str, ...], int] = {}
    for row in line.rows:
        *given, value = row.cells
        if len(given) > len(keys) or row.quoted[-1] == (line.result is not None) or any(row.quoted[:-1]):
            findings.add(
                messages.tables.bad_table_row(
                    row.cells[-1].span, line.name.text, [k.name for k in keys], line.result is None
                )
            )
            wrong = True
            continue
        choices: list[tuple[str, ...]] = [feature_values((g,), k, findings) for g, k in zip(given, keys, strict=False)]
        if line.result is not None:
            feature_values((value,), grammar.features[line.result.text], findings)
        wrong = wrong or not all(choices)
        for cell in product(*choices, *(k.values for k in keys[len(given) :])):
            if cell in cells and exact[cell] == len(given):
                findings.add(
                    messages.names.declared_twice(row.cells[0].span, f"the cell {', '.join(cell)}", line.name.span)
                )
            if cell not in cells or exact[cell] < len(given):
                cells[cell], exact[cell] = value.text, len(given)
    missing = [c for c in product(*(k.values for k in keys)) if c not in cells]
    if missing and not wrong:
        findings.add(messages.tables.table_incomplete(line.name.span, line.name.text, missing))
    grammar.tables[line.name.text] = Table(
        line.name.text,
        tuple(k.name for k in keys),
        line.result.text if line.result else None,
        cells,
        line.name.span,
    )


def resolve_relation(line: syntax.Relation, grammar: Grammar, findings: Findings) -> None:
    sides: list[tuple[str, str]] = []
    for operand in (line.left, line.right):
        name = operand.name.text
        if operand.column is None:
            if not require_known(operand.name, grammar.features, "feature", findings):
                findings.unread.add(line.name.text)
                return
            sides.append((name, name))
            continue
        if not require_known(operand.name, grammar.categories, "category", findings):
            findings.unread.add(line.name.text)
            return
        category = grammar.categories[name]
        if not require_column(operand.column, name, category.known, findings):
            findings.unread.add(line.name.text)
            return
        sides.append((name, operand.column.text))
    rows = tuple((row.cells[0], row.cells[1]) for row in line.rows if len(row.cells) == 2)
    for row in line.rows:
        if len(row.cells) != 2:
            findings.add(messages.tables.bad_relation_row(row.cells[0].span, line.name.text))
    relation = Relation(
        name=line.name.text,
        left=sides[0],
        right=sides[1],
        pairs=_pairs(rows, sides, grammar) if line.rows else None,
        span=line.name.span,
        rows=rows,
    )
    grammar.relations.setdefault(line.name.text, []).append(relation)


def _pairs(
    rows: Sequence[tuple[Word, Word]], sides: Sequence[tuple[str, str]], grammar: Grammar
) -> frozenset[tuple[Cell, Cell]]:
    """The pairs of values that the rows list: groups stand for their values, and numbers are numbers."""
    kinds = [kind_of_operand(category, column, grammar) for category, column in sides]

    def values(word: Word, kind: str) -> tuple[Cell, ...]:
        if kind in grammar.features:
            return grammar.features[kind].expand(word.text)
        return (int(word.text) if kind == "number" and word.text.isdigit() else word.text,)

    return frozenset(pair for one, other in rows for pair in product(values(one, kinds[0]), values(other, kinds[1])))


def check_relation_rows(grammar: Grammar, findings: Findings) -> None:
    """Report values in rows of relations that their column does not have; run after the lexicon, which has the ids."""
    for relation in (relation for several in grammar.relations.values() for relation in several):
        for row in relation.rows:
            for word, (category, column) in zip(row, (relation.left, relation.right), strict=True):
                kind = kind_of_operand(category, column, grammar)
                if kind == "number" and not word.text.isdigit():
                    findings.add(messages.tables.no_whole_number(word.span, relation.name, word.text))
                else:
                    fits(word, kind, grammar, findings)
