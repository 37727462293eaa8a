"""Which instances a dataset has: a seeded walk through the space, passing over what would repeat a pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.instance import draws_of, names
from gramprobe.items.plan import Plan
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.space.space import Draws
from gramprobe.words.fingerprint import fingerprints, mixed

BLOCK = 65_536


@dataclass(frozen=True, slots=True)
class Selection:
    """The instances in order, how many candidates were passed over for a repeated pair, how many were vetoed.

    ``keys``: (instances, pairs), a fingerprint of every pair.
    """

    draws: Draws
    keys: NDArray[np.uint64]
    passed_over: int
    vetoed: int


@dataclass(frozen=True, slots=True)
class Veto:
    """An instance that a reader rejected, with the reason and the place in the veto list."""

    instance: str
    reason: str
    span: Span


def select(
    plan: Plan,
    count: int | None,
    seed: int,
    vetoes: tuple[Veto, ...],
    findings: Findings,
    at_most: bool = False,
) -> Selection | None:
    """The first ``count`` instances of the seeded walk (None: every one) that repeat no pair and are not vetoed.

    Fewer than ``count`` are a finding, unless ``at_most`` so many are wanted.
    """
    space = plan.space
    for veto in vetoes:
        # a companion has its paradigm's vetoes, which may be of instances that it cannot have
        if plan.paradigm.balanced_at is None and draws_of(plan, veto.instance) is None:
            findings.add(messages.unknown_veto(veto.span, veto.instance))
    banned = {v.instance for v in vetoes}
    permutation = space.permutation(seed)
    wanted = space.size if count is None else count
    kept: list[Draws] = []
    marks: list[NDArray[np.uint64]] = []
    seen: NDArray[np.uint64] = np.zeros(0, np.uint64)
    total = passed = vetoed = start = 0
    while total < wanted and start < space.size:
        stop = min(space.size, start + min(BLOCK, max(64, (wanted - total) + (wanted - total) // 16)))
        block = space.draws(permutation, start, stop)
        start = stop
        out = _banned(plan, block, banned)
        block = block.take(np.flatnonzero(~out))
        keys = pair_keys(plan, block)
        fresh = _fresh(keys, seen, wanted - total)
        last = int(fresh[-1]) + 1 if len(fresh) else 0
        considered = len(block) if total + len(fresh) < wanted else last
        passed += considered - len(fresh)
        stopped = considered < len(block)  # what stands behind the last one taken was never looked at
        vetoed += int(out[: np.flatnonzero(~out)[considered]].sum() if stopped else out.sum())
        kept.append(block.take(fresh))
        marks.append(keys[fresh])
        total += len(fresh)
        if total < wanted and start < space.size:
            seen = np.union1d(seen, keys[fresh].reshape(-1))
    if total < wanted and count is not None and not at_most:
        declared = plan.paradigm.size_span if count == plan.paradigm.size else None
        place = declared or plan.paradigm.span
        findings.add(messages.too_few(place, plan.paradigm.name, count, total, space.size))
        return None
    return Selection(Draws.joined(kept), np.concatenate(marks), passed, vetoed)


def _banned(plan: Plan, block: Draws, banned: set[str]) -> NDArray[np.bool_]:
    """Which instances of a block a veto list names."""
    if not banned:
        return np.zeros(len(block), np.bool_)
    one = (plan.realiser.one(names(plan, block.take(np.array([i]))), sentence=False) for i in range(len(block)))
    return np.fromiter((name in banned for name in one), np.bool_, len(block))


def pair_keys(plan: Plan, draws: Draws) -> NDArray[np.uint64]:
    """(instances, pairs): a fingerprint of the two sentences of each pair."""
    conditions = plan.paradigm.conditions
    marks = {n: fingerprints(plan.realiser, c, draws) for n, c in conditions.items()}
    return np.stack([mixed(marks[p.premise], marks[p.hypothesis]) for p in plan.paradigm.pairs], axis=1)


def _fresh(keys: NDArray[np.uint64], seen: NDArray[np.uint64], wanted: int) -> NDArray[np.intp]:
    """Greedily the instances none of whose pairs stands before, at most ``wanted``."""
    count = len(keys)
    if not count:
        return np.zeros(0, np.intp)
    values, first, inverse = np.unique(keys.reshape(-1), return_index=True, return_inverse=True)
    inverse = inverse.reshape(keys.shape)
    owner = first // keys.shape[1]
    repeated = (owner[inverse] != np.arange(count)[:, None]) | np.isin(values, seen, assume_unique=True)[inverse]
    doubtful = np.flatnonzero(repeated.any(axis=1))
    if not len(doubtful):
        return np.arange(min(count, wanted))
    # Only instances that share a pair with another can depend on what was passed over: these one by one.
    shared = np.bincount(inverse.reshape(-1), minlength=len(values)) > 1
    known = np.isin(values, seen, assume_unique=True)
    taken: set[int] = set()
    ok = np.ones(count, np.bool_)
    for row in np.flatnonzero((shared | known)[inverse].any(axis=1)):
        mine = inverse[row]
        if known[mine].any() or any(int(k) in taken for k in mine):
            ok[row] = False
        else:
            taken.update(int(k) for k in mine[shared[mine]])
    return np.flatnonzero(ok)[:wanted]
