"""Theory files to a :class:`Theory`: operators, postulates, projection; and the slice that a pair needs.

The axioms that rest on lexicon columns are written once, for every lexeme of a category
(``each n : N where n.sort = person postulate forall x. (n(x) -> person(x))``), and instantiated for the lexemes a
pair uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from gramprobe.formula import ast
from gramprobe.formula.alternatives import Scales
from gramprobe.formula.ast import Formula
from gramprobe.formula.definitions import expand
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import EXHAUSTIFY, PROJECTIONS, Definition, EventModel, Operator, TheorySlice
from gramprobe.resolve.axioms import nonempty, spoken, without_pure
from gramprobe.resolve.declarations import Grammar, Lexeme
from gramprobe.resolve.events import event_models
from gramprobe.resolve.lexical import CellCondition, LexicalOperator, cell_condition, pattern_of, satisfies, with_words
from gramprobe.resolve.operators import expanded, needed, read_formula, vocabulary
from gramprobe.resolve.rename import rename
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax import tree as syntax

CONDITIONALS = ("material",)
RESTRICTORS = ("any", "nonempty")
NUMERALS = ("atleast", "exactly")


@dataclass(frozen=True, slots=True)
class Schema:
    """A postulate for every lexeme of ``category`` that satisfies ``where`` (column -> value).

    It says nothing of a lexeme for which one of the ``columns`` it mentions is empty.
    """

    variable: str
    category: str
    where: tuple[CellCondition, ...]
    formula: Formula
    columns: tuple[str, ...]

    @property
    def others(self) -> frozenset[str]:
        """The symbols that the formula names outright."""
        return frozenset(n for n in spoken(self.formula) if n.partition(".")[0] != self.variable)

    def applies(self, lexeme: Lexeme) -> bool:
        return satisfies(lexeme, self.where) and all(lexeme.columns.get(column) != "" for column in self.columns)

    def instance(self, lexeme: Lexeme) -> Formula:
        """The postulate about this lexeme: the variable and its columns become symbols."""
        replaced = {self.variable: lexeme.id}
        replaced |= {f"{self.variable}.{n}": str(v) for n, v in lexeme.columns.items() if not isinstance(v, tuple)}
        return rename(self.formula, replaced)


@dataclass(frozen=True)
class Theory:
    """A named theory (``logic/NAME.logic`` with what it includes)."""

    name: str
    operators: tuple[Operator, ...]
    lexical_operators: tuple[LexicalOperator, ...]
    postulates: tuple[Formula, ...]
    schemas: tuple[Schema, ...]
    projection: str
    conditional: str
    span: Span
    definitions: tuple[Definition, ...] = ()
    scales: Scales = ()
    events: tuple[EventModel, ...] = ()
    restrictors: str = "any"
    exhaustify: str = "anywhere"
    numerals: str = "atleast"
    _cache: dict[tuple[object, ...], TheorySlice] = field(default_factory=dict, compare=False, repr=False)
    _axioms: dict[str, tuple[Formula, ...]] = field(default_factory=dict, compare=False, repr=False)
    _memory: dict[str, frozenset[str]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def operator_names(self) -> tuple[str, ...]:
        """Every name that may stand as an operator in a formula, defined ones too."""
        return (*(o.name for o in self.operators), *(d.name for d in self.definitions))

    @cached_property
    def _named_outright(self) -> frozenset[str]:
        return frozenset(self.operator_names)

    def has_operator(self, lexeme: Lexeme) -> bool:
        """Whether a lexeme can stand as an operator: named outright, or by the line for its category."""
        return lexeme.id in self._named_outright or pattern_of(lexeme, self.lexical_operators) is not None

    def kind_of(self, lexeme: Lexeme) -> tuple[object, ...]:
        """What the theory can tell of a lexeme that is not tied to others: which schemas and which operator it has."""
        return lexeme.category, self.schemas_of(lexeme), pattern_of(lexeme, self.lexical_operators)

    def schemas_of(self, lexeme: Lexeme) -> tuple[int, ...]:
        """The numbers of the schemas that apply to a lexeme."""
        return tuple(i for i, s in enumerate(self.schemas) if s.category == lexeme.category and s.applies(lexeme))

    def axioms_of(self, lexeme: Lexeme) -> tuple[Formula, ...]:
        """The instances of the schemas for one lexeme."""
        if lexeme.id not in self._axioms:
            self._axioms[lexeme.id] = tuple(self.schemas[i].instance(lexeme) for i in self.schemas_of(lexeme))
        return self._axioms[lexeme.id]

    def meant(self, formula: Formula, scales: Scales) -> Formula:
        """What a sentence says: its formula, with `exactly n` for an `atleast n` of the scales where the theory says
        that numerals mean so (Geurts 2006). Formulas that are written as such say what they say."""
        words = {word for scale in scales for word in scale}

        def walk(node: ast.Argument) -> ast.Argument:
            node = ast.map_parts(walk, node)
            if isinstance(node, ast.Quantified) and node.quantifier == "atleast" and f"atleast {node.count}" in words:
                return replace(node, quantifier="exactly")
            return node

        return ast.as_formula(walk(formula)) if self.numerals == "exactly" else formula

    def scales_meant(self, scales: Scales) -> Scales:
        """The scales with numerals as the theory takes them."""
        if self.numerals == "atleast":
            return scales
        return tuple(tuple(word.replace("atleast ", "exactly ") for word in scale) for scale in scales)

    def slice(
        self,
        formulas: tuple[Formula, ...],
        lexemes: dict[str, Lexeme],
        scales: Scales | None = None,
    ) -> TheorySlice:
        """The part of the theory that can matter to these formulas: every plain postulate, and the axioms of the
        lexemes that the formulas or those axioms speak of; without what :func:`without_pure` leaves out. Axioms of
        words that nobody speaks of are no part of the question. ``scales``: those of a paradigm, in the place of
        the theory's own."""
        scales = self.scales if scales is None else scales
        named = {n for f in formulas for n in spoken(f)}
        if self.events:
            named |= {f"[{p.event}]" for f in formulas for p in ast.walk(f) if isinstance(p, ast.EventUpdate)}
        if not any(isinstance(part, ast.Exhaustified) for f in formulas for part in ast.walk(f)):
            scales = ()  # scale-mates are nobody's business where nothing is strengthened
        key = tuple(sorted(named)), scales
        if key not in self._cache:
            self._cache[key] = self._slice(*key, lexemes)
        known = self._cache[key]
        if self.restrictors == "any":
            return known
        definitions = {d.name: d for d in known.definitions}
        imported = nonempty(tuple(expand(f, definitions) for f in formulas))
        return replace(known, postulates=tuple(dict.fromkeys((*known.postulates, *imported))))

    def _slice(self, key: tuple[str, ...], scales: Scales, lexemes: dict[str, Lexeme]) -> TheorySlice:
        named = self._reached(key, scales)
        axioms: list[Formula] = list(self.postulates)
        todo, done = [*named, *(n for a in axioms for n in spoken(a))], set[str]()
        while todo:
            name = todo.pop(0)
            if name in done:
                continue
            done.add(name)
            if name in lexemes:
                more = self.axioms_of(lexemes[name])
                axioms.extend(more)
                todo.extend(n for a in more for n in spoken(a))
        axioms = without_pure(list(dict.fromkeys(axioms)), frozenset(named))
        left = frozenset([*named, *(n for a in axioms for n in spoken(a))])
        words = [lexemes[name] for name in sorted(left) if name in lexemes and name not in self._named_outright]
        return TheorySlice(
            needed(with_words(self.operators, self.lexical_operators, words), left),
            tuple(axioms),
            self.projection,  # type: ignore[arg-type]
            True,
            tuple(d for d in self.definitions if d.name in left),
            scales,
            tuple(e for e in self.events if f"[{e.name}]" in named),
            self.exhaustify,  # type: ignore[arg-type]
        )

    def ties(self, words: Sequence[str], lexemes: dict[str, Lexeme]) -> tuple[Formula, ...]:
        """The axioms that tie these words to others, and those of the words they are tied to, as far as they can
        matter where (of tied words) just these are spoken of."""
        found: dict[Formula, None] = {}
        todo, done = [w for w in words if w in lexemes], set[str]()
        while todo:
            word = todo.pop(0)
            if word not in done:
                done.add(word)
                more = self.axioms_of(lexemes[word])
                found |= dict.fromkeys(more)
                todo += [n for a in more for n in spoken(a) if n in lexemes]
        return tuple(without_pure(list(found), frozenset(words)))

    def _reached(self, named: tuple[str, ...], scales: Scales) -> tuple[str, ...]:
        """The names, with all that definitions, events and scale-mates bring in."""
        inside: dict[str, list[str]] = {d.name: [*spoken(d.formula)] for d in self.definitions}
        for event in self.events:
            said = [f for a in event.actions for f in (a.pre, *(part for post in a.post for part in post))]
            inside[f"[{event.name}]"] = [n for f in said for n in spoken(f)]
        for scale in scales:
            for word in scale:
                inside.setdefault(word, []).extend(scale)
        reached: dict[str, None] = {}
        todo = list(named)
        while todo:
            name = todo.pop(0)
            if name not in reached:
                reached[name] = None
                todo += inside.get(name, ())
        return tuple(reached)

    def singular(self, lexemes: dict[str, Lexeme]) -> frozenset[str]:
        """The words of plain postulates and those that are operators by name: what holds of one of them need not hold
        of any other."""
        if "singular" not in self._memory:
            found = {n for p in self.postulates for n in spoken(p) if n in lexemes}
            self._memory["singular"] = frozenset(found | (lexemes.keys() & self._named_outright))
        return self._memory["singular"]

    def tied(self, lexemes: dict[str, Lexeme]) -> frozenset[str]:
        """The words that the instance of some schema mentions beside another word."""
        if "tied" not in self._memory:
            found = set[str]()
            for lexeme in lexemes.values():
                for number in self.schemas_of(lexeme):
                    if self.schemas[number].columns or self.schemas[number].others & lexemes.keys():
                        said = set(spoken(self.schemas[number].instance(lexeme))) & lexemes.keys()
                        found |= said if len(said) > 1 else set()
            self._memory["tied"] = frozenset(found)
        return self._memory["tied"]


