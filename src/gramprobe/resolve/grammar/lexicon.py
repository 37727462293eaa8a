"""Tables of words to lexemes: every cell checked against the feature or category its column declares."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.formula.lexer import QUANTIFIERS
from gramprobe.resolve.grammar.data import NUMBERS, WORDS, Category, Cell, Column, Grammar, Lexeme
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings, Span
from gramprobe.source.nearest import listed, nearest
from gramprobe.syntax.files import ALIKE, WordTable

_ID = re.compile(r"(?![λι])[^\W\d_]\w*")  # λ and ι at the start are signs of formulas
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_THOUSANDS = re.compile(r"-?\d{1,3}(,\d{3})+")
_VARIABLE = re.compile(r"[xyzuw]|x\d+")

#: words of the formula notation; x, y, z, u, w, x5 ... are its variables
_RESERVED = QUANTIFIERS | {"true", "false", "here", "exh"}


def resolve_lexicon(
    tables: Mapping[str, WordTable], grammar: Grammar, findings: Findings, unreadable: frozenset[str] = frozenset()
) -> None:
    """Fill every lexical category from its tables; ids are unique in the whole lexicon, since they are symbols.

    ``unreadable``: files that exist and whose mistakes are reported already.
    """
    symbols: dict[str, Lexeme] = {}
    read: dict[str, tuple[_Words, tuple[WordTable, ...]]] = {}
    for category in grammar.categories.values():
        words = f"{category.name} words"
        for file, place in zip(category.files, category.file_spans, strict=True):
            if file not in tables:
                if file not in unreadable:
                    findings.add(messages.names.unknown_file(place, file, "lexicon", sorted(tables)))
                findings.unread.add(words)
        there = tuple(tables[file] for file in category.files if file in tables)
        if f"{category.name}.*" in findings.unread:
            findings.unread.add(words)
        if there and (words not in findings.unread or len(there) < len(category.files)):
            its = _words(_declared(category, grammar), there)
            read[category.name] = its, there
            _add(category, its, symbols, grammar, findings)
    for category in grammar.categories.values():
        if category.name in read and f"{category.name} words" not in findings.unread:
            of = {name: its for name, (_, its) in read.items()}
            _check_references(category, *read[category.name], of, grammar, findings)


def _add(category: Category, read: _Words, symbols: dict[str, Lexeme], grammar: Grammar, findings: Findings) -> None:
    """Give a category its words, but for those with an id that a word of another category has."""
    findings.extend(read.problems)
    if read.broken:
        findings.unread.add(f"{category.name} words")
    category.lexemes, category.by_id = read.lexemes, read.by_id
    if not symbols.keys().isdisjoint(read.by_id):
        findings.unread.add(f"{category.name} words")
        for word in read.lexemes:
            if word.id in symbols:
                findings.add(messages.names.declared_twice(word.span, f"id `{word.id}`", symbols[word.id].span))
        own = [word for word in read.lexemes if word.id not in symbols]
        category.lexemes = [replace(word, index=number) for number, word in enumerate(own)]
        category.by_id = {word.id: word for word in category.lexemes}
    for id_ in grammar.constants.keys() & category.by_id.keys():
        findings.add(messages.reading.id_is_constant(category.by_id[id_].span, id_))
    symbols.update(category.by_id)


@dataclass(slots=True, eq=False)
class _Words:
    """The words of a category in all of its tables; ``broken`` if a row could not be read."""

    lexemes: list[Lexeme] = field(default_factory=list)
    by_id: dict[str, Lexeme] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    broken: bool = False


@lru_cache(maxsize=256)
def _words(declared: _Declared, tables: tuple[WordTable, ...]) -> _Words:
    """The words of a category, cached since most grammars of a project have the same.

    A table but the first either has words of its own, or has nothing but added columns, for words of tables before it.
    """
    findings, words = Findings(), _Words()
    joined: dict[tuple[str, str], tuple[WordTable, int]] = {}
    replacing = next((table for table in tables if table.source.replaces), None)
    lacking: dict[str, str] = {}  # words that a table joins to, and the table
    for number, table in enumerate(tables):
        joins = number > 0 and declared.required.isdisjoint(table.header) and len(table.header) > 1
        if not _header_fits(declared, table, joins, findings):
            words.broken = True
            continue
        findings.extend(table.problems())
        words.broken = words.broken or bool(table.uneven)
        if not table.rows and not table.uneven:
            findings.add(messages.reading.no_rows(table.span(1, 0)))
            words.broken = True
        for lexeme in _lexemes(declared, table, joins, words, findings):
            if joins and replacing is not None and lexeme.id not in words.by_id:
                lacking[lexeme.id] = table.source.name
                words.broken = True
            elif joins:
                _join(lexeme, words, table, joined, findings)
            elif lexeme.id in words.by_id:
                before = words.by_id[lexeme.id].span
                findings.add(messages.names.declared_twice(lexeme.span, f"id `{lexeme.id}`", before))
                words.broken = True
            else:
                lexeme = replace(lexeme, index=len(words.lexemes))
                words.lexemes.append(lexeme)
                words.by_id[lexeme.id] = lexeme
    if lacking and replacing is not None and not any(each.is_error for each in findings.items):
        findings.add(_lacking(replacing, lacking, declared.category))
    words.problems = _gathered(findings.items, tables)
    words.broken = words.broken or findings.failed
    return words


def _gathered(problems: list[Diagnostic], tables: tuple[WordTable, ...]) -> list[Diagnostic]:
    """The diagnostics of some tables; of those that are alike the first, which then names the other cells."""
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for number, each in enumerate(problems):
        groups.setdefault((each.code, each.span.path, each.alike) if each.alike else (number,), []).append(each)
    lines = {table.source.path: table.source.lines for table in tables}
    shown: list[Diagnostic] = []
    for first, *others in groups.values():
        if len(others) + 1 < ALIKE:
            shown += [first, *others]
            continue
        places = [each.span for each in others]
        cells = [f"{at.line} (`{lines[at.path][at.line - 1][at.column - 1 : at.end - 1]}`)" for at in places]
        note = f"so are {len(others)} more, in the lines {listed(cells, 4)}"
        shown.append(dataclasses.replace(first, notes=(*first.notes, note)))
    return shown


def _join(
    row: Lexeme,
    words: _Words,
    table: WordTable,
    joined: dict[tuple[str, str], tuple[WordTable, int]],
    findings: Findings,
) -> None:
    """Give a word the values of a row, in columns in which it has none yet; ``joined``: the tables and lines of such
    values."""
    word = words.by_id.get(row.id)
    if word is None:
        findings.add(messages.reading.no_word_to_extend(row.span, row.id, row.category, words.by_id))
        words.broken = True
        return
    columns = dict(word.columns)
    for name in (each for each in table.header if each != "id" and row.columns[each] not in ("", ())):
        if columns[name] not in ("", ()):
            there, line = joined.get((row.id, name), (None, 0))
            before = there.span(line, there.header.index(name)) if there is not None else word.span
            place = table.span(row.span.line, table.header.index(name))
            findings.add(messages.names.declared_twice(place, f"column `{name}` of `{row.id}`", before))
        else:
            columns[name] = row.columns[name]
            joined[row.id, name] = table, row.span.line
    words.lexemes[word.index] = words.by_id[word.id] = replace(word, columns=columns)


def _lacking(table: WordTable, words: Mapping[str, str], category: str) -> Diagnostic:
    """``words``: those that a table in the place of a shipped one lacks, each with the table that speaks of it."""
    tables = list(dict.fromkeys(words.values()))
    return messages.reading.replaced_words(table.span(1, 0), table.source.name, list(words), tables, category)


def _header_fits(declared: _Declared, table: WordTable, joins: bool, findings: Findings) -> bool:
    """Whether the header has the required columns, and no others but those that may be added. A column of another name
    is left out with a warning, unless it may be a wrong name for one of these."""
    added = [kind.name for kind in declared.kinds if kind.added]
    separator = next((sign for sign in ",;|\t " if sign in table.header[0]), None) if len(table.header) == 1 else None
    if separator is not None:
        findings.add(messages.reading.other_separator(table.span(1, 0), separator, table.separator))
        return False
    required = ["id"] if joins else declared.columns
    wanted = [*required, *added]
    missing = [name for name in required if name not in table.header]
    if missing and table.source.replaces:
        place, file = table.span(1, 0), table.source.name
        findings.add(messages.reading.replaced_columns(place, file, missing, declared.category))
        return False
    wrong = 0
    lacking = [name for name in wanted if name not in table.header]
    for index, name in enumerate(table.header):
        if name not in wanted and name.strip() and not missing and not joins and nearest(name, lacking) is None:
            findings.add(messages.reading.extra_column(table.span(1, index), name, declared.category))
        elif name not in wanted:
            findings.add(messages.reading.unknown_column(table.span(1, index), name, declared.category, wanted))
            wrong += 1
        elif name in table.header[:index]:
            findings.add(
                messages.names.declared_twice(
                    table.span(1, index), f"column `{name}`", table.span(1, table.header.index(name))
                )
            )
            wrong += 1
    if len(missing) > wrong:  # else they have a wrong name, which is reported above
        for name in missing:
            place = Span(table.source.path, 1, 1, len("\t".join(table.header)))
            findings.add(messages.reading.missing_column(place, name, declared.category))
    return not wrong and not missing


class _Kind(Struct, frozen=True, kw_only=True):
    """The possible content of a column of a table: values of a feature (or its groups), numbers, or lexemes.

    ``added``: by an `extend` line, so that a table may lack it. ``commas``: its decimal numbers have a comma.
    """

    name: str
    type: str
    is_set: bool
    optional: bool
    added: bool = False
    commas: bool = False
    values: tuple[str, ...] | None = None
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()


class _Declared(Struct, frozen=True):
    """A grammar's declarations for the words of a category, as a cache key: equal declarations, equal words."""

    category: str
    form_names: tuple[str, ...]
    kinds: tuple[_Kind, ...]

    @property
    def columns(self) -> list[str]:
        """The columns that a table of words must have."""
        return list(dict.fromkeys(["id", *self.form_names, *(k.name for k in self.kinds if not k.added)]))

    @property
    def required(self) -> frozenset[str]:
        """These columns without the ids."""
        return frozenset(self.columns[1:])


