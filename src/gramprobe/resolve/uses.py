"""Which name in a file stands for which declaration: what an editor needs to go to a declaration, and to find its uses.

The statements of a file are walked as they were read, and each name is looked up in what the file sees: its own names
first (arguments, draws, conditions), then the modules that it uses. A name that is not declared has no entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any, get_type_hints

from msgspec import Struct

from gramprobe.resolve.library import LibraryLines
from gramprobe.resolve.modules import named_modules
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import grammar_tree as grammar
from gramprobe.syntax import paradigm_tree as paradigm
from gramprobe.syntax import theory_tree as theory
from gramprobe.syntax.files import WordTable
from gramprobe.syntax.tree import Operand, Uses, Word

_LOCAL = "argument", "draw", "let"
_IN_FORMULA = "argument", "operator", "constant", "word"


@cache
def _kinds(record: type) -> Mapping[str, tuple[str, ...]]:
    """Field -> the kinds of declarations that its names stand for, the first one first (`syntax.tree`)."""
    hints = get_type_hints(record, include_extras=True)
    said = {field: each for field, hint in hints.items() for each in getattr(hint, "__metadata__", ())}
    return {field: _IN_FORMULA if each == "formula" else tuple(each.split(" | ")) for field, each in said.items()}


class Use(Struct, frozen=True):
    """A name in a file: its place, what it stands for (`constructor`, `draw`, `word` ...), where that is declared."""

    span: Span
    kind: str
    name: str
    declared: Span


class _Scope:
    """What a file sees: (kind, name) -> the place of the declaration; and the category of each argument and draw."""

    def __init__(self, outer: _Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[tuple[str, str], Span] = {}
        self.categories: dict[str, str] = {}

    def add(self, kind: str, word: Word) -> None:
        self.names.setdefault((kind, word.text), word.span)

    def find(self, kind: str, name: str) -> Span | None:
        found = self.names.get((kind, name))
        return found if found is not None or self.outer is None else self.outer.find(kind, name)

    def category_of(self, name: str) -> str:
        found = self.categories.get(name)
        return found or ("" if self.outer is None else self.outer.category_of(name))


class Index:
    """The uses of all files of a library, each file's when it is first asked for."""

    def __init__(self, lines: LibraryLines) -> None:
        self._lines = lines
        self._of_file: dict[str, tuple[Use, ...]] = {}

    def at(self, path: str, line: int, column: int) -> Use | None:
        """The use at a place, given as spans have it; None where no name stands that is declared somewhere."""
        found = (use for use in self.of_file(path) if use.span.line == line)
        return next((use for use in found if use.span.column <= column < use.span.end), None)

    def of(self, declared: Span) -> tuple[Use, ...]:
        """Every use of a declaration, by the place of its name, file by file."""
        return tuple(use for path in self._files for use in self.of_file(path) if use.declared == declared)

    def of_file(self, path: str) -> tuple[Use, ...]:
        """The uses in a file, by the path that messages show, in their order."""
        if path not in self._of_file:
            found = {use.span: use for use in self._walked(path)}
            self._of_file[path] = tuple(found[span] for span in sorted(found, key=lambda s: (s.line, s.column)))
        return self._of_file[path]

    # -- what is declared

    @cached_property
    def _files(self) -> dict[str, Any]:
        """Path -> the statements of the file, or its table of words."""
        lines = self._lines
        files: dict[str, Any] = {file.source.path: file.lines for file in lines.modules.files.values()}
        files |= {file.source.path: file.lines for file in lines.paradigms.values() if file.lines is not None}
        files |= {each.name.span.path: each for each in lines.theories.values()}
        return files | {table.source.path: table for table in lines.tables.values()}

    @cached_property
    def _everything(self) -> _Scope:
        """What all files declare for others: words, theories with their operators, modules, declarations in them."""
        scope, lines = _Scope(), self._lines
        for table in lines.tables.values():
            if "id" in table.header:
                at = table.header.index("id")
                for number, cells in table.rows:
                    scope.add("word", Word(cells[at], table.span(number, at)))
        for each in lines.theories.values():
            scope.add("theory", each.name)
            _operators(each, scope)
        for name, file in lines.modules.files.items():
            scope.add("module", Word(name, Span(file.source.path, 1, 1)))
            _declare(file.lines, scope)
        return scope

    def _seen(self, uses: Iterable[Uses]) -> _Scope:
        """What `uses` lines bring, under the names that they give it, before everything else."""
        uses = list(uses)
        scope = _Scope(self._everything)
        used = self._lines.modules.used(uses, Findings()) if uses else None
        _declare(used.whole.lines if used is not None else (), scope)
        for each in uses:
            for name in named_modules(each.module.text, self._lines.modules.files)[:1]:
                scope.add("module", Word(each.module.text, Span(self._lines.modules.files[name].source.path, 1, 1)))
            for old, new in each.renamed:
                scope.add("constructor", Word(old.text, scope.find("constructor", new.text) or old.span))
        return scope

    # -- what is used

    def _walked(self, path: str) -> Iterator[Use]:
        there = self._files.get(path)
        if isinstance(there, WordTable):
            yield from self._cells(there)
        elif isinstance(there, paradigm.Paradigm):
            yield from self._of_paradigm(there)
        elif isinstance(there, theory.Theory):
            yield from self._of_theory(there)
        elif there is not None:
            scope = _Scope(self._seen(line for line in there if isinstance(line, Uses)))
            _declare(there, scope)
            for line in there:
                inner = _Scope(scope)
                for argument in getattr(line, "arguments", ()):
                    _typed(argument.name, "argument", argument.category, inner)
                if isinstance(line, grammar.MoreLines):
                    for argument in self._arguments.get(line.name.text, ()):
                        _typed(argument.name, "argument", argument.category, inner)
                yield from _uses(line, inner)

    @cached_property
    def _arguments(self) -> dict[str, tuple[grammar.Argument, ...]]:
        """Constructor -> its arguments, which the lines below an `extend fun` mention."""
        lines = (line for file in self._lines.modules.files.values() for line in file.lines)
        return {line.name.text: line.arguments for line in lines if isinstance(line, grammar.Function)}

    def _of_paradigm(self, line: paradigm.Paradigm) -> Iterator[Use]:
        scope = _Scope(self._seen(line.uses))
        for draw in line.draws:
            for name in draw.names:
                _typed(name, "draw", draw.category, scope)
        for let in line.lets:
            scope.add("let", let.name)
        for condition in line.conditions:
            scope.add("condition", condition.name)
        for word in line.settings.get("theory", ()):
            yield from _found(word, ("theory",), scope)
        yield from _uses(line, scope)

    def _of_theory(self, line: theory.Theory) -> Iterator[Use]:
        scope, todo, seen = _Scope(self._everything), [line], set[str]()
        while todo:  # its own operators before those of other theories
            each = todo.pop(0)
            if each.name.text not in seen:
                seen.add(each.name.text)
                _operators(each, scope)
                todo += [self._lines.theories[w.text] for w in each.includes if w.text in self._lines.theories]
        for part in (*line.operators, *line.definitions, *line.postulates, *line.events):
            inner = _Scope(scope)
            for variable in (*getattr(part, "variables", ()), *getattr(part, "parameters", ())):
                _typed(variable, "argument", getattr(part, "category", None), inner)
            for action in getattr(part, "actions", ()):
                inner.add("action", action.name)
            yield from _uses(part, inner)
        for include in line.includes:
            yield from _found(include, ("theory",), scope)

    def _cells(self, table: WordTable) -> Iterator[Use]:
        """The words, values and groups that the cells of a table name, in columns that a category declares."""
        scope = self._everything
        files = self._lines.modules.files.values()
        categories = [line for file in files for line in file.lines if isinstance(line, grammar.Category)]
        own = [c for c in categories if any(table.source.name == f"lexicon/{file.text}" for file in c.files)]
        types = {column.name.text: (column.type or column.name).text for c in own for column in c.columns}
        for at, header in enumerate(table.header):
            if header not in types:
                continue
            kinds = ("word",) if scope.find("category", types[header]) else ("group", "value")
            for number, cells in table.rows:
                place = None
                for match in re.finditer(r"[^|]+", cells[at]):
                    place = place or table.span(number, at)
                    yield from _found(Word(match[0], place.at(match.start(), len(match[0]))), kinds, scope)


