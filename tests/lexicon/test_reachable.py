"""No word of the lexicon is dead: each stands in some solution of the space of some shipped paradigm."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import numpy as np
import pytest
from support import shipped

from gramprobe.resolve.tree import Slot
from gramprobe.source.diagnostic import Findings
from gramprobe.space import boxes
from gramprobe.space.space import Box
from gramprobe.space.tables import network_of

pytestmark = pytest.mark.slow

#: so many instances of a paradigm are looked at before a word that is in none of them is counted in the whole space
DRAWS = 2000
#: the categories whose words paradigms draw; a state comes in by the change that it stands before
DRAWN = ["PN", "N", "V1", "V2", "Change", "Cause", "Time", "VQ", "Wh", "Numeral"]
#: those of which two paradigms draw every word: `make test` counts their spaces alone, `make test-deep` that of each
OF_CHANGES = ["PN", "Change", "Cause"]
CHANGES = ("presupposition/change_of_state", "presupposition/change_of_state_object")


def solutions(name: str, box: Box, slot: Slot, member: int) -> int:
    """In how many solutions of a box this member fills the slot."""
    grammar, findings = shipped.grammar_of(name), Findings()
    draws = shipped.paradigm(name).draws
    trees = {d.name: s.tree for d, s in zip(draws, box.skeletons, strict=True) if s.constructors}
    conditions = boxes.tests_of(shipped.paradigm(name), trees, grammar, findings)
    assert conditions is not None and not findings.failed
    domains = [(d.slot, (member,) if d.slot.name == slot.name else d.members) for s in box.skeletons for d in s.domains]
    return network_of(domains, conditions, grammar).size


def in_a_solution(name: str, box: Box, slot: Slot, wanted: set[int]) -> set[int]:
    """Which members of the slot some solution of the box uses, as far as they are wanted.

    Members that no condition tells apart are one class of the network: one of them speaks for all.
    """
    assert box.network is not None
    found: set[int] = set()
    for alike in box.network.members[box.slots.index(slot)]:
        if wanted.intersection(alike) and solutions(name, box, slot, alike[0]):
            found.update(alike)
    return found


@cache
def reached(names: tuple[str, ...] = ()) -> dict[str, set[str]]:
    """The ids of the lexemes of each category that some solution of these paradigms uses, or of all: those of the first
    instances of each paradigm, then those that are in none of them but in its whole space."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in names or shipped.paradigms():
        space, grammar = shipped.space(name), shipped.grammar_of(name)
        drawn = space.draws(space.permutation(0), 0, min(DRAWS, space.size))
        for slot in space.slots.values():
            if not slot.is_feature:
                lexemes = grammar.categories[slot.category].lexemes
                members = np.unique(drawn.columns[slot.name]).tolist()
                found[slot.category] |= {lexemes[member].id for member in members if member >= 0}
    for name in names or shipped.paradigms():
        grammar = shipped.grammar_of(name)
        for box in shipped.space(name).boxes:
            for slot in box.slots if box.size else ():
                if slot.category not in DRAWN:
                    continue
                lexemes = grammar.categories[slot.category].lexemes
                wanted = {m for m, lexeme in enumerate(lexemes) if lexeme.id not in found[slot.category]}
                if wanted:
                    found[slot.category] |= {lexemes[m].id for m in in_a_solution(name, box, slot, wanted)}
    return dict(found)


@pytest.mark.parametrize(
    ("category", "names"),
    [*((category, CHANGES) for category in OF_CHANGES), *(pytest.param(c, (), marks=pytest.mark.deep) for c in DRAWN)],
)
def test_every_word_is_in_an_instance(category: str, names: tuple[str, ...]) -> None:
    grammar = shipped.grammar("english.numbers", "english.change", "english.questions")
    ids = {lexeme.id for lexeme in grammar.categories[category].lexemes}
    assert ids and sorted(ids - reached(names)[category]) == []


@pytest.mark.deep
def test_every_further_word_is_in_a_scene_or_drawn_by_name() -> None:
    """The words of english.more_words: subjects, verbs and objects of scenes, and the words of reports."""
    grammar, first = shipped.grammar("english.scenes"), shipped.grammar("english.words")
    of_scenes = {str(s.columns[c]) for s in grammar.categories["Scene"].lexemes for c in ("subject", "verb", "object")}
    drawn = set().union(*reached().values())
    for category in ("N", "V1", "V2"):
        further = grammar.categories[category].by_id.keys() - first.categories[category].by_id.keys()
        assert further and sorted(further - of_scenes - drawn) == []


def test_every_state_is_the_pre_state_of_a_reached_change() -> None:
    grammar = shipped.grammar("english.change")
    pre_states = {
        str(grammar.categories[category].by_id[id_].columns["pre"])
        for category in ("Change", "Cause")
        for id_ in reached(CHANGES)[category]
    }
    assert sorted({lexeme.id for lexeme in grammar.categories["State"].lexemes} - pre_states) == []
