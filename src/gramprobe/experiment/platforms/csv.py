"""Plain tables, for any program that presents trials: all lists in one file, and a file a list."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gramprobe.experiment.make import scale_of
from gramprobe.experiment.platforms import Given
from gramprobe.experiment.trials import Experiment, Plan, Trial
from gramprobe.formats.tabular import guarded

START = ("list", "position", "role", "id", "paradigm", "instance", "condition", "part")
END = ("options", "keys", "expected", "regions")


def columns(experiment: Experiment) -> tuple[list[str], list[str]]:
    """The names of the factors, and of the texts that trials show."""
    texts = dict.fromkeys(name for trial in experiment.trials for name in trial.texts)
    factors = [factor.name for factor in experiment.plan.factors if factor.name not in START]
    return factors, list(texts)


def row(plan: Plan, trial: Trial, factors: Sequence[str], texts: Sequence[str]) -> dict[str, object]:
    """A trial as a row: its options as JSON, in the order shown, each with its name and what is read; texts that a
    spreadsheet would run begin with an apostrophe."""
    import pyarrow as pa

    own = {name: getattr(trial, name) for name in START}
    own |= {name: trial.levels.get(name, "") for name in factors}
    shown = guarded(pa.array([trial.texts.get(name, "") for name in texts], pa.string())).to_pylist()
    own |= dict(zip(texts, shown, strict=True))
    options = [[option.name, option.text] for option in scale_of(plan, trial)]
    return own | {
        "options": json.dumps(options, ensure_ascii=False),
        "keys": " ".join(trial.keys),
        "expected": trial.expected,
        "regions": json.dumps(msgspec.to_builtins(trial.regions), ensure_ascii=False) if trial.regions else "",
    }


class Csv:
    """CSV files."""

    name = "csv"
    about = "tables: all trials in trials.csv, and each list in a file of its own"
    takes: tuple[str, ...] = ()

    def write(self, experiment: Experiment, folder: Path, given: Given) -> str:
        factors, texts = columns(experiment)
        header = [*START, *factors, *texts, *END]
        width = len(str(experiment.plan.lists))
        (folder / "lists").mkdir()
        with (folder / "trials.csv").open("w", encoding="utf-8", newline="") as stream:
            whole = csv.DictWriter(stream, header)
            whole.writeheader()
            for number in range(1, experiment.plan.lists + 1):
                rows = [row(experiment.plan, trial, factors, texts) for trial in experiment.of_list(number)]
                whole.writerows(rows)
                with (folder / "lists" / f"{number:0{width}d}.csv").open("w", encoding="utf-8", newline="") as own:
                    alone = csv.DictWriter(own, header)
                    alone.writeheader()
                    alone.writerows(rows)
        return "lists/ has each person's trials; present texts and options alone, the rest is for the analysis"


PLATFORM = Csv()
