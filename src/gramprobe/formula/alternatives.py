"""The alternatives of a formula: scale-mates put at the same place (Horn 1972; Sauerland 2004).

A scale is a list of words, weak to strong: `some all`, `or and`, `may must`, `atleast 2, atleast 3`, `big enormous`.
Every place where a word of a declared scale stands takes each of its mates in turn; negation is kept; so the
alternatives of `~forall x. (N(x), V(x))` are `~exists x. (N(x), V(x))` and itself. `left` and `right` are
Sauerland's connectives that keep one side only. Nothing is deleted (Katzir 2007 would).

The alternatives of `exh F` are `exh` of the alternatives of F over the same scales, each over all of them (Fox
2007, on recursive exh): `strengthened` says what that makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeAlias, cast

from gramprobe.formula import ast
from gramprobe.formula.ast import TRUE, Formula, Quantified
from gramprobe.formula.updates import TooLarge

MOST = 64
"""Alternatives of one formula, itself among them."""

Scales: TypeAlias = Sequence[tuple[str, ...]]
Strengthened: TypeAlias = Callable[[list[Formula]], list[Formula]]

QUANTIFIERS = {"exists": "some", "forall": "all", "most": "most"}
CONNECTIVES = ("or", "and", "left", "right")
_PLAIN = {word: quantifier for quantifier, word in QUANTIFIERS.items()}


def alternatives(formula: Formula, scales: Scales, strengthened: Strengthened) -> list[Formula]:
    """The formula (first) and its alternatives, each once, without `exh`.

    `strengthened` takes the alternatives of the body of an `exh` to those of the `exh`, in the same order. Raises
    TooLarge past MOST of them.
    """
    if isinstance(formula, ast.Exhaustified):
        return list(dict.fromkeys(strengthened(alternatives(formula.body, scales, strengthened))))
    glued = _glued(formula)
    if glued is not None:
        binder, restrictor, scope = glued
        found = []
        for one, other in _choices(alternatives, (restrictor, scope), scales, strengthened):
            for word in _mates(_word(binder), scales):
                found.append(_bound(binder, word, one, other, unary=True))
        return _once(found)
    found = []
    for parts in _choices(alternatives, ast.children(formula), scales, strengthened):
        inner = iter(parts)
        plain = ast.map_children(lambda _, inner=inner: next(inner), formula)  # type: ignore[misc]
        for word in _mates(_word(plain), scales):
            found.append(_replaced(plain, word))
    return _once(found)


def _choices(
    of: Callable[[Formula, Scales, Strengthened], list[Formula]],
    parts: tuple[Formula, ...],
    scales: Scales,
    strengthened: Strengthened,
) -> list[tuple[Formula, ...]]:
    each = [of(part, scales, strengthened) for part in parts]
    count = 1
    for found in each:
        count *= len(found)
    if count > MOST:
        raise TooLarge(f"`exh` has more than {MOST} alternatives to weigh")
    return list(product(*each))


def _once(found: list[Formula]) -> list[Formula]:
    kept = list(dict.fromkeys(found))
    if len(kept) > MOST:
        raise TooLarge(f"`exh` has more than {MOST} alternatives to weigh")
    return kept


def _mates(word: str, scales: Scales) -> list[str]:
    """The word (first) and the others of its scales."""
    mates = [mate for scale in scales if word in scale for mate in scale]
    return list(dict.fromkeys([word, *mates]))


def _word(node: Formula) -> str:
    """The word of a scale that a node could be."""
    match node:
        case Quantified(quantifier, None):
            return QUANTIFIERS.get(quantifier, "")
        case Quantified(quantifier, count):
            return f"{quantifier} {count}"
        case ast.Or():
            return "or"
        case ast.And():
            return "and"
        case ast.Modal(operator):
            return operator
        case ast.Atom(predicate):
            return predicate
        case _:
            return ""


def _replaced(node: Formula, word: str) -> Formula:
    """The node with another word of its scale at its head."""
    match node:
        case Quantified():
            return _bound(node, word, node.restrictor, node.scope, unary=False)
        case ast.Or(left, right) | ast.And(left, right):
            match word:
                case "or":
                    return ast.Or(left, right)
                case "and":
                    return ast.And(left, right)
                case _:
                    return left if word == "left" else right
        case ast.Modal(_, agent, body):
            return ast.Modal(word, agent, body)
        case ast.Atom(_, args):
            return ast.Atom(word, args)
        case _:
            return node


def _glued(node: Formula) -> tuple[Quantified, Formula, Formula] | None:
    """`exists x. (R & S)` and `forall x. (R -> S)`: the connective only joins restrictor and scope."""
    if isinstance(node, Quantified) and node.restrictor == TRUE:
        match node.quantifier, node.scope:
            case "exists", ast.And(restrictor, scope):
                return node, restrictor, scope
            case "forall", ast.Implies(restrictor, scope):
                return node, restrictor, scope
    return None


def _bound(binder: Quantified, word: str, restrictor: Formula, scope: Formula, unary: bool) -> Formula:
    """`word x. (restrictor, scope)`, for `some` and `all` in the form with one part where that was given."""
    head, _, number = word.partition(" ")
    if unary and head == "some":
        restrictor, scope = TRUE, ast.And(restrictor, scope)
    elif unary and head == "all":
        restrictor, scope = TRUE, ast.Implies(restrictor, scope)
    quantifier = cast(ast.Quantifier, _PLAIN.get(head, head))
    return Quantified(quantifier, int(number) if number else None, binder.variable, restrictor, scope, binder.sort)
