"""A term in words, and its readings."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from gramprobe.catalog.entries import entries
from gramprobe.catalog.pages import checked
from gramprobe.catalog.terms import tree_of
from gramprobe.formula.notation import show
from gramprobe.judge.judge import readings_of
from gramprobe.resolve.grammar.constraints import name_of
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.conditions import check_forms
from gramprobe.resolve.project import Declarations
from gramprobe.resolve.tree import Apply, Tree, category_of, nodes, without_meaning
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Diagnostic, Findings
from gramprobe.space.constraints import of_constructor
from gramprobe.words.linearise import case_holds, sentence_of


def said(
    term: str, modules: list[str], theory: str, declarations: Declarations, judged: Callable[[str], list[str]]
) -> dict[str, Any]:
    """What `gramprobe say` answers: the words of a term and its readings, the surface reading first; or, of a sentence
    that has none, the constructors in it without a meaning; and the conditions of constructors that do not hold of its
    words, for which no paradigm draws it.

    ``judged``: what the chart of a sentence says; asked of one that breaks a constraint, or carries what something else
    in it has to license, bind or fill.

    Raises AuthoringError for a term with a mistake, UsageError for an unknown grammar or theory.
    """
    declarations.known_theory(theory)
    grammar = checked(declarations, *modules)
    try:
        tree = tree_of(term, grammar)
    except AuthoringError as error:
        raise AuthoringError(
            (_elsewhere(each, grammar, declarations) for each in error.diagnostics), error.library
        ) from None
    findings = Findings()
    check_forms([tree], grammar, findings)
    if findings.failed:
        raise AuthoringError(findings.items, declarations.library)
    known = declarations.theory(theory, grammar, findings)
    if known is None:
        raise AuthoringError(findings.items, declarations.library)
    breaks = any(isinstance(node, Apply) and node.breach is not None for node in nodes(tree))
    reads = category_of(tree) in grammar.sentences and not breaks
    without = without_meaning(tree) if reads else []
    readings = readings_of(tree, known, grammar) if reads and not without else ()
    forms = _forms(tree, grammar)
    asked = breaks or (reads and any(_carries(node, grammar) for node in nodes(tree)))
    chart = judged(forms[0]["words"]) if asked else []
    return {
        "term": term,
        "category": category_of(tree),
        "forms": forms,
        "readings": [{"id": reading.id, "formula": show(reading.formula)} for reading in readings],
        "without_meaning": without,
        "undrawn": [] if breaks else _unmet(tree, grammar, declarations),
        **({"judged": chart} if asked else {}),
    }


def _carries(node: Tree, grammar: Grammar) -> bool:
    """Whether a constructor carries something upward (`any`, a gap), which another one has to take."""
    if not isinstance(node, Apply):
        return False
    lines = (line for line in node.constructor.carrying if line.how == "carries")
    return any(case_holds(line.written.cases, node, {}, {}, grammar) for line in lines)


def _unmet(tree: Tree, grammar: Grammar, declarations: Declarations) -> list[str]:
    """The conditions of constructors that do not hold in a tree, each as it is written, with its place."""
    found: dict[str, None] = {}
    applied = (node for node in nodes(tree) if isinstance(node, Apply))
    for node, line in [(each, line) for each in applied for line in each.constructor.where]:
        source = declarations.library.by_path(line.span.path)
        if source is None or of_constructor(node, line, grammar, Findings()) is not False:
            continue
        text = source.lines[line.span.line - 1][line.span.column - 1 :][: line.span.length]
        place = f"{line.span.path}:{line.span.line}"
        found[f"`where {name_of(line)}: {text}` of `{node.constructor.name}` ({place})"] = None
    return [*found]


def _elsewhere(problem: Diagnostic, grammar: Grammar, declarations: Declarations) -> Diagnostic:
    """A message about a name; of a constructor that other modules declare, with these; of a word in the place of a
    constructor, with those that take such words."""
    if problem.code != "E02" or not problem.names:
        return problem
    (name, *_), declared = problem.names, entries(declarations.lines, "", ("constructor",))
    found = sorted({each.module for each in declared if each.name == name})
    if found:
        return messages.names.other_modules(problem, found)
    word = grammar.symbols().get(name)
    if word is None:
        return problem
    taking = [c.name for c in grammar.constructors.values() if [a.category for a in c.arguments] == [word.category]]
    return messages.names.no_constructor_but_word(problem, word.category, taking)


def _forms(tree: Tree, grammar: Grammar) -> list[dict[str, str]]:
    """The words of a sentence; of another tree, its words for each combination of requested values."""
    category = category_of(tree)
    if category in grammar.sentences:
        return [{"of": "", "words": sentence_of(tree, grammar)}]
    features = [feature for feature in grammar.categories[category].features if feature in grammar.features]
    by_words: dict[str, str] = {}
    for values in product(*(grammar.features[feature].values for feature in features)):
        requests = dict(zip(features, values, strict=True))
        try:
            text = sentence_of(tree, grammar, requests)
        except KeyError:  # it has no such form
            continue
        by_words.setdefault(text, ", ".join(f"{feature}={value}" for feature, value in requests.items()))
    if len(by_words) == 1:
        return [{"of": "", "words": text} for text in by_words]
    return [{"of": of, "words": text} for text, of in by_words.items()]
