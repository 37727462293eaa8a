"""Names of readings, kinds of operators, and anaphors.

The field has names for orders of scope and for further meanings; an operator is universal, a numeral, a negation.
What `refers`, `above` and `trace` name must exist: scopes and their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from gramprobe.formula import ast
from gramprobe.formula.binding import free_variables
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.grammar.types import is_quantifier
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Case, Operand, Word

#: separates the operators of an order of scope, widest first
ABOVE = " > "
#: the names of scopes of constructors that a `uses` line leaves out; None: constructors that a paradigm does not reach,
#: whose names are not known
Elsewhere: TypeAlias = frozenset[str] | None
#: words of claims for all readings and for no reading
_CLAIMED = ("any", "none")


def check_readings(
    lines: Sequence[syntax.Declaration], grammar: Grammar, findings: Findings, elsewhere: Elsewhere
) -> None:
    """Add the ``reading`` lines to the grammar, and check them and the ids of ``sem reading`` against each other.

    Orders that name scopes of constructors that are ``elsewhere`` are left out.
    """
    named: dict[str, Span] = {}
    ordered: dict[str, tuple[str, Span]] = {}
    for line in lines:
        if isinstance(line, syntax.ReadingName):
            _name(line, named, ordered, grammar, findings, elsewhere)
    for line in lines:
        if isinstance(line, syntax.Function):
            _further(line, named, findings)


def check_operators(
    lines: Sequence[syntax.Declaration], grammar: Grammar, findings: Findings, elsewhere: Elsewhere
) -> None:
    """Add the ``operators`` lines to the grammar: each operator has one kind.

    Scopes of constructors that are ``elsewhere`` are left out.
    """
    scopes = list(dict.fromkeys(s.name for c in grammar.constructors.values() for s in c.scopes))
    broken = any(c.broken for c in grammar.constructors.values()) or any(n in findings.unread for n in ("fun", "scope"))
    declared: dict[str, Span] = {}
    for line in (x for x in lines if isinstance(x, syntax.OperatorKind)):
        for name in line.names:
            if name.text in declared:
                findings.add(
                    messages.names.declared_twice(name.span, f"the kind of `{name.text}`", declared[name.text])
                )
                continue
            declared[name.text] = name.span
            if name.text in scopes:
                grammar.kinds[name.text] = line.kind.text
            elif _unknown(name.text, elsewhere) and not broken:
                findings.add(messages.orders.order_of_no_scope(name.span, name.text, scopes))


def _name(
    line: syntax.ReadingName,
    named: dict[str, Span],
    ordered: dict[str, tuple[str, Span]],
    grammar: Grammar,
    findings: Findings,
    elsewhere: Elsewhere,
) -> None:
    name = line.name.text
    _fit(line.name, findings)
    if name in named:
        findings.add(messages.names.declared_twice(line.name.span, f"reading `{name}`", named[name]))
        return
    named[name] = line.name.span
    scopes = list(dict.fromkeys(s.name for c in grammar.constructors.values() for s in c.scopes))
    broken = any(c.broken for c in grammar.constructors.values()) or any(n in findings.unread for n in ("fun", "scope"))
    for order in line.orders:
        strange = next((part for part in order.text.split(ABOVE) if part not in scopes), None)
        if strange is not None:
            if _unknown(strange, elsewhere) and not broken:
                place = order.span.at(1 + order.text.find(strange), max(len(strange), 1))
                findings.add(messages.orders.order_of_no_scope(place, strange, scopes))
        elif order.text in ordered:
            findings.add(messages.orders.order_named_twice(order.span, order.text, *ordered[order.text]))
        else:
            ordered[order.text] = name, order.span
            grammar.readings[order.text] = name


def _further(line: syntax.Function, named: dict[str, Span], findings: Findings) -> None:
    for meaning in line.sems:
        if meaning.reading is None:
            continue
        _fit(meaning.reading, findings)
        if meaning.reading.text in named:
            before = named[meaning.reading.text]
            findings.add(messages.orders.reading_means_two(meaning.reading.span, meaning.reading.text, before))
        if not line.broken and len({m.reading and m.reading.text for m in line.sems if not m.conveys}) == 1:
            findings.add(messages.orders.only_meaning(meaning.reading.span, line.name.text))


def _fit(word: Word, findings: Findings) -> None:
    """Report ids that would be ambiguous in lists with commas, beside orders with `>`, or beside `any` and `none`."""
    text = word.text
    if not text or text != " ".join(text.split()) or "," in text or ">" in text or text in _CLAIMED:
        findings.add(messages.orders.unfit_reading(word.span, text))


def check_anaphors(
    lines: Sequence[syntax.Declaration], grammar: Grammar, findings: Findings, elsewhere: Elsewhere
) -> None:
    """Report unknown scopes after ``refers`` and ``above``, misuse of ``it``, and wrong numbers after ``trace``.

    A scope may be unknown because its constructor is ``elsewhere``.
    """
    scopes = {s.name for c in grammar.constructors.values() for s in c.scopes}
    values = {value for feature in grammar.features.values() for value in feature.values}
    of_things = {s.name for c in grammar.constructors.values() if _quantifies(c, grammar) for s in c.scopes}
    broken = any(c.broken for c in grammar.constructors.values()) or any(n in findings.unread for n in ("fun", "scope"))
    for line in lines:
        constructor = grammar.constructors.get(line.name.text) if isinstance(line, syntax.Function) else None
        if constructor is None or not isinstance(line, syntax.Function):
            continue
        unknown = [w for r in line.refers for w in r.names if w.text not in scopes | values]
        for word in (*unknown, *(w for s in line.scopes for w in s.above if w.text not in scopes)):
            if _unknown(word.text, elsewhere) and not broken:
                findings.add(messages.orders.refers_to_no_scope(_inside(word), word.text, sorted(scopes)))
        uses_it = any("it" in free_variables(m.formula) for m in constructor.sems)
        if uses_it and line.refers and not any(_unknown(word.text, elsewhere) for word in unknown):
            for word in line.refers[0].names:
                if word.text in scopes and word.text not in of_things:
                    findings.add(messages.orders.nothing_for_it(_inside(word), word.text))
        for scope in line.scopes:
            if scope.trace is not None:
                _trace(scope, scope.trace, constructor, grammar, findings)


def _unknown(scope: str, elsewhere: Elsewhere) -> bool:
    """Whether no constructor takes scope by a name, here or elsewhere."""
    return elsewhere is not None and scope not in elsewhere


def _inside(word: Word) -> Span:
    """A quoted text without its quotes."""
    return word.span.at(1, max(len(word.text), 1))


def _quantifies(constructor: Constructor, grammar: Grammar) -> bool:
    return is_quantifier(grammar.categories[constructor.result].type)


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
        findings.add(messages.orders.trace_of_no_numeral(span, constructor.name))
    elif isinstance(trace, Word):
        if not any(count == int(trace.text) for count in counts):
            findings.add(messages.orders.trace_of_another_number(span, trace.text, [str(count) for count in counts]))
    elif isinstance(trace, Operand):
        index = constructor.argument(trace.name.text)
        category = grammar.categories.get(constructor.arguments[index].category) if index is not None else None
        column = category.columns.get(trace.column.text) if category is not None and trace.column else None
        if column is None or column.type != "number":
            findings.add(messages.orders.trace_of_no_number(span, trace.text))


def _same(one: Sequence[Case], other: Sequence[Case]) -> bool:
    """Whether two lines may apply to the same case: no feature that both mention has different values."""
    values = {case.operand.text: {v.text for v in case.values} for case in one}
    return all(values.get(c.operand.text, {v.text for v in c.values}) & {v.text for v in c.values} for c in other)
