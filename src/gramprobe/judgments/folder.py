"""The folder of judgments: `judgments.json`, `answers.parquet`, `times.parquet`, and what is made of them by item.

    write(judgments, folder)        folder = open_folder(Path("judgments")); folder.answers

A person is a code there. Of the dataset and the experiment it has the hashes, as a folder of scores has.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from gramprobe import __version__
from gramprobe.certify.rule import LABELS
from gramprobe.folders import check_files, is_empty, read_record, read_table
from gramprobe.formats.nli import TWO_WAY
from gramprobe.judgments.join import EXPERIMENTAL, Judgments, Kind
from gramprobe.records import Count, Record, Sha256, sha256_of
from gramprobe.source import messages

if TYPE_CHECKING:
    import pyarrow as pa

RECORD, ANSWERS, TIMES, NORMS, PERSONS = (
    "judgments.json", "answers.parquet", "times.parquet", "items.csv", "persons.csv",
)  # fmt: skip
SAYS = messages.folders.JUDGMENTS


class Excluded(Record, frozen=True, kw_only=True):
    """What a rule leaves out: `people` as a whole, and `answers`, theirs and others. `rule`: in words."""

    rule: str
    people: Count
    answers: Count


class Entry(Record, frozen=True, kw_only=True):
    """The file `judgments.json`.

    `dataset`, `sha256`: the name of the dataset and the hash of its manifest. `experiment`: the hash of its
    `experiment.json`, empty where none was given. `kind`: what an answer is: a `label`, an `option`, a `rating` or
    another `name`. `values`: the answers, in order. `persons`, `kept`: people, and those of whom an answer counts.
    `answers`, `counted`: answers to items, and those that count. `rows`: of the two Parquet files. `excluded`: by rule.
    `deviations`: where the data are not what the experiment planned.
    """

    format: Literal[1]
    gramprobe: str
    dataset: str
    sha256: Sha256
    experiment: str
    kind: Kind
    values: list[str | float]
    persons: Count
    kept: Count
    answers: Count
    counted: Count
    rows: dict[str, Count]
    excluded: dict[str, Excluded]
    deviations: list[str]
    files: dict[str, Sha256]


def _schema(own: Sequence[tuple[str, Any]]) -> pa.Schema:
    import pyarrow as pa

    texts = ("person", "id", "part", "paradigm", "instance", "condition", "list")
    fields = [*((name, pa.string()) for name in texts), ("position", pa.int32()), *own, ("excluded", pa.string())]
    return pa.schema(fields)


def answers_schema() -> pa.Schema:
    """The columns of `answers.parquet`: `answer` is a name or, as `number` too, a rating; `rt` is in milliseconds;
    `role` is `experimental`, `filler` or `catch`; `excluded` the rule that leaves the row out, empty in one that
    counts. Fillers and catch trials have no paradigm."""
    import pyarrow as pa

    texts, numbers = pa.string(), pa.float64()
    own = [("role", texts), ("answer", texts), ("number", numbers), ("expected", texts), ("rt", numbers)]
    return _schema(own)


def times_schema() -> pa.Schema:
    """The columns of `times.parquet`: `word_number` counts from 1, `rt` is in milliseconds."""
    import pyarrow as pa

    own = [("word_number", pa.int32()), ("region", pa.string()), ("word", pa.string()), ("rt", pa.float64())]
    return _schema(own)


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


@dataclass(frozen=True)
class Folder:
    """A folder of judgments that was read. Excluded answers, and those to fillers and catch trials, are in `answers`,
    and not in `counted`."""

    place: Path
    entry: Entry
    answers: pa.Table
    times: pa.Table

    @property
    def counted(self) -> pa.Table:
        """The answers to items that count."""
        return _counted(self.answers)

    @property
    def read(self) -> pa.Table:
        """The reading times that count."""
        return _counted(self.times)


def _counted(table: pa.Table) -> pa.Table:
    import pyarrow.compute as pc

    return table.filter(pc.and_(pc.equal(table.column("excluded"), ""), pc.not_equal(table.column("paradigm"), "")))


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
    for name, schema in ((ANSWERS, answers_schema()), (TIMES, times_schema())):
        tables[name] = read_table(place / name, schema, "judgments", SAYS)
        if tables[name].num_rows != entry.rows.get(name):
            raise SAYS.damaged(str(place / RECORD), f"`rows` is not the number of rows of `{name}`")
    found = Folder(place, entry, tables[ANSWERS], tables[TIMES])
    for wrong in _contradictions(found):
        raise SAYS.damaged(str(place / RECORD), wrong)
    return found


def _contradictions(folder: Folder) -> Iterator[str]:
    """What in the record contradicts the answers and times beside it, as clauses."""
    import pyarrow.compute as pc

    entry, answers, counted = folder.entry, folder.answers, folder.counted
    to_items = answers.filter(pc.not_equal(answers.column("paradigm"), ""))
    everybody, kept = (
        {person for table in tables for person in table.column("person").to_pylist()}
        for tables in ((answers, folder.times), (counted, folder.read))
    )
    for name, rows in (("answers", to_items.num_rows), ("counted", counted.num_rows), ("kept", len(kept))):
        if getattr(entry, name) != rows:
            yield f"`{name}` is {getattr(entry, name):,}, and `{ANSWERS}` and `{TIMES}` give {rows:,}"
    text = (folder.place / PERSONS).read_text("utf-8", "replace")
    listed = {line.partition(",")[0] for line in text.splitlines()[1:]}
    if entry.persons != len(listed) or not everybody <= listed:
        yield f"`persons` is {entry.persons:,}, or a person with answers is not in `{PERSONS}`"
    left = Counter(answers.column("excluded").to_pylist())
    if any(each.answers != left[rule] for rule, each in entry.excluded.items()) or left.keys() - {"", *entry.excluded}:
        yield "`excluded` has not the answers that its rules leave out"
    wrong = any(isinstance(value, str) == (entry.kind == "rating") for value in entry.values)
    if wrong or (entry.kind == "label" and tuple(entry.values) not in (LABELS, TWO_WAY)):
        yield f"`values` are no answers of the kind `{entry.kind}`: {', '.join(map(str, entry.values))}"
    said = {*to_items.column("number" if entry.kind == "rating" else "answer").to_pylist()} - {None}
    if not said <= {*entry.values}:
        yield f"`values` has not the answer `{min(map(str, said - {*entry.values}))}`"
    if entry.kind != "rating" and to_items.column("number").null_count < to_items.num_rows:
        yield f"an answer has a number, and answers are of the kind `{entry.kind}`"
    if any((role == EXPERIMENTAL) != bool(of) for role, of in _cells(answers, "role", "paradigm")):
        yield f"an answer to an item has not the role `{EXPERIMENTAL}`, or another has"
    for table in (answers, folder.times):
        for id_, *place in _cells(table, "id", "paradigm", "instance", "condition"):
            if place[0] and not id_.partition("/")[2].startswith("/".join(place)):
                yield f"`{id_}` is not of {', '.join(place)}"
                break
        if not all(0 <= rt < math.inf for rt in table.column("rt").to_pylist() if rt is not None):
            yield "a time is below 0, or no number"


def _cells(table: pa.Table, *names: str) -> set[tuple[str, ...]]:
    """What the rows have in some columns of texts, each combination once."""
    return set(zip(*(table.column(name).to_pylist() for name in names), strict=True))


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
