"""The answer of `gramprobe lists --json`."""

from __future__ import annotations

from gramprobe.cli.answers.answer import Answer


class DrawnUp(Answer, frozen=True, kw_only=True):
    """`gramprobe lists --json`: the folder; how many lists there are, of how many trials; in how many of them each
    instance stands in each of its cells; factor -> levels; what to do next."""

    folder: str
    lists: int
    trials: int
    per_person: int
    fillers: int
    catch: int
    instances: int
    cells: int
    repeats: int
    factors: dict[str, list[str]]
    next: str
