"""Where a bad sentence begins no sentence any more; and every beginning of a good one begins one."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest
from support import shipped

from gramprobe.chart.beginnings import Beginnings
from gramprobe.chart.judge import judge
from gramprobe.chart.rules import Rules
from gramprobe.chart.shape import Shapes
from gramprobe.compiled.data import Compiled
from gramprobe.compiled.from_resolve import compiled
from gramprobe.compiled.reduced import reduced

ROWS = csv.DictReader((Path(__file__).parent / "good_sentences.tsv").open(encoding="utf-8"), delimiter="\t")
GOOD = [row["sentence"] for row in ROWS if row["trees"] != "0" and len(row["sentence"].split()) <= 10]


@cache
def whole() -> Compiled:
    return compiled(shipped.grammar("english", "scope", "de_re_de_dicto"))


def shapes_of(sentence: str) -> Shapes:
    tokens = whole().language.tokens(sentence)
    return Shapes(Rules(reduced(whole(), {*tokens, tokens[0][:1].lower() + tokens[0][1:]})))


@pytest.mark.slow
@pytest.mark.parametrize("step", [12, pytest.param(3, marks=pytest.mark.deep)])
def test_every_beginning_of_a_good_sentence_begins_a_sentence(step: int) -> None:
    for sentence in GOOD[::step]:
        shapes = shapes_of(sentence)
        if judge(sentence, shapes).good:
            beginnings, tokens = Beginnings(shapes), shapes.tokens(sentence)
            assert [place for place in range(1, len(tokens)) if not beginnings.begins(tokens[:place])] == [], sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("The nurse yawn.", "yawn"),
        ("Emma saw himself.", "himself"),
        ("Some nurses visited any museums.", "any"),
        ("Some nurses who visited any museums yawned.", "any"),
        ("Emma has clean the office.", "clean"),
        ("Emma visited this museums.", "museums"),
        ("Emma devoured.", "."),
    ],
)
def test_a_bad_sentence_ends_at_its_critical_word(sentence: str, word: str) -> None:
    found = judge(sentence, shapes_of(sentence))
    assert not found.good and whole().language.tokens(sentence)[found.critical] == word


@pytest.mark.slow
@pytest.mark.parametrize(
    "sentence", ["What did Emma visit the museum?", "Who did Emma say that Noah saw Amy?", "What did Emma yawn?"]
)
def test_no_word_is_critical_where_a_gap_might_still_come(sentence: str) -> None:
    found = judge(sentence, shapes_of(sentence))
    assert not found.good and found.critical == -1
