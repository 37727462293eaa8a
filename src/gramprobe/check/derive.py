"""Derive the outcome of a paradigm: its labels pass the gates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gramprobe.check.store import Outcome, read_back
from gramprobe.dataset.outline import outline
from gramprobe.decide.cache import kept_verdicts
from gramprobe.decide.label import Decider
from gramprobe.resolve.project import Declarations
from gramprobe.work.pool import Work


@contextmanager
def work(declarations: Declarations, options: dict[str, Any]) -> Iterator[Work[Outcome]]:
    """The work of check on a project. ``options``: ``allow_bounded``, whether labels on trust pass."""
    with kept_verdicts(sealed=True) as kept:
        decider = Decider(kept=kept, certified=False)

        def outcome(name: str) -> Outcome:
            derived = derive(name, declarations, decider, options["allow_bounded"])
            if kept is not None:
                kept.flush()  # so that other processes find the verdicts
            return derived

        yield outcome


def derive(name: str, declarations: Declarations, decider: Decider, allow_bounded: bool) -> Outcome:
    """The report of a paradigm (None if no label could be decided), and its diagnostics."""
    report, findings = outline(declarations.paradigms[name], declarations, decider, allow_bounded)
    return read_back(report, findings.items)
