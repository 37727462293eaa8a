"""The `where` conditions of a paradigm: which words and phrases may be drawn together."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from gramprobe.resolve.grammar.data import NUMBERS
from gramprobe.resolve.grammar.where import comparable, feature_of_value, kind_of_operand
from gramprobe.resolve.names import require_column, require_known
from gramprobe.resolve.paradigm.data import Constraint, Measure
from gramprobe.resolve.paradigm.terms import Environment, resolve_reference
from gramprobe.resolve.tree import Given, Tree, category_of
from gramprobe.source import messages
from gramprobe.source.nearest import nearest
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Condition, Operand


def resolve_constraints(line: syntax.Paradigm, env: Environment) -> list[Constraint]:
    """The constraints of every ``where``, those of the ``draw`` lines first."""
    conditions = [*(each for draw in line.draws for each in draw.where), *line.where]
    return [constraint for each in conditions for constraint in _constraints(each, env)]


def _constraints(line: Condition, env: Environment) -> list[Constraint]:
    """The constraints of a condition: ``distinct`` has one for each two operands, others have a single constraint."""
    if line.kind == "either":
        parts = [_constraints(part, env) for part in line.parts]
        many = next((part for part, its in zip(line.parts, parts, strict=True) if len(its) > 1), None)
        if many is not None:
            env.findings.add(messages.grammar.several_beside_or(many.span))
        if not all(len(its) == 1 for its in parts):
            return []
        members = tuple(its[0] for its in parts)
        return [Constraint("either", "", tuple(o for m in members for o in m.operands), line.span, (), members)]
    operands: list[tuple[Tree, str | None]] = []
    for each in line.operands:
        operand = _operand(each, line, env)
        if operand is None:
            return []
        operands.append(operand)
    if line.kind == "relation":
        return _related(line, operands, env)
    if line.kind == "numbers":
        return _numbers(line, operands, env)
    grammar = env.grammar
    kinds = [
        None if isinstance(tree, Given) and not tree.category else kind_of_operand(category_of(tree), column, grammar)
        for tree, column in operands
    ]
    if not comparable(line, (kinds[0], kinds[1]), grammar, env.findings, [*env.draws, *env.lets]):
        return []
    other = next((k for k in kinds if k in grammar.features), "")
    both = tuple((replace(x, category=other) if isinstance(x, Given) else x, column) for x, column in operands)
    return [Constraint(line.kind, "", both, line.span)]


def _numbers(line: Condition, operands: list[tuple[Tree, str | None]], env: Environment) -> list[Constraint]:
    """The constraint of a comparison of numbers; every operand of it is a column of numbers."""
    assert line.name is not None
    terms: list[tuple[Tree, str]] = []
    for (tree, column), operand in zip(operands, line.operands, strict=True):
        if column is None or kind_of_operand(category_of(tree), column, env.grammar) not in NUMBERS:
            place = (operand.column or operand.name).span
            env.findings.add(messages.grammar.not_a_number(place, operand.text, line.name.text))
            return []
        terms.append((tree, column))
    measures: list[Measure] = []
    for side in line.sums:
        signed = [(1 if sign == "+" else -1, *terms.pop(0)) for sign, _ in side.terms]
        measures.append(Measure(tuple(signed), Decimal(side.constant)))
    return [Constraint("numbers", line.name.text, tuple(operands), line.span, tuple(measures))]


def _related(line: Condition, operands: list[tuple[Tree, str | None]], env: Environment) -> list[Constraint]:
    """The constraints of ``distinct(a, b, c)`` or of a declared relation."""
    assert line.name is not None
    name, grammar, findings = line.name.text, env.grammar, env.findings
    if name == "distinct" and len(operands) < 2:
        findings.add(messages.grammar.too_few_to_differ(line.span))
        return []
    if name == "distinct":
        pairs = [(a, b) for i, a in enumerate(operands) for b in operands[i + 1 :]]
        return [Constraint("!=", "", pair, line.span) for pair in pairs]
    if not require_known(line.name, [*grammar.relations, "distinct"], "relation", findings):
        return []
    if len(operands) != 2:
        findings.add(messages.tables.relates_two(line.span, name, len(operands)))
        return []
    for side, (tree, _) in enumerate(operands):
        if isinstance(tree, Given):  # a value written out
            feature = feature_of_value(tree.value, line, side, grammar) or ""
            operands[side] = replace(tree, category=feature), None
    categories = [category_of(tree) for tree, _ in operands]
    if grammar.related_columns(name, categories) is None:
        findings.add(messages.tables.relation_misfit(line.span, name, categories, grammar))
        return []
    return [Constraint("relation", name, tuple(operands), line.span)]


def _operand(operand: Operand, line: Condition, env: Environment) -> tuple[Tree, str | None] | None:
    """The tree and column of an operand, or a bare value; None, with a diagnostic, for any other name."""
    name, grammar, findings = operand.name.text, env.grammar, env.findings
    if name in env.failed:
        return None
    if name in env.draws or name in env.lets:
        tree = resolve_reference(syntax.Term(operand.name, None, None, operand.name.span), None, env)
        if tree is None:
            return None
        if operand.column is None:
            return tree, None
        got = category_of(tree)
        known = grammar.categories[got].known if got in grammar.categories else ()
        if known and operand.column.text in grammar.categories[got].form_features:
            findings.add(messages.label.form_is_asked(operand.column.span, got, operand.column.text))
            return None
        return (tree, operand.column.text) if require_column(operand.column, got, known, findings) else None
    values = [v for f in grammar.features.values() for v in (*f.values, *f.groups)]
    lexemes = [x.id for c in grammar.categories.values() for x in c.lexemes]
    beside = [o.name.text for o in line.operands if o is not operand]
    anything = [*env.draws, *env.lets, *env.failed]
    compared = name in lexemes or (beside and beside[0] in anything and nearest(name, anything) is None)
    if operand.column is None and (name in values or (line.kind != "relation" and compared)):
        return Given(name, "", True), None
    if any(each.endswith(" words") for each in findings.unread):  # it may be a word of a table that is not read
        findings.muted = True
    else:
        require_known(operand.name, [*env.draws, *env.lets, *values], "draw or value", findings)
    return None
