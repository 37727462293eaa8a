"""Causal language models: log-probabilities of tokens after tokens.

Continuations of one context share a row (`rows.branch_row`), and so do contexts that begin alike (`rows.joint_row`), if
a probe at load finds that this model then gives the numbers that it gives one by one; else each continuation has a row
with the context (`engines.forward`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from gramprobe.score.engines.folder import ModelFolder
from gramprobe.score.engines.forward import Forward
from gramprobe.score.engines.rows import (
    BEGINS,
    GOES_ON,
    Group,
    Ids,
    cut,
)
from gramprobe.score.engines.tokens import Tokens
from gramprobe.score.engines.weights import Precision, config_of, first_line, load, longest_text
from gramprobe.score.request import Chat, Continue, Fill, Refusal, Regions, Reply, Request, Whole
from gramprobe.source import messages

Range = tuple[int, int, int]
"""(group, first target, end): tokens whose log-probabilities are added."""


@dataclass(frozen=True, slots=True)
class Sum:
    """The value of a part, as a sum: for each of its spellings the targets that are added.

    ``more`` and ``less`` are targets that are added to and taken from the sum, and are no tokens of the part.
    """

    spellings: tuple[tuple[Range, ...], ...]
    flags: tuple[str, ...] = ()
    more: tuple[Range, ...] = ()
    less: tuple[Range, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request as groups of tokens, and what each part takes of their targets."""

    groups: tuple[Group, ...]
    parts: tuple[Sum, ...]


class CausalEngine:
    """A causal language model."""

    kind = "causal"
    labels: tuple[str, ...] = ()

    def __init__(
        self, model: ModelFolder, precision: Precision, bos: str = "auto", bow_correction: bool = False
    ) -> None:
        self.model, self.precision, self.bow_correction = model, precision, bow_correction
        self.config = config_of(model)
        self.tokens = Tokens(model)
        self.bos = bos
        self.with_context, self.without_context = self.tokens.first_tokens(bos)
        self.longest = longest_text(self.config, self.tokens.longest)
        self.vocabulary: int = self.config.get_text_config().vocab_size
        self._forward: Forward | None = None

    def settings(self) -> dict[str, Any]:
        first = {"policy": self.bos, "context": list(self.with_context), "no_context": list(self.without_context)}
        return {
            "bos": first,
            "join": "the continuation begins with the space",
            "bow_correction": self.bow_correction,
        }

    def shown(self, context: str | Chat) -> str:
        return context if isinstance(context, str) else self.tokens.chat(context)

    # -- requests to tokens

    def prepare(self, request: Request) -> Prepared | Refusal:
        match request:
            case Continue(context, texts):
                made = self._continued(context, texts)
            case Whole(texts):
                made = self._whole(texts)
            case Fill(text, slot, candidates):
                before, _, after = text.partition(slot)
                if not before.strip():
                    made = self._whole(tuple(before + candidate + after for candidate in candidates))
                else:
                    made = self._continued(
                        before.rstrip(), tuple((f" {candidate}{after}",) for candidate in candidates)
                    )
            case Regions(regions):
                made = self._regions(regions)
            case _:
                return Refusal("mode", "a causal model does not classify")
        return made if isinstance(made, Refusal) else self._checked(made)

    def _context(self, context: str | Chat) -> tuple[str, Ids]:
        """The text of a context, and its tokens with what stands before it."""
        if isinstance(context, str):
            return context, self.with_context + self.tokens.ids(context)
        text = self.tokens.chat(context)
        ids = self.tokens.ids(text)  # a template writes its first token itself
        return text, ids if ids[: len(self.with_context)] == self.with_context else self.with_context + ids

    def _continued(self, context: str | Chat, texts: Sequence[Sequence[str]]) -> Prepared | Refusal:
        text, ids = self._context(context)
        if not ids:
            return Refusal("empty", "the context has no tokens")
        bare = self.tokens.ids(text)
        every = [[_behind(bare, self.tokens.ids(text + spelling)) for spelling in spellings] for spellings in texts]
        used = _usable(every)
        if not used:
            word = next((t[0] for t, found in zip(texts, every, strict=True) if not any(found)), texts[0][0])
            return Refusal("join", f"a token goes across the place where `{word.strip()}` begins")
        branches = [found[n] for found in every for n in used]
        ends = list(accumulate(map(len, branches), initial=0))
        ranges = [((0, ends[n], ends[n + 1]),) for n in range(len(branches))]
        parts = tuple(Sum(tuple(ranges[n : n + len(used)])) for n in range(0, len(ranges), len(used)))
        return Prepared((Group(ids, tuple(branches), len(ids)),), parts)

    def _whole(self, texts: Sequence[str]) -> Prepared | Refusal:
        """Texts by themselves; what they begin with in common is run once."""
        first = self.without_context
        every = [first + self.tokens.ids(text) for text in texts]
        if any(len(ids) < 2 for ids in every):
            return Refusal("empty", "a text has no token that can be scored")
        common = _common(every)
        if common == 0:
            groups = tuple(Group(ids[:1], (ids[1:],), 1) for ids in every)
            parts = [Sum((((n, 0, group.targets),),)) for n, group in enumerate(groups)]
        else:
            start = max(len(first), 1)
            common = max(min(common, *(len(ids) - 1 for ids in every)), 1)
            start = min(start, common)
            scored = common - start
            branches = tuple(ids[common:] for ids in every)
            groups = (Group(every[0][:common], branches, start),)
            ends = list(accumulate(map(len, branches), initial=scored))
            parts = [Sum((((0, 0, scored), (0, ends[n], ends[n + 1])),)) for n in range(len(branches))]
        flags = () if first else ("unscored_first",)
        return Prepared(groups, tuple(Sum(part.spellings, flags) for part in parts))

    def _regions(self, regions: Sequence[str]) -> Prepared | Refusal:
        encoded, owners = self.tokens.of_regions(regions)
        if owners is None:
            return Refusal("join", "a token goes across the border of two regions")
        ids = self.without_context + encoded.ids
        if len(ids) < 2:
            return Refusal("empty", "the text has no token that can be scored")
        unscored = 0 if self.without_context else 1
        group = Group(ids, (), 1)
        offset = len(self.without_context) - 1  # the first scored target is the token behind the first
        parts: list[Sum] = []
        for number in range(len(regions)):
            mine = [n for n, owner in enumerate(owners) if owner == number and n >= unscored]
            flags = ("unscored_first",) if unscored and number == 0 else ()
            if not mine and not flags:
                return Refusal("empty", f"region {number + 1} has no token of its own")
            ranges = ((0, mine[0] + offset, mine[-1] + 1 + offset),) if mine else ()
            parts.append(Sum((ranges,), flags))
        if self.bow_correction:
            return self._corrected(group, parts, [owners.index(number) for number in range(len(regions))])
        return Prepared((group,), tuple(parts))

    def _corrected(self, group: Group, parts: Sequence[Sum], firsts: Sequence[int]) -> Prepared:
        """Regions whose probability includes that they end where they end (Pimentel & Meister 2024, 7).

        A token that begins a word says that the word before it has ended, so that this is part of its own probability.
        Corrected, it is that of the word before: the mass of all tokens that begin a word, or end the text, is taken
        from a region at its start and added behind it. A text begins with a token of the other kind.
        """
        first = len(self.without_context)
        starts = [place + first - 1 for place in firsts]  # the token before each region
        count = len(group.context) - 1
        masses = [(place, BEGINS if number else GOES_ON) for number, place in enumerate(starts) if place >= 0]
        masses.append((len(group.context) - 1, BEGINS))
        place_of = {place: count + number for number, (place, _) in enumerate(masses)}
        corrected = []
        for number, part in enumerate(parts):
            behind = place_of[starts[number + 1] if number + 1 < len(starts) else len(group.context) - 1]
            before = place_of.get(starts[number])
            less = () if before is None else ((0, before, before + 1),)
            corrected.append(Sum(part.spellings, part.flags, ((0, behind, behind + 1),), less))
        return Prepared((Group(group.context, (), 1, tuple(masses)),), tuple(corrected))

    def _checked(self, prepared: Prepared) -> Prepared | Refusal:
        longest = max(group.longest for group in prepared.groups)
        if self.longest is not None and longest > self.longest:
            return Refusal("long", f"it has {longest:,} tokens, and the model takes {self.longest:,}")
        highest = max(max(ids) for group in prepared.groups for ids in (group.context, *group.branches))
        if highest >= self.vocabulary:
            return Refusal("vocabulary", f"its token {highest} is not in the model's vocabulary of {self.vocabulary:,}")
        return prepared

    # -- forward passes

    def load(self) -> dict[str, Any]:
        model = load(self.model, self.precision)
        self._forward = Forward(model, self.precision, frozenset(self.tokens.tokenizer.all_special_ids))
        if self.bow_correction:
            self._forward.begins = self.tokens.begins(self.vocabulary)
        try:
            return self._forward.probe()
        except Exception as error:  # models that need other arguments say so in their own way
            raise messages.score.unusable_model(
                self.model.name, f"it cannot be run on plain texts: {first_line(error)}", "give a causal language model"
            ) from None

    def answer(self, prepared: Sequence[Prepared]) -> list[tuple[Reply, ...]]:
        assert self._forward is not None, "load comes first"
        scored = self._forward.score([group for each in prepared for group in each.groups])
        every = zip(prepared, cut(scored, (len(each.groups) for each in prepared)), strict=True)
        return [tuple(_answer(part, groups) for part in each.parts) for each, groups in every]


