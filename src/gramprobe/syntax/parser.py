"""The Lark parsers of the three languages. Building one takes a tenth of a second, so that its tables are cached.

An entry of the cache is JSON, keyed by the Lark files and the version of Lark. Without a fitting entry the parser is
built from its Lark file; deleting the folder changes nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, __version__
from lark.grammar import Rule
from lark.lexer import TerminalDef

from gramprobe.cache import Folder

_FILES = {".gram": "gram.lark", ".paradigm": "paradigm.lark", ".logic": "theory.lark"}
_HERE = Path(__file__).parent


@cache
def parser_of(suffix: str) -> Lark:
    """The parser of the statements in files with this suffix."""
    texts = [(_HERE / name).read_bytes() for name in (_FILES[suffix], "common.lark")]
    key = hashlib.sha256(b"\n".join([__version__.encode(), *texts])).hexdigest()
    folder = Folder("parsers")
    if (kept := folder.get(key)) is not None:
        with contextlib.suppress(Exception):  # an entry of another kind fails in Lark wherever its loader looks first
            return restored(kept)
    parser = built(suffix)
    folder.put(key, stored(parser))
    return parser


def built(suffix: str) -> Lark:
    """The parser, built from its Lark file."""
    return Lark.open(_FILES[suffix], rel_to=__file__, parser="lalr", maybe_placeholders=False, propagate_positions=True)


def stored(parser: Lark) -> bytes:
    """The tables of a parser as JSON."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return json.dumps(_plain({"data": data, "memo": memo}), separators=(",", ":")).encode()


def restored(raw: bytes) -> Lark:
    """The parser with stored tables. Raises an exception of any type for other data."""
    return Lark.load(_from_plain(json.loads(raw)))


def _plain(data: Any) -> Any:
    """Data of Lark's as JSON: tuples become arrays, sets and mappings with numbers as keys become objects that say
    so."""
    match data:
        case dict() if any(isinstance(key, int) for key in data):
            return {"#numbered": [[key, _plain(value)] for key, value in data.items()]}
        case dict():
            return {str(key): _plain(value) for key, value in data.items()}
        case list() | tuple():
            return [_plain(each) for each in data]
        case set() | frozenset():
            return {"#set": sorted(data)}
    return data


def _from_plain(data: Any) -> Any:
    match data:
        case {"#numbered": pairs}:
            return {key: _from_plain(value) for key, value in pairs}
        case {"#set": members}:
            return frozenset(members)
        case dict():
            return {key: _from_plain(value) for key, value in data.items()}
        case list():
            return [_from_plain(each) for each in data]
    return data
