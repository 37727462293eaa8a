"""Corpora of entailment: pairs of sentences with a label, as CSV, tab-separated text or JSON lines.

The columns are `premise`, `hypothesis` and `label`, or those of MultiNLI and SNLI: `sentence1`, `sentence2` and
`gold_label` (Bowman et al. 2015; Williams et al. 2018). In `.tsv` and `.txt` files a quotation mark is a letter.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gramprobe.certify.rule import LABELS
from gramprobe.formats.tabular import JSON, TABS, json_records, missing, refused, rows_of

TWO_WAY = ("entailment", "not_entailment")
"""The labels of corpora that distinguish only entailment from the rest."""
KNOWN = (*LABELS, TWO_WAY[1])
NO_LABEL = ("", "-")
"""What stands for a label on which people did not agree."""
COLUMNS = (("premise", "hypothesis", "label"), ("sentence1", "sentence2", "gold_label"))
FORM = "a corpus of entailment"
suffixes, gives = (".csv", *TABS, *JSON), "pairs"


class Pair(NamedTuple):
    """A pair of a corpus; `label` is None where there is none."""

    premise: str
    hypothesis: str
    label: str | None


def reads(path: Path) -> bool:
    """Whether its suffix is one of these: what its columns lack is said when it is read."""
    return True


def read(path: Path) -> Iterator[Pair]:
    """The pairs of a corpus, row by row.

    Raises UsageError: a file that cannot be read (E44); columns that are missing, a cell that is not a text, or an
    unknown label (E46).
    """
    found = _first(path)
    columns = next((names for names in COLUMNS if set(names) <= found), COLUMNS[0])
    for line, row in sentences(path, columns, columns[:2], FORM):
        premise, hypothesis, label = (row[name] for name in columns)
        if label is not None and label not in (*KNOWN, *NO_LABEL):
            raise refused(
                path, line, f"`{label}` in `{columns[2]}`",
                f"a label is one of {', '.join(KNOWN)}, or empty or `-` where there is none",
            )  # fmt: skip
        yield Pair(premise, hypothesis, None if label in NO_LABEL else label)


def sentences(
    path: Path, needed: Sequence[str], texts: Sequence[str], form: str
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a file with the columns that are needed, in some of which texts stand.

    Raises UsageError (E44, E46).
    """
    for line, row in rows_of(path, needed, form):
        for name in texts:
            if not isinstance(row[name], str):
                raise refused(path, line, f"`{row[name]}` in `{name}`", "a sentence is a text")
        yield line, row


def _first(path: Path) -> set[str]:
    """The names of the columns, or the fields of the first object."""
    if path.suffix in JSON:
        first = next(json_records(path, (), FORM), None)
        return set() if first is None else set(first[1])
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
            return set(next(csv.reader(lines, delimiter="\t" if path.suffix in TABS else ","), []))
    except OSError as error:
        raise missing(path, error) from None
    except csv.Error:
        return set()
