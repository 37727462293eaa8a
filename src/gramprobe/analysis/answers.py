"""The labels that models give to items, as studies read them.

answers(run) -> Answers          joined([answers(run), ...]) -> Answers of one model
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from gramprobe.analysis.clusters import INSTANCE, clusters_of
from gramprobe.analysis.runs import CLUSTER, Run, by_model, clustered_rows
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.read import Dataset
from gramprobe.formats.nli import TWO_WAY
from gramprobe.records import OUTSIDE, in_headline
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Answers:
    """The labels that a model gives to items.

    Attributes:
        run: where they are from; of a model that answered several sets, the first of its runs.
        items: a row for each: `id`, `instance`, `paradigm`, `condition`, `label` (the gold label, as text; null where
            there is none), `tag`, and the columns asked for.
        labels: the labels among which the model chose: three, or `entailment` and `not_entailment`.
        shares: (items, labels) 1 for the label that the model gives, or an equal share for each of those that tie; of
            several people, the share of them that gives each label.
        cluster: what is drawn independently.
        lost: answers to items that do not have it, which are left out.
        others: further runs of the model that they are from.
    """

    run: Run
    items: pa.Table
    labels: tuple[str, ...]
    shares: NDArray[np.float64]
    cluster: str = INSTANCE
    lost: int = 0
    others: tuple[Run, ...] = ()

    @property
    def paradigms(self) -> tuple[str, ...]:
        """The scored paradigms of all sets."""
        return tuple(name for run in (self.run, *self.others) for name in run.paradigms)

    def dataset_of(self, paradigm: str) -> Dataset:
        """The set that has a paradigm."""
        return next(run.dataset for run in (self.run, *self.others) if paradigm in run.paradigms)

    @cached_property
    def _read(self) -> dict[str, list[str | None]]:
        return {}

    @cached_property
    def _coded(self) -> dict[str, tuple[NDArray[np.int64], list[str]]]:
        return {}

    def column(self, name: str) -> list[str | None]:
        """A column of the items."""
        if name not in self._read:
            self._read[name] = self.items.column(name).to_pylist()
        return self._read[name]

    def coded(self, name: str) -> tuple[NDArray[np.int64], list[str]]:
        """((items,) the number of each text of a column, the texts by number, in the order in which they first occur).
        An item without a text has an empty one."""
        import pyarrow.compute as pc

        if name not in self._coded:
            whole = pc.fill_null(self.items.column(name), "").combine_chunks().dictionary_encode()
            self._coded[name] = whole.indices.to_numpy().astype("int64"), whole.dictionary.to_pylist()
        return self._coded[name]

    def having(self, name: str, text: str) -> NDArray[np.bool_]:
        """(items,) whether a column of the items has this text."""
        codes, texts = self.coded(name)
        rows: NDArray[np.bool_] = codes == (texts.index(text) if text in texts else -1)
        return rows

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """(items,) which of them belong together, numbered from 0: the instance of a paradigm, or the value of another
        `cluster`."""
        codes: NDArray[np.int64] = self.items.column(CLUSTER).combine_chunks().dictionary_encode().indices.to_numpy()
        return codes.astype("int64")

    def share_of(self, label: str) -> NDArray[np.float64]:
        """(items,) how much each item is given this label; `not_entailment` is neutral and contradiction together."""
        if label == "not_entailment":
            return 1.0 - self.share_of("entailment")
        if label not in self.labels:
            raise ValueError(f"`{self.run.model}` has no label `{label}`: its labels are {self.labels}")
        share: NDArray[np.float64] = self.shares[:, self.labels.index(label)]
        return share

    def shares_of_three(self) -> NDArray[np.float64]:
        """(items, 3) how much each item is given each of `LABELS`; of a model with two labels the absence of entailment
        stands in the place of neutral."""
        import numpy as np

        found = np.zeros((len(self.shares), len(LABELS)))
        for place, label in enumerate(LABELS if len(self.labels) == len(LABELS) else TWO_WAY):
            found[:, place] = self.share_of(label)
        return found

    def right(self, column: str = "label", binary: bool = False) -> NDArray[np.float64]:
        """(items,) how much the label in a column of the items is given; NaN where the column is empty.

        ``binary``: entailment against the two others. A model with two labels is always measured so.
        """
        import numpy as np

        two = binary or len(self.labels) == 2
        found = np.full(len(self.shares), np.nan)
        codes, labels = self.coded(column)
        for code, label in enumerate(labels):
            where = codes == code
            if not label:
                continue
            given = label if not two or label == "entailment" else "not_entailment"
            found[where] = self.share_of(given)[where]
        return found

    def headline(self, counted: bool = True) -> Answers:
        """The answers that count in headline scores (`records.in_headline`), or (``counted`` False) the others."""
        import numpy as np

        codes, tags = self.coded("tag")
        return self.where(np.array([in_headline(tag) == counted for tag in tags], np.bool_)[codes])

    def outside(self) -> Iterator[str]:
        """How many answers are out of headline scores, or of all, and why; nothing where all count."""
        import numpy as np

        if self.lost:
            yield f"{self.run.model}: {self.lost:,} items have no `{self.cluster}` and are left out"
        codes, tags = self.coded("tag")
        for tag, number in zip(tags, np.bincount(codes, minlength=len(tags)).tolist(), strict=True):
            if in_headline(tag):
                continue
            yield f"{self.run.model}: {number:,} items tagged `{tag}` are out of accuracies ({OUTSIDE[tag]})"

    def where(self, rows: NDArray[np.bool_]) -> Answers:
        """The answers to some of the items."""
        import pyarrow as pa

        return self if rows.all() else replace(self, items=self.items.filter(pa.array(rows)), shares=self.shares[rows])


BASIC = ("condition", "label", "tag")


def answers(
    run: Run, columns: Sequence[str] = (), paradigms: Sequence[str] | None = None, cluster: str = INSTANCE
) -> Answers:
    """The labels of the items of a run, over several paradigms.

    ``cluster``: what is drawn independently: instances, or the values of a column or of a draw. Refused items are left
    out (`Run.warnings` counts them), and those without a value of it. Raises UsageError if the run has no labels, and
    if no item has such a value.
    """
    import numpy as np
    import pyarrow as pa

    if not run.labels:
        raise UsageError(
            f"the scores of `{run.model}` are values of the mode {run.mode}, not labels",
            "give scores of --mode nli, or a file `item,label`",
        )
    tables, shares, lost, own = [], [], 0, list(dict.fromkeys([*BASIC, *columns]))
    for paradigm in run.paradigms if paradigms is None else paradigms:
        values = run.values_of(paradigm) if paradigm in run.joined.places else {}
        there = (p for p in run.parts if values and not np.isnan(values[f"{p}.{run.values[0]}"]).all())
        if (part := next(there, None)) is None:
            continue
        table = clustered_rows(run, paradigm, own, cluster, values=False).select(["id", "instance", *own, CLUSTER])
        numbers = np.column_stack([values[f"{part}.{name}"] for name in run.values])
        whole = ~np.isnan(numbers).any(axis=1)
        kept = whole & table.column(CLUSTER).is_valid().to_numpy()
        lost += int(whole.sum() - kept.sum())
        table = table if kept.all() else table.filter(pa.array(kept))
        tables.append(table.append_column("paradigm", pa.array([paradigm] * table.num_rows, pa.string())))
        shares.append(shares_of(numbers[kept], run))
    if not tables:
        raise UsageError(f"no item of {run.dataset.folder} has labels by `{run.model}`", "score the dataset anew")
    found = Answers(run, pa.concat_tables(tables), run.values, np.vstack(shares), cluster, lost)
    if lost and not len(found.shares):
        raise messages.names.none_called("draw or column", cluster, clusters_of(run.dataset, run.paradigms))
    return found


def joined(found: Sequence[Answers]) -> Answers:
    """The answers of one model to several sets as one, in their order."""
    import numpy as np
    import pyarrow as pa

    first, *others = found
    if not others:
        return first
    items = pa.concat_tables([each.items for each in found], promote_options="permissive")
    shares, lost = np.vstack([each.shares for each in found]), sum(each.lost for each in found)
    return replace(first, items=items, shares=shares, lost=lost, others=tuple(each.run for each in others))


def answers_of_models(runs: Iterable[Run], columns: Sequence[str] = (), cluster: str = INSTANCE) -> list[Answers]:
    """The :func:`answers` of each model, to all sets that it answered."""
    return [joined([answers(run, columns, None, cluster) for run in own]) for own in by_model(runs).values()]


def shares_of(numbers: NDArray[np.float64], run: Run) -> NDArray[np.float64]:
    """(items, labels) how much each label is given, as in `Answers`, from what its columns hold."""
    import numpy as np

    if run.people:
        return numbers
    best = numbers >= numbers.max(axis=1, keepdims=True) - run.tie
    shares: NDArray[np.float64] = best / best.sum(axis=1, keepdims=True)
    return np.asarray(shares, dtype=np.float64)