def _typed(name: Word, kind: str, category: Word | None, scope: _Scope) -> None:
    scope.add(kind, name)
    if category is not None:
        scope.categories.setdefault(name.text, category.text)


def _operators(line: theory.Theory, scope: _Scope) -> None:
    for operator in line.operators:
        for name in operator.names:
            scope.add("operator", name)
    for definition in line.definitions:
        scope.add("operator", definition.name)


def _declare(lines: Iterable[Any], scope: _Scope) -> None:
    """Add what statements of a grammar declare."""
    for line in lines:
        match line:
            case grammar.Feature():
                scope.add("feature", line.name)
            case grammar.Category() | grammar.MoreColumns():
                for column in line.columns:
                    if column.type is not None:
                        scope.add("column", column.name)
                        scope.add(f"column of {line.name.text}", column.name)
            case grammar.Constant():
                for name in line.names:
                    scope.add("constant", name)
            case _:
                pass
        if isinstance(line, grammar.Feature | grammar.MoreValues):
            for value in line.values:
                scope.add("value", value)
        if type(line) in _NAMED:
            scope.add(_NAMED[type(line)], line.name)


_NAMED: Mapping[type, str] = {
    grammar.Category: "category",
    grammar.Function: "constructor",
    grammar.Group: "group",
    grammar.Table: "table",
    grammar.Relation: "relation",
    grammar.Carry: "carried",
}


