"""Rows of tasks about readings against their accounts, and again from the source files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from gramprobe.dataset.part import ReadingPart
from gramprobe.dataset.verify.accounts import Accounts, CheckedAccount
from gramprobe.dataset.verify.certificates import Certificates
from gramprobe.dataset.verify.derived import Checked
from gramprobe.dataset.verify.folder import MANIFEST, Dataset
from gramprobe.dataset.verify.formulas import Formulas
from gramprobe.dataset.verify.items import split_of
from gramprobe.dataset.verify.problems import Problems, Say
from gramprobe.dataset.verify.text import LONGEST_ROW, Malformed, compact, lines
from gramprobe.dataset.written import Tally, count, gate
from gramprobe.decide.decider import Decider
from gramprobe.items.cells import LINES
from gramprobe.items.cells import lines as lines_of
from gramprobe.items.draft import drafted_by_reading
from gramprobe.items.schema import COLUMNS, NUMBERS
from gramprobe.items.task_rows import Items
from gramprobe.items.trust import rests_on_trust
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings

COMPARED = 1 << 14
"""Sets of formulas, up to names, that are kept with what is wrong with them."""
DIFFERENT = 20
"""Rows that differ from what the source files give, and are told one by one."""


@dataclass(slots=True)
class CountedRows:
    """What the rows of a paradigm add up to."""

    rows: int = 0
    instances: int = 0
    certificates: Counter[str] = field(default_factory=Counter)
    sound: bool = True


class ReadingItems:
    """Checks the rows of one paradigm (`name`: the file they are in)."""

    def __init__(
        self,
        name: str,
        phenomenon: str,
        paradigm: str,
        part: Mapping[str, Any],
        certificates: Certificates,
        accounts: Accounts,
        problems: Problems,
        defined: frozenset[str] | None,
    ) -> None:
        self.name, self.phenomenon, self.paradigm, self.part = name, phenomenon, paradigm, part
        self.certificates, self.accounts, self.problems = certificates, accounts, problems
        self.columns = COLUMNS[part["task"]]
        self.counted = CountedRows()
        self._seen: set[str] = set()
        self._now = ""
        self._before: Mapping[str, Any] = {}
        self._formulas = Formulas(defined)
        #: id of an account, formulas up to names -> what is wrong with them
        self._compared: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        self._readings = lru_cache(maxsize=1 << 12)(_readings_of)

    def check(self, file: Path, say: Say) -> CountedRows:
        """All rows; what they count up to. Raises OSError."""
        for number, row in lines(file, LONGEST_ROW):
            wrong = self._no_item(row)
            if isinstance(row, Malformed) or wrong:
                self.problems.add("E50", self.name, wrong, number)
                self.counted.sound = False
                continue
            for reason in self._wrong(row):
                self.problems.add("E52", self.name, reason, number, row["id"])
            self._before = row
            if number % 50_000 == 0:
                say(f"{self.paradigm}: {number:,} rows")
        if self.part["task"] == "choice" and self.counted.rows % 2:
            self.problems.add("E52", self.name, "the last row is not followed by the one with its options turned")
        if not self.counted.rows and self.counted.sound:
            self.problems.add("E50", self.name, "it has no rows")
            self.counted.sound = False
        expected = {
            "rows": self.counted.rows,
            "instances": self.counted.instances,
            "certificates": dict(sorted(self.counted.certificates.items())),
            "on_trust": sum(n for kind, n in self.counted.certificates.items() if rests_on_trust(kind)),
        }
        for key, value in expected.items():
            if self.part.get(key) != value:
                self.problems.add("E52", MANIFEST, f"`{key}` of `{self.paradigm}` is not what its rows give")
        if sum(self.part["splits"].values()) != self.counted.rows:
            self.problems.add("E52", MANIFEST, f"`splits` of `{self.paradigm}` are not as many as its rows")
        return self.counted

    def _no_item(self, row: Mapping[str, Any] | Malformed) -> str:
        if isinstance(row, Malformed):
            return str(row)
        if tuple(row) != self.columns:
            return "it has not the columns of an item of its task, in their order"
        for column, value in row.items():
            wanted = int if column in NUMBERS else dict if column == "draws" else str
            if type(value) is not wanted:
                return f"`{column}` is of a wrong type"
        return "" if all(type(each) is str for each in row["draws"].values()) else "`draws` is no object of texts"

    def _wrong(self, row: Mapping[str, Any]) -> Iterator[str]:
        counted = self.counted
        counted.rows += 1
        counted.certificates[row["certificate"]] += 1
        order = f"/{row['order']}" if "order" in row else ""
        if row["instance"] != self._now:
            counted.instances += 1
            self._now = row["instance"]
        if row["id"] in self._seen:
            yield "its id stood before"
        self._seen.add(row["id"])
        expected = {
            "phenomenon": self.phenomenon,
            "paradigm": self.paradigm,
            "theory": self.part["theory"],
            "instance": ".".join(row["draws"].values()),
            "id": f"{self.phenomenon}/{self.paradigm}/{row['instance']}/{row['condition']}{order}",
            "split": split_of(self.part["splits"], counted.rows),
        }
        for column, value in expected.items():
            if row[column] != value:
                yield f"`{column}` is `{row[column]}` and should be `{value}`"
        account = self.accounts.by_id.get(row["shape"])
        if account is None:
            if row["shape"] not in self.accounts.rejected:
                yield f"no account has its shape `{row['shape']}`"
            return
        self.accounts.used.add(row["shape"])
        if row["certificate"] != account.certificate:
            yield f"`certificate` is `{row['certificate']}`, and its account says `{account.certificate}`"
        if not row["rests_on"] and account.needs:
            yield "`rests_on` is empty, and a certificate names principles"
        yield from getattr(self, f"_{self.part['task']}")(row, account)
        yield from self._formulas_of(row, account)

    def _choice(self, row: Mapping[str, Any], account: CheckedAccount) -> Iterator[str]:
        wanted = sorted(", ".join(ids) for ids in account.holds.values())
        if sorted((row["fits_a"], row["fits_b"])) != wanted:
            yield f"its options fit {wanted} by its account"
        if row["order"] != 2 - self.counted.rows % 2:
            yield f"`order` is {row['order']}: rows are in turn 1 and 2"
        elif row["order"] == 2:
            before = self._before
            turned = {"option_a": "option_b", "option_b": "option_a", "fits_a": "fits_b", "fits_b": "fits_a"}
            if before.get("instance") != row["instance"] or any(row[a] != before[b] for a, b in turned.items()):
                yield "it is not the row before it with its options turned"

    def _continuation(self, row: Mapping[str, Any], account: CheckedAccount) -> Iterator[str]:
        fits: dict[str, dict[str, list[str]]] = {}
        for (left, right), ids in account.holds.items():
            fits.setdefault(left, {})[right] = list(ids)
        if row["fits"] != compact(fits):
            yield "`fits` is not what its account says"

    def _coref(self, row: Mapping[str, Any], account: CheckedAccount) -> Iterator[str]:
        by_kind = {kind: account.holds[place] for place, kind in account.kinds.items()}
        expected = {
            "ambiguous_readings": next(iter(account.readings.values())),
            "embedded_accessible_in": by_kind.get("fits", ()),
            "embedded_exists_in": by_kind.get("entailed", ()),
        }
        for column, ids in expected.items():
            if row[column] != ", ".join(ids):
                yield f"`{column}` is `{row[column]}`, and its account says `{', '.join(ids)}`"

    def _formulas_of(self, row: Mapping[str, Any], account: CheckedAccount) -> Iterator[str]:
        """The readings are those of the account; what was decided for two of them was decided for these formulas."""
        found = self._readings(row["readings"], tuple(account.readings))
        if found is None or {name: tuple(each) for name, each in found.items()} != account.readings:
            yield "`readings` are not those of its account"
            return
        texts = self._formulas.exchanged(*(text for each in found.values() for text in each.values()))
        key = row["shape"], texts
        if key not in self._compared:
            if len(self._compared) == COMPARED:
                self._compared.clear()
            self._compared[key] = tuple(self._against(found, account))
        yield from self._compared[key]

    def _against(self, found: Mapping[str, Mapping[str, str]], account: CheckedAccount) -> Iterator[str]:
        for condition, reading, other, shape in account.same:
            formulas = found.get(condition, {})
            line = self.certificates.by_shape.get(shape)
            if reading in formulas and other in formulas and line is not None:
                wrong = self._formulas.wrong(formulas[reading], formulas[other], line)
                if wrong:
                    yield f"`{reading}` and `{other}`: {wrong}"
        for condition, reading, shape in account.premises:
            line = self.certificates.by_shape.get(shape)
            if reading in (formulas := found.get(condition, {})) and line is not None:
                wrong = self._formulas.wrong_premise(formulas[reading], line)
                if wrong:
                    yield f"`{reading}`: {wrong}"


def _readings_of(text: str, conditions: tuple[str, ...]) -> dict[str, dict[str, str]] | None:
    """The readings of a row by condition; None where the text is not canonical."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if type(data) is not dict or compact(data) != text:
        return None
    found = {conditions[0]: data} if len(conditions) == 1 else data
    if not all(type(e) is dict and all(type(f) is str for f in e.values()) for e in found.values()):
        return None
    return found


