"""Mixtures: shares of the rows for pairs (`share 50`), splits by number of instances (`split train 3000, ...`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gramprobe.resolve.paradigm.data import DEFAULT_SIZE
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Word

#: how far the sum of shares may be off a hundred percent: three times 33.33 is less
ROUNDING = 0.05


def splits_of(settings: Mapping[str, tuple[Word, ...]]) -> tuple[tuple[str, int], ...]:
    """The splits with their sizes: ``train 3000, validation 1000``; empty for a bare name (``split test``)."""
    words = settings.get("split", ())
    return tuple((name.text, int(count.text)) for name, count in zip(words[::2], words[1::2], strict=False))


def check_splits(settings: Mapping[str, tuple[Word, ...]], findings: Findings) -> None:
    """Report a split that stands twice, and splits that together take more instances than the paradigm has."""
    words = settings.get("split", ())
    named = [word.text for word in words[::2]]
    for number, word in enumerate(words[::2]):
        if word.text in named[:number]:
            findings.add(messages.names.declared_twice(word.span, f"split `{word.text}`", None))
    taken = sum(count for _, count in splits_of(settings))
    given = settings["size"][0].text if settings.get("size") else str(DEFAULT_SIZE)
    size = int(given) if given.isdigit() else taken  # `size all`: as many as there are
    if taken > size:
        findings.add(messages.paradigm.splits_exceed(words[0].span, taken, size))


def share_of(line: syntax.Pair, pairs: int) -> float | None:
    """The share of each of the pairs that a line describes: equal parts of the share of the line."""
    return None if line.share is None else float(line.share.text) / pairs


def check_shares(lines: Sequence[syntax.Pair], findings: Findings) -> None:
    """Report a line without a share beside lines with shares, and shares that do not make up all rows."""
    words = [line.share for line in lines if line.share is not None]
    without = next((line for line in lines if line.share is None), None)
    if words and without is not None:
        findings.add(messages.paradigm.share_missing(without.span))
    elif words:
        shares = [float(word.text) for word in words]
        if abs(sum(shares) - 100) > ROUNDING or 0 in shares:
            findings.add(messages.paradigm.shares_off(words[-1].span, sum(shares), [word.text for word in words]))
