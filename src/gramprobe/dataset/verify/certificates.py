"""Check every line of certificates.jsonl with the kernel: canonical, sorted, and each shape once."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramprobe.certify.check import canonical_text, check_entry
from gramprobe.certify.reject import LINE, Budget, CertificateError
from gramprobe.certify.rule import on_trust, provers_of
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.text import LONGEST_CERTIFICATE, Malformed, lines
from gramprobe.decide.verdict import rests_on_trust
from gramprobe.formula.canonical import canonical
from gramprobe.formula.encoding import formula_from, theory_from_json
from gramprobe.progress import report_progress

LONGEST_ORDERING = 10_000_000
"""The largest product of postulates and characters of a line that is made canonical: ordering them is quadratic."""

STEPS, STEPS_A_BYTE = 10_000_000, 20
"""Steps of the kernel that all lines together may take: a constant, and so many for each byte. A step takes about a
microsecond, so this is ten seconds and 20 more for each megabyte. Shipped datasets take a tenth of the latter."""

HEAVY = 100_000
"""Steps of a line after which its memory is collected at once."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A line that the kernel has accepted.

    Attributes:
        number: the number of the line.
        text: its canonical theory, premise and hypothesis.
        data: the line as JSON data.
        proved: whether nothing in it rests on trust.
    """

    number: int
    text: str
    data: dict[str, Any]
    proved: bool

    @property
    def on_trust(self) -> str:
        """The values whose absence rests on trust."""
        return on_trust(self.data["absent"])

    @property
    def values_on_trust(self) -> bool:
        """Whether `h_values` rests on trust where the label does not."""
        return bool(self.on_trust) and not rests_on_trust(self.data["kind"])

    @property
    def formulas(self) -> str:
        """The end of ``text`` from the premise on."""
        return self.text[self.text.index(',"premise":') :]


@dataclass(slots=True)
class Certificates:
    """The lines of certificates.jsonl.

    Attributes:
        by_shape: shape -> the line, where the kernel accepts it.
        rejected: shapes of lines that the kernel rejects, that were not checked, or that were reported as missing.
        unchecked: how many lines were not checked.
        used: shapes that some row names.
    """

    by_shape: dict[str, Certificate] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    unchecked: int = 0
    used: set[str] = field(default_factory=set)

    def line(self, shape: str) -> Mapping[str, Any] | None:
        """The accepted line of a shape, None if there is none; the shape is noted as used."""
        self.used.add(shape)
        line = self.by_shape.get(shape)
        return None if line is None else line.data

    @property
    def kinds(self) -> Counter[str]:
        """How many lines there are of each kind."""
        return Counter(each.data["kind"] for each in self.by_shape.values())

    @property
    def unshown(self) -> int:
        """How many otherwise proved lines name a principle without a model that shows that it is needed."""
        return sum(not (each.proved or each.on_trust) for each in self.by_shape.values())

    @property
    def provers(self) -> set[str]:
        """The outside provers whose answers accepted lines have."""
        return {name for each in self.by_shape.values() for name in provers_of(each.data)}

    @property
    def on_trust(self) -> bool:
        """Whether some accepted line rests on trust, or some line was rejected."""
        return bool(self.rejected) or any(line.on_trust for line in self.by_shape.values())

    def unused(self, file: str, problems: Problems) -> None:
        """Report the lines that no row names."""
        report_unused({shape: line.number for shape, line in self.by_shape.items()}, self.used, file, problems)

    def missing(self, named: Iterable[str], file: str, problems: Problems) -> None:
        """Report shapes that rows rest on and that no line is, each once: what they say of these, nothing shows."""
        for shape in sorted(set(named) - self.by_shape.keys() - self.rejected):
            problems.add("E51", file, "rows rest on this shape, and no line is it", id=shape)
            self.rejected.add(shape)


def report_unused(numbers: Mapping[str, int], used: Set[str], file: str, problems: Problems) -> None:
    """Report the lines (`numbers`: shape -> line) whose shape no row uses."""
    for shape, number in numbers.items():
        if shape not in used:
            problems.add("E51", file, "no row rests on this line", number, shape)


def shaped_lines(file: Path, name: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any], str]]:
    """The lines of a file that are JSON, each with its number and its shape (empty if it has none); others are
    reported. Raises OSError."""
    for number, data in lines(file, LONGEST_CERTIFICATE):
        if isinstance(data, Malformed):
            problems.add("E50", name, str(data), number)
            continue
        shape = data.get("shape")
        yield number, data, shape if isinstance(shape, str) else ""


def check_certificates(file: Path, name: str, problems: Problems, *, allow_bounded: bool = True) -> Certificates:
    """Check all lines of a file (``name``: as it is reported). ``allow_bounded``: absences may rest on trust.

    When all steps are spent, the remaining lines are not checked, and count as rejected. Raises OSError.
    """
    certificates = Certificates()
    before = ""
    steps = STEPS + STEPS_A_BYTE * file.stat().st_size
    with file.open("rb") as stream:
        count = sum(1 for _ in stream)
    for number, data, shown in shaped_lines(file, name, problems):
        report_progress("certificates", number, count)
        if steps <= 0:
            if not certificates.unchecked:
                problems.add("E51", name, "from this line on nothing is checked: together they take too long", number)
            certificates.unchecked += 1
            certificates.rejected.add(shown)
            continue
        budget = Budget(min(LINE, steps))
        try:
            proved = check_entry(data, budget)
            text = canonical_text({key: data[key] for key in ("theory", "premise", "hypothesis")})
            budget.spend(len(data["theory"]["postulates"]) * len(text) // 10)
            if canonical_of(data, len(text)) != text:
                raise CertificateError("theory, premise and hypothesis are not in canonical form")
            line = Certificate(number, text, data, proved)
            _require_complete(line, allow_bounded)
        except (CertificateError, Malformed) as error:
            problems.add("E51", name, str(error), number, shown)
            certificates.rejected.add(shown)
            continue
        finally:
            steps -= budget.spent
            if budget.spent > HEAVY:
                gc.collect()  # grounding leaves circular references, which are otherwise collected too late
        if shown <= before:
            twin = "stands twice" if shown in certificates.by_shape else "is out of order: lines are sorted by shape"
            problems.add("E51", name, f"the shape {twin}", number, shown)
        before = max(before, shown)
        certificates.by_shape[shown] = line
    return certificates


def _require_complete(line: Certificate, allow_bounded: bool) -> None:
    """Raise CertificateError if a line lacks something that every build derives: that the hypothesis takes no other
    values, and what the label rests on. (Labels on trust are counted for each row.)"""
    if line.values_on_trust and not allow_bounded:
        values = " or ".join(line.on_trust)
        raise CertificateError(
            f"that the hypothesis is never {values} rests on trust, and the build did not allow that"
        )
    if line.data["rests_on"] is None and not rests_on_trust(line.data["kind"]):
        raise CertificateError("`rests_on` is null, and every proof that the label rests on can be checked")


def canonical_of(data: Mapping[str, Any], length: int) -> str:
    """The canonical text of the theory, premise and hypothesis of a line.

    ``length``: the characters of the line's own text. Raises CertificateError if they are not formulas of a theory, or
    if making them canonical would take too long.
    """
    if len(data["theory"]["postulates"]) * length > LONGEST_ORDERING:
        raise CertificateError("too many postulates")
    try:
        premise = None if data["premise"] is None else formula_from(data["premise"])
        return canonical(premise, formula_from(data["hypothesis"]), theory_from_json(data["theory"]))[0]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise CertificateError(f"these are not formulas of a theory: {error}") from None
