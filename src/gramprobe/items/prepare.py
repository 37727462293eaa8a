"""From a paradigm to the stream of its items: plan, veto list, preferences. `build`, `check`, `verify` and the API use
it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gramprobe.decide.label import Decider
from gramprobe.items.content import key_of_plan, key_of_space, key_of_walk
from gramprobe.items.marks import Veto
from gramprobe.items.plan import plan
from gramprobe.items.preferences import Preference, file_of, read
from gramprobe.items.stream import Stream
from gramprobe.items.tasks import task_of
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax.files import read_words


def prepare(
    paradigm: Paradigm,
    declarations: Declarations,
    findings: Findings,
    count: int | None,
    *,
    seed: int = 0,
    theory: str | None = None,
    decider: Decider | None = None,
    at_most: bool = False,
    allow_bounded: bool = False,
    with_rejected: bool = False,
    compares: bool = True,
    twins: bool = True,
    part_rows: int | None = None,
    together: Sequence[str] = (),
) -> Stream | None:
    """The stream of a paradigm's items; instances are drawn when its chunks are read.

    ``count``: how many instances (None: all; with ``at_most``: or fewer). ``with_rejected``: also give rejected
    instances, and check no claims. ``compares``: compare another row of each group with the decided one. ``twins``:
    whether the fingerprints of all pairs are wanted.
    ``together``: the paradigms of the dataset.
    ``part_rows``: how many rows a Parquet file has at most. ``findings`` must belong to this paradigm alone. None, with
    errors in ``findings``, where the paradigm or its theory has mistakes.
    """
    task = task_of(paradigm)
    declared = paradigm.without_expectations() if with_rejected else paradigm
    counted = key_of_space(declared, declarations)
    made = plan(declared, declarations, findings, theory, decider, together, counted)
    if made is None:
        return None
    content = key_of_plan(declared, made.theory.name, declarations, counted)
    made = replace(made, content=content, walked=key_of_walk(declared, counted))
    vetoes = _vetoes(paradigm, declarations, findings)
    if findings.failed:
        return None
    return Stream(
        plan=made,
        task=task,
        findings=findings,
        count=count,
        seed=seed,
        vetoes=vetoes,
        allow_bounded=allow_bounded,
        at_most=at_most,
        preferences=_preferences(paradigm, declarations, findings),
        with_rejected=with_rejected,
        lenient=theory not in (None, paradigm.theory),
        compares=compares,
        twins=twins,
        part_rows=part_rows,
    )


def _preferences(paradigm: Paradigm, declarations: Declarations, findings: Findings) -> Mapping[str, Preference]:
    """The readings that people prefer, where the task has a column for them and the phenomenon a file."""
    source = declarations.library.sources.get(file_of(paradigm.phenomenon))
    return read(source, findings) if source is not None and "preferred" in task_of(paradigm).columns else {}


def _vetoes(paradigm: Paradigm, declarations: Declarations, findings: Findings) -> tuple[Veto, ...]:
    """The veto list beside a paradigm (``<paradigm>.veto.tsv``: instance, reason), if there is one."""
    source = declarations.library.sources.get(f"grammars/{paradigm.full_name}.veto.tsv")
    if source is None:
        return ()
    table, problems = read_words(source)
    findings.extend(problems)
    if table is None:
        return ()
    if table.header != ("instance", "reason"):
        findings.add(messages.build.bad_veto_header(table.span(1, 0), table.header))
        return ()
    findings.extend(table.problems())
    return tuple(Veto(cells[0], cells[1], table.span(line, 0)) for line, cells in table.rows)
