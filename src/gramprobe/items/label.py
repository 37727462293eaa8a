"""The labels of a pair of conditions, for one group of rows: a decision for each pair of readings in each column.

    literal     the formulas as they are
    pragmatic   what follows from what the premise conveys: with `exh` and what its grammar declares (`sem conveys`)
    imppres     premise and hypothesis strengthened so, the convention of IMPPRES (Jeretic et al. 2020)

A paradigm without a scale has no column `imppres`, and `pragmatic` only where it says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import product
from typing import NamedTuple

from msgspec import structs

from gramprobe.certify.rule import FAILURE, LABELS, label_of_row, strawson_of
from gramprobe.decide.reduce import stops_at
from gramprobe.decide.verdict import Decision, Verdict, doubt
from gramprobe.decide.wording import looked_for
from gramprobe.formula import ast
from gramprobe.formula.alternatives import word_of
from gramprobe.formula.ast import Formula
from gramprobe.items.groups import Member
from gramprobe.items.plan import Plan
from gramprobe.items.slots import filled, scale_words, scales_at, slot_symbols, slots_of_words, with_slots
from gramprobe.items.tasks.nli_row import by_readings
from gramprobe.judge import judge
from gramprobe.meaning.reading import OPEN, Reading
from gramprobe.resolve.paradigm.data import NO_GOLD, STRAWSON, Condition, Pair
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings

CODES = {name: code for code, name in enumerate(LABELS)}


class Entry(NamedTuple):
    """The label of one pair of readings in one column, and the shape in which it was decided.

    The column is one of `LABEL_COLUMNS`; or, for the gold column in a theory beside the paradigm's own, the theory.
    """

    premise: str
    hypothesis: str
    column: str
    label: str
    shape: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The label of a pair of readings in one column.

    Attributes:
        column: `literal`, `pragmatic`, `imppres` or `strawson`.
        decision: the decision.
        label: the label as a row has it.
        via: `failure` where the label is a contradiction because a presupposition fails, else empty.
        formulas: gives the premise and the hypothesis that were decided, of one row.
    """

    column: str
    decision: Decision
    label: str
    via: str
    formulas: Callable[[], tuple[Formula, Formula]] = field(compare=False)

    @property
    def premise(self) -> Formula:
        return self.formulas()[0]

    @property
    def hypothesis(self) -> Formula:
        return self.formulas()[1]

    @property
    def verdict(self) -> Verdict:
        return self.decision.verdict


