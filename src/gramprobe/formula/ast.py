"""The tree of a formula: terms, connectives, generalised quantifiers, modal and presuppositional operators.

Quantifiers are binary (restrictor, scope) as in Barwise & Cooper 1981; `F / G` is a formula G with the
presupposition F (Beaver & Krahmer 2001 write it with a subscript); modal operators may carry an agent
(Hintikka 1962). Every node is immutable. `Lambda` and `Description` occur only in the meanings of words,
before composition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import is_
from typing import Any, Literal, TypeAlias, Union, cast

from msgspec import Struct

Quantifier: TypeAlias = Literal["forall", "exists", "atleast", "atmost", "exactly", "most", "the"]
Sort: TypeAlias = Literal["individual", "occasion"]


class Var(Struct, frozen=True):
    """A bound variable (or a free one, in the meaning of a word)."""

    name: str


class Const(Struct, frozen=True):
    """A name: rigid, its bearer exists."""

    name: str


class Description(Struct, frozen=True):
    """`the x. (F)` as the whole meaning of a noun phrase; inside an atom the parser expands it at once."""

    variable: str
    body: Formula


class Truth(Struct, frozen=True):
    """`true` or `false`."""

    value: bool


class Atom(Struct, frozen=True):
    """`P(t, ...)`; without arguments a proposition. Formulas as arguments only in the meanings of words."""

    predicate: str
    args: tuple[Argument, ...] = ()


class Equal(Struct, frozen=True):
    """`s = t`."""

    left: Argument
    right: Argument


class Not(Struct, frozen=True):
    """`~F`."""

    body: Formula


class And(Struct, frozen=True):
    """`F & G`."""

    left: Formula
    right: Formula


class Or(Struct, frozen=True):
    """`F | G`."""

    left: Formula
    right: Formula


class Implies(Struct, frozen=True):
    """`F -> G`."""

    left: Formula
    right: Formula


class Iff(Struct, frozen=True):
    """`F <-> G`."""

    left: Formula
    right: Formula


class Quantified(Struct, frozen=True, kw_only=True):
    """`Q x. (restrictor, scope)`; `count` is the n of atleast, atmost and exactly (a name until it is
    substituted).
    """

    quantifier: Quantifier
    variable: str
    restrictor: Formula
    scope: Formula
    count: int | str | None = None
    sort: Sort = "individual"


class Modal(Struct, frozen=True):
    """`K[a] F`, `poss F`, `earlier F`: a box or a diamond, as the theory declares the operator."""

    operator: str
    agent: Argument | None
    body: Formula


class Presupposing(Struct, frozen=True):
    """`F / G`: G, undefined unless F is true."""

    presupposition: Formula
    assertion: Formula


class Interrogative(Struct, frozen=True):
    """`? F`: commits to F being defined. It occurs only outermost."""

    body: Formula


class Here(Struct, frozen=True):
    """`F @ here`: F at the actual world."""

    body: Formula


class Exhaustified(Struct, frozen=True):
    """`exh F`: F strengthened over the declared scales (Fox 2007)."""

    body: Formula


class Announced(Struct, frozen=True):
    """`[! F] G`: G after the public announcement of F (Plaza 1989)."""

    announcement: Formula
    body: Formula


class EventUpdate(Struct, frozen=True):
    """`[E(a, b)] G`: G after the event model E of the logic file (Baltag, Moss & Solecki 1998), its parameters
    standing for `args`.
    """

    event: str
    body: Formula
    args: tuple[Argument, ...] = ()


class Lambda(Struct, frozen=True):
    r"""`\x. F`: only in the meanings of words."""

    variable: str
    body: Argument


Term: TypeAlias = Var | Const
Formula: TypeAlias = Union[  # noqa: UP007 (one line of `|` would be too long)
    Truth, Atom, Equal, Not, And, Or, Implies, Iff, Quantified, Modal, Presupposing, Interrogative, Here,
    Exhaustified, Announced, EventUpdate, Lambda,
]  # fmt: skip
Argument: TypeAlias = Var | Const | Description | Formula
Binary: TypeAlias = And | Or | Implies | Iff

BINARY = (And, Or, Implies, Iff)
COUNTING: frozenset[str] = frozenset({"atleast", "atmost", "exactly"})
TRUE = Truth(True)
FALSE = Truth(False)


def parts(node: Argument) -> tuple[Argument, ...]:
    """All immediate parts in reading order, terms included."""
    return _PARTS[type(node)](node)


def _two(node: Any) -> tuple[Argument, ...]:
    return node.left, node.right


def _body(node: Any) -> tuple[Argument, ...]:
    return (node.body,)


def _none(_: Any) -> tuple[Argument, ...]:
    return ()


# A table by type, since `match` tries one class after the other and no function is called as often as `parts`.
_PARTS: dict[type, Callable[[Any], tuple[Argument, ...]]] = {
    Var: _none, Const: _none, Truth: _none, Description: _body, Lambda: _body,
    Atom: lambda node: node.args, Equal: _two, And: _two, Or: _two, Implies: _two, Iff: _two,
    Not: _body, Interrogative: _body, Here: _body, Exhaustified: _body,
    Quantified: lambda node: (node.restrictor, node.scope),
    Modal: lambda node: (node.body,) if node.agent is None else (node.agent, node.body),
    Presupposing: lambda node: (node.presupposition, node.assertion),
    Announced: lambda node: (node.announcement, node.body),
    EventUpdate: lambda node: (*node.args, node.body),
}  # fmt: skip


def is_formula(node: Argument) -> bool:
    """Whether an argument is a formula and no term."""
    return not isinstance(node, (Var, Const, Description))


def children(formula: Formula) -> tuple[Formula, ...]:
    """The immediate subformulas in reading order."""
    return tuple(cast(Formula, part) for part in parts(formula) if is_formula(part))


def map_parts(change: Callable[[Argument], Argument], node: Argument) -> Argument:
    """The same node over changed immediate parts (terms and formulas); the node itself if no part changes."""
    if isinstance(node, Atom):
        args = tuple([change(arg) for arg in node.args])
        return node if all(map(is_, args, node.args)) else Atom(node.predicate, args)
    before = parts(node)
    after = [change(part) for part in before]
    return node if all(map(is_, before, after)) else _REBUILT[type(node)](node, after)


def _quantified(node: Any, parts: Sequence[Any]) -> Argument:
    restrictor, scope = map(as_formula, parts)
    return Quantified(
        quantifier=node.quantifier,
        count=node.count,
        variable=node.variable,
        restrictor=restrictor,
        scope=scope,
        sort=node.sort,
    )


def _modal(node: Any, parts: Sequence[Any]) -> Argument:
    return Modal(node.operator, None if node.agent is None else parts[0], as_formula(parts[-1]))


def _same_kind(node: Any, parts: Sequence[Any]) -> Argument:
    kind: Callable[..., Argument] = type(node)
    return kind(*map(as_formula, parts))


_REBUILT: dict[type, Callable[[Any, Sequence[Any]], Argument]] = {
    **dict.fromkeys(
        (And, Or, Implies, Iff, Not, Interrogative, Here, Exhaustified, Presupposing, Announced), _same_kind
    ),
    Equal: lambda node, parts: Equal(*parts),
    Quantified: _quantified,
    Modal: _modal,
    EventUpdate: lambda node, parts: EventUpdate(node.event, as_formula(parts[-1]), tuple(parts[:-1])),
    Lambda: lambda node, parts: Lambda(node.variable, parts[0]),
    Description: lambda node, parts: Description(node.variable, as_formula(parts[0])),
}


def map_children(change: Callable[[Formula], Formula], formula: Formula) -> Formula:
    """The same formula over changed immediate subformulas; terms stay."""
    return as_formula(map_parts(lambda part: change(as_formula(part)) if is_formula(part) else part, formula))


def walk(node: Argument) -> Iterator[Argument]:
    """Every node from the top, in reading order."""
    left = [node]
    while left:
        part = left.pop()
        yield part
        left += reversed(parts(part))


def as_formula(node: Argument) -> Formula:
    """A part that stands where only a formula may; raises TypeError for a term."""
    if isinstance(node, (Var, Const, Description)):
        raise TypeError(f"a term stands where a formula is wanted: {node}")
    return node
