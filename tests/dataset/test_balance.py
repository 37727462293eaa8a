"""Balanced companions: every pair twice, labels counted, nothing left for a reader of hypotheses, no way to forge."""

from __future__ import annotations

import json
import shutil
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from forgery import Forger
from projects import toy
from support.datasets import FEW, SharedDatasets

from gramprobe.cli.main import main
from gramprobe.dataset.verify.verify import Verified, verify
from gramprobe.project import Project
from gramprobe.source.diagnostic import AuthoringError, UsageError

Row = dict[str, Any]
N = FEW
COUNTS = {"entailment": 10, "neutral": 22, "contradiction": 6}


@pytest.fixture(scope="module")
def folders(datasets: SharedDatasets) -> tuple[Path, Path]:
    """The sets, and their companions."""
    return datasets("presupposition", n=N), datasets("presupposition", n=N, balanced=True)


def by_paradigm(folder: Path) -> dict[str, list[Row]]:
    files = sorted((folder / "items").iterdir())
    return {f.stem: [json.loads(line) for line in f.read_text("utf-8").splitlines()] for f in files}


def problems_of(verified: Verified) -> str:
    return "\n".join(map(str, verified.problems.kept))


def best_guess(rows: list[Row], *columns: str) -> float:
    """How many labels he guesses who knows the labels of every row with the same columns."""
    tallies: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for row in rows:
        tallies[tuple(row[c] for c in columns)][row["label_name"]] += 1
    return sum(max(t.values()) for t in tallies.values()) / len(rows)


# -- what is in it


@pytest.mark.slow
def test_the_companions_of_the_sets(folders: tuple[Path, Path]) -> None:
    plain, balanced = folders
    assert balanced.name == "presupposition--balanced"
    there = by_paradigm(balanced)
    assert there.keys() == by_paradigm(plain).keys()
    for rows in there.values():
        assert Counter(r["label_name"] for r in rows) == {k: N * n for k, n in COUNTS.items()}
        swapped = [r for r in rows if r["premise_condition"].endswith("_swapped")]
        assert len(rows) == N * 38 == 2 * len(swapped)
        assert len({(r["premise"], r["hypothesis"]) for r in rows}) == len(rows)


@pytest.mark.slow
def test_each_kind_of_swapped_pair_has_the_label_that_the_design_gives(folders: tuple[Path, Path]) -> None:
    # premises about somebody else settle nothing but the hypothesis about that other one
    for rows in by_paradigm(folders[1]).values():
        for row in rows:
            if row["premise_condition"].endswith("_swapped"):
                wanted = "entailment" if row["hypothesis_condition"] == "neutral" else "neutral"
                assert row["label_name"] == wanted, row["id"]


def test_pairs_of_the_paradigm_stand_in_its_companion_as_they_are(project: Project) -> None:
    full = "presupposition/possessed_definites_existence"
    columns = ("id", "premise", "hypothesis", "label", "labels", "shape", "premise_form")
    plain = project.paradigm(full).sample(3).select(columns).to_pylist()
    both = project.paradigm(full, balanced=True).sample(3).to_pylist()
    of_design = [{c: r[c] for c in columns} for r in both if not r["premise_condition"].endswith("_swapped")]
    assert of_design == plain


@pytest.mark.slow
def test_a_swapped_premise_is_the_premise_of_the_instance_in_which_the_draws_changed_places(project: Project) -> None:
    for row in project.paradigm("presupposition/only", balanced=True).sample(1).to_pylist():
        drawn = row["draws"]
        if not row["premise_condition"].endswith("_swapped"):
            continue
        instance = ".".join([drawn[d] for d in ("t", "other", "s", "does", "focus", "m")])
        name = f"presupposition/only/{instance}/{row['premise_condition'].removesuffix('_swapped')}-presupposed"
        exchanged = project.explain(name).data
        assert row["premise"] == exchanged["premise"]
        if row["hypothesis_condition"] == "neutral":
            assert (row["hypothesis"], row["label_name"]) == (exchanged["hypothesis"], exchanged["label"])


# -- nothing for a reader of hypotheses


@pytest.mark.slow
def test_who_knows_the_labels_of_every_hypothesis_does_no_better_than_the_commonest(
    folders: tuple[Path, Path],
) -> None:
    plain, balanced = map(by_paradigm, folders)
    for name, rows in balanced.items():
        commonest = max(Counter(r["label_name"] for r in rows).values()) / len(rows)
        assert best_guess(rows, "hypothesis") == best_guess(rows, "hypothesis_condition") == commonest == 22 / 38
        assert best_guess(plain[name], "hypothesis") > commonest, "the design itself gives much away"


