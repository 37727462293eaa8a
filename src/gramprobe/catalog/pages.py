"""The page about a declaration: what it is, where it stands, its text, and an example sentence."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import islice
from typing import Any

from gramprobe.catalog.entries import Entry, entries, users
from gramprobe.meaning.check import check_meanings
from gramprobe.resolve.grammar.data import Category, Grammar, Lexeme
from gramprobe.resolve.project import FIRST, Declarations
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Findings, Span, UsageError
from gramprobe.source.nearest import did_you_mean, nearest
from gramprobe.syntax.tree import Uses, Word

#: how many examples, words and constructors a page shows
EXAMPLES, WORDS, USERS = 3, 12, 30


def grammar_around(module: str, declarations: Declarations) -> Grammar:
    """The grammar in which a module is shown: all of its folder (`english`, with the case of pronouns), or the module
    alone."""
    folder = module.partition(".")[0]
    try:
        return checked(declarations, *(FIRST if folder == FIRST[0] else (folder,)))
    except AuthoringError:
        return checked(declarations, module)


def checked(declarations: Declarations, *modules: str) -> Grammar:
    """The grammar of some modules, in which nothing is wrong. Raises UsageError, AuthoringError."""
    paths = declarations.lines.modules.paths([Uses(module=Word(name, Span("", 1, 1))) for name in modules])
    unreadable = [d for d in declarations.findings.items if d.is_error and d.span.path in paths]
    if unreadable:
        raise AuthoringError(unreadable, declarations.library)
    grammar, findings = declarations.grammar(*modules), Findings()
    check_meanings(grammar, findings)
    if findings.failed:
        raise AuthoringError(findings.items, declarations.library)
    return grammar


def page(entry: Entry, declarations: Declarations) -> dict[str, Any]:
    """What `gramprobe explain NAME` answers about a declaration. Raises AuthoringError for a grammar with mistakes."""
    from gramprobe.catalog.example import examples

    data: dict[str, Any] = {
        "declaration": entry.name,
        "kind": entry.kind,
        "type": entry.type,
        "module": entry.module,
        "file": entry.path,
        "line": entry.line,
        "about": entry.about,
        "text": entry.text,
        "examples": [],
        "words": [],
        "makers": [],
        "constructors": [],
    }
    if entry.kind not in ("constructor", "category", "feature"):
        return data
    grammar = grammar_around(entry.module, declarations)
    if entry.kind == "constructor":
        constructor = grammar.constructors.get(entry.name)
        shown = islice(examples(constructor, grammar), EXAMPLES) if constructor is not None else ()
        data["examples"] = [{"term": example.term, "sentence": example.sentence} for example in shown]
        return data
    category = grammar.categories.get(entry.name)
    if category is not None:
        data["words"] = [word.id for word in category.lexemes[:WORDS]]
    folder = entry.module.partition(".")[0]
    found = entries(declarations.lines, folder, ("constructor",))
    for each in users(found, entry.name):
        makes = each.result == entry.name
        data["makers" if makes else "constructors"].append(f"{each.name} {each.type}")
    return data


def as_text(data: dict[str, Any]) -> str:
    """The page as it is printed."""
    where = f"{data['file']}:{data['line']}"
    lines = [f"{data['declaration']} {data['type']}".rstrip(), f"{data['kind']} of {data['module']}, {where}"]
    if data["about"]:
        lines += ["", data["about"]]
    lines += ["", *(f"  {line}" for line in data["text"].split("\n"))]
    if data["examples"]:
        lines += ["", "for example"]
        for each in data["examples"]:
            lines += [f"  {each['term']}", f"    {each['sentence']}"]
    if data["words"]:
        rest = f"`gramprobe list --words {data['declaration']}`"
        lines += ["", f"words, to begin with: {', '.join(data['words'])} ({rest})"]
    for field, heading in (("makers", "constructors that make one"), ("constructors", "constructors that take one")):
        if data[field]:
            lines += ["", heading, *(f"  {each}" for each in data[field][:USERS])]
            more = len(data[field]) - USERS
            lines += [f"  ... and {more} more"] if more > 0 else []
    return "\n".join(lines)


def words(category: str, module: str, where: tuple[str, ...], declarations: Declarations) -> list[dict[str, Any]]:
    """The words of a category with their forms and columns, as far as they satisfy conditions such as `class=pet|wild`
    or `sort!=person`. Raises UsageError for an unknown category, column or value."""
    files = declarations.lines.modules.files
    declaring = [e for e in entries(declarations.lines, "", ("category",)) if e.name == category]
    declaring.sort(key=lambda entry: files[entry.module].source.is_shipped)  # an author's own come first
    grammar = checked(declarations, module) if module else None
    if grammar is None and declaring:
        grammar = grammar_around(declaring[0].module, declarations)
    if grammar is None or category not in grammar.categories:
        known = grammar.categories if grammar is not None else declarations.lines.categories
        raise messages.names.none_called("category", category, sorted(known))
    declared = grammar.categories[category]
    if not declared.lexical:
        built = ", ".join(constructor.name for constructor in grammar.makers(category))
        raise UsageError(f"category {category} has no words: constructors build it", f"these do: {built}")
    tests = [_condition(text, declared, grammar) for text in where]
    return [
        {
            "id": word.id,
            "forms": dict(word.forms),
            "columns": {n: str(v) if isinstance(v, Decimal) else v for n, v in word.columns.items() if n != "id"},
        }
        for word in declared.lexemes
        if all(_holds(word, *test) for test in tests)
    ]


def _condition(text: str, category: Category, grammar: Grammar) -> tuple[str, frozenset[str], bool]:
    """The column, the values and whether it has one of them."""
    column, sign, values = text.partition("=")
    equal = not column.endswith("!")
    column = column.removesuffix("!").strip()
    known = [name for name in category.known if name not in category.fixed]
    if not sign or column not in known:
        meant = re.split(r"[<>]", column)[0].strip()
        near = "" if meant in known else did_you_mean(meant, known)
        raise UsageError(
            f"`{text}` is not a condition on a column of {category.name}{near}",
            f"write {nearest(meant, known) or known[-1]}=VALUE; its columns: {', '.join(known)}",
        )
    declared = category.columns.get(column)
    feature = grammar.features.get(declared.type if declared is not None else column)
    wanted: set[str] = set()
    for value in (each.strip() for each in values.split("|")):
        if feature is not None and value not in (*feature.values, *feature.groups):
            near = did_you_mean(value, [*feature.values, *feature.groups])
            raise UsageError(
                f"`{column}` has no value `{value}`{near}", f"it has: {', '.join((*feature.values, *feature.groups))}"
            )
        wanted |= set(feature.expand(value)) if feature is not None else {value}
    return column, frozenset(wanted), equal


def _holds(word: Lexeme, column: str, wanted: frozenset[str], equal: bool) -> bool:
    cell = word.columns.get(column, "")
    values = {str(each) for each in cell} if isinstance(cell, tuple) else {str(cell)}
    return bool(values & wanted) == equal
