"""Grammar files to a :class:`~gramprobe.resolve.grammar.data.Grammar`: declared in order, then checked as a whole."""

from __future__ import annotations

from gramprobe.resolve.grammar.anaphors import check_anaphors
from gramprobe.resolve.grammar.categories import resolve_category, resolve_constant
from gramprobe.resolve.grammar.constructors import resolve_constructor
from gramprobe.resolve.grammar.data import Grammar
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


def resolve_grammar(lines: list[syntax.GrammarLine], findings: Findings) -> Grammar:
    """Declare in the order features, categories, tables, relations, constants, constructors; then check words."""
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
    for constructor in grammar.constructors.values():
        check_words(constructor, grammar, findings)
        check_where(constructor, grammar, findings)
    check_readings(lines, grammar, findings)
    check_anaphors(lines, grammar, findings)
    needs, asked = varying_features(grammar), requests(grammar)
    for constructor in grammar.constructors.values():
        check_requests(constructor, asked, grammar, findings)
        check_asked(constructor, needs, grammar, findings)
    return grammar
