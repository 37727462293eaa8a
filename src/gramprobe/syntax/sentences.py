"""Given sentences: a table of sentences that somebody else wrote, or of pairs whose first should entail the second.

    # licence: CC BY-SA 4.0
    # source: Bowman et al. 2015
    # names: Vienna, Oslo
    sentence	entails
    A man is asleep on a bench.	A man is not awake.

Lines that begin with `#` are notes: the licence is required, source and names are optional. The column `entails` may be
missing, and its cells may be empty. So that a sentence can stand after `Jo knows that`, its final point is dropped and
its first letter lowered, unless the first word is `I` or a name: a name of the lexicon or of the `names` line, a word
with another capital in it, or a word with a capital inside some sentence of the file. Any other lowered word that is
not a known common word may be a name: a warning lists these words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

from msgspec import Struct

from gramprobe.language import english
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.files import Source
from gramprobe.syntax.files import WordTable

_NOTE = re.compile(r"#\s*(\w+)\s*:\s*(.*\S)\s*$")
_COLUMNS = (("sentence",), ("sentence", "entails"))
#: how many words of a sentence make its id, if they distinguish it from the others
_WORDS_OF_ID = 4


class Notes(Struct, frozen=True):
    """The notes of a file of given sentences.

    Attributes:
        path: the file, as messages show it.
        licence: of the sentences; empty if missing.
        source: the author or work; empty if missing.
        header: the place of the header.
        has_entails: whether there is a column `entails`.
    """

    path: str
    licence: str
    source: str
    header: Span
    has_entails: bool


class _Sentence(Struct, frozen=True):
    """A sentence without its final point, and its place."""

    text: str
    line: int
    column: int


def read_given(
    source: Source, names: Collection[str], words: Collection[str] = ()
) -> tuple[WordTable | None, Notes, list[Diagnostic]]:
    """A file of sentences as the table `id sentence entails` of the lexicon, its notes and its diagnostics.

    The table is None if the file has mistakes. ``names`` are the names of the lexicon, ``words`` its other words (in
    small letters). Spans of the table are those of the file.
    """
    notes = {m[1].lower(): unicodedata.normalize("NFC", m[2]) for line in source.lines if (m := _NOTE.match(line))}
    licence = notes.get("licence", notes.get("license", ""))
    problems: list[Diagnostic] = []
    if not licence:
        problems.append(messages.sentences.no_licence(Span(source.path, 1, 1)))
    lines = [(n, line) for n, line in enumerate(source.lines, 1) if line.strip() and not line.startswith("#")]
    header = tuple(lines[0][1].split("\t")) if lines else ()
    place = Span(source.path, lines[0][0] if lines else 1, 1, max(len(lines[0][1]), 1) if lines else 1)
    notes_of_file = Notes(source.path, licence, notes.get("source", ""), place, "entails" in header)
    if header not in _COLUMNS:
        problems.append(messages.sentences.bad_given_header(place, header))
        return None, notes_of_file, problems
    table = WordTable(source, header, tuple((n, tuple(line.split("\t"))) for n, line in lines[1:]))
    rows = [row for row in table.rows if len(row[1]) <= len(header)]
    for number, cells in table.rows:
        if len(cells) > len(header):
            problems.append(messages.reading.stray_cells(table.span(number, len(header)), cells, header, "\t"))
    if not table.rows:
        problems.append(messages.reading.no_rows(Span(source.path, lines[0][0], 1)))
    sentences = list(_sentences(rows, table, problems))
    kept = _proper(sentences, [*names, *(n.strip() for n in notes.get("names", "").split(","))])
    pairs = [(_embedded(s.text, kept), "" if e is None else _embedded(e.text, kept), s) for s, e in sentences]
    problems += _repeated(pairs, table)
    if problems:
        return None, notes_of_file, problems
    follows = {text: other for text, other, _ in pairs}
    lines_of = {text: sentence.line for text, _, sentence in pairs}
    for _, other, premise in pairs:
        if other:
            follows.setdefault(other, "")
            lines_of.setdefault(other, premise.line)
    ids: dict[str, str] = {}
    for text in follows:
        ids[text] = _id(text, set(ids.values()))
    made = tuple((lines_of[text], (ids[text], text, ids.get(other, "-"))) for text, other in follows.items())
    problems += _perhaps_names(sentences, kept, words, table)
    return WordTable(source, ("id", "sentence", "entails"), made), notes_of_file, problems


def _sentences(
    rows: list[tuple[int, tuple[str, ...]]], table: WordTable, problems: list[Diagnostic]
) -> Iterator[tuple[_Sentence, _Sentence | None]]:
    """The sentence of each row and the sentence that it entails (None: no such sentence), without final points."""
    for number, cells in rows:
        of_row: list[_Sentence | None] = []
        for column, cell in enumerate(cells):
            text = unicodedata.normalize("NFC", " ".join(cell.split())).rstrip(". ")
            if column == 1 and text in ("", "-"):
                of_row.append(None)
            elif not text or text[-1] in "?!:;," or '"' in text or any(map(_unseen, text)):
                problems.append(
                    messages.sentences.no_statement(table.span(number, column), table.header[column], cell.strip())
                )
                break
            else:
                of_row.append(_Sentence(text, number, column))
        else:
            assert of_row[0] is not None
            yield of_row[0], of_row[1] if len(of_row) > 1 else None


def _unseen(letter: str) -> bool:
    """Whether it is a control character, or an invisible character that changes how others are shown."""
    return unicodedata.category(letter) in ("Cc", "Cf", "Co", "Cn")


def _proper(sentences: list[tuple[_Sentence, _Sentence | None]], names: list[str]) -> frozenset[str]:
    """The words that keep their capital: names, and words with a capital inside some sentence."""
    inside = {w for pair in sentences for s in pair if s is not None for w in _words(s.text)[1:] if w[:1].isupper()}
    return frozenset({*inside, *(word for name in names for word in name.split()), *english().given.kept})


def _words(text: str) -> list[str]:
    """The words of a sentence, without `'s` and punctuation at their ends."""
    return [re.sub(rf"({re.escape(english().given.possessive)}|\W)+$", "", word) or word for word in text.split()]


def _embedded(text: str, kept: Collection[str]) -> str:
    """A sentence as it stands after `that`: its first letter lowered, unless its first word keeps its capital."""
    first = _words(text)[0]
    name = first in kept or text.split()[0] in kept or any(letter.isupper() for letter in first[1:])
    return text if name else text[0].lower() + text[1:]


def _perhaps_names(
    sentences: list[tuple[_Sentence, _Sentence | None]], kept: Collection[str], words: Collection[str], table: WordTable
) -> Iterator[Diagnostic]:
    """A warning that lists the first words that are lowered and are not known common words."""
    every = [s for pair in sentences for s in pair if s is not None]
    known = {*english().given.common.split(), *words, *(word for s in every for word in _words(s.text)[1:])}
    doubtful: dict[str, _Sentence] = {}
    for each in every:
        first = _words(each.text)[0]
        if first[0].isupper() and _embedded(each.text, kept) != each.text and first.lower() not in known:
            doubtful.setdefault(first, each)
    if doubtful:
        place = next(iter(doubtful.values()))
        yield messages.sentences.lowered(
            table.span(place.line, place.column), list(doubtful), _embedded(place.text, kept)
        )


def _repeated(pairs: list[tuple[str, str, _Sentence]], table: WordTable) -> Iterator[Diagnostic]:
    """Report sentences that have two rows, or entail themselves."""
    seen: dict[str, Span] = {}
    for text, other, place in pairs:
        span = table.span(place.line, place.column)
        if text in seen:
            yield messages.sentences.given_twice(span, text, seen[text])
        elif text == other:
            yield messages.sentences.entails_itself(table.span(place.line, 1), text)
        seen.setdefault(text, span)


def _id(text: str, taken: Collection[str]) -> str:
    """The first words of a sentence: four, or more if needed to distinguish it from the sentences before it."""
    plain = (
        unicodedata.normalize("NFKD", text.replace(english().given.possessive, ""))
        .encode("ascii", "ignore")
        .decode()
        .lower()
    )
    words = re.findall(r"[a-z0-9]+", plain)
    if len(words) < 2 or words[0][0].isdigit():
        words = ["s", *(words or ["1"])]
    for count in range(min(_WORDS_OF_ID, len(words)), len(words) + 1):
        id_ = "_".join(words[:count])
        if id_ not in taken:
            return id_
    number = 2
    while f"{id_}_{number}" in taken:
        number += 1
    return f"{id_}_{number}"
