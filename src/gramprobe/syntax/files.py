"""Whole files: a grammar, a paradigm, a theory, a table of words."""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.files import Source
from gramprobe.source.nearest import nearest
from gramprobe.syntax import grammar_tree as grammar
from gramprobe.syntax import paradigm_tree as paradigm
from gramprobe.syntax import theory_tree as theory
from gramprobe.syntax.reader import read_lines
from gramprobe.syntax.statements import Statement, keywords
from gramprobe.syntax.tree import Broken, Condition, Node, ScaleLine, UsesLine, Word

#: lines that stand below a `fun` or `define`
_OF_FUNCTION = (
    "where", "lin", "sem", "scope", "refers", "as", "carries", "barrier", "fills", "binds", "licenses",
)  # fmt: skip
#: what they may stand below
_HasLines: TypeAlias = grammar.Function | grammar.MoreLines
_HasRows: TypeAlias = grammar.Table | grammar.Relation | grammar.MoreRows | grammar.MorePairs
#: line -> the field of what it stands below, or of the whole file
_BELOW_FUNCTION: dict[type, str] = {
    grammar.Lin: "lins",
    grammar.Sem: "sems",
    grammar.Scope: "scopes",
    grammar.Refers: "refers",
    grammar.Branch: "branches",
    grammar.Carrying: "carrying",
}
_OF_PARADIGM: dict[type, str] = {
    paradigm.Draw: "draws",
    paradigm.Let: "lets",
    paradigm.ConditionLine: "conditions",
    paradigm.Pair: "pairs",
    paradigm.Allow: "allows",
    paradigm.Balance: "balances",
    paradigm.Limit: "limits",
    paradigm.Solvable: "solvable",
    paradigm.Factor: "factors",
    paradigm.EmptyCell: "empty_cells",
    paradigm.Contrast: "contrasts",
    paradigm.Cross: "crosses",
    paradigm.Region: "regions",
    paradigm.SameWords: "same_words",
    paradigm.PairClaim: "pair_claims",
}
_BELOW_EVENT: dict[type, str] = {theory.Action: "actions", theory.Actual: "actual", theory.ArrowsLine: "arrows"}
_BELOW_ACTION: dict[type, str] = {theory.Pre: "pre", theory.Post: "post"}
_OF_THEORY: dict[type, str] = {
    theory.Event: "events",
    theory.OperatorLine: "operators",
    theory.Define: "definitions",
    ScaleLine: "scales",
    theory.Postulate: "postulates",
    theory.Withhold: "withheld",
}
#: lines that stand below an `event`
_OF_EVENT = ("action", "pre", "post", "actual", "arrows")
#: lines that stand below a `projection`
_OF_PROJECTION = ("and", "or", "implies", "modals", "quantifiers")
#: lines of a paradigm that may stand once
_ONCE = ("paradigm", "about", "theory", "task", "scope", "constraint", "size", "split", "gold", "yields", "language",
         "licence")  # fmt: skip
#: lines of a theory that may stand once
_ONCE_IN_THEORY = ("theory", "projection", "conditional", "restrictors", "exhaustify", "numerals", "determiners",
                   "partitives")  # fmt: skip


class DeclaredNames(Struct, frozen=True):
    """The categories and the constants that a ``.gram`` file declares, in its order."""

    categories: tuple[str, ...]
    constants: tuple[str, ...]

    @staticmethod
    def of(lines: Iterable[object]) -> DeclaredNames:
        """Those of the lines of a file."""
        lines = list(lines)
        constants = (name for line in lines if isinstance(line, grammar.Constant) for name in line.names)
        return DeclaredNames(
            tuple(line.name.text for line in lines if isinstance(line, grammar.Category)),
            tuple(name.text for name in constants),
        )


def read_declared_names(source: Source) -> tuple[DeclaredNames, list[Diagnostic]]:
    """The names of categories and constants that a ``.gram`` file declares. Its other lines are not read, which take
    twenty times as long; the diagnostics are those about lines of these two kinds."""
    lines, problems = read_lines(source, ".gram", only=("cat", "const"))
    return DeclaredNames.of(node for _, node in lines), problems