def resolve_theory(
    name: str,
    files: dict[str, syntax.Theory],
    grammar: Grammar | None,
    findings: Findings,
    at: Span | None = None,
    elsewhere: frozenset[str] = frozenset(),
) -> Theory | None:
    """The theory of that name with its includes; None (and a finding) when something is missing.

    Without a grammar (formulas only) the lines about lexemes are left out, and so are those about categories
    that only other grammars have (``elsewhere``).
    """
    lines = _included(name, files, findings, at, ())
    if lines is None:
        return None
    categories = [x.each for line in lines for x in line.operators] + [
        x.category for line in lines for x in line.postulates
    ]
    skip = frozenset(w.text for w in categories if w is not None and _of_another(w, grammar, elsewhere))
    words = vocabulary(lines, grammar, findings, skip)
    known = {
        "projection": PROJECTIONS,
        "conditional": CONDITIONALS,
        "restrictors": RESTRICTORS,
        "exhaustify": EXHAUSTIFY,
        "numerals": NUMERALS,
    }
    settings = {key: names[0] for key, names in known.items()}
    for line in lines:
        for key, names in known.items():
            settings[key] = _setting(line, key, names, settings[key], findings)
    postulates: list[Formula] = []
    schemas: list[Schema] = []
    for line in lines:
        for postulate in line.postulates:
            if postulate.category is not None and (grammar is None or postulate.category.text in skip):
                continue
            formula = read_formula(postulate.formula, (), words.names, findings, "in a postulate")
            if formula is None:
                continue
            formula = expanded(postulate.formula, formula, words.definitions, findings)
            if postulate.variable is None:
                postulates.append(formula)
            elif grammar is not None:
                schema = _schema(postulate, formula, grammar, findings)
                if schema is not None:
                    schemas.append(schema)
    return Theory(
        name,
        tuple(words.operators.values()),
        tuple(words.lexical),
        tuple(postulates),
        tuple(schemas),
        settings["projection"],
        settings["conditional"],
        lines[-1].name.span,
        tuple(words.definitions.values()),
        tuple(words.scales),
        event_models(lines, words, findings),
        settings["restrictors"],
        settings["exhaustify"],
        settings["numerals"],
    )


