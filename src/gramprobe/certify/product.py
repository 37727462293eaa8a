"""Product update: the model after an event, and formulas about it, evaluated in that model.

The worlds after an event are the pairs of a world and an action whose precondition is true there; a world is seen from
another if the worlds see each other, and the agent takes the one action for possible while the other happens (Baltag,
Moss & Solecki 1998). Postconditions give atoms the values that formulas had before (van Benthem, van Eijck & Kooi
2006). A public announcement is an event with one action. An event is JSON data:

    {"parameters": ["a"], "actual": "move", "actions": [["move", PRE, [[ATOM, FORMULA], ...]], ...],
     "arrows": [["B", "a", [["move", "nothing"], ...]], ...]}

with null for the agent of arrows that everybody has who has none of his own. Operators named in `past` (those of a
functional frame) speak of the time before: a copy of the old model stays, which they lead to. `[E] F` is true where E
cannot happen. Nothing here is reduced to anything: `formula.updates` says the same by formulas about the model before,
and `verify` and the laws compare the two.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gramprobe.certify.evaluator import Evaluator, Projection
from gramprobe.certify.model import Model, ModelError
from gramprobe.certify.reject import Budget

Event = Mapping[str, Any]


def announcement(formula: Any) -> Event:
    """The public announcement of a formula, as an event."""
    return {"parameters": [], "actual": "!", "actions": [["!", formula, []]], "arrows": []}


class Updating(Evaluator):
    """Evaluates formulas with updates in one model; `after` gives the evaluator of the model after an event.

    Attributes:
        gone: Whether the actual world has not survived an event; `F @ here` is true then.
    """

    def __init__(
        self,
        model: Model,
        projection: Projection,
        kinds: Mapping[str, str],
        events: Mapping[str, Event],
        past: Collection[str] = (),
        budget: Budget | None = None,
    ) -> None:
        super().__init__(model, projection, kinds, budget or Budget())
        self.events, self.past, self.gone, self.updated = events, past, False, False
        self._numbers: dict[tuple[int, str], int] = {}
        self._after: dict[tuple[Any, ...], Updating] = {}

    def value(self, formula: Any, world: int, bound: dict[str, int]) -> str:
        """The value at a world. Raises ModelError where it is not determined: a precondition has a gap, an operator
        has sets of worlds, `here` stands below an operator that looks back.
        """
        match formula:
            case ["announced", said, body]:
                return self._update(id(said), announcement(said), bound, body, world, bound)
            case ["event", str(name), body, *args] if name in self.events:
                event = self.events[name]
                given = zip(event["parameters"], (self.denotation(arg, bound) for arg in args), strict=True)
                return self._update(name, event, dict(given), body, world, bound)
            case ["here", _] if self.gone:
                return "T"
            case ["modal", operator, _, body] if operator in self.past and self.updated and _has_here(body):
                raise ModelError(f"`here` below {operator}, which looks back at a time before an event")
        return super().value(formula, world, bound)

    def _update(
        self, key: str | int, event: Event, given: dict[str, int], body: Any, world: int, bound: dict[str, int]
    ) -> str:
        """The value of `body` after the event. `key` tells the events of a formula, which lives meanwhile, apart."""
        pre = next(each[1] for each in event["actions"] if each[0] == event["actual"])
        if not self._true(pre, world, given):
            return "T"
        place = key, *sorted(given.items())
        if place not in self._after:
            self._after[place] = self.after(event, given)
        after = self._after[place]
        return after.value(body, after._numbers[world, event["actual"]], bound)

    def _true(self, precondition: Any, world: int, given: dict[str, int]) -> bool:
        value = self.value(precondition, world, given)
        if value == "U":
            raise ModelError("a precondition has a gap, and nothing says whether its action happens")
        return value == "T"

    def after(self, event: Event, given: dict[str, int]) -> Updating:
        """The evaluator of the model after an event, `given` the individuals that its parameters stand for.

        Its actual world is the old one with the actual action; world 0 if that is gone, and the old model if no action
        can happen anywhere. Raises ModelError as `value`.
        """
        old = self.model
        states = [(w, action) for w in range(old.worlds) for action in event["actions"]
                  if self._true(action[1], w, given)]  # fmt: skip
        self.budget.spend(len(states) * (1 + len(old.predicates)))
        numbers = {(w, action[0]): at for at, (w, action) in enumerate(states)}
        if not states:
            left = Updating(old, self.projection, self.kinds, self.events, self.past, self.budget)
            left.gone = left.updated = True
            return left
        worlds = [w for w, _ in states]
        if any(key.partition("[")[0] in self.past for key in old.relations):
            worlds += range(old.worlds)  # the copy of the old model
        extensions = {name: [set(extension[w]) for w in worlds] for name, extension in old.predicates.items()}
        for at, (w, (_, _, posts)) in enumerate(states):
            for atom, new in posts:
                if atom[1] not in extensions:
                    raise ModelError(f"the model is silent on {atom[1]}")
                who = tuple(self.denotation(term, given) for term in atom[2:])
                (set.add if self._true(new, w, given) else set.discard)(extensions[atom[1]][at], who)
        relations = {key: self._relation(key, event, given, states, numbers) for key in old.relations}
        here = numbers.get((old.actual, event["actual"]))
        model = replace(
            old,
            worlds=len(worlds),
            actual=here or 0,
            predicates={name: tuple(map(frozenset, each)) for name, each in extensions.items()},
            relations=relations,
            neighbourhoods={},
        )
        made = Updating(model, self.projection, self.kinds, self.events, self.past, self.budget)
        made.gone, made.updated, made._numbers = self.gone or here is None, True, numbers
        return made

    def _relation(
        self,
        key: str,
        event: Event,
        given: Mapping[str, int],
        states: Sequence[tuple[int, Any]],
        numbers: Mapping[tuple[int, str], int],
    ) -> frozenset[tuple[int, int]]:
        operator, _, owner = key.partition("[")
        pairs, first = self.model.relations[key], len(states)
        copied = frozenset((first + w, first + v) for w, v in pairs)
        if operator in self.past:
            return copied | {(at, first + v) for at, (w, _) in enumerate(states) for u, v in pairs if u == w}
        self.budget.spend(len(pairs) * len(event["actions"]))
        seen = self._seen(operator, owner[:-1], event, given)
        old = {(w, v) for w, v in pairs}
        product = frozenset(
            (numbers[w, a], numbers[v, b]) for w, v in old for a, b in seen if (w, a) in numbers and (v, b) in numbers
        )
        looks_back = any(each.partition("[")[0] in self.past for each in self.model.relations)
        return product | copied if looks_back else product

    def _seen(self, operator: str, owner: str, event: Event, given: Mapping[str, int]) -> list[tuple[str, str]]:
        """The arrows of an agent for an operator: by the last name that is the agent's, else everybody's, else each
        action leads to itself.
        """
        named = dict.fromkeys(agent for _, agent, _ in event["arrows"] if agent is not None)
        mine = [agent for agent in named if owner and str(self._agent(agent, given)) == owner]
        for wanted in (*mine[-1:], None):
            for name, agent, pairs in event["arrows"]:
                if (name, agent) == (operator, wanted):
                    return [(one, other) for one, other in pairs]
        return [(action[0], action[0]) for action in event["actions"]]

    def _agent(self, name: str, given: Mapping[str, int]) -> int:
        who = given.get(name, self.model.constants.get(name))
        if who is None:
            raise ModelError(f"the model is silent on {name}")
        return who


def _has_here(formula: Any) -> bool:
    return isinstance(formula, list) and (formula[:1] == ["here"] or any(map(_has_here, formula)))
