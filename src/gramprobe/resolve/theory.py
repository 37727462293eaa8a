"""Theory files to a :class:`Theory`: operators, postulates, projection; and the slice that a pair needs.

The axioms that rest on lexicon columns are written once, for every lexeme of a category
(``each n : N where n.sort = person postulate forall x. (n(x) -> person(x))``), and instantiated for the lexemes a
pair uses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.measure import symbols
from gramprobe.formula.notation import FormulaError, parse
from gramprobe.formula.theory import FRAMES, PROJECTIONS, Operator, TheorySlice
from gramprobe.resolve.declarations import Grammar, Lexeme
from gramprobe.resolve.grammar import formula_problem
from gramprobe.resolve.rename import rename
from gramprobe.resolve.where import fits, kind_of
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax import tree as syntax

CONDITIONALS = ("material",)


@dataclass(frozen=True, slots=True)
class Schema:
    """A postulate for every lexeme of ``category`` that satisfies ``where`` (column -> value).

    It says nothing of a lexeme for which one of the ``columns`` it mentions is empty.
    """

    variable: str
    category: str
    where: tuple[tuple[str, str, bool], ...]
    formula: Formula
    columns: tuple[str, ...]

    @property
    def others(self) -> frozenset[str]:
        """The symbols that the formula names outright."""
        return frozenset(n for n in _spoken(self.formula) if n.partition(".")[0] != self.variable)

    def applies(self, lexeme: Lexeme) -> bool:
        for column, value, equal in self.where:
            cell = lexeme.columns.get(column)
            found = value in cell if isinstance(cell, tuple) else str(cell) == value
            if found != equal:
                return False
        return all(lexeme.columns.get(column) != "" for column in self.columns)

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
    lexical_operators: tuple[tuple[str, Operator], ...]
    postulates: tuple[Formula, ...]
    schemas: tuple[Schema, ...]
    projection: str
    conditional: str
    span: Span
    _cache: dict[tuple[str, ...], TheorySlice] = field(default_factory=dict, compare=False, repr=False)
    _axioms: dict[str, tuple[Formula, ...]] = field(default_factory=dict, compare=False, repr=False)
    _memory: dict[str, frozenset[str]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def operator_names(self) -> tuple[str, ...]:
        return tuple(o.name for o in self.operators)

    def schemas_of(self, lexeme: Lexeme) -> tuple[int, ...]:
        """The numbers of the schemas that apply to a lexeme."""
        return tuple(i for i, s in enumerate(self.schemas) if s.category == lexeme.category and s.applies(lexeme))

    def axioms_of(self, lexeme: Lexeme) -> tuple[Formula, ...]:
        """The instances of the schemas for one lexeme."""
        if lexeme.id not in self._axioms:
            self._axioms[lexeme.id] = tuple(self.schemas[i].instance(lexeme) for i in self.schemas_of(lexeme))
        return self._axioms[lexeme.id]

    def slice(self, formulas: tuple[Formula, ...], lexemes: dict[str, Lexeme]) -> TheorySlice:
        """The part of the theory that can matter to these formulas: every plain postulate, and the axioms of the
        lexemes that the formulas or those axioms speak of; without what :func:`without_pure` leaves out. Axioms of
        words that nobody speaks of are no part of the question."""
        found = symbols(*formulas)
        named = (*(p for p, _ in found.predicates), *found.constants, *(o for o, *_ in found.operators))
        key = tuple(sorted(set(named)))
        if key not in self._cache:
            self._cache[key] = self._slice(key, lexemes)
        return self._cache[key]

    def _slice(self, named: tuple[str, ...], lexemes: dict[str, Lexeme]) -> TheorySlice:
        axioms: list[Formula] = list(self.postulates)
        todo, done = [*named, *(n for a in axioms for n in _spoken(a))], set[str]()
        while todo:
            name = todo.pop(0)
            if name in done:
                continue
            done.add(name)
            if name in lexemes:
                more = self.axioms_of(lexemes[name])
                axioms.extend(more)
                todo.extend(n for a in more for n in _spoken(a))
        axioms = without_pure(list(dict.fromkeys(axioms)), frozenset(named))
        left = {*named, *(n for a in axioms for n in _spoken(a))}
        operators = [o for o in self.operators if o.name in left]
        for category, pattern in self.lexical_operators:
            for name in sorted(left):
                if name in lexemes and lexemes[name].category == category:
                    operators.append(Operator(name, pattern.kind, pattern.frame))
        return TheorySlice(tuple(operators), tuple(axioms), self.projection, True)  # type: ignore[arg-type]

    def tied(self, lexemes: dict[str, Lexeme]) -> frozenset[str]:
        """The words that some axiom mentions beside another word, and those of plain postulates: what holds of one
        of them need not hold of any other."""
        if "tied" not in self._memory:
            found = {n for p in self.postulates for n in _spoken(p) if n in lexemes}
            for lexeme in lexemes.values():
                for number in self.schemas_of(lexeme):
                    if self.schemas[number].columns or self.schemas[number].others & lexemes.keys():
                        spoken = set(_spoken(self.schemas[number].instance(lexeme))) & lexemes.keys()
                        found |= spoken if len(spoken) > 1 else set()
            self._memory["tied"] = frozenset(found)
        return self._memory["tied"]


def _spoken(formula: Formula) -> tuple[str, ...]:
    found = symbols(formula)
    return (*(p for p, _ in found.predicates), *found.constants, *(o for o, *_ in found.operators))


def without_pure(axioms: list[Formula], named: frozenset[str]) -> list[Formula]:
    """Leave out axioms that cannot matter: a predicate that nobody speaks of and that all axioms only affirm (only
    deny) may be true (false) of everything, and what is then true by its form says nothing (pure literals; Davis &
    Putnam 1960)."""
    kept = list(axioms)
    while True:
        signs: dict[str, set[bool]] = {}
        for axiom in kept:
            for predicate, sign in polarities(axiom, True):
                signs.setdefault(predicate, set()).add(sign)
        pure = {p: next(iter(s)) for p, s in signs.items() if len(s) == 1 and p not in named}
        left = [a for a in kept if _folded(a, pure) is not True]
        if len(left) == len(kept):
            return left
        kept = left


def _folded(formula: Formula, pure: Mapping[str, bool]) -> bool | None:
    """The value that a formula has by its form when the pure predicates are everywhere as given; None: open."""
    match formula:
        case ast.Truth(value):
            return value
        case ast.Atom(predicate, _):
            return pure.get(predicate)
        case ast.Not(body):
            inner = _folded(body, pure)
            return None if inner is None else not inner
        case ast.And(left, right):
            return _settled(False, _folded(left, pure), _folded(right, pure))
        case ast.Or(left, right):
            return _settled(True, _folded(left, pure), _folded(right, pure))
        case ast.Implies(left, right):
            before = _folded(left, pure)
            return _settled(True, None if before is None else not before, _folded(right, pure))
        case ast.Quantified("forall", _, _, restrictor, scope):
            true = _folded(scope, pure) is True or _folded(restrictor, pure) is False
            return True if true else None
        case _:
            return None


def _settled(by: bool, left: bool | None, right: bool | None) -> bool | None:
    """A disjunction is settled by truth, a conjunction by falsity, of either side; else by both."""
    if by in (left, right):
        return by
    return None if None in (left, right) else not by


def polarities(formula: Formula, sign: bool) -> Iterator[tuple[str, bool]]:
    """The predicates of a formula with the signs of their occurrences; both where that is not plain."""
    match formula:
        case ast.Atom(predicate, _):
            yield predicate, sign
        case ast.Not(body):
            yield from polarities(body, not sign)
        case ast.And(left, right) | ast.Or(left, right):
            yield from polarities(left, sign)
            yield from polarities(right, sign)
        case ast.Implies(left, right):
            yield from polarities(left, not sign)
            yield from polarities(right, sign)
        case ast.Quantified("forall", _, _, restrictor, scope):
            yield from polarities(restrictor, not sign)
            yield from polarities(scope, sign)
        case ast.Quantified("exists" | "atleast", _, _, restrictor, scope):
            yield from polarities(restrictor, sign)
            yield from polarities(scope, sign)
        case ast.Modal(_, _, body):
            yield from polarities(body, sign)
        case _:
            for predicate, _ in symbols(formula).predicates:
                yield predicate, True
                yield predicate, False


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
    operators: dict[str, Operator] = {}
    lexical: dict[str, Operator] = {}
    projection, conditional = "middle", "material"
    for line in lines:
        names = [w for x in line.operators for w in (*x.names, *([x.each] if x.each else []))]
        for number, word in enumerate(names):
            before = next((w for w in names[:number] if w.text == word.text), None)
            if before is not None:
                findings.add(messages.declared_twice(word.span, f"operator `{word.text}`", before.span))
        for declared in line.operators:
            if not _of_another(declared.each, grammar, elsewhere):
                _operators(declared, operators, lexical, grammar, findings)
        projection = _setting(line, "projection", PROJECTIONS, projection, findings)
        conditional = _setting(line, "conditional", CONDITIONALS, conditional, findings)
    postulates: list[Formula] = []
    schemas: list[Schema] = []
    for line in lines:
        for postulate in line.postulates:
            if postulate.variable is None:
                formula = _formula(postulate.formula, (), tuple(operators), findings)
                if formula is not None:
                    postulates.append(formula)
            elif grammar is not None and not _of_another(postulate.category, grammar, elsewhere):
                schema = _schema(postulate, tuple(operators), grammar, findings)
                if schema is not None:
                    schemas.append(schema)
    return Theory(
        name,
        tuple(operators.values()),
        tuple(lexical.items()),
        tuple(postulates),
        tuple(schemas),
        projection,
        conditional,
        lines[-1].name.span,
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


def _operators(
    line: syntax.OperatorLine,
    operators: dict[str, Operator],
    lexical: dict[str, Operator],
    grammar: Grammar | None,
    findings: Findings,
) -> None:
    for word in line.frame:
        if word.text not in FRAMES:
            findings.add(messages.unknown_name(word.span, "frame class", word.text, FRAMES))
    frame = frozenset(w.text for w in line.frame if w.text in FRAMES)
    if line.each is not None:
        if grammar is not None and line.each.text not in grammar.categories:
            findings.add(messages.unknown_name(line.each.span, "category", line.each.text, grammar.categories))
            return
        lexical[line.each.text] = Operator(line.each.text, line.kind.text, frame)  # type: ignore[arg-type]
    for name in line.names:
        operators[name.text] = Operator(name.text, line.kind.text, frame)  # type: ignore[arg-type]


def _formula(
    word: syntax.Word, variables: tuple[str, ...], operators: tuple[str, ...], findings: Findings
) -> Formula | None:
    try:
        formula = parse(word.text, variables=variables, operators=operators)
        if any(isinstance(part, ast.Exhaustified | ast.Announced | ast.EventUpdate) for part in ast.walk(formula)):
            raise FormulaError("`exh` and updates `[! F]`, `[E]` have no place in a postulate yet", 0)
        return formula
    except FormulaError as error:
        findings.add(formula_problem(word.span, error))
        return None


def _schema(line: syntax.Postulate, operators: tuple[str, ...], grammar: Grammar, findings: Findings) -> Schema | None:
    assert line.variable is not None and line.category is not None
    if line.category.text not in grammar.categories:
        findings.add(messages.unknown_name(line.category.span, "category", line.category.text, grammar.categories))
        return None
    category = grammar.categories[line.category.text]
    where: list[tuple[str, str, bool]] = []
    for condition in line.where:
        left, *right = condition.operands
        if condition.kind == "relation" or left.column is None or left.name.text != line.variable.text:
            findings.add(messages.bad_schema_condition(condition.span, line.variable.text))
            continue
        if left.column.text not in category.known:
            findings.add(messages.unknown_feature(left.column.span, category.name, left.column.text, category.known))
            continue
        if not fits(right[0].name, kind_of(category.name, left.column.text, grammar), grammar, findings):
            continue
        where.append((left.column.text, right[0].text, condition.kind == "="))
    formula = _formula(line.formula, (), operators, findings)
    if formula is None:
        return None
    used = symbols(formula)
    names = (*(p for p, _ in used.predicates), *used.constants)
    words = [line.variable.text, *grammar.constants, *grammar.symbols()]
    for name in names:
        if name.partition(".")[0] not in words:
            place = line.formula.span.at(max(line.formula.text.find(name), 0), len(name))
            findings.add(messages.unknown_name(place, "constant or word", name, words))
            return None
    columns = tuple(n.partition(".")[2] for n in names if n.startswith(f"{line.variable.text}."))
    for column in columns:
        if column not in category.known:
            findings.add(messages.unknown_feature(line.formula.span, category.name, column, category.known))
            return None
    return Schema(line.variable.text, category.name, tuple(where), formula, columns)
