"""JSON as a dataset holds it: one text for one value, read in bounded memory.

A text is accepted only if writing its value gives the same bytes. So a repeated key, a space between tokens, another
escape, a number in another notation, a byte order mark and a carriage return are all rejected.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

LONGEST_ROW, LONGEST_CERTIFICATE, LONGEST_MANIFEST = 1 << 20, 1 << 23, 1 << 24
"""The largest number of bytes of a line of items, of a line of certificates, and of a manifest."""


class Malformed(ValueError):
    """A text that no build writes."""


def compact(data: Any) -> str:
    """JSON without spaces between tokens, in UTF-8."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def indented(data: Any) -> str:
    """JSON as a manifest is written, without its final newline."""
    return json.dumps(data, indent=2, ensure_ascii=False)


def read(raw: bytes, written: Any = compact) -> dict[str, Any]:
    """The object of a canonical text (``written`` gives the text of a value). Raises Malformed with the reason."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"byte {error.start + 1} is not UTF-8") from None
    if text.startswith("\ufeff"):
        raise Malformed("it begins with a byte order mark")
    if "\r" in text:
        raise Malformed("it has a carriage return: lines end in one newline")
    if not unicodedata.is_normalized("NFC", text):
        raise Malformed("it is not in Unicode's form NFC")
    try:
        data = json.loads(text, parse_constant=_no_number)
        same = isinstance(data, dict) and written(data) == text
    except RecursionError:
        raise Malformed("it is nested too deep") from None
    except ValueError as error:
        raise Malformed(f"it is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise Malformed("it is no JSON object")
    if not same:
        raise Malformed("it is not canonical: a key stands twice, or spaces, escapes or numbers are written otherwise")
    return data


def _no_number(name: str) -> NoReturn:
    raise Malformed(f"{name} is no number of JSON")


def lines(file: Path, longest: int) -> Iterator[tuple[int, dict[str, Any] | Malformed]]:
    """Every line of a file with its number from 1: the object there, or what is wrong with it.

    Stops at a line of more than ``longest`` bytes. Raises OSError.
    """
    with file.open("rb") as stream:
        number = 0
        while raw := stream.readline(longest + 1):
            number += 1
            if not raw.endswith(b"\n"):
                whole = len(raw) <= longest
                yield number, Malformed("the last line is cut off" if whole else f"a line of over {longest:,} bytes")
                return
            try:
                yield number, read(raw[:-1])
            except Malformed as error:
                yield number, error
