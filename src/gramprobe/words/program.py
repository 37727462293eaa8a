"""Atoms to segments: a sentence as one table lookup for every slot it mentions.

``The | cat | didn't | yawn`` over the draws *thing* and *act* becomes two segments, ``The <thing>`` and
``didn't <act>.``; literals stand in the segment of the slot behind them, the last ones in the last segment.
"""

from __future__ import annotations

from dataclasses import dataclass

from gramprobe.words.linearise import Atom, Form, Literal


@dataclass(frozen=True, slots=True)
class Segment:
    """What stands before a form, the form, and (in the last segment) what stands behind it."""

    before: str
    form: Form | None
    after: str = ""


def segments(atoms: list[Atom], final: str) -> tuple[Segment, ...]:
    """Cut into segments; ``final`` (the point or question mark) stands at the end without a space."""
    found: list[Segment] = []
    held, started = "", False
    for atom in atoms:
        space = " " if started and not atom.glued else ""
        started = True
        if isinstance(atom, Literal):
            held += space + atom.text
        else:
            found.append(Segment(held + space, atom))
            held = ""
    held += final
    if not found:
        return (Segment(held, None),)
    last = found[-1]
    found[-1] = Segment(last.before, last.form, held)
    return tuple(found)


def capitalised(text: str) -> str:
    """The first letter in upper case, the rest untouched."""
    return text[:1].upper() + text[1:]


def text_of(segment: Segment, form: str, first: bool) -> str:
    """The segment with the form that fills it; the first one of a sentence is capitalised."""
    text = segment.before + form + segment.after
    return capitalised(text) if first else text
