"""Definitions: names for terms, which are written in their place (a ``define`` with its lines ``as``)."""

from __future__ import annotations

from msgspec.structs import replace

from gramprobe.resolve.grammar.constructors import resolve_constructor
from gramprobe.resolve.grammar.data import Definition, Grammar
from gramprobe.resolve.grammar.where import check_where
from gramprobe.resolve.grammar.words import check_words
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Word


def resolve_definition(line: syntax.Function, grammar: Grammar, findings: Findings) -> None:
    """Declare a definition; its mistakes are reported, but for those in its terms (`resolve.paradigm.defined`).

    Without a `head` among its arguments the terms themselves are its heads, so that they are asked what it is asked.
    """
    if not line.branches:
        if not line.broken:
            findings.add(messages.grammar.stands_for_nothing(line.name.span, line.name.text))
        findings.unread.add(line.name.text)
        return
    names = [Word(f"branch{number}", branch.span) for number, branch in enumerate(line.branches, 1)]
    headed = any(m.text == "head" for argument in line.arguments for m in argument.modifiers)
    parts = tuple(syntax.Argument(n, line.result, () if headed else (Word("head", n.span),)) for n in names)
    said = [a.name for a in line.arguments if a.category.text not in grammar.features] + names
    lins = tuple(
        syntax.Lin(b.cases, (syntax.Words(n, ()),), (False,), tuple(w for w in said if w is not n), b.span)
        for b, n in zip(line.branches, names, strict=True)
    )
    sems = tuple(syntax.Sem(b.cases, n) for b, n in zip(line.branches, names, strict=True))
    before = len(findings.items)
    resolve_constructor(replace(line, arguments=(*line.arguments, *parts), lins=lins, sems=sems), grammar, findings)
    made = grammar.constructors.pop(line.name.text, None) if len(findings.items) == before else None
    if made is None:
        findings.unread.add(line.name.text)
        return
    chooser = replace(made, branches=len(line.branches))
    check_words(chooser, grammar, findings)
    check_where(chooser, grammar, findings)
    grammar.definitions[line.name.text] = Definition(chooser, line.branches)
