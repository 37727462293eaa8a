"""Folders that a run fills and a later start of it goes on with: of scores, of trained models.

A folder is locked while it is filled, has a record that says with what settings it was begun, and goes on only with
equal ones. Its files are put in place whole: what was killed leaves no half of one.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from gramprobe.records import Record, Sha256, sha256_of, why_no_record
from gramprobe.source.messages import folders as messages
from gramprobe.source.messages.folders import Folder

if TYPE_CHECKING:
    import pyarrow as pa

LOCK = ".lock"
R = TypeVar("R", bound=Record)


class FilledFolder(ABC, Generic[R]):
    """A folder while it is filled. Use as a context: the folder is ours within it.

    Attributes:
        folder: its place.
        before: the record that is there; None where nothing is.
    """

    def __init__(self, folder: Path, resume: bool, says: Folder) -> None:
        """Raises what `says` makes of a folder of something else, and of one that is not to be resumed."""
        self.folder, self.says = folder, says
        self.before: R | None = None
        self._lock: Any = None
        if folder.exists() and not folder.is_dir():
            raise says.foreign(str(folder))
        if folder.is_dir() and any(each.name != LOCK and not is_empty(each) for each in folder.iterdir()):
            self.before, complete = self.found()
            if not resume:
                raise says.existing(str(folder), complete)

    @abstractmethod
    def found(self) -> tuple[R | None, bool]:
        """The record that is there, and whether it is of something finished; raises for a folder of something else."""

    def record_in(self, name: str, type_: type[R]) -> R:
        """A record of the folder. Raises what `says` makes of a folder without it, and of another file."""
        if not (self.folder / name).is_file():
            raise self.says.foreign(str(self.folder))
        return read_record(self.folder / name, type_, self.says)

    def __enter__(self) -> Any:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.folder, self.says)
        return self

    def __exit__(self, *error: object) -> None:
        if self._lock is not None:
            (self.folder / LOCK).unlink(missing_ok=True)
            self._lock.close()

    def check(self, before: Record | None, settings: Record) -> None:
        """Raise what `says` makes of settings that differ from those before."""
        changed = [] if before is None else list(differences(before, settings))
        if changed:
            raise self.says.other_settings(str(self.folder), changed)

    def write(self, name: str, record: Record) -> None:
        """Put a record in place. Raises OSError."""
        text = json.dumps(msgspec.to_builtins(record), indent=1, ensure_ascii=False) + "\n"
        put_whole(self.folder / name, lambda place: place.write_text(text, "utf-8"))


def read_record(file: Path, type_: type[R], says: Folder) -> R:
    """The record in a file. Raises what `says` makes of a file that holds none."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=type_, strict=True)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise says.no_record(str(file), why_no_record(error)) from None


def check_files(folder: Path, files: Mapping[str, Sha256] | UnsetType, record: str, says: Folder) -> None:
    """Raise what `says` makes of a file that is missing, or has another hash than its ``record`` says. ``files``: name
    -> hash."""
    for name, sha256 in ({} if files is UNSET else files).items():
        if not (folder / name).is_file():
            raise says.damaged(str(folder / name), "the file is missing")
        if sha256_of(folder / name) != sha256:
            raise says.damaged(str(folder / name), f"its SHA-256 is not that of {record}")


def read_table(file: Path, columns: pa.Schema, of: str, says: Folder) -> pa.Table:
    """The rows of a Parquet file. Raises what `says` makes of one that cannot be read, or has other columns or
    metadata than those ``of`` its kind."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(file)
        table.validate(full=True)  # among others, that texts are UTF-8
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError) as error:
        raise says.damaged(str(file), f"it cannot be read: {error}") from None
    if not table.schema.equals(columns, check_metadata=True):  # by metadata readers rename columns
        raise says.damaged(str(file), f"its columns are not those of {of}")
    return table


def put_whole(file: Path, write: Callable[[Path], Any]) -> None:
    """Write a file beside its place and rename it, so that it is never there half. A link stays one, and what is no
    file (`/dev/stdout`, a pipe) is written to as it is."""
    if file.is_symlink() or (file.exists() and not file.is_file()):
        write(file)
        return
    # two machines may have a process of the same number
    new = file.with_name(f".{file.name}.{platform.node()}-{os.getpid()}.new")
    try:
        write(new)
        with new.open("rb") as stream:
            os.fsync(stream.fileno())
        os.replace(new, file)
    except OSError as error:
        error.filename = str(file)  # a full disk names none
        raise
    finally:
        with contextlib.suppress(OSError):
            new.unlink()


def check_outside(folder: Path, help: str) -> None:
    """Raise UsageError (E44) for a folder that is a dataset or a run, in which nothing else is to be written."""
    if any((folder / record).is_file() for record in ("manifest.json", "run.json")):
        raise messages.is_whole(str(folder), help)


def check_replaced(file: Path, read: Iterable[Path] = (), begins: bytes = b"") -> None:
    """Raise UsageError (E44) for a file of an answer that would replace one that the answer is made of, or one of
    another kind, if what is written there always `begins` so; a file without anything in it is of any kind. Nor may it
    stand in a dataset or a run."""
    check_outside(file.parent, "give the file another place")
    if not file.is_file():
        return
    if any(each.exists() and file.samefile(each) for each in read):
        raise messages.is_read(str(file))
    with file.open("rb") as stream:
        if stream.read(len(begins)) not in (begins, b""):
            raise messages.other_kind(str(file))


def is_empty(place: Path) -> bool:
    """Whether a folder has nothing in it."""
    return place.is_dir() and not any(place.iterdir())


def _locked(folder: Path, says: Folder) -> Any:
    """An open file whose lock ends with this process. Raises what `says` makes of a folder that another process has."""
    stream = (folder / LOCK).open("w")
    try:
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except OSError:
        stream.close()
        raise says.busy(str(folder)) from None
    return stream


def differences(before: Record | Mapping[str, Any], now: Record | Mapping[str, Any]) -> Iterator[str]:
    """How two records of settings differ, as clauses."""
    one, other = msgspec.to_builtins(before), msgspec.to_builtins(now)
    for name in {**one, **other}:
        was, now_ = one.get(name), other.get(name)
        if was != now_:
            yield f"`{name}` was {_shown(was)} and is {_shown(now_)}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping) and all(isinstance(v, str) and len(v) == 64 for v in value.values()):
        text = json.dumps({name: each[:12] for name, each in value.items()})
    elif isinstance(value, str) and len(value) == 64:
        text = value[:12]
    return text if len(text) <= 120 else f"{text[:110]} ..."
