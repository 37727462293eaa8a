"""The names of constraints: what is wrong with a sentence in which a condition of a constructor does not hold.

A condition of a ``where`` has its name before it, ``tense: dated(t, m)``. What a part must have besides, by a request
(``n[num=sg]``) or because its feature chooses words (``s.num``), has the name that a line `constraint` gives to the
feature of its category, else `form`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.resolve.grammar.data import Constructor, Grammar, Operand
from gramprobe.resolve.grammar.where import feature_of_value
from gramprobe.resolve.names import require_column, require_known
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax.grammar_tree import ConstraintLine
from gramprobe.syntax.tree import Condition
from gramprobe.syntax.tree import Operand as Written

#: the name of conditions that make a sentence odd, and not ungrammatical: which words go together
PLAUSIBLE = "plausible"
#: the name of what a part must have where no line says another
FORM = "form"
#: the other names, each with what it is about
CONSTRAINTS = {
    "agree sv": "the verb agrees with its subject",
    "agree dn": "the noun has the number of its determiner",
    "agree rel": "the relative pronoun and its verb agree with the noun",
    FORM: "a word has the form that its place asks for",
    "frame": "a verb has the parts that it takes",
    "bind": "a pronoun agrees with what it stands for",
    "licence": "a polarity item stands where something licenses it",
    "existential": "what stands behind *there is* is no definite and no universal",
    "onset": "*a* or *an* fits the sound of the next word",
    "tense": "tense goes with the time that is named",
    "gap": "a gap is filled, and what is filled has a gap",
    "barrier": "nothing is moved out of what lets nothing out",
}
NAMES = (*CONSTRAINTS, PLAUSIBLE)


def resolve_constraints(lines: Sequence[ConstraintLine], grammar: Grammar, whole: bool, findings: Findings) -> None:
    """Add the `constraint` lines to the grammar; not ``whole``: lines about categories that are not there are passed
    over."""
    declared: dict[tuple[str, str], Written] = {}
    for line in lines:
        require_known(line.name, CONSTRAINTS, "constraint", findings)
        for feature in line.features:
            category = grammar.categories.get(feature.name.text)
            if category is None:
                if whole:
                    require_known(feature.name, grammar.categories, "category", findings)
            elif feature.column is None:
                findings.add(messages.grammar.constraint_of_no_feature(feature.name.span, category.name))
            elif require_column(feature.column, category.name, category.known, findings):
                key = category.name, feature.column.text
                if key in declared:
                    what, before = f"the constraint of `{feature.text}`", declared[key].name.span
                    findings.add(messages.names.declared_twice(feature.name.span, what, before))
                declared.setdefault(key, feature)
                grammar.constraints.setdefault(key, line.name.text)


def check_constraints(constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    """Report conditions without a name or with an unknown one, and named ones about more than values of features."""
    for line in constructor.where:
        if line.constraint is None:
            findings.add(messages.grammar.no_constraint(line.span, line.text, CONSTRAINTS, PLAUSIBLE))
        elif require_known(line.constraint, NAMES, "constraint", findings) and line.constraint.text != PLAUSIBLE:
            for part in line.parts or (line,):
                operand = _open(part, constructor, grammar)
                if operand:
                    findings.add(messages.grammar.open_constraint(part.span, line.constraint.text, operand, PLAUSIBLE))


def _open(line: Condition, constructor: Constructor, grammar: Grammar) -> str:
    """The first operand of a condition that is not compared by values of a feature; empty if all are."""
    if line.kind == "numbers":
        return line.operands[0].text
    columns = columns_of(line, constructor, grammar)
    for operand, column in zip(line.operands, columns, strict=True):
        index = constructor.argument(operand.name.text)
        if index is None or constructor.arguments[index].is_feature:
            continue
        category = grammar.categories[constructor.arguments[index].category]
        held = category.columns.get(column) if column is not None else None
        if (held.type if held is not None else column) not in grammar.features:
            return operand.text
    return ""


def columns_of(line: Condition, constructor: Constructor, grammar: Grammar) -> Sequence[str | None]:
    """The columns that a condition compares: those that are written, or those for which its relation is declared."""
    written = [operand.column.text if operand.column is not None else None for operand in line.operands]
    if line.kind != "relation" or line.name is None:
        return written
    categories = []
    for side, operand in enumerate(line.operands):
        index = constructor.argument(operand.name.text)
        value = feature_of_value(operand.name.text, line, side, grammar) if index is None else None
        categories.append(value or "" if index is None else constructor.arguments[index].category)
    return grammar.related_columns(line.name.text, categories) or written


def stated(constructor: Constructor, grammar: Grammar) -> list[tuple[Condition, list[Operand]]]:
    """The conditions that are constraints of grammar, each with the values on which it depends."""
    found = []
    for condition in (each for each in constructor.where if name_of(each) != PLAUSIBLE):
        operands: dict[str, Operand] = {}
        for part in condition.parts or (condition,):
            for written, column in zip(part.operands, columns_of(part, constructor, grammar), strict=True):
                index, name, span = constructor.argument(written.name.text), written.name.text, written.name.span
                if index is not None and constructor.arguments[index].is_feature:
                    operands[name] = Operand(name, index, None, span)
                elif index is not None:
                    operands[f"{name}.{column}"] = Operand(f"{name}.{column}", index, column, span)
        found.append((condition, [*operands.values()]))
    return found


def mentioned_in(condition: Condition, values: Sequence[Operand]) -> list[str]:
    """What a condition that is `stated` mentions: the operands as they are written, and the values on which it
    depends."""
    written = (each.text for part in condition.parts or (condition,) for each in part.operands)
    return list(dict.fromkeys([*written, *(value.text for value in values)]))


def name_of(line: Condition) -> str:
    """The constraint that a condition states."""
    return line.constraint.text if line.constraint is not None else PLAUSIBLE
