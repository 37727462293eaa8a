"""The report of `check` about a paradigm: its first instances are decided and pass the gates; nothing is written."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np

from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.gates import READING, Gates
from gramprobe.dataset.schema import schema
from gramprobe.decide.label import Decider
from gramprobe.items.cells import table
from gramprobe.items.claims import check_claims
from gramprobe.items.limits import levels_drawn
from gramprobe.items.prepare import prepare
from gramprobe.items.rows import Chunk
from gramprobe.items.stream import Stream
from gramprobe.items.tasks import TASKS, task_of
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.paradigm.factors import level_of, rows_of
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings
from gramprobe.space.drawable import drawable

REPORTED = ("E10", "E45", "E56")
"""Codes of errors that still allow a report: unmet claims, labels on trust."""
GATED = (*REPORTED, "E33")
"""Codes of errors beside which the gates read what instances there are, so that one run says all."""


def counts(stream: Stream, chunk: Chunk) -> dict[str, dict[str, int]]:
    """`rows` of each condition, where they differ, and rows of each of the `cells` that factors make together."""
    paradigm, form = stream.plan.paradigm, task_of(stream.plan.paradigm).form
    named = rows_of(paradigm.conditions, paradigm.pairs, form)
    numbers = dict.fromkeys(named, len(chunk))
    given = dict.fromkeys(named, np.ones(len(chunk), np.bool_))
    if chunk.kept is not None:
        given = dict(zip(named, chunk.kept.T, strict=True))
        numbers = {name: int(rows.sum()) for name, rows in given.items()}
    found: dict[str, dict[str, int]] = {}
    if len(set(numbers.values())) > 1 and not paradigm.shared:
        found["rows"] = numbers
    levels = [factor for factor in paradigm.factors if factor.levels]
    if levels:
        cells = dict.fromkeys("*".join(each) for each in product(*(factor.levels for factor in levels)))
        counted = Counter[str]()
        for name, conditions in named.items():
            own = [level_of(factor, conditions) if factor.conditions else None for factor in levels]
            if "" not in own:
                drawn = [levels_drawn(stream.plan, chunk.draws, factor) for factor in levels if not factor.conditions]
                for row in np.flatnonzero(given[name]).tolist():
                    values = iter(drawn)
                    counted["*".join(each if each is not None else next(values)[row] for each in own)] += 1
        found["cells"] = {cell: counted[cell] for cell in cells if counted[cell]}
    return found


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
    with stream.plan.shapes.kept(stream.plan.kept_under):
        chunk = stream.whole()
    task, solved = task_of(paradigm), dict[str, float]()
    whole = stream.decisions.complete and all(d.code in GATED for d in findings.items if d.is_error)
    if whole and len(chunk) and not findings.muted:
        if TASKS.entry(task.name) and stream.rows_each and len(chunk):  # a mistake of a package shows before a build
            kept, columns = chunk.kept, schema(columns_of(task), paradigm.draw_fields)
            table(stream.rows.cells(chunk), 1, columns, None if kept is None else kept[:1])
        parsing = None if READING in paradigm.allows else decider.of_tries  # what is allowed is counted in builds
        gates = Gates(stream.decisions, findings, parsing, counts=False)
        gates.read(chunk)
        gates.end()
        if gates.measured is not None and not gates.few:
            measured = gates.measured
            solved = {
                line.reader: round(measured.design[line.reader], 3)
                for line in paradigm.solvable
                if line.accuracy is None
            }
    check_claims(stream.plan.grammar, decider, findings)
    if not stream.decisions.complete or any(d.is_error and d.code not in REPORTED for d in findings.items):
        return None, findings
    report = {
        "name": paradigm.full_name,
        "task": task.name,
        "instances": stream.plan.space.size,
        **task.outline(stream, chunk),
        **counts(stream, chunk),
        **({"solvable": solved} if solved else {}),
        "draws": drawable(stream.plan.space, stream.plan.counted),
    }
    return report, findings
