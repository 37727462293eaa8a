"""Messages about folders that a run fills and a later start goes on with: of scores, of trained models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gramprobe.source.diagnostic import UsageError


def is_whole(folder: str, help: str) -> UsageError:
    what = f"`{folder}` is a dataset or a run, which is replaced as a whole when it is made again"
    return UsageError(what, help, "E44")


def is_read(file: str) -> UsageError:
    return UsageError(f"`{file}` is read by this command", "give a file of another name to write to", "E44")


def other_kind(file: str) -> UsageError:
    what = f"`{file}` exists, and is not of the kind that this command writes"
    return UsageError(what, "give another name, or move it away", "E44")


class Folder(NamedTuple):
    """The messages about folders of one kind, and the words in which they differ.

    Attributes:
        code: of all of them.
        called: what such a folder is called.
        begun, finished: what stands in it.
        record: what its record is of.
        doing: what a process does that fills it.
        again: how it is made anew.
        settings: why other settings need another folder.
    """

    code: str
    called: str
    begun: str
    finished: str
    record: str
    doing: str
    again: str
    settings: str

    def foreign(self, folder: str) -> UsageError:
        return UsageError(
            f"`{folder}` exists and is not {self.called}", "give another --out, or move it away", self.code
        )

    def existing(self, folder: str, complete: bool) -> UsageError:
        state = f"{self.finished} already" if complete else f"{self.begun} that was not finished"
        return UsageError(f"`{folder}` has {state}", "give another --out, or go on with it: --resume", self.code)

    def other_settings(self, folder: str, differences: Sequence[str]) -> UsageError:
        what = f"`{folder}` has {self.begun} with other settings: {'; '.join(differences)}"
        return UsageError(what, f"{self.settings}: give another --out", self.code)

    def no_record(self, place: str, what: str) -> UsageError:
        return self.damaged(place, f"it is no record of {self.record}: {what}")

    def damaged(self, place: str, what: str) -> UsageError:
        return UsageError(f"`{place}`: {what}", f"{self.again} into a new folder", self.code)

    def busy(self, folder: str) -> UsageError:
        return UsageError(
            f"another process is {self.doing} into `{folder}`", "wait for it, or give another --out", self.code
        )


SCORES = Folder(
    code="E94",
    called="a folder of scores",
    begun="the scores of a run",
    finished="the scores of a run",
    record="a run",
    doing="scoring",
    again="score again",
    settings="scores of two settings never stand in one folder",
)
TRAINING = Folder(
    code="E59",
    called="a folder of a training",
    begun="a training",
    finished="a trained model",
    record="a training",
    doing="training",
    again="train again",
    settings="a model is trained with one",
)
JUDGMENTS = Folder(
    code="E94",
    called="a folder of judgments",
    begun="judgments",
    finished="judgments",
    record="judgments",
    doing="writing judgments",
    again="give the files to `gramprobe judgments` again,",
    settings="judgments of two sets of rules never stand in one folder",
)
