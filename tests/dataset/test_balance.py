"""`balance`: every pair twice, labels counted, nothing left for a reader of hypotheses, no way to forge."""

from __future__ import annotations

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from forgery import Forger
from projects import toy
from support.datasets import FEW, SOME_SCALES, SOME_TRIGGERS, SharedDatasets

from gramprobe.cli.main import main
from gramprobe.dataset.verify.verify import Verified, verify
from gramprobe.project import Project
from gramprobe.source.diagnostic import UsageError

Row = dict[str, Any]
N = FEW
NAME = "possessed_definites_existence"
COUNTS = {"entailment": 10, "neutral": 22, "contradiction": 6}
#: embedded, a cleft says nothing of how many
CLEFTS = {"entailment": 2, "neutral": 34, "contradiction": 2}


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.deep)])
def folder(request: pytest.FixtureRequest, datasets: SharedDatasets) -> Path:
    """The sets of presupposition."""
    return datasets("presupposition", among=SOME_TRIGGERS if request.param == "some" else (), n=N)


def by_paradigm(folder: Path) -> dict[str, list[Row]]:
    files = sorted((folder / "items").iterdir())
    return {f.stem: [json.loads(line) for line in f.read_text("utf-8").splitlines()] for f in files}


def problems_of(verified: Verified) -> str:
    return "\n".join(map(str, verified.problems.kept))


def best_guess(rows: list[Row], *columns: str, of: str = "label_name") -> float:
    """How many labels (a column) he guesses who knows the labels of every row with the same columns."""
    tallies: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for row in rows:
        tallies[tuple(row[c] for c in columns)][row[of]] += 1
    return sum(max(t.values()) for t in tallies.values()) / len(rows)


# -- what is in it


@pytest.mark.slow
def test_the_sets_have_every_pair_twice(folder: Path) -> None:
    for name, rows in by_paradigm(folder).items():
        counts = CLEFTS if name == "cleft_uniqueness" else COUNTS
        assert Counter(r["label_name"] for r in rows) == {k: N * n for k, n in counts.items()}
        swapped = [r for r in rows if r["design"] == "swapped"]
        assert all(r["premise_condition"].endswith("_swapped") == (r["design"] == "swapped") for r in rows)
        assert len(rows) == N * 38 == 2 * len(swapped)
        assert len({(r["premise"], r["hypothesis"]) for r in rows}) == len(rows)


@pytest.mark.slow
def test_an_embedded_cleft_says_nothing_of_how_many(project: Project) -> None:
    instance = "past.Name.melvin.who.protect.Name.caroline.Name.miguel.first.might"
    labels = [
        project.explain(f"presupposition/cleft_uniqueness/{instance}/{premise}-presupposed").data["label"]
        for premise in ("trigger", "negated", "interrogative", "modal", "conditional")
    ]
    assert labels == ["entailment", *["neutral"] * 4]


@pytest.mark.slow
def test_each_kind_of_swapped_pair_has_the_label_that_the_design_gives(folder: Path) -> None:
    # premises about somebody else settle nothing but the hypothesis about that other one
    for name, rows in by_paradigm(folder).items():
        for row in rows:
            if row["design"] == "swapped":
                projects = name != "cleft_uniqueness" or row["premise_condition"] == "trigger_swapped"
                wanted = "entailment" if row["hypothesis_condition"] == "neutral" and projects else "neutral"
                assert row["label_name"] == wanted, row["id"]


@pytest.mark.slow
@pytest.mark.parametrize("full", ["presupposition/both", "implicature/connectives"])
def test_the_paper_s_design_is_a_part_of_the_whole(full: str, project: Project) -> None:
    # also where draws stand in swapped premises alone (connectives), or these must fit the other noun (both)
    paper = project.paradigm(full, "paper").sample(3).to_pylist()
    whole = project.paradigm(full).sample(3).to_pylist()
    assert paper == [row for row in whole if row["design"] == "paper"]
    assert len(paper) * 2 == len(whole)


