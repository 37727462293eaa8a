"""The rules by which the sentences of a grammar are read, made once a grammar."""

from __future__ import annotations

from gramprobe.chart.rules import Rules
from gramprobe.compiled.from_resolve import compiled
from gramprobe.resolve.grammar.data import Grammar


def rules_of(grammar: Grammar) -> Rules:
    """The rules of the chart for a grammar, made once: whoever adds words takes a copy (`Rules.also`)."""
    if "rules" not in grammar.memory:
        grammar.memory["rules"] = Rules(compiled(grammar))
    made: Rules = grammar.memory["rules"]
    return made
