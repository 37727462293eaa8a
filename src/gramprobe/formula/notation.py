"""The notation of formulas, in and out.

Strength: `~`, operators, quantifiers with a pair; then `@`, `/`, `&`, `|`, `->` (to the right), `<->`;
`forall x. F` and `exists x. F` reach as far right as they can. A name that is bound is a variable, else a constant.
`the x. (F)` inside an atom or equation takes scope over the smallest that holds it (Russell 1905 on scope): `the x. (F,
atom(x))`. Law: `parse(show(f)) == f` for every formula without a Description.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from gramprobe.formula.ast import Argument, Const, Description, Formula, Var
from gramprobe.formula.lexer import FormulaError, UnknownOperator, tokens
from gramprobe.formula.printer import show
from gramprobe.formula.reader import Reader

__all__ = ["FormulaError", "UnknownOperator", "parse", "parse_meaning", "show"]


def parse(text: str, *, variables: Collection[str] = (), operators: Collection[str] | None = None) -> Formula:
    """Read a formula.

    `variables` are bound outside. `operators` are the operators of the theory; without them any name followed
    by `[agent]`, or by a space and the start of a formula, is taken as one. Raises FormulaError.
    """
    read = parse_meaning(text, variables=variables, operators=operators)
    if not isinstance(read, (Var, Const, Description)):
        return read
    start, length = len(text) - len(text.lstrip()), len(text.strip())
    raise FormulaError("a formula is wanted here, and this is a term", start, length, "write `the x. (F, G)`")


def parse_meaning(text: str, *, variables: Collection[str] = (), operators: Collection[str] | None = None) -> Argument:
    """Read the meaning of a word: a formula, a lambda, or a description `the x. (F)` left unexpanded."""
    return _read(text, frozenset(variables), None if operators is None else tuple(operators))


@lru_cache(maxsize=4096)
def _read(text: str, variables: frozenset[str], operators: tuple[str, ...] | None) -> Argument:
    """Read a text once: the lines of a file are read again for every grammar and theory that includes it, and formulas
    are values."""
    reader = Reader(tokens(text), variables, operators)
    read = reader.whole()
    reader.wants_end()
    return read
