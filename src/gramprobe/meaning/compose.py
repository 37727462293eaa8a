"""Composition of a tree's readings, by function application and quantifier storage.

A constructor with a ``scope`` word on a noun phrase leaves a variable and stores its quantifier (Cooper 1983; the
same readings as quantifier raising inside the clause, May 1985). A stored quantifier is taken out at an argument that
is a statement (or a clause that is a property of occasions), before or after the operator that takes the argument, and
at an ``island`` at the latest. With ``above "not"`` it is taken out at the first such argument, but above that operator
if it stands directly below it (the homogeneity of plural definites, Kriz 2015). A further meaning (``sem reading
"..."``) doubles the readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import cast

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Atom, Const, Formula, Lambda, Var
from gramprobe.formula.binding import free_variables
from gramprobe.meaning.antecedents import bound_by, marked, tidied
from gramprobe.meaning.columns import consulted
from gramprobe.meaning.conveyed import CONVEYS, at_actual, parted
from gramprobe.meaning.reading import Anaphor, Reading, symbol
from gramprobe.meaning.store import Partial, Stored, closed, emptied, loosened, released
from gramprobe.meaning.terms import HERE, Terms
from gramprobe.resolve.grammar.data import Cell, Constructor, Grammar, Meaning, Scope
from gramprobe.resolve.grammar.types import OF_OCCASIONS, T_TYPE, Function, Type, is_quantifier
from gramprobe.resolve.tree import Apply, Given, Slot, Tree
from gramprobe.words.linearise import Chosen, case_holds


def readings(tree: Tree, chosen: Chosen, grammar: Grammar, composer: Composer | None = None) -> tuple[Reading, ...]:
    """Every reading of a sentence, the surface reading first.

    Readings with the same formula count once; of two with the same id, the second gets a prime. ``composer``: what has
    composed parts of the tree already, with these values ``chosen``. Raises Spent if it has no steps left.
    """
    composer = composer or Composer(chosen, grammar)
    by_formula: dict[Formula, Reading] = {}
    partials = composer.compose(tree)
    composer.terms.name_from("")
    every = (done for partial in partials for done in emptied(partial, composer.terms))
    for done in dict.fromkeys(every):
        term, mentioned = cast(Formula, done.term), composer.terms.mentions(done.term)
        said, conveyed = parted(term) if CONVEYS in mentioned else (term, None)
        said = at_actual(said) if HERE in mentioned else said
        anaphors = {each.variable: "it" for each in done.refers if each.variable is not None}
        anaphors = {name: f"it{n}" if n > 1 else "it" for n, name in enumerate(anaphors, 1)}
        formula, antecedents = tidied(said, anaphors)
        if formula not in by_formula:
            id_ = _id(done, grammar)
            while any(r.id == id_ for r in by_formula.values()):
                id_ += "'"
            conveys = None if conveyed is None else tidied(at_actual(conveyed), anaphors)[0]
            conveys = None if conveys is not None and _is_said(conveys, formula) else conveys
            refers = tuple(Anaphor(anaphors.get(each.variable or ""), each.names) for each in done.refers)
            by_formula[formula] = Reading(id_, formula, antecedents, refers, done.order, (), conveys)
    return tuple(by_formula.values())


def _is_said(conveyed: Formula, said: Formula) -> bool:
    """Whether what is conveyed follows from what is said, which is one of its two sides: who thinks so has a view."""
    said = said.assertion if isinstance(said, ast.Presupposing) else said
    return isinstance(conveyed, ast.Or) and said in (conveyed.left, conveyed.right)


def _id(partial: Partial, grammar: Grammar) -> str:
    """The id of a reading: of the further meanings in it, else the name of its scope order, else that order."""
    order = " > ".join(partial.order)
    return " + ".join(partial.further) or grammar.readings.get(order, order)


class Composer:
    """Composes trees, each part of them once, in so many steps as are ``left`` (None: without end).

    Bound variables are named by place: by the words that a part is made of (`put`), or by where it stands in its tree.
    So trees of the same words that mean the same have equal terms.
    """

    def __init__(self, chosen: Chosen, grammar: Grammar, left: int | None = None):
        self.chosen, self.grammar, self.terms = chosen, grammar, Terms(left)
        self._places: dict[int, tuple[Tree, str]] = {}
        self._composed: dict[object, list[Partial]] = {}
        self.interpreted: dict[Formula, Formula] = {}
        """Formulas of readings, and what a theory makes of them (`judge.readings_of`)."""

    def put(self, tree: Tree, place: str) -> None:
        """Say where a tree stands: what it means is composed once, in whatever tree it is a part."""
        self._places[id(tree)] = tree, place

    def compose(self, tree: Tree, place: str = "0", apart: bool = False) -> list[Partial]:
        """The meanings of a tree, with their stored quantifiers, each once: equal for trees of the same place that mean
        the same, whatever is around them. ``apart``: it stands in its tree for a second time. Raises Spent."""
        if isinstance(tree, Slot):
            return [Partial(Const(symbol(tree)))]
        if isinstance(tree, Given):
            return [Partial(Const(tree.value))]
        assert isinstance(tree, Apply)
        known = None if apart else self._places.get(id(tree))
        key = self.key(tree, place) if known is None else id(tree)
        if key is None:
            return self._compose(tree, place, apart)
        if key not in self._composed:
            self._composed[key] = self._compose(tree, place if known is None else known[1], apart)
        return self._composed[key]

    def key(self, tree: Apply, place: str) -> object:
        """What a meaning that stands here is known again by; None: only a tree that was put is."""
        return None

    def _compose(self, tree: Apply, place: str, apart: bool) -> list[Partial]:
        constructor = tree.constructor
        meanings, scope, conveyed = self.meanings(tree), self.scope(tree), self.conveyed(tree)
        parts = [self.argument(tree, index, scope, f"{place}.{index}", apart) for index in range(len(tree.arguments))]
        partials: dict[Partial, None] = {}
        for meaning, combination in product(meanings, list(product(*parts))):
            self.terms.name_from(place)
            env = self.environment(tree, [p.term for p in combination])
            own = self.anaphor(tree, meaning)
            if own and own[0].variable:
                env["it"] = Var(own[0].variable)
            used: set[str] = set()
            term = self.terms.evaluate(meaning.formula, env, used)
            for beside in conveyed:
                type_ = self.grammar.categories[constructor.result].type
                term = self.joined(term, self.terms.evaluate(beside.formula, env, used), type_)
            store = tuple([s for p in combination for s in p.store])
            order = tuple([o for p in combination for o in p.order])
            refers = (*[r for p in combination for r in p.refers], *own)
            numeral = bool(scope and scope.trace and self.counted(scope.trace, env))
            further = (*((meaning.reading,) if meaning.reading else ()), *[f for p in combination for f in p.further])
            partial = Partial(term, store, order, further, refers)
            partials.update(dict.fromkeys(self.finished(constructor, scope, partial, numeral)))
        return list(partials)

    def anaphor(self, tree: Apply, meaning: Meaning) -> tuple[Anaphor, ...]:
        """The anaphors of the constructor itself; the first has the variable `it`, if that occurs in the meaning."""
        anaphors: list[Anaphor] = []
        occurs = bool(tree.constructor.refers) and "it" in free_variables(meaning.formula)
        for refers in tree.constructor.refers:
            if case_holds(refers.cases, tree, {}, self.chosen, self.grammar):
                anaphors.append(Anaphor(f"it{self.terms.place}" if occurs and not anaphors else None, refers.names))
        return tuple(anaphors)

    def counted(self, trace: str, env: Mapping[str, Argument]) -> bool:
        """Whether the number of a numeral's trace is known (a drawn number is, when readings are composed)."""
        held = env.get(trace)
        return (held.name if isinstance(held, Const) else trace).isdigit()

    def meanings(self, tree: Apply) -> list[Meaning]:
        """The meaning of these features, then the further meanings, one for each reading that they name. Where all have
        a name, the first is the surface reading."""
        by_reading: dict[str, Meaning] = {}
        for meaning in sorted(tree.constructor.sems, key=lambda m: m.reading != ""):
            taken = meaning.reading in by_reading or meaning.conveys
            if not taken and case_holds(meaning.cases, tree, {}, self.chosen, self.grammar):
                by_reading[meaning.reading] = meaning
        if not by_reading:
            raise KeyError(f"{tree.constructor.name} has no meaning for these features")
        return list(by_reading.values())

    def conveyed(self, tree: Apply) -> list[Meaning]:
        """What the constructor conveys in these features: one meaning at most."""
        found = (m for m in tree.constructor.sems if m.conveys)
        return [m for m in found if case_holds(m.cases, tree, {}, self.chosen, self.grammar)][:1]

    def meant(self, tree: Apply) -> tuple[object, ...]:
        """All that the constructor at the root of a tree means in these features, but for the columns of words that it
        names: equal for constructors, of whatever grammars, that make the same of their arguments."""
        constructor, scope = tree.constructor, self.scope(tree)
        says = any(not each.conveys for each in constructor.sems)
        return (
            self.grammar.categories[constructor.result].type,
            *((each.name, each.is_feature, each.island, each.repeats) for each in constructor.arguments),
            *(None if a.is_feature else self.grammar.categories[a.category].type for a in constructor.arguments),
            *((each.formula, each.reading) for each in (self.meanings(tree) if says else ())),
            *(each.formula for each in self.conveyed(tree)),
            *(each.names for each in constructor.refers if case_holds(each.cases, tree, {}, self.chosen, self.grammar)),
            None if scope is None else replace(scope, cases=()),
        )

    def joined(self, said: Argument, conveyed: Argument, type_: Type | None) -> Argument:
        """A meaning with what is conveyed beside it, below the variables of a function."""
        if isinstance(type_, Function):
            variable = said.variable if isinstance(said, Lambda) else self.terms.fresh()
            inner = self.terms.apply(said, Var(variable)), self.terms.apply(conveyed, Var(variable))
            return Lambda(variable, self.joined(*inner, type_.result))
        return Atom(CONVEYS, (said, conveyed))

    def scope(self, tree: Apply) -> Scope | None:
        """The scope of the constructor in these features."""
        found = (s for s in tree.constructor.scopes if case_holds(s.cases, tree, {}, self.chosen, self.grammar))
        return next(found, None)

    def argument(self, tree: Apply, index: int, scope: Scope | None, place: str, apart: bool) -> list[Partial]:
        """The readings of an argument, with stored quantifiers taken out or left in."""
        argument = tree.constructor.arguments[index]
        if argument.is_feature:
            return [Partial(Const("feature"))]
        partials = self.compose(tree.arguments[index], place, apart or argument.repeats is not None)
        statement = self.grammar.categories[argument.category].type in (T_TYPE, OF_OCCASIONS)
        if not (argument.island or statement) or not any(partial.store for partial in partials):
            return partials
        self.terms.name_from(f"{place}/")  # of its own: the argument has variables of its place, free ones among them
        operator = scope.name if scope else None
        taken_out = (
            closed(each, self.terms) if argument.island else loosened(each, operator, self.terms) for each in partials
        )
        return list(dict.fromkeys(chain.from_iterable(taken_out)))

    def finished(
        self, constructor: Constructor, scope: Scope | None, partial: Partial, numeral: bool = False
    ) -> list[Partial]:
        """Store a quantifier; put an operator's name before the scope order, take out quantifiers that go above it."""
        if scope is None or scope.in_place:
            return [partial]
        if is_quantifier(self.grammar.categories[constructor.result].type):
            meaning, bound = marked(partial.term, scope.name, self.terms.place, numeral), self.terms.fresh()
            variable = bound_by(meaning) or self.terms.fresh()
            stored = Stored(
                variable=variable,
                quantifier=meaning,
                name=scope.name,
                above=scope.above,
                numeral=numeral,
                exceptional=scope.exceptional,
            )
            raised = Lambda(bound, Atom(bound, (Var(variable),)))
            return [replace(partial, term=raised, store=(*partial.store, stored))]
        done = replace(partial, order=(scope.name, *partial.order))
        return list(released(done, scope.name, self.terms))

    def environment(self, tree: Apply, terms: list[Argument]) -> dict[str, Argument]:
        """What the names of a meaning stand for: arguments (`terms`), and columns of words."""
        named = zip(tree.constructor.arguments, terms, strict=True)
        env = {argument.name: term for argument, term in named if not argument.is_feature}
        return env | {name: Const(held) for name, held in self.columns(tree)}

    def columns(self, tree: Apply) -> Iterator[tuple[str, str]]:
        """The columns of words that a meaning names (``v.pre``), each with what it holds, or a symbol of it."""
        for name, column in consulted(tree.constructor, self.grammar)[1]:
            index = tree.constructor.argument(name)
            below = None if index is None else tree.arguments[index]
            if isinstance(below, Slot) and column in self.grammar.categories[below.category].columns:
                held: Cell = self.chosen.get((below.path, column), symbol(below, column))
                yield f"{name}.{column}", str(held)
            elif isinstance(below, Given) and not below.is_feature:
                lexeme = self.grammar.lexeme(below.category, below.value)
                if lexeme is not None and column in lexeme.columns:
                    yield f"{name}.{column}", str(lexeme.columns[column])
