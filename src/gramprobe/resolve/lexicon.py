"""Tables of words to lexemes: every cell checked against the feature or category its column declares."""

from __future__ import annotations

from gramprobe.resolve.declarations import Category, Cell, Grammar, Lexeme
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax.files import WordTable


def resolve_lexicon(tables: dict[str, WordTable], grammar: Grammar, findings: Findings) -> None:
    """Fill every lexical category from its file; ids are unique in the whole lexicon, since they are symbols."""
    seen: dict[str, Lexeme] = {}
    for category in grammar.categories.values():
        if category.file is None:
            continue
        table = tables.get(category.file)
        if table is None:
            findings.add(messages.unknown_file(category.span, f"lexicon/{category.file}", sorted(tables)))
            continue
        columns = _columns(category, table, findings)
        if columns is None:
            continue
        for line, cells in table.rows:
            lexeme = _lexeme(category, table, line, cells, columns, grammar, findings)
            if lexeme is None:
                continue
            if lexeme.id in seen:
                findings.add(messages.declared_twice(lexeme.span, f"id `{lexeme.id}`", seen[lexeme.id].span))
                continue
            seen[lexeme.id] = lexeme
            category.lexemes.append(lexeme)
            category.by_id[lexeme.id] = lexeme
    for category in grammar.categories.values():
        if category.file in tables:
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
    ok = True
    for index, name in enumerate(table.header):
        if name not in wanted:
            findings.add(messages.unknown_column(table.span(1, index), name, category.name, wanted))
            ok = False
        elif name in table.header[:index]:
            findings.add(
                messages.declared_twice(
                    table.span(1, index), f"column `{name}`", table.span(1, table.header.index(name))
                )
            )
            ok = False
    for name in wanted:
        if name not in table.header:
            findings.add(
                messages.missing_column(
                    Span(table.source.path, 1, 1, len("\t".join(table.header))), name, category.name
                )
            )
            ok = False
    return {name: table.header.index(name) for name in wanted} if ok else None


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
    if not id_ or not all(c.isalnum() or c == "_" for c in id_) or not (id_[0].isalpha() or id_[0] == "_"):
        findings.add(messages.bad_id(table.span(line, columns["id"]), id_))
        return None
    forms: dict[str, str] = {}
    for form in category.form_names:
        text = cells[columns[form]]
        if not text or text != " ".join(text.split()):
            findings.add(messages.bad_form(table.span(line, columns[form]), form, id_, text))
            return None
        forms[form] = text
    values: dict[str, Cell] = {"id": id_}
    for name in category.features:
        if name != category.form_feature and name not in category.form_names:
            values[name] = _cell(
                cells[columns[name]],
                name,
                False,
                category,
                table,
                (line, columns[name]),
                id_,
                grammar,
                findings,
            )
    for name, column in category.columns.items():
        if column.optional and cells[columns[name]] == "-":
            values[name] = () if column.is_set else ""
            continue
        values[name] = _cell(
            cells[columns[name]],
            column.type,
            column.is_set,
            category,
            table,
            (line, columns[name]),
            id_,
            grammar,
            findings,
        )
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
    for part in parts:
        if part not in feature.values and not (is_set and part in feature.groups):
            known = [*feature.values, *(feature.groups if is_set else ())]
            findings.add(messages.bad_value(table.span(*place), name, id_, part, known, feature.name))
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
                if id_ not in known and not (column.optional and not id_):
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