def _of_another(category: syntax.Word | None, grammar: Grammar | None, elsewhere: frozenset[str]) -> bool:
    """Whether a line speaks of a category that this grammar lacks and another has."""
    return (
        category is not None
        and grammar is not None
        and category.text not in grammar.categories
        and category.text in elsewhere
    )


def _included(
    name: str, files: dict[str, syntax.Theory], findings: Findings, at: Span | None, above: tuple[str, ...]
) -> list[syntax.Theory] | None:
    """The theory's files, what is included first; a circle of includes is an error."""
    if name not in files:
        findings.add(messages.unknown_name(at or Span(name, 1, 1), "theory", name, files, code="E20"))
        return None
    theory = files[name]
    found: list[syntax.Theory] = []
    for include in theory.includes:
        if include.text in (*above, name):
            round_ = (*above, name)[(*above, name).index(include.text) :]
            if include.text == min(round_):  # each circle is told once, wherever one begins
                findings.add(messages.circle(include.span, "include", (*round_, include.text)))
            findings.muted = True
            continue
        inner = _included(include.text, files, findings, include.span, (*above, name))
        found.extend(x for x in inner or () if x not in found)
    return [*found, theory]


def _setting(line: syntax.Theory, key: str, known: tuple[str, ...], before: str, findings: Findings) -> str:
    if key not in line.settings:
        return before
    word = line.settings[key][0]
    if word.text not in known:
        findings.add(messages.unknown_name(word.span, key, word.text, known))
        return before
    return word.text


