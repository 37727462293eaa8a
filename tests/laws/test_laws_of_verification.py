"""Laws of `verify`: a row's formulas are those of its own certificate, under any one-to-one exchange of names, and
of no other shape's.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from strategies import FULL, OPERATORS, examples, formulas

from gramprobe.dataset.verify.certificates import Certificate, canonical_of
from gramprobe.dataset.verify.formulas import WORDS, Formulas
from gramprobe.formula.ast import Formula
from gramprobe.formula.canonical import canonical
from gramprobe.formula.notation import parse, show
from gramprobe.formula.theory import TheorySlice

THEORY = TheorySlice(operators=OPERATORS)
DECIDED = replace(FULL, updates=False, occasions=False)


def certificate(premise: Formula, hypothesis: Formula) -> Certificate:
    """The line of a pair, as far as formulas are concerned."""
    text = canonical(premise, hypothesis, THEORY)[0]
    return Certificate(1, text, {**json.loads(text), "shape": "0" * 16}, True)


def exchanged(text: str) -> str:
    """Other names throughout, one for one; those of other lengths and places in the alphabet."""
    return re.sub(r"[A-Za-z]\w*", lambda m: m[0] if m[0] in WORDS else f"zz_{m[0][::-1]}", text)


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(formulas(DECIDED, 3), formulas(DECIDED, 3))
def test_a_pair_has_its_own_shape_in_any_names(premise: Formula, hypothesis: Formula) -> None:
    line = certificate(premise, hypothesis)
    texts = show(premise), show(hypothesis)
    assert Formulas(None).wrong(*texts, line) == ""
    assert Formulas(frozenset()).wrong(exchanged(texts[0]), exchanged(texts[1]), line) == ""


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(formulas(DECIDED, 2), formulas(DECIDED, 2), formulas(DECIDED, 2))
def test_a_pair_has_another_s_shape_only_where_both_have_one(
    premise: Formula, hypothesis: Formula, other: Formula
) -> None:
    mine, its = certificate(premise, hypothesis), certificate(premise, other)
    wrong = Formulas(None).wrong(show(premise), show(hypothesis), its)
    assert (wrong == "") == (mine.formulas == its.formulas)


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(formulas(DECIDED, 3), formulas(DECIDED, 3))
def test_a_canonical_line_is_its_own_canonical_form(premise: Formula, hypothesis: Formula) -> None:
    line = certificate(premise, hypothesis)
    assert canonical_of(line.data, len(line.text)) == line.text


def test_occasions_keep_their_sort() -> None:
    line = certificate(parse("always t. (rain(t), wet(jo, t))"), parse("exists t. (rain(t), wet(jo, t))"))
    assert Formulas(None).wrong("always s. (snow(s), cold(eve, s))", "exists u. (snow(u), cold(eve, u))", line) == ""
    assert "are not those" in Formulas(None).wrong(
        "forall s. (snow(s), cold(eve, s))", "exists u. (snow(u), cold(eve, u))", line
    )


def test_merging_two_names_is_no_exchange() -> None:
    line = certificate(parse("likes(jo, amy)"), parse("likes(amy, jo)"))
    assert Formulas(None).wrong("likes(eve, jo)", "likes(jo, eve)", line) == ""
    assert "are not those" in Formulas(None).wrong("likes(jo, jo)", "likes(jo, jo)", line)
    assert "are not those" in Formulas(None).wrong("likes(jo, amy)", "likes(jo, amy)", line)


def test_what_is_compiled_away_is_left_to_what_is_derived() -> None:
    line = certificate(parse("~dia ~p"), parse("p"))
    assert Formulas(frozenset({"nec"})).wrong("nec q", "q", line) == ""
    assert "defines operators" in Formulas(None).wrong("nec q", "q", line)
    assert Formulas(None).wrong("exh q", "q", line) == ""
