"""`design.md`: what one preregisters of an experiment, from its records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from gramprobe.experiment.square import Above
from gramprobe.experiment.trials import Experiment, Plan

ASKED = {
    "choice": "which of two or more options fits (choice)",
    "rating": "a number on a scale (rating)",
    "nli": "a label of a pair of sentences (inference)",
    "acceptability": "acceptable or not (acceptability)",
    "self_paced": "to read word by word (self-paced reading)",
}


def design_page(experiment: Experiment, above: Sequence[Above], consent: str = "", instructions: str = "") -> str:
    """The page, in Markdown. ``above``: words that are in a list more often than their share and one."""
    plan = experiment.plan
    parts = [_items(plan), _factors(plan), _lists(experiment, above), _answers(plan), _exclusions(plan), _model(plan)]
    parts.append(_power(plan))
    for title, text in (("Consent", consent), ("Instructions", instructions)):
        if text:
            parts.append([f"## {title}", "", *(f"> {line}".rstrip() for line in text.strip().splitlines())])
    return "\n".join(line for part in parts for line in (*part, "")).rstrip() + "\n"


def _items(plan: Plan) -> list[str]:
    named = ", ".join(f"`{name}`" for name in plan.paradigms)
    return [
        f"# Design of an experiment: {plan.dataset}",
        "",
        "Written by `gramprobe lists` before any answer was given. `experiment.json` has the same for programs, and "
        "`gramprobe judgments --experiment` checks the answers against it and prints each deviation.",
        "",
        "## Items",
        "",
        f"- dataset `{plan.dataset}` (SHA-256 of its manifest {plan.sha256}), written by gramprobe {plan.gramprobe}",
        f"- paradigms: {named}",
        f"- {plan.instances:,} instances, each in {plan.cells:,} cells; a person sees each instance at most once",
        f"- asked: {ASKED[plan.kind]}" + (f', "{plan.question}"' if plan.question else ""),
    ]


def _factors(plan: Plan) -> list[str]:
    lines = ["## Factors", "", "| factor | levels | who sees them |", "|---|---|---|"]
    seen = {"row": "a person sees all levels", "list": "a person sees one level"}
    for factor in plan.factors:
        shown = ", ".join(_cell(level) for level in factor.levels[:12])
        more = f" and {len(factor.levels) - 12:,} more" if len(factor.levels) > 12 else ""
        lines.append(f"| {_cell(factor.name)} | {shown}{more} | {seen[factor.of]} |")
    return lines if plan.factors else ["## Factors", "", "None: all items are of one condition."]


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _lists(experiment: Experiment, above: Sequence[Above]) -> list[str]:
    plan = experiment.plan
    each = plan.per_person + plan.fillers + plan.catch
    lines = [
        "## Lists",
        "",
        f"- {plan.lists:,} lists of {each:,} trials: {plan.per_person:,} experimental, {plan.fillers:,} fillers, "
        f"{plan.catch:,} catch trials",
        f"- every instance stands in each of its cells in {plan.repeats:,} of the {plan.lists:,} lists; in a "
        "list each cell stands equally often, up to one",
        "- no level of a factor that a person sees all levels of stands three times one after another",
        f"- lists and orders are fixed by the seed {plan.seed}"
        + (f"; each selection of items stands in {plan.orders:,} orders" if plan.orders > 1 else ""),
    ]
    if not above:
        return [*lines, "- no drawn word is in a list more often than its share among the items, up to one"]
    worst = Counter(each.slot for each in above)
    shown = ", ".join(f"`{slot}` ({count:,} times)" for slot, count in worst.most_common())
    return [*lines, f"- words that are in a list more often than their share and one, by slot: {shown}"]


def _answers(plan: Plan) -> list[str]:
    if not plan.scale:
        return ["## Answers", "", "The options of each trial" if plan.kind == "choice" else "None: times of reading."]
    return ["## Answers", "", *(f"- `{option.name}`: {option.text}" for option in plan.scale)]


def _exclusions(plan: Plan) -> list[str]:
    rules = plan.exclusions
    found = []
    if rules.catch is not None:
        found.append(f"- a person with fewer than {rules.catch:,} of {plan.catch:,} catch trials right is left out")
    if rules.seconds is not None:
        found.append(f"- a trial answered in under {rules.seconds[0]:g} s or over {rules.seconds[1]:g} s is left out")
    if rules.straight_lining is not None:
        found.append(f"- a person with {rules.straight_lining:,} equal answers in a row, or more, is left out")
    return ["## Exclusions", "", *(found or ["None is planned: no person and no trial is left out."])]


def _family(plan: Plan) -> str:
    """The option of the commands that fit the planned model."""
    return {"self_paced": "", "rating": " --family ordinal"}.get(plan.kind, " --family binomial")


def _model(plan: Plan) -> list[str]:
    of = re.match(r"log\((measure_time_(\w+))\)", plan.model)
    measured = ", and a score is the time of a word in ms" if plan.kind == "self_paced" else ""
    if of:
        measured = f", and `{of[1]}` the time of the region `{of[2]}` in ms; the times of others have columns like it"
    return [
        "## Planned model",
        "",
        f"    gramprobe frame JUDGMENTS{' --wide' if of else ''} --out frame.parquet",
        f"    gramprobe analyze --frame frame.parquet --formula '{plan.model}'{_family(plan)}",
        "",
        "JUDGMENTS is the folder that `gramprobe judgments` writes of the answers; in the frame a person is a `source`"
        f"{measured}.",
        "Where the data do not carry the model, the slopes of instances are left out first, then those of people. If "
        "you plan another, change it here and in `experiment.json`.",
    ]


def _power(plan: Plan) -> list[str]:
    lines = [
        "## Power",
        "",
        "| people | answers | to each cell of each instance | by a person, of each cell |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {people:,} | {people * plan.per_person:,} "
        f"| {people * plan.per_person / (plan.instances * plan.cells):g} | {plan.per_person / plan.cells:.3g} |"
        for people in _people(plan)
    ]
    return [
        *lines,
        "",
        f"Balance is exact when the number of people is a multiple of {plan.lists:,}. What these numbers can show "
        "depends on variances that only a pilot tells:",
        "",
        f"    gramprobe power --frame pilot.parquet --formula '{plan.model}'{_family(plan)} "
        f"--plan source={max(_people(plan))} --plan instance={plan.instances}",
        "",
        "Write the smallest effect that matters, and its power, here before you begin.",
    ]


def _people(plan: Plan) -> list[int]:
    return [plan.lists * times for times in (1, 2, 4)]
