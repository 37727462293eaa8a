"""Whole files: a grammar, a paradigm, a theory, a table of words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.files import Source
from gramprobe.source.span import Span
from gramprobe.syntax import tree as t
from gramprobe.syntax.reader import read_lines

#: lines of a paradigm that may stand once
_ONCE = ("paradigm", "about", "theory", "task", "size", "split", "yields")


def read_grammar(source: Source) -> tuple[list[t.GrammarLine], list[Diagnostic]]:
    """The declarations of a ``.gram`` file; ``where``, ``lin``, ``sem``, ``scope`` go to the ``fun`` above them."""
    lines, problems = read_lines(source, ".gram")
    found: list[t.GrammarLine] = []
    for statement, node in lines:
        above = found[-1] if found else None
        if isinstance(node, t.Lin | t.Sem | t.Scope) or statement.keyword == "where":
            if not isinstance(above, t.Function):
                problems.append(messages.misplaced_line(statement.whole(), statement.keyword, "a `fun`"))
            elif isinstance(node, t.Lin):
                found[-1] = replace(above, lins=(*above.lins, node))
            elif isinstance(node, t.Sem):
                found[-1] = replace(above, sems=(*above.sems, node))
            elif isinstance(node, t.Scope):
                found[-1] = replace(above, scopes=(*above.scopes, node))
            else:
                found[-1] = replace(above, where=(*above.where, *node))
        elif isinstance(node, tuple):  # rows of the table or relation above
            if not isinstance(above, t.Table | t.Relation):
                problems.append(
                    messages.misplaced_line(statement.whole(), statement.keyword, "a `table` or `relation`")
                )
            else:
                found[-1] = replace(above, rows=(*above.rows, *node))
        else:
            found.append(node)
    return found, problems


def read_paradigm(source: Source) -> tuple[t.Paradigm | None, list[Diagnostic]]:
    """A ``.paradigm`` file; None when it does not even say its name."""
    lines, problems = read_lines(source, ".paradigm")
    settings: dict[str, tuple[t.Word, ...]] = {}
    draws: list[t.Draw] = []
    where: list[t.Condition] = []
    lets: list[t.Let] = []
    conditions: list[t.ConditionLine] = []
    pairs: list[t.Pair] = []
    allows: list[t.Allow] = []
    heading = ""
    for statement, node in lines:
        match node:
            case t.Draw():
                draws.append(node)
            case t.Let():
                lets.append(node)
            case t.Pair():
                pairs.append(node)
            case t.Allow():
                allows.append(node)
            case str():
                heading = node
            case t.ConditionLine():
                if not heading:
                    problems.append(
                        messages.misplaced_line(statement.whole(), node.name.text, "`premise` or `hypothesis`")
                    )
                conditions.append(replace(node, heading=heading))
            case (str() as keyword, words):
                if keyword in settings and keyword in _ONCE:
                    problems.append(
                        messages.declared_twice(statement.whole(), f"`{keyword}`", settings[keyword][0].span)
                    )
                settings[keyword] = settings.get(keyword, ()) + words
            case tuple():
                where.extend(node)
    name = settings.get("paradigm", ())
    if not name:
        problems.append(messages.missing_line(Span(source.path, 1, 1), "paradigm", source.stem))
        return None, problems
    return (
        t.Paradigm(
            name[0],
            settings,
            tuple(draws),
            tuple(where),
            tuple(lets),
            tuple(conditions),
            tuple(pairs),
            tuple(allows),
        ),
        problems,
    )


def read_theory(source: Source) -> tuple[t.Theory | None, list[Diagnostic]]:
    """A ``.logic`` file; None when it does not even say its name."""
    lines, problems = read_lines(source, ".logic")
    settings: dict[str, tuple[t.Word, ...]] = {}
    operators: list[t.OperatorLine] = []
    postulates: list[t.Postulate] = []
    for statement, node in lines:
        match node:
            case t.OperatorLine():
                operators.append(node)
            case t.Postulate():
                postulates.append(node)
            case (str() as keyword, words):
                if keyword in settings and keyword in ("theory", "projection", "conditional"):
                    problems.append(
                        messages.declared_twice(statement.whole(), f"`{keyword}`", settings[keyword][0].span)
                    )
                settings[keyword] = settings.get(keyword, ()) + words
    name = settings.get("theory", ())
    if not name:
        problems.append(messages.missing_line(Span(source.path, 1, 1), "theory", source.stem))
        return None, problems
    return t.Theory(name[0], settings, settings.get("include", ()), tuple(operators), tuple(postulates)), problems


@dataclass(frozen=True, slots=True)
class WordTable:
    """A ``.tsv`` file: header and rows of cells as they stand; spans are computed when asked for."""

    source: Source
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def span(self, line: int, column: int) -> Span:
        """The place of a cell: ``line`` from 1, ``column`` the index of the cell."""
        cells = self.source.lines[line - 1].split("\t")
        start = sum(len(cell) + 1 for cell in cells[:column])
        return Span(self.source.path, line, start + 1, max(len(cells[column]) if column < len(cells) else 1, 1))


def read_words(source: Source) -> tuple[WordTable | None, list[Diagnostic]]:
    """A table of words: a header and rows with exactly as many cells."""
    problems: list[Diagnostic] = []
    lines = source.text.split("\n")
    if not lines or not lines[0].strip():
        return None, [messages.empty_table(Span(source.path, 1, 1))]
    header = tuple(lines[0].split("\t"))
    rows: list[tuple[int, tuple[str, ...]]] = []
    table = WordTable(source, header, ())
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = tuple(line.split("\t"))
        if len(cells) != len(header):
            at = min(len(cells), len(header)) if len(cells) > len(header) else len(cells) - 1
            problems.append(messages.stray_cells(table.span(number, at), len(cells), header))
            continue
        rows.append((number, cells))
    return WordTable(source, header, tuple(rows)), problems


def read_settings_word(settings: dict[str, tuple[t.Word, ...]], key: str) -> Any:
    """The single word of a one-value line, or None."""
    return settings[key][0] if settings.get(key) else None
