"""Reverse unit propagation: clauses that follow one after the other by propagating units, the last of them empty.

Goldberg & Novikov 2003; the additions of a DRAT proof (Heule, Hunt & Wetzler 2013) that are no RAT steps.
Clauses are watched at two literals (Moskewicz et al. 2001).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gramprobe.certify.reject import Budget, Unfollowed


def check(clauses: Iterable[Sequence[int]], steps: Sequence[Sequence[int]], top: int, budget: Budget) -> None:
    """Check a refutation. Raises Unfollowed unless each step follows from the clauses (over literals 1 .. `top`)
    and the steps before it, and the empty clause from all.
    """
    propagation = _Propagation(top, budget)
    for clause in clauses:
        if not propagation.add(clause):
            return
    for number, step in enumerate(steps):
        if not propagation.refutes(step):
            raise Unfollowed(f"step {number} of the proof does not follow by unit propagation")
        if not propagation.add(step):
            return
    raise Unfollowed("the proof does not end in the empty clause")


class _Propagation:
    """Clauses with the literals that they force. `true[literal]` works for negative literals too: they index
    from the end.
    """

    def __init__(self, top: int, budget: Budget) -> None:
        self.budget = budget
        self.true = bytearray(2 * top + 1)
        self.watching: list[list[list[int]]] = [[] for _ in range(2 * top + 1)]
        self.trail: list[int] = []

    def add(self, clause: Sequence[int]) -> bool:
        """Add a clause; false if the clauses are contradictory now."""
        true = self.true
        self.budget.spend(1 + len(clause))
        for literal in clause:
            if true[literal]:
                return True
        open_ = [literal for literal in dict.fromkeys(clause) if not true[-literal]]
        if len(open_) > 1:
            self.watching[open_[0]].append(open_)
            self.watching[open_[1]].append(open_)
            return True
        return bool(open_) and self.propagate(open_[0])

    def refutes(self, step: Sequence[int]) -> bool:
        """Whether propagating the negation of a clause leads to a contradiction."""
        known = len(self.trail)
        contradiction = any(self.true[literal] or not self.propagate(-literal) for literal in step)
        for literal in self.trail[known:]:
            self.true[literal] = 0
        del self.trail[known:]
        return contradiction

    def propagate(self, literal: int) -> bool:
        """Make a literal true, and all literals that it forces; false on a contradiction."""
        true, trail, watching = self.true, self.trail, self.watching
        if true[-literal]:
            return False
        if true[literal]:
            return True
        at = len(trail)
        true[literal] = 1
        trail.append(literal)
        while at < len(trail):
            false = -trail[at]
            at += 1
            kept: list[list[int]] = []
            watched = watching[false]
            work = 1
            for number, clause in enumerate(watched):
                size = len(clause)
                work += size
                first = clause[0]
                if first == false:
                    first = clause[0] = clause[1]
                    clause[1] = false
                if true[first]:
                    kept.append(clause)
                    continue
                place = 2
                while place < size and true[-clause[place]]:
                    place += 1
                if place < size:
                    clause[1], clause[place] = clause[place], false
                    watching[clause[1]].append(clause)
                else:
                    kept.append(clause)
                    if true[-first]:
                        watching[false] = kept + watched[number + 1 :]
                        self.budget.spend(work)
                        return False
                    true[first] = 1
                    trail.append(first)
            watching[false] = kept
            self.budget.spend(work)
        return True
