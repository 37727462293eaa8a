"""Rows against certificates: that label, shape, theory and formulas of each row belong together, without any source."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from gramprobe.dataset.verify.certificates import Certificate, Certificates
from gramprobe.dataset.verify.formulas import Formulas
from gramprobe.dataset.verify.problems import Problems, Say
from gramprobe.dataset.verify.stories import settled_by_a_story
from gramprobe.dataset.verify.text import LONGEST_ROW, Malformed, compact, lines
from gramprobe.items.schema import LABELS, NLI
from gramprobe.items.trust import rests_on_trust
from gramprobe.resolve.paradigm.data import COLUMNS

ENTRY = ("premise", "hypothesis", "column", "label", "shape")
"""The fields of an entry of the column `labels`."""
_NO_TEXTS = ("label", "label_binary", "draws")


@dataclass(slots=True)
class Counted:
    """What the rows of a paradigm add up to, and the instances in their order, each with the line of its first row."""

    rows: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    certificates: Counter[str] = field(default_factory=Counter)
    instances: dict[str, int] = field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    sound: bool = True  # every line is an item


def _no_item(row: Mapping[str, Any] | Malformed) -> str:
    """Why a line is no item; nothing: the empty text."""
    if isinstance(row, Malformed):
        return str(row)
    texts = all(type(value) is str for column, value in row.items() if column not in _NO_TEXTS)
    numbers = all(type(row.get(column)) is int for column in ("label", "label_binary"))
    if tuple(row) == NLI and texts and numbers and type(row["draws"]) is dict:
        return "" if all(type(drawn) is str for drawn in row["draws"].values()) else "`draws` is no object of texts"
    return "it has not the columns of an item, in their order and of their types"


class Items:
    """Checks the rows of one paradigm (`name`: the file they are in)."""

    def __init__(
        self,
        name: str,
        phenomenon: str,
        paradigm: str,
        part: Mapping[str, Any],
        certificates: Certificates,
        problems: Problems,
        defined: frozenset[str] | None = None,
    ) -> None:
        self.name, self.phenomenon, self.paradigm, self.part = name, phenomenon, paradigm, part
        self.certificates, self.problems = certificates, problems
        self.counted = Counted()
        self._instance: list[str] = []
        self._now = ""
        self._formulas = Formulas(defined)
        self._entries = lru_cache(maxsize=1 << 12)(self._read_entries)

    def check(self, file: Path, say: Say) -> Counted:
        """All rows; what they count up to. Raises OSError."""
        for number, row in lines(file, LONGEST_ROW):
            wrong = _no_item(row)
            if isinstance(row, Malformed) or wrong:
                self.problems.add("E50", self.name, wrong, number)
                self.counted.sound = False
                continue
            for reason in self._wrong(number, row):
                self.problems.add("E52", self.name, reason, number, row["id"])
            if number % 10_000 == 0:
                say(f"{self.paradigm}: {number:,} rows")
        if not self.counted.rows and self.counted.sound:
            self.problems.add("E50", self.name, "it has no rows")
            self.counted.sound = False
        self._ended(0)
        self._counts()
        return self.counted

    # -- one row

    def _wrong(self, number: int, row: Mapping[str, Any]) -> Iterator[str]:
        self._place(number, row)
        yield from self._identity(row)
        yield from self._label(row)
        yield from self._readings(row)
        line = self.certificates.by_shape.get(row["shape"])
        if line is None:
            if row["shape"] not in self.certificates.rejected:
                yield f"no certificate has its shape `{row['shape']}`"
            return
        self.certificates.used.add(row["shape"])
        wrong = self._formulas.wrong(row["premise_form"], row["hypothesis_form"], line)
        if wrong:
            yield wrong
        yield from _against(row, line)

    def _identity(self, row: Mapping[str, Any]) -> Iterator[str]:
        expected = {
            "phenomenon": self.phenomenon,
            "paradigm": self.paradigm,
            "theory": self.part["theory"],
            "condition": f"{row['premise_condition']}-{row['hypothesis_condition']}",
            "instance": ".".join(row["draws"].values()),
            "id": f"{self.phenomenon}/{self.paradigm}/{row['instance']}/{row['condition']}",
            "split": split_of(self.part["splits"], self.counted.rows),
        }
        for column, value in expected.items():
            if row[column] != value:
                yield f"`{column}` is `{row[column]}` and should be `{value}`"

    def _label(self, row: Mapping[str, Any]) -> Iterator[str]:
        name = row["label_name"]
        if name not in LABELS:
            yield f"`{name}` is no label"
        elif row["label"] != LABELS.index(name):
            yield f"`label` is {row['label']} and should be {LABELS.index(name)}, as `label_name` is {name}"
        binary = int(name == LABELS[0])
        if row["label_binary"] != binary:
            yield f"`label_binary` is {row['label_binary']} and should be {binary}, as `label_name` is {name}"
        self.counted.labels[name] += 1
        self.counted.certificates[row["certificate"]] += 1

    def _readings(self, row: Mapping[str, Any]) -> Iterator[str]:
        shapes, wrong = self._entries(row["labels"])
        self.certificates.used.update(shapes)
        yield from wrong
        if row["shape"] not in shapes:
            yield "no entry of `labels` has the row's own shape"
        yield from _columns(row, wrong)

    def _read_entries(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The shapes that the column `labels` names, and what is wrong with it."""
        try:
            entries = json.loads(text)
            held = type(entries) is list and bool(entries) and compact(entries) == text
        except (ValueError, RecursionError):
            held = False
        if not held or not all(
            type(e) is dict and tuple(e) == ENTRY and all(type(v) is str for v in e.values()) for e in entries
        ):
            return (), ("`labels` is no canonical JSON of pairs of readings",)
        wrong = []
        for entry in entries:
            line = self.certificates.by_shape.get(entry["shape"])
            if line is None:
                if entry["shape"] not in self.certificates.rejected:
                    wrong.append(f"no certificate has the shape `{entry['shape']}` in `labels`")
            elif entry["label"] != (line.data["label"] or "entailment"):
                wrong.append(f"`labels` says {entry['label']} of a shape whose label is {line.data['label']}")
        places = [(e["premise"], e["hypothesis"], e["column"]) for e in entries]
        if len(set(places)) < len(places):
            wrong.append("`labels` has one pair of readings twice")
        return tuple(e["shape"] for e in entries), tuple(wrong)

    # -- instances

    def _place(self, number: int, row: Mapping[str, Any]) -> None:
        """Rows of an instance stand together, and every instance has the same pairs."""
        instance = row["instance"]
        counted = self.counted
        counted.rows += 1
        if counted.rows > 1 and instance != self._now:
            self._ended(number)
        if counted.rows == 1 or instance != self._now:
            if instance in counted.instances:
                first = counted.instances[instance]
                self.problems.add("E52", self.name, f"its instance stood at line {first} already", number, row["id"])
            counted.instances.setdefault(instance, number)
            self._now, self._instance = instance, []
        self._instance.append(row["condition"])

    def _ended(self, number: int) -> None:
        """An instance is complete: it has the conditions of the first one, in their order."""
        if self.counted.rows == 0:
            return
        conditions = tuple(self._instance)
        if self.part["one_row_each"]:
            self._one_each(conditions)
        elif not self.counted.conditions:
            self.counted.conditions = conditions
            if len(set(conditions)) < len(conditions):
                self.problems.add("E52", self.name, "an instance has one condition twice", 1)
        elif conditions != self.counted.conditions:
            reason = f"the instance `{self._now}` has not the pairs of the first one, in their order"
            self.problems.add("E52", self.name, reason, self.counted.instances[self._now])

    def _one_each(self, conditions: tuple[str, ...]) -> None:
        """Where instances give one row each: which conditions there are, and that nothing gives two."""
        if len(conditions) > 1:
            reason = f"the instance `{self._now}` has {len(conditions)} rows, and its paradigm gives one each"
            self.problems.add("E52", self.name, reason, self.counted.instances[self._now])
        self.counted.conditions = tuple(dict.fromkeys((*self.counted.conditions, *conditions)))

    def _counts(self) -> None:
        """The numbers of the manifest are those of the rows."""
        counted = self.counted
        expected = {
            "instances": len(counted.instances),
            "pairs": self.part.get("pairs") if self.part["one_row_each"] else len(counted.conditions),
            "rows": counted.rows,
            "labels": dict(sorted(counted.labels.items())),
            "certificates": dict(sorted(counted.certificates.items())),
            "on_trust": sum(rows for kind, rows in counted.certificates.items() if rests_on_trust(kind)),
        }
        for key, value in expected.items():
            if self.part.get(key) != value:
                self.problems.add("E52", "manifest.json", f"`{key}` of `{self.paradigm}` is not what its rows give")
        if sum(self.part["splits"].values()) != counted.rows:
            self.problems.add("E52", "manifest.json", f"`splits` of `{self.paradigm}` are not as many as its rows")


