"""`make bench-score`: how fast language models are scored, beside raw forward passes, lm-eval and minicons.

CPU seconds of one thread, programs in turn, medians of several rounds. The texts are sentences of the shipped scope
paradigms, drawn with a seed: a context of one to several sentences, and two continuations of each.

The limit of a causal model is what no scorer can do without: the body of the model run on each context once and on
both continuations, as full rows of 32 tokens, 32 rows at a time, and its head on the scored tokens alone. That of a
classifier is the model run on as many tokens as the pairs have, in the same rows. Rows have no padding and nothing is
made of texts, so a scorer that reaches the limit spends nothing on either, or leaves out what nobody reads: gramprobe
runs the end of a classifier's last layer for the first token of a pair alone, and is measured without this, too. Times
of scorers begin with the texts.

Fine-tuning is measured beside a bare loop of PyTorch over batches of the same pairs: forward pass, loss, gradients,
their bound, AdamW and the schedule. Its time is that of an epoch's steps, without what is measured and kept at the end.

Questions with answered examples before them (`--mode prompted --shots 3`) are measured with a row for each question and
with rows of several questions behind the examples, which are then run once a row.

lm-eval and minicons are measured as their users run them with a batch size of 32, on the same folder with a model.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import torch
from figures import record_figures
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification, GPT2Config, GPT2LMHeadModel, set_seed

import gramprobe
from gramprobe.score import prompts
from gramprobe.score.engines import forward
from gramprobe.score.engines.causal import CausalEngine
from gramprobe.score.engines.classifier import ClassifierEngine
from gramprobe.score.engines.folder import model_folder
from gramprobe.score.engines.padding import Text
from gramprobe.score.engines.rows import batches, beginning, branch_row, joined, joint_row
from gramprobe.score.engines.weights import Precision
from gramprobe.score.request import Classify, Continue

SIDE = 32
"""Rows, and tokens a row, of the forward passes that are the limit; the batch size of the other programs."""
LEADING = (0, 0, 1, 1, 2, 3)
"""How many sentences may stand before the one that is continued."""
AGREEMENT = 1e-3
"""How far a log-probability may be from those of the other programs, in nats."""


@dataclass(frozen=True, slots=True)
class Task:
    """One program on one set of texts; `run` answers with its scores, or with None where it has none."""

    name: str
    run: Callable[[], Sequence[float] | None]


def contexts(count: int, seed: int) -> list[tuple[str, str, str]]:
    """Contexts with two continuations each, of the scope paradigms."""
    draw = random.Random(seed)
    project = gramprobe.load(names=["scope"])
    items: list[tuple[str, str, str]] = []
    others: list[str] = []
    for name in project.named("scope"):
        rows = project.paradigm(name).sample(20, seed=seed).to_pylist()
        if project.declarations.paradigms[name].task == "continuation":
            items += [(row["ambiguous"], row["followup_inverse"], row["followup_surface"]) for row in rows]
        else:
            others += [row["sentence"] for row in rows]
    chosen = draw.sample(items, count)
    return [(" ".join([*draw.sample(others, draw.choice(LEADING)), text]), one, two) for text, one, two in chosen]


def inferences(count: int, seed: int) -> list[tuple[str, str]]:
    """Pairs of a premise and a hypothesis, of theory_of_mind without its stories."""
    project = gramprobe.load(names=["theory_of_mind"])
    rows = [
        (row["premise"], row["hypothesis"])
        for name in project.named("theory_of_mind")
        if "/story_" not in name
        for row in project.paradigm(name).sample(10, seed=seed).to_pylist()
    ]
    return random.Random(seed).sample(rows, count)


def rows_of(tokens: int) -> list[tuple[int, int]]:
    """Shapes of full rows that have this many tokens."""
    whole, rest = divmod(tokens, SIDE * SIDE)
    return [(SIDE, SIDE)] * whole + ([(max(1, round(rest / SIDE)), SIDE)] if rest else [])


def causal_tasks(folder: Path, texts: Sequence[tuple[str, str, str]], batch: int) -> list[Task]:
    """The limit, this program, and the two others, on contexts with two continuations each. ``batch``: tokens."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM
    from minicons.scorer import IncrementalLMScorer

    engine = CausalEngine(model_folder(str(folder)), Precision(threads=1, batch_tokens=batch))
    print(f"  rows: {engine.load()['rows']}")
    requests = [Continue(context, ((f" {one}",), (f" {two}",))) for context, one, two in texts]
    prepared: list[Any] = [engine.prepare(request) for request in requests]
    groups = [group for each in prepared for group in each.groups]
    scored = sum(len(branch) for group in groups for branch in group.branches)
    useful = scored + sum(len(group.context) for group in groups)
    rows = [len(branch_row(group).ids) for group in groups]
    padded = sum(len(each) * rows[each[0]] for each in batches(rows, batch)) / sum(rows)
    print(f"  tokens: {useful:,} with each context once, {scored:,} of them scored; with padding {padded:.2f} times")
    pairs = [(context, f" {text}") for context, *both in texts for text in both]
    harness = HFLM(pretrained=str(folder), device="cpu", dtype="float32", batch_size=SIDE)
    instances = [Instance("loglikelihood", {}, pair, n) for n, pair in enumerate(pairs)]
    minicons = IncrementalLMScorer(str(folder), "cpu")
    model = harness.model

    def limit() -> None:
        with torch.inference_mode():
            for shape in rows_of(useful):
                model.base_model(torch.randint(0, model.config.vocab_size, shape), use_cache=False)
            for first in range(0, scored, 256):
                hidden = torch.randn(min(256, scored - first), model.config.hidden_size)
                torch.logsumexp(model.get_output_embeddings()(hidden), -1)

    def ours() -> list[float]:
        asked: list[Any] = [engine.prepare(request) for request in requests]
        return [float(part.values[0] or 0.0) for answer in engine.answer(asked) for part in answer]

    def lm_eval() -> list[float]:
        return [value for value, _ in harness.loglikelihood(instances, disable_tqdm=True)]

    def other() -> list[float]:
        scores: list[float] = []
        for first in range(0, len(pairs), SIDE):
            before, behind = map(list, zip(*pairs[first : first + SIDE], strict=True))
            scores += minicons.conditional_score(before, behind, separator="", reduction=lambda x: x.sum(0).item())
        return scores

    return [Task("limit", limit), Task("gramprobe", ours), Task("lm-eval", lm_eval), Task("minicons", other)]


