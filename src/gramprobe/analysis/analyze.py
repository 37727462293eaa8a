"""What all studies find in runs, and the packages that this needs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.analysis.findings import Findings
    from gramprobe.analysis.runs import Run

#: what the extra `analysis` brings and every analysis needs
PACKAGES = ("scipy", "formulaic", "pandas", "threadpoolctl")


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
