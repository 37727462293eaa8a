"""Names in formulas: free variables, fresh names, substitution without capture (Church 1941), renamed symbols."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from operator import is_
from typing import Any

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Atom, Const, Formula, Modal, Rules, Var, as_formula, map_parts, parts, walk

_BINDS = Rules[bool]("binding", default=lambda signature: signature.binds)


def free_variables(node: Argument) -> tuple[str, ...]:
    """The variables free in a node, by first occurrence.

    A predicate that a lambda outside the node binds is not among them.
    """
    free: dict[str, None] = {}
    _find_free(node, frozenset(), free)
    return tuple(free)


def _find_free(part: Any, bound: frozenset[str], free: dict[str, None]) -> None:
    """Add the variables free in a part of a node to ``free``; ``bound``: those that are bound outside it."""
    if isinstance(part, Var):
        if part.name not in bound:
            free[part.name] = None
        return
    if _BINDS[type(part)]:
        bound = bound | {part.variable}
    for each in parts(part):
        _find_free(each, bound, free)


def names(node: Argument) -> frozenset[str]:
    """Every name that occurs, bound or free, predicates included: a fresh variable must avoid them all."""
    used: set[str] = set()
    part: Any
    for part in walk(node):
        if isinstance(part, (Var, Const)):
            used.add(part.name)
        elif isinstance(part, Atom):
            used.add(part.predicate)
        elif _BINDS[type(part)]:
            used.add(part.variable)
    return frozenset(used)


def fresh(variable: str, taken: frozenset[str] | set[str]) -> str:
    """`variable`, or its first numbered variant that is not taken."""
    if variable not in taken:
        return variable
    stem = variable.rstrip("0123456789") or variable
    number = 1
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"


def substitute(node: Argument, mapping: Mapping[str, Argument]) -> Argument:
    """Replace free variables without capture; bound variables are renamed where they would capture a free one.

    A predicate that is such a variable (in the meaning of a word) is renamed when its value is a term.
    """
    if not mapping:
        return node
    if isinstance(node, Var):
        return mapping.get(node.name, node)
    if isinstance(node, Atom):
        head = mapping.get(node.predicate)
        predicate = head.name if isinstance(head, (Var, Const)) else node.predicate
        return Atom(predicate, tuple(substitute(arg, mapping) for arg in node.args))
    if _BINDS[type(node)]:
        binder: Any = node
        inner = {name: value for name, value in mapping.items() if name != binder.variable}
        free = set().union(*(names(value) for value in inner.values())) if inner else set()
        if binder.variable in free:
            renamed = fresh(binder.variable, free | names(node) | set(inner))
            inner[binder.variable] = Var(renamed)
            binder = replace(binder, variable=renamed)
        return map_parts(lambda part: substitute(part, inner), binder)
    return map_parts(lambda part: substitute(part, mapping), node)


def substituted(formula: Formula, mapping: Mapping[str, Argument]) -> Formula:
    """`substitute` on a formula."""
    return as_formula(substitute(formula, mapping))


def rename(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula with predicates, constants and operators renamed; bound variables stay."""
    return _renamed(formula, tuple(names.items()))


@lru_cache(maxsize=16_384)  # a formula is renamed alike for every pair that its sentence stands in
def _renamed(formula: Formula, pairs: tuple[tuple[str, str], ...]) -> Formula:
    return renaming(formula, frozenset(name for name, _ in pairs))(dict(pairs))


def renaming(formula: Formula, names: Collection[str]) -> Callable[[Mapping[str, str]], Formula]:
    """`rename` of one formula for many mappings of the same names: what none of them occurs in is never looked at
    again. Equal parts of what is made are one object, so that a pass may look at it once (`ast.once`): what somebody
    thinks stands in a formula three times, and what somebody knows that somebody thinks nine times."""
    made = _Renamed(names)
    made.add(formula)
    return made.change


class _Renamed:
    """The different parts of a formula, each behind its own parts, and how those are made that hold a name."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._parts: list[Any] = []
        self._numbers: dict[Argument, int] = {}
        #: number of a part -> the part, whether one of the names is its own, and the numbers of its parts
        self._changes: dict[int, tuple[Any, bool, list[int]]] = {}

    def add(self, node: Any) -> int:
        """The number of a node; of equal ones, the first counts."""
        known = self._numbers.get(node)
        if known is not None:
            return known
        if ast.signature(node, "rename").worlds in (None, "seen") and not isinstance(node, Modal):
            raise ast.NoRule("rename", type(node))
        before = parts(node)
        inner = [self.add(part) for part in before]
        after = [self._parts[number] for number in inner]
        number = self._numbers[node] = len(self._parts)
        self._parts.append(node if all(map(is_, before, after)) else ast.rebuilt(node, after))
        own = _own_name(node) in self._names
        if own or not self._changes.keys().isdisjoint(inner):
            self._changes[number] = node, own, inner
        return number

    def change(self, words: Mapping[str, str]) -> Formula:
        """The formula, which was added last, with words in the places of the names."""
        made = [*self._parts]
        for number, (node, own, inner) in self._changes.items():
            after = [made[part] for part in inner]
            if isinstance(node, Atom):
                made[number] = Atom(words[node.predicate] if own else node.predicate, tuple(after))
            elif not own:
                made[number] = ast.rebuilt(node, after)
            elif isinstance(node, Const):
                made[number] = Const(words[node.name])
            else:
                made[number] = Modal(words[node.operator], None if node.agent is None else after[0], after[-1])
        return as_formula(made[-1])


def _own_name(node: Any) -> str | None:
    """The name that a node has beside its parts, if it is not a variable."""
    kind = type(node)
    return node.predicate if kind is Atom else node.name if kind is Const else node.operator if kind is Modal else None
