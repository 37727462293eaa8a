"""The templates of Cohen 2021, Tables 2 to 5: derived labels against the paper's, and what other theories change."""

from __future__ import annotations

from functools import cache

import pytest
from support.labels import Labelled, labelled
from support.shipped import project

#: the paper's tables: paradigms, pair, label (1 entailment, 0 anything else)
INTRA = ("intra_personal", "intra_personal_short")
INTER = ("inter_personal", "inter_personal_short")
INFERENCE = tuple(f"inference_{how}" for how in ("conjunction", "quantifier", "hypernym", "quality", "place"))
TABLES: tuple[tuple[tuple[str, ...], str, int], ...] = (
    (INTRA, "KX-X", 1),
    (INTRA, "BX-X", 0),
    (INTRA, "WX-X", 0),
    (INTRA, "BKX-Own", 0),
    (INTRA, "KBX-BX", 1),
    (INTRA, "KBX-X", 0),
    (INTER, "BBX-AX", 0),
    (INTER, "BBX-BX", 0),
    (INTER, "KKX-AKX", 1),
    (INTER, "KKX-BLX", 1),
    (INTER, "BKX-BLX", 0),
    (INFERENCE, "X-Y", 1),
    (INFERENCE, "KX-KY", 1),
    (INFERENCE, "BX-BY", 1),
    (INFERENCE, "KX-OtherK", 0),
    (INFERENCE, "BX-OtherB", 0),
    (INFERENCE, "FX-FY", 0),
    (INFERENCE, "KX-Know", 1),
    (("additional",), "X-KX", 0),
    (("additional",), "BKX-BX", 1),
    (("additional",), "KKX-KKturn", 0),
    (("additional",), "BBX-BBturn", 0),
    (("additional",), "VVX-VVturn", 0),
)
INSTANCES = 20


#: premise-hypothesis -> the labels of what is found out: the paper's own pairs have states of knowing here
FINDING_OUT = {"IX-Know": {"entailment"}, "IX-IY": {"neutral"}}


@cache
def first(name: str, theory: str | None = None) -> Labelled:
    return labelled(project().paradigm(f"theory_of_mind/{name}"), INSTANCES, theory=theory)


def labels(name: str, pair: str, theory: str | None = None) -> set[str]:
    """The labels that the rows of a pair have."""
    (found,) = (p for p in first(name, theory).pairs if p.pair.condition == pair)
    return {decided.label for decided in found.decided}


def verbs(name: str, draw: str, rows: list[int]) -> set[str]:
    """The verbs drawn in some rows."""
    found = first(name)
    lexemes = found.plan.grammar.categories["VS"].lexemes
    return {lexemes[int(found.draws.columns[draw][row])].id for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize(("names", "pair", "label"), TABLES, ids=lambda x: x if isinstance(x, str) else None)
def test_the_derived_label_is_the_papers(names: tuple[str, ...], pair: str, label: int) -> None:
    for name in names:
        assert {int(found == "entailment") for found in labels(name, pair)} == {label}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*INTRA, *INTER, *INFERENCE, "additional"])
def test_every_pair_of_a_paradigm_is_a_template_of_the_paper(name: str) -> None:
    published = {pair for names, pair, _ in TABLES if name in names}
    added = set(FINDING_OUT) if name in INFERENCE else set()
    assert {p.pair.condition for p in first(name).pairs} == published | added


@pytest.mark.slow
@pytest.mark.parametrize("name", INFERENCE)
def test_finding_out_is_not_closed_under_entailment_and_is_to_know_what_follows(name: str) -> None:
    assert {pair: labels(name, pair) for pair in FINDING_OUT} == FINDING_OUT


def test_what_is_presupposed_below_an_attitude_is_a_belief() -> None:
    found = {condition: labels("factive_under_belief", condition) for condition in ("VK-AX", "NotVK-AX", "AskVK-AX")}
    assert found == {condition: {"entailment"} for condition in found}
    assert labels("factive_under_belief", "VK-X") == labels("factive_under_belief", "NotVW-AX") == {"neutral"}


def test_what_is_wrongly_thought_is_false() -> None:
    assert labels("intra_personal", "WX-X") == {"contradiction"}


