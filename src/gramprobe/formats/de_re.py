"""The files of the de re / de dicto paper (Kamath and Bradford 2023; github.com/laurestine/nnlm-de-re-de-dicto): CSV.

Each sentence stands in two rows, one for each noun phrase that the pronoun may refer to (`query_type`); the processed
files have the score of that noun phrase at the pronoun's place, the mean log probability of its tokens in nats.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

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
