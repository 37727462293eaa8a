"""Declarations as their files have them: by name, by module, by kind and by type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from gramprobe.resolve.library import LibraryLines
from gramprobe.resolve.modules import GrammarFile, named_modules
from gramprobe.source import messages
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Word


class Entry(Struct, frozen=True, kw_only=True):
    """A declaration of a grammar file.

    Attributes:
        kind: `constructor`, `category`, `feature`, `group`, `table`, `relation` or `constant`.
        name: as declared.
        type: of a constructor its arguments and result; of a category its features and semantic type; of a feature its
            values; else what it relates or maps.
        result: the category that a constructor builds; else empty.
        module: the module of its file.
        about: the comment above it, or the one behind it; empty without one.
        text: the lines of the declaration.
        path: the file, as messages show it.
        line: the number of the line in the file.
    """

    kind: str
    name: str
    type: str
    result: str
    module: str
    about: str
    text: str
    path: str
    line: int


def modules(lines: LibraryLines, name: str = "") -> list[str]:
    """The modules that a name stands for, all without one. Raises UsageError for an unknown name."""
    files = lines.modules.files
    if not name:
        return list(files)
    found = named_modules(name, files)
    if not found:
        known = [*files, *dict.fromkeys(each.partition(".")[0] for each in files)]
        raise messages.names.none_called("grammar", name, known, "`gramprobe list --modules` has all")
    return found


def entries(lines: LibraryLines, module: str = "", kinds: Sequence[str] = ()) -> list[Entry]:
    """The declarations of a module, or of all; ``kinds``: of these kinds only. Raises UsageError."""
    found = [entry for name in modules(lines, module) for entry in _entries(lines.modules.files[name])]
    return [entry for entry in found if not kinds or entry.kind in kinds]


def describe(lines: LibraryLines, module: str) -> str:
    """The comment at the head of a module's file: its first sentence."""
    text = " ".join(line.lstrip("- ") for line in _head(lines.modules.files[module].source.lines))
    return text.partition(". ")[0].partition(": docs/")[0].rstrip(".")


def _head(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith("--"):
            return
        yield line


def _entries(file: GrammarFile) -> Iterator[Entry]:
    for line in file.lines:
        for kind, name, type_, result in _described(line):
            first = name.span.line
            last = _end(file.source.lines, first)
            yield Entry(
                kind=kind,
                name=name.text,
                type=type_,
                result=result,
                module=file.module,
                about=_comment(file.source.lines, first),
                text="\n".join(file.source.lines[first - 1 : last]),
                path=name.span.path,
                line=first,
            )


def _described(line: syntax.GrammarLine) -> Iterator[tuple[str, Word, str, str]]:
    """The kind, name, type and result of each name that a line declares."""
    match line:
        case syntax.Function():
            arguments = ", ".join(
                f"{' '.join([*(m.text for m in a.modifiers), a.name.text])}: {a.category.text}" for a in line.arguments
            )
            fixed = ", ".join(f"{c.operand.text}={'|'.join(v.text for v in c.values)}" for c in line.features)
            result = line.result.text + (f"[{fixed}]" if fixed else "")
            yield (
                "constructor",
                line.name,
                f"({arguments}) : {result}" if arguments else f": {result}",
                line.result.text,
            )
        case syntax.Category():
            columns = ", ".join(_column(column) for column in line.columns)
            type_ = f": {line.type.text}" if line.type is not None else ""
            words = f" from {line.file.text}" if line.file is not None else ""
            yield "category", line.name, (f"[{columns}] " if columns else "") + type_ + words, ""
        case syntax.Feature():
            yield "feature", line.name, " | ".join(value.text for value in line.values), ""
        case syntax.Group():
            yield "group", line.name, f"of {line.feature.text}: {' | '.join(v.text for v in line.values)}", ""
        case syntax.Table():
            gives = f" : {line.result.text}" if line.result is not None else ""
            yield "table", line.name, f"[{', '.join(key.text for key in line.keys)}]{gives}", ""
        case syntax.Relation():
            yield "relation", line.name, f"({line.left.text}, {line.right.text})", ""
        case syntax.Constant():
            for name in line.names:
                yield "constant", name, f": {line.type.text}", ""
        case _:
            pass


def _column(column: syntax.Column) -> str:
    if column.fixed:
        return f"{column.name.text}={'|'.join(value.text for value in column.fixed)}"
    if column.type is None:
        return column.name.text
    mark = "*" if column.is_set else "?" if column.optional else ""
    return f"{column.name.text}: {column.type.text}{mark}"


def _end(lines: Sequence[str], first: int) -> int:
    """The last line of a declaration that begins in line ``first`` (both counted from 1)."""
    last = first
    for number in range(first + 1, len(lines) + 1):
        line = lines[number - 1]
        if line.strip() and not line.startswith((" ", "\t")):
            break
        if line.strip():
            last = number
    return last


def _comment(lines: Sequence[str], first: int) -> str:
    """The comment directly above a line, else the one behind it."""
    above: list[str] = []
    for line in reversed(lines[: first - 1]):
        if not line.startswith("-- ") or line.startswith("-- ---"):
            break
        above.append(line.removeprefix("-- ").strip())
    at_head = len(above) == first - 1  # the comment of the file, not of its first declaration
    if above and not at_head:
        return " ".join(reversed(above))
    return lines[first - 1].partition(" -- ")[2].strip()


def named(lines: LibraryLines, name: str) -> list[Entry]:
    """Every declaration of this name."""
    return [entry for entry in entries(lines) if entry.name == name]


def words_named(lines: LibraryLines, id_: str) -> list[Entry]:
    """The rows of tables of words with this id."""
    found: list[Entry] = []
    for file, table in lines.tables.items():
        if "id" not in table.header:
            continue
        at = table.header.index("id")
        for number, cells in table.rows:
            if cells[at] == id_:
                row = zip(table.header, cells, strict=True)
                found.append(
                    Entry(
                        kind="word",
                        name=id_,
                        type="",
                        result="",
                        module=f"lexicon/{file}",
                        about="",
                        text="\n".join(f"{column}: {cell}" for column, cell in row if column != "id"),
                        path=table.source.path,
                        line=number,
                    )
                )
    return found


def users(found: Iterable[Entry], name: str) -> list[Entry]:
    """The constructors that have an argument of this category or feature, or build it."""
    argument = re.compile(rf": {re.escape(name)}\b")
    return [e for e in found if e.kind == "constructor" and (e.result == name or argument.search(e.type))]
