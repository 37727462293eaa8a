"""Stories in words: what each event changes and what each agent takes it for; and the final model.

A certificate's model is the one before the story, since its formulas were reduced to formulas without updates. The
final model is the product of that model with one event after the other (Baltag, Moss & Solecki 1998; with
postconditions: van Benthem, van Eijck & Kooi 2006), limited to the relations that occur in the hypothesis, and with
bisimilar worlds merged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import structs

from gramprobe.certify.evaluator import projection_of
from gramprobe.certify.model import Model, ModelError
from gramprobe.certify.product import Updating
from gramprobe.decide.narrative import updates_of
from gramprobe.formula import ast
from gramprobe.formula.ast import FALSE, TRUE, Argument, Formula
from gramprobe.formula.definitions import expand
from gramprobe.formula.encoding import event_to_json, to_json
from gramprobe.formula.measure import Symbols, symbols
from gramprobe.formula.notation import show
from gramprobe.formula.theory import Action, Definition, EventModel, TheorySlice
from gramprobe.formula.updates import about, has_updates


class NoProduct(Exception):
    """The final model cannot be built: an operator has no product, or the model lacks a name that the story uses."""


def events_of(premise: Formula, theory: TheorySlice) -> list[tuple[str, EventModel, Mapping[str, Argument]]]:
    """The events of a story in order: each as it is written, as an event model, and parameter -> argument."""
    known = {event.name: event for event in theory.events}
    events: list[tuple[str, EventModel, Mapping[str, Argument]]] = []
    for update in updates_of(premise):
        shown = show(update).removesuffix("true").strip()[1:-1]
        if isinstance(update, ast.EventUpdate):
            event = known[update.event]
            given = dict(zip(event.parameters, update.args, strict=True))
            events.append((shown, about(event, given), given))
        elif isinstance(update, ast.Announced):
            events.append((shown, EventModel("!", "!", (Action("!", update.announcement),)), {}))
    return events


# ---- in words --------------------------------------------------------------------------------------------------


def happenings(premise: Formula, hypothesis: Formula, theory: TheorySlice) -> tuple[str, ...]:
    """For each event some sentences: what it requires and changes, and what each agent takes to be happening, for the
    operators that occur in the hypothesis."""
    definitions = {definition.name: definition for definition in theory.definitions}
    asked = {name for name, _ in symbols(expand(hypothesis, definitions)).operators}
    return tuple(
        f"{number}. `{shown}`: {_happening(event, given, asked)}"
        for number, (shown, event, given) in enumerate(events_of(premise, theory), 1)
    )


def _happening(event: EventModel, given: Mapping[str, Argument], asked: set[str]) -> str:
    if event.name == "!":
        return "everybody hears it."
    actual = event.action(event.actual)
    needs = f", which needs `{show(actual.pre)}`," if actual.pre != TRUE else ""
    sentences = [f"what happens is `{actual.name}`{needs} and {_change(actual)}."]
    if not event.arrows:
        return f"{sentences[0]} Everybody sees it."
    operators = sorted(asked & {each.operator for each in event.arrows})
    if not operators:  # the one with the fewest arrows: belief, say, and not the knowledge that includes it
        operators = [min(event.arrows, key=lambda each: len(each.pairs)).operator]
    reached, queue = [actual.name], [actual.name]
    while queue:
        name = queue.pop(0)
        action, taken = event.action(name), []
        for operator in operators:
            agents = (*event.agents(), None)
            seen = [other for agent in agents for other in event.seen(operator, agent, name)]
            new = [other for other in dict.fromkeys(seen) if other not in reached]
            reached += new
            queue += new
            if name == actual.name or set(seen) != {name}:
                taken.append(f"by `{operator}` {_takes(event, operator, name, given)}")
        if name == actual.name:
            sentences += [f"{each[0].upper()}{each[1:]}." for each in taken]
        else:
            sentences.append("; ".join([f"`{name}` {_change(action)}", *taken]) + ".")
    return " ".join(sentences)


def _change(action: Action) -> str:
    parts = []
    for atom, new in action.post:
        become = "true" if new == TRUE else "false" if new == FALSE else f"what `{show(new)}` was"
        parts.append(f"`{show(atom)}` {become}")
    return f"makes {' and '.join(parts)}" if parts else "changes nothing"


def _takes(event: EventModel, operator: str, action: str, given: Mapping[str, Argument]) -> str:
    """What each agent takes an action for, agents with arrows of their own first."""
    others = event.seen(operator, None, action)
    parts = [
        f"{_named(given.get(agent, ast.Const(agent)))} {_for(seen, action)}"
        for agent in event.agents()
        if (seen := event.seen(operator, agent, action)) != others
    ]
    return ", ".join([*parts, f"everybody{' else' if parts else ''} {_for(others, action)}"])


def _named(who: Argument) -> str:
    return who.name if isinstance(who, ast.Const) else f"`{show(who)}`"


def _for(seen: Sequence[str], action: str) -> str:
    if tuple(seen) == (action,):
        return "takes it for what it is"
    if len(seen) > 1:
        return "cannot tell whether it is " + " or ".join(f"`{name}`" for name in seen)
    return f"takes it to be `{seen[0]}`" if seen else "holds nothing possible"


# ---- as a model ------------------------------------------------------------------------------------------------


def final_model(model: Model, premise: Formula, hypothesis: Formula, theory: TheorySlice) -> Model:
    """The model after the story, with the relations that occur in the hypothesis, and bisimilar worlds merged.

    `theory`: with its events and definitions, as before reduction. Raises NoProduct.
    """
    definitions = {definition.name: definition for definition in theory.definitions}
    kinds = {operator.name: str(operator.kind) for operator in theory.operators}
    asked = expand(hypothesis, definitions)
    events = [expanded_event(event, definitions) for _, event, _ in events_of(premise, theory)]
    inside = [part for event in events for part in event.formulas()]
    if has_updates(asked) or ast.Exhaustified in ast.kinds(asked):
        raise NoProduct
    occurring = symbols(asked, *inside, premise)
    if any(kinds.get(name) not in ("box", "diamond") for name, _ in occurring.operators):
        raise NoProduct
    if any("functional" in theory.operator(name).frame for name, _ in occurring.operators):
        raise NoProduct  # events do not change the relation of such an operator
    evaluator = after_story(filled_in(model, occurring, theory), premise, theory)
    if evaluator is None:
        raise NoProduct
    after = evaluator.model
    wanted = {(name, agent) for name, agent in symbols(asked).operators}
    kept = {
        key: pairs
        for key, pairs in after.relations.items()
        if any(key == _key(name, agent, after) or (isinstance(agent, ast.Var) and key.startswith(f"{name}["))
               for name, agent in wanted)
    }  # fmt: skip
    return _contracted(replace(after, relations=kept))


def after_story(model: Model, premise: Formula, theory: TheorySlice) -> Updating | None:
    """The evaluator of the model after a story; None if some event cannot happen when it does.

    `model` has every symbol that the story uses. Raises NoProduct.
    """
    definitions = {definition.name: definition for definition in theory.definitions}
    evaluator = evaluator_of(model, theory)
    try:
        for _, event, given in events_of(premise, theory):
            terms = {name: to_json(term) for name, term in given.items()}
            who = {name: evaluator.denotation(term, {}) for name, term in terms.items()}
            evaluator = evaluator.after(event_to_json(expanded_event(event, definitions)), who)
            if evaluator.gone:
                return None
    except ModelError as error:
        raise NoProduct from error
    return evaluator


def evaluator_of(model: Model, theory: TheorySlice) -> Updating:
    """The evaluator of formulas with updates in a model of a theory, before its definitions and events are gone."""
    definitions = {definition.name: definition for definition in theory.definitions}
    return Updating(
        model,
        projection_of(theory.projection.data),
        {operator.name: str(operator.kind) for operator in theory.operators},
        {event.name: event_to_json(expanded_event(event, definitions)) for event in theory.events},
        [operator.name for operator in theory.operators if "functional" in operator.frame],
    )


def expanded_event(event: EventModel, definitions: Mapping[str, Definition]) -> EventModel:
    """The event without defined operators in its formulas."""
    actions = tuple(
        Action(a.name, expand(a.pre, definitions), tuple((atom, expand(new, definitions)) for atom, new in a.post))
        for a in event.actions
    )
    return structs.replace(event, actions=actions)


def _key(operator: str, agent: Argument | None, model: Model) -> str:
    return f"{operator}[{model.constants[agent.name]}]" if isinstance(agent, ast.Const) else operator


def filled_in(model: Model, occurring: Symbols, theory: TheorySlice) -> Model:
    """The model with the symbols that the story uses and that reduction removed.

    Missing names get an individual, missing predicates hold of nothing, and missing relations are the smallest
    reflexive ones that include the relations within them.
    """
    used = {who for extension in model.predicates.values() for world in extension for t in world for who in t}
    used |= {int(key.partition("[")[2][:-1]) for key in model.relations if "[" in key} | {*model.constants.values()}
    free = [who for who in range(model.individuals) if who not in used]
    constants, size = dict(model.constants), model.individuals
    missing = [name for name in occurring.constants if name not in constants]
    if len(missing) > len(free) and model.occasions:
        raise NoProduct  # occasions are numbered behind the individuals
    for name in missing:
        constants[name] = free.pop(0) if free else size
        size = max(size, constants[name] + 1)
    empty = tuple(frozenset[tuple[int, ...]]() for _ in range(model.worlds))
    predicates = {**{name: empty for name, _ in occurring.predicates}, **model.predicates}
    relations = dict(model.relations)
    itself = frozenset((w, w) for w in range(model.worlds))
    for name in dict.fromkeys(name for name, _ in occurring.operators):
        ends = {"" if agent is None else "[" for operator, agent in occurring.operators if operator == name}
        keys = [name] if ends == {""} else [f"{name}[{who}]" for who in range(size)]
        for key in keys:
            end = key.removeprefix(name)
            smaller = [model.relations.get(o.name + end, frozenset()) for o in theory.operators if name in o.within]
            relations.setdefault(key, itself.union(*smaller))
    return replace(model, individuals=size, constants=constants, predicates=predicates, relations=relations)


def _contracted(model: Model) -> Model:
    """The part of a model that is reachable from the actual world, bisimilar worlds merged; the actual world is w0.

    Worlds are divided by their facts, and then again and again by the classes of worlds that they see, until no class
    is divided further (partition refinement).
    """
    facts = [tuple(sorted((name, e[w]) for name, e in model.predicates.items())) for w in range(model.worlds)]
    seen = {k: [sorted(v for u, v in pairs if u == w) for w in range(model.worlds)]
            for k, pairs in model.relations.items()}  # fmt: skip
    kind = _numbered([tuple(sorted((name, tuple(sorted(e))) for name, e in each)) for each in facts])
    while True:
        finer = _numbered([
            (kind[w], *(tuple(sorted({kind[v] for v in seen[k][w]})) for k in sorted(seen)))
            for w in range(model.worlds)
        ])  # fmt: skip
        if max(finer) == max(kind):
            break
        kind = finer
    order, queue = [kind[model.actual]], [model.actual]
    example = {kind[model.actual]: model.actual}
    while queue:
        world = queue.pop(0)
        for key in sorted(seen):
            for v in seen[key][world]:
                if kind[v] not in example:
                    example[kind[v]] = v
                    order.append(kind[v])
                    queue.append(v)
    place = {each: n for n, each in enumerate(order)}
    return replace(
        model,
        worlds=len(order),
        actual=0,
        predicates={name: tuple(e[example[each]] for each in order) for name, e in model.predicates.items()},
        relations={
            key: frozenset((place[each], place[kind[v]]) for each in order for v in per_world[example[each]])
            for key, per_world in seen.items()
        },
    )


def _numbered(values: Sequence[object]) -> list[int]:
    """Each value by its number among the different values, in order of first occurrence: a, b, a gives 0, 1, 0."""
    known: dict[object, int] = {}
    return [known.setdefault(each, len(known)) for each in values]
