"""`exh F`: F, and the negation of every innocently excludable alternative (Fox 2007).

Alternatives can be denied together with F as far as F stays consistent; the innocently excludable ones are those in
every largest set that can. Whether a set can is decided by the engines that decide labels, in the pair's theory. An
open formula (below a quantifier) is closed existentially: consistent is what some individual can make true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from gramprobe.certify.model import Model
from gramprobe.decide.procedure import satisfiable
from gramprobe.decide.shape import Shape
from gramprobe.formula import ast
from gramprobe.formula.alternatives import alternatives
from gramprobe.formula.ast import TRUE, And, Argument, Formula, Not
from gramprobe.formula.binding import free_variables, fresh, names, substituted
from gramprobe.formula.canonical import canonical
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import TheorySlice
from gramprobe.formula.updates import TooLarge

MOST_SETS = 64
"""Maximal sets of alternatives that can be denied together."""


def strengthened(formula: Formula, theory: TheorySlice, static: Callable[[Formula], Formula]) -> Formula:
    """The formula without `exh`.

    `static` writes definitions and updates out, which the engines do not read; the result still holds them. Its
    quantifiers have their sorts. Raises TooLarge for more alternatives than can be weighed.
    """
    return _Exhaustifier(theory, static).formula(formula, {})


class _Exhaustifier:
    def __init__(self, theory: TheorySlice, static: Callable[[Formula], Formula]) -> None:
        self.theory, self.static = theory, static

    def formula(self, node: Formula, sorts: Mapping[str, ast.Sort]) -> Formula:
        if isinstance(node, ast.Exhaustified):

            def over(each: list[Formula]) -> list[Formula]:
                return [self.exh(one, each, sorts) for one in each]

            found = alternatives(node.body, self.theory.scales, over, self.theory.exhaustify == "unnegated")
            return self.exh(found[0], found, sorts)
        if isinstance(node, ast.Quantified):
            sorts = {**sorts, node.variable: node.sort}
        return ast.map_children(lambda part: self.formula(part, sorts), node)

    def exh(self, one: Formula, found: list[Formula], sorts: Mapping[str, ast.Sort]) -> Formula:
        """`one` strengthened over a set of alternatives."""
        others = [other for other in found if other != one]
        if not others:
            return one
        bundle: Formula = TRUE
        for formula in reversed([one, *others]):
            bundle = And(self.static(formula), bundle)
        text, _ = canonical(TRUE, _closed(bundle, self.theory, sorts), self.theory)
        return _denying(one, [others[at] for at in excludable(text)])


@lru_cache(maxsize=4096)
def excludable(text: str) -> tuple[int, ...]:
    """The numbers of the innocently excludable alternatives in a canonical text.

    Its hypothesis is `F & (A0 & (A1 & ... & true))`, below the existential quantifiers that close it; a pure function
    of the text, so that one kind of sentence is weighed once.
    """
    _, bundle, theory = Shape.of(text).parts()
    binders: list[ast.Quantified] = []
    while isinstance(bundle, ast.Quantified):
        binders.append(bundle)
        bundle = bundle.scope
    parts: list[Formula] = []
    while isinstance(bundle, And):
        parts.append(bundle.left)
        bundle = bundle.right
    strong, *others = parts

    def possible(denied: tuple[int, ...], beyond: tuple[frozenset[int], ...] = ()) -> bool:
        """Whether all those can be denied, and something outside each of the sets."""
        said = _denying(strong, [others[at] for at in denied])
        for known in beyond:
            said = And(said, Not(_all(others[at] for at in able if at not in known)))
        for binder in reversed(binders):
            said = replace(binder, scope=said)
        return isinstance(satisfiable(theory, said), Model)

    able = tuple(at for at in range(len(others)) if possible((at,)))
    if not able or possible(able):
        return able
    return _in_every_largest(able, possible)


def _in_every_largest(
    able: tuple[int, ...], possible: Callable[[tuple[int, ...], tuple[frozenset[int], ...]], bool]
) -> tuple[int, ...]:
    """What all maximal sets share that can be denied together.

    A set that grows by whatever can still be denied ends maximal; asked to hold something outside of each one known,
    it ends as a new one, until there is none.
    """
    largest: tuple[frozenset[int], ...] = ()
    shared = frozenset(able)
    while shared and (not largest or possible((), largest)):
        if len(largest) == MOST_SETS:
            raise TooLarge(f"`exh` has more than {MOST_SETS} sets of alternatives to weigh")
        denied: tuple[int, ...] = ()
        for at in able:
            if possible((*denied, at), largest):
                denied = (*denied, at)
        largest = (*largest, frozenset(denied))
        shared &= largest[-1]
    return tuple(sorted(shared))


def _denying(formula: Formula, others: Iterable[Formula]) -> Formula:
    for other in others:
        formula = And(formula, Not(other))
    return formula


def _all(formulas: Iterable[Formula]) -> Formula:
    """Their conjunction; true of none."""
    read: Formula = TRUE
    for formula in formulas:
        read = formula if read == TRUE else And(read, formula)
    return read


def _closed(bundle: Formula, theory: TheorySlice, sorts: Mapping[str, ast.Sort]) -> Formula:
    """The bundle with its free variables bound; one alone, where no name could denote the same, is a new name,
    as propositional engines take names only.
    """
    free = free_variables(bundle)
    constants = symbols(bundle, *theory.postulates).constants
    if len(free) == 1 and not constants and sorts.get(free[0], "individual") == "individual":
        name: dict[str, Argument] = {free[0]: ast.Const(fresh("c", names(bundle)))}
        return substituted(bundle, name)
    for variable in reversed(free):
        bundle = ast.Quantified(
            quantifier="exists",
            variable=variable,
            restrictor=TRUE,
            scope=bundle,
            sort=sorts.get(variable, "individual"),
        )
    return bundle
