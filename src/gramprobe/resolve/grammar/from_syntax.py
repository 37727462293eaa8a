"""Grammar files to a :class:`~gramprobe.resolve.grammar.data.Grammar`: declared in order, then checked as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.resolve.grammar.anaphors import check_anaphors
from gramprobe.resolve.grammar.categories import resolve_category, resolve_constant
from gramprobe.resolve.grammar.constructors import resolve_constructor
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.grammar.features import resolve_features, resolve_groups
from gramprobe.resolve.grammar.names import assumed
from gramprobe.resolve.grammar.readings import check_readings
from gramprobe.resolve.grammar.requests import check_asked, check_requests, requests, varying_features
from gramprobe.resolve.grammar.tables import resolve_relation, resolve_table
from gramprobe.resolve.grammar.where import check_where
from gramprobe.resolve.grammar.words import check_words
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Broken


def resolve_grammar(lines: Sequence[syntax.Declaration], findings: Findings, whole: bool = True) -> Grammar:
    """Declare in the order features, categories, tables, relations, constants, constructors; then check words.

    ``whole``: the lines are all that some modules declare. Each constructor is checked, and what it requests of others
    is expected of those in its own file. Otherwise the lines are what a paradigm reaches: no constructor is checked by
    itself, and what one requests is expected of all.
    """
    grammar = Grammar()
    findings.unread |= {n for x in lines if isinstance(x, Broken) for n in x.names}
    resolve_features([x for x in lines if isinstance(x, syntax.Feature)], grammar, findings)
    resolve_groups([x for x in lines if isinstance(x, syntax.Group)], grammar, findings)
    categories = [x for x in lines if isinstance(x, syntax.Category)]
    findings.unread |= {
        f"{c.name.text}.*" for c in categories if any(n.name.text in findings.unread for n in c.columns)
    }
    for category in categories:
        resolve_category(category, {c.name.text for c in categories}, grammar, findings)
    for line in lines:
        match line:
            case syntax.Table():
                resolve_table(line, grammar, findings)
            case syntax.Relation():
                resolve_relation(line, grammar, findings)
            case syntax.Constant():
                resolve_constant(line, grammar, findings)
            case syntax.Sentence():
                sentence = assumed(line.category, grammar.categories, "category", findings)
                if sentence is None:
                    findings.unread.add("sentence")
                else:
                    grammar.sentences[sentence] = line.final.text
            case _:
                pass
    for line in lines:
        if isinstance(line, syntax.Function):
            resolve_constructor(line, grammar, findings)
    for constructor in grammar.constructors.values() if whole else ():
        check_words(constructor, grammar, findings)
        check_where(constructor, grammar, findings)
    check_readings(lines, grammar, findings, whole)
    check_anaphors(lines, grammar, findings, whole)
    for together in _files(grammar) if whole else [list(grammar.constructors.values())]:
        needs, asked = varying_features(together, grammar), requests(together, grammar)
        for constructor in together:
            check_requests(constructor, asked, grammar, findings)
            check_asked(constructor, needs, grammar, findings)
    return grammar


def _files(grammar: Grammar) -> list[list[Constructor]]:
    """The constructors of each file."""
    by_file: dict[str, list[Constructor]] = {}
    for constructor in grammar.constructors.values():
        by_file.setdefault(constructor.span.path, []).append(constructor)
    return list(by_file.values())
