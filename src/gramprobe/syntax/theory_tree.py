"""The lines of a `.logic` file, as data."""

from __future__ import annotations

from typing import Annotated

from gramprobe.syntax.tree import Broken, Condition, Node, ScaleLine, Word


class OperatorLine(Node, frozen=True, kw_only=True):
    """``operator poss diamond frame reflexive``, or with ``each`` a category of verbs instead of names.

    Attributes:
        names: the operators; empty with ``each``.
        each: the category of words that are operators.
        kind: `box`, `diamond` or `neighbourhood`.
        frame: the frame conditions.
        within: the operators whose relation contains the relation of this operator.
        introspected_by: the operators that introspect this operator.
        gloss: the name of the operator in explanations.
        around: with ``each``, the operators whose relation lies within the relation of each verb.
        where: with ``each``, the condition on the verbs of the category.
    """

    names: tuple[Word, ...]
    each: Annotated[Word | None, "category"]
    kind: Word
    frame: tuple[Word, ...]
    within: Annotated[tuple[Word, ...], "operator"] = ()
    introspected_by: Annotated[tuple[Word, ...], "operator"] = ()
    gloss: Word | None = None
    around: Annotated[tuple[Word, ...], "operator"] = ()
    where: tuple[Condition, ...] = ()


class Define(Node, frozen=True):
    """``define nec F = ~poss ~F``, ``define knows[a] F = F / K[a] F``."""

    name: Word
    agent: Word | None
    body: Word
    formula: Annotated[Word, "formula"]


class Cells(Node, frozen=True):
    """``and T: T F U, F: F F F, U: U U U``, below a projection: for each value of the left side those of the whole."""

    connective: Word
    rows: tuple[tuple[Word, tuple[Word, ...]], ...]


class Cases(Node, frozen=True):
    """``modals every case``, below a projection."""

    scope: Word
    case: Word


class Pre(Node, frozen=True):
    """``pre F``, below an action."""

    formula: Annotated[Word, "formula"]


class Post(Node, frozen=True):
    """``post P(c) := F``, below an action."""

    target: Annotated[Word, "formula"]
    formula: Annotated[Word, "formula"]


class Action(Node, frozen=True):
    """``action move``, with the ``pre`` and ``post`` lines below it."""

    name: Word
    pre: tuple[Pre, ...] = ()
    post: tuple[Post, ...] = ()


class Actual(Node, frozen=True):
    """``actual move``, below an event."""

    name: Annotated[Word, "action"]


class ArrowsLine(Node, frozen=True):
    """``arrows B[sally]: move -> nothing``, below an event; ``agent`` None: all agents without a line."""

    operator: Annotated[Word, "operator"]
    agent: Word | None
    arrows: Annotated[tuple[tuple[Word, Word], ...], "action"]


class Event(Node, frozen=True, kw_only=True):
    """``event trick(a, x)`` with the lines below it. ``broken``: whether some of them could not be read."""

    name: Word
    actions: tuple[Action, ...] = ()
    actual: tuple[Actual, ...] = ()
    arrows: tuple[ArrowsLine, ...] = ()
    broken: bool = False
    parameters: tuple[Word, ...] = ()


class Postulate(Node, frozen=True):
    """``postulate F``, or ``each n : N where ... postulate F``: an instance for every lexeme used; with two variables,
    ``each n, m : N``, for every two."""

    variables: tuple[Word, ...]
    category: Annotated[Word | None, "category"]
    where: tuple[Condition, ...]
    formula: Annotated[Word, "formula"]


class Withhold(Node, frozen=True, kw_only=True):
    """``withhold neutral of may, can as poss because "..."``.

    Attributes:
        what: `labels` or `neutral`.
        names: operators, constants or words; or none, and
        each: a category, of which all words are meant for which `where` holds;
        instead: after `as`, the operator in their place, or `nothing`.
        how: what stands behind the names, `apart` or another word; empty if nothing.
        reason: the text.
    """

    what: Word
    names: Annotated[tuple[Word, ...], "operator"]
    instead: Annotated[Word | None, "operator"]
    how: str
    reason: Word
    each: Annotated[Word | None, "category"] = None
    where: tuple[Condition, ...] = ()


class Theory(Node, frozen=True, kw_only=True):
    """A whole theory file; ``settings`` holds the lines of names or texts by keyword (``projection``), ``tables`` the
    lines below its projection."""

    name: Word
    settings: dict[str, tuple[Word, ...]]
    includes: Annotated[tuple[Word, ...], "theory"]
    operators: tuple[OperatorLine, ...] = ()
    postulates: tuple[Postulate, ...] = ()
    broken: tuple[Broken, ...] = ()
    definitions: tuple[Define, ...] = ()
    scales: tuple[ScaleLine, ...] = ()
    events: tuple[Event, ...] = ()
    tables: tuple[Cells | Cases, ...] = ()
    withheld: tuple[Withhold, ...] = ()
