"""Messages about fine-tuning: datasets to train on, heads, folders of trained models."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import listed


def unusable_data(name: str, what: str, help: str) -> UsageError:
    return UsageError(f"`{name}` cannot be trained or tested on: {what}", help, "E58")


def no_split(name: str, split: str) -> UsageError:
    return UsageError(
        f"`{name}` has no rows of the split `{split}`",
        "give the paradigm a line such as `split train 3000, validation 1000`; where it has one, build more instances: "
        "the splits are filled in their order",
        "E58",
    )


def too_large(name: str, size: int, there: int) -> UsageError:
    return UsageError(
        f"--sizes asks for {size:,} instances, and `{name}` has {there:,} to train on",
        "take fewer, or `all`",
        "E58",
    )


def foreign_labels(labels: Sequence[str]) -> UsageError:
    return UsageError(
        f"the labels of the dataset are {listed(labels)}",
        "they must be entailment, neutral and contradiction, or entailment and not_entailment",
        "E58",
    )


def words_shared(rows: str, shared: int, examples: Sequence[str]) -> UsageError:
    some = "one word" if shared == 1 else f"{shared:,} words"
    return UsageError(
        f"the training rows share {some} with `{rows}`: {listed(examples)}{' ...' if shared > len(examples) else ''}",
        "draw the words of the two from different halves of the lexicon, or leave --disjoint-words out",
        "E58",
    )


def words_unknown(rows: str, unknown: Sequence[str]) -> UsageError:
    return UsageError(
        f"that the training rows share no word with `{rows}` cannot be shown: the words of {listed(unknown)} are not "
        "in design.json",
        "draw words and not sentences, or leave --disjoint-words out",
        "E58",
    )


def no_head(model: str, kind: str) -> UsageError:
    return UsageError(
        f"the model `{model}` has no head for labels of pairs: it is {kind}",
        "--new-head makes one of random weights, which training has to teach everything",
        "E91",
    )


def head_there(model: str) -> UsageError:
    return UsageError(
        f"the model `{model}` has a head for labels already, and --new-head would throw it away",
        "leave --new-head out; --labels says what its outputs are",
        "E91",
    )


def three_classes(model: str) -> UsageError:
    return UsageError(
        f"--two-labels two_class needs a head of two classes, and that of `{model}` has three",
        "give --two-labels neutral, or an encoder with --new-head",
        "E93",
    )


def too_long(name: str, count: int, of: int, first: str, reason: str) -> UsageError:
    return UsageError(
        f"{count:,} of {of:,} pairs of `{name}` cannot be given to this model, first `{first}`: {reason}",
        "take a model for longer texts, or a dataset of shorter ones: no text is ever cut",
        "E92",
    )


def not_a_number(epoch: int, smaller: float | None = None) -> UsageError:
    """``smaller``: a rate to try, where the folder is left empty; None: the folder keeps the training."""
    help = "take a smaller learning rate and another --out: --rate 0.00002"
    if smaller is not None:
        help = f"take a smaller learning rate: --rate {smaller:.10f}".rstrip("0")
    return UsageError(f"the loss of epoch {epoch} is no number", help, "E59")
