"""What charts say of sentences: which are good, and which constraint alone repairs each of the others.

The grammar is wider than that of the paradigm: all of the shipped modules, if it uses any of them, with the lexicon
opened (`compiled.opened`), so that a bad sentence is bad in all of this English and not in a part of it. Sentences of
equal shape (the sequence of their words' entries, without ids) have one chart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from gramprobe.chart.judge import Judgement, chart_of, judge, shape_of
from gramprobe.chart.rules import Rules
from gramprobe.compiled.data import written
from gramprobe.compiled.from_resolve import compiled
from gramprobe.resolve.project import Declarations
from gramprobe.syntax.tree import Uses


class Charted(NamedTuple):
    """A sentence: the id of its shape, and what the chart of the shape says."""

    shape: str
    judgement: Judgement


@dataclass
class Charts:
    """The charts of the sentences of a grammar, each made when it is first asked for.

    Attributes:
        rules: of the grammar.
        judged: shape -> what its chart says.
        first: shape -> a sentence that has it.
    """

    rules: Rules
    judged: dict[str, Judgement] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._shape = lru_cache(maxsize=1 << 16)(lambda text: shape_of(text, self.rules))

    def of(self, text: str) -> Charted:
        """What the chart of a sentence says."""
        shape = self._shape(text)
        if shape not in self.judged:
            self.judged[shape] = judge(text, self.rules)
        self.first.setdefault(shape, text)
        return Charted(shape, self.judged[shape])

    def lines(self, shapes: Iterable[str]) -> dict[str, str]:
        """Shape -> its line of charts.jsonl."""
        import msgspec

        encode = msgspec.json.Encoder().encode
        return {shape: encode(chart_of(self.first[shape], self.rules)).decode() + "\n" for shape in sorted(shapes)}

    @property
    def grammar(self) -> bytes:
        """The grammar as it stands in a dataset."""
        return written(self.rules.grammar)


def charts_of(declarations: Declarations, names: Iterable[str]) -> Charts:
    """The charts for some paradigms, by full name. Raises AuthoringError where their modules do not go together."""
    lines = (declarations.lines.paradigms[name].lines for name in names)
    return charts_around(declarations, [each for line in lines if line is not None for each in line.uses])


def charts_around(declarations: Declarations, uses: Sequence[Uses]) -> Charts:
    """The charts for some `uses` lines. Raises AuthoringError where their modules do not go together."""
    grammar = declarations.grammar(*declarations.modules_around(uses))
    if "charts" not in grammar.memory:
        grammar.memory["charts"] = Charts(Rules(compiled(grammar)))
    found: Charts = grammar.memory["charts"]
    return found
