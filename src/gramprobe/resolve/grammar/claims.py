"""Claims: what the value of a feature says about the meanings of the constructors that give it to their result.

``claim NP.licensing weak licensing``: whatever is `licensing=weak` licenses polarity items. Claims are read here, and
decided from the meanings by `gramprobe.judge.claims`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.formula.notation import FormulaError, parse_meaning
from gramprobe.resolve.grammar.constructors import formula_problem
from gramprobe.resolve.grammar.data import Claim, Grammar
from gramprobe.resolve.names import require_column, require_known
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax.grammar_tree import ClaimLine

#: what can be claimed of a determiner D(A, B), each with what it is
PROPERTIES = {
    "licensing": "downward in the verb phrase and not upward, where it has a value",
    "antiadditive": "licensing, and D(A, B) and D(A, C) give D(A, B or C)",
    "existential": "D(A, B) and D(A and B, thing) have the same value, or both have none",
}
NOT = "not "


def resolve_claims(lines: Sequence[ClaimLine], grammar: Grammar, whole: bool, findings: Findings) -> None:
    """Add the `claim` lines to the grammar; not ``whole``: those about categories that are not there are left out."""
    claims: list[Claim] = []
    for line in lines:
        name, column = line.feature.name, line.feature.column
        category = grammar.categories.get(name.text)
        if category is None:
            if whole:
                require_known(name, grammar.categories, "category", findings)
            continue
        if column is None:
            findings.add(messages.grammar.claim_of_no_feature(name.span, category.name))
            continue
        if not require_column(column, category.name, category.features, findings):
            continue
        for row in line.rows:
            property_ = row.property.text.removeprefix(NOT)
            known = [*PROPERTIES, *(NOT + each for each in PROPERTIES)]
            values = grammar.features[column.text].values
            if not require_known(row.value, values, f"value of {column.text}", findings, "E05") or not require_known(
                row.property, known, "property of meanings", findings
            ):
                continue
            presupposed = None
            if row.presupposed is not None:
                try:
                    presupposed = parse_meaning(row.presupposed.text)
                except FormulaError as error:
                    findings.add(formula_problem(row.presupposed.span.at(1), error))
                    continue
            claims.append(
                Claim(
                    feature=(category.name, column.text),
                    value=row.value.text,
                    property=property_,
                    holds=not row.property.text.startswith(NOT),
                    presupposed=presupposed,
                    span=row.property.span,
                )
            )
    grammar.claims = tuple(claims)