def classifier_tasks(folder: Path, pairs: Sequence[tuple[str, str]], batch: int) -> list[Task]:
    """The limit, and this program, on pairs to classify. ``batch``: tokens."""
    engine = ClassifierEngine(model_folder(str(folder)), Precision(threads=1, batch_tokens=batch))
    engine.load()
    requests = [Classify(premise, hypothesis) for premise, hypothesis in pairs]
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    useful = sum(len(tokenizer(premise, hypothesis).input_ids) for premise, hypothesis in pairs)
    print(f"  tokens: {useful:,}")
    model: Any = BertForSequenceClassification.from_pretrained(folder)
    model.eval()

    def limit() -> None:
        with torch.inference_mode():
            for shape in rows_of(useful):
                model(torch.randint(1000, model.config.vocab_size, shape))

    def ours() -> list[float]:
        asked: list[Any] = [engine.prepare(request) for request in requests]
        return [float(answer[0].values[0] or 0.0) for answer in engine.answer(asked)]

    def in_full() -> list[float]:
        """The same with the whole last layer run for every token, as the limit does."""
        kept, engine.first_alone = engine.first_alone, False
        try:
            return ours()
        finally:
            engine.first_alone = kept

    return [Task("limit", limit), Task("gramprobe", ours), Task("in full", in_full)]


def measured(tasks: Sequence[Task], rounds: int) -> tuple[dict[str, float], dict[str, Sequence[float]]]:
    """Median CPU seconds of each task, the tasks in turn; and the scores of the last round."""
    seconds: dict[str, list[float]] = {task.name: [] for task in tasks}
    scores: dict[str, Sequence[float]] = {}
    for _ in range(rounds):  # what is done once (buffers, caches of kernels) is in the first round
        for task in tasks:
            start = time.process_time()
            found = task.run()
            seconds[task.name].append(time.process_time() - start)
            print(f"  {task.name} {seconds[task.name][-1]:.2f}", end="", flush=True)
            if found is not None:
                scores[task.name] = found
    print()
    return {name: statistics.median(found) for name, found in seconds.items()}, scores


def report_causal(key: str, folder: Path, texts: Sequence[tuple[str, str, str]], rounds: int, batch: int) -> None:
    """The figures of a causal model."""
    print(f"{key}, log P of {2 * len(texts)} continuations")
    tasks = causal_tasks(folder, texts, batch)
    seconds, scores = measured(tasks, rounds)
    own, largest = scores["gramprobe"], 0.0
    for task in tasks:
        line = f"  {task.name:10s} {seconds[task.name]:7.2f} CPU s"
        if task.name in ("lm-eval", "minicons"):
            apart = [abs(a - b) for a, b in zip(own, scores[task.name], strict=True)]
            largest = max(largest, *apart)
            line += f"   differs by at most {max(apart):.1e} nats, median {statistics.median(apart):.1e}"
            if max(apart) > AGREEMENT:
                raise SystemExit(f"{line}\n  the programs do not score the same thing: no figure is worth anything")
        print(line, flush=True)
    ours = seconds["gramprobe"]
    record_figures(
        {
            key: seconds["limit"] / ours,
            f"{key}_lm_eval": seconds["lm-eval"] / ours,
            f"{key}_minicons": seconds["minicons"] / ours,
            f"{key}_apart": largest,
        }
    )


