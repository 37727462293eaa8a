"""Product update by hand: announcements, hidden events, what changes, and what a model does not determine."""

from __future__ import annotations

from typing import Any

import pytest

from gramprobe.certify.evaluator import projection_of
from gramprobe.certify.model import Model, ModelError
from gramprobe.certify.product import Updating, announcement

P, Q = ["atom", "p"], ["atom", "q"]
ANN, BEN = ["const", "ann"], ["const", "ben"]
BOTH = frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
#: p at w0 only, and neither ann nor ben knows whether; `earlier` leads back and forth
TWO = Model(
    worlds=2, individuals=2, actual=0, constants={"ann": 0, "ben": 1},
    predicates={"p": (frozenset({()}), frozenset()), "q": (frozenset(), frozenset())},
    relations={"K[0]": BOTH, "K[1]": BOTH, "earlier": frozenset({(0, 1), (1, 0)})},
)  # fmt: skip
#: p becomes false (q true), and b takes nothing to happen
HIDDEN: dict[str, Any] = {
    "parameters": ["b"],
    "actual": "change",
    "actions": [["change", P, [[P, ["false"]], [Q, P]]], ["nothing", ["true"], []]],
    "arrows": [["K", "b", [["change", "nothing"], ["nothing", "nothing"]]]],
}


def knows(who: Any, formula: Any) -> list[Any]:
    return ["modal", "K", who, formula]


def updating(**events: Any) -> Updating:
    return Updating(TWO, projection_of("middle"), {"K": "box", "earlier": "box"}, events, ["earlier"])


def value(formula: Any, world: int = 0, **events: Any) -> str:
    return updating(**events).value(formula, world, {})


def test_an_announcement_leaves_the_worlds_where_it_is_true() -> None:
    after = updating().after(announcement(P), {})
    assert (after.model.actual, after.gone) == (0, False)
    assert value(["announced", P, knows(ANN, P)]) == "T"
    assert value(knows(ANN, P)) == "F"
    moore = ["and", P, ["not", knows(ANN, P)]]
    assert value(moore) == "T"
    assert value(["announced", moore, moore]) == "F"


def test_what_cannot_be_announced_makes_anything_true_behind_it() -> None:
    assert value(["announced", ["not", P], ["false"]]) == "T"
    gone = updating().after(announcement(["not", P]), {})
    assert gone.gone
    assert gone.value(["here", ["false"]], 0, {}) == "T"
    assert updating().after(announcement(["false"]), {}).gone


def test_an_event_changes_facts_by_what_held_before() -> None:
    after = ["event", "E", ["and", Q, ["not", P]], BEN]
    assert value(after, E=HIDDEN) == "T"
    assert value(["event", "E", ["false"], BEN], 1, E=HIDDEN) == "T"  # it cannot happen where p is false


def test_who_does_not_see_an_event_takes_nothing_to_happen() -> None:
    assert value(["event", "E", knows(ANN, Q), BEN], E=HIDDEN) == "T"
    assert value(["event", "E", knows(BEN, ["not", Q]), BEN], E=HIDDEN) == "T"
    assert value(["event", "E", knows(ANN, Q), ANN], E=HIDDEN) == "F"  # the parameter, not the name, is left out


def test_of_two_names_for_one_agent_the_arrows_of_the_later_count() -> None:
    both = {**HIDDEN, "parameters": ["b", "c"], "arrows": [
        *HIDDEN["arrows"], ["K", "c", [["change", "change"], ["nothing", "nothing"]]]]}  # fmt: skip
    assert value(["event", "E", knows(BEN, Q), BEN, ANN], E=both) == "F"
    assert value(["event", "E", knows(BEN, Q), BEN, BEN], E=both) == "T"


def test_an_operator_that_looks_back_sees_the_model_before() -> None:
    assert value(["event", "E", ["modal", "earlier", None, ["modal", "earlier", None, P]], BEN], E=HIDDEN) == "T"
    assert value(["event", "E", ["modal", "earlier", None, Q], BEN], E=HIDDEN) == "F"
    with pytest.raises(ModelError, match="looks back"):
        value(["event", "E", ["modal", "earlier", None, ["here", P]], BEN], E=HIDDEN)
    assert value(["modal", "earlier", None, ["here", P]]) == "T"


def test_an_announcement_inside_an_announcement() -> None:
    learnt = ["announced", P, knows(ANN, P)]
    assert value(["announced", learnt, knows(BEN, learnt)]) == "T"


def test_an_event_about_a_variable_is_about_each() -> None:
    everyone = ["quantified", "forall", None, "x", "individual", ["true"]]
    assert value([*everyone, ["event", "E", knows(["var", "x"], ["not", Q]), ["var", "x"]]], E=HIDDEN) == "T"
    assert value([*everyone, ["event", "E", knows(ANN, ["not", Q]), ["var", "x"]]], E=HIDDEN) == "F"


def test_a_precondition_with_a_gap_determines_nothing() -> None:
    with pytest.raises(ModelError, match="gap"):
        value(["announced", ["presupposing", Q, P], P])


def test_an_event_that_nobody_declares_has_no_value() -> None:
    with pytest.raises(ModelError, match="no formula with a truth value"):
        value(["event", "F", P])
    with pytest.raises(ModelError, match="silent on r"):
        value(["event", "E", P], E={**HIDDEN, "parameters": [], "arrows": [],
                                    "actions": [["change", P, [[["atom", "r"], P]]]]})  # fmt: skip
