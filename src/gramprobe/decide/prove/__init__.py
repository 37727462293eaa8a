"""Engines that prove that a problem has no model: each searches for proofs that one module of `certify` can check."""

from __future__ import annotations

from typing import Any

from gramprobe.certify.reject import Budget
from gramprobe.stop import ask_stop


class Steps(Budget):
    """The steps of a search: like those of checking, and it asks now and then whether to go on."""

    def spend(self, steps: int = 1) -> None:
        before = self.left >> 12
        super().spend(steps)
        if self.left >> 12 != before:
            ask_stop()


def learnt_of(solver: Any) -> list[list[int]]:
    """The clauses that a solver of pysat has learnt, by its proof, in their order."""
    lines = (line.split() for line in solver.get_proof())
    return [[int(literal) for literal in line[:-1]] for line in lines if line[0] != "d"]