@pytest.mark.slow
def test_the_manifest_and_the_card_state_it(folders: tuple[Path, Path]) -> None:
    manifests = [json.loads((f / "manifest.json").read_text("utf-8")) for f in folders]
    assert [m["balanced"] for m in manifests] == [False, True]
    for part in manifests[1]["paradigms"].values():
        baselines = part["baselines"]
        assert baselines["majority"] == round(22 / 38, 4) >= baselines["hypothesis"]
        assert baselines["words"] <= baselines["majority"]
    rows = by_paradigm(folders[0])
    for name, part in manifests[0]["paradigms"].items():
        labels = Counter(row["label_name"] for row in rows[name.rpartition("/")[2]])
        assert part["baselines"]["majority"] == round(max(labels.values()) / labels.total(), 4)
    told = [(f / "README.md").read_text("utf-8") for f in folders]
    assert ["Balanced companion" in text for text in told] == [False, True]


#: one of each scale, and of each form of the numerals
SCALES = [
    f"implicature/{name}"
    for name in (
        "connectives",
        "modals_bare",
        "numerals_2_3_existential",
        "numerals_10_100_subject",
        "quantifiers_object",
    )
]


@pytest.mark.slow
@pytest.mark.parametrize("names", [SCALES, pytest.param([], marks=pytest.mark.deep)], ids=["some", "all"])
def test_the_companions_of_the_implicature_sets(names: list[str], project: Project, datasets: SharedDatasets) -> None:
    folder = datasets("implicature", among=names, n=FEW, balanced=True)
    for name, rows in by_paradigm(folder).items():
        entailment, neutral = (3, 14) if name.startswith("numerals") else (4, 12)
        if name == "modals_bare":
            entailment, neutral = 0, 20  # nothing follows between the verbs
        elif name.startswith("numerals") and name.endswith(("_subject", "_object")):
            entailment, neutral = 2, 20  # or from those who did for those who didn't
        wanted = {"entailment": entailment, "neutral": neutral, "contradiction": 24 - neutral - entailment}
        assert Counter(r["label_name"] for r in rows) == +Counter({label: FEW * n for label, n in wanted.items()})
        assert best_guess(rows, "hypothesis") == best_guess(rows, "hypothesis_condition") == neutral / 24
        for kind in ("weak", "strong", "not_weak", "not_strong"):
            assert len({r["label_name"] for r in rows if r["hypothesis_condition"] == kind}) >= 2
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


@pytest.mark.parametrize(("balance", "more"), [("balance w, x\n", ""), ("balance w, y\n", ", y")])
def test_the_line_changes_nothing_of_the_paradigm_itself(balance: str, more: str, tmp_path: Path) -> None:
    without = toy_project(tmp_path / "without", "").build("toy/one", tmp_path / "a", everything=True)[0].folder
    line = toy_project(tmp_path / "with", balance, more).build("toy/one", tmp_path / "b", everything=True)[0].folder
    assert bytes_of(line) == bytes_of(without)


def test_a_draw_of_the_line_alone_is_drawn_for_the_companion_alone(tmp_path: Path) -> None:
    own = toy(tmp_path, TOY.format(balance="balance w, x\n", more="", hypotheses=""))
    plain, both = own.paradigm("one").sample(2).to_pylist(), own.paradigm("one", balanced=True).sample(2).to_pylist()
    assert list(plain[0]["draws"]) == ["w", "k", "d"]
    assert list(both[0]["draws"]) == ["w", "x", "k", "d"]
    assert own.paradigm("one").space().size * 2 == own.paradigm("one", balanced=True).space().size
    swapped = [r for r in both if r["premise_condition"] == "p_swapped"]
    assert {r["label_name"] for r in swapped} == {"neutral"}
    assert len(swapped) == 4


def test_what_is_asked_already_is_not_asked_again(tmp_path: Path) -> None:
    premises = "  p = TheirK(w, k, d)\n  q = TheirK(x, k, d)\nhypothesis"
    text = TOY.format(balance="balance w, x\n", more="", hypotheses="")
    own = toy(tmp_path, text.replace("  p = TheirK(w, k, d)\nhypothesis", premises))
    pairs = own.paradigm("one").declared.pairs
    assert own.paradigm("one", balanced=True).declared.pairs == pairs


def test_several_lines_swap_at_once(tmp_path: Path) -> None:
    text = TOY.format(balance="balance w, x\nbalance k, l\n", more="", hypotheses="").replace(
        "draw k : Kind", "draw k, l : Kind   where k != l"
    )
    own = toy(tmp_path, text)
    for row in own.paradigm("one", balanced=True).sample(2).to_pylist():
        if row["premise_condition"] == "p_swapped":
            names = {"uma": "Uma", "vito": "Vito", "wanda": "Wanda"}
            assert row["premise"].startswith(f"{names[row['draws']['x']]}'s {row['draws']['l']} ")


