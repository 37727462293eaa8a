"""Labels for columns of draws: one decision a shape, never one a condition.

The shape of a pair is a function of its condition AND of how its draws coincide or are related by an axiom. Rows
are grouped by everything on which the shape can depend (the formulas, the axioms of each word, equality and kinship
of any two words) and one row of each group is decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gramprobe.certify.model import Model
from gramprobe.dataset.advice import remedy
from gramprobe.dataset.plan import Plan
from gramprobe.decide.label import Verdict
from gramprobe.decide.shape import Decision
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.measure import symbols
from gramprobe.formula.notation import show
from gramprobe.meaning.compose import CLOSE, OPEN, Reading, consulted_by_meaning, readings
from gramprobe.resolve.paradigm import Condition, Pair
from gramprobe.resolve.rename import rename
from gramprobe.resolve.theory import without_pure
from gramprobe.resolve.tree import Slot
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.space.space import Draws
from gramprobe.words.realise import drawn_category, profiles

Codes = NDArray[np.int64]
CODES = {"entailment": 0, "neutral": 1, "contradiction": 2}


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
class Decided:
    """What was decided for a group of rows: the gold decision and one for every pair of readings."""

    gold: Decision
    label: str
    via: str
    entries: tuple[tuple[str, str, str, str], ...]  # premise reading, hypothesis reading, label, shape
    premise: Formula
    hypothesis: Formula

    @property
    def verdict(self) -> Verdict:
        return self.gold.verdict


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
    kin = _Kin(plan, draws)
    for pair in plan.paradigm.pairs:
        labels = _pair(found, pair, kin, findings)
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
        found = readings(profile.tree, profile.chosen, plan.grammar)
        code[profile.rows] = seen.setdefault(found, len(seen))
    return Meanings(condition, code, tuple(seen))


# ---- the words of a formula ---------------------------------------------------------------------------------


@cache
def spoken_of(formula: Formula) -> tuple[str, ...]:
    """Every symbol of a formula, in reading order."""
    found = symbols(formula)
    names = (*(p for p, _ in found.predicates), *found.constants, *(o for o, *_ in found.operators))
    return tuple(dict.fromkeys((*names, *(a.name for _, a in found.operators if isinstance(a, ast.Const)))))


def places(formula: Formula) -> tuple[str, ...]:
    """The slots' symbols in a formula, in reading order."""
    return tuple(n for n in spoken_of(formula) if n.startswith(OPEN))


def slot_of(place: str, plan: Plan) -> Slot:
    """``‹change.pre›`` to the slot it names; the symbol may end in a column."""
    path = place.removeprefix(OPEN).removesuffix(CLOSE)
    if path in plan.space.slots:
        return plan.space.slots[path]
    name, _, column = path.rpartition(".")
    slot = plan.space.slots[name]
    declared = plan.grammar.categories[slot.category].columns[column]
    return Slot(name, declared.type, False, column)


def filled(formula: Formula, plan: Plan, draws: Draws, row: int) -> Formula:
    """The formula of one instance: symbols of slots become ids of lexemes."""
    names = {}
    for place in places(formula):
        slot = slot_of(place, plan)
        names[place] = plan.realiser.lexeme(slot, int(draws.columns[slot.name][row])).id
    return rename(formula, names)


