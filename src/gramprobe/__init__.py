"""gramprobe: a grammar-driven compiler of linguistic stimuli whose every label is derived.

    source -> syntax -> resolve -> space -> words -> dataset
                           \\-> meaning -> decide -> certify

The public API is small: :func:`gramprobe.load` gives a :class:`gramprobe.project.Project`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gramprobe.project import Project, load

__version__ = "0.1.0"
__all__ = ["Project", "__version__", "load"]


def __getattr__(name: str) -> Any:
    """Import on use: `import gramprobe` alone costs nothing."""
    if name in ("Project", "load"):
        from gramprobe import project

        return getattr(project, name)
    raise AttributeError(f"module 'gramprobe' has no attribute {name!r}")
