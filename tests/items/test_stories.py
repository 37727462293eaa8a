"""Stories of who saw what: the answers of the literature at each point, and another story by declaration alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from forgery import Forger, Row
from projects import write

from gramprobe.certify.check import check_entry
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide.label import Decider
from gramprobe.decide.reduce import stops_at
from gramprobe.decide.verdict import certificate_line
from gramprobe.formula.notation import parse
from gramprobe.judge.typed import decide
from gramprobe.project import Project, load
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.source.diagnostic import Findings

E, N, C = "entailment", "neutral", "contradiction"
SCENE = "[enters(sally, room)] [enters(anne, room)] [puts(marble, basket, box)]"
AWAY = f"{SCENE} [leaves(sally, room)] [moves_behind(sally, marble, basket, box, room)]"
SPIED = f"{SCENE} [leaves(sally, room)] [moves_watched(sally, marble, basket, box, room)]"
SEEN = f"{SCENE} [leaves(sally, room)] [moves_noticed(sally, marble, basket, box, room)]"
BACK = f"{AWAY} [enters(sally, room)]"
TOLD = f"[enters(mary, room)] {AWAY} [tells(mary, sally, anne, marble, basket, box)]"
SECRET = f"[enters(mary, room)] {AWAY} [tells_secretly(mary, sally, anne, marble, basket, box)]"
UNSEEING = f"{SCENE} [leaves(sally, room)] [moves_unseeing(sally, anne, marble, basket, box, room)]"
CALLED = f"[enters(mary, room)] {AWAY} [tells_openly(marble, basket, box)]"
FOUND = f"{BACK} [finds(marble, basket, box, chest)]"
MISSED = f"{BACK} [misses(sally, marble, basket, box, chest)]"
TUBE = "[swapped(smarties, pencils, tube)] [enters(sally, room)] [enters(anne, room)]"
OPENED = f"{TUBE} [leaves(anne, room)] [opens_behind(sally, anne, smarties, pencils, tube, room)]"
FIRST, SECOND = "in(marble, basket)", "in(marble, box)"
SWEETS, PENCILS = "in(smarties, tube)", "in(pencils, tube)"


@pytest.mark.parametrize(
    ("story", "hypothesis", "label"),
    [
        # Baron-Cohen, Leslie & Frith 1985: reality, memory, belief question
        (BACK, SECOND, E),
        (BACK, FIRST, C),
        (BACK, f"B[sally] {FIRST}", E),
        (BACK, f"B[sally] {SECOND}", C),
        (SCENE, FIRST, E),
        # Wimmer & Perner 1983: knowledge and ignorance of the one who saw and the one who did not
        (BACK, f"{SECOND} / K[anne] {SECOND}", E),
        (BACK, f"{SECOND} / K[sally] {SECOND}", C),
        (BACK, f"K[sally] {FIRST} | K[sally] {SECOND}", C),
        (BACK, f"K[anne] B[sally] {FIRST}", E),
        (BACK, f"B[sally] K[sally] {FIRST}", E),
        # true belief: she saw it, or finds it
        (f"{SCENE} [moves(sally, marble, basket, box, room)]", f"K[sally] {SECOND}", E),
        (FOUND, f"K[sally] {SECOND} & ~B[sally] {FIRST}", E),
        (FOUND, f"B[anne] B[sally] {SECOND}", E),
        # where she did not find it it is not, and she guesses
        (MISSED, f"B[sally] ~{FIRST}", E),
        (MISSED, f"B[sally] {SECOND}", N),
        (MISSED, "B[sally] in(marble, chest)", N),
        (MISSED, f"K[sally] {SECOND} | K[sally] in(marble, chest)", C),
        (MISSED, f"B[anne] B[sally] {SECOND}", N),
        (f"{MISSED} [finds(marble, basket, box, chest)]", f"K[sally] {SECOND} & ~B[sally] in(marble, chest)", E),
        # one of three places holds the key
        (f"{SCENE} [hidden(key, basket, box, chest)]", "in(key, basket) | in(key, box) | in(key, chest)", E),
        (f"{SCENE} [hidden(key, basket, box, chest)]", "B[sally] in(key, box)", N),
        # Perner & Wimmer 1985: what the one thinks that the other thinks
        (AWAY, f"B[anne] B[sally] {FIRST}", E),
        (AWAY, f"B[sally] B[anne] {FIRST}", E),
        (TOLD, f"B[sally] {SECOND}", E),
        (TOLD, f"B[anne] B[sally] {FIRST}", E),
        (TOLD, f"B[anne] B[sally] {SECOND}", C),
        (TOLD, f"B[sally] B[anne] {SECOND}", E),
        (TOLD, f"B[sally] B[anne] B[sally] {FIRST}", E),
        (TOLD, f"B[mary] B[anne] B[sally] {FIRST}", E),
        (TOLD, f"B[anne] B[mary] B[sally] {FIRST}", E),
        (SPIED, f"B[sally] {SECOND} & B[anne] B[sally] {FIRST}", E),
        (SPIED, f"K[sally] B[anne] B[sally] {FIRST}", E),
        # a secret of the story is none of hers until she hears that it is one: what she takes Anne to know is open
        (SECRET, f"B[sally] B[anne] {SECOND} & B[anne] B[sally] {FIRST}", E),
        (SECRET, f"B[sally] B[anne] B[sally] {FIRST}", N),
        (SECRET, f"B[mary] B[sally] B[anne] B[sally] {SECOND}", N),
        (UNSEEING, f"K[sally] {SECOND} & B[sally] B[anne] {SECOND} & B[anne] B[sally] {FIRST}", E),
        (UNSEEING, f"B[sally] B[anne] B[sally] {FIRST}", N),
        (UNSEEING, f"B[anne] B[sally] B[anne] {SECOND}", C),
        # what all have seen or heard is no secret of anybody's
        (SEEN, f"B[anne] B[sally] {SECOND} & ~B[sally] B[anne] B[sally] {FIRST}", E),
        (CALLED, f"B[mary] B[anne] B[sally] {SECOND}", E),
        (CALLED, f"B[anne] B[sally] {FIRST}", C),
        # Perner, Leekam & Wimmer 1987: what another child will think is in the tube
        (TUBE, f"B[sally] {SWEETS} & ~{SWEETS}", E),
        ("[as_pictured(smarties, pencils, tube)]", f"B[sally] {SWEETS} & {SWEETS}", E),
        (OPENED, f"K[sally] {PENCILS}", E),
        (OPENED, f"B[sally] B[anne] {SWEETS}", E),
        (OPENED, f"B[anne] {PENCILS}", C),
        (OPENED, f"B[anne] B[sally] {SWEETS}", E),
        (f"{OPENED} [enters(anne, room)] [opens(smarties, pencils, tube)]", f"B[anne] {PENCILS}", E),
        # of what a story does not say it settles nothing
        (AWAY, "in(key, box)", N),
        (AWAY, "B[anne] in(key, box)", N),
    ],
)  # fmt: skip
def test_the_answers_of_the_literature(project: Project, story: str, hypothesis: str, label: str) -> None:
    found = decide(f"{story} true", hypothesis, "stories", project.declarations)
    assert (found.verdict.label, found.verdict.findings) == (label, ())


def test_a_hypothesis_that_is_settled_before_the_story_says_nothing_of_it(project: Project) -> None:
    found = decide(f"{BACK} true", f"B[sally] {FIRST} | ~B[sally] {FIRST}", "stories", project.declarations)
    assert found.verdict.findings == ("hypothesis valid",)
    found = decide(f"{BACK} true", f"K[sally] {FIRST} & ~{FIRST}", "stories", project.declarations)
    assert found.verdict.findings == ("hypothesis impossible",)


@pytest.mark.parametrize(
    "story",
    [
        f"{SCENE} [moves_behind(sally, marble, basket, box, room)]",  # she is there
        f"{AWAY} [moves_behind(sally, marble, basket, box, room)]",  # the marble is not
        f"{BACK} [finds(marble, box, basket, chest)]",
        f"{SCENE} [misses(sally, marble, basket, box, chest)]",
    ],
)
def test_a_story_that_cannot_happen_is_no_premise(project: Project, story: str) -> None:
    found = decide(f"{story} true", "in(key, box)", "stories", project.declarations)
    assert (found.verdict.label, found.verdict.findings) == (None, ("premise inconsistent",))


def test_what_a_label_after_a_story_rests_on_holds(project: Project) -> None:
    """A model without a frame condition, told by sets of worlds, says something of every symbol of the formulas."""
    decider = Decider(dependence=True)
    for hypothesis in (f"K[sally] {FIRST} | K[sally] {SECOND}", f"B[anne] (K[sally] {FIRST} | K[sally] {SECOND})"):
        found = decide(f"{MISSED} true", hypothesis, "stories", project.declarations, decider)
        assert "factivity of know" in found.rests_on_text
    for each in decider.decided():
        assert check_entry(certificate_line(*each))


def test_the_event_at_which_a_story_stops_is_reported(project: Project) -> None:
    theory = project.declarations.theory("stories", None, Findings())
    assert theory is not None

    def stop(story: str) -> str:
        premise = parse(f"{story} true", operators=theory.operator_names)
        return stops_at(premise, slice_for((premise,), theory, {}))

    assert stop(BACK) == ""
    assert stop(f"{AWAY} [enters(mary, room)] [leaves(sally, room)] [enters(sally, room)]") == "[leaves(sally, room)]"
    assert stop(f"{SCENE} [finds(marble, basket, box, chest)] [leaves(mary, room)]").startswith("[finds(")


def test_a_premise_that_says_what_holds_after_an_event_is_no_story(project: Project) -> None:
    """Only `[E] true` is told; `[E] F` is the formula that it is."""
    after = f"[puts(marble, basket, box)] B[sally] {FIRST} & ~{FIRST}"
    assert decide(after, FIRST, "stories", project.declarations).verdict.label == C


# ---- another story, by declaration alone -----------------------------------------------------------------------------

ACCIDENT = {
    "logic/accident.logic": """theory accident
