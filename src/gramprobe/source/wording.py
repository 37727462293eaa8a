"""English around names in messages."""

from __future__ import annotations


def with_article(noun: str) -> str:
    """The noun with its article; a single letter as it is spelt (an N, an S, a Q)."""
    first = noun[:1].lower()
    vowel = first in "aefhilmnorsx" if len(noun) == 1 or noun[1:2].isupper() else first in "aeiou"
    return f"{'an' if vowel else 'a'} {noun}"
