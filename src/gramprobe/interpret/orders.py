"""Orders of scopes that readers have where a grammar has another one: formulas to hold labels against.

*A nurse must sing*, whoever it is (May 1977); *praised Emma or Noah*, one of them (Rooth & Partee 1982), and *didn't
praise Emma and Noah*, neither (Szabolcsi & Haddican 2004); *didn't think that*, that not (Horn 1989); what somebody
failed to do yesterday was not done then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from itertools import product

from msgspec.structs import replace

from gramprobe.formula.ast import (
    TRUE,
    And,
    Argument,
    Atom,
    Const,
    Equal,
    Formula,
    Implies,
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
from gramprobe.formula.binding import free_variables, names
from gramprobe.interpret.cautions import Words
from gramprobe.interpret.read import Reader
from gramprobe.interpret.rewrites import by_people, with_terms
from gramprobe.interpret.scopes import UPWARD, de_re

WEAK = frozenset({"exists", "atleast", "atmost", "exactly"})
"""Quantifiers of subjects that are read below a modal, too."""
DOWNWARD = frozenset({"atmost", "exactly"})
"""Quantifiers of objects that are read above a modal, too."""
EACH_BY_ONE = "each may have been meant to be so of somebody else"
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
    turned, others = inverted(said), inverted(asked)
    if (turned, others) != (said, asked):
        yield EACH_BY_ONE, turned, others
        if neutral:
            yield EACH_BY_ONE, by_people(said), others
    if (then := of_that_time(said, reader)) != said:
        yield "what was not done then may have been done at another time", then, of_that_time(asked, reader)
    missing, sought = unreal(said, reader), unreal(asked, reader)
    if (missing, sought) != (said, asked):
        yield "it hangs on there being what somebody seeks, paints or admires", missing, sought
    if not neutral:
        if (other := of_other_senses(said, reader)) != said:
            yield "a noun may have another sense", other, of_other_senses(asked, reader)
        return
    for each in reader.theory.withholding("scoped"):
        if (low := lowered(asked, each.names)) != asked:
            yield each.reason, by_people(said), low
            yield each.reason, by_people(said), de_re(low, of_modals=True)
            yield each.reason, by_people(lowered(said, each.names)), low
    raising = {name for each in reader.theory.withholding("scoped") for name in each.names}
    if (whoever := nobodys(asked, raising)) != asked:
        yield "what seems to be so does not hang on the subject", nobodys(said, raising), whoever
    high, asked_high = (in_one_order(de_re(each, of_modals=True), reader) for each in (said, asked))
    if (high, asked_high) != (said, asked):
        yield "adverbials may say the same in another order", high, asked_high
    if (held := of_contents(said, asked, reader)) != said:
        yield "what is done to a bottle of something is mostly done to what is in it", held, asked
    if (own := bound_by_only(said)) != said:
        yield "what nobody else did may be to do it to themselves", own, asked
    for each in reader.theory.withholding("negated"):
        if (below := neg_raised(said, each.names)) != said:
            yield each.reason, below, asked
    if (one := apiece(said)) != said:
        yield "of several that are named, one or each may be meant", one, asked
    if (which := of_which(said)) != said:
        yield "it may be known which of them it is", which, asked


def is_positive(formula: Formula) -> bool:
    """Whether nothing is denied in a formula, nor said of no more than so many."""
    quantifiers = {node.quantifier for node in walk(formula) if isinstance(node, Quantified)}
    return quantifiers <= UPWARD and not any(isinstance(node, Not) for node in walk(formula))


def is_plain(formula: Formula, reader: Reader) -> bool:
    """Whether a formula only says of some that something holds of them, or that it is known to, or going on."""
    formula = bottom_up(lambda part: part.assertion if isinstance(part, Presupposing) else part, formula)
    quantifiers = (node.quantifier for node in walk(formula) if isinstance(node, Quantified))
    operators = {node.operator for node in walk(formula) if isinstance(node, Modal)}
    ongoing = {name for each in reader.theory.withholding("habitual") for name in each.names}
    known = all(map(reader.is_factive, operators - ongoing))
    kinds = Atom | And | Or | Quantified | Truth | Var | Const | Modal
    return known and all(isinstance(node, kinds) for node in walk(formula)) and {*quantifiers} <= UPWARD


def lowered(node: Argument, names: Collection[str], denied: bool = False) -> Formula:
    """A formula with subjects below some operators, but not where they are denied: *a nurse must sing*, whoever."""
    if isinstance(node, Var | Const):
        return node  # type: ignore[return-value]
    changed = map_parts(partial(lowered, names=names, denied=denied or isinstance(node, Not)), node)
    if not isinstance(changed, Quantified):
        return changed  # type: ignore[return-value]
    if isinstance(changed.scope, Modal):
        modal, agents = changed.scope, (None, Var(changed.variable))
        if modal.operator in names and modal.agent not in agents:  # *wants a nurse to leave*, whoever
            return replace(modal, body=replace(changed, scope=modal.body))
        if modal.operator in names and changed.quantifier in WEAK and not denied:
            agent = None if modal.agent is None else WHOEVER
            return replace(modal, agent=agent, body=replace(changed, scope=modal.body))
    return changed


def nobodys(formula: Formula, names: Collection[str]) -> Formula:
    """A formula with nobody's operators in the place of those that the subject below them has: *seems to be praised by*
    (Rosenbaum 1967)."""

    def put(part: Formula) -> Formula:
        raised = isinstance(part, Modal) and part.operator in names and part.agent is not None
        atoms = (node for node in walk(part.body) if isinstance(node, Atom)) if isinstance(part, Modal) else ()
        if raised and isinstance(part, Modal) and any(part.agent in node.args for node in atoms):
            return replace(part, agent=WHOEVER)
        return part

    return bottom_up(put, formula)


def inverted(node: Argument) -> Formula:
    """A formula with *everybody* above the subject: *somebody praised everybody*, each by one (May 1977)."""
    if isinstance(node, Not | Var | Const):
        return node  # type: ignore[return-value]
    part = map_parts(inverted, node)
    inner = part.scope if isinstance(part, Quantified) and part.quantifier in WEAK else None
    if isinstance(part, Quantified) and isinstance(inner, Quantified) and inner.quantifier == "forall":
        apart = part.variable not in free_variables(inner.restrictor)
        return replace(inner, scope=replace(part, scope=inner.scope)) if apart else part
    return part  # type: ignore[return-value]


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
        if isinstance(part, Modal) and reader.is_adverbial(part):
            return _below(part, part.body)
        return part

    return bottom_up(lower, formula)


def _below(modal: Modal, body: Formula) -> Formula:
    if isinstance(body, And | Presupposing | Not):
        return map_parts(lambda part: _below(modal, part), body)  # type: ignore[return-value, arg-type]
    return replace(modal, body=body)


def in_one_order(formula: Formula, reader: Reader) -> Formula:
    """A formula whose adverbials that stand below one another do so in the order of their words (Davidson 1967)."""

    def sort(part: Formula) -> Formula:
        if isinstance(part, Modal) and reader.is_adverbial(part) and isinstance(part.body, Modal):
            inner = part.body
            if reader.is_adverbial(inner) and (inner.operator, str(inner.agent)) < (part.operator, str(part.agent)):
                return replace(inner, body=sort(replace(part, body=inner.body)))
        return part

    return bottom_up(sort, formula)


def neg_raised(formula: Formula, names: Collection[str]) -> Formula:
    """A formula with negations below some operators: *didn't think that he sang*, thought that he did not."""

    def lower(part: Formula) -> Formula:
        if isinstance(part, Not):
            body = part.body
            if isinstance(body, Quantified) and body.quantifier == "exists":  # *no nurse thinks that*
                denied = lower(Not(body.scope))
                return part if isinstance(denied, Not) else replace(body, quantifier="forall", scope=denied)
            if isinstance(body, Modal) and body.agent is None and not isinstance(denied := lower(Not(body.body)), Not):
                return denied  # *never thought that*
            modal = body.assertion if isinstance(body, Presupposing) else body
            if isinstance(modal, Modal) and modal.operator in names:
                return replace(modal, body=Not(modal.body))
        return part

    return bottom_up(lower, formula)


