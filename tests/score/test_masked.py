"""Masked models: the span score and both pseudo-log-likelihoods, against plain loops of forward passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gramprobe.score.engines.folder import model_folder
from gramprobe.score.engines.masked import MaskedEngine, Prepared
from gramprobe.score.engines.weights import Precision
from gramprobe.score.request import Continue, Fill, Refusal, Regions, Reply, Request, Whole
from gramprobe.source.diagnostic import UsageError

TEXT = "Mary believes a dentist is singing. I met [pronoun]."
SENTENCES = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")
Engine = Callable[..., MaskedEngine]


def answers(engine: MaskedEngine, requests: Sequence[Request]) -> list[tuple[Reply, ...]]:
    prepared = [engine.prepare(request) for request in requests]
    assert not [each for each in prepared if isinstance(each, Refusal)]
    return engine.answer(prepared)  # type: ignore[arg-type]


@cache
def plain(folder: Path) -> tuple[Any, Any]:
    """The tokenizer and the model of a folder, read without the engine."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    model = AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float64).eval()
    return AutoTokenizer.from_pretrained(folder), model


def masked(engine: MaskedEngine, text: str, hidden: Sequence[int], scored: Sequence[int]) -> float:
    """The summed log-probability of tokens of a text with some of its tokens masked; numbers without special tokens."""
    import torch

    tokenizer, model = plain(engine.model.folder)
    given = tokenizer(text, return_tensors="pt", truncation=False, padding=False)
    ids = given.input_ids.clone()
    for place in hidden:
        ids[0, place + 1] = tokenizer.mask_token_id
    with torch.no_grad():
        scores = torch.log_softmax(model(input_ids=ids).logits[0], -1)
    return sum(float(scores[place + 1, given.input_ids[0, place + 1]]) for place in scored)


@pytest.mark.parametrize("name", ["bert", "roberta"])
def test_the_tokens_of_a_candidate_are_masked_together(name: str, engine: Engine) -> None:
    made = engine(name)
    (found,) = answers(made, [Fill(TEXT, "[pronoun]", ("Mary", "a dentist"))])
    for answer, candidate in zip(found, ("Mary", "a dentist"), strict=True):
        text = TEXT.replace("[pronoun]", candidate)
        before = len(made.tokens.ids("Mary believes a dentist is singing. I met"))
        places = range(before, before + len(made.tokens.ids(f" {candidate}")))
        assert answer.tokens == len(places)
        assert answer.values[0] == pytest.approx(masked(made, text, places, places), abs=1e-5)


def test_the_mark_of_the_slot_is_never_shown(engine: Engine) -> None:
    made = engine("bert")
    other = made.prepare(Fill(TEXT.replace("[pronoun]", "_"), "_", ("Mary", "a dentist")))
    assert made.prepare(Fill(TEXT, "[pronoun]", ("Mary", "a dentist"))) == other


def test_candidates_of_one_length_are_one_forward_pass(engine: Engine) -> None:
    made = engine("bert")
    prepared = made.prepare(Fill(TEXT, "[pronoun]", ("Mary", "Mary", "a dentist is")))
    assert isinstance(prepared, Prepared)
    assert len({len(each.text.ids) for each in prepared.texts}) == 2, "all candidates have one length"
    seen: list[int] = []
    handle = made._model.base_model.register_forward_hook(lambda m, i, o: seen.append(o[0].shape[0]))
    (found,) = made.answer([prepared])
    handle.remove()
    assert sum(seen) == 2
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["word_l2r", "original"])
def test_a_pseudo_log_likelihood_masks_each_token_in_turn(metric: str, engine: Engine) -> None:
    made = engine("bert", metric=metric)
    (found,) = answers(made, [Whole(SENTENCES)])
    for answer, sentence in zip(found, SENTENCES, strict=True):
        words = made.tokens.encode(sentence).words
        assert len(set(words)) < len(words), "no word of several tokens, so that nothing is tested"
        expected = 0.0
        for place, word in enumerate(words):
            later = [n for n in range(place, len(words)) if words[n] == word]
            expected += masked(made, sentence, later if metric == "word_l2r" else [place], [place])
        assert answer.tokens == len(words)
        assert answer.values[0] == pytest.approx(expected, abs=1e-5)


