"""The rows that are trained, validated and tested on: pairs of sentences with a label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gramprobe.dataset.manifest import MANIFEST
from gramprobe.score.modes.nli import Nli
from gramprobe.score.request import Classify
from gramprobe.score.source import NOT_SCORED, DatasetSource, Item, Table, ranked, shares
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean

TRAIN, VALIDATION = "train", "validation"


@dataclass(frozen=True, slots=True)
class Example:
    """A pair with its label.

    Attributes:
        item: the id of the row.
        part: which of its texts, as in a folder of scores (`hypothesis`).
        table: the paradigm.
        instance: the instance of the row.
        condition: the condition of the row.
        pair: premise and hypothesis.
        label: the name of its label in the dataset.
        words: the ids of the words of the lexicon that stand in it.
        unknown: its draws of something that is no word of the lexicon: given sentences, phrases.
    """

    item: str
    part: str
    table: str
    instance: str
    condition: str
    pair: Classify
    label: str
    words: tuple[str, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """Paradigms of a dataset.

    Attributes:
        name: the dataset's folder, with the paradigm behind a slash if one is named.
        source: the dataset.
        tables: the names of the paradigms.
    """

    name: str
    source: DatasetSource
    tables: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that the rows can have. Raises UsageError (E58) if the paradigms differ in them."""
        found = {self.source.tables[table].labels for table in self.tables}
        if len(found) > 1:
            raise messages.finetune.unusable_data(
                self.name, "its paradigms have labels of different names", "give one paradigm: DATASET/PARADIGM"
            )
        return next(iter(found))

    def split(self, name: str) -> list[Example]:
        """The examples of a split, paradigm after paradigm in the order of their rows."""
        return [example for table in self.tables for example in self._of(table, [name])]

    def to_test(self) -> list[Example]:
        """The examples of all splits that are not there to be trained on."""
        return [
            example
            for table in self.tables
            for example in self._of(table, [s for s in self.source.dataset.splits(table) if s not in NOT_SCORED])
        ]

    def _of(self, table: str, splits: Sequence[str]) -> Iterable[Example]:
        known = self.source.tables[table]
        shown = _Shown(self.source, table)
        wanted = ["condition", "label", *shown.columns, *known.scored.context, *known.scored.continuations]
        there = self.source.dataset.splits(table)
        for split in splits:
            for item in self.source.split(table, split, wanted) if split in there else ():
                yield from self._examples(known, item, *shown.words(item.row))

    def _examples(
        self, table: Table, item: Item, words: tuple[str, ...], unknown: tuple[str, ...]
    ) -> Iterable[Example]:
        gold = item.row["label"]
        if gold is None or gold == "":
            raise messages.finetune.unusable_data(
                self.name, f"the row `{item.id}` has no label", "train on rows that have one"
            )
        for asked in NLI.asked(table, item.row):
            assert isinstance(asked.request, Classify)
            for part, _ in asked.parts:
                yield Example(
                    item=item.id,
                    part=part,
                    table=table.name,
                    instance=item.instance,
                    condition=item.row["condition"],
                    pair=asked.request,
                    label=table.labels[gold],
                    words=words,
                    unknown=unknown,
                )


NLI = Nli()
"""What finds premise and hypothesis in a row, as for scoring."""


class _Shown:
    """Which drawn words stand in the sentences of a row: a paradigm draws for all of its conditions at once, and a
    condition may leave a draw out. Words that a tree names itself are among them."""

    def __init__(self, source: DatasetSource, table: str) -> None:
        self.known = source.dataset.words
        self.columns: list[str] = []
        self._used: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        scored = source.tables[table].scored
        there = source.dataset.columns(table)
        named = [f"{column}_condition" for column in (*scored.context, *scored.continuations)]
        self._named = named if all(column in there for column in named) else []
        self.columns = ["draws", *self._named]
        design = source.dataset.design(table)
        self._features = {draw.name for draw in design.draws if draw.feature}
        for condition in design.conditions:
            draws: set[str] = set()
            given: set[str] = set()
            _walk(condition.tree, draws, given)
            self._used[condition.name] = frozenset(draws), frozenset(given & set(self.known))

    def words(self, row: Mapping[str, object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The ids of the words of a row, and its draws whose words the design does not name. Where a row does not name
        its conditions, all draws count."""
        draws = row.get("draws")
        if not isinstance(draws, dict):
            return (), ("draws",)
        conditions = [self._used.get(str(row[column])) for column in self._named]
        shown = [each for each in conditions if each is not None]
        whole = len(shown) < len(conditions) or not shown
        found = {word for _, given in shown for word in given}
        unknown: set[str] = set()
        for name, value in draws.items():
            # a name with a dot is a column of a drawn word that the row carries
            if name in self._features or "." in name or not (whole or any(name in used for used, _ in shown)):
                continue
            (found if value in self.known else unknown).add(value if value in self.known else name)
        return tuple(sorted(found)), tuple(sorted(unknown))


def _walk(tree: object, draws: set[str], given: set[str]) -> None:
    """Collect the draws and the given words of a condition's tree."""
    if isinstance(tree, list):
        for part in tree[1:]:
            _walk(part, draws, given)
    elif isinstance(tree, dict):
        if "draw" in tree:
            draws.add(str(tree["draw"]))
        if "given" in tree:
            given.add(str(tree["given"]))


def opened(text: str) -> Part:
    """The dataset of `FOLDER` or `FOLDER/PARADIGM`: its paradigms with labels.

    Raises UsageError for a folder that is not a dataset (E44), and for a dataset without labelled pairs (E58).
    """
    place, paradigm = Path(text), ""
    if not (place / MANIFEST).is_file() and (place.parent / MANIFEST).is_file():
        place, paradigm = place.parent, place.name
    source = DatasetSource(place)
    tables = dict(source.tables)
    if paradigm and paradigm not in tables:
        raise UsageError(f"no paradigm named `{paradigm}` in `{place}`{did_you_mean(paradigm, tables)}")
    name = f"{source.name}/{paradigm}" if paradigm else source.name
    fitting = [each for each in ([paradigm] if paradigm else tables) if NLI.fits(tables[each])]
    if not fitting:
        raise messages.finetune.unusable_data(
            name, "its rows are no pairs of sentences with a label", "give a dataset of entailment"
        )
    return Part(name, source, tuple(fitting))


def trainable(part: Part) -> Part:
    """The paradigms of a dataset that have rows to train and to validate on. Raises UsageError (E58) if none has."""
    splits = {table: part.source.dataset.splits(table) for table in part.tables}
    there = tuple(table for table in part.tables if splits[table].get(TRAIN))
    if not there:
        raise messages.finetune.no_split(part.name, TRAIN)
    if not any(splits[table].get(VALIDATION) for table in there):
        raise messages.finetune.no_split(part.name, VALIDATION)
    return Part(part.name, part.source, there)


def subset(examples: Sequence[Example], size: int | None, seed: int, name: str) -> list[Example]:
    """The examples of ``size`` instances, drawn with a seed; those of a smaller size are among those of a larger one.

    Several paradigms share the size in proportion. Raises UsageError (E58) if there are not so many instances.
    """
    if size is None:
        return list(examples)
    instances: dict[str, dict[str, None]] = {}
    for example in examples:
        instances.setdefault(example.table, {})[example.instance] = None
    there = sum(map(len, instances.values()))
    if size > there:
        raise messages.finetune.too_large(name, size, there)
    counts = shares({table: len(own) for table, own in instances.items()}, size)
    kept = {table: frozenset(ranked(own, counts[table], seed, table)) for table, own in instances.items()}
    return [example for example in examples if example.instance in kept[example.table]]
