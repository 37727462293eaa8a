"""The outcomes of many paradigms: those that are stored, then those that must be derived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gramprobe.cache import switched_off
from gramprobe.check.store import Outcome, Store
from gramprobe.progress import report_progress
from gramprobe.project import Project

EACH = 6
"""Paradigms for each further process: starting a process takes as long as about two paradigms."""


def check(project: Project, names: Sequence[str], allow_bounded: bool) -> Mapping[str, Outcome]:
    """The outcome of each paradigm, by full name in the order given. The paradigms' files must have no errors.

    Outcomes of earlier runs come from the store; the others are derived, by several processes where there are many,
    and stored.
    """
    options = {"allow_bounded": allow_bounded}
    store = None if switched_off() else Store(project, options)
    done: dict[str, Outcome] = {}
    if store is not None:
        done = {name: outcome for name in names if (outcome := store.get(name)) is not None}
    left = [name for name in names if name not in done]
    if left:
        from gramprobe.check.derive import work  # loads the engines, which a stored outcome does not need
        from gramprobe.work.pool import results

        for name, outcome in results(work, options, Outcome, left, project.declarations, project.files, EACH):
            done[name] = outcome
            report_progress("paradigms", len(done), len(names))
            if store is not None:
                store.put(name, outcome)
    return {name: done[name] for name in names}