@dataclass(frozen=True, kw_only=True)
class PairLabels:
    """The answer of a pair to a group of rows.

    Attributes:
        pair: the pair.
        member: the first row of the group.
        judgements: the gold readings in each column.
        gold_column: the column whose label is the row's; `none` where the row has no label.
        entries: every pair of readings in every column, and in every theory beside the paradigm's own.
        theories: the names of the theories whose labels a row has.
        rests_on: principles of the theory, with symbols of slots for words of the row.
        on_trust: a pair of readings (empty: the gold one) whose label rests on trust, with its verdict; None if all
            labels are proved.
    """

    pair: Pair
    member: Member = field(repr=False)
    judgements: tuple[Judgement, ...]
    gold_column: str
    entries: tuple[Entry, ...]
    rests_on: str
    theories: tuple[str, ...] = ()
    on_trust: tuple[str, Verdict] | None = None

    def in_column(self, column: str) -> Judgement:
        """The judgement of a column; the literal one where the paradigm has no such column.

        In the column `strawson` it is the judgement of the gold column with the label over the values of the hypothesis
        but U (`certify.rule.strawson_of`).
        """
        if column == STRAWSON:
            label = strawson_of(self.judged.verdict.h_values)
            return replace(self.judged, column=column, label=label_of_row(label) if label else self.judged.label)
        return next((j for j in self.judgements if j.column == column), self.judgements[0])

    def label_of(self, column: str) -> str:
        """The label of a column; empty where the paradigm has no such column."""
        judged = self.in_column(column)
        return judged.label if judged.column == column else ""

    @cached_property
    def judged(self) -> Judgement:
        """The judgement of the gold column; the literal one where there is no gold."""
        return self.in_column(self.gold_column)

    @property
    def gold(self) -> Decision:
        return self.judged.decision

    @property
    def label(self) -> str:
        """The label of a row; empty where the pair has no gold label."""
        return "" if self.gold_column == NO_GOLD else self.judged.label

    @property
    def code(self) -> int:
        """The number of the label in :data:`LABELS`. Raises KeyError where there is no label."""
        return CODES[self.label]

    @property
    def via(self) -> str:
        return self.judged.via

    @property
    def premise(self) -> Formula:
        return self.judged.premise

    @property
    def hypothesis(self) -> Formula:
        return self.judged.hypothesis

    @property
    def verdict(self) -> Verdict:
        return self.judged.verdict

    @property
    def shape(self) -> str:
        return self.gold.shape.id

    @property
    def certificate(self) -> str:
        return self.verdict.kind

    @property
    def shapes(self) -> tuple[str, ...]:
        """The shapes of all pairs of readings in all columns."""
        return tuple(entry.shape for entry in self.entries)

    @cached_property
    def entries_json(self) -> str:
        """The column `labels` of a row."""
        return json.dumps([e._asdict() for e in self.entries], separators=(",", ":"), ensure_ascii=False)

    @cached_property
    def by_theory(self) -> dict[str, str | dict[str, str]]:
        """Theory -> the label of the gold column in it, by readings where these differ; of theories that are said to
        agree the first one."""
        own = [entry for entry in self.entries if entry.column == self.judged.column]
        entries = {name: [e for e in self.entries if e.column == name] or own for name in self.theories}
        return {name: by_readings(of_theory) for name, of_theory in entries.items()}

    @property
    def by_theory_json(self) -> str:
        """The column `labels_by_theory` of a row; empty where the paradigm names no theories."""
        return json.dumps(self.by_theory, separators=(",", ":"), ensure_ascii=False) if self.theories else ""

    @property
    def label_in_words(self) -> str:
        """The label of the gold column (the literal one where there is no gold) in words, with names of their own for
        presupposition failures and premises that are never true."""
        if self.verdict.label is None:
            return "no label, as the premise is never true"
        return self.judged.label if self.via else self.verdict.label


