"""The files that experiments leave: one module a form, and which of them a file is.

    plain      CSV `person,id,answer[,rt,list,position,part,region,word]`, a row an answer or a reading time
    jspsych    data of jsPsych 6 to 8, as JSON or CSV
    pcibex     results of PCIbex, whose comment lines declare the columns
    ratings    people's ratings in the form in which Kamath et al. (2024) released them

Each has `reads` and `read`. What is not in `answers.KNOWN` is passed over: no address, no user agent, no id of a
recruiting service and no time of day leaves a reader, but for the name of a person, which is replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from gramprobe.formats.tabular import header, missing
from gramprobe.judgments.answers import Read
from gramprobe.judgments.files import jspsych, pcibex, plain, ratings


class Form(Protocol):
    """A module that reads files of one form."""

    def reads(self, path: Path, heading: Sequence[str], begin: bytes) -> bool:
        """Whether a file is of the form, by the names of its first row, and its first bytes."""

    def read(self, path: Path) -> Read:
        """What a file has. Raises UsageError (E44, E46)."""


FORMS: tuple[Form, ...] = (jspsych, pcibex, ratings, plain)


def read_file(path: Path) -> Read:
    """What a file has, by the first form that recognises it; any other file is read as plain CSV.

    Raises UsageError: a file that cannot be opened (E44), or is not in its form (E46).
    """
    try:
        with path.open("rb") as stream:
            begin = stream.read(1 << 16)
    except OSError as error:
        raise missing(path, error) from None
    heading: tuple[str, ...] = () if path.suffix.lower() == ".json" else header(path)
    form = next((each for each in FORMS if each.reads(path, heading, begin)), FORMS[-1])
    return form.read(path)
