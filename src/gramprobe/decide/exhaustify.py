"""`exh F`: F, and the negation of every innocently excludable alternative (Fox 2007).

A set of alternatives can be denied if F is consistent with the negations of all its members; the innocently excludable
alternatives are those in every maximal set that can be denied. Whether a set can be denied, in the pair's theory, is
found as labels of `check` are (`decide.together`): nobody is shown a model of it. An open formula (below a quantifier)
is closed existentially: it is consistent if some individual can make it true.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from msgspec.structs import replace

from gramprobe.decide.together import Combinations
from gramprobe.decide.verdict import Shape
from gramprobe.formula import ast
from gramprobe.formula.alternatives import alternatives
from gramprobe.formula.ast import TRUE, And, Argument, Formula, Not
from gramprobe.formula.binding import free_variables, fresh, names, substituted
from gramprobe.formula.canonical import canonical
from gramprobe.formula.encoding import to_json
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import TheorySlice
from gramprobe.formula.updates import TooLarge

MOST_SETS = 64
"""The most maximal sets of alternatives that can be denied together."""


def strengthened(formula: Formula, theory: TheorySlice, static: Callable[[Formula], Formula]) -> Formula:
    """The formula without `exh`.

    `static` compiles definitions and updates away, which the engines do not read; the result still holds them. The
    quantifiers of `formula` have their sorts. Raises TooLarge for too many alternatives or maximal sets.
    """
    return _Exhaustifier(theory, static).formula(formula, {})


class _Exhaustifier:
    def __init__(self, theory: TheorySlice, static: Callable[[Formula], Formula]) -> None:
        self.theory, self.static = theory, static

    def formula(self, node: Formula, sorts: Mapping[str, ast.Sort]) -> Formula:
        if isinstance(node, ast.Exhaustified):

            def over(each: list[Formula]) -> list[Formula]:
                return [self.exh(one, each, sorts) for one in each]

            among = alternatives(node.body, self.theory.scales, over, self.theory.exhaustify == "unnegated")
            return self.exh(among[0], among, sorts)
        if isinstance(node, ast.Quantified):
            sorts = {**sorts, node.variable: node.sort}
        elif ast.signature(node, "exhaustify").binds is not False:
            raise ast.NoRule("exhaustify", type(node))
        return ast.map_children(lambda part: self.formula(part, sorts), node)

    def exh(self, formula: Formula, among: list[Formula], sorts: Mapping[str, ast.Sort]) -> Formula:
        """The formula strengthened over a set of alternatives."""
        others = [other for other in among if other != formula]
        if not others:
            return formula
        bundle: Formula = TRUE
        for part in reversed([formula, *others]):
            bundle = And(self.static(part), bundle)
        text, _ = canonical(TRUE, _closed(bundle, self.theory, sorts), self.theory)
        return _denying(formula, [others[at] for at in excludable(text)])


@lru_cache(maxsize=4096)
def excludable(text: str) -> tuple[int, ...]:
    """The numbers of the innocently excludable alternatives in a canonical text.

    Its hypothesis is `F & (A0 & (A1 & ... & true))`, below the existential quantifiers that close it. The result
    depends on the text only, so that it is cached: sentences of the same form share it.
    """
    _, bundle, _ = Shape.of(text).parts()
    theory, combinations = json.loads(text)["theory"], Combinations()
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
        """Whether all of `denied` can be denied, together with an alternative outside each set of `beyond`."""
        tested = _denying(strong, [others[at] for at in denied])
        for largest in beyond:
            tested = And(tested, Not(_all(others[at] for at in able if at not in largest)))
        for binder in reversed(binders):
            tested = replace(binder, scope=tested)
        return combinations.can_be_true(theory, to_json(tested))

    able = tuple(at for at in range(len(others)) if possible((at,)))
    if len(able) < 2 or possible(able):
        return able
    return _in_every_largest(able, possible)


def _in_every_largest(
    able: tuple[int, ...], possible: Callable[[tuple[int, ...], tuple[frozenset[int], ...]], bool]
) -> tuple[int, ...]:
    """The alternatives in all maximal sets that can be denied together.

    A set becomes maximal by adding every alternative that can still be denied. If it must hold an alternative outside
    each maximal set so far, it becomes a new maximal set, until no further set is possible.
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
    """The conjunction of the formulas; `true` if there are no formulas."""
    read: Formula = TRUE
    for formula in formulas:
        read = formula if read == TRUE else And(read, formula)
    return read


def _closed(bundle: Formula, theory: TheorySlice, sorts: Mapping[str, ast.Sort]) -> Formula:
    """The bundle with its free variables bound by existential quantifiers.

    A single free variable, if no name could denote the same individual, is replaced by a new name instead, because
    propositional engines take names only.
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
