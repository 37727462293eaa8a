"""Charts of what is in a tree of the backbone say what charts of all parts do, for all sentences of their shape."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest
from support import shipped
from support.charts import lifts_of_all_parts

from gramprobe.chart.judge import judge
from gramprobe.chart.rules import Rules
from gramprobe.chart.shape import Shapes
from gramprobe.compiled.data import Compiled
from gramprobe.compiled.from_resolve import compiled
from gramprobe.compiled.reduced import reduced

SUITE = Path(__file__).parent
SENTENCES = [
    row["sentence"]
    for file in ("good_sentences.tsv", "bad_sentences.tsv")
    for row in csv.DictReader((SUITE / file).open(encoding="utf-8"), delimiter="\t")
]


@cache
def shapes(*sentences: str) -> Shapes:
    whole: Compiled = compiled(shipped.grammar("english", "scope", "de_re_de_dicto", "acceptability"))
    tokens = {token for each in sentences for token in whole.language.tokens(each)}
    return Shapes(Rules(reduced(whole, {*tokens, *(token[:1].lower() + token[1:] for token in tokens)})))


@pytest.mark.slow
def test_a_chart_of_what_is_in_a_tree_says_what_one_of_all_parts_does() -> None:
    some = SENTENCES[::90]
    using = shapes(*some)
    for sentence in some:
        found = judge(sentence, using)
        assert (None if found.good else found.places) == lifts_of_all_parts(sentence, using.rules), sentence


ALIKE = (
    ("The nurse that the actress thanked has yawned.", "The engineer that the tourist greeted has yawned."),
    ("These senators yawns.", "These nurses yawns."),
    ("Emma blamed himself.", "Jane thanked himself."),
)
UNLIKE = (
    ("The nurse has yawned.", "The nurses has yawned."),
    ("Emma blamed himself.", "Noah blamed himself."),
    ("This engineer yawned.", "An engineer yawned."),
)


@pytest.mark.slow
def test_sentences_have_one_shape_whose_words_no_rule_tells_apart() -> None:
    using = shapes(*(each for pair in (*ALIKE, *UNLIKE) for each in pair))
    for one, other in ALIKE:
        assert using.of(one) is using.of(other), one
    for one, other in UNLIKE:
        assert using.of(one).id != using.of(other).id, one


GUARD = "The nurse thanked the guard."


@pytest.mark.slow
def test_a_shape_has_no_entry_that_is_in_no_tree_of_the_backbone() -> None:
    using = shapes(GUARD)
    entries, everything = using.of(GUARD).entries, [*using.entries(GUARD)]
    assert {kind[0] for kind in entries[4].kinds} == {"N"} < {"N", "V2"} <= {kind[0] for kind in everything[4].kinds}


COOKER, PROCESSOR = "The nurse cleaned the rice cooker.", "The nurse cleaned the food processor."
MIXED = "The nurse cleaned the rice processor."


@pytest.mark.slow
def test_tokens_inside_of_words_are_told_apart_by_their_texts() -> None:
    using = shapes(COOKER, PROCESSOR)
    assert using.of(COOKER) is using.of(PROCESSOR) and judge(COOKER, using).good
    assert not judge(MIXED, using).good


@pytest.mark.slow
def test_what_is_kept_of_other_sentences_changes_no_shape() -> None:
    some = [*SENTENCES[::300], COOKER, MIXED]
    using = shapes(*some, PROCESSOR)
    for sentence in some:
        alone = Shapes(using.rules)
        assert alone.of(sentence).entries == using.of(sentence).entries, sentence
        for begun in range(1, len(using.tokens(sentence))):
            here, there = (each.of_tokens(each.tokens(sentence)[:begun], begun=True).entries for each in (alone, using))
            assert here == there, (sentence, begun)
