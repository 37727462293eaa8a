"""The readings of a sentence, counted up to equivalence, and what fits each of them: decided like labels.

Two readings are one if each entails the other. A right sentence *fits* a reading iff each of its anaphors has an
accessible antecedent there (Kamp 1981; Groenendijk & Stokhof 1991) and it can be true where the reading is; a
hypothesis is *entailed* by a reading iff it is true wherever the reading is. Every step is one decision with a
certificate; the decisions of a row are an *account*, named by the hash of their shapes, that many rows share.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gramprobe.certify.rule import EXCLUDED, kind_of
from gramprobe.decide.label import Proof
from gramprobe.decide.shape import Decision
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import show
from gramprobe.items.grouping import Member
from gramprobe.items.kin import filled, places, scales_at, slot_of, strengthening
from gramprobe.items.plan import Plan
from gramprobe.items.trust import rests_on_trust
from gramprobe.meaning.compose import OPEN, Reading
from gramprobe.meaning.discourse import continued
from gramprobe.resolve.paradigm.data import Condition, Pair
from gramprobe.resolve.rename import rename

NO_ANTECEDENT = "no antecedent"
"""Where a decision stands elsewhere: an anaphor that finds nothing needs no model to be odd."""


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of an account: `kind` same, fits or entailed; a reading of a condition with another reading of it
    or with a right condition; the label that was derived for the two, and its shape. ``formulas``: what was decided,
    over the words of the row."""

    kind: str
    condition: str
    reading: str
    other: str
    label: str
    shape: str
    decision: Decision | None = None
    formulas: tuple[Formula, Formula] | None = None

    def to_json(self) -> dict[str, str]:
        """Its line in an account."""
        return {name: getattr(self, name) for name in ("kind", "condition", "reading", "other", "label", "shape")}


