"""Sorts by use: the variables of `always`, `usually`, `sometimes`, `never` are occasions (Lewis 1975).

`~exists x. atleast 2 t. meets(x, t)` quantifies over occasions as soon as `meets` takes one elsewhere. Two
places have one sort when a variable stands in both; the sorts are the classes of that relation (union and
find).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula, as_formula, map_parts, parts
from gramprobe.formula.lexer import FormulaError

_Place: TypeAlias = tuple[str, int] | tuple[str, int, int]


@lru_cache(maxsize=4096)
def has_occasions(formula: Formula) -> bool:
    """Whether some quantifier of the formula is over occasions already."""
    return any(isinstance(part, ast.Quantified) and part.sort == "occasion" for part in ast.once(formula))


def resolve(formulas: Sequence[Formula]) -> tuple[Formula, ...]:
    """The same formulas, every quantifier with its sort. Raises FormulaError where the sorts clash."""
    if not any(map(has_occasions, formulas)):
        return tuple(formulas)
    classes = _Classes()
    for formula in formulas:
        classes.visit(formula, {})
    occasions = {classes.find(place) for place in classes.occasions}
    for place, name in classes.named:
        if classes.find(place) in occasions:
            raise FormulaError(f"`{name}` is a name, but an occasion stands in its place", 0)
    binders = classes.binders
    numbers = iter(range(len(binders)))

    def sorted_(node: Argument) -> Argument:
        if isinstance(node, ast.Quantified):
            occasional = classes.find(binders[next(numbers)]) in occasions
            node = replace(node, sort="occasion" if occasional else "individual")
        return map_parts(sorted_, node)

    return tuple(as_formula(sorted_(formula)) for formula in formulas)


class _Classes:
    """The classes of places (of predicates and binders) that must have the same sort."""

    def __init__(self) -> None:
        self.parent: dict[_Place, _Place] = {}
        self.binders: list[_Place] = []
        self.occasions: list[_Place] = []
        self.named: list[tuple[_Place, str]] = []

    def find(self, place: _Place) -> _Place:
        while (above := self.parent.get(place, place)) != place:
            place = above
        return place

    def join(self, one: _Place, other: _Place) -> None:
        self.parent[self.find(one)] = self.find(other)

    def visit(self, node: Argument, bound: dict[str, _Place]) -> None:
        if isinstance(node, ast.Quantified):
            binder: _Place = ("binder", len(self.binders))
            self.binders.append(binder)
            if node.sort == "occasion":
                self.occasions.append(binder)
            bound = {**bound, node.variable: binder}
        elif isinstance(node, ast.Atom):
            for position, arg in enumerate(node.args):
                self.stands((node.predicate, len(node.args), position), arg, bound)
        elif isinstance(node, ast.Equal):
            place: _Place = ("=", len(self.parent), 0)
            self.stands(place, node.left, bound)
            self.stands(place, node.right, bound)
        elif ast.signature(node, "sorts").binds is not False:
            raise ast.NoRule("sorts", type(node))
        for part in parts(node):
            self.visit(part, bound)

    def stands(self, place: _Place, term: Argument, bound: dict[str, _Place]) -> None:
        self.parent.setdefault(place, place)
        if isinstance(term, ast.Var) and term.name in bound:
            self.join(bound[term.name], place)
        elif isinstance(term, ast.Const):
            self.named.append((place, term.name))
