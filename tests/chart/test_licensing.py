"""Polarity items, what stands behind *there was*, and the case of pronouns, in the grammar of acceptability with the
opened lexicon."""

from __future__ import annotations

from functools import cache

import pytest
from support import shipped

from gramprobe.chart.cuts import cuts
from gramprobe.chart.parse import parse
from gramprobe.chart.rules import Rules
from gramprobe.compiled.from_resolve import compiled
from gramprobe.judge.claims import Claims, determiners

GOOD = """\
No nurses visited any museums.
Fewer than three nurses visited any museums.
At most three nurses visited any museums.
Several nurses visited the museums.
No nurse who visited the museums thanked any senators.
The nurse who visited no museums thanked the senators.
No senators that the nurses thanked have ever complained.
The senators that no nurses thanked have complained.
No senators have complained in years.
Every nurse who visited any museums complained.
The nurses didn't visit any museums.
There were three dogs sleeping.
There was a dog sleeping.
Most dogs were sleeping.
The farmer ate.
The nurses heard the yawns.
Was there a dog sleeping?
Was every dog sleeping?
Was there any dog sleeping?
She yawned.
Emma thanked her.
Emma was thanked by her.
She can blame herself.
Emma managed to lift the crate."""
BAD = """\
Several nurses visited any museums.
At least three nurses visited any museums.
Most nurses visited any museums.
Every nurse visited any museums.
The nurses visited any museums.
Any nurses visited no museums.
The nurse who visited no museums thanked any senators.
The senators that no nurses thanked have ever complained.
The senators have ever complained.
Fewer than three senators have complained in years.
Several senators have complained in years.
Several nurses who visited any museums complained.
More than three nurses who visited any museums complained.
There were most dogs sleeping.
There were both dogs sleeping.
There was every dog sleeping.
There was neither dog sleeping.
There was three dogs sleeping.
The dog devoured.
The nurses cowered the senators.
Was there every dog sleeping?
Were there both dogs sleeping?
Him yawned.
Emma thanked she.
Emma can thank he.
She has lift the crate.
She can blame himself."""


@cache
def rules() -> Rules:
    return Rules(compiled(shipped.grammar("acceptability")))


def read(sentence: str) -> bool:
    using = rules()
    return any(parse(tokens, using).count() for tokens in cuts(sentence, using.grammar.language, using.known))


@pytest.mark.parametrize("sentence", GOOD.split("\n"))
def test_good_sentences_have_a_tree(sentence: str) -> None:
    assert read(sentence)


@pytest.mark.parametrize("sentence", BAD.split("\n"))
def test_bad_sentences_have_none(sentence: str) -> None:
    assert not read(sentence)


def test_verbs_stand_with_and_without_object_unless_a_source_denies_it() -> None:
    words = {(w.category, w.id) for w in compiled(shipped.grammar("acceptability")).words}
    assert {("V1", "eat"), ("V2", "eat"), ("V1", "dance"), ("V2", "dance")} <= words
    assert ("V1", "devour") not in words
    assert ("V2", "cower") not in words


def test_other_grammars_do_not_open_the_lexicon() -> None:
    words = {(w.category, w.id) for w in compiled(shipped.grammar("english", "scope")).words}
    assert not {("V1", "eat"), ("V2", "yawn"), ("N", "a_yawn")} & words


def test_what_the_determiners_of_acceptability_say_is_so() -> None:
    """Also of their nouns: those that let nothing stand there do not license there, by their meanings."""
    grammar, claims = shipped.grammar("acceptability"), Claims()
    assert [each.determiner.case for each in claims.unconfirmed(grammar)] == []
    for name in ("Quantified", "Single"):
        constructor = grammar.constructors[name]
        licensing = {value for line in constructor.carrying for _, values in line.cases for value in values}
        for determiner in determiners(constructor, grammar) if licensing else ():
            answer = claims.has("noun licensing", determiner)
            assert answer is not None
            assert not answer.holds or licensing & set(determiner.case.values()), determiner.case
