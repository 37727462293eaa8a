"""The control with shuffled words."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramprobe.language import Language
from gramprobe.score.job import open_source
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.score.word_order import shuffled
from gramprobe.source.diagnostic import UsageError
from score.conftest import Model, order

words = st.lists(st.sampled_from(["Jo", "left", "the", "boat", "Al", "[pronoun]"]), min_size=1, max_size=8)


@pytest.mark.slow
@given(words, st.sampled_from([".", "?", "", "..."]), st.text(max_size=3))
def test_a_shuffled_text_has_the_same_words_in_another_order(found: list[str], mark: str, seed: str) -> None:
    text = " ".join(found) + mark
    now = shuffled(text, seed)
    assert now == shuffled(text, seed) and now.endswith(mark)
    without = now.removesuffix(mark).split()
    assert Counter(word.lower() for word in without) == Counter(word.lower() for word in found)
    if len(set(found)) > 1:
        assert [word.lower() for word in without] != [word.lower() for word in found] or len(
            set(map(str.lower, found))
        ) == 1


def test_scored_texts_are_shuffled_and_nothing_else(choices: Path, tmp_path: Path) -> None:
    plain, mixed = (open_source(order(choices, tmp_path, tmp_path, shuffle_words=each)) for each in (False, True))
    (table,) = plain.tables
    columns = plain.tables[table].columns
    for one, other in zip(plain.rows(table, columns), mixed.rows(table, columns), strict=True):
        changed = {name for name in columns if one.row[name] != other.row[name]}
        assert changed == {"sentence", "option_a", "option_b"} and one.id == other.id
    assert (plain.sha256, plain.name) == (mixed.sha256, mixed.name)


@pytest.mark.slow
def test_a_run_says_that_words_were_shuffled_and_another_cannot_go_on_with_it(
    model: Model, choices: Path, tmp_path: Path
) -> None:
    plain = score(order(choices, model("gpt2"), tmp_path / "plain", mode="choice", total=1))
    mixed = score(order(choices, model("gpt2"), tmp_path / "mixed", mode="choice", total=1, shuffle_words=True))
    assert mixed.settings.shuffle_words is True and plain.settings.shuffle_words is not True
    with pytest.raises(UsageError, match=r"`shuffle_words` was true and is null"):
        score(order(choices, model("gpt2"), tmp_path / "mixed", mode="choice", total=1, resume=True))
    with pytest.raises(UsageError, match=r"`shuffle_words` was null and is true"):
        score(
            order(choices, model("gpt2"), tmp_path / "plain", mode="choice", total=1, shuffle_words=True, resume=True)
        )
    values = [read_scores(tmp_path / name).table().column("value").to_pylist() for name in ("plain", "mixed")]
    assert values[0] != values[1]


def test_the_signs_at_the_end_are_those_of_the_language() -> None:
    assert shuffled("uno gatto dorme;", "1", Language(code="xx", ends=(";",))).endswith(";")
    assert "dorme;" in shuffled("uno gatto dorme;", "1").split()


def test_regions_are_of_a_text_in_its_order(tmp_path: Path) -> None:
    text, corpus, shuffle = "The pupils admire the garden.", tmp_path / "corpus.txt", {"shuffle_words": True}
    corpus.write_text(f"{text}\n", "utf-8")
    for name, regions in (("plain", ""), ("cut", '["The pupils", "admire the garden."]')):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"text": text, "regions": regions}) + "\n", "utf-8")
    score(order(tmp_path / "plain.jsonl", f"ngram:{corpus}", tmp_path / "plain", task="surprisal", **shuffle))
    with pytest.raises(UsageError, match="have regions, which do not make up a text whose words were shuffled"):
        score(order(tmp_path / "cut.jsonl", f"ngram:{corpus}", tmp_path / "cut", task="surprisal", **shuffle))
    assert not (tmp_path / "cut").exists()
