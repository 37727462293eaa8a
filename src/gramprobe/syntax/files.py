"""Whole files: a grammar, a paradigm, a theory, a table of words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.files import Source
from gramprobe.source.nearest import nearest
from gramprobe.source.span import Span
from gramprobe.syntax import grammar_tree as grammar
from gramprobe.syntax import paradigm_tree as paradigm
from gramprobe.syntax import theory_tree as theory
from gramprobe.syntax.reader import read_lines
from gramprobe.syntax.statements import keywords
from gramprobe.syntax.tree import Broken, Condition, ScaleLine, Word

#: lines that stand below a `fun`
_OF_FUNCTION = ("where", "lin", "sem", "scope", "refers")
_BelowFunction: TypeAlias = grammar.Lin | grammar.Sem | grammar.Scope | grammar.Refers
#: lines that stand below an `event`
_OF_EVENT = ("action", "pre", "post", "actual", "arrows")
_BelowEvent: TypeAlias = theory.Action | theory.Pre | theory.Post | theory.Actual | theory.ArrowsLine
#: lines below which conditions of a paradigm stand
HEADINGS = ("premise", "hypothesis", "sentence", "option", "ambiguous", "control", "followup", "candidate")
#: lines of a paradigm that may stand once
_ONCE = ("paradigm", "about", "theory", "task", "size", "split", "gold", "yields")
#: lines of a theory that may stand once
_ONCE_IN_THEORY = ("theory", "projection", "conditional", "restrictors", "exhaustify", "numerals")


def read_grammar(source: Source) -> tuple[list[grammar.GrammarLine], list[Diagnostic]]:
    """The declarations of a ``.gram`` file; what belongs below a ``fun`` (``lin``, ``sem``, ...) goes to it."""
    lines, problems = read_lines(source, ".gram")
    if not lines:
        return [], [messages.reading.empty_grammar(Span(source.path, 1, 1))]
    found: list[grammar.GrammarLine] = []
    for statement, node in lines:
        above = found[-1] if found else None
        if isinstance(node, Broken):
            if isinstance(above, grammar.Function | grammar.Table) and _belongs_below(node, above):
                found[-1] = replace(above, broken=True)
            else:
                found.append(node)
        elif isinstance(node, _BelowFunction) or statement.keyword == "where":
            if isinstance(above, Broken):
                continue
            if not isinstance(above, grammar.Function):
                problems.append(messages.reading.misplaced_line(statement.whole(), statement.keyword, "a `fun`"))
            elif isinstance(node, grammar.Lin):
                found[-1] = replace(above, lins=(*above.lins, node))
            elif isinstance(node, grammar.Sem):
                found[-1] = replace(above, sems=(*above.sems, node))
            elif isinstance(node, grammar.Scope):
                found[-1] = replace(above, scopes=(*above.scopes, node))
            elif isinstance(node, grammar.Refers):
                found[-1] = replace(above, refers=(*above.refers, node))
            else:
                found[-1] = replace(above, where=(*above.where, *node))
        elif isinstance(node, tuple):  # rows of the table or relation above
            if isinstance(above, grammar.Table | grammar.Relation):
                found[-1] = replace(above, rows=(*above.rows, *node))
            elif nearest(statement.keyword, keywords(".gram")):  # `lni n` reads as a row
                problems.append(
                    messages.reading.unknown_keyword(statement.whole(), statement.keyword, keywords(".gram"))
                )
                if isinstance(above, grammar.Function):
                    found[-1] = replace(above, broken=True)
            elif not isinstance(above, Broken):
                problems.append(
                    messages.reading.misplaced_line(statement.whole(), statement.keyword, "a `table` or `relation`")
                )
        else:
            found.append(node)
    return found, problems


def _belongs_below(broken: Broken, above: grammar.Function | grammar.Table) -> bool:
    if isinstance(above, grammar.Function):
        return broken.keyword in _OF_FUNCTION
    return broken.keyword not in keywords(".gram")


def read_paradigm(source: Source) -> tuple[paradigm.Paradigm | None, list[Diagnostic]]:
    """A ``.paradigm`` file; None when there is nothing in it. One that does not say its name has its file's."""
    lines, problems = read_lines(source, ".paradigm")
    settings: dict[str, tuple[Word, ...]] = {}
    draws: list[paradigm.Draw] = []
    where: list[Condition] = []
    lets: list[paradigm.Let] = []
    conditions: list[paradigm.ConditionLine] = []
    pairs: list[paradigm.Pair] = []
    allows: list[paradigm.Allow] = []
    balances: list[paradigm.Balance] = []
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
                if node.keyword in HEADINGS:
                    heading = node.keyword
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
            draws=tuple(draws),
            where=tuple(where),
            lets=tuple(lets),
            conditions=tuple(conditions),
            pairs=tuple(pairs),
            allows=tuple(allows),
            broken=tuple(broken),
            scale=scale,
            balances=tuple(balances),
        ),
        problems,
    )


