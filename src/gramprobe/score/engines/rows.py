"""Rows of tokens for a causal model: several continuations of one context in one row.

A row `[context, branch 1, branch 2, ...]` with a mask, by which a token of a branch sees the context and its own
branch up to itself, and with positions that go on from the context in each branch, gives every branch the
log-probabilities that it has alone, and runs the context once. The last token of a branch is predicted and needs no
forward pass, so it is not in the row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Ids = tuple[int, ...]
BEGINS, GOES_ON = -1, -2
"""In the place of a scored token: all tokens that begin a word or end the text, and all that do neither."""


@dataclass(frozen=True, slots=True)
class Group:
    """A context and its continuations.

    Attributes:
        context: at least one token.
        branches: the continuations, each of at least one token.
        scored_from: tokens of the context from here on are scored too; `len(context)`: none. At least 1.
        masses: (place in the context, kind) of sums of probabilities: of all tokens of a kind, :data:`BEGINS` or
            :data:`GOES_ON`, behind that place. Only without branches.
    """

    context: Ids
    branches: tuple[Ids, ...]
    scored_from: int
    masses: tuple[tuple[int, int], ...] = ()

    @property
    def longest(self) -> int:
        """The number of positions of the longest text."""
        return len(self.context) + max((len(branch) for branch in self.branches), default=0)

    @property
    def targets(self) -> int:
        """The number of log-probabilities that it gives."""
        return len(self.context) - self.scored_from + sum(map(len, self.branches)) + len(self.masses)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a forward pass.

    Attributes:
        ids: its tokens.
        positions: their positions.
        branches: their branch; 0 is the context.
        queries: for each scored token the place in the row of the token before it.
        targets: the scored tokens, or kinds of tokens.
    """

    ids: tuple[int, ...]
    positions: tuple[int, ...]
    branches: tuple[int, ...]
    queries: tuple[int, ...]
    targets: tuple[int, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it is an ordinary text: at most one branch has tokens in it."""
        return max(self.branches) <= 1


def branch_row(group: Group) -> Row:
    """The whole group in one row. Its targets: those of the context, of each branch in order, then masses."""
    ids, positions = list(group.context), list(range(len(group.context)))
    branches = [0] * len(ids)
    queries = list(range(group.scored_from - 1, len(ids) - 1))
    targets = list(group.context[group.scored_from :])
    end, number = len(ids), 0
    for branch in group.branches:
        inside = branch[:-1]
        queries += [end - 1, *range(len(ids), len(ids) + len(inside))]
        targets += branch
        number += bool(inside)
        ids += inside
        positions += range(end, end + len(inside))
        branches += [number] * len(inside)
    queries += [place for place, _ in group.masses]
    targets += [kind for _, kind in group.masses]
    return Row(tuple(ids), tuple(positions), tuple(branches), tuple(queries), tuple(targets))


def pair_rows(group: Group) -> Iterator[Row]:
    """A row for each continuation, with the context each time. Their targets in order are those of `branch_row`."""
    if not group.branches:
        yield branch_row(group)
    for number, branch in enumerate(group.branches):
        scored_from = len(group.context) if number else group.scored_from
        yield branch_row(Group(group.context, (branch,), scored_from))


PASS = {"cpu": 24}
"""What a forward pass costs beside its tokens, in tokens: the weights are read once more. On a processor this is much
the same for small models and for large ones, as both parts grow with the weights."""
PASS_ELSEWHERE = 256
"""The same on other devices, which are fast with many tokens and slow to start."""


def batches(lengths: Sequence[int], tokens: int, device: str = "cpu") -> Iterator[list[int]]:
    """The numbers of rows in batches: sorted by length, and as many as fit into a number of tokens, padding included.

    Rows of different lengths share a batch where padding them costs less than one more forward pass (:data:`PASS`);
    rows of one length are only parted where ``tokens`` ends a batch. A row that is longer than ``tokens`` is a batch of
    its own. A function of the lengths and of the type of device alone.
    """
    order = sorted(range(len(lengths)), key=lambda n: (-lengths[n], n))
    starts = [place for place, n in enumerate(order) if place == 0 or lengths[n] < lengths[order[place - 1]]]
    for start, end in pairwise(_cuts([(lengths[order[n]], n) for n in starts], len(order), tokens, device)):
        fitting = max(1, tokens // lengths[order[start]])
        for first in range(start, end, fitting):
            yield order[first : min(first + fitting, end)]


def _cuts(runs: Sequence[tuple[int, int]], rows: int, tokens: int, device: str) -> list[int]:
    """Where sorted rows are cut into ranges of the least cost: places, from 0 to the number of rows.

    ``runs``: the length and the first place of the rows of each length.
    """
    once = PASS.get(device, PASS_ELSEWHERE)
    ends = [*(first for _, first in runs[1:]), rows] if runs else []
    least = [0]  # of the rows of the first runs
    before = [0]  # where the last range of these begins, as the number of a run
    for last, end in enumerate(ends):
        costs = [
            (least[number] + length * (end - first) - once * (-(end - first) // max(1, tokens // length)), number)
            for number, (length, first) in enumerate(runs[: last + 1])
        ]
        cost, number = min(costs)
        least.append(cost)
        before.append(number)
    cuts, number = [rows], len(ends)
    while number:
        number = before[number]
        cuts.append(runs[number][1])
    return cuts[::-1]
