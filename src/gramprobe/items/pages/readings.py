"""Pages of `explain` for tasks about readings: which follow-up fits which reading, and each decision behind it."""

from __future__ import annotations

from typing import Any

from gramprobe.certify.rule import FAILURE
from gramprobe.explain.decision import Explained, pair
from gramprobe.explain.picture import Figure, sheet
from gramprobe.formula.notation import show
from gramprobe.items.account import NO_ANTECEDENT, Account, Step
from gramprobe.items.decisions import Decisions
from gramprobe.items.pages.tables import nameless, side_by_side
from gramprobe.items.pages.trees import drawn_tree, filled_tree, first_lines, known_draws, sentence_lines
from gramprobe.items.plan import Plan
from gramprobe.items.slots import filled
from gramprobe.items.stream import Stream
from gramprobe.items.task import Task
from gramprobe.resolve.tree import node_of


def paradigm(stream: Stream) -> Explained:
    """The page of a paradigm: sentences, readings and what fits them, of one instance for each different result.

    Raises AuthoringError.
    """
    stream.run()
    lines = first_lines(stream)
    declared, plan, decisions = stream.plan.paradigm, stream.plan, stream.decisions
    lines += [f"task: {declared.task}    theory: {plan.theory.name}    instances: {plan.space.size:,}"]
    kinds: dict[tuple[Any, ...], tuple[Account, int, str]] = {}
    for group, rows in decisions.rows[0].items():
        account = _account(decisions, group)
        readings = tuple((name, tuple(r.id for r in known)) for name, known in account.readings.items())
        key = readings, tuple(account.holds.items())
        before = kinds[key][1] if key in kinds else 0
        kinds[key] = account, before + rows, decisions.rejections[0][group]
    data: list[dict[str, Any]] = []
    for account, rows, reason in kinds.values():
        lines += ["", f"{rows:,} of the {stream.taken:,} instances sampled, such as:"]
        lines += [*sentence_lines(plan, account.member.draws), "", *_table(plan, account)]
        lines += [f"rejected as items of task {declared.task}: {reason}"] if reason else []
        data.append({"instances": rows, "no_item": reason, **_account_data(plan, account)})
    return Explained("\n".join(lines), {"paradigm": declared.full_name, "about": declared.about, "kinds": data})


def _account(decisions: Decisions, group: int) -> Account:
    answer = decisions.answer(0, group)
    assert isinstance(answer, Account)
    return answer


def item(plan: Plan, task: Task, instance: str) -> Explained:
    """The page of an instance: sentences, readings, decisions with their models and proofs.

    Raises UsageError for an instance that the paradigm does not have, AuthoringError where something is not decided.
    """
    full_name = plan.paradigm.full_name
    draws = known_draws(plan, instance)
    (account,) = Decisions.of_first(plan, task, draws)
    assert isinstance(account, Account)
    lines = [f"{full_name}/{instance}", "", *sentence_lines(plan, draws), "", *_table(plan, account)]
    trees = {name: filled_tree(plan, plan.paradigm.conditions[name], draws) for name in account.readings}
    for name, tree in trees.items():
        lines += ["", f"tree of `{name}`", *drawn_tree(tree)]
    figures: list[Figure] = []
    for step in account.steps:
        lines += ["", _heading(step)]
        if step.decision is None or step.formulas is None:
            lines.append("  an anaphor has no antecedent that is accessible in this reading")
            continue
        shown = pair(step.decision, *step.formulas(), step.decision.theory, step.label)
        lines += ["  " + line for line in shown.text.split("\n")]
        figures += shown.figures
    data = {
        "id": f"{full_name}/{instance}",
        **_account_data(plan, account),
        "steps": [s.to_json() for s in account.steps],
    }
    drawing = sheet(figures, f"{full_name}/{instance}")
    return Explained(
        "\n".join(lines), {**data, "svg": drawing}, drawing, figures, {n: node_of(t) for n, t in trees.items()}
    )


def _heading(step: Step) -> str:
    reading, other = step.reading or "one reading", step.other
    match step.kind:
        case "same":
            return (
                f"does `{reading}` entail `{other or 'one reading'}`? {'yes' if step.label == 'entailment' else 'no'}"
            )
        case "entailed":
            return f"does `{reading}` entail {other}? {'yes' if step.label == 'entailment' else 'no'}"
        case "paraphrase":
            yes = "yes" if step.label == "entailment" else "no"
            return f"`{reading}` of `{step.condition}`: does it entail {other}? {yes}"
        case "stronger":
            yes = "yes" if step.label == "entailment" else "no"
            return f"does `{reading}` entail `{other}` where every restrictor has members enough? {yes}"
        case "strengthened":
            yes = "no" if step.label in (NO_ANTECEDENT, "contradiction", FAILURE) else "yes"
            return f"does {other} fit `{reading}` without the stronger reading? {yes}"
    fits = step.label not in (NO_ANTECEDENT, "contradiction", FAILURE)
    return f"does {other} fit `{reading}`? {'yes' if fits else 'no'}"


def _table(plan: Plan, account: Account) -> list[str]:
    """The readings of every left sentence, with the follow-ups that fit them and their formulas."""
    lines: list[str] = []
    for name, readings in account.readings.items():
        heads = [right for left, right in account.holds if left == name]
        rows = [(r.id, [_cell(account, name, right, r.id) for right in heads]) for r in readings]
        lines += [f"{name}:", *("  " + line for line in side_by_side(rows, heads))]
        for reading in readings:
            formula = show(filled(reading.formula, plan, account.member.draws, 0))
            lines.append(f"  {reading.id or nameless(len(readings))}: {formula}")
        for (condition, reading_id), twin in account.same.items():
            if condition == name:
                lines.append(f"  {reading_id}: the same as `{twin}`")
    return lines


def _cell(account: Account, left: str, right: str, reading: str) -> str:
    kind = next(
        s.kind for s in account.steps if s.condition == left and s.other == right and s.kind in ("fits", "entailed")
    )
    held = reading in account.holds[left, right]
    if kind == "entailed":
        return "entailed" if held else "-"
    return "fits" if held else "-"


def _account_data(plan: Plan, account: Account) -> dict[str, Any]:
    draws, conditions = account.member.draws, plan.paradigm.conditions
    return {
        "sentences": {name: plan.realiser.sentence(c, draws) for name, c in conditions.items()},
        "readings": {
            name: {r.id: show(filled(r.formula, plan, draws, 0)) for r in readings}
            for name, readings in account.readings.items()
        },
        "holds": [
            {"condition": left, "with": right, "readings": list(ids)} for (left, right), ids in account.holds.items()
        ],
    }