def test_every_pair_of_a_paradigm_without_balance_is_the_paper_s(project: Project) -> None:
    rows = project.paradigm("theory_of_mind/persons_exchanged").sample(1).to_pylist()
    assert {row["design"] for row in rows} == {"paper"}


@pytest.mark.slow
def test_a_swapped_premise_is_the_premise_of_the_instance_in_which_the_draws_changed_places(project: Project) -> None:
    paradigm = project.paradigm("presupposition/possessed_definites_existence")
    for row in paradigm.sample(1).to_pylist():
        drawn = row["draws"]
        if row["design"] != "swapped" or row["hypothesis_condition"] != "neutral":
            continue
        instance = ".".join([drawn[d] for d in ("t", "other", "owner", "q", "thing", "act", "target", "m")])
        name = (
            f"{paradigm.declared.full_name}/{instance}/{row['premise_condition'].removesuffix('_swapped')}-presupposed"
        )
        exchanged = project.explain(name).data
        told = ("premise", "hypothesis", "label")
        assert (row["premise"], row["hypothesis"], row["label_name"]) == tuple(exchanged[each] for each in told)


# -- nothing for a reader of hypotheses


@pytest.mark.slow
def test_who_knows_the_labels_of_every_hypothesis_does_no_better_than_the_commonest(
    folder: Path,
) -> None:
    for name, rows in by_paradigm(folder).items():
        commonest = max(Counter(r["label_name"] for r in rows).values()) / len(rows)
        assert best_guess(rows, "hypothesis") == best_guess(rows, "hypothesis_condition") == commonest
        assert commonest == (34 if name == "cleft_uniqueness" else 22) / 38
        if name == "cleft_uniqueness":
            continue
        paper = [row for row in rows if row["design"] == "paper"]
        assert best_guess(paper, "hypothesis") > commonest, "the paper's design gives much away"


@pytest.mark.slow
def test_the_manifest_and_the_card_state_it(datasets: SharedDatasets) -> None:
    built = [datasets(f"presupposition/{NAME}", n=1, design=design) for design in ("whole", "paper")]
    manifests = [json.loads((f / "manifest.json").read_text("utf-8")) for f in built]
    assert [m["design"] for m in manifests] == ["whole", "paper"]
    majorities = [m["paradigms"][NAME]["baselines"]["majority"] for m in manifests]
    assert majorities == [round(22 / 38, 4), round(8 / 19, 4)]
    told = [(f / "README.md").read_text("utf-8") for f in built]
    assert ["**Balanced.**" in text for text in told] == [True, False]


@pytest.mark.slow
@pytest.mark.parametrize("names", [SOME_SCALES, pytest.param((), marks=pytest.mark.deep)], ids=["some", "all"])
def test_the_implicature_sets(names: Sequence[str], project: Project, datasets: SharedDatasets) -> None:
    folder = datasets("implicature", among=names, n=FEW)
    for name, rows in by_paradigm(folder).items():
        entailment, neutral = (3, 14) if name.startswith("numerals") else (4, 12)
        if name == "modals_bare":
            entailment, neutral = 0, 20  # nothing follows between the verbs
        elif name.startswith("numerals") and name.endswith(("_subject", "_object")):
            entailment, neutral = 2, 20  # or from those who did for those who didn't
        wanted = {"entailment": entailment, "neutral": neutral, "contradiction": 24 - neutral - entailment}
        for row in rows:  # what the premise conveys, whether or not it is the label
            row["conveyed"] = row["label_pragmatic"] or row["label_literal"]
        assert Counter(r["conveyed"] for r in rows) == +Counter({label: FEW * n for label, n in wanted.items()})
        for columns in (("hypothesis",), ("hypothesis_condition",)):
            assert best_guess(rows, *columns, of="conveyed") == neutral / 24
        for kind in ("weak", "strong", "not_weak", "not_strong"):
            assert len({r["conveyed"] for r in rows if r["hypothesis_condition"] == kind}) >= 2
        gold = [r for r in rows if r["label_name"]]
        assert all(r["label_name"] == r["conveyed"] for r in gold)
        if name.startswith(("connectives", "gradable")):
            assert not gold  # people draw the implicature too seldom
        else:
            # nobody has measured how often people draw one from a denied strong word
            unmeasured = 0 if name.startswith("numerals") or name == "modals_bare" else 4
            assert len(gold) == FEW * (24 - unmeasured)
            commonest = max(Counter(r["label_name"] for r in gold).values()) / len(gold)
            assert best_guess(gold, "hypothesis") == best_guess(gold, "hypothesis_condition") == commonest
        for row in rows:
            if row["premise_condition"].endswith("_swapped"):
                assert {row[f"label_{c}"] for c in ("literal", "pragmatic", "imppres")} - {""} == {"neutral"}, row["id"]
    found = verify(folder, project.declarations).problems
    assert {p.reason.partition(" belongs to")[2] for p in found.kept} <= (
        {" `implicature` and is not in the dataset"} if names else set()
    )


