"""The answers of a paradigm's groups of rows: each group is decided once, when its first row is drawn.

One row of each group is decided and another row of it compared, so that a wrong grouping stops the build instead of
giving a wrong label (decision 006). `check` does not compare: it writes no labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.groups import Grouping, Groups, Member, Part
from gramprobe.items.plan import Plan
from gramprobe.items.shapes import row_of
from gramprobe.items.task import Task
from gramprobe.resolve.paradigm.data import Claim
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Findings
from gramprobe.space.space import Draws
from gramprobe.stop import ask_stop

MOVED = ("E10", "E25", "E56")
"""Codes of errors that another theory may cause: an unmet label, readings that disagree, an unmet `fits`."""


@dataclass
class Decisions:
    """The answers of a paradigm's groups.

    Attributes:
        plan: the paradigm in its theory.
        task: decides a group.
        findings: where objections are reported.
        allow_bounded: whether labels on trust are accepted.
        lenient: whether unmet claims and readings that disagree are warnings.
        compares: whether another row of each group is compared with the decided one.
        answers: for each part, group -> answer (:class:`gramprobe.items.task.GroupAnswer`, of the task's own type).
        rejections: for each part, group -> why its instances are rejected (empty: they are not).
        rows: for each part, how many instances each group has so far.
        complete: whether every group has an answer.
        claimed: for each part and claim about some instances, the groups that these have so far.
    """

    plan: Plan
    task: Task
    findings: Findings
    allow_bounded: bool = True
    lenient: bool = False
    compares: bool = True
    answers: list[dict[int, Any]] = field(init=False)
    rejections: list[dict[int, str]] = field(init=False)
    rows: list[Counter[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.parts: tuple[Part, ...] = self.task.parts(self.plan.paradigm)
        self.grouping: Grouping = self.task.grouping(self.plan, self.parts, self.task.ordered(self.plan.paradigm))
        self.answers = [{} for _ in self.parts]
        self.rejections = [{} for _ in self.parts]
        self.rows = [Counter() for _ in self.parts]
        self.complete = True
        self.claimed: dict[tuple[int, Claim], set[int]] = {}
        self._reported: set[object] = set()

    @classmethod
    def of_first(cls, plan: Plan, task: Task, draws: Draws, condition: str | None = None) -> list[Any]:
        """The answer of each part of the first instance, or of those of one pair. Raises AuthoringError where something
        is not decided."""
        decisions = cls(plan, task, Findings())
        groups = decisions.grouping.of(draws)
        of_pairs = [part.pair and part.pair.condition for part in decisions.parts]
        parts = [at for at, own in enumerate(of_pairs) if condition in (None, own)]
        decisions.answer_groups(draws, groups, parts=parts)
        if not decisions.complete:
            raise AuthoringError(decisions.findings.items)
        return [decisions.answer(part, int(groups.parts[part][0])) for part in parts]

    def answer(self, part: int, group: int) -> Any:
        """The answer of a group of a part."""
        return self.answers[part][group]

    def once(self, key: object) -> bool:
        """Whether this is the first call with the key, so that a diagnostic is reported once for each place."""
        fresh = key not in self._reported
        self._reported.add(key)
        return fresh

    def answer_groups(
        self, draws: Draws, groups: Groups, wanted: int | None = None, parts: Iterable[int] | None = None
    ) -> None:
        """Decide every group of a chunk (of some ``parts``) that is not decided yet, in the order of their first rows.

        With ``wanted`` only the groups up to so many admitted instances are decided, since later instances are not
        used. ``complete`` becomes False where a group has no answer, which is reported.
        """
        if not self._known_readings(groups):
            return
        for at in range(len(self.parts)) if parts is None else parts:
            codes = groups.parts[at]
            fresh = (g for g in np.flatnonzero(np.bincount(codes)).tolist() if g not in self.rejections[at])
            for first, group in sorted((int(np.argmax(codes == g)), g) for g in fresh):
                if wanted is not None and int(self.admitted(groups)[:first].sum()) >= wanted:
                    break
                ask_stop()
                if not self._decide(at, group):
                    self.complete = False
                    return
                last = int(np.flatnonzero(codes == group)[-1])
                if self.compares and last != first:
                    self._cross_check(at, group, draws, last)

    def admitted(self, groups: Groups) -> NDArray[np.bool_]:
        """(rows,) booleans: whether a row is decided and not rejected."""
        return self._where(groups, lambda reason: reason == "")

    def decided(self, groups: Groups) -> NDArray[np.bool_]:
        """(rows,) booleans: whether a row is decided, rejected or not."""
        return self._where(groups, lambda reason: reason is not None)

    def _where(self, groups: Groups, fits: Callable[[str | None], bool]) -> NDArray[np.bool_]:
        """(rows,) booleans: whether the reason to reject a row fits in every part (None: the row is not decided)."""
        rows = np.ones(len(groups.parts[0]), np.bool_)
        for codes, reasons in zip(groups.parts, self.rejections, strict=True):
            known = [fits(reasons.get(group)) for group in range(int(codes.max(initial=-1)) + 1)]
            rows &= np.array(known, np.bool_)[codes]
        return rows

    def rejection(self, groups: Groups, row: int) -> str:
        """Why a row is rejected; empty where it is not."""
        reasons = (reasons[int(codes[row])] for codes, reasons in zip(groups.parts, self.rejections, strict=True))
        return next((reason for reason in reasons if reason), "")

    def count(self, draws: Draws, groups: Groups) -> None:
        """Count the instances of a chunk by their groups."""
        for at, part in enumerate(self.parts):
            for claim in part.pair.claims if part.pair is not None else ():
                if claim.at:
                    there = np.unique(groups.parts[at][is_about(claim, draws)])
                    self.claimed.setdefault((at, claim), set()).update(there.tolist())
        for codes, rows in zip(groups.parts, self.rows, strict=True):
            for group, number in enumerate(np.bincount(codes).tolist()):
                if number:
                    rows[group] += number

    def concerns(self, at: int, claim: Claim, group: int) -> bool:
        """Whether a claim of a part is about an instance of a group."""
        if not claim.at:
            return True
        if (at, claim) in self.claimed:
            return group in self.claimed[at, claim]
        return bool(is_about(claim, self.grouping.members[at][group].draws)[0])

    def claims(self) -> None:
        """Report the author's claims that differ from an answer so far."""
        unmet = Findings()
        self.task.unmet_claims(self, unmet)
        self._add(unmet)

    def _add(self, findings: Findings) -> None:
        """Add findings. Under another theory than the paradigm's own, unmet claims are warnings (``lenient``)."""
        for diagnostic in findings.items:
            moved = self.lenient and diagnostic.code in MOVED
            self.findings.add(messages.label.as_warning(diagnostic) if moved else diagnostic)

    # -- one group

    def _decide(self, at: int, group: int) -> bool:
        member = self.grouping.members[at][group]
        objections = Findings()
        answer = self.task.answer(self.plan, self.parts[at], member, objections)
        self._add(objections)
        if answer is None:
            return False
        self.answers[at][group] = answer
        objections_to = [*self.task.objections(self.plan, answer)]
        objections_to += [] if self.allow_bounded else [*self.task.trust(self.plan, answer)]
        for key, diagnostic in objections_to:
            if self.once(key):
                self.findings.add(diagnostic)
        reason = self.rejections[at][group] = self.task.rejection(self.plan.paradigm, answer)
        if reason and not self.task.rejects:
            raise RuntimeError(f"the task {self.task.name} rejects an instance ({reason}), and its `rejects` is False")
        return True

    def _cross_check(self, at: int, group: int, draws: Draws, row: int) -> None:
        first, shapes = self.grouping.members[at][group], self.plan.shapes
        if shapes.agreed(at, first.row, there := row_of(draws, row)):
            return
        other = Member(draws.take(np.array([row])), first.readings)
        if not self.task.agrees(self.plan, self.parts[at], self.answers[at][group], other):
            raise RuntimeError(
                f"{self.plan.paradigm.full_name}: row {row} was grouped wrongly (part {at}, group {group})"
            )
        shapes.agree(at, first.row, there)

    def _known_readings(self, groups: Groups) -> bool:
        """Whether every condition that names a reading has it in each row; the first that lacks it is reported."""
        for name, codes in groups.meanings.items():
            condition = self.plan.paradigm.conditions[name]
            if condition.reading is None:
                continue
            readings = self.grouping.readings(name)
            for code in np.unique(codes).tolist():
                ids = self.task.reading_ids(readings[code])
                if condition.reading not in ids:
                    place = condition.reading_span or condition.span
                    self.findings.add(messages.label.unknown_reading(place, name, condition.reading, ids))
                    self.complete = False
                    return False
        return True


def is_about(claim: Claim, draws: Draws) -> NDArray[np.bool_]:
    """(instances,) which of them a claim is about."""
    rows = np.ones(len(draws), np.bool_)
    for at in claim.at:
        rows &= np.isin(draws.columns[at.name], at.members)
    return rows
