"""The logical theory as data: operators with their frame classes, meaning postulates, projection.

Frame conditions are those of the correspondence table in Blackburn, de Rijke & Venema 2001 (ch. 3); two more
relate operators: `within` (inclusion of relations: R of this operator is part of R of that one, so the
other's box entails this one's) and `introspected_by` (R of the other, then R of this one, is part of R of
this one: B p -> K B p).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gramprobe.formula.ast import Atom, Formula

Kind: TypeAlias = Literal["box", "diamond", "neighbourhood", "dual"]
Frame: TypeAlias = Literal["reflexive", "serial", "transitive", "euclidean", "symmetric", "functional"]
Projection: TypeAlias = Literal["middle", "strong", "weak"]
Exhaustify: TypeAlias = Literal["anywhere", "unnegated"]

FRAMES: tuple[Frame, ...] = ("reflexive", "serial", "transitive", "euclidean", "symmetric", "functional")
PROJECTIONS: tuple[Projection, ...] = ("middle", "strong", "weak")
EXHAUSTIFY: tuple[Exhaustify, ...] = ("anywhere", "unnegated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """A modal operator: a box or a diamond over a relation of some frame class (one relation an agent).

    A `neighbourhood` operator looks at sets of worlds instead and is closed under nothing but equivalence
    (Chellas 1980, ch. 7); its `dual` is to it as the diamond to the box. `gloss` is what to call it in words.
    """

    name: str
    kind: Kind
    frame: frozenset[Frame] = frozenset()
    within: tuple[str, ...] = ()
    introspected_by: tuple[str, ...] = ()
    gloss: str = ""


@dataclass(frozen=True, slots=True)
class Definition:
    """`define NAME[agent] BODY = FORMULA`: an operator that stands for a formula. `agent` is the variable for
    its agent (None: it takes none), `body` the proposition that stands for what it applies to.
    """

    name: str
    agent: str | None
    body: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Action:
    """What can happen in an event: where (`pre`), and which atoms it gives which new values (`post`)."""

    name: str
    pre: Formula
    post: tuple[tuple[Atom, Formula], ...] = ()


@dataclass(frozen=True, slots=True)
class Arrows:
    """What an agent (None: every agent not named) takes for possible in the sense of an operator, while each
    action happens: pairs (what happens, what may be happening for all the agent can tell). `agent` is a name, or
    a parameter of the event.
    """

    operator: str
    agent: str | None
    pairs: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class EventModel:
    """An event (Baltag, Moss & Solecki 1998) with postconditions (van Benthem, van Eijck & Kooi 2006). An
    operator without `arrows` recognises every action as what it is. Variables named in `parameters` are free in
    its actions: `[E(a, b)]` puts a and b in their place.
    """

    name: str
    actual: str
    actions: tuple[Action, ...]
    arrows: tuple[Arrows, ...] = ()
    parameters: tuple[str, ...] = ()

    def action(self, name: str) -> Action:
        """The action of that name; raises KeyError."""
        for action in self.actions:
            if action.name == name:
                return action
        raise KeyError(name)

    def agents(self) -> tuple[str, ...]:
        """The agents that have arrows of their own, names and parameters, the first named first."""
        return tuple(dict.fromkeys(a.agent for a in self.arrows if a.agent is not None))

    def seen(self, operator: str, agent: str | None, action: str) -> tuple[str, ...]:
        """The actions that an agent takes for possible while one happens, in the order of `actions`."""
        for wanted in dict.fromkeys((agent, None)):
            for each in self.arrows:
                if each.operator == operator and each.agent == wanted:
                    return tuple(a.name for a in self.actions if (action, a.name) in each.pairs)
        return (action,)


@dataclass(frozen=True, slots=True, kw_only=True)
class TheorySlice:
    """The part of a theory that a pair rests on. `distinct`: different constants denote different
    individuals. The last four are compiled away before anything is decided: definitions (of one another free),
    scales for `exh` (from weak to strong: `some`, `all`, `most`, `or`, `and`, `left`, `right`, `atleast 2`, an
    operator or a predicate), event models, and where `exh` looks for words of a scale: `anywhere`, or `unnegated`
    (below no negation).
    """

    operators: tuple[Operator, ...] = ()
    postulates: tuple[Formula, ...] = ()
    projection: Projection = "middle"
    distinct: bool = True
    definitions: tuple[Definition, ...] = ()
    scales: tuple[tuple[str, ...], ...] = ()
    events: tuple[EventModel, ...] = ()
    exhaustify: Exhaustify = "anywhere"

    def operator(self, name: str) -> Operator:
        """The operator of that name; raises KeyError."""
        for operator in self.operators:
            if operator.name == name:
                return operator
        raise KeyError(name)
