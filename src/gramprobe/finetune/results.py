"""The folder of a trained model: `finetune.json` and `dynamics.parquet` beside the files that `gramprobe score` reads.

    read_training(folder) -> Training

Reading needs pyarrow and no torch. The weights are put in place at the end, so that the folder of a training that was
killed has none; `.progress/` has what its finished epochs left, and is deleted at the end.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gramprobe.finetune.folder_check import contradictions, wrong_model, wrong_rows
from gramprobe.finetune.record import DYNAMICS, RECORD, Training, arrow_schema
from gramprobe.folders import FilledFolder, check_files, read_record, read_table
from gramprobe.records import sha256_of
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

PROGRESS = ".progress"
SAYS = messages.folders.TRAINING

# -- reading


def read_training(folder: str | Path) -> Training:
    """The record of a trained model, complete or not. Raises UsageError (E59) for a folder without one, for one that
    contradicts itself, and for a complete one whose files are missing, have other hashes, or are of another model."""
    place = Path(folder)
    file = place / RECORD
    if not file.is_file():
        raise SAYS.damaged(str(file), "the file is missing: `gramprobe finetune` did not write this folder")
    found = read_record(file, Training, SAYS)
    wrong = next(contradictions(found), None)
    if wrong is not None:
        raise SAYS.damaged(str(file), wrong)
    check_files(place, found.files, RECORD, SAYS)
    wrong = wrong_model(place, found)
    if wrong:
        raise SAYS.damaged(str(place), wrong)
    return found


def check_trained(model: str) -> None:
    """Raise UsageError (E59) for a model that `gramprobe finetune` trained and whose folder is not as it left it."""
    if (Path(model) / RECORD).is_file():
        read_training(model)


def read_dynamics(folder: str | Path, record: Training | None = None) -> pa.Table:
    """The rows of dynamics.parquet: each training example at the end of each epoch, epoch after epoch. Raises
    UsageError (E59), also for rows that contradict themselves or the record beside them.

    ``record``: of the folder, where it is read already, which takes the hash of every file of the model.
    """
    file = Path(folder) / DYNAMICS
    table = read_table(file, arrow_schema(), "training dynamics", SAYS)
    wrong = wrong_rows(table, record or read_training(folder))
    if wrong:
        raise SAYS.damaged(str(file), wrong)
    return table


# -- writing


def check_folders(folders: Iterable[Path], resume: bool) -> None:
    """Raise UsageError (E59) if a training could not be written into one of the folders, before any of them begins."""
    for folder in folders:
        TrainingFolder(folder, resume)


class TrainingFolder(FilledFolder[Training]):
    """The folder of one training while it is made. Use as a context: the folder is ours within it.

    Raises UsageError (E59) for a folder of something else, and of a training that is not to be resumed.
    """

    def __init__(self, folder: Path, resume: bool) -> None:
        super().__init__(folder, resume, SAYS)

    def found(self) -> tuple[Training, bool]:
        training = self.record_in(RECORD, Training)
        return training, training.complete

    @property
    def progress(self) -> Path:
        """The folder of what finished epochs left."""
        return self.folder / PROGRESS

    def begin(self, record: Training) -> Training:
        """Write the record of a training that begins; of one that goes on, give back what is finished of it.

        Raises UsageError (E59) if it was begun with other settings.
        """
        if self.before is not None:
            self.check(self.before.settings, record.settings)
            return self.before
        self.progress.mkdir(exist_ok=True)
        self.write(RECORD, record)
        return record

    def end(self, record: Training, made: Path) -> Training:
        """Put the files of ``made`` in place, the record of the finished training behind them, and clean up."""
        names = sorted(file.name for file in made.iterdir())
        for name in names:
            (made / name).chmod((self.folder / RECORD).stat().st_mode)  # some libraries keep what they write private
            (made / name).replace(self.folder / name)
        files = {name: sha256_of(self.folder / name) for name in names}
        record = msgspec.structs.replace(record, complete=True, files=files)
        self.write(RECORD, record)
        shutil.rmtree(self.progress, ignore_errors=True)
        return record


_FULL = ("No space left", "PytorchStreamWriter failed", "unexpected pos", "File too large", "os error 28")
"""What libraries that write weights say of a disk that is full."""


@contextmanager
def disk_errors(place: Path) -> Iterator[None]:
    """Within this context a full disk is an OSError, whatever the library that writes makes of it."""
    try:
        yield
    except (OSError, UsageError):
        raise
    except Exception as error:
        if any(sign in str(error) for sign in _FULL):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), place.name) from None
        raise