def test_a_companion_keeps_claims_of_the_paradigm_and_adds_no_claim(project: Project) -> None:
    pairs = project.paradigm("presupposition/both", balanced=True).declared.pairs
    assert all((p.expect is None) == p.premise.endswith("_swapped") for p in pairs)


# -- commands


@pytest.mark.slow
def test_commands_know_the_companion(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["list", "--json"]) == 0
    listed = {p["name"]: p for p in json.loads(capsys.readouterr().out)["paradigms"]}
    assert listed["presupposition/only"]["balanced"] == 38
    assert main(["check", "presupposition/only", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["paradigms"]
    assert (entry["pairs"], entry["companion"]["pairs"], entry["companion"]["labels"]) == (19, 38, COUNTS)
    assert main(["sample", "only", "--balanced", "--n", "1"]) == 0
    assert "trigger_swapped" in capsys.readouterr().out
    assert main(["build", "only", "--balanced", "--n", "1", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "presupposition--only--balanced" / "manifest.json").is_file()


def test_a_swapped_item_is_explained(project: Project) -> None:
    name = "presupposition/only/past.Name.olivia.Name.emma.Toward.thank.amy.might"
    found = project.explain(f"{name}/negated_swapped-neutral")
    assert (found.data["premise"], found.data["label"]) == ("Emma didn't only thank Amy.", "entailment")
    with pytest.raises(UsageError, match="`negated_swopped-neutral` is not a condition"):
        project.explain(f"{name}/negated_swopped-neutral")


@pytest.mark.slow
def test_all_of_the_companions_that_there_are(tmp_path: Path) -> None:
    own = toy_project(tmp_path, "")
    with pytest.raises(AuthoringError, match="E87"):
        own.build("toy", tmp_path / "out", balanced=True)
    companions = own.folders(["all"], balanced=True)
    assert "presupposition" in companions
    assert "toy" not in companions
    (built,) = own.build("implicature/modals", tmp_path / "out", n=1, balanced=True)
    assert built.folder.name == "implicature--modals--balanced"


# -- verify


@pytest.mark.deep  # one by itself: test_a_companion_is_built_again
@pytest.mark.slow
def test_honest_companions_verify(folders: tuple[Path, Path], project: Project) -> None:
    found = verify(folders[1], project.declarations)
    assert problems_of(found) == ""
    assert found.rows == 10 * N * 38
    assert len(found.sources.paradigms) == 10


@pytest.fixture
def forger(datasets: SharedDatasets, tmp_path: Path) -> Forger:
    honest = datasets("presupposition/both", n=FEW, balanced=True)
    return Forger(shutil.copytree(honest, tmp_path / honest.name), "both")


def test_a_companion_is_built_again(forger: Forger, project: Project) -> None:
    assert problems_of(verify(forger.folder, project.declarations, with_rebuild=True)) == ""


def test_a_companion_that_gives_itself_out_as_the_paradigm(forger: Forger, project: Project) -> None:
    forger.edit_manifest(lambda m: m.__setitem__("balanced", False))
    assert "E50" in verify(forger.folder, project.declarations).problems.by_code
    forger.edit_manifest(lambda m: m.__setitem__("name", "presupposition--both"))
    assert "E54" in verify(forger.folder, project.declarations).problems.by_code


def test_a_paradigm_that_gives_itself_out_as_a_companion(project: Project, tmp_path: Path) -> None:
    forger = Forger(project.build("presupposition/both", tmp_path, n=2)[0].folder, "both")
    forger.edit_manifest(lambda m: m.update({"balanced": True, "name": "presupposition--both--balanced"}))
    assert "E54" in verify(forger.folder, project.declarations).problems.by_code


def test_a_swapped_premise_put_back(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    at = next(i for i, r in enumerate(rows) if r["condition"] == "trigger_swapped-presupposed")
    forger.edit_row(lambda row: row.__setitem__("premise", rows[0]["premise"]), at)
    assert "E54" in verify(forger.folder, project.declarations).problems.by_code


def test_a_companion_whose_paradigm_has_lost_the_line(tmp_path: Path) -> None:
    own = toy_project(tmp_path / "own", "balance w, x\n")
    (built,) = own.build("toy/one", tmp_path / "out", n=1, balanced=True)
    assert problems_of(verify(built.folder, own.declarations, with_rebuild=True)) == ""
    shutil.rmtree(tmp_path / "own")
    without = toy_project(tmp_path / "own", "")
    found = verify(built.folder, without.declarations)
    assert "has no balanced companion" in problems_of(found)
    assert found.sources.paradigms == ()
