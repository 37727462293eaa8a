"""The readings that people prefer: `preferences.csv` in the folder of a phenomenon, joined with its `choice` sets.

Each line is the answer of one person, with the columns `sentence` and `reading` (other columns are ignored). The
reading that most people chose is the preference; in a tie, and without answers, a sentence has no preference.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.source.files import Source

COLUMNS = ("sentence", "reading")


@dataclass(frozen=True, slots=True)
class Preference:
    """The reading that most people prefer, and the line of the first answer for it."""

    reading: str
    span: Span


def file_of(phenomenon: str) -> str:
    """The name of the file with the preferences of a phenomenon."""
    return f"grammars/{phenomenon}/preferences.csv"


def read(source: Source, findings: Findings) -> Mapping[str, Preference]:
    """Sentence -> preference. Mistakes in the file are added to ``findings``."""
    reader = csv.reader(source.lines)
    header = next(reader, [])
    if not set(COLUMNS) <= set(header):
        findings.add(messages.build.bad_preferences_header(Span(source.path, 1, 1), header))
        return {}
    at = [header.index(name) for name in COLUMNS]
    answers: dict[str, Counter[str]] = {}
    places: dict[tuple[str, str], Span] = {}
    for cells in reader:
        if not cells:
            continue
        span = Span(source.path, reader.line_num, 1)
        if len(cells) != len(header) or not all(cells[i].strip() for i in at):
            findings.add(messages.reading.stray_cells(span, cells, header, ","))
            continue
        sentence, reading = (cells[i].strip() for i in at)
        answers.setdefault(sentence, Counter())[reading] += 1
        places.setdefault((sentence, reading), span)
    preferences = {}
    for sentence, given in answers.items():
        (most, number), *rest = given.most_common(2)
        if not rest or rest[0][1] < number:
            preferences[sentence] = Preference(most, places[sentence, most])
    return preferences
