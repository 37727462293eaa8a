"""The tree of a formula: terms, connectives, generalised quantifiers, modal and presuppositional operators.

Quantifiers are binary (restrictor, scope) as in Barwise & Cooper 1981; `F / G` is a formula G with the
presupposition F (Beaver & Krahmer 2001 write it with a subscript); modal operators may carry an agent
(Hintikka 1962). Every node is immutable. `Lambda` and `Description` occur only in the meanings of words,
before composition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, Union, cast

Quantifier: TypeAlias = Literal["forall", "exists", "atleast", "atmost", "exactly", "most", "the"]
Sort: TypeAlias = Literal["individual", "occasion"]


@dataclass(frozen=True, slots=True)
class Var:
    """A bound variable (or a free one, in the meaning of a word)."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """A name: rigid, its bearer exists."""

    name: str


@dataclass(frozen=True, slots=True)
class Description:
    """`the x. (F)` as the whole meaning of a noun phrase; inside an atom the parser expands it at once."""

    variable: str
    body: Formula


@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Atom:
    """`P(t, ...)`; without arguments a proposition. Formulas as arguments only in the meanings of words."""

    predicate: str
    args: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Equal:
    """`s = t`."""

    left: Argument
    right: Argument


@dataclass(frozen=True, slots=True)
class Not:
    """`~F`."""

    body: Formula


@dataclass(frozen=True, slots=True)
class And:
    """`F & G`."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Or:
    """`F | G`."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Implies:
    """`F -> G`."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Iff:
    """`F <-> G`."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified:
    """`Q x. (restrictor, scope)`; `count` is the n of atleast, atmost and exactly (a name until it is
    substituted).
    """

    quantifier: Quantifier
    variable: str
    restrictor: Formula
    scope: Formula
    count: int | str | None = None
    sort: Sort = "individual"


@dataclass(frozen=True, slots=True)
class Modal:
    """`K[a] F`, `poss F`, `earlier F`: box or diamond by what the theory says of the operator."""

    operator: str
    agent: Argument | None
    body: Formula


@dataclass(frozen=True, slots=True)
class Presupposing:
    """`F / G`: G, undefined unless F is true."""

    presupposition: Formula
    assertion: Formula


@dataclass(frozen=True, slots=True)
class Question:
    """`? F`: commits to F being defined. Only outermost."""

    body: Formula


@dataclass(frozen=True, slots=True)
class Here:
    """`F @ here`: F at the actual world."""

    body: Formula


@dataclass(frozen=True, slots=True)
class Exhaustified:
    """`exh F`: F strengthened over the declared scales (Fox 2007)."""

    body: Formula


@dataclass(frozen=True, slots=True)
class Announced:
    """`[! F] G`: G after the public announcement of F (Plaza 1989)."""

    announcement: Formula
    body: Formula


@dataclass(frozen=True, slots=True)
class EventUpdate:
    """`[E(a, b)] G`: G after the event model E of the logic file (Baltag, Moss & Solecki 1998), its parameters
    standing for `args`.
    """

    event: str
    body: Formula
    args: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Lambda:
    r"""`\x. F`: only in the meanings of words."""

    variable: str
    body: Argument


Term: TypeAlias = Var | Const
Formula: TypeAlias = Union[  # noqa: UP007 (one line of `|` would be too long)
    Truth, Atom, Equal, Not, And, Or, Implies, Iff, Quantified, Modal, Presupposing, Question, Here,
    Exhaustified, Announced, EventUpdate, Lambda,
]  # fmt: skip
Argument: TypeAlias = Var | Const | Description | Formula
Binary: TypeAlias = And | Or | Implies | Iff

BINARY = (And, Or, Implies, Iff)
UNARY = (Not, Question, Here, Exhaustified)
COUNTING: frozenset[str] = frozenset({"atleast", "atmost", "exactly"})
TRUE = Truth(True)
FALSE = Truth(False)


def parts(node: Argument) -> tuple[Argument, ...]:
    """All immediate parts in reading order, terms included."""
    match node:
        case Atom(_, args):
            return args
        case Equal(left, right) | And(left, right) | Or(left, right) | Implies(left, right) | Iff(left, right):
            return (left, right)
        case Not(body) | Question(body) | Here(body) | Exhaustified(body):
            return (body,)
        case Quantified(restrictor=restrictor, scope=scope):
            return (restrictor, scope)
        case Modal(agent=agent, body=body):
            return (body,) if agent is None else (agent, body)
        case Presupposing(first, second) | Announced(first, second):
            return (first, second)
        case EventUpdate(_, body, args):
            return (*args, body)
        case Lambda(body=argument):
            return (argument,)
        case Description(body=body):
            return (body,)
        case _:
            return ()


def is_formula(node: Argument) -> bool:
    """Whether an argument is a formula and no term."""
    return not isinstance(node, (Var, Const, Description))


def children(formula: Formula) -> tuple[Formula, ...]:
    """The immediate subformulas in reading order."""
    return tuple(cast(Formula, part) for part in parts(formula) if is_formula(part))


def map_parts(change: Callable[[Argument], Argument], node: Argument) -> Argument:
    """The same node over changed immediate parts (terms and formulas); a node without parts is itself."""
    match node:
        case Var() | Const() | Truth():
            return node
        case Atom(predicate, args):
            return Atom(predicate, tuple(change(arg) for arg in args))
        case Equal(left, right):
            return Equal(change(left), change(right))
        case And() | Or() | Implies() | Iff():
            return type(node)(as_formula(change(node.left)), as_formula(change(node.right)))
        case Not() | Question() | Here() | Exhaustified():
            return type(node)(as_formula(change(node.body)))
        case Quantified():
            return Quantified(
                quantifier=node.quantifier,
                count=node.count,
                variable=node.variable,
                restrictor=as_formula(change(node.restrictor)),
                scope=as_formula(change(node.scope)),
                sort=node.sort,
            )
        case Modal(operator, agent, body):
            return Modal(operator, None if agent is None else change(agent), as_formula(change(body)))
        case Presupposing(presupposition, assertion):
            return Presupposing(as_formula(change(presupposition)), as_formula(change(assertion)))
        case Announced(announcement, body):
            return Announced(as_formula(change(announcement)), as_formula(change(body)))
        case EventUpdate(event, body, args):
            given = tuple(change(arg) for arg in args)
            return EventUpdate(event, as_formula(change(body)), given)
        case Lambda(variable, argument):
            return Lambda(variable, change(argument))
        case Description(variable, body):
            return Description(variable, as_formula(change(body)))


def map_children(change: Callable[[Formula], Formula], formula: Formula) -> Formula:
    """The same formula over changed immediate subformulas; terms stay."""
    return as_formula(map_parts(lambda part: change(as_formula(part)) if is_formula(part) else part, formula))


def walk(node: Argument) -> Iterator[Argument]:
    """Every node from the top, in reading order."""
    yield node
    for part in parts(node):
        yield from walk(part)


def as_formula(node: Argument) -> Formula:
    """A part that stands where only a formula may; raises TypeError for a term."""
    if isinstance(node, (Var, Const, Description)):
        raise TypeError(f"a term stands where a formula is wanted: {node}")
    return node
