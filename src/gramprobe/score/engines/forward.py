"""The forward passes of a causal model: which texts share a row, and which tokens see which.

Whether a model gives in shared rows the numbers that it gives one by one is found out by a probe when it is loaded.
Logits are made only where a token is scored: the hidden states of the other places are taken out before the head,
whatever the head does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gramprobe.score.engines.probe import known_tokens, probed
from gramprobe.score.engines.rows import (
    ALIKE,
    BEGINS,
    GOES_ON,
    JOINT,
    Group,
    Ids,
    Row,
    batches,
    beginning,
    branch_row,
    cut,
    joined,
    joint_row,
    pair_rows,
    within,
)
from gramprobe.score.engines.weights import AGREEMENT, Precision, longest_text

REACHES = ("sliding_window", "attention_chunk_size", "window_size", "attention_window_size", "local_attention")
"""What configurations call the number of places that attention of some layers reaches back."""
SHORTEST = 64
"""The shortest row of several texts that is probed (:meth:`Forward._prove`); where a model takes less, each text has
a row of its own."""
LOGITS = 1 << 26
"""The largest number of logits in a forward pass: scored places times the vocabulary."""


class Forward:
    """The forward passes of a causal model, in the way that its probe found right.

    Attributes:
        branches: whether continuations of one context share a row, and contexts that begin alike.
        selected: whether the head is run only where a token is scored.
        single: whether each row is run by itself.
        window: texts that are longer have a row each, as attention does not reach back further.
        most: the longest row that texts may share: neither longer than the model's positions nor than the window, as
            some models count places in the row, and not positions.
        proved: the longest row of several texts that is known to give their numbers (:meth:`_prove`).
        begins: for each token whether it begins a word or ends the text; needed for masses alone.
    """

    def __init__(self, model: Any, precision: Precision, special: frozenset[int] = frozenset()) -> None:
        self.model, self.precision = model, precision
        self.branches, self.selected, self.single = True, model.base_model is not model, False
        self.vocabulary: int = model.config.get_text_config().vocab_size
        self.special = special
        self.begins: Sequence[bool] = ()
        config = model.config.get_text_config()
        reaches = [getattr(config, name, None) for name in REACHES]
        self.window: int | None = min((each for each in reaches if isinstance(each, int) and each > 0), default=None)
        limits = (precision.batch_tokens, longest_text(model.config, None), self.window)
        self.most: int = min(each for each in limits if each is not None)
        self.proved, self._refuted = 0, False

    def score(self, groups: Sequence[Group]) -> list[list[float]]:
        """For each group the log-probabilities of its targets, in nats."""
        rows: list[Row] = []
        owners: list[list[int]] = []
        for numbers in self._joined(groups):
            for row in self._rows([groups[number] for number in numbers]):
                rows.append(row)
                owners.append(numbers)
        found: list[list[float]] = [[] for _ in rows]
        for batch in self._batches(rows):
            for number, values in zip(batch, self._run([rows[n] for n in batch]), strict=True):
                found[number] = values
        scored: list[list[float]] = [[] for _ in groups]
        for numbers, values in zip(owners, found, strict=True):
            sizes = [len(values)] if len(numbers) == 1 else [groups[number].targets for number in numbers]
            for number, own in zip(numbers, cut(values, sizes), strict=True):
                scored[number] += own
        return scored

    def _joined(self, groups: Sequence[Group]) -> list[list[int]]:
        """The numbers of the groups in lists, those of a list to share a row."""
        if not self.branches:
            return [[number] for number in range(len(groups))]
        long = [n for n, group in enumerate(groups) if self.window is not None and group.longest > self.window]
        others = sorted(set(range(len(groups))) - set(long))
        shared = [groups[number] for number in others]
        self._prove(min(sum(map(_length, shared)), max(JOINT, 2 * max(map(_length, shared), default=0))))
        lists = joined(shared, self.proved)
        return [[number] for number in long] + [[others[n] for n in each] for each in lists]

    def _rows(self, groups: Sequence[Group]) -> Iterator[Row]:
        if len(groups) > 1:
            yield joint_row(groups, beginning(groups))
        elif not self.branches or (len(groups[0].branches) > 1 and _length(groups[0]) > self.proved):
            yield from pair_rows(groups[0])
        else:
            yield branch_row(groups[0])

    def _batches(self, rows: Sequence[Row]) -> Iterator[list[int]]:
        if self.single:
            yield from ([number] for number in range(len(rows)))
            return
        # a mask of ours takes the place of a window's own: rows that need theirs do not share a batch with rows of ours
        of_ours = [number for number, row in enumerate(rows) if not row.is_plain]
        others = [number for number, row in enumerate(rows) if row.is_plain]
        for kind in (of_ours, others) if self.window else ([*range(len(rows))],):
            yield from self._cut([rows[number] for number in kind], kind)

    def _cut(self, rows: Sequence[Row], numbers: Sequence[int]) -> Iterator[list[int]]:
        """Batches of these rows within the largest numbers of tokens and of logits."""
        places = [len(set(row.queries)) if self.selected else len(row.ids) for row in rows]
        most = max(1, LOGITS // self.vocabulary)
        for batch in batches([len(row.ids) for row in rows], self.precision.batch_tokens, self.precision.device_type):
            for piece in within(batch, places, most):
                yield [numbers[n] for n in piece]

    def _run(self, rows: Sequence[Row]) -> list[list[float]]:
        """One forward pass: for each row the log-probabilities of its targets."""
        import numpy as np
        import torch

        width = max(len(row.ids) for row in rows)
        device = self.model.device
        ids = np.zeros((len(rows), width), np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row.ids)] = row.ids
        arguments: dict[str, Any] = {"input_ids": torch.from_numpy(ids).to(device)}
        if not all(row.is_plain for row in rows):
            positions, mask = _branch_inputs(rows, width)
            arguments["position_ids"] = torch.from_numpy(positions).to(device)
            arguments["attention_mask"] = _float_mask(mask, self.model.dtype, device)
        places = np.concatenate([number * width + np.array(row.queries, np.int64) for number, row in enumerate(rows)])
        targets = np.concatenate([np.array(row.targets, np.int64) for row in rows])
        wanted, back = np.unique(places, return_inverse=True)
        chosen = torch.from_numpy(wanted).to(device)
        with torch.inference_mode():
            if self.selected:
                with only_at(self.model, chosen):
                    logits = self.model(**arguments, use_cache=False).logits[0]
            else:
                logits = self.model(**arguments, use_cache=False).logits.flatten(0, 1)[chosen]
            if logits.dtype != torch.float64:
                logits = logits.float()
            back_ = torch.from_numpy(back).to(device)
            wanted_ = torch.from_numpy(np.maximum(targets, 0)).to(device)
            chances = logits[back_, wanted_]
            for kind in (BEGINS, GOES_ON):
                mine = torch.from_numpy(np.flatnonzero(targets == kind)).to(device)
                if len(mine):
                    of_kind = torch.tensor(self.begins, device=device) == (kind == BEGINS)
                    chances[mine] = torch.logsumexp(logits[back_[mine]][:, : len(of_kind)][:, of_kind], -1)
            scored = chances - torch.logsumexp(logits, -1)[back_]
        return cut(scored.double().cpu().tolist(), (len(row.targets) for row in rows))

    # -- the probe

    def probe(self) -> dict[str, Any]:
        """Find the fastest way whose numbers are those of plain texts one by one, and use it from now on."""
        groups = self._probe_groups()
        ways = {
            f"{'shared' if branches else 'plain'} rows, logits {'where scored' if selected else 'everywhere'}": (
                branches,
                selected,
            )
            for branches, selected in ((True, True), (False, True), (True, False), (False, False))
            if not selected or self.model.base_model is not self.model
        }

        def scored(way: tuple[bool, bool]) -> list[list[float]]:
            self.branches, self.selected = way
            return self.score(groups)

        self.proved, self._refuted = self.most, True  # the groups of the probe are shorter than what is proved later
        expected = [self._plain(group) for group in groups]
        found = probed(ways, scored, expected, AGREEMENT[self.precision.dtype])
        way = ways.get(found["rows"])
        self.branches, self.selected = way or (False, False)
        self.single = way is None
        self.proved, self._refuted = min(self.most, max(map(_length, groups))), False
        return found

    def _prove(self, wanted: int) -> None:
        """Show that rows of so many tokens, as far as they are allowed, give several texts the numbers that they have
        alone: some layers look back over places in the row, whatever positions and mask they are given (GPT-Neo), and a
        short row does not tell. Lengths are doubled, so that what is proved hangs on the model and on no text."""
        while self.branches and not self._refuted and self.proved < min(wanted, self.most):
            length = min(2 * self.proved, self.most)
            if length < SHORTEST:
                self._refuted = True
                return
            groups = self._long_groups(length)
            row = joint_row(groups, beginning(groups))
            values = iter(self._run([row])[0])
            differences = [abs(next(values) - each) for group in groups for each in self._plain(group)]
            if max(differences) <= AGREEMENT[self.precision.dtype]:
                self.proved = length
            else:
                self._refuted = True

    def _long_groups(self, length: int) -> list[Group]:
        """Three groups that begin alike, in a row of about so many tokens and no more."""
        import numpy as np

        known = known_tokens(self.vocabulary, self.special)
        draw = np.random.default_rng(length)
        common, own = length // 4, length // 4 - 8
        alike = tuple(int(n) for n in draw.choice(known, common))
        rest = (tuple(int(n) for n in draw.choice(known, own + 8)) for _ in range(3))
        return [Group(alike + ids[:own], (ids[own : own + 3], ids[own + 3 :]), common + own) for ids in rest]

    def _probe_groups(self) -> list[Group]:
        """Groups of several lengths, with random tokens that are not special: fixed by the vocabulary."""
        import numpy as np

        known = known_tokens(self.vocabulary, self.special)
        draw = np.random.default_rng(0)

        def ids(count: int) -> Ids:
            return tuple(int(n) for n in draw.choice(known, count))

        longest = getattr(self.model.config.get_text_config(), "max_position_embeddings", None) or 64
        shapes = [(3, (2, 4, 1)), (9, (5, 3)), (40, (3, 6))]
        groups = [Group(ids(n), tuple(ids(b) for b in bs), n) for n, bs in shapes if n + max(bs) <= longest]
        alike = ids(ALIKE)
        shapes = [(2, (1, 1)), (7, (2, 3)), (4, (1,))]
        groups += [
            Group(alike + ids(n), tuple(ids(b) for b in bs), ALIKE + n)
            for n, bs in shapes
            if ALIKE + n + max(bs) <= longest
        ]
        return groups or [Group(ids(1), (ids(1), ids(1)), 1)]

    def _plain(self, group: Group) -> list[float]:
        """The log-probabilities of a group's targets from plain texts, one by one, with logits everywhere."""
        import torch

        values: list[float] = []
        for branch in group.branches:
            ids = torch.tensor([[*group.context, *branch]], device=self.model.device)
            with torch.inference_mode():
                logits = self.model(input_ids=ids, use_cache=False).logits[0]
                logits = logits if logits.dtype == torch.float64 else logits.float()
                scores = torch.log_softmax(logits, -1)
            start = len(group.context)
            values += [float(scores[start + n - 1, token]) for n, token in enumerate(branch)]
        return values