def _uses(node: Any, scope: _Scope, kinds: tuple[str, ...] = ()) -> Iterator[Use]:
    """The uses below a statement, or a part of one."""
    if isinstance(node, Word):
        yield from _in_formula(node, scope) if kinds == _IN_FORMULA else _found(node, kinds, scope)
    elif isinstance(node, tuple):
        for each in node:
            yield from _uses(each, scope, kinds)
    elif isinstance(node, Operand):
        yield from _found(node.name, (*_LOCAL, "category", "feature", "column", "word", "value"), scope)
        if node.column is not None:
            yield from _column(node.name, node.column, scope)
    elif isinstance(node, grammar.Column) and node.type is None:
        yield from _found(node.name, ("feature",), scope)
        yield from _uses(node.fixed, scope, ("value",))
    elif isinstance(node, Struct):
        for field in node.__struct_fields__:
            if (type(node), field) != (paradigm.Term, "column"):
                yield from _uses(getattr(node, field), scope, _kinds(type(node)).get(field, ()))
        if isinstance(node, paradigm.Term) and node.column is not None:
            yield from _column(node.name, node.column, scope)


def _column(name: Word, column: Word, scope: _Scope) -> Iterator[Use]:
    """The use of a column of a word that an argument or draw stands for, or of a category."""
    category = scope.category_of(name.text) or name.text
    found = scope.find(f"column of {category}", column.text)
    if found is not None:
        yield Use(column.span, "column", column.text, found)
    else:
        yield from _found(column, ("feature", "column"), scope)


def _found(word: Word, kinds: Iterable[str], scope: _Scope) -> Iterator[Use]:
    for kind in kinds:
        declared = scope.find(kind, word.text)
        if declared is not None:
            if declared != word.span:
                yield Use(word.span, kind, word.text, declared)
            return


def _in_formula(formula: Word, scope: _Scope) -> Iterator[Use]:
    """The names in the text of a formula, line by line."""
    for number, line in enumerate(formula.text.split("\n")):
        for match in re.finditer(r"[^\W\d]\w*", line):
            place = formula.span.at(match.start(), len(match[0]))
            if number:
                place = Span(formula.span.path, formula.span.line + number, match.start() + 1, len(match[0]))
            yield from _found(Word(match[0], place), _IN_FORMULA, scope)
