"""The rules by which the sentences of a grammar are read, made once a grammar; or those for some sentences alone."""

from __future__ import annotations

from collections.abc import Collection

from gramprobe.chart.rules import Rules
from gramprobe.compiled.from_resolve import compiled
from gramprobe.resolve.grammar.data import Grammar


def rules_of(grammar: Grammar) -> Rules:
    """The rules of the chart for a grammar, made once: whoever adds words takes a copy (`Rules.also`)."""
    if "rules" not in grammar.memory:
        grammar.memory["rules"] = Rules(compiled(grammar))
    made: Rules = grammar.memory["rules"]
    return made


def rules_for(grammar: Grammar, tokens: Collection[str]) -> Rules:
    """The rules of the chart for sentences of some tokens."""
    spelt = {*tokens, *grammar.sentences.values()}
    if grammar.language.capitals:
        spelt |= {token[:1].lower() + token[1:] for token in tokens}
    return Rules(compiled(grammar, frozenset(spelt)))