def meant(plan: Plan, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Readings with interpreted formulas: numerals as the theory takes them."""
    found = []
    for reading in readings:
        formula = plan.meant(reading.formula)
        conveys = None if reading.conveys is None else plan.meant(reading.conveys)
        same = formula is reading.formula and conveys is reading.conveys
        found.append(reading if same else structs.replace(reading, formula=formula, conveys=conveys))
    return tuple(found)


def gold_reading(condition: Condition, readings: Sequence[Reading]) -> Reading:
    """The gold reading of a condition: the one that the author names, else the surface reading."""
    return next((r for r in readings if r.id == condition.reading), readings[0])


def gold_readings(plan: Plan, pair: Pair, member: Member) -> list[Reading]:
    """The gold readings of premise and hypothesis in a group's row, interpreted."""
    names = pair.premise, pair.hypothesis
    return [gold_reading(plan.paradigm.conditions[name], meant(plan, member.readings[name])) for name in names]


def pair_labels(plan: Plan, pair: Pair, member: Member, findings: Findings) -> PairLabels | None:
    """Decide a pair for a group of rows by its first row: every pair of readings, in every column.

    Objections are added to ``findings`` at the pair's declaration. None, with a finding, where the pair has no label.
    """
    conditions = [plan.paradigm.conditions[name] for name in (pair.premise, pair.hypothesis)]
    gold = gold_readings(plan, pair, member)
    sentences = partial(_sentences, plan, pair, member)  # only diagnostics need them
    entries: list[Entry] = []
    judgements: list[Judgement] = []
    verdicts: list[Verdict] = []
    theory = plan.theory  # the one in which a pair of readings is being decided
    try:
        for column in plan.paradigm.columns:
            for entry, judgement in decided(plan, pair, member, column):
                entries.append(entry)
                verdicts.append(judgement.verdict)
                if [entry.premise, entry.hypothesis] == [r.id for r in gold]:
                    judgements.append(judgement)
                    if entry.label == FAILURE and not pair.via_failure:
                        findings.add(messages.label.failure(pair.span, pair.premise, pair.hypothesis, sentences()))
        for judgement in judgements:
            _objections(plan, conditions, pair, member, gold[0], judgement.verdict, findings)
        _disagreements(conditions, pair, entries, findings)
        for beside in plan.other_theories:
            theory = beside.theory
            for entry, judgement in in_theory(beside, pair, member):
                entries.append(entry)
                verdicts.append(judgement.verdict)
                of_gold = [entry.premise, entry.hypothesis] == [r.id for r in gold]
                if of_gold and judgement.verdict.label is None:
                    _objections(beside, conditions, pair, member, gold[0], judgement.verdict, findings)
    except judge.Undecidable as error:
        where = "" if theory is plan.theory else f" (theory {theory.name})"
        reason = error.code, f"{error.message}{where}", error.help
        findings.add(messages.label.undecided(pair.span, reason, (pair.premise, pair.hypothesis), sentences()))
        return None
    labels = PairLabels(
        pair=pair, member=member, judgements=tuple(judgements), entries=tuple(entries), rests_on="",
        gold_column=plan.paradigm.gold_of(pair),
        theories=tuple(alike[0].theory.name for alike in plan.beside),
    )  # fmt: skip
    rests_on = _with_slots(labels.gold.rests_on, plan, gold, member)
    return replace(labels, rests_on=rests_on, on_trust=_on_trust(labels, verdicts))


def _with_slots(principles: Sequence[str | Formula], plan: Plan, gold: Sequence[Reading], member: Member) -> str:
    """The principles that a label rests on, with the slots of the gold readings in the place of a row's words. Most
    labels are neutral, and rest on none."""
    if not principles:
        return ""
    symbols = [s for r in gold for s in slot_symbols(r.formula)]
    symbols += [w for w in scale_words(plan) if w.startswith(OPEN)]
    return "; ".join(with_slots(principles, slots_of_words(symbols, plan, member.draws, 0)))


def decided(plan: Plan, pair: Pair, member: Member, column: str, name: str = "") -> Iterator[tuple[Entry, Judgement]]:
    """Every pair of readings in a column, decided in the theory of a plan. ``name``: what the entries call the column.

    Raises judge.Undecidable at the first one without a decision.
    """
    sides = [meant(plan, member.readings[condition]) for condition in (pair.premise, pair.hypothesis)]
    known = plan.shapes.of(member.row, plan.theory.name, pair.premise, pair.hypothesis, column)
    for number, readings in enumerate(product(*sides)):
        formulas = cache(partial(formulas_of, plan, column, readings, member))
        decision = plan.decision(formulas, scales_at(plan, member.draws, 0), known, number)
        label = decision.verdict.label or "entailment"  # an inconsistent premise is reported as an error
        p, h = (reading.id for reading in readings)
        judgement = Judgement(
            column=column, decision=decision, label=label_of_row(label), formulas=formulas,
            via="failure" if label == FAILURE and pair.via_failure else "",
        )  # fmt: skip
        yield Entry(p, h, name or column, label, decision.shape.id), judgement


def in_theory(plan: Plan, pair: Pair, member: Member) -> Iterator[tuple[Entry, Judgement]]:
    """Every pair of readings in the gold column, decided in the theory of a plan, whose name the entries have."""
    return decided(plan, pair, member, plan.paradigm.gold_of(pair), plan.theory.name)


def formulas_of(plan: Plan, column: str, readings: Sequence[Reading], member: Member) -> tuple[Formula, Formula]:
    """Premise and hypothesis in a column, with the words of a group's row."""

    def fill(formula: Formula) -> Formula:
        return filled(formula, plan, member.draws, 0)

    premise, hypothesis = readings
    return strengthened(plan, column, premise, True, fill), strengthened(plan, column, hypothesis, False, fill)


def is_idle(plan: Plan, readings: Sequence[Reading]) -> bool:
    """Whether the paradigm's scale has no word in any of these formulas, so that it strengthens nothing."""
    if not plan.paradigm.scale:
        return False
    return not any(word_of(part) in plan.scales[0] for r in meant(plan, readings) for part in ast.walk(r.formula))


def _on_trust(labels: PairLabels, verdicts: Sequence[Verdict]) -> tuple[str, Verdict] | None:
    if doubt(labels.verdict):
        return "", labels.verdict
    for entry, verdict in zip(labels.entries, verdicts, strict=True):
        if doubt(verdict):
            return f"{entry.premise or 'one reading'} => {entry.hypothesis or 'one reading'}", verdict
    return None


def _sentences(plan: Plan, pair: Pair, member: Member) -> tuple[str, str]:
    conditions, realiser = plan.paradigm.conditions, plan.realiser
    return (
        realiser.sentence(conditions[pair.premise], member.draws),
        realiser.sentence(conditions[pair.hypothesis], member.draws),
    )


def _disagreements(conditions: list[Condition], pair: Pair, entries: Sequence[Entry], findings: Findings) -> None:
    """Report readings that give different labels in a column, where no condition names one of them."""
    for column in dict.fromkeys(e.column for e in entries):
        open_ = [
            (e.premise, e.hypothesis, e.label)
            for e in entries
            if e.column == column and all(c.reading in (None, r) for c, r in zip(conditions, e[:2], strict=True))
        ]
        if len({label for *_, label in open_}) > 1:
            findings.add(messages.label.readings_disagree(pair.span, pair.premise, pair.hypothesis, open_))


def _objections(
    plan: Plan,
    conditions: list[Condition],
    pair: Pair,
    member: Member,
    premise_reading: Reading,
    verdict: Verdict,
    findings: Findings,
) -> None:
    """Report objections to a single sentence (never true, always true) where its condition is declared."""
    if not verdict.findings:
        return
    here, there = (c.span for c in conditions)
    premise, hypothesis = _sentences(plan, pair, member)
    theory = plan.theory.name
    for finding in verdict.findings:
        proof = verdict.unproved(finding)
        unproved = looked_for(proof) if proof is not None else ""
        if finding == "premise inconsistent":
            formula = filled(premise_reading.formula, plan, member.draws, 0)
            stop = stops_at(formula, slice_for((formula,), plan.theory, plan.symbols))
            findings.add(messages.label.premise_inconsistent(here, pair.premise, premise, theory, stop, unproved))
        elif finding == "hypothesis is a question":
            findings.add(messages.label.hypothesis_question(there, pair.hypothesis, hypothesis))
        elif "premise inconsistent" not in verdict.findings:
            how = "true" if finding == "hypothesis valid" else "never true"
            findings.add(messages.label.hypothesis_settled(there, pair.hypothesis, hypothesis, how, theory, unproved))


# ---- columns ------------------------------------------------------------------------------------------------------


def strengthened(
    plan: Plan, column: str, reading: Reading, is_premise: bool, fill: Callable[[Formula], Formula] = lambda each: each
) -> Formula:
    """The formula of a reading of a side in a column, filled: as it is, or with `exh` (where there is a scale) and what
    is conveyed beside it. A question is not strengthened."""
    formula = fill(reading.formula)
    strong = column == "imppres" or (column == "pragmatic" and is_premise)
    if not strong or isinstance(formula, ast.Interrogative):
        return formula
    whole = ast.Exhaustified(formula) if plan.paradigm.scale else formula
    return whole if reading.conveys is None else ast.And(whole, fill(reading.conveys))
