"""NLTK's parser is the oracle of the chart: a recorded sentence of each condition of the minimal pairs has a parse in
the exported grammar if it is good, and none if it is bad."""

from __future__ import annotations

from functools import cache

import pytest
from support import shipped
from support.acceptability import sentences

from gramprobe.chart.judge import judge
from gramprobe.chart.rules import Rules
from gramprobe.chart.shape import Shapes
from gramprobe.compiled.fcfg import fcfg
from gramprobe.items.charts import charts_around

FIRST = {(row[0], row[1]): row for row in reversed(sentences())}


@cache
def small(paradigm: str, sentence: str) -> Rules:
    """The rules of all of English for one sentence."""
    declarations = shipped.declarations()
    lines = declarations.lines.paradigms[f"acceptability/{paradigm}"].lines
    assert lines is not None
    return charts_around(declarations, lines.uses, sentence).rules


@pytest.mark.deep
@pytest.mark.parametrize("key", [" ".join(key) for key in FIRST])
def test_nltk_parses_the_good_and_no_bad_sentence(key: str) -> None:
    from nltk.grammar import FeatureGrammar
    from nltk.parse.featurechart import FeatureBottomUpLeftCornerChartParser

    paradigm, condition = key.split(" ")
    _, _, good, sentence = FIRST[paradigm, condition]
    rules = small(paradigm, sentence)
    tokens = rules.grammar.language.tokens(sentence)
    tokens[0] = tokens[0] if tokens[0] in rules.known else tokens[0][:1].lower() + tokens[0][1:]
    parser = FeatureBottomUpLeftCornerChartParser(FeatureGrammar.fromstring(fcfg(rules.grammar)), max_time=None)
    found = next(iter(parser.parse(tokens)), None) is not None
    assert found == judge(sentence, Shapes(rules)).good == good, sentence
