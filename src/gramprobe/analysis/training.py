"""What trainings reached, and the map of their examples (Swayamdipta et al. 2020).

An example's *confidence* is the mean probability of its label over the epochs, its *variability* the standard deviation
of that probability, its *correctness* the share of epochs at whose end the label is the likeliest. Examples of high
confidence are easy, of high variability ambiguous, of low confidence hard for this model, or wrongly labelled. All is
measured at the end of each epoch, with the weights of that moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from gramprobe.analysis.findings import Figure, Findings
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.finetune.record import DYNAMICS, EXAMPLE, RECORD, Training
from gramprobe.finetune.results import read_dynamics, read_training
from gramprobe.source import messages

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawn

Floats = NDArray[np.float64]
HARDEST = 20
"""How many examples of the lowest confidence are listed."""


@dataclass(frozen=True)
class Map:
    """The map of the examples of some trainings.

    Attributes:
        examples: (examples,) tuples of the columns `EXAMPLE`.
        confidence: (examples,) between 0 and 1.
        variability: (examples,) between 0 and 0.5.
        correctness: (examples,) between 0 and 1.
    """

    examples: list[tuple[str, ...]]
    confidence: Floats
    variability: Floats
    correctness: Floats


def data_map(folders: Sequence[Path], records: Sequence[Training] = ()) -> Map:
    """The map of the examples of trained models; of several, each example's numbers are their means over the models
    that were trained on it. ``records``: of the folders, where they are read already. Raises UsageError (E59)."""
    found: dict[tuple[str, ...], list[tuple[float, float, float]]] = {}
    for folder, record in zip_longest(folders, records):
        table = read_dynamics(folder, record)
        epochs = len(set(table.column("epoch").to_pylist()))
        # (epochs, examples): the examples stand in one order in every epoch
        probability = table.column("probability").to_numpy().reshape(epochs, -1)
        correct = table.column("correct").to_numpy(zero_copy_only=False).reshape(epochs, -1)
        names = zip(*(table.column(name).slice(0, probability.shape[1]).to_pylist() for name in EXAMPLE), strict=True)
        numbers = zip(probability.mean(axis=0), probability.std(axis=0), correct.mean(axis=0), strict=True)
        for example, (mean, deviation, share) in zip(names, numbers, strict=True):
            found.setdefault(example, []).append((float(mean), float(deviation), float(share)))
    means = np.array([np.mean(each, axis=0) for each in found.values()]).reshape(-1, 3)
    return Map(list(found), means[:, 0], means[:, 1], means[:, 2])


def training_findings(places: Sequence[Path]) -> Findings:
    """Tables and figures of trained models: folders of `gramprobe finetune`, or folders of such folders.

    Raises UsageError (E59) for a folder without a training, or with a damaged one.
    """
    folders = [folder for place in places for folder in folders_of(place)]
    twice = next((f for f, count in Counter(each.resolve() for each in folders).items() if count > 1), None)
    if twice is not None:
        raise messages.analysis.given_twice(twice.name)
    trainings = [read_training(folder) for folder in folders]
    done = [(folder, each) for folder, each in zip(folders, trainings, strict=True) if each.complete]
    warnings = list(_copies(done))
    if len(done) < len(folders):
        warnings.append(f"{len(folders) - len(done)} of {len(folders)} trainings are not finished, and left out")
    if not done:
        return Findings("training", "Training", (), (), tuple(warnings))
    tables = [_reached(done)]
    figures = []
    if len({training.train.instances for _, training in done}) > 1:
        tables.append(_curve([training for _, training in done]))
        figures.append(
            Figure(
                "learning_curve",
                "Accuracy by the number of training instances: a point for each training, lines through their means.",
                "Points from the smallest to the largest number of instances; the means are in the table.",
                partial(_draw_curve, [training for _, training in done]),
            )
        )
    most = max(training.train.instances for _, training in done)
    largest = [each for each in done if each[1].train.instances == most]
    mapped = data_map([folder for folder, _ in largest], [training for _, training in largest])
    tables.append(_by_condition(mapped))
    figures.append(
        Figure(
            "data_map",
            "The map of the training examples: variability and confidence, and whether the label was the likeliest at "
            "the end of every epoch, of some epochs, or of no epoch.",
            "Easy examples lie at the upper left, ambiguous ones at the right, hard ones at the lower left.",
            partial(_draw_map, mapped),
        )
    )
    return Findings(
        "training",
        "Training",
        tuple(tables),
        tuple(figures),
        tuple(warnings),
        details=(_hardest(mapped),),
    )


def _copies(done: Sequence[tuple[Path, Training]]) -> Iterator[str]:
    """A sentence about each training that gave the same probabilities, to the last digit, as one before it."""
    first: dict[str, Path] = {}
    for folder, training in done:
        files = {} if training.files is UNSET else training.files
        before = first.setdefault(files[DYNAMICS], folder)
        if before is not folder:
            yield f"{folder.name} has the dynamics of {before.name}: it may be one training, which counts twice here"


def folders_of(place: Path) -> list[Path]:
    """The folders with a training at a place, or one level below it, sizes before larger sizes."""
    if (place / RECORD).is_file() or not place.is_dir():
        return [place]
    below = [file.parent for file in sorted(place.glob(f"*/{RECORD}"))]
    return below or [place]


def _reached(done: Sequence[tuple[Path, Training]]) -> Table:
    names = list(dict.fromkeys(test.rows for _, training in done for test in training.tests))
    columns = [
        Column("training", "training"),
        Column("instances", "instances"),
        Column("seed", "seed"),
        Column("epochs", "epochs"),
        Column("loss", "loss", 3),
        percent("validation", "validation"),
        percent("validation_binary", "two labels"),
    ]
    for number, name in enumerate(names, 1):
        columns.append(percent(f"test_{number}", name))
        columns.append(percent(f"test_{number}_binary", "two labels"))
    rows = []
    for folder, training in done:
        last = training.epochs[-1]
        row: list[Value] = [
            folder.resolve().name, training.train.instances, training.settings.seed, last.epoch, last.loss,
            last.validation.accuracy, last.validation.binary_accuracy,
        ]  # fmt: skip
        reached = {test.rows: test.all for test in training.tests}
        for name in names:
            right = reached.get(name)
            row += [right.accuracy, right.binary_accuracy] if right else [None, None]
        rows.append(tuple(row))
    notes = [
        "Loss: of the last epoch, in nats. Accuracy: of the labels trained for, and of entailment and its absence."
    ]
    notes += sorted({f"{training.mapping[:1].upper()}{training.mapping[1:]}." for _, training in done})
    return Table("trainings", "What the trainings reached.", tuple(columns), tuple(rows), tuple(notes))


def _accuracies(training: Training) -> dict[str, float]:
    """What is measured -> accuracy."""
    tests = {test.rows: test.all.accuracy for test in training.tests}
    return {"validation": training.epochs[-1].validation.accuracy, **tests}


def _curve(trainings: Sequence[Training]) -> Table:
    sizes = sorted({training.train.instances for training in trainings})
    names = list(dict.fromkeys(name for training in trainings for name in _accuracies(training)))
    columns = [Column("instances", "instances"), Column("trainings", "trainings")]
    for number, name in enumerate(names):
        key = "validation" if not number else f"test_{number}"
        columns.append(percent(key, "mean", name))
        columns += [percent(f"{key}_{end}", end, name) for end in ("least", "most")]
    rows = []
    for size in sizes:
        own = [_accuracies(training) for training in trainings if training.train.instances == size]
        row: list[Value] = [size, len(own)]
        for name in names:
            values = [each[name] for each in own if name in each]
            row += [float(np.mean(values)), min(values), max(values)] if values else [None, None, None]
        rows.append(tuple(row))
    return Table("learning_curve", "Accuracy by the number of training instances.", tuple(columns), tuple(rows))


def _by_condition(mapped: Map) -> Table:
    groups: dict[tuple[str, str], list[int]] = {}
    for number, example in enumerate(mapped.examples):
        groups.setdefault((example[2], example[3]), []).append(number)
    columns = (
        Column("paradigm", "paradigm"),
        Column("condition", "condition"),
        Column("examples", "examples"),
        *_MEASURES,
    )
    rows: list[tuple[Value, ...]] = [
        (*names, len(own), *_measured(mapped, own)) for names, own in sorted(groups.items())
    ]
    notes = (
        "Confidence: mean probability of the label over the epochs; variability: its standard deviation; correctness: "
        "share of epochs at whose end the label is the likeliest. Means over the examples.",
    )
    return Table("data_map", "The map of the training examples, by condition.", columns, tuple(rows), notes, stub=2)


_MEASURES = tuple(Column(name, name, 3) for name in ("confidence", "variability", "correctness"))


def _measured(mapped: Map, own: Sequence[int]) -> Iterator[float]:
    """The means of some examples, in the order of the columns."""
    for column in _MEASURES:
        yield float(getattr(mapped, column.key)[own].mean())


def _hardest(mapped: Map) -> Table:
    columns = (*(Column(name, name) for name in EXAMPLE), *_MEASURES)
    order = np.argsort(mapped.confidence, kind="stable")[:HARDEST].tolist()
    rows = tuple((*mapped.examples[n], *_measured(mapped, [n])) for n in order)
    return Table("hardest", "The training examples of the lowest confidence.", columns, rows, stub=len(EXAMPLE))


def _draw_map(mapped: Map) -> Drawn:
    from gramprobe.analysis.output import figures

    of = {
        "always right": mapped.correctness == 1,
        "sometimes": (mapped.correctness > 0) & (mapped.correctness < 1),
        "never": mapped.correctness == 0,
    }
    points = {name: (mapped.variability[own], mapped.confidence[own]) for name, own in of.items() if own.any()}
    return figures.scatter(points, x="variability", y="confidence")


def _draw_curve(trainings: Sequence[Training]) -> Drawn:
    """A curve for each model that was trained and each set that it was measured on, a point for each training."""
    from gramprobe.analysis.output import figures

    several = len({training.model.name for training in trainings}) > 1
    points: dict[str, list[tuple[float, float]]] = {}
    for training in trainings:
        for name, accuracy in _accuracies(training).items():
            series = f"{training.model.name}, {name}" if several else name
            points.setdefault(series, []).append((float(training.train.instances), accuracy))
    return figures.curves(points, x="training instances", y="accuracy")
