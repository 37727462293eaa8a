"""Open datasets and scores for a user: their labels are held against each other before anybody counts them.

    read(folder) -> Dataset
    open_runs(scores, datasets) -> (Run, ...)
    analyze(scores) -> [Findings, ...]

`dataset.read` and `analysis.open` read the same and know nothing of tasks: whether labels agree, they cannot ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gramprobe.dataset.read import Dataset
from gramprobe.dataset.read import read as read_folder

if TYPE_CHECKING:
    from gramprobe.analysis.findings import Findings
    from gramprobe.analysis.runs import Run


def read(folder: str | Path, *, labels: bool = True) -> Dataset:
    """The dataset in a folder that `build` wrote.

    ``labels``: whether to ask if the labels of each row agree with each other and with the certificate that they rest
    on, which takes some seconds for a million rows. Whether certificates are right, `gramprobe verify` checks.

    Raises UsageError (E44) with the file and what is wrong with it: missing, cut off, with another hash, with columns
    or metadata that no build writes, with labels that contradict each other; OSError for errors of the system.
    """
    dataset = read_folder(folder)
    if labels:
        from gramprobe.dataset.agreement import check_labels

        check_labels(dataset)
    return dataset


def open_runs(scores: Sequence[Path], datasets: Sequence[Path], labels: Sequence[Path] = ()) -> tuple[Run, ...]:
    """The runs that a user names. Raises UsageError as `analysis.open.open_runs` does, and for a dataset, also one of
    those with other ``labels``, whose labels contradict each other or the lines that they rest on (E44)."""
    from gramprobe.analysis.open import open_runs as opened
    from gramprobe.dataset.agreement import check_labels

    runs = opened(scores, datasets)
    for dataset in {id(run.dataset): run.dataset for run in runs}.values():
        check_labels(dataset)
    for folder in labels:
        read(folder)
    return runs


def analyze(
    scores: str | Path | Sequence[str | Path],
    datasets: Sequence[str | Path] = (),
    studies: Sequence[str] = (),
    labels: Sequence[str | Path] = (),
    ratings: str | Path | None = None,
    cluster: str = "usual",
) -> list[Findings]:
    """What the studies find in the scores of one model or several: tables and figures, as `gramprobe analyze` has them.

    Args:
        scores: folders that `gramprobe score` wrote, or files of other programs.
        datasets: the datasets that were scored, where they are not beside the scores or in `data/`.
        studies: the studies that are wanted; by default all that fit.
        labels: datasets of the same items under other theories.
        ratings: a file of people's ratings or choices.
        cluster: what is drawn independently: a draw or a column, `skeleton`; by default instances.

    Raises UsageError: scores or datasets that cannot be read, labels that contradict each other or the certificates
    that they rest on, no study that fits, a package that is missing.
    """
    from gramprobe.analysis.analyze import findings, needed_packages

    needed_packages("analyze")
    given = [scores] if isinstance(scores, str | Path) else scores
    runs = open_runs([Path(each) for each in given], [Path(each) for each in datasets], [Path(each) for each in labels])
    return findings(runs, studies, [Path(each) for each in labels], None if ratings is None else Path(ratings), cluster)
