"""Labels for columns of draws: one decision a shape, never one a condition.

The shape of a pair is a function of its condition AND of how its draws coincide or are related by an axiom. Rows
are grouped by everything on which the shape can depend (the formulas, the axioms of each word, equality and kinship
of any two words) and one row of each group is decided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from gramprobe.decide.decider import shape_text
from gramprobe.decide.label import Verdict
from gramprobe.decide.reduce import stops_at
from gramprobe.explain.words import against
from gramprobe.formula import ast
from gramprobe.formula.alternatives import word_of
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import show
from gramprobe.items.advice import remedy
from gramprobe.items.kin import Codes, Kin, filled, places, scales_at, slot_of, spoken_of, strengthening
from gramprobe.items.plan import Plan
from gramprobe.items.strengthening import (
    FAILURE,
    Decided,
    Entry,
    Judgement,
    Undecidable,
    columns_of,
    decision_on,
    said_in,
)
from gramprobe.meaning.compose import CLOSE, OPEN, Reading, consulted_by_meaning, readings
from gramprobe.resolve.paradigm.data import Claim, Condition, Pair
from gramprobe.resolve.rename import rename
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws
from gramprobe.words.realise import profiles

LABELS = ("entailment", "neutral", "contradiction")
CODES = {name: code for code, name in enumerate(LABELS)}


@dataclass(frozen=True, slots=True)
class Meanings:
    """The readings of a condition by column: ``code[i]`` is the number of instance i's entry in ``readings``."""

    condition: Condition
    code: Codes
    readings: tuple[tuple[Reading, ...], ...]

    def gold(self, number: int) -> Reading:
        """The reading that counts: the one the author names, else the surface one."""
        found = self.readings[number]
        return next((r for r in found if r.id == self.condition.reading), found[0])


@dataclass(frozen=True, slots=True)
class PairLabels:
    """The labels of one pair by column: ``group[i]`` is the number of instance i's entry in ``decided``."""

    pair: Pair
    group: Codes
    decided: tuple[Decided, ...]
    first: NDArray[np.intp]

    @property
    def labels(self) -> NDArray[np.int8]:
        codes = np.array([CODES[d.label] for d in self.decided], dtype=np.int8)
        return codes[self.group]


@dataclass
class Labelling:
    """Meanings and labels of a selection of instances."""

    plan: Plan
    draws: Draws
    meanings: dict[str, Meanings] = field(default_factory=dict)
    pairs: list[PairLabels] = field(default_factory=list)


def grouped(columns: Sequence[Codes], count: int) -> tuple[Codes, NDArray[np.intp]]:
    """Rows with equal entries in all columns get one number; the numbers, and the first row of each."""
    code: Codes = np.zeros(count, np.int64)
    first: NDArray[np.intp] = np.zeros(1 if count else 0, np.intp)
    for column in columns:
        _, first, code = np.unique(
            code * (int(column.max(initial=0)) + 1) + column, return_index=True, return_inverse=True
        )
    return code, first


def label(plan: Plan, draws: Draws, findings: Findings) -> Labelling:
    """Decide every pair of every instance; what stands against a label becomes a finding at its pair."""
    found = Labelling(plan, draws)
    for condition in plan.paradigm.conditions.values():
        meanings = _meanings(plan, condition, draws)
        found.meanings[condition.name] = meanings
        if condition.reading is not None:
            for known in meanings.readings:
                ids = [r.id for r in known]
                if condition.reading not in ids:
                    place = condition.reading_span or condition.span
                    findings.add(messages.unknown_reading(place, condition.name, condition.reading, ids))
                    return found
    if _is_idle(found):
        findings.add(
            messages.idle_scale(
                plan.paradigm.scale_spans[0], [w.replace(OPEN, "").replace(CLOSE, "") for w in plan.scales[0]]
            )
        )
        return found
    kin = Kin(plan, draws)
    for pair in plan.paradigm.pairs:
        try:
            labels = _pair(found, pair, kin, findings)
        except Undecidable:
            return found
        found.pairs.append(labels)
        if pair.via_failure and not any(d.via for d in labels.decided):
            findings.add(messages.no_failure(pair.span, pair.premise, pair.hypothesis))
    _expectations(found, findings)
    return found


def _meanings(plan: Plan, condition: Condition, draws: Draws) -> Meanings:
    code: Codes = np.zeros(len(draws), np.int64)
    seen: dict[tuple[Reading, ...], int] = {}
    for profile in profiles(
        condition.tree, lambda t: consulted_by_meaning(t, plan.grammar), draws, plan.space, plan.grammar
    ):
        read = readings(profile.tree, profile.chosen, plan.grammar)
        found = tuple(replace(reading, formula=plan.meant(reading.formula)) for reading in read)
        code[profile.rows] = seen.setdefault(found, len(seen))
    return Meanings(condition, code, tuple(seen))


