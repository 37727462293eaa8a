"""Rows of tokens for a causal model: several continuations of one context in one row.

A row `[context, branch 1, branch 2, ...]` with a mask, by which a token of a branch sees the context and its own
branch up to itself, and with positions that go on from the context in each branch, gives every branch the
log-probabilities that it has alone, and runs the context once. The last token of a branch is predicted and needs no
forward pass, so it is not in the row.

Contexts that begin alike (answered examples before each question) share a row too, `[beginning, rest of context 1 and
its branches, rest of context 2 and its branches, ...]`, where a token sees the beginning, its own context and its own
branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeVar

Ids = tuple[int, ...]
T = TypeVar("T")
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
        owners: the group that they belong to, from 1; 0 is what the groups begin with in common, or the only group.
        queries: for each scored token the place in the row of the token before it.
        targets: the scored tokens, or kinds of tokens.
    """

    ids: tuple[int, ...]
    positions: tuple[int, ...]
    branches: tuple[int, ...]
    owners: tuple[int, ...]
    queries: tuple[int, ...]
    targets: tuple[int, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it is an ordinary text: of one group, in which at most one branch has tokens."""
        return max(self.branches) <= 1 and not any(self.owners)


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
    return Row(tuple(ids), tuple(positions), tuple(branches), (0,) * len(ids), tuple(queries), tuple(targets))


def joint_row(groups: Sequence[Group], common: int) -> Row:
    """Several groups in one row, with the tokens that their contexts begin with, so many, once. Its targets are those
    of the groups in order. No group has targets among these tokens or masses."""
    first = branch_row(groups[0])
    columns: list[list[int]] = [list(each[:common]) for each in (first.ids, first.positions, first.branches)]
    owners, queries, targets = [0] * common, list[int](), list[int]()
    for number, group in enumerate(groups, 1):
        own = branch_row(group)
        before = len(owners) - common
        for column, each in zip(columns, (own.ids, own.positions, own.branches), strict=True):
            column += each[common:]
        owners += [number] * (len(own.ids) - common)
        queries += [place + before for place in own.queries]
        targets += own.targets
    ids, positions, branches = map(tuple, columns)
    return Row(ids, positions, branches, tuple(owners), tuple(queries), tuple(targets))


ALIKE = 32
"""So many tokens at least have to be common to contexts that share a row for that."""
JOINT = 1024
"""The longest row of several groups, unless what they begin with is half as long: each token of a row takes part in the
attention of each other one, so that longer rows cost more than they save."""


def joined(groups: Sequence[Group], tokens: int) -> list[list[int]]:
    """The numbers of groups in lists, those of a list to share a row, so that all rows together are shortest.

    Groups without targets in the context or masses are sorted by their contexts, and the order is cut where rows of
    the fewest tokens arise. ``tokens``: the longest row of several groups.
    """
    able = [n for n, g in enumerate(groups) if g.branches and not g.masses and g.scored_from == len(g.context)]
    able.sort(key=lambda n: (groups[n].context, n))
    alike = [_alike(groups[one].context, groups[other].context) for one, other in pairwise(able)]
    if max(alike, default=0) < ALIKE:
        return [[number] for number in range(len(groups))]
    lengths = [len(groups[n].context) + sum(len(branch) - 1 for branch in groups[n].branches) for n in able]
    least, before = [0], [0]  # of the first so many of the sorted: the sum of the rows' tokens, where the last begins
    for end in range(1, len(able) + 1):
        best, start = least[end - 1] + lengths[end - 1], end - 1
        whole, common = lengths[end - 1], len(groups[able[end - 1]].context) - 1
        for number in range(end - 2, -1, -1):
            common = min(common, alike[number])
            whole += lengths[number]
            row = whole - common * (end - number - 1)
            if common < ALIKE or row > min(tokens, max(JOINT, 2 * common)):
                break
            if least[number] + row < best:
                best, start = least[number] + row, number
        least.append(best)
        before.append(start)
    found = [[number] for number in sorted(set(range(len(groups))).difference(able))]
    end = len(able)
    while end:
        found.append(able[before[end] : end])
        end = before[end]
    return found


def beginning(groups: Sequence[Group]) -> int:
    """How many tokens all contexts begin with, so that each has one more."""
    return min(_alike(groups[0].context, group.context) for group in groups)


def _alike(one: Ids, other: Ids) -> int:
    """How many tokens two contexts begin with in common, so that each has one more."""
    most = min(len(one), len(other)) - 1
    return next((place for place in range(most) if one[place] != other[place]), most)


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


def cut(values: list[T], sizes: Iterable[int]) -> list[list[T]]:
    """The values in pieces of these sizes, one after the other."""
    return [values[start:end] for start, end in pairwise(accumulate(sizes, initial=0))]


def within(numbers: Iterable[int], sizes: Sequence[int], most: int) -> Iterator[list[int]]:
    """The numbers in pieces whose sizes add up to ``most`` or less; a larger one is a piece of its own."""
    piece, whole = list[int](), 0
    for number in numbers:
        if piece and whole + sizes[number] > most:
            yield piece
            piece, whole = [], 0
        piece.append(number)
        whole += sizes[number]
    if piece:
        yield piece


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