# -- the line


TOY = """size 2
draw w, x{more} : Who   where distinct(w, x{more})
draw k : Kind
draw d : Did
premise
  p = TheirK(w, k, d)
hypothesis
  has   = Has(w, k)
  lacks = Lacks(w, k)
{hypotheses}pair any => any
{balance}"""


def toy_project(folder: Path, balance: str, more: str = "", hypotheses: str = "  other = Has(x, k)\n") -> Project:
    return toy(folder, TOY.format(balance=balance, more=more, hypotheses=hypotheses))


def bytes_of(folder: Path) -> dict[str, bytes]:
    files = {f.relative_to(folder).as_posix(): f for f in folder.rglob("*") if f.is_file() and f.suffix != ".parquet"}
    return {name: f.read_bytes() for name, f in files.items() if name != "manifest.json"}


def test_a_draw_of_the_line_alone_is_drawn_in_both_designs(tmp_path: Path) -> None:
    own = toy(tmp_path, TOY.format(balance="balance w, x\n", more="", hypotheses=""))
    paper, both = own.paradigm("one", "paper").sample(2).to_pylist(), own.paradigm("one").sample(2).to_pylist()
    assert [list(rows[0]["draws"]) for rows in (paper, both)] == [["w", "x", "k", "d"]] * 2
    swapped = [r for r in both if r["design"] == "swapped"]
    assert {r["label_name"] for r in swapped} == {"neutral"}
    assert (len(swapped), len(paper)) == (4, 4)


def test_what_is_asked_already_is_not_asked_again(tmp_path: Path) -> None:
    premises = "  p = TheirK(w, k, d)\n  q = TheirK(x, k, d)\nhypothesis"
    text = TOY.format(balance="balance w, x\n", more="", hypotheses="")
    own = toy(tmp_path, text.replace("  p = TheirK(w, k, d)\nhypothesis", premises))
    assert {pair.design for pair in own.paradigm("one").declared.pairs} == {"paper"}


def test_several_lines_swap_at_once(tmp_path: Path) -> None:
    text = TOY.format(balance="balance w, x\nbalance k, l\n", more="", hypotheses="").replace(
        "draw k : Kind", "draw k, l : Kind   where k != l"
    )
    own = toy(tmp_path, text)
    for row in own.paradigm("one").sample(2).to_pylist():
        if row["premise_condition"] == "p_swapped":
            names = {"uma": "Uma", "vito": "Vito", "wanda": "Wanda"}
            assert row["premise"].startswith(f"{names[row['draws']['x']]}'s {row['draws']['l']} ")


def test_swapped_pairs_claim_nothing(project: Project) -> None:
    pairs = project.paradigm("presupposition/both").declared.pairs
    assert all((p.expect is None) == (p.design == "swapped") for p in pairs)


# -- commands


