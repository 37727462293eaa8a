"""The Lark parsers of the three languages. Building one takes a tenth of a second, so that their tables come with the
package (`scripts/parser_tables.py`).

Tables are JSON, below a line with a hash of the Lark files and the version of Lark that they were made with. With
another version, or where they cannot be read, a parser is built from its Lark file, and its tables stand in the cache
under that hash; without a fitting entry it is built anew, and deleting the folder changes nothing.
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

LANGUAGES = {".gram": "gram", ".paradigm": "paradigm", ".logic": "theory"}
"""The suffix of a file -> the name of the Lark file of its language."""
_HERE = Path(__file__).parent


@cache
def parser_of(suffix: str) -> Lark:
    """The parser of the statements in files with this suffix."""
    key = _key(suffix)
    with contextlib.suppress(Exception):  # without the file, or with half of it, all is built
        made_with, _, tables = tables_file(suffix).read_bytes().partition(b"\n")
        if made_with == key.encode():
            return restored(tables)
    folder = Folder("parsers")
    if (kept := folder.get(key)) is not None:
        with contextlib.suppress(Exception):  # an entry of another kind fails in Lark wherever its loader looks first
            return restored(kept)
    parser = built(suffix)
    folder.put(key, stored(parser))
    return parser


def tables_file(suffix: str) -> Path:
    """Where the tables of a language are in the package."""
    return _HERE / f"{LANGUAGES[suffix]}.tables.json"


def tables_text(suffix: str) -> bytes:
    """The content of that file, of a parser that is built now."""
    return _key(suffix).encode() + b"\n" + stored(built(suffix)) + b"\n"


def _key(suffix: str) -> str:
    texts = [(_HERE / f"{name}.lark").read_bytes() for name in (LANGUAGES[suffix], "common")]
    return hashlib.sha256(b"\n".join([__version__.encode(), *texts])).hexdigest()


def built(suffix: str) -> Lark:
    """The parser, built from its Lark file."""
    return Lark.open(
        f"{LANGUAGES[suffix]}.lark", rel_to=__file__, parser="lalr", maybe_placeholders=False, propagate_positions=True
    )


def stored(parser: Lark) -> bytes:
    """The tables of a parser as JSON."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return json.dumps(_plain({"data": data, "memo": memo}), separators=(",", ":")).encode()


def restored(raw: bytes) -> Lark:
    """The parser with stored tables. Raises an exception of any type for other data."""
    return Lark.load(json.loads(raw, object_hook=_as_lark_has_it))


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


def _as_lark_has_it(data: dict[str, Any]) -> Any:
    """What an object in JSON stands for (:func:`_plain`)."""
    match data:
        case {"#numbered": pairs}:
            return dict(pairs)
        case {"#set": members}:
            return frozenset(members)
    return data