def read_grammar(source: Source) -> tuple[list[grammar.GrammarLine], list[Diagnostic]]:
    """The declarations of a ``.gram`` file; lines below a ``fun`` (``lin``, ``sem``, ...) become part of it."""
    lines, problems = read_lines(source, ".gram")
    if not lines:
        return [], [messages.reading.empty_grammar(Span(source.path, 1, 1))]
    declarations: list[grammar.GrammarLine] = []
    for statement, node in lines:
        above = declarations[-1] if declarations else None
        if isinstance(node, Broken):
            if isinstance(above, _HasLines | grammar.Table | grammar.MoreRows) and _belongs_below(node, above):
                declarations[-1] = replace(above, broken=True)
            else:
                declarations.append(node)
        elif type(node) in _BELOW_FUNCTION or statement.keyword == "where":
            if isinstance(above, Broken):
                continue
            where, branch = statement.keyword == "where", isinstance(node, grammar.Branch)
            misplaced = not where and branch != (isinstance(above, grammar.Function) and above.defined)
            if misplaced or not isinstance(above, grammar.Function if where else _HasLines):
                extends = where and isinstance(above, grammar.MoreLines)
                which = "a `fun`, and cannot be added by `extend fun`" if extends else "a `fun`"
                which = "a `define`" if branch else which
                problems.append(messages.reading.misplaced_line(statement.whole(), statement.keyword, which))
                if misplaced and isinstance(above, _HasLines):
                    declarations[-1] = replace(above, broken=True)
            elif isinstance(node, tuple):
                declarations[-1] = _with(above, "where", *_apart(node))
            else:
                declarations[-1] = _with(above, _BELOW_FUNCTION[type(node)], node)
        elif isinstance(node, UsesLine):
            declarations.extend(node.modules)
        elif isinstance(node, tuple):  # rows of the table or relation above
            if isinstance(above, _HasRows):
                declarations[-1] = _with(above, "rows", *node)
            elif nearest(statement.keyword, keywords(".gram")):  # `lni n` reads as a row
                problems.append(
                    messages.reading.unknown_keyword(statement.whole(), statement.keyword, keywords(".gram"))
                )
                if isinstance(above, _HasLines):
                    declarations[-1] = replace(above, broken=True)
            elif not isinstance(above, Broken):
                problems.append(
                    messages.reading.misplaced_line(statement.whole(), statement.keyword, "a `table` or `relation`")
                )
                if isinstance(above, _HasLines) and not statement.keyword:  # words that were to stand behind `lin`
                    declarations[-1] = replace(above, broken=True)
        else:
            declarations.append(node)
    return declarations, problems


def _apart(conditions: tuple[Condition, ...]) -> Iterator[Condition]:
    """The conditions of a `where`, `distinct(a, b, c)` written out: a condition is about two arguments at most."""
    for each in conditions:
        if each.kind == "relation" and each.name is not None and each.name.text == "distinct" and each.operands[1:]:
            yield from (replace(each, kind="!=", name=None, operands=pair) for pair in combinations(each.operands, 2))
        else:
            yield each


def _belongs_below(broken: Broken, above: _HasLines | grammar.Table | grammar.MoreRows) -> bool:
    if isinstance(above, _HasLines):
        return broken.keyword in _OF_FUNCTION
    return broken.keyword not in keywords(".gram")


def read_paradigm(source: Source, headings: tuple[str, ...]) -> tuple[paradigm.Paradigm | None, list[Diagnostic]]:
    """A ``.paradigm`` file; None for an empty file. Without a line `paradigm`, its name is that of the file.

    ``headings``: the words below which conditions of some task stand.
    """
    lines, problems = read_lines(source, ".paradigm", headings)
    settings: dict[str, tuple[Word, ...]] = {}
    found: defaultdict[str, list[Any]] = defaultdict(list)
    scale: ScaleLine | None = None
    heading = ""
    for statement, node in lines:
        match node:
            case ScaleLine():
                if scale is not None:
                    problems.append(messages.names.declared_twice(statement.whole(), "`scale`", scale.members[0].span))
                scale = node
            case Broken():
                found["broken"].append(node)
                if node.keyword in headings:
                    heading = node.keyword
            case UsesLine():
                found["uses"] += node.modules
            case paradigm.Carry():
                found["carried"] += node.columns
            case paradigm.Theories():
                found["theories"] += node.alike
            case str():
                heading = node
            case paradigm.ConditionLine():
                if not heading:
                    problems.append(
                        messages.reading.misplaced_line(
                            statement.whole(), node.name.text, "a heading such as `premise` or `hypothesis`"
                        )
                    )
                    found["broken"].append(Broken("premise", (), ()))
                    heading = "premise"
                found["conditions"].append(replace(node, heading=heading))
            case (str(), _):
                _set(settings, node, _ONCE, statement, problems)
            case tuple():
                found["where"] += node
            case _:
                found[_OF_PARADIGM[type(node)]].append(node)
    name = _name(source, "paradigm", settings, found["broken"], problems)
    if not lines:
        return None, problems
    fields = {field: tuple(nodes) for field, nodes in found.items()}
    return paradigm.Paradigm(name=name, settings=settings, scale=scale, **fields), problems


