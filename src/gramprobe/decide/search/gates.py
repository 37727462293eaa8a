"""Clauses for gates: definitional (Tseitin 1968), constants folded, equal gates shared.

Literal 1 is true, -1 false. A gate's literal is equivalent to the formula that it stands for, so that it serves both
polarities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

TRUE = 1
FALSE = -1


class Gates:
    """The variables and clauses made so far."""

    def __init__(self) -> None:
        self.top = 1
        self.clauses: list[tuple[int, ...]] = [(1,)]  # tuples of numbers are nothing to the collector of circles
        self._conjunctions: dict[tuple[int, ...], int] = {}
        self._counters: dict[tuple[tuple[int, ...], int], int] = {}

    def new(self) -> int:
        """A fresh variable."""
        self.top += 1
        return self.top

    def add(self, clause: Sequence[int]) -> None:
        """Demand a clause; a clause with a true literal is left out."""
        if TRUE not in clause:
            if FALSE in clause:
                clause = [literal for literal in clause if literal != FALSE]
            self.clauses.append(tuple(clause))

    def conj(self, literals: Iterable[int]) -> int:
        """The literal of a conjunction."""
        held = set(literals)
        if FALSE in held:
            return FALSE
        held.discard(TRUE)
        if len(held) < 2:
            return held.pop() if held else TRUE
        key = tuple(sorted(held))
        known = self._conjunctions.get(key)
        if known is not None:
            return known
        if key[0] < 0 and not held.isdisjoint([-literal for literal in key]):
            return FALSE
        self.top = gate = self.top + 1
        self._conjunctions[key] = gate
        append = self.clauses.append
        for literal in key:
            append((-gate, literal))
        append((gate, *[-literal for literal in key]))
        return gate

    def both(self, one: int, other: int) -> int:
        """The literal of a conjunction of two, as `conj` gives it; most gates are of counters, and have two parts."""
        if one == FALSE or other == FALSE or one == -other:
            return FALSE
        if one == other or other == TRUE:
            return one
        if one == TRUE:
            return other
        key = (one, other) if one < other else (other, one)
        known = self._conjunctions.get(key)
        if known is not None:
            return known
        self.top = gate = self.top + 1
        self._conjunctions[key] = gate
        low, high = key
        self.clauses += ((-gate, low), (-gate, high), (gate, -low, -high))
        return gate

    def three(self, one: int, two: int, three: int) -> int:
        """The literal of a conjunction of three, as `conj` gives it; the first is most often true."""
        if one == TRUE:
            return self.both(two, three)
        if two == TRUE:
            return self.both(one, three)
        return self.conj((one, two, three))

    def disj(self, literals: Iterable[int]) -> int:
        """The literal of a disjunction."""
        return -self.conj([-literal for literal in literals])

    def iff(self, left: int, right: int) -> int:
        """The literal of an equivalence."""
        return -self.both(-self.both(left, right), -self.both(-left, -right))

    def atleast(self, literals: Sequence[int], count: int) -> int:
        """The literal of: at least `count` of the literals are true (sequential counter, Sinz 2005, both
        directions).
        """
        sure = sum(literal == TRUE for literal in literals)
        open_ = tuple(sorted(literal for literal in literals if literal not in (TRUE, FALSE)))
        return self._counter(open_, count - sure)

    def _counter(self, literals: tuple[int, ...], count: int) -> int:
        # row by row, only the cells that the last cell depends on: no recursion, however large the count
        size = len(literals)
        if count <= 0:
            return TRUE
        if count > size:
            return FALSE
        known = self._counters.get((literals, count))
        if known is not None:
            return known
        row = {0: TRUE}
        for taken, literal in enumerate(literals, 1):
            low, high = max(1, count - (size - taken)), min(count, taken)
            after = {0: TRUE}
            for wanted in range(low, high + 1):
                without, with_ = row.get(wanted, FALSE), row.get(wanted - 1, TRUE)
                after[wanted] = -self.both(-without, -self.both(literal, with_))
            row = after
        self._counters[literals, count] = row[count]
        return row[count]
