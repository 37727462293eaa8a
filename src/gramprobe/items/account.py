"""The readings of a sentence up to equivalence, and which follow-ups fit each of them: decided like labels.

Two readings count as one if each entails the other. A right sentence *fits* a reading iff each of its anaphors has an
accessible antecedent there (Kamp 1981; Groenendijk & Stokhof 1991) and it can be true where the reading is; a
hypothesis is *entailed* by a reading iff it is true wherever the reading is. Every step is one decision with a
certificate; the decisions of a row are an *account*, named by the hash of their shapes, that many rows share.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import permutations

from msgspec.structs import replace

from gramprobe.certify.rule import EXCLUDED, kind_of
from gramprobe.decide.verdict import Asked, Decision, Proof, doubt
from gramprobe.decide.wording import looked_for
from gramprobe.formula.ast import And, Formula, Not
from gramprobe.items import strength
from gramprobe.items.groups import Member
from gramprobe.items.plan import Plan
from gramprobe.items.slots import filled, scale_words, scales_at, slot_symbols, slots_of_words, with_slots
from gramprobe.meaning.discourse import continued
from gramprobe.meaning.reading import OPEN, Reading
from gramprobe.resolve.paradigm.data import Condition, Pair

ONLY = "only"
"""The id of the only reading of a sentence without operators (an empty id would look like no reading in a row)."""
NO_ANTECEDENT = "no antecedent"
"""In the place of a label: an anaphor of the follow-up has no accessible antecedent, so that nothing is decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One decision of an account.

    Attributes:
        kind: `same` (does one reading entail another of the same sentence?), `fits` or `entailed`; `stronger` (does
            one entail another where every restrictor has members enough?), `strengthened` (does a right sentence fit
            what is left of a reading without the stronger ones?), `paraphrase` (does one entail a sentence that says
            only this, or is it entailed by it?).
        condition: the left condition.
        reading: the id of its reading, the premise of the decision.
        other: of `same` and `stronger` the id of the other reading, else the name of the right condition; where a
            paraphrase is the premise, the id of the reading.
        label: the derived label, or :data:`NO_ANTECEDENT`.
        shape: the id of the shape that was decided; empty where there was nothing to decide.
        decision: the decision itself.
        formulas: gives premise and hypothesis, over the words of the row.
    """

    kind: str
    condition: str
    reading: str
    other: str
    label: str
    shape: str
    decision: Decision | None = None
    formulas: Callable[[], tuple[Formula, Formula]] | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, str]:
        """Its line in an account."""
        return {name: getattr(self, name) for name in ("kind", "condition", "reading", "other", "label", "shape")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The answer to a group of rows of a task about readings.

    Attributes:
        readings: left condition -> its readings, equivalent ones once.
        same: (condition, id of a reading that is left out) -> id of the reading that it is equivalent to.
        holds: (left condition, right condition) -> ids of the left readings that the right one fits, or that entail it.
        surface: left condition -> the id of the reading in which the operators have scope in the order of the words, or
            nothing.
        stronger: left condition -> pairs of its readings of which the first is the stronger.
        picks: (left condition, right condition) -> the id of the left reading that the right one picks, or nothing.
        paraphrases: conditions that were shown to say one reading only -> its id.
        steps: the decisions, in order.
        never: (condition, id) of readings that no model makes true.
        rests_on: principles of the theory, with symbols of slots for words of the row.
        certificate: the kind of the weakest proof of all steps.
        member: the first row of the group.
    """

    readings: dict[str, tuple[Reading, ...]]
    same: dict[tuple[str, str], str]
    holds: dict[tuple[str, str], tuple[str, ...]]
    surface: dict[str, str]
    stronger: dict[str, tuple[tuple[str, str], ...]]
    picks: dict[tuple[str, str], str]
    paraphrases: dict[str, str]
    steps: tuple[Step, ...]
    never: tuple[tuple[str, str], ...]
    rests_on: str
    certificate: str
    member: Member = field(repr=False)

    def unproved(self, condition: str, reading: str) -> str:
        """How far the search for a model of a reading went; empty where a proof shows that it has none."""
        for step in self.steps:
            if (step.condition, step.reading) == (condition, reading) and step.decision is not None:
                proof = step.decision.verdict.unproved("premise inconsistent")
                if "premise inconsistent" in step.decision.verdict.findings:
                    return looked_for(proof) if proof is not None else ""
        return ""

    def operator(self, condition: str, number: int) -> str:
        """The operator of this number, from 0, in the order of the words; empty where there are fewer."""
        words = next((reading.words for reading in self.readings[condition]), ())
        return words[number] if number < len(words) else ""

    def strongest(self, condition: str) -> str:
        """The id of the reading that is stronger than every other; empty if none is."""
        return strength.strongest([r.id for r in self.readings[condition]], self.stronger.get(condition, ()))

    def inverse_access(self, condition: str) -> str:
        """`free`, `disputed` or empty: :func:`gramprobe.items.strength.inverse_access`."""
        formulas = {r.id: r.formula for r in self.readings[condition]}
        return strength.inverse_access(self.surface.get(condition, ""), self.strongest(condition), formulas)

    @property
    def text(self) -> str:
        """The account as canonical JSON: the same for rows of the same shapes."""
        return json.dumps([s.to_json() for s in self.steps], separators=(",", ":"), ensure_ascii=False)

    @property
    def shape(self) -> str:
        """Its id: the first 16 hex digits of the SHA-256 of its text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def shapes(self) -> tuple[str, ...]:
        """The shapes of all steps that were decided."""
        return tuple(step.shape for step in self.steps if step.shape)

    @property
    def on_trust(self) -> tuple[Step, ...]:
        """The steps whose labels or lists of values rest on trust."""
        return tuple(s for s in self.steps if s.decision and doubt(s.decision.verdict))


@dataclass
class _Steps:
    """The decisions of an account as they are made, for the first row of a group."""

    plan: Plan
    member: Member
    decided: list[Step] = field(default_factory=list)
    known: list[Asked] = field(init=False)
    asked: int = 0

    def __post_init__(self) -> None:
        self.known = self.plan.shapes.of(self.member.row, self.plan.theory.name, "account")

    def readings(self, condition: Condition) -> tuple[Reading, ...]:
        """The readings of a sentence, or only the reading that the author names."""
        return tuple(r for r in named(self.member.readings[condition.name]) if condition.reading in (None, r.id))

    def add(
        self, kind: str, condition: str, reading: Reading, other: str, hypothesis: Formula, meant: bool = False
    ) -> Step:
        """Add the decision with a reading of a condition as the premise. Raises judge.Undecidable.

        ``meant``: the numerals of the hypothesis are those of the theory already.
        """
        plan, draws = self.plan, self.member.draws

        @cache
        def formulas() -> tuple[Formula, Formula]:
            premise, other = plan.meant(reading.formula), hypothesis if meant else plan.meant(hypothesis)
            return filled(premise, plan, draws, 0), filled(other, plan, draws, 0)

        decision = plan.decision(formulas, scales_at(plan, draws, 0), self.known, self.asked)
        self.asked += 1
        label = decision.verdict.label or "premise inconsistent"
        step = Step(
            kind=kind, condition=condition, reading=reading.id, other=other, label=label, shape=decision.shape.id,
            decision=decision, formulas=formulas,
        )  # fmt: skip
        self.decided.append(step)
        return step


def named(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """The readings, with the id :data:`ONLY` in the place of an empty one."""
    return tuple(replace(reading, id=reading.id or ONLY) for reading in readings)


def account(plan: Plan, member: Member, weighed: Sequence[str] = (), picking: bool = False) -> Account:
    """Decide what fits which reading, for a group of rows by its first row. Raises judge.Undecidable.

    ``weighed``: the left conditions of whose readings it is decided which is the stronger; with ``picking`` also which
    reading the right conditions pick.
    """
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
                if right.role == "judged"
                else _fits(steps, pair, alike, reading, right)
            )
        )
    stronger = {name: _stronger(steps, name, kept[name]) for name in weighed if len(kept.get(name, ())) > 1}
    picks = {
        (pair.premise, pair.hypothesis): _picked(
            steps, pair, kept[pair.premise], stronger[pair.premise], same, holds[pair.premise, pair.hypothesis]
        )
        for pair in plan.paradigm.pairs
        if picking and pair.premise in stronger
    }
    surface = {name: _surface(member, name, kept[name], same) for name in weighed}
    paraphrases = {
        condition.name: _paraphrased(steps, condition, name, kept[name], surface[name])
        for name in stronger
        for condition in conditions.values()
        if condition.role == "restates"
    }
    never = {(s.condition, s.reading) for s in steps.decided if s.label == "premise inconsistent"}
    proofs: list[Proof] = [
        s.decision.verdict.absent[value]
        for s in steps.decided
        if s.decision is not None
        for value in EXCLUDED[s.decision.verdict.label]
        if value in s.decision.verdict.absent  # where a dataset is verified its certificate may be missing
    ]
    # the theory interprets numerals only here: an anaphor may refer to *two N* whether or not they are exactly two
    shown = {
        name: tuple(replace(r, formula=plan.meant(r.formula)) for r in readings) for name, readings in kept.items()
    }
    return Account(
        readings=shown,
        same=same,
        holds=holds,
        surface=surface,
        stronger=stronger,
        picks=picks,
        paraphrases=paraphrases,
        steps=tuple(steps.decided),
        never=tuple(sorted(never)),
        rests_on=_rests_on(steps),
        certificate=kind_of(proofs),
        member=member,
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
        if steps.add("same", condition, first, second.id, second.formula).label != "entailment":
            return False
    return True


def _fits(steps: _Steps, pair: Pair, same: Mapping[str, str], reading: Reading, right: Condition) -> bool:
    """Whether some reading of the follow-up fits this reading.

    Equivalent readings may make different antecedents accessible (`same`: the id of a reading that was left out -> the
    id of its equivalent), so that the follow-up is tried after each of them until it fits one.
    """
    fitting = False
    for follow in steps.readings(right):
        going = _together(steps, pair, same, reading, follow)
        if not going:
            steps.decided.append(
                Step(kind="fits", condition=pair.premise, reading=reading.id, other=right.name, label=NO_ANTECEDENT,
                     shape="")
            )  # fmt: skip
        for both in going:
            step = steps.add("fits", pair.premise, reading, right.name, both)
            assert step.decision is not None
            if "T" in step.decision.verdict.h_values:
                fitting = True
                break
    return fitting


def _together(
    steps: _Steps, pair: Pair, same: Mapping[str, str], reading: Reading, follow: Reading
) -> dict[Formula, None]:
    """A reading, or one that is equivalent to it, and after it the follow-up, as formulas.

    Empty where an anaphor has no antecedent.
    """
    alike = [reading, *(r for r in named(steps.member.readings[pair.premise]) if same.get(r.id) == reading.id)]
    return dict.fromkeys(both for one in alike if (both := continued(one, follow)) is not None)


def _stronger(steps: _Steps, condition: str, readings: Sequence[Reading]) -> tuple[tuple[str, str], ...]:
    """The pairs of readings of which the first is the stronger.

    What is entailed without members enough is so with them, and easier to decide.
    """
    formulas = {reading.id: steps.plan.meant(reading.formula) for reading in readings}
    known = {(s.reading, s.other): s.label for s in steps.decided if (s.kind, s.condition) == ("same", condition)}
    entails = []
    for one, other in permutations(readings, 2):
        label = known.get((one.id, other.id)) or steps.add("same", condition, one, other.id, other.formula).label
        if label != "entailment":
            hypothesis = strength.given_many(list(formulas.values()), formulas[other.id])
            label = steps.add("stronger", condition, one, other.id, hypothesis, meant=True).label
        if label == "entailment":
            entails.append((one.id, other.id))
    return strength.strictly(entails)


def _surface(member: Member, condition: str, kept: Sequence[Reading], same: Mapping[tuple[str, str], str]) -> str:
    """The id of the reading in which the operators have scope in the order of the words; empty if there is none."""
    known = named(member.readings[condition])
    id_ = next((r.id for r in known if r.words and r.order == r.words), "")
    id_ = same.get((condition, id_), id_)
    return id_ if any(r.id == id_ for r in kept) else ""


def _paraphrased(steps: _Steps, condition: Condition, of: str, readings: Sequence[Reading], surface: str) -> str:
    """The id of the reading that a paraphrase says: it has one reading, and this one and that entail each other.

    Empty where it does not; the name of the paraphrase tells which reading it is to say.
    """
    said = _distinct(steps, condition, {})
    meant = [r for r in readings if (r.id == surface) == (condition.name == "as_surface")]
    if len(said) != 1 or not surface or len(meant) != 1:
        return ""
    ((own,), (reading,)) = said, meant
    there = steps.add("paraphrase", of, reading, condition.name, own.formula).label
    back = steps.add("paraphrase", condition.name, own, reading.id, reading.formula).label
    return reading.id if there == back == "entailment" else ""


def _picked(
    steps: _Steps,
    pair: Pair,
    readings: Sequence[Reading],
    stronger: Sequence[tuple[str, str]],
    same: Mapping[tuple[str, str], str],
    fits: Sequence[str],
) -> str:
    """The id of the reading that a right condition picks; empty where it picks none."""
    alike = {one: other for (name, one), other in same.items() if name == pair.premise}
    formulas = {reading.id: reading.formula for reading in readings}
    left: dict[str, bool] = {}
    for reading in readings:
        denied = [Not(formulas[one]) for one, other in stronger if other == reading.id]
        if not denied or reading.id not in fits:
            continue
        left[reading.id] = False
        for follow in steps.readings(steps.plan.paradigm.conditions[pair.hypothesis]):
            for both in _together(steps, pair, alike, reading, follow):
                step = steps.add("strengthened", pair.premise, reading, pair.hypothesis, reduce(And, denied, both))
                assert step.decision is not None
                left[reading.id] |= "T" in step.decision.verdict.h_values
    return strength.picked(fits, stronger, left)


def _entailed(steps: _Steps, pair: Pair, reading: Reading, right: Condition) -> bool:
    follow = steps.readings(right)[0]
    return steps.add("entailed", pair.premise, reading, right.name, follow.formula).label == "entailment"


def _rests_on(steps: _Steps) -> str:
    """The principles that the decisions rest on, each once, with slots for the words of the row."""
    plan, member = steps.plan, steps.member
    symbols = [s for known in member.readings.values() for r in known for s in slot_symbols(r.formula)]
    symbols += [w for w in scale_words(plan) if w.startswith(OPEN)]
    slots = slots_of_words(symbols, plan, member.draws, 0)
    principles = (with_slots(step.decision.rests_on, slots) for step in steps.decided if step.decision is not None)
    return "; ".join(dict.fromkeys(each for known in principles for each in known))


def claimed(pair: Pair, account: Account) -> tuple[str, ...] | None:
    """The ids of the readings that a pair claims, as the account counts readings; None where it claims nothing."""
    claim = pair.claim
    if claim is None:
        return None
    kept = [reading.id for reading in account.readings[pair.premise]]
    if claim.every:
        return tuple(kept)
    meant = {account.same.get((pair.premise, each), each) for each in claim.readings}
    return tuple(each for each in kept if each in meant)


def unmet(pairs: Sequence[Pair], account: Account) -> list[Pair]:
    """The pairs whose claims differ from the derived answers."""
    claims = ((pair, claimed(pair, account)) for pair in pairs)
    return [p for p, wanted in claims if wanted is not None and wanted != account.holds[p.premise, p.hypothesis]]
