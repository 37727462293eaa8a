"""What a dataset says beside its labels is derived too: values, principles, moved labels, what it was made from."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from forgery import Forger, Row
from projects import PLAIN, toy
from support.datasets import SharedDatasets

from gramprobe.dataset.verify.verify import Verified, verify
from gramprobe.project import Project

NAME = "possessed_definites_existence"
BOUNDED = {"kind": "bounded", "size": 3, "worlds": 3, "individuals": 3, "occasions": 0}
PROVER = {"kind": "prover", "name": "e", "version": "3.0", "text": "# SZS status Theorem"}


@pytest.fixture
def honest(datasets: SharedDatasets) -> Path:
    return datasets(f"presupposition/{NAME}", n=2, seed=4)


@pytest.fixture
def forger(honest: Path, tmp_path: Path) -> Forger:
    return Forger(Path(shutil.copytree(honest, tmp_path / honest.name)), NAME)


def reasons(verified: Verified) -> list[tuple[str, str]]:
    return [(problem.code, problem.reason) for problem in verified.problems.kept]


# -- values that the hypothesis does not take


def drop_a_value(forger: Forger, proof: dict[str, Any]) -> int:
    """A line's third model is exchanged for an absence on trust, and its rows say so; how many rows."""
    lines, rows = forger.lines(), forger.rows()
    own = {row["shape"] for row in rows}  # other lines are of the labels of other theories
    line = next(e for e in lines if e["shape"] in own and e["h_values"] == "TFU" and e["kind"] == "models")
    del line["models"]["U"]
    line["absent"]["U"] = proof
    line["h_values"] = "TF"
    forger.put_lines(lines)
    changed = [row for row in rows if row["shape"] == line["shape"]]
    for row in changed:
        row["h_values"] = "TF"
    forger.put_rows(rows)
    return len(changed)


@pytest.mark.slow
@pytest.mark.parametrize("proof", [BOUNDED, PROVER], ids=["bounded", "prover"])
def test_a_value_left_out_on_trust_is_refused(forger: Forger, project: Project, proof: dict[str, Any]) -> None:
    drop_a_value(forger, proof)
    verified = verify(forger.folder, project.declarations)
    wanted = "that the hypothesis is never U rests on trust, and the build did not allow that"
    assert ("E51", wanted) in reasons(verified)


@pytest.mark.slow
def test_where_trust_is_allowed_such_rows_are_counted(forger: Forger, project: Project) -> None:
    rows = drop_a_value(forger, BOUNDED)
    forger.edit_manifest(lambda manifest: manifest.__setitem__("allow_bounded", True))
    verified = verify(forger.folder, project.declarations)
    assert verified.on_trust == rows > 0
    assert verified.unshown == 0
    assert not any(code == "E51" for code, _ in reasons(verified))


# -- principles that the label needs


@pytest.mark.slow
def test_null_in_the_place_of_needed_principles_is_refused(forger: Forger, project: Project) -> None:
    lines, rows = forger.lines(), forger.rows()
    line = next(each for each in lines if each["rests_on"])
    line["rests_on"] = None
    forger.put_lines(lines)
    for row in rows:
        if row["shape"] == line["shape"]:
            row["rests_on"] = ""
    forger.put_rows(rows)
    verified = verify(forger.folder, project.declarations)
    assert any(code == "E51" and "`rests_on` is null" in reason for code, reason in reasons(verified))


# -- labels that another theory moved


@pytest.fixture(scope="module")
def strong(datasets: SharedDatasets) -> Path:
    return datasets(f"presupposition/{NAME}", n=1, theory="presupposition-strong")


@pytest.mark.slow
def test_labels_that_moved_are_derived_again(strong: Path, project: Project, tmp_path: Path) -> None:
    def emptied(manifest: Row) -> None:
        manifest["paradigms"][NAME]["moved"] = []

    def invented(manifest: Row) -> None:
        entry = {"condition": "trigger-presupposed", "before": "neutral", "after": "entailment", "rows": 5000}
        manifest["paradigms"][NAME]["moved"] = [entry]

    assert json.loads((strong / "manifest.json").read_text("utf-8"))["paradigms"][NAME]["moved"]
    assert reasons(verify(strong, project.declarations)) == []
    for number, edit in enumerate((emptied, invented)):
        forger = Forger(Path(shutil.copytree(strong, tmp_path / str(number) / strong.name)), NAME)
        forger.edit_manifest(edit)
        wanted = ("E54", f"`moved` of `{NAME}` is not what the source files give")
        assert wanted in reasons(verify(forger.folder, project.declarations))


# -- what the manifest says of the build


@pytest.mark.slow
def test_leave_for_trust_that_nothing_rests_on_is_refused(forger: Forger, project: Project) -> None:
    forger.edit_manifest(lambda manifest: manifest.__setitem__("allow_bounded", True))
    wanted = ("E52", "`allow_bounded` is true, and nothing in the dataset rests on trust")
    assert wanted in reasons(verify(forger.folder, project.declarations))


@pytest.mark.slow
def test_leave_that_was_not_needed_is_not_in_the_manifest(tmp_path: Path) -> None:
    project = toy(tmp_path / "own", PLAIN)
    built = project.build("toy/one", tmp_path / "data", n=2, allow_bounded=True)[0]
    assert built.manifest["allow_bounded"] is False
    assert reasons(verify(built.folder, project.declarations, with_rebuild=True)) == []


@pytest.mark.slow
def test_a_source_that_the_dataset_does_not_rest_on_is_refused(forger: Forger, project: Project) -> None:
    name = "logic/temporal.logic"
    true = {"sha256": project.library.sources[name].sha256, "from": "shipped"}

    def edit(manifest: Row) -> None:
        manifest["sources"] = dict(sorted({**manifest["sources"], name: true}.items()))

    forger.edit_manifest(edit)
    wanted = ("E53", f"the dataset does not rest on {name}, which the manifest names")
    assert reasons(verify(forger.folder, project.declarations)) == [wanted]


@pytest.mark.slow
def test_the_theory_of_the_whole_dataset_is_among_its_sources(strong: Path, project: Project, tmp_path: Path) -> None:
    forger = Forger(Path(shutil.copytree(strong, tmp_path / strong.name)), NAME)
    name = "logic/presupposition-strong.logic"
    forger.edit_manifest(lambda manifest: manifest["sources"].pop(name))
    wanted = ("E53", f"the dataset rests on {name}, which the manifest does not name")
    assert wanted in reasons(verify(forger.folder, project.declarations))
