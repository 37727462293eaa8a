"""Read a dataset folder: rows as Arrow batches, certificates and accounts, the designs of paradigms.

    read(folder) -> Dataset

A damaged dataset is refused, with the name of the file, before any row is read: the manifest's files must exist and
have their hashes, and Parquet files the columns and numbers of rows of the manifest. This module does not use tasks,
grammars or engines. `gramprobe verify` checks whether labels are right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gramprobe import shown
from gramprobe.dataset.exchange import no_dataset, recover
from gramprobe.dataset.manifest import (
    ACCOUNTS,
    CARD,
    CERTIFICATES,
    DESIGN,
    MANIFEST,
    Design,
    Designs,
    FactorDesign,
    Invalid,
    Manifest,
    Word,
    designs_from,
    manifest_from,
)
from gramprobe.dataset.schema import schema
from gramprobe.language import Language, english
from gramprobe.records import factor_column, sha256_of
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 1 << 14
"""The default number of rows in a batch."""
FEWEST = 1 << 10
"""The smallest number of rows that are read from a file at once."""
LONGEST_MANIFEST = 1 << 24
"""The largest number of bytes of a manifest."""


def read(folder: str | Path) -> Dataset:
    """The dataset in a folder that `build` wrote.

    Raises UsageError (E44) with the file and what is wrong with it: missing, cut off, with another hash, with columns
    or metadata that no build writes; OSError for errors of the system.
    """
    place = Path(folder)
    recover(place)
    if not place.is_dir():
        raise no_dataset(place)
    manifest = _manifest(place)
    hashes = manifest.files | manifest.parquet
    for name in sorted(manifest.expected() ^ manifest.files.keys()):
        raise _damaged(place / MANIFEST, f"it has {'a' if name in manifest.files else 'no'} hash for `{name}`")
    for name in sorted(manifest.parquet_files().keys() ^ manifest.parquet.keys()):
        raise _damaged(place / MANIFEST, f"it has {'a' if name in manifest.parquet else 'no'} hash for `{name}`")
    for name in sorted(hashes):
        if not (place / name).is_file():
            raise _damaged(place / name, "the file is missing")
        if sha256_of(place / name) != hashes[name]:
            raise _damaged(place / name, "its SHA-256 is not that of the manifest")
    dataset = Dataset(place, manifest, _designs(place, manifest))
    for name, (paradigm, _, rows) in manifest.parquet_files().items():
        dataset._check_parquet(name, paradigm, rows)
    return dataset


@dataclass(frozen=True)
class Rights:
    """What the paradigms of a dataset declare: their `licence` (empty without any; several joined by `; `), `authors`,
    and what they ask to `cite`."""

    licence: str
    authors: tuple[str, ...]
    cite: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A dataset folder whose files exist and have their hashes. Two are never equal, so that what is read of one can be
    kept. A notebook shows its paradigms."""

    folder: Path
    manifest: Manifest
    designs: Designs

    def __repr__(self) -> str:
        count = len(self.paradigms)
        return f"<dataset {self.folder}: {self.count():,} rows of {count} paradigm{'s' * (count > 1)}>"

    def _repr_html_(self) -> str:
        rows = [
            (name, part.task, part.instances, part.rows, part.theory, self.design(name).about)
            for name, part in self.manifest.paradigms.items()
        ]
        headings = ("paradigm", "task", "instances", "rows", "theory", "about")
        return shown.together([shown.paragraph(repr(self)), shown.table(headings, rows)])

    @property
    def paradigms(self) -> tuple[str, ...]:
        """The names of the paradigms, in the manifest's order."""
        return tuple(self.manifest.paradigms)

    @property
    def tasks(self) -> dict[str, str]:
        """Paradigm -> task."""
        return {name: part.task for name, part in self.manifest.paradigms.items()}

    def splits(self, paradigm: str) -> dict[str, int]:
        """Split -> number of rows, in the order of the rows. Raises UsageError for an unknown paradigm."""
        return dict(self.manifest.paradigms[self._known(paradigm)].splits)

    def count(self, paradigm: str | None = None) -> int:
        """The number of rows of a paradigm, or of all. Raises UsageError for an unknown paradigm."""
        names = self.paradigms if paradigm is None else (self._known(paradigm),)
        return sum(self.manifest.paradigms[name].rows for name in names)

    def design(self, paradigm: str) -> Design:
        """What a paradigm compares. Raises UsageError for an unknown paradigm."""
        return self.designs.paradigms[self._known(paradigm)]

    def trees(self, paradigm: str) -> dict[str, Any]:
        """Condition -> its tree over the draws, as in `design.json`."""
        return {condition.name: condition.tree for condition in self.design(paradigm).conditions}

    def language(self, paradigm: str) -> Language:
        """How the sentences of a paradigm are written."""
        declared = self.design(paradigm).language
        return declared if isinstance(declared, Language) else english()

    @cached_property
    def rights(self) -> Rights:
        """Licence, authors and what to cite, as the card has them. Raises UsageError (E44) for a card that is no
        text."""
        try:
            return _rights((self.folder / CARD).read_text("utf-8"))
        except UnicodeDecodeError:
            raise _damaged(self.folder / CARD, "it is no UTF-8") from None

    @property
    def words(self) -> Mapping[str, Word]:
        """Id -> word, for the words in the rows."""
        return MappingProxyType(self.designs.words)

    @cached_property
    def word_columns(self) -> Mapping[str, Mapping[str, tuple[pa.Array, pa.Array]]]:
        """Category -> column of the lexicon -> (ids, values) of its words in the rows, where each word has one value at
        most: whole numbers, numbers or texts; null where a word has none."""
        import pyarrow as pa

        found: dict[str, dict[str, tuple[pa.Array, pa.Array]]] = {}
        for category in dict.fromkeys(word.category for word in self.words.values()):
            words = {id_: word.values for id_, word in self.words.items() if word.category == category}
            ids, own = pa.array(list(words), pa.string()), found.setdefault(category, {})
            for column in dict.fromkeys(name for values in words.values() for name in values):
                values = [each.get(column) for each in words.values()]
                if not any(isinstance(value, list) for value in values):
                    own[column] = ids, numbers_or_texts([None if value in ("", None) else value for value in values])
        return found

    def levels(self, paradigm: str, rows: pa.RecordBatch, conditions: pa.Array | None = None) -> dict[str, pa.Array]:
        """Column -> the levels that some rows have of a declared factor, or its numbers; null where a row has none. A
        column is named as in the long frame (`records.factor_column`).

        ``rows`` have `condition` and `draws`; ``conditions``: others to go by, one a row. Raises UsageError for an
        unknown paradigm."""
        design = self.design(paradigm)
        own = rows.column("condition") if conditions is None else conditions
        names = self.columns(paradigm)
        return {factor_column(f.name, names): self._level(design, f, rows, own) for f in design.factors or ()}

    def _level(self, design: Design, factor: FactorDesign, rows: pa.RecordBatch, conditions: pa.Array) -> pa.Array:
        import pyarrow as pa
        import pyarrow.compute as pc

        if factor.of == "condition":
            each = pc.unique(conditions)
            levels = [design.levels_of(name).get(factor.name) for name in each.to_pylist()]
            return pa.array(levels, pa.string()).take(pc.index_in(conditions, value_set=each))
        drawn = pc.struct_field(rows.column("draws"), factor.draw)
        if factor.of == "draw":
            return pc.if_else(pc.equal(drawn, ""), pa.scalar(None, pa.string()), drawn)
        (category,) = (draw.category for draw in design.draws if draw.name == factor.draw)
        ids, values = self.word_columns[category][str(factor.column)]
        return values.take(pc.index_in(drawn, value_set=ids))

    def columns(self, paradigm: str) -> tuple[str, ...]:
        """The names of the columns of a paradigm's rows. Raises UsageError for an unknown paradigm."""
        return tuple(column.name for column in self.design(paradigm).columns)

    def rows(
        self,
        paradigm: str,
        columns: Sequence[str] | None = None,
        *,
        split: str | None = None,
        batch_size: int = BATCH,
    ) -> Iterator[pa.RecordBatch]:
        """The rows of a paradigm in order, as batches with the columns given (by default all), in that order.

        ``split``: only the rows of one split. A batch has whole instances: at most ``batch_size`` rows, or one instance
        that has more. Raises UsageError for an unknown paradigm, column or split, for a ``batch_size`` below 1, and for
        a file that cannot be read.
        """
        known, names = self.columns(paradigm), list(columns) if columns is not None else None
        for name in names or ():
            if name not in known:
                raise UsageError(f"no column named `{name}` in `{paradigm}`{did_you_mean(name, known)}")
        if split is not None and split not in self.splits(paradigm):
            raise UsageError(f"no split named `{split}` in `{paradigm}`{did_you_mean(split, self.splits(paradigm))}")
        if batch_size < 1:
            raise UsageError(f"`batch_size` is {batch_size}", "ask for 1 or more")
        wanted = names if names is not None else list(known)
        files = [f for f, (p, s, _) in self.manifest.parquet_files().items() if p == paradigm and split in (None, s)]
        return (batch.select(wanted) for file in files for batch in self._batches(file, wanted, batch_size))

    @cached_property
    def certificates(self) -> Mapping[str, Mapping[str, Any]]:
        """Shape -> its line of `certificates.jsonl`, read when it is first asked for."""
        return self._by_shape(CERTIFICATES)

    @cached_property
    def accounts(self) -> Mapping[str, Mapping[str, Any]]:
        """`shape` of a row about readings, or `licensing_by` of a minimal pair -> its line of `accounts.jsonl`."""
        return self._by_shape(ACCOUNTS) if ACCOUNTS in self.manifest.files else MappingProxyType({})

    # -- reading files

    def _known(self, paradigm: str) -> str:
        if paradigm not in self.manifest.paradigms:
            near = did_you_mean(paradigm, self.paradigms)
            raise UsageError(f"no paradigm named `{paradigm}` in `{self.folder}`{near}")
        return paradigm

    def _by_shape(self, name: str) -> Mapping[str, Mapping[str, Any]]:
        lines: dict[str, Mapping[str, Any]] = {}
        with (self.folder / name).open("rb") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    data = json.loads(line)
                    lines[data["shape"]] = data
                except (ValueError, LookupError, TypeError, RecursionError):
                    raise _damaged(self.folder / name, f"line {number} is no JSON object with a shape") from None
        return MappingProxyType(lines)

    def _check_parquet(self, name: str, paradigm: str, rows: int) -> None:
        """Raise UsageError unless a file has this number of rows, and the columns and metadata that a build writes."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        from gramprobe.dataset.parquet import unlike_built

        design = self.designs.paradigms[paradigm]
        draws = [*(draw.name for draw in design.draws), *(design.carried or ())]
        wanted = schema(design.columns, draws)
        try:
            with pq.ParquetFile(self.folder / name) as parquet:
                wrong = unlike_built(self.folder / name, parquet, wanted)
                if not wrong and parquet.metadata.num_rows != rows:
                    wrong = f"it has {parquet.metadata.num_rows:,} rows, and the manifest says {rows:,}"
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _damaged(self.folder / name, f"it cannot be read: {error}") from None
        if wrong:
            raise _damaged(self.folder / name, wrong)

    def _batches(self, name: str, columns: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
        """The rows of a file, cut where an instance ends. Every row group is read, since statistics may be wrong."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        wanted = list(dict.fromkeys([*columns, "instance"]))
        left: pa.Table | None = None
        try:
            with pq.ParquetFile(self.folder / name) as parquet:
                for batch in parquet.iter_batches(batch_size=max(size, FEWEST), columns=wanted):
                    batch.validate(full=True)  # among others, that texts are UTF-8
                    table = pa.Table.from_batches([batch])
                    table = table if left is None else pa.concat_tables([left, table])
                    pieces, start = _cut(_ends(table.column("instance")), size)
                    left = table.slice(start)
                    for first, end in pieces:
                        yield _batch(table.slice(first, end - first))
        except (pa.ArrowException, OSError) as error:
            raise _damaged(self.folder / name, f"it cannot be read: {error}") from None
        if left is not None:
            pieces, start = _cut([*_ends(left.column("instance")), left.num_rows], size)
            for first, end in (*pieces, (start, left.num_rows)):
                yield _batch(left.slice(first, end - first))