def _answer(part: Sum, groups: Sequence[Sequence[float]]) -> Reply:
    def added(ranges: Sequence[Range]) -> float:
        return math.fsum(x for g, start, end in ranges for x in groups[g][start:end])

    around = added(part.more) - added(part.less)
    sums = [added(ranges) + around for ranges in part.spellings]
    tokens = sum(end - start for _, start, end in part.spellings[0])
    if not tokens:
        return Reply((None,), 0, part.flags)
    return Reply((sums[0] if len(sums) == 1 else log_sum(sums),), tokens, part.flags)


def log_sum(values: Sequence[float]) -> float:
    """The log of the sum of probabilities, from their logs."""
    most = max(values)
    if not math.isfinite(most):
        return most
    return most + math.log(math.fsum(math.exp(value - most) for value in values))


def _behind(context: Ids, joint: Ids) -> Ids:
    """What follows the tokens of a context in those of the joint text; empty if a token goes across the join."""
    return joint[len(context) :] if joint[: len(context)] == context else ()


def _usable(every: Sequence[Sequence[Ids]]) -> list[int]:
    """Which spellings every part has: the numbers of those that are tokens behind the context, and other tokens than
    the spellings before them. All parts get the same ones, so that none has more chances than another."""
    used: list[int] = []
    for number in range(len(every[0])):
        if all(found[number] and all(found[number] != found[n] for n in used) for found in every):
            used.append(number)
    return used


def _common(every: Sequence[Ids]) -> int:
    """How many tokens all begin with."""
    count = 0
    for column in zip(*every, strict=False):
        if len(set(column)) > 1:
            break
        count += 1
    return count
