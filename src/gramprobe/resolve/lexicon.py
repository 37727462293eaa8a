"""Tables of words to lexemes: every cell checked against the feature or category its column declares."""

from __future__ import annotations

import re

from gramprobe.formula.lexer import QUANTIFIERS
from gramprobe.resolve.declarations import Category, Cell, Grammar, Lexeme
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax.files import WordTable

_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


#: words of the formula notation; x, y, z, u, w, x5 ... are its variables
_RESERVED = QUANTIFIERS | {"true", "false", "here", "exh"}


def resolve_lexicon(
    tables: dict[str, WordTable], grammar: Grammar, findings: Findings, unreadable: frozenset[str] = frozenset()
) -> None:
    """Fill every lexical category from its file; ids are unique in the whole lexicon, since they are symbols.

    ``unreadable`` are files that are there and were told about.
    """
    seen: dict[str, Lexeme] = {}
    for category in grammar.categories.values():
        if category.file is None:
            continue
        table = tables.get(category.file)
        words = f"{category.name} words"
        if table is None:
            if category.file not in unreadable:
                place = category.file_span or category.span
                findings.add(messages.unknown_file(place, category.file, "lexicon", sorted(tables)))
            findings.lost.add(words)
            continue
        if words in findings.lost or f"{category.name}.*" in findings.lost:
            findings.lost.add(words)
            continue
        columns = _columns(category, table, findings)
        if columns is None:
            findings.lost.add(words)
            continue
        findings.extend(table.problems())
        if table.uneven:
            findings.lost.add(words)
        elif not table.rows:
            findings.add(messages.no_rows(table.span(1, 0)))
            findings.lost.add(words)
        for line, cells in table.rows:
            lexeme = _lexeme(category, table, line, cells, columns, grammar, findings)
            if lexeme is None:
                findings.lost.add(words)
                continue
            if lexeme.id in seen:
                findings.add(messages.declared_twice(lexeme.span, f"id `{lexeme.id}`", seen[lexeme.id].span))
                findings.lost.add(words)
                continue
            if lexeme.id in grammar.constants:
                findings.add(messages.id_is_constant(lexeme.span, lexeme.id))
            seen[lexeme.id] = lexeme
            category.lexemes.append(lexeme)
            category.by_id[lexeme.id] = lexeme
    for category in grammar.categories.values():
        if category.file in tables and f"{category.name} words" not in findings.lost:
            _check_references(category, tables[category.file], grammar, findings)


def _columns(category: Category, table: WordTable, findings: Findings) -> dict[str, int] | None:
    """Name to index, after checking that the header is what the category declares."""
    wanted = [
        "id",
        *category.form_names,
        *(f for f in category.features if f != category.form_feature),
        *category.columns,
    ]
    wanted = list(dict.fromkeys(wanted))
    wrong = 0
    for index, name in enumerate(table.header):
        if name not in wanted:
            findings.add(messages.unknown_column(table.span(1, index), name, category.name, wanted))
            wrong += 1
        elif name in table.header[:index]:
            findings.add(
                messages.declared_twice(
                    table.span(1, index), f"column `{name}`", table.span(1, table.header.index(name))
                )
            )
            wrong += 1
    missing = [name for name in wanted if name not in table.header]
    if len(missing) > wrong:  # else they are there under a wrong name
        for name in missing:
            place = Span(table.source.path, 1, 1, len("\t".join(table.header)))
            findings.add(messages.missing_column(place, name, category.name))
    return None if wrong or missing else {name: table.header.index(name) for name in wanted}


def _lexeme(
    category: Category,
    table: WordTable,
    line: int,
    cells: tuple[str, ...],
    columns: dict[str, int],
    grammar: Grammar,
    findings: Findings,
) -> Lexeme | None:
    id_ = cells[columns["id"]]
    if not _ID.fullmatch(id_):
        findings.add(messages.bad_id(table.span(line, columns["id"]), id_))
        return None
    if id_ in _RESERVED or re.fullmatch(r"[xyzuw]|x\d+", id_):
        findings.add(messages.reserved_id(table.span(line, columns["id"]), id_))
        return None
    forms: dict[str, str] = {}
    for form in category.form_names:
        text = cells[columns[form]]
        if not text or text != " ".join(text.split()) or '"' in text:
            findings.add(messages.bad_form(table.span(line, columns[form]), form, id_, text))
            return None
        forms[form] = text
    values: dict[str, Cell] = {"id": id_}
    inherent = [f for f in category.features if f != category.form_feature and f not in category.form_names]
    typed = [(f, f, False, False) for f in inherent]
    typed += [(n, c.type, c.is_set, c.optional) for n, c in category.columns.items()]
    for name, type_, is_set, optional in typed:
        text, place = cells[columns[name]], (line, columns[name])
        if optional and text == "-":
            values[name] = () if is_set else ""
        else:
            values[name] = _cell(text, type_, is_set, category, table, place, id_, grammar, findings)
    return Lexeme(id_, category.name, len(category.lexemes), forms, values, table.span(line, columns["id"]))


def _cell(
    text: str,
    type_: str,
    is_set: bool,
    category: Category,
    table: WordTable,
    place: tuple[int, int],
    id_: str,
    grammar: Grammar,
    findings: Findings,
) -> Cell:
    name = table.header[place[1]]
    if type_ == "number":
        if not text.isdigit():
            findings.add(messages.bad_value(table.span(*place), name, id_, text, ["a number"], ""))
            return 0
        return int(text)
    parts = text.split("|") if is_set else [text]
    if type_ not in grammar.features:
        return tuple(parts) if is_set else text  # lexemes of a category: looked up when all files are read
    feature = grammar.features[type_]
    values: list[str] = []
    for number, part in enumerate(parts):
        if part not in feature.values and not (is_set and part in feature.groups):
            known = [*feature.values, *(feature.groups if is_set else ())]
            span = table.span(*place)
            if is_set:
                span = span.at(sum(len(p) + 1 for p in parts[:number]), max(len(part), 1))
            findings.add(messages.bad_value(span, name, id_, part, known, feature.name))
            continue
        values.extend(feature.expand(part) if is_set else (part,))
    return tuple(dict.fromkeys(values)) if is_set else (values[0] if values else "")


def _check_references(category: Category, table: WordTable, grammar: Grammar, findings: Findings) -> None:
    """Columns that hold lexemes of another category name lexemes that are there."""
    for name, column in category.columns.items():
        if column.type not in grammar.categories or name not in table.header:
            continue
        known = {x.id for x in grammar.categories[column.type].lexemes}
        index = table.header.index(name)
        for lexeme in category.lexemes:
            held = lexeme.columns[name]
            for id_ in held if isinstance(held, tuple) else (str(held),):
                lost = f"{column.type} words" in findings.lost
                if id_ not in known and not (column.optional and not id_) and not lost:
                    findings.add(
                        messages.bad_value(
                            table.span(lexeme.span.line, index),
                            name,
                            lexeme.id,
                            id_,
                            sorted(known),
                            column.type,
                        )
                    )
