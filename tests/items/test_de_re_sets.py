"""The sets about de re and de dicto: which keys are disputed, and what is odd in the crossing of the paper alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support import shipped

from gramprobe.items.tasks.coref import access
from gramprobe.project import Project

Row = dict[str, Any]
CROSSING = ("belief", "doubt", "infinitive", "knowledge", "perception", "extensional")
CLEAN = [name for name in shipped.paradigms() if name.startswith("attitude_reports/")]
SENSES = {"hear_t", "overhear"}
UNHEARD = {"cringe", "die", "kneel", "limp", "lie", "rest", "sit", "smile", "smoke_i", "stand", "sweat", "wave"}


def sampled(project: Project, name: str) -> list[Row]:
    rows: list[Row] = project.paradigm(name).sample(60, seed=1).to_pylist()
    return rows


@pytest.mark.parametrize(
    ("accessible", "exists", "rests_on", "wanted"),
    [
        (["de re"], ["de re", "de dicto"], "factivity of know_att", "disputed"),
        (["de re"], ["de re"], "factivity of know_att", "settled"),
        (["de re"], ["de re", "nonspecific de re"], "consistency of believe_att", "settled"),
        (["de re"], ["de re", "de dicto"], "consistency of hope; factivity of know_att", "disputed"),
    ],
)
def test_a_key_is_disputed_where_there_is_one_by_factivity(
    accessible: list[str], exists: list[str], rests_on: str, wanted: str
) -> None:
    assert access(accessible, exists, rests_on) == wanted


@pytest.mark.parametrize("name", [*(f"de_re_de_dicto/{paradigm}" for paradigm in CROSSING), *CLEAN])
def test_keys_are_disputed_of_indefinites_below_know(name: str, project: Project) -> None:
    rows = sampled(project, name)
    for row in rows:
        below_know = name.endswith("knowledge") and row["draws"]["d"] == "indefinite"
        assert row["accessible"] == ("disputed" if below_know else "settled")
    assert not name.endswith("knowledge") or {row["accessible"] for row in rows} == {"disputed", "settled"}


@pytest.mark.parametrize("paradigm", CROSSING)
def test_what_is_odd_in_the_crossing_is_named(paradigm: str, project: Project) -> None:
    for row in sampled(project, f"de_re_de_dicto/{paradigm}"):
        assert (row["odd"] == "that that") == (" that that " in row["text"])
        unheard = row["draws"]["verb"] in SENSES and row["draws"]["act"] in UNHEARD
        assert (row["odd"] == "inaudible") == unheard
        assert row["odd"] in ("", "that that", "inaudible", *(["unwilled"] if paradigm == "infinitive" else []))


def test_17280_items_of_the_crossing_are_of_deeds_that_nobody_hears() -> None:
    paradigm = shipped.paradigm("de_re_de_dicto/perception")
    members = {d.name: len(d.skeletons[0].domains[0].members) for d in paradigm.draws}
    words = shipped.grammar("de_re_de_dicto").categories
    heard = [word.id for word in words["V2"].lexemes if word.columns.get("heard") == "yes"]
    unheard = [word.id for word in words["V1"].lexemes if word.columns.get("audible") == "no"]
    assert (set(heard), set(unheard)) == (SENSES, UNHEARD)
    assert len(heard) * len(unheard) * members["who"] * members["d"] * members["noun"] * members["met"] == 17_280


@pytest.mark.parametrize("name", CLEAN)
def test_nothing_of_that_is_in_the_clean_set(name: str, project: Project) -> None:
    rows = sampled(project, name)
    banned = r"that that|\b(lying|lie|hiccup\w*|sneez\w*|understands?|overhears?)\b|demands? for|to be \w+ing"
    assert [row["text"] for row in rows if row["odd"] or re.search(banned, row["text"])] == []
    assert {row["draws"]["d"] for row in rows} == {"indefinite", "this", "over_there"}
    assert {row["gender_decides"] for row in rows} == {"no", "yes"}