def _schema(line: syntax.Postulate, formula: Formula, grammar: Grammar, findings: Findings) -> Schema | None:
    assert line.variable is not None and line.category is not None
    if line.category.text not in grammar.categories:
        findings.add(messages.unknown_name(line.category.span, "category", line.category.text, grammar.categories))
        return None
    category = grammar.categories[line.category.text]
    where: list[CellCondition] = []
    for condition in line.where:
        left, *right = condition.operands
        if condition.kind == "relation" or left.column is None or left.name.text != line.variable.text:
            findings.add(messages.bad_schema_condition(condition.span, line.variable.text))
            continue
        cell = cell_condition(left.column, right[0].name, condition.kind == "=", category, grammar, findings)
        if cell is not None:
            where.append(cell)
    used = symbols(formula)
    names = (*(p for p, _ in used.predicates), *used.constants)
    for name in names:
        head = name.partition(".")[0]
        if head != line.variable.text and head not in grammar.constants and not grammar.is_symbol(head):
            words = [line.variable.text, *grammar.constants, *grammar.symbols()]
            place = line.formula.span.at(max(line.formula.text.find(name), 0), len(name))
            findings.add(messages.unknown_name(place, "constant or word", name, words))
            return None
    columns = tuple(n.partition(".")[2] for n in names if n.startswith(f"{line.variable.text}."))
    for column in columns:
        if column not in category.known:
            findings.add(messages.unknown_feature(line.formula.span, category.name, column, category.known))
            return None
    return Schema(line.variable.text, category.name, tuple(where), formula, columns)
