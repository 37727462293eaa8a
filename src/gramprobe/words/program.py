"""Cuts atoms into segments, so that a sentence is one table lookup for every slot that it mentions.

``The | cat | didn't | yawn`` over the draws *thing* and *act* becomes two segments, ``The <thing>`` and
``didn't <act>.``; literals are in the segment of the next slot, those after the last slot in the last segment. After a
point inside a text the next letter is a capital: ``s + "." t`` is two sentences.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.language import Language
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


def segments(atoms: list[Atom], final: str, language: Language) -> tuple[Segment, ...]:
    """Cut atoms into segments; ``final`` (the point or question mark) ends the last without a space."""
    cut: list[Segment] = []
    held, started, ended = "", False, False
    for atom in atoms:
        apart = started and not atom.glued
        space = language.joiner if apart else ""
        capital = ended and apart
        started = True
        if isinstance(atom, Literal):
            held += space + (language.capitalised(atom.text) if capital else atom.text)
            ended = language.ends_sentence(atom.text)
        else:
            cut.append(Segment(held + space, atom, capital=capital))
            held, ended = "", False
    held += final
    if not cut:
        return (Segment(held, None),)
    last = cut[-1]
    cut[-1] = replace(last, after=held)
    return tuple(cut)


def text_of(segment: Segment, form: str, first: bool, language: Language) -> str:
    """The text of a segment with the form that fills it; capitalised if it is the ``first`` of a sentence."""
    text = segment.before + (language.capitalised(form) if segment.capital else form) + segment.after
    return language.capitalised(text) if first else text
