"""What the author wrote, as data: names are texts with spans, nothing is looked up yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gramprobe.source.span import Span


@dataclass(frozen=True, slots=True)
class Word:
    """A name, number or quoted text (without its quotes) where it stands."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Operand:
    """``x`` or ``x.column``."""

    name: Word
    column: Word | None = None

    @property
    def text(self) -> str:
        return self.name.text + (f".{self.column.text}" if self.column else "")


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a ``where``: ``a.x = b.x``, ``a != b`` or ``relation(a, b)``."""

    kind: Literal["=", "!=", "relation"]
    name: Word | None
    operands: tuple[Operand, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Case:
    """``mode=plain`` or ``v.polarity=pos|neg`` in the brackets of ``lin`` and ``sem``."""

    operand: Operand
    values: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A statement that could not be read. ``names``: what it would have declared, as far as one can see;
    ``mentioned``: every name in it."""

    keyword: str
    names: tuple[str, ...]
    mentioned: tuple[str, ...]


# ---- grammar files ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Feature:
    name: Word
    values: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Group:
    name: Word
    feature: Word
    values: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A feature (``num``), a fixed one (``class=named``) or a typed column (``object: class*``)."""

    name: Word
    fixed: tuple[Word, ...] = ()
    type: Word | None = None
    is_set: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Type:
    """A basic type or a function type, curried to the right."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Category:
    name: Word
    columns: tuple[Column, ...]
    type: Type | None
    file: Word | None
    forms: tuple[Word, ...]
    single_form: bool


