"""Quantifier storage (Cooper 1983): which stored quantifiers are taken out where, and in which orders."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice, permutations

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.formula.ast import Argument, Lambda
from gramprobe.meaning.antecedents import with_plural_trace
from gramprobe.meaning.reading import Anaphor
from gramprobe.meaning.terms import Terms


class Stored(Struct, frozen=True, kw_only=True):
    """A quantifier that waits: the variable that it left, its meaning, and its scope name; the operators that it is to
    stand above; whether it is a numeral, and whether it may leave an island."""

    variable: str
    quantifier: Argument
    name: str
    above: tuple[str, ...]
    numeral: bool = False
    exceptional: bool = False


class Partial(Struct, frozen=True):
    """A meaning of a part of a sentence.

    Attributes:
        term: a lambda term or a formula, of the type of the part's category.
        store: quantifiers whose variables are free in it, in the order of the words.
        order: the operators in it, outermost first.
        further: the ids of the further meanings that were taken.
        refers: its anaphors.
    """

    term: Argument
    store: tuple[Stored, ...] = ()
    order: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    refers: tuple[Anaphor, ...] = ()


def loosened(partial: Partial, operator: str | None, terms: Terms) -> Iterator[Partial]:
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
            for order in _orders(out, left, terms):
                yield _taken(replace(partial, store=left), order, terms)


def released(partial: Partial, operator: str, terms: Terms) -> Iterator[Partial]:
    """Just above an operator: the quantifiers that must stand above it are taken out, in the order of the words."""
    out = [s for s in partial.store if operator in s.above]
    left = tuple(s for s in partial.store if s not in out)
    for order in islice(_orders(out, left, terms), 1):
        yield _taken(replace(partial, store=left), order, terms)


def closed(partial: Partial, terms: Terms) -> Iterator[Partial]:
    """At an island: all quantifiers taken out; exceptional indefinites taken out or left in (Fodor & Sag 1982)."""
    free = [s for s in partial.store if s.exceptional]
    for size in range(len(free) + 1):
        for staying in combinations(free, size):
            inside = replace(partial, store=tuple(s for s in partial.store if s not in staying))
            for done in emptied(inside, terms):
                yield replace(done, store=staying)


def emptied(partial: Partial, terms: Terms) -> Iterator[Partial]:
    """All quantifiers taken out, in every order; the first is the order of the words."""
    for order in _orders(list(partial.store), (), terms):
        yield _taken(replace(partial, store=()), order, terms)


def _orders(out: list[Stored], left: tuple[Stored, ...], terms: Terms) -> Iterator[tuple[Stored, ...]]:
    """The orders in which quantifiers may be taken out, innermost first; the first is that of the words.

    Those with ``above`` keep the order of the words among themselves. No quantifier is taken out below another
    whose noun phrase holds its variable (`a picture of every newt`): that variable would be left free.
    """
    for order in permutations(reversed(out)):
        fixed = [s for s in order if s.above] == [s for s in reversed(out) if s.above]
        later = ((s, other) for i, s in enumerate(order) for other in (*order[i + 1 :], *left))
        if fixed and not any(s.variable in terms.mentions(other.quantifier) for s, other in later):
            yield order


def _taken(partial: Partial, out: tuple[Stored, ...], terms: Terms) -> Partial:
    """The quantifiers put before the term, the first of ``out`` innermost."""
    for stored in out:
        term = _quantify(partial.term, stored, terms)
        partial = replace(partial, term=term, order=(stored.name, *partial.order))
    return partial


def _quantify(term: Argument, stored: Stored, terms: Terms) -> Argument:
    if isinstance(term, Lambda):  # inside a property: below its variable
        return Lambda(term.variable, _quantify(term.body, stored, terms))
    raised = terms.apply(stored.quantifier, Lambda(stored.variable, term))
    return with_plural_trace(raised) if stored.numeral else raised
