"""Check minimal pairs by the grammar and the charts in their dataset.

Each line of charts.jsonl is checked against grammar.json with `certify.charts`, which shares no code with the parser
that made it. A row names two charts: each must be of its sentence's own shape, and say what the row says. Where the
source files are here, their grammar is made again and compared (`derive`). Without them *bad* means: without a tree in
the grammar of the dataset, which nothing shows to be English.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import msgspec

from gramprobe.certify.charts import Charts as Checker
from gramprobe.certify.charts import Verdict
from gramprobe.certify.reject import CertificateError
from gramprobe.compiled.data import Compiled, read
from gramprobe.dataset.verify.certificates import report_unused, shaped_lines
from gramprobe.dataset.verify.problems import Problems
from gramprobe.progress import report_progress
from gramprobe.records import why_no_record


class Charts:
    """The lines of charts.jsonl.

    Attributes:
        grammar: of the dataset; None where it cannot be read, and nothing is checked.
        by_shape: shape -> what its chart says, where it holds.
        rejected: shapes of lines that do not hold.
    """

    def __init__(self, folder: Path, charts: str, grammar: str, problems: Problems) -> None:
        """Check all lines. Raises OSError."""
        self.grammar: Compiled | None = None
        self.by_shape: dict[str, Verdict] = {}
        self.rejected: set[str] = set()
        self._used: set[str] = set()
        self._numbers: dict[str, int] = {}
        #: constructor -> the values and tokens of its productions
        self._spelt: dict[str, list[tuple[Mapping[str, str], frozenset[str]]]] = {}
        try:
            raw = (folder / grammar).read_bytes()
            self.grammar, self._checker = read(raw), Checker(json.loads(raw))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            problems.add("E50", grammar, f"it is no compiled grammar: {why_no_record(error)}")
            return
        except (ValueError, CertificateError) as error:
            problems.add("E50", grammar, f"it is no compiled grammar: {error}")
            return
        with (folder / charts).open("rb") as stream:
            count = sum(1 for _ in stream)
        before = ""
        for number, data, shape in shaped_lines(folder / charts, charts, problems):
            report_progress("charts", number, count)
            if shape <= before:
                problems.add("E51", charts, "the shape stands twice, or lines are not sorted by shape", number, shape)
            before = max(before, shape)
            self._numbers[shape] = number
            try:
                self.by_shape[shape] = self._checker.check(data)
            except CertificateError as error:
                problems.add("E51", charts, str(error), number, shape)
                self.rejected.add(shape)

    def of(self, shape: str, text: str) -> Verdict | None:
        """What the chart of a sentence says; None if the sentence has another shape, or there is none that holds."""
        self._used.add(shape)
        if shape not in self.by_shape or self._checker.shape_of(text) != shape:
            return None
        return self.by_shape[shape]

    def holds(self, shape: str, good: bool, repairs: tuple[str, ...]) -> bool:
        """Whether there is a chart of a shape that says this, or one that is reported as wrong."""
        self._used.add(shape)
        return shape in self.rejected or self.by_shape.get(shape) == Verdict(good, repairs)

    def spells(self, constructor: str, case: Mapping[str, str], text: str) -> bool:
        """Whether a constructor with these values of its features can have its words in a text."""
        assert self.grammar is not None
        if not self._spelt:
            for each in self.grammar.productions:
                tokens = frozenset(part for part in each.daughters if isinstance(part, str))
                self._spelt.setdefault(each.constructor, []).append((each.values, tokens))
        there = {token for literal, _ in self._checker.entries(text) for token in literal}
        return any(
            tokens <= there and all(case.get(name, value) == value for name, value in values.items())
            for values, tokens in self._spelt.get(constructor, ())
        )

    def unused(self, file: str, problems: Problems) -> None:
        """Report the lines that no row names."""
        report_unused({shape: self._numbers[shape] for shape in self.by_shape}, self._used, file, problems)
