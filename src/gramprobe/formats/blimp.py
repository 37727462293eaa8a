"""The JSON lines of BLiMP (Warstadt et al. 2020): minimal pairs, of which the first sentence is the better one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gramprobe.formats import writing
from gramprobe.formats.nli import sentences
from gramprobe.formats.tabular import JSON, fields

about = "minimal pairs as JSON lines with the fields of BLiMP, for programs that read these"
suffixes, gives = JSON, "minimal_pairs"
_TEXTS = ("sentence_good", "sentence_bad")
_OTHERS = ("id", "condition", "constraint", "tag")


class MinimalPair(NamedTuple):
    """Two sentences, of which the first is the better one; the set that they are of, and what the file calls them."""

    good: str
    bad: str
    kind: str = ""
    name: str = ""


def reads(path: Path) -> bool:
    """Whether its first row has two such sentences. Raises UsageError (E44)."""
    return set(_TEXTS) <= fields(path)


def read(path: Path) -> Iterator[MinimalPair]:
    """The pairs in their order. Raises UsageError (E44, E46)."""
    for _, row in sentences(path, _TEXTS, _TEXTS, "a file of BLiMP"):
        good, bad = (row[name] for name in _TEXTS)
        yield MinimalPair(good, bad, str(row.get("UID", "")), str(row.get("pairID", row.get("pair_id", ""))))


def fits(design: Any) -> bool:
    """Whether rows are pairs of sentences without a context."""
    return writing.kind_of(design) == "pair" and len(design.scored.options) == 2


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """A file for each paradigm. Raises OSError."""
    options = {column for name in paradigms for column in dataset.design(name).scored.options}
    count = sum(writing.json_lines(folder / f"{name}.jsonl", _rows(dataset, name)) for name in paradigms)
    return [
        "`UID` is the paradigm, `field` the phenomenon, and `linguistics_term` the constraint that the worse sentence "
        "violates, where the rows name one, else the paradigm. The fields of prefixes are computed from the words: "
        "`one_prefix_prefix` are those with which both sentences begin, `two_prefix_word` the first of those in which "
        "both end.",
        *writing.counted(sum(map(dataset.count, paradigms)) - count, writing.CELLS),
        writing.columns_left(dataset, paradigms, (*_OTHERS, *options)),
    ]


def _rows(dataset: Any, name: str) -> Iterator[dict[str, Any]]:
    good, bad = dataset.design(name).scored.options
    phenomenon = dataset.manifest.name.partition("--")[0]
    for number, row in enumerate(writing.rows(dataset, name, (*_OTHERS, good, bad))):
        if row.get("tag") == "cell":
            continue
        better, worse = row[good].split(), row[bad].split()
        before, behind = _common(better, worse), _common(better[::-1], worse[::-1])
        shorter = min(len(better), len(worse))
        found = {
            "sentence_good": row[good],
            "sentence_bad": row[bad],
            "field": phenomenon,
            "linguistics_term": row.get("constraint") or name,
            "UID": name,
            "simple_LM_method": True,
            "one_prefix_method": 0 < before < shorter,
            "two_prefix_method": 0 < behind < shorter,
            "lexically_identical": sorted(better) == sorted(worse),
            "pairID": str(number),
            "id": row["id"],
        }
        if found["one_prefix_method"]:
            words = {"one_prefix_word_good": better[before], "one_prefix_word_bad": worse[before]}
            found |= {"one_prefix_prefix": " ".join(better[:before]), **words}
        if found["two_prefix_method"]:
            starts = [" ".join(words[: len(words) - behind]) for words in (better, worse)]
            found |= {"two_prefix_prefix_good": starts[0], "two_prefix_prefix_bad": starts[1]}
            found["two_prefix_word"] = better[-behind]
        yield found


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """With how many words in common two lists begin."""
    same = [a == b for a, b in zip(one, other, strict=False)]
    return same.index(False) if False in same else len(same)
