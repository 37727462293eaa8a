"""The outcomes of many paradigms: those that are stored, then those that must be derived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gramprobe.cache import switched_off
from gramprobe.check.store import Outcome, Store
from gramprobe.progress import report_progress
from gramprobe.project import Project

EACH = 6
"""Paradigms for each further process: starting a process takes as long as about two paradigms."""


def check(project: Project, names: Sequence[str], allow_bounded: bool) -> Iterator[tuple[str, Outcome]]:
    """The full name and the outcome of each paradigm in the order given, each as soon as it is known with those before.
    The paradigms' files must have no errors.

    Outcomes of earlier runs come from the store; the others are derived, by several processes where there are many,
    and stored.
    """
    options = {"allow_bounded": allow_bounded}
    store = None if switched_off() else Store(project, options)
    known: dict[str, Outcome] = {}
    if store is not None:
        known = {name: outcome for name in names if (outcome := store.get(name)) is not None}
    left = [name for name in names if name not in known]
    derived: Iterator[tuple[str, Outcome]] = iter(())
    if left:
        from gramprobe.check.derive import work  # loads the engines, which a stored outcome does not need
        from gramprobe.work.pool import results

        def finished(count: int) -> None:
            report_progress("paradigms", len(known) + count, len(names))

        derived = results(work, options, Outcome, left, project.declarations, project.files, EACH, finished)
    for name in names:
        if name in known:
            yield name, known[name]
            continue
        _, outcome = next(derived)
        if store is not None:
            store.put(name, outcome)
        yield name, outcome
