"""The shipped theories: labels that the literature discusses, derived with the files of logic/."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from gramprobe.certify.check import check_entry
from gramprobe.decide.verdict import certificate_line
from gramprobe.judge.typed import UndecidableFormulas, decided, objections
from gramprobe.project import Project, load
from gramprobe.source.diagnostic import UsageError

E, N, C = "entailment", "neutral", "contradiction"

SCALES = """theory scales
include implicature
operator poss diamond frame reflexive
scale atleast 2, atleast 3
scale left, right, or, and
scale some, most, all
scale big, enormous
postulate forall x. (enormous(x) -> big(x))
"""
MARBLE = """theory marble
include attitudes

event puts                              -- in everybody's sight
  action put
    post in(basket) := true
    post in(box) := false
event moves                             -- Sally is away
  action move
    pre in(basket)
    post in(basket) := false
    post in(box) := true
  action nothing
  actual move
  arrows B[sally]: move -> nothing
event told                              -- b is told that p, and a suspects nothing
  action tell
    pre p
  action nothing
  actual tell
  arrows B[a]: tell -> nothing
event peeks                             -- b looks whether p; nobody else sees what b sees
  action yes
    pre p
  action no
    pre ~p
  actual yes
  arrows B: yes -> yes | no, no -> yes | no
  arrows B[b]: yes -> yes
