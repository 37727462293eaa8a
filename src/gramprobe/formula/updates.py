"""Updates written out: `[! F] G` and `[E(a)] G` as formulas about the model before the update.

Public announcements (Plaza 1989) are events with one action that every agent recognises; event models are those of
Baltag, Moss & Solecki 1998, with postconditions (van Benthem, van Eijck & Kooi 2006). `[E] G` is `pre -> G'`,
where G' has in the old model the value that G has in the new one: an atom is its postcondition, connectives and
quantifiers stay (the domain is constant), and

    (box G)'      =  box ((pre_f -> G'_f) & ...)        for the actions f that the agent takes for possible
    (diamond G)'  =  diamond ((pre_f & G'_f) | ...)
    (G @ here)'   =  (pre -> G') @ here                 for the actual action; true where it could not happen

Two conventions beyond the books. An operator whose frame is functional is a time (`earlier`): an update happens now
and does not change the past, so that `[E] forget[a] p` is about what a knew before. A gap is inherited by the
theory's projection: an announcement whose presupposition fails at some accessible world is itself undefined, as
in Heim 1983.

An update removes worlds, so that a serial relation need not stay serial: an agent who believed that not p sees no
world after p is announced, and believes everything (van Ditmarsch, van der Hoek & Kooi 2007, ch. 6). For every serial
operator below an update, the last part gives a formula that is true where that happens: there, `B[a] false` holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, TypeAlias, cast

from msgspec import Struct, structs
from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import FALSE, TRUE, Argument, Formula, Modal, Not, Quantified, as_formula
from gramprobe.formula.binding import free_variables, fresh, names, substituted
from gramprobe.formula.theory import Action, EventModel, Operator

LARGEST = 20_000
"""The most nodes of a formula without its updates. Each update may copy the formula that follows it."""


class Irreducible(ValueError):
    """An update that has no reduction here: above a neighbourhood operator, or with an undeclared event."""


class TooLarge(ValueError):
    """A formula that is too large for every engine."""


class Language(Struct, frozen=True):
    """The part of a theory that updates depend on.

    Attributes:
        operators: The operators by name.
        events: The event models by name.
        distinct: Whether different constants denote different individuals.
    """

    operators: Mapping[str, Operator]
    events: Mapping[str, EventModel]
    distinct: bool = True

    def operator(self, name: str) -> Operator:
        if name not in self.operators:
            raise Irreducible(f"the theory has no operator `{name}`")
        return self.operators[name]

    def event(self, update: ast.EventUpdate) -> EventModel:
        """The event of an update.

        Raises Irreducible if it is not declared, or has another number of parameters.
        """
        if update.event not in self.events:
            raise Irreducible(f"the theory has no event `{update.event}`")
        model = self.events[update.event]
        if len(model.parameters) != len(update.args):
            wanted, given = len(model.parameters), len(update.args)
            raise Irreducible(f"event `{model.name}` is about {wanted}, and is given {given}")
        return model


@lru_cache(maxsize=4096)  # asked by several passes, of each pair that a sentence stands in
def has_updates(formula: Formula) -> bool:
    """Whether an announcement or event occurs."""
    return any(ast.SIGNATURES[kind].worlds == "updated" for kind in ast.kinds(formula))


def reduced(formula: Formula, language: Language) -> Formula:
    """The formula without updates, true, false or undefined at the same worlds of the same models.

    The formula holds no `exh` and no defined operators. Raises Irreducible, and TooLarge above LARGEST nodes.
    """
    match formula:
        case ast.Announced(announcement, body):
            pre = reduced(announcement, language)
            event, given = EventModel("!", "!", (Action("!", pre),)), dict[str, Argument]()
        case ast.EventUpdate(_, body, args):
            event = language.event(formula)
            given = dict(zip(event.parameters, args, strict=True))
        case _:
            return ast.map_children(lambda part: reduced(part, language), formula)
    after = _After(language, event, given)
    return _if(after.event.action(event.actual).pre, after.formula(reduced(body, language), event.actual))


class _After:
    """Rewrites a formula without updates, to be evaluated after one event, as a formula about the model before it.

    `given`: the term that stands for each parameter of the event.
    """

    def __init__(self, language: Language, event: EventModel, given: Mapping[str, Argument]) -> None:
        self.language, self.size = language, 0
        self.event, self.free = _of(event, tuple(given.items()))
        self.agents = tuple((name, given.get(name, ast.Const(name))) for name in reversed(event.agents()))

    def formula(self, node: Formula, action: str) -> Formula:
        self.size += 1
        if self.size > LARGEST:
            raise TooLarge(f"an update makes a formula of more than {LARGEST:,} signs")
        return _AFTER[type(node)](self, node, action)

    def extensional(self, node: Formula, action: str) -> Formula:
        return ast.map_children(lambda part: self.formula(part, action), node)

    def here(self, node: ast.Here, _: str) -> Formula:
        really = self.event.actual
        return ast.Here(_if(self.event.action(really).pre, self.formula(node.body, really)))

    def quantified(self, node: Quantified, action: str) -> Formula:
        return self.extensional(self.apart(node), action)

    def misplaced(self, node: Formula, _: str) -> Formula:
        raise Irreducible(f"{type(node).__name__} has no place below an update")

    def apart(self, node: Quantified) -> Quantified:
        """The quantifier with a fresh variable if its own is free in a formula of the event."""
        if node.variable not in self.free:
            return node
        other = fresh(node.variable, self.free | names(node))
        renaming: dict[str, Argument] = {node.variable: ast.Var(other)}
        parts = substituted(node.restrictor, renaming), substituted(node.scope, renaming)
        return structs.replace(node, variable=other, restrictor=parts[0], scope=parts[1])

    def atom(self, node: ast.Atom, action: str) -> Formula:
        """The value that the action gives the atom, by cases where that depends on which terms are equal.

        If two lines are about the same atom, because two parameters stand for the same individual, the later counts.
        """
        read: Formula = node
        for target, given in self.event.action(action).post:
            if (target.predicate, len(target.args)) != (node.predicate, len(node.args)):
                continue
            same: Formula = TRUE
            for mine, its in zip(node.args, target.args, strict=True):
                same = _and(same, self.same(mine, its))
            if same == TRUE:
                read = given
            elif same != FALSE:
                read = ast.Or(ast.And(same, given), ast.And(ast.Not(same), read))
        return read

    def same(self, one: Argument, other: Argument) -> Formula:
        if one == other:
            return TRUE
        if self.language.distinct and isinstance(one, ast.Const) and isinstance(other, ast.Const):
            return FALSE
        return ast.Equal(one, other)

    def modal(self, node: Modal, action: str) -> Formula:
        operator = self.language.operator(node.operator)
        if operator.kind in ("neighbourhood", "dual"):
            raise Irreducible(f"no update goes through `{operator.name}`: it has neighbourhoods, not worlds")
        return node if "functional" in operator.frame else self.by_cases(node, operator, action)

    def by_cases(self, node: Modal, operator: Operator, action: str) -> Formula:
        """The formula by cases: the agent is one of those with arrows of their own, or any other.

        An agent with two of the names (two parameters may stand for one agent) has the arrows of the later.
        """
        others, cases = self.event.seen(operator.name, None, action), list[tuple[Formula, tuple[str, ...]]]()
        agent = node.agent
        for name, who in self.agents if agent is not None else ():
            assert agent is not None
            same, actions = self.same(agent, who), self.event.seen(operator.name, name, action)
            if same == TRUE:
                others = actions
                break
            if same != FALSE:
                cases.append((same, actions))
        while cases and cases[-1][1] == others:
            cases.pop()
        read = self.seen(node, operator, others)
        for same, actions in reversed(cases):
            read = ast.Or(ast.And(same, self.seen(node, operator, actions)), ast.And(ast.Not(same), read))
        return read

    def seen(self, node: Modal, operator: Operator, actions: tuple[str, ...]) -> Formula:
        box = operator.kind == "box"
        inner: Formula | None = None
        for name in actions:
            pre, after = self.event.action(name).pre, self.formula(node.body, name)
            part = _if(pre, after) if box else _and(pre, after)
            inner = part if inner is None else ast.And(inner, part) if box else ast.Or(inner, part)
        if inner is None:
            return TRUE if box else FALSE
        return structs.replace(node, body=inner)


_AFTER = ast.Rules[Callable[[_After, Any, str], Formula]](
    "updates",
    {
        ast.Atom: _After.atom,
        ast.Here: _After.here,
        Quantified: _After.quantified,
        Modal: _After.modal,
        **dict.fromkeys(
            (ast.Exhaustified, ast.Lambda, ast.Interrogative, ast.Announced, ast.EventUpdate), _After.misplaced
        ),
    },
    default=lambda signature: _After.extensional if signature.extensional else None,
)
"""What stands after an event in the place of a node, by its class."""


@lru_cache(maxsize=1024)  # a story is followed by many sentences
def _of(event: EventModel, given: tuple[tuple[str, Argument], ...]) -> tuple[EventModel, frozenset[str]]:
    """`about`, and the variables that are free in it or in the terms."""
    made = about(event, dict(given))
    written = (*made.formulas(), *(term for _, term in given))
    return made, frozenset(name for part in written for name in free_variables(part))


def about(event: EventModel, given: Mapping[str, Argument]) -> EventModel:
    """The event with the given terms in place of its parameters."""
    if not given:
        return event
    actions = tuple(
        Action(
            action.name,
            substituted(action.pre, given),
            tuple((cast(ast.Atom, substituted(atom, given)), substituted(value, given)) for atom, value in action.post),
        )
        for action in event.actions
    )
    return replace(event, actions=actions)


def _if(condition: Formula, body: Formula) -> Formula:
    return body if condition == TRUE else ast.Implies(condition, body)


def _and(left: Formula, right: Formula) -> Formula:
    if left == TRUE:
        return right
    if right == TRUE:
        return left
    return FALSE if FALSE in (left, right) else ast.And(left, right)


_Around: TypeAlias = tuple[bool, Callable[[Formula], Formula]]
"""Whether the node is an update, and a function that writes around a formula that it holds somewhere below the node."""


class Danger(Struct, frozen=True):
    """After `update`, the `operator` of `agent` may see no world at all: exactly where `formula` is true."""

    update: Formula
    operator: str
    agent: Argument | None
    formula: Formula


def dangers(formula: Formula, language: Language) -> Iterator[Danger]:
    """A danger for every update above every serial operator, the first update first.

    `formula` holds no `exh` and no defined operators; the formulas yielded still hold updates. The formulas to the
    left of an update count (`p -> [! p] G` announces only where p holds), as in the local contexts of Karttunen
    1974. Updates do not change operators of functional frame; reflexive operators always see the world where they
    are evaluated; a serial operator stays serial if agents, whatever happens, take some action without a precondition
    for possible. Raises Irreducible for an update below a neighbourhood operator.
    """
    if isinstance(formula, ast.Interrogative):
        formula = formula.body
    yield from _below(formula, (), (), language)


def _below(
    node: Formula, around: tuple[_Around, ...], updates: tuple[Formula, ...], language: Language
) -> Iterator[Danger]:
    def go(part: Formula, write: Callable[[Formula], Formula], update: Formula | None = None) -> Iterator[Danger]:
        inner = updates if update is None else (*updates, update)
        return _below(part, (*around, (update is not None, write)), inner, language)

    match node:
        case ast.And(left, right) | ast.Implies(left, right) | ast.Presupposing(left, right):
            yield from _below(left, around, updates, language)
            yield from go(right, lambda hole: ast.And(left, hole))
        case ast.Or(left, right):
            yield from _below(left, around, updates, language)
            yield from go(right, lambda hole: ast.And(Not(left), hole))
        case ast.Quantified(variable=variable, restrictor=restrictor, scope=scope, sort=sort):
            some = partial(ast.Quantified, quantifier="exists", variable=variable, sort=sort)
            yield from go(restrictor, lambda hole: some(restrictor=TRUE, scope=hole))
            yield from go(scope, lambda hole: some(restrictor=restrictor, scope=hole))
        case ast.Here(body):
            yield from go(body, ast.Here)
        case ast.Announced(announced, body):
            yield from _below(announced, around, updates, language)
            yield from go(body, lambda hole: Not(ast.Announced(announced, Not(hole))), node)
        case ast.EventUpdate(event, body, args):
            yield from go(body, lambda hole: Not(ast.EventUpdate(event, Not(hole), args)), node)
        case Modal(operator, agent, body):
            declared = language.operator(operator)
            frame = declared.frame
            if declared.kind in ("neighbourhood", "dual"):
                if has_updates(body):
                    raise Irreducible(f"an update below `{operator}`: it has neighbourhoods, not worlds")
                return
            box = declared.kind == "box"
            if "functional" in frame:  # the body is about a time before those updates
                around, updates = tuple((False, write) for _, write in around), ()
            if updates and "serial" in frame and "reflexive" not in frame:
                blind: Formula = Modal(operator, agent, FALSE) if box else Not(Modal(operator, agent, TRUE))
                serial = True
                for number, update in enumerate(updates, 1):
                    serial = serial and _stays_serial(operator, update, language)
                    if not serial:
                        yield Danger(update, operator, agent, _written(around, blind, number))
            if box:
                yield from go(body, lambda hole: Not(Modal(operator, agent, Not(hole))))
            else:
                yield from go(body, lambda hole: Modal(operator, agent, hole))
        case _:
            ast.only_extensional(node, "survival")
            for part in ast.children(node):
                yield from _below(part, around, updates, language)


def _stays_serial(operator: str, update: Formula, language: Language) -> bool:
    """Whether each world that an agent sees before an event is seen after it, with an action that can happen there."""
    if not isinstance(update, ast.EventUpdate):
        return False
    event = language.event(update)
    seen = (event.seen(operator, who, each.name) for who in (None, *event.agents()) for each in event.actions)
    return all(any(event.action(name).pre == TRUE for name in actions) for actions in seen)


def _written(around: tuple[_Around, ...], blind: Formula, updates: int) -> Formula:
    """The formula inside everything that is around it, except all updates after the first `updates`."""
    kept: list[Callable[[Formula], Formula]] = []
    for is_update, write in around:
        if is_update:
            updates -= 1
            if updates < 0:
                continue
        kept.append(write)
    for write in reversed(kept):
        blind = write(blind)
    return as_formula(blind)
