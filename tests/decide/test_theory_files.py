"""The lines of a `.logic` file: replaced operators, definitions, scales, events and their arrows."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gramprobe.formula.notation import show
from gramprobe.project import load
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.source.diagnostic import Findings

BASE = """theory base
operator K box frame reflexive, transitive within see called "know"
operator see box frame reflexive
operator B box frame serial, transitive, euclidean within K introspected_by K
operator forget neighbourhood
operator poss diamond
define nec F = ~poss ~F
scale some, all
scale or, and
restrictors nonempty
event trick
  action one
    pre p
    post q := ~q
    post q2 := nec q
  action two
  actual one
"""
NEXT = """theory next
include base
operator K box frame reflexive, transitive, euclidean
operator nec box frame serial
define forget[a] F = F & ~K[a] F
scale some, most, all
restrictors any
"""
ARROWS = """theory arrows
include base
event hidden
  action one
  action two
  actual one
  arrows B[a]: one -> two
event shared
  action one
  action two
  actual two
  arrows B: one -> one | two, two -> one | two
  arrows B[a]: one -> one, two -> two
event general
  action one
  action two
  actual one
  arrows B: one -> one | two, two -> one | two
  arrows B[a]: one -> two
  arrows K: one -> one | two, two -> one | two
event known
  action only
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("theories")
    (root / "logic").mkdir()
    for text in (BASE, NEXT, ARROWS):
        (root / f"logic/{text.split()[1]}.logic").write_text(text, "utf-8")
    return root


_loaded = cache(load)  # nothing below the folder is changed


def theory(folder: Path, name: str) -> Theory:
    project, findings = _loaded(folder), Findings()
    resolved = project.declarations.theory(name, None, findings)
    assert resolved is not None
    assert not [*project.findings.items, *findings.items]
    return resolved


def test_lines_of_operators_scales_and_definitions(folder: Path) -> None:
    resolved = theory(folder, "base")
    operators = {operator.name: operator for operator in resolved.operators}
    assert (operators["K"].within, operators["K"].gloss) == (("see",), "know")
    assert (operators["B"].within, operators["B"].introspected_by) == (("K",), ("K",))
    assert operators["forget"].kind == "neighbourhood"
    assert [(d.name, show(d.formula)) for d in resolved.definitions] == [("nec", "~poss ~F")]
    assert resolved.scales == (("some", "all"), ("or", "and"))
    assert resolved.restrictors == "nonempty"
    assert "nec" in resolved.operator_names


def test_a_line_of_an_including_file_replaces_that_of_the_included(folder: Path) -> None:
    resolved = theory(folder, "next")
    operators = {operator.name: operator for operator in resolved.operators}
    assert operators["K"].frame == {"reflexive", "transitive", "euclidean"}
    assert operators["K"].within == ()
    assert operators["nec"].frame == {"serial"}
    assert "forget" not in operators
    assert [d.name for d in resolved.definitions] == ["forget"]
    assert resolved.scales == (("or", "and"), ("some", "most", "all"))
    assert resolved.restrictors == "any"


def test_an_event_with_its_actions(folder: Path) -> None:
    event = theory(folder, "base").events[0]
    assert (event.name, event.actual) == ("trick", "one")
    one, two = event.actions
    assert (show(one.pre), show(two.pre)) == ("p", "true")
    assert [(show(atom), show(value)) for atom, value in one.post] == [("q", "~q"), ("q2", "~poss ~q")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("event", "operator", "agent", "seen"),
    [
        ("hidden", "B", "a", {"one": ("two",), "two": ("two",)}),
        ("hidden", "K", "a", {"one": ("one", "two"), "two": ("two",)}),  # what belief asks of knowledge
        ("hidden", "see", "a", {"one": ("one", "two"), "two": ("two",)}),
        ("hidden", "B", "b", {"one": ("one",), "two": ("two",)}),
        ("hidden", "poss", None, {"one": ("one",), "two": ("two",)}),
        ("shared", "B", "b", {"one": ("one", "two"), "two": ("one", "two")}),
        ("shared", "K", "b", {"one": ("one", "two"), "two": ("one", "two")}),
        ("shared", "B", "a", {"one": ("one",), "two": ("two",)}),
        ("shared", "K", "a", {"one": ("one",), "two": ("two",)}),
        ("general", "K", "a", {"one": ("one", "two"), "two": ("one", "two")}),  # everybody's line is his too
        ("general", "K", "b", {"one": ("one", "two"), "two": ("one", "two")}),
        ("general", "see", "a", {"one": ("one", "two"), "two": ("one", "two")}),
        ("known", "K", "a", {"only": ("only",)}),
    ],
)
def test_arrows_that_nobody_wrote(
    folder: Path, event: str, operator: str, agent: str | None, seen: dict[str, tuple[str, ...]]
) -> None:
    model = next(e for e in theory(folder, "arrows").events if e.name == event)
    assert {action.name: model.seen(operator, agent, action.name) for action in model.actions} == seen
    assert next(e.actual for e in theory(folder, "arrows").events if e.name == "known") == "only"


def test_a_slice_holds_what_definitions_events_and_scales_bring_in(folder: Path) -> None:
    from gramprobe.formula.notation import parse

    resolved = theory(folder, "base")
    pair = parse("nec p", operators=resolved.operator_names), parse("[trick] q")
    known = slice_for(pair, resolved, {})
    assert [o.name for o in known.operators] == ["poss"]
    assert [d.name for d in known.definitions] == ["nec"]
    assert [e.name for e in known.events] == ["trick"]
    assert slice_for((parse("p"), parse("q")), resolved, {}).events == ()
