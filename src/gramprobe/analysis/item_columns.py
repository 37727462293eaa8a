"""The columns of an item: all that is known of it, by the design of its dataset and its lexicon alone."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET

from gramprobe.analysis.runs import named
from gramprobe.dataset.manifest import FactorDesign
from gramprobe.dataset.read import Dataset, numbers_or_texts
from gramprobe.records import OWN, factor_column
from gramprobe.score.modes import MODES
from gramprobe.score.source import Table

Columns = dict[str, pa.Array]
NO_FACTORS = (
    "shape", "certificate", "premise_form", "hypothesis_form", "labels", "label_name", "label_binary", "readings",
    "fits", "paraphrase_surface", "paraphrase_inverse", "regions", "chart_good", "chart_bad",
)  # fmt: skip
"""Columns of the rows of a dataset that the frame leaves out: formulas, proofs, texts, and labels a second time."""
NOT_CODED = ("id", "instance", "label", *OWN[:-2], "parameters")
"""Columns of which no code is made, nor of those that go on with `_`."""
DECIMALS = pa.float64()


class ItemColumns:
    """The columns of a paradigm's items as the frame has them."""

    def __init__(self, dataset: Dataset, paradigm: str, texts: bool) -> None:
        self.dataset, self.paradigm = dataset, paradigm
        design = dataset.design(paradigm)
        self.design = design
        values = {c.name: tuple(c.values) for c in design.columns if c.type == "label" and c.values is not UNSET}
        labels = next((values[name] for name in design.scored.label if name in values), ())
        names = dataset.columns(paradigm)
        self.table = Table(paradigm, design.task, design.scored, names, labels)
        scored = {*design.scored.context, *design.scored.options, *design.scored.continuations}
        left_out = {*NO_FACTORS, *(() if texts else scored)}
        self.kept = [name for name in names if name not in left_out and name not in ("draws", "labels_by_theory")]
        measured = {column for mode in MODES.values() if mode.fits(self.table) for column in mode.kept}
        self.read = [name for name in names if name not in NO_FACTORS or name in measured]
        self.texts = [name for name in names if name in scored]
        words = dataset.word_columns
        self._columns = {draw.name: words.get(draw.category) for draw in design.draws if not draw.feature}

    def columns(self, rows: pa.RecordBatch, parts: pa.Array | None = None) -> Columns:
        """The columns of some rows. An empty text is null; a label is its name. ``parts``: which text of each row was
        judged, if it was one by itself: of a pair of crossed sentences, factors have the level of that sentence."""
        found: Columns = {}
        for name in self.kept:
            values = named(self.dataset, self.paradigm, name, rows.column(name))
            values = _without_empty(values) if pa.types.is_string(values.type) else values
            found[f"item_{name}" if name in OWN else name] = values
        if "labels_by_theory" in self.table.columns:
            found |= _by_theory(rows.column("labels_by_theory"))
        draws = rows.column("draws") if "draws" in self.table.columns else None
        for draw in () if draws is None else self.design.draws:
            values = _without_empty(pc.struct_field(draws, draw.name))
            name = self._named(draw.name)
            found[name] = values
            if draw.name in self._columns and self._columns[draw.name] is None:  # a phrase: its constructor comes first
                found[f"{name}_constructor"] = pc.list_element(pc.split_pattern(values, ".", max_splits=1), 0)
            for column, (ids, own) in (self._columns.get(draw.name) or {}).items():
                found[f"{name}_{column}"] = own.take(pc.index_in(values, value_set=ids))
        for carried in () if draws is None else self.carried:
            name = carried.replace(".", "_")
            if name not in found:
                values = _without_empty(pc.struct_field(draws, carried))
                found[name] = values.cast(DECIMALS) if self._number(carried) else values
        own = None
        if parts is not None:
            both = zip(rows.column("condition").to_pylist(), parts.to_pylist(), strict=True)
            own = pa.array([self.design.sentence_of(name, part or "") for name, part in both], pa.string())
        return {**found, **self.dataset.levels(self.paradigm, rows, own)}

    def _named(self, draw: str) -> str:
        return f"draw_{draw}" if draw in (*self.table.columns, *OWN) else draw

    @property
    def declared(self) -> dict[str, FactorDesign]:
        """Column -> the factor that the author declares."""
        factors = () if self.design.factors is UNSET else self.design.factors
        return {factor_column(each.name, self.table.columns): each for each in factors}

    @property
    def carried(self) -> Sequence[str]:
        """What rows carry of their words: `DRAW.COLUMN`."""
        return () if self.design.carried is UNSET else self.design.carried

    @property
    def words(self) -> list[str]:
        """The columns of drawn words."""
        return [self._named(draw.name) for draw in self.design.draws if not draw.feature]

    @property
    def factors(self) -> list[str]:
        """The columns that may be factors: those of the rows, of features, the classes of drawn words, the
        constructors of drawn phrases, and what rows carry of their words but numbers."""
        no_factors = {*self.texts, *self.design.scored.label}
        rows = [name for name in self.kept if name not in no_factors and kind(name) not in NOT_CODED]
        features = [self._named(draw.name) for draw in self.design.draws if draw.feature]
        return [
            *self.declared,
            *rows,
            *features,
            *(f"{name}_{column}" for name in self.words for column in ("class", "constructor")),
            *(carried.replace(".", "_") for carried in self.carried if not self._number(carried)),
        ]

    def _number(self, carried: str) -> bool:
        """Whether the words' own column is one of numbers."""
        column = carried.rpartition(".")[2]
        own = [word.values[column] for word in self.dataset.words.values() if word.values.get(column) not in ("", None)]
        return bool(own) and not pa.types.is_string(numbers_or_texts(own).type)


def _without_empty(values: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(values, ""), pa.scalar(None, pa.string()), values)


def _by_theory(texts: pa.Array) -> Columns:
    """Labels of other theories, a column each: `label_THEORY`; null where the readings of a pair differ in it."""
    coded = texts.dictionary_encode()
    parsed = [json.loads(text) if text else {} for text in coded.dictionary.to_pylist()]
    found = {}
    for theory in dict.fromkeys(name for labels in parsed for name in labels):
        own = pa.array([label if isinstance(label := each.get(theory), str) else None for each in parsed], pa.string())
        found[f"label_{theory.replace('-', '_')}"] = own.take(coded.indices)
    return found


def kind(name: str) -> str:
    """`score` of `score_neutral`."""
    return name.partition("_")[0]


def constant(text: str, count: int) -> pa.Array:
    return pa.array([text] * count, pa.string())
