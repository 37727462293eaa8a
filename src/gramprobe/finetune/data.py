"""The rows of a training, and whether the folder of one that was made of them says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gramprobe.finetune.examples import TRAIN, VALIDATION, Example, Paradigms, opened, subset, trainable
from gramprobe.finetune.order import TrainingOrder
from gramprobe.finetune.record import EXAMPLE, Rows, SharedWords, Training
from gramprobe.finetune.results import SAYS, read_dynamics, read_training
from gramprobe.finetune.shared import shared_words
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa


class Data:
    """The rows of an order, and what training rows share with others. Raises UsageError (E44, E58).

    Attributes:
        part: what is trained and validated on.
        train, validation: its examples of the two splits, of the first those of the order's size.
        tests: what is tested on, each with its examples.
        words: what training rows share with validation rows and with each of the tests.
    """

    def __init__(self, order: TrainingOrder) -> None:
        self.part = trainable(opened(order.source))
        self.train = subset(self.part.split(TRAIN), order.size, order.seed, self.part.name)
        self.validation = self.part.split(VALIDATION)
        self.tests: list[tuple[Paradigms, list[Example]]] = []
        for place in order.tests:
            part = opened(place)
            rows = part.to_test()
            if not rows:
                raise messages.finetune.unusable_data(
                    part.name, "all of its rows are there to be trained on", "test on rows of another split"
                )
            self.tests.append((part, rows))
        names = [part.name for part, _ in self.tests]
        if len(set(names)) < len(names):
            raise UsageError(f"--test names `{next(n for n in names if names.count(n) > 1)}` twice", "name it once")
        others = [(self.part, self.validation, VALIDATION), *((part, rows, part.name) for part, rows in self.tests)]
        self.words = [shared_words((self.part, self.train), (part, rows), name) for part, rows, name in others]
        if order.disjoint_words:
            # with rows to test on, these are what has to be new, and validation rows may be like the training rows
            for each in self.words[1:] or self.words:
                _refuse_shared(each)


def _refuse_shared(words: SharedWords) -> None:
    if words.shared:
        raise messages.finetune.words_shared(words.rows, words.shared, words.examples)
    if words.unknown:
        raise messages.finetune.words_unknown(words.rows, words.unknown)


def rows_of(rows: Sequence[Example], tokens: int) -> Rows:
    """What a record says of examples. ``tokens``: how many they have for the model."""
    return Rows(
        instances=len({(row.table, row.instance) for row in rows}),
        examples=len(rows),
        tokens=tokens,
        labels=dict(sorted(Counter(row.label for row in rows).items())),
    )


def wrong_data(record: Training, data: Data, dynamics: pa.Table | None) -> str:
    """What the folder of a training says otherwise than the data that it is of; empty where nothing is.

    ``data``: of its dataset, its size and its seed, with some of its tests or all. ``dynamics``: its rows, where it is
    finished.
    """
    if record.settings.tables != list(data.part.tables):
        return "it is of other paradigms than the dataset has to train on"
    for name, rows, known in (("train", data.train, record.train), ("validation", data.validation, record.validation)):
        if rows_of(rows, known.tokens) != known:
            return f"`{name}` is not what the dataset has"
    words = {each.rows: each for each in record.words}
    other = next((each.rows for each in data.words if words.get(each.rows) != each), None)
    if other is not None:
        return f"what the training rows share with `{other}` is not what they share in the datasets"
    tested = {each.rows: each for each in record.tests}
    for part, rows in data.tests:
        counts = Counter(f"{row.table}/{row.condition}" for row in rows)
        own = tested.get(part.name)
        if own is not None and {name: each.examples for name, each in own.conditions.items()} != counts:
            return f"it is tested on other rows of `{part.name}` than the dataset has"
    if dynamics is None:
        return ""
    columns = [dynamics.column(name).slice(0, len(data.train)).to_pylist() for name in EXAMPLE]
    wanted = [(row.item, row.part, row.table, row.condition, row.label) for row in data.train]
    for found, row in zip(zip(*columns, strict=True), wanted, strict=True):
        if found != row:
            return f"in its dynamics `{found[0]}` is `{found[-1]}`, and the dataset has there `{row[0]}`, `{row[-1]}`"
    return ""


def check_training(folder: Path, datasets: Mapping[tuple[str, str], Path]) -> set[Path]:
    """Raise UsageError (E59) for the folder of a training that says otherwise than its datasets, as far as they are at
    hand; return those of them that it is of.

    ``datasets``: the name and the hash of the manifest -> folder.
    """
    record = read_training(folder)
    name, _, paradigm = record.source.name.partition("/")
    source = datasets.get((name, record.settings.source))
    if source is None:
        return set()
    tests = {}
    for rows, sha256 in record.settings.tests.items():
        dataset, _, part = rows.partition("/")
        if (dataset, sha256) in datasets:
            tests[rows] = datasets[dataset, sha256], part
    order = TrainingOrder(
        source=str(source / paradigm),
        model=record.model.name,
        out=str(folder),
        seed=record.settings.seed,
        size=record.settings.size,
        tests=tuple(str(place / part) for place, part in tests.values()),
    )
    wrong = wrong_data(record, Data(order), read_dynamics(folder, record) if record.complete else None)
    if wrong:
        raise SAYS.damaged(str(folder), wrong)
    return {source, *(place for place, _ in tests.values())}