def read_theory(source: Source) -> tuple[theory.Theory | None, list[Diagnostic]]:
    """A ``.logic`` file; None when there is nothing in it. One that does not say its name has its file's. The lines
    of an event go to the ``event`` above them, ``pre`` and ``post`` to the ``action``."""
    lines, problems = read_lines(source, ".logic")
    settings: dict[str, tuple[Word, ...]] = {}
    operators: list[theory.OperatorLine] = []
    postulates: list[theory.Postulate] = []
    definitions: list[theory.Define] = []
    scales: list[ScaleLine] = []
    events: list[theory.Event] = []
    broken: list[Broken] = []
    open_ = False  # whether what stands above is part of an event
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
        match node:
            case Broken():
                broken.append(node)
                if open_:
                    events.append(theory.Event(name=Word("", statement.whole()), broken=True))
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
    ), problems


def _with_line(event: theory.Event, node: Broken | _BelowEvent) -> theory.Event:
    """The event with one line more."""
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


@dataclass(frozen=True, slots=True)
class WordTable:
    """A ``.tsv`` file: header and rows of cells as they stand; spans are computed when asked for.

    ``uneven`` are the rows with more or fewer cells than the header; they are not among ``rows``.
    """

    source: Source
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    uneven: tuple[tuple[int, tuple[str, ...]], ...] = ()

    def span(self, line: int, column: int) -> Span:
        """The place of a cell: ``line`` from 1, ``column`` the index of the cell."""
        cells = self.source.lines[line - 1].split("\t")
        start = sum(len(cell) + 1 for cell in cells[:column])
        return Span(self.source.path, line, start + 1, max(len(cells[column]) if column < len(cells) else 1, 1))

    def problems(self) -> list[Diagnostic]:
        """The uneven rows; when every row of the file is so in the same way, that is one mistake."""
        sizes = {len(cells) for _, cells in self.uneven}
        alike = len(self.uneven) if len(self.uneven) > 1 and len(sizes) == 1 and not self.rows else 1
        found: list[Diagnostic] = []
        for line, cells in self.uneven if alike == 1 else self.uneven[:1]:
            at = len(self.header) if len(cells) > len(self.header) else len(cells) - 1
            found.append(messages.reading.stray_cells(self.span(line, at), len(cells), self.header, alike))
        return found


def read_words(source: Source) -> tuple[WordTable | None, list[Diagnostic]]:
    """A table of words: a header and rows. Rows of another size than the header are told by ``problems()``, once
    the header is known to be right."""
    lines = source.text.split("\n")
    if not lines[0].strip():
        return None, [messages.reading.empty_table(Span(source.path, 1, 1))]
    header = tuple(lines[0].split("\t"))
    cut = [(number, tuple(line.split("\t"))) for number, line in enumerate(lines[1:], 2) if line.strip()]
    rows = tuple(row for row in cut if len(row[1]) == len(header))
    return WordTable(source, header, rows, tuple(row for row in cut if len(row[1]) != len(header))), []