@pytest.mark.slow
def test_knowing_that_is_s5_is_what_one_thinks_to_know() -> None:
    """Lenzen 1978: the collapse happens for knowing and believing, for no other verbs."""
    own, s5 = first("intra_personal_short"), first("intra_personal_short", "attitudes-s5")
    for before, after in zip(own.pairs, s5.pairs, strict=True):
        if before.pair.condition != "BKX-Own":
            assert before.labels.tolist() == after.labels.tolist()
    assert labels("intra_personal_short", "BKX-Own") == {"neutral"}
    sure = project().paradigm("theory_of_mind/intra_personal_short")
    moved = labelled(sure, 300, theory="attitudes-s5")
    (pair,) = (p for p in moved.pairs if p.pair.condition == "BKX-Own")
    rows = [i for i, code in enumerate(pair.labels.tolist()) if code == 0]
    lexemes = moved.plan.grammar.categories["VS"].lexemes
    drawn = {(lexemes[moved.draws.columns["b"][i]].id, lexemes[moved.draws.columns["k"][i]].id) for i in rows}
    assert drawn
    assert drawn <= {("think_that", "know_that"), ("believe_that", "know_that")}


@pytest.mark.parametrize(
    ("theory", "pair", "label"),
    [
        (None, "NotK-X", "entailment"),
        (None, "AskK-X", "entailment"),
        (None, "NotB-X", "neutral"),
        (None, "F-X", "entailment"),
        (None, "F-Know", "contradiction"),
        ("attitudes-plain", "NotK-X", "neutral"),
        ("attitudes-plain", "F-X", "neutral"),
        ("attitudes-plain", "F-Know", "contradiction"),
        ("forget-neighbourhood", "NotK-X", "entailment"),
        ("forget-neighbourhood", "F-X", "neutral"),
        ("forget-neighbourhood", "F-Know", "neutral"),
    ],
)
def test_what_a_verb_presupposes_is_the_theorys(theory: str | None, pair: str, label: str) -> None:
    assert labels("factivity", pair, theory) == {label}


def test_a_row_names_its_own_verb_as_what_its_label_rests_on() -> None:
    from gramprobe.dataset.write import table_of

    found = project().paradigm("theory_of_mind/inference_quality").decided(INSTANCES)
    lexemes = found.stream.plan.grammar.categories["VS"].lexemes
    rows = [row for row in table_of(found.stream, found.chunk).to_pylist() if row["condition"] == "KX-Know"]
    assert len({row["rests_on"] for row in rows}) > 3
    for number, row in enumerate(rows):
        assert row["rests_on"] == f"{lexemes[found.chunk.draws.columns['k'][number]].id} implies know"


@pytest.mark.slow
def test_depth_is_how_deep_the_author_writes() -> None:
    """Of persons nested to depth n each is known to know: n factive verbs, and X follows from all of them."""
    pairs = {p.pair.condition: {d.label for d in p.decided} for p in first("depth").pairs}
    assert {pairs[f"{'K' * n}X-X"].pop() for n in (1, 2, 3, 4)} == {"entailment"}
    assert pairs["BKKKX-AX"] == {"entailment"}
    assert pairs["BKKKX-X"] == pairs["BBKKX-X"] == {"neutral"}


def test_words_tied_alike_are_decided_together() -> None:
    """A poodle is a dog as a soprano is a singer: one group of rows, though each row rests on words of its own."""
    found = first("inference_hypernym")
    (pair,) = (p for p in found.pairs if p.pair.condition == "X-Y")
    kinds = set(found.draws.columns["kind"].tolist())
    assert len(pair.decided) <= 4 < 12 <= len(kinds)  # of a name, one, every; what is done may be done to one of them


def test_words_related_by_other_axioms_are_distinguished() -> None:
    """`Jo fed a poodle`, `a dog`: where the subject is drawn from the same words, it may be what the object is."""
    sentences = labelled(project().paradigm("theory_of_mind/inference_hypernym"), 300)
    (pair,) = (p for p in sentences.pairs if p.pair.condition == "X-Y")
    assert {decided.label for decided in pair.decided} == {"entailment"}
    assert len({str(decided.premise) for decided in pair.decided}) == len(pair.decided)
