"""Where rows stand and how many there are: ids, instances, conditions and tags of rows, held against what was drawn,
against the design, and against the numbers of the manifest.

    identity(row, phenomenon, paradigm, part)    what is wrong with one row
    Places(...).wrong(batch, split)              the same for all rows of a batch at once, and rows that are missing
    other_numbers(numbers, part, task)           what the manifest says otherwise
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gramprobe.decide.verdict import rests_on_trust
from gramprobe.items.task import Task
from gramprobe.records import in_headline

if TYPE_CHECKING:
    import pyarrow as pa

    from gramprobe.dataset.manifest import Design

Row = Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class Numbers:
    """The numbers of a paradigm's rows.

    Attributes:
        rows: how many there are.
        instances: how many instances they are of.
        answers: how often each answer stands in a column of the rows (labels; not of tasks with accounts).
        outside: rows out of headline scores, by tag.
        certificates: rows by kind of certificate.
        pattern: the ends of the ids of an instance's rows, in their order.
    """

    rows: int = 0
    instances: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    outside: Counter[str] = field(default_factory=Counter)
    certificates: Counter[str] = field(default_factory=Counter)
    pattern: tuple[str, ...] = ()

    def add(self, row: Row, task: Task, times: int = 1) -> None:
        """Count a row, or so many that are equal to it in these columns."""
        self.rows += times
        if task.form.claims is not None:
            self.certificates[row["certificate"]] += times
        for answer in task.answers_of_row(row):
            self.answers[answer] += times
        if not in_headline(row["tag"]):
            self.outside[row["tag"]] += times


def other_numbers(numbers: Numbers, part: Mapping[str, Any], task: Task) -> Iterator[str]:
    """The fields of a paradigm's entry in the manifest (``part``) that are not what its rows give."""
    expected: dict[str, Any] = {
        "instances": numbers.instances,
        "rows": numbers.rows,
        "outside": dict(sorted(numbers.outside.items())) or None,
    }
    if task.form.claims is not None:
        expected["certificates"] = dict(sorted(numbers.certificates.items()))
        expected["on_trust"] = sum(rows for kind, rows in numbers.certificates.items() if rests_on_trust(kind))
    if "labels" in part:  # tasks with accounts have their answers there
        expected["labels"] = dict(sorted(numbers.answers.items()))
        expected["pairs"] = part.get("pairs") if part.get("one_row_each") else len(numbers.pattern)
    if "repairs" in part:
        expected["repairs"] = dict(sorted(numbers.answers.items()))
    if part.get("equal_rows"):
        expected["equal_rows"] = numbers.instances * len(numbers.pattern) - numbers.rows
    return (key for key, value in expected.items() if part.get(key) != value)