def numbers_or_texts(values: Sequence[Any]) -> pa.Array:
    """Values of words as whole numbers where all are some, else as numbers, else as texts."""
    import pyarrow as pa

    if all(value is None or isinstance(value, int) for value in values):
        return pa.array(values, pa.int64())
    try:
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    except (TypeError, ValueError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def _ends(instances: pa.ChunkedArray) -> list[int]:
    """The numbers of the rows at which a new instance begins, without the first."""
    import pyarrow.compute as pc

    if len(instances) < 2:
        return []
    differ = pc.not_equal(instances.slice(1), instances.slice(0, len(instances) - 1))
    return [place + 1 for place in pc.indices_nonzero(differ).to_pylist()]


def _cut(ends: Sequence[int], size: int) -> tuple[list[tuple[int, int]], int]:
    """Pieces of whole instances, each (first row, end) with at most ``size`` rows or one instance, and where the rest
    begins. With ends 2, 4 and 6 and a size of 5 there is one piece (0, 4), and the rest begins at 4.
    """
    pieces, start, before = list[tuple[int, int]](), 0, 0
    for end in ends:
        if end - start > size and before > start:
            pieces.append((start, before))
            start = before
        before = end
    return pieces, start


def _batch(table: pa.Table) -> pa.RecordBatch:
    (batch,) = table.combine_chunks().to_batches()
    return batch


def _rights(card: str) -> Rights:
    """The rights in the text of a card."""
    section = card.partition("\n## Licence and citation\n")[2].partition("\n## ")[0]
    said = [tuple(re.findall(rf"^- {kind}: (.+)$", section, re.M)) for kind in ("Licence", "Authors", "Please cite")]
    return Rights("; ".join(said[0]), *said[1:])


def _manifest(folder: Path) -> Manifest:
    file = folder / MANIFEST
    if not file.is_file():
        raise _damaged(file, "the file is missing: this is not a dataset folder")
    if file.stat().st_size > LONGEST_MANIFEST:
        raise _damaged(file, f"it has over {LONGEST_MANIFEST:,} bytes")
    try:
        return manifest_from(json.loads(file.read_bytes()))
    except Invalid as error:
        raise _damaged(file, str(error)) from None
    except (ValueError, RecursionError) as error:
        raise _damaged(file, f"it is no JSON, or cut off: {error}") from None


def _designs(folder: Path, manifest: Manifest) -> Designs:
    try:
        designs = designs_from((folder / DESIGN).read_bytes())
    except Invalid as error:
        raise _damaged(folder / DESIGN, str(error)) from None
    if designs.paradigms.keys() != manifest.paradigms.keys():
        raise _damaged(folder / DESIGN, "its paradigms are not those of the manifest")
    return designs


def _damaged(file: Path, what: str) -> UsageError:
    return UsageError(
        f"`{file}`: {what}", "get the dataset again, or build it again; `gramprobe verify` shows more", "E44"
    )
