"""212 good and 212 bad sentences, written for this test: which of them the whole English grammar reads.

``good_sentences.tsv`` has sentences of the kinds of test suites for inference (quantifiers, monotonicity, negation,
attitudes ...) with the number of their trees; one without a tree says what of it the grammar lacks.
``bad_sentences.tsv`` has for each sentence the constraint that it breaks. One that has a tree all the same is a known
failure, with the reason: there may be fewer of them, and no others. ``pytest --accept tests/chart/test_sentences.py``
records the numbers of trees anew; the difference is for a person to read.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest
from support import shipped
from support.chart_parser import trees

from gramprobe.chart.cuts import cuts
from gramprobe.chart.parse import parse
from gramprobe.chart.rules import Rules
from gramprobe.compiled.from_resolve import compiled
from gramprobe.resolve.grammar.constraints import CONSTRAINTS

HERE = Path(__file__).parent
MODULES = ("english", "scope", "de_re_de_dicto")
FILES = ("good_sentences.tsv", "bad_sentences.tsv")
#: how many bad sentences have a tree at most, and how many good ones have one at least
KNOWN_FAILURES, READ = 4, 194


@cache
def rules() -> Rules:
    return Rules(compiled(shipped.grammar(*MODULES)))


def rows(file: str) -> list[dict[str, str]]:
    with (HERE / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def count(sentence: str) -> int:
    using = rules()
    return sum(parse(tokens, using).count() for tokens in cuts(sentence, using.grammar.language, using.known))


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_sentences_have_the_recorded_number_of_trees(file: str, accept: bool) -> None:
    recorded = rows(file)
    counted = [{**row, "trees": str(count(row["sentence"]))} for row in recorded]
    if accept:
        with (HERE / file).open("w", encoding="utf-8", newline="") as lines:
            writer = csv.DictWriter(lines, recorded[0].keys(), delimiter="\t", lineterminator="\n")
            writer.writeheader()
            writer.writerows(counted)
    assert counted == rows(file)


def test_the_suite_is_whole() -> None:
    good, bad = map(rows, FILES)
    assert len({row["sentence"] for row in good}) == len({row["sentence"] for row in bad}) == 213
    assert {row["constraint"] for row in bad} == set(CONSTRAINTS)


def test_what_is_not_read_says_why() -> None:
    good, bad = map(rows, FILES)
    assert [row["sentence"] for row in good if bool(row["lacks"]) == (row["trees"] != "0")] == []
    assert [row["sentence"] for row in bad if bool(row["why"]) != (row["trees"] != "0")] == []
    assert sum(row["trees"] != "0" for row in good) >= READ
    assert sum(row["trees"] != "0" for row in bad) <= KNOWN_FAILURES


SHORT = [r["sentence"] for f in FILES for r in rows(f) if len(r["sentence"].split()) <= 4 and int(r["trees"]) <= 12]


@pytest.mark.slow
@pytest.mark.parametrize("sentence", shipped.some(SHORT, 2))
def test_nltk_finds_as_many_trees_in_the_exported_grammar(sentence: str) -> None:
    assert len(trees(sentence, shipped.grammar(*MODULES))) == count(sentence)
