"""The folder of scores: `run.json` and `scores/<shard>.parquet`; how it is written, resumed and read.

    read_scores(folder) -> Scores

Reading needs pyarrow and no model. Shards are put in place whole: a run that was killed has the shards that were
finished, and goes on with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from gramprobe import shown
from gramprobe.folders import FilledFolder, check_files, put_whole, read_record, read_table
from gramprobe.records import sha256_of
from gramprobe.score.folder_check import contradictions, wrong_rows
from gramprobe.score.record import Run, Settings, ShardEntry, arrow_schema
from gramprobe.source import messages

if TYPE_CHECKING:
    import pyarrow as pa

RUN, SCORES = "run.json", "scores"
SAYS = messages.folders.SCORES


# -- reading


@dataclass(frozen=True, repr=False)
class Scores:
    """A folder of scores. `run`: the record of `run.json`, with the settings and whether the run is complete.

    A notebook shows what was scored with what, and the first rows."""

    folder: Path
    run: Run

    def __repr__(self) -> str:
        run = self.run
        state = "" if run.complete else ", not complete"
        return f"<scores {self.folder}: {run.model.name} on {run.items:,} items of {run.source.name}{state}>"

    def _repr_html_(self) -> str:
        run = self.run
        known = {
            "model": f"{run.model.name} ({run.model.kind})", "mode": run.settings.mode, "dataset": run.source.name,
            "items": run.items, "refused": run.refused, "complete": "yes" if run.complete else "no",
        }  # fmt: skip
        first = self.shard(self.shards[0]).slice(0, 5) if self.shards else None
        rows = [] if first is None else [list(row.values()) for row in first.to_pylist()]
        headings = [] if first is None else first.column_names
        return shown.together([shown.facts(str(self.folder), known), shown.table(headings, rows, "the first rows")])

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
        self._take_away_halves()
        return self

    def _take_away_halves(self) -> None:
        """Take away what a process or machine that died had begun to write."""
        for half in (self.folder / SCORES).glob(".*.new"):
            half.unlink(missing_ok=True)

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
        """Write the record of a run that is complete. Every shard is in place whole by then."""
        import pyarrow.parquet as pq

        self._take_away_halves()
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
