"""Limits cost few draws: strata are the values of the column by which fewest instances are passed over."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import pytest

from gramprobe.decide.label import Decider
from gramprobe.interpret.read import Reader
from gramprobe.items import hands
from gramprobe.items.limits import columns
from gramprobe.items.plan import Plan
from gramprobe.items.prepare import prepare
from gramprobe.project import Project
from gramprobe.source.diagnostic import AuthoringError, Findings
from gramprobe.space import space as spaces
from gramprobe.space.network import Tangled

MOST = 20
"""Draws for an instance."""


def limited(name: str, project: Project) -> bool:
    return bool(project.declarations.paradigms[name].limits)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("presupposition/change_of_state", "implicature/numerals_2_3_have"),
        pytest.param("presupposition/question", marks=pytest.mark.deep),  # of a large space
    ],
)
def test_at_most_twenty_instances_are_drawn_for_one(name: str, project: Project) -> None:
    assert draws_each(name, project, 200) <= MOST


@pytest.mark.deep
def test_so_it_is_of_every_shipped_set(project: Project) -> None:
    every = [name for name in sorted(project.declarations.paradigms) if limited(name, project)]
    assert len(every) > 20
    assert {name: each for name in every if (each := draws_each(name, project, 1_000)) > MOST} == {}


@pytest.mark.deep
def test_so_it_is_of_large_builds_of_every_set_of_pairs(project: Project) -> None:
    """Of 20,000 instances, where there are so many: for the last that there are, many are passed over."""
    paradigms = project.declarations.paradigms
    every = [name for name in sorted(paradigms) if paradigms[name].task == "nli"]
    assert len(every) > 60
    found = {name: walked(name, project, 20_000) for name in every}
    assert sum(taken == 20_000 for taken, _ in found.values()) > 45
    assert {name: each for name, (taken, each) in found.items() if taken == 20_000 and each > MOST} == {}


def draws_each(name: str, project: Project, count: int) -> float:
    """How many instances are drawn for one of ``count``, or of as many as the limits allow."""
    return walked(name, project, count)[1]


def walked(name: str, project: Project, count: int) -> tuple[int, float]:
    """How many instances are taken, at most ``count``, and how many are drawn for each."""
    paradigm = project.declarations.paradigms[name]
    stream = prepare(paradigm, project.declarations, Findings(), count, decider=Decider(), compares=False)
    assert stream is not None
    taken = drawn = 0
    for stretch in stream.walk.stretches(count):
        wanted = min(len(stretch.places), count - taken)
        taken += wanted
        drawn += wanted + sum(stretch.skipped(wanted))
        if taken == count:
            break
    assert taken
    return taken, drawn / taken


def tangled(plan: Plan, *numbers: int, patch: pytest.MonkeyPatch) -> None:
    """Let conditions be too tangled for strata of the columns with these numbers."""
    every, made = columns(plan), hands.Hands
    assert len(every) > 1

    def refusing(plan: Plan, seed: int, column: object) -> hands.Hands:
        if column in [every[number] for number in numbers or range(len(every))]:
            raise Tangled(7)
        return made(plan, seed, column)  # type: ignore[arg-type]

    patch.setattr(hands, "Hands", refusing)
    patch.setenv("GRAMPROBE_CACHE", "off")
    plan.space.memory.pop("column", None)


@pytest.mark.slow
def test_strata_are_of_a_column_that_conditions_do_not_tangle(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    paradigm = project.declarations.paradigms["implicature/numerals_2_3_have"]
    stream = prepare(paradigm, project.declarations, Findings(), 4, decider=Decider(), compares=False)
    assert stream is not None
    with monkeypatch.context() as patch:
        tangled(stream.plan, 0, patch=patch)
        assert hands.column_of(stream.plan) in columns(stream.plan)[1:]
    with monkeypatch.context() as patch:
        tangled(stream.plan, patch=patch)
        with pytest.raises(AuthoringError) as refused:
            hands.column_of(stream.plan)
    assert [each.code for each in refused.value.diagnostics] == ["E35"]


def test_the_column_of_strata_is_found_once(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    paradigm = project.declarations.paradigms["implicature/numerals_2_3_have"]
    found, best = list[object](), hands._best

    def finding(*given: Any) -> Any:
        found.append(best(*given))
        return found[-1]

    monkeypatch.setattr(hands, "_best", finding)

    def column() -> object:
        spaces._held.clear()  # as in another process
        stream = prepare(paradigm, project.declarations, Findings(), 4, decider=Decider(), compares=False)
        assert stream is not None
        return hands.column_of(stream.plan)

    assert [column(), column()] == [found[0], found[0]]
    assert len(found) == 1
    (file,) = (tmp_path / "gramprobe" / "columns").iterdir()
    for damaged in (b"", b"{}", file.read_bytes().replace(b"}", b" }")):
        file.write_bytes(damaged)
        assert column() == found[0]
    assert len(found) == 4


@pytest.mark.slow
def test_spaces_and_readers_go_with_what_they_were_made_for(project: Project) -> None:
    """Grammars are kept for a whole session: what they kept of each build would stay as long. Two spaces are kept."""
    paradigm = project.declarations.paradigms["implicature/numerals_2_3_have"]
    stream = prepare(paradigm, project.declarations, Findings(), 4, decider=Decider(), compares=False)
    assert stream is not None
    assert hands.column_of(stream.plan) is not None
    reader = Reader(stream.plan.grammar, stream.plan.theory)
    space, read = weakref.ref(stream.plan.space), weakref.ref(reader)
    assert reader.read("Aaron has a cat.").parsed
    del reader
    assert read() is None  # at once: nothing in it leads back to it
    del stream
    for name in ("implicature/numerals_10_100_have", "presupposition/only"):
        assert prepare(project.declarations.paradigms[name], project.declarations, Findings(), 4) is not None
    gc.collect()
    assert space() is None
