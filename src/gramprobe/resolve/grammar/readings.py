"""Names of readings, and kinds of operators.

The field has names for orders of scope and for further meanings; an operator is universal, a numeral, a negation.
"""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Word

#: separates the operators of an order of scope, widest first
ABOVE = " > "
#: words of claims for all readings and for no reading
_CLAIMED = ("any", "none")


def check_readings(lines: Sequence[syntax.Declaration], grammar: Grammar, findings: Findings, whole: bool) -> None:
    """Add the ``reading`` lines to the grammar, and check them and the ids of ``sem reading`` against each other.

    Unless the grammar is ``whole``, orders may name scopes whose constructors were not reached; they are left out.
    """
    named: dict[str, Span] = {}
    ordered: dict[str, tuple[str, Span]] = {}
    for line in lines:
        if isinstance(line, syntax.ReadingName):
            _name(line, named, ordered, grammar, findings, whole)
    for line in lines:
        if isinstance(line, syntax.Function):
            _further(line, named, findings)


def check_operators(lines: Sequence[syntax.Declaration], grammar: Grammar, findings: Findings, whole: bool) -> None:
    """Add the ``operators`` lines to the grammar: each operator has one kind.

    Unless the grammar is ``whole``, they may name scopes whose constructors were not reached; these are left out.
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
            elif whole and not broken:
                findings.add(messages.orders.order_of_no_scope(name.span, name.text, scopes))


def _name(
    line: syntax.ReadingName,
    named: dict[str, Span],
    ordered: dict[str, tuple[str, Span]],
    grammar: Grammar,
    findings: Findings,
    whole: bool,
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
            if whole and not broken:
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
        if not line.broken and all(m.reading is not None for m in line.sems):
            findings.add(messages.orders.further_than_nothing(meaning.reading.span, line.name.text))


def _fit(word: Word, findings: Findings) -> None:
    """Report ids that would be ambiguous in lists with commas, beside orders with `>`, or beside `any` and `none`."""
    text = word.text
    if not text or text != " ".join(text.split()) or "," in text or ">" in text or text in _CLAIMED:
        findings.add(messages.orders.unfit_reading(word.span, text))
