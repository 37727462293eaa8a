"""Constructors: the type, the words and the meaning of each way to build a tree."""

from __future__ import annotations

from itertools import chain, count

from msgspec.structs import replace

from gramprobe.formula.notation import FormulaError, parse_meaning
from gramprobe.resolve.grammar.carried import resolve_carrying
from gramprobe.resolve.grammar.categories import feature_values
from gramprobe.resolve.grammar.constraints import PLAUSIBLE
from gramprobe.resolve.grammar.data import Argument, Constructor, Grammar, Meaning, Refers, Scope
from gramprobe.resolve.grammar.words import Names
from gramprobe.resolve.names import assumed, require_column, require_known, require_new
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings, Span
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Condition, Operand, Word


def resolve_constructor(line: syntax.Function, grammar: Grammar, findings: Findings) -> None:
    """Declare a constructor; its mistakes are reported. An only argument is its head."""
    declared = {**grammar.constructors, **grammar.definitions, **grammar.categories}
    if not require_new(line.name, declared, "constructor or category", findings):
        return
    result = assumed(line.result, grammar.categories, "category", findings)
    ok = result is not None
    arguments: list[Argument] = []
    for argument in line.arguments:
        known = [*grammar.categories, *grammar.features]
        category_name = assumed(argument.category, known, "category or feature", findings)
        if category_name is None:
            ok = False
            continue
        if any(a.name == argument.name.text for a in arguments):
            findings.add(
                messages.names.declared_twice(argument.name.span, f"argument `{argument.name.text}`", line.name.span)
            )
        modifiers = {m.text for m in argument.modifiers}
        for modifier in argument.modifiers:
            require_known(modifier, ("head", "island"), "modifier", findings)
        arguments.append(
            Argument(
                argument.name.text,
                category_name,
                category_name not in grammar.categories,
                "head" in modifiers,
                "island" in modifiers,
            )
        )
    if not ok or result is None:
        findings.unread.add(line.name.text)
        return
    if len(arguments) == 1 and not arguments[0].is_feature and not arguments[0].island:
        only = arguments[0]
        arguments = [Argument(only.name, only.category, False, True, False)]
    line = _repeated(line, arguments)
    category = grammar.categories[result]
    fixed: dict[str, tuple[str, ...]] = {}
    for case in line.features:
        name = case.operand.name
        if name.text in category.features and name.text in grammar.features:
            fixed[name.text] = feature_values(case.values, grammar.features[name.text], findings)
        elif name.text in category.columns and category.columns[name.text].type in grammar.features:
            fixed[name.text] = feature_values(case.values, grammar.features[category.columns[name.text].type], findings)
        elif name.text in category.columns:
            fixed[name.text] = tuple(w.text for w in case.values)
        elif name.text in category.fixed:
            values = category.fixed[name.text]
            findings.add(messages.grammar.fixed_feature(name.span, category.name, name.text, values))
        else:
            require_column(name, category.name, [*category.features, *category.columns], findings)
    computed: dict[str, syntax.Value] = {}
    for feature, value in line.computed:
        if feature.text in fixed or feature.text in computed:
            findings.add(messages.names.declared_twice(feature.span, f"feature `{feature.text}`", line.name.span))
        elif feature.text in category.features and feature.text in grammar.features:
            computed[feature.text] = value
        elif feature.text in category.fixed:
            its = category.fixed[feature.text]
            findings.add(messages.grammar.fixed_feature(feature.span, category.name, feature.text, its))
        else:
            require_column(feature, category.name, category.features, findings)
    variables = [*(a.name for a in arguments), *(["it"] if line.refers else [])]
    meanings = tuple(m for s in line.sems if (m := _meaning(s, variables, findings)) is not None)
    grammar.constructors[line.name.text] = Constructor(
        name=line.name.text,
        arguments=tuple(arguments),
        result=result,
        fixed=fixed,
        where=line.where,
        lins=line.lins,
        lines=tuple(map(Names(arguments, category, grammar).line, line.lins)),
        sems=meanings,
        scopes=tuple(map(_scope, line.scopes)),
        span=line.name.span,
        broken=line.broken or len(meanings) < len(line.sems),
        computed=computed,
        carrying=tuple(resolve_carrying(line, arguments, category, grammar, findings)),
        refers=tuple(Refers(r.cases, tuple(w.text for w in r.names), r.span) for r in line.refers),
    )


def _repeated(line: syntax.Function, arguments: list[Argument]) -> syntax.Function:
    """The line in which no argument stands twice in the words: one that does is several arguments, which are the same
    word or tree. They are added to ``arguments``, behind all others, and to the `where` of the line."""
    for number, argument in enumerate(tuple(arguments)):
        times = [[a.name.text for a in x.atoms if isinstance(a, syntax.Words)].count(argument.name) for x in line.lins]
        for _ in range(2, 1 if argument.is_feature else max(times, default=0) + 1):
            again = f"{argument.name}_again"
            names = chain([again], map(f"{again}_{{}}".format, count(2)))
            name = next(each for each in names if all(each != known.name for known in arguments))
            arguments.append(Argument(name, argument.category, False, False, argument.island, number))
            same = tuple(Operand(Word(each, line.name.span)) for each in (argument.name, name))
            where = Condition("=", None, same, line.name.span, constraint=Word(PLAUSIBLE, line.name.span))
            lins = tuple(_with_again(each, argument.name, name) for each in line.lins)
            line = replace(line, where=(*line.where, where), lins=lins)
    return line


def _with_again(line: syntax.Lin, name: str, again: str) -> syntax.Lin:
    """The line with another name in the second place of an argument; where there is no second place, left unsaid."""
    places = [n for n, atom in enumerate(line.atoms) if isinstance(atom, syntax.Words) and atom.name.text == name]
    if len(places) < 2:
        return replace(line, unsaid=(*line.unsaid, Word(again, line.span)))
    atoms = list(line.atoms)
    second = atoms[places[1]]
    assert isinstance(second, syntax.Words)
    atoms[places[1]] = replace(second, name=Word(again, second.name.span))
    return replace(line, atoms=tuple(atoms))


def _scope(line: syntax.Scope) -> Scope:
    trace = line.trace.text if line.trace is not None else None
    return Scope(line.cases, line.name.text, tuple(w.text for w in line.above), trace, line.exceptional, line.in_place)


def _meaning(line: syntax.Sem, variables: list[str], findings: Findings) -> Meaning | None:
    try:
        formula = parse_meaning(line.formula.text, variables=variables)
    except FormulaError as error:
        findings.add(formula_problem(line.formula.span, error))
        return None
    name = line.reading.text if line.reading is not None else ""
    return Meaning(line.cases, formula, line.formula.text, line.formula.span, name, line.conveys)


def formula_problem(span: Span, error: FormulaError) -> Diagnostic:
    """The diagnostic of a formula that cannot be read, at its place in the file."""
    return messages.grammar.bad_formula(span.at(error.offset, error.length), error.message, error.hint or "")
