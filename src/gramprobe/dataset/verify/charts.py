"""Check the charts of a dataset of minimal pairs: every line of charts.jsonl against the grammar beside it.

The checker (`certify.charts`) shares no code with the parser that made the charts. A row names two lines: each must be
the chart of its sentence's own shape, and say what the row says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramprobe.certify.charts import Grammar, Verdict, check, grammar_from, shape_of
from gramprobe.certify.reject import CertificateError
from gramprobe.dataset.verify.certificates import report_unused, shaped_lines
from gramprobe.dataset.verify.problems import Problems
from gramprobe.progress import report_progress


@dataclass(slots=True)
class Charts:
    """The lines of charts.jsonl.

    Attributes:
        grammar: of the dataset; None where it cannot be read.
        by_shape: shape -> what its chart says, where it holds.
        numbers: shape -> its line.
        rejected: shapes of lines that do not hold.
        used: shapes that some row names.
    """

    grammar: Grammar | None = None
    by_shape: dict[str, Verdict] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)

    def of(self, shape: str) -> Verdict | None:
        """What the chart of a shape says; None if there is none that holds."""
        self.used.add(shape)
        return self.by_shape.get(shape)

    def is_rejected(self, shape: str) -> bool:
        """Whether the chart of a shape was checked and does not hold (reported at its line)."""
        return shape in self.rejected or self.grammar is None

    def fits(self, shape: str, text: str) -> bool:
        """Whether a sentence has this shape by the grammar of the dataset."""
        return self.grammar is not None and shape_of(text, self.grammar) == shape

    def differences(self, judged: Mapping[str, Any], file: str, problems: Problems) -> None:
        """Report charts that say otherwise than the parser does now (``judged``: shape -> what it says)."""
        for shape, said in judged.items():
            verdict = self.of(shape)
            if verdict is None:
                if not self.is_rejected(shape):
                    problems.add("E51", file, "a row rests on a chart that is missing", id=shape)
            elif (verdict.good, tuple(verdict.repairs)) != (said.good, tuple(said.repairs)):
                what = "good" if said.good else ", ".join(said.repairs) or "no constraint alone"
                problems.add("E54", file, f"the source files give: {what}", self.numbers[shape], shape)

    def unused(self, file: str, problems: Problems) -> None:
        """Report the lines that no row names."""
        report_unused({shape: self.numbers[shape] for shape in self.by_shape}, self.used, file, problems)


def check_charts(folder: Path, charts: str, grammar: str, problems: Problems) -> Charts:
    """Check all lines of a file against the grammar in another. Raises OSError."""
    found = Charts()
    try:
        found.grammar = grammar_from((folder / grammar).read_bytes())
    except CertificateError as error:
        problems.add("E50", grammar, str(error))
        return found
    with (folder / charts).open("rb") as stream:
        count = sum(1 for _ in stream)
    before = ""
    for number, data, shape in shaped_lines(folder / charts, charts, problems):
        report_progress("charts", number, count)
        if shape <= before:
            problems.add("E51", charts, "the shape stands twice, or lines are not sorted by shape", number, shape)
        before = max(before, shape)
        found.numbers[shape] = number
        try:
            found.by_shape[shape] = check(data, found.grammar)
        except CertificateError as error:
            problems.add("E51", charts, str(error), number, shape)
            found.rejected.add(shape)
    return found
