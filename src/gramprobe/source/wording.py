"""English around names in messages."""

from __future__ import annotations

import re
from unicodedata import name

INVISIBLE = "\u00ad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff"
"""Characters that nobody sees and no language needs within its words, as ranges of a regular expression: the soft
hyphen, a space or joint without width, marks of another direction of writing."""
_INVISIBLE = re.compile(f"[{INVISIBLE}]")


def visible(text: str) -> str:
    """A text with its invisible characters by their numbers: `ca<U+200B>t`."""
    return _INVISIBLE.sub(lambda found: f"<U+{ord(found.group()):04X}>", text)


def called(character: str) -> str:
    """A character that looks like nothing or like another, by number and name: `U+00A0 (no-break space)`."""
    return f"U+{ord(character):04X} ({name(character, 'a control character').lower()})"


def with_article(noun: str) -> str:
    """The noun with its article; a single letter as it is spelt (an N, an S, a Q)."""
    first = noun[:1].lower()
    vowel = first in "aefhilmnorsx" if len(noun) == 1 or noun[1:2].isupper() else first in "aeiou"
    return f"{'an' if vowel else 'a'} {noun}"
