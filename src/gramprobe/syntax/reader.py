"""Statements to syntax trees, with Lark; a diagnostic for each statement that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.files import Source
from gramprobe.source.nearest import nearest
from gramprobe.syntax.grammar_nodes import SEM, GrammarNodes
from gramprobe.syntax.nodes import Nodes
from gramprobe.syntax.paradigm_nodes import ParadigmNodes
from gramprobe.syntax.statements import Statement, keywords, statements
from gramprobe.syntax.theory_nodes import TheoryNodes
from gramprobe.syntax.tree import Broken

if TYPE_CHECKING:
    from lark import Token, Tree

#: the deepest nesting of parentheses that is read
DEEPEST = 100
MOST = 1024
"""How many trees of statements are remembered."""
_NODES: dict[str, type[Nodes]] = {".gram": GrammarNodes, ".paradigm": ParadigmNodes, ".logic": TheoryNodes}


def read_lines(
    source: Source, suffix: str, headings: tuple[str, ...] = (), only: tuple[str, ...] = ()
) -> tuple[list[tuple[Statement, Any]], list[Diagnostic]]:
    """Every statement with its node, and a diagnostic for each that cannot be read (its node is a Broken).

    ``headings``: the words that may stand alone on a line of a paradigm. ``only``: the keywords of the statements that
    are read; all without any.
    """
    from lark.exceptions import UnexpectedInput

    lines: list[tuple[Statement, Any]] = []
    problems: list[Diagnostic] = []
    known = keywords(suffix, headings)
    for statement in statements(source, suffix, headings):
        if only and statement.keyword not in only:
            continue
        deep = _too_deep(statement)
        if deep is not None:
            problems.append(messages.reading.too_deep(deep, DEEPEST))
            lines.append((statement, _broken(statement, suffix, known)))
            continue
        try:
            parsed = _parsed(suffix, _without_formula(statement) if suffix == ".gram" else statement.text)
        except UnexpectedInput as error:
            problems.append(_unreadable(statement, error, suffix, known))
            lines.append((statement, _broken(statement, suffix, known)))
            continue
        node = _NODES[suffix](statement).build(parsed.children[0])
        if (isinstance(node, str) and node not in headings) or _is_glued(statement, parsed, known):
            first = statement.text.split()[0]
            problems.append(messages.reading.unknown_keyword(statement.whole(), first, known))
            node = _broken(statement, suffix, known)
        lines.append((statement, node))
        if statement.keyword == "pair":
            problems.extend(_repeated_marks(statement, parsed))
    return lines, problems


@lru_cache(maxsize=MOST)
def _parsed(suffix: str, text: str) -> Tree[Token]:
    """The tree of a statement, with places inside its text; nothing may change it. Paradigms of a phenomenon have half
    of their lines in common, and an edited file most of them with what it was. Raises UnexpectedInput."""
    from gramprobe.syntax.parser import parser_of

    return parser_of(suffix).parse(text)


def _is_glued(statement: Statement, parsed: Tree[Token], known: Sequence[str]) -> bool:
    """Whether a line begins with a keyword and something more in one word, which Lark reads as both (`extendx cat N`).
    Keywords are no tokens of the tree; what begins a row of a table or a condition is one."""
    if statement.keyword in known:
        return False
    start = len(statement.text) - len(statement.text.lstrip())
    return all(token.start_pos != start for token in parsed.scan_values(lambda _: True))


def _without_formula(statement: Statement) -> str:
    """A `sem` line with a single sign instead of its formula, which has another grammar; other lines as they are."""
    match = SEM.match(statement.text)
    return statement.text[: match.end()] + "\u00a7" if match else statement.text


def _too_deep(statement: Statement) -> Span | None:
    """The first parenthesis nested deeper than DEEPEST, beyond which Python's recursion may end; else None."""
    if statement.text.count("(") + statement.text.count("[") <= DEEPEST:
        return None
    depth = 0
    for number, line in enumerate(statement.text.split("\n"), 1):
        for column, character in enumerate(line, 1):
            depth += (character in "([") - (character in ")]")
            if depth > DEEPEST:
                return statement.span(number, column)
    return None


def _repeated_marks(statement: Statement, parsed: Tree[Token]) -> Iterator[Diagnostic]:
    """Report `tag`, `via`, `share` or a claim about readings that stands more than once on a pair."""
    for names in (("tag",), ("via",), ("share",), ("fits", "entailed")):
        name = " or ".join(names)
        places = [
            statement.span(n.meta.line, n.meta.column, n.meta.end_column - n.meta.column)
            for n in parsed.find_pred(lambda tree, names=names: tree.data in names)  # type: ignore[misc]
        ]
        for place in sorted(places, key=lambda span: (span.line, span.column))[1:]:
            yield messages.names.declared_twice(place, f"`{name}`", None)


def _broken(statement: Statement, suffix: str, known: Sequence[str]) -> Broken:
    """An unreadable statement, with the keyword it probably has and the names that it may declare or mention."""
    keyword = statement.keyword
    if keyword not in known and not (suffix == ".paradigm" and _CONDITION_LINE.match(statement.text)):
        keyword = nearest(keyword, known) or keyword
    text = re.sub(r'"[^"\n]*"?', "", statement.text)
    words = re.findall(r"[^\W\d]\w*", re.split(r"[:=(\[]", text)[0])
    declared = words if keyword == statement.keyword and keyword not in known else words[1:]
    return Broken(keyword, tuple(declared), tuple(re.findall(r"[^\W\d]\w*", text)))


#: a condition, or one with another sign in the place of `=`
_CONDITION_LINE = re.compile(r"\s*\w+\s*=(?!>)|\s+\w+\s*[:-](?![-:>])")


def _unreadable(statement: Statement, error: Any, suffix: str, known: Sequence[str]) -> Diagnostic:
    """The diagnostic of a parse error; at the end of the statement its place is just behind the last character."""
    token = getattr(error, "token", None)
    expected = sorted(
        getattr(error, "expected", None) or getattr(error, "accepts", None) or getattr(error, "allowed", None) or ()
    )
    lines = statement.text.rstrip().split("\n")
    may_be_other = suffix == ".paradigm" and bool(_CONDITION_LINE.match(statement.text))
    if suffix == ".gram":  # rows of a table stand below it and begin with any name
        may_be_other = statement.text[:1].isspace() and nearest(statement.keyword, known) is None
    if statement.keyword not in known and not may_be_other:
        return messages.reading.unknown_keyword(statement.whole(), lines[0].split()[0], known)
    if (token is not None and token.type == "$END") or error.line is None or error.line < 0:
        span, got = statement.span(len(lines), len(lines[-1]) + 1), ""
    else:
        # A word or a run of signs is shown whole, even where Lark stopped at its first character.
        rest = statement.text.split("\n")[error.line - 1][error.column - 1 :]
        got = str(token) if token is not None else re.match(r"\w+|[^\w\s]+|.", rest).group()  # type: ignore[union-attr]
        got = got.split("\n")[0]
        span = statement.span(error.line, error.column, len(got))
    return messages.reading.unreadable_statement(span, statement.keyword, statement.text, got, expected)
