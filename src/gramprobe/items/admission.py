"""Which instances are items of their task (SEMANTICS of scope: docs/theory/scope.md)."""

from __future__ import annotations

from gramprobe.items.account import Account
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.tasks import Task


def refused(task: Task, found: Account, paradigm: Paradigm) -> str:
    """Why an instance with this account is no item; the empty text where it is one."""
    rules = {"choice": _choice, "continuation": _continuation}
    rule = rules.get(task.name)
    return rule(found, paradigm) if rule else ""


def _choice(found: Account, paradigm: Paradigm) -> str:
    """The options fit different sets of readings, one fits exactly one, and the other fits another one."""
    ((sentence, readings),) = found.readings.items()
    if len(readings) < 2:
        return "its readings are one"
    options = [c.name for c in paradigm.conditions.values() if c.side == "option"]
    sets = [set(found.holds[sentence, name]) for name in options]
    parts = any(len(one) == 1 and other - one for one, other in (sets, sets[::-1]))
    return "" if parts else "its options do not part its readings"


def _continuation(found: Account, paradigm: Paradigm) -> str:
    """Each follow-up fits some reading that the other does not fit, none fits all; the control has one reading, which
    the first follow-up fits and the second does not."""
    ambiguous, control = (
        next(c.name for c in paradigm.conditions.values() if c.side == side) for side in ("ambiguous", "control")
    )
    if len(found.readings[ambiguous]) < 2:
        return "its readings are one"
    if len(found.readings[control]) > 1:
        return "its control has several readings"
    inverse, surface = (set(found.holds[ambiguous, name]) for name in ("inverse", "surface"))
    if not inverse or not surface or inverse & surface:
        return "its follow-ups do not part its readings"
    if not found.holds[control, "inverse"] or found.holds[control, "surface"]:
        return "its control does not go with the first follow-up alone"
    return ""