def _is_idle(labelling: Labelling) -> bool:
    """Whether the paradigm's scale has no word in any formula, so that it strengthens nothing."""
    plan = labelling.plan
    if not plan.paradigm.scale or not len(labelling.draws):
        return False
    said = (r.formula for m in labelling.meanings.values() for known in m.readings for r in known)
    return not any(word_of(part) in plan.scales[0] for formula in said for part in ast.walk(formula))


# ---- deciding ------------------------------------------------------------------------------------------------


def _pair(labelling: Labelling, pair: Pair, kin: Kin, findings: Findings) -> PairLabels:
    plan, draws = labelling.plan, labelling.draws
    premise, hypothesis = labelling.meanings[pair.premise], labelling.meanings[pair.hypothesis]
    columns = [premise.code, hypothesis.code]
    whole, first = grouped(columns, len(draws))
    group: Codes = np.zeros(len(draws), np.int64)
    decided: list[Decided] = []
    firsts: list[int] = []
    for number, start in enumerate(first):
        rows = np.flatnonzero(whole == number)
        known = [r for m in (premise, hypothesis) for r in m.readings[m.code[start]]]
        words = [*(n for r in known for n in spoken_of(r.formula)), *strengthening(plan)]
        slots = [slot_of(p, plan) for p in dict.fromkeys(words) if p.startswith(OPEN)]
        given = [n for n in words if n in plan.symbols]
        inner = [kin.words(s)[rows] for s in slots]
        ties = kin.ties(slots, given)
        inner += [] if ties is None else [ties[rows]]
        couples = [*combinations(slots, 2), *product(slots, dict.fromkeys(given))]
        inner += [c[rows] for a, b in couples if (c := kin.same(a, b)) is not None]
        code, starts = grouped(inner, len(rows))
        for local, at in enumerate(starts):
            row = int(rows[at])
            group[rows[code == local]] = len(decided)
            firsts.append(row)
            decided.append(_decide(labelling, pair, row, findings))
            _cross_check(labelling, pair, decided[-1], int(rows[np.flatnonzero(code == local)[-1]]), row)
    return PairLabels(pair, group, tuple(decided), np.array(firsts, np.intp))


def _cross_check(labelling: Labelling, pair: Pair, decided: Decided, other: int, row: int) -> None:
    """Another row of the group must have the very shape that was decided; if not, rows were grouped wrongly."""
    if other == row:
        return
    plan = labelling.plan
    sides = [labelling.meanings[pair.premise], labelling.meanings[pair.hypothesis]]
    gold = [filled(m.gold(int(m.code[other])).formula, plan, labelling.draws, other) for m in sides]
    premise, hypothesis = (said_in(decided.column, f, i == 0) for i, f in enumerate(gold))
    scales = scales_at(plan, labelling.draws, other)
    text, _ = shape_text(premise, hypothesis, plan.slice((premise, hypothesis), scales))
    if text != decided.gold.shape.text:
        raise RuntimeError(f"{pair.condition}: instances {row} and {other} were grouped and differ in shape")


def _decide(labelling: Labelling, pair: Pair, row: int, findings: Findings) -> Decided:
    plan, draws = labelling.plan, labelling.draws
    sides = [labelling.meanings[pair.premise], labelling.meanings[pair.hypothesis]]
    numbers = [int(m.code[row]) for m in sides]
    gold_ids = [m.gold(n).id for m, n in zip(sides, numbers, strict=True)]
    sentences = partial(_sentences, labelling, pair, row)  # said only where something stands against the pair
    scales = scales_at(plan, draws, row)
    entries: list[Entry] = []
    judgements: list[Judgement] = []
    for column in columns_of(plan.paradigm):
        for p, h in product(sides[0].readings[numbers[0]], sides[1].readings[numbers[1]]):
            premise = said_in(column, filled(p.formula, plan, draws, row), True)
            hypothesis = said_in(column, filled(h.formula, plan, draws, row), False)
            decision = decision_on(plan, pair, premise, hypothesis, scales, sentences, findings)
            name = label_name(decision.verdict)
            entries.append(Entry(p.id, h.id, column, name, decision.shape.id))
            if [p.id, h.id] == gold_ids:
                failed = name == FAILURE
                if failed and not pair.via_failure:
                    findings.add(messages.failure(pair.span, pair.premise, pair.hypothesis, sentences()))
                via = "failure" if failed and pair.via_failure else ""
                label = "contradiction" if failed else name
                judgements.append(Judgement(column, decision, label, via, premise, hypothesis))
    conditions = [m.condition for m in sides]
    for judgement in judgements:
        _objections(labelling, conditions, pair, row, judgement.verdict, findings)
    _disagreements(conditions, pair, entries, findings)
    words = _slots_of([m.gold(n).formula for m, n in zip(sides, numbers, strict=True)], plan, draws, row)
    decided = Decided(tuple(judgements), plan.paradigm.gold, tuple(entries), "")
    needs = decided.gold.rests_on
    rests_on = "; ".join(
        re.sub(r"\w+", lambda word: words.get(word[0], word[0]), each)  # a verb that is an operator: `factivity of see`
        if isinstance(each, str)
        else show(rename(each, words))
        for each in needs
    )
    return replace(decided, rests_on=rests_on)