def read_theory(source: Source) -> tuple[theory.Theory | None, list[Diagnostic]]:
    """A ``.logic`` file; None for an empty file. Without a line `theory`, its name is that of the file.

    The lines of an event become part of the ``event`` above them, ``pre`` and ``post`` of the ``action``; those of a
    projection are its tables.
    """
    lines, problems = read_lines(source, ".logic")
    settings: dict[str, tuple[Word, ...]] = {}
    found: defaultdict[str, list[Any]] = defaultdict(list)
    tables: dict[str, theory.Cells | theory.Cases] = {}
    open_ = False  # whether the line above is part of an event
    above = ""  # the keyword of the line that is not below another
    for statement, node in lines:
        keyword = node.keyword if isinstance(node, Broken) else statement.keyword
        of_event = keyword in _OF_EVENT
        if of_event and not open_:
            if not isinstance(node, Broken):
                problems.append(messages.reading.misplaced_line(statement.whole(), statement.keyword, "an `event`"))
            continue
        if of_event:
            below = found["events"][-1]
            if isinstance(node, theory.Pre | theory.Post) and not (below.actions or below.broken):
                problems.append(messages.reading.misplaced_line(statement.whole(), statement.keyword, "an `action`"))
            found["events"][-1] = _with_line(below, node)
            continue
        open_ = keyword == "event"
        if keyword not in _OF_PROJECTION:
            above = keyword
        elif above != "projection":
            if not isinstance(node, Broken):
                problems.append(messages.reading.misplaced_line(statement.whole(), keyword, "a `projection`"))
            continue
        match node:
            case Broken():
                found["broken"].append(node)
                if open_:
                    found["events"].append(theory.Event(name=Word("", statement.whole()), broken=True))
            case theory.Cells() | theory.Cases():
                if keyword in tables:
                    problems.append(messages.names.declared_twice(statement.whole(), f"`{keyword}`", None))
                tables[keyword] = node
            case (str(), _):
                _set(settings, node, _ONCE_IN_THEORY, statement, problems)
            case _:
                found[_OF_THEORY[type(node)]].append(node)
    name = _name(source, "theory", settings, found["broken"], problems)
    if not lines:
        return None, problems
    fields = {field: tuple(nodes) for field, nodes in found.items()}
    includes, tabled = settings.get("include", ()), tuple(tables.values())
    return theory.Theory(name=name, settings=settings, includes=includes, tables=tabled, **fields), problems


def _set(
    settings: dict[str, tuple[Word, ...]],
    line: tuple[str, tuple[Word, ...]],
    once: tuple[str, ...],
    statement: Statement,
    problems: list[Diagnostic],
) -> None:
    """Add a line of names or texts to the settings of a file."""
    keyword, words = line
    if keyword in settings and keyword in once:
        problems.append(messages.names.declared_twice(statement.whole(), f"`{keyword}`", settings[keyword][0].span))
    settings[keyword] = settings.get(keyword, ()) + words


def _name(
    source: Source, kind: str, settings: dict[str, tuple[Word, ...]], broken: list[Broken], problems: list[Diagnostic]
) -> Word:
    """The name in the line of that kind; without the line that of the file, which is a problem."""
    first = Span(source.path, 1, 1)
    if settings.get(kind):
        return settings[kind][0]
    if not any(each.keyword == kind for each in broken):
        problems.append(messages.reading.missing_line(first, kind, source.stem))
    return Word(source.stem, first)


_Line = TypeVar("_Line", bound=Node)


def _with(above: _Line, field: str, *nodes: Any) -> _Line:
    """The line with further ones below it."""
    return replace(above, **{field: (*getattr(above, field), *nodes)})


def _with_line(event: theory.Event, node: Any) -> theory.Event:
    """The event with a further line."""
    if type(node) in _BELOW_EVENT:
        return _with(event, _BELOW_EVENT[type(node)], node)
    if type(node) in _BELOW_ACTION and event.actions:
        *before, last = event.actions
        return replace(event, actions=(*before, _with(last, _BELOW_ACTION[type(node)], node)))
    return replace(event, broken=True)


