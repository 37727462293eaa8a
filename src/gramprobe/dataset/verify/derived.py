"""Everything that follows from the source files, derived again: which instances, their sentences, formulas, shapes
and columns, byte for byte, and the numbers of the manifest. Labels come from the certificates that the kernel has
checked, so that no engine is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from gramprobe.dataset import gates
from gramprobe.dataset.build import content_words
from gramprobe.dataset.gates.leak import hypothesis_only
from gramprobe.dataset.part import Part
from gramprobe.dataset.verify.certificates import Certificates
from gramprobe.dataset.verify.folder import MANIFEST, Dataset
from gramprobe.dataset.verify.items import Counted
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.text import LONGEST_ROW, Malformed, lines
from gramprobe.decide.decider import Decider
from gramprobe.decide.label import Verdict
from gramprobe.decide.line import verdict_from
from gramprobe.decide.shape import Shape
from gramprobe.items.draft import Draft, draft
from gramprobe.items.instance import draws_of
from gramprobe.items.label import Labelling, label
from gramprobe.items.plan import Plan
from gramprobe.items.rows import Rows
from gramprobe.items.schema import NLI
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws

WALKED = 1 << 22
"""The largest space that is walked to its end to count what was passed over."""


class Checked:
    """Verdicts from checked certificates, in the place of engines (`decide.shape.Verdicts`)."""

    def __init__(self, certificates: Certificates) -> None:
        self.by_shape, self.used = certificates.by_shape, certificates.used

    def get(self, shape: Shape, dependence: bool) -> Verdict:
        """The verdict of the certificate; an empty one where there is none, so that the row differs."""
        line = self.by_shape.get(shape.id)
        self.used.add(shape.id)
        if line is None or line.text != shape.text:
            return Verdict(None, "", "", {}, {})
        return verdict_from(line.data)

    def put(self, shape: Shape, verdict: Verdict) -> None:
        """Nothing is decided here, so there is nothing to keep."""


def defined_in(paradigm: Paradigm, theory: str | None, declarations: Declarations) -> frozenset[str] | None:
    """The operators that the theory of a paradigm's rows defines by others; None without it."""
    grammar = declarations.grammar_of_paradigm(paradigm.full_name)
    found = declarations.theory(theory or paradigm.theory, grammar, Findings())
    return None if found is None else frozenset(definition.name for definition in found.definitions)


def derive(
    dataset: Dataset,
    paradigm: Paradigm,
    counted: Counted,
    declarations: Declarations,
    certificates: Certificates,
    problems: Problems,
) -> Part | None:
    """Derive a paradigm again and compare; what is known of it, where the instances are those that the seed draws.

    Raises OSError.
    """
    name = dataset.items(paradigm.name)
    # what `expect` claims is compared at the end; unmet ones would set engines to work on advice
    claims = paradigm.pairs
    silent = paradigm.without_expectations()
    decider = Decider(kept=Checked(certificates), dependence=True)
    part = dataset.manifest["paradigms"][paradigm.name]
    count: int | None = len(counted.instances)
    if count + part["passed_over"] + part["vetoed"] == part["space"] <= WALKED:
        count = None  # `--n all`, or all there are: the walk went to the end
    findings = Findings()
    drafted = draft(
        silent, declarations, findings, count, dataset.manifest["seed"], dataset.theory, decider, True, True
    )
    for diagnostic in findings.items:
        if diagnostic.is_error:
            problems.add("E54", name, f"no build has this: {diagnostic.span}: {diagnostic.message}")
    if drafted is None:
        return None
    made = Rows(drafted.labelling)
    made.prepare()
    if not _equal(made, dataset.folder / name):
        _tell(drafted, made, dataset, counted, certificates, problems)
        return None
    if dataset.theory in (None, paradigm.theory):
        for claim, pair in zip(claims, drafted.labelling.pairs, strict=True):
            for each, decided in product(claim.every_claim(paradigm.gold), pair.decided):
                label = decided.in_column(each.column).label
                if each.label != label:
                    reason = f"{claim.condition}: the paradigm expects {each.label} ({each.column}), and it is {label}"
                    problems.add("E54", name, reason)
    return _numbers(drafted, made, counted, part, problems)


