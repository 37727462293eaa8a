"""Messages about tables and relations of a grammar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.nearest import listed


def relation_to_extend(span: Span, name: str, declared: Sequence[str]) -> Diagnostic:
    """An `extend relation` that fits no declaration of the relation, or several."""
    return Diagnostic(
        code="E31",
        span=span,
        message=f"there are {len(declared)} relations `{name}`, or one between other categories: which is extended?",
        help=f"name the one that is extended: {' or '.join(f'`extend relation {each}`' for each in declared)}",
    )


def relation_without_rows(span: Span, name: str, declared: Any) -> Diagnostic:
    sides = f"`{declared.left.text}` and `{declared.right.text}`"
    return Diagnostic(
        code="E31",
        span=span,
        message=f"relation `{name}` is read from columns of words, and so takes no rows",
        help=f"it holds where the one of {sides} is in the set of the other: give the words other values there",
    )


def bad_table_row(span: Span, table: str, keys: Sequence[str], words: bool) -> Diagnostic:
    value = 'a quoted word ("...")' if words else "a value"
    return Diagnostic(
        code="E32",
        span=span,
        message=f"a row of table `{table}` has a value of {', '.join(keys)} and then {value}; without the last of these it fills what no longer row fills",
    )


def table_incomplete(span: Span, table: str, missing: Sequence[tuple[str, ...]]) -> Diagnostic:
    return Diagnostic(
        code="E32",
        span=span,
        message=f"table `{table}` says nothing for {listed([' '.join(m) for m in missing], 4)}",
        help=f"add a row `{' '.join(missing[0])} ...`; to a table of another module below `extend table {table}`",
    )


def table_arity(span: Span, table: str, keys: Sequence[str], count: int) -> Diagnostic:
    return Diagnostic(
        code="E32",
        span=span,
        message=f"table `{table}` is looked up by {_values(len(keys))} ({', '.join(keys)}), and here are {count}",
    )


def _values(count: int) -> str:
    return f"{count} value{'' if count == 1 else 's'}"


def table_key(span: Span, table: str, key: str, got: str) -> Diagnostic:
    return Diagnostic(
        code="E32", span=span, message=f"table `{table}` is looked up by a value of {key}, and this is one of {got}"
    )


def table_gives(span: Span, table: str, gives: str, wants: str) -> Diagnostic:
    return Diagnostic(
        code="E32", span=span, message=f"table `{table}` gives {_gives(gives)}, and here {_gives(wants)} must stand"
    )


def _gives(what: str) -> str:
    return "words" if what == "words" else f"a value of {what}"


def bad_relation_row(span: Span, relation: str) -> Diagnostic:
    return Diagnostic(
        code="E31", span=span, message=f"a row of relation `{relation}` has two values, one for each side"
    )


def no_whole_number(span: Span, relation: str, value: str) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message=f"`{value}` is not a whole number, and this column of relation `{relation}` holds numbers",
    )


def relation_misfit(span: Span, name: str, got: Sequence[str], grammar: Any) -> Diagnostic:
    declared = [f"({r.left[0]}, {r.right[0]})" for r in grammar.relations[name]]
    return Diagnostic(
        code="E31",
        span=span,
        message=f"there is no relation `{name}` between {' and '.join(got)}",
        help=f"those of this name are between {listed(declared)}",
        names=(name,),
    )


def relates_two(span: Span, relation: str, count: int) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message=f"`{relation}` relates two things, and here {'is' if count == 1 else 'are'} {count}",
    )