def report_classifier(key: str, folder: Path, pairs: Sequence[tuple[str, str]], rounds: int, batch: int) -> None:
    """The figure of a classifier."""
    print(f"{key}, {len(pairs)} pairs classified")
    seconds, _ = measured(classifier_tasks(folder, pairs, batch), rounds)
    full = seconds["in full"]
    print(f"  with all of the last layer {full:.2f} CPU s: {seconds['limit'] / full:.3f} of the limit")
    record_figures({key: seconds["limit"] / seconds["gramprobe"]})


SHOTS = 3
"""Answered examples before each question."""


def shots_tasks(folder: Path, pairs: Sequence[tuple[str, str]], batch: int) -> list[Task]:
    """The shipped prompts about pairs, behind answered examples: questions in rows of their own, and in shared rows."""
    engine = CausalEngine(model_folder(str(folder)), Precision(threads=1, batch_tokens=batch))
    print(f"  rows: {engine.load()['rows']}")
    every = [{"premise": premise, "hypothesis": hypothesis} for premise, hypothesis in pairs]
    labels = ("entailment", "neutral", "contradiction")
    examples = [{**row, "label": labels[number % 3]} for number, row in enumerate(every[:SHOTS])]
    requests = [
        Continue(prompt.context(row, examples, chat=False), prompt.spellings(chat=False))
        for row in every[SHOTS:]
        for prompt in prompts.load()
    ]
    prepared: list[Any] = [engine.prepare(request) for request in requests]
    groups = [group for each in prepared for group in each.groups]
    lists = joined(groups, batch)
    rows = [
        joint_row(own, beginning(own)) if own[1:] else branch_row(own[0])
        for own in ([groups[n] for n in each] for each in lists)
    ]
    alone, shared = (sum(len(row.ids) for row in own) for own in (map(branch_row, groups), rows))
    print(f"  {len(groups)} questions: {alone:,} tokens in rows of their own, {shared:,} in {len(rows)} shared rows")

    def of(join: Callable[..., list[list[int]]]) -> Callable[[], Sequence[float]]:
        def call() -> Sequence[float]:
            setattr(forward, "joined", join)  # noqa: B010
            try:
                return [float(part.values[0] or 0.0) for answer in engine.answer(prepared) for part in answer]
            finally:
                setattr(forward, "joined", joined)  # noqa: B010

        return call

    return [
        Task("rows of their own", of(lambda groups, _: [[n] for n in range(len(groups))])),
        Task("shared", of(joined)),
    ]


def report_shots(folder: Path, pairs: Sequence[tuple[str, str]], rounds: int, batch: int) -> None:
    """The figure of few-shot questions."""
    print(f"{len(pairs) - SHOTS} pairs prompted with {SHOTS} examples")
    seconds, scores = measured(shots_tasks(folder, pairs, batch), rounds)
    alone, shared = scores.values()
    apart = max(abs(a - b) for a, b in zip(alone, shared, strict=True))
    print(f"  they differ by at most {apart:.1e} nats", flush=True)
    if apart > AGREEMENT:
        raise SystemExit("  they do not score the same thing: no figure is worth anything")
    record_figures({"shots": seconds["rows of their own"] / seconds["shared"]})


