"""What modes measure of the items that models answered, with all that is known of the items.

measures_of(runs, cluster, warnings) -> name of a measure -> the models that have it
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from gramprobe.analysis import against
from gramprobe.analysis.clusters import cluster_values, clusters_of, source
from gramprobe.analysis.factorial import Factor
from gramprobe.analysis.item_columns import ItemColumns
from gramprobe.analysis.long_frame import item_frame
from gramprobe.analysis.means import numbered, rows_of
from gramprobe.analysis.runs import Run
from gramprobe.records import in_headline
from gramprobe.score.modes.surprisal import regions_of
from gramprobe.source import messages

if TYPE_CHECKING:
    from gramprobe.dataset.read import Dataset

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Declared:
    """What the author of a paradigm declares.

    Attributes:
        factors: by the columns of the items, but numbers, for which there is a mixed model.
        contrasts: name -> condition -> weight.
        unlike: the regions whose words differ between sentences of an instance: what is said of one of them is no
            effect of the sentence, but of its words.
    """

    factors: tuple[Factor, ...]
    contrasts: Mapping[str, Mapping[str, float]]
    unlike: frozenset[str]

    @classmethod
    def of(cls, described: ItemColumns) -> Declared:
        factors = (
            Factor(column, tuple(each.levels), each.kind == "within", each.draw or "" if each.of == "draw" else "")
            for column, each in described.declared.items()
            if each.kind != "number"
        )
        contrasts = {each.name: each.weights for each in described.design.contrasts or ()}
        return cls(tuple(factors), contrasts, _unlike(described.dataset, described.paradigm))


@dataclass(frozen=True)
class Measured:
    """One measure of the items that a model answered.

    Attributes:
        model: its name.
        values: (items,) the measure; NaN where it says nothing of an item.
        items: (items,) a column for each that is known of the items (`analysis.long_frame`), texts included.
        factors: the columns of features and of the words' columns, and those of the rows.
        words: the columns of drawn words.
        texts: the columns that models read.
        share: whether the measure lies between 0 and 1.
        clusters: (items,) which belong together.
        cluster: what these are.
        declared: paradigm -> what its author declares.
    """

    model: str
    values: Floats
    items: pa.Table
    factors: tuple[str, ...]
    words: tuple[str, ...]
    texts: tuple[str, ...]
    share: bool
    clusters: Numbers
    cluster: str
    declared: Mapping[str, Declared] = field(default_factory=dict, compare=False)
    _read: dict[str, tuple[Numbers, NDArray[np.object_]]] = field(default_factory=dict, compare=False)

    def coded(self, name: str) -> tuple[Numbers, NDArray[np.object_]]:
        """((items,) the number of each text of a column, the texts by number, in the order in which they first occur).
        An item that has none has an empty one."""
        if name not in self._read:
            if name not in self.items.column_names:
                self._read[name] = np.zeros(len(self.values), np.int64), np.array([""], dtype=object)
            else:
                whole = self.items.column(name).combine_chunks().dictionary_encode(null_encoding="encode")
                texts = ["" if value is None else str(value) for value in whole.dictionary.to_pylist()]
                alike = numbered(texts)  # of values that are written alike
                known = np.array(list(dict.fromkeys(texts)), dtype=object)
                self._read[name] = alike[whole.indices.to_numpy()], known
        return self._read[name]

    def column(self, name: str) -> NDArray[np.object_]:
        """(items,) a column; empty where the item has none."""
        codes, texts = self.coded(name)
        column: NDArray[np.object_] = texts[codes]
        return column

    def levels(self, name: str) -> dict[str, Numbers]:
        """The rows of each text of a column, but the empty one."""
        codes, texts = self.coded(name)
        rows = rows_of(codes, len(texts))
        return {text: own for text, own in zip(texts.tolist(), rows, strict=True) if text and len(own)}

    def where(self, column: str, *texts: str) -> Measured:
        """The items with one of these texts in a column."""
        rows = np.isin(self.column(column), texts)
        items = self.items.filter(pa.array(rows))
        return replace(self, values=self.values[rows], clusters=self.clusters[rows], items=items, _read={})

    def against(self, key: str) -> against.Measured:
        return against.Measured(
            self.model, self.column("id").tolist(), self.values, self.column(key).tolist(),
            self.clusters,
        )  # fmt: skip


def measures_of(runs: Sequence[Run], cluster: str, warnings: list[str]) -> dict[str, list[Measured]]:
    """Name of a measure -> the models that have it. Items without a value of the cluster are left out, with a
    warning."""
    found: dict[str, dict[str, list[Measured]]] = {}
    for run in runs:
        items, measures = item_frame(run)
        together = _clusters(run, items, cluster)
        if lost := together.count(None):
            warnings.append(f"{run.model}: {lost:,} items have no `{cluster}` and are left out")
        tags = items.column("tag").to_pylist()
        kept = pa.array(
            [in_headline(tag) and own is not None for tag, own in zip(tags, together, strict=True)], pa.bool_()
        )
        items = items.filter(kept)
        clusters = numbered(together)[np.asarray(kept)]
        columns = [ItemColumns(run.dataset, paradigm, True) for paradigm in run.paradigms]
        declared = {each.paradigm: Declared.of(each) for each in columns}
        factors, words, texts = (
            tuple(dict.fromkeys(name for own in columns for name in getattr(own, part)))
            for part in ("factors", "words", "texts")
        )
        for name, values in measures.items():
            own = values[np.asarray(kept)]
            known = own[~np.isnan(own)]
            if len(known):
                share = bool(known.min() >= 0.0 and known.max() <= 1.0)
                about = (factors, words, texts, share, clusters, cluster, declared)
                found.setdefault(name, {}).setdefault(run.model, []).append(Measured(run.model, own, items, *about))
    critical = _critical(runs)
    return {
        name: [_joined(own) for own in found[name].values()] for name in sorted(found, key=lambda n: n not in critical)
    }


def _joined(found: Sequence[Measured]) -> Measured:
    """One measure of a model on several sets as one. A column that has another type elsewhere is one of texts."""
    first, *others = found
    if not others:
        return first
    tables, types = [each.items for each in found], dict[str, set[pa.DataType]]()
    for column in (column for table in tables for column in table.schema):
        types.setdefault(column.name, set()).add(column.type)
    unlike = [name for name, own in types.items() if len(own - {pa.null()}) > 1]
    for name in unlike:
        at = [(n, table.column_names.index(name)) for n, table in enumerate(tables) if name in table.column_names]
        for n, place in at:
            tables[n] = tables[n].set_column(place, name, tables[n].column(name).cast(pa.string()))
    starts = np.cumsum([0, *(int(each.clusters.max(initial=-1)) + 1 for each in found)])
    named: dict[str, Any] = {
        name: tuple(dict.fromkeys(value for each in found for value in getattr(each, name)))
        for name in ("factors", "words", "texts")
    }
    return replace(
        first,
        values=np.concatenate([each.values for each in found]),
        items=pa.concat_tables(tables, promote_options="default"),
        share=all(each.share for each in found),
        clusters=np.concatenate([each.clusters + start for each, start in zip(found, starts.tolist(), strict=False)]),
        declared={key: value for each in found for key, value in each.declared.items()},
        **named,
        _read={},
    )


def _critical(runs: Sequence[Run]) -> set[str]:
    """The measures of critical regions, which an author compares: they stand before those of whole sentences."""
    designs = (run.dataset.design(paradigm) for run in runs for paradigm in run.paradigms)
    return {f"{of}_{name}" for each in designs for name in (each.compared or [])[:1] for of in ("region", "time")}


def _clusters(run: Run, items: pa.Table, cluster: str) -> list[str | None]:
    """(items,) which belong together. Raises UsageError if no item has a value."""
    paradigms, found = items.column("paradigm").to_pylist(), list[str | None]([None] * items.num_rows)
    for paradigm in dict.fromkeys(paradigms):
        rows = [row for row, name in enumerate(paradigms) if name == paradigm]
        names = [name.removeprefix("draws.") for name in source(run.dataset, paradigm, cluster)]
        own = items.take(rows)
        columns = [own.column(name).to_pylist() if name in own.column_names else [None] * len(rows) for name in names]
        for row, value in zip(rows, cluster_values(run.dataset, paradigm, cluster, columns), strict=True):
            found[row] = value
    if found and not any(found):
        raise messages.names.none_called("draw or column", cluster, clusters_of(run.dataset, run.paradigms))
    return found


def _unlike(dataset: Dataset, paradigm: str) -> frozenset[str]:
    if "regions" not in dataset.columns(paradigm):
        return frozenset()
    texts: dict[tuple[str, str], str] = {}
    found = set()
    (said,) = dataset.design(paradigm).scored.continuations
    for batch in dataset.rows(paradigm, ["instance", said, "regions"]):
        for row in batch.to_pylist():
            for name, text in regions_of(row[said], row["regions"]).items():
                if texts.setdefault((row["instance"], name), text) != text:
                    found.add(name)
    return frozenset(found)
