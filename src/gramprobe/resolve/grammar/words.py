"""The words of constructors: the names in a ``lin`` looked up, and checked.

`Names` makes syntax into lines; a name that nothing declares stays what it is, an operand of no argument or a constant.
`check_words` reports it, and arguments that do not occur: it reads the syntax, whose places it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gramprobe.resolve.grammar.data import (
    WORDS,
    Argument,
    ArgumentWords,
    Category,
    Constant,
    Constructor,
    Feature,
    Grammar,
    Line,
    Lookup,
    Operand,
    Value,
)
from gramprobe.resolve.names import require_column, require_known
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Case, Word
from gramprobe.syntax.tree import Operand as Written


class Names:
    """What the names in the lines of one constructor stand for."""

    def __init__(self, arguments: Sequence[Argument], result: Category, grammar: Grammar) -> None:
        self._arguments = {argument.name: number for number, argument in enumerate(arguments)}
        self._keys = frozenset(argument.name for argument in arguments if argument.is_feature)
        self._known = frozenset(result.known)
        self._grammar = grammar

    def line(self, line: syntax.Lin) -> Line:
        """A ``lin`` with its names looked up; the words of an argument that there is not are left out."""
        atoms = [(atom, glued) for written, glued in zip(line.atoms, line.glued, strict=True)
                 for atom in self._atom(written)]  # fmt: skip
        return Line(self.cases(line.cases), tuple(atom for atom, _ in atoms), tuple(glued for _, glued in atoms))

    def cases(self, cases: Sequence[Case]) -> tuple[tuple[Operand, frozenset[str]], ...]:
        """The operands of the cases of a line, each with its values, groups spelled out."""
        return tuple((self.operand(c.operand), self._grammar.expanded(c.values)) for c in cases)

    def _atom(self, atom: syntax.Atom) -> Iterator[Value | ArgumentWords]:
        match atom:
            case syntax.Text():
                yield Constant(atom.word.text)
            case syntax.Words():
                if atom.name.text in self._arguments:
                    requests = tuple((feature.text, self.value(value)) for feature, value in atom.requests)
                    yield ArgumentWords(self._arguments[atom.name.text], requests, atom.name.span)
            case syntax.Lookup():
                yield Lookup(atom.table.text, tuple(map(self.value, atom.values)))
            case syntax.Held():
                yield self.operand(atom.operand)
            case syntax.Region():  # says nothing about the words
                pass

    def value(self, value: syntax.Value) -> Value:
        if isinstance(value, syntax.Computed):
            return Lookup(value.table.text, tuple(map(self.value, value.values)))
        name = value.name.text
        plain = value.column is None and name not in self._keys and name not in self._known
        return Constant(name) if plain else self.operand(value)

    def operand(self, written: Written) -> Operand:
        column = written.column.text if written.column is not None else None
        return Operand(written.text, self._arguments.get(written.name.text), column, written.name.span)


def check_words(constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    """Report unknown names, features and tables in every ``lin``, and arguments that do not occur."""
    if not constructor.lins and not constructor.broken:
        findings.add(messages.grammar.no_words(constructor.span, constructor.name))
    for line in constructor.lins:
        check_cases(line.cases, constructor, grammar, findings)
        used: dict[str, int] = {}
        held: set[str] = set()
        strange = False
        for atom in line.atoms:
            match atom:
                case syntax.Words():
                    used[atom.name.text] = used.get(atom.name.text, 0) + 1
                    strange = strange or constructor.argument(atom.name.text) is None
                    _check_words_of(atom, constructor, grammar, findings)
                case syntax.Held():
                    held.add(atom.operand.name.text)
                    got = check_operand(atom.operand, constructor, grammar, findings)
                    strange = strange or constructor.argument(atom.operand.name.text) is None
                    if got is not None and got != WORDS:
                        findings.add(messages.grammar.no_column_of_words(atom.operand, got))
                case syntax.Lookup():
                    check_lookup(atom.table, atom.values, constructor, grammar, findings, words=True)
                case _:
                    pass
        unsaid = {w.text for w in line.unsaid if _argument(w, constructor, findings) is not None}
        for argument in constructor.arguments:
            count = used.get(argument.name, 0)
            wanted = 0 if argument.is_feature or argument.name in unsaid else 1
            if not count and (strange or argument.name in held):
                continue  # the unknown name may be a misspelling of this argument; a column of words says it, too
            if count < wanted:
                findings.add(messages.grammar.argument_not_said(line.span, constructor.name, argument.name))
            elif count > wanted and not argument.is_feature:
                findings.add(messages.grammar.said_and_unsaid(line.span, constructor.name, argument.name))
    for feature, value in constructor.computed.items():
        _check_given(feature, value, constructor, grammar, findings)
    _check_twice("lin", [(x.cases, x.span) for x in constructor.lins], findings)
    for kind in dict.fromkeys((x.reading, x.conveys) for x in constructor.sems):
        of_kind = [(x.cases, x.span) for x in constructor.sems if (x.reading, x.conveys) == kind]
        _check_twice("sem", of_kind, findings)
    for cases in constructor.cases:
        check_cases(cases, constructor, grammar, findings)


def _check_given(
    feature: str, value: syntax.Value, constructor: Constructor, grammar: Grammar, findings: Findings
) -> None:
    """Report a feature of the result that is taken from an argument without it, or looked up wrongly."""
    if isinstance(value, syntax.Computed):
        check_lookup(value.table, value.values, constructor, grammar, findings, result=feature)
        return
    got = check_operand(value, constructor, grammar, findings)
    if got is not None and got != feature:
        findings.add(messages.grammar.wrong_feature(value.name.span, feature, got))


def _check_twice(what: str, lines: list[tuple[tuple[Case, ...], Span]], findings: Findings) -> None:
    """Report a line for a case that an earlier line covers: it would never be used."""
    earlier: list[tuple[dict[str, frozenset[str]], Span]] = []
    for cases, span in lines:
        values = {c.operand.text: frozenset(v.text for v in c.values) for c in cases}
        before = next((place for known, place in earlier if _covers(known, values)), None)
        if before is not None:
            findings.add(messages.names.declared_twice(span, f"this case of `{what}`", before))
        else:
            earlier.append((values, span))


def _covers(known: dict[str, frozenset[str]], values: dict[str, frozenset[str]]) -> bool:
    """Whether a line with these cases fits wherever another does; groups of values are not looked into."""
    return all(operand in values and values[operand] <= allowed for operand, allowed in known.items())


def _argument(word: Word, constructor: Constructor, findings: Findings) -> Argument | None:
    """The argument of this name; None, with a diagnostic, for an unknown name."""
    arguments = {argument.name: argument for argument in constructor.arguments}
    require_known(word, arguments, f"argument of `{constructor.name}`", findings)
    return arguments.get(word.text)


def _check_words_of(atom: syntax.Words, constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    index = constructor.argument(atom.name.text)
    if index is None:
        names = [argument.name for argument in constructor.arguments]
        findings.add(messages.grammar.no_argument(atom.name.span, constructor.name, atom.name.text, names))
        return
    argument = constructor.arguments[index]
    if argument.is_feature:
        findings.add(messages.grammar.feature_has_no_words(atom.name.span, argument.name, argument.category))
        return
    category = grammar.categories[argument.category]
    for feature, value in atom.requests:
        if not require_column(feature, category.name, category.features, findings):
            continue
        declared = grammar.features[feature.text]
        if isinstance(value, syntax.Computed):
            check_lookup(value.table, value.values, constructor, grammar, findings, result=feature.text)
        elif value.column is not None or _is_argument(value.name.text, declared, constructor):
            got = check_operand(value, constructor, grammar, findings)
            if got is not None and got != feature.text:
                findings.add(messages.grammar.wrong_feature(value.name.span, feature.text, got))
        elif value.name.text not in declared.values:
            findings.add(
                messages.grammar.unknown_value(value.name.span, feature.text, value.name.text, declared.values)
            )
        elif feature.text in category.form_features and value.name.text not in category.form_values(feature.text):
            findings.add(
                messages.grammar.no_form(
                    value.name.span, category.name, feature.text, value.name.text, category.form_names
                )
            )


def _is_argument(name: str, feature: Feature, constructor: Constructor) -> bool:
    """Whether a name stands for an argument where a value of a feature may stand, too. Words are asked for what they
    have (`n.num`), so that only an argument that is a feature comes before a value of its name."""
    index = constructor.argument(name)
    return index is not None and (constructor.arguments[index].is_feature or name not in feature.values)


def check_lookup(
    table: Word,
    values: tuple[syntax.Value, ...],
    constructor: Constructor,
    grammar: Grammar,
    findings: Findings,
    *,
    words: bool = False,
    result: str | None = None,
) -> None:
    """Report an unknown table, a wrong number of keys, and a table that gives other values than are wanted."""
    if not require_known(table, grammar.tables, "table", findings):
        return
    declared = grammar.tables[table.text]
    if len(values) != len(declared.keys):
        findings.add(messages.tables.table_arity(table.span, declared.name, declared.keys, len(values)))
    gives = "words" if declared.result is None else declared.result
    wants = "words" if words else result
    if gives != wants:
        findings.add(messages.tables.table_gives(table.span, declared.name, gives, wants or "a feature"))
    for value, key in zip(values, declared.keys, strict=False):
        if isinstance(value, syntax.Computed):
            check_lookup(value.table, value.values, constructor, grammar, findings, result=key)
        else:
            got = check_operand(value, constructor, grammar, findings, feature=key)
            if got is not None and got != key:
                findings.add(messages.tables.table_key(value.name.span, declared.name, key, got))


def check_operand(
    operand: Written,
    constructor: Constructor,
    grammar: Grammar,
    findings: Findings,
    feature: str | None = None,
) -> str | None:
    """The feature of an operand: ``t`` (an argument that is a feature, or a feature of the result), ``s.num``, or a
    value of ``feature``. None, with a diagnostic, for an unknown name."""
    result = grammar.categories[constructor.result]
    name = operand.name.text
    if operand.column is None:
        index = constructor.argument(name)
        if index is not None and constructor.arguments[index].is_feature:
            return constructor.arguments[index].category
        if name in result.features:
            return name
        if feature is not None and name in grammar.features[feature].values:
            return feature
        known = [*(a.name for a in constructor.arguments if a.is_feature), *result.features]
        if feature is not None:
            known += grammar.features[feature].values
        require_known(operand.name, known, "feature here", findings)
        return None
    argument = _argument(operand.name, constructor, findings)
    if argument is None or argument.is_feature:
        return None
    category = grammar.categories[argument.category]
    if not require_column(operand.column, category.name, category.known, findings):
        return None
    column = category.columns.get(operand.column.text)
    return column.type if column else operand.column.text


def check_cases(cases: tuple[Case, ...], constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    for case in cases:
        feature = check_operand(case.operand, constructor, grammar, findings)
        if feature is None or feature not in grammar.features:
            continue
        declared = grammar.features[feature]
        for value in case.values:
            if value.text not in declared.values and value.text not in declared.groups:
                # a message about the gap that the misspelt value leaves would follow from this mistake
                findings.add(messages.grammar.unknown_value(value.span, feature, value.text, declared.values))
                findings.unread.add(f"{constructor.name} cases")
