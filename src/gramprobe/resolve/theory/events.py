"""Event models of a theory's files: actions, arrows, and whether the arrows fit the operators.

An action without an arrow of its own leads to itself. Where an agent's arrows are given for one operator only, the
operators that it is within have the smallest relation that their frames allow: arrows of knowledge follow from those of
belief. An agent without arrows recognises every action. Arrows must meet the frame conditions of their operator, so
that these hold after the event too (Baltag, Moss & Solecki 1998). An event with parameters, `event hide(a, x)`, stands
for an event for each a and x; its arrows are checked once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from gramprobe.formula import ast
from gramprobe.formula.binding import free_variables
from gramprobe.formula.notation import FormulaError, parse, show
from gramprobe.formula.theory import Action, Arrows, EventModel, Operator
from gramprobe.resolve.names import require_known, require_new
from gramprobe.resolve.theory.operators import Vocabulary, expanded, read_formula
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import theory_tree as syntax
from gramprobe.syntax.tree import Word

_Pairs: TypeAlias = frozenset[tuple[str, str]]
_Whose: TypeAlias = tuple[str, str | None]


def event_models(lines: Sequence[syntax.Theory], declared: Vocabulary, findings: Findings) -> tuple[EventModel, ...]:
    """The events of some files, the included files first; a later file may replace an event of the same name."""
    models: dict[str, EventModel] = {}
    for line in lines:
        own: dict[str, Word] = {}
        for event in line.events:
            require_new(event.name, own, "event", findings)
            own[event.name.text] = event.name
            if event.broken:
                findings.muted = True
                continue
            model = _event(event, declared, findings)
            if model is not None:
                models[model.name] = model
    return tuple(models.values())


def _event(event: syntax.Event, declared: Vocabulary, findings: Findings) -> EventModel | None:
    """The model of an event; None, with a diagnostic, if its actions have a mistake."""
    if not event.actions:
        findings.add(messages.logic.no_action(event.name.span, event.name.text))
        return None
    names: dict[str, Word] = {}
    for action in event.actions:
        require_new(action.name, names, "action", findings)
        names[action.name.text] = action.name
    for again in event.actual[1:]:
        findings.add(messages.names.declared_twice(again.name.span, "`actual`", event.actual[0].name.span))
    if not event.actual and len(names) > 1:
        findings.add(messages.logic.no_actual(event.name.span, event.name.text, tuple(names)))
        return None
    actual = event.actual[0].name if event.actual else event.actions[0].name
    if not require_known(actual, names, "action", findings):
        return None
    about: dict[str, Word] = {}
    for parameter in event.parameters:
        require_new(parameter, about, "parameter", findings)
        about[parameter.text] = parameter
    actions = tuple(_action(action, tuple(about), declared, findings) for action in event.actions)
    arrows = _arrows(event, tuple(names), declared, findings)
    if not findings.failed:
        _unused(event, actions, arrows, findings)
    return EventModel(event.name.text, actual.text, actions, arrows, tuple(about))


def _unused(event: syntax.Event, actions: Sequence[Action], arrows: Sequence[Arrows], findings: Findings) -> None:
    """Report the parameters that no line below the event mentions."""
    formulas = [f for a in actions for f in (a.pre, *(part for post in a.post for part in post))]
    used = {name for formula in formulas for name in free_variables(formula)} | {a.agent for a in arrows}
    for parameter in event.parameters:
        if parameter.text not in used:
            findings.add(messages.logic.idle_parameter(parameter.span, event.name.text, parameter.text))


def _action(line: syntax.Action, about: tuple[str, ...], declared: Vocabulary, findings: Findings) -> Action:
    pre: ast.Formula = ast.TRUE
    for number, each in enumerate(line.pre):
        formula = _formula(each.formula, about, declared, findings, "in a precondition")
        pre = formula if number == 0 else ast.And(pre, formula)
    posts: list[tuple[ast.Atom, ast.Formula]] = []
    for post in line.post:
        try:
            target = parse(post.target.text, variables=about, operators=declared.names)
        except FormulaError:
            target = ast.TRUE
        if not isinstance(target, ast.Atom) or not all(isinstance(a, (ast.Const, ast.Var)) for a in target.args):
            findings.add(messages.logic.bad_target(post.target.span, post.target.text))
            continue
        if any(target == before for before, _ in posts):
            findings.add(messages.names.declared_twice(post.target.span, f"the value of `{post.target.text}`", None))
        posts.append((target, _formula(post.formula, about, declared, findings, "in a postcondition")))
    set_to = {target: formula for target, formula in posts if formula in (ast.TRUE, ast.FALSE)}
    for post, (target, formula) in zip(line.post, posts, strict=False):
        changed = set_to.keys() - {target}
        if old := [atom for atom in ast.walk(formula) if atom in changed]:
            findings.add(messages.logic.value_before(post.formula.span, show(old[0]), line.name.text))
    return Action(line.name.text, pre, tuple(posts))


def _formula(word: Word, about: tuple[str, ...], declared: Vocabulary, findings: Findings, where: str) -> ast.Formula:
    formula = read_formula(word, about, declared.names, findings, where)
    if formula is None:
        return ast.TRUE
    assert set(free_variables(formula)) <= {*about}
    return expanded(word, formula, declared.definitions, findings)


def _arrows(
    event: syntax.Event, actions: tuple[str, ...], declared: Vocabulary, findings: Findings
) -> tuple[Arrows, ...]:
    """The arrows of all operators and agents, given and inferred; empty, with a diagnostic, if they do not fit."""
    stated: dict[_Whose, _Pairs] = {}
    lines: dict[_Whose, syntax.ArrowsLine] = {}
    for line in event.arrows:
        name = line.operator.text
        if name in declared.definitions:
            help = f"give arrows to the operators that `{name}` is defined by"
            findings.add(
                messages.logic.not_of_this_kind(line.operator.span, name, "here: it has no arrows of its own", help)
            )
            continue
        if not require_known(line.operator, declared.operators, "operator", findings):
            continue
        operator = declared.operators[name]
        if operator.kind == "neighbourhood" or "functional" in operator.frame:
            reason = "no worlds" if operator.kind == "neighbourhood" else "the past, which no event changes"
            findings.add(messages.logic.not_of_this_kind(line.operator.span, name, f"here: it sees {reason}"))
            continue
        whose = (name, line.agent.text if line.agent is not None else None)
        if whose in stated:
            findings.add(
                messages.names.declared_twice(
                    line.operator.span, f"the line `arrows {_shown(whose)}`", lines[whose].operator.span
                )
            )
        known = [require_known(word, actions, "action", findings) for arrow in line.arrows for word in arrow]
        if not all(known):
            return ()
        given = {(start.text, end.text) for start, end in line.arrows}
        sources = {start for start, _ in given}
        stated[whose] = frozenset(given | {(a, a) for a in actions if a not in sources})
        lines[whose] = line
    settled = dict(stated)
    for name, agent in stated:
        for wider in _above(name, declared.operators):
            if (wider, agent) not in settled and (wider, None) not in stated:
                within = dict.fromkeys(n for n, _ in settled if wider in _above(n, declared.operators))
                inner = [settled.get((n, agent), settled.get((n, None), frozenset())) for n in within]
                identity = frozenset((action, action) for action in actions)
                settled[wider, agent] = _closed(identity.union(*inner), declared.operators[wider].frame)
    for agent in dict.fromkeys(agent for _, agent in stated):
        for operator in declared.operators.values():
            if operator.kind == "neighbourhood" or "functional" in operator.frame:
                continue
            trouble = _trouble(operator, agent, actions, settled)
            if trouble is not None:
                place = lines.get((operator.name, agent)) or next(x for (_, who), x in lines.items() if who == agent)
                findings.add(messages.logic.unfit_arrows(place.operator.span, _shown((operator.name, agent)), *trouble))
                return ()
    return tuple(Arrows(name, agent, pairs) for (name, agent), pairs in settled.items())


def _above(name: str, operators: Mapping[str, Operator]) -> tuple[str, ...]:
    """The operators that an operator is within, directly or through others, the nearest first."""
    above: dict[str, None] = {}
    todo = [*operators[name].within]
    while todo:
        wider = todo.pop(0)
        if wider not in above and wider != name:
            above[wider] = None
            todo += operators[wider].within
    return tuple(above)


def _closed(pairs: _Pairs, frame: frozenset[str]) -> _Pairs:
    """The smallest relation with these pairs that is symmetric, transitive or euclidean, as the frame demands."""
    while True:
        more = set(pairs)
        if "symmetric" in frame:
            more |= {(b, a) for a, b in pairs}
        if "transitive" in frame:
            more |= {(a, d) for a, b in pairs for c, d in pairs if b == c}
        if "euclidean" in frame:
            more |= {(b, d) for a, b in pairs for c, d in pairs if a == c}
        if more == pairs:
            return pairs
        pairs = frozenset(more)


def _trouble(
    operator: Operator, agent: str | None, actions: tuple[str, ...], settled: Mapping[_Whose, _Pairs]
) -> tuple[str, str] | None:
    """The mistake in an agent's arrows for an operator, and what to do; None if the arrows fit."""
    identity = frozenset((action, action) for action in actions)

    def arrows(name: str) -> _Pairs:
        return settled.get((name, agent), settled.get((name, None), identity))

    pairs, mine = arrows(operator.name), f"arrows {_shown((operator.name, agent))}"
    if "reflexive" in operator.frame:
        for a, b in sorted(identity - pairs):
            return (
                f"are not reflexive: `{a}` does not lead to itself",
                f"write `{a} -> {b}` too: a reflexive operator applies to truths only",
            )
    for condition in sorted(operator.frame & {"transitive", "euclidean", "symmetric"}):
        for a, b in sorted(_closed(pairs, frozenset({condition})) - pairs):
            return f"are not {condition}: `{a} -> {b}` is missing", f"write `{a} -> {b}` too"
    for name in operator.within:
        for a, b in sorted(pairs - arrows(name)):
            wider = _shown((name, agent if (name, agent) in settled else None))
            return (
                f"are not within those of `{wider}`: `{a} -> {b}` is missing there",
                f"write `{a} -> {b}` there too, or leave `arrows {wider}` out",
            )
    for name in operator.introspected_by:
        for a, b in sorted({(a, d) for a, b in arrows(name) for c, d in pairs if b == c} - pairs):
            return (
                f"do not fit those of `{_shown((name, agent))}`, which lead from `{a}` to where `{b}` is seen",
                f"write `{a} -> {b}` in `{mine}`",
            )
    return None


def _shown(whose: _Whose) -> str:
    return whose[0] if whose[1] is None else f"{whose[0]}[{whose[1]}]"