def _declared(category: Category, grammar: Grammar) -> _Declared:
    inherent = [f for f in category.features if f not in category.form_features and f not in category.form_names]
    typed = [(f, f, False, False, False) for f in inherent]
    typed += [(n, c.type, c.is_set, c.optional, c.added) for n, c in category.columns.items()]
    kinds = []
    for name, type_, is_set, optional, added in typed:
        feature = grammar.features.get(type_) if type_ not in (*NUMBERS, WORDS) else None
        kind = _Kind(
            name=name,
            type=type_,
            is_set=is_set,
            optional=optional,
            added=added,
            values=feature.values if feature is not None else None,
            groups=tuple(feature.groups.items()) if feature is not None else (),
        )
        kinds.append(kind)
    return _Declared(category.name, category.form_names, tuple(kinds))


def _lexemes(declared: _Declared, table: WordTable, joins: bool, words: _Words, findings: Findings) -> Iterator[Lexeme]:
    """The words of a table with a correct header; of a table that joins, its added columns alone."""
    if joins:
        declared = _Declared(declared.category, (), tuple(kind for kind in declared.kinds if kind.added))
    columns = {name: table.header.index(name) for name in table.header}
    declared = replace(declared, kinds=tuple(_with_commas(kind, table) for kind in declared.kinds))
    for line, cells in table.rows:
        lexeme = _lexeme(declared, table, line, cells, columns, findings)
        if lexeme is None:
            words.broken = True
        else:
            yield lexeme