def _equal(made: Rows, file: Path) -> bool:
    """Whether the lines are the file's, to the byte."""
    with file.open("rb") as stream:
        for buffer in made.lines():
            if stream.read(buffer.size) != buffer.to_pybytes():
                return False
        return not stream.read(1)


def _numbers(drafted: Draft, made: Rows, counted: Counted, part: dict[str, Any], problems: Problems) -> Part:
    """Compare what the manifest says of a paradigm; labels that another theory moved are for `--rebuild`."""
    shut = Findings()
    allowed = gates.check(made, shut)
    for diagnostic in shut.items:
        problems.add("E54", MANIFEST, f"no build has this: {diagnostic.span}: {diagnostic.message}")
    only = hypothesis_only(made)
    found = Part(
        drafted.labelling.plan,
        drafted.selection,
        counted.labels,
        counted.certificates,
        only.majority,
        only.ceiling,
        only.accuracy,
        {n: [made.paradigm.allows[n], *(r.what for r in reasons)] for n, reasons in allowed.items()},
        content_words(drafted.labelling),
        (),
    )
    told = found.to_json()
    for key in dict.fromkeys((*told, *part)):
        if key != "moved" and part.get(key, told) != told.get(key, part):
            problems.add("E54", MANIFEST, f"`{key}` of `{made.paradigm.name}` is not what the source files give")
    return found


# -- where the bytes differ


def _tell(
    drafted: Draft, made: Rows, dataset: Dataset, counted: Counted, certificates: Certificates, problems: Problems
) -> None:
    """Which rows are not what their draws give, and whether the instances are others."""
    name = dataset.items(made.paradigm.name)
    drawn, there = made.instance.to_pylist(), list(counted.instances)
    if drawn != there:
        at = next(
            (i for i, (a, b) in enumerate(zip(drawn, there, strict=False)) if a != b), min(len(drawn), len(there))
        )
        wanted, found = ((each[at] if at < len(each) else "none") for each in (drawn, there))
        reason = f"instance {at + 1} is `{found}`, and the seed draws `{wanted}`"
        problems.add("E54", name, reason, counted.instances.get(found, 0))
    plan = drafted.labelling.plan
    known: dict[str, Draws] = {}
    for instance, line in counted.instances.items():
        draws = draws_of(plan, instance)
        if draws is None:
            problems.add("E54", name, f"`{instance}` names no instance of the paradigm", line)
        else:
            known[instance] = draws
    expected = _by_id(plan, list(known.values()))
    for number, row in lines(dataset.folder / name, LONGEST_ROW):
        assert not isinstance(row, Malformed)
        wanted_row = expected.pop(row["id"], None)
        if wanted_row is None:
            if row["instance"] in known:
                problems.add("E54", name, "its draws give no such row, or one only", number, row["id"])
            continue
        if row["shape"] in certificates.rejected:
            continue  # told where the certificate stands
        for column in NLI:
            if row[column] != wanted_row[column]:
                reason = f"`{column}` is `{row[column]}`, and its draws give `{wanted_row[column]}`"
                problems.add("E54", name, reason, number, row["id"])
                break
    for id_ in expected:
        problems.add("E54", name, "the row is missing", id=id_)


def _by_id(plan: Plan, draws: Sequence[Draws]) -> dict[str, dict[str, Any]]:
    """The rows that draws give, by id."""
    if not draws:
        return {}
    labelling: Labelling = label(plan, Draws.joined(list(draws)), Findings())
    return {row["id"]: row for table in _tables(labelling) for row in table}


def _tables(labelling: Labelling) -> Iterator[list[dict[str, Any]]]:
    for table in Rows(labelling).tables():
        yield table.to_pylist()
