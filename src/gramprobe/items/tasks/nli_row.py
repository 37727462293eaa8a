"""The columns of a row with a label (`nli`), held against each other and against the row's certificate.

What `verify` asks of each row where the source files are not at hand, or give other rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from gramprobe.certify.rule import FAILURE, LABELS, label_of_row, strawson_of
from gramprobe.items.task import Evidence
from gramprobe.records import MEASURES

ENTRY = ("premise", "hypothesis", "column", "label", "shape")
"""The fields of an entry of the column `labels`."""
COLUMNS = ("literal", "pragmatic", "imppres")
"""The columns in which a pair is decided (`items.label`)."""


def by_readings(entries: Sequence[Sequence[str]]) -> str | dict[str, str]:
    """The label that entries share; else the label of each pair of readings, by their ids: `both > not => every > a`,
    the id of one side where the other has a single reading."""
    labels = {" => ".join(filter(None, entry[:2])): label_of_row(entry[3]) for entry in entries}
    distinct = set(labels.values())
    return distinct.pop() if len(distinct) == 1 else labels


def problems(row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
    """What is wrong with a row, a clause for each problem."""
    yield from _label(row)
    yield from _unlike_measures(row)
    condition = f"{row['premise_condition']}-{row['hypothesis_condition']}"
    if row["condition"] != condition:
        yield f"`condition` is `{row['condition']}` and should be `{condition}`"
    shapes, wrong = _entries(row["labels"], evidence)
    yield from wrong
    if row["shape"] not in shapes:
        yield "no entry of `labels` has the row's own shape"
    if not wrong:
        yield from _strengthened(row)
        yield from _by_theory(row)
        if evidence.before:
            yield from _unlike_before(row, evidence.before)
    line = evidence.line(row["shape"])
    if line is None:
        if not evidence.is_rejected(row["shape"]):
            yield f"no certificate has its shape `{row['shape']}`"
        return
    wrong_formulas = evidence.wrong_formulas(row["premise_form"], row["hypothesis_form"], row["shape"])
    if wrong_formulas:
        yield wrong_formulas
    yield from _against(row, line)


def _label(row: Mapping[str, Any]) -> Iterator[str]:
    """How the columns of the label contradict each other."""
    name = row["label_name"]
    number, binary = (LABELS.index(name), int(name == LABELS[0])) if name in LABELS else (None, None)
    if name not in (*LABELS, ""):
        yield f"`{name}` is no label"
    elif row["label"] != number:
        yield f"`label` is {row['label']} and should be {number}, as `label_name` is {name}"
    if row["label_binary"] != binary:
        yield f"`label_binary` is {row['label_binary']} and should be {binary}, as `label_name` is {name}"


def _unlike_measures(row: Mapping[str, Any]) -> Iterator[str]:
    """How the columns of what people do contradict each other: each has one part for each study."""
    rates, numbers, sources = (row[name].split("; ") if row[name] else [] for name in MEASURES)
    if not len(rates) == len(numbers) == len(sources):
        yield f"`{'`, `'.join(MEASURES)}` are of {len(rates)}, {len(numbers)} and {len(sources)} studies"
    try:
        wrong = [rate for rate in rates if not 0 <= float(rate) <= 100]
    except ValueError:
        wrong = rates
    if wrong:
        yield f"`si_rate` is `{row['si_rate']}`: these are no percents"


def _entries(text: str, evidence: Evidence) -> tuple[list[str], list[str]]:
    """The shapes that the column `labels` names, and the problems of that column."""
    entries = _entries_in(text)
    if entries is None:
        return [], ["`labels` is no canonical JSON of pairs of readings"]
    wrong = []
    for entry in entries:
        line = evidence.line(entry["shape"])
        if line is None:
            if not evidence.is_rejected(entry["shape"]):
                wrong.append(f"no certificate has the shape `{entry['shape']}` in `labels`")
        elif entry["label"] != (line["label"] or "entailment"):
            wrong.append(f"`labels` says {entry['label']} of a shape whose label is {line['label']}")
    places = [(e["premise"], e["hypothesis"], e["column"]) for e in entries]
    if len(set(places)) < len(places):
        wrong.append("`labels` has one pair of readings twice")
    elif len({tuple(place[:2] for place in places if place[2] == column) for column in _columns(entries)}) > 1:
        wrong.append("`labels` has other pairs of readings in one column than in another")
    return [entry["shape"] for entry in entries], wrong


@lru_cache(maxsize=1 << 12)
def _canonical(text: str) -> Any:
    """The data of a text of canonical JSON; None if it is something else."""
    try:
        data = json.loads(text)
        written = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    except (ValueError, RecursionError):
        return None
    return data if written == text else None


@lru_cache(maxsize=1 << 12)
def _entries_in(text: str) -> list[dict[str, str]] | None:
    """The entries of the column `labels`; None if the text is not canonical JSON of entries."""
    entries = _canonical(text)
    if type(entries) is not list or not entries:
        return None
    for entry in entries:
        if type(entry) is not dict or tuple(entry) != ENTRY or any(type(v) is not str for v in entry.values()):
            return None
    return entries


def _strengthened(row: Mapping[str, Any]) -> Iterator[str]:
    """Check the columns `label_literal`, `label_pragmatic` and `label_imppres` against the entries of `labels`.

    Each must be a label that some reading has in that column; a column without entries is empty; and the row's own
    label, if it has one, is that of a column in which its shape was decided.
    """
    entries = _entries_in(row["labels"]) or []
    for column in COLUMNS:
        label = row[f"label_{column}"]
        labels = {label_of_row(e["label"]) for e in entries if e["column"] == column}
        if labels and label not in labels:
            yield f"`label_{column}` is `{label}`, and no reading has this label in `labels`"
        elif not labels and label:
            yield f"`label_{column}` is `{label}`, and `labels` has no reading in that column"
    unlike = {
        (entry["premise"], entry["hypothesis"])
        for entry in entries
        if entry["column"] in COLUMNS and label_of_row(entry["label"]) != row[f"label_{entry['column']}"]
    }
    if all((entry["premise"], entry["hypothesis"]) in unlike for entry in entries):
        yield "no pair of readings has its labels in all columns"
    if not row["label_name"]:
        return
    own = [e for e in entries if e["shape"] == row["shape"] and row["label_name"] == label_of_row(e["label"])]
    if own and all(e["column"] not in COLUMNS or row[f"label_{e['column']}"] != row["label_name"] for e in own):
        yield "`label_name` is the label of no column in which its shape was decided"


def _by_theory(row: Mapping[str, Any]) -> Iterator[str]:
    """Check the column `labels_by_theory` against the entries of `labels`: each theory has the label of its entries,
    the row's own theory that of the column in which its shape was decided."""
    entries = _entries_in(row["labels"]) or []
    known: dict[str, list[dict[str, str]]] = {}
    for entry in entries:
        known.setdefault(entry["column"], []).append(entry)
    others = [name for name in known if name not in COLUMNS]
    own = [known[entry["column"]] for entry in entries if entry["shape"] == row["shape"] and entry["column"] in COLUMNS]
    said = _canonical(row["labels_by_theory"] or "{}")
    if type(said) is not dict or not set(others) <= said.keys() <= {*others, row["theory"]}:
        yield "`labels_by_theory` is not of the theories of `labels` and the row's own"
        return
    for name, label in said.items():
        given = [known[name]] if name in others else own
        if label not in [by_readings([tuple(entry.values()) for entry in each]) for each in given]:
            yield f"`labels_by_theory` says {label} of {name}, and `labels` does not"


