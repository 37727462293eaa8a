"""The tree of a formula: terms, connectives, generalised quantifiers, modal and presuppositional operators.

Quantifiers are binary (restrictor, scope) as in Barwise & Cooper 1981; `F / G` is a formula G with the
presupposition F (Beaver & Krahmer 2001 write it with a subscript); modal operators may carry an agent
(Hintikka 1962). Every node is immutable. `Lambda` and `Description` occur only in the meanings of words,
before composition.

Each class has one `Signature`: the facts that passes over formulas share. A pass has rules of its own for the classes
that mean something to it, and takes the rule of every other class from its signature; where that does not give one,
the pass raises `NoRule` with its own name and the class, and never guesses (docs/decisions/036).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import is_
from typing import Any, Literal, Never, TypeAlias, TypeVar, Union

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

# ---- what is the same for all passes: a signature for each class


class Infix(Struct, frozen=True):
    """How `F sign G` is written: with the strength of the whole, and the least strength of either side without
    parentheses. Strengths go from 1 (`<->`) to 6; a prefix, a quantifier with a pair and an atom are tighter.
    """

    sign: str
    unicode: str
    strength: int
    left: int
    right: int


Worlds: TypeAlias = Literal["same", "actual", "seen", "updated"]
Stage: TypeAlias = Literal["shape", "sentence", "word"]


class Signature(Struct, frozen=True, kw_only=True):
    """The facts about a class of node that passes share. None: the signature does not say; passes that need the fact
    raise `NoRule` unless they have a rule of their own.

    Attributes:
        tag: Its name in JSON.
        plain: Whether its fields are its parts, in order, so that JSON and canonical text need nothing else.
        parts: Its immediate parts in reading order, terms included.
        rebuilt: The same node over other parts.
        worlds: Where its parts are evaluated: at the `same` world as the node, at the `actual` one, at worlds that an
            operator has it `seen`, or in an `updated` model. Only a `same` survives an update unchanged, and drops no
            `@ here` that matters.
        binds: Whether it binds `variable` in its parts.
        gap: Whether a node of it may be undefined though all its parts are true or false.
        stage: The last stage in which it occurs: in a `shape`, which engines and kernel read; in the formulas of a
            `sentence` only, compiled away before; in the meaning of a `word` only, composed away.
        signs: For each formula among its parts 1 if the node can only gain truth by the part's being true of more, -1
            if it can only lose it, 0 if neither is sure.
        dynamic: Whether indefinites of its parts stay accessible behind it (Groenendijk & Stokhof 1991).
        infix: How it is written, if it stands between two formulas; the printer has a rule for every other class.
    """

    tag: str
    plain: bool
    parts: Callable[[Any], tuple[Argument, ...]]
    rebuilt: Callable[[Any, Sequence[Any]], Argument]
    worlds: Worlds | None
    binds: bool | None
    gap: Callable[[Any], bool] | None
    stage: Stage | None
    signs: Callable[[Any], tuple[int, ...]] | None
    dynamic: bool | None
    infix: Infix | None

    @property
    def extensional(self) -> bool:
        """Whether a node's value at a world depends on its parts at this world only, with no variable bound."""
        return self.worlds == "same" and self.binds is False


class NoRule(TypeError):
    """A pass has no rule for a class of node, and the signature of the class does not give one."""

    def __init__(self, by: str, kind: type) -> None:
        super().__init__(f"`{by}` has no rule for {kind.__name__}, and its signature in formula/ast.py gives none")
        self.by, self.kind = by, kind


def unknown(node: Never, by: str) -> Never:
    """As `typing.assert_never`, with the pass in the message: mypy reports a class that a `match` forgets."""
    raise NoRule(by, type(node))


Rule = TypeVar("Rule")
SIGNATURES: dict[type, Signature] = {}
PASSES: dict[str, Rules[Any]] = {}
"""The rules of every pass that is loaded, by its name."""


class Rules(dict[type, Rule]):
    """The rules of a pass by class of node: its `own`, and for other classes what `default` makes of the signature
    (None: nothing). A table, since `match` tries one class after the other. Raises NoRule for a class without either.
    """

    def __init__(
        self, by: str, own: Mapping[type, Rule] | None = None, default: Callable[[Signature], Rule | None] | None = None
    ) -> None:
        super().__init__(own or {})
        self.by, self.own, self.default = by, frozenset(own or ()), default
        PASSES[by] = self

    def __missing__(self, kind: type) -> Rule:
        signature = SIGNATURES.get(kind)
        rule = None if signature is None or self.default is None else self.default(signature)
        if rule is None:
            raise NoRule(self.by, kind)
        self[kind] = rule
        return rule


