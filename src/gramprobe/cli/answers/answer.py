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


def answer(record: type[Struct], data: Any, *, ascii_only: bool = True, indent: int | None = 2) -> str:
    """The JSON text of an answer with its version.

    ``data``: a dictionary, or an object with the fields of the record as attributes; the values in it likewise. Raises
    msgspec.ValidationError, a fault of gramprobe, if the data do not match the record.
    """
    if not isinstance(data, dict):
        data = {name: getattr(data, name) for name in record.__struct_fields__ if name != "version"}
    whole = msgspec.convert({"version": VERSION, **data}, record, strict=True, from_attributes=True)
    return json.dumps({"version": VERSION, **msgspec.to_builtins(whole)}, indent=indent, ensure_ascii=ascii_only)