# -- from the source files


def derive_readings(
    dataset: Dataset,
    paradigm: Paradigm,
    counted: CountedRows,
    declarations: Declarations,
    certificates: Certificates,
    problems: Problems,
) -> ReadingPart | None:
    """Derive a paradigm again, chunk by chunk, and compare with its lines to the byte; what is known of it then.

    Raises OSError.
    """
    name = dataset.items(paradigm.name)
    part = dataset.manifest["paradigms"][paradigm.name]
    decider = Decider(kept=Checked(certificates), dependence=True)
    findings = Findings()
    exhausted = part["instances"] + part["passed_over"] + part["vetoed"] + sum(part["no_items"].values())
    wanted = None if exhausted == part["space"] else counted.instances
    drafted = drafted_by_reading(
        paradigm.without_expectations(), declarations, findings, wanted, dataset.manifest["seed"], dataset.theory,
        decider, allow_bounded=True, at_most=True,
    )  # fmt: skip
    if drafted is None:
        return None
    made, tally = Items(drafted.plan, drafted.accounts), Tally()
    different = 0
    with (dataset.folder / name).open("rb") as stream:
        for chunk in drafted.chunks():
            rows = made.rows(chunk.draws, chunk.groups, chunk.preferred)
            tally.rows += len(rows) * len(chunk)
            count(drafted, chunk, tally, len(rows))
            gate(drafted, chunk, tally)
            at = tally.rows - len(rows) * len(chunk)
            for buffer in lines_of(rows, len(chunk), COLUMNS[paradigm.task]):
                if different < DIFFERENT and stream.read(buffer.size) != buffer.to_pybytes():
                    stream.seek(-min(buffer.size, stream.tell()), 1)
                    different += _tell(stream, buffer.to_pybytes(), name, at, problems)
                at += len(rows) * LINES
        if not different and stream.read(1):
            problems.add("E54", name, "it has more rows than the seed gives")
    for diagnostic in findings.items:
        if diagnostic.is_error:
            problems.add("E54", name, f"no build has this: {diagnostic.span}: {diagnostic.message}")
    if different:
        return None
    found = ReadingPart(drafted, tally)
    told = found.to_json()
    for key in dict.fromkeys((*told, *part)):
        if part.get(key, told) != told.get(key, part):
            problems.add("E54", MANIFEST, f"`{key}` of `{paradigm.name}` is not what the source files give")
    return found


def _tell(stream: Any, expected: bytes, name: str, before: int, problems: Problems) -> int:
    """The first rows of a chunk that are not what their draws give."""
    found = 0
    for number, wanted in enumerate(expected.splitlines(keepends=True), before + 1):
        line = stream.readline()
        if line == wanted:
            continue
        found += 1
        row = json.loads(wanted)
        try:
            there = json.loads(line)
            column = next(c for c in row if there.get(c) != row[c])
            reason = f"`{column}` is `{there.get(column)}`, and its draws give `{row[column]}`"
        except (ValueError, AttributeError, StopIteration):
            reason = "the row is missing, or is none"
        problems.add("E54", name, reason, number, row["id"])
        if found >= DIFFERENT:
            break
    return found


__all__ = ["CountedRows", "ReadingItems", "derive_readings"]