include stories
event falls(x, p, q)                     -- nobody sees it
  action fall
    pre in(x, p)
    post in(x, p) := false
    post in(x, q) := true
  action nothing
  actual fall
  arrows B: fall -> nothing
""",
    "grammars/accident.gram": r"""fun Falls (x: Belonging, p: Container, q: Container) : Happening
  lin "While nobody is looking, the" x "falls out of the" p "into the" q
  sem \F. [falls(x, p, q)] F
""",
    "grammars/theory_of_mind/story_accident.paradigm": """paradigm story_accident
about  "An accident that nobody sees leaves everybody with a false belief."
source "the tests"
uses   english.stories, accident
theory accident
size   5
draw a, b : PN
draw r    : Room
draw p, q, o : Container
draw x    : Belonging
let placed = Then(Setting(owner_first, a, b, r, InARow(first, p, q, o, r)), Puts(a, x, p, q, o))
let here   = ThingIn(x, p)
premise
  before = Told(placed)
  after  = Told(Then(placed, Falls(x, p, q)))
hypothesis
  in_first    = Say(here)
  owner_first = Say(Thinks(a, here))
  of_first    = Say(Thinks(b, Thinks(a, here)))
  ignorant    = Say(DoesntKnow(a, ThingIn(x, q)))
pair before => in_first, owner_first, of_first   expect entailment
pair after  => in_first                          expect contradiction
pair after  => owner_first, of_first, ignorant   expect entailment
""",
}


@pytest.fixture(scope="module")
def accident(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Path]:
    root = tmp_path_factory.mktemp("accident")
    own = load(write(root / "own", ACCIDENT))
    return own, own.build("theory_of_mind/story_accident", root / "data")[0].folder


def rows(folder: Path) -> list[Row]:
    return [json.loads(line) for line in (folder / "items" / "story_accident.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.slow
def test_a_new_kind_of_story_is_declared_in_three_files(accident: tuple[Project, Path]) -> None:
    project, folder = accident
    found = verify(folder, project.declarations, with_rebuild=True)
    assert not found.problems.kept
    assert found.rows == 35
    told = next(row["premise"] for row in rows(folder) if row["premise_condition"] == "after")
    assert "While nobody is looking, the" in told
    assert told.count(".") == 4


def test_forms_and_labels_of_a_row_are_those_that_decide_gives(accident: tuple[Project, Path]) -> None:
    project, folder = accident
    for row in rows(folder)[:7]:
        assert row["premise_form"].startswith("[enters(")
        assert row["premise_form"].endswith("] true")
        found = decide(row["premise_form"], row["hypothesis_form"], "accident", project.declarations)
        assert (found.verdict.label, found.shape.id) == (row["label_name"], row["shape"])


def test_only_behind_a_story_may_a_hypothesis_be_settled(accident: tuple[Project, Path], tmp_path: Path) -> None:
    """A certificate that finds the hypothesis valid is none for a row whose premise tells nothing."""
    project, honest = accident
    folder = tmp_path / honest.name
    shutil.copytree(honest, folder)
    forger = Forger(folder, "story_accident")

    def plain(row: Row) -> None:
        row["premise_form"] = row["premise_form"].removesuffix(" true") + " (true | false)"

    number = next(i for i, row in enumerate(forger.rows()) if row["condition"] == "after-owner_first")
    forger.edit_row(plain, number)
    found = verify(folder, project.declarations)
    assert [p for p in found.problems.kept if "no such pair is in a dataset" in p.reason]
