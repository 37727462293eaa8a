"""Gates: what a dataset may not be. One a module; each takes the rows of a paradigm and gives its reasons.

A paradigm lets a reason pass with `allow GATE because "..."`; the card says so. Of a balanced companion it is
also asked whether it is balanced, and nothing allows that it is not.
"""

from __future__ import annotations

from collections.abc import Callable

from gramprobe.dataset.gates import articles, balance, duplicates, leak, spelling
from gramprobe.dataset.gates.reason import Reason
from gramprobe.items.rows import Rows
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings

GATES: dict[str, Callable[[Rows], list[Reason]]] = {
    "duplicates": duplicates.check,
    "spelling": spelling.check,
    "articles": articles.check,
    "leak": leak.check,
}


def check(rows: Rows, findings: Findings) -> dict[str, list[Reason]]:
    """Run every gate; reasons become findings unless the paradigm allows them, then they are returned."""
    balance.check(rows.labelling, findings)
    allowed: dict[str, list[Reason]] = {}
    for name, gate in GATES.items():
        reasons = gate(rows)
        if name in rows.paradigm.allows:
            allowed[name] = reasons
            continue
        for reason in reasons:
            findings.add(messages.build.gate(rows.paradigm.span, name, reason.what, reason.examples, reason.help))
    return allowed
