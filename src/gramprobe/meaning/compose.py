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
from itertools import combinations, permutations, product
from operator import is_
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import (
    Argument,
    Atom,
    Const,
    Formula,
    Lambda,
    Modal,
    Quantified,
    Var,
    map_parts,
)
from gramprobe.formula.binding import free_variables
from gramprobe.meaning.antecedents import Antecedents, bound_by, mark_of, marked, tidied, with_plural_trace
from gramprobe.meaning.conveyed import CONVEYS, at_actual, parted
from gramprobe.resolve.grammar.data import Cell, Constructor, Grammar, Meaning, Scope
from gramprobe.resolve.grammar.types import OF_OCCASIONS, T_TYPE, Function, Type, is_quantifier
from gramprobe.resolve.tree import Apply, Given, Slot, Tree
from gramprobe.words.linearise import Chosen, case_holds, keys_of

#: what a formula with `@ here` in it mentions
HERE = " here "

#: around a slot's path if it is a symbol of a formula, until the slot is filled
OPEN, CLOSE = "\u2039", "\u203a"


class Anaphor(Struct, frozen=True):
    """A requirement of a reading on the sentence before it.

    Attributes:
        variable: The free variable that needs an antecedent; None (`each time`) if an operator only has to occur.
        names: The scope names of possible antecedents, or of operators.
    """

    variable: str | None
    names: tuple[str, ...]


class Reading(Struct, frozen=True):
    """A meaning of a sentence.

    Attributes:
        id: The scope order of its operators, outermost first, or its name.
        formula: Its formula over the symbols of slots.
        antecedents: The antecedents for a later sentence: scope names with their bound variables in the formula (a
            numeral has its variable, or several above occasions).
        refers: Its own anaphors, whose variables are free in the formula.
        order: All its operators, outermost first.
        words: The operators of its sentence in the order of the words, where that was asked for.
        conveys: What is conveyed beside the formula, over the symbols of slots; None if nothing is declared.
    """

    id: str
    formula: Formula
    antecedents: Antecedents = ()
    refers: tuple[Anaphor, ...] = ()
    order: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    conveys: Formula | None = None


class _Stored(Struct, frozen=True, kw_only=True):
    variable: str
    quantifier: Argument
    name: str
    above: tuple[str, ...]
    numeral: bool = False
    exceptional: bool = False


class _Partial(Struct, frozen=True):
    term: Argument
    store: tuple[_Stored, ...] = ()
    order: tuple[str, ...] = ()
    #: the ids of the further meanings that were taken
    further: tuple[str, ...] = ()
    refers: tuple[Anaphor, ...] = ()


def symbol(slot: Slot, column: str | None = None) -> str:
    """The symbol of a slot in a formula before the slot is filled."""
    return f"{OPEN}{slot.path}{'.' + column if column else ''}{CLOSE}"


def consulted_by_meaning(tree: Tree, grammar: Grammar) -> list[tuple[Slot, str | None]]:
    """The features (and numbers) of drawn words on which the formula depends, beside the words' symbols."""
    keys: dict[tuple[Slot, str | None], None] = {}
    if isinstance(tree, Apply):
        constructor = tree.constructor
        for cases in constructor.cases:
            for case in cases:
                keys.update(dict.fromkeys(keys_of(case.operand, tree, grammar)))
        for argument, column in _columns(constructor, grammar):
            index = constructor.argument(argument)
            slot = tree.arguments[index] if index is not None else None
            if isinstance(slot, Slot) and _is_number(slot, column, grammar):
                keys[slot, column] = None
        for argument_ in tree.arguments:
            keys.update(dict.fromkeys(consulted_by_meaning(argument_, grammar)))
    return list(keys)


def _columns(constructor: Constructor, grammar: Grammar) -> list[tuple[str, str]]:
    """The columns of arguments that a constructor's meanings and traces name; found once."""
    key = "columns of meanings", id(constructor)
    if key not in grammar.memory:
        traces = [s.trace for s in constructor.scopes if s.trace and "." in s.trace]
        every = (traces, *(dotted(meaning.formula) for meaning in constructor.sems))
        split = (name.partition(".") for names_ in every for name in names_)
        grammar.memory[key] = constructor, [(argument, column) for argument, _, column in split]
    found: list[tuple[str, str]] = grammar.memory[key][1]
    return found