def declare(kind: type, signature: Signature | None) -> None:
    """Give a class its signature, or take it away (None); rules made of an earlier one are forgotten."""
    for facts in (SIGNATURES, _PARTS):
        facts.pop(kind, None)
    if signature is not None:
        SIGNATURES[kind], _PARTS[kind] = signature, signature.parts
    INFIX.clear()
    INFIX.update((s.infix.sign, (k, s.infix)) for k, s in SIGNATURES.items() if s.infix is not None)
    TAGGED.clear()
    TAGGED.update((s.tag, k) for k, s in SIGNATURES.items() if s.plain)
    for rules in PASSES.values():
        if kind not in rules.own:
            rules.pop(kind, None)


INFIX: dict[str, tuple[Any, Infix]] = {}
"""The classes that are written between two formulas, by their signs."""
TAGGED: dict[str, Any] = {}
"""The plain classes by their tags."""
# a plain table, since no function is called as often as `parts`
_PARTS: dict[type, Callable[[Any], tuple[Argument, ...]]] = {}
_REBUILT = Rules[Callable[[Any, Sequence[Any]], Argument]]("rebuilt", default=lambda signature: signature.rebuilt)
_GAP = Rules[Callable[[Any], bool]]("may_be_undefined", default=lambda signature: signature.gap)


def parts(node: Argument) -> tuple[Argument, ...]:
    """All immediate parts in reading order, terms included."""
    try:
        of = _PARTS[type(node)]
    except KeyError:
        raise NoRule("parts", type(node)) from None
    return of(node)


def may_be_undefined(node: Argument) -> bool:
    """Whether the node itself, not only a part of it, may be undefined where its parts have a value."""
    return _GAP[type(node)](node)


def signature(node: Argument, by: str) -> Signature:
    """The signature of a node's class; raises NoRule for the pass `by` if it has none."""
    known = SIGNATURES.get(type(node))
    if known is None:
        raise NoRule(by, type(node))
    return known


def only_extensional(node: Argument, by: str) -> None:
    """What a pass may take for granted that treats all other classes alike: a node's value at a world depends on its
    parts at this world only, and it binds nothing. Raises NoRule, for the pass `by`, if it does not.
    """
    if not signature(node, by).extensional:
        raise NoRule(by, type(node))


def rebuilt(node: Argument, parts: Sequence[Argument]) -> Argument:
    """The same node over other parts."""
    return _REBUILT[type(node)](node, parts)


_TERMS = (Var, Const, Description)


def is_formula(node: Argument) -> bool:
    """Whether an argument is a formula and no term."""
    return not isinstance(node, _TERMS)


def children(formula: Formula) -> tuple[Formula, ...]:
    """The immediate subformulas in reading order."""
    return tuple([part for part in parts(formula) if not isinstance(part, _TERMS)])


def map_parts(change: Callable[[Argument], Argument], node: Argument) -> Argument:
    """The same node over changed immediate parts (terms and formulas); the node itself if no part changes."""
    if isinstance(node, Atom):
        args = tuple([change(arg) for arg in node.args])
        return node if all(map(is_, args, node.args)) else Atom(node.predicate, args)
    before = parts(node)
    if not before:
        return node
    after = [change(part) for part in before]
    return node if all(map(is_, before, after)) else _REBUILT[type(node)](node, after)


def map_children(change: Callable[[Formula], Formula], formula: Formula) -> Formula:
    """The same formula over changed immediate subformulas; terms stay."""
    before = parts(formula)
    if not before:
        return formula
    after = [part if isinstance(part, _TERMS) else change(part) for part in before]
    return formula if all(map(is_, before, after)) else as_formula(_REBUILT[type(formula)](formula, after))


def bottom_up(change: Callable[[Formula], Formula], formula: Formula) -> Formula:
    """The formula with what ``change`` makes of each subformula in its place, from the innermost to the whole."""
    return as_formula(_bottom_up(change, formula))


def _bottom_up(change: Callable[[Formula], Formula], node: Argument) -> Argument:
    if isinstance(node, Var | Const):
        return node
    node = map_parts(lambda part: _bottom_up(change, part), node)
    return change(as_formula(node)) if is_formula(node) else node


def walk(node: Argument) -> Iterator[Argument]:
    """Every node from the top, in reading order."""
    left = [node]
    while left:
        part = left.pop()
        yield part
        left += parts(part)[::-1]


def once(node: Argument) -> Iterator[Argument]:
    """`walk`, but an object that stands in several places is met in the first of them alone."""
    left, met = [node], set[int]()
    while left:
        part = left.pop()
        if id(part) not in met:
            met.add(id(part))
            yield part
            left += parts(part)[::-1]


@lru_cache(maxsize=4096)  # a sentence stands in several pairs, and several passes ask
def kinds(node: Argument) -> frozenset[type]:
    """The classes of a node and of all its parts."""
    return frozenset(map(type, once(node)))


