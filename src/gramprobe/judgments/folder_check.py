"""Hold a folder of judgments against itself and against its dataset: nothing in it may contradict the rest of it.

Whether people gave these answers nobody can check here. But whom its rules leave out, the numbers of its record and the
files by item follow from the answers, and a forger of one of them would be found in no table.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import TWO_WAY
from gramprobe.judgments import by_item
from gramprobe.judgments.answers import Trial
from gramprobe.judgments.items import Item, items_of
from gramprobe.judgments.join import EXPERIMENTAL, Answers, Judged, number_of
from gramprobe.judgments.record import PERSONS, Folder
from gramprobe.judgments.rules import SECONDS, Rules, people_left_out
from gramprobe.source.messages.judgments import Place

if TYPE_CHECKING:
    import pyarrow as pa

    from gramprobe.dataset.read import Dataset

OF_DATASET = ("preferences.csv",)
"""Files by item that take more than the answers: the sentences."""
OF_PAGE = ("longest_run",)
"""Columns of `persons.csv` that take more than the answers: where each stood on the screen."""
CLOSE = 1e-5
"""How far a number may be from that of the answers, by its size: sums differ between machines, and a rule is written
with six digits."""


def contradictions(folder: Folder) -> Iterator[str]:
    """What in a folder contradicts the answers and times in it, as clauses. Each takes what was yielded before it to be
    in order, so that a reader stops at the first."""
    yield from _record(folder)
    for table in (folder.answers, folder.times):
        yield from _rows(table)
    yield from _answers(folder)
    rows = folder.answers.to_pylist()
    given = Answers(
        kind=folder.entry.kind,
        values=tuple(folder.entry.values),
        answers=tuple(_judged(row, folder) for row in rows),
        words=(),
        rules=_rules(folder),
        persons=tuple(_column(folder, "person")),
    )
    yield from _left_out(folder, given)
    yield from _files(folder, given)


def against(folder: Folder, dataset: Dataset) -> Iterator[str]:
    """What in the answers and times contradicts the dataset that they are of, as clauses."""
    from gramprobe.score.source import DatasetSource

    places = {
        place
        for table in (folder.answers, folder.times)
        for place in _cells(table, "id", "part", "paradigm", "instance", "condition")
        if place[2]
    }
    answered = {*folder.answers.column("id").to_pylist()}  # of others there are times alone
    items, kind = items_of(DatasetSource(dataset), {id_ for id_, *_ in places}), folder.entry.kind
    for id_, part, *place in sorted(places):
        item = items.by_id.get(id_)
        if item is None:
            yield f"its dataset has no item `{id_}`"
            continue
        if place != [item.paradigm, item.instance, item.condition]:
            yield f"`{id_}` is not of {', '.join(place)}"
        if part and not folder.entry.experiment and part not in items.parts(id_):
            yield f"`{id_}` has no part `{part}`"
        if id_ not in answered:
            continue
        asked = {"label": items.labels, "option": items.options}.get(kind)
        if asked is not None and not asked(id_):
            yield f"answers are of the kind `{kind}`, and `{id_}` is not of a task with these"
        if kind == "option" and not set(items.options(id_)) <= {*folder.entry.values}:
            yield f"`values` has not the options of `{id_}`"


def _record(folder: Folder) -> Iterator[str]:
    """The numbers of the record, and its kind of answers."""
    import pyarrow.compute as pc

    entry, answers, counted = folder.entry, folder.answers, folder.counted
    to_items = answers.filter(pc.not_equal(answers.column("paradigm"), ""))
    everybody, kept = (
        {person for table in tables for person in table.column("person").to_pylist()}
        for tables in ((answers, folder.times), (counted, folder.read))
    )
    if not entry.dataset or not entry.gramprobe or not re.fullmatch(r"([0-9a-f]{64})?", entry.experiment):
        yield "a name or a version is empty, or `experiment` is no hash"
    if not all(entry.deviations) or (entry.deviations and not entry.experiment):
        yield "it names deviations from no experiment, or one without a word"
    for name, rows in (("answers", to_items.num_rows), ("counted", counted.num_rows), ("kept", len(kept))):
        if getattr(entry, name) != rows:
            yield f"`{name}` is {getattr(entry, name):,}, and its answers and times give {rows:,}"
    listed = {*_column(folder, "person")}
    if entry.persons != len(listed) or not everybody <= listed:
        yield f"`persons` is {entry.persons:,}, or a person with answers is not in `{PERSONS}`"
    wrong = any(isinstance(value, str) == (entry.kind == "rating") for value in entry.values)
    if wrong or (entry.kind == "label" and tuple(entry.values) not in (LABELS, TWO_WAY)):
        yield f"`values` are no answers of the kind `{entry.kind}`: {', '.join(map(str, entry.values))}"
    said = {*to_items.column("number" if entry.kind == "rating" else "answer").to_pylist()}
    if not said <= {*entry.values}:
        yield f"`values` has not the answer `{min(map(str, said - {*entry.values}))}`"
    ratings = [value for value in entry.values if isinstance(value, float)]
    if len({*entry.values}) < len(entry.values) or ratings != sorted(ratings):
        yield "`values` has an answer twice, or ratings out of order"
    if entry.kind in ("rating", "name") and not entry.experiment and len(said) < len(entry.values):
        yield "`values` has an answer that nobody gives, and no experiment has a scale"


def _rows(table: pa.Table) -> Iterator[str]:
    """The cells of a row beside each other, and rows beside each other."""
    every = [name for name in table.column_names if name not in ("position", "number", "rt")]
    if any(table.column(name).null_count for name in every):
        yield "a cell that every row has is empty"
    for id_, *place in _cells(table, "id", "paradigm", "instance", "condition"):
        if place[0] and not id_.partition("/")[2].startswith("/".join(place)):
            yield f"`{id_}` is not of {', '.join(place)}"
            break
    if not all(0 <= rt < math.inf for rt in table.column("rt").to_pylist() if rt is not None):
        yield "a time is below 0, or no number"
    counts = [name for name in ("position", "word_number") if name in table.column_names]
    if any(number is not None and number < 0 for name in counts for number in table.column(name).to_pylist()):
        yield "a place is below 0"
    keys = ("person", "id", "part", *counts[1:])
    if len(_cells(table, *keys)) < table.num_rows:
        yield "somebody answers an item, or reads a word, twice"


def _answers(folder: Folder) -> Iterator[str]:
    """What an answer is, and to what."""
    rating = folder.entry.kind == "rating"
    rows = _cells(folder.answers, "role", "paradigm", "answer", "number")
    if any((role == EXPERIMENTAL) != bool(paradigm) for role, paradigm, *_ in rows):
        yield f"an answer to an item has not the role `{EXPERIMENTAL}`, or another has"
    if not folder.entry.experiment and _cells(folder.answers, "role", "expected") - {(EXPERIMENTAL, "")}:
        yield "a role or a right answer is that of an experiment, and there is none"
    if not rating and any(paradigm and number is not None for _, paradigm, _, number in rows):
        yield f"an answer has a number, and answers are of the kind `{folder.entry.kind}`"
    if any(number is not None and number_of(answer) != number for _, _, answer, number in rows):
        yield "an answer has another number than it says"


def _left_out(folder: Folder, given: Answers) -> Iterator[str]:
    """Who and what the rules leave out."""
    entry = folder.entry
    if given.rules.said() != {name: each.rule for name, each in entry.excluded.items()}:
        yield "`excluded` names a rule that there is not, or says it otherwise"
        return
    for name, (people, answers) in given.left_out.items():
        if (entry.excluded[name].people, entry.excluded[name].answers) != (people, answers):
            yield "`excluded` has not the people and answers that its rules leave out"
    runs = zip(given.persons, _column(folder, "longest_run"), strict=True)
    out = people_left_out(given.answers, given.rules, {person: number_of(run) or 0 for person, run in runs})
    for each in given.answers:
        if each.excluded not in _by_rules(each, out.get(each.person, ""), given.rules):
            yield f"an answer of `{each.person}` is left out, or counts, against the rules"
    wrong = (person for person, why in _cells(folder.times, "person", "excluded") if why != out.get(person, ""))
    yield from (f"a time of `{person}` is left out, or counts, against the rules" for person in wrong)


def _by_rules(each: Judged, out: str, rules: Rules) -> set[str]:
    """The rules that may leave an answer out; `out`: the one that leaves out its person."""
    if out or rules.seconds is None or each.rt is None:
        return {out}
    seconds, (low, high) = each.rt / 1000, rules.seconds
    edge = any(math.isclose(seconds, end, rel_tol=CLOSE) for end in (low, high))
    return {"", SECONDS} if edge else {"" if low <= seconds <= high else SECONDS}


def _rules(folder: Folder) -> Rules:
    """The rules that a record says in words; those that cannot be read are none."""
    found: dict[str, Any] = {}
    for name, each in folder.entry.excluded.items():
        numbers = re.findall(r"[\d.]+(?:e[+-]?\d+)?", each.rule)
        values = [number for text in numbers if (number := number_of(text)) is not None]
        if name == SECONDS and len(values) == 2:
            found[name] = values[0], values[1]
        elif name in Rules._fields and name != SECONDS and len(values) == 1:
            found[name] = int(values[0])
    return Rules(**found)


def _files(folder: Folder, given: Answers) -> Iterator[str]:
    """The files by item and by person."""
    made = by_item.files(given)
    listed = {name for name in folder.entry.files if not name.endswith(".parquet")} - {*OF_DATASET}
    for name in sorted(made.keys() ^ listed):
        yield f"its answers give `{name}`, or it has this file and they do not"
    for name, text in made.items():
        if not _same(_read(text, name), _table(folder, name)):
            yield f"`{name}` is not what its answers give"


def _table(folder: Folder, name: str) -> list[dict[str, str]]:
    return _read((folder.place / name).read_text("utf-8", "replace"), name)


def _column(folder: Folder, name: str) -> list[str]:
    """What `persons.csv` has in a column, a text a row; empty where it has no such cell."""
    return [row.get(name) or "" for row in _table(folder, PERSONS)]


def _read(text: str, name: str) -> list[dict[str, str]]:
    """The rows of a table; a cell too many is called by None, one too few is None."""
    try:
        return list(csv.DictReader(io.StringIO(text), delimiter="\t" if name.endswith(".tsv") else ","))
    except csv.Error:
        return []


def _same(ours: Sequence[Mapping[str, Any]], theirs: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two tables have the same columns and cells, numbers nearly so."""
    if len(ours) != len(theirs):
        return False
    return all(
        list(one) == list(other) and all(_alike(one[key], other[key]) for key in one if key not in OF_PAGE)
        for one, other in zip(ours, theirs, strict=True)
    )


def _alike(one: object, other: object) -> bool:
    if one == other or not isinstance(one, str) or not isinstance(other, str):
        return one == other
    numbers = number_of(one), number_of(other)
    return None not in numbers and math.isclose(*numbers, rel_tol=CLOSE, abs_tol=CLOSE)  # type: ignore[arg-type]


def _judged(row: Mapping[str, Any], folder: Folder) -> Judged:
    """An answer as it was before it was written, but for where it stood on the screen and in a file."""
    place = Place(str(folder.place), 0)
    trial = Trial(row["person"], row["id"], row["list"], row["position"], row["part"], place)
    item = Item(row["id"], row["paradigm"], row["instance"], row["condition"], 0) if row["paradigm"] else None
    return Judged(
        trial, item, row["role"], folder.entry.kind, row["answer"], row["number"], row["rt"], row["answer"],
        row["expected"], row["excluded"],
    )  # fmt: skip


def _cells(table: pa.Table, *names: str) -> set[tuple[Any, ...]]:
    """What the rows have in some columns, each combination once."""
    columns: Iterable[list[Any]] = [table.column(name).to_pylist() for name in names]
    return set(zip(*columns, strict=True))