def _is_number(slot: Slot, column: str, grammar: Grammar) -> bool:
    declared = grammar.categories[slot.category].columns.get(column)
    return declared is not None and declared.type == "number"


def dotted(node: Argument) -> Iterator[str]:
    """The names with a column in a meaning: ``n.value``, ``v.pre``."""
    for part in ast.walk(node):
        match part:
            case Var(name) | Const(name) | Atom(name, _) | Modal(name, _, _):
                if "." in name:
                    yield name
        if isinstance(part, Quantified) and isinstance(part.count, str) and "." in part.count:
            yield part.count


class Spent(Exception):
    """A composition took more steps than it was given."""


class Budget:
    """So many steps are left for composition; the one below none raises Spent."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Spent


def readings(tree: Tree, chosen: Chosen, grammar: Grammar, composer: Composer | None = None) -> tuple[Reading, ...]:
    """Every reading of a sentence, the surface reading first.

    Readings with the same formula count once; of two with the same id, the second gets a prime. ``composer``: what has
    composed parts of the tree already. Raises Spent if that has a budget and it does not suffice.
    """
    composer = composer or Composer(chosen, grammar)
    by_formula: dict[Formula, Reading] = {}
    partials = composer.compose(tree)
    composer.name_from("")
    every = (done for partial in partials for done in composer.emptied(partial))
    for done in dict.fromkeys(every):
        term = cast(Formula, done.term)
        said, conveyed = parted(term) if CONVEYS in composer.mentions(term) else (term, None)
        said = at_actual(said) if HERE in composer.mentions(term) else said
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


def _id(partial: _Partial, grammar: Grammar) -> str:
    """The id of a reading: of the further meanings in it, else the name of its scope order, else that order."""
    order = " > ".join(partial.order)
    return " + ".join(partial.further) or grammar.readings.get(order, order)


class Composer:
    """Composes trees, each part of them once.

    Bound variables are named by place: by the words that a part is made of (`put`), or by where it stands in its tree.
    So trees of the same words that mean the same have equal terms, and a term that is applied keeps its names; only
    where it is applied twice in one term, it gets new ones (Barendregt's convention).
    """

    def __init__(self, chosen: Chosen, grammar: Grammar, budget: Budget | None = None):
        self.chosen, self.grammar, self.budget = chosen, grammar, budget
        self.name_from("")
        self._places: dict[int, tuple[Tree, str]] = {}
        self._composed: dict[int, list[_Partial]] = {}
        self._mentions: dict[int, tuple[Argument, frozenset[str]]] = {}
        self.interpreted: dict[Formula, Formula] = {}
        """Formulas of readings, and what a theory makes of them (`judge.readings_of`)."""

    def put(self, tree: Tree, place: str) -> None:
        """Say where a tree stands: what it means is composed once, in whatever tree it is a part."""
        self._places[id(tree)] = tree, place

    def name_from(self, place: str) -> None:
        """Name new variables by this place, which no part of the terms at hand was named by."""
        self._place, self._named = place, 0

    def fresh(self, old: str = "") -> str:
        """A new variable; if it replaces an ``old`` variable, it keeps the mark."""
        self._named += 1
        return f"v{self._place}_{self._named}'{mark_of(old)}"

    # -- trees

    def compose(self, tree: Tree, place: str = "0", apart: bool = False) -> list[_Partial]:
        """The meanings of a tree, with their stored quantifiers, each once: equal for trees of the same place that mean
        the same, whatever is around them. ``apart``: it stands in its tree for a second time. Raises Spent."""
        if isinstance(tree, Slot):
            return [_Partial(Const(symbol(tree)))]
        if isinstance(tree, Given):
            return [_Partial(Const(tree.value))]
        assert isinstance(tree, Apply)
        known = None if apart else self._places.get(id(tree))
        if known is None:
            return self._compose(tree, place, apart)
        if id(tree) not in self._composed:
            self._composed[id(tree)] = self._compose(tree, known[1], False)
        return self._composed[id(tree)]

    def _compose(self, tree: Apply, place: str, apart: bool) -> list[_Partial]:
        constructor = tree.constructor
        meanings, scope, conveyed = self.meanings(tree), self.scope(tree), self.conveyed(tree)
        parts = [self.argument(tree, index, scope, f"{place}.{index}", apart) for index in range(len(tree.arguments))]
        partials: dict[_Partial, None] = {}
        for meaning, combination in product(meanings, list(product(*parts))):
            self.name_from(place)
            env = self.environment(tree, [p.term for p in combination])
            own = self.anaphor(tree, meaning)
            if own and own[0].variable:
                env["it"] = Var(own[0].variable)
            used: set[str] = set()
            term = self.evaluate(meaning.formula, env, used)
            for beside in conveyed:
                type_ = self.grammar.categories[constructor.result].type
                term = self.joined(term, self.evaluate(beside.formula, env, used), type_)
            store = tuple([s for p in combination for s in p.store])
            order = tuple([o for p in combination for o in p.order])
            refers = (*[r for p in combination for r in p.refers], *own)
            numeral = bool(scope and scope.trace and self.counted(scope.trace, env))
            further = (*((meaning.reading,) if meaning.reading else ()), *[f for p in combination for f in p.further])
            partial = _Partial(term, store, order, further, refers)
            partials.update(dict.fromkeys(self.finished(constructor, scope, partial, numeral)))
        return list(partials)

    def anaphor(self, tree: Apply, meaning: Meaning) -> tuple[Anaphor, ...]:
        """The anaphors of the constructor itself; the first has the variable `it`, if that occurs in the meaning."""
        anaphors: list[Anaphor] = []
        occurs = bool(tree.constructor.refers) and "it" in free_variables(meaning.formula)
        for refers in tree.constructor.refers:
            if case_holds(refers.cases, tree, {}, self.chosen, self.grammar):
                anaphors.append(Anaphor(f"it{self._place}" if occurs and not anaphors else None, refers.names))
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
            if meaning.reading in by_reading or meaning.conveys:
                continue
            if case_holds(meaning.cases, tree, {}, self.chosen, self.grammar):
                by_reading[meaning.reading] = meaning
        if not by_reading:
            raise KeyError(f"{tree.constructor.name} has no meaning for these features")
        return list(by_reading.values())

    def conveyed(self, tree: Apply) -> list[Meaning]:
        """What the constructor conveys in these features: one meaning at most."""
        found = (m for m in tree.constructor.sems if m.conveys)
        return [m for m in found if case_holds(m.cases, tree, {}, self.chosen, self.grammar)][:1]

    def joined(self, said: Argument, conveyed: Argument, type_: Type | None) -> Argument:
        """A meaning with what is conveyed beside it, below the variables of a function."""
        if isinstance(type_, Function):
            variable = self.fresh()
            inner = self.apply(said, Var(variable)), self.apply(conveyed, Var(variable))
            return Lambda(variable, self.joined(*inner, type_.result))
        return Atom(CONVEYS, (said, conveyed))

    def scope(self, tree: Apply) -> Scope | None:
        for scope in tree.constructor.scopes:
            if case_holds(scope.cases, tree, {}, self.chosen, self.grammar):
                return scope
        return None

    def argument(self, tree: Apply, index: int, scope: Scope | None, place: str, apart: bool) -> list[_Partial]:
        """The readings of an argument, with stored quantifiers taken out or left in."""
        argument = tree.constructor.arguments[index]
        if argument.is_feature:
            return [_Partial(Const("feature"))]
        partials = self.compose(tree.arguments[index], place, apart or argument.repeats is not None)
        statement = self.grammar.categories[argument.category].type in (T_TYPE, OF_OCCASIONS)
        if not (argument.island or statement) or not any(partial.store for partial in partials):
            return partials
        self.name_from(f"{place}/")  # of its own: the argument has variables of its place, free ones among them
        operator = scope.name if scope else None
        loosened = self.closed if argument.island else lambda each: self.loosened(each, operator)
        return list(dict.fromkeys(done for each in partials for done in loosened(each)))

    def finished(
        self, constructor: Constructor, scope: Scope | None, partial: _Partial, numeral: bool = False
    ) -> list[_Partial]:
        """Store a quantifier; put an operator's name before the scope order, take out quantifiers that go above it."""
        if scope is None or scope.in_place:
            return [partial]
        if is_quantifier(self.grammar.categories[constructor.result].type):
            meaning, bound = marked(partial.term, scope.name, self._place, numeral), self.fresh()
            variable = bound_by(meaning) or self.fresh()
            stored = _Stored(
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
        return list(self.released(done, scope.name))

    # -- the store

    def loosened(self, partial: _Partial, operator: str | None) -> Iterator[_Partial]:
        """Below an operator: quantifiers left in the store first (wide scope), then taken out in every order.

        A quantifier with ``above`` is taken out here unless it is to stand above this very operator.
        """
        if operator is None or not partial.store:  # no operator to be above or below: all quantifiers may wait
            yield partial
        if not partial.store:
            return
        free = [s for s in partial.store if not s.above]
        for size in range(len(free) + 1):
            for chosen in combinations(free, size):
                out = [s for s in partial.store if s in chosen or (s.above and operator not in s.above)]
                left = tuple(s for s in partial.store if s not in out)
                for order in self.orders(out, left):
                    yield self.taken(replace(partial, store=left), order)

    def released(self, partial: _Partial, operator: str) -> Iterator[_Partial]:
        """Just above an operator: the quantifiers that must stand above it are taken out, in the order of the words."""
        out = [s for s in partial.store if operator in s.above]
        left = tuple(s for s in partial.store if s not in out)
        for order in self.orders(out, left):
            yield self.taken(replace(partial, store=left), order)
            return

    def closed(self, partial: _Partial) -> Iterator[_Partial]:
        """At an island: all quantifiers taken out; exceptional indefinites taken out or left in (Fodor & Sag 1982)."""
        free = [s for s in partial.store if s.exceptional]
        for size in range(len(free) + 1):
            for staying in combinations(free, size):
                inside = replace(partial, store=tuple(s for s in partial.store if s not in staying))
                for done in self.emptied(inside):
                    yield replace(done, store=staying)

    def emptied(self, partial: _Partial) -> Iterator[_Partial]:
        """All quantifiers taken out, in every order; the first is the order of the words."""
        for order in self.orders(list(partial.store), ()):
            yield self.taken(replace(partial, store=()), order)

    def orders(self, out: list[_Stored], left: tuple[_Stored, ...]) -> Iterator[tuple[_Stored, ...]]:
        """The orders in which quantifiers may be taken out, innermost first; the first is that of the words.

        Those with ``above`` keep the order of the words among themselves. No quantifier is taken out below another
        whose noun phrase holds its variable (`a picture of every newt`): that variable would be left free.
        """
        for order in permutations(reversed(out)):
            fixed = [s for s in order if s.above]
            if fixed != [s for s in reversed(out) if s.above]:
                continue
            rest = [(s, (*order[i + 1 :], *left)) for i, s in enumerate(order)]
            if not any(s.variable in self.mentions(o.quantifier) for s, others in rest for o in others):
                yield order

    def taken(self, partial: _Partial, out: tuple[_Stored, ...]) -> _Partial:
        """The quantifiers put before the term, the first of ``out`` innermost."""
        for stored in out:
            term = self.quantify(partial.term, stored)
            partial = replace(partial, term=term, order=(stored.name, *partial.order))
        return partial

    def quantify(self, term: Argument, stored: _Stored) -> Argument:
        if isinstance(term, Lambda):  # inside a property: below its variable
            return Lambda(term.variable, self.quantify(term.body, stored))
        raised = self.apply(stored.quantifier, Lambda(stored.variable, term))
        return with_plural_trace(raised) if stored.numeral else raised

    # -- terms: evaluation with bound variables that stand once in a term, so that nothing is captured

    def environment(self, tree: Apply, terms: list[Argument]) -> dict[str, Argument]:
        env: dict[str, Argument] = {}
        for argument, term in zip(tree.constructor.arguments, terms, strict=True):
            if not argument.is_feature:
                env[argument.name] = term
        for name, column in _columns(tree.constructor, self.grammar):
            index = tree.constructor.argument(name)
            below = None if index is None else tree.arguments[index]
            if isinstance(below, Slot) and column in self.grammar.categories[below.category].columns:
                held: Cell = self.chosen.get((below.path, column), symbol(below, column))
                env[f"{name}.{column}"] = Const(str(held))
            elif isinstance(below, Given) and not below.is_feature:
                lexeme = self.grammar.lexeme(below.category, below.value)
                if lexeme is not None and column in lexeme.columns:
                    env[f"{name}.{column}"] = Const(str(lexeme.columns[column]))
        return env

    def mentions(self, node: Argument) -> frozenset[str]:
        """Every variable and predicate in a node; found once."""
        kind = type(node)
        if kind is Var or kind is Const:
            return frozenset((node.name,))  # type: ignore[union-attr]
        known = self._mentions.get(id(node))
        if known is None:
            own = (node.predicate,) if kind is Atom else (HERE,) if kind is ast.Here else ()  # type: ignore[union-attr]
            inside = [self.mentions(part) for part in ast.parts(node)]
            known = self._mentions[id(node)] = node, frozenset(own).union(*inside)
        return known[1]

    def spend(self) -> None:
        if self.budget is not None:
            self.budget.spend()

    def evaluate(self, node: Argument, env: Mapping[str, Argument], used: set[str]) -> Argument:
        """The formula of a meaning with what names stand for, and new variables of its own; what a name stands for gets
        new ones, too, where it was ``used`` before in the same term."""
        self.spend()
        kind = type(node)  # the commonest first
        if kind is Var or kind is Const:
            return self.held(node.name, env, used) or node  # type: ignore[union-attr]
        if kind is Atom:
            predicate: str = node.predicate  # type: ignore[union-attr]
            return self.apply(
                self.held(predicate, env, used) or Const(predicate),
                *[self.evaluate(each, env, used) for each in node.args],  # type: ignore[union-attr]
            )
        match node:
            case Lambda(variable, body):
                new = self.fresh()
                return Lambda(new, self.evaluate(body, {**env, variable: Var(new)}, used))
            case Quantified(count=count, variable=variable, restrictor=restrictor, scope=scope):
                new = self.fresh(variable)
                inner = {**env, variable: Var(new)}
                held = env.get(count) if isinstance(count, str) else None
                return Quantified(
                    quantifier=node.quantifier,
                    count=int(held.name) if isinstance(held, Const) else count,
                    variable=new,
                    sort=node.sort,
                    restrictor=cast(Formula, self.evaluate(restrictor, inner, used)),
                    scope=cast(Formula, self.evaluate(scope, inner, used)),
                )
            case Modal(operator, agent, body):
                drawn = env.get(operator)
                return Modal(
                    drawn.name if isinstance(drawn, Const) else operator,
                    None if agent is None else self.evaluate(agent, env, used),
                    self.evaluate(body, env, used),  # type: ignore[arg-type]
                )
            case _:
                if ast.signature(node, "compose").binds is not False and not isinstance(node, ast.Description):
                    raise ast.NoRule("compose", type(node))
                return map_parts(lambda part: self.evaluate(part, env, used), node)

    def held(self, name: str, env: Mapping[str, Argument], used: set[str]) -> Argument | None:
        """What a name stands for, if for anything."""
        value = env.get(name)
        if value is None or type(value) is Const or type(value) is Var:
            return value
        if name in used:
            return self.evaluate(value, {}, set())
        used.add(name)
        return value

    def apply(self, function: Argument, *args: Argument) -> Argument:
        """Apply to arguments one by one: beta reduction for a lambda, an atom for a symbol."""
        for index, argument in enumerate(args):
            if isinstance(function, Lambda):
                function = self.reduced(function.body, function.variable, argument)
            elif isinstance(function, (Const, Var)):
                return Atom(function.name, args[index:])
            elif isinstance(function, Atom):
                function = Atom(function.predicate, (*function.args, argument))
            else:
                raise TypeError(f"{function} is applied to {argument}")
        if isinstance(function, (Const, Var)):  # a proposition
            return Atom(function.name)
        return function

    def reduced(self, body: Argument, name: str, value: Argument) -> Argument:
        """The body of a lambda with a value in the place of its variable; what does not mention it is left as it is."""
        if type(value) is Var and value.name == name:
            return body
        env, used = {name: value}, set[str]()

        def put(node: Any) -> Any:
            kind = type(node)
            if kind is Var:
                return self.held(name, env, used) if node.name == name else node
            if kind is Const:
                return node
            if kind is Atom:
                args = tuple([put(each) for each in node.args])
                if node.predicate == name:
                    return self.apply(self.held(name, env, used), *args)  # type: ignore[arg-type]
                return node if all(map(is_, args, node.args)) else Atom(node.predicate, args)
            if name not in self.mentions(node):
                return node
            self.spend()
            return map_parts(put, node)

        return put(body)  # type: ignore[no-any-return]
