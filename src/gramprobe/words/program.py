"""Cuts atoms into segments, so that a sentence is one table lookup for every slot that it mentions.

``The | cat | didn't | yawn`` over the draws *thing* and *act* becomes two segments, ``The <thing>`` and
``didn't <act>.``; literals are in the segment of the next slot, those after the last slot in the last segment. After a
point inside a text the next letter is a capital: ``s + "." t`` is two sentences.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.words.linearise import Atom, Form, Literal


class Segment(Struct, frozen=True):
    """A part of a sentence with at most one form.

    Attributes:
        before: The text before the form.
        form: None for a sentence without slots.
        after: The text after the form, in the last segment.
        capital: Whether the form begins a sentence inside the text.
    """

    before: str
    form: Form | None
    after: str = ""
    capital: bool = False


def segments(atoms: list[Atom], final: str) -> tuple[Segment, ...]:
    """Cut atoms into segments; ``final`` (the point or question mark) ends the last without a space."""
    cut: list[Segment] = []
    held, started, ended = "", False, False
    for atom in atoms:
        space = " " if started and not atom.glued else ""
        capital = ended and space != ""
        started = True
        if isinstance(atom, Literal):
            held += space + (capitalised(atom.text) if capital else atom.text)
            ended = ends_sentence(atom.text)
        else:
            cut.append(Segment(held + space, atom, capital=capital))
            held, ended = "", False
    held += final
    if not cut:
        return (Segment(held, None),)
    last = cut[-1]
    cut[-1] = replace(last, after=held)
    return tuple(cut)


#: words that end in a point but do not end a sentence
ABBREVIATIONS = frozenset(["Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "St.", "Jr.", "Sr.", "vs.", "etc.", "cf.", "approx."])


def ends_sentence(text: str) -> bool:
    """Whether a text ends in the point (or question or exclamation mark) of a sentence.

    An abbreviation, an initial (``J.``) and a word with another point in it (``p.m.``) do not end a sentence.
    """
    last = text.split()[-1] if text.split() else ""
    if last in ABBREVIATIONS or re.fullmatch(r"\w\.", last) or "." in last[:-1]:
        return False
    return last[-1:] in (".", "?", "!")


def capitalised(text: str) -> str:
    """The first letter in upper case, the rest untouched."""
    return text[:1].upper() + text[1:]


def text_of(segment: Segment, form: str, first: bool) -> str:
    """The text of a segment with the form that fills it; capitalised if it is the ``first`` of a sentence."""
    text = segment.before + (capitalised(form) if segment.capital else form) + segment.after
    return capitalised(text) if first else text
