"""Causal models: shared rows, batches and padding change nothing; joins, first tokens and spellings are as stated.

The reference of every test is a loop of plain forward passes, text by text, that shares no code with the engine.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import shipped

from gramprobe.score.engines import forward
from gramprobe.score.engines.causal import CausalEngine, Prepared
from gramprobe.score.engines.folder import model_folder
from gramprobe.score.engines.rows import (
    ALIKE,
    JOINT,
    Group,
    Row,
    batches,
    beginning,
    branch_row,
    joined,
    joint_row,
    pair_rows,
)
from gramprobe.score.engines.weights import Precision
from gramprobe.score.request import Classify, Continue, Fill, Refusal, Regions, Request, Whole
from gramprobe.source.diagnostic import UsageError
from score.conftest import Model

CONTEXTS = (
    "All of the guards opened a suitcase after work,",
    "Mary believes a dentist is singing.",
    "The key to the cabinets",
    "Every singer recorded one album, and it was a different suitcase for each guard, but all of the singers tipped,",
)
AFTER = ((" although it was very heavy.",), (" but it was a different suitcase for each guard.",), (" is",))
REQUESTS = [Continue(context, AFTER) for context in CONTEXTS]
Engine = Callable[..., CausalEngine]


def values(engine: CausalEngine, requests: Sequence[Request]) -> list[list[float]]:
    """The value of each part of each request."""
    prepared = [engine.prepare(request) for request in requests]
    assert not [each for each in prepared if isinstance(each, Refusal)]
    answers = engine.answer([each for each in prepared if isinstance(each, Prepared)])
    return [[part.values[0] for part in answer] for answer in answers]  # type: ignore[misc]


@cache
def plain(folder: Path) -> tuple[Any, Any]:
    """The tokenizer and the model of a folder, read without the engine."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64).eval()
    return AutoTokenizer.from_pretrained(folder), model


def alone(engine: CausalEngine, context: str, after: str, first: Sequence[int] = ()) -> float:
    """log P(after | context) by one forward pass of a model in evaluation mode, read without the engine."""
    import torch

    tokenizer, model = plain(engine.model.folder)
    given = [*first, *tokenizer(context, add_special_tokens=False).input_ids]
    whole = [*first, *tokenizer(context + after, add_special_tokens=False).input_ids]
    with torch.no_grad():
        scores = torch.log_softmax(model(torch.tensor([whole])).logits[0], -1)
    return sum(float(scores[place - 1, whole[place]]) for place in range(max(len(given), 1), len(whole)))


#: architectures: with absolute positions; with rotary ones and a token before each text; with a window; without
#: attention; with bounds on what comes out of the head
NAMES = ("gpt2", "llama", "mistral", "mamba", "gemma2")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_continuations_have_the_values_that_they_have_alone(name: str, engine: Engine) -> None:
    made = engine(name)
    first = [0] if name == "llama" else []
    for context, found in zip(CONTEXTS, values(made, REQUESTS), strict=True):
        expected = [alone(made, context, after[0], first) for after in AFTER]
        assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("gpt2", "shared rows, logits where scored"),
        ("llama", "shared rows, logits where scored"),
        ("gemma2", "shared rows, logits where scored"),
        ("mamba", "plain rows, logits where scored"),
    ],
)
def test_a_probe_finds_how_rows_are_put_together(name: str, rows: str, engine: Engine) -> None:
    assert engine(name)._forward is not None
    assert engine(name)._forward.probe()["rows"] == rows  # type: ignore[union-attr]


def test_texts_that_reach_beyond_a_window_do_not_share_rows(engine: Engine) -> None:
    forward = engine("mistral")._forward
    assert forward is not None and forward.window == 8
    short, long = Group((5, 6), ((7, 8), (9, 10)), 2), Group(tuple(range(5, 15)), ((7, 8), (9, 10)), 10)
    assert [len(list(forward._rows([group]))) for group in (short, long)] == [1, 2]
    together = forward.score([short, long])
    assert together[0] == pytest.approx(forward._plain(short), abs=1e-5)
    assert together[1] == pytest.approx(forward._plain(long), abs=1e-5)


