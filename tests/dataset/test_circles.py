"""What a check has made of a paradigm is freed when it is done with, and not when circles are searched for."""

from __future__ import annotations

import gc

from gramprobe.project import Project

MOST = 5_000
"""Objects that may stand in circles after the check of a paradigm, which makes some 100,000."""


def test_hardly_anything_is_in_circles(project: Project) -> None:
    """What the paradigm before it has made, charts among it, is freed as well."""
    found: dict[str, int] = {}
    gc.collect()
    gc.disable()
    try:
        for name in ("acceptability/passive", "scope/choice_existential_universal"):
            project.check(name)
            found[name] = gc.collect()
    finally:
        gc.enable()
    assert max(found.values()) < MOST, found
