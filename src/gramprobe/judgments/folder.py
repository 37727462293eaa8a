"""The folder of judgments: `judgments.json`, `answers.parquet`, `times.parquet`, and what is made of them by item.

    write(judgments, folder)        folder = open_folder(Path("judgments")); folder.answers

A person is a code there. Of the dataset and the experiment it has the hashes, as a folder of scores has.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gramprobe import __version__
from gramprobe.folders import check_files, is_empty, read_record, read_table
from gramprobe.judgments.folder_check import contradictions
from gramprobe.judgments.join import Judgments
from gramprobe.judgments.record import (
    ANSWERS,
    PERSONS,
    RECORD,
    SAYS,
    TIMES,
    Entry,
    Excluded,
    Folder,
    answers_schema,
    times_schema,
)
from gramprobe.records import sha256_of

if TYPE_CHECKING:
    import pyarrow as pa


def answers_table(judgments: Judgments) -> pa.Table:
    """The answers as `answers_schema`, by person in the order in which they were given."""
    import pyarrow as pa

    rows = [
        {
            **_leading(each),
            "role": each.role,
            "answer": each.answer,
            "number": each.number,
            "expected": each.expected,
            "rt": each.rt,
            "excluded": each.excluded,
        }
        for each in judgments.answers
    ]
    return pa.Table.from_pylist(rows, answers_schema())


def times_table(judgments: Judgments) -> pa.Table:
    """The reading times as `times_schema`."""
    import pyarrow as pa

    rows = [
        {
            **_leading(each),
            "word_number": each.number,
            "region": each.region,
            "word": each.text,
            "rt": each.rt,
            "excluded": each.excluded,
        }
        for each in judgments.words
    ]
    return pa.Table.from_pylist(rows, times_schema())


def _leading(each: Any) -> dict[str, Any]:
    trial, item = each.trial, each.item
    return {
        "person": trial.person,
        "id": trial.id,
        "part": trial.part,
        "paradigm": item.paradigm if item else "",
        "instance": item.instance if item else "",
        "condition": item.condition if item else "",
        "list": trial.list,
        "position": trial.position,
    }


def is_judgments(place: Path) -> bool:
    """Whether a folder is one of judgments."""
    return (place / RECORD).is_file()


def open_folder(place: Path) -> Folder:
    """The judgments in a folder. Raises UsageError (E94) for one that is damaged, or contradicts its record."""
    if not is_judgments(place):
        raise SAYS.damaged(str(place / RECORD), "the file is missing: this is not a folder of judgments")
    entry = read_record(place / RECORD, Entry, SAYS)
    check_files(place, entry.files, RECORD, SAYS)
    tables = {}
    for name in (ANSWERS, TIMES, PERSONS):
        if name not in entry.files:
            raise SAYS.damaged(str(place / RECORD), f"it has no hash for `{name}`")
    if {*entry.rows} != {ANSWERS, TIMES}:
        raise SAYS.damaged(str(place / RECORD), f"`rows` is not of `{ANSWERS}` and `{TIMES}`")
    for name, schema in ((ANSWERS, answers_schema()), (TIMES, times_schema())):
        tables[name] = read_table(place / name, schema, "judgments", SAYS)
        if tables[name].num_rows != entry.rows.get(name):
            raise SAYS.damaged(str(place / RECORD), f"`rows` is not the number of rows of `{name}`")
    found = Folder(place, entry, tables[ANSWERS], tables[TIMES])
    for wrong in contradictions(found):
        raise SAYS.damaged(str(place / RECORD), wrong)
    return found


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of ``target`` when the block ends without an error.

    Raises what `SAYS` makes of a folder of something else: only judgments are replaced.
    """
    if target.exists() and not is_empty(target) and not is_judgments(target):
        raise SAYS.foreign(str(target))
    target = Path(os.path.realpath(target))
    new, old = (target.parent / f".{target.name}.{what}-{os.getpid()}" for what in ("new", "old"))
    new.mkdir(parents=True)
    try:
        yield new
        if target.exists():
            target.rename(old)
        new.rename(target)
    finally:
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)


def write(judgments: Judgments, folder: Path, experiment: str = "", texts: Mapping[str, str] | None = None) -> Entry:
    """Write the answers, the reading times, ``texts`` (name of a file -> what stands in it) and the record into a
    folder. ``experiment``: the hash of its record. Raises OSError."""
    import pyarrow.parquet as pq

    tables = {ANSWERS: answers_table(judgments), TIMES: times_table(judgments)}
    for name, table in tables.items():
        pq.write_table(table, folder / name, write_statistics=False)
    for name, text in (texts or {}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8", newline="")
    left = judgments.left_out
    said = judgments.rules.said()
    entry = Entry(
        format=1,
        gramprobe=__version__,
        dataset=judgments.items.name,
        sha256=judgments.items.sha256,
        experiment=experiment,
        kind=judgments.kind,
        values=list(judgments.values),
        persons=len(judgments.persons),
        kept=len({each.person for each in judgments.kept} | {each.trial.person for each in judgments.read}),
        answers=sum(each.item is not None for each in judgments.answers),
        counted=len(judgments.kept),
        rows={name: table.num_rows for name, table in tables.items()},
        excluded={
            name: Excluded(rule=said[name], people=people, answers=answers) for name, (people, answers) in left.items()
        },
        deviations=list(judgments.deviations),
        files={name: sha256_of(folder / name) for name in (*tables, *(texts or {}))},
    )
    text = json.dumps(msgspec.to_builtins(entry), indent=1, ensure_ascii=False) + "\n"
    (folder / RECORD).write_text(text, "utf-8")
    return entry
