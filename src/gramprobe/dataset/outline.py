"""The report of `check` about a paradigm: its first instances are decided and pass the gates; nothing is written."""

from __future__ import annotations

from typing import Any

from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.gates import Gates
from gramprobe.dataset.schema import schema
from gramprobe.decide.label import Decider
from gramprobe.items.cells import table
from gramprobe.items.prepare import prepare
from gramprobe.items.tasks import TASKS, task_of
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings

REPORTED = ("E10", "E45", "E56")
"""Codes of errors that still allow a report: unmet claims, labels on trust."""


def outline(
    paradigm: Paradigm, declarations: Declarations, decider: Decider, allow_bounded: bool
) -> tuple[dict[str, Any] | None, Findings]:
    """The report about a paradigm (None if other errors than :data:`REPORTED` prevent it), and its diagnostics.

    As many instances are decided as the paradigm builds, or ``DEFAULT_SIZE`` of `resolve.paradigm` if it builds all.
    """
    findings = Findings()
    stream = prepare(
        paradigm,
        declarations,
        findings,
        paradigm.sample_size,
        decider=decider,
        at_most=paradigm.size is None or declarations.takes_given(paradigm.full_name),
        allow_bounded=allow_bounded,
        compares=False,
    )
    if stream is None:
        return None, findings
    task, chunk = task_of(paradigm), stream.whole()
    if not findings.failed:
        if TASKS.entry(task.name) and stream.rows_each and len(chunk):  # a mistake of a package shows before a build
            turns, columns = chunk.turns, schema(columns_of(task), paradigm.draw_fields)
            table(stream.rows.cells(chunk), 1, columns, None if turns is None else turns[:1])
        gates = Gates(stream.decisions, findings)
        gates.read(chunk)
        gates.end()
    if not stream.decisions.complete or any(d.is_error and d.code not in REPORTED for d in findings.items):
        return None, findings
    report = {
        "name": paradigm.full_name,
        "task": task.name,
        "instances": stream.plan.space.size,
        **task.outline(stream, chunk),
        "draws": {d.name: d.members for d in stream.plan.paradigm.draws},
    }
    return report, findings
