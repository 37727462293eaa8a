"""What stands beside the items of an experiment: fillers, of a file or a dataset, and catch trials, of a file.

A file is CSV. Its columns are what a trial of the kind shows (`sentence`; `premise`, `hypothesis`; of a choice the
columns of its options too), and may be `id`, `context`, `question` and `expected`: the name of the right answer, or
several parted by `|`, which a catch trial must have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from gramprobe.dataset.read import Dataset
from gramprobe.experiment.items import Cell, Wanted, instances
from gramprobe.experiment.trials import Kind
from gramprobe.formats.tabular import records, refused
from gramprobe.source import messages

BESIDE = ("id", "context", "question", "expected")


@dataclass(frozen=True)
class Extra:
    """A filler or catch trial: what is shown, and the right answers, if there are."""

    id: str
    texts: dict[str, str]
    expected: str = ""


def shown(kind: Kind, options: Sequence[str]) -> tuple[str, ...]:
    """The columns that a file must have for a kind; ``options``: of a choice those of the dataset."""
    if kind == "nli":
        return "premise", "hypothesis"
    return "sentence", *(options if kind == "choice" else ())


def of_file(path: Path, kind: Kind, options: Sequence[str], answers: Sequence[str], catch: bool = False) -> list[Extra]:
    """The fillers of a file, or its catch trials, each of which has an expected answer.

    ``answers``: the names of all answers. Raises UsageError: E44 for no file, E46 for what it cannot hold.
    """
    needed = (*shown(kind, options), *(["expected"] if catch else []))
    found: list[Extra] = []
    what = "catch" if catch else "filler"
    seen: dict[str, int] = {}
    for line, row in records(path, needed, f"a file of {what} trials of the kind {kind}"):
        for name in row:
            if name not in (*needed, *BESIDE):
                help = f"its columns may be {', '.join(dict.fromkeys((*needed, *BESIDE)))}"
                raise refused(path, 1, f"the column `{name}` would not be shown", help)
        for name in needed:
            if not row[name].strip():
                raise refused(path, line, f"no {name}", "fill the cell, or leave the row out")
        expected = row.get("expected", "").strip()
        for answer in expected.split("|") if expected else ():
            if answer not in answers:
                raise refused(path, line, f"`{answer}` is no answer", f"answers are {', '.join(answers)}")
        id_ = row.get("id", "").strip() or f"{what}-{len(found) + 1}"
        if seen.setdefault(id_, line) != line:
            raise refused(path, line, f"a second `{id_}` (first in line {seen[id_]})", "give it another id")
        texts = {n: text.strip() for n, text in row.items() if n not in ("id", "expected") and text.strip()}
        found.append(Extra(id_, texts, expected))
    return found


def of_dataset(dataset: Dataset, kind: Kind, count: int, seed: int) -> list[Extra]:
    """Fillers of the rows of a dataset: each of another instance, cells in turn. Raises UsageError."""
    found = instances(dataset, Wanted(kind, seed=seed), equal=False)
    if count > len(found):
        raise messages.experiment.too_few("fillers", count, len(found))
    chosen = Random(f"fillers/{seed}").sample(found, count)
    return [_extra(each.cells[number % len(each.cells)]) for number, each in enumerate(chosen)]


def _extra(cell: Cell) -> Extra:
    return Extra(cell.id, dict(cell.texts), cell.expected)
