"""Pages of `explain` for tasks without labels: the sentences of a paradigm, and the trees of an instance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gramprobe.explain.decision import Explained
from gramprobe.items.instance import name_of
from gramprobe.items.pages.trees import drawn_tree, filled_tree, first_lines, known_draws, nested, sentence_lines
from gramprobe.items.plan import Plan
from gramprobe.items.stream import Stream
from gramprobe.resolve.tree import node_of
from gramprobe.space.space import Draws

SHOWN = 5
"""The largest number of instances on the page of a paradigm."""


def paradigm(stream: Stream) -> Explained:
    """The page of a paradigm: the sentences of its first instances. Raises AuthoringError."""
    chunk, plan = stream.whole(), stream.plan
    lines = first_lines(stream)
    declared = plan.paradigm
    lines += [f"task: {declared.task}    instances: {plan.space.size:,}"]
    samples: list[dict[str, Any]] = []
    for row in range(min(len(chunk), SHOWN)):
        draws = chunk.draws.take(np.array([row]))
        lines += ["", *below_headings(plan, draws)]
        instance = name_of(plan, draws)
        samples.append({"id": f"{declared.full_name}/{instance}", "sentences": _sentences(plan, draws)})
    return Explained("\n".join(lines), {"paradigm": declared.full_name, "about": declared.about, "samples": samples})


def item(plan: Plan, instance: str) -> Explained:
    """The page of an instance: its sentences and their trees. Raises UsageError for an instance that does not exist."""
    draws, full_name = known_draws(plan, instance), f"{plan.paradigm.full_name}/{instance}"
    lines = [full_name, "", *below_headings(plan, draws)]
    trees = {name: filled_tree(plan, each, draws) for name, each in plan.paradigm.conditions.items()}
    for name, tree in trees.items():
        lines += ["", f"tree of `{name}`", *drawn_tree(tree)]
    parsed = {name: nested(tree) for name, tree in trees.items()}
    data = {"id": full_name, "sentences": _sentences(plan, draws), "parsed": parsed}
    return Explained("\n".join(lines), data, trees={name: node_of(tree) for name, tree in trees.items()})


def below_headings(plan: Plan, draws: Draws, said: Mapping[str, Sequence[str]] | None = None) -> Iterator[str]:
    """The sentences of the first instance, those of a heading below it, and below each the lines ``said`` of it."""
    heading, conditions = "", plan.paradigm.conditions
    size = max(map(len, conditions)) + 2
    for condition, line in zip(conditions.values(), sentence_lines(plan, draws), strict=True):
        if condition.side != heading:
            yield f"  {(heading := condition.side)}"
        yield f"  {line}"
        yield from (f"{'':{size + 6}}{each}" for each in (said or {}).get(condition.name, ()))


def _sentences(plan: Plan, draws: Any) -> dict[str, str]:
    return {name: plan.realiser.sentence(each, draws) for name, each in plan.paradigm.conditions.items()}
