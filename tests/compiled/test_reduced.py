"""A grammar reduced to the tokens of a sentence gives it the same trees and repairs."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from support import shipped

from gramprobe.chart.cuts import cuts
from gramprobe.chart.parse import Chart
from gramprobe.chart.rules import Rules
from gramprobe.compiled.from_resolve import compiled
from gramprobe.compiled.reduced import reduced

SUITE = Path(__file__).parents[1] / "chart"
SENTENCES = [
    row["sentence"]
    for file in ("good_sentences.tsv", "bad_sentences.tsv")
    for row in csv.DictReader((SUITE / file).open(encoding="utf-8"), delimiter="\t")
    if len(row["sentence"].split()) <= 8
]


def found(sentence: str, rules: Rules) -> tuple[int, set[str | None]]:
    """How many trees a sentence has, and which constraints repair it."""
    trees, repairs = 0, set[str | None]()
    for tokens in cuts(sentence, rules.grammar.language, rules.known):
        chart = Chart([(t,) for t in tokens], rules)
        chart.fill()
        trees += chart.forest().count()
        if not trees:
            chart.lift()
            repairs |= {chart.edges[number].lift for number in chart.whole() if not chart.edges[number].carried}
    return trees, repairs


@pytest.mark.slow
def test_sentences_have_the_same_trees_and_repairs() -> None:
    whole = compiled(shipped.grammar("english", "scope", "de_re_de_dicto"))
    rules, language = Rules(whole), whole.language
    smaller = []
    for sentence in SENTENCES[::12]:
        tokens = language.tokens(sentence)
        small = reduced(whole, {*tokens, tokens[0][:1].lower() + tokens[0][1:]})
        assert found(sentence, Rules(small)) == found(sentence, rules), sentence
        smaller.append(len(small.productions))
    assert max(smaller) < len(whole.productions) / 8


def test_words_that_nothing_tells_apart_have_the_same_features() -> None:
    whole = compiled(shipped.grammar("english", "scope", "de_re_de_dicto"))
    words = [word for word in whole.words if word.category in ("N", "V2")]
    small = reduced(whole, {"the", *(token for word in words for token in word.tokens)})
    kinds = {(word.category, *sorted(word.features.items())) for word in small.words if word.category in ("N", "V2")}
    assert len(kinds) < 20 < 200 < len({(word.category, *sorted(word.features.items())) for word in words})


def test_a_grammar_compiled_for_some_tokens_has_the_same_trees_of_them() -> None:
    grammar = shipped.grammar("english", "scope")
    whole, language = compiled(grammar), grammar.language
    rules, several = Rules(whole), 0
    for sentence in SENTENCES[::80]:
        tokens = language.tokens(sentence)
        small = compiled(grammar, frozenset({*tokens, tokens[0][:1].lower() + tokens[0][1:]}))
        trees, _ = found(sentence, rules)
        assert found(sentence, Rules(small))[0] == trees, sentence
        assert 0 < len(small.words) < len(whole.words) and len(small.productions) < len(whole.productions)
        several += trees > 0
    assert several
