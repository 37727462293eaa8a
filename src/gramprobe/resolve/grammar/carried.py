"""What is carried upward through a sentence until a constructor closes it: gaps, reflexives, unlicensed words.

A `carry` line declares a kind with its features; the lines of constructors say what has one, where it passes, and what
closes it. Where the values of two parts are compared, a feature of the kind must be that of the same name of the other
part; where a relation is declared between such a feature and a column of the other part's category, it must hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gramprobe.resolve.grammar.constraints import CONSTRAINTS
from gramprobe.resolve.grammar.data import Argument, Carried, Carrying, Category, Constructor, Grammar
from gramprobe.resolve.grammar.words import Names, check_cases, check_lookup, check_operand
from gramprobe.resolve.names import require_known, require_new
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import grammar_tree as syntax

#: the constraint that is broken where something passes a barrier; `barrier adjunct` where the line says `as adjunct`
BARRIER = "barrier"


def resolve_carry(line: syntax.Carry, grammar: Grammar, findings: Findings) -> None:
    """Declare a kind of what is carried."""
    if not require_new(line.name, grammar.carried, "kind of what is carried", findings):
        return
    features = tuple(f.text for f in line.features if require_known(f, grammar.features, "feature", findings))
    constraint = line.constraint or line.name
    require_known(constraint, CONSTRAINTS, "constraint", findings)
    grammar.carried[line.name.text] = Carried(line.name.text, features, line.by_line, constraint.text, line.name.span)


def resolve_carrying(
    written: syntax.Function, arguments: Sequence[Argument], result: Category, grammar: Grammar, findings: Findings
) -> Iterator[Carrying]:
    """The lines of a constructor about what is carried; unknown kinds and arguments are reported."""
    names = Names(arguments, result, grammar)
    places = {a.name: number for number, a in enumerate(arguments) if not a.is_feature}
    what = f"argument of `{written.name.text}` with words"
    for line in written.carrying:
        said = [*line.arguments, *([line.by] if line.by is not None else [])]
        known = [require_known(word, places, what, findings) for word in said]
        if not require_known(line.kind, grammar.carried, "kind of what is carried", findings) or not all(known):
            continue
        kind, by = grammar.carried[line.kind.text], places[line.by.text] if line.by is not None else None
        category = grammar.categories[arguments[by].category] if by is not None else None
        related = tuple(_related(kind, category.name, grammar)) if category is not None else ()
        equal = tuple(f for f in kind.features if category is not None and f in category.known)
        if category is not None and line.by is not None and not equal and not related:
            findings.add(messages.grammar.nothing_compared(line.by.span, kind.name, kind.features, category.name))
        if kind.by_line is False and line.how in ("through", "all"):
            findings.add(messages.grammar.passes_by_itself(line.span, kind.name))
        yield Carrying(
            written=line,
            how=line.how,
            kind=kind.name,
            cases=names.cases(line.cases),
            arguments=tuple(places[word.text] for word in line.arguments),
            values=tuple((feature.text, names.value(value)) for feature, value in line.values),
            by=by,
            equal=equal,
            related=related,
            constraint=_barrier(line) if line.how == BARRIER else kind.constraint,
        )


def _barrier(line: syntax.Carrying) -> str:
    if line.constraint is None:
        return BARRIER
    return line.constraint.text if line.constraint.text in CONSTRAINTS else f"{BARRIER} {line.constraint.text}"


def _related(kind: Carried, category: str, grammar: Grammar) -> Iterator[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """The relations between a feature of a kind and a column of a category: feature, column, pairs of values."""
    for relation in (each for declared in grammar.relations.values() for each in declared):
        feature, (of, column) = relation.left[0], relation.right
        if feature in kind.features and of == category and relation.pairs is not None:
            yield feature, column, tuple(sorted((str(a), str(b)) for a, b in relation.pairs))


def check_carrying(constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    """Report unknown features and values in the lines of a constructor about what is carried."""
    for line in (each.written for each in constructor.carrying):
        check_cases(line.cases, constructor, grammar, findings)
        kind = grammar.carried[line.kind.text]
        if line.how != "carries":
            continue
        given = {feature.text for feature, _ in line.values}
        missing = [feature for feature in kind.features if feature not in given]
        if missing:
            findings.add(messages.grammar.carried_without(line.span, kind.name, missing))
        for feature, value in line.values:
            if not require_known(feature, kind.features, f"feature of {kind.name}", findings):
                continue
            if isinstance(value, syntax.Computed):
                check_lookup(value.table, value.values, constructor, grammar, findings, result=feature.text)
                continue
            got = check_operand(value, constructor, grammar, findings, feature=feature.text)
            if got is not None and got != feature.text:
                findings.add(messages.grammar.wrong_feature(value.name.span, feature.text, got))
