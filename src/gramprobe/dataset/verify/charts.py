"""Check minimal pairs by the grammar in their dataset: which sentences are good, and what repairs the others.

Where the source files are here, their grammar is made again and compared (`derive`). Without them *bad* means: without
a tree in the grammar of the dataset, which nothing shows to be English.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from gramprobe.chart.judge import Judgement, judge, shape_of
from gramprobe.chart.rules import Rules
from gramprobe.compiled.data import read
from gramprobe.dataset.verify.problems import Problems


class Charts:
    """The charts of a dataset's sentences, each shape's made when a row first has it.

    Attributes:
        rules: of the grammar of the dataset; None where it cannot be read.
        judged: shape -> what its chart says.
    """

    def __init__(self, folder: Path, grammar: str, problems: Problems) -> None:
        """Raises OSError."""
        self.rules: Rules | None = None
        self.judged: dict[str, Judgement] = {}
        try:
            self.rules = Rules(read((folder / grammar).read_bytes()))
        except (msgspec.MsgspecError, UnicodeDecodeError, LookupError) as error:
            problems.add("E50", grammar, f"it is no compiled grammar: {error}")

    def of(self, shape: str, text: str) -> Judgement | None:
        """What the chart of a sentence says; None if it has another shape."""
        if self.rules is None or shape_of(text, self.rules) != shape:
            return None
        if shape not in self.judged:
            self.judged[shape] = judge(text, self.rules)
        return self.judged[shape]
