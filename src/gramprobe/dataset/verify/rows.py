"""Check rows against certificates and accounts, one by one, without any source file.

Label, shape, theory and formulas of each row must agree; the rows of an instance stand together, and every instance
has the same rows. The columns of a task are checked by the task (`items.task.Task.check`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from gramprobe.dataset.identity import Numbers, identity, mark, other_numbers
from gramprobe.dataset.verify.accounts import Accounts, CheckedAccount, wrong_by_account
from gramprobe.dataset.verify.certificates import Certificates
from gramprobe.dataset.verify.charts import Charts
from gramprobe.dataset.verify.formulas import Formulas
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.text import LONGEST_ROW, Malformed, compact, lines
from gramprobe.formula.notation import FormulaError, parse, show
from gramprobe.items.licensing import LicensingAccount
from gramprobe.items.strength import given_many
from gramprobe.items.tasks import TASKS
from gramprobe.progress import report_progress

COMPARED = 1 << 14
"""Results of comparing formulas that are kept in memory."""


@dataclass(slots=True, kw_only=True)
class Counted(Numbers):
    """The numbers of a paradigm's rows.

    Attributes:
        values_on_trust: rows with a proved label whose list of values is not proved.
        first: instance -> the line of its first row, in order.
        sound: whether every line is a row of the task.
    """

    values_on_trust: int = 0
    first: dict[str, int] = field(default_factory=dict)
    sound: bool = True


class RowChecker:
    """Checks the rows of one paradigm, and is the `Evidence` that a task's `check` reads (`items.task`).

    Args:
        name: the file of the rows, as it is reported.
        phenomenon, paradigm: what the rows must name.
        part: the paradigm's entry in the manifest.
        certificates, accounts: the checked lines; those that rows name are noted as used.
        problems: where problems go.
        charts: the checked charts of minimal pairs; None in datasets without.
        defined: operators that the theory defines by others; None where the theory is not at hand.
    """

    def __init__(
        self,
        name: str,
        phenomenon: str,
        paradigm: str,
        part: Mapping[str, Any],
        certificates: Certificates,
        accounts: Accounts,
        problems: Problems,
        defined: frozenset[str] | None = None,
        charts: Charts | None = None,
    ) -> None:
        self.name, self.phenomenon, self.paradigm, self.part = name, phenomenon, paradigm, part
        self.certificates, self.accounts, self.problems = certificates, accounts, problems
        self.charts = charts
        self.task = TASKS[part["task"]]
        self.counted = Counted()
        self.before: Mapping[str, Any] = {}
        self.account: CheckedAccount | None = None
        self._instance: list[str] = []
        self._now = ""
        self._formulas = Formulas(defined)
        self._readings = lru_cache(maxsize=1 << 12)(_readings_of)
        #: id of an account, formulas up to names -> what is wrong with them
        self._compared: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}

    @property
    def number(self) -> int:
        """The number of the row, from 1."""
        return self.counted.rows

    @property
    def rows(self) -> int:
        """How many rows the paradigm has by the manifest."""
        rows: int = self.part["rows"]
        return rows

    def check(self, file: Path) -> Counted:
        """Check all rows of a file and count them. Raises OSError."""
        for number, row in lines(file, LONGEST_ROW):
            wrong = _malformed(row, self.part["task"])
            if isinstance(row, Malformed) or wrong:
                self.problems.add("E50", self.name, wrong, number)
                self.counted.sound = False
                continue
            for reason in self._wrong(number, row):
                self.problems.add("E52", self.name, reason, number, row["id"])
            self.before = row
            if number % 1_000 == 0:
                report_progress(f"{self.paradigm}: rows", number, self.rows)
        if not self.counted.rows and self.counted.sound:
            self.problems.add("E50", self.name, "it has no rows")
            self.counted.sound = False
        self._ended()
        self._counts()
        return self.counted

    # -- what a task asks

    def line(self, shape: str) -> Mapping[str, Any] | None:
        """The checked certificate of a shape, None if no certificate holds; the shape is noted as used."""
        return self.certificates.line(shape)

    def licensing(self, id_: str) -> LicensingAccount | None:
        """The checked account of what noun phrases license, None if none of this id holds; it is noted as used."""
        self.accounts.used.add(id_)
        return self.accounts.licensing.get(id_)

    def is_rejected(self, shape: str) -> bool:
        """Whether the certificate or account of a shape was checked and does not hold (reported at its line)."""
        return shape in self.certificates.rejected or shape in self.accounts.rejected

    def wrong_formulas(self, premise: str, hypothesis: str, shape: str) -> str:
        """How two formulas differ from those of a shape; empty where they are the same."""
        return self._formulas.wrong(premise, hypothesis, self.certificates.by_shape[shape])

    # -- one row

    def _wrong(self, number: int, row: Mapping[str, Any]) -> Iterator[str]:
        self.counted.add(row, self.task)
        self._place(number, row)
        yield from identity(row, self.phenomenon, self.paradigm, self.part)
        split = split_of(self.part["splits"], self.counted.rows)
        if row["split"] != split:
            yield f"`split` is `{row['split']}` and should be `{split}`"
        if self.task.form.claims == "readings":
            yield from self._by_account(row)
        elif self.task.form.claims is None:
            yield from self.task.check(row, self)
        else:
            line = self.certificates.by_shape.get(row["shape"])
            self.counted.values_on_trust += line is not None and line.values_on_trust
            yield from self.task.check(row, self)

    def _by_account(self, row: Mapping[str, Any]) -> Iterator[str]:
        self.account = self.accounts.by_id.get(row["shape"])
        if self.account is None:
            if row["shape"] not in self.accounts.rejected:
                yield f"no account has its shape `{row['shape']}`"
            return
        self.accounts.used.add(row["shape"])
        yield from wrong_by_account(row, self.task, self)
        if self.account.readings:
            yield from self._formulas_of(row, self.account)

    def _formulas_of(self, row: Mapping[str, Any], account: CheckedAccount) -> Iterator[str]:
        """Check that the readings are those of the account, and that its steps were decided for their formulas."""
        readings = self._readings(row["readings"], tuple(account.readings))
        if readings is None or {name: tuple(each) for name, each in readings.items()} != account.readings:
            yield "`readings` are not those of its account"
            return
        texts = self._formulas.exchanged(*(text for each in readings.values() for text in each.values()))
        key = row["shape"], texts
        if key not in self._compared:
            if len(self._compared) == COMPARED:
                self._compared.clear()
            self._compared[key] = tuple(self._against(readings, account))
        yield from self._compared[key]

    def _against(self, readings: Mapping[str, Mapping[str, str]], account: CheckedAccount) -> Iterator[str]:
        for steps, enough in ((account.same, ""), (account.weighed, ", with members enough")):
            for condition, reading, other, shape in steps:
                formulas = readings.get(condition, {})
                line = self.certificates.by_shape.get(shape)
                if reading in formulas and other in formulas and line is not None:
                    right = _given_many(list(formulas.values()), formulas[other]) if enough else formulas[other]
                    wrong = self._formulas.wrong(formulas[reading], right, line)
                    if wrong:
                        yield f"`{reading}` and `{other}`{enough}: {wrong}"
        for condition, reading, shape in account.premises:
            line = self.certificates.by_shape.get(shape)
            if reading in (formulas := readings.get(condition, {})) and line is not None:
                wrong = self._formulas.wrong_premise(formulas[reading], line)
                if wrong:
                    yield f"`{reading}`: {wrong}"

    # -- instances

    def _place(self, number: int, row: Mapping[str, Any]) -> None:
        """Note the row's place in its instance."""
        instance = row["instance"]
        counted = self.counted
        if counted.rows == 1 or instance != self._now:
            self._ended()
            if instance in counted.first:
                first = counted.first[instance]
                self.problems.add("E52", self.name, f"its instance stood at line {first} already", number, row["id"])
            counted.first.setdefault(instance, number)
            self._now, self._instance = instance, []
        self._instance.append(mark(row))

    def _ended(self) -> None:
        """Check that the instance that ends here has the rows of the first instance, in their order."""
        if not self._instance:
            return
        pattern = tuple(self._instance)
        if self.part.get("one_row_each"):
            if len(pattern) > 1:
                reason = f"the instance `{self._now}` has {len(pattern)} rows, and its paradigm gives one each"
                self.problems.add("E52", self.name, reason, self.counted.first[self._now])
            self.counted.pattern = tuple(dict.fromkeys((*self.counted.pattern, *pattern)))
        elif not self.counted.pattern:
            self.counted.pattern = pattern
            if len(set(pattern)) < len(pattern):
                self.problems.add("E52", self.name, "an instance has one condition twice", 1)
        elif self.part.get("equal_rows"):
            self.counted.pattern = tuple(dict.fromkeys((*self.counted.pattern, *pattern)))
            if len(set(pattern)) < len(pattern):
                reason = f"the instance `{self._now}` has one condition twice"
                self.problems.add("E52", self.name, reason, self.counted.first[self._now])
        elif pattern != self.counted.pattern:
            reason = f"the instance `{self._now}` has not the pairs of the first one, in their order"
            self.problems.add("E52", self.name, reason, self.counted.first[self._now])

    def _counts(self) -> None:
        """Check that the numbers of the manifest are those of the rows."""
        self.counted.instances = len(self.counted.first)
        for key in other_numbers(self.counted, self.part, self.task):
            self.problems.add("E52", "manifest.json", f"`{key}` of `{self.paradigm}` is not what its rows give")
        if sum(self.part["splits"].values()) != self.counted.rows:
            self.problems.add("E52", "manifest.json", f"`splits` of `{self.paradigm}` are not as many as its rows")


