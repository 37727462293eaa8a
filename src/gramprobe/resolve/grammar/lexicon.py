"""Tables of words to lexemes: every cell checked against the feature or category its column declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.formula.lexer import QUANTIFIERS
from gramprobe.resolve.grammar.data import Category, Cell, Grammar, Lexeme
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings
from gramprobe.source.span import Span
from gramprobe.syntax.files import WordTable

_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VARIABLE = re.compile(r"[xyzuw]|x\d+")

#: words of the formula notation; x, y, z, u, w, x5 ... are its variables
_RESERVED = QUANTIFIERS | {"true", "false", "here", "exh"}


def resolve_lexicon(
    tables: Mapping[str, WordTable], grammar: Grammar, findings: Findings, unreadable: frozenset[str] = frozenset()
) -> None:
    """Fill every lexical category from its file; ids are unique in the whole lexicon, since they are symbols.

    ``unreadable``: files that exist and whose mistakes are reported already.
    """
    seen: dict[str, Lexeme] = {}
    joined: dict[tuple[str, str], Span] = {}
    for category in grammar.categories.values():
        for number, file in enumerate(category.files):
            table = tables.get(file)
            if table is not None:
                _read_words(category, table, number > 0, grammar, seen, joined, findings)
                continue
            if file not in unreadable:
                findings.add(messages.names.unknown_file(category.file_spans[number], file, "lexicon", sorted(tables)))
            findings.unread.add(f"{category.name} words")
    for category in grammar.categories.values():
        for file in category.files:
            if file in tables and f"{category.name} words" not in findings.unread:
                _check_references(category, tables[file], grammar, findings)


def _read_words(
    category: Category,
    table: WordTable,
    extends: bool,
    grammar: Grammar,
    seen: dict[str, Lexeme],
    joined: dict[tuple[str, str], Span],
    findings: Findings,
) -> None:
    """Add the words of a table to their category; ``extends``: an `extend table` line names it.

    Such a table either has words of its own, or has nothing but added columns, for words that are there already.
    """
    words = f"{category.name} words"
    if words in findings.unread or f"{category.name}.*" in findings.unread:
        findings.unread.add(words)
        return
    required = _required(category)
    joins = extends and set(table.header).isdisjoint(required[1:]) and len(table.header) > 1
    if not _header_fits(category, table, required[:1] if joins else required, findings):
        findings.unread.add(words)
        return
    findings.extend(table.problems())
    if table.uneven:
        findings.unread.add(words)
    elif not table.rows:
        findings.add(messages.reading.no_rows(table.span(1, 0)))
        findings.unread.add(words)
    rows = _lexemes(_declared(category, grammar, joins), table)
    findings.extend(rows.problems)
    if rows.broken:
        findings.unread.add(words)
    for lexeme in rows.lexemes:
        if joins:
            _join(lexeme, category, table, seen, joined, findings)
            continue
        if lexeme.id in seen:
            findings.add(messages.names.declared_twice(lexeme.span, f"id `{lexeme.id}`", seen[lexeme.id].span))
            findings.unread.add(words)
            continue
        if lexeme.id in grammar.constants:
            findings.add(messages.reading.id_is_constant(lexeme.span, lexeme.id))
        if lexeme.index != len(category.lexemes):  # behind the words of another table, or one that was declared twice
            lexeme = replace(lexeme, index=len(category.lexemes))
        seen[lexeme.id] = lexeme
        category.lexemes.append(lexeme)
        category.by_id[lexeme.id] = lexeme


def _join(
    row: Lexeme,
    category: Category,
    table: WordTable,
    seen: dict[str, Lexeme],
    joined: dict[tuple[str, str], Span],
    findings: Findings,
) -> None:
    """Give a word the values of a row, in columns in which it has none yet; ``joined``: the places of such values."""
    word = category.by_id.get(row.id)
    if word is None:
        findings.add(messages.reading.no_word_to_extend(row.span, row.id, category.name, category.by_id))
        return
    columns = dict(word.columns)
    for name in (each for each in table.header if each != "id" and row.columns[each] not in ("", ())):
        place = table.span(row.span.line, table.header.index(name))
        if columns[name] not in ("", ()):
            before = joined.get((row.id, name), word.span)
            findings.add(messages.names.declared_twice(place, f"column `{name}` of `{row.id}`", before))
        else:
            columns[name] = row.columns[name]
            joined[row.id, name] = place
    extended = replace(word, columns=columns)
    category.lexemes[word.index] = category.by_id[word.id] = seen[word.id] = extended


def _required(category: Category) -> list[str]:
    """The columns of a table of this category, `id` first, without those that an `extend` line adds."""
    columns = [name for name, column in category.columns.items() if not column.added]
    features = [feature for feature in category.features if feature != category.form_feature]
    return list(dict.fromkeys(["id", *category.form_names, *features, *columns]))


def _header_fits(category: Category, table: WordTable, required: list[str], findings: Findings) -> bool:
    """Whether the header has the required columns, and no others but those that may be added; report the others."""
    added = [name for name, column in category.columns.items() if column.added]
    wanted = [*required, *added]
    wrong = 0
    for index, name in enumerate(table.header):
        if name not in wanted:
            findings.add(messages.reading.unknown_column(table.span(1, index), name, category.name, wanted))
            wrong += 1
        elif name in table.header[:index]:
            findings.add(
                messages.names.declared_twice(
                    table.span(1, index), f"column `{name}`", table.span(1, table.header.index(name))
                )
            )
            wrong += 1
    missing = [name for name in required if name not in table.header]
    if len(missing) > wrong:  # else they have a wrong name, which is reported above
        for name in missing:
            place = Span(table.source.path, 1, 1, len("\t".join(table.header)))
            findings.add(messages.reading.missing_column(place, name, category.name))
    return not wrong and not missing


class _Kind(Struct, frozen=True, kw_only=True):
    """The possible content of a column of a table: values of a feature (or its groups), numbers, or lexemes."""

    name: str
    type: str
    is_set: bool
    optional: bool
    values: tuple[str, ...] | None = None
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()


class _Declared(Struct, frozen=True):
    """A grammar's declarations for the words of a category, as a cache key: equal declarations, equal words.

    ``joins``: for a table that has added columns and nothing else.
    """

    category: str
    form_names: tuple[str, ...]
    kinds: tuple[_Kind, ...]
    joins: bool


class _Lexemes(Struct, frozen=True):
    """The words of a table; ``broken`` if a row could not be read."""

    lexemes: tuple[Lexeme, ...]
    problems: tuple[Diagnostic, ...]
    broken: bool


def _declared(category: Category, grammar: Grammar, joins: bool) -> _Declared:
    inherent = [f for f in category.features if f != category.form_feature and f not in category.form_names]
    typed = [(f, f, False, False) for f in inherent]
    typed = [] if joins else typed
    typed += [(n, c.type, c.is_set, c.optional) for n, c in category.columns.items() if c.added or not joins]
    kinds = []
    for name, type_, is_set, optional in typed:
        feature = grammar.features.get(type_) if type_ != "number" else None
        kind = _Kind(
            name=name,
            type=type_,
            is_set=is_set,
            optional=optional,
            values=feature.values if feature is not None else None,
            groups=tuple(feature.groups.items()) if feature is not None else (),
        )
        kinds.append(kind)
    return _Declared(category.name, () if joins else category.form_names, tuple(kinds), joins)


@lru_cache(maxsize=256)
def _lexemes(declared: _Declared, table: WordTable) -> _Lexemes:
    """The words of a table with a correct header, cached since several grammars may use the same table."""
    findings = Findings()
    names = ("id", *declared.form_names, *(k.name for k in declared.kinds))
    columns = {name: table.header.index(name) for name in names if name in table.header}
    lexemes: list[Lexeme] = []
    broken = False
    for line, cells in table.rows:
        lexeme = _lexeme(declared, table, line, cells, columns, len(lexemes), findings)
        if lexeme is None:
            broken = True
        else:
            lexemes.append(lexeme)
    return _Lexemes(tuple(lexemes), tuple(findings.items), broken)


def _lexeme(
    declared: _Declared,
    table: WordTable,
    line: int,
    cells: tuple[str, ...],
    columns: dict[str, int],
    index: int,
    findings: Findings,
) -> Lexeme | None:
    id_ = cells[columns["id"]]
    if not _ID.fullmatch(id_):
        findings.add(messages.reading.bad_id(table.span(line, columns["id"]), id_))
        return None
    if id_ in _RESERVED or _VARIABLE.fullmatch(id_):
        findings.add(messages.reading.reserved_id(table.span(line, columns["id"]), id_))
        return None
    forms: dict[str, str] = {}
    for form in declared.form_names:
        text = cells[columns[form]]
        if not text or text != " ".join(text.split()) or '"' in text:
            findings.add(messages.reading.bad_form(table.span(line, columns[form]), form, id_, text))
            return None
        forms[form] = text
    values: dict[str, Cell] = {"id": id_}
    for kind in declared.kinds:
        text = cells[columns[kind.name]] if kind.name in columns else "-"
        if kind.optional and text == "-":
            values[kind.name] = () if kind.is_set else ""
        else:
            values[kind.name] = _cell(text, kind, table, (line, columns[kind.name]), id_, findings)
    return Lexeme(
        id=id_,
        category=declared.category,
        index=index,
        forms=forms,
        columns=values,
        span=table.span(line, columns["id"]),
    )


def _cell(text: str, kind: _Kind, table: WordTable, place: tuple[int, int], id_: str, findings: Findings) -> Cell:
    if kind.type == "number":
        if not text.isdigit():
            findings.add(messages.reading.bad_number(table.span(*place), kind.name, id_, text))
            return 0
        return int(text)
    if kind.values is None:  # lexemes of a category: looked up when all files are read
        return tuple(text.split("|")) if kind.is_set else text
    if not kind.is_set and text in kind.values:
        return text
    parts = text.split("|") if kind.is_set else [text]
    groups = dict(kind.groups)
    values: list[str] = []
    for number, part in enumerate(parts):
        if part not in kind.values and not (kind.is_set and part in groups):
            known = [*kind.values, *(groups if kind.is_set else ())]
            span = table.span(*place)
            if kind.is_set:
                span = span.at(sum(len(p) + 1 for p in parts[:number]), max(len(part), 1))
            findings.add(messages.reading.bad_value(span, kind.name, id_, part, known, kind.type))
            continue
        values.extend(groups.get(part, (part,)))
    return tuple(dict.fromkeys(values)) if kind.is_set else (values[0] if values else "")


def _check_references(category: Category, table: WordTable, grammar: Grammar, findings: Findings) -> None:
    """Report unknown lexemes in columns that hold lexemes of another category."""
    for name, column in category.columns.items():
        if column.type not in grammar.categories or name not in table.header:
            continue
        known = grammar.categories[column.type].by_id
        unread = f"{column.type} words" in findings.unread
        index, ids = table.header.index(name), table.header.index("id")
        for line, cells in table.rows:
            word = category.by_id.get(cells[ids])
            held = word.columns[name] if word is not None else ()
            for id_ in held if isinstance(held, tuple) else (str(held),):
                if id_ not in known and not (column.optional and not id_) and not unread:
                    place = table.span(line, index)
                    problem = messages.reading.bad_value(place, name, cells[ids], id_, sorted(known), column.type)
                    findings.add(problem)
