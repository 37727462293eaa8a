"""Orders of scopes that readers have where a grammar has another one: formulas to hold labels against.

*A nurse must sing*, whoever it is (May 1977); *praised Emma or Noah*, one of them (Rooth & Partee 1982), and *didn't
praise Emma and Noah*, neither (Szabolcsi & Haddican 2004); *didn't think that*, that not (Horn 1989); what somebody
failed to do yesterday was not done then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from msgspec.structs import replace

from gramprobe.formula.ast import (
    And,
    Argument,
    Atom,
    Const,
    Formula,
    Modal,
    Not,
    Or,
    Presupposing,
    Quantified,
    Truth,
    Var,
    children,
    map_parts,
    walk,
)
from gramprobe.interpret.read import Reader
from gramprobe.interpret.scopes import UPWARD

WEAK = frozenset({"exists", "atleast", "atmost", "exactly"})
"""Quantifiers of subjects that are read below a modal, too."""
DOWNWARD = frozenset({"atmost", "exactly"})
"""Quantifiers of objects that are read above a modal, too."""
WHOEVER = Const("whoever")
"""Whom a verb such as *seem* is said of, where its subject is below it."""


def of_other_orders(
    said: Formula, asked: Formula, reader: Reader, neutral: bool
) -> Iterator[tuple[str, Formula, Formula]]:
    """What premises and hypothesis say by other orders of scopes, each with a reason; ``neutral``: also by those that
    only `neutral` is in doubt of."""
    for each in reader.theory.withholding("scoped"):
        if (low := lowered(said, each.names)) != said:
            yield each.reason, low, lowered(asked, each.names)
        if (high := lifted(said, each.names)) != said:
            yield each.reason, high, lifted(asked, each.names, WEAK)
    if (then := of_that_time(said, reader)) != said:
        yield "what was not done then may have been done at another time", then, of_that_time(asked, reader)
    if not neutral:
        return
    for each in reader.theory.withholding("negated"):
        if (below := neg_raised(said, each.names)) != said:
            yield each.reason, below, asked
    if (one := apiece(said)) != said:
        yield "of several that are named, one or each may be meant", one, asked
    if (which := of_which(said)) != said:
        yield "it may be known which of them it is", which, asked


def is_plain(formula: Formula) -> bool:
    """Whether a formula only says of some that something holds of them."""
    quantifiers = (node.quantifier for node in walk(formula) if isinstance(node, Quantified))
    kinds = Atom | And | Or | Presupposing | Quantified | Truth | Var | Const
    return all(isinstance(node, kinds) for node in walk(formula)) and {*quantifiers} <= UPWARD


def lowered(node: Argument, names: Collection[str]) -> Formula:
    """A formula with subjects below some operators, but not where they are denied: *a nurse must sing*, whoever."""
    if isinstance(node, Var | Const | Not):
        return node  # type: ignore[return-value]
    changed = map_parts(partial(lowered, names=names), node)
    if isinstance(changed, Quantified) and changed.quantifier in WEAK and isinstance(changed.scope, Modal):
        modal, agents = changed.scope, (None, Var(changed.variable))
        if modal.operator in names and modal.agent in agents:
            agent = None if modal.agent is None else WHOEVER
            return replace(modal, agent=agent, body=replace(changed, scope=modal.body))
    return changed  # type: ignore[return-value]


def lifted(node: Argument, names: Collection[str], quantifiers: Collection[str] = DOWNWARD) -> Formula:
    """A formula with objects that count downward above some operators: *may praise at most two*, of whom one may."""
    changed = (
        map_parts(partial(lifted, names=names, quantifiers=quantifiers), node)
        if not isinstance(node, Var | Const)
        else node
    )
    if isinstance(changed, Modal) and changed.operator in names and changed.agent is None:
        body = changed.body.body if isinstance(changed.body, Not) else changed.body
        if isinstance(body, Quantified) and (body.quantifier in quantifiers or body is not changed.body):
            whole = replace(body, scope=replace(changed, body=body.scope))
            return whole if body is changed.body else Not(whole)
    return changed  # type: ignore[return-value]


def of_that_time(node: Argument, reader: Reader) -> Formula:
    """A formula in which adverbs are said of what is denied below them: *failed to sing yesterday*."""
    changed = map_parts(partial(of_that_time, reader=reader), node) if not isinstance(node, Var | Const) else node
    if isinstance(changed, Modal) and changed.agent is not None and reader.is_factive(changed.operator):
        word = reader.symbols.get(changed.operator)
        if word is not None and len(word.forms) == 1:  # no verb
            return _below(changed, changed.body)
    return changed  # type: ignore[return-value]


def _below(modal: Modal, body: Formula) -> Formula:
    if isinstance(body, And | Presupposing | Not):
        return map_parts(lambda part: _below(modal, part), body)  # type: ignore[return-value, arg-type]
    return replace(modal, body=body)


def neg_raised(node: Argument, names: Collection[str]) -> Formula:
    """A formula with negations below some operators: *didn't think that he sang*, thought that he did not."""
    changed = map_parts(partial(neg_raised, names=names), node) if not isinstance(node, Var | Const) else node
    if isinstance(changed, Not):
        modal = changed.body.assertion if isinstance(changed.body, Presupposing) else changed.body
        if isinstance(modal, Modal) and modal.operator in names:
            return replace(modal, body=Not(modal.body))
    return changed  # type: ignore[return-value]


def apiece(node: Argument) -> Formula:
    """A formula in which of objects that *or* joins one is meant for all, and of those that *and* joins below a
    negation neither."""
    changed = map_parts(apiece, node) if not isinstance(node, Var | Const) else node
    if isinstance(changed, Quantified) and changed.quantifier == "forall" and _is_of_one(changed.scope, Or):
        one, other = (replace(changed, scope=each) for each in children(changed.scope))
        return Or(one, other)
    if isinstance(changed, Not):
        body = changed.body
        if isinstance(body, Quantified) and body.quantifier == "exists" and _is_of_one(body.scope, And):
            return Not(replace(body, scope=Or(*children(body.scope))))
        if isinstance(body, And) and _is_of_one(body, And):
            return Not(Or(body.left, body.right))
    return changed  # type: ignore[return-value]


def of_which(node: Argument) -> Formula:
    """A formula in which whoever knows whether *this or that* knows it of each (Karttunen 1977)."""
    changed = map_parts(of_which, node) if not isinstance(node, Var | Const) else node
    if isinstance(changed, Or) and isinstance(changed.left, And) and isinstance(changed.left.left, Or):
        so, known = changed.left.left, changed.left.right
        if isinstance(known, Modal) and known.body == so:
            pairs = (
                Or(And(each, replace(known, body=each)), And(Not(each), replace(known, body=Not(each))))
                for each in (so.left, so.right)
            )
            return And(*pairs)
    return changed  # type: ignore[return-value]


def _is_of_one(node: Formula, kind: type[And] | type[Or]) -> bool:
    """Whether a formula joins two atoms of one predicate that differ in one who is named, not the first."""
    if not isinstance(node, And | Or) or not isinstance(node, kind):
        return False
    one, other = node.left, node.right
    return (
        isinstance(one, Atom)
        and isinstance(other, Atom)
        and (one.predicate, one.args[:1]) == (other.predicate, other.args[:1])
        and len(one.args) > 1
    )