class _Kin:
    """How words are related by axioms, by column of one selection of draws."""

    def __init__(self, plan: Plan, draws: Draws):
        self.plan, self.draws = plan, draws
        self.constants = frozenset(plan.grammar.constants)
        self._ids: dict[Slot, tuple[str, ...]] = {}
        self._axioms: dict[tuple[Slot, frozenset[str]], Codes] = {}
        self._relations: dict[tuple[Slot, Slot], Codes | None] = {}
        self._kin: dict[str, frozenset[str]] = {}

    def ids(self, slot: Slot) -> tuple[str, ...]:
        """The symbol that each member drawn for the slot puts there."""
        if slot not in self._ids:
            drawn = self.plan.grammar.categories[drawn_category(self.plan.space, slot)]
            self._ids[slot] = tuple(self.plan.realiser.lexeme(slot, m).id for m in range(len(drawn.lexemes)))
        return self._ids[slot]

    def axioms(self, slot: Slot, named: frozenset[str]) -> Codes:
        """For each row the number of what the axioms say of the word in the slot, when constants ``named`` are
        spoken of."""
        spoken = named & self.constants
        if (slot, spoken) not in self._axioms:
            texts: dict[str, int] = {}
            by_schemas: dict[tuple[int, ...], str] = {}
            codes = []
            for id_ in self.ids(slot):
                schemas = self.schemas(id_)
                if schemas is None:  # tied to other words: a text of its own
                    text = self.axiom_text(id_, spoken)
                else:
                    if schemas not in by_schemas:
                        by_schemas[schemas] = self.axiom_text(id_, spoken)
                    text = by_schemas[schemas]
                codes.append(texts.setdefault(text, len(texts)))
            self._axioms[slot, spoken] = np.array(codes, np.int64)[self.draws.columns[slot.name]]
        return self._axioms[slot, spoken]

    def schemas(self, id_: str) -> tuple[int, ...] | None:
        """The schemas that apply to a word; None when one of them mentions another column of it."""
        lexeme = self.plan.symbols.get(id_)
        if lexeme is None:
            return ()
        found = self.plan.theory.schemas_of(lexeme)
        return None if any(self.plan.theory.schemas[i].columns for i in found) else found

    def axiom_text(self, id_: str, spoken: frozenset[str]) -> str:
        """The axioms that touch a word and can matter, with its name and those of its kin blanked."""
        known = {name: f"*{n}" for n, name in enumerate([id_, *sorted(self.kin(id_) - {id_})])}
        axioms = without_pure([a for n in known for a in self._of(n)], spoken | {id_})
        return " ; ".join(show(rename(a, known)) for a in axioms)

    def _of(self, name: str) -> tuple[Formula, ...]:
        lexeme = self.plan.symbols.get(name)
        return self.plan.theory.axioms_of(lexeme) if lexeme else ()

    def kin(self, id_: str) -> frozenset[str]:
        """The symbols that axioms tie to a word, itself included; declared constants (person, has) tie nothing."""
        if id_ not in self._kin:
            reached, todo = {id_}, [id_]
            while todo:
                for axiom in self._of(todo.pop()):
                    used = symbols(axiom)
                    for name in (*(p for p, _ in used.predicates), *used.constants):
                        if name not in reached and name not in self.constants:
                            reached.add(name)
                            todo.append(name)
            self._kin[id_] = frozenset(reached)
        return self._kin[id_]

    def relation(self, one: Slot, other: Slot) -> Codes | None:
        """For each row 0: unrelated, 1: one word, else a number for this very couple of related words; None when
        all rows are unrelated."""
        if (one, other) not in self._relations:
            self._relations[one, other] = self._relation(one, other)
        return self._relations[one, other]

    def _relation(self, one: Slot, other: Slot) -> Codes | None:
        numbers: dict[str, int] = {}
        sides = [np.array([numbers.setdefault(i, len(numbers)) for i in self.ids(s)], np.int64) for s in (one, other)]
        a, b = (n[self.draws.columns[s.name]] for n, s in zip(sides, (one, other), strict=True))
        relation = (a == b).astype(np.int64)
        names = list(numbers)
        tied = np.array([len(self.kin(n)) > 1 for n in names])
        for row in np.flatnonzero((tied[a] | tied[b]) & (a != b)):
            if self.kin(names[a[row]]) & self.kin(names[b[row]]):
                relation[row] = 2 + a[row] * len(names) + b[row]
        return relation if relation.any() else None


# ---- deciding ------------------------------------------------------------------------------------------------


def _pair(labelling: Labelling, pair: Pair, kin: _Kin, findings: Findings) -> PairLabels:
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
        slots = [slot_of(p, plan) for p in dict.fromkeys(p for r in known for p in places(r.formula))]
        named = frozenset(n for r in known for n in spoken_of(r.formula))
        inner = [kin.axioms(s, named)[rows] for s in slots]
        inner += [c[rows] for a, b in combinations(slots, 2) if (c := kin.relation(a, b)) is not None]
        code, starts = grouped(inner, len(rows))
        for local, at in enumerate(starts):
            row = int(rows[at])
            group[rows[code == local]] = len(decided)
            firsts.append(row)
            decided.append(_decide(labelling, pair, row, findings))
    return PairLabels(pair, group, tuple(decided), np.array(firsts, np.intp))


