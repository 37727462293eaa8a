"""Evaluates formulas on one fixed model: puzzles with public rules, where announcement follows announcement.

The worlds are the valuations of some atoms that obey a law; an agent cannot distinguish two worlds that agree on the
atoms she observes (an S5 model: Fagin, Halpern, Moses & Vardi 1995, ch. 2). A set of worlds is one boolean array with
an axis of length 2 for each atom, so that knowledge is a reduction over the axes that an agent does not observe. A
public announcement deletes the worlds where it is false (Plaza 1989). No label is decided here: this is truth in ONE
model, with 2 to the number of atoms worlds (20 atoms, a million worlds, take some 10 ms for each modal operator).

>>> muddy = Puzzle.of(["amy", "bo"], ["muddy(amy)", "muddy(bo)"], {"amy": ["muddy(bo)"], "bo": ["muddy(amy)"]})
>>> after = muddy.announce("exists x. muddy(x)")
>>> after.count(), after.announce("forall x. ~K[x] muddy(x)").holds("K[amy] muddy(amy)", ["muddy(amy)", "muddy(bo)"])
(3, True)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Atom, Const, Formula, Var
from gramprobe.formula.notation import parse, show

Worlds: TypeAlias = NDArray[np.bool_]

MOST_ATOMS = 24
"""The most atoms: they make 16 million worlds, with a byte for each world and subformula."""


@dataclass(frozen=True, slots=True, eq=False)
class Puzzle:
    """An S5 model over valuations. Formulas may be given as text. They are bivalent: no presuppositions.

    Attributes:
        individuals: The names of the individuals that quantifiers range over.
        atoms: The atoms, n in number.
        observes: For each agent the atoms whose value the agent observes.
        alive: Which valuations are worlds; shape (2,) * n, one axis for each atom.
        operator: The operator of knowledge in formulas.
    """

    individuals: tuple[str, ...]
    atoms: tuple[Atom, ...]
    observes: Mapping[str, tuple[Atom, ...]]
    alive: Worlds
    operator: str = "K"

    @classmethod
    def of(
        cls,
        individuals: Sequence[str],
        atoms: Sequence[str | Atom],
        observes: Mapping[str, Sequence[str | Atom]],
        law: str | Formula = ast.TRUE,
        operator: str = "K",
    ) -> Puzzle:
        """The model before any announcement. `law`: a formula that everybody knows to be true.

        Raises ValueError for a text that is not an atom about named individuals, more than 24 atoms, an observed atom
        that is not among `atoms`, or a law that no valuation obeys.
        """
        known = tuple(_atom(each) for each in atoms)
        if len(known) > MOST_ATOMS:
            raise ValueError(f"{len(known)} atoms make 2 ** {len(known)} worlds; at most {MOST_ATOMS} atoms are taken")
        seen = {agent: tuple(_atom(each) for each in seen) for agent, seen in observes.items()}
        for agent, those in seen.items():
            if lost := [show(each) for each in those if each not in known]:
                raise ValueError(f"{agent} observes {lost[0]}, which is no atom of the puzzle")
        everything = np.ones((2,) * len(known), np.bool_)
        puzzle = cls(tuple(individuals), known, seen, everything, operator)
        return puzzle._where(puzzle.truth(law), "the law")

    def count(self, formula: str | Formula = ast.TRUE) -> int:
        """The number of worlds in which a formula is true."""
        return int(np.count_nonzero(self.truth(formula)))

    def worlds(self) -> Iterator[frozenset[str]]:
        """Each world as the atoms true in it."""
        for place in np.argwhere(self.alive):
            yield frozenset(show(atom) for atom, value in zip(self.atoms, place, strict=True) if value)

    def holds(self, formula: str | Formula, world: Collection[str | Atom]) -> bool:
        """Whether a formula is true at the world whose true atoms are given.

        Raises ValueError if no such world is left, or for an atom that is not of the puzzle.
        """
        true = {_atom(each) for each in world}
        if lost := [show(each) for each in true if each not in self.atoms]:
            raise ValueError(f"{lost[0]} is no atom of the puzzle")
        place = tuple(int(atom in true) for atom in self.atoms)
        if not self.alive[place]:
            raise ValueError("no such world is left: " + (", ".join(sorted(map(show, true))) or "nothing true"))
        return bool(self.truth(formula)[place])

    def announce(self, formula: str | Formula) -> Puzzle:
        """The model after a public announcement. Raises ValueError if it is true at no world."""
        read = self._read(formula)
        return self._where(self.truth(read), f"the announcement {show(read)}")

    def truth(self, formula: str | Formula) -> Worlds:
        """The worlds in which a formula is true, with the shape of `alive`.

        Raises ValueError for a formula that has no truth value in a puzzle.
        """
        return _Evaluation(self).truth(self._read(formula)) & self.alive

    def _read(self, formula: str | Formula) -> Formula:
        return parse(formula, operators=(self.operator,)) if isinstance(formula, str) else formula

    def _where(self, worlds: Worlds, what: str) -> Puzzle:
        if not worlds.any():
            raise ValueError(f"{what} is true at no world")
        return replace(self, alive=worlds & self.alive)


def _atom(given: str | Atom) -> Atom:
    read = parse(given) if isinstance(given, str) else given
    if not isinstance(read, Atom) or not all(isinstance(arg, Const) for arg in read.args):
        raise ValueError(f"{given!r} is no atom about named individuals")
    return read


@dataclass(slots=True)
class _Evaluation:
    """Arrays may be of length 1 along an atom that they do not depend on; numpy widens them where they meet."""

    puzzle: Puzzle
    bound: dict[str, str] = field(default_factory=dict)

    def truth(self, formula: Formula) -> Worlds:
        match formula:
            case ast.Truth(value):
                return np.full((1,) * len(self.puzzle.atoms), value)
            case Atom(predicate, args):
                return self.atom(Atom(predicate, tuple(Const(self.name(arg)) for arg in args)))
            case ast.Equal(left, right):
                return self.truth(ast.Truth(self.name(left) == self.name(right)))
            case ast.Not(body):
                return ~self.truth(body)
            case ast.And(left, right):
                return self.truth(left) & self.truth(right)
            case ast.Or(left, right):
                return self.truth(left) | self.truth(right)
            case ast.Implies(left, right):
                return ~self.truth(left) | self.truth(right)
            case ast.Iff(left, right):
                return ~(self.truth(left) ^ self.truth(right))
            case ast.Modal(operator, agent, body) if operator == self.puzzle.operator and agent is not None:
                return self.known(self.name(agent), self.truth(body))
            case ast.Announced(announcement, body):
                return self.after(self.truth(announcement), body)
            case ast.Quantified(sort="individual") if formula.quantifier != "the":
                return self.counted(formula)
            case _:
                raise ValueError(f"{show(formula)} has no truth value in a puzzle: only connectives, quantifiers over "
                                 f"individuals, announcements and {self.puzzle.operator}[agent]")  # fmt: skip

    def name(self, term: Argument) -> str:
        if isinstance(term, Var) and term.name in self.bound:
            return self.bound[term.name]
        if not isinstance(term, Const):
            raise ValueError(f"{term} denotes nobody")
        return term.name

    def atom(self, atom: Atom) -> Worlds:
        if atom not in self.puzzle.atoms:
            raise ValueError(f"{show(atom)} is no atom of the puzzle")
        shape = [1] * len(self.puzzle.atoms)
        shape[self.puzzle.atoms.index(atom)] = 2
        return np.array([False, True]).reshape(shape)

    def known(self, agent: str, worlds: Worlds) -> Worlds:
        """The worlds whose indistinguishable worlds are all among those given."""
        if agent not in self.puzzle.observes:
            raise ValueError(f"the atoms that {agent} observes are not given")
        against = self.puzzle.alive & ~worlds
        unseen = [axis for axis, atom in enumerate(self.puzzle.atoms) if atom not in self.puzzle.observes[agent]]
        knowing: Worlds = np.logical_not(np.any(against, axis=tuple(unseen), keepdims=True))
        return knowing

    def after(self, announced: Worlds, body: Formula) -> Worlds:
        """True where the announcement is false: it could not be made there."""
        left = replace(self.puzzle, alive=self.puzzle.alive & announced)
        return ~announced | _Evaluation(left, self.bound).truth(body)

    def counted(self, formula: ast.Quantified) -> Worlds:
        outer = self.bound
        both: list[Worlds] = []
        inside: list[Worlds] = []
        for who in self.puzzle.individuals:
            self.bound = {**outer, formula.variable: who}
            inside.append(self.truth(formula.restrictor))
            both.append(inside[-1] & self.truth(formula.scope))
        self.bound = outer
        number = sum((each.astype(np.int16) for each in both), np.int16(0))
        of = sum((each.astype(np.int16) for each in inside), np.int16(0))
        count = formula.count
        match formula.quantifier:
            case "forall":
                return np.equal(number, of)
            case "exists":
                return np.greater(number, 0)
            case "most":
                return np.greater(2 * number, of)
        assert isinstance(count, int)
        match formula.quantifier:
            case "atleast":
                return np.greater_equal(number, count)
            case "atmost":
                return np.less_equal(number, count)
            case _:
                return np.equal(number, count)
