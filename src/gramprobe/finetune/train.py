"""Training with the Trainer of Hugging Face: every setting that decides the weights is named here.

The Trainer steps through shuffled batches, clips gradients, and keeps what it needs to go on (weights, optimizer,
schedule, generators of random numbers) at the end of each epoch. What an epoch reaches is measured by plain forward
passes in evaluation mode, which draw no random number: a training that is killed ends with the weights of one that is
not.
"""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from transformers import Trainer, TrainerCallback, TrainingArguments, set_seed
from transformers.trainer_callback import PrinterCallback

from gramprobe.finetune.order import TrainingOrder
from gramprobe.finetune.record import Epoch, Right
from gramprobe.finetune.results import disk_errors
from gramprobe.finetune.start import Start
from gramprobe.records import Record
from gramprobe.score.engines.padding import Text, inputs
from gramprobe.score.engines.rows import batches
from gramprobe.source import messages

OPTIMIZER, BETAS, EPSILON, WEIGHT_DECAY = "adamw_torch_fused", (0.9, 0.999), 1e-8, 0.0
SCHEDULE, WARMUP_STEPS, MAX_GRAD_NORM = "linear", 0, 1.0
"""The Trainer's defaults when Cohen (2021) was written, but for the fused form of AdamW, which is the same formula."""
MEASURED_TOKENS = {"cpu": 2048}
"""Device -> tokens, padding included, of a forward pass that measures; elsewhere 16,384."""
WHOLE = "whole"
"""The file that says that a checkpoint was written to its end."""

Floats = NDArray[np.float64]
Show = Callable[[str, int, int], None]
"""Is called with the progress: what is being done, how much is done, of how much."""


@dataclass(frozen=True)
class Examples:
    """Examples for a model: their tokens, and the number of each one's label among the outputs of the head."""

    texts: Sequence[Text]
    labels: Sequence[int]

    @property
    def tokens(self) -> int:
        return sum(len(text.ids) for text in self.texts)


class Left(Record, frozen=True, kw_only=True):
    """What a finished epoch leaves in the folder of progress. `probabilities`, `correct`: of each training example."""

    epoch: Epoch
    probabilities: list[float]
    correct: list[bool]


@dataclass
class Trained:
    """A trained model with what its epochs left, and the names of weights that began as random numbers."""

    model: Any
    epochs: list[Left]
    new_weights: list[str]
    from_epoch: int


def train(
    order: TrainingOrder,
    start: Start,
    train: Examples,
    measure: Callable[[Any], tuple[float, Right]],
    progress: Path,
    show: Show,
) -> Trained:
    """Train a model, or go on where a training with the folder ``progress`` was broken off.

    ``measure``: the mean loss on validation rows and what the model reaches there. Raises UsageError for a model that
    cannot be loaded (E91) and a loss that is no number (E59), OSError for a disk that is full.
    """
    set_seed(order.seed)
    model, new_weights = start.load()
    checkpoint = _last_checkpoint(progress)
    steps = math.ceil(len(train.texts) / order.batch)
    begun = _epochs_of(checkpoint, steps)
    keeper = _Keeper(order, start, train, measure, progress, show, steps)
    trainer = trainer_of(order, start, train, model, progress, keeper)
    keeper.trainer = trainer
    with disk_errors(progress):
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    return Trained(trainer.model, [_left(progress, n) for n in range(1, order.epochs + 1)], new_weights, begun)


def trainer_of(
    order: TrainingOrder, start: Start, train: Examples, model: Any, folder: Path, callback: Any
) -> _Trainer:
    """The Trainer of an order, with the folder of its checkpoints and what it calls while it trains."""
    settings = arguments(order, folder)
    settings._n_gpu = min(1, settings.n_gpu)  # one device, whatever else there is
    trainer = _Trainer(
        model=model,
        args=settings,
        train_dataset=list(range(len(train.texts))),
        data_collator=lambda numbers: _batch(start, train, numbers),
        callbacks=[callback],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


@contextmanager
def computing(order: TrainingOrder) -> Iterator[None]:
    """Within this context the threads and the precision of products are those of the order."""
    threads, precision = torch.get_num_threads(), torch.get_float32_matmul_precision()
    torch.set_num_threads(order.threads)
    torch.set_float32_matmul_precision(order.matmul)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.set_float32_matmul_precision(precision)


def arguments(order: TrainingOrder, folder: Path) -> TrainingArguments:
    """The settings of the Trainer: none that decides the weights is left to a default that may move."""
    return TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=order.epochs,
        per_device_train_batch_size=order.batch,
        gradient_accumulation_steps=1,
        learning_rate=order.learning_rate,
        lr_scheduler_type=SCHEDULE,
        warmup_steps=WARMUP_STEPS,
        optim=OPTIMIZER,
        adam_beta1=BETAS[0],
        adam_beta2=BETAS[1],
        adam_epsilon=EPSILON,
        weight_decay=WEIGHT_DECAY,
        max_grad_norm=MAX_GRAD_NORM,
        label_smoothing_factor=0.0,
        bf16=False,
        fp16=False,
        seed=order.seed,
        data_seed=order.seed,
        dataloader_drop_last=False,
        dataloader_num_workers=0,
        dataloader_pin_memory=False,
        remove_unused_columns=False,
        use_cpu=order.device == "cpu",
        eval_strategy="no",
        logging_strategy="no",
        save_strategy="epoch",
        save_total_limit=2,
        report_to=[],
        disable_tqdm=True,
        log_level="error",
    )


