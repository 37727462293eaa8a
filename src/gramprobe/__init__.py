"""gramprobe: a grammar-driven compiler of linguistic stimuli whose every label is derived.

    source -> syntax -> resolve -> space -> words -> items -> dataset -> score
                           \\-> meaning -> judge, decide -> certify

The public API is small: :func:`gramprobe.load` gives a :class:`gramprobe.project.Project`, which builds datasets, and
:func:`gramprobe.read` a :class:`gramprobe.dataset.read.Dataset`, the rows of a dataset with their certificates, and
:func:`gramprobe.read_scores` :class:`gramprobe.score.results.Scores`, the scores that a model gave them; what studies
find in scores, :func:`gramprobe.analyze` returns. What these return shows itself in a notebook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gramprobe.dataset.read import Dataset
    from gramprobe.open import analyze, read
    from gramprobe.project import Project, load
    from gramprobe.score.results import Scores, read_scores

__version__ = "0.1.0"
__all__ = ["Dataset", "Project", "Scores", "__version__", "analyze", "load", "read", "read_scores"]


def __getattr__(name: str) -> Any:
    """Import on use: `import gramprobe` alone costs nothing."""
    if name in ("Project", "load"):
        from gramprobe import project

        return getattr(project, name)
    if name in ("analyze", "read"):
        from gramprobe import open

        return getattr(open, name)
    if name == "Dataset":
        from gramprobe.dataset.read import Dataset

        return Dataset
    if name in ("Scores", "read_scores"):
        from gramprobe.score import results

        return getattr(results, name)
    raise AttributeError(f"module 'gramprobe' has no attribute {name!r}")
