"""Terms by function application: the formula of a meaning with what its names stand for, in normal form.

Bound variables are named by place, so that equal terms are found equal. All variables of a term are different
(Barendregt's convention), so that nothing is captured, and a term that is applied keeps its names; only where it is
applied twice in one term, it gets new ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_
from typing import Any, cast

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Atom, Const, Formula, Lambda, Modal, Quantified, Var, map_parts
from gramprobe.meaning.antecedents import mark_of

#: what a formula with `@ here` in it mentions
HERE = " here "


class Spent(Exception):
    """A composition took more steps than it was given."""


class Terms:
    """Makes terms, in so many steps as are ``left``; of None there is no end. The one below none raises Spent.

    ``place`` is where the next new variables stand (`name_from`).
    """

    def __init__(self, left: int | None = None) -> None:
        self.place, self._named, self._left = "", 0, left
        self._mentions: dict[int, tuple[Argument, frozenset[str]]] = {}

    def name_from(self, place: str) -> None:
        """Name new variables by this place, which no part of the terms at hand was named by."""
        self.place, self._named = place, 0

    def fresh(self, old: str = "") -> str:
        """A new variable; if it replaces an ``old`` variable, it keeps the mark."""
        self._named += 1
        return f"v{self.place}_{self._named}'{mark_of(old)}"

    def spend(self) -> None:
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise Spent

    def mentions(self, node: Argument) -> frozenset[str]:
        """Every variable and predicate in a node; found once."""
        kind = type(node)
        if kind is Var or kind is Const:
            return frozenset((node.name,))  # type: ignore[union-attr]
        known = self._mentions.get(id(node))
        if known is None:
            own = [node.predicate] if kind is Atom else [HERE] if kind is ast.Here else []  # type: ignore[union-attr]
            inside: list[frozenset[str]] = []
            for part in ast.parts(node):
                if type(part) is Var or type(part) is Const:
                    own.append(part.name)  # most parts: a set for each would be made for nothing
                else:
                    inside.append(self.mentions(part))
            known = self._mentions[id(node)] = node, frozenset(own).union(*inside)
        return known[1]

    def evaluate(self, node: Argument, env: Mapping[str, Argument], used: set[str]) -> Argument:
        """The formula of a meaning with what names stand for, and new variables of its own; what a name stands for gets
        new ones, too, where it was ``used`` before in the same term."""
        self.spend()
        kind = type(node)  # the commonest first
        if kind is Var or kind is Const:
            return self.held(node.name, env, used) or node  # type: ignore[union-attr]
        if kind is Atom:
            predicate: str = node.predicate  # type: ignore[union-attr]
            return self.apply(
                self.held(predicate, env, used) or Const(predicate),
                *[self.evaluate(each, env, used) for each in node.args],  # type: ignore[union-attr]
            )
        match node:
            case Lambda(variable, body):
                new = self.fresh()
                return Lambda(new, self.evaluate(body, {**env, variable: Var(new)}, used))
            case Quantified(count=count, variable=variable, restrictor=restrictor, scope=scope):
                new = self.fresh(variable)
                inner = {**env, variable: Var(new)}
                held = env.get(count) if isinstance(count, str) else None
                return Quantified(
                    quantifier=node.quantifier,
                    count=int(held.name) if isinstance(held, Const) else count,
                    variable=new,
                    sort=node.sort,
                    restrictor=cast(Formula, self.evaluate(restrictor, inner, used)),
                    scope=cast(Formula, self.evaluate(scope, inner, used)),
                )
            case Modal(operator, agent, body):
                drawn = env.get(operator)
                return Modal(
                    drawn.name if isinstance(drawn, Const) else operator,
                    None if agent is None else self.evaluate(agent, env, used),
                    self.evaluate(body, env, used),  # type: ignore[arg-type]
                )
            case _:
                _only_known(node)
                return map_parts(lambda part: self.evaluate(part, env, used), node)

    def held(self, name: str, env: Mapping[str, Argument], used: set[str]) -> Argument | None:
        """What a name stands for, if for anything."""
        value = env.get(name)
        if value is None or type(value) is Const or type(value) is Var:
            return value
        if name in used:
            return cast(Argument, self.renewed(value, {}))
        used.add(name)
        return value

    def renewed(self, node: Any, names: Mapping[str, str]) -> Any:
        """A term with new variables for those that it binds, and with ``names`` in the places of free ones. A part in
        which nothing changes is the same object, of which is known what it mentions."""
        kind = type(node)
        if kind is Var:
            return Var(names[node.name]) if node.name in names else node
        if kind is Const:
            return node
        if kind is Atom:
            args = tuple([self.renewed(each, names) for each in node.args])
            if node.predicate in names:
                return Atom(names[node.predicate], args)
            return node if all(map(is_, args, node.args)) else Atom(node.predicate, args)
        self.spend()
        if kind is Lambda:
            new = self.fresh()
            return Lambda(new, self.renewed(node.body, {**names, node.variable: new}))
        if kind is Quantified:
            new = self.fresh(node.variable)
            inner = {**names, node.variable: new}
            restrictor, scope = self.renewed(node.restrictor, inner), self.renewed(node.scope, inner)
            return replace(node, variable=new, restrictor=restrictor, scope=scope)
        _only_known(node)
        return map_parts(lambda part: self.renewed(part, names), node)

    def apply(self, function: Argument, *args: Argument) -> Argument:
        """Apply to arguments one by one: beta reduction for a lambda, an atom for a symbol."""
        for index, argument in enumerate(args):
            if isinstance(function, Lambda):
                function = self.reduced(function.body, function.variable, argument)
            elif isinstance(function, (Const, Var)):
                return Atom(function.name, args[index:])
            elif isinstance(function, Atom):
                function = Atom(function.predicate, (*function.args, argument))
            else:
                raise TypeError(f"{function} is applied to {argument}")
        if isinstance(function, (Const, Var)):  # a proposition
            return Atom(function.name)
        return function

    def reduced(self, body: Argument, name: str, value: Argument) -> Argument:
        """The body of a lambda with a value in the place of its variable; what does not mention it is left as it is."""
        if type(value) is Var and value.name == name:
            return body
        return self._put(body, name, {name: value}, set())  # type: ignore[no-any-return]

    def _put(self, node: Any, name: str, env: Mapping[str, Argument], used: set[str]) -> Any:
        """A node with what a name stands for in its place."""
        kind = type(node)
        if kind is Var:
            return self.held(name, env, used) if node.name == name else node
        if kind is Const:
            return node
        if kind is Atom:
            args = tuple([self._put(each, name, env, used) for each in node.args])
            if node.predicate == name:
                return self.apply(self.held(name, env, used), *args)  # type: ignore[arg-type]
            return node if all(map(is_, args, node.args)) else Atom(node.predicate, args)
        if name not in self.mentions(node):
            return node
        self.spend()
        return map_parts(lambda part: self._put(part, name, env, used), node)


def _only_known(node: Argument) -> None:
    """Raise NoRule for a node that binds a variable, but for a description, whose variable keeps its name."""
    if ast.signature(node, "compose").binds is not False and not isinstance(node, ast.Description):
        raise ast.NoRule("compose", type(node))
