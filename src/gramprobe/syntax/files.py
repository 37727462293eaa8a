"""Whole files: a grammar, a paradigm, a theory, a table of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.files import Source
from gramprobe.source.nearest import nearest
from gramprobe.syntax import grammar_tree as grammar
from gramprobe.syntax import paradigm_tree as paradigm
from gramprobe.syntax import theory_tree as theory
from gramprobe.syntax.reader import read_lines
from gramprobe.syntax.statements import keywords
from gramprobe.syntax.tree import Broken, Condition, Operand, ScaleLine, Uses, UsesLine, Word

#: lines that stand below a `fun`
_OF_FUNCTION = ("where", "lin", "sem", "scope", "refers")
#: what they may stand below
_HasLines: TypeAlias = grammar.Function | grammar.MoreLines
_HasRows: TypeAlias = grammar.Table | grammar.Relation | grammar.MoreRows | grammar.MorePairs
_BelowFunction: TypeAlias = grammar.Lin | grammar.Sem | grammar.Scope | grammar.Refers
#: lines that stand below an `event`
_OF_EVENT = ("action", "pre", "post", "actual", "arrows")
#: lines that stand below a `projection`
_OF_PROJECTION = ("and", "or", "implies", "modals", "quantifiers")
_BelowEvent: TypeAlias = theory.Action | theory.Pre | theory.Post | theory.Actual | theory.ArrowsLine
#: lines of a paradigm that may stand once
_ONCE = ("paradigm", "about", "theory", "task", "size", "split", "gold", "yields", "language", "licence")
#: lines of a theory that may stand once
_ONCE_IN_THEORY = ("theory", "projection", "conditional", "restrictors", "exhaustify", "numerals")


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
        elif isinstance(node, _BelowFunction) or statement.keyword == "where":
            if isinstance(above, Broken):
                continue
            where = statement.keyword == "where"
            if not isinstance(above, grammar.Function if where else _HasLines):
                extends = isinstance(above, grammar.MoreLines)
                which = "a `fun`, and cannot be added by `extend fun`" if extends else "a `fun`"
                problems.append(messages.reading.misplaced_line(statement.whole(), statement.keyword, which))
            elif isinstance(node, grammar.Lin):
                declarations[-1] = replace(above, lins=(*above.lins, node))
            elif isinstance(node, grammar.Sem):
                declarations[-1] = replace(above, sems=(*above.sems, node))
            elif isinstance(node, grammar.Scope):
                declarations[-1] = replace(above, scopes=(*above.scopes, node))
            elif isinstance(node, grammar.Refers):
                declarations[-1] = replace(above, refers=(*above.refers, node))
            elif isinstance(above, grammar.Function):
                declarations[-1] = replace(above, where=(*above.where, *node))
        elif isinstance(node, UsesLine):
            declarations.extend(node.modules)
        elif isinstance(node, tuple):  # rows of the table or relation above
            if isinstance(above, _HasRows):
                declarations[-1] = replace(above, rows=(*above.rows, *node))
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
        else:
            declarations.append(node)
    return declarations, problems


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
    draws: list[paradigm.Draw] = []
    where: list[Condition] = []
    lets: list[paradigm.Let] = []
    conditions: list[paradigm.ConditionLine] = []
    pairs: list[paradigm.Pair] = []
    allows: list[paradigm.Allow] = []
    balances: list[paradigm.Balance] = []
    uses: list[Uses] = []
    limits: list[paradigm.Limit] = []
    carried: list[Operand] = []
    solvable: list[paradigm.Solvable] = []
    broken: list[Broken] = []
    scale: ScaleLine | None = None
    heading = ""
    for statement, node in lines:
        match node:
            case ScaleLine():
                if scale is not None:
                    problems.append(messages.names.declared_twice(statement.whole(), "`scale`", scale.members[0].span))
                scale = node
            case Broken():
                broken.append(node)
                if node.keyword in headings:
                    heading = node.keyword
            case UsesLine():
                uses.extend(node.modules)
            case paradigm.Draw():
                draws.append(node)
            case paradigm.Let():
                lets.append(node)
            case paradigm.Pair():
                pairs.append(node)
            case paradigm.Allow():
                allows.append(node)
            case paradigm.Balance():
                balances.append(node)
            case paradigm.Limit():
                limits.append(node)
            case paradigm.Carry():
                carried.extend(node.columns)
            case paradigm.Solvable():
                solvable.append(node)
            case str():
                heading = node
            case paradigm.ConditionLine():
                if not heading:
                    problems.append(
                        messages.reading.misplaced_line(
                            statement.whole(), node.name.text, "a heading such as `premise` or `hypothesis`"
                        )
                    )
                    broken.append(Broken("premise", (), ()))
                    heading = "premise"
                conditions.append(replace(node, heading=heading))
            case (str() as keyword, words):
                if keyword in settings and keyword in _ONCE:
                    problems.append(
                        messages.names.declared_twice(statement.whole(), f"`{keyword}`", settings[keyword][0].span)
                    )
                settings[keyword] = settings.get(keyword, ()) + words
            case tuple():
                where.extend(node)
    first = Span(source.path, 1, 1)
    name = settings.get("paradigm", ())
    if not name and not any(b.keyword == "paradigm" for b in broken):
        problems.append(messages.reading.missing_line(first, "paradigm", source.stem))
    if not lines:
        return None, problems
    return (
        paradigm.Paradigm(
            name=name[0] if name else Word(source.stem, first),
            settings=settings,
            uses=tuple(uses),
            draws=tuple(draws),
            where=tuple(where),
            lets=tuple(lets),
            conditions=tuple(conditions),
            pairs=tuple(pairs),
            allows=tuple(allows),
            broken=tuple(broken),
            scale=scale,
            balances=tuple(balances),
            limits=tuple(limits),
            carried=tuple(carried),
            solvable=tuple(solvable),
        ),
        problems,
    )


def read_theory(source: Source) -> tuple[theory.Theory | None, list[Diagnostic]]:
    """A ``.logic`` file; None for an empty file. Without a line `theory`, its name is that of the file.

    The lines of an event become part of the ``event`` above them, ``pre`` and ``post`` of the ``action``; those of a
    projection are its tables.
    """
    lines, problems = read_lines(source, ".logic")
    settings: dict[str, tuple[Word, ...]] = {}
    operators: list[theory.OperatorLine] = []
    postulates: list[theory.Postulate] = []
    definitions: list[theory.Define] = []
    scales: list[ScaleLine] = []
    events: list[theory.Event] = []
    broken: list[Broken] = []
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
            below = events[-1]
            if isinstance(node, theory.Pre | theory.Post) and not (below.actions or below.broken):
                problems.append(messages.reading.misplaced_line(statement.whole(), statement.keyword, "an `action`"))
            events[-1] = _with_line(below, node)
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
                broken.append(node)
                if open_:
                    events.append(theory.Event(name=Word("", statement.whole()), broken=True))
            case theory.Cells() | theory.Cases():
                if keyword in tables:
                    problems.append(messages.names.declared_twice(statement.whole(), f"`{keyword}`", None))
                tables[keyword] = node
            case theory.Event():
                events.append(node)
            case theory.OperatorLine():
                operators.append(node)
            case theory.Define():
                definitions.append(node)
            case ScaleLine():
                scales.append(node)
            case theory.Postulate():
                postulates.append(node)
            case (str() as setting, words):
                if setting in settings and setting in _ONCE_IN_THEORY:
                    problems.append(
                        messages.names.declared_twice(statement.whole(), f"`{setting}`", settings[setting][0].span)
                    )
                settings[setting] = settings.get(setting, ()) + words
    first = Span(source.path, 1, 1)
    name = settings.get("theory", ())
    if not name and not any(b.keyword == "theory" for b in broken):
        problems.append(messages.reading.missing_line(first, "theory", source.stem))
    if not lines:
        return None, problems
    title = name[0] if name else Word(source.stem, first)
    return theory.Theory(
        name=title,
        settings=settings,
        includes=settings.get("include", ()),
        operators=tuple(operators),
        postulates=tuple(postulates),
        broken=tuple(broken),
        definitions=tuple(definitions),
        scales=tuple(scales),
        events=tuple(events),
        tables=tuple(tables.values()),
    ), problems


def _with_line(event: theory.Event, node: Broken | _BelowEvent) -> theory.Event:
    """The event with a further line."""
    match node:
        case theory.Action():
            return replace(event, actions=(*event.actions, node))
        case theory.Actual():
            return replace(event, actual=(*event.actual, node))
        case theory.ArrowsLine():
            return replace(event, arrows=(*event.arrows, node))
        case theory.Pre() | theory.Post() if event.actions:
            last = event.actions[-1]
            more = (
                replace(last, pre=(*last.pre, node))
                if isinstance(node, theory.Pre)
                else replace(last, post=(*last.post, node))
            )
            return replace(event, actions=(*event.actions[:-1], more))
        case _:
            return replace(event, broken=True)


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """A ``.tsv`` file; the spans of its cells are computed on demand. Tables of one text and path are equal.

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
        cells = self.source.lines[line - 1].split("\t")
        start = sum(len(cell) + 1 for cell in cells[:column])
        return Span(self.source.path, line, start + 1, max(len(cells[column]) if column < len(cells) else 1, 1))

    def problems(self) -> list[Diagnostic]:
        """A diagnostic for each uneven row, or a single diagnostic if every row of the file has the same wrong size."""
        sizes = {len(cells) for _, cells in self.uneven}
        alike = len(self.uneven) if len(self.uneven) > 1 and len(sizes) == 1 and not self.rows else 1
        diagnostics: list[Diagnostic] = []
        for line, cells in self.uneven if alike == 1 else self.uneven[:1]:
            at = len(self.header) if len(cells) > len(self.header) else len(cells) - 1
            diagnostics.append(messages.reading.stray_cells(self.span(line, at), len(cells), self.header, alike))
        return diagnostics


def read_words(source: Source) -> tuple[WordTable | None, list[Diagnostic]]:
    """A table of words: a header and rows; None, with a diagnostic, for an empty file.

    Rows of another size than the header are reported by ``problems()``, once the header is known to be correct.
    """
    lines = source.text.split("\n")
    if not lines[0].strip():
        return None, [messages.reading.empty_table(Span(source.path, 1, 1))]
    header = tuple(lines[0].split("\t"))
    cut = [(number, tuple(line.split("\t"))) for number, line in enumerate(lines[1:], 2) if line.strip()]
    rows = tuple(row for row in cut if len(row[1]) == len(header))
    return WordTable(source, header, rows, tuple(row for row in cut if len(row[1]) != len(header))), []
