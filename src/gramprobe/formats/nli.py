"""Corpora of entailment: pairs of sentences with a label, as CSV, tab-separated text or JSON lines.

The columns are `premise`, `hypothesis` and `label`, or those of MultiNLI and SNLI: `sentence1`, `sentence2` and
`gold_label` (Bowman et al. 2015; Williams et al. 2018). In `.tsv` and `.txt` files a quotation mark is a letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gramprobe.certify.rule import LABELS
from gramprobe.formats.tabular import JSON, TABS, check_columns, fields, refused, rows_of
from gramprobe.source.nearest import did_you_mean

TWO_WAY = ("entailment", "not_entailment")
"""The labels of corpora that distinguish only entailment from the rest."""
KNOWN = (*LABELS, TWO_WAY[1])
NO_LABEL = ("", "-")
"""What stands for a label on which people did not agree."""
COLUMNS = (("premise", "hypothesis", "label"), ("sentence1", "sentence2", "gold_label"))
FORM = "a corpus of entailment"
suffixes, gives = (".csv", *TABS, *JSON), "pairs"


class Pair(NamedTuple):
    """A pair of a corpus.

    Attributes:
        premise, hypothesis: their texts.
        label: None where there is none.
        premises: the sentences of the premise, where the file has them apart.
        others: names and labels of further columns, as of pairs strengthened by implicatures.
        kind: what the file says of the kind of pair: a section, a genre, a condition.
        group: pairs of one group are made of the same words; empty where the file does not say it.
        name: what the file calls the pair.
    """

    premise: str
    hypothesis: str
    label: str | None
    premises: tuple[str, ...] = ()
    others: tuple[tuple[str, str | None], ...] = ()
    kind: str = ""
    group: str = ""
    name: str = ""


def reads(path: Path) -> bool:
    """Whether it has the columns of one of the two forms. Raises UsageError (E44)."""
    return _columns(path) is not None


def read(path: Path, columns: Sequence[str] | None = None, labels: Mapping[str, str] | None = None) -> Iterator[Pair]:
    """The pairs of a corpus, row by row.

    Args:
        columns: those of the premise, the hypothesis and the label, where they have other names.
        labels: what the file writes -> the label that it means.

    Raises UsageError: a file that cannot be read (E44); columns that are missing, a cell that is not a text, or an
    unknown label (E46).
    """
    known = columns or _columns(path)
    found = fields(path) if known is None and labels is not None else set()
    if len(found) > 1 and "\ufffd" not in "".join(found):  # a file that is no UTF-8 is refused when it is read
        form = f"other names are given by --columns premise=A,hypothesis=B,label=C; {FORM}"
        check_columns(path, sorted(found), COLUMNS[0], form)
    columns = known or COLUMNS[0]
    hint = "" if labels is None else "; say what others mean: --labels {label}=LABEL,..."
    for line, row in sentences(path, columns, columns[:2], FORM):
        label = label_of(path, line, row, columns[2], labels, hint)
        check_label(path, line, row, label)
        yield Pair(row[columns[0]], row[columns[1]], label)


def label_of(
    path: Path, line: int, row: Mapping[str, Any], column: str, labels: Mapping[str, str] | None = None, hint: str = ""
) -> str | None:
    """The label in a column; None where there is none. Raises UsageError (E46) for an unknown one; ``hint`` ends its
    help."""
    label = row[column]
    label = "" if label is None else (labels or {}).get(str(label), label)
    if label not in (*KNOWN, *NO_LABEL):
        help = f"a label is one of {', '.join(KNOWN)}, or empty or `-` where there is none{hint.format(label=label)}"
        raise refused(path, line, f"`{label}` in `{column}`{did_you_mean(str(label), KNOWN)}", help)
    return None if label in NO_LABEL else label


def check_label(path: Path, line: int, row: Mapping[str, Any], label: str | None) -> None:
    """Raise UsageError (E46) for a row with another label in a column that exported rows have beside `label`."""
    what = two_labels(row, label)
    if what:
        raise refused(path, line, what, "one of the two is wrong: get the file anew, or leave that column out")


def two_labels(row: Mapping[str, Any], label: str | None) -> str:
    """Where `label_name` and `label_binary` (1 for an entailment, else 0) of a row say another label, as a clause;
    empty if they do not, or have words of their own. What is no entailment may be called `not_entailment`."""
    name, binary = (str(row.get(column)).casefold() for column in ("label_name", "label_binary"))
    beside = f"beside the label {label}" if label else "beside no label"
    agree = label is not None and (name == label or (LABELS[0] not in (name, label) and TWO_WAY[1] in (name, label)))
    if name in KNOWN and not agree:
        return f"`{row['label_name']}` in `label_name` {beside}"
    number = binary.removesuffix(".0")  # other programs write whole numbers so, where some are missing
    if label is not None and number in ("0", "1") and number != str(int(label == LABELS[0])):
        return f"`{row['label_binary']}` in `label_binary` {beside}"
    return ""


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


def _columns(path: Path) -> Sequence[str] | None:
    """Which of the two forms a file has."""
    found = fields(path)
    return next((names for names in COLUMNS if set(names) <= found), None)