def split_of(splits: Mapping[str, int], number: int) -> str:
    """The split of a row by its number, from 1."""
    for name, rows in splits.items():
        number -= rows
        if number <= 0:
            return name
    return ""


def _columns(row: Mapping[str, Any], wrong: tuple[str, ...]) -> Iterator[str]:
    """The labels of the columns are among those of the readings; a column without readings repeats the literal one;
    the label of the row is that of a column in which its shape was decided."""
    if wrong:
        return
    entries = json.loads(row["labels"])
    for column in COLUMNS:
        label = row[f"label_{column}"]
        found = {_in_dataset(e["label"]) for e in entries if e["column"] == column}
        if found and label not in found:
            yield f"`label_{column}` is `{label}`, and no reading has this label in `labels`"
        elif not found and label != row["label_literal"]:
            yield f"`label_{column}` is `{label}`, and nothing in `labels` says other than the literal label"
    own = [e for e in entries if e["shape"] == row["shape"] and row["label_name"] == _in_dataset(e["label"])]
    if own and all(e["column"] not in COLUMNS or row[f"label_{e['column']}"] != row["label_name"] for e in own):
        yield "`label_name` is the label of no column in which its shape was decided"


def _in_dataset(label: str) -> str:
    """A label of a pair of readings as a row has it."""
    return "contradiction" if label == "presupposition failure" else label


def _against(row: Mapping[str, Any], line: Certificate) -> Iterator[str]:
    """The columns that a certificate settles."""
    data = line.data
    failed = data["label"] == "presupposition failure"
    expected = {
        "label_name": "contradiction" if failed else data["label"],
        "label_via": "failure" if failed else "",
        "h_values": data["h_values"],
        "certificate": data["kind"],
    }
    for column, value in expected.items():
        if row[column] != value:
            yield f"`{column}` is `{row[column]}`, and its certificate says `{value}`"
    needs = data["rests_on"] or ()
    if row["rests_on"] and not needs:
        yield "`rests_on` names principles, and its certificate none"
    if not row["rests_on"] and any(need["model"] is not None for need in needs):
        yield "`rests_on` is empty, and its certificate names principles"
    if data["findings"] and not settled_by_a_story(row["premise_form"], tuple(data["findings"])):
        yield f"its certificate says: {', '.join(data['findings'])}; no such pair is in a dataset"