class _Trainer(Trainer):  # type: ignore[misc]
    """The Trainer with the loss written out, so that it is the mean over the examples of a batch in any release."""

    total = 0.0
    count = 0

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        loss = torch.nn.functional.cross_entropy(outputs.logits.float(), labels)
        self.total = self.total + loss.detach() * len(labels)
        self.count += len(labels)
        return (loss, outputs) if return_outputs else loss


@dataclass
class _Keeper(TrainerCallback):  # type: ignore[misc]
    """Measures each epoch at its end, keeps what it found, and marks checkpoints that are whole."""

    order: TrainingOrder
    start: Start
    examples: Examples
    measure: Callable[[Any], tuple[float, Right]]
    progress: Path
    show: Show
    steps: int
    trainer: Any = None
    begun: float = field(default_factory=time.monotonic)

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.trainer.total, self.trainer.count, self.begun = 0.0, 0, time.monotonic()

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        epoch = math.ceil(state.global_step / self.steps)
        self.show(f"epoch {epoch} of {self.order.epochs}", state.global_step, self.steps * self.order.epochs)

    def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        number = round(state.global_step / self.steps)
        trained = time.monotonic() - self.begun
        loss = float(self.trainer.total) / self.trainer.count
        if not math.isfinite(loss):
            raise messages.finetune.not_a_number(number)
        self.show(f"epoch {number}: measuring", 0, 0)
        model = self.trainer.model
        logs = log_probabilities(model, self.start, self.examples.texts)
        gold = logs[np.arange(len(logs)), self.examples.labels]
        validation_loss, validation = self.measure(model)
        epoch = Epoch(
            epoch=number,
            loss=round(loss, 6),
            validation=validation,
            validation_loss=round(validation_loss, 6),
            train_seconds=round(trained, 3),
            seconds=round(time.monotonic() - self.begun, 3),
        )
        left = Left(
            epoch=epoch,
            probabilities=np.exp(gold).tolist(),
            correct=is_right(logs, self.examples.labels).tolist(),
        )
        (self.progress / f"epoch-{number}.json").write_bytes(msgspec.json.encode(left))

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        (self.progress / f"checkpoint-{state.global_step}" / WHOLE).touch()


def log_probabilities(model: Any, start: Start, texts: Sequence[Text]) -> Floats:
    """(texts, labels of the head): log-probabilities in nats, in evaluation mode. Draws no random number."""
    found: Floats = np.empty((len(texts), len(start.head)))
    device = model.device.type
    limit = MEASURED_TOKENS.get(device, 16384)
    model.eval()
    with torch.inference_mode():
        for batch in batches([len(text.ids) for text in texts], limit, device):
            logits = model(**inputs([texts[n] for n in batch], start.pad, start.typed, model.device)).logits
            found[batch] = torch.log_softmax(logits.float(), -1).double().cpu().numpy()
    return found


def is_right(logs: Floats, labels: Sequence[int]) -> NDArray[np.bool_]:
    """(examples,) whether the label is likelier than every other; a tie is no right answer."""
    gold = logs[np.arange(len(logs)), labels]
    others = logs.copy()
    others[np.arange(len(logs)), labels] = -np.inf
    right: NDArray[np.bool_] = gold > others.max(axis=1)
    return right


def _batch(start: Start, examples: Examples, numbers: Sequence[int]) -> dict[str, Any]:
    batch = inputs([examples.texts[n] for n in numbers], start.pad, start.typed, "cpu")
    return {**batch, "labels": torch.tensor([examples.labels[n] for n in numbers])}


# -- checkpoints


def _last_checkpoint(progress: Path) -> Path | None:
    """The last checkpoint that is whole; those that are not are deleted."""
    found: dict[int, Path] = {}
    for place in progress.glob("checkpoint-*"):
        if (place / WHOLE).is_file():
            found[int(place.name.rpartition("-")[2])] = place
        else:
            shutil.rmtree(place)
    return found[max(found)] if found else None


def _epochs_of(checkpoint: Path | None, steps: int) -> int:
    return int(checkpoint.name.rpartition("-")[2]) // steps if checkpoint else 0


def _left(progress: Path, epoch: int) -> Left:
    return msgspec.json.decode((progress / f"epoch-{epoch}.json").read_bytes(), type=Left)
