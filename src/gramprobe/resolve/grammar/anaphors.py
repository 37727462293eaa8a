"""Checks on anaphors and scopes: `refers`, `above` and `trace` name scopes and numbers that exist."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.formula import ast
from gramprobe.formula.binding import free_variables
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.grammar.types import Function
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Case, Operand, Word


def check_anaphors(lines: Sequence[syntax.Declaration], grammar: Grammar, findings: Findings, whole: bool) -> None:
    """Report unknown scopes after ``refers`` and ``above``, misuse of ``it``, and wrong numbers after ``trace``.

    Unless the grammar is ``whole``, a scope may be unknown because its constructor was not reached.
    """
    scopes = {s.name for c in grammar.constructors.values() for s in c.scopes}
    of_things = {s.name for c in grammar.constructors.values() if _quantifies(c, grammar) for s in c.scopes}
    broken = any(c.broken for c in grammar.constructors.values()) or any(n in findings.unread for n in ("fun", "scope"))
    for line in lines:
        constructor = grammar.constructors.get(line.name.text) if isinstance(line, syntax.Function) else None
        if constructor is None or not isinstance(line, syntax.Function):
            continue
        unknown = [w for r in line.refers for w in r.names if w.text not in scopes]
        if whole and not broken:
            for word in (*unknown, *(w for s in line.scopes for w in s.above if w.text not in scopes)):
                findings.add(messages.anaphors.refers_to_no_scope(_inside(word), word.text, sorted(scopes)))
        uses_it = any("it" in free_variables(m.formula) for m in constructor.sems)
        if uses_it and line.refers and not (whole and unknown):
            for word in line.refers[0].names:
                if word.text in scopes and word.text not in of_things:
                    findings.add(messages.anaphors.nothing_for_it(_inside(word), word.text))
        for scope in line.scopes:
            if scope.trace is not None:
                _trace(scope, scope.trace, constructor, grammar, findings)


def _inside(word: Word) -> Span:
    """A quoted text without its quotes."""
    return word.span.at(1, max(len(word.text), 1))


def _quantifies(constructor: Constructor, grammar: Grammar) -> bool:
    type_ = grammar.categories[constructor.result].type
    return isinstance(type_, Function) and isinstance(type_.argument, Function)


def _trace(
    line: syntax.Scope,
    trace: Word | Operand,
    constructor: Constructor,
    grammar: Grammar,
    findings: Findings,
) -> None:
    """Report a plural trace of a constructor that does not count, and a trace of another number than it counts."""
    span = trace.span if isinstance(trace, Word) else trace.name.span
    counts = {
        part.count: part
        for meaning in constructor.sems
        if not meaning.cases or not line.cases or _same(meaning.cases, line.cases)
        for part in ast.walk(meaning.formula)
        if isinstance(part, ast.Quantified) and part.quantifier == "atleast"
    }
    if not counts or not _quantifies(constructor, grammar):
        findings.add(messages.anaphors.trace_of_no_numeral(span, constructor.name))
    elif isinstance(trace, Word):
        if not any(count == int(trace.text) for count in counts):
            findings.add(messages.anaphors.trace_of_another_number(span, trace.text, [str(count) for count in counts]))
    elif isinstance(trace, Operand):
        index = constructor.argument(trace.name.text)
        category = grammar.categories.get(constructor.arguments[index].category) if index is not None else None
        column = category.columns.get(trace.column.text) if category is not None and trace.column else None
        if column is None or column.type != "number":
            findings.add(messages.anaphors.trace_of_no_number(span, trace.text))


def _same(one: Sequence[Case], other: Sequence[Case]) -> bool:
    """Whether two lines may apply to the same case: no feature that both mention has different values."""
    values = {case.operand.text: {v.text for v in case.values} for case in one}
    return all(values.get(c.operand.text, {v.text for v in c.values}) & {v.text for v in c.values} for c in other)
