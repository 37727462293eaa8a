"""Grammar files to a :class:`~gramprobe.resolve.grammar.data.Grammar`: declared in order, then checked as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gramprobe.language import DEFAULT, Language, english
from gramprobe.resolve.grammar.also import resolve_also
from gramprobe.resolve.grammar.carried import check_carrying, resolve_carry
from gramprobe.resolve.grammar.categories import resolve_category, resolve_constant, resolve_features, resolve_groups
from gramprobe.resolve.grammar.claims import resolve_claims
from gramprobe.resolve.grammar.constraints import check_constraints, resolve_constraints
from gramprobe.resolve.grammar.constructors import resolve_constructor
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.grammar.definitions import resolve_definition
from gramprobe.resolve.grammar.readings import ABOVE, check_anaphors, check_operators, check_readings
from gramprobe.resolve.grammar.requests import check_asked, check_provided, check_requests, requests, varying_features
from gramprobe.resolve.grammar.tables import resolve_relation, resolve_table
from gramprobe.resolve.grammar.where import check_where
from gramprobe.resolve.grammar.words import check_words
from gramprobe.resolve.names import assumed, require_known
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Broken, Word


def resolve_grammar(
    lines: Sequence[syntax.Declaration],
    findings: Findings,
    whole: bool = True,
    languages: Mapping[str, Language | None] | None = None,
    left_out: frozenset[str] = frozenset(),
) -> Grammar:
    """Declare in the order features, categories, tables, relations, constants, constructors; then check words.

    ``whole``: the lines are all that some modules declare. Each constructor is checked, and what it requests of others
    is expected of those in its own file. Otherwise the lines are what a paradigm reaches, whose trees are checked with
    it (`resolve.paradigm.forms`). ``languages``: the languages of the project; by default the shipped English.
    ``left_out``: names of scopes whose constructors a `uses` line leaves out, which a line may still mention.
    """
    grammar = Grammar(language=_language(lines, languages or {}, findings))
    findings.unread |= {n for x in lines if isinstance(x, Broken) for n in x.names}
    resolve_features([x for x in lines if isinstance(x, syntax.Feature)], grammar, findings)
    resolve_groups([x for x in lines if isinstance(x, syntax.Group)], grammar, findings)
    categories = [x for x in lines if isinstance(x, syntax.Category)]
    findings.unread |= {
        f"{c.name.text}.*" for c in categories if any(n.name.text in findings.unread for n in c.columns)
    }
    for category in categories:
        resolve_category(category, {c.name.text for c in categories}, grammar, findings)
    resolve_constraints([x for x in lines if isinstance(x, syntax.ConstraintLine)], grammar, whole, findings)
    resolve_also([x for x in lines if isinstance(x, syntax.AlsoLine)], grammar, whole, findings)
    resolve_claims([x for x in lines if isinstance(x, syntax.ClaimLine)], grammar, whole, findings)
    for line in lines:
        match line:
            case syntax.Table():
                resolve_table(line, grammar, findings)
            case syntax.Relation():
                resolve_relation(line, grammar, findings)
            case syntax.Carry():
                resolve_carry(line, grammar, findings)
            case syntax.Constant():
                resolve_constant(line, grammar, findings)
            case syntax.Former():
                grammar.former[line.name.text] = line.instead.text
            case syntax.Sentence():
                sentence = assumed(line.category, grammar.categories, "category", findings)
                if sentence is None:
                    findings.unread.add("sentence")
                else:
                    _check_final(line.final, grammar.language, findings)
                    grammar.sentences[sentence] = line.final.text
                    grammar.continuing |= {sentence} if line.continues else set()
            case _:
                pass
    for line in lines:
        if isinstance(line, syntax.Function) and not line.defined:
            resolve_constructor(line, grammar, findings)
    for constructor in grammar.constructors.values():
        check_words(constructor, grammar, findings)
        check_carrying(constructor, grammar, findings)
        before = len(findings.items)
        check_where(constructor, grammar, findings)
        if len(findings.items) == before:
            check_constraints(constructor, grammar, findings)
    for line in lines:
        if isinstance(line, syntax.Function) and line.defined:
            resolve_definition(line, grammar, findings)
    elsewhere = left_out if whole else None
    check_readings(lines, grammar, findings, elsewhere)
    check_operators(lines, grammar, findings, elsewhere)
    check_anaphors(lines, grammar, findings, elsewhere)
    for together in _files(grammar) if whole else ():
        asked = requests(together, grammar)
        for constructor in together:
            check_requests(constructor, asked, grammar, findings)
        check_provided(together, grammar, findings)
    _check_asked(_files(grammar) if whole else [list(grammar.constructors.values())], grammar, findings)
    return grammar


def _check_final(final: Word, language: Language, findings: Findings) -> None:
    """Report the end of sentences that the language does not cut off the word before it: `sleeps~` would be one token.
    A category of sentences may end in nothing."""
    if final.text and language.tokens(f"x{final.text}") != ["x", final.text]:
        findings.add(messages.language.no_final(final.span, final.text, language.marks))


def _language(
    lines: Sequence[syntax.Declaration], languages: Mapping[str, Language | None], findings: Findings
) -> Language:
    """The language that the lines name, English if they name none; reported are an unknown one, and a second one."""
    named = [line.name for line in lines if isinstance(line, syntax.LanguageName)]
    for name in named:
        if require_known(name, languages, "language", findings, "E79") and name.text != named[0].text:
            findings.add(messages.names.declared_twice(name.span, "the language", named[0].span))
    return languages.get(named[0].text if named else DEFAULT) or english()


def part_of(whole: Grammar, lines: Sequence[syntax.Declaration], findings: Findings) -> Grammar:
    """The grammar of some of the declarations that a whole grammar was resolved from, as :func:`resolve_grammar` gives
    it: with the same features, words and constructors, but for those that the lines do not declare."""
    named = (syntax.Feature, syntax.Category, syntax.Table, syntax.Function, syntax.Carry)
    names = {line.name.text for line in lines if isinstance(line, named)}
    constructors = {name: each for name, each in whole.constructors.items() if name in names}
    # a name that is misspelt is taken for the category or feature that it means, which the lines do not name
    types = {name for c in constructors.values() for name in (c.result, *(each.category for each in c.arguments))}
    names |= types.union(*(whole.categories[name].features for name in types & whole.categories.keys()))
    scopes = {scope.name for constructor in constructors.values() for scope in constructor.scopes}
    declared = {(x.name.text, x.left.text, x.right.text) for x in lines if isinstance(x, syntax.Relation)}
    relations = {name: [r for r in each if r.named in declared] for name, each in whole.relations.items()}
    grammar = Grammar(
        features={name: each for name, each in whole.features.items() if name in names},
        categories={name: each for name, each in whole.categories.items() if name in names},
        constructors=constructors,
        tables={name: each for name, each in whole.tables.items() if name in names},
        relations={name: each for name, each in relations.items() if each},
        constants=whole.constants,
        sentences=whole.sentences,
        continuing=whole.continuing,
        language=whole.language,
        readings={order: name for order, name in whole.readings.items() if scopes.issuperset(order.split(ABOVE))},
        kinds={name: kind for name, kind in whole.kinds.items() if name in scopes},
        constraints=whole.constraints,
        definitions={name: each for name, each in whole.definitions.items() if name in names},
        claims=whole.claims,
        also=whole.also,
        carried={name: each for name, each in whole.carried.items() if name in names},
        former=whole.former,
        shared=whole.shared,
        unread=whole.unread,
    )
    _check_asked([list(constructors.values())], grammar, findings)
    return grammar


def _check_asked(groups: Sequence[list[Constructor]], grammar: Grammar, findings: Findings) -> None:
    """Check that the constructors of each group request of each other what they must."""
    for together in groups:
        needs = varying_features(together, grammar)
        for constructor in together:
            check_asked(constructor, needs, grammar, findings)


def _files(grammar: Grammar) -> list[list[Constructor]]:
    """The constructors of each file."""
    by_file: dict[str, list[Constructor]] = {}
    for constructor in grammar.constructors.values():
        by_file.setdefault(constructor.span.path, []).append(constructor)
    return list(by_file.values())
