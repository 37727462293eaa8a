"""What stands in a folder of judgments: its record, and the columns of its answers and reading times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gramprobe.judgments.join import Kind
from gramprobe.records import Count, Record, Sha256
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
