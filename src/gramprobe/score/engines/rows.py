"""Rows of tokens for a causal model: several continuations of one context in one row.

A row `[context, branch 1, branch 2, ...]` with a mask, by which a token of a branch sees the context and its own
branch up to itself, and with positions that go on from the context in each branch, gives every branch the
log-probabilities that it has alone, and runs the context once. The last token of a branch is predicted and needs no
forward pass, so it is not in the row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


FULL = 8
"""A batch with one part in so many of its largest number of tokens is large enough to end."""
ALIKE = 0.95
"""Such a batch ends before a row that is shorter than this share of its longest one, as that would be padded."""


def batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """The numbers of rows in batches: sorted by length, and as many as fit into a number of tokens, padding included.

    A batch ends earlier where the next row would be padded much (:data:`FULL`, :data:`ALIKE`). A row that is longer
    than ``tokens`` is a batch of its own. A function of the lengths alone.
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda n: (-lengths[n], n)):
        if batch:
            longest = lengths[batch[0]]
            padded = len(batch) * longest * FULL >= tokens and lengths[number] < longest * ALIKE
            if padded or (len(batch) + 1) * longest > tokens:
                yield batch
                batch = []
        batch.append(number)
    if batch:
        yield batch