# ---- contexts that begin alike

EXAMPLES = " ".join(["Mary believes a dentist is singing. True or false? True."] * 3)
ASKED = [
    Continue(f"{EXAMPLES} {context} True or false?", ((" True", "True"), (" False", "False"))) for context in CONTEXTS
]
ALIKE_REQUESTS: list[Request] = [
    *(
        Continue(f"{EXAMPLES} {context} True or false?", ((" True", "True"), (" False", "False")))
        for context in CONTEXTS
    ),
    Continue("The key to the cabinets", AFTER),
    *(Continue(f"{EXAMPLES} A dentist sings. {context}", AFTER) for context in CONTEXTS),
    Whole((f"{EXAMPLES} Mary sang.", f"{EXAMPLES} Mary left.")),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.only(["gpt2", "llama", "mamba", "gemma2"], ["gpt2", "mamba"]))
def test_contexts_that_begin_alike_have_the_values_that_they_have_alone(name: str, engine: Engine) -> None:
    made = engine(name)
    expected = [values(made, [request])[0] for request in ALIKE_REQUESTS]
    found = values(made, ALIKE_REQUESTS)
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=1e-9)
    first = [0] if name == "llama" else []
    context = f"{EXAMPLES} A dentist sings. {CONTEXTS[-1]}"
    assert found[-2] == pytest.approx([alone(made, context, after[0], first) for after in AFTER], abs=1e-5)


def test_what_contexts_begin_with_is_run_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    made = engine("gpt2")
    assert made._forward is not None
    lengths: list[int] = []
    run = made._forward._run

    def counted(rows: Sequence[Row]) -> list[list[float]]:
        lengths.extend(len(row.ids) for row in rows)
        return run(rows)

    values(made, ASKED)  # the first time, shared rows are held against rows of their own
    monkeypatch.setattr(made._forward, "_run", counted)
    values(made, ASKED)
    together = sum(lengths)
    for request in ASKED:
        values(made, [request])
    groups = [prepared.groups[0] for prepared in map(made.prepare, ASKED) if isinstance(prepared, Prepared)]
    common = beginning(groups)
    rows = len(joined(groups, made.precision.batch_tokens))
    assert common > ALIKE and rows < len(ASKED)
    assert together <= sum(lengths) - together - (len(ASKED) - rows) * common