def _with_commas(kind: _Kind, table: WordTable) -> _Kind:
    """The kind with its numbers' sign: the comma in a column without a point, unless all of its commas may stand before
    thousands; these have none in a table with semicolons."""
    if kind.type != "decimal" or kind.name not in table.header:
        return kind
    cells = [cells[table.header.index(kind.name)] for _, cells in table.rows]
    with_comma = [cell for cell in cells if "," in cell]
    thousands = table.separator != ";" and all(map(_THOUSANDS.fullmatch, with_comma))
    return replace(kind, commas=not (thousands or any("." in cell for cell in cells)))


def _lexeme(
    declared: _Declared,
    table: WordTable,
    line: int,
    cells: tuple[str, ...],
    columns: dict[str, int],
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
        if not _is_printable(text):
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
        index=0,
        forms=forms,
        columns=values,
        span=table.span(line, columns["id"]),
    )


def _is_printable(text: str) -> bool:
    """Whether a text can stand in a sentence as it is."""
    return text != "" and text == " ".join(text.split()) and '"' not in text


def _cell(text: str, kind: _Kind, table: WordTable, place: tuple[int, int], id_: str, findings: Findings) -> Cell:
    if kind.type == WORDS:
        if not _is_printable(text):
            findings.add(messages.reading.bad_form(table.span(*place), kind.name, id_, text))
        return text
    if kind.type == "decimal":
        written = text.replace(",", ".", 1) if kind.commas else text
        if not _DECIMAL.fullmatch(written):
            findings.add(messages.reading.bad_decimal(table.span(*place), kind.name, id_, text))
            return 0
        return Decimal(written)
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


