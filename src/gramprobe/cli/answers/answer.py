"""An answer of a command with `--json`, and how it is printed."""

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec
from msgspec import Struct

from gramprobe.records import Record

VERSION = 1


class Answer(Record, frozen=True, kw_only=True):
    """One object, with the version of its form."""

    version: Literal[1]


def answer(record: type[Struct], data: dict[str, Any], *, ascii_only: bool = True, indent: int | None = 2) -> str:
    """The JSON text of an answer with its version. Raises msgspec.ValidationError, a fault of gramprobe, if the data do
    not match the record."""
    whole = {"version": VERSION, **data}
    msgspec.convert(whole, record, strict=True)
    return json.dumps(whole, indent=indent, ensure_ascii=ascii_only)
