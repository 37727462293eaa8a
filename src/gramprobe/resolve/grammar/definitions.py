"""Definitions: names for terms, which are written in their place (a ``define`` with its lines ``as``)."""

from __future__ import annotations

from msgspec.structs import replace

from gramprobe.resolve.grammar.constructors import resolve_constructor
from gramprobe.resolve.grammar.data import Constructor, Definition, Grammar
from gramprobe.resolve.grammar.where import check_where
from gramprobe.resolve.grammar.words import check_words
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Word


def resolve_definition(line: syntax.Function, grammar: Grammar, findings: Findings) -> None:
    """Declare a definition; its mistakes are reported, but for those in its terms (`resolve.paradigm.terms`).

    Without a `head` among its arguments the terms themselves are its heads, so that they are asked what it is asked.
    """
    if not line.branches:
        if not line.broken:
            findings.add(messages.grammar.stands_for_nothing(line.name.span, line.name.text))
        findings.unread.add(line.name.text)
        return
    one = replace(line, branches=(replace(line.branches[0], cases=()),))
    single = one if len(line.branches) == 1 else replace(one, features=(), computed=())
    built = {a.name.text for a in line.arguments if _is_built(a.category.text, grammar)}
    shaped = any(c.operand.name.text in built and c.operand.column is None for b in line.branches for c in b.cases)
    before = len(findings.items)
    chooser = _chooser(one if shaped else line, grammar, findings)
    holder = _chooser(single, grammar, Findings())
    if chooser is None or holder is None or len(findings.items) > before:
        findings.unread.add(line.name.text)
        return
    check_words(chooser, grammar, findings)
    check_where(chooser, grammar, findings)
    grammar.definitions[line.name.text] = Definition(chooser, holder, line.branches)


def _chooser(line: syntax.Function, grammar: Grammar, findings: Findings) -> Constructor | None:
    """The constructor that has the branches of a definition for its last arguments."""
    names = [Word(f"branch{number}", branch.span) for number, branch in enumerate(line.branches, 1)]
    if len(names) == 1:  # the term itself is the head
        line = replace(line, arguments=tuple(replace(a, modifiers=()) for a in line.arguments))
    headed = any(m.text == "head" for argument in line.arguments for m in argument.modifiers)
    parts = tuple(syntax.Argument(n, line.result, () if headed else (Word("head", n.span),)) for n in names)
    said = [a.name for a in line.arguments if a.category.text not in grammar.features] + names
    lins, sems = [], []
    for branch, name in zip(line.branches, names, strict=True):
        unsaid = tuple(word for word in said if word is not name)
        lins.append(syntax.Lin(branch.cases, (syntax.Words(name, ()),), (False,), unsaid, branch.span))
        sems.append(syntax.Sem(branch.cases, name))
    whole = replace(line, arguments=(*line.arguments, *parts), lins=tuple(lins), sems=tuple(sems))
    resolve_constructor(whole, grammar, findings)
    made = grammar.constructors.pop(line.name.text, None)
    return replace(made, branches=len(names)) if made is not None else None


def _is_built(category: str, grammar: Grammar) -> bool:
    return category in grammar.categories and not grammar.categories[category].files
