"""Gates: what a dataset may not be. One a module; each takes the rows of a paradigm and gives its reasons.

A paradigm lets a reason pass with `allow GATE because "..."`; the card says so. Of a balanced companion it is
also asked whether it is balanced, and nothing allows that it is not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from gramprobe.dataset.gates.reason import Reason
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings

if TYPE_CHECKING:
    from gramprobe.items.rows import Rows

GATES = ("duplicates", "spelling", "articles", "leak")
"""The gates by their modules, which are imported on use: `check` asks only for balance, and needs no arrays of text."""


def check(rows: Rows, findings: Findings) -> dict[str, list[Reason]]:
    """Run every gate; reasons become findings unless the paradigm allows them, then they are returned."""
    from gramprobe.dataset.gates import balance

    balance.check(rows.labelling, findings)
    allowed: dict[str, list[Reason]] = {}
    for name in GATES:
        reasons: list[Reason] = import_module(f"gramprobe.dataset.gates.{name}").check(rows)
        if name in rows.paradigm.allows:
            allowed[name] = reasons
            continue
        for reason in reasons:
            findings.add(messages.gate(rows.paradigm.span, name, reason.what, reason.examples, reason.help))
    return allowed