def _unlike_before(row: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[str]:
    """Check that the columns and theories of a row are those of the row before it: they are those of its paradigm."""
    if len({_columns(_entries_in(each["labels"]) or ()) for each in (row, before)}) > 1:
        yield "`labels` is of other columns than that of the row before it"
    one, other = (_canonical(each["labels_by_theory"] or "{}") for each in (row, before))
    if type(other) is dict and list(one) != list(other):
        yield "`labels_by_theory` is of other theories than that of the row before it"


def _columns(entries: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry["column"] for entry in entries))


def _against(row: Mapping[str, Any], line: Mapping[str, Any]) -> Iterator[str]:
    """Check the columns that follow from the row's certificate."""
    label = "label_name" if row["label_name"] else "label_literal"  # in a graded set the literal reading was decided
    expected = {
        label: label_of_row(line["label"]),
        "label_strawson": label_of_row(strawson_of(line["h_values"]) or ""),
        "label_via": "failure" if line["label"] == FAILURE else "",
        "h_values": line["h_values"],
        "certificate": line["kind"],
    }
    for column, value in expected.items():
        if row[column] != value:
            yield f"`{column}` is `{row[column]}`, and its certificate says `{value}`"
    needs = line["rests_on"] or ()
    if row["rests_on"] and not needs:
        yield "`rests_on` names principles, and its certificate does not"
    if not row["rests_on"] and any(need["model"] is not None for need in needs):
        yield "`rests_on` is empty, and its certificate names principles"
    if not line["findings"]:
        return
    from gramprobe.decide.narrative import settled_by_story

    if not settled_by_story(row["premise_form"], tuple(line["findings"])):
        yield f"its certificate says: {', '.join(line['findings'])}; no such pair is in a dataset"
