"""The third heuristic of McCoy, Pavlick & Linzen (2019), scored like a model: `--model rule:constituent`.

Entailment where the hypothesis is a constituent of the premise, else none. A row names the conditions of its sentences,
and `design.json` holds the trees of conditions over their draws, so that no grammar is needed: the hypothesis is a
constituent if its tree is a part of the premise's, and its words are a run of the premise's. Where its root has a
single part (a sentence that asserts a clause), that part will do. Rows without trees are refused, with the flag
`trees`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gramprobe.baselines.rules import subsequence
from gramprobe.score.engines.rule import OTHERS
from gramprobe.score.request import THREE, Answer, Chat, Classify, Refusal, Request

if TYPE_CHECKING:
    from gramprobe.score.source import Source

NAME = "constituent"
ABOUT = "Entailment where the hypothesis is a constituent of the premise (McCoy et al. 2019), else none."
CONDITIONS = ("premise_condition", "hypothesis_condition")


class ConstituentEngine:
    """The engine of the rule. ``tables``: those whose rows are asked about."""

    kind = "rule"
    labels: tuple[str, ...] = THREE

    def __init__(self, source: Source, tables: Sequence[str]) -> None:
        self._inside: dict[str, bool] = {}
        for table in tables:
            trees = source.trees(table)
            if not trees or not set(CONDITIONS) <= set(source.tables[table].columns):
                continue
            known: dict[tuple[str, str], bool] = {}
            for item in source.rows(table, CONDITIONS):
                premise, hypothesis = (str(item.row[name]) for name in CONDITIONS)
                if premise in trees and hypothesis in trees:
                    pair = premise, hypothesis
                    if pair not in known:
                        known[pair] = is_part(trees[premise], trees[hypothesis])
                    self._inside[item.id] = known[pair]

    def prepare(self, request: Request) -> Classify | Refusal:
        if not isinstance(request, Classify):
            return Refusal("mode", "a rule gives labels to pairs, and no probability of a text")
        if request.item not in self._inside:
            return Refusal("trees", "the trees of its sentences are not known")
        return request

    def settings(self) -> dict[str, Any]:
        return {"rule": ABOUT}

    def shown(self, context: str | Chat) -> str:
        return context if isinstance(context, str) else "\n".join(text for _, text in context)

    def load(self) -> dict[str, Any]:
        return {}

    def answer(self, prepared: Sequence[Classify]) -> list[tuple[Answer, ...]]:
        found: list[tuple[Answer, ...]] = []
        for pair in prepared:
            entailed = self._inside[pair.item] and subsequence(pair.premise, pair.hypothesis)
            said = "entailment" if entailed else "neutral"
            found.append((Answer(tuple(0.0 if label == said else OTHERS for label in THREE), 0),))
        return found


def is_part(whole: Any, part: Any) -> bool:
    """Whether a tree of `design.json` stands in another one, or the single part of its root does."""
    wanted = [part]
    while isinstance(wanted[-1], list) and len(wanted[-1]) == 2 and isinstance(wanted[-1][1], list):
        wanted.append(wanted[-1][1])
    return any(node in wanted for node in _nodes(whole))


def _nodes(tree: Any) -> Iterator[Any]:
    yield tree
    if isinstance(tree, list):
        for each in tree[1:]:
            yield from _nodes(each)