def _check_references(
    category: Category,
    read: _Words,
    tables: tuple[WordTable, ...],
    own: Mapping[str, tuple[WordTable, ...]],
    grammar: Grammar,
    findings: Findings,
) -> None:
    """Report unknown lexemes in columns that hold lexemes of another category; ``own``: the tables of each."""
    for name, column in category.columns.items():
        if column.type in grammar.categories and f"{column.type} words" not in findings.unread:
            known = frozenset(grammar.categories[column.type].by_id)
            unknown = _unknown_references(read, tables, name, column, known)
            replacing = next((t for t in own.get(column.type, ()) if t.source.replaces), None)
            shipped = {t.source.path: t.source.name for t in tables if t.source.is_shipped}
            strange = {id_: shipped[d.span.path] for id_, d in unknown if d.span.path in shipped}
            if replacing is not None and strange:
                findings.add(_lacking(replacing, strange, column.type))
            shown = [d for _, d in unknown if replacing is None or d.span.path not in shipped]
            findings.extend(_gathered(shown, tables))


@lru_cache(maxsize=256)
def _unknown_references(
    read: _Words, tables: tuple[WordTable, ...], name: str, column: Column, known: frozenset[str]
) -> tuple[tuple[str, Diagnostic], ...]:
    """Each with the place where it is named."""
    problems: list[tuple[str, Diagnostic]] = []
    for table in tables:
        if name not in table.header:
            continue
        index, ids = table.header.index(name), table.header.index("id")
        for line, cells in table.rows:
            word = read.by_id.get(cells[ids])
            held = word.columns[name] if word is not None else ()
            for id_ in held if isinstance(held, tuple) else (str(held),):
                if id_ not in known and not (column.optional and not id_):
                    place = table.span(line, index)
                    value = messages.reading.bad_value(place, name, cells[ids], id_, sorted(known), column.type)
                    problems.append((id_, value))
    return tuple(problems)