def _decide(labelling: Labelling, pair: Pair, row: int, findings: Findings) -> Decided:
    plan, draws = labelling.plan, labelling.draws
    sides = [labelling.meanings[pair.premise], labelling.meanings[pair.hypothesis]]
    numbers = [int(m.code[row]) for m in sides]
    gold_ids = [m.gold(n).id for m, n in zip(sides, numbers, strict=True)]
    entries: list[tuple[str, str, str, str]] = []
    gold: tuple[Decision, Formula, Formula] | None = None
    for p in sides[0].readings[numbers[0]]:
        for h in sides[1].readings[numbers[1]]:
            premise, hypothesis = filled(p.formula, plan, draws, row), filled(h.formula, plan, draws, row)
            decision = plan.decider.decide(premise, hypothesis, plan.theory.slice((premise, hypothesis), plan.symbols))
            entries.append((p.id, h.id, label_name(decision.verdict), decision.shape.id))
            if [p.id, h.id] == gold_ids:
                gold = decision, premise, hypothesis
    assert gold is not None
    decision, premise, hypothesis = gold
    derived = label_name(decision.verdict)
    conditions = [m.condition for m in sides]
    _objections(labelling, conditions, pair, row, decision.verdict, findings)
    open_ = [
        e for e in entries if all(c.reading is None or r == c.reading for c, r in zip(conditions, e[:2], strict=True))
    ]
    if len({e[2] for e in open_}) > 1:
        findings.add(messages.readings_disagree(pair.span, pair.premise, pair.hypothesis, [e[:3] for e in open_]))
    via = ""
    if derived == "presupposition failure":
        if pair.via_failure:
            derived, via = "contradiction", "failure"
        else:
            sentences = _sentences(labelling, pair, row)
            findings.add(messages.failure(pair.span, pair.premise, pair.hypothesis, sentences))
            derived = "contradiction"
    return Decided(decision, derived, via, tuple(entries), premise, hypothesis)


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
            findings.add(messages.premise_inconsistent(here, pair.premise, premise, theory))
        elif finding == "hypothesis is a question":
            findings.add(messages.hypothesis_question(there, pair.hypothesis, hypothesis))
        elif "premise inconsistent" not in verdict.findings:
            how = "true" if finding == "hypothesis valid" else "never true"
            findings.add(messages.hypothesis_settled(there, pair.hypothesis, hypothesis, how, theory))


def _expectations(labelling: Labelling, findings: Findings) -> None:
    """Every ``expect`` that is not met, once a line, with the smallest counter-model found for its first pair."""
    by_line: dict[Span, list[PairLabels]] = {}
    for found in labelling.pairs:
        if found.pair.expect_span is not None:
            by_line.setdefault(found.pair.expect_span, []).append(found)
    for span, line in by_line.items():
        expected = line[0].pair.expect
        assert expected is not None
        wrong = [
            (p, i) for p in line for i, d in enumerate(p.decided) if d.label != expected and not d.verdict.findings
        ]
        if not wrong:
            continue
        found, number = wrong[0]
        decided = found.decided[number]
        premise, hypothesis = _sentences(labelling, found.pair, int(found.first[number]))
        story = [f"premise     {premise}", f"hypothesis  {hypothesis}", *against(decided, expected)]
        several = len({id(p) for p, _ in wrong})
        help = remedy(labelling.plan, decided.premise, decided.hypothesis, expected)
        findings.add(messages.expectation(span, expected, decided.label, several, len(line), story, help))


def against(decided: Decided, expected: str) -> list[str]:
    """Why a label does not hold: a model that speaks against it, or what was not found."""
    wanted = {"entailment": "FU", "contradiction": "T", "neutral": "TFU"}[expected]
    values = [v for v in wanted if v in decided.verdict.models]
    meant = {"T": "true", "F": "false", "U": "undefined"}
    if expected == "neutral":
        missing = "true" if decided.label == "contradiction" else "false or undefined"
        return [f"no model up to {decided.verdict.bound.number} worlds and individuals makes the hypothesis {missing}"]
    if not values:
        return []
    model = decided.gold.model(values[0])
    size = f"{_counted(model.worlds, 'world')}, {_counted(model.individuals, 'individual')}"
    head = f"countermodel ({size}): at w{model.actual} the premise is committed to, the hypothesis {meant[values[0]]}"
    return [head, *("  " + line for line in described(model))]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def described(model: Model) -> list[str]:
    """A model as lines of text: who has what in each world, and which worlds are seen."""
    names = {v: k for k, v in reversed(list(model.constants.items()))}
    who = [names.get(i, f"d{i}") for i in range(model.individuals)]
    lines: list[str] = []
    for world in range(model.worlds):
        parts = []
        for predicate, extension in sorted(model.predicates.items()):
            inside = ", ".join(_tuple(t, who) for t in sorted(extension[world]))
            parts.append(f"{predicate} {{{inside}}}")
        for operator, relation in sorted(model.relations.items()):
            seen = [f"w{v}" for w, v in sorted(relation) if w == world]
            parts.append(f"{operator} sees {', '.join(seen) or 'nothing'}")
        lines.append(f"w{world}  " + "   ".join(parts))
    return lines


def _tuple(members: tuple[int, ...], who: list[str]) -> str:
    """`jo`, `(jo, d1)`; for a proposition that holds, `true`."""
    if not members:
        return "true"
    return who[members[0]] if len(members) == 1 else "(" + ", ".join(who[m] for m in members) + ")"