def test_the_two_pseudo_log_likelihoods_differ(engine: Engine) -> None:
    one = answers(engine("bert", metric="word_l2r"), [Whole(SENTENCES)])
    other = answers(engine("bert", metric="original"), [Whole(SENTENCES)])
    assert abs(one[0][0].values[0] - other[0][0].values[0]) > 1e-3  # type: ignore[operator]


@pytest.mark.parametrize("name", ["bert", "roberta"])
def test_batches_and_order_change_nothing(name: str, engine: Engine) -> None:
    requests: list[Request] = [Whole(SENTENCES), Fill(TEXT, "[pronoun]", ("Mary", "a dentist")), Whole(("A dog.",))]
    expected = answers(engine(name, batch_tokens=1), requests)
    for tokens in (48, 4096):
        for one, other in zip(answers(engine(name, batch_tokens=tokens), requests), expected, strict=True):
            assert [a.values[0] for a in one] == pytest.approx([a.values[0] for a in other], abs=1e-9)
    assert answers(engine(name, batch_tokens=1), requests[::-1]) == expected[::-1]


def test_regions_are_the_tokens_of_a_text(engine: Engine) -> None:
    made = engine("bert")
    (whole,), (found,) = (
        answers(made, [Whole(SENTENCES[:1])]),
        answers(made, [Regions(("The keys to", "the cabinet are", "here."))]),
    )
    assert sum(answer.values[0] for answer in found) == pytest.approx(whole[0].values[0], abs=1e-9)  # type: ignore[misc]


def test_positions_that_begin_behind_the_padding_are_counted(engine: Engine) -> None:
    assert engine("roberta").longest == 64


def test_a_text_is_not_cut_where_the_tokenizer_says_so(engine: Engine) -> None:
    made = engine("bert")
    prepared = made.prepare(Whole((" ".join(SENTENCES),)))
    assert isinstance(prepared, Prepared)
    assert len(prepared.texts[0].text.ids) > 8  # what its file says texts are cut to


def test_the_head_runs_where_a_token_is_scored(engine: Engine) -> None:
    made = engine("bert")
    seen: list[int] = []
    handle = made._model.cls.register_forward_hook(lambda m, i, o: seen.append(o.shape[1]))
    found = answers(made, [Fill(TEXT, "[pronoun]", ("Mary", "a dentist is"))])
    handle.remove()
    assert len({answer.tokens for answer in found[0]}) == 2, "candidates of one length share a forward pass"
    assert sum(seen) == sum(answer.tokens for answer in found[0])


@pytest.mark.parametrize(
    ("request_", "flag"),
    [
        (Continue("a", ((" b",),)), "mode"),
        (Fill("I met a dentis[pronoun]", "[pronoun]", ("t",)), "join"),
        (Regions(("The ke", "ys are")), None),
        (Whole((" ".join(SENTENCES * 12),)), "long"),
    ],
)
def test_what_cannot_be_scored_is_refused(request_: Request, flag: str | None, engine: Engine) -> None:
    found = engine("bert").prepare(request_)
    if flag is None:
        assert not isinstance(found, Refusal)  # a space stands between regions, so that no token crosses
    else:
        assert isinstance(found, Refusal)
        assert found.flag == flag


def test_a_model_without_a_mask_is_refused(model: Callable[[str], Path], tmp_path: Path) -> None:
    import shutil

    shutil.copytree(model("bert"), tmp_path / "model")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (tmp_path / "model" / name).write_bytes((model("gpt2") / name).read_bytes())
    with pytest.raises(UsageError, match="has no mask"):
        MaskedEngine(model_folder(str(tmp_path / "model")), Precision())
