"""Why a gate is shut."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """What is wrong, a few rows that show it, what to do."""

    what: str
    examples: tuple[str, ...]
    help: str
