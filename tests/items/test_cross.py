"""`cross`: a factor whose levels stand in every instance, as parts of conditions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from projects import TOY_GRAMMAR, toy

from gramprobe.cli.main import main
from gramprobe.dataset.verify.verify import verify

GRAMMAR = (
    TOY_GRAMMAR
    + """
feature amount = every | no
table amounts[amount] every "all their" | no "no"
fun Of (w: Who, q: amount, k: Kind) : S
  lin w "has" amounts(q) k[num=pl]
  sem [q=every] forall x. (k(x), has(w, x))
  sem [q=no] ~exists x. (k(x), has(w, x))
"""
)
LINES = """size 6
draw w : Who
draw k, l : Kind   where k != l
cross q = every, no
let one = Of(w, q, k)
premise
 p = one
hypothesis
 h = Has(w, k)
 again = Of(w, q, l)
pair p => h
pair p => again
factor which = having: h | other: again
contrast gap = h - again
allow leak because "it is a test"
"""


@pytest.mark.slow
def test_each_instance_has_a_sentence_of_each_level(tmp_path: Path) -> None:
    project = toy(tmp_path / "own", LINES, grammar=GRAMMAR)
    dataset = project.build("toy/one", tmp_path / "data")[0]
    assert verify(dataset.folder, project.declarations).problems.kept == []
    rows = [json.loads(line) for line in (dataset.folder / "items/one.jsonl").read_text("utf-8").splitlines()]
    conditions = ["p.every-h", "p.no-h", "p.every-again.every", "p.no-again.no"]
    assert [row["condition"] for row in rows] == conditions * 6
    assert rows[0]["id"] == f"toy/one/{rows[0]['instance']}/p.every-h"
    assert "q" not in rows[0]["draws"]
    assert [row["label_name"] for row in rows[:4]] == ["neutral", "contradiction", "neutral", "neutral"]
    design = json.loads((dataset.folder / "design.json").read_text("utf-8"))["paradigms"]["one"]
    crossed, which = design["factors"]
    assert (crossed["name"], crossed["kind"], crossed["levels"]) == ("q", "within", ["every", "no"])
    assert which["name"] == "which"
    assert sorted(cell["conditions"] for cell in design["cells"]) == sorted([c] for c in conditions)
    assert design["contrasts"][0]["weights"] == {
        "p.every-h": 0.5, "p.no-h": 0.5, "p.every-again.every": -0.5, "p.no-again.no": -0.5,
    }  # fmt: skip


def test_an_item_is_explained_by_its_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toy(tmp_path, LINES, grammar=GRAMMAR)
    assert main(["explain", "toy/one/uma.newt.owlet/p.no-again.no", "--path", str(tmp_path)]) == 0
    assert "premise     Uma has no newts." in capsys.readouterr().out


def test_swapped_premises_keep_their_level_at_the_end(tmp_path: Path) -> None:
    lines = LINES.replace("contrast gap = h - again\n", "balance k, l\n")
    names = list(toy(tmp_path, lines, grammar=GRAMMAR).paradigm("toy/one").declared.conditions)
    assert names[-2:] == ["p_swapped.every", "p_swapped.no"]


@pytest.mark.parametrize(("label", "codes"), [("contradiction", []), ("neutral", ["E10"])])
def test_a_claim_may_be_about_a_level(label: str, codes: list[str], tmp_path: Path) -> None:
    lines = LINES.replace("pair p => h\n", f"pair p => h   expect {label} where q = no\n")
    found = toy(tmp_path, lines, grammar=GRAMMAR).check("toy/one")
    assert [each.code for each in found if each.is_error] == codes
