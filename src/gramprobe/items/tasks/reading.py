"""The base of tasks about readings: all conditions of an instance are decided together, in one account."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gramprobe.certify.rule import FAILURE
from gramprobe.items.strength import inverse_access, strongest
from gramprobe.items.task import CardTable, Outcome, Task

WEIGHED = (
    "surface", "stronger", "inverse_access", "op1", "op1_kind", "op2", "op2_kind", "paraphrase_surface",
    "paraphrase_inverse",
)  # fmt: skip
"""The columns about the readings of a sentence that :func:`weighed_cells` gives."""
ONE_READING = "its readings are one"
"""Why a sentence with a single reading is no item."""
PARAPHRASES = ("as_surface", "as_inverse")
"""The names of conditions below `paraphrase`: what says the surface reading only, and what says the other one only."""

if TYPE_CHECKING:
    from gramprobe.explain.decision import Explained
    from gramprobe.items.account import Account
    from gramprobe.items.cells import Cell
    from gramprobe.items.decisions import Decisions
    from gramprobe.items.groups import Member, Part
    from gramprobe.items.plan import Plan
    from gramprobe.items.rows import Chunk, ChunkCells
    from gramprobe.items.stream import Stream
    from gramprobe.meaning.reading import Reading
    from gramprobe.resolve.paradigm.data import Condition, Pair, Paradigm
    from gramprobe.source.diagnostic import Diagnostic, Findings


class ReadingTask(Task):
    """The base of tasks in which a pair is decided for every reading of its left side.

    There is one part, number 0, with all conditions that occur in pairs; its answer is an
    :class:`gramprobe.items.account.Account`. A subclass has the constants `name`, `form`, `columns`, `sentences`,
    `answers`, `about` and `scored`, and the methods `rows`, `check` and `rejection` (or `rejects = False`);
    see the manual, `items.task`. `weighed` is the heading of the sentences of whose readings it asks which is the
    surface reading and which the stronger, and `picking` whether it asks what picks a reading.
    """

    numbers: Mapping[str, tuple[str, ...] | None] = {}
    rejects = True
    hub: tuple[str, ...] = ()
    weighed = ""
    picking = False
    card = CardTable(
        headings=("task", "rows", "items", "space", "passed over", "no items", "vetoed", "words"),
        fields=("task", "rows", "instances", "space", "passed_over", "sum no_items", "vetoed", "content_words"),
        notes="In tasks about readings `readings` has the formula of every reading, equivalent ones once; what fits a "
        "reading is decided like a label: `shape` = the line of `accounts.jsonl` with all decisions of a row, each "
        "with its line of `certificates.jsonl`.",
    )

    # -- deciding

    def parts(self, paradigm: Paradigm) -> tuple[Part, ...]:
        from gramprobe.items.groups import Part

        restating = (condition for condition in paradigm.conditions.values() if condition.role == "restates")
        return (Part(tuple(condition.name for condition in (*paradigm.paired, *restating))),)

    def ordered(self, paradigm: Paradigm) -> frozenset[str]:
        return frozenset(condition.name for condition in conditions_below(paradigm, self.weighed))

    def _account(self, plan: Plan, member: Member) -> Account:
        from gramprobe.items.account import account

        weighed = [condition.name for condition in conditions_below(plan.paradigm, self.weighed)]
        return account(plan, member, weighed, self.picking)

    def reading_ids(self, readings: Sequence[Reading]) -> list[str]:
        from gramprobe.items.account import named

        return [reading.id for reading in named(readings)]

    def answer(self, plan: Plan, part: Part, member: Member, findings: Findings) -> Account | None:
        from gramprobe.judge.judge import Undecidable
        from gramprobe.source import messages

        try:
            return self._account(plan, member)
        except Undecidable as error:
            declared = plan.paradigm.conditions[plan.paradigm.pairs[0].premise]
            sentence = plan.realiser.sentence(declared, member.draws)
            findings.add(messages.task.no_account(declared.span, error.code, declared.name, sentence, error.message))
            return None

    def agrees(self, plan: Plan, part: Part, answer: Account, other: Member) -> bool:
        from gramprobe.items.comparison import have_one_shape

        if have_one_shape(plan, answer.steps, answer.member, other):
            return True
        return self._account(plan, other).text == answer.text

    def objections(self, plan: Plan, answer: Account) -> Iterable[tuple[object, Diagnostic]]:
        from gramprobe.source import messages

        for condition, reading in answer.never:
            declared = plan.paradigm.conditions[condition]
            sentence = plan.realiser.sentence(declared, answer.member.draws)
            diagnostic = messages.task.one_side_inconsistent(
                declared.span, condition, reading, sentence, plan.theory.name, answer.unproved(condition, reading)
            )
            yield ("never", declared.span), diagnostic
        surface = "".join(answer.surface.values())
        for condition, reading in answer.paraphrases.items():
            if not reading and not self.rejection(plan.paradigm, answer):
                declared = plan.paradigm.conditions[condition]
                said = [r.id for r in answer.member.readings[condition]]
                sentence = plan.realiser.sentence(declared, answer.member.draws)
                yield (
                    ("paraphrase", declared.span),
                    messages.task.no_paraphrase(
                        declared.span,
                        condition,
                        sentence,
                        said,
                        [r.id for each in answer.readings.values() for r in each],
                        surface,
                    ),
                )

    def trust(self, plan: Plan, answer: Account) -> Iterable[tuple[object, Diagnostic]]:
        from gramprobe.decide.verdict import doubt
        from gramprobe.source import messages

        for step in answer.on_trust:
            declared = plan.paradigm.conditions[step.condition]
            assert step.decision is not None
            sentence, kind = plan.realiser.sentence(declared, answer.member.draws), doubt(step.decision.verdict)
            diagnostic = messages.task.readings_on_trust(
                declared.span, step.condition, step.reading, step.other, sentence, kind
            )
            yield ("trust", declared.span), diagnostic

    def unmet_claims(self, decisions: Decisions, findings: Findings) -> None:
        from gramprobe.items.account import claimed, unmet
        from gramprobe.source import messages

        plan = decisions.plan
        for group, account in decisions.answers[0].items():
            if decisions.rejections[0][group]:
                continue
            for pair in unmet(plan.paradigm.pairs, account):
                claim = pair.claim
                assert claim is not None
                if not decisions.once(("claim", claim.span)):
                    continue
                wanted = claimed(pair, account) or ()
                known = self._known(decisions, pair.premise)
                unknown = [each for each in claim.readings if each not in known]
                if unknown and not wanted:
                    findings.add(messages.task.unknown_claim(claim.span, unknown[0], pair.premise, known))
                    continue
                conditions, draws = plan.paradigm.conditions, account.member.draws
                story = [plan.realiser.sentence(conditions[name], draws) for name in (pair.premise, pair.hypothesis)]
                story += _why(account, pair)
                derived = account.holds[pair.premise, pair.hypothesis]
                names = f"{pair.premise} => {pair.hypothesis}"
                findings.add(messages.task.claim_unmet(claim.span, claim.kind, wanted, derived, names, story))

    def preferred(self, answers: Sequence[Account], condition: str, reading: str) -> tuple[str, list[str]]:
        (account,) = answers
        return account.same.get((condition, reading), reading), [r.id for r in account.readings[condition]]

    def end(self, stream: Stream) -> None:
        """Report claims about readings that no instance has, and a paradigm all of whose instances are rejected."""
        from gramprobe.source import messages

        decisions, paradigm = stream.decisions, stream.plan.paradigm
        for pair in paradigm.pairs if not stream.few else ():
            known = self._known(decisions, pair.premise)
            for each in pair.claim.readings if pair.claim else ():
                if each not in known:
                    assert pair.claim is not None
                    decisions.findings.add(messages.task.unknown_claim(pair.claim.span, each, pair.premise, known))
        if stream.taken or not stream.rejected:
            return
        reason, _ = stream.rejected.most_common(1)[0]
        group = next(g for g, r in decisions.rejections[0].items() if r == reason)
        account: Account = decisions.answers[0][group]
        realiser = stream.plan.realiser
        story = [realiser.sentence(condition, account.member.draws) for condition in paradigm.paired]
        story += [
            f"{left} => {right}: {', '.join(ids) or 'no reading'}" for (left, right), ids in account.holds.items()
        ]
        help = "`gramprobe explain` shows the readings and what fits them"
        if reason == ONE_READING:
            help += (
                "; a noun phrase with a `scope` line has scope below an operator, too, if that is in a constructor of "
                "its own around the clause: `sem ~c`, not `sem ~s(v)`"
            )
        decisions.findings.add(
            messages.task.all_rejected(paradigm.span, paradigm.name, paradigm.task, reason, story, help, stream.gave_up)
        )

    def outcomes(self, part: Part, answer: Account) -> Iterator[Outcome]:
        for condition, readings in answer.readings.items():
            yield Outcome(condition, f"readings {', '.join(r.id or 'one' for r in readings)}")
        for (left, right), ids in answer.holds.items():
            yield Outcome(f"{left}-{right}", ", ".join(i or "one reading" for i in ids) or "no reading")

    # -- rows

    def leading(self, cells: ChunkCells, id_end: str = "") -> dict[str, Cell]:
        """The columns of :data:`LEADING`, and `readings`."""
        left = dict.fromkeys(pair.premise for pair in cells.paradigm.pairs)
        first = min((cells.paradigm.conditions[name] for name in left), key=lambda c: c.side)
        return {
            **cells.leading(first.name, cells.paradigm.pairs[0].tag, id_end),
            "readings": cells.cut(0, lambda a: readings_json(a.readings)),
        }

    def answered(self, answer: Account) -> Iterator[str]:
        for (left, right), ids in answer.holds.items():
            yield f"{left} => {right}: {', '.join(ids) or 'none'}"

    # -- verify

    def answers_of_row(self, row: Mapping[str, Any]) -> Iterable[str]:
        return ()

    def broken_claims(self, decisions: Decisions, paradigm: Paradigm) -> Iterator[str]:
        from gramprobe.items.account import claimed, unmet

        for group, account in decisions.answers[0].items():
            if decisions.rejections[0][group]:
                continue
            for pair in unmet(paradigm.pairs, account):
                wanted = ", ".join(claimed(pair, account) or ()) or "no reading"
                derived = ", ".join(account.holds[pair.premise, pair.hypothesis]) or "no reading"
                yield f"{pair.condition}: the paradigm claims {wanted}, and it is {derived}"

    # -- a reader

    def outline(self, stream: Stream, chunk: Chunk) -> dict[str, Any]:
        decisions = stream.decisions
        answers: Counter[str] = Counter()
        for group, rows in decisions.rows[0].items():
            for (left, right), ids in decisions.answers[0][group].holds.items():
                answers[f"{left} => {right}: {' | '.join(ids) or 'none'}"] += rows
        return {
            "items": stream.taken,
            "no_items": dict(stream.rejected),
            "answers": [f"{words} ({rows})" for words, rows in sorted(answers.items())],
            "accounts": len({decisions.answers[0][group].shape for group in decisions.rows[0]}),
        }

    def summary(self, outline: Mapping[str, Any]) -> list[str]:
        answers = ", ".join(outline["answers"]) or "no items sampled"
        accounts = f"{outline['accounts']} account{'' if outline['accounts'] == 1 else 's'} of decisions"
        return [f"{outline['name']}: {outline['instances']:,} instances; {answers}; {accounts}"]

    def derived(self, answers: Sequence[Account], condition: str) -> list[str]:
        (account,) = answers
        return [
            f"{right}: {', '.join(ids) or 'no reading'}{_picked(account, left, right)}"
            for (left, right), ids in account.holds.items()
            if left == condition
        ]

    def paradigm_page(self, stream: Stream) -> Explained:
        from gramprobe.items.pages.readings import paradigm

        return paradigm(stream)

    def item_page(self, plan: Plan, instance: str, condition: str | None) -> Explained:
        from gramprobe.items.pages.readings import item

        return item(plan, self, instance)

    def _known(self, decisions: Decisions, condition: str) -> list[str]:
        """The ids of every reading that a condition has had so far."""
        return list(
            dict.fromkeys(i for known in decisions.grouping.readings(condition) for i in self.reading_ids(known))
        )


def conditions_below(paradigm: Paradigm, heading: str) -> list[Condition]:
    """The conditions below a heading, in order."""
    return [c for c in paradigm.conditions.values() if c.side == heading]


def only_below(paradigm: Paradigm, heading: str) -> str:
    """The name of the only condition below a heading."""
    return conditions_below(paradigm, heading)[0].name


def weighed_cells(cells: ChunkCells, sentence: str) -> dict[str, Cell]:
    """The columns about the readings of a sentence: which is the surface one, which the stronger, whether
    speakers are said to have the inverse one, and its operators."""
    kinds = cells.rows.plan.grammar.kinds
    written = {c.name for c in conditions_below(cells.paradigm, "paraphrase")}
    return {
        "surface": cells.of(0, lambda a: a.surface.get(sentence, "")),
        "stronger": cells.of(0, lambda a: a.strongest(sentence)),
        "inverse_access": cells.of(0, lambda a: a.inverse_access(sentence)),
        "op1": cells.of(0, lambda a: a.operator(sentence, 0)),
        "op1_kind": cells.of(0, lambda a: kinds.get(a.operator(sentence, 0), "")),
        "op2": cells.of(0, lambda a: a.operator(sentence, 1)),
        "op2_kind": cells.of(0, lambda a: kinds.get(a.operator(sentence, 1), "")),
        **{
            f"paraphrase_{name.removeprefix('as_')}": cells.sentence(name) if name in written else cells.constant("")
            for name in PARAPHRASES
        },
    }


def weighed_wrong(row: Mapping[str, Any], account: Any, sentence: str) -> Iterator[str]:
    """What is wrong with these columns, by an account alone."""
    readings = account.readings.get(sentence, ())
    if row["surface"] not in ("", *readings):
        yield f"`surface` is `{row['surface']}`, which is no reading of it"
    stronger = strongest(readings, account.stronger.get(sentence, ()))
    if row["stronger"] != stronger:
        yield f"`stronger` is `{row['stronger']}`, and its account says `{stronger}`"
    access = _access(row["readings"], sentence, row["surface"], stronger)
    if row["inverse_access"] != access:
        yield f"`inverse_access` is `{row['inverse_access']}`, and its readings say `{access}`"
    for name in PARAPHRASES:
        column = f"paraphrase_{name.removeprefix('as_')}"
        if bool(row[column]) != bool(account.paraphrases.get(name)):
            yield f"`{column}` is `{row[column]}`, and its account does not say so"


@lru_cache(maxsize=1 << 12)
def _access(readings: str, sentence: str, surface: str, stronger: str) -> str:
    """The column `inverse_access`, by the column `readings`."""
    from gramprobe.formula.notation import parse

    found: dict[str, Any] = json.loads(readings)
    own = found.get(sentence, found)
    return inverse_access(surface, stronger, {id_: parse(text) for id_, text in own.items()})


def readings_json(readings: Mapping[str, Sequence[Reading]]) -> str:
    """The column `readings`: JSON from ids to formulas, by condition where several conditions have readings."""
    from gramprobe.formula.notation import show

    shown = {name: {r.id: show(r.formula) for r in each} for name, each in readings.items()}
    whole: Any = next(iter(shown.values())) if len(shown) == 1 else shown
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False)


def fits_json(holds: Mapping[tuple[str, str], Sequence[str]]) -> str:
    """JSON from left conditions to right conditions to the ids of the readings that they fit."""
    fits: dict[str, dict[str, list[str]]] = {}
    for (left, right), ids in holds.items():
        fits.setdefault(left, {})[right] = list(ids)
    return json.dumps(fits, separators=(",", ":"), ensure_ascii=False)


def listed(ids: Sequence[str]) -> str:
    """Ids of readings as one text, with commas."""
    return ", ".join(ids)


def _picked(account: Account, left: str, right: str) -> str:
    """What a right sentence picks, in words; empty where that is not asked."""
    if (left, right) not in account.picks:
        return ""
    return f"; picks {account.picks[left, right] or 'none'}"


def _why(account: Account, pair: Pair) -> list[str]:
    """For each reading a line on why the pair's right side fits it or not."""
    from gramprobe.items.account import NO_ANTECEDENT

    reasons = {
        NO_ANTECEDENT: "an anaphor has no antecedent that is accessible",
        "contradiction": "both are never true",
        FAILURE: "the second is never defined where the first is true",
    }
    lines = []
    for step in account.steps:
        if step.condition == pair.premise and step.other == pair.hypothesis and step.kind in ("fits", "entailed"):
            words = reasons.get(step.label, "both can be true") if step.kind == "fits" else step.label
            lines.append(f"`{step.reading or 'its one reading'}`: {words}")
    return lines
