"""Words that are read as words of another category, too: ``also V1 as V2 unless takes_object = no``.

They are in the compiled grammar, by which sentences are read, and not drawn: what is bad is bad with every verb in each
frame that no source denies it.
"""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.resolve.grammar.data import Also, Grammar
from gramprobe.resolve.names import require_column, require_known
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax.grammar_tree import AlsoLine


def resolve_also(lines: Sequence[AlsoLine], grammar: Grammar, whole: bool, findings: Findings) -> None:
    """Add the `also` lines to the grammar; not ``whole``: those about categories that are not there are left out."""
    found: list[Also] = []
    for line in lines:
        both = line.category, line.other
        if not all(name.text in grammar.categories for name in both):
            for name in both if whole else ():
                require_known(name, grammar.categories, "category", findings)
            continue
        of, other = (grammar.categories[name.text] for name in both)
        shared = [feature for feature in other.form_features if feature in of.form_features]
        if not of.lexical or not other.lexical or len(shared) < len(other.form_features):
            findings.add(messages.grammar.other_forms(line.other.span, of.name, other.name, other.form_features))
            continue
        if line.column is not None:
            if not require_column(line.column, of.name, of.known, findings):
                continue
            column = of.columns.get(line.column.text)
            feature = grammar.features.get(line.column.text if column is None else column.type)
            values = feature.values if feature is not None else ()
            if not all(require_known(v, values, f"value of {line.column.text}", findings, "E05") for v in line.values):
                continue
        denied = line.column.text if line.column is not None else None
        found.append(Also(of.name, other.name, denied, grammar.expanded(line.values)))
    grammar.also = tuple(found)
