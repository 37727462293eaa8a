"""The notation of formulas, in and out: with as few parentheses as it needs, ASCII or Unicode.

Strength: `~`, operators, quantifiers with a pair; then `@`, `/`, `&`, `|`, `->` (to the right), `<->`;
`forall x. F` and `exists x. F` reach as far right as they can. A name that is bound is a variable, else a constant.
`the x. (F)` inside an atom or equation takes scope over the smallest that holds it (Russell 1905 on scope): `the x. (F,
atom(x))`. Law: `parse(show(f)) == f` for every formula without a Description.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Const, Description, Formula, Var
from gramprobe.formula.lexer import FormulaError, UnknownOperator, tokens
from gramprobe.formula.reader import Reader

_ASCII = {"not": "~", "unequal": " != ",
          "forall": "forall ", "exists": "exists ", "lambda": "\\", "the": "the ", "nec": "nec ",
          "poss": "poss ", "true": "true", "false": "false"}  # fmt: skip
_UNICODE = {"not": "¬", "unequal": " ≠ ",
            "forall": "∀", "exists": "∃", "lambda": "λ", "the": "ι", "nec": "□", "poss": "◇",
            "true": "⊤", "false": "⊥"}  # fmt: skip
_TIGHT = 7


def show(formula: Argument, unicode: bool = False) -> str:
    """The formula as text; `parse(show(f)) == f`."""
    if isinstance(formula, ast.Interrogative):
        return "? " + show(formula.body, unicode)
    return _show(formula, 0, True, _UNICODE if unicode else _ASCII)


def _show(node: Argument, wanted: int, last: bool, signs: dict[str, str]) -> str:
    """`wanted`: the least strength that needs no parentheses; `last`: the node is the rightmost of its group."""
    match node:
        case ast.Var(name) | ast.Const(name):
            return name
        case ast.Description(variable, body):
            return f"{signs['the']}{variable}. ({_show(body, 0, True, signs)})"
        case ast.Truth(value):
            return signs["true" if value else "false"]
        case ast.Atom(predicate, args):
            if not args:
                return predicate
            return f"{predicate}({', '.join(_show(arg, 0, True, signs) for arg in args)})"
        case ast.Equal(left, right):
            return f"{_show(left, 0, False, signs)} = {_show(right, 0, False, signs)}"
        case ast.Not(ast.Equal(left, right)):
            return f"{_show(left, 0, False, signs)}{signs['unequal']}{_show(right, 0, False, signs)}"
        case ast.Not(body):
            return signs["not"] + _show(body, _TIGHT, last, signs)
        case ast.Here(body):
            return _wrapped(_show(body, 6, False, signs) + " @ here", wanted > 6)
        case ast.Modal(operator, None, body):
            return signs.get(operator, operator + " ") + _show(body, _TIGHT, last, signs)
        case ast.Modal(operator, agent, body):
            assert agent is not None
            return f"{operator}[{_show(agent, 0, True, signs)}] {_show(body, _TIGHT, last, signs)}"
        case ast.Exhaustified(body):
            return "exh " + _show(body, _TIGHT, last, signs)
        case ast.Announced(announcement, body):
            return f"[! {_show(announcement, 0, True, signs)}] {_show(body, _TIGHT, last, signs)}"
        case ast.EventUpdate(event, body, args):
            about = f"({', '.join(_show(arg, 0, True, signs) for arg in args)})" if args else ""
            return f"[{event}{about}] {_show(body, _TIGHT, last, signs)}"
        case ast.Lambda(variable, argument):
            return _wrapped(f"{signs['lambda']}{variable}. {_show(argument, 0, True, signs)}", not last)
        case ast.Quantified():
            return _quantified(node, last, signs)
        case ast.Interrogative():
            raise ValueError("`?` stands only outermost")
        case _:
            infix = ast.signature(node, "show").infix
            if infix is None:
                raise ast.NoRule("show", type(node))
            wrap = wanted > infix.strength
            left, right = ast.children(node)
            sign = infix.unicode if signs is _UNICODE else infix.sign
            after = _show(right, infix.right, last or wrap, signs)
            return _wrapped(f"{_show(left, infix.left, False, signs)} {sign} {after}", wrap)


def _quantified(node: ast.Quantified, last: bool, signs: dict[str, str]) -> str:
    head, scope = _binder(node, signs)
    if node.restrictor != ast.TRUE or node.quantifier == "the" or head.startswith(("always", "never")):
        pair = f"{_show(node.restrictor, 0, True, signs)}, {_show(scope, 0, True, signs)}"
        return f"{head} ({pair})"
    if node.quantifier in ("forall", "exists"):
        return _wrapped(f"{head} {_show(scope, 0, True, signs)}", not last)
    return f"{head} {_show(scope, _TIGHT, last, signs)}"


def _binder(node: ast.Quantified, signs: dict[str, str]) -> tuple[str, Formula]:
    """The quantifier up to its dot, and the scope to write (that of `never` loses its negation)."""
    variable = node.variable
    if node.sort == "occasion":
        if node.quantifier == "most":
            return f"usually {variable}.", node.scope
        if node.quantifier == "atleast" and node.count == 2:
            return f"sometimes {variable}.", node.scope
        if node.quantifier == "forall":
            if isinstance(node.scope, ast.Not):
                return f"never {variable}.", node.scope.body
            return f"always {variable}.", node.scope
        variable += ":occasion"
    count = "" if node.count is None else f"{node.count} "
    return f"{signs.get(node.quantifier, node.quantifier + ' ')}{count}{variable}.", node.scope


def _wrapped(text: str, wrap: bool) -> str:
    return f"({text})" if wrap else text


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