@pytest.mark.slow
def test_commands_know_the_design(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["list", "--json"]) == 0
    listed = {p["name"]: p for p in json.loads(capsys.readouterr().out)["paradigms"]}
    assert [listed["presupposition/possessed_definites_existence"][key] for key in ("pairs", "paper")] == [38, 19]
    assert listed["theory_of_mind/persons_exchanged"]["paper"] is None
    assert main(["check", "presupposition/possessed_definites_existence", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["paradigms"]
    assert (entry["pairs"], entry["expected"], entry["labels"]) == (38, 19, COUNTS)
    for extra, said in (((), True), (("--design", "paper"), False)):
        assert main(["sample", "possessed_definites_existence", "--n", "1", *extra]) == 0
        assert ("trigger_swapped" in capsys.readouterr().out) == said
    assert (
        main(["build", "possessed_definites_existence", "--design", "paper", "--n", "1", "--out", str(tmp_path)]) == 0
    )
    (rows,) = by_paradigm(tmp_path / "presupposition--possessed_definites_existence").values()
    assert len(rows) == 19


@pytest.mark.slow
def test_a_swapped_item_is_explained(project: Project) -> None:
    name = "presupposition/possessed_definites_existence/past.emma.noah.sg.cat.Alone.yawn.amy.might"
    found = project.explain(f"{name}/negated_swapped-neutral")
    assert (found.data["premise"], found.data["label"]) == ("Noah's cat didn't yawn.", "entailment")
    with pytest.raises(UsageError, match="`negated_swopped-neutral` is not a condition"):
        project.explain(f"{name}/negated_swopped-neutral")


# -- verify


@pytest.mark.deep  # one by itself: test_a_set_is_built_again
@pytest.mark.slow
@pytest.mark.parametrize("folder", ["all"], indirect=True)  # a part of them is not the whole dataset
def test_honest_sets_verify(folder: Path, project: Project) -> None:
    found = verify(folder, project.declarations)
    assert problems_of(found) == ""
    assert found.rows == 11 * N * 38
    assert len(found.sources.paradigms) == 11


@pytest.fixture(params=["whole", "paper"])
def forger(request: pytest.FixtureRequest, datasets: SharedDatasets, tmp_path: Path) -> Forger:
    honest = datasets(f"presupposition/{NAME}", n=1, design=request.param)
    return Forger(shutil.copytree(honest, tmp_path / honest.name), NAME)


@pytest.mark.slow
def test_a_set_is_built_again(forger: Forger, project: Project) -> None:
    assert problems_of(verify(forger.folder, project.declarations, with_rebuild=True)) == ""


@pytest.mark.slow
def test_a_design_that_gives_itself_out_as_the_other(forger: Forger, project: Project) -> None:
    forger.edit_manifest(lambda m: m.__setitem__("design", {"whole": "paper", "paper": "whole"}[m["design"]]))
    assert "E54" in verify(forger.folder, project.declarations).problems.by_code


@pytest.mark.slow
@pytest.mark.parametrize("forger", ["whole"], indirect=True)
def test_a_swapped_row_that_gives_itself_out_as_the_paper_s(forger: Forger, project: Project) -> None:
    at = next(i for i, r in enumerate(forger.rows()) if r["condition"] == "trigger_swapped-presupposed")
    forger.edit_row(lambda row: row.__setitem__("design", "paper"), at)
    assert "E54" in verify(forger.folder, project.declarations).problems.by_code


@pytest.mark.slow
@pytest.mark.parametrize("forger", ["whole"], indirect=True)
def test_a_swapped_premise_put_back(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    at = next(i for i, r in enumerate(rows) if r["condition"] == "trigger_swapped-presupposed")
    forger.edit_row(lambda row: row.__setitem__("premise", rows[0]["premise"]), at)
    assert "E54" in verify(forger.folder, project.declarations).problems.by_code


@pytest.mark.slow
@pytest.mark.parametrize("design", ["whole", "paper"])
def test_a_draw_that_only_swapped_pairs_use_carries_its_columns(tmp_path: Path, design: str) -> None:
    """What `check` says of it, both builds do."""
    own = toy(tmp_path, "carry onset\n" + TOY.format(balance="balance w, x\n", more="", hypotheses=""))
    assert own.check("toy/one") == ()
    (built,) = own.build("toy/one", tmp_path / "data", n=2, design=design)
    (row, *_) = Forger(built.folder, "one").rows()
    assert list(row["draws"]) == ["w", "x", "k", "d", "k.onset"]
    assert verify(built.folder, own.declarations).problems.kept == []
