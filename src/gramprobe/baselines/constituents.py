"""The third heuristic of McCoy, Pavlick & Linzen (2019): a constituent of the premise is entailed.

The trees are those of conditions in `design.json`, over their draws: `[constructor, part, ...]`, where a part is a tree
or says which draw or word stands there. So no grammar is needed, and what the draws are does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gramprobe.baselines.matches import matches

NAME = "constituent"
ABOUT = "Entailment where the hypothesis is a constituent of the premise (McCoy et al. 2019), else none."
CONDITIONS = ("premise_condition", "hypothesis_condition")
"""The columns that name the conditions of a row's sentences."""


class Constituents:
    """Which conditions of a paradigm are constituents of which. ``trees``: condition -> its tree."""

    def __init__(self, trees: Mapping[str, Any]) -> None:
        self._trees = trees
        self._known: dict[tuple[str, str], bool | None] = {}

    def inside(self, premise: str, hypothesis: str) -> bool | None:
        """Whether the hypothesis' tree is a part of the premise's; None where one of them is not known."""
        pair = premise, hypothesis
        if pair not in self._known:
            there = premise in self._trees and hypothesis in self._trees
            self._known[pair] = is_part(self._trees[premise], self._trees[hypothesis]) if there else None
        return self._known[pair]


def says(inside: bool, premise: str, hypothesis: str) -> str:
    """The label of the rule. ``inside``: what `Constituents.inside` says of the trees; the words must be a run of the
    premise's too, which they are not where agreement or order has changed them."""
    return "entailment" if inside and matches("subsequence", premise, hypothesis) else "neutral"


def is_part(whole: Any, part: Any) -> bool:
    """Whether a tree stands in another one. Where its root has a single part, a tree (a sentence that asserts a
    clause), that part will do."""
    wanted = [part]
    while isinstance(wanted[-1], list) and len(wanted[-1]) == 2 and isinstance(wanted[-1][1], list):
        wanted.append(wanted[-1][1])
    return any(node in wanted for node in _nodes(whole))


def _nodes(tree: Any) -> Iterator[Any]:
    yield tree
    if isinstance(tree, list):
        for each in tree[1:]:
            yield from _nodes(each)
