"""Hold the folder of a trained model against itself: nothing in it may contradict the rest of it.

What a training reached shows only by training again. But a record that counts otherwise than its rows, a sum that is
not that of its parts, or weights that nothing has trained would go into tables without a word.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UNSET

from gramprobe.certify.rule import LABELS
from gramprobe.finetune.record import DYNAMICS, ENTAILMENT, EXAMPLE, RECORD, SHOWN, Right, Rows, Training, rule
from gramprobe.score.record import READ_FILES

if TYPE_CHECKING:
    import pyarrow as pa

CLOSE = 1e-3
"""How far a probability or a time may be rounded."""
CONFIG = "config.json"
ADAPTER = "adapter_config.json"
"""Says which further weights are put into a model that is loaded."""
HEADS = ("classifier", "masked", "causal", "encoder")
"""The kinds of models that are trained; the first has a head for labels."""


def contradictions(record: Training) -> Iterator[str]:
    """What in a record contradicts the rest of it, as clauses."""
    settings = record.settings
    if settings.source != record.source.sha256:
        yield "`source` has two hashes"
    if not (settings.weights and settings.tokenizer and settings.config):
        yield "a hash of the weights, the tokenizer or the configuration is missing"
    if not all((record.model.name, record.source.name, *(each.gramprobe for each in record.sessions))):
        yield "a name or a version is empty"
    if record.model.kind not in HEADS or (record.model.kind == HEADS[0]) == settings.new_head:
        yield f"a model of the kind `{record.model.kind}` is not trained so"
    if not settings.tables or len({*settings.tables}) < len(settings.tables):
        yield "`tables` names none, or one twice"
    if not (settings.epochs and settings.batch and 0 < settings.rate < math.inf):
        yield "there is no epoch, an empty batch, or no rate of learning"
    if record.new_weights and not settings.new_head:
        yield "weights began as random numbers, and no head was made"
    yield from _wrong_labels(record)
    yield from _wrong_rows(record.train, record)
    yield from _wrong_rows(record.validation, record)
    if settings.size is not None and record.train.instances != settings.size:
        yield f"it is trained on {record.train.instances:,} instances, and its `size` is {settings.size:,}"
    yield from _wrong_words(record)
    yield from _wrong_epochs(record)
    yield from _wrong_tests(record)
    files = {} if record.files is UNSET else record.files
    if record.complete and (
        len(record.epochs) < settings.epochs
        or not record.sessions
        or not {DYNAMICS, CONFIG} < files.keys()
        or not any(name.endswith(".safetensors") for name in files)
    ):
        yield "it is said to be complete, and lacks an epoch, a session, or the hash of its dynamics or its model"
    if any(Path(name).name != name for name in files):
        yield "a file of it is in another folder"
    if any(files.get(name) == sha256 for name, sha256 in settings.weights.items()):
        yield "its weights are those that it began with"
    if any(each.from_epoch > settings.epochs or not 0 <= each.seconds < math.inf for each in record.sessions):
        yield "a session begins behind the last epoch, or took less than no time"


def _wrong_labels(record: Training) -> Iterator[str]:
    """What is wrong with the labels of the data and of the head."""
    mapped, head = record.settings.labels, record.settings.head
    others = {to for label, to in mapped.items() if label != ENTAILMENT}
    if (
        len({*head}) < len(head)
        or len(head) not in (2, len(LABELS))
        or not {ENTAILMENT, *mapped.values()} <= {*head}
        or mapped.get(ENTAILMENT) != ENTAILMENT
        or ENTAILMENT in others
        or (len(others) > 1 and any(label != to for label, to in mapped.items()))
    ):
        yield "its labels are not those of its head"
    elif record.mapping != rule(mapped):
        yield f"`mapping` is not what is done with the labels: {rule(mapped)}"


def _wrong_rows(rows: Rows, record: Training) -> Iterator[str]:
    if sum(rows.labels.values()) != rows.examples or not rows.labels.keys() <= record.settings.labels.keys():
        yield "the labels of its rows are not as many as its examples, or not those of its settings"
    if not 0 < rows.instances <= rows.examples <= rows.tokens:
        yield "it has rows without an instance or without tokens"


def _wrong_words(record: Training) -> Iterator[str]:
    examples = [record.validation.examples, *(each.all.examples for each in record.tests)]
    names = ["validation", *record.settings.tests]
    if [each.rows for each in record.words] != names:
        yield "`words` is not about its validation rows and then each of its tests"
    for each, most in zip(record.words, examples, strict=False):
        if each.shared > each.train or (each.shared and not each.other) or each.same_pairs > most:
            yield f"more is shared with `{each.rows}` than there is"
        if len({*each.examples}) != min(each.shared, SHOWN):
            yield f"the words that are shared with `{each.rows}` are not as many as are named"


def _wrong_epochs(record: Training) -> Iterator[str]:
    numbers = [each.epoch for each in record.epochs]
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) > record.settings.epochs:
        yield f"its epochs are not those from 1 to {record.settings.epochs}"
    for each in record.epochs:
        yield from _wrong_share(each.validation, record)
        if each.validation.examples != record.validation.examples:
            yield f"epoch {each.epoch} is measured on other rows than those of its validation"
        if not (0 <= each.loss < math.inf and 0 <= each.validation_loss < math.inf):
            yield "a loss is below 0"
        if not 0 <= each.train_seconds <= each.seconds + CLOSE:
            yield f"epoch {each.epoch} trained longer than it lasted, or less than no time"


def _wrong_tests(record: Training) -> Iterator[str]:
    names = [each.rows for each in record.tests]
    if names != list(record.settings.tests)[: len(names)] or (record.complete and len(names) < len(record.words) - 1):
        yield "its tests are not those of its settings"
    for tested in record.tests:
        parts = tested.conditions.values()
        for each in (tested.all, *parts):
            yield from _wrong_share(each, record)
        counted = sum(each.examples for each in parts)
        right, binary = (
            math.fsum(getattr(each, name) * each.examples for each in parts) for name in ("accuracy", "binary_accuracy")
        )
        whole = tested.all
        if counted != whole.examples or not (
            math.isclose(right, whole.accuracy * counted, abs_tol=CLOSE)
            and math.isclose(binary, whole.binary_accuracy * counted, abs_tol=CLOSE)
        ):
            yield f"what it reaches on `{tested.rows}` is not that of its conditions together"


def _wrong_share(right: Right, record: Training) -> Iterator[str]:
    """What is wrong with a share of right answers: each example counts whole, or where labels tie its share of them."""
    ways = math.lcm(*range(1, len(record.settings.head) + 1))
    for share in (right.accuracy, right.binary_accuracy):
        if not 0 <= share <= 1:
            yield "an accuracy is not between 0 and 1"
        elif abs(share * right.examples * ways - round(share * right.examples * ways)) > CLOSE:
            yield f"an accuracy is none that {right.examples:,} examples can have"
    if not right.examples or right.accuracy > right.binary_accuracy + CLOSE / right.examples:
        yield "more labels are right than are entailment or not, as they should be"


def wrong_model(folder: Path, record: Training) -> str:
    """What in the files of a finished training is of another model than its record says; empty where nothing is.

    Files that nobody reads a model from (notes, a card, results) may stand beside it.
    """
    if not record.complete or record.files is UNSET:
        return ""
    read = (*READ_FILES, ADAPTER)
    there = [file.name for file in sorted(folder.iterdir()) if any(file.match(pattern) for pattern in read)]
    strange = next((name for name in there if name not in record.files), None)
    if strange is not None:
        return f"{RECORD} knows of no file `{strange}`"
    try:
        names = json.loads((folder / CONFIG).read_bytes())["id2label"]
        head = [names[str(number)] for number in range(len(names))]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return f"{CONFIG} does not say what the labels of the head are"
    return "" if head == record.settings.head else f"the labels of {CONFIG} are not those of the record's `head`"


def wrong_rows(table: pa.Table, record: Training) -> str:
    """What in the rows of dynamics.parquet contradicts itself or the record; empty where nothing does."""
    import numpy as np
    import pyarrow.compute as pc

    epochs, examples = len(record.epochs), record.train.examples
    if len(table) != epochs * examples or not examples:
        return f"it has {len(table):,} rows, and the record says {examples:,} examples in {epochs} epochs"
    if any(column.null_count for column in table.columns):
        return "a cell is empty"
    if not np.array_equal(table.column("epoch").to_numpy(), np.repeat(np.arange(1, epochs + 1), examples)):
        return "its rows are not epoch after epoch"
    names = table.select(EXAMPLE)
    first = names.slice(0, examples)
    if any(not names.slice(n * examples, examples).equals(first) for n in range(epochs)):
        return "an epoch has other examples than the first one"
    if len(first.group_by(["item", "part"]).aggregate([])) != examples:
        return "an example stands twice"
    counts = {each["values"]: each["counts"] for each in pc.value_counts(first.column("label")).to_pylist()}
    if counts != {label: rows for label, rows in record.train.labels.items() if rows}:
        return "its labels are not those of the record"
    wrong = _wrong_examples(first, record)
    if wrong:
        return wrong
    probability, correct = (table.column(name).to_numpy() for name in ("probability", "correct"))
    if not ((probability >= 0) & (probability <= 1)).all():
        return "a probability is not between 0 and 1"
    least = 1 / len(record.settings.head) - CLOSE
    if (correct & (probability < least)).any() or (~correct & (probability > 0.5 + CLOSE)).any():
        return "`correct` is not what the probability says"
    return ""


def _wrong_examples(examples: pa.Table, record: Training) -> str:
    """What is wrong with the names of the examples: an item is `PHENOMENON/PARADIGM/INSTANCE/CONDITION`."""
    instances = set[str]()
    for item, paradigm, condition in zip(
        *(examples.column(name).to_pylist() for name in ("item", "paradigm", "condition")), strict=True
    ):
        if paradigm not in record.settings.tables:
            return f"`{paradigm}` is none of the paradigms of the record"
        instance = item.removesuffix(f"/{condition}")
        if instance == item or instance.split("/")[1:2] != [paradigm]:
            return f"`{item}` is no item of the condition `{condition}` of `{paradigm}`"
        instances.add(instance)
    if len(instances) != record.train.instances:
        return f"its examples are of {len(instances):,} instances, and the record says {record.train.instances:,}"
    return ""