"""


@cache
def project(folder: Path | None = None) -> Project:
    return load([folder] if folder is not None else [])


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The shipped files with two theories more."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "logic").mkdir()
    (folder / "logic/scales.logic").write_text(SCALES, "utf-8")
    (folder / "logic/marble.logic").write_text(MARBLE, "utf-8")
    loaded = project(folder)
    assert not loaded.findings.items
    return loaded


def label(where: Project, theory: str, premise: str, hypothesis: str) -> str | None:
    return decided(premise, hypothesis, theory, where.declarations).decision.verdict.label


@pytest.mark.parametrize(
    ("theory", "premise", "hypothesis", "wanted"),
    [
        # knowledge and belief (Hintikka 1962; Lenzen 1978; Stalnaker 2006)
        ("attitudes", "B[a] K[a] p", "K[a] p", N),
        ("attitudes-s5", "B[a] K[a] p", "K[a] p", E),
        ("attitudes", "~K[a] p", "K[a] ~K[a] p", N),
        ("attitudes-s5", "~K[a] p", "K[a] ~K[a] p", E),
        ("attitudes", "K[a] p", "B[a] p", E),
        ("attitudes", "K[a] p", "K[a] K[a] p", E),
        ("attitudes", "B[a] p", "K[a] B[a] p", E),
        ("attitudes", "K[a] B[a] p", "B[a] p", E),
        ("attitudes", "~K[a] ~K[a] p", "K[a] ~K[a] ~p", E),  # S4.2 (Stalnaker 2006)
        ("attitudes", "~K[a] ~K[a] p", "B[a] p", E),
        ("attitudes", "B[a] p", "K[a] p", N),
        ("attitudes", "B[a] p", "B[a] ~p", C),
        ("attitudes", "B[a] p", "p", N),
        ("attitudes", "suspect[a] p", "B[a] p", N),
        ("attitudes", "assume[a] p & assume[a] q", "assume[a] (p & q)", E),
        # factives and what is under belief
        ("attitudes", "B[a] knows[b] p", "B[a] p", E),
        ("attitudes", "B[a] knows[b] p", "B[a] ~p", C),
        ("attitudes", "B[a] knows[b] p", "p", N),
        ("attitudes", "B[a] B[b] p", "B[a] p", N),
        ("attitudes", "~knows[a] p", "p", E),
        ("attitudes-plain", "~knows[a] p", "p", N),
        ("attitudes", "sees[a] p", "knows[a] p", E),
        ("attitudes", "learns[a] p", "knows[a] p", E),
        ("attitudes", "knows[a] p", "sees[a] p", N),
        # forgetting
        ("attitudes", "forget[a] p", "~knows[a] p", E),
        ("attitudes", "~forget[a] p", "knows[a] p", E),
        ("attitudes", "? forget[a] p", "earlier K[a] p", E),
        ("attitudes", "forget[a] (p & q)", "forget[a] p", N),
        ("attitudes", "forget[a] (p & q)", "forget[a] (q & p)", E),
        ("attitudes-plain", "~forget[a] p", "knows[a] p", N),
        ("forget-neighbourhood", "forget[a] (p & q)", "forget[a] p", N),
        ("forget-neighbourhood", "forget[a] (p & q)", "forget[a] (q & p)", E),
        ("forget-neighbourhood", "forget[a] p", "p", N),
        # agents bound by quantifiers; de re and de dicto
        ("attitudes", "forall x. (student(x), K[x] p)", "student(jo) -> p", E),
        ("attitudes", "exists x. B[a] sing(x)", "B[a] exists x. sing(x)", E),
        ("attitudes", "B[a] exists x. sing(x)", "exists x. B[a] sing(x)", N),
        # permission and need
        ("modal", "must p", "may p", E),
        ("modal", "have_to p", "can p", E),
        ("modal", "may p & may q", "may (p & q)", N),
        ("modal", "must p", "p", N),
        ("modal", "~may p", "must ~p", E),
        # duals on one relation
        ("presupposition", "nec p", "poss p", E),
        ("presupposition", "~poss ~p", "nec p", E),
        ("presupposition", "nec (p / q)", "p", E),
        # adverbs (Lewis 1975)
        ("temporal", "always t. (rain(t), wet(t))", "usually t. (rain(t), wet(t))", N),
        ("temporal-import", "always t. (rain(t), wet(t))", "usually t. (rain(t), wet(t))", E),
        ("temporal", "sometimes t. (rain(t), wet(t))", "exists t. (rain(t), wet(t))", E),
        ("temporal", "never t. (rain(t), wet(t))", "sometimes t. (rain(t), wet(t))", C),
        ("temporal", "never t. (rain(t), wet(t))", "always t. (rain(t), ~wet(t))", E),
        # existential import
        ("classical", "forall x. (N(x), V(x))", "exists x. (N(x), V(x))", N),
        ("classical-import", "forall x. (N(x), V(x))", "exists x. (N(x), V(x))", E),
        ("classical-import", "forall x. (N(x) -> V(x))", "exists x. (N(x) & V(x))", E),
        ("classical-import", "forall x. (N(x), ~V(x))", "~forall x. (N(x), V(x))", E),
    ],
)
def test_labels(theory: str, premise: str, hypothesis: str, wanted: str) -> None:
    assert label(project(), theory, premise, hypothesis) == wanted


@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        ("exists x. (N(x), V(x))", "forall x. (N(x), V(x))"),
        ("exists x. (N(x) & V(x))", "forall x. (N(x) -> V(x))"),
        ("p | q", "p & q"),
        ("may p", "must p"),
        ("can p", "have_to p"),
    ],
)
def test_the_twelve_pairs_of_a_scale(weak: str, strong: str) -> None:
    """Rows and both columns of Jeretic et al. 2020, table 2."""
    formulas = {"W": weak, "S": strong, "nW": f"~({weak})", "nS": f"~({strong})"}
    literal = {("S", "W"): E, ("nW", "nS"): E, **dict.fromkeys([("W", "S"), ("W", "nS"), ("nS", "W"), ("nS", "nW")], N)}
    pragmatic = {("W", "nS"): E, ("nS", "W"): E}
    for one, other in permutations(formulas, 2):
        premise, hypothesis = formulas[one], formulas[other]
        assert label(project(), "implicature", premise, hypothesis) == literal.get((one, other), C)
        exh = label(project(), "implicature", f"exh ({premise})", f"exh ({hypothesis})")
        assert exh == pragmatic.get((one, other), C)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "wanted"),
    [
        ("exh atleast 2 x. (N(x), V(x))", "exactly 2 x. (N(x), V(x))", E),
        ("exactly 2 x. (N(x), V(x))", "exh atleast 2 x. (N(x), V(x))", E),
        ("exh (p | q)", "p & q", C),  # the sides are no innocent exclusions: denying both would deny the whole
        ("exh (p | q)", "p", N),
        ("exh poss (p | q)", "poss p", N),
        ("exh exh poss (p | q)", "poss p & poss q", E),  # free choice (Fox 2007)
        ("exh exh poss (p | q)", "poss (p & q)", C),
        ("exh exists x. (N(x), V(x))", "most x. (N(x), V(x))", C),
        ("exh most x. (N(x), V(x))", "forall x. (N(x), V(x))", C),
        ("exh big(jo)", "enormous(jo)", C),
        ("forall x. (N(x), exh big(x))", "exists x. (N(x), enormous(x))", C),
        ("forall x. (N(x), exh atleast 2 y. r(x, y))", "forall x. (N(x), exactly 2 y. r(x, y))", E),
        ("~exh (p | q)", "p | q", N),
    ],
)
def test_other_scales(own: Project, premise: str, hypothesis: str, wanted: str) -> None:
    assert label(own, "scales", premise, hypothesis) == wanted


@pytest.mark.parametrize(
    ("premise", "hypothesis", "wanted"),
    [
        ("p & ~K[a] p", "[! (p & ~K[a] p)] (p & ~K[a] p)", C),  # Moore's sentence undoes itself
        ("p & ~K[a] p & q", "[! (p & ~K[a] p)] (K[a] p & q)", E),
        ("[! p] K[a] q", "p -> K[a] (p -> q)", E),
        ("[! true] K[a] q", "K[a] q", E),
        ("~B[a] ~p & B[a] q", "[! p] B[a] q", E),
        ("? [! (p / q)] K[a] q", "p", E),
    ],
)
def test_announcements(premise: str, hypothesis: str, wanted: str) -> None:
    assert label(project(), "attitudes", premise, hypothesis) == wanted


@pytest.mark.parametrize(
    ("premise", "hypothesis", "wanted"),
    [
        # Sally and Anne (Baron-Cohen, Leslie & Frith 1985)
        ("q", "[puts] [moves] (in(box) & q)", E),
        ("q", "[puts] [moves] (B[sally] in(basket) & q)", E),
        ("q", "[puts] [moves] (B[anne] B[sally] in(basket) & q)", E),
        ("q", "[puts] [moves] (B[sally] B[anne] in(basket) & q)", E),
        ("q", "[puts] [moves] (K[anne] in(box) & q)", E),
        ("q", "[puts] [moves] (K[sally] in(basket) & q)", C),
        ("q", "[puts] [moves] (~K[sally] in(box) & q)", E),
        ("q", "[puts] [moves] (forall x. (x != sally, B[x] in(box)) & q)", E),
        ("in(basket) & B[sally] in(basket)", "[moves] B[sally] in(basket)", E),
        # a private announcement
        ("p & ~B[b] ~p & ~B[a] p", "[told] B[a] p", C),
        ("p & ~B[b] ~p & B[a] ~B[b] p", "[told] (B[b] p & B[a] ~B[b] p)", E),
        ("p & ~B[b] ~p", "[told] B[a] B[b] p", N),
        # a look that others see and cannot share
        ("p & ~B[b] ~p & q", "[peeks] (K[a] (K[b] p | K[b] ~p) & q)", E),
        ("p & ~B[b] ~p & ~K[a] p", "[peeks] K[a] p", C),
    ],
)
def test_events(own: Project, premise: str, hypothesis: str, wanted: str) -> None:
    assert label(own, "marble", premise, hypothesis) == wanted


@pytest.mark.parametrize(
    ("premise", "hypothesis", "update", "operator"),
    [
        ("q", "[! p] B[a] q", "[! p]", "B[a]"),
        ("p & ~B[b] ~p", "[! p] B[b] B[a] q", "[! p]", "B[a]"),
        ("~B[a] ~p", "[! p] [! q] B[a] q", "[! q]", "B[a]"),
        ("q & B[a] ~p", "[! p] B[a] q", "[! p]", "B[a]"),
        ("[! p] B[a] q", "q", "[! p]", "B[a]"),
    ],
)
def test_an_update_that_leaves_nothing_to_believe(premise: str, hypothesis: str, update: str, operator: str) -> None:
    with pytest.raises(UndecidableFormulas, match="no world that is left") as caught:
        label(project(), "attitudes", premise, hypothesis)
    assert caught.value.code == "E41"
    assert f"after `{update}`" in caught.value.message
    assert f"`{operator}`" in caught.value.message


def test_an_update_is_fine_where_the_premise_rules_the_danger_out() -> None:
    guards = "~B[b] ~p & K[b] ~B[a] ~p"
    assert label(project(), "attitudes", f"p & {guards} & q", "[! p] (B[b] B[a] p & q)") == E


@pytest.mark.parametrize(
    ("premise", "hypothesis", "codes", "blamed"),
    [
        ("p & ~p", "q", ["E21"], "contradicts itself"),
        ("K[a] p & ~p", "q", ["E21"], "excludes it"),
        ("? (p & ~p) / q", "q", ["E21"], "presupposes"),
        ("p", "q | ~q", ["E22"], "by its form alone"),
        ("p", "B[a] q -> K[a] B[a] q", ["E22"], "frame conditions"),
        ("p", "q & ~q", ["E22"], "never true"),
        ("p", "? q", ["E23"], "question"),
        ("~p & q", "p / q", ["E24"], "undefined"),
        ("p", "q", [], ""),
    ],
)
def test_objections_to_a_label(premise: str, hypothesis: str, codes: Sequence[str], blamed: str) -> None:
    diagnostics = objections(decided(premise, hypothesis, "attitudes", project().declarations))
    assert [each.code for each in diagnostics] == codes
    assert all(blamed in each.message and each.help for each in diagnostics)


def test_a_theory_without_a_model_is_itself_to_blame(tmp_path: Path) -> None:
    (tmp_path / "logic").mkdir()
    (tmp_path / "logic/odd.logic").write_text("theory odd\npostulate p\npostulate ~p\n", "utf-8")
    diagnostics = objections(decided("p", "q", "odd", load(tmp_path).declarations))
    assert "theory odd has no model at all" in diagnostics[0].message


@pytest.mark.parametrize(
    ("theory", "premise", "code", "help"),
    [
        ("attitudes", "knwos[a] p", "E20", "did you mean `knows`?"),
        ("attitudes", "[trick] p", "E20", "theory attitudes has no events"),
        ("classical", "exh (p | q)", "E20", "--theory implicature"),
        ("classical", "poss p", "E20", "theory classical declares no operator"),
        ("classical", "atleast 5000 x. cat(x)", "E43", "smaller"),
        ("classical", "~" * 300 + "p", "E43", "smaller"),
        ("attitudes", "[! ~K[a] p] " * 20 + "K[a] p", "E43", "smaller"),
        ("implicature", "exh (" + " | ".join(f"p{n}" for n in range(9)) + ")", "E43", "smaller"),
        ("forget-neighbourhood", "[! p] forget[a] q", "E41", "without the update"),
        ("attitudes", "forget p", "E07", ""),
    ],
)
def test_pairs_that_cannot_be_decided(theory: str, premise: str, code: str, help: str) -> None:
    with pytest.raises(UsageError) as caught:
        label(project(), theory, premise, "q")
    assert caught.value.code == code
    assert help in caught.value.help


@pytest.mark.parametrize("theory", ["presupposition", "presupposition-strong", "presupposition-weak"])
def test_one_formula_has_one_value(theory: str) -> None:
    """Also where its true part and its false part share nothing that an engine could take hold of."""
    partial = (
        "the x. (tutor(x), the y. (charity(y), exists z. (when(z), found(x, y, z)) / exists z. (how(z), q(x, y, z))))"
    )
    decision = load().decide(f"~{partial}", partial, theory=theory)
    assert (decision.verdict.label, decision.verdict.kind) == ("contradiction", "type-elimination")
    assert check_entry(certificate_line(decision.shape, decision.verdict))
