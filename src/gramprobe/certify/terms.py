"""Ground terms and atoms: individuals and occasions, atoms about them, and equations between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
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
        equal, done, more = self.may_equal, self._done, bool(self.may_equal)
        while more:
            more = False
            for middle in list(equal):
                those = list(equal[middle].items())
                self.budget.spend(comb(len(those), 2))
                for (one, left), (other, right) in combinations(those, 2):
                    if (middle, one, other) not in done:
                        done.add((middle, one, other))
                        self.add((-left, -right, self.equal(one, other, positive=True)))
                        more = True
        self.budget.spend(len(self.atoms) if equal else 0)
        groups: dict[tuple[str | int, int, int], list[tuple[tuple[int, ...], int]]] = {}
        for (predicate, world, *args), atom in self.atoms.items() if equal else ():
            if any(arg in equal for arg in args):
                groups.setdefault((predicate, world, len(args)), []).append((tuple(args), atom))
        for group in groups.values():
            of_first: dict[int, list[int]] = {}
            for at, (some, _) in enumerate(group):
                of_first.setdefault(some[0], []).append(at)
            for at, (some, left) in enumerate(group):
                self.budget.spend(len(group) - at - 1)
                alike = [of_first.get(first, ()) for first in (some[0], *equal.get(some[0], ()))]
                for later in sorted([each for places in alike for each in places if each > at]):
                    others, right = group[later]
                    same = None if (left, right) in done else self._equations(some, others)
                    if same is not None:
                        done.add((left, right))
                        self.add([-left, right, *[-each for each in same]])
                        self.add([left, -right, *[-each for each in same]])

    def _equations(self, some: Sequence[int], others: Sequence[int]) -> list[int] | None:
        """The equations that make the terms equal, one by one; None if one of them is true in no least model yet."""
        equations = []
        for one, other in zip(some, others, strict=True):
            if one != other:
                known = self.may_equal.get(one)
                equation = None if known is None else known.get(other)
                if equation is None:
                    return None
                equations.append(equation)
        return equations

    def is_new(self, *case: Any) -> bool:
        """Whether a case occurs for the first time."""
        self.budget.spend()
        new = case not in self._done
        self._done.add(case)
        return new
