"""Models in words: who has what in which world, and why a claim about a label fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gramprobe.certify.model import Model

if TYPE_CHECKING:
    from gramprobe.dataset.label import Decided
    from gramprobe.decide.search.bound import Bound


def against(decided: Decided, expected: str) -> list[str]:
    """Why a label does not hold: a model that speaks against it, or what was not found."""
    wanted = {"entailment": "FU", "contradiction": "T", "neutral": "TFU"}[expected]
    values = [v for v in wanted if v in decided.verdict.models]
    meant = {"T": "true", "F": "false", "U": "undefined"}
    if expected == "neutral":
        missing = "true" if decided.label == "contradiction" else "false or undefined"
        return [f"no model with up to {searched(decided.verdict.bound)} makes the hypothesis {missing}"]
    if not values:
        return []
    model = decided.gold.model(values[0])
    size = f"{_counted(model.worlds, 'world')}, {_counted(model.individuals, 'individual')}"
    head = f"countermodel ({size}): at w{model.actual} the premise is committed to, the hypothesis {meant[values[0]]}"
    return [head, *("  " + line for line in described(model))]


def searched(bound: Bound) -> str:
    """How far a search went: `3 worlds and 3 individuals`."""
    return f"{_counted(bound.worlds, 'world')} and {_counted(bound.individuals, 'individual')}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def described(model: Model) -> list[str]:
    """A model as lines of text: who has what in each world, and which worlds are seen."""
    names = {v: k for k, v in reversed(list(model.constants.items()))}
    who = [names.get(i, f"d{i}") for i in range(model.individuals)]
    who += [f"t{i}" for i in range(model.occasions)]
    lines: list[str] = []
    for world in range(model.worlds):
        parts = []
        for predicate, extension in sorted(model.predicates.items()):
            inside = ", ".join(_tuple(t, who) for t in sorted(extension[world]))
            parts.append(f"{predicate} {{{inside}}}")
        for key, relation in sorted(model.relations.items()):
            operator, bracket, agent = key.partition("[")
            operator += f"[{who[int(agent[:-1])]}]" if bracket else ""
            seen = [f"w{v}" for w, v in sorted(relation) if w == world]
            parts.append(f"{operator} sees {', '.join(seen) or 'nothing'}")
        lines.append(f"w{world}  " + "   ".join(parts))
    return lines


def _tuple(members: tuple[int, ...], who: list[str]) -> str:
    """`jo`, `(jo, d1)`; for a proposition that holds, `true`."""
    if not members:
        return "true"
    return who[members[0]] if len(members) == 1 else "(" + ", ".join(who[m] for m in members) + ")"
