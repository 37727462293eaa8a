"""De re and de dicto: the table of docs/theory/de_re.md is derived, for every verb of the lexicon."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import shipped

from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Decision
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import parse, show
from gramprobe.items.account import account
from gramprobe.items.decisions import Decisions
from gramprobe.items.plan import plan
from gramprobe.items.tasks import task_of
from gramprobe.meaning.compose import readings
from gramprobe.meaning.discourse import continued
from gramprobe.meaning.reading import Reading
from gramprobe.resolve.grammar.data import Lexeme
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.resolve.tree import Given, put, slots
from gramprobe.source.diagnostic import Findings
from gramprobe.words.settled import settled

PAGE = Path(__file__).parents[2] / "docs" / "theory" / "de_re.md"
PARADIGMS = ("belief", "doubt", "infinitive", "knowledge", "perception", "extensional")
WORDS = {"who": "mary", "noun": "editor", "act": "sing", "met": "greet"}


@cache
def theory(name: str) -> Theory:
    theory = shipped.declarations().theory(name, shipped.grammar_of("de_re_de_dicto/belief"), Findings(), None)
    assert theory is not None
    return theory


@cache
def decider() -> Decider:
    return Decider()


def decided(premise: Formula, hypothesis: Formula, name: str = "de_re") -> Decision:
    grammar = shipped.grammar("de_re_de_dicto")
    formulas = premise, hypothesis
    return decider().decision(*formulas, slice_for(formulas, theory(name), grammar.symbols()))


def readings_of(paradigm: str, condition: str, **words: str) -> tuple[Reading, ...]:
    """The readings of a condition with these words in it."""
    full = f"de_re_de_dicto/{paradigm}"
    tree, given = shipped.paradigm(full).conditions[condition].tree, WORDS | words
    filled = put(tree, {s.name: Given(given[s.name], s.category, s.is_feature) for s in slots(tree)})
    return readings(settled(filled, {}, shipped.grammar_of(full)), {}, shipped.grammar_of(full))


def verbs() -> list[tuple[str, Lexeme, str]]:
    """Every verb that a paradigm draws, with the class that the page sorts it into."""
    verbs = []
    for paradigm in PARADIGMS:
        draws = {draw.name: draw for draw in shipped.paradigm(f"de_re_de_dicto/{paradigm}").draws}
        (skeleton,) = draws["verb"].skeletons
        (domain,) = skeleton.domains
        lexemes = shipped.grammar_of(f"de_re_de_dicto/{paradigm}").categories[domain.slot.category].lexemes
        for member in domain.members:
            verbs.append((paradigm, lexemes[member], str(lexemes[member].columns.get("attitude", paradigm))))
    return verbs


def table() -> dict[tuple[str, str], tuple[bool, bool]]:
    """(class, reading) -> whether there is an antecedent, whether existence follows; as the page says."""
    rows = {}
    for line in PAGE.read_text("utf-8").split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and set(cells[2:]) <= {"yes", "no"}:
            for each in cells[0].split(", "):
                rows[each, cells[1]] = cells[2] == "yes", cells[3] == "yes"
    return rows


@cache
def decisions(paradigm: str) -> Decisions:
    findings = Findings()
    planned = plan(shipped.paradigm(f"de_re_de_dicto/{paradigm}"), shipped.declarations(), findings, None, decider())
    assert planned is not None, findings.items
    return Decisions(planned, task_of(planned.paradigm), findings)


@pytest.mark.parametrize("paradigm", PARADIGMS)
@settings(max_examples=max(5, settings().max_examples // 10), deadline=None)
@given(data=st.data())
def test_an_antecedent_exists_and_the_converse_fails_where_it_does(paradigm: str, data: st.DataObject) -> None:
    """On any instances: access entails existence; existence without access comes of the third reading under verbs that
    leave some world open, and of every reading below a verb of knowing."""
    known, name = decisions(paradigm), f"de_re_de_dicto/{paradigm}"
    draws = data.draw(shipped.instances(name, 5))
    (groups,) = known.grouping.of(draws).parts
    for row, group in enumerate(groups.tolist()):
        of_row = account(known.plan, known.grouping.members[0][group])
        accessible, exists = (set(of_row.holds["said", other]) for other in ("meet", "exists"))
        words = shipped.realiser(name).sentence(shipped.paradigm(name).conditions["said"], draws, row)
        assert accessible == {"de re"}, words
        assert accessible <= exists, words
        below = {r.id for r in of_row.readings["said"]} - accessible
        serial = {"nonspecific de re"} & below
        wanted = {"belief": serial, "infinitive": serial, "knowledge": below, "doubt": set()}
        assert exists - accessible == wanted.get(paradigm, set()), words


def test_there_are_as_many_verbs_as_in_the_paper() -> None:
    of_paper = [verb.id for paradigm, verb, _ in verbs() if paradigm != "extensional"]
    assert len(set(of_paper)) == len(of_paper) == 48


@pytest.mark.parametrize(("paradigm", "verb", "of"), verbs(), ids=lambda v: getattr(v, "id", None))
def test_antecedents_and_existence_are_those_of_the_page(paradigm: str, verb: Lexeme, of: str) -> None:
    derived = {}
    for d in ("indefinite", "deictic"):
        (follow,), (there,) = readings_of(paradigm, "meet", verb=verb.id), readings_of(paradigm, "exists")
        for reading in readings_of(paradigm, "said", verb=verb.id, d=d):
            both = continued(reading, follow)
            fits = both is not None and "T" in decided(reading.formula, both).verdict.h_values
            exists = decided(reading.formula, there.formula).verdict.label == "entailment"
            derived[reading.id if d == "indefinite" else f"{reading.id}, `that`"] = fits, exists
    assert derived == {reading: said for (name, reading), said in table().items() if name == of}


@pytest.mark.parametrize("paradigm", PARADIGMS)
def test_readings_with_different_ids_differ(paradigm: str) -> None:
    verb = next(v for p, v, _ in verbs() if p == paradigm)
    readings = readings_of(paradigm, "said", verb=verb.id, d="indefinite")
    assert len(readings) == (1 if paradigm in ("perception", "extensional") else 3)
    for one in readings:
        for other in readings:
            both = decided(one.formula, other.formula), decided(other.formula, one.formula)
            assert (one is other) == all(d.verdict.label == "entailment" for d in both)


@pytest.mark.parametrize("paradigm", PARADIGMS)
def test_that_leaves_one_reading(paradigm: str) -> None:
    verb = next(v for p, v, _ in verbs() if p == paradigm)
    (only,) = readings_of(paradigm, "said", verb=verb.id, d="deictic")
    assert only.id == "de re"
    assert show(only.formula).startswith("the x. (editor(x) & shown(x), ")


def test_that_would_say_the_same_in_its_place() -> None:
    """It is rigid: with narrow scope under a consistent attitude nothing would change but the antecedent."""
    (wide,) = readings_of("belief", "said", verb="believe_att", d="deictic")
    text = "believe_att[mary] the x. ((editor(x) & shown(x)) @ here, sing(x))"
    narrow = parse(text, operators=("believe_att",))
    assert decided(wide.formula, narrow).verdict.label == "entailment"
    assert decided(narrow, wide.formula).verdict.label == "entailment"


def test_the_third_reading_lies_between() -> None:
    """De re entails nonspecific de re; neither entails de dicto, nor is entailed by it (Fodor 1970)."""
    by_id = {r.id: r.formula for r in readings_of("belief", "said", verb="think", d="indefinite")}
    label = {(a, b): decided(by_id[a], by_id[b]).verdict.label for a in by_id for b in by_id}
    assert label["de re", "nonspecific de re"] == "entailment"
    assert label["nonspecific de re", "de re"] == "neutral"
    assert {label[a, b] for a, b in label if "de dicto" in (a, b) and a != b} == {"neutral"}


def test_doubt_as_lack_of_belief_moves_nothing_here() -> None:
    for reading in readings_of("doubt", "said", verb="doubt", d="indefinite"):
        (there,) = readings_of("doubt", "exists")
        labels = {decided(reading.formula, there.formula, name).verdict.label for name in ("de_re", "de_re-doubt")}
        assert len(labels) == 1


def test_the_words_are_those_of_the_paper() -> None:
    """As many as the appendix lists, each with the article that its sound asks for."""
    grammar = shipped.grammar("de_re_de_dicto")
    drawn: dict[str, set[int]] = {}
    of_paper = [paradigm for paradigm in PARADIGMS if paradigm != "extensional"]
    for paradigm in of_paper:
        for draw in shipped.paradigm(f"de_re_de_dicto/{paradigm}").draws:
            (domain,) = draw.skeletons[0].domains
            name = draw.name if draw.name != "verb" else domain.slot.category
            drawn.setdefault(name, set()).update(domain.members)
    sizes = {name: len(members) for name, members in drawn.items()}
    assert sizes == {"who": 2, "noun": 60, "act": 30, "met": 3, "AttitudeVerb": 36, "V2": 12, "d": 2}
    assert sum(shipped.space(f"de_re_de_dicto/{name}").size for name in of_paper) == 1_036_800
    nouns = grammar.categories["N"].lexemes
    for noun in (nouns[m] for m in drawn["noun"]):
        assert (noun.columns["onset"] == "v") == bool(re.match("[aeiou]", noun.forms["sg"]))