def _malformed(row: Mapping[str, Any] | Malformed, task: str) -> str:
    """Why a line is not a row of its task; empty where it is."""
    if isinstance(row, Malformed):
        return str(row)
    if tuple(row) != TASKS[task].columns:
        return "it has not the columns of an item of its task, in their order"
    for column, value in row.items():
        wanted = int if column in TASKS[task].numbers else dict if column == "draws" else str
        if type(value) is not wanted and not (value is None and column in TASKS[task].optional):
            return f"`{column}` is of a wrong type, or has not the columns of an item"
    return "" if all(type(each) is str for each in row["draws"].values()) else "`draws` is no object of texts"


def split_of(splits: Mapping[str, int], number: int) -> str:
    """The split of a row by its number, from 1."""
    for name, rows in splits.items():
        number -= rows
        if number <= 0:
            return name
    return ""


def _given_many(readings: list[str], other: str) -> str:
    """The hypothesis of a decision on which of two readings is the stronger; empty where a formula cannot be read."""
    try:
        return show(given_many([parse(text) for text in readings], parse(other)))
    except (FormulaError, RecursionError):
        return ""


def _readings_of(text: str, conditions: tuple[str, ...]) -> dict[str, dict[str, str]] | None:
    """The readings of a row by condition; None where the text is not canonical."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if type(data) is not dict or compact(data) != text:
        return None
    readings = {conditions[0]: data} if len(conditions) == 1 else data
    if not all(type(e) is dict and all(type(f) is str for f in e.values()) for e in readings.values()):
        return None
    return readings
