"""Every line of certificates.jsonl through the kernel, each in its own canonical form, sorted and without a twin."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramprobe.certify.check import canonical_text, check_entry
from gramprobe.certify.reject import LINE, Budget, CertificateError
from gramprobe.certify.rule import on_trust
from gramprobe.dataset.verify.problems import Problems, Say
from gramprobe.dataset.verify.text import LONGEST_CERTIFICATE, Malformed, lines
from gramprobe.formula.canonical import canonical
from gramprobe.formula.encoding import formula_from, theory_from_json
from gramprobe.items.trust import rests_on_trust

LONGEST_ORDERING = 10_000_000
"""Postulates times characters of a line, up to which it is brought into canonical form: ordering them is quadratic."""

STEPS, STEPS_A_BYTE = 10_000_000, 20
"""Steps of the kernel that all lines together may take, and how many more with each byte of them. A step takes about
a microsecond: ten seconds, and 20 more with each megabyte. What is shipped takes a tenth of the latter."""

HEAVY = 100_000
"""Steps of a line after which what it left in memory is given back at once."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A line that the kernel has checked. ``text``: canonical theory, premise and hypothesis; ``proved``: nothing in
    it rests on trust."""

    number: int
    text: str
    data: dict[str, Any]
    proved: bool

    @property
    def on_trust(self) -> str:
        """The values whose absence cannot be checked here."""
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
    """The lines by shape; ``rejected``: shapes of lines that do not hold, or were not checked; ``unchecked``: how many
    were not; ``used``: shapes that some row names."""

    by_shape: dict[str, Certificate] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    unchecked: int = 0
    used: set[str] = field(default_factory=set)

    @property
    def kinds(self) -> Counter[str]:
        """How many lines there are of each kind."""
        return Counter(each.data["kind"] for each in self.by_shape.values())

    @property
    def unshown(self) -> int:
        """How many lines name a principle of which nothing shows that it is needed, though all else is proved."""
        return sum(not (each.proved or each.on_trust) for each in self.by_shape.values())

    @property
    def on_trust(self) -> bool:
        """Whether some line that holds rests on trust, or some line does not hold."""
        return bool(self.rejected) or any(line.on_trust for line in self.by_shape.values())

    def unused(self, file: str, problems: Problems) -> None:
        """Lines that no row rests on."""
        report_unused({shape: line.number for shape, line in self.by_shape.items()}, self.used, file, problems)


def report_unused(numbers: Mapping[str, int], used: Set[str], file: str, problems: Problems) -> None:
    """Tell the lines (`numbers`: by shape) that no row uses."""
    for shape, number in numbers.items():
        if shape not in used:
            problems.add("E51", file, "no row rests on this line", number, shape)


def shaped_lines(file: Path, name: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any], str]]:
    """The lines of a file that are JSON, each with its number and its shape (none: the empty text). Raises OSError."""
    for number, data in lines(file, LONGEST_CERTIFICATE):
        if isinstance(data, Malformed):
            problems.add("E50", name, str(data), number)
            continue
        shape = data.get("shape")
        yield number, data, shape if isinstance(shape, str) else ""


def check_certificates(
    file: Path, name: str, problems: Problems, say: Say, *, allow_bounded: bool = True
) -> Certificates:
    """All lines of a file, checked; ``allow_bounded``: an absence may rest on trust. Raises OSError.

    When all steps are taken, the lines that are left are not checked, and count as rejected.
    """
    certificates = Certificates()
    before = ""
    steps = STEPS + STEPS_A_BYTE * file.stat().st_size
    for number, data, shown in shaped_lines(file, name, problems):
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
                gc.collect()  # grounding leaves circles behind, which nothing else collects soon enough
        if shown <= before:
            twin = "stands twice" if shown in certificates.by_shape else "is out of order: lines are sorted by shape"
            problems.add("E51", name, f"the shape {twin}", number, shown)
        before = max(before, shown)
        certificates.by_shape[shown] = line
        if number % 500 == 0:
            say(f"{number:,} certificates")
    return certificates


def _require_complete(line: Certificate, allow_bounded: bool) -> None:
    """Raise CertificateError where a line leaves open what a build always finds out: that the hypothesis takes no other
    values, and what the label rests on. (Labels on trust are counted row by row.)"""
    if line.values_on_trust and not allow_bounded:
        values = " or ".join(line.on_trust)
        raise CertificateError(
            f"that the hypothesis is never {values} rests on trust, and the build did not allow that"
        )
    if line.data["rests_on"] is None and not rests_on_trust(line.data["kind"]):
        raise CertificateError("`rests_on` is null, and every proof that the label rests on can be checked")


def canonical_of(data: Mapping[str, Any], length: int) -> str:
    """The canonical text of the theory, premise and hypothesis of a line. Raises CertificateError where they are none,
    or where it would take too long."""
    if len(data["theory"]["postulates"]) * length > LONGEST_ORDERING:
        raise CertificateError("too many postulates")
    try:
        premise = None if data["premise"] is None else formula_from(data["premise"])
        return canonical(premise, formula_from(data["hypothesis"]), theory_from_json(data["theory"]))[0]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise CertificateError(f"no formulas of a theory: {error}") from None
