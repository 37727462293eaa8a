"""The folder of scores: `run.json` and `scores/<shard>.parquet`; how it is written, resumed and read.

    read_scores(folder) -> Scores

Reading needs pyarrow and no model. Shards are put in place whole: a run that was killed has the shards that were
finished, and goes on with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from gramprobe.folders import FilledFolder, check_files, put_whole, read_record, read_table
from gramprobe.records import Count, Record, Sha256, sha256_of
from gramprobe.source import messages

if TYPE_CHECKING:
    import pyarrow as pa

RUN, SCORES = "run.json", "scores"
SAYS = messages.folders.SCORES
FORMAT: Literal[1] = 1
FLAGS = {
    "empty": "a text is empty, or has no tokens",
    "space": "a text begins or ends with a space",
    "slot": "the slot does not stand in the text once",
    "regions": "the regions do not make up the text",
    "join": "a token goes across the border of what is scored",
    "long": "the model does not take so many tokens",
    "vocabulary": "a token is not in the model's vocabulary",
    "nan": "the model's probability is no number",
    "trees": "the trees of the sentences are not known",
    "abstained": "the model gave none of the answers, or several",
    "unscored_first": "the first token has no probability, as nothing stands before it",
    "unlisted": "the answer is not among the likeliest tokens: the value is that of the least likely of these",
    "unknown_word": "a word is not the model's: an n-gram model has one word for all of these, others leave it out",
    "parsed": "the endpoint gave no probabilities: 0 for the answer that it wrote, and -100 for the others",
}
"""What can stand in the column `flags`; with all but the last four the values are null."""


class ModelEntry(Record, frozen=True, kw_only=True):
    """The model: the folder's name, the id on the hub, the name at the endpoint or of the rule; the commit on the hub
    (empty elsewhere); and its kind: `causal`, `masked`, `classifier`, `encoder`, `endpoint`, `rule`, `reader`, `ngram`,
    or one of a package. `parameters`: the numbers in its weights, of a model that is files."""

    name: str
    revision: str
    kind: str
    parameters: Count | UnsetType = UNSET


class SourceEntry(Record, frozen=True, kw_only=True):
    """What was scored: the name of the dataset's folder or of the file; the hash of its manifest or of itself."""

    name: str
    sha256: Sha256


class Settings(Record, frozen=True, kw_only=True):
    """What decides the scores: a run goes on only with equal ones.

    `weights`, `tokenizer`, `config`: the hashes of the model's files by name. `tables`: the paradigms, in order.
    `engine`: first tokens, join, padding, labels. `prompt`: what the mode puts around the texts. `reduction`: what a
    value is made of. `total`: instances over all tables, null for all. `shuffle_words`: whether the
    words of every text were put into another order. `shard`: the largest number of items of a shard. `packages`: kind
    (`mode`, `engine`, `rule` ...) -> name -> the package and its version, of what is not of gramprobe itself.
    """

    mode: str
    source: Sha256
    tables: list[str]
    total: Count | None
    seed: Count
    shuffle_words: bool | UnsetType = UNSET
    shard: Count
    weights: dict[str, Sha256]
    tokenizer: dict[str, Sha256]
    config: dict[str, Sha256]
    dtype: str
    device: str
    batch_tokens: Count
    reduction: str
    engine: dict[str, Any]
    prompt: dict[str, Any]
    packages: dict[str, dict[str, str]] | UnsetType = UNSET


class Session(Record, frozen=True, kw_only=True):
    """One start of the run: how long it took in seconds, how many shards it made, with what.

    `engine`: `ray` if its processes were those of a cluster. `found`: what the probe at load found of the model
    (`rows`: how texts are put together). `refused`: whether items that cannot be scored were marked instead of
    reported.
    """

    gramprobe: str
    versions: dict[str, str]
    workers: Count
    engine: Literal["ray"] | UnsetType = UNSET
    threads: Count
    shards: Count
    seconds: float
    skip_refused: bool
    found: dict[str, Any]


class ShardEntry(Record, frozen=True, kw_only=True):
    """A finished file of scores."""

    rows: Count
    sha256: Sha256


class Run(Record, frozen=True, kw_only=True):
    """The file run.json.

    `values`: the columns of values. `tie`: differences in nats up to here are ties. `items`: how many are scored.
    `shards`: the names of all shards with their numbers of items. `files`: the finished files; of a run that is not
    complete, none.
    """

    format: Literal[1]
    model: ModelEntry
    source: SourceEntry
    settings: Settings
    values: list[str]
    tie: float
    items: Count
    refused: Count
    shards: dict[str, Count]
    complete: bool
    files: dict[str, ShardEntry] | UnsetType = UNSET
    sessions: list[Session]


class _Row(Record, frozen=True, kw_only=True):
    """What every row of a file of scores has beside its values, in nats: these are null where `flags` says why."""

    item: str
    part: str
    tokens: Count
    words: Count
    characters: Count
    flags: str


class ScoreRow(_Row, frozen=True, kw_only=True):
    """A row of a file of scores with one value."""

    value: float | None


class LabelsRow(_Row, frozen=True, kw_only=True):
    """A row of a file of scores with the log-probability of each of three labels."""

    entailment: float | None
    neutral: float | None
    contradiction: float | None


class TwoLabelsRow(_Row, frozen=True, kw_only=True):
    """A row of a file of scores with the log-probability of each of two labels."""

    entailment: float | None
    not_entailment: float | None


