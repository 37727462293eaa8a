"""Operators, definitions and scales of a theory's files.

A file that includes another may declare a name again: its line, an operator or a definition, replaces the included
line. Two lines for a name in the same file are an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.alternatives import CONNECTIVES, QUANTIFIERS
from gramprobe.formula.ast import Formula
from gramprobe.formula.definitions import circle, expand, flattened
from gramprobe.formula.notation import FormulaError, parse
from gramprobe.formula.theory import FRAMES, Definition, Operator
from gramprobe.resolve.grammar.constructors import formula_problem
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.names import require_known, require_new
from gramprobe.resolve.theory.lexical import LexicalOperator, conditions_of_each
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import theory_tree as syntax
from gramprobe.syntax.tree import Word


@dataclass(slots=True, kw_only=True)
class Vocabulary:
    """The operators, definitions and scales of a theory's files, after replacements.

    Attributes:
        operators: by name.
        lexical: the operators of words.
        definitions: by name, without other defined operators in their formulas.
        scales: words from weak to strong.
        lines: the line of each operator and definition.
        around: the names after `around` in all lines.
    """

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
    """The operators, definitions and scales of some files, included files first; mistakes are reported.

    ``skip``: categories whose lines are left out, since only another grammar has them.
    """
    declared = Vocabulary()
    for line in lines:
        _declared_twice(line, findings)
        for operator in line.operators:
            if operator.each is None or operator.each.text not in skip:
                _operator(operator, declared, grammar, findings)
        for define in line.definitions:
            declared.operators.pop(define.name.text, None)
            declared.lines[define.name.text] = define
    _relations(declared, findings)
    _definitions(declared, findings)
    for line in lines:
        _scales(line, declared, findings)
    return declared


def read_formula(
    word: Word, variables: tuple[str, ...], operators: Sequence[str], findings: Findings, where: str
) -> Formula | None:
    """The formula of a line; None, with a diagnostic, if it cannot be read, or contains a question, `exh` or update."""
    try:
        formula = parse(word.text, variables=variables, operators=operators)
    except FormulaError as error:
        findings.add(formula_problem(word.span, error))
        return None
    for part in ast.walk(formula):
        if isinstance(part, ast.Interrogative) or ast.signature(part, "read_formula").stage == "sentence":
            what = {ast.Exhaustified: "exh", ast.Announced: "[! F]", ast.Interrogative: "?"}.get(type(part), "[E]")
            at = max(word.text.find(what[:2]), 0)
            findings.add(messages.logic.not_of_this_kind(word.span.at(at, 1), what, where))
            return None
    return formula


def _declared_twice(line: syntax.Theory, findings: Findings) -> None:
    names = [w for x in line.operators for w in (*x.names, *([x.each] if x.each and not x.where else []))]
    names += [d.name for d in line.definitions]
    before: dict[str, Word] = {}
    for word in names:
        require_new(word, before, "operator", findings)
        before.setdefault(word.text, word)


def _operator(line: syntax.OperatorLine, declared: Vocabulary, grammar: Grammar | None, findings: Findings) -> None:
    for word in line.frame:
        require_known(word, FRAMES, "frame class", findings)
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
        if grammar is not None and not require_known(line.each, grammar.categories, "category", findings):
            return
        if grammar is not None:
            around = tuple(w.text for w in line.around)
            where = conditions_of_each(line, grammar, findings)
            pattern = LexicalOperator(line.each.text, line.kind.text, frame, around, where)  # type: ignore[arg-type]
            declared.lexical.append(pattern)
        declared.around += line.around
    for name in line.names:
        declared.definitions.pop(name.text, None)
        declared.lines[name.text] = line
        declared.operators[name.text] = Operator(
            name=name.text,
            kind=line.kind.text,  # type: ignore[arg-type]
            frame=frame,
            within=tuple(w.text for w in line.within),
            introspected_by=tuple(w.text for w in line.introspected_by),
            gloss=line.gloss.text if line.gloss is not None else "",
        )


def _relations(declared: Vocabulary, findings: Findings) -> None:
    """Check that `within`, `introspected_by` and `around` name operators that see worlds, and drop undeclared names."""
    _relatable(declared.around, declared, findings)
    for name, operator in declared.operators.items():
        line = declared.lines[name]
        assert isinstance(line, syntax.OperatorLine)
        _relatable((*line.within, *line.introspected_by), declared, findings)
        declared.operators[name] = replace(
            operator,
            within=tuple(n for n in operator.within if n in declared.operators),
            introspected_by=tuple(n for n in operator.introspected_by if n in declared.operators),
        )


def _relatable(words: Sequence[Word], declared: Vocabulary, findings: Findings) -> None:
    """Report the words that are not declared operators, or not operators over single worlds."""
    for word in words:
        other = declared.operators.get(word.text)
        if other is None:
            if isinstance(declared.lines.get(word.text), syntax.Define):
                help = "relate operators that are declared, not defined"
                findings.add(
                    messages.logic.not_of_this_kind(word.span, word.text, "here: it has no worlds of its own", help)
                )
            else:
                require_known(word, declared.operators, "operator", findings)
        elif other.kind == "neighbourhood":
            findings.add(messages.logic.not_of_this_kind(word.span, word.text, "here: it sees no worlds"))


def _definitions(declared: Vocabulary, findings: Findings) -> None:
    """Read the definitions, expand defined operators in each other, and report circles and misuse."""
    lines = {name: line for name, line in declared.lines.items() if isinstance(line, syntax.Define)}
    names = (*declared.operators, *lines)
    for name, line in lines.items():
        agent = line.agent.text if line.agent is not None else None
        formula = read_formula(line.formula, () if agent is None else (agent,), names, findings, "in a definition")
        if formula is None:
            findings.unread.add(name)
            continue
        body = ast.Atom(line.body.text)
        if not any(part == body for part in ast.walk(formula)):
            findings.add(messages.logic.bodiless(line.body.span, name, line.body.text))
        declared.definitions[name] = Definition(name, agent, line.body.text, formula)
    round_ = circle(declared.definitions)
    if round_:
        findings.add(messages.names.circle(lines[round_[0]].name.span, "define", round_))
        declared.definitions = {n: d for n, d in declared.definitions.items() if n not in round_}
    shallow = {other: replace(d, formula=ast.Atom(d.body)) for other, d in declared.definitions.items()}
    flat: dict[str, Definition] = {}
    for name, definition in declared.definitions.items():
        try:
            expand(definition.formula, shallow)
        except ValueError as error:
            findings.add(messages.logic.misapplied(lines[name].formula.span, str(error)))
        try:
            flat[name] = flattened(name, declared.definitions)
        except ValueError:  # reported at the definition with the mistake
            findings.muted = True
    declared.definitions = flat


def expanded(word: Word, formula: Formula, definitions: Mapping[str, Definition], findings: Findings) -> Formula:
    """The formula of a line with its defined operators expanded; misuse of a definition is reported."""
    try:
        return expand(formula, definitions)
    except ValueError as error:
        findings.add(messages.logic.misapplied(word.span, str(error)))
        return formula


def _scales(line: syntax.Theory, declared: Vocabulary, findings: Findings) -> None:
    """Add the scales of a file; they replace the scales of included files with which they share a word."""
    own: dict[str, Span] = {}
    new: list[tuple[str, ...]] = []
    for scale in line.scales:
        for word in scale.members:
            if word.text in own:
                findings.add(
                    messages.names.declared_twice(word.span, f"the place of `{word.text}` on a scale", own[word.text])
                )
            own[word.text] = word.span
            kinds = [_kind(member.text, declared) for member in (scale.members[0], word)]
            if kinds[0] != kinds[1]:
                findings.add(
                    messages.logic.mixed_scale(word.span, word.text, kinds[1], scale.members[0].text, kinds[0])
                )
        new.append(tuple(word.text for word in scale.members))
    declared.scales = [scale for scale in declared.scales if not own.keys() & set(scale)] + new


def _kind(member: str, declared: Vocabulary) -> str:
    if member in QUANTIFIERS.values() or member.partition(" ")[0] in ast.COUNTING:
        return "a quantifier"
    if member in CONNECTIVES:
        return "a connective"
    return "an operator" if member in declared.names else "a predicate"
