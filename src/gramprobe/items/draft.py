"""A paradigm up to its labels: plan, veto list, selection, labelling. What `build`, `check` and the API share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gramprobe.decide.decider import Decider
from gramprobe.items.drafted import Drafted
from gramprobe.items.label import Labelling, label
from gramprobe.items.plan import Plan, plan
from gramprobe.items.preferences import Preference, file_of, read
from gramprobe.items.select import Selection, Veto, select
from gramprobe.items.trust import refuse
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax.files import read_words


@dataclass(frozen=True, slots=True)
class Draft:
    """The instances of a paradigm with their labels, before anything is written."""

    selection: Selection
    labelling: Labelling


def draft(
    paradigm: Paradigm,
    declarations: Declarations,
    findings: Findings,
    count: int | None,
    seed: int = 0,
    theory: str | None = None,
    decider: Decider | None = None,
    at_most: bool = False,
    allow_bounded: bool = False,
) -> Draft | None:
    """``count`` instances (None: all; with ``at_most``: or fewer) with labels; None when there are none to label.

    What stands against a label is a finding, and the draft is given all the same; so is a label that rests on trust,
    unless ``allow_bounded``. ``findings`` are this paradigm's.
    """
    made = plan(paradigm, declarations, findings, theory, decider)
    if made is None:
        return None
    selection = select(made, count, seed, _vetoes(paradigm, declarations, findings), findings, at_most)
    if selection is None or findings.failed:
        return None
    labelling = _labelled(made, selection, theory, findings)
    if not allow_bounded:
        refuse(labelling, findings)
    return Draft(selection, labelling)


def drafted_by_reading(
    paradigm: Paradigm,
    declarations: Declarations,
    findings: Findings,
    count: int | None,
    seed: int = 0,
    theory: str | None = None,
    decider: Decider | None = None,
    allow_bounded: bool = False,
    at_most: bool = False,
) -> Drafted | None:
    """The same for a task about readings; nothing is drawn before its chunks are asked for."""
    made = plan(paradigm, declarations, findings, theory, decider)
    if made is None:
        return None
    vetoes = _vetoes(paradigm, declarations, findings)
    if findings.failed:
        return None
    preferred = _preferences(paradigm, declarations, findings)
    return Drafted(made, count, seed, vetoes, findings, allow_bounded, at_most, preferred)


def _labelled(made: Plan, selection: Selection, theory: str | None, findings: Findings) -> Labelling:
    """Labels; under another theory than the paradigm's own, unmet expectations and readings that part are results.

    The surface reading counts then, and the findings are warnings.
    """
    found = Findings()
    labelling = label(made, selection.draws, found)
    for diagnostic in found.items:
        another = theory not in (None, made.paradigm.theory) and bool(labelling.pairs)
        result = another and diagnostic.code in ("E10", "E25")
        findings.add(messages.as_warning(diagnostic) if result else diagnostic)
    return labelling


def _preferences(paradigm: Paradigm, declarations: Declarations, findings: Findings) -> Mapping[str, Preference]:
    """What people prefer of the sentences of a `choice` set, as far as there is a file with it."""
    source = declarations.library.sources.get(file_of(paradigm.phenomenon))
    return read(source, findings) if source is not None and paradigm.task == "choice" else {}


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
        findings.add(messages.bad_veto_header(table.span(1, 0), table.header))
        return ()
    findings.extend(table.problems())
    return tuple(Veto(cells[0], cells[1], table.span(line, 0)) for line, cells in table.rows)
