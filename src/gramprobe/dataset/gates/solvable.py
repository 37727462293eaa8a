"""Can labels be guessed without reasoning? Readers of `gramprobe.baselines` against what the paradigm declares.

A reader exceeds a number if the lower end of its 95 % interval, by instance, lies above it. Exceeding a declared number
is an error; exceeding the majority where nothing is declared, a warning. A balanced companion declares nothing: its
gate is :mod:`gramprobe.dataset.gates.balance`.
"""

from __future__ import annotations

from gramprobe.dataset.gates.baselines import Measured
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings


def check(paradigm: Paradigm, measured: Measured, findings: Findings) -> None:
    """Report readers that exceed what is declared, and readers above the majority that are not declared."""
    if paradigm.balanced_at is not None:
        return
    declared = {line.reader: line for line in paradigm.solvable}
    undeclared = []
    for reader, reached in measured.readers.items():
        line = declared.get(reader)
        if line is None:
            if measured.above(reader, measured.majority):
                undeclared.append((reader, reached.accuracy))
        elif measured.above(reader, max(line.accuracy, measured.majority)):
            findings.add(messages.build.solved(line.span, reader, reached.accuracy, reached.low, line.accuracy))
    if undeclared:
        findings.add(messages.build.solvable(paradigm.span, paradigm.name, measured.majority, undeclared))
