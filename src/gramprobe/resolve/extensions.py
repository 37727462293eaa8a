"""`extend` lines put into the declarations that they extend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from gramprobe.resolve.names import require_known
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Word

Line = TypeVar("Line", bound=syntax.Declaration)


def extend(lines: Sequence[syntax.Declaration | syntax.Extension], findings: Findings) -> list[syntax.Declaration]:
    """The declarations with all extensions in them; an extension of something undeclared is reported (E02).

    Whether an extension contradicts what it extends is seen where the whole is resolved.
    """
    declarations = [line for line in lines if not isinstance(line, syntax.Extension)]
    for line in lines:
        if isinstance(line, syntax.Extension):
            _Extending(declarations, findings).apply(line)
    return declarations


class _Extending:
    """One extension and the declarations, which are changed in place."""

    def __init__(self, declarations: list[syntax.Declaration], findings: Findings) -> None:
        self.declarations, self.findings = declarations, findings

    def apply(self, line: syntax.Extension) -> None:
        match line:
            case syntax.MoreValues():
                self._change(
                    syntax.Feature, line.name, "feature", lambda x: replace(x, values=(*x.values, *line.values))
                )
            case syntax.MoreMembers():
                self._change(syntax.Group, line.name, "group", lambda x: replace(x, values=(*x.values, *line.values)))
            case syntax.MoreColumns():
                columns = tuple(replace(column, added=True) for column in line.columns)
                self._change(
                    syntax.Category, line.name, "category", lambda x: replace(x, columns=(*x.columns, *columns))
                )
            case syntax.MoreWords():
                self._change(
                    syntax.Category,
                    line.name,
                    "table of words",
                    lambda x: replace(x, more_files=(*x.more_files, line.file)),
                    _table_of_words,
                )
            case syntax.MoreRows():
                self._change(
                    syntax.Table,
                    line.name,
                    "table",
                    lambda x: replace(x, rows=(*x.rows, *line.rows), broken=x.broken or line.broken),
                )
            case syntax.MorePairs():
                self._more_pairs(line)
            case syntax.MoreLines():
                self._change(syntax.Function, line.name, "constructor", lambda x: _with_lines(x, line))

    def _change(
        self,
        kind: type[Line],
        name: Word,
        what: str,
        change: Callable[[Line], Line],
        name_of: Callable[[Line], str] = lambda line: line.name.text,  # type: ignore[union-attr]
    ) -> None:
        """Change the declarations of this kind and name; report if there is none."""
        there = [(at, line) for at, line in enumerate(self.declarations) if isinstance(line, kind)]
        fitting = [(at, line) for at, line in there if name_of(line) == name.text]
        if not fitting:
            known = [each for each in dict.fromkeys(name_of(line) for _, line in there) if each]
            require_known(name, known, what, self.findings)
        for at, line in fitting:
            self.declarations[at] = change(line)

    def _more_pairs(self, line: syntax.MorePairs) -> None:
        """Add rows to the relation of this name; with operands, to the declaration for these categories."""
        wanted = tuple(operand.text for operand in line.operands)
        there = [(at, x) for at, x in enumerate(self.declarations) if isinstance(x, syntax.Relation)]
        named = [(at, x) for at, x in there if x.name.text == line.name.text]
        fitting = [(at, x) for at, x in named if not wanted or (x.left.text, x.right.text) == wanted]
        if not named:
            require_known(line.name, [x.name.text for _, x in there], "relation", self.findings)
        elif len(fitting) != 1:
            declared = [f"{x.name.text}({x.left.text}, {x.right.text})" for _, x in named]
            self.findings.add(messages.tables.relation_to_extend(line.name.span, line.name.text, declared))
        for at, relation in fitting if len(fitting) == 1 else ():
            if not relation.rows:
                self.findings.add(messages.tables.relation_without_rows(line.name.span, line.name.text, relation))
                continue
            self.declarations[at] = replace(relation, rows=(*relation.rows, *line.rows))


def _table_of_words(line: syntax.Category) -> str:
    return line.file.text.rpartition(".")[0] if line.file is not None else ""


def _with_lines(line: syntax.Function, more: syntax.MoreLines) -> syntax.Function:
    return replace(
        line,
        lins=(*line.lins, *more.lins),
        sems=(*line.sems, *more.sems),
        scopes=(*line.scopes, *more.scopes),
        refers=(*line.refers, *more.refers),
        carrying=(*line.carrying, *more.carrying),
        broken=line.broken or more.broken,
    )
