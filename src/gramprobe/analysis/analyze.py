"""What `gramprobe analyze` finds, for a program of one's own: `gramprobe.analyze("scores/first")`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from gramprobe.analysis.clusters import USUAL
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.analysis.findings import Findings
    from gramprobe.analysis.runs import Run

#: what the extra `analysis` brings and every analysis needs
PACKAGES = ("scipy", "formulaic", "pandas", "threadpoolctl")


def analyze(
    scores: str | Path | Sequence[str | Path],
    datasets: Sequence[str | Path] = (),
    studies: Sequence[str] = (),
    labels: Sequence[str | Path] = (),
    ratings: str | Path | None = None,
    cluster: str = USUAL,
) -> list[Findings]:
    """What the studies find in the scores of one model or several: tables and figures, as `gramprobe analyze` has them.

    Args:
        scores: folders that `gramprobe score` wrote, or files of other programs.
        datasets: the datasets that were scored, where they are not beside the scores or in `data/`.
        studies: the studies that are wanted; by default all that fit.
        labels: datasets of the same items under other theories.
        ratings: a file of people's ratings or choices.
        cluster: what is drawn independently: a draw or a column, `skeleton`; by default instances.

    Raises UsageError: scores or datasets that cannot be read, no study that fits, a package that is missing.
    """
    needed_packages("analyze")
    from gramprobe.analysis.open import open_runs

    given = [scores] if isinstance(scores, str | Path) else scores
    runs = open_runs(map(Path, given), map(Path, datasets))
    return findings(runs, studies, [Path(each) for each in labels], None if ratings is None else Path(ratings), cluster)


def findings(
    runs: Sequence[Run], studies: Sequence[str], labels: Sequence[Path], ratings: Path | None, cluster: str
) -> list[Findings]:
    """What the studies find in the runs; what no study reads is in the headlines of the first."""
    from gramprobe.analysis.studies import found
    from gramprobe.analysis.study import Given
    from gramprobe.dataset.read import read

    return found(
        studies, runs, Given(ratings=ratings, labels=tuple(read(folder) for folder in labels), cluster=cluster)
    )


def needed_packages(command: str, *others: str) -> None:
    """Raise UsageError if a package of the extra `analysis` is not installed."""
    missing = [name for name in (*PACKAGES, *others) if find_spec(name) is None]
    if missing:
        help = "install the extra: pip install 'gramprobe[analysis]'"
        raise UsageError(f"`gramprobe {command}` needs {' and '.join(missing)}", help)