ALIKE = 3
"""From so many mistakes of one kind in a column, or rows of one wrong size, a single message is about all of them."""


@dataclass(frozen=True, eq=False)
class WordTable:
    """A ``.tsv`` or ``.csv`` file; the spans of its cells are computed on demand. Tables of one text and path are
    equal.

    Attributes:
        source: the file.
        header: the names of the columns.
        rows: pairs of a line number and the cells, as they are written.
        uneven: the rows with more or fewer cells than the header; they are not among ``rows``.
    """

    source: Source
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    uneven: tuple[tuple[int, tuple[str, ...]], ...] = ()

    @cached_property
    def ids(self) -> frozenset[str]:
        """The names of its words; empty if the first column has another heading."""
        return frozenset(cells[0] for _, cells in self.rows) if self.header[:1] == ("id",) else frozenset()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordTable) and (self._identity == other._identity)

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        """What decides the content: comparing every cell would take long."""
        return *self.source.identity, self.header, len(self.rows)

    def span(self, line: int, column: int) -> Span:
        """The place of a cell: ``line`` from 1, ``column`` the index of the cell."""
        cells = _written(self.source, self.source.lines[line - 1], column + 1)
        start = sum(len(cell) + 1 for cell in cells[:column])
        return Span(self.source.path, line, start + 1, max(len(cells[column]) if column < len(cells) else 1, 1))

    @property
    def separator(self) -> str:
        """What stands between its cells: semicolons where spreadsheets write the comma for decimals."""
        return _separator(self.source)

    def problems(self) -> list[Diagnostic]:
        """A diagnostic for each uneven row; one alone for many of one size, and where all rows have the same."""
        sizes = Counter(len(cells) for _, cells in self.uneven)
        every = len(sizes) == 1 and not self.rows
        diagnostics: list[Diagnostic] = []
        shown: set[int] = set()
        for line, cells in self.uneven:
            size = len(cells)
            if size not in shown:
                at = len(self.header) if size > len(self.header) else size - 1
                alike = sizes[size] if every or sizes[size] >= ALIKE else 1
                place, sign = self.span(line, at), self.separator
                is_open = sign != "\t" and self.source.lines[line - 1].count('"') % 2 == 1
                diagnostics.append(messages.reading.stray_cells(place, cells, self.header, sign, alike, every, is_open))
                shown |= {size} if alike > 1 else set()
        return diagnostics


def _written(source: Source, line: str, count: int) -> list[str]:
    """At least the first ``count`` cells of a line as they stand there: between tabs; in a csv file between commas, or
    between semicolons where the header has no comma, with their quotation marks."""
    separator = _separator(source)
    if separator == "\t":
        return line.split("\t", count)
    return re.findall(rf'(?:^|(?<={separator}))((?:"(?:[^"]|"")*"|[^{separator}"])*)', line)


def _cells(source: Source, line: str) -> tuple[str, ...]:
    """The cells of a line, without the quotation marks of a csv file."""
    separator = _separator(source)
    if separator == "\t":
        return tuple(line.split("\t"))
    return tuple(next(csv.reader([line], delimiter=separator), ()))


def _separator(source: Source) -> str:
    """What stands between the cells of a file."""
    if not source.name.endswith(".csv"):
        return "\t"
    header = source.lines[0]
    return ";" if ";" in header and "," not in header else ","


def read_words(source: Source) -> tuple[WordTable | None, list[Diagnostic]]:
    """A table of words: a header and rows; None, with a diagnostic, for an empty file.

    Rows of another size than the header are reported by ``problems()``, once the header is known to be correct.
    """
    table = _shipped_table(source) if source.is_shipped else _table(source)
    return table, [] if table else [messages.reading.empty_table(Span(source.path, 1, 1))]


def _table(source: Source) -> WordTable | None:
    lines = source.text.split("\n")
    if not lines[0].strip():
        return None
    header = _cells(source, lines[0])
    cut = [(number, _cells(source, line)) for number, line in enumerate(lines[1:], 2) if line.strip()]
    rows = tuple(row for row in cut if len(row[1]) == len(header))
    return WordTable(source, header, rows, tuple(row for row in cut if len(row[1]) != len(header)))


_shipped_table = lru_cache(maxsize=512)(_table)