def unreal(formula: Formula, reader: Reader) -> Formula:
    """A formula in which there need not be what somebody seeks or admires (`unreal` of a language): one does so to
    what is described, which is closed under nothing (Zimmermann 1993)."""
    cautions = Words(reader.symbols, reader.grammar)

    def put(part: Formula) -> Formula:
        if isinstance(part, Quantified) and part.quantifier not in ("forall", "most"):
            thing = Var(part.variable)
            atoms = [node for node in walk(part.scope) if isinstance(node, Atom) and thing in node.args]
            if len(atoms) == 1 and atoms[0].args[1:2] == (thing,) and atoms[0].args[0] != thing:
                (verb,) = atoms
                if cautions.listed(verb.predicate, cautions.cautions.unreal):
                    quantifier, count = ("exactly", 1) if part.quantifier == "the" else (part.quantifier, part.count)
                    said = Atom(f"{verb.predicate}_of", verb.args[1:])
                    body = replace(part, quantifier=quantifier, count=count, scope=said)
                    of_it = Modal(operator="sought", agent=verb.args[0], body=body)
                    thing_ = replace(part, quantifier="exists", count=None, restrictor=TRUE, scope=said)
                    sought = And(of_it, replace(of_it, body=thing_))  # whoever paints a wall paints something
                    return bottom_up(lambda each: sought if each == verb else each, part.scope)
        return part

    return bottom_up(put, formula)


