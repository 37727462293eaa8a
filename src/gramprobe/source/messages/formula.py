"""Messages about two formulas typed by hand: a code, what is wrong, what to do. There is no file to point into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Fault: TypeAlias = tuple[str, str, str]
"""Code, message, help."""


_MORE_SEARCH = "ask an outside prover with --oracle NAME"


def premise_perhaps_never_true(theory: str, asked: bool, unproved: str) -> Fault:
    """``unproved``: how the search for a model ended, `was found with up to 1 world and 3 individuals`."""
    what = "what the premise presupposes" if asked else "the premise"
    return (
        "E21",
        f"{what} is perhaps never true in theory {theory}: no model in which it is true {unproved}",
        _MORE_SEARCH,
    )


def hypothesis_perhaps_settled(valid: bool, theory: str, unproved: str) -> Fault:
    """``valid``: the search found no model in which the hypothesis is not true; else, no model in which it is true."""
    how, other = ("true", "not true") if valid else ("never true", "true")
    return (
        "E22",
        f"the hypothesis is perhaps {how} whatever the premise says: no model of theory {theory} in which it is {other} "
        f"{unproved}",
        _MORE_SEARCH,
    )


def premise_never_true(blame: str, theory: str, asked: bool) -> Fault:
    what = "what the premise presupposes is never true" if asked else "the premise is never true"
    if blame == "theory":
        return _no_model(theory, "E21")
    if blame == "form":
        return (
            "E21",
            f"{what}: it contradicts itself",
            "every label would hold vacuously; take one of the two parts out",
        )
    return (
        "E21",
        f"{what} in theory {theory}: an axiom or a frame condition excludes it",
        "every label would hold vacuously; change the premise, or decide it in another --theory",
    )


def hypothesis_never(valid: bool, blame: str, theory: str) -> Fault:
    how = "true" if valid else "never true"
    if blame == "theory":
        return _no_model(theory, "E22")
    why = "by its form alone" if blame == "form" else f"by the axioms and frame conditions of theory {theory}"
    return (
        "E22",
        f"the hypothesis is {how} whatever the premise says, {why}",
        "a label for it would say nothing about the premise; take a hypothesis that can be true and can be false",
    )


def _no_model(theory: str, code: str) -> Fault:
    return code, f"theory {theory} has no model at all", "two of its axioms or frame conditions exclude each other"


def hypothesis_asks() -> Fault:
    return "E23", "the hypothesis is a question: it can be neither true nor false", "take the `?` out"


def hypothesis_undefined() -> Fault:
    return (
        "E24",
        "the hypothesis is undefined wherever the premise holds: a presupposition failure",
        "in a paradigm, `via failure` counts it as contradiction; else change what the hypothesis presupposes",
    )


def believes_all(side: str, update: str, operator: str) -> Fault:
    return (
        "E41",
        f"after `{update}` in the {side}, `{operator}` may hold of everything: it may see no world that is left",
        f"let the premise say that this cannot be, as `~{operator} ~p` before `[! p]`; or use an event that changes the fact",
    )


def lost_story(side: str, update: str) -> Fault:
    return (
        "E41",
        f"`{update}` in the {side} would be ignored: only a premise that consists of updates alone is a story, and "
        "this pair would be decided in the situation before them",
        "announce in the story what else is so, as `[! F] [E] true`; or write after the update what holds then, as `[E] F`",
    )


def no_reduction(why: str) -> Fault:
    return "E41", why, "write the formula without the update, or with an operator over single worlds"


def event_arguments(event: str, parameters: Sequence[str], given: int) -> Fault:
    shown = ", ".join(parameters)
    wanted = (
        f"`{event}({shown})` takes {len(parameters)} argument{'' if len(parameters) == 1 else 's'}"
        if parameters
        else f"`{event}` takes no argument"
    )
    help = f"write `[{event}({shown})] F` with a name for each" if parameters else f"write `[{event}] F`"
    return "E70", f"event {wanted}, but is given {given}", help


def too_large_a_formula(why: str) -> Fault:
    return "E43", why, "decide smaller formulas: no engine would come to the end of this one"