@dataclass(frozen=True, slots=True)
class Account:
    """What was found of a group of rows.

    `readings`: condition on the left -> its readings, equivalent ones once; `same`: id of a reading that is left out
    -> (condition, the one that it is equivalent to); `holds`: (left, right) -> ids of the readings that fit or entail.
    `never`: readings that no model makes true. `rests_on` has slots for words of the row.
    """

    readings: dict[str, tuple[Reading, ...]]
    same: dict[tuple[str, str], str]
    holds: dict[tuple[str, str], tuple[str, ...]]
    steps: tuple[Step, ...]
    never: tuple[tuple[str, str], ...]
    rests_on: str
    certificate: str
    member: Member = field(repr=False)

    @property
    def text(self) -> str:
        """The account as canonical JSON: the same for rows of the same shapes."""
        return json.dumps([s.to_json() for s in self.steps], separators=(",", ":"), ensure_ascii=False)

    @property
    def id(self) -> str:
        """The first 16 hex digits of the SHA-256 of its text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def on_trust(self) -> tuple[Step, ...]:
        """The steps that rest on what nobody has proved."""
        return tuple(s for s in self.steps if s.decision and rests_on_trust(s.decision.verdict.kind))


@dataclass
class _Steps:
    plan: Plan
    member: Member
    found: list[Step] = field(default_factory=list)

    def readings(self, condition: Condition) -> tuple[Reading, ...]:
        """The readings of a sentence; the one that its author names, if one is named."""
        return tuple(r for r in self.member.readings[condition.name] if condition.reading in (None, r.id))

    def filled(self, formula: Formula) -> Formula:
        return filled(formula, self.plan, self.member.draws, 0)

    def decide(self, kind: str, condition: str, reading: Reading, other: str, hypothesis: Formula) -> Step:
        """One more step: a reading as the premise, and what it is decided with."""
        plan = self.plan
        formulas = self.filled(plan.meant(reading.formula)), self.filled(plan.meant(hypothesis))
        decision = plan.decider.decide(*formulas, plan.slice(formulas, scales_at(plan, self.member.draws, 0)))
        label = decision.verdict.label or "premise inconsistent"
        step = Step(kind, condition, reading.id, other, label, decision.shape.id, decision, formulas)
        self.found.append(step)
        return step


def account(plan: Plan, member: Member) -> Account:
    """Decide everything that there is to say of a group of rows. Raises as `decide.shape.Decider.decide`."""
    steps = _Steps(plan, member)
    conditions = plan.paradigm.conditions
    kept: dict[str, tuple[Reading, ...]] = {}
    same: dict[tuple[str, str], str] = {}
    for name in dict.fromkeys(pair.premise for pair in plan.paradigm.pairs):
        kept[name] = _distinct(steps, conditions[name], same)
    holds: dict[tuple[str, str], tuple[str, ...]] = {}
    for pair in plan.paradigm.pairs:
        right = conditions[pair.hypothesis]
        alike = {one: other for (name, one), other in same.items() if name == pair.premise}
        holds[pair.premise, pair.hypothesis] = tuple(
            reading.id
            for reading in kept[pair.premise]
            if (
                _entailed(steps, pair, reading, right)
                if right.side == "hypothesis"
                else _fits(steps, pair, alike, reading, right)
            )
        )
    never = {(s.condition, s.reading) for s in steps.found if s.label == "premise inconsistent"}
    proofs: list[Proof] = [
        s.decision.verdict.absent[value]
        for s in steps.found
        if s.decision is not None
        for value in EXCLUDED[s.decision.verdict.label]
        if value in s.decision.verdict.absent  # where a dataset is verified its certificate may be missing
    ]
    # numerals are taken as the theory has them only now: what is exactly two is still two to take up
    shown = {name: tuple(replace(r, formula=plan.meant(r.formula)) for r in found) for name, found in kept.items()}
    return Account(
        shown, same, holds, tuple(steps.found), tuple(sorted(never)), _rests_on(steps), kind_of(proofs), member
    )


def _distinct(steps: _Steps, condition: Condition, same: dict[tuple[str, str], str]) -> tuple[Reading, ...]:
    """The readings of a sentence, equivalent ones once."""
    kept: list[Reading] = []
    for reading in steps.readings(condition):
        twin = next((k for k in kept if _equivalent(steps, condition.name, k, reading)), None)
        if twin is None:
            kept.append(reading)
        else:
            same[condition.name, reading.id] = twin.id
    return tuple(kept)


def _equivalent(steps: _Steps, condition: str, one: Reading, other: Reading) -> bool:
    for first, second in ((one, other), (other, one)):
        if steps.decide("same", condition, first, second.id, second.formula).label != "entailment":
            return False
    return True


def _fits(steps: _Steps, pair: Pair, same: Mapping[str, str], reading: Reading, right: Condition) -> bool:
    """Whether some reading of the right sentence can go on from this one.

    Readings that are true in the same models may leave different antecedents open, so that a reading stands for its
    equivalents too (`same`: their ids to its id): each is tried until one can be gone on from.
    """
    alike = [reading, *(r for r in steps.member.readings[pair.premise] if same.get(r.id) == reading.id)]
    fitting = False
    for follow in steps.readings(right):
        going = dict.fromkeys(both for one in alike if (both := continued(one, follow)) is not None)
        if not going:
            steps.found.append(Step("fits", pair.premise, reading.id, right.name, NO_ANTECEDENT, ""))
        for both in going:
            step = steps.decide("fits", pair.premise, reading, right.name, both)
            assert step.decision is not None
            if "T" in step.decision.verdict.h_values:
                fitting = True
                break
    return fitting


def _entailed(steps: _Steps, pair: Pair, reading: Reading, right: Condition) -> bool:
    follow = steps.readings(right)[0]
    return steps.decide("entailed", pair.premise, reading, right.name, follow.formula).label == "entailment"


def _rests_on(steps: _Steps) -> str:
    """The principles that the decisions rest on, each once, with slots for the words of the row."""
    plan, member = steps.plan, steps.member
    words: dict[str, str] = {}
    spoken = (place for found in member.readings.values() for reading in found for place in places(reading.formula))
    for place in dict.fromkeys([*spoken, *(w for w in strengthening(plan) if w.startswith(OPEN))]):
        slot = slot_of(place, plan)
        words.setdefault(plan.realiser.lexeme(slot, int(member.draws.columns[slot.name][0])).id, place)
    principles: dict[str, None] = {}
    for step in steps.found:
        for each in step.decision.rests_on if step.decision else ():
            said = each if isinstance(each, str) else show(rename(each, words))
            if isinstance(each, str):  # a verb that is an operator: `consistency of hope`
                said = re.sub(r"\w+", lambda word: words.get(word[0], word[0]), each)
            principles[said] = None
    return "; ".join(principles)


def claimed(pair: Pair, found: Account) -> tuple[str, ...] | None:
    """The readings that the pair's claim comes to here; None where it claims nothing."""
    claim = pair.claim
    if claim is None:
        return None
    kept = [reading.id for reading in found.readings[pair.premise]]
    if claim.every:
        return tuple(kept)
    meant = {found.same.get((pair.premise, each), each) for each in claim.readings}
    return tuple(each for each in kept if each in meant)


def unmet(pairs: Sequence[Pair], found: Account) -> list[Pair]:
    """The pairs whose claim is not what was derived."""
    claims = ((pair, claimed(pair, found)) for pair in pairs)
    return [p for p, wanted in claims if wanted is not None and wanted != found.holds[p.premise, p.hypothesis]]
