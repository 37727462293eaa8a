"""What one training shall do."""

from __future__ import annotations

import msgspec

RATE, NEW_HEAD_RATE = 5e-5, 1e-4
"""The learning rate by default: the Trainer's when Cohen (2021) was written; a larger one for a head of new weights."""


class TrainingOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one training shall do.

    Attributes:
        source: a dataset folder, or `FOLDER/PARADIGM`.
        model: a folder, or an id of the Hugging Face hub.
        out: the folder of the trained model.
        revision: of a model on the hub, the commit or branch.
        seed: of new weights, dropout, the order of the examples, and the instances of a `size`.
        size: how many training instances are used; None: all.
        epochs: how often each example is seen.
        batch: examples in a step.
        rate: the learning rate at the first step; None: `RATE`, or `NEW_HEAD_RATE` for a new head.
        new_head: whether a head for the labels is made, of random weights.
        labels: of a classifier, the names of its outputs in their order; empty: as its configuration says.
        two_labels: `neutral`, where the absence of entailment counts as neutral of three labels, or `two_class`, of a
            head with two classes; None: three labels where data and head have them.
        tests: datasets (or `FOLDER/PARADIGM`) that the trained model is tested on.
        disjoint_words: whether to refuse training and test rows that share a word.
        device: `cpu`, `cuda`, `mps`.
        matmul: how exact products of float32 are, in the words of `torch.set_float32_matmul_precision`.
        threads: threads of the process, on the CPU.
        resume: whether to go on with a training that is there.
    """

    source: str
    model: str
    out: str
    revision: str | None = None
    seed: int = 0
    size: int | None = None
    epochs: int = 5
    batch: int = 8
    rate: float | None = None
    new_head: bool = False
    labels: tuple[str, ...] = ()
    two_labels: str | None = None
    tests: tuple[str, ...] = ()
    disjoint_words: bool = False
    device: str = "cpu"
    matmul: str = "highest"
    threads: int = 1
    resume: bool = False

    @property
    def learning_rate(self) -> float:
        """The learning rate at the first step."""
        return self.rate or (NEW_HEAD_RATE if self.new_head else RATE)
