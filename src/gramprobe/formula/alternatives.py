"""The alternatives of a formula: it with scale-mates in place of its words (Horn 1972; Sauerland 2004).

A scale is a list of words, weak to strong: `some all`, `or and`, `may must`, `atleast 2, atleast 3`, `big enormous`.
Every place where a word of a declared scale stands takes each of its mates in turn; negation is kept; so the
alternatives of `~forall x. (N(x), V(x))` are `~exists x. (N(x), V(x))` and itself. (A theory may declare `exhaustify
unnegated`: then words below a negation have no mates, as is argued for numerals; Horn 1972 on *not three*.) `left` and
`right` are Sauerland's connectives that keep one side only. No part of a formula is deleted (Katzir 2007 does that).

The alternatives of `exh F` are `exh` of the alternatives of F over the same scales, each over all of them (Fox
2007, on recursive exh): the argument `strengthened` computes them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TypeAlias, cast

from gramprobe.formula import ast
from gramprobe.formula.ast import TRUE, Formula, Quantified
from gramprobe.formula.updates import TooLarge

MOST = 64
"""The most alternatives of a formula, itself among them."""

Scales: TypeAlias = tuple[tuple[str, ...], ...]
Strengthened: TypeAlias = Callable[[list[Formula]], list[Formula]]

QUANTIFIERS = {"exists": "some", "forall": "all", "most": "most"}
CONNECTIVES = ("or", "and", "left", "right")
_PLAIN = {word: quantifier for quantifier, word in QUANTIFIERS.items()}


def alternatives(
    formula: Formula, scales: Scales, strengthened: Strengthened, unnegated: bool = False
) -> list[Formula]:
    """The formula (first) and its alternatives, each once, without `exh`.

    `strengthened` maps the alternatives of the body of an `exh` to those of the `exh`, in the same order;
    `unnegated`: words below a negation have no variants. Raises TooLarge above MOST alternatives.
    """

    def of(part: Formula) -> list[Formula]:
        return alternatives(part, scales, strengthened, unnegated)

    if isinstance(formula, ast.Exhaustified):
        return list(dict.fromkeys(strengthened(of(formula.body))))
    if unnegated and isinstance(formula, ast.Not):
        return [ast.Not(of(formula.body)[0])]
    glued = _glued(formula)
    if glued is not None:
        binder, restrictor, scope = glued
        variants = []
        for one, other in _choices(of, (restrictor, scope)):
            for word in _mates(word_of(binder), scales):
                variants.append(_bound(binder, word, one, other, unary=True))
        return _once(variants)
    variants = []
    for parts in _choices(of, ast.children(formula)):
        inner = iter(parts)
        plain = ast.map_children(lambda _, inner=inner: next(inner), formula)  # type: ignore[misc]
        own = word_of(plain)
        for word in _mates(own, scales):
            variants.append(plain if word == own else _replaced(plain, word))
    return _once(variants)


def _choices(of: Callable[[Formula], list[Formula]], parts: tuple[Formula, ...]) -> list[tuple[Formula, ...]]:
    each = [of(part) for part in parts]
    count = 1
    for formulas in each:
        count *= len(formulas)
    if count > MOST:
        raise TooLarge(f"`exh` has more than {MOST} alternatives to weigh")
    return list(product(*each))


def _once(formulas: list[Formula]) -> list[Formula]:
    kept = list(dict.fromkeys(formulas))
    if len(kept) > MOST:
        raise TooLarge(f"`exh` has more than {MOST} alternatives to weigh")
    return kept


def _mates(word: str, scales: Scales) -> list[str]:
    """The word (first) and the others of its scales."""
    mates = [mate for scale in scales if word in scale for mate in scale]
    return list(dict.fromkeys([word, *mates]))


def word_of(node: ast.Argument) -> str:
    """The word of a scale that the head of a node could be; the empty text for any other node."""
    match node:
        case Quantified(quantifier=quantifier, count=None):
            return QUANTIFIERS.get(quantifier, "")
        case Quantified(quantifier=quantifier, count=count):
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
    """`word x. (restrictor, scope)`; with `unary`, `some` and `all` take the form `word x. F` that the author wrote."""
    head, _, number = word.partition(" ")
    if unary and head == "some":
        restrictor, scope = TRUE, ast.And(restrictor, scope)
    elif unary and head == "all":
        restrictor, scope = TRUE, ast.Implies(restrictor, scope)
    quantifier = cast(ast.Quantifier, _PLAIN.get(head, head))
    return Quantified(
        quantifier=quantifier,
        count=int(number) if number else None,
        variable=binder.variable,
        restrictor=restrictor,
        scope=scope,
        sort=binder.sort,
    )
