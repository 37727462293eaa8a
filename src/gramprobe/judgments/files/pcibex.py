"""The results of PCIbex and PennController: comment lines declare the columns, anew in the middle of the file too.

Columns 1 and 2 of a row, when it was received and a hash of the person's address, say which rows are of one visit and
are used for nothing else. A trial is that of an item if `id` was logged for it, an answer what a Scale, Selector, Key
or DropDown of it logged, unless `answer` was logged; times of reading are those of DashedSentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from gramprobe.formats.tabular import finite
from gramprobe.judgments.answers import KNOWN, OURS, Read, Response, Trial, Word, cell, milliseconds, trial_of, whole
from gramprobe.judgments.files.plain import options
from gramprobe.source.messages.judgments import Place

ANSWERS = {"Scale": "Choice", "Selector": "Selection", "Key": "PressedKey", "DropDown": "Selected"}
"""Kind of an element -> the parameter of its answer; `Final` is that of a Scale in older versions."""
_DECLARED = re.compile(r"# (\d{1,3})\. (.*?)\.?\s*")
_RENAMED = {
    "Time results were received": "Results reception time", "Item number": "Order number of item",
    "Element number": "Inner element number", "Type": "Label", "Group": "Latin Square Group",
}  # fmt: skip
"""The older names of columns -> the newer."""
RECEIVED, ADDRESS, ITEM = "Results reception time", "MD5 hash of participant's IP address", "Order number of item"
ELEMENT, PARAMETER, VALUE, TIME = "PennElementType", "Parameter", "Value", "EventTime"
OF_PCIBEX = (
    RECEIVED, ADDRESS, ITEM, ELEMENT, PARAMETER, VALUE, TIME, "Controller name", "Inner element number", "Label",
    "Latin Square Group", "PennElementName", "Comments", "Reading time", "Newline?", "Sentence (or sentence MD5)",
)  # fmt: skip


def reads(path: Path, heading: Sequence[str], begin: bytes) -> bool:
    return begin.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"#") and b"# 1. " in begin


def read(path: Path) -> Read:
    """The answers and reading times. Raises UsageError (E44, E46)."""
    found, passed = Read(), dict[str, None]()
    starts: dict[tuple[str, str], float] = {}
    answered: dict[tuple[str, str], int] = {}
    numbers = Counter[tuple[str, str]]()
    for place, row in _rows(path):
        passed |= dict.fromkeys(name for name in row if name not in (*KNOWN, *OURS, *OF_PCIBEX))
        session = f"\0{row[RECEIVED]} {row[ADDRESS]}"
        person = row.get("person", "") or session
        visits = found.sessions.setdefault(row[ADDRESS], [])
        if person not in visits:
            visits.append(person)
        key = (session, row[ITEM])
        if row.get(PARAMETER) == "_Trial_" and row.get(VALUE) == "Start":
            starts[key] = cell(row, TIME, place, finite) or 0.0
        if not row.get("id"):
            continue
        trial = trial_of(row, person, place)
        if row.get(ELEMENT) == "Controller-DashedSentence" and "Reading time" in row:
            numbers[key] += 1
            rt = cell(row, "Reading time", place, milliseconds)
            if rt is None:
                raise place.refused("a word without its reading time", "leave the row out")
            number = cell(row, PARAMETER, place, whole) or numbers[key]
            found.words.append(Word(trial, number, row.get("region", ""), row.get(VALUE, ""), rt))
            continue
        said = _said(row)
        if said is None or (key in answered and row.get(VALUE) == "End"):
            continue
        end = cell(row, TIME, place, finite)
        rt = end - starts[key] if end is not None and key in starts else None
        answer = _answer(trial, row, said, rt)
        if key in answered:  # people may choose again before they go on: the last choice is the answer
            found.answers[answered[key]] = answer
        else:
            answered[key] = len(found.answers)
            found.answers.append(answer)
    found.passed = tuple(passed)
    if not found.answers and not found.words:
        raise Place(path.name, 1).refused(
            "no trial has the `id` of an item", "log it: newTrial(...).log('id', row.id), and log() the answer"
        )
    return found


def _said(row: Mapping[str, str]) -> str | None:
    """The answer in a row; None in one that has none."""
    if row.get("answer"):
        return row["answer"] if row.get(ELEMENT) in ANSWERS or row.get(VALUE) == "End" else None
    if ANSWERS.get(row.get(ELEMENT, "")) not in (None, row.get(PARAMETER)):
        return None
    return row.get(VALUE) or None if row.get(ELEMENT) in ANSWERS else None


def _answer(trial: Trial, row: Mapping[str, str], said: str, rt: float | None) -> Response:
    shown = cell(row, "options", trial.place, options) or ()
    rt = None if rt is None or rt < 0 else rt
    if row.get(ELEMENT) == "Key" and not row.get("answer"):
        return Response(trial, key=said, shown=shown, rt=rt)
    return Response(trial, said, shown=shown, rt=rt)


def _rows(path: Path) -> Iterator[tuple[Place, dict[str, str]]]:
    """Each row by the columns that are declared above it; empty where it stands NULL."""
    names: list[str] = []
    fresh = True
    with path.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            place = Place(path.name, number)
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise place.refused("no UTF-8", "write the file anew in UTF-8") from None
            if not line.strip():
                continue
            declared = _DECLARED.fullmatch(line)
            if declared:
                at, name = int(declared[1]), declared[2].strip()
                if at > len(names) + 1 or at < 1:
                    raise place.refused(f"the column {at} is declared, and no column {at - 1}", "get the file anew")
                names[at - 1 :] = [_RENAMED.get(name, name)]
                fresh = True
            elif not line.startswith("#"):
                if fresh:
                    _check(names, place)
                    fresh = False
                cells = line.split(",", len(names) - 1)
                if len(cells) < len(names):
                    what = f"{len(cells)} cells below {len(names)} declared columns"
                    raise place.refused(what, "a file that was cut off ends so: get it anew")
                values = ("" if text == "NULL" else unquote(text) for text in cells)
                yield place, dict(zip(names, values, strict=True))


def _check(names: Sequence[str], place: Place) -> None:
    for name in (RECEIVED, ADDRESS, ITEM):
        if name not in names:
            raise place.refused(f"no comment declares the column `{name}`", "give the whole file of results")
