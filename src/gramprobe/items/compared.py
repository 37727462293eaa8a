"""Two theories on the same instances of a task about readings: which readings are there, what fits them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from gramprobe.items.account import Account, account
from gramprobe.items.grouping import Grouping
from gramprobe.items.plan import Plan
from gramprobe.items.walk import Walk


def answers(found: Account) -> Iterator[tuple[str, str]]:
    """What an account says, part by part, each in words."""
    for condition, readings in found.readings.items():
        yield condition, f"readings {', '.join(r.id or 'one' for r in readings)}"
    for (left, right), ids in found.holds.items():
        yield f"{left}-{right}", ", ".join(i or "one reading" for i in ids) or "no reading"


def moves(plans: tuple[Plan, Plan], count: int, seed: int) -> tuple[int, Counter[tuple[str, str, str]], dict[str, str]]:
    """How many instances were looked at; (part, before, after) -> instances; part -> the sentence of one that moved.

    Raises as `decide.shape.Decider.decide`.
    """
    groupings = [Grouping(plan) for plan in plans]
    known: tuple[dict[int, Account], dict[int, Account]] = ({}, {})
    found: Counter[tuple[str, str, str]] = Counter()
    examples: dict[str, str] = {}
    seen = 0
    for draws in Walk(plans[0], seed).chunks(count):
        draws = draws.take(np.arange(min(len(draws), count - seen)))
        seen += len(draws)
        groups = [grouping.of(draws) for grouping in groupings]
        whole, first, counts = np.unique(np.stack(groups, axis=1), axis=0, return_index=True, return_counts=True)
        for pair, row, rows in zip(whole.tolist(), first.tolist(), counts.tolist(), strict=True):
            both = []
            for plan, grouping, accounts, group in zip(plans, groupings, known, pair, strict=True):
                if group not in accounts:
                    accounts[group] = account(plan, grouping.members[group])
                both.append(dict(answers(accounts[group])))
            for part, before in both[0].items():
                if both[1].get(part, before) != before:
                    found[part, before, both[1][part]] += rows
                    condition = plans[0].paradigm.conditions[part.partition("-")[0]]
                    examples.setdefault(part, plans[0].realiser.sentence(condition, draws, row))
        if seen >= count:
            break
    return seen, found, examples
