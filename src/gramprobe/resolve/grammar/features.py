"""Features: closed sets of values, and groups of them."""

from __future__ import annotations

from gramprobe.resolve.grammar.data import Feature, Grammar
from gramprobe.resolve.grammar.names import require_known, require_new
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Word


def resolve_features(lines: list[syntax.Feature], grammar: Grammar, findings: Findings) -> None:
    """Declare features with their values."""
    for line in lines:
        if not require_new(line.name, dict(grammar.features), "feature", findings):
            continue
        values: list[str] = []
        for value in line.values:
            if value.text in values:
                findings.add(messages.names.declared_twice(value.span, f"value `{value.text}`", line.name.span))
            else:
                values.append(value.text)
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
