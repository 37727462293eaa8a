"""How the texts of a row are put to a model, where several formats put them alike."""

from __future__ import annotations

from collections.abc import Sequence

LETTERS = ("A", "B")
FRAME = "On the basis of this phrase/statement alone, and with no further context, there are only two options:"
"""Kamath et al. (2024), experiment 1, as released."""
ANSWER = "The most likely option is option"


def lettered(sentence: str, options: Sequence[str]) -> str:
    """The prompt of an item with two options; without the sentence it is the paper's control."""
    ended = (text if text.endswith((".", "!", "?")) else f"{text}." for text in options)
    lines = [f"Option {letter}: {text}" for letter, text in zip(LETTERS, ended, strict=True)]
    return "\n".join([*([sentence] if sentence else []), FRAME, *lines, ANSWER])


def filled(text: str, slot: str, options: Sequence[str]) -> tuple[str, list[str]]:
    """What stands before a slot, without the space at its end, and what follows with each option in the slot; where
    nothing stands before it, no context and whole texts."""
    before, _, after = text.partition(slot)
    if not before.strip():
        return "", [f"{before}{option}{after}" for option in options]
    return before.rstrip(), [f" {option}{after}" for option in options]