@pytest.mark.slow
@pytest.mark.parametrize("named", [True, False])
def test_a_layer_with_a_mask_of_its_own_gets_rows_within_its_window(
    named: bool, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the configuration names the window in a way that is known, or a longer probe finds it."""
    if not named:
        monkeypatch.setattr("gramprobe.score.engines.forward.REACHES", ())
    opened = CausalEngine(model_folder(str(model("gpt_neo"))), Precision(dtype="float64", batch_tokens=256))
    opened.load()
    forward = opened._forward
    assert forward is not None and forward.branches
    beginning = tuple(range(5, 45))
    groups = [Group((*beginning, *range(50 + 9 * n, 56 + 9 * n)), ((60 + n, 70, 80), (61, 71)), 46) for n in range(8)]
    found = forward.score(groups)
    assert forward.proved < sum(len(group.context) for group in groups) - 7 * 40
    for group, values in zip(groups, found, strict=True):
        assert values == pytest.approx(forward._plain(group), abs=1e-6)


@pytest.mark.slow
def test_no_shared_row_is_longer_than_the_model_s_positions(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    forward = engine("gpt2", batch_tokens=2048)._forward
    assert forward is not None
    lengths = list[int]()
    run = forward._run

    def noted(rows: Sequence[Row]) -> list[list[float]]:
        lengths.extend(len(row.ids) for row in rows)
        return run(rows)

    monkeypatch.setattr(forward, "_run", noted)
    beginning = tuple(range(5, 45))
    groups = [
        Group((*beginning, *(50 + (7 * n + k) % 90 for k in range(30))), ((60,), (61, 71)), 70) for n in range(20)
    ]
    found = forward.score(groups)
    assert 128 < max(lengths) <= 256
    assert found[-1] == pytest.approx(forward._plain(groups[-1]), abs=1e-6)


def test_a_row_of_several_groups_sees_its_beginning_and_its_own_group() -> None:
    one, other = Group((1, 2, 3), ((4, 5), (6, 7)), 3), Group((1, 2, 8, 9), ((4, 5),), 4)
    row = joint_row([one, other], 2)
    assert row.ids == (1, 2, 3, 4, 6, 8, 9, 4)
    assert row.positions == (0, 1, 2, 3, 3, 2, 3, 4)
    assert row.targets == (4, 5, 6, 7, 4, 5)
    assert [row.ids[place] for place in row.queries] == [3, 4, 3, 6, 9, 4]
    assert not row.is_plain
    _, seen = forward._branch_inputs([row], 8)
    whom = [[row.ids[n] for n in range(8) if seen[0, place, n]] for place in range(8)]
    assert whom == [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 6], [1, 2, 8], [1, 2, 8, 9], [1, 2, 8, 9, 4]]


@given(
    st.lists(st.tuples(st.sampled_from([0, 3, 40, 70]), st.integers(0, 3), st.integers(1, 30)), min_size=1, max_size=7),
    st.sampled_from([64, 150, 5000]),
)
def test_groups_are_joined_where_rows_are_shortest(kinds: list[tuple[int, int, int]], tokens: int) -> None:
    """Of all cuts of the sorted contexts, none has fewer tokens within the largest row."""
    groups = [
        Group((*[1] * alike, 2 + kind, *range(5, 5 + rest)), ((1, 2),), alike + 1 + rest) for alike, kind, rest in kinds
    ]
    found = joined(groups, tokens)
    assert sorted(number for each in found for number in each) == list(range(len(groups)))

    def width(numbers: Sequence[int]) -> int | None:
        if len(numbers) == 1:
            return len(branch_row(groups[numbers[0]]).ids)
        own = [groups[number] for number in numbers]
        common = beginning(own)
        row = len(joint_row(own, common).ids)
        return row if common >= ALIKE and row <= min(tokens, max(JOINT, 2 * common)) else None

    widths = [width(each) for each in found]
    assert None not in widths
    order = sorted(range(len(groups)), key=lambda n: (groups[n].context, n))
    for cuts in range(1 << (len(groups) - 1)):
        pieces, piece = [], [order[0]]
        for place, number in enumerate(order[1:]):
            if cuts >> place & 1:
                pieces.append(piece)
                piece = []
            piece.append(number)
        others = [width(each) for each in [*pieces, piece]]
        if None not in others:
            assert sum(widths) <= sum(others)  # type: ignore[arg-type]


def without_positions(rows: Any, width: int) -> Any:
    """What a row looks like to somebody who forgets that positions go on from the context."""
    import numpy as np

    positions, seen = BRANCH_INPUTS(rows, width)
    return np.broadcast_to(np.arange(width), positions.shape).copy(), seen


def of_booleans(seen: Any, dtype: Any, device: Any) -> Any:
    """A mask of booleans, which attention in the plain implementation adds as zeros and ones."""
    import torch

    return torch.from_numpy(seen).to(device)[:, None]


BRANCH_INPUTS = forward._branch_inputs


@pytest.mark.parametrize(("what", "by"), [("_branch_inputs", without_positions), ("_float_mask", of_booleans)])
def test_the_probe_sees_wrong_positions_and_masks(
    what: str, by: Any, model: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = CausalEngine(model_folder(str(model("gpt2"))), Precision(dtype="float64"))
    made.load()
    assert made._forward is not None
    made._forward.model.set_attn_implementation("eager")
    assert made._forward.probe()["rows"] == "shared rows, logits where scored"
    monkeypatch.setattr(forward, what, by)
    found = made._forward.probe()
    assert found["rows"] == "plain rows, logits where scored"
    tried = found["tried"]["shared rows, logits where scored"]
    assert isinstance(tried, str) or tried > 1e-2


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.only(["gpt2", "llama", "mistral"], ["gpt2", "mistral"]))
def test_batches_order_and_padding_change_nothing(name: str, engine: Engine) -> None:
    expected = values(engine(name, batch_tokens=1), REQUESTS)
    for tokens in (64, 4096):
        assert_equal(values(engine(name, batch_tokens=tokens), REQUESTS), expected)
    assert_equal(values(engine(name), REQUESTS[::-1])[::-1], expected)


def assert_equal(found: Sequence[Sequence[float]], expected: Sequence[Sequence[float]]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=1e-9)


def test_nothing_is_dropped_out(engine: Engine) -> None:
    config = engine("gpt2").config
    assert config.resid_pdrop > 0  # the model would drop out if it were in training mode
    assert values(engine("gpt2"), REQUESTS) == values(engine("gpt2"), REQUESTS)


def test_logits_are_made_only_where_a_token_is_scored(engine: Engine) -> None:
    made = engine("gpt2")
    assert made._forward is not None
    seen: list[int] = []
    handle = made._forward.model.lm_head.register_forward_hook(lambda m, i, o: seen.append(i[0].shape[1]))
    prepared = made.prepare(REQUESTS[0])
    assert isinstance(prepared, Prepared)
    made.answer([prepared])
    handle.remove()
    (group,) = prepared.groups
    assert sum(seen) == group.targets - len(AFTER) + 1  # all follow-ups are predicted from one place first


def test_a_row_has_the_context_once_and_no_last_tokens() -> None:
    group = Group((1, 2, 3), ((4, 5), (6,), (7, 8, 9)), 3)
    row = branch_row(group)
    assert row.ids == (1, 2, 3, 4, 7, 8)
    assert row.positions == (0, 1, 2, 3, 3, 4)
    assert row.branches == (0, 0, 0, 1, 2, 2)
    assert row.queries == (2, 3, 2, 2, 4, 5)
    assert row.targets == (4, 5, 6, 7, 8, 9)
    pairs = list(pair_rows(group))
    assert [row.ids for row in pairs] == [(1, 2, 3, 4), (1, 2, 3), (1, 2, 3, 7, 8)]
    assert sum((row.targets for row in pairs), ()) == row.targets


def test_batches_are_sorted_and_within_their_budget() -> None:
    lengths = [3, 9, 4, 9, 1]
    assert list(batches(lengths, 300)) == [[1, 3, 2, 0, 4]]  # 19 tokens of padding are less than a forward pass
    assert list(batches(lengths, 18)) == [[1, 3], [2, 0, 4]]
    assert list(batches([10] * 5, 30)) == [[0, 1, 2], [3, 4]]
    assert list(batches(lengths, 1)) == [[1], [3], [2], [0], [4]]
    assert list(batches([], 300)) == []


def test_rows_are_padded_where_that_costs_less_than_a_forward_pass() -> None:
    assert list(batches([20] * 3 + [10] * 2, 300)) == [[0, 1, 2, 3, 4]]
    assert list(batches([20] * 3 + [10] * 3, 300)) == [[0, 1, 2], [3, 4, 5]]
    assert list(batches([20] * 3 + [10] * 3, 300, "cuda")) == [[0, 1, 2, 3, 4, 5]]
    assert list(batches([20, 19, 18, 8, 7, 5], 300)) == [[0, 1, 2], [3, 4, 5]]


@given(st.lists(st.integers(1, 40), max_size=30), st.integers(1, 200))
def test_every_row_is_in_one_batch_that_fits(lengths: list[int], tokens: int) -> None:
    made = list(batches(lengths, tokens))
    assert sorted(number for batch in made for number in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * lengths[batch[0]] <= tokens for batch in made)
    assert all(lengths[one] >= lengths[other] for batch in made for one, other in pairwise(batch))


# ---- joins


def test_the_space_stands_on_the_continuation(engine: Engine) -> None:
    made = engine("gpt2")
    prepared = made.prepare(Continue(CONTEXTS[0], AFTER))
    assert isinstance(prepared, Prepared)
    (group,) = prepared.groups
    joint = made.tokens.ids(CONTEXTS[0] + AFTER[0][0])
    assert (*group.context, *group.branches[0]) == joint


def test_a_token_across_the_join_is_refused(engine: Engine) -> None:
    made = engine("gpt2")
    assert len(made.tokens.ids("guards")) < len(made.tokens.ids("guard")) + len(made.tokens.ids("s"))
    refused = made.prepare(Continue("All of the guard", (("s opened",),)))
    assert isinstance(refused, Refusal)
    assert refused.flag == "join"
    assert "`s opened`" in refused.reason


def test_spellings_are_summed_and_all_answers_have_the_same(engine: Engine) -> None:
    made = engine("gpt2")
    context = "The most likely option is option"
    ((one, other),) = values(made, [Continue(context, ((" A", "A"), (" B", "B")))])
    expected = [alone(made, context, text) for text in (" A", "A", " B", "B")]
    assert one == pytest.approx(math.log(math.exp(expected[0]) + math.exp(expected[1])), abs=1e-9)
    assert other == pytest.approx(math.log(math.exp(expected[2]) + math.exp(expected[3])), abs=1e-9)
    # `guards` is one token and `guardB` is not: then neither answer has the spelling without a space
    ((one, _),) = values(made, [Continue("All of the guard", ((" s", "s"), (" B", "B")))])
    assert one == pytest.approx(alone(made, "All of the guard", " s"), abs=1e-9)


# ---- what stands first


@pytest.mark.parametrize(
    ("name", "policy", "context", "no_context"),
    [
        ("gpt2", "auto", (), (1,)),
        ("gpt2", "always", (1,), (1,)),
        ("gpt2", "never", (), ()),
        ("llama", "auto", (0,), (0,)),
        ("llama", "always", (0,), (0,)),
        ("llama", "never", (), ()),
    ],
)
def test_the_first_token_is_as_the_policy_says_and_stands_once(
    name: str, policy: str, context: tuple[int, ...], no_context: tuple[int, ...], engine: Engine
) -> None:
    made = engine(name, bos=policy)
    first = made.settings()["bos"]
    assert first == {"policy": policy, "context": list(context), "no_context": list(no_context)}
    continued, whole = made.prepare(REQUESTS[0]), made.prepare(Whole(("The keys are here.",)))
    assert isinstance(continued, Prepared) and isinstance(whole, Prepared)
    for prepared, start, text in ((continued, context, CONTEXTS[0]), (whole, no_context, "The keys are here.")):
        ids = (*prepared.groups[0].context, *prepared.groups[0].branches[0])
        bare = made.tokens.ids(text)
        assert ids[: len(start) + len(bare)] == (*start, *bare)
    assert whole.parts[0].flags == (() if no_context else ("unscored_first",))


def test_a_chat_template_writes_its_first_token_itself(engine: Engine) -> None:
    made = engine("chat")
    prepared = made.prepare(Continue((("system", "Be brief."), ("user", "A or B?")), ((" A", "A"), (" B", "B"))))
    assert isinstance(prepared, Prepared)
    text = "<system>Be brief.\n<user>A or B?\n<assistant>"
    assert prepared.groups[0].context == made.tokens.ids(text)


def test_a_template_without_system_messages_gets_their_text_with_the_first(engine: Engine) -> None:
    tokens = engine("chat").tokens
    template = tokens.tokenizer.chat_template
    try:
        tokens.tokenizer.chat_template = (
            "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
            "<{{ m.role }}>{{ m.content }}{% endfor %}"
        )
        assert tokens.chat((("system", "Be brief."), ("user", "A or B?"))) == "<user>Be brief.\n\nA or B?"
        tokens.tokenizer.chat_template = "{{ raise_exception('no') }}"
        with pytest.raises(UsageError, match="its chat template fails: no"):
            tokens.chat((("system", "Be brief."), ("user", "A or B?")))
    finally:
        tokens.tokenizer.chat_template = template


# ---- whole texts, slots, regions


def test_whole_texts_have_their_log_probability(engine: Engine) -> None:
    made = engine("gpt2")
    pair = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")
    ((one, other),) = values(made, [Whole(pair)])
    assert one == pytest.approx(alone(made, "", pair[0], [1]), abs=1e-5)
    assert other == pytest.approx(alone(made, "", pair[1], [1]), abs=1e-5)
    apart = ("Some skateboards tipped over.", "Nobody is in the room.")
    found = values(engine("gpt2", bos="never"), [Whole(apart)])
    assert found[0] == pytest.approx([alone(made, "", text) for text in apart], abs=1e-5)


def test_one_text_and_equal_texts_are_scored_too(engine: Engine) -> None:
    text = "Nobody is in the room."
    for texts in ((text,), (text, text), (text, f"{text} Nobody is in the room.")):
        (found,) = values(engine("gpt2"), [Whole(texts)])
        assert found == pytest.approx([alone(engine("gpt2"), "", each, [1]) for each in texts], abs=1e-5)


def test_a_candidate_is_scored_with_what_follows_it(engine: Engine) -> None:
    text = "Mary believes a dentist is singing. I met [pronoun] there."
    ((one, other),) = values(engine("gpt2"), [Fill(text, "[pronoun]", ("Mary", "a dentist"))])
    before = "Mary believes a dentist is singing. I met"
    assert one == pytest.approx(alone(engine("gpt2"), before, " Mary there."), abs=1e-5)
    assert other == pytest.approx(alone(engine("gpt2"), before, " a dentist there."), abs=1e-5)
    ((one, other),) = values(engine("gpt2"), [Fill("[pronoun] is singing.", "[pronoun]", ("Mary", "A dentist"))])
    assert one == pytest.approx(alone(engine("gpt2"), "", "Mary is singing.", [1]), abs=1e-5)


def test_regions_add_up_to_the_text(engine: Engine) -> None:
    made = engine("gpt2")
    regions = ("The keys", "to the cabinet", "are", "here.")
    (found,) = values(made, [Regions(regions)])
    assert sum(found) == pytest.approx(alone(made, "", " ".join(regions), [1]), abs=1e-5)
    before = "The keys to the cabinet"
    assert found[2] == pytest.approx(alone(made, before, " are", [1]), abs=1e-5)


def test_without_a_first_token_the_first_one_has_no_value(engine: Engine) -> None:
    made = engine("gpt2", bos="never")
    prepared = made.prepare(Regions(("Nobody", "is", "in")))
    assert isinstance(prepared, Prepared)
    (answers,) = made.answer([prepared])
    assert [answer.flags for answer in answers] == [("unscored_first",), (), ()]
    single = len(made.tokens.ids("Nobody")) == 1
    assert (answers[0].values == (None,)) == single
    assert answers[1].values[0] == pytest.approx(alone(made, "Nobody", " is"), abs=1e-5)


def test_corrected_regions_include_their_end_and_not_that_of_the_one_before(engine: Engine) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    made = engine("gpt2", bow_correction=True)
    regions = ("The keys", "to the cabinet", "are", "here.")
    (found,), (plain,) = values(made, [Regions(regions)]), values(engine("gpt2"), [Regions(regions)])
    tokenizer = made.tokens.tokenizer
    end = tokenizer.eos_token_id
    model = AutoModelForCausalLM.from_pretrained(made.model.folder, dtype=torch.float64).eval()
    begins = [n for name, n in tokenizer.get_vocab().items() if name.startswith("\u0120") or n == end]
    goes_on = [n for n in range(made.vocabulary) if n not in begins]

    def mass(text: str, tokens: list[int]) -> float:
        """The log of the probability that one of these tokens comes after a text."""
        with torch.no_grad():
            logits = model(torch.tensor([[end, *made.tokens.ids(text)]] if text else [[end]])).logits[0, -1]
        return float(torch.logsumexp(torch.log_softmax(logits, -1)[tokens], -1))

    texts = [" ".join(regions[:n]) for n in range(len(regions) + 1)]
    masses = [mass("", goes_on), *(mass(text, begins) for text in texts[1:])]
    expected = [value + masses[n + 1] - masses[n] for n, value in enumerate(plain)]
    assert found == pytest.approx(expected, abs=1e-9)
    assert max(abs(a - b) for a, b in zip(found, plain, strict=True)) > 0.1


# ---- what cannot be scored


def test_what_is_too_long_for_the_model_is_refused(engine: Engine) -> None:
    refused = engine("short").prepare(Continue(" ".join(CONTEXTS), AFTER))
    assert isinstance(refused, Refusal)
    assert refused.flag == "long"
    assert "the model takes 24" in refused.reason


def test_a_token_outside_the_vocabulary_is_refused(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    made = engine("gpt2")
    monkeypatch.setattr(made, "vocabulary", 20)
    refused = made.prepare(REQUESTS[0])
    assert isinstance(refused, Refusal)
    assert refused.flag == "vocabulary"


def test_a_causal_model_does_not_classify(engine: Engine) -> None:
    assert isinstance(engine("gpt2").prepare(Classify("a", "b")), Refusal)


def test_the_answer_in_single_precision_is_that_in_double(engine: Engine) -> None:
    one, other = values(engine("gpt2", dtype="float32"), REQUESTS), values(engine("gpt2"), REQUESTS)
    for a, b in zip(one, other, strict=True):
        assert a == pytest.approx(b, abs=1e-3)


def test_a_tokenizer_that_pads_on_the_left_and_cuts_changes_nothing(
    engine: Engine, model: Callable[[str], Path], tmp_path: Path
) -> None:
    place = shutil.copytree(model("gpt2"), tmp_path / "model")
    data = json.loads((place / "tokenizer.json").read_text("utf-8"))
    data["padding"] = {
        "strategy": {"Fixed": 64}, "direction": "Left", "pad_to_multiple_of": None, "pad_id": 1, "pad_type_id": 0,
        "pad_token": "<|endoftext|>",
    }  # fmt: skip
    data["truncation"] = {"direction": "Left", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    (place / "tokenizer.json").write_text(json.dumps(data), "utf-8")
    settings = json.loads((place / "tokenizer_config.json").read_text("utf-8"))
    (place / "tokenizer_config.json").write_text(json.dumps({**settings, "padding_side": "left"}), "utf-8")
    made = CausalEngine(model_folder(str(place)), Precision(dtype="float64", batch_tokens=256))
    made.load()
    assert made.tokens.tokenizer.padding_side == "left"
    assert values(made, REQUESTS) == values(engine("gpt2"), REQUESTS)


@pytest.mark.slow
def test_logits_of_low_precision_are_cast_before_the_softmax(engine: Engine) -> None:
    made = engine("gpt2", dtype="bfloat16")
    assert made._forward is not None and str(made._forward.model.dtype) == "torch.bfloat16"
    for a, b in zip(values(made, REQUESTS), values(engine("gpt2"), REQUESTS), strict=True):
        assert a == pytest.approx(b, rel=0.1)
    # in bfloat16 itself, sums of this size would be multiples of 0.5
    assert any(abs(value * 2 - round(value * 2)) > 1e-3 for row in values(made, REQUESTS) for value in row)
