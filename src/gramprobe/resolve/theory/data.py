"""A resolved theory: operators, postulates, and the settings for projection and strengthening.

The axioms that rest on lexicon columns are written once, for every lexeme of a category
(``each n : N where n.sort = person postulate forall x. (n(x) -> person(x))``), and instantiated for the lexemes of a
question: a :class:`Schema`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from gramprobe.formula import ast
from gramprobe.formula.alternatives import Scales
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import rename
from gramprobe.formula.demands import MOST, met
from gramprobe.formula.theory import MIDDLE, Definition, EventModel, Operator, Projection
from gramprobe.resolve.grammar.data import Lexeme
from gramprobe.resolve.theory.axioms import names_in
from gramprobe.resolve.theory.lexical import CellCondition, LexicalOperator, pattern_of, satisfies
from gramprobe.resolve.theory.pairs import PairSchema
from gramprobe.resolve.theory.related import Related
from gramprobe.source.diagnostic import Span


class Schema(Struct, frozen=True):
    """A postulate for every lexeme of ``category`` that satisfies ``where``.

    It has no instance for a lexeme with an empty cell in one of the ``columns`` that the formula mentions.
    """

    variable: str
    category: str
    where: tuple[CellCondition, ...]
    formula: Formula
    columns: tuple[str, ...]

    @property
    def others(self) -> frozenset[str]:
        """The symbols of the formula other than the variable and its columns."""
        return frozenset(n for n in names_in(self.formula) if n.partition(".")[0] != self.variable)

    def applies(self, lexeme: Lexeme) -> bool:
        return satisfies(lexeme, self.where) and all(lexeme.columns.get(column) != "" for column in self.columns)

    def instance(self, lexeme: Lexeme) -> Formula:
        """The postulate about this lexeme: the variable and its columns become symbols."""
        replaced = {self.variable: lexeme.id}
        replaced |= {f"{self.variable}.{n}": str(v) for n, v in lexeme.columns.items() if not isinstance(v, tuple)}
        return rename(self.formula, replaced)


What: TypeAlias = Literal["labels", "neutral"]
How: TypeAlias = Literal[
    "", "apart", "anew", "denied", "chosen", "scoped", "negated", "strict", "worded", "agentive", "ignorant", "spread",
    "repeated", "habitual",
]  # fmt: skip
"""The words of a `withhold` line: what is withheld, and what is said behind the names."""
NOTHING = "nothing"
"""What stands behind `as` where operators are left out."""


class Withheld(Struct, frozen=True, kw_only=True):
    """What readers of sentences hang no label on (`withhold`); built labels do not ask.

    Attributes:
        what: `labels`, or only `neutral`.
        names: the operators, constants or words.
        instead: the operator that stands for them in another formula, or :data:`NOTHING`; empty without `as`.
        how: `apart` where a label needs the same of them in premises and hypothesis, `anew` where an entailment or a
            contradiction needs in the premises what the hypothesis has of them, `denied` where what stands beside one
            may be neither denied nor possible, `chosen` where of *a or b* below one of them each may be so, `scoped`
            where noun phrases have either scope beside one, `negated` where a negation above one is read below it,
            `strict` where the cases that a conditional speaks of may be others for each antecedent, `worded` where a
            label other than neutral needs in the premises each word that the hypothesis has below one, `agentive` where
            it needs in them one with the same subject, or the same verb, `ignorant` where what those of these names do
            not know is not taken to be so, `spread` where a word beside one may be said of what is joined to it, too,
            `repeated` where what such a word is true of may be two things, `habitual` where it may not hang on a verb
            of the present being the same below one as elsewhere; else empty.
        reason: why, for whoever gets no label.
    """

    what: What
    names: tuple[str, ...]
    instead: str
    how: How
    reason: str

    @property
    def form(self) -> str:
        """What its line says of the names: `as`, `as nothing`, or `how`; empty if nothing."""
        return self.how or ("" if not self.instead else "as nothing" if self.instead == NOTHING else "as")


@dataclass(frozen=True, kw_only=True)
class Theory:
    """A named theory (``logic/NAME.logic`` with the files that it includes).

    Attributes:
        name: the name of its file.
        operators: the operators that its lines name.
        lexical_operators: the operators of words (`operator each`).
        postulates: the axioms without `each`.
        schemas: the axioms with `each`.
        pair_schemas: the axioms with `each` and two variables.
        projection: how presuppositions project.
        conditional: the meaning of `->` (`material`).
        span: the place of its name.
        definitions: the defined operators.
        scales: words from weak to strong.
        events: the event models.
        restrictors: `nonempty` adds existential import to quantifiers, `any` does not.
        exhaustify: where `exh` may stand.
        numerals: `exactly` or `atleast`.
        demands: what determiners and partitives presuppose of their nouns: `none`, `one` or `two` (at least).
        withheld: what readers hang no label on.
        related: what the words of a reader have to do with each other; built labels do not ask.
    """

    name: str
    operators: tuple[Operator, ...]
    lexical_operators: tuple[LexicalOperator, ...]
    postulates: tuple[Formula, ...]
    schemas: tuple[Schema, ...]
    projection: Projection
    conditional: str
    span: Span
    pair_schemas: tuple[PairSchema, ...] = ()
    definitions: tuple[Definition, ...] = ()
    scales: Scales = ()
    events: tuple[EventModel, ...] = ()
    restrictors: str = "any"
    exhaustify: str = "anywhere"
    numerals: str = "atleast"
    demands: Mapping[str, str] = field(default_factory=lambda: MOST)
    withheld: tuple[Withheld, ...] = ()
    related: Related | None = field(default=None, compare=False, repr=False)
    #: kinds of lexemes, and slices and sets of words that :mod:`~gramprobe.resolve.theory.slicing` has computed
    memory: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    _axioms: dict[str, tuple[Formula, ...]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def operator_names(self) -> tuple[str, ...]:
        """Every name that may stand as an operator in a formula, including defined operators."""
        return (*(o.name for o in self.operators), *(d.name for d in self.definitions))

    @cached_property
    def named_outright(self) -> frozenset[str]:
        """The names of the operators that the theory's lines name, unlike those of words (`operator each`)."""
        return frozenset(self.operator_names)

    def has_operator(self, lexeme: Lexeme) -> bool:
        """Whether a lexeme can stand as an operator: named outright, or by the line for its category."""
        return lexeme.id in self.named_outright or pattern_of(lexeme, self.lexical_operators) is not None

    def kind_of_lexeme(self, lexeme: Lexeme) -> tuple[object, ...]:
        """The kind of a lexeme to which no axiom relates another: its category, its schemas and its operator.

        The theory cannot distinguish two such lexemes of a kind.
        """
        if ("kind", lexeme.id) not in self.memory:
            in_pairs = tuple(schema.role(lexeme) for schema in self.pair_schemas)
            kind = lexeme.category, self.schemas_of(lexeme), pattern_of(lexeme, self.lexical_operators), in_pairs
            self.memory["kind", lexeme.id] = kind
        known: tuple[object, ...] = self.memory["kind", lexeme.id]
        return known

    def schemas_of(self, lexeme: Lexeme) -> tuple[int, ...]:
        """The numbers of the schemas that apply to a lexeme."""
        return tuple(i for i, s in enumerate(self.schemas) if s.category == lexeme.category and s.applies(lexeme))

    def axioms_of(self, lexeme: Lexeme) -> tuple[Formula, ...]:
        """The instances of the schemas for one lexeme."""
        if lexeme.id not in self._axioms:
            self._axioms[lexeme.id] = tuple(self.schemas[i].instance(lexeme) for i in self.schemas_of(lexeme))
        return self._axioms[lexeme.id]

    def axioms_of_two(self, one: Lexeme, other: Lexeme) -> tuple[Formula, ...]:
        """The instances of the schemas of two words for these two, in both orders."""
        if not self.pair_schemas:
            return ()
        orders = ((one, other), (other, one)) if one.id != other.id else ((one, one),)
        return tuple(s.instance(a, b) for s in self.pair_schemas for a, b in orders if s.applies(a, b))

    def withholding(self, *forms: str) -> tuple[Withheld, ...]:
        """The lines of some forms of what readers hang no label on."""
        if ("withheld", forms) not in self.memory:
            self.memory["withheld", forms] = tuple(each for each in self.withheld if each.form in forms)
        found: tuple[Withheld, ...] = self.memory["withheld", forms]
        return found

    def interpret(self, formula: Formula, scales: Scales) -> Formula:
        """The interpreted formula of a sentence: with what determiners presuppose in the theory, and with `exactly n`
        for each `atleast n` of the scales, if numerals are `exactly` in it (Geurts 2006). In formulas that an author
        types numerals are not interpreted."""
        words = {word for scale in scales for word in scale}

        def exact(part: Formula) -> Formula:
            if isinstance(part, ast.Quantified) and part.quantifier == "atleast" and f"atleast {part.count}" in words:
                return structs.replace(part, quantifier="exactly")
            return part

        return met(ast.bottom_up(exact, formula) if self.numerals == "exactly" else formula, self.demands)

    def interpret_scales(self, scales: Scales) -> Scales:
        """The scales with numerals as the theory interprets them."""
        if self.numerals == "atleast":
            return scales
        return tuple(tuple(word.replace("atleast ", "exactly ") for word in scale) for scale in scales)


def no_theory(place: Span) -> Theory:
    """A theory without a name that says nothing, for sentences that are read in none."""
    return Theory(
        name="", operators=(), lexical_operators=(), postulates=(), schemas=(), projection=MIDDLE,
        conditional="material", span=place,
    )  # fmt: skip