def _length(group: Group) -> int:
    """The number of tokens of the group's row."""
    return len(group.context) + sum(max(len(branch) - 1, 0) for branch in group.branches)


def _branch_inputs(rows: Sequence[Row], width: int) -> tuple[Any, Any]:
    """The positions, and which token sees which: arrays of (row, token) and (row, token, token)."""
    import numpy as np

    positions = np.zeros((len(rows), width), np.int64)
    branches = np.full((len(rows), width), -1, np.int64)
    owners = np.zeros((len(rows), width), np.int64)
    for number, row in enumerate(rows):
        positions[number, : len(row.ids)] = row.positions
        branches[number, : len(row.ids)] = row.branches
        owners[number, : len(row.ids)] = row.owners
    seen = np.broadcast_to(np.tri(width, dtype=bool), (len(rows), width, width))
    for each in (branches, owners):
        seen = seen & ((each[:, None, :] == 0) | (each[:, None, :] == each[:, :, None]))
    return positions, seen


def _float_mask(seen: Any, dtype: Any, device: Any) -> Any:
    """A mask to be added to attention, 0 where a token is seen. Of floats: a mask of booleans is read as another kind
    of mask by some implementations of attention, without an error."""
    import torch

    mask = torch.full(seen.shape, torch.finfo(dtype).min, dtype=dtype, device=device)
    return mask.masked_fill_(torch.from_numpy(seen).to(device), 0.0)[:, None]


@contextmanager
def only_at(model: Any, places: Any) -> Iterator[None]:
    """Within this context the model's head gets the hidden states at these places (of all rows, one after the other)
    alone, as one row."""

    def take(module: Any, arguments: Any, output: Any) -> Any:
        hidden = output[0].flatten(0, 1)[places][None]
        if isinstance(output, tuple):
            return (hidden, *output[1:])
        output["last_hidden_state"] = hidden
        return output

    handle = model.base_model.register_forward_hook(take)
    try:
        yield
    finally:
        handle.remove()