def identity(row: Row, phenomenon: str, paradigm: str, part: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the columns that say where a row stands; ``part``: the paradigm's entry in the manifest."""
    expected = {
        "phenomenon": phenomenon,
        "paradigm": paradigm,
        "instance": ".".join(id_ for name, id_ in row["draws"].items() if "." not in name),
        "id": f"{phenomenon}/{paradigm}/{row['instance']}/{mark(row)}",
    }
    if "theory" in row:
        expected["theory"] = part["theory"]
    for column, value in expected.items():
        if row[column] != value:
            yield f"`{column}` is `{row[column]}` and should be `{value}`"


def mark(row: Row) -> str:
    """The end of a row's id, which is another in each row of an instance: its condition, and what may stand behind."""
    before = "/".join(str(row[name]) for name in ("phenomenon", "paradigm", "instance", "condition"))
    more = str(row["id"]).removeprefix(before)
    return str(row["condition"]) + (more if re.fullmatch(r"/\w+", more) else "")


def unlike_design(row: Row, design: Design, claimed: bool) -> Iterator[str]:
    """How a row contradicts the pairs of its design. ``claimed``: whether the author's claims are about its theory."""
    pairs = [pair for pair in design.pairs if row["condition"] in (pair.condition, pair.left)]
    own = next((pair for pair in pairs if pair.condition == row["condition"]), None)
    if pairs and row["tag"] not in [pair.tag for pair in pairs if own in (None, pair)]:
        yield f"`tag` is `{row['tag']}`, and its design says `{pairs[0].tag if own is None else own.tag}`"
    if design.labels is None:
        return
    if own is None:
        yield f"`condition` is `{row['condition']}`, and its design has no such pair"
        return
    claims = own.labels | ({} if own.label is None else {"name": own.label})
    for column, label in claims.items() if claimed else ():
        said = row.get(f"label_{column}")
        if said and said != label:
            yield f"`label_{column}` is `{said}`, and its design expects `{label}`"


@dataclass(slots=True)
class Places:
    """Checks the ids and instances of the rows of a paradigm, in batches of whole instances, and counts them.

    Attributes:
        part: the paradigm's entry in the manifest.
        numbers: gets the number of instances, and their pattern.
        known: the instances of earlier batches.
    """

    part: Mapping[str, Any]
    numbers: Numbers
    known: list[pa.Array] = field(default_factory=list)

    def wrong(self, batch: pa.RecordBatch, split: str) -> Iterator[tuple[int, str]]:
        """The number of a row in the batch, and what is wrong with it; empty if it is for `identity` to say."""
        import pyarrow as pa
        import pyarrow.compute as pc

        ids, instances, conditions = (batch.column(name) for name in ("id", "instance", "condition"))
        draws = [field.name for field in batch.schema.field("draws").type]
        words = [batch.column("draws").field(name) for name in draws if "." not in name]
        right = pc.equal(instances, pc.binary_join_element_wise(*words, ".")) if words else pc.equal(instances, "")
        start = [batch.column(name) for name in ("phenomenon", "paradigm")]
        marks, plain = conditions, pc.binary_join_element_wise(*start, instances, conditions, "/")
        if not pc.all(pc.equal(ids, plain)).as_py():
            more = pc.extract_regex(ids, r"(?P<more>/\w+)$").field("more")
            longer = pc.and_(pc.not_equal(ids, plain), pc.equal(ids, pc.binary_join_element_wise(plain, more, "")))
            marks = pc.if_else(longer, pc.binary_join_element_wise(conditions, more, ""), conditions)
            right = pc.and_(right, pc.or_(longer, pc.equal(ids, plain)))
        yield from ((at, "") for at in _where(pc.invert(right)))
        splits = batch.column("split")
        yield from (
            (at, f"`split` is `{splits[at]}` and should be `{split}`") for at in _where(pc.not_equal(splits, split))
        )
        own = pc.unique(instances)
        self.known.append(own)
        self.numbers.instances += len(own)
        self.numbers.pattern = tuple(dict.fromkeys((*self.numbers.pattern, *pc.unique(marks).to_pylist())))
        if pc.count_distinct(ids).as_py() < len(ids):
            first = pc.index_in(ids, value_set=ids)
            yield _where(pc.not_equal(first, pa.array(range(len(ids)), pa.int32())))[0], "its id stands twice"
        for name in (name for name in batch.schema.names if f"{name}_condition" in batch.schema.names):
            of = ["instance", f"{name}_condition", name]
            said = pa.Table.from_batches([batch.select(of)]).group_by(of).aggregate([])
            if said.group_by(of[:2]).aggregate([]).num_rows < said.num_rows:
                yield _unlike_others(batch.select(of).to_pylist()), f"`{name}` is another one elsewhere in its instance"
        each = 1 if self.part["one_row_each"] else len(self.numbers.pattern)
        if len(ids) != len(own) * each and "equal_rows" not in self.part:
            counts = pc.value_counts(instances).to_pylist()
            few = next(found for found in counts if found["counts"] != each)
            what = f"its instance has {few['counts']} rows, and others of its paradigm have {each}"
            yield pc.index(instances, few["values"]).as_py(), what

    def twice(self) -> str:
        """An instance that stands in two batches; empty if none does."""
        import pyarrow as pa
        import pyarrow.compute as pc

        every = pa.chunked_array(self.known, pa.string())
        if len(self.known) < 2 or pc.count_distinct(every).as_py() == len(every):
            return ""
        return str(next(each["values"] for each in pc.value_counts(every).to_pylist() if each["counts"] > 1))


def _where(mask: pa.Array) -> list[int]:
    import pyarrow.compute as pc

    found: list[int] = pc.indices_nonzero(pc.fill_null(mask, True)).to_pylist()
    return found


def _unlike_others(rows: Sequence[Row]) -> int:
    """The first row with another text than the first one of its instance and condition."""
    first: dict[tuple[str, ...], str] = {}
    texts = ((tuple(row.values())[:2], tuple(row.values())[2]) for row in rows)
    return next(at for at, (of, text) in enumerate(texts) if first.setdefault(of, text) != text)
