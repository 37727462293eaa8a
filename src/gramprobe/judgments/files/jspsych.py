"""The data of jsPsych 6 to 8, as JSON or CSV: what was answered by the plug-in of a trial and its version.

A page of `gramprobe lists` writes the name of the answer under `answer`. Other pages leave what their plug-in writes:
a button is its place among the buttons from 0, a point of a Likert scale {"Q0": 3}, counted from 0 too. Versions up to
6 have `button_pressed` and `responses` in the place of `response`. A trial without `id` is no trial of an item.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gramprobe.formats.tabular import json_of, no_utf8, records
from gramprobe.judgments.answers import KNOWN, OURS, Read, Response, Trial, Word, cell, milliseconds, trial_of, whole
from gramprobe.judgments.files.plain import options
from gramprobe.source.messages.judgments import Place

NEWEST = {
    "button-response": 2, "keyboard-response": 2, "slider-response": 2, "survey-likert": 2, "survey-multi-choice": 2,
    "self-paced-reading": 2,
}  # fmt: skip
"""The end of a plug-in's name -> the newest major version whose data are known."""
OF_JSPSYCH = (
    "trial_type", "trial_index", "plugin_version", "time_elapsed", "internal_node_id", "stimulus", "response",
    "question_order", "button_pressed", "responses", "key_press", "view_history", "sentence", "rt_total", "choices",
    "keys", "slider_start",
)  # fmt: skip
"""What the program writes itself, which is passed over without a word."""


def reads(path: Path, heading: Sequence[str], begin: bytes) -> bool:
    return path.suffix.lower() == ".json" or {"trial_type", "trial_index"} <= set(heading)


def read(path: Path) -> Read:
    """The trials. Without `person` a file is of one person, whose trials have each index once.

    Raises UsageError (E44, E46), also for a plug-in, or a version of one, whose data are not known.
    """
    found, seen, passed = Read(), dict[str, int](), dict[str, None]()
    for number, row in _rows(path):
        place = Place(path.name, number)
        passed |= dict.fromkeys(name for name in row if name not in (*KNOWN, *OURS, *OF_JSPSYCH))
        person = str(row.get("person") or "").strip()
        if not person:
            person, index = f"\0{path.resolve()}", str(row.get("trial_index", ""))
            if index and seen.setdefault(index, number) != number:
                raise place.refused(
                    f"the trial {index} a second time (first in record {seen[index]}), and no `person`",
                    "give a file for each person, or name the person of each record in `person`",
                )
        if str(row.get("id") or "").strip():
            _add(found, row, trial_of(row, person, place))
    found.passed = tuple(passed)
    if not found.answers and not found.words:
        raise Place(path.name, 1).refused(
            "no trial has the `id` of an item", "write the id of each item into the data of its trial: data: {id: ...}"
        )
    return found


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if path.suffix.lower() != ".json":
        yield from records(path, ("trial_type",), "the data of jsPsych")
        return
    place = Place(path.name, 1)
    try:
        found = json_of(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise no_utf8(path) from None
    except (ValueError, RecursionError) as error:
        plain = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply, or half a character"
        what = f"no JSON: {plain}"
        raise place.refused(what, "a file that was cut off ends so: get it anew") from None
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise place.refused("no list of trials", "give what `jsPsych.data.get().json()` writes")
    yield from enumerate(found, 1)


def _add(found: Read, row: Mapping[str, Any], trial: Trial) -> None:
    place = trial.place
    if _list(row, "word") is not None:
        _plugin(row, place)
        _add_words(found, row, trial)
        return
    if str(row.get("word") or row.get("region") or "").strip():  # a row a word, which the page has made of it
        number, rt = cell(row, "word_number", place, whole), cell(row, "rt", place, milliseconds)
        if number is None or rt is None:
            raise place.refused("a word without `word_number` or `rt`", "give both, or leave the row out")
        found.words.append(Word(trial, number, str(row.get("region") or ""), str(row.get("word") or ""), rt))
        return
    shown = cell(_as_text(row, "options"), "options", place, options) or ()
    rt = cell(row, "rt", place, milliseconds)
    said = str(row.get("answer") or "").strip()
    if said:
        found.answers.append(Response(trial, said, shown=shown, rt=rt))
        return
    plugin, given = _plugin(row, place), _given(row)
    if given is None:  # a trial that ended without an answer
        return
    if plugin == "keyboard-response":
        code = place_in(given) if not _is(row, "response") else None  # up to version 6 a code, that of a capital letter
        found.answers.append(Response(trial, key=str(given) if code is None else chr(code).lower(), shown=shown, rt=rt))
    elif plugin in ("button-response", "survey-likert"):
        place_of = place_in(given)
        if place_of is None:
            raise place.refused(f"`{given}` is no place of an answer", "it is counted from 0 in `response`")
        found.answers.append(Response(trial, chosen=place_of, shown=shown, rt=rt))
    else:
        found.answers.append(Response(trial, str(given), shown=shown, rt=rt))


def _plugin(row: Mapping[str, Any], place: Place) -> str:
    """The end of the name of a trial's plug-in. Raises UsageError (E46) for one that is not known."""
    name, version = str(row.get("trial_type") or ""), str(row.get("plugin_version") or "")
    known = next((each for each in NEWEST if name.endswith(each)), None)
    if known is None:
        what = f"the data of the plug-in `{name}` are not known" if name else "no `answer`, and no `trial_type`"
        raise place.refused(what, _write_answer())
    major = version.partition(".")[0]
    if major.isdecimal() and int(major) > NEWEST[known]:
        what = f"the data of `{name}` {version} are not known, those up to {NEWEST[known]} are"
        raise place.refused(what, _write_answer())
    return known


def _write_answer() -> str:
    return "write the name of the answer into the data of the trial, under `answer`"


def _given(row: Mapping[str, Any]) -> Any:
    """What a plug-in wrote, of whatever version; of several questions of one trial the only one."""
    given = next(
        (row[name] for name in ("response", "button_pressed", "responses", "key_press") if _is(row, name)), None
    )
    if isinstance(given, str) and given.startswith("{"):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return given
    if isinstance(given, dict):
        given = next(iter(given.values())) if len(given) == 1 else None
    return None if given in ("", None) else given


def _is(row: Mapping[str, Any], name: str) -> bool:
    return row.get(name) not in ("", None, "null")


def place_in(given: Any) -> int | None:
    """A place from 0 on; None for anything else."""
    if isinstance(given, str) and given.isdecimal() and given.isascii() and len(given) < 6:
        return int(given)
    return given if isinstance(given, int) and not isinstance(given, bool) and given >= 0 else None


def _add_words(found: Read, row: Mapping[str, Any], trial: Trial) -> None:
    """The reading times of a trial of the contributed plug-in: lists of words and times. The first key uncovers the
    first word: its time is of no word."""
    words, times = _list(row, "word"), _list(row, "rt")
    if words is None or times is None or len(words) != len(times):
        raise trial.place.refused("the lists `word` and `rt` are not of one length", "export the data anew")
    number = 0
    for word, time in zip(words, times, strict=True):
        if word is None:
            continue
        if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time < float("inf"):
            raise trial.place.refused(f"`{time}` in `rt`", "a reading time is a number of milliseconds")
        number += 1
        found.words.append(Word(trial, number, "", str(word), float(time)))


def _list(row: Mapping[str, Any], name: str) -> list[Any] | None:
    value = row.get(name)
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, list) else None


def _as_text(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The cell as the JSON that stands in CSV."""
    value = row.get(name)
    return {name: json.dumps(value) if isinstance(value, list) else value}