def arrow_schema(values: Sequence[str]) -> pa.Schema:
    """The columns of a file of scores with these columns of values."""
    import pyarrow as pa

    texts, counts = pa.string(), pa.int32()
    fields = [("item", texts), ("part", texts), *((name, pa.float64()) for name in values)]
    fields += [(name, counts) for name in ("tokens", "words", "characters")]
    return pa.schema([*fields, ("flags", texts)])


# -- reading


@dataclass(frozen=True)
class Scores:
    """A folder of scores. `run`: the record of `run.json`, with the settings and whether the run is complete."""

    folder: Path
    run: Run

    @property
    def complete(self) -> bool:
        """Whether every item has its scores."""
        return self.run.complete

    @property
    def shards(self) -> tuple[str, ...]:
        """The names of the shards that are there, in order."""
        return tuple(name for name in self.run.shards if file_of(self.folder, name).is_file())

    def shard(self, name: str) -> pa.Table:
        """The rows of one shard. Raises UsageError (E94) for a file that is missing or damaged, or that contradicts
        itself or the record."""
        from gramprobe.score.held import wrong_rows

        file = file_of(self.folder, name)
        table = read_table(file, arrow_schema(self.run.values), "scores", SAYS)
        wrong = wrong_rows(table, self.run, name)
        if wrong:
            raise SAYS.damaged(str(file), wrong)
        return table

    def table(self) -> pa.Table:
        """All rows that are there, in the order of the items: columns item, part, the values, counts and flags."""
        import pyarrow as pa

        tables = [self.shard(name) for name in self.shards]
        return pa.concat_tables(tables) if tables else arrow_schema(self.run.values).empty_table()


def read_scores(folder: str | Path) -> Scores:
    """The scores in a folder that `gramprobe score` wrote, complete or not (`complete` says it).

    Raises UsageError (E94) for a folder without a run, for a record that contradicts itself, and for a complete one
    whose files are missing or have other hashes.
    """
    place = Path(folder)
    if not (place / RUN).is_file():
        raise SAYS.damaged(str(place / RUN), "the file is missing: this is not a folder of scores")
    run = _record(place)
    files = {} if run.files is UNSET else run.files
    hashes = {str(file_of(Path(), name)): entry.sha256 for name, entry in files.items()}
    check_files(place, hashes, RUN, SAYS)
    return Scores(place, run)


def _record(folder: Path) -> Run:
    """The record of a run. Raises UsageError (E94) for one that contradicts itself, or a file of no shard."""
    from gramprobe.score.held import contradictions

    run = read_record(folder / RUN, Run, SAYS)
    wrong = next(contradictions(run), None)
    if wrong is not None:
        raise SAYS.damaged(str(folder / RUN), wrong)
    for file in sorted((folder / SCORES).glob("*.parquet")):
        if file.stem not in run.shards and not file.name.startswith("."):
            raise SAYS.damaged(str(file), f"{RUN} knows of no such shard")
    return run


# -- writing


class RunFolder(FilledFolder[Run]):
    """The folder of one run while it is made. Use as a context: the folder is ours within it.

    Raises UsageError (E94) for a folder of something else, of a run that is not to be resumed, of another process.
    """

    def __init__(self, folder: Path, resume: bool) -> None:
        super().__init__(folder, resume, SAYS)

    def found(self) -> tuple[Run, bool]:
        run = self.record_in(RUN, Run)
        return _record(self.folder), run.complete

    def __enter__(self) -> RunFolder:
        super().__enter__()
        (self.folder / SCORES).mkdir(exist_ok=True)
        for left in (self.folder / SCORES).glob(".*.new"):
            left.unlink()
        return self

    def check_name(self, model: str) -> None:
        """Raise UsageError (E94) if the folder has the scores of a model of another name. ``model``: a name that no
        other model has, unlike that of a folder."""
        if self.before is not None and self.before.model.name != model:
            raise messages.score.other_model(str(self.folder), self.before.model.name, model)

    def check_settings(self, settings: Settings) -> None:
        """Raise UsageError (E94) if the run in the folder was begun with other settings."""
        self.check(None if self.before is None else self.before.settings, settings)

    def begin(self, run: Run) -> Run:
        """Write the record of a run that begins, or goes on. Raises UsageError (E94) if it was begun with other
        settings."""
        before = self.before
        if before is not None:
            self.check_settings(run.settings)
            run = msgspec.structs.replace(run, sessions=[*before.sessions, *run.sessions])
        self.write(RUN, run)
        return run

    def done(self, run: Run) -> set[str]:
        """The names of the shards that are finished. Raises UsageError (E94) for a damaged one."""
        there = Scores(self.folder, run)
        for name in there.shards:
            there.shard(name)
        return set(there.shards)

    def end(self, run: Run) -> Run:
        """Write the record of a run that is complete."""
        import pyarrow.parquet as pq

        files = {
            name: ShardEntry(rows=pq.read_metadata(file).num_rows, sha256=sha256_of(file))
            for name in run.shards
            for file in [file_of(self.folder, name)]
        }
        run = msgspec.structs.replace(run, complete=True, files=files)
        self.write(RUN, run)
        return run


def file_of(folder: Path, shard: str) -> Path:
    """The file of a shard."""
    return folder / SCORES / f"{shard}.parquet"


def write_shard(folder: Path, shard: str, rows: Sequence[Sequence[Any]], values: Sequence[str]) -> None:
    """Put the file of a shard in place whole. ``rows``: tuples in the order of `arrow_schema`. Raises OSError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = arrow_schema(values)
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    table = pa.Table.from_arrays([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)
    put_whole(file_of(folder, shard), lambda place: pq.write_table(table, place))
