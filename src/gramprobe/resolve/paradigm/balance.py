"""The balanced companion of a paradigm: every pair a second time, with two draws swapped in the premise.

``Amy has a cat`` is entailed by ``Amy's cat yawned`` and neutral to ``Jo's cat yawned``: the companion pairs it with
both premises, so that the hypothesis alone predicts nothing about the label (Poliak et al. 2018; Gururangan et al.
2018). A gate checks that it does not: :mod:`gramprobe.dataset.gates.balance`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gramprobe.resolve.paradigm.data import Condition, Draw, Pair, Paradigm
from gramprobe.resolve.tasks import TaskForm
from gramprobe.resolve.tree import Composite, Slot, Tree, nodes, put, show
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax import paradigm_tree as syntax

#: behind the name of a condition, or of a dataset
SWAPPED, BALANCED = "_swapped", "balanced"


def with_companion(whole: Paradigm, task: TaskForm, lines: Sequence[syntax.Balance], findings: Findings) -> Paradigm:
    """The paradigm, with its companion where it has ``balance`` lines; mistakes in these lines are reported.

    A draw that stands in these lines and in no sentence of the paradigm is drawn for the companion only, so that the
    lines do not change the paradigm itself.
    """
    if not lines:
        return whole
    if task.claims != "label":
        findings.add(messages.paradigm.no_premises(lines[0].span, whole.task))
    if any(pair.share is not None for pair in whole.pairs):
        findings.add(messages.paradigm.shared_pairs(lines[0].span))
    if whole.name == BALANCED:
        findings.add(messages.paradigm.name_is_taken(whole.span, whole.name))
    swaps = _swaps(whole.draws, lines, findings)
    if findings.failed:
        return whole
    pairs, conditions = list(whole.pairs), dict(whole.conditions)
    stated = {_stated(whole, p) for p in pairs}
    for pair in whole.pairs:
        premise, hypothesis = whole.conditions[pair.premise], whole.conditions[pair.hypothesis]
        swapped = _swapped(premise, swaps)
        texts = show(swapped.tree), show(hypothesis.tree)
        # a pair that the paradigm has already would be a duplicate, and a sentence trivially entails itself
        if texts in stated or texts[0] == texts[1]:
            continue
        stated.add(texts)
        conditions[swapped.name] = swapped
        claims_nothing = replace(
            pair, premise=swapped.name, expect=None, expect_span=None, claims=(), via_failure=False
        )
        pairs.append(claims_nothing)
    _check_swaps(whole, swaps, findings)
    companion = replace(whole, conditions=conditions, pairs=tuple(pairs), balanced_at=lines[0].span)
    only_there = swaps.keys() - _mentioned(c.tree for c in whole.conditions.values())
    return replace(
        whole,
        draws=tuple(d for d in whole.draws if d.name not in only_there),
        constraints=tuple(c for c in whole.constraints if not only_there & _mentioned(t for t, _ in c.operands)),
        companion=companion,
    )


def _swaps(draws: Sequence[Draw], lines: Sequence[syntax.Balance], findings: Findings) -> dict[str, Tree]:
    """Draw -> the tree that replaces it."""
    known = {d.name: d for d in draws}
    swaps: dict[str, Tree] = {}
    before: dict[str, Span] = {}
    for line in lines:
        for word in line.draws:
            if word.text not in known:
                findings.add(messages.names.unknown_name(word.span, "draw", word.text, known))
            elif word.text in before:
                findings.add(messages.names.declared_twice(word.span, f"`balance` of `{word.text}`", before[word.text]))
            before.setdefault(word.text, word.span)
        if findings.failed:
            continue
        if len(line.draws) != 2:
            findings.add(messages.paradigm.not_two_draws(line.span, len(line.draws)))
            continue
        one, other = (known[word.text] for word in line.draws)
        if one.category != other.category:
            pair = (one.name, one.category), (other.name, other.category)
            findings.add(messages.paradigm.unlike_draws(line.draws[1].span, *pair))
            continue
        swaps[one.name], swaps[other.name] = _slot_of(other), _slot_of(one)
    return swaps


def _slot_of(draw: Draw) -> Tree:
    """The slot that a draw fills in a tree."""
    only = draw.skeletons[0]
    return Composite(draw.name, draw.category) if only.constructors else only.tree


def _swapped(condition: Condition, swaps: Mapping[str, Tree]) -> Condition:
    return replace(condition, name=condition.name + SWAPPED, tree=put(condition.tree, swaps))


def _check_swaps(whole: Paradigm, swaps: Mapping[str, Tree], findings: Findings) -> None:
    """Report premises that swapping does not change, and conditions that have the name of a swapped premise."""
    for name in dict.fromkeys(p.premise for p in whole.pairs):
        condition = whole.conditions[name]
        if not swaps.keys() & _mentioned([condition.tree]):
            findings.add(messages.paradigm.nothing_to_swap(condition.span, name, list(swaps)))
        if name + SWAPPED in whole.conditions:
            findings.add(messages.paradigm.name_is_taken(whole.conditions[name + SWAPPED].span, name + SWAPPED))


def _mentioned(trees: Iterable[Tree]) -> set[str]:
    """The draws that occur in trees."""
    return {n.name for tree in trees for n in nodes(tree) if isinstance(n, Slot | Composite)}


def _stated(whole: Paradigm, pair: Pair) -> tuple[str, str]:
    """The trees of a pair as texts: equal for pairs of the same sentences."""
    return show(whole.conditions[pair.premise].tree), show(whole.conditions[pair.hypothesis].tree)
