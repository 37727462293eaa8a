"""The files of the de re / de dicto paper (Kamath and Bradford 2023; github.com/laurestine/nnlm-de-re-de-dicto): CSV.

Each sentence stands in two rows, one for each noun phrase that the pronoun may refer to (`query_type`); the processed
files have the score of that noun phrase at the pronoun's place, the mean log probability of its tokens in nats.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from gramprobe.formats import writing
from gramprobe.formats.tabular import cell, finite, one_of, records, refused

_FACTORS = {
    "subject": "matrix_NP",
    "verb": "matrix_verb",
    "verb_class": "matrix_verb_type",
    "followup": "followup_verb",
    "noun": "embedded_noun",
    "embedded_verb": "embedded_verb",
    "determiner": "determiner_type",
}
_SCORES = ("subject_score", "embedded_score", "bias")
BIAS = pa.schema([(name, pa.string()) for name in ("sentence", *_FACTORS)] + [(name, pa.float64()) for name in _SCORES])
"""A row for each sentence: `bias` is the score of the matrix subject less that of the embedded noun phrase."""


def biases(paths: list[Path]) -> pa.Table:
    """The matrix subject bias of each sentence of the processed files, as `BIAS`.

    Raises UsageError (E44, E46), also for a sentence with one of the two scores missing or there twice.
    """
    needed = ("sentence", "query_type", *_FACTORS.values(), "score")
    found: dict[str, dict[str, float]] = {}
    factors: dict[str, dict[str, str]] = {}
    for path in paths:
        for line, row in records(path, needed, "a processed file of the paper"):
            query = cell(path, line, row, "query_type", one_of("embedded_NP", "matrix_NP"))
            # The noun phrase that is asked about stands between `_`: without them, the two rows have one sentence.
            sentence = row["sentence"].replace("_", "")
            scores = found.setdefault(sentence, {})
            if query in scores:
                raise refused(path, line, f"a second score of {query} in this sentence", "keep one of the rows")
            scores[query] = cell(path, line, row, "score", finite)
            factors.setdefault(sentence, {name: row[column] for name, column in _FACTORS.items()})
        for sentence, scores in found.items():
            if len(scores) < 2 and path == paths[-1]:
                lacks = ({"embedded_NP", "matrix_NP"} - set(scores)).pop()
                raise refused(path, 1, f"`{sentence}` has no score of {lacks}", "give all files of the paper")
    rows = [
        {
            "sentence": sentence,
            **factors[sentence],
            "subject_score": scores["matrix_NP"],
            "embedded_score": scores["embedded_NP"],
            "bias": scores["matrix_NP"] - scores["embedded_NP"],
        }
        for sentence, scores in found.items()
    ]
    return pa.Table.from_pylist(rows, BIAS)


# -- writing

about = (
    "CSV files with the columns of the sentences of Kamath & Bradford (2023), for scripts that score and analyse these"
)
_TYPES = {"finite": "intensional", "infinitive": "intensional_nf", "perception": "perceptual"}
_DETERMINERS = {"a": "indefinite", "an": "indefinite", "that": "deictic", "this": "deictic"}
_PARTS = re.compile(r" (?P<verb>.+) \0 (?:(?:is|was|to be|who was|who is|to) )?(?P<embedded>.+)\. I (?P<followup>.+) $")


def fits(design: Any) -> bool:
    """Whether rows are texts with a slot and two candidates, and name the frame."""
    return writing.kind_of(design) == "slot" and "frame" in {column.name for column in design.columns}


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """A file for each paradigm, two rows for each text. Raises OSError."""
    others, read = 0, set[str]()
    for name in paradigms:
        scored = dataset.design(name).scored
        columns = ("id", "frame", *scored.context, *scored.options)
        read.update(columns)
        with (folder / f"{name}_preprocessed.csv").open("w", encoding="utf-8", newline="") as stream:
            lines = csv.writer(stream, lineterminator="\n")
            lines.writerow(("", "sentence", "query_type", *_FACTORS.values(), "id"))
            number = 0
            for row in writing.rows(dataset, name, columns):
                cells = list(_rows(scored, row))
                others += not cells
                lines.writerows((number + i, *each) for i, each in enumerate(cells))
                number += len(cells)
    return [
        "The released files are `q1_preprocessed.csv` to `q4_preprocessed.csv`, quarters of one set; here a file is a "
        "paradigm. A column `id` follows the released ones. `matrix_verb_type` is `intensional`, `intensional_nf` or "
        "`perceptual` by the frame; other frames have their own name, and other determiners too.",
        *writing.counted(others, "they are not of the form `NP verb NP verb. I verb [pronoun].`"),
        writing.columns_left(dataset, paradigms, read),
    ]


def _rows(scored: Any, row: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The two rows of a text, each with one noun phrase between `_`; none if the text has another form."""
    text: str = row[scored.context[0]]
    subject, embedded = (row[column] for column in scored.options)
    inner = text.removeprefix(subject).replace(f" {embedded} ", " \0 ", 1)
    found = _PARTS.match(inner.partition(scored.slot)[0]) if text.startswith(subject) else None
    determiner, _, noun = embedded.partition(" ")
    if not found or not noun:
        return
    kind = _TYPES.get(row["frame"], row["frame"])
    of_determiner = _DETERMINERS.get(determiner, determiner)
    parts = (subject, found["verb"], kind, found["followup"], noun, found["embedded"], of_determiner)
    for query, marks in (("embedded_NP", (subject, f"_{embedded}_")), ("matrix_NP", (f"_{subject}_", embedded))):
        yield f"{marks[0]}{inner}".replace("\0", marks[1], 1), query, *parts, row["id"]
