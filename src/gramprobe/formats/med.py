"""The pairs of MED (Yanaka et al. 2019) as tab-separated text with the columns of MultiNLI.

MED says only whether the hypothesis follows: its `neutral` is read as `not_entailment`, since contradictions are among
these pairs. The kind of a pair is the part of `genre` that says the monotonicity.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import TWO_WAY, Pair, label_of, sentences
from gramprobe.formats.tabular import TABS, fields

FORM = "a file of MED"
COLUMNS = ("sentence1", "sentence2", "gold_label", "genre", "pairID")
suffixes, gives = TABS, "pairs"


def reads(path: Path) -> bool:
    """Whether it has these columns and its first row says a monotonicity, as no row of MultiNLI does. Raises UsageError
    (E44, E46)."""
    return set(COLUMNS) <= fields(path) and "monotone" in next(read(path)).kind


def read(path: Path) -> Iterator[Pair]:
    """The pairs in their order. Raises UsageError (E44, E46)."""
    for line, row in sentences(path, COLUMNS, COLUMNS[:2], FORM):
        label = label_of(path, line, row, "gold_label", {LABELS[1]: TWO_WAY[1]})
        genre = str(row["genre"])
        kind = next((mark for mark in genre.split(":") if "monotone" in mark), genre)
        yield Pair(row["sentence1"], row["sentence2"], label, kind=kind, name=str(row["pairID"]))