def of_other_senses(formula: Formula, reader: Reader) -> Formula:
    """A formula whose nouns of two senses have the one of which the lexicon knows nothing (`senses` of a language)."""
    of = Words(reader.symbols, reader.grammar)

    def put(part: Formula) -> Formula:
        known = isinstance(part, Atom) and len(part.args) == 1 and of.listed(part.predicate, of.cautions.senses)
        return replace(part, predicate=f"{part.predicate}_other") if known and isinstance(part, Atom) else part

    return bottom_up(put, formula)


def of_contents(said: Formula, asked: Formula, reader: Reader) -> Formula:
    """A formula by which who buys a bottle of something buys that (`holders` and `contents` of a language)."""
    of = Words(reader.symbols, reader.grammar)
    x, y, z = map(Var, ("holder", "content", "whoever"))
    atoms = [node for node in walk(said) if isinstance(node, Atom)]
    firsts = {n.predicate for n in atoms if len(n.args) == 1 and of.listed(n.predicate, of.cautions.holders)}
    links = {n.predicate for n in atoms if len(n.args) == 2 and of.listed(n.predicate, of.cautions.contents)}
    done = {n.predicate for n in atoms if len(n.args) == 2} & names(asked) - links
    for noun, link, verb in product(sorted(firsts), sorted(links), sorted(done)):
        given = And(And(Atom(noun, (x,)), Atom(link, (x, y))), Atom(verb, (z, x)))
        rule: Formula = Implies(given, Atom(verb, (z, y)))
        for each in (z, y, x):
            rule = Quantified(quantifier="forall", variable=each.name, restrictor=TRUE, scope=rule)
        said = And(said, rule)
    return said


def bound_by_only(formula: Formula) -> Formula:
    """A formula in which nobody but one said of themselves what that one did (*only Emma said that she sang*: Reinhart
    1983)."""

    def bind(part: Formula) -> Formula:
        other = part.restrictor.right if isinstance(part, Quantified) and isinstance(part.restrictor, And) else None
        if isinstance(other, Not) and isinstance(other.body, Equal) and isinstance(part, Quantified):
            one = other.body.right if other.body.left == Var(part.variable) else other.body.left
            return replace(part, scope=with_terms(part.scope, {one: Var(part.variable)}))
        return part

    return bottom_up(bind, formula)


def apiece(formula: Formula) -> Formula:
    """A formula in which of objects that *or* joins one is meant for all, and of those that *and* joins below a
    negation neither; and what is doubted or thought of two who are joined is so of each (*doubts that Emma and Noah
    sang*)."""

    def split(part: Formula) -> Formula:
        if isinstance(part, Modal) and part.agent is not None and isinstance(part.body, And):
            joined = part.body.left, part.body.right
            return And(*(replace(part, body=each) for each in joined)) if _has_one_verb(*joined) else part
        if isinstance(part, Quantified) and part.quantifier == "forall" and _is_of_one(part.scope, Or):
            one, other = (replace(part, scope=each) for each in children(part.scope))
            return Or(one, other)
        if isinstance(part, Not):
            body = part.body
            if isinstance(body, Quantified) and body.quantifier == "exists" and _is_of_one(body.scope, And):
                return Not(replace(body, scope=Or(*children(body.scope))))
            if isinstance(body, And) and (_is_of_one(body, And) or _has_one_subject(body) or _has_one_holder(body)):
                return Not(Or(body.left, body.right))
            each_of = body.assertion if isinstance(body, Presupposing) else None
            if isinstance(body, Presupposing) and isinstance(each_of, And) and _has_one_holder(each_of):
                return Not(replace(body, assertion=Or(each_of.left, each_of.right)))
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


def _has_one_subject(node: And) -> bool:
    one, other = node.left, node.right
    return isinstance(one, Atom) and isinstance(other, Atom) and one.args[:1] == other.args[:1] != ()


def _has_one_verb(one: Formula, other: Formula) -> bool:
    """Whether two atoms say one predicate of somebody."""
    return isinstance(one, Atom) and isinstance(other, Atom) and one.predicate == other.predicate and one.args != ()


def _has_one_holder(node: And) -> bool:
    """Whether two attitudes of one are joined, to one thing about two."""
    one, other = node.left, node.right
    if not isinstance(one, Modal) or not isinstance(other, Modal) or one.agent is None:
        return False
    return (one.operator, one.agent) == (other.operator, other.agent) and _has_one_verb(one.body, other.body)