def _disagreements(conditions: list[Condition], pair: Pair, entries: Sequence[Entry], findings: Findings) -> None:
    """Readings that no condition chooses between agree on the label, in every column."""
    for column in dict.fromkeys(e.column for e in entries):
        open_ = [
            (e.premise, e.hypothesis, e.label)
            for e in entries
            if e.column == column and all(c.reading in (None, r) for c, r in zip(conditions, e[:2], strict=True))
        ]
        if len({label for *_, label in open_}) > 1:
            findings.add(messages.readings_disagree(pair.span, pair.premise, pair.hypothesis, open_))


def _slots_of(formulas: Sequence[Formula], plan: Plan, draws: Draws, row: int) -> dict[str, str]:
    """The words of a row by the slots they fill: in the other rows of the group others may stand there."""
    found: dict[str, str] = {}
    said = [place for formula in formulas for place in places(formula)]
    for place in dict.fromkeys([*said, *(w for w in strengthening(plan) if w.startswith(OPEN))]):
        slot = slot_of(place, plan)
        found.setdefault(plan.realiser.lexeme(slot, int(draws.columns[slot.name][row])).id, place)
    return found


def label_name(verdict: Verdict) -> str:
    """The label, or (where the premise is inconsistent, an error of its own) the vacuous one."""
    return verdict.label or "entailment"


def _sentences(labelling: Labelling, pair: Pair, row: int) -> tuple[str, str]:
    conditions, realiser = labelling.plan.paradigm.conditions, labelling.plan.realiser
    return (
        realiser.sentence(conditions[pair.premise], labelling.draws, row),
        realiser.sentence(conditions[pair.hypothesis], labelling.draws, row),
    )


def _objections(
    labelling: Labelling, conditions: list[Condition], pair: Pair, row: int, verdict: Verdict, findings: Findings
) -> None:
    """What stands against a sentence whatever it is paired with: told once, where the sentence stands."""
    if not verdict.findings:
        return
    here, there = (c.span for c in conditions)
    premise, hypothesis = _sentences(labelling, pair, row)
    theory = labelling.plan.theory.name
    for finding in verdict.findings:
        if finding == "premise inconsistent":
            findings.add(
                messages.premise_inconsistent(here, pair.premise, premise, theory, _stop(labelling, pair, row))
            )
        elif finding == "hypothesis is a question":
            findings.add(messages.hypothesis_question(there, pair.hypothesis, hypothesis))
        elif "premise inconsistent" not in verdict.findings:
            how = "true" if finding == "hypothesis valid" else "never true"
            findings.add(messages.hypothesis_settled(there, pair.hypothesis, hypothesis, how, theory))


def _stop(labelling: Labelling, pair: Pair, row: int) -> str:
    """Where the premise is a story: what cannot happen when it is told to."""
    plan, meanings = labelling.plan, labelling.meanings[pair.premise]
    premise = filled(meanings.gold(int(meanings.code[row])).formula, plan, labelling.draws, row)
    return stops_at(premise, slice_for((premise,), plan.theory, plan.symbols))


def _expectations(labelling: Labelling, findings: Findings) -> None:
    """Every claim of an ``expect`` that is not met, with the smallest counter-model found for the line's first pair."""
    by_claim: dict[Claim, list[PairLabels]] = {}
    for found in labelling.pairs:
        for claim in found.pair.every_claim(labelling.plan.paradigm.gold):
            by_claim.setdefault(claim, []).append(found)
    for claim, line in by_claim.items():
        span, expected = claim.span, claim.label
        wrong = [
            (p, i)
            for p in line
            for i, d in enumerate(p.decided)
            if (j := d.in_column(claim.column)).label != expected and not j.verdict.findings
        ]
        if not wrong:
            continue
        found, number = wrong[0]
        decided = found.decided[number].in_column(claim.column)
        premise, hypothesis = _sentences(labelling, found.pair, int(found.first[number]))
        story = [
            f"premise     {premise}",
            f"hypothesis  {hypothesis}",
            *against(decided.decision, decided.label, expected),
        ]
        if claim.column != "literal":
            story.insert(2, f"column      {claim.column}: {show(decided.premise)} => {show(decided.hypothesis)}")
        several = len({id(p) for p, _ in wrong})
        failing = sum(int((p.group == i).sum()) for p, i in wrong)
        looked = len(line) * len(labelling.draws)
        if failing < several * len(labelling.draws):
            story.append(f"so in {failing:,} of the {looked:,} rows looked at; in the others the claim holds")
        help = remedy(decided, labelling.plan, labelling.draws, int(found.first[number]), expected)
        findings.add(messages.expectation(span, expected, decided.label, several, len(line), story, help))
