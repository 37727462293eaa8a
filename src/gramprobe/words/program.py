"""Atoms to segments: a sentence as one table lookup for every slot it mentions.

``The | cat | didn't | yawn`` over the draws *thing* and *act* becomes two segments, ``The <thing>`` and
``didn't <act>.``; literals stand in the segment of the slot behind them, the last ones in the last segment. Behind a
point inside a text the next letter is a capital: ``s + "." t`` is two sentences.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gramprobe.words.linearise import Atom, Form, Literal


@dataclass(frozen=True, slots=True)
class Segment:
    """What stands before a form, the form, and (in the last segment) what stands behind it.

    ``capital``: the form begins a sentence inside the text.
    """

    before: str
    form: Form | None
    after: str = ""
    capital: bool = False


def segments(atoms: list[Atom], final: str) -> tuple[Segment, ...]:
    """Cut into segments; ``final`` (the point or question mark) stands at the end without a space."""
    found: list[Segment] = []
    held, started, ended = "", False, False
    for atom in atoms:
        space = " " if started and not atom.glued else ""
        capital = ended and space != ""
        started = True
        if isinstance(atom, Literal):
            held += space + (capitalised(atom.text) if capital else atom.text)
            ended = ends_sentence(atom.text)
        else:
            found.append(Segment(held + space, atom, capital=capital))
            held, ended = "", False
    held += final
    if not found:
        return (Segment(held, None),)
    last = found[-1]
    found[-1] = replace(last, after=held)
    return tuple(found)


#: words that end in a point and end no sentence
ABBREVIATIONS = frozenset(["Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "St.", "Jr.", "Sr.", "vs.", "etc.", "cf.", "approx."])


def ends_sentence(text: str) -> bool:
    """Whether a text ends in the point (or question or exclamation mark) of a sentence.

    An abbreviation, an initial (``J.``) and a word with another point in it (``p.m.``) end none.
    """
    last = text.split()[-1] if text.split() else ""
    if last in ABBREVIATIONS or re.fullmatch(r"\w\.", last) or "." in last[:-1]:
        return False
    return last[-1:] in (".", "?", "!")


def capitalised(text: str) -> str:
    """The first letter in upper case, the rest untouched."""
    return text[:1].upper() + text[1:]


def text_of(segment: Segment, form: str, first: bool) -> str:
    """The segment with the form that fills it; the first one of a sentence is capitalised."""
    text = segment.before + (capitalised(form) if segment.capital else form) + segment.after
    return capitalised(text) if first else text
