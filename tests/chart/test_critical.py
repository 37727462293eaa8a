"""Where a bad sentence begins no sentence any more; and every beginning of a good one begins one."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest
from support import shipped

from gramprobe.chart.judge import _begins, _filled, judge
from gramprobe.chart.rules import Rules
from gramprobe.compiled.data import Compiled
from gramprobe.compiled.from_resolve import compiled
from gramprobe.compiled.reduced import reduced

ROWS = csv.DictReader((Path(__file__).parent / "good_sentences.tsv").open(encoding="utf-8"), delimiter="\t")
GOOD = [row["sentence"] for row in ROWS if row["trees"] != "0" and len(row["sentence"].split()) <= 10]


@cache
def whole() -> Compiled:
    return compiled(shipped.grammar("english", "scope", "de_re_de_dicto"))


def rules_of(sentence: str) -> Rules:
    tokens = whole().language.tokens(sentence)
    return Rules(reduced(whole(), {*tokens, tokens[0][:1].lower() + tokens[0][1:]}))


@pytest.mark.slow
def test_every_beginning_of_a_good_sentence_begins_a_sentence() -> None:
    for sentence in GOOD[::5]:
        chart = _filled(sentence, rules_of(sentence))
        assert chart is not None
        if any(not chart.edges[number].carried for number in chart.whole()):
            assert [place for place in range(1, len(chart.tokens)) if not _begins(chart, place)] == [], sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("The nurse yawn.", "yawn"),
        ("Emma saw himself.", "himself"),
        ("Some nurses visited any museums.", "any"),
        ("Emma has clean the office.", "clean"),
        ("Emma visited this museums.", "museums"),
        ("Emma devoured.", "."),
    ],
)
def test_a_bad_sentence_ends_at_its_critical_word(sentence: str, word: str) -> None:
    rules = rules_of(sentence)
    found = judge(sentence, rules)
    assert not found.good and rules.grammar.language.tokens(sentence)[found.critical] == word
