"""The logical theory as data: operators with their frame classes, meaning postulates, projection.

Frame conditions are those of the correspondence table in Blackburn, de Rijke & Venema 2001 (ch. 3); two more
relate operators: `within` (inclusion of relations: R of this operator is part of R of that one, so the
other's box entails this one's) and `introspected_by` (R of the other, then R of this one, is part of R of
this one: B p -> K B p).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from gramprobe.formula.ast import Atom, Formula

Kind: TypeAlias = Literal["box", "diamond", "neighbourhood", "dual"]
Frame: TypeAlias = Literal["reflexive", "serial", "transitive", "euclidean", "symmetric", "functional"]
Case: TypeAlias = Literal["every", "some"]
Connective: TypeAlias = Literal["and", "or", "implies"]
Exhaustify: TypeAlias = Literal["anywhere", "unnegated"]

FRAMES: tuple[Frame, ...] = ("reflexive", "serial", "transitive", "euclidean", "symmetric", "functional")
VALUES = "TFU"
CELLS = tuple(left + right for left in VALUES for right in VALUES)
"""The cells of a table: `TU` is where the left side is true and the right one undefined."""
CONNECTIVES: tuple[Connective, ...] = ("and", "or", "implies")
CASES: tuple[Case, ...] = ("every", "some")
EXHAUSTIFY: tuple[Exhaustify, ...] = ("anywhere", "unnegated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """How a gap in a part becomes one of the whole (docs/theory/presupposition.md, Projection).

    `~F` is undefined where F is, `F <-> G` where F or G is, `F / G` where F is not true or G undefined, in all of them.

    Attributes:
        name: Its name in files and messages; two projections with the same tables are the same.
        conjunction: The values of `F & G` in the order of CELLS, nine letters of `TFU`.
        disjunction: Those of `F | G`.
        implication: Those of `F -> G`.
        modals: `every`: an operator is undefined as soon as its body is at one world that is seen. `some`: one world
            that settles the value is enough.
        quantifiers: The same over individuals: `every` member needs a value of the restrictor, and of the scope where
            it satisfies the restrictor (Heim 1983).
    """

    name: str = field(default="", compare=False)
    conjunction: str
    disjunction: str
    implication: str
    modals: Case
    quantifiers: Case

    def table(self, connective: Connective) -> str:
        """The nine values of a connective."""
        return {"and": self.conjunction, "or": self.disjunction, "implies": self.implication}[connective]

    @property
    def data(self) -> str | dict[str, str]:
        """Itself in a shape: the name of a table that the kernel knows, else the tables, without a name."""
        for name, known in KNOWN.items():
            if known == self:
                return name
        return {**{each: self.table(each) for each in CONNECTIVES}, "modals": self.modals,
                "quantifiers": self.quantifiers}  # fmt: skip

    @classmethod
    def of(cls, data: str | Mapping[str, Any]) -> Projection:
        """The projection of `data`. Raises ValueError for anything else."""
        if isinstance(data, str) and data in KNOWN:
            return KNOWN[data]
        if not isinstance(data, dict) or tuple(data) != (*CONNECTIVES, "modals", "quantifiers"):
            raise ValueError(f"no projection: {data!r}")
        return cls(conjunction=data["and"], disjunction=data["or"], implication=data["implies"],
                   modals=data["modals"], quantifiers=data["quantifiers"])  # fmt: skip


MIDDLE = Projection(
    name="middle", conjunction="TFUFFFUUU", disjunction="TTTTFUUUU", implication="TFUTTTUUU", modals="every",
    quantifiers="every",
)  # fmt: skip
STRONG = Projection(
    name="strong", conjunction="TFUFFFUFU", disjunction="TTTTFUTUU", implication="TFUTTTTUU", modals="some",
    quantifiers="some",
)  # fmt: skip
WEAK = Projection(
    name="weak", conjunction="TFUFFUUUU", disjunction="TTUTFUUUU", implication="TFUTTUUUU", modals="every",
    quantifiers="every",
)  # fmt: skip
KNOWN = {each.name: each for each in (MIDDLE, STRONG, WEAK)}
"""The projections that a shape names; the files `logic/presupposition*.logic` have the same tables (a test)."""


class Operator(Struct, frozen=True, kw_only=True):
    """A modal operator: a box or a diamond over a relation of some frame class, one relation for each agent.

    A `neighbourhood` operator has sets of worlds instead and is closed under nothing but equivalence
    (Chellas 1980, ch. 7); its `dual` is to it as the diamond to the box.

    Attributes:
        name: Its name in formulas.
        kind: `box`, `diamond`, `neighbourhood` or `dual`.
        frame: The conditions on its relation.
        within: The operators whose relation includes that of this one.
        introspected_by: The operators that introspect this one (see the module).
        gloss: Its name in explanations.
    """

    name: str
    kind: Kind
    frame: frozenset[Frame] = frozenset()
    within: tuple[str, ...] = ()
    introspected_by: tuple[str, ...] = ()
    gloss: str = ""

    @property
    def related(self) -> tuple[str, ...]:
        """The operators that it names."""
        return (*self.within, *self.introspected_by)


class Definition(Struct, frozen=True):
    """`define NAME[agent] BODY = FORMULA`: an operator that stands for a formula.

    Attributes:
        name: NAME.
        agent: The variable for its agent; None if it takes no agent.
        body: The proposition that stands for the formula below the operator.
        formula: FORMULA.
    """

    name: str
    agent: str | None
    body: str
    formula: Formula


class Action(Struct, frozen=True):
    """An action that can happen in an event.

    Attributes:
        name: Its name in the event.
        pre: The precondition: the action happens only at worlds where it is true.
        post: The postconditions: pairs of an atom and the formula whose old value is the atom's new value.
    """

    name: str
    pre: Formula
    post: tuple[tuple[Atom, Formula], ...] = ()


class Arrows(Struct, frozen=True):
    """Which actions of an event an agent takes for possible, while each action happens.

    Attributes:
        operator: The operator in whose sense the agent takes them for possible.
        agent: A name or a parameter of the event; None for every agent that has no arrows of its own.
        pairs: (action that happens, action that the agent takes for possible), by name.
    """

    operator: str
    agent: str | None
    pairs: frozenset[tuple[str, str]]


class EventModel(Struct, frozen=True):
    """An event (Baltag, Moss & Solecki 1998) with postconditions (van Benthem, van Eijck & Kooi 2006).

    Attributes:
        name: Its name in formulas, `[E] F`.
        actual: The name of the action that really happens.
        actions: All actions that may be taken for possible.
        arrows: By operator and agent; without arrows, an agent recognises every action.
        parameters: Variables free in the actions: `[E(a, b)]` puts a and b in their place.
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

    def formulas(self) -> tuple[Formula, ...]:
        """All formulas in it: preconditions, and the atoms and formulas of postconditions."""
        return tuple(f for each in self.actions for f in (each.pre, *(part for post in each.post for part in post)))

    def agents(self) -> tuple[str, ...]:
        """The agents that have arrows of their own, names and parameters, in order of first occurrence."""
        return tuple(dict.fromkeys(a.agent for a in self.arrows if a.agent is not None))

    def seen(self, operator: str, agent: str | None, action: str) -> tuple[str, ...]:
        """The actions that an agent takes for possible while `action` happens, in the order of `actions`."""
        for wanted in dict.fromkeys((agent, None)):
            for each in self.arrows:
                if each.operator == operator and each.agent == wanted:
                    return tuple(a.name for a in self.actions if (action, a.name) in each.pairs)
        return (action,)


class TheorySlice(Struct, frozen=True, kw_only=True):
    """The part of a theory that can matter to a pair. The last four fields are compiled away before it is decided.

    Attributes:
        operators: The modal operators, in the theory's order.
        postulates: Formulas that are true at every world.
        projection: The tables of truth values.
        distinct: Whether different constants denote different individuals.
        definitions: Defined operators, whose formulas hold no defined operator.
        scales: For `exh`, from weak to strong: `some`, `all`, `most`, `or`, `and`, `left`, `right`, `atleast 2`, an
            operator or a predicate.
        events: Event models.
        exhaustify: Where `exh` replaces words of a scale: `anywhere`, or `unnegated` (below no negation).
    """

    operators: tuple[Operator, ...] = ()
    postulates: tuple[Formula, ...] = ()
    projection: Projection = MIDDLE
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
