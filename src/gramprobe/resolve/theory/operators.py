"""Operators, definitions and scales of a theory's files; and which operators a pair needs.

A file that includes another may say the same name again: its line replaces the included one, operator or
definition alike. Two lines for one name in one file are an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gramprobe.formula import ast
from gramprobe.formula.alternatives import CONNECTIVES, QUANTIFIERS
from gramprobe.formula.ast import Formula
from gramprobe.formula.definitions import circle, expand, flattened
from gramprobe.formula.notation import FormulaError, parse
from gramprobe.formula.theory import FRAMES, Definition, Operator
from gramprobe.resolve.grammar.constructors import formula_problem
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.theory.lexical import LexicalOperator, conditions_of_each
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax import theory_tree as syntax
from gramprobe.syntax.tree import Word

_UPDATES = (ast.Exhaustified, ast.Announced, ast.EventUpdate)


@dataclass(slots=True, kw_only=True)
class Vocabulary:
    """What the files of a theory say of operators, the last word on each."""

    operators: dict[str, Operator] = field(default_factory=dict)
    lexical: list[LexicalOperator] = field(default_factory=list)
    definitions: dict[str, Definition] = field(default_factory=dict)
    scales: list[tuple[str, ...]] = field(default_factory=list)
    lines: dict[str, syntax.OperatorLine | syntax.Define] = field(default_factory=dict)
    around: list[Word] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.operators, *self.definitions)


def vocabulary(
    lines: Sequence[syntax.Theory], grammar: Grammar | None, findings: Findings, skip: frozenset[str]
) -> Vocabulary:
    """The operators, definitions and scales of some files, the included ones first; mistakes become findings.

    ``skip``: categories whose lines are passed over, since only another grammar has them.
    """
    found = Vocabulary()
    for line in lines:
        _declared_twice(line, findings)
        for operator in line.operators:
            if operator.each is None or operator.each.text not in skip:
                _operator(operator, found, grammar, findings)
        for define in line.definitions:
            found.operators.pop(define.name.text, None)
            found.lines[define.name.text] = define
    _relations(found, findings)
    _definitions(found, findings)
    for line in lines:
        _scales(line, found, findings)
    return found


def read_formula(
    word: Word, variables: tuple[str, ...], operators: Sequence[str], findings: Findings, where: str
) -> Formula | None:
    """The formula of a line; None (and a finding) where it cannot be read or holds what has no place there."""
    try:
        formula = parse(word.text, variables=variables, operators=operators)
    except FormulaError as error:
        findings.add(formula_problem(word.span, error))
        return None
    for part in ast.walk(formula):
        if isinstance(part, (*_UPDATES, ast.Question)):
            what = {ast.Exhaustified: "exh", ast.Announced: "[! F]", ast.Question: "?"}.get(type(part), "[E]")
            at = max(word.text.find(what[:2]), 0)
            findings.add(messages.logic.not_of_this_kind(word.span.at(at, 1), what, where))
            return None
    return formula


def _declared_twice(line: syntax.Theory, findings: Findings) -> None:
    names = [w for x in line.operators for w in (*x.names, *([x.each] if x.each and not x.where else []))]
    names += [d.name for d in line.definitions]
    for number, word in enumerate(names):
        before = next((w for w in names[:number] if w.text == word.text), None)
        if before is not None:
            findings.add(messages.names.declared_twice(word.span, f"operator `{word.text}`", before.span))


def _operator(line: syntax.OperatorLine, found: Vocabulary, grammar: Grammar | None, findings: Findings) -> None:
    for word in line.frame:
        if word.text not in FRAMES:
            findings.add(messages.names.unknown_name(word.span, "frame class", word.text, FRAMES))
    if line.kind.text == "neighbourhood":
        for clause, words in (
            ("frame", line.frame),
            ("within", line.within),
            ("introspected_by", line.introspected_by),
            ("around", line.around),
        ):
            if words:
                whose = line.each if line.each is not None else line.names[0]
                findings.add(messages.logic.worldless(words[0].span, whose.text, clause))
    frame = frozenset(w.text for w in line.frame if w.text in FRAMES)
    if line.each is not None:
        if grammar is not None and line.each.text not in grammar.categories:
            findings.add(messages.names.unknown_name(line.each.span, "category", line.each.text, grammar.categories))
            return
        if grammar is not None:
            around = tuple(w.text for w in line.around)
            where = conditions_of_each(line, grammar, findings)
            pattern = LexicalOperator(line.each.text, line.kind.text, frame, around, where)  # type: ignore[arg-type]
            found.lexical.append(pattern)
        found.around += line.around
    for name in line.names:
        found.definitions.pop(name.text, None)
        found.lines[name.text] = line
        found.operators[name.text] = Operator(
            name=name.text,
            kind=line.kind.text,  # type: ignore[arg-type]
            frame=frame,
            within=tuple(w.text for w in line.within),
            introspected_by=tuple(w.text for w in line.introspected_by),
            gloss=line.gloss.text if line.gloss is not None else "",
        )


def _relations(found: Vocabulary, findings: Findings) -> None:
    """`within` and `introspected_by` name operators that see worlds; those that do not are left out."""
    _relatable(found.around, found, findings)
    for name, operator in found.operators.items():
        line = found.lines[name]
        assert isinstance(line, syntax.OperatorLine)
        _relatable((*line.within, *line.introspected_by), found, findings)
        found.operators[name] = replace(
            operator,
            within=tuple(n for n in operator.within if n in found.operators),
            introspected_by=tuple(n for n in operator.introspected_by if n in found.operators),
        )


def _relatable(words: Sequence[Word], found: Vocabulary, findings: Findings) -> None:
    """Tell of what has no relation to worlds that others could be related to."""
    for word in words:
        other = found.operators.get(word.text)
        if other is None:
            if isinstance(found.lines.get(word.text), syntax.Define):
                help = "relate operators that are declared, not defined"
                findings.add(
                    messages.logic.not_of_this_kind(word.span, word.text, "here: it has no worlds of its own", help)
                )
            else:
                findings.add(messages.names.unknown_name(word.span, "operator", word.text, found.operators))
        elif other.kind == "neighbourhood":
            findings.add(messages.logic.not_of_this_kind(word.span, word.text, "here: it sees no worlds"))


def _definitions(found: Vocabulary, findings: Findings) -> None:
    lines = {name: line for name, line in found.lines.items() if isinstance(line, syntax.Define)}
    names = (*found.operators, *lines)
    for name, line in lines.items():
        agent = line.agent.text if line.agent is not None else None
        formula = read_formula(line.formula, () if agent is None else (agent,), names, findings, "in a definition")
        if formula is None:
            findings.lost.add(name)
            continue
        body = ast.Atom(line.body.text)
        if not any(part == body for part in ast.walk(formula)):
            findings.add(messages.logic.bodiless(line.body.span, name, line.body.text))
        found.definitions[name] = Definition(name, agent, line.body.text, formula)
    round_ = circle(found.definitions)
    if round_:
        findings.add(messages.names.circle(lines[round_[0]].name.span, "define", round_))
        found.definitions = {n: d for n, d in found.definitions.items() if n not in round_}
    shallow = {other: replace(d, formula=ast.Atom(d.body)) for other, d in found.definitions.items()}
    flat: dict[str, Definition] = {}
    for name, definition in found.definitions.items():
        try:
            expand(definition.formula, shallow)
        except ValueError as error:
            findings.add(messages.logic.misapplied(lines[name].formula.span, str(error)))
        try:
            flat[name] = flattened(name, found.definitions)
        except ValueError:  # told where it is
            findings.muted = True
    found.definitions = flat


def expanded(word: Word, formula: Formula, definitions: Mapping[str, Definition], findings: Findings) -> Formula:
    """The formula of a line without defined operators."""
    try:
        return expand(formula, definitions)
    except ValueError as error:
        findings.add(messages.logic.misapplied(word.span, str(error)))
        return formula


def _scales(line: syntax.Theory, found: Vocabulary, findings: Findings) -> None:
    """The scales of one file; they replace those of included files with which they share a word."""
    own: dict[str, Span] = {}
    new: list[tuple[str, ...]] = []
    for scale in line.scales:
        for word in scale.members:
            if word.text in own:
                findings.add(
                    messages.names.declared_twice(word.span, f"the place of `{word.text}` on a scale", own[word.text])
                )
            own[word.text] = word.span
            kinds = [_kind(member.text, found) for member in (scale.members[0], word)]
            if kinds[0] != kinds[1]:
                findings.add(
                    messages.logic.mixed_scale(word.span, word.text, kinds[1], scale.members[0].text, kinds[0])
                )
        new.append(tuple(word.text for word in scale.members))
    found.scales = [scale for scale in found.scales if not own.keys() & set(scale)] + new


def _kind(member: str, found: Vocabulary) -> str:
    if member in QUANTIFIERS.values() or member.partition(" ")[0] in ast.COUNTING:
        return "a quantifier"
    if member in CONNECTIVES:
        return "a connective"
    return "an operator" if member in found.names else "a predicate"
