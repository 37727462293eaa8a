"""Plain CSV: a row an answer, or the reading time of a word or region."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gramprobe.formats.tabular import records
from gramprobe.judgments.answers import KNOWN, OURS, Read, Response, Word, cell, milliseconds, trial_of, whole
from gramprobe.source.messages.judgments import Place

NEEDED = ("person", "id", "answer")


def reads(path: Path, heading: Sequence[str], begin: bytes) -> bool:
    return {"person", "id"} <= set(heading)


def read(path: Path) -> Read:
    """The rows: a reading time where `region` or `word` is filled, else an answer. Raises UsageError (E44, E46)."""
    found, words = Read(), Counter[tuple[str, str, str]]()
    for line, row in records(path, NEEDED, "a file of people's answers"):
        place = Place(path.name, line)
        if not found.passed:
            found.passed = tuple(name for name in row if name not in (*KNOWN, *OURS))
        for name in NEEDED[:2]:
            if not row[name].strip():
                raise place.refused(f"no {name}", "fill the cell, or leave the row out")
        trial, rt = trial_of(row, row["person"].strip(), place), cell(row, "rt", place, milliseconds)
        region, word = row.get("region", "").strip(), row.get("word", "").strip()
        if region or word:
            if rt is None:
                raise place.refused(
                    "a word without `rt`", "give the reading time in milliseconds, or leave the row out"
                )
            key = (trial.person, trial.id, trial.part)
            words[key] += 1
            number = cell(row, "word_number", place, whole) or words[key]
            found.words.append(Word(trial, number, region, word, rt))
        elif row["answer"].strip():
            shown = cell(row, "options", place, options) or ()
            found.answers.append(Response(trial, row["answer"].strip(), shown=shown, rt=rt))
        else:
            raise place.refused("no answer", "fill the cell, or leave the row out")
    return found


def options(text: str) -> tuple[str, ...]:
    """The names in a JSON list of them, or of each with its wording; ValueError for anything else."""
    found = json.loads(text)
    if isinstance(found, list) and all(isinstance(each, list) and len(each) == 2 for each in found):
        found = [name for name, _ in found]
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError(text)
    return tuple(found)
