"""Miniscoping: subformulas in which a quantifier's variable is not free leave its scope.

`most x. F(A)` with x not in A becomes `(A & most x. F(true)) | (~A & most x. F(false))` (Shannon 1938), inner
quantifiers first, `here` moved inwards to the atoms and modal operators. In a formula with one-place predicates only,
no quantifier then stands in the scope of another (Behmann 1922), so that counting one variable at a time decides all
such formulas.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from gramprobe.certify.classical import FALSE, TRUE, Core, Problem, conj, disj, neg
from gramprobe.certify.reject import Budget

QUANTIFIERS = ("all", "some", "atleast", "most")


def miniscoped(problem: Problem, budget: Budget) -> Problem:
    """The same problem, its formulas rewritten, bound variables named by how many quantifiers lie inside."""
    axioms, goals = (tuple([_rewritten(core, budget) for core in part]) for part in (problem.axioms, problem.goals))
    return Problem(problem.operators, axioms, goals, problem.distinct)


def _rewritten(core: Core, budget: Budget) -> Core:
    rewritten, steps = _remembered(core)
    budget.spend(steps)
    return rewritten


@lru_cache(256)  # several questions share a premise and the postulates
def _remembered(core: Core) -> tuple[Core, int]:
    """The formula rewritten, and the steps that it took."""
    budget = Budget()
    whole = budget.left
    return renamed(Miniscope(budget).formula(core), {}, budget), whole - budget.left


def renamed(core: Core, names: Mapping[str, str], budget: Budget) -> Core:
    """A formula or term with its bound variables named by the height of their quantifiers.

    Formulas that differ in bound variables only become the same; no inner quantifier captures an outer variable.
    """
    budget.spend()
    if core[0] == "var":
        return ("var", names.get(core[1], core[1]))
    if core[0] not in QUANTIFIERS:
        return tuple([renamed(part, names, budget) if type(part) is tuple else part for part in core])
    scope = parts_of(core)
    place = -len(scope) - 2
    name = str(height(core, budget))
    names = {**names, variable_of(core): name}
    return (*core[:place], name, core[place + 1], *[renamed(part, names, budget) for part in scope])


def height(core: Core, budget: Budget) -> int:
    """How many quantifiers stand in each other's scope."""
    budget.spend()
    inner = max((height(part, budget) for part in core if type(part) is tuple), default=0)
    return inner + (core[0] in QUANTIFIERS)


def variable_of(node: Core) -> str:
    """The variable that a quantifier binds."""
    name: str = node[2] if node[0] == "atleast" else node[1]
    return name


def parts_of(node: Core) -> tuple[Core, ...]:
    """The formulas in a quantifier's scope."""
    return node[-2:] if node[0] == "most" else node[-1:]


class Miniscope:
    """Rewrites the formulas of one problem; each shared part once."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.known: dict[int, tuple[Core, Core]] = {}  # by identity; holding the formula keeps its number taken

    def formula(self, core: Core) -> Core:
        """An equivalent formula in which the variable of a scope is free in every smallest part of it."""
        known = self.known.get(id(core))
        if known is None:
            self.budget.spend()
            known = self.known[id(core)] = core, self._formula(core)
        return known[1]

    def _formula(self, core: Core) -> Core:
        match core[0]:
            case "not":
                return neg(self.formula(core[1]))
            case "and":
                return conj(self.formula(core[1]), self.formula(core[2]))
            case "or":
                return disj(self.formula(core[1]), self.formula(core[2]))
            case "here":
                return self.here(self.formula(core[1]))
            case "box" | "neighbourhood":
                return (*core[:3], self.formula(core[3]))
            case "all" | "some" | "atleast":
                return self.freed((*core[:-1], self.formula(core[-1])))
            case "most":
                return self.freed((*core[:-2], self.formula(core[-2]), self.formula(core[-1])))
            case _:
                return core

    def here(self, core: Core) -> Core:
        """`here` at the atoms and modal operators."""
        self.budget.spend()
        match core[0]:
            case "true" | "false" | "equal" | "here":
                return core
            case "not":
                return neg(self.here(core[1]))
            case "and":
                return conj(self.here(core[1]), self.here(core[2]))
            case "or":
                return disj(self.here(core[1]), self.here(core[2]))
            case "all" | "some" | "atleast":
                return (*core[:-1], self.here(core[-1]))
            case "most":
                return (*core[:-2], self.here(core[-2]), self.here(core[-1]))
            case _:
                return ("here", core)

    def freed(self, node: Core) -> Core:
        """The quantifier, and outside its scope all parts in which its variable is not free."""
        self.budget.spend()
        scope = parts_of(node)
        if FALSE in scope:
            return FALSE
        if scope == (TRUE,) and node[0] != "atleast":
            return TRUE
        apart = next(filter(None, (self.apart(part, variable_of(node)) for part in scope)), None)
        if apart is None:
            return node
        head = node[: -len(scope)]
        then = self.freed((*head, *[self.settled(part, apart, TRUE) for part in scope]))
        otherwise = self.freed((*head, *[self.settled(part, apart, FALSE) for part in scope]))
        return choice(apart, then, otherwise)

    def apart(self, core: Core, name: str) -> Core | None:
        """A largest part in which the variable is not free, and that is not a constant."""
        self.budget.spend()
        if core in (TRUE, FALSE):
            return None
        if not self.has_free(core, name):
            return core
        if core[0] in ("not", "and", "or"):
            return next(filter(None, (self.apart(part, name) for part in core[1:])), None)
        return None

    def has_free(self, core: Core, name: str) -> bool:
        """Whether a variable is free in a formula or term."""
        self.budget.spend()
        if core[0] == "var":
            return bool(core[1] == name)
        if core[0] in QUANTIFIERS and variable_of(core) == name:
            return False
        return any(self.has_free(part, name) for part in core[1:] if type(part) is tuple)

    def settled(self, core: Core, part: Core, value: Core) -> Core:
        """The formula with a part replaced by its value, folded."""
        self.budget.spend()
        if core == part:
            return value
        match core[0]:
            case "not":
                return neg(self.settled(core[1], part, value))
            case "and":
                return conj(self.settled(core[1], part, value), self.settled(core[2], part, value))
            case "or":
                return disj(self.settled(core[1], part, value), self.settled(core[2], part, value))
            case _:
                return core


def choice(test: Core, then: Core, otherwise: Core) -> Core:
    """`(test & then) | (~test & otherwise)`, folded."""
    if then == otherwise:
        return then
    if then == TRUE:
        return disj(test, otherwise)
    if otherwise == TRUE:
        return disj(neg(test), then)
    return disj(conj(test, then), conj(neg(test), otherwise))