def as_formula(node: Argument) -> Formula:
    """A part that stands where only a formula may; raises TypeError for a term."""
    if isinstance(node, (Var, Const, Description)):
        raise TypeError(f"a term stands where a formula is wanted: {node}")
    return node


# ---- the signatures


def _none(_: Any) -> tuple[Argument, ...]:
    return ()


def _body(node: Any) -> tuple[Argument, ...]:
    return (node.body,)


def _two(node: Any) -> tuple[Argument, ...]:
    return node.left, node.right


def _same_kind(node: Any, parts: Sequence[Any]) -> Argument:
    kind: Callable[..., Argument] = type(node)
    return kind(*map(as_formula, parts))


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


_SIGNS = {"forall": (-1, 1), "exists": (1, 1), "atleast": (1, 1)}


def _own(
    tag: str,
    parts: Callable[[Any], tuple[Argument, ...]] = _none,
    rebuilt: Callable[[Any, Sequence[Any]], Argument] = lambda node, _: node,
    *,
    plain: bool = False,
    worlds: Worlds = "same",
    binds: bool = False,
    gap: Callable[[Any], bool] = lambda _: False,
    stage: Stage = "shape",
    signs: Callable[[Any], tuple[int, ...]] = lambda node: (0,) * len(children(node)),
    dynamic: bool = False,
    infix: Infix | None = None,
) -> Signature:
    """A signature of this language, where most classes bind nothing, move nothing and leave no gap."""
    return Signature(tag=tag, plain=plain, parts=parts, rebuilt=rebuilt, worlds=worlds, binds=binds, gap=gap,
                     stage=stage, signs=signs, dynamic=dynamic, infix=infix)  # fmt: skip


def _unary(tag: str, sign: int = 0, worlds: Worlds = "same", stage: Stage = "shape") -> Signature:
    return _own(tag, _body, _same_kind, plain=True, worlds=worlds, stage=stage, signs=lambda _: (sign,),
                dynamic=worlds == "actual")  # fmt: skip


def _binary(tag: str, signs: tuple[int, int], infix: Infix, dynamic: bool = False) -> Signature:
    return _own(tag, _two, _same_kind, plain=True, signs=lambda _: signs, infix=infix, dynamic=dynamic)


for _kind, _signature in {
    Var: _own("var"),
    Const: _own("const"),
    Description: _own(
        "description", _body, lambda node, parts: Description(node.variable, as_formula(parts[0])), binds=True,
        stage="word",
    ),
    Truth: _own("true"),
    Atom: _own("atom", lambda node: node.args, lambda node, parts: Atom(node.predicate, tuple(parts))),
    Equal: _own("equal", _two, lambda _, parts: Equal(*parts), plain=True),
    Not: _unary("not", sign=-1),
    And: _binary("and", (1, 1), Infix("&", "∧", 4, 4, 5), dynamic=True),
    Or: _binary("or", (1, 1), Infix("|", "∨", 3, 3, 4)),
    Implies: _binary("implies", (-1, 1), Infix("->", "→", 2, 3, 2)),
    Iff: _binary("iff", (0, 0), Infix("<->", "↔", 1, 1, 2)),
    Quantified: _own(
        "quantified", lambda node: (node.restrictor, node.scope), _quantified, binds=True,
        gap=lambda node: node.quantifier == "the", signs=lambda node: _SIGNS.get(node.quantifier, (0, 0)),
    ),
    # signs: a neighbourhood operator is not monotone, and only the theory knows the kind of an operator
    Modal: _own(
        "modal", lambda node: (node.body,) if node.agent is None else (node.agent, node.body), _modal, worlds="seen"
    ),
    Presupposing: _own(
        "presupposing", lambda node: (node.presupposition, node.assertion), _same_kind, plain=True,
        gap=lambda _: True, dynamic=True, infix=Infix("/", "/", 5, 5, 6),
    ),
    Interrogative: _unary("question"),
    Here: _unary("here", worlds="actual"),
    Exhaustified: _unary("exhaustified", stage="sentence"),
    Announced: _own(
        "announced", lambda node: (node.announcement, node.body), _same_kind, plain=True, worlds="updated",
        stage="sentence",
    ),
    EventUpdate: _own(
        "event", lambda node: (*node.args, node.body),
        lambda node, parts: EventUpdate(node.event, as_formula(parts[-1]), tuple(parts[:-1])),
        worlds="updated", stage="sentence",
    ),
    Lambda: _own("lambda", _body, lambda node, parts: Lambda(node.variable, parts[0]), binds=True, stage="word"),
}.items():  # fmt: skip
    declare(_kind, _signature)
