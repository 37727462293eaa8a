"""Features (closed sets of values, and groups of them), categories with their features and columns, and constants."""

from __future__ import annotations

from itertools import permutations

from gramprobe.resolve.grammar.data import NUMBERS, WORDS, Category, Column, Feature, Grammar
from gramprobe.resolve.grammar.types import Type, parse_type
from gramprobe.resolve.names import assumed, require_known, require_new
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Word


def resolve_features(lines: list[syntax.Feature], grammar: Grammar, findings: Findings) -> None:
    """Declare features with their values."""
    for line in lines:
        if not require_new(line.name, grammar.features, "feature", findings):
            continue
        values: dict[str, Span] = {}
        for value in line.values:
            if require_new(value, values, "value", findings):
                values[value.text] = line.name.span
        grammar.features[line.name.text] = Feature(line.name.text, tuple(values), line.name.span)


def resolve_groups(lines: list[syntax.Group], grammar: Grammar, findings: Findings) -> None:
    """Add groups of values to their features."""
    for line in lines:
        if not require_known(line.feature, grammar.features, "feature", findings):
            continue
        feature = grammar.features[line.feature.text]
        members: list[str] = []
        for value in line.values:
            if value.text in feature.values or value.text in feature.groups:
                members.extend(feature.expand(value.text))
            else:
                findings.add(messages.grammar.unknown_value(value.span, feature.name, value.text, feature.values))
        if line.name.text in feature.values or line.name.text in feature.groups:
            findings.add(messages.names.declared_twice(line.name.span, f"value `{line.name.text}`", feature.span))
        else:
            feature.groups[line.name.text] = tuple(dict.fromkeys(members))


def feature_values(words: tuple[Word, ...], feature: Feature, findings: Findings) -> tuple[str, ...]:
    """Resolve names of values, expanding groups; report unknown names."""
    values: list[str] = []
    for word in words:
        if word.text in feature.values or word.text in feature.groups:
            values.extend(feature.expand(word.text))
        else:
            findings.add(
                messages.grammar.unknown_value(word.span, feature.name, word.text, [*feature.values, *feature.groups])
            )
    return tuple(dict.fromkeys(values))


def resolve_category(line: syntax.Category, all_names: set[str], grammar: Grammar, findings: Findings) -> None:
    """Declare a category without its words; ``all_names``: the names of all categories, which columns may name."""
    if not require_new(line.name, grammar.categories, "category", findings):
        return
    features: list[str] = []
    fixed: dict[str, tuple[str, ...]] = {}
    columns: dict[str, Column] = {}
    forms = tuple(w.text for w in line.forms)
    for column in line.columns:
        name = column.name.text
        if name in features or name in fixed or name in columns:
            findings.add(messages.names.declared_twice(column.name.span, f"feature `{name}`", line.name.span))
        elif column.type is not None and (name in forms or name == "id"):
            findings.add(messages.names.declared_twice(column.name.span, f"column `{name}`", line.name.span))
        elif column.type is not None:
            if column.type.text not in (*NUMBERS, WORDS, *all_names):
                known = [*grammar.features, *all_names, *NUMBERS, WORDS]
                require_known(column.type, known, "feature or category", findings)
            if column.type.text == WORDS and column.is_set:
                findings.add(messages.grammar.set_of_words(column.type.span, name))
            optional = column.optional or column.added
            columns[name] = Column(name, column.type.text, column.is_set, optional, column.name.span, column.added)
        elif feature := assumed(column.name, grammar.features, "feature", findings):
            if column.fixed:
                fixed[feature] = feature_values(column.fixed, grammar.features[feature], findings)
            elif column.added and line.file is not None:
                columns[feature] = Column(feature, feature, False, True, column.name.span, True)
            else:
                features.append(feature)
        else:
            findings.unread.add(f"{line.name.text}.*")
    form_features: tuple[str, ...] = ()
    form_columns: dict[tuple[str, ...], str] = {}
    if line.file is not None and not line.single_form:
        form_features, form_columns = _form_features(line, forms, features, grammar, findings)
    grammar.categories[line.name.text] = Category(
        name=line.name.text,
        features=tuple(features),
        fixed=fixed,
        columns=columns,
        type=resolve_type(line.type, findings),
        span=line.name.span,
        files=tuple(file.text for file in line.files),
        form_features=form_features,
        form_names=forms,
        form_columns=form_columns,
        file_spans=tuple(file.span for file in line.files),
    )


def _form_features(
    line: syntax.Category, forms: tuple[str, ...], features: list[str], grammar: Grammar, findings: Findings
) -> tuple[tuple[str, ...], dict[tuple[str, ...], str]]:
    """The features that choose a form column, and the column for each choice of their values.

    A column is named by a value of one feature (`past`), or by values of two with `_` between them (`present_sg`); then
    the value of the first alone (`past`) names the form for all values of the second that have no column of their own.
    """
    values = {feature: grammar.features[feature].values for feature in features}
    fitting = [feature for feature in features if set(forms) <= set(values[feature])]
    if len(fitting) == 1 and forms:
        return (fitting[0],), {(form,): form for form in forms}
    for one, other in permutations(features, 2):
        columns: dict[tuple[str, ...], str] = {}
        for value in values[one]:
            for each in values[other]:
                form = next((name for name in (f"{value}_{each}", value) if name in forms), None)
                if form is not None:
                    columns[value, each] = form
        if forms and not fitting and set(columns.values()) == set(forms):
            return (one, other), columns
    assert line.file is not None
    if f"{line.name.text}.*" in findings.unread:  # one of its features may have these values
        findings.muted = True
    else:
        findings.add(messages.grammar.forms_of_no_feature(line.file.span, line.name.text, forms, features))
    findings.unread.add(f"{line.name.text} words")
    return (), {}


def resolve_constant(line: syntax.Constant, grammar: Grammar, findings: Findings) -> None:
    """Declare the constants of a line with their type."""
    type_ = resolve_type(line.type, findings)
    if type_ is None:
        findings.unread.update(n.text for n in line.names)
    for name in line.names:
        if name.text in grammar.constants:
            findings.add(messages.names.declared_twice(name.span, f"constant `{name.text}`", None))
        elif type_ is not None:
            grammar.constants[name.text] = type_


def resolve_type(node: syntax.Type | None, findings: Findings) -> Type | None:
    """The semantic type; None for a missing type, and, with a diagnostic, for an unknown type."""
    if node is None:
        return None
    try:
        return parse_type(node.text)
    except ValueError as error:
        findings.add(messages.grammar.unknown_type(node.span, str(error)))
        return None