@dataclass(frozen=True, slots=True)
class Constant:
    names: tuple[Word, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[Word, ...]
    quoted: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    name: Word
    left: Operand
    right: Operand
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Table:
    name: Word
    keys: tuple[Word, ...]
    result: Word | None
    rows: tuple[Row, ...]
    #: some of its rows could not be read
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    name: Word
    category: Word
    modifiers: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Computed:
    """``finite(t, s.num)``: a table's value."""

    table: Word
    values: tuple[Value, ...]


Value = Operand | Computed


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted word of a ``lin``."""

    word: Word


@dataclass(frozen=True, slots=True)
class Words:
    """An argument's words, with the features asked of it."""

    name: Word
    requests: tuple[tuple[Word, Value], ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """A word out of a table."""

    table: Word
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Lin:
    """The words of one case: atoms, with ``glued[i]`` when atom i stands at the one before without a space."""

    cases: tuple[Case, ...]
    atoms: tuple[Text | Words | Lookup, ...]
    glued: tuple[bool, ...]
    unsaid: tuple[Word, ...]
    span: Span


def operands(line: Lin) -> Iterator[Operand]:
    """What the words of a line look up or ask for, in order."""
    for atom in line.atoms:
        match atom:
            case Words(_, requests):
                for _, value in requests:
                    yield from _operands_of(value)
            case Lookup(_, values):
                for value in values:
                    yield from _operands_of(value)
            case _:
                pass


def _operands_of(value: Value) -> Iterator[Operand]:
    if isinstance(value, Computed):
        for inner in value.values:
            yield from _operands_of(inner)
    else:
        yield value


@dataclass(frozen=True, slots=True)
class Sem:
    """One meaning; with ``reading`` a further one in the same case, and the id of what it gives."""

    cases: tuple[Case, ...]
    formula: Word
    reading: Word | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """``scope "two" above "not" trace k.value``; ``exceptional``: it may leave islands."""

    cases: tuple[Case, ...]
    name: Word
    above: tuple[Word, ...]
    trace: Word | Operand | None = None
    exceptional: bool = False


@dataclass(frozen=True, slots=True)
class Refers:
    """``refers "a", "some"``: an anaphor and the scope names that its antecedent may have."""

    cases: tuple[Case, ...]
    names: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Function:
    """A ``fun`` with the lines below it."""

    name: Word
    arguments: tuple[Argument, ...]
    result: Word
    features: tuple[Case, ...]
    where: tuple[Condition, ...]
    lins: tuple[Lin, ...]
    sems: tuple[Sem, ...]
    scopes: tuple[Scope, ...]
    #: one of the lines below it could not be read
    broken: bool = False
    refers: tuple[Refers, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """``sentence S "."``: trees of this category are whole sentences and end so."""

    category: Word
    final: Word


@dataclass(frozen=True, slots=True)
class ReadingName:
    """``reading "de re" = "a > attitude"``: what the field calls these orders of scope."""

    name: Word
    orders: tuple[Word, ...]


GrammarLine = Feature | Group | Category | Constant | Relation | Table | Function | Sentence | ReadingName | Broken


# ---- paradigm files --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Restriction:
    """``kind=animal`` or, for a drawn feature, bare values."""

    feature: Word | None
    values: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    names: tuple[Word, ...]
    category: Word
    restrictions: tuple[Restriction, ...]
    by: tuple[Word, ...]
    where: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """``Clause(t, owner, act)``, ``owner`` or ``change.pre``; ``arguments`` is None for a reference."""

    name: Word
    column: Word | None
    arguments: tuple[Term, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class Let:
    name: Word
    term: Term


@dataclass(frozen=True, slots=True)
class ConditionLine:
    """A named tree under ``premise`` or ``hypothesis``."""

    heading: str
    name: Word
    term: Term
    redraws: tuple[tuple[Word, Term], ...]
    reading: Word | None


@dataclass(frozen=True, slots=True)
class Claim:
    """``entailment``, or with the column it speaks of ``literal neutral``, behind `expect`."""

    column: Word | None
    label: Word


@dataclass(frozen=True, slots=True)
class ReadingClaim:
    """``fits "every > a", "a > every"``: the readings that a pair names; ``any`` or ``none`` in their place."""

    kind: Literal["fits", "entailed"]
    words: tuple[Word, ...]
    of_all: bool


@dataclass(frozen=True, slots=True)
class Pair:
    premises: tuple[Word, ...]
    hypotheses: tuple[Word, ...]
    claims: tuple[Claim, ...]
    tag: Word | None
    via: Word | None
    span: Span
    claim: ReadingClaim | None = None
    share: Word | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """``balance owner, other``: the draws whose roles the companion swaps."""

    draws: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Allow:
    gate: Word
    because: Word


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A whole paradigm file; ``settings`` holds the one-value lines by keyword."""

    name: Word
    settings: dict[str, tuple[Word, ...]]
    draws: tuple[Draw, ...]
    where: tuple[Condition, ...]
    lets: tuple[Let, ...]
    conditions: tuple[ConditionLine, ...]
    pairs: tuple[Pair, ...]
    allows: tuple[Allow, ...]
    broken: tuple[Broken, ...] = ()
    scale: ScaleLine | None = None
    balances: tuple[Balance, ...] = ()


# ---- theory files ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OperatorLine:
    """``operator poss diamond frame reflexive``; ``each`` names a category of verbs instead of operators.

    ``within`` are the operators whose relation holds this one's, ``gloss`` is what to call it in words. With ``each``:
    ``around`` are the operators whose relation lies within each verb's, ``where`` says which verbs of the category.
    """

    names: tuple[Word, ...]
    each: Word | None
    kind: Word
    frame: tuple[Word, ...]
    within: tuple[Word, ...] = ()
    introspected_by: tuple[Word, ...] = ()
    gloss: Word | None = None
    around: tuple[Word, ...] = ()
    where: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Define:
    """``define nec F = ~poss ~F``, ``define knows[a] F = F / K[a] F``."""

    name: Word
    agent: Word | None
    body: Word
    formula: Word


@dataclass(frozen=True, slots=True)
class ScaleLine:
    """``scale some, all``: words from weak to strong; ``atleast 2`` is one, in a paradigm ``g.weak``, too."""

    members: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Pre:
    """``pre F``, below an action."""

    formula: Word


@dataclass(frozen=True, slots=True)
class Post:
    """``post P(c) := F``, below an action."""

    target: Word
    formula: Word


@dataclass(frozen=True, slots=True)
class Action:
    """``action move``, with the ``pre`` and ``post`` lines below it."""

    name: Word
    pre: tuple[Pre, ...] = ()
    post: tuple[Post, ...] = ()


@dataclass(frozen=True, slots=True)
class Actual:
    """``actual move``, below an event."""

    name: Word


@dataclass(frozen=True, slots=True)
class ArrowsLine:
    """``arrows B[sally]: move -> nothing``, below an event; ``agent`` None: everybody without a line."""

    operator: Word
    agent: Word | None
    arrows: tuple[tuple[Word, Word], ...]


@dataclass(frozen=True, slots=True)
class Event:
    """``event trick(a, x)`` with the lines below it. ``broken``: one of them could not be read."""

    name: Word
    actions: tuple[Action, ...] = ()
    actual: tuple[Actual, ...] = ()
    arrows: tuple[ArrowsLine, ...] = ()
    broken: bool = False
    parameters: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Postulate:
    """``postulate F``, or ``each n : N where ... postulate F``: one instance for every lexeme used."""

    variable: Word | None
    category: Word | None
    where: tuple[Condition, ...]
    formula: Word


@dataclass(frozen=True, slots=True)
class Theory:
    """A whole theory file; ``settings`` holds the one-value lines by keyword."""

    name: Word
    settings: dict[str, tuple[Word, ...]]
    includes: tuple[Word, ...]
    operators: tuple[OperatorLine, ...]
    postulates: tuple[Postulate, ...]
    broken: tuple[Broken, ...] = ()
    definitions: tuple[Define, ...] = ()
    scales: tuple[ScaleLine, ...] = ()
    events: tuple[Event, ...] = ()
