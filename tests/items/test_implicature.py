"""Implicature: the published labels cell by cell, what theories move, readings of negated numerals, the scales of the
lexicon, and the set as a whole."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import shipped
from support.datasets import FEW, SOME_SCALES, SharedDatasets
from support.labels import Labelled, deciding, label

from gramprobe.dataset.verify.verify import verify
from gramprobe.decide.label import Decider
from gramprobe.items.plan import plan
from gramprobe.project import Project
from gramprobe.resolve.paradigm.data import LABEL_COLUMNS
from gramprobe.source.diagnostic import Findings, UsageError

SENTENCES = ("weak", "strong", "not_weak", "not_strong")
NAMES = [n for n in shipped.paradigms() if n.startswith("implicature/")]
#: the numerals whose negation stands below them, in a relative clause
ABOVE_NEGATION = [n for n in NAMES if "numerals" in n and n.endswith(("_subject", "_object"))]
#: those whose negation stands above them
NUMERALS = [n for n in NAMES if "numerals" in n and n not in ABOVE_NEGATION]
#: `could / need to` without a word on whose rules: two accessibilities, no scale
BARE = "implicature/modals_bare"
SCALAR = [n for n in NAMES if n != BARE]
#: of the sets with one reading, those that `make test` decides: a connective, words of a table, a modal, quantifiers in
#: two places, and each form of the numerals
OF_EACH_KIND = [
    f"implicature/{n}"
    for n in (
        *("connectives", "gradable_adjectives", "modals", "quantifiers_object", "quantifiers_subject"),
        *("numerals_2_3_existential", "numerals_2_3_have"),
    )
]
ONE_READING = shipped.only([n for n in SCALAR if n not in ABOVE_NEGATION], OF_EACH_KIND)
#: sets of scales that people draw the implicature from too seldom
GRADED = [f"implicature/{n}" for n in ("connectives", "connectives_definites", "gradable_adjectives", "gradable_verbs")]
#: instances of the sets that exchange a noun
TWO_NOUNS = {
    "implicature/quantifiers_bare": "past.{}.yawn.from_norway",
    "implicature/quantifiers_subject": "past.{}.yawn",
    "implicature/numerals_2_3_subject": "past.{}.yawn",
    "implicature/numerals_2_3_existential": "now.{}.p_in_the_lobby",
}
#: two nouns; one and its kind; one and a kind of its kind
BESIDE = ("participant.volunteer", "participant.contestant", "participant.finalist")
#: from the denied strong word: measured by nobody, so that these pairs have no gold label but of numerals
INDIRECT = {"not_strong-weak", "not_strong-not_weak"}
#: tag -> pairs, of numerals: whose label is that of one theory
TAGGED = {
    "existential": {"theory": {"strong-weak"} | INDIRECT},
    "subject": {"theory": {"strong-weak", "not_strong-not_weak"}},
}
TAGGED["have"], TAGGED["object"] = TAGGED["existential"], TAGGED["subject"]

#: premise-hypothesis -> logical label of IMPPRES (Jeretic et al. 2020), rows 0 to 11, and its pragmatic one, of premise
#: and hypothesis strengthened (our `imppres`); the numerals' own where it differs
PUBLISHED = {
    "weak-not_strong": ("neutral", "entailment"),
    "not_strong-weak": ("neutral", "entailment", "neutral"),
    "weak-strong": ("neutral", "contradiction"),
    "strong-weak": ("entailment", "contradiction"),
    "not_strong-not_weak": ("neutral", "contradiction", "neutral"),
    "not_weak-not_strong": ("entailment", "contradiction", "neutral"),
    "strong-not_weak": ("contradiction", "contradiction"),
    "not_weak-strong": ("contradiction", "contradiction"),
    "weak-not_weak": ("contradiction", "contradiction"),
    "not_weak-weak": ("contradiction", "contradiction"),
    "strong-not_strong": ("contradiction", "contradiction"),
    "not_strong-strong": ("contradiction", "contradiction"),
}
#: the labels of `imppres` in three theories of numerals, where they are not the published ones
MOVED = {
    "numerals": {"not_weak-not_strong": "entailment"},
    "numerals-symmetric": {
        "not_strong-weak": "entailment",
        "not_strong-not_weak": "contradiction",
        "not_weak-not_strong": "contradiction",
    },
    "numerals-exact": {"strong-not_weak": "entailment", "not_weak-strong": "neutral"},
}
#: literal labels of numerals, and those of `imppres`, where they stand above negation (`n > not`)
ABOVE = {
    "weak-strong": ("neutral", "contradiction"),
    "strong-weak": ("entailment", "contradiction"),
    "not_strong-not_weak": ("entailment", "contradiction"),
    "not_weak-not_strong": ("neutral", "contradiction"),
}


def labelled(name: str, count: int = 6, theory: str | None = None) -> Labelled:
    findings = Findings()
    declared = shipped.paradigm(name).paper
    declared = declared if theory is None else declared.without_expectations()
    made = plan(declared, shipped.declarations(), findings, theory, deciding())
    assert made is not None and not findings.failed
    draws = made.space.draws(made.space.permutation(3), 0, count)
    found = label(made, draws, findings)
    assert not findings.items
    return found


def labels(labelling: Labelled) -> dict[str, tuple[str, ...]]:
    """Condition -> its label in every column, which every instance shares."""
    found = {}
    for pair in labelling.pairs:
        (found[pair.pair.condition],) = {tuple(d.label_of(c) for c in LABEL_COLUMNS) for d in pair.decided}
    return found


# ---- the twelve pairs


@pytest.mark.slow
@pytest.mark.parametrize("name", ONE_READING)
def test_the_published_labels_come_out(name: str) -> None:
    found = labels(labelled(name))
    assert set(found) == set(PUBLISHED)
    for condition, (logical, *imppres) in PUBLISHED.items():
        literal, pragmatic, both = found[condition]
        assert literal == logical, condition
        if name in NUMERALS:
            assert both == MOVED["numerals"].get(condition, imppres[-1]), condition
        else:
            assert both == imppres[0], condition
        # With the premise alone strengthened, what all entails it still entails.
        assert pragmatic == ("entailment" if logical == "entailment" else both), condition


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.only(ABOVE_NEGATION, ABOVE_NEGATION[-2:]))
def test_numerals_above_the_negation_have_labels_of_their_own(name: str) -> None:
    found = labels(labelled(name))
    for condition in PUBLISHED:
        literal, both = ABOVE.get(condition, ("neutral", "neutral"))
        assert found[condition] == (literal, literal if literal == "entailment" else both, both), condition


def test_nothing_follows_between_ability_and_need() -> None:
    found = labels(labelled(BARE))
    for condition, given in found.items():
        premise, hypothesis = (side.removeprefix("not_") for side in condition.split("-"))
        assert given == ("contradiction" if premise == hypothesis else "neutral", "", ""), condition


@pytest.mark.parametrize("name", NAMES)
def test_the_set_has_the_published_design(name: str) -> None:
    declared = shipped.paradigm(name).paper
    assert tuple(declared.conditions) == SENTENCES
    assert {(p.premise, p.hypothesis) for p in declared.pairs} == set(permutations(SENTENCES, 2))
    if name == BARE:
        return
    tagged = TAGGED[name.rpartition("_")[2]] if "numerals" in name else {}
    for pair in declared.pairs:
        tags = [tag for tag, pairs in tagged.items() if pair.condition in pairs]
        assert [pair.tag] == (
            tags or ["target" if PUBLISHED[pair.condition][0] != PUBLISHED[pair.condition][1] else "control"]
        )
        assert pair.graded == (name in GRADED or ("numerals" not in name and pair.condition in INDIRECT))
    assert declared.gold == ("none" if name in GRADED else "pragmatic")
    assert len(declared.scale) == 2
    assert all({c.column for c in p.every_claim(declared.gold)} == set(LABEL_COLUMNS) for p in declared.pairs)


# ---- theories


@pytest.mark.slow
@pytest.mark.parametrize("theory", MOVED)
@pytest.mark.parametrize("name", shipped.some(NUMERALS, 1))
def test_theories_of_numerals(theory: str, name: str) -> None:
    found = labels(labelled(name, 2, theory))
    for condition, (_, *imppres) in PUBLISHED.items():
        assert found[condition][2] == MOVED[theory].get(condition, imppres[-1]), condition


def test_no_theory_of_numerals_gives_all_published_labels() -> None:
    assert all(MOVED.values())


@pytest.mark.parametrize(
    ("name", "theory"),
    [("implicature/quantifiers_subject", "implicature-no-import"), ("implicature/modals", "implicature-no-duty")],
)
def test_import_and_axiom_d_carry_the_literal_entailments(name: str, theory: str) -> None:
    found = labels(labelled(name, 2, theory))
    neutral = {"strong-weak", "not_weak-not_strong", "strong-not_weak", "not_weak-strong"}
    for condition, (logical, *_) in PUBLISHED.items():
        assert found[condition][0] == ("neutral" if condition in neutral else logical), condition


# ---- nouns


@pytest.mark.slow
@pytest.mark.parametrize("name", TWO_NOUNS)
def test_no_noun_stands_beside_a_kind_of_it(name: str) -> None:
    # `none of the doctors` settles what dentists did, and no postulate of the theory says so
    a, b, chain = (TWO_NOUNS[name].format(nouns) for nouns in BESIDE)
    shipped.project().explain(f"{name}/{a}/weak-strong")
    for kind in (b, chain):
        with pytest.raises(UsageError, match="is not an instance"):
            shipped.project().explain(f"{name}/{kind}/weak-strong")


# ---- readings


@pytest.mark.parametrize("name", [n for n in NAMES if "numerals" in n])
def test_a_numeral_has_one_reading(name: str) -> None:
    for pair in labelled(name, 2).pairs:
        assert all(len({(e.premise, e.hypothesis) for e in decided.entries}) == 1 for decided in pair.decided)


def test_all_above_negation_in_the_object_means_none() -> None:
    labelling = labelled("implicature/quantifiers_object", 2)
    (pair,) = [p for p in labelling.pairs if p.pair.condition == "not_strong-not_weak"]
    entries = {(e.premise, e.column): e.label for d in pair.decided for e in d.entries}
    assert entries["all > not", "literal"] == "entailment"
    assert entries["not > all", "literal"] == "neutral"


# ---- the scales of the lexicon


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "category", "scales"),
    [
        ("gradable_adjectives", "StrongAdjective", 46),
        ("difficulty", "StrongRelation", 2),
        pytest.param("gradable_verbs", "StrongVerb", 7, marks=pytest.mark.deep),
        pytest.param("degree_adverbs", "StrongAdjective", 12, marks=pytest.mark.deep),
        pytest.param("likeness", "StrongRelation", 1, marks=pytest.mark.deep),
    ],
)
@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.deep)])
def test_every_scale_of_the_lexicon_rests_on_its_postulate(name: str, category: str, scales: int, step: int) -> None:
    findings = Findings()
    decider = Decider(dependence=True)
    made = plan(shipped.paradigm(f"implicature/{name}"), shipped.declarations(), findings, decider=decider)
    assert made is not None
    draws = made.space.draws(made.space.permutation(0), 0, min(2000, made.space.size))
    _, first = np.unique(draws.columns["g"], return_index=True)  # an instance of every scale that occurs
    assert len(first) == scales
    for row in first[::step]:
        labelling = label(made, draws.take(np.array([row])), findings)
        word = made.realiser.lexeme(made.space.slots["g"], int(draws.columns["g"][row]))
        weak = str(word.columns["weaker"])
        literal = {p.pair.condition: p.decided[0].in_column("literal") for p in labelling.pairs}
        entailed = literal["strong-weak"]
        assert entailed.label == "entailment"
        assert entailed.decision.rests_on_text == f"forall x. {word.id}(x) -> {weak}(x)" or (
            category != "StrongAdjective"
            and entailed.decision.rests_on_text == f"forall x. forall y. {word.id}(x, y) -> {weak}(x, y)"
        )
        assert literal["weak-strong"].label == "neutral"


def test_every_scale_says_who_has_it_and_is_spelt_right() -> None:
    grammar = shipped.grammar("english.scales")
    for category in ("StrongAdjective", "StrongVerb", "StrongRelation"):
        for word in grammar.categories[category].lexemes:
            cited = word.columns["cited"]
            assert isinstance(cited, tuple)
            assert cited, word.id
    forms = {form for w in grammar.categories["StrongAdjective"].lexemes for form in w.forms.values()}
    assert "enormous" in forms and "enourmous" not in forms


# ---- the set as a whole


@pytest.fixture(scope="module", params=["few", pytest.param("all", marks=pytest.mark.deep)])
def built(request: pytest.FixtureRequest, datasets: SharedDatasets) -> Path:
    return datasets("implicature", among=SOME_SCALES, n=FEW) if request.param == "few" else datasets("implicature")


@pytest.fixture(scope="module")
def rows(built: Path) -> list[dict[str, Any]]:
    return published_rows(built)


def published_rows(built: Path) -> list[dict[str, Any]]:
    """Those of the published design."""
    every = (json.loads(line) for file in sorted((built / "items").glob("*.jsonl")) for line in file.open())
    return [row for row in every if row["design"] == "paper"]


@pytest.mark.deep
def test_the_set_is_as_large_as_the_published_one(datasets: SharedDatasets) -> None:
    rows = published_rows(datasets("implicature"))
    sets = Counter(row["paradigm"].removesuffix("_subject").removesuffix("_object") for row in rows)
    published = [
        *("quantifiers", "connectives", "modals", "numerals_2_3", "numerals_10_100"),
        *("gradable_adjectives", "gradable_verbs"),
    ]
    assert {name: sets[name] for name in published} == dict.fromkeys(published, 1200)


@pytest.mark.slow
def test_no_pair_stands_twice(rows: list[dict[str, Any]]) -> None:
    assert len({(row["premise"], row["hypothesis"]) for row in rows}) == len(rows)


@pytest.mark.slow
def test_every_paradigm_has_the_same_share_of_labels(rows: list[dict[str, Any]]) -> None:
    built = {f"implicature/{row['paradigm']}" for row in rows}
    assert built in (set(NAMES), set(SOME_SCALES))
    for name in built:
        own = [row for row in rows if f"implicature/{row['paradigm']}" == name]
        if name in GRADED:
            assert {row["label_name"] for row in own} == {""}
            continue
        share = {k: v * 12 // len(own) for k, v in Counter(row["label_name"] for row in own).items()}
        literal = {k: v * 12 // len(own) for k, v in Counter(row["label_literal"] for row in own).items()}
        if name in ABOVE_NEGATION:
            assert share == {"entailment": 2, "neutral": 8, "contradiction": 2}
            assert literal == {"entailment": 2, "neutral": 10}
        elif name == BARE:
            assert share == literal == {"neutral": 8, "contradiction": 4}
        else:
            of_numerals = {"entailment": 3, "neutral": 2, "contradiction": 7}
            assert share == (of_numerals if name in NUMERALS else {"entailment": 3, "contradiction": 7, "": 2})
            assert literal == {"entailment": 2, "neutral": 4, "contradiction": 6}


@pytest.mark.slow
def test_rows_say_what_was_strengthened(rows: list[dict[str, Any]]) -> None:
    for row in (row for row in rows if f"implicature/{row['paradigm']}" != BARE and row["label_name"]):
        assert row["premise_form"].startswith("exh ") and not row["hypothesis_form"].startswith("exh ")
        entries = json.loads(row["labels"])
        others = json.loads(row["labels_by_theory"] or "{}").keys() - {row["theory"]}
        assert {e["column"] for e in entries} == set(LABEL_COLUMNS) | others
        (gold,) = {e["label"] for e in entries if e["column"] == "pragmatic" and e["shape"] == row["shape"]}
        assert gold == row["label_name"] == row["label_pragmatic"]


@pytest.mark.slow
def test_an_implicature_is_gold_where_every_study_finds_it_in_half_of_people_or_more(
    rows: list[dict[str, Any]],
) -> None:
    """Of numerals nobody has measured it, and need not: *two* excludes *three* if it means exactly two as well."""
    seen = Counter[bool]()
    for row in rows:
        measured = [float(rate) for rate in row["si_rate"].split("; ") if rate]
        assert not measured or row["premise_condition"] == "weak"
        if (
            row["label_literal"] == row["label_pragmatic"]
            or not row["label_pragmatic"]
            or "numerals" in row["paradigm"]
        ):
            continue
        gold = bool(measured) and min(measured) >= 50
        seen[gold] += 1
        assert bool(row["label_name"]) == gold, row["id"]
    assert all(seen.values()) and len(seen) == 2


@pytest.mark.deep
def test_many_scales_are_drawn(datasets: SharedDatasets) -> None:
    rows = published_rows(datasets("implicature"))
    drawn = {(row["paradigm"], row["draws"]["g"]) for row in rows if "g" in row["draws"]}
    counts = Counter(paradigm for paradigm, _ in drawn)
    assert counts["gradable_adjectives"] >= 35
    assert counts["gradable_verbs"] >= 6


@pytest.mark.deep  # some of them: tests/dataset/test_balance.py
def test_the_set_verifies(datasets: SharedDatasets, project: Project) -> None:
    found = verify(datasets("implicature"), project.declarations)
    assert [str(problem) for problem in found.problems.kept] == []
    assert found.on_trust == 0
