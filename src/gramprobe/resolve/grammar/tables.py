"""Tables (words or values by features) and relations (which values of two columns go together)."""

from __future__ import annotations

from itertools import product

from gramprobe.resolve.grammar.data import Grammar, Relation, Table
from gramprobe.resolve.grammar.features import feature_values
from gramprobe.resolve.grammar.names import require_known, require_new
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import grammar_tree as syntax


def resolve_table(line: syntax.Table, grammar: Grammar, findings: Findings) -> None:
    if not require_new(line.name, dict(grammar.tables), "table", findings):
        return
    known = [require_known(k, grammar.features, "feature", findings) for k in line.keys]
    if line.result is not None:
        known.append(require_known(line.result, grammar.features, "feature", findings))
    if not all(known):
        findings.lost.add(line.name.text)
        return
    keys = [grammar.features[k.text] for k in line.keys]
    wrong = line.broken
    cells: dict[tuple[str, ...], str] = {}
    exact: dict[tuple[str, ...], int] = {}
    for row in line.rows:
        *given, value = row.cells
        if len(given) > len(keys) or row.quoted[-1] == (line.result is not None) or any(row.quoted[:-1]):
            findings.add(
                messages.bad_table_row(row.cells[-1].span, line.name.text, [k.name for k in keys], line.result is None)
            )
            wrong = True
            continue
        choices: list[tuple[str, ...]] = [feature_values((g,), k, findings) for g, k in zip(given, keys, strict=False)]
        if line.result is not None:
            feature_values((value,), grammar.features[line.result.text], findings)
        wrong = wrong or not all(choices)
        for cell in product(*choices, *(k.values for k in keys[len(given) :])):
            if cell in cells and exact[cell] == len(given):
                findings.add(messages.declared_twice(row.cells[0].span, f"the cell {', '.join(cell)}", line.name.span))
            if cell not in cells or exact[cell] < len(given):
                cells[cell], exact[cell] = value.text, len(given)
    missing = [c for c in product(*(k.values for k in keys)) if c not in cells]
    if missing and not wrong:
        findings.add(messages.table_incomplete(line.name.span, line.name.text, missing))
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
                findings.lost.add(line.name.text)
                return
            sides.append((name, name))
            continue
        if not require_known(operand.name, grammar.categories, "category", findings):
            findings.lost.add(line.name.text)
            return
        category = grammar.categories[name]
        if operand.column.text not in category.known:
            findings.add(messages.unknown_feature(operand.column.span, name, operand.column.text, category.known))
            findings.lost.add(line.name.text)
            return
        sides.append((name, operand.column.text))
    pairs = None
    if line.rows:
        pairs = frozenset((r.cells[0].text, r.cells[1].text) for r in line.rows if len(r.cells) == 2)
        for row in line.rows:
            if len(row.cells) != 2:
                findings.add(messages.bad_relation_row(row.cells[0].span, line.name.text))
    relation = Relation(line.name.text, sides[0], sides[1], pairs, line.name.span)
    grammar.relations.setdefault(line.name.text, []).append(relation)
