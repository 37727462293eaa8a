"""Train the two heads of `scripts/models.py` on sentences of the shipped grammars: plain loops, one seed.

A head for entailment after Cohen (2021, section 4.2): AdamW, two epochs of the training split of `training_1`. A head
for masked words as in Devlin et al. (2019): 15 % of the tokens are predicted, of which 80 % are masked, 10 % replaced
by a random token and 10 % left.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
import transformers
from torch import Tensor
from torch.optim.lr_scheduler import LambdaLR, LRScheduler
from transformers import AutoTokenizer, BertForMaskedLM, BertForSequenceClassification

import gramprobe
from gramprobe.items.tasks import TASKS
from gramprobe.progress import report_progress

LABELS = ("entailment", "neutral", "contradiction")
SEED = 0
BATCH = 32
EPOCHS = 2
RATE = 1e-4
MASKED_STEPS = 100
MASKED_RATE = 3e-4
MASKED_FROM = ("presupposition", "implicature", "scope")
"""The phenomena whose sentences the masked model reads: not those that it is to score, de_re_de_dicto."""
INSTANCES, LONGEST = 40, 150
"""How many instances of each paradigm are read, and how many characters a sentence has at most: stories are left out,
since a batch is as long as its longest text."""
HELD_OUT = 256


def nli_head(encoder: Path, folder: Path) -> str:
    """Write ``encoder`` with a head for the three labels, trained on `theory_of_mind/training_1`, to ``folder``.

    Returns a sentence for its card.
    """
    prepare()
    tokenizer: Any = AutoTokenizer.from_pretrained(encoder)
    model: Any = BertForSequenceClassification.from_pretrained(
        encoder, num_labels=len(LABELS), id2label=dict(enumerate(LABELS)), label2id={n: i for i, n in enumerate(LABELS)}
    )
    with tempfile.TemporaryDirectory() as out:
        built = gramprobe.load(names=["theory_of_mind/training_1"]).build("theory_of_mind/training_1", out=out)
        dataset = gramprobe.read(built[0].folder)
        rows = {split: pairs(dataset, split) for split in ("train", "validation")}
    steps = [batch for epoch in range(EPOCHS) for batch in batches(rows["train"], seed=SEED + epoch)]
    optimizer, schedule = optimization(model, RATE, len(steps))
    start = time.process_time()
    model.train()
    for done, batch in enumerate(steps):
        report_progress("training", done, len(steps))
        encoded = tokenizer([p for p, _, _ in batch], [h for _, h, _ in batch], padding=True, return_tensors="pt")
        logits = model(**encoded).logits
        loss = torch.nn.functional.cross_entropy(logits, torch.tensor([label for _, _, label in batch]))
        step(loss, model, optimizer, schedule)
    seconds = time.process_time() - start
    right = accuracy(model, tokenizer, rows["validation"])
    save(model, tokenizer, folder)
    return (
        f"{len(steps)} steps of {BATCH} ({EPOCHS} epochs, AdamW, {RATE}), {seconds:.0f} CPU seconds, seed {SEED};\n"
        f"right on {right:.3f} of the {len(rows['validation'])} pairs of its validation split."
    )


def masked_head(encoder: Path, folder: Path) -> str:
    """Write ``encoder`` with a head for masked words, trained on sentences of `MASKED_FROM`, to ``folder``.

    Returns a sentence for its card.
    """
    prepare()
    tokenizer: Any = AutoTokenizer.from_pretrained(encoder)
    model: Any = BertForMaskedLM.from_pretrained(encoder)
    texts = sentences()
    random.Random(SEED).shuffle(texts)
    held_out, training = texts[:HELD_OUT], texts[HELD_OUT:]
    steps = list(batches(training, seed=SEED))[:MASKED_STEPS]
    optimizer, schedule = optimization(model, MASKED_RATE, len(steps))
    start = time.process_time()
    model.train()
    generator = torch.Generator().manual_seed(SEED)
    for done, batch in enumerate(steps):
        report_progress("training", done, len(steps))
        step(masked_loss(model, tokenizer, batch, generator), model, optimizer, schedule)
    seconds = time.process_time() - start
    model.eval()
    with torch.inference_mode():
        loss = masked_loss(model, tokenizer, held_out, torch.Generator().manual_seed(SEED)).item()
    save(model, tokenizer, folder)
    return (
        f"{len(steps)} steps of {BATCH} sentences (AdamW, {MASKED_RATE}), {seconds:.0f} CPU seconds, seed {SEED};\n"
        f"a masked token of {HELD_OUT} other sentences of the same grammars costs {loss:.2f} nats."
    )


def prepare() -> None:
    """The same weights in every run with as many threads on a processor of the same kind."""
    transformers.utils.logging.set_verbosity_error()  # that the heads are new is why they are trained
    torch.manual_seed(SEED)
    torch.set_float32_matmul_precision("medium")  # twice as fast here, and exact enough to train with


def pairs(dataset: gramprobe.Dataset, split: str) -> list[tuple[str, str, int]]:
    """Premise, hypothesis, label of the rows of a split of `training_1`."""
    rows: list[tuple[str, str, int]] = []
    for batch in dataset.rows("training_1", ["premise", "hypothesis", "label_name"], split=split):
        rows.extend((r["premise"], r["hypothesis"], LABELS.index(r["label_name"])) for r in batch.to_pylist())
    return rows


def sentences() -> list[str]:
    """The different sentences of the first instances of each paradigm of `MASKED_FROM`, in a fixed order; no texts."""
    project = gramprobe.load(names=list(MASKED_FROM))
    seen: dict[str, None] = {}
    for phenomenon in MASKED_FROM:
        for name in project.named(phenomenon):
            declared = project.declarations.paradigms[name]
            table = project.paradigm(name).sample(min(INSTANCES, declared.sample_size))
            for column in TASKS[declared.task].sentences:
                seen.update(
                    dict.fromkeys(text for text in table.column(column).to_pylist() if text and len(text) <= LONGEST)
                )
    return list(seen)


Item = TypeVar("Item")


def batches(items: Sequence[Item], seed: int) -> Iterator[list[Item]]:
    """The items in a random order, `BATCH` at a time."""
    order = list(items)
    random.Random(seed).shuffle(order)
    for first in range(0, len(order), BATCH):
        yield order[first : first + BATCH]


def masked_loss(model: Any, tokenizer: Any, texts: Sequence[str], generator: torch.Generator) -> Tensor:
    """The mean cost in nats of a predicted token. Logits are computed for predicted tokens only."""
    encoded = tokenizer(list(texts), padding=True, return_tensors="pt", return_special_tokens_mask=True)
    ids, ordinary = encoded["input_ids"], encoded.pop("special_tokens_mask") == 0
    predicted = (torch.rand(ids.shape, generator=generator) < 0.15) & ordinary
    drawn = torch.rand(ids.shape, generator=generator)
    shown = ids.masked_fill(predicted & (drawn < 0.8), tokenizer.mask_token_id)
    replaced = predicted & (drawn >= 0.9)
    shown[replaced] = torch.randint(1000, len(tokenizer), (int(replaced.sum()),), generator=generator)
    hidden = model.bert(**{**encoded, "input_ids": shown}).last_hidden_state[predicted]
    return torch.nn.functional.cross_entropy(model.cls(hidden), ids[predicted])


def optimization(model: Any, rate: float, steps: int) -> tuple[torch.optim.Optimizer, LRScheduler]:
    """AdamW with its defaults, the rate rising over the first tenth of the steps and falling to nothing."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    warm = max(1, steps // 10)
    return optimizer, LambdaLR(optimizer, lambda done: min((done + 1) / warm, (steps - done) / max(1, steps - warm)))


def step(loss: Tensor, model: Any, optimizer: torch.optim.Optimizer, schedule: LRScheduler) -> None:
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()


def accuracy(model: Any, tokenizer: Any, rows: Sequence[tuple[str, str, int]]) -> float:
    """The part of the rows whose label has the highest logit."""
    model.eval()
    right = 0
    with torch.inference_mode():
        for batch in batches(rows, seed=SEED):
            encoded = tokenizer([p for p, _, _ in batch], [h for _, h, _ in batch], padding=True, return_tensors="pt")
            found = model(**encoded).logits.argmax(-1)
            right += int((found == torch.tensor([label for _, _, label in batch])).sum())
    return right / len(rows)


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
