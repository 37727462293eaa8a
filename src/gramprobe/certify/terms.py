"""Ground terms and atoms: individuals and occasions, atoms about them, and equations between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, TypeAlias

from gramprobe.certify.classical import Core
from gramprobe.certify.clauses import FALSE, TRUE, Clauses
from gramprobe.certify.reject import Budget

Environment: TypeAlias = Mapping[str, int]
"""The term of each variable in scope."""


@dataclass(frozen=True, slots=True)
class Term:
    """An individual or occasion: a constant (`name`), else a Skolem term or an arbitrary individual or occasion."""

    sort: str
    depth: int
    name: str | None = None


class Terms(Clauses):
    """Clauses with terms, ground atoms and equations between terms.

    Different constants are different individuals if `distinct`. `may_equal`: the equations that a formula may need
    true, for each term; other equations are true in no least model, and no clause is about them. Skolem functions need
    no congruence: equal terms may have different witnesses, and both are witnesses.
    """

    def __init__(self, distinct: bool, budget: Budget) -> None:
        super().__init__(budget)
        self.distinct = distinct
        self.terms: list[Term] = []
        self.constants: dict[str, int] = {}
        self.atoms: dict[tuple[Any, ...], int] = {}
        self.equations: dict[tuple[int, int], int] = {}
        self.may_equal: dict[int, dict[int, int]] = {}
        self._done: set[tuple[Any, ...]] = set()
        self._closed: dict[int, int] = {}
        self._congruent: dict[tuple[str | int, int, int], tuple[int, int]] = {}

    def term(self, term: Term) -> int:
        """A new term."""
        self.terms.append(term)
        return len(self.terms) - 1

    def value(self, term: Core, env: Environment) -> int:
        """The term that a variable or constant of a formula stands for."""
        return env[term[1]] if term[0] == "var" else self.constants[term[1]]

    def any_of(self, sort: str) -> int:
        """A term of a sort: domains are not empty."""
        self.budget.spend(len(self.terms))
        for number, term in enumerate(self.terms):
            if term.sort == sort:
                return number
        return self.term(Term(sort, 0))

    def atom(self, predicate: str | int, world: int, args: Sequence[int]) -> int:
        """The literal of a ground atom; `predicate` is the number of a node if its formula is read as an atom."""
        key = (predicate, world, *args)
        known = self.atoms.get(key)
        if known is None:
            known = self.atoms[key] = self.fresh()
        return known

    def equal(self, one: int, other: int, positive: bool) -> int:
        """The literal of an equation; `positive`: it may be needed true."""
        if one == other:
            return TRUE
        if self.distinct and self.terms[one].name and self.terms[other].name:
            return FALSE
        pair = (one, other) if one < other else (other, one)
        known = self.equations.get(pair)
        if known is None:
            known = self.equations[pair] = self.fresh()
        if positive:
            self.may_equal.setdefault(one, {})[other] = known
            self.may_equal.setdefault(other, {})[one] = known
        return known

    def congruence(self) -> None:
        """Add the axioms of equality: equations that may be true are transitive, equal terms have the same atoms."""
        if not self.may_equal:
            return
        while self._transitive():
            pass
        self.budget.spend(len(self.atoms))
        equations = sum(map(len, self.may_equal.values()))
        groups = self._alike()
        self.budget.spend(sum([comb(len(group), 2) for group in groups.values()]))
        for key, group in groups.items():
            if self._congruent.get(key) != (len(group), equations):
                self._congruent[key] = len(group), equations
                self._substitutions(group)

    def _transitive(self) -> bool:
        """Add that equations are transitive, where it has not been said; whether there was any such place."""
        equal, clauses, more = self.may_equal, self.clauses, False
        sizes = [(comb(len(those), 2), comb(self._closed.get(middle, 0), 2)) for middle, those in equal.items()]
        least = sum([5 * size - 4 * before for size, before in sizes])
        if least > self.budget.left:  # not only when half of it is written down
            self.budget.spend(least)
        for middle in list(equal):
            those = list(equal[middle].items())
            size, before = len(those), self._closed.get(middle, 0)
            self.budget.spend(comb(size, 2))
            if before == size:
                continue
            self.budget.spend(4 * (comb(size, 2) - comb(before, 2)))
            self._closed[middle], more = size, more or size > 1
            for at, (one, left) in enumerate(those):
                known = equal[one]
                for other, right in those[max(at + 1, before) :]:
                    equation = known.get(other) or self.equal(one, other, positive=True)
                    clauses.append((-left, -right) if equation == FALSE else (-left, -right, equation))
        return more

    def _alike(self) -> dict[tuple[str | int, int, int], list[tuple[tuple[int, ...], int]]]:
        """The atoms of each predicate at each world, if one of their terms may be equal to another."""
        equal, groups = self.may_equal, dict[tuple[str | int, int, int], list[tuple[tuple[int, ...], int]]]()
        for (predicate, world, *args), atom in self.atoms.items():
            for arg in args:
                if arg in equal:
                    groups.setdefault((predicate, world, len(args)), []).append((tuple(args), atom))
                    break
        return groups

    def _substitutions(self, group: Sequence[tuple[tuple[int, ...], int]]) -> None:
        """Add that two of these atoms have the same value if their terms are equal, one by one."""
        equal, done, spent = self.may_equal, self._done, 0
        none: dict[int, int] = {}
        those_with: dict[int, list[int]] = {}
        for at in range(len(group) - 1, -1, -1):
            those_with.setdefault(group[at][0][0], []).append(at)
        for (first, *rest), left in group:
            those_with[first].pop()  # only those after this one are left
            found = []
            for term, equation in ((first, TRUE), *equal.get(first, none).items()):
                for later in those_with.get(term, ()):
                    (_, *others), right = group[later]
                    if (left, right) in done:
                        continue
                    same = [] if equation == TRUE else [-equation]
                    for one, other in zip(rest, others, strict=True):
                        if one != other:
                            known = equal.get(one, none).get(other)
                            if known is None:  # true in no least model yet
                                break
                            same.append(-known)
                    else:
                        found.append((later, right, same))
            for _, right, same in sorted(found):
                done.add((left, right))
                spent += 2 * (3 + len(same))
                self.clauses += ((-left, right, *same), (left, -right, *same))
        self.budget.spend(spent)

    def is_new(self, *case: Any) -> bool:
        """Whether a case occurs for the first time."""
        self.budget.spend()
        new = case not in self._done
        self._done.add(case)
        return new
