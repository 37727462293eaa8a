"""A paradigm of a task about readings up to its items: the walk, the account of every group, what is no item.

What stands against an account is a finding at its condition or pair, told once; an instance that is no item of the
task (its readings collapse, its options do not part) is counted and left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gramprobe.decide.reduce import BelievesAll, Irreducible, TooLarge
from gramprobe.formula.notation import FormulaError
from gramprobe.items.account import NO_ANTECEDENT, Account, account, claimed, unmet
from gramprobe.items.admission import refused
from gramprobe.items.grouping import Grouping, Member
from gramprobe.items.plan import Plan
from gramprobe.items.preferences import Preference
from gramprobe.items.select import Veto
from gramprobe.items.walk import Walk
from gramprobe.resolve.paradigm.data import Pair
from gramprobe.resolve.tasks import TASKS
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.space.space import Draws

TOLD = {
    NO_ANTECEDENT: "an anaphor has no antecedent that is accessible",
    "contradiction": "both are never true",
    "presupposition failure": "the second is never defined where the first is true",
}
"""What stands in the way of a fit."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Instances that are items, and the group of each; the preferred reading of each where there are preferences."""

    draws: Draws
    groups: NDArray[np.int64]
    preferred: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.draws)


@dataclass
class Drafted:
    """The items of a paradigm, drawn and decided chunk by chunk.

    `looking`: what is no item is given too, and counted. `accounts`: by group; `refused`: instances that are no
    items, by reason; `taken`: instances so far.
    """

    plan: Plan
    count: int | None
    seed: int
    vetoes: tuple[Veto, ...]
    findings: Findings
    allow_bounded: bool = False
    at_most: bool = False
    preferences: Mapping[str, Preference] = field(default_factory=dict)
    looking: bool = False
    accounts: dict[int, Account] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    by_group: Counter[int] = field(default_factory=Counter)
    taken: int = 0

    def __post_init__(self) -> None:
        self.grouping = Grouping(self.plan)
        self.walk = Walk(self.plan, self.seed, self.vetoes)
        self._reasons: dict[int, str] = {}
        self._told: set[tuple[str, Span]] = set()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return self.plan.paradigm.pairs

    def reason(self, group: int) -> str:
        """Why the instances of a group are no items; the empty text where they are."""
        return self._reasons[group]

    def chunks(self) -> Iterator[Chunk]:
        """The items, from the first one each time. Ends early where something stands against them (a finding)."""
        self.walk = Walk(self.plan, self.seed, self.vetoes)
        self.refused, self.by_group, self.taken = Counter(), Counter(), 0
        self.walk.check(self.findings)
        wanted = self.plan.space.size if self.count is None else self.count
        for draws in self.walk.chunks(self.count):
            groups = self.grouping.of(draws)
            self._decide(draws, groups, wanted - self.taken)
            if self.findings.failed:
                return
            admitted = self._admitted()[groups]
            rows = np.flatnonzero(admitted)
            if len(rows) >= wanted - self.taken:
                rows = rows[: wanted - self.taken]
                groups = groups[: rows[-1] + 1]
                admitted = admitted[: rows[-1] + 1]
            for group, number in enumerate(np.bincount(groups[~admitted]).tolist()):
                if number:
                    self.refused[self._reasons[group]] += number
            whole = len(rows) == len(draws)
            chunk = Chunk(draws, groups) if whole else Chunk(draws.take(rows), groups[rows])
            self.taken += len(rows)
            for group, number in enumerate(np.bincount(chunk.groups).tolist()):
                if number:
                    self.by_group[group] += number
                    if self.looking and self._reasons[group]:
                        self.refused[self._reasons[group]] += number
            if len(chunk):
                yield self._with_preferences(chunk)
            if self.taken >= wanted:
                break
        self._ended()

    def _with_preferences(self, chunk: Chunk) -> Chunk:
        """The chunk with the reading that people prefer of each sentence; a reading that it has not is a finding."""
        if not self.preferences:
            return chunk
        name = self.pairs[0].premise
        sentences = self.plan.realiser.sentences(self.plan.paradigm.conditions[name], chunk.draws).to_pylist()
        found = []
        for sentence, group in zip(sentences, chunk.groups.tolist(), strict=True):
            preference, account_ = self.preferences.get(sentence), self.accounts[group]
            reading = "" if preference is None else account_.same.get((name, preference.reading), preference.reading)
            known = [each.id for each in account_.readings[name]]
            if preference is not None and reading not in known:
                self.findings.add(messages.unknown_preference(preference.span, reading, known, sentence))
            found.append(reading)
        return replace(chunk, preferred=tuple(found))

    def _admitted(self) -> NDArray[np.bool_]:
        """For each group whether its rows are items, as far as it is decided."""
        if self.looking:
            return np.array([g in self._reasons for g in range(len(self.grouping.members))])
        return np.array([self._reasons.get(g, "undecided") == "" for g in range(len(self.grouping.members))])

    def _decide(self, draws: Draws, groups: NDArray[np.int64], wanted: int) -> None:
        """Decide the groups of a chunk, in the order of their first rows, until so many items are found: on what
        stands behind the last one nothing rests."""
        fresh = (g for g in np.flatnonzero(np.bincount(groups)).tolist() if g not in self._reasons)
        for first, group in sorted((int(np.argmax(groups == g)), g) for g in fresh):
            if int(self._admitted()[groups[:first]].sum()) >= wanted:
                return
            self._reasons[group] = self._decided(group)
            self._cross_check(group, draws, int(np.flatnonzero(groups == group)[-1]))

    def _cross_check(self, group: int, draws: Draws, row: int) -> None:
        """Another row of the group must have the very account that was found; if not, rows were grouped wrongly."""
        found, member = self.accounts.get(group), self.grouping.members[group]
        if found is not None:
            other = Member(draws.take(np.array([row])), member.readings)
            if account(self.plan, other).text != found.text:
                raise RuntimeError(f"{self.plan.paradigm.full_name}: row {row} was grouped wrongly (group {group})")

    def _decided(self, group: int) -> str:
        """The account of a group; why its rows are no items (nothing: the empty text)."""
        plan, member = self.plan, self.grouping.members[group]
        if self._tell_conditions(member):
            return "undecided"
        try:
            found = account(plan, member)
        except (BelievesAll, Irreducible, TooLarge, FormulaError) as error:
            declared = plan.paradigm.conditions[self.pairs[0].premise]
            sentence = plan.realiser.sentence(declared, member.draws)
            code = {BelievesAll: "E41", Irreducible: "E41", TooLarge: "E43"}.get(type(error), "E07")
            self.findings.add(messages.no_account(declared.span, code, declared.name, sentence, str(error)))
            return "undecided"
        self.accounts[group] = found
        for condition, reading in found.never:
            self._tell_never(found, condition, reading)
        if not self.allow_bounded:
            self._tell_trust(found)
        reason = refused(TASKS[plan.paradigm.task], found, plan.paradigm)
        if not reason:
            self._tell_claims(found)
        return reason

    def _tell_conditions(self, member: Member) -> bool:
        """Whether a condition names a reading that it has not."""
        for name, found in member.readings.items():
            condition, ids = self.plan.paradigm.conditions[name], [r.id for r in found]
            if condition.reading is not None and condition.reading not in ids:
                place = condition.reading_span or condition.span
                self.findings.add(messages.unknown_reading(place, name, condition.reading, ids))
                return True
        return False

    def _first(self, kind: str, span: Span) -> bool:
        """Whether nothing of this kind has been told of a place; from now on it has."""
        fresh = (kind, span) not in self._told
        self._told.add((kind, span))
        return fresh

    def _tell_never(self, found: Account, condition: str, reading: str) -> None:
        declared = self.plan.paradigm.conditions[condition]
        if self._first("never", declared.span):
            sentence = self._sentence(found, condition)
            told = messages.one_side_inconsistent(declared.span, condition, reading, sentence, self.plan.theory.name)
            self.findings.add(told)

    def _tell_trust(self, found: Account) -> None:
        for step in found.on_trust:
            span = self.plan.paradigm.conditions[step.condition].span
            if step.decision is None or not self._first("trust", span):
                continue
            sentence, kind = self._sentence(found, step.condition), step.decision.verdict.kind
            told = messages.readings_on_trust(span, step.condition, step.reading, step.other, sentence, kind)
            self.findings.add(told)

    def _tell_claims(self, found: Account) -> None:
        for pair in unmet(self.pairs, found):
            claim = pair.claim
            assert claim is not None
            if not self._first("claim", claim.span):
                continue
            wanted = claimed(pair, found) or ()
            derived = found.holds[pair.premise, pair.hypothesis]
            story = [self._sentence(found, pair.premise), self._sentence(found, pair.hypothesis)]
            story += self._why(found, pair)
            known = self.grouping.known(pair.premise)
            unknown = [each for each in claim.readings if each not in known]
            if unknown and not wanted:
                self.findings.add(messages.unknown_claim(claim.span, unknown[0], pair.premise, known))
                continue
            self.findings.add(
                messages.claim_unmet(
                    claim.span, claim.kind, wanted, derived, f"{pair.premise} => {pair.hypothesis}", story
                )
            )

    def _why(self, found: Account, pair: Pair) -> list[str]:
        lines = []
        for step in found.steps:
            if step.condition == pair.premise and step.other == pair.hypothesis and step.kind != "same":
                told = TOLD.get(step.label, "both can be true") if step.kind == "fits" else step.label
                lines.append(f"`{step.reading or 'its one reading'}`: {told}")
        return lines

    def _sentence(self, found: Account, condition: str) -> str:
        return self.plan.realiser.sentence(self.plan.paradigm.conditions[condition], found.member.draws)

    def _ended(self) -> None:
        """What can be told only when every chunk was seen."""
        paradigm, plan = self.plan.paradigm, self.plan
        for pair in self.pairs:
            known = self.grouping.known(pair.premise)
            for each in pair.claim.readings if pair.claim else ():
                if each not in known:
                    assert pair.claim is not None
                    self.findings.add(messages.unknown_claim(pair.claim.span, each, pair.premise, known))
        if self.taken == 0:
            reason, number = self.refused.most_common(1)[0] if self.refused else ("", 0)
            if number:
                group = next(g for g, r in self._reasons.items() if r == reason)
                found = self.accounts[group]
                story = [self._sentence(found, condition.name) for condition in paradigm.paired]
                story += [
                    f"{left} => {right}: {', '.join(ids) or 'no reading'}" for (left, right), ids in found.holds.items()
                ]
                help = "`gramprobe explain` shows the readings and what fits them"
                self.findings.add(messages.no_item(paradigm.span, paradigm.name, paradigm.task, reason, story, help))
                return
        if self.count is not None and self.taken < self.count and not self.at_most:
            declared = paradigm.size_span if self.count == paradigm.size else None
            place = declared or paradigm.span
            self.findings.add(messages.too_few(place, paradigm.name, self.count, self.taken, plan.space.size))
