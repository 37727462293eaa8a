"""What pages share: where that of a paradigm begins, sentences of an instance, and their trees with the words in place,
as text and as data."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from gramprobe.items.instance import draws_of
from gramprobe.items.plan import Plan
from gramprobe.items.stream import Stream
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.tree import Apply, Given, Slot, Tree, node_of
from gramprobe.resolve.tree import show as show_tree
from gramprobe.source.diagnostic import AuthoringError, UsageError
from gramprobe.space.constraints import value_of
from gramprobe.space.space import Draws
from gramprobe.words.settled import settled


def first_lines(stream: Stream) -> list[str]:
    """What a paradigm is about, and its source: the first lines of its page. Raises AuthoringError for one with
    mistakes."""
    if stream.findings.failed:
        raise AuthoringError(stream.findings.items)
    declared = stream.plan.paradigm
    return [f"{declared.full_name}: {declared.about}", *([f"source: {declared.citation}"] if declared.citation else [])]


def known_draws(plan: Plan, instance: str) -> Draws:
    """The draws of an instance by its name. Raises UsageError if the paradigm has no such instance."""
    draws = draws_of(plan, instance)
    if draws is None:
        full_name = plan.paradigm.full_name
        raise UsageError(f"`{instance}` is not an instance of {full_name}", "the column `id` has the id of an item")
    return draws


def sentence_lines(plan: Plan, draws: Draws) -> list[str]:
    """The sentences of the first instance, a line for each condition."""
    conditions = plan.paradigm.conditions.values()
    size = max(len(c.name) for c in conditions) + 2
    return [f"  {c.name.ljust(size)}{plan.realiser.sentence(c, draws)}" for c in conditions]


def filled_tree(plan: Plan, condition: Condition, draws: Draws) -> Tree:
    """The tree of a condition with the draws of the first instance in its slots."""
    box = plan.space.boxes[int(draws.box[0])]
    return settled(_filled(plan.space.tree(condition.tree, box), plan, draws), {}, plan.grammar)


def _filled(tree: Tree, plan: Plan, draws: Draws) -> Tree:
    if isinstance(tree, Apply):
        return replace(tree, arguments=tuple(_filled(a, plan, draws) for a in tree.arguments))
    if isinstance(tree, Slot):
        member = int(draws.columns[tree.name][0])
        if tree.is_feature:
            drawn = plan.space.slots[tree.name].category
            return Given(str(value_of(tree, None, member, plan.grammar, drawn)), tree.category, True)
        return Given(plan.realiser.lexeme(tree, member).id, tree.category, False)
    return tree


def nested(tree: Tree) -> Any:
    """A tree as nested lists: a constructor's name before its arguments."""
    if isinstance(tree, Apply):
        return [tree.constructor.name, *(nested(a) for a in tree.given)]
    return show_tree(tree)


def drawn_tree(tree: Tree) -> list[str]:
    """The tree as lines, one for each node, children below their parents."""
    return list(node_of(tree).lines("  "))
