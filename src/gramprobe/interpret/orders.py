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
    bottom_up,
    children,
    map_parts,
    walk,
)
from gramprobe.interpret.read import Reader
from gramprobe.interpret.rewrites import by_people
from gramprobe.interpret.scopes import UPWARD, de_re

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
    for each in reader.theory.withholding("scoped"):
        if (low := lowered(asked, each.names)) != asked:
            yield each.reason, by_people(said), low
            yield each.reason, by_people(lowered(said, each.names)), low
    if (wide := of_both(said, reader)) != said:
        yield "what stands beside one of two that are joined may be said of both", wide, asked
    high, asked_high = (in_one_order(de_re(each, of_modals=True), reader) for each in (said, asked))
    if (high, asked_high) != (said, asked):
        yield "adverbials may say the same in another order", high, asked_high
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
        if modal.operator in names and modal.agent not in agents:  # *wants a nurse to leave*, whoever
            return replace(modal, body=replace(changed, scope=modal.body))
        if modal.operator in names:
            agent = None if modal.agent is None else WHOEVER
            return replace(modal, agent=agent, body=replace(changed, scope=modal.body))
    return changed  # type: ignore[return-value]


def lifted(formula: Formula, names: Collection[str], quantifiers: Collection[str] = DOWNWARD) -> Formula:
    """A formula with objects that count downward above some operators: *may praise at most two*, of whom one may."""

    def lift(part: Formula) -> Formula:
        if isinstance(part, Modal) and part.operator in names and part.agent is None:
            body = part.body.body if isinstance(part.body, Not) else part.body
            if isinstance(body, Quantified) and (body.quantifier in quantifiers or body is not part.body):
                whole = replace(body, scope=replace(part, body=body.scope))
                return whole if body is part.body else Not(whole)
        return part

    return bottom_up(lift, formula)


def of_that_time(formula: Formula, reader: Reader) -> Formula:
    """A formula in which adverbs are said of what is denied below them: *failed to sing yesterday*."""

    def lower(part: Formula) -> Formula:
        if isinstance(part, Modal) and part.agent is not None and reader.is_factive(part.operator):
            word = reader.symbols.get(part.operator)
            if word is not None and len(word.forms) == 1:  # no verb
                return _below(part, part.body)
        return part

    return bottom_up(lower, formula)


def _below(modal: Modal, body: Formula) -> Formula:
    if isinstance(body, And | Presupposing | Not):
        return map_parts(lambda part: _below(modal, part), body)  # type: ignore[return-value, arg-type]
    return replace(modal, body=body)


def _is_adverb(node: Argument, reader: Reader) -> bool:
    """Whether a formula is said with an adverbial of what is so: an operator with one form, and no verb."""
    if not isinstance(node, Modal) or not reader.is_factive(node.operator):
        return False
    word = reader.symbols.get(node.operator)
    return word is not None and len(word.forms) == 1


def of_both(formula: Formula, reader: Reader) -> Formula:
    """A formula in which an adverbial of one of two that are joined is said of both: *sang and danced on Monday*."""

    def widen(part: Formula) -> Formula:
        if isinstance(part, And | Or):
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if isinstance(one, Modal) and _is_adverb(one, reader) and not _is_adverb(other, reader):
                    return type(part)(one, replace(one, body=other))
        return part

    return bottom_up(widen, formula)


def in_one_order(formula: Formula, reader: Reader) -> Formula:
    """A formula whose adverbials that stand below one another do so in the order of their words (Davidson 1967)."""

    def sort(part: Formula) -> Formula:
        if isinstance(part, Modal) and _is_adverb(part, reader) and isinstance(part.body, Modal):
            inner = part.body
            if _is_adverb(inner, reader) and (inner.operator, str(inner.agent)) < (part.operator, str(part.agent)):
                return replace(inner, body=sort(replace(part, body=inner.body)))
        return part

    return bottom_up(sort, formula)


def plain(formula: Formula, reader: Reader) -> Formula:
    """A formula without its adverbials, if it has a clause about others below a verb: *discovered that he left on
    Monday* may say when that was discovered."""
    verbs = (node for node in walk(formula) if isinstance(node, Modal) and node.agent is not None)
    if not any(not _is_adverb(node, reader) and node.agent not in [*walk(node.body)] for node in verbs):
        return formula

    def drop(part: Formula) -> Formula:
        return part.body if isinstance(part, Modal) and _is_adverb(part, reader) else part

    return bottom_up(drop, formula)


def neg_raised(formula: Formula, names: Collection[str]) -> Formula:
    """A formula with negations below some operators: *didn't think that he sang*, thought that he did not."""

    def lower(part: Formula) -> Formula:
        if isinstance(part, Not):
            modal = part.body.assertion if isinstance(part.body, Presupposing) else part.body
            if isinstance(modal, Modal) and modal.operator in names:
                return replace(modal, body=Not(modal.body))
            if isinstance(modal, Quantified) and modal.quantifier == "exists":  # *no nurse thinks that* (Gajewski 2007)
                inner = modal.scope.assertion if isinstance(modal.scope, Presupposing) else modal.scope
                if isinstance(inner, Modal) and inner.operator in names:
                    return replace(modal, quantifier="forall", scope=replace(inner, body=Not(inner.body)))
        return part

    return bottom_up(lower, formula)


def apiece(formula: Formula) -> Formula:
    """A formula in which of objects that *or* joins one is meant for all, and of those that *and* joins below a
    negation neither."""

    def split(part: Formula) -> Formula:
        if isinstance(part, Quantified) and part.quantifier == "forall" and _is_of_one(part.scope, Or):
            one, other = (replace(part, scope=each) for each in children(part.scope))
            return Or(one, other)
        if isinstance(part, Not):
            body = part.body
            if isinstance(body, Quantified) and body.quantifier == "exists" and _is_of_one(body.scope, And):
                return Not(replace(body, scope=Or(*children(body.scope))))
            if isinstance(body, And) and (_is_of_one(body, And) or _are_of_one(body)):
                return Not(Or(body.left, body.right))
        return part

    return bottom_up(split, formula)


def of_which(formula: Formula) -> Formula:
    """A formula in which whoever knows whether *this or that* knows it of each (Karttunen 1977)."""

    def split(part: Formula) -> Formula:
        if isinstance(part, Or) and isinstance(part.left, And) and isinstance(part.left.left, Or):
            so, known = part.left.left, part.left.right
            if isinstance(known, Modal) and known.body == so:
                pairs = (
                    Or(And(each, replace(known, body=each)), And(Not(each), replace(known, body=Not(each))))
                    for each in (so.left, so.right)
                )
                return And(*pairs)
        return part

    return bottom_up(split, formula)


def _are_of_one(body: And) -> bool:
    """Whether two verbs are said of the same: *didn't sing and dance*."""
    one, other = body.left, body.right
    return isinstance(one, Atom) and isinstance(other, Atom) and one.args == other.args


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