def finetune_tasks(folder: Path, work: Path, count: int, seed: int) -> tuple[list[Task], int]:
    """A bare loop, and this program, on an epoch of ``count`` pairs in batches of eight; and their tokens."""
    from transformers import TrainerCallback

    from gramprobe.finetune import train
    from gramprobe.finetune.order import TrainingOrder
    from gramprobe.finetune.start import start_of
    from gramprobe.score.engines.padding import inputs

    order = TrainingOrder(source="", model=str(folder), out=str(work), epochs=1, new_head=True, seed=seed)
    start = start_of(order)
    project = gramprobe.load(names=["theory_of_mind/training_1"])
    rows = project.paradigm("theory_of_mind/training_1").sample(count, seed=seed).to_pylist()
    texts = [start.tokens.pair(row["premise"], row["hypothesis"]) for row in rows]
    examples = train.Examples([Text(*text) for text in texts], [row["label"] for row in rows])
    seconds: list[float] = []

    def bare() -> None:
        torch.manual_seed(seed)
        model, _ = start.load()
        numbers = list(range(count))
        random.Random(seed).shuffle(numbers)
        steps = -(-count // order.batch)
        optimizer = torch.optim.AdamW(model.parameters(), lr=order.learning_rate, weight_decay=0.0, fused=True)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / steps)
        model.train()
        begun = time.process_time()
        for first in range(0, count, order.batch):
            batch = numbers[first : first + order.batch]
            given = inputs([examples.texts[n] for n in batch], start.pad, start.typed, "cpu")
            logits = model(**given).logits
            torch.nn.functional.cross_entropy(logits, torch.tensor([examples.labels[n] for n in batch])).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        seconds.append(time.process_time() - begun)

    class Clock(TrainerCallback):  # type: ignore[misc]
        def on_epoch_begin(self, *_: Any, **__: Any) -> None:
            self.begun = time.process_time()

        def on_epoch_end(self, *_: Any, **__: Any) -> None:
            seconds.append(time.process_time() - self.begun)

    def ours() -> None:
        set_seed(seed)
        model, _ = start.load()
        trainer = train.trainer_of(order, start, examples, model, work, Clock())
        trainer.args.save_strategy = "no"
        trainer.train()

    def timed(run: Callable[[], None]) -> Callable[[], Sequence[float]]:
        def call() -> Sequence[float]:
            run()
            return [seconds.pop()]

        return call

    tokens = sum(len(ids) for ids, _ in texts)
    return [Task("loop", timed(bare)), Task("gramprobe", timed(ours))], tokens


def report_finetune(folder: Path, work: Path, count: int, rounds: int, seed: int) -> None:
    """The figure of fine-tuning."""
    tasks, tokens = finetune_tasks(folder, work, count, seed)
    print(f"an epoch of {count} pairs, {tokens:,} tokens")
    seconds: dict[str, list[float]] = {task.name: [] for task in tasks}
    for _ in range(rounds):
        for task in tasks:
            found = task.run()
            assert found is not None
            seconds[task.name] += found
            print(f"  {task.name} {found[0]:.2f}", end="", flush=True)
    print()
    loop, ours = (statistics.median(seconds[task.name]) for task in tasks)
    print(f"  loop {tokens / loop:,.0f} tokens per CPU s, gramprobe {tokens / ours:,.0f}")
    record_figures({"finetune": loop / ours})


def random_gpt2(folder: Path, tokenizer: Path) -> None:
    """Write a model of the size and kind of GPT-2 small with random weights, and another model's tokenizer."""
    torch.manual_seed(0)
    names: Any = AutoTokenizer.from_pretrained(tokenizer)
    GPT2LMHeadModel(GPT2Config(vocab_size=len(names), bos_token_id=0, eos_token_id=0)).save_pretrained(folder)
    names.save_pretrained(folder)


def random_bert(folder: Path, tokenizer: Path) -> None:
    """Write a three-way classifier of the size and kind of BERT base with random weights."""
    torch.manual_seed(0)
    names: Any = AutoTokenizer.from_pretrained(tokenizer)
    labels = {0: "entailment", 1: "neutral", 2: "contradiction"}
    BertForSequenceClassification(BertConfig(vocab_size=len(names), id2label=labels)).save_pretrained(folder)
    names.save_pretrained(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=Path("models"), help="what `make models` wrote")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--batch-tokens", type=int, default=Precision().batch_tokens, help="tokens in a forward pass, padding included"
    )
    parser.add_argument("--only", choices=("smollm2", "gpt2", "shots", "nli", "finetune"), help="one part alone")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rounds, batch = options.rounds, options.batch_tokens
    smollm2 = options.models / "smollm2-135m"

    def asked(part: str) -> bool:
        return options.only in (None, part)

    with tempfile.TemporaryDirectory() as made:
        texts = contexts(options.pairs // 2, options.seed) if asked("smollm2") or asked("gpt2") else []
        if asked("smollm2"):
            report_causal("smollm2", smollm2, texts, rounds, batch)
        if asked("gpt2"):
            random_gpt2(Path(made) / "gpt2", smollm2)
            report_causal("gpt2", Path(made) / "gpt2", texts, rounds, batch)
        if asked("shots"):
            report_shots(smollm2, inferences(options.pairs // 4, options.seed), rounds, batch)
        if asked("nli"):
            pairs = inferences(options.pairs // 2, options.seed)
            random_bert(Path(made) / "bert", options.models / "minilm-l6")
            report_classifier("bert", Path(made) / "bert", pairs, rounds, batch)
            report_classifier("minilm", options.models / "minilm-l6-nli", pairs, rounds, batch)
        if asked("finetune"):
            report_finetune(options.models / "minilm-l6", Path(made), 2 * options.pairs, rounds, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
