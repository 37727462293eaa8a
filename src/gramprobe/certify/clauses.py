"""Builds propositional clauses: fresh literals, gates in one direction, constants folded."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.certify.reject import Budget

TRUE, FALSE = 1, -1


class Clauses:
    """Clauses over literals 2, 3, ...; 1 is true and -1 false, and both are folded. `refuted`: a clause is empty."""

    def __init__(self, budget: Budget) -> None:
        self.budget, self.top, self.clauses, self.refuted = budget, 1, list[Sequence[int]](), False

    def fresh(self) -> int:
        """A new literal."""
        self.top += 1
        return self.top

    def add(self, literals: Sequence[int]) -> None:
        """Demand that at least one of the literals is true."""
        self.budget.spend(1 + len(literals))
        if TRUE not in literals:
            clause = tuple([literal for literal in literals if literal != FALSE] if FALSE in literals else literals)
            self.clauses.append(clause)
            if not clause:
                self.refuted = True

    def conj(self, literals: Sequence[int]) -> int:
        """A literal that is true only if all of the given literals are."""
        if FALSE in literals:
            return FALSE
        parts = [literal for literal in dict.fromkeys(literals) if literal != TRUE]
        if len(parts) < 2:
            return parts[0] if parts else TRUE
        gate = self.fresh()
        for literal in parts:
            self.add((-gate, literal))
        return gate

    def disj(self, literals: Sequence[int]) -> int:
        """A literal that is true only if at least one of the given literals is."""
        if TRUE in literals:
            return TRUE
        parts = [literal for literal in dict.fromkeys(literals) if literal != FALSE]
        if len(parts) < 2:
            return parts[0] if parts else FALSE
        gate = self.fresh()
        self.add((-gate, *parts))
        return gate
