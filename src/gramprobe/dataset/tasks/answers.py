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
from collections.abc import Sequence
from dataclasses import dataclass, field

from gramprobe.certify.rule import EXCLUDED, kind_of
from gramprobe.dataset.kin import filled, places, slot_of
from gramprobe.dataset.plan import Plan
from gramprobe.dataset.tasks.grouping import Member
from gramprobe.dataset.trust import rests_on_trust
from gramprobe.decide.label import Proof
from gramprobe.decide.shape import Decision
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import show
from gramprobe.meaning.compose import Reading
from gramprobe.meaning.discourse import continued
from gramprobe.resolve.paradigm import Condition, Pair
from gramprobe.resolve.rename import rename

NO_ANTECEDENT = "no antecedent"
"""Where a decision stands elsewhere: an anaphor that finds nothing needs no model to be odd."""


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of an account: `kind` same, fits or entailed; a reading of a condition with another reading of it
    or with a right condition; the label that was derived for the two, and its shape."""

    kind: str
    condition: str
    reading: str
    other: str
    label: str
    shape: str
    decision: Decision | None = None

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

    def filled(self, formula: Formula) -> Formula:
        return filled(formula, self.plan, self.member.draws, 0)

    def decide(self, premise: Formula, hypothesis: Formula) -> Decision:
        formulas = self.filled(premise), self.filled(hypothesis)
        return self.plan.decider.decide(*formulas, self.plan.theory.slice(formulas, self.plan.symbols))

    def add(self, kind: str, condition: str, reading: Reading, other: str, decision: Decision) -> Step:
        label = decision.verdict.label or "premise inconsistent"
        step = Step(kind, condition, reading.id, other, label, decision.shape.id, decision)
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
        test = _entailed if right.side == "hypothesis" else _fits
        fitting = (reading.id for reading in kept[pair.premise] if test(steps, pair, reading, right))
        holds[pair.premise, pair.hypothesis] = tuple(fitting)
    never = {(s.condition, s.reading) for s in steps.found if s.label == "premise inconsistent"}
    proofs: list[Proof] = [
        s.decision.verdict.absent[value]
        for s in steps.found
        if s.decision is not None
        for value in EXCLUDED[s.decision.verdict.label]
    ]
    return Account(
        kept, same, holds, tuple(steps.found), tuple(sorted(never)), _rests_on(steps), kind_of(proofs), member
    )


def _distinct(steps: _Steps, condition: Condition, same: dict[tuple[str, str], str]) -> tuple[Reading, ...]:
    """The readings of a sentence (the one that its author names, if one is named), equivalent ones once."""
    found = steps.member.readings[condition.name]
    if condition.reading is not None:
        found = tuple(r for r in found if r.id == condition.reading) or found
    kept: list[Reading] = []
    for reading in found:
        twin = next((k for k in kept if _equivalent(steps, condition.name, k, reading)), None)
        if twin is None:
            kept.append(reading)
        else:
            same[condition.name, reading.id] = twin.id
    return tuple(kept)


def _equivalent(steps: _Steps, condition: str, one: Reading, other: Reading) -> bool:
    for first, second in ((one, other), (other, one)):
        decision = steps.decide(first.formula, second.formula)
        if steps.add("same", condition, first, second.id, decision).label != "entailment":
            return False
    return True


def _fits(steps: _Steps, pair: Pair, reading: Reading, right: Condition) -> bool:
    """Whether some reading of the right sentence can go on from this one."""
    fitting = False
    for follow in steps.member.readings[right.name]:
        both = continued(reading, follow)
        if both is None:
            steps.found.append(Step("fits", pair.premise, reading.id, right.name, NO_ANTECEDENT, ""))
            continue
        decision = steps.decide(reading.formula, both)
        steps.add("fits", pair.premise, reading, right.name, decision)
        fitting |= "T" in decision.verdict.h_values
    return fitting


def _entailed(steps: _Steps, pair: Pair, reading: Reading, right: Condition) -> bool:
    follow = steps.member.readings[right.name][0]
    step = steps.add("entailed", pair.premise, reading, right.name, steps.decide(reading.formula, follow.formula))
    return step.label == "entailment"


def _rests_on(steps: _Steps) -> str:
    """The principles that the decisions rest on, each once, with slots for the words of the row."""
    plan, member = steps.plan, steps.member
    words: dict[str, str] = {}
    for found in member.readings.values():
        for place in dict.fromkeys(place for reading in found for place in places(reading.formula)):
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
    """The readings that the pair's claim comes to here; None where it claims nothing that can be listed."""
    claim = pair.claim
    if claim is None or claim.every:
        return None
    kept = [reading.id for reading in found.readings[pair.premise]]
    meant = {found.same.get((pair.premise, each), each) for each in claim.readings}
    return tuple(each for each in kept if each in meant)


def unmet(pairs: Sequence[Pair], found: Account) -> list[Pair]:
    """The pairs whose claim is not what was derived."""
    wrong = []
    for pair in pairs:
        if pair.claim is None:
            continue
        derived, wanted = found.holds[pair.premise, pair.hypothesis], claimed(pair, found)
        if derived != wanted if wanted is not None else not derived:
            wrong.append(pair)
    return wrong
