"""The reasons of gates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a gate refuses a paradigm: what is wrong, up to three examples, and what to do."""

    what: str
    examples: tuple[str, ...]
    help: str
