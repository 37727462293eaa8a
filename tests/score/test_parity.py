"""The scores are those that minicons and lm-eval give for the same model, continuation by continuation.

All three read the same folder: a small GPT-2 with random weights, whose positions are absolute, and SmolLM2 where
`make models` has brought it. Single precision is compared, as the others use it.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from gramprobe.project import Project
from gramprobe.score.engines.causal import CausalEngine
from gramprobe.score.engines.folder import model_folder
from gramprobe.score.engines.weights import Precision
from gramprobe.score.request import Continue, Whole

pytestmark = [pytest.mark.slow, pytest.mark.outside("minicons", "lm_eval")]

SMOLLM2 = Path(__file__).resolve().parents[2] / "models" / "smollm2-135m"
LARGEST, MEDIAN = 1e-3, 1e-4
"""How far a log-probability may be from that of another program, in nats."""
INSTANCES = 3


@pytest.fixture(scope="module", autouse=True)
def offline() -> Iterator[None]:
    """No program asks the hub for anything: the models are folders."""
    before = os.environ.get("HF_HUB_OFFLINE")
    os.environ["HF_HUB_OFFLINE"] = "1"
    yield
    if before is None:
        del os.environ["HF_HUB_OFFLINE"]
    else:
        os.environ["HF_HUB_OFFLINE"] = before


@pytest.fixture(scope="module")
def texts(project: Project) -> list[tuple[str, str]]:
    """Contexts and continuations of the quadruples of scope, of every paradigm, with all of their controls."""
    found: dict[tuple[str, str], None] = {}
    for name in project.named("scope"):
        if project.declarations.paradigms[name].task != "continuation":
            continue
        for row in project.paradigm(name).sample(INSTANCES, seed=1).to_pylist():
            for context in filter(None, (row["ambiguous"], row["control"], row["control_2"])):
                for followup in (row["followup_inverse"], row["followup_surface"]):
                    found[context, f" {followup}"] = None
    return list(found)


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory, texts: Sequence[tuple[str, str]]) -> Path:
    """A GPT-2 of two layers with random weights and a byte-level tokenizer that has seen the texts."""
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("gpt2")
    pieces = ByteLevelBPETokenizer()
    pieces.train_from_iterator((text for pair in texts for text in pair), 700, special_tokens=["<|endoftext|>"])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=pieces._tokenizer,
        bos_token="<|endoftext|>",
        eos_token="<|endoftext|>",
        pad_token="<|endoftext|>",
        model_max_length=128,
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(3)
    sizes: dict[str, Any] = {"n_embd": 96, "n_layer": 2, "n_head": 4, "n_positions": 128, "initializer_range": 0.2}
    config = GPT2Config(vocab_size=len(tokenizer), bos_token_id=0, eos_token_id=0, **sizes)
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module", params=["gpt2", "smollm2"])
def folder(request: pytest.FixtureRequest) -> Path:
    if request.param == "gpt2":
        made: Path = request.getfixturevalue("gpt2")
        return made
    if not SMOLLM2.is_dir():
        pytest.skip("models/smollm2-135m is not there: make models")
    return SMOLLM2


@pytest.fixture(scope="module")
def engine(folder: Path) -> CausalEngine:
    engine = CausalEngine(model_folder(str(folder)), Precision(threads=1))
    engine.load()
    return engine


@pytest.fixture(scope="module")
def ours(engine: CausalEngine, texts: Sequence[tuple[str, str]]) -> list[float]:
    """log P of each continuation after its context, in nats; continuations of one context are asked for together."""
    together: dict[str, list[str]] = {}
    for context, continuation in texts:
        together.setdefault(context, []).append(continuation)
    prepared = [engine.prepare(Continue(context, tuple((c,) for c in each))) for context, each in together.items()]
    answers = engine.answer(prepared)  # type: ignore[arg-type]  # a refusal would have no groups, and raise
    values = {
        (context, continuation): answer.values[0]
        for (context, each), parts in zip(together.items(), answers, strict=True)
        for continuation, answer in zip(each, parts, strict=True)
    }
    return [value for pair in texts if (value := values[pair]) is not None]


def agree(one: Sequence[float], other: Sequence[float]) -> None:
    apart = [abs(a - b) for a, b in zip(one, other, strict=True)]
    assert max(apart) <= LARGEST
    assert statistics.median(apart) <= MEDIAN
    assert statistics.pstdev(one) > 0.5, "a model that says the same of every text would agree with anything"


def test_continuations_have_the_scores_of_minicons(
    folder: Path, texts: Sequence[tuple[str, str]], ours: Sequence[float]
) -> None:
    from minicons.scorer import IncrementalLMScorer

    scorer = IncrementalLMScorer(str(folder), "cpu")
    theirs: list[float] = []
    for first in range(0, len(texts), 16):
        before, behind = map(list, zip(*texts[first : first + 16], strict=True))
        theirs += scorer.conditional_score(before, behind, separator="", reduction=lambda x: x.sum(0).item())
    agree(ours, theirs)


def test_continuations_have_the_scores_of_lm_eval(
    folder: Path, texts: Sequence[tuple[str, str]], ours: Sequence[float]
) -> None:
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    harness = HFLM(pretrained=str(folder), device="cpu", dtype="float32", batch_size=16)
    instances = [Instance("loglikelihood", {}, pair, n) for n, pair in enumerate(texts)]
    agree(ours, [value for value, _ in harness.loglikelihood(instances, disable_tqdm=True)])


def test_whole_texts_have_the_scores_of_minicons(
    folder: Path, texts: Sequence[tuple[str, str]], engine: CausalEngine
) -> None:
    """Without a token at the beginning, the first token of a text has no score, in both programs."""
    from minicons.scorer import IncrementalLMScorer

    whole = [context + continuation for context, continuation in texts][::4]
    engine_ = CausalEngine(model_folder(str(folder)), Precision(threads=1), bos="never")
    engine_._forward = engine._forward
    answers = engine_.answer([engine_.prepare(Whole((text,))) for text in whole])  # type: ignore[misc]
    scorer = IncrementalLMScorer(str(folder), "cpu")
    theirs = [scorer.sequence_score([text], reduction=lambda x: x.sum(0).item())[0] for text in whole]
    agree([value for (answer,) in answers if (value := answer.values[0]) is not None], theirs)
