"""What answers say of items, as files: norms by item, preferred readings, instances to veto, the released ratings.

Cells that a spreadsheet would run as formulas are escaped in files that people open; `preferences.csv` and veto lists
are read by `gramprobe build`, and stand as they are.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gramprobe.formats.tabular import guarded
from gramprobe.judgments.agreement import Counts, agreed
from gramprobe.judgments.files.ratings import PARTS
from gramprobe.judgments.join import Answers, Judged
from gramprobe.judgments.record import NORMS, PERSONS
from gramprobe.judgments.rules import caught, longest_runs

LEAST_AGREEMENT, LEAST_ANSWERS = 0.75, 4
"""Below these an instance is on the veto list: the rules of the papers that normed their items."""


def files(judgments: Answers) -> dict[str, str]:
    """Name of a file -> what stands in it."""
    found = {PERSONS: as_csv(persons(judgments))}
    if judgments.kept:
        found[NORMS] = as_csv(norms(judgments))
    preferred = [
        {"sentence": each.item.sentence, "reading": each.item.readings[each.answer], "person": each.person}
        for each in judgments.kept
        if each.item is not None and each.answer in each.item.readings
    ]
    if preferred:
        found["preferences.csv"] = as_csv(preferred, False)
    for paradigm, reasons in vetoes(judgments).items():
        rows = [{"instance": instance, "reason": reason} for instance, reason in reasons.items()]
        found[f"veto/{paradigm}.veto.tsv"] = as_csv(rows, False, "\t")
    rated = [each for each in judgments.kept if each.trial.part in PARTS.values() and each.number is not None]
    if rated:
        short = {part: name for name, part in PARTS.items()}
        types = {"s": "S", "control": "Sc", "f1": "F1", "f2": "F2"}
        released = []
        for each in rated:
            one, other = (types[name] for name in short[each.trial.part].split("_"))
            idx, who = each.trial.id, each.person
            released.append({"idx": idx, "stype": one, "ftype": other, "workerid": who, "response": each.number})
        found["ratings.csv"] = as_csv(released, False)
    return found


def counts_of(judgments: Answers, answers: Sequence[Judged]) -> Counts:
    """The counts of some answers; an item with parts is one for each part."""
    given = [each.answer if each.number is None else each.number for each in answers]
    return Counts.of([key(each) for each in answers], given, judgments.values)


def key(each: Judged) -> str:
    """What is one item: its id, with the part that was asked about."""
    return f"{each.trial.id}\t{each.trial.part}" if each.trial.part else each.trial.id


def norms(judgments: Answers) -> list[dict[str, Any]]:
    """A row for each item that was answered: how many answered it, the commonest answer with its share, the entropy of
    the shares in bits, the share of each name or the mean and standard deviation of ratings, and the mean time."""
    own: dict[str, list[Judged]] = {}
    for each in judgments.kept:
        own.setdefault(key(each), []).append(each)
    counts = counts_of(judgments, judgments.kept)
    rows = []
    for (name, answers), made, table in zip(own.items(), agreed(counts), counts.table, strict=True):
        item, first = answers[0].item, answers[0].trial
        assert item is not None and key(answers[0]) == name
        row: dict[str, Any] = {"id": first.id, "part": first.part, "paradigm": item.paradigm}
        row |= {"instance": item.instance, "condition": item.condition, "n": made.n}
        if judgments.kind == "rating":
            numbers = [each.number for each in answers]
            row["mean"] = float(np.mean(numbers))  # type: ignore[arg-type]
            row["sd"] = float(np.std(numbers, ddof=1)) if len(numbers) > 1 else None  # type: ignore[arg-type]
        else:
            row |= {f"share_{value}": float(n / made.n) for value, n in zip(counts.values, table, strict=True)}
        times = [each.rt for each in answers if each.rt is not None]
        row |= {"commonest": made.commonest, "agreement": made.share, "entropy": made.entropy}
        row["rt"] = float(np.mean(times)) if times else None
        rows.append(row)
    if not any(row["part"] for row in rows):
        rows = [{name: value for name, value in row.items() if name != "part"} for row in rows]
    return rows


def persons(judgments: Answers) -> list[dict[str, Any]]:
    """A row for each person: answers to items, and those that count, catch trials right, the longest run of equal
    answers, the median time in milliseconds, and the rule that leaves the person out."""
    right, runs = caught(judgments.answers), longest_runs(judgments.answers)
    own: dict[str, list[Judged]] = {}
    for each in judgments.answers:
        own.setdefault(each.person, []).append(each)
    rows = []
    for person in judgments.persons:
        mine = own.get(person, [])
        items = [each for each in mine if each.item is not None]
        times = [each.rt for each in items if each.rt is not None]
        why = {each.excluded for each in mine} - {"", "seconds"}
        rows.append(
            {
                "person": person,
                "answers": len(items),
                "counted": sum(not each.excluded for each in items),
                "catch_right": right[person][0] if person in right else None,
                "catch": right[person][1] if person in right else None,
                "longest_run": runs.get(person),
                "median_rt": float(np.median(times)) if times else None,
                "excluded": "".join(why),
            }
        )
    return rows


def vetoes(judgments: Answers) -> Mapping[str, Mapping[str, str]]:
    """Paradigm -> instance -> why it should not be built, by its first item of which that is so; nothing of ratings on
    more than two points, which have no answer that people could agree on to the point."""
    found: dict[str, dict[str, str]] = {}
    if (judgments.kind == "rating" and len(judgments.values) > 2) or not judgments.kept:
        return found
    items = {key(each): each.item for each in judgments.kept}
    counts = counts_of(judgments, judgments.kept)
    for name, made in zip(counts.items, agreed(counts), strict=True):
        item = items[name]
        assert item is not None
        reason = ""
        if made.n < LEAST_ANSWERS:
            reason = f"{made.n} of the {LEAST_ANSWERS} answers that are needed"
        elif made.share < LEAST_AGREEMENT:
            reason = f"{made.share:.0%} of {made.n} people agree, less than {LEAST_AGREEMENT:.0%}"
        if reason:
            place = f" ({item.condition})" if item.condition else ""
            found.setdefault(item.paradigm, {}).setdefault(item.instance, f"{reason}{place}")
    return found


def as_csv(rows: Iterable[Mapping[str, Any]], escaped: bool = True, delimiter: str = ",") -> str:
    """The rows below a heading; None is an empty cell. ``escaped``: with an apostrophe before a text that a spreadsheet
    would run."""
    out, rows = io.StringIO(), list(rows)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    if escaped:
        columns = {name: _guarded(values) for name, values in columns.items()}
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue()


def _guarded(values: list[Any]) -> list[Any]:
    if not all(value is None or isinstance(value, str) for value in values):
        return values
    import pyarrow as pa

    found: list[Any] = guarded(pa.array(values, pa.string())).to_pylist()
    return found
