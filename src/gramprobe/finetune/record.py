"""What stands in the files of a trained model's folder: `finetune.json`, and a row of `dynamics.parquet`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, UnsetType

from gramprobe.records import Count, Record, Sha256
from gramprobe.score.record import ModelEntry, SourceEntry

if TYPE_CHECKING:
    import pyarrow as pa

RECORD, DYNAMICS = "finetune.json", "dynamics.parquet"
EXAMPLE = ("item", "part", "paradigm", "condition", "label")
"""The columns that name an example."""
FORMAT: Literal[1] = 1
ENTAILMENT = "entailment"
SHOWN = 8
"""How many shared words are named in the record."""


class TrainingSettings(Record, frozen=True, kw_only=True):
    """What decides the weights: a training goes on only with equal ones.

    `source`: the hash of the dataset's manifest. `tables`: its paradigms. `labels`: label of the data -> label of the
    head. `head`: the labels of the head in their order. `weights`, `tokenizer`, `config`: the hashes of the files that
    training starts from. `size`: instances, null for all. `rate`: the learning rate at the first step. `optimizer`,
    `betas`, `epsilon`, `weight_decay`, `schedule`, `warmup_steps`, `max_grad_norm`: of AdamW. `tests`: name of the
    rows -> hash of their dataset's manifest.
    """

    source: Sha256
    tables: list[str]
    labels: dict[str, str]
    head: list[str]
    new_head: bool
    weights: dict[str, Sha256]
    tokenizer: dict[str, Sha256]
    config: dict[str, Sha256]
    seed: Count
    size: Count | None
    epochs: Count
    batch: Count
    rate: float
    optimizer: str
    betas: list[float]
    epsilon: float
    weight_decay: float
    schedule: str
    warmup_steps: Count
    max_grad_norm: float
    device: str
    dtype: str
    matmul: str
    tests: dict[str, Sha256]


class Rows(Record, frozen=True, kw_only=True):
    """Rows that are trained or validated on: `labels` are counts by label of the data."""

    instances: Count
    examples: Count
    tokens: Count
    labels: dict[str, Count]


class SharedWords(Record, frozen=True, kw_only=True):
    """Entries of the lexicon that training rows share with other rows.

    `rows`: which. `train`, `other`: how many entries each side has. `shared`: how many of the training rows' stand on
    the other side too, or have a word that a form there has. `examples`: the first of them. `unknown`: draws whose
    words are not known: if there are any, nothing is proved. `same_pairs`: how many of the other rows have premise and
    hypothesis of a training row.
    """

    rows: str
    train: Count
    other: Count
    shared: Count
    examples: list[str]
    unknown: list[str]
    same_pairs: Count

    @property
    def disjoint(self) -> bool:
        """Whether it is proved that no word is shared."""
        return not self.shared and not self.unknown


class Right(Record, frozen=True, kw_only=True):
    """How much of some examples is right. `accuracy`: of the labels that the data's are mapped to. `binary_accuracy`:
    of entailment and its absence, the likeliest label collapsed. Labels that tie get their share each."""

    examples: Count
    accuracy: float
    binary_accuracy: float


class Epoch(Record, frozen=True, kw_only=True):
    """An epoch. `loss`: the mean cross-entropy of its examples while it trained, in nats. `validation`,
    `validation_loss`: at its end. `train_seconds`: of training alone; `seconds`: with what is measured at its end."""

    epoch: Count
    loss: float
    validation: Right
    validation_loss: float
    train_seconds: float
    seconds: float


class Tested(Record, frozen=True, kw_only=True):
    """What the trained model reaches on rows that it was not trained on, as a whole and by paradigm and condition."""

    rows: str
    all: Right
    conditions: dict[str, Right]


class TrainingSession(Record, frozen=True, kw_only=True):
    """One start of the training: from which epoch on, with what, and how long it took in seconds."""

    gramprobe: str
    versions: dict[str, str]
    from_epoch: Count
    threads: Count
    seconds: float


class Training(Record, frozen=True, kw_only=True):
    """The file finetune.json.

    `mapping`: what was done with the labels, in words. `new_weights`: what no file had: random numbers at the start.
    `words`: what training rows share with others. `epochs`, `tests`, `files`: filled in as they are finished. `files`:
    the hashes of the folder's files.
    """

    format: Literal[1]
    model: ModelEntry
    source: SourceEntry
    settings: TrainingSettings
    mapping: str
    train: Rows
    validation: Rows
    words: list[SharedWords]
    complete: bool
    new_weights: list[str]
    epochs: list[Epoch]
    tests: list[Tested]
    files: dict[str, Sha256] | UnsetType = UNSET
    sessions: list[TrainingSession]


class DynamicsRow(Record, frozen=True, kw_only=True):
    """A row of dynamics.parquet: a training example at the end of an epoch.

    `label`: of the data. `probability`: of the label that it is mapped to. `correct`: whether that label is the
    likeliest (no other is as likely).
    """

    item: str
    part: str
    paradigm: str
    condition: str
    label: str
    epoch: Count
    probability: float
    correct: bool


def rule(mapped: dict[str, str]) -> str:
    """What was done with the labels, in words. ``mapped``: label of the data -> label of the head."""
    if all(label == to for label, to in mapped.items()):
        return "labels as they are"
    to = next(to for label, to in mapped.items() if label != to)
    return f"every label but entailment counts as {to}"


def arrow_schema() -> pa.Schema:
    """The columns of dynamics.parquet."""
    import pyarrow as pa

    texts = [(name, pa.string()) for name in EXAMPLE]
    return pa.schema([*texts, ("epoch", pa.int32()), ("probability", pa.float64()), ("correct", pa.bool_())])
