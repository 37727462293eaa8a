"""Every falsification of a dataset is found with its reason, though the forger made all hashes and counts fit again."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from forgery import Forger, Row, compact
from projects import PLAIN, toy
from support.datasets import FEW, SharedDatasets

from gramprobe.cli.main import main
from gramprobe.dataset.verify.problems import Problem
from gramprobe.dataset.verify.verify import Verified, verify
from gramprobe.project import Project, load

NAME = "possessed_definites_existence"
FULL = f"presupposition/{NAME}"
#: rows of an instance
EACH = 38
#: rows of an instance in the design of the paper
PAPER = 19
#: instances of the dataset that is edited
INSTANCES = 2


@pytest.fixture(scope="module")
def honest(datasets: SharedDatasets) -> Path:
    return datasets(FULL, n=INSTANCES, seed=4)


@pytest.fixture
def forger(honest: Path, tmp_path: Path) -> Forger:
    folder = tmp_path / honest.name
    shutil.copytree(honest, folder)
    return Forger(folder, NAME)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project of two small paradigms."""
    folder = tmp_path_factory.mktemp("own")
    toy(folder, PLAIN)
    one = (folder / "grammars/toy/one.paradigm").read_text("utf-8")
    (folder / "grammars/toy/two.paradigm").write_text(one.replace("paradigm one", "paradigm two"), "utf-8")
    return load(folder, names=["toy"])


@pytest.fixture(scope="module")
def twelve(own: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All twelve instances of one of them, each with one row."""
    return own.build("toy/one", tmp_path_factory.mktemp("data"), everything=True)[0].folder


@pytest.fixture
def small(twelve: Path, tmp_path: Path) -> Forger:
    """For what is said of files and of the manifest: a dataset of few rows."""
    return Forger(Path(shutil.copytree(twelve, tmp_path / twelve.name)), "one")


def problems_of(verified: Verified) -> str:
    return "\n".join(map(str, verified.problems.kept))


def assert_reported(verified: Verified, code: str, reason: str) -> None:
    """A problem is reported whose code and reason fit these patterns."""
    fitting = [p for p in verified.problems.kept if re.fullmatch(code, p.code) and re.search(reason, p.reason)]
    assert fitting, f"no {code} {reason!r} among\n{problems_of(verified)}"


# -- what is honest


@pytest.mark.slow
def test_an_honest_dataset_has_nothing_wrong(honest: Path, project: Project) -> None:
    found = verify(honest, project.declarations, with_rebuild=True)
    assert problems_of(found) == ""
    assert found.rows == INSTANCES * EACH
    assert found.rebuilt
    assert found.sources.paradigms == (NAME,)
    assert found.on_trust == 0
    assert sum(found.kinds.values()) == INSTANCES * EACH


@pytest.mark.slow
def test_the_forger_s_tools_alone_change_nothing(forger: Forger, project: Project) -> None:
    forger.put_rows(forger.rows())
    forger.put_lines(forger.lines())
    assert problems_of(verify(forger.folder, project.declarations)) == ""


@pytest.mark.deep
def test_a_phenomenon_verifies_with_its_paradigms(project: Project, datasets: SharedDatasets) -> None:
    found = verify(datasets("presupposition", n=FEW), project.declarations)
    assert problems_of(found) == ""
    assert found.rows == 11 * FEW * EACH


@pytest.mark.slow
def test_all_there_are(own: Project, twelve: Path) -> None:
    assert problems_of(verify(twelve, own.declarations, with_rebuild=True)) == ""


@pytest.mark.slow
def test_another_theory(project: Project, datasets: SharedDatasets) -> None:
    folder = datasets(FULL, n=1, theory="presupposition-strong")
    assert problems_of(verify(folder, project.declarations, with_rebuild=True)) == ""


# -- edits of rows


def flip(row: Row) -> None:
    row["label"] = (row["label"] + 1) % 3
    row["label_name"] = ("entailment", "neutral", "contradiction")[row["label"]]
    row["label_binary"] = int(row["label"] == 0)
    row["label_literal"] = row["label_name"]


def other_word(row: Row) -> None:
    """One name for another throughout the row: all is well-formed, and the formulas keep their shape."""
    old = row["draws"]["owner"].rpartition(".")[2]
    for key, value in row.items():
        if isinstance(value, str):
            row[key] = value.replace(old, "zoe").replace(old.capitalize(), "Zoe")
    row["draws"]["owner"] = row["draws"]["owner"].replace(old, "zoe")


def put(column: str, value: Any) -> Callable[[Row], None]:
    return lambda row: row.__setitem__(column, value)


ROWS: list[tuple[str, Callable[[Row], None], str, str]] = [
    ("a label with its number", flip, "E52", "`label_name` is .* its certificate says"),
    ("a label's number", lambda row: put("label", (row["label"] + 1) % 3)(row), "E52", "`label` is"),
    ("the binary label", lambda row: put("label_binary", 1 - row["label_binary"])(row), "E52", "`label_binary` is"),
    ("a binary label that there is not", put("label_binary", 2), "E52", "`label_binary` is 2"),
    ("a label that there is not", put("label_name", "maybe"), "E52", "`maybe` is no label"),
    ("the literal label", put("label_literal", "neutral"), "E54", "`label_literal`"),
    ("the values", put("h_values", "TFU"), "E52", "`h_values`"),
    ("the kind", put("certificate", "herbrand"), "E52", "`certificate`"),
    ("a kind on trust", put("certificate", "bounded(3)"), "E52", "labels rest on trust"),
    ("what it rests on", put("rests_on", "factivity of know"), "E5[24]", "`rests_on`"),
    ("via", put("label_via", "failure"), "E52", "`label_via`"),
    ("a shape that there is not", put("shape", "0123456789abcdef"), "E52", "no certificate has its shape"),
    ("a sentence", lambda row: put("premise", row["premise"].replace("'s", "s'"))(row), "E54", "`premise` is"),
    ("the other sentence", lambda row: put("hypothesis", "It rains.")(row), "E54", "`hypothesis` is"),
    ("draws", lambda row: row["draws"].update(t="past" if row["draws"]["t"] != "past" else "present"), "E52",
     "`instance` is"),
    ("draws, id and words", other_word, "E54", "the seed draws"),
    ("a formula", lambda row: put("premise_form", f"~({row['premise_form']})")(row), "E52", "the formulas are not"),
    ("no formula", put("premise_form", "forall x."), "E52", "a formula cannot be read"),
    ("a deep formula", put("premise_form", "~" * 100_000 + "p"), "E52", "nested too deep|cannot be read"),
    ("two names one", lambda row: put("hypothesis_form", row["hypothesis_form"].replace("has(", "R("))(row), "E52",
     "the formulas are not"),
    ("an id", lambda row: put("id", row["id"] + "x")(row), "E52", "`id` is"),
    ("a phenomenon", put("phenomenon", "implicature"), "E52", "`phenomenon` is"),
    ("a condition", lambda row: put("condition", "x-y")(row), "E54", "`condition` is"),
    ("a theory", put("theory", "presupposition-strong"), "E52", "`theory` is"),
    ("a split", put("split", "train"), "E52", "`split` is|has not the pairs"),
    ("a tag", put("tag", "practice"), "E54", "`tag` is"),
    ("an entry's label", lambda row: put("labels", row["labels"].replace('label":"', 'label":"non-'))(row), "E52",
     "`labels` says"),
    ("an entry's shape", lambda row: put("labels", row["labels"].replace(row["shape"], "0" * 16))(row), "E52",
     "no certificate has the shape"),
    ("a column that nothing decides", put("label_pragmatic", "neutral"), "E52", "has no reading in that column"),
    ("a column that no reading has", put("label_literal", "none"), "E52", "no reading has this label"),
    ("entries that are none", put("labels", "[]"), "E52", "`labels` is no canonical JSON"),
    ("entries nested deep", put("labels", "[" * 50_000 + "]" * 50_000), "E52", "`labels` is no canonical JSON"),
]  # fmt: skip


@pytest.mark.slow
def test_a_strengthened_label_that_its_reading_has_not(
    project: Project, datasets: SharedDatasets, tmp_path: Path
) -> None:
    forger = Forger(Path(shutil.copytree(datasets("implicature/modals", n=1), tmp_path / "modals")), "modals")
    forger.edit_row(put("label_imppres", "neutral"))
    assert_reported(verify(forger.folder, project.declarations), "E52", "`label_imppres` is `neutral`, and no reading")


@pytest.fixture(scope="module")
def edited(project: Project, datasets: SharedDatasets, tmp_path_factory: pytest.TempPathFactory) -> list[Problem]:
    """The problems of one dataset in which every edit was done to the first row of an instance of its own."""
    honest = datasets(FULL, n=len(ROWS), seed=4, design="paper")
    forger = Forger(Path(shutil.copytree(honest, tmp_path_factory.mktemp("edited") / honest.name)), NAME)
    rows = forger.rows()
    for instance, (_, edit, _, _) in enumerate(ROWS):
        edit(rows[PAPER * instance])
    forger.put_rows(rows)
    return verify(forger.folder, project.declarations).problems.kept


@pytest.mark.slow
@pytest.mark.parametrize("edit", range(len(ROWS)), ids=[r[0] for r in ROWS])
def test_an_edited_row(edited: list[Problem], edit: int) -> None:
    _, _, code, reason = ROWS[edit]
    own = [p for p in edited if p.line in (0, PAPER * edit + 1)]  # 0: what is said of all rows of a paradigm
    assert any(re.fullmatch(code, p.code) and re.search(reason, p.reason) for p in own), own


@pytest.mark.slow
def test_the_same_names_exchanged_in_both_formulas(forger: Forger, project: Project) -> None:
    def edit(row: Row) -> None:
        name = row["draws"]["owner"].rpartition(".")[2]
        for column in ("premise_form", "hypothesis_form"):
            row[column] = re.sub(rf"\b{name}\b", "somebody", row[column])

    forger.edit_row(edit)
    found = verify(forger.folder, project.declarations)
    assert_reported(found, "E54", "`premise_form` is")
    assert "E52" not in found.problems.by_code, "its shape is the same, which only the draws can tell"


@pytest.mark.slow
def test_another_row_s_certificate_of_the_same_label(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    first = rows[0]
    other = next(r for r in rows if r["label_name"] == first["label_name"] and r["shape"] != first["shape"])
    for column in ("shape", "certificate", "h_values", "rests_on", "labels"):
        first[column] = other[column]
    forger.put_rows(rows)
    assert_reported(verify(forger.folder, project.declarations), "E52", "the formulas are not those of the shape")


@pytest.mark.slow
def test_shapes_exchanged_between_two_rows(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    one, other = rows[0], next(r for r in rows if r["shape"] != rows[0]["shape"])
    one["shape"], other["shape"] = other["shape"], one["shape"]
    forger.put_rows(rows)
    assert_reported(verify(forger.folder, project.declarations), "E52", "no entry of `labels` has the row's own shape")


@pytest.mark.slow
def test_sentences_exchanged_between_two_instances(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    rows[0]["premise"], rows[EACH]["premise"] = rows[EACH]["premise"], rows[0]["premise"]
    forger.put_rows(rows)
    found = verify(forger.folder, project.declarations)
    assert [p.line for p in found.problems.kept if p.code == "E54"] == [1, EACH + 1]


@pytest.mark.slow
def test_a_row_dropped(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    forger.put_rows(rows[:5] + rows[6:])
    found = verify(forger.folder, project.declarations)
    assert_reported(found, "E52", "has not the pairs|instance")
    assert_reported(found, "E54", "the row is missing")


@pytest.mark.slow
def test_the_same_row_dropped_of_every_instance(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    gone = rows[5]["condition"]
    forger.put_rows([row for row in rows if row["condition"] != gone])
    forger.edit_manifest(lambda m: m["paradigms"][NAME].__setitem__("pairs", EACH - 1))
    assert_reported(verify(forger.folder, project.declarations), "E54", "the row is missing")


@pytest.mark.slow
def test_a_row_twice(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    forger.put_rows([*rows[:6], *rows[5:]])
    assert_reported(verify(forger.folder, project.declarations), "E52", "one condition twice|has not the pairs")


@pytest.mark.slow
def test_rows_in_another_order(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    rows[EACH], rows[EACH + 1] = rows[EACH + 1], rows[EACH]
    forger.put_rows(rows)
    assert_reported(verify(forger.folder, project.declarations), "E52", "has not the pairs of the first one")


@pytest.mark.slow
@pytest.mark.parametrize(("gone", "reason"), [(0, "the seed draws"), (1, "is not what the source files give")])
def test_an_instance_dropped(forger: Forger, project: Project, gone: int, reason: str) -> None:
    rows = forger.rows()
    forger.put_rows(rows[: EACH * gone] + rows[EACH * (gone + 1) :])
    assert_reported(verify(forger.folder, project.declarations), "E54", reason)


@pytest.mark.slow
def test_instances_in_another_order(forger: Forger, project: Project) -> None:
    rows = forger.rows()
    forger.put_rows(rows[EACH:] + rows[:EACH])
    assert_reported(verify(forger.folder, project.declarations), "E54", "the seed draws")


# -- edits of certificates, each with its own hash and shape made to fit


def of_kind(kind: str) -> Callable[[Row], bool]:
    return lambda line: line["kind"] == kind


def first(line: Row) -> bool:
    return True


def proved(line: Row) -> Row:
    """A proof of the line's."""
    found: Row = next(iter(line["absent"].values()))
    return found


def cut_proof(line: Row) -> None:
    value, proof = next(iter(line["absent"].items()))
    lists = [key for key in proof if isinstance(proof[key], list) and proof[key]]
    line["absent"][value] = {**proof, lists[-1]: []}


def bound_instead(line: Row) -> None:
    bounded = {"kind": "bounded", "size": 3, "worlds": 3, "individuals": 3, "occasions": 0}
    line["absent"] = dict.fromkeys(line["absent"], bounded)
    line["rests_on"] = None


def bounded_throughout(line: Row) -> None:
    bound_instead(line)
    line["kind"] = "bounded(3)"


def postulated(line: Row) -> None:
    line["theory"]["postulates"].append(line["premise"][1] if line["premise"][0] == "not" else line["premise"])


def edit_model(line: Row) -> None:
    model = next(iter(line["models"].values()))
    for name, worlds in model["predicates"].items():
        model["predicates"][name] = [[] for _ in worlds]


def renamed(line: Row) -> None:
    """All predicates by other names: valid, and not canonical."""
    text = json.dumps(line)
    fresh = json.loads(re.sub(r'"p(\d+)"', lambda m: f'"p{int(m[1]) + 7}"', text))
    line.update(fresh)


CERTIFICATES: list[tuple[str, Callable[[Row], bool], Callable[[Row], None], str]] = [
    ("the label", of_kind("models"), put("label", "entailment"), "do not make the label|label"),
    ("the values", of_kind("models"), put("h_values", "T"), "h_values"),
    ("the kind", of_kind("type-elimination"), put("kind", "models"), "the kind 'models'"),
    ("the findings", first, put("findings", ["hypothesis valid"]), "the findings"),
    ("a model", of_kind("models"), edit_model, "the value|not true at world"),
    ("a model taken away", of_kind("models"), lambda line: line["models"].popitem(),
     "neither model nor proof|h_values"),
    ("a proof taken away", lambda line: bool(line["absent"]), lambda line: line["absent"].popitem(),
     "neither model nor proof|h_values"),
    ("a proof cut short", of_kind("type-elimination"), cut_proof, "."),
    ("a proof of another line's", of_kind("type-elimination"), lambda line: proved(line).update(kind="venn"), "."),
    ("an unknown kind of proof", of_kind("type-elimination"), lambda line: proved(line).update(kind="faith"),
     "without a proof|faith"),
    ("a bounded search called a proof", of_kind("type-elimination"), bound_instead, "the kind 'type-elimination'"),
    ("names that are not canonical", first, renamed, "not in canonical form"),
    ("a field more", first, put("note", "trust me"), "has the fields"),
    ("a huge number", of_kind("models"), lambda line: line["models"]["T"].update(worlds=10**300), "worlds: 1000"),
    ("a text for a number", of_kind("models"), lambda line: line["models"]["T"].update(actual="0"), "out of range"),
    ("lists for formulas", first, put("premise", [[], {}, None]), "no formula|not a certificate"),
    ("nothing for a theory", first, put("theory", None), "not a certificate"),
]  # fmt: skip


@pytest.fixture(scope="module")
def recertified(
    project: Project, honest: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[int], list[Problem]]:
    """The problems of one dataset in which every edit was done to a line of its own, and the numbers of these lines."""
    forger = Forger(Path(shutil.copytree(honest, tmp_path_factory.mktemp("edited") / honest.name)), NAME)
    lines, edited = forger.lines(), list[Row]()
    for _, wanted, edit, _ in CERTIFICATES:
        edited.append(next(line for line in lines if wanted(line) and not any(line is each for each in edited)))
        edit(edited[-1])
    forger.put_lines(lines)
    numbers = {id(line): number for number, line in enumerate(lines, 1)}
    problems = verify(forger.folder, project.declarations).problems.kept
    return [numbers[id(line)] for line in edited], [p for p in problems if p.file == "certificates.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize("edit", range(len(CERTIFICATES)), ids=[c[0] for c in CERTIFICATES])
def test_an_edited_certificate(recertified: tuple[list[int], list[Problem]], edit: int) -> None:
    (numbers, problems), reason = recertified, CERTIFICATES[edit][-1]
    own = [p for p in problems if p.line == numbers[edit]]
    assert any(p.code == "E51" and re.search(reason, p.reason) for p in own), own


@pytest.mark.slow
def test_a_principle_that_is_not_needed(forger: Forger, project: Project) -> None:
    before = verify(forger.folder, project.declarations).unshown
    needless = [{"principle": ["postulate", 0], "without": None, "model": None}]
    forger.edit_line(lambda line: line["rests_on"] == [] and line["kind"] == "type-elimination",
                     put("rests_on", needless))  # fmt: skip
    found = verify(forger.folder, project.declarations, with_rebuild=True)
    assert_reported(found, "E54", "`rests_on` is")
    assert_reported(found, "E54", "gives other bytes")
    assert found.unshown == before + 1


@pytest.mark.slow
def test_a_larger_true_model_is_reported_by_building_again(forger: Forger, project: Project) -> None:
    forger.edit_line(of_kind("models"), lambda line: line["models"]["T"].update(individuals=50))
    assert problems_of(verify(forger.folder, project.declarations)) == "", "nothing false is said"
    assert_reported(verify(forger.folder, project.declarations, with_rebuild=True), "E54", "gives other bytes")


@pytest.mark.slow
def test_a_theory_slice_with_a_postulate_more(forger: Forger, project: Project) -> None:
    forger.edit_line(of_kind("type-elimination"), postulated)
    found = verify(forger.folder, project.declarations)
    assert found.problems.by_code.keys() & {"E51", "E54"}, problems_of(found)


@pytest.mark.slow
def test_a_theory_slice_with_a_postulate_that_changes_no_proof(forger: Forger, project: Project) -> None:
    """A line that holds, in a theory that is not the paradigm's: only the source files can tell."""
    line = forger.line(lambda each: each["kind"] == "models" and len(each["models"]) == 2)
    shape = line["shape"]
    spare = ["or", line["hypothesis"], ["not", line["hypothesis"]]]

    def edit(each: Row) -> None:
        each["theory"]["postulates"] = [*each["theory"]["postulates"], spare]
        each["absent"] = {value: {"kind": "bounded", "size": 3, "worlds": 3, "individuals": 3, "occasions": 0}
                          for value in each["absent"]}  # fmt: skip

    forger.edit_line(lambda each: each["shape"] == shape, edit)
    found = verify(forger.folder, project.declarations)
    assert found.problems.by_code.keys() & {"E51", "E54"}, problems_of(found)


@pytest.mark.slow
def test_labels_on_trust_that_the_build_did_not_allow(forger: Forger, project: Project) -> None:
    lines, rows = forger.lines(), forger.rows()
    line = next(each for each in lines if each["kind"] == "type-elimination")
    bounded_throughout(line)
    for row in rows:
        if row["shape"] == line["shape"]:
            row["certificate"], row["rests_on"] = "bounded(3)", ""
    forger.put_lines(lines)
    forger.put_rows(rows)
    found = verify(forger.folder, project.declarations)
    assert_reported(found, "E52", "labels rest on trust, and the build did not allow")
    assert found.on_trust > 0
    forger.edit_manifest(lambda m: m.__setitem__("allow_bounded", True))
    assert_reported(verify(forger.folder, project.declarations), "E54", "it is not the card")
    assert_reported(verify(forger.folder, project.declarations, with_rebuild=True), "E54", "gives other bytes")


@pytest.mark.slow
def test_a_certificate_that_no_row_rests_on(forger: Forger, project: Project, datasets: SharedDatasets) -> None:
    other = datasets(FULL, n=len(ROWS), seed=4, design="paper")
    known = {line["shape"] for line in forger.lines()}
    more = [json.loads(text) for text in (other / "certificates.jsonl").read_text("utf-8").splitlines()]
    forger.put_lines([*forger.lines(), next(line for line in more if line["shape"] not in known)])
    assert_reported(verify(forger.folder, project.declarations), "E51", "no row rests on this line")


@pytest.mark.slow
def test_a_certificate_missing(forger: Forger, project: Project) -> None:
    """Only the line that is not there is accused: no row that rests on it."""
    first, *others = forger.lines()
    forger.put_lines(others)
    told = verify(forger.folder, project.declarations).problems.kept
    assert [(p.code, p.file, p.id) for p in told] == [("E51", "certificates.jsonl", first["shape"])], told
    assert "no line is it" in told[0].reason


@pytest.mark.slow
def test_no_row_is_accused_of_a_bad_certificate(forger: Forger, project: Project) -> None:
    """A row that says something else than its draws give is, whatever its certificate."""
    row = forger.rows()[0]
    line = forger.line(lambda each: each["shape"] == row["shape"])
    changed = line | {"label": "neutral" if line["label"] != "neutral" else "entailment"}
    forger.put_lines([changed if each["shape"] == row["shape"] else each for each in forger.lines()])
    told = verify(forger.folder, project.declarations).problems.kept
    assert [(p.code, p.id) for p in told] == [("E51", row["shape"])], told
    forger.edit_row(flip)
    told = verify(forger.folder, project.declarations).problems.kept
    assert {(p.code, p.id) for p in told} >= {("E51", row["shape"]), ("E54", row["id"])}, told
    assert {p.id for p in told if p.file.startswith("items/")} == {row["id"]}, told


@pytest.mark.slow
def test_rows_are_not_compared_where_many_certificates_are_bad(
    forger: Forger, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gramprobe.dataset.verify.updates.MOST", 0)
    forger.put_lines(forger.lines()[1:])
    forger.edit_row(flip)
    told = verify(forger.folder, project.declarations).problems
    assert told.by_code["E51"] and not told.by_code["E54"], told.kept


@pytest.mark.slow
def test_certificates_twice_and_out_of_order(forger: Forger, project: Project) -> None:
    texts = [compact(line) + "\n" for line in forger.lines()]
    forger.certificates.write_text("".join([texts[1], texts[0], *texts[1:]]), "utf-8")
    forger.rehash()
    found = verify(forger.folder, project.declarations)
    assert_reported(found, "E51", "out of order")
    assert_reported(found, "E51", "stands twice")


@pytest.mark.slow
def test_a_certificate_changed_without_its_own_hash(forger: Forger, project: Project) -> None:
    forger.edit_text(forger.certificates, lambda raw: raw.replace(b'"findings":[]', b'"findings":["x"]', 1))
    assert_reported(verify(forger.folder, project.declarations), "E51", "SHA-256 does not fit")


# -- edits of texts


def line_put(text: bytes) -> Callable[[bytes], bytes]:
    """The text in the place of the first line."""
    return lambda raw: text + raw[raw.index(b"\n") + 1 :]


TEXTS: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("a space between tokens", lambda raw: raw.replace(b'":"', b'": "', 1), "not canonical"),
    ("a key twice", lambda raw: raw.replace(b'"tag":', b'"tag":"x","tag":', 1), "not canonical"),
    ("another escape", lambda raw: raw.replace(b"toy", b"\\u0074oy", 1), "not canonical"),
    ("a byte order mark", lambda raw: b"\xef\xbb\xbf" + raw, "byte order mark"),
    ("carriage returns", lambda raw: raw.replace(b"\n", b"\r\n"), "carriage return"),
    ("no newline at the end", lambda raw: raw[:-1], "cut off"),
    ("a line cut off", lambda raw: raw[:-200], "cut off"),
    ("not UTF-8", lambda raw: raw.replace(b"toy", b"t\xffoy", 1), "is not UTF-8"),
    ("not NFC", lambda raw: raw.replace(b"test", "te\u0301st".encode(), 1), "NFC"),
    ("half a character", lambda raw: raw.replace(b"test", b"\\ud800", 1), "no JSON|not canonical"),
    ("not a number", lambda raw: re.sub(rb'"label":\d', b'"label":NaN', raw, count=1), "NaN"),
    ("a huge number", lambda raw: re.sub(rb'"label":\d', b'"label":' + b"9" * 5_000, raw, count=1), "no JSON|columns"),
    ("infinity", lambda raw: re.sub(rb'"label":\d', b'"label":1e999', raw, count=1), "not canonical|columns"),
    ("true for a number", lambda raw: re.sub(rb'"label":\d', b'"label":true', raw, count=1), "columns"),
    ("deep nesting", line_put(b"[" * 200_000 + b"\n"), "nested too deep|no JSON"),
    ("a line too long", line_put(b'"' + b"x" * (1 << 21) + b'"\n'), "bytes"),
    ("an empty line", line_put(b"\n"), "no JSON"),
    ("a list", line_put(b"[]\n"), "no JSON object"),
    ("a column less", lambda raw: raw.replace(b'"tag":"target",', b"", 1), "columns"),
    ("nothing at all", lambda raw: b"", "it has no rows"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("edit", "reason"), [t[1:] for t in TEXTS], ids=[t[0] for t in TEXTS])
def test_a_text_that_is_not_canonical(small: Forger, own: Project, edit: Callable[[bytes], bytes], reason: str) -> None:
    small.edit_text(small.items, edit)
    found = verify(small.folder, own.declarations)
    assert any(re.search(reason, p.reason) for p in found.problems.kept), problems_of(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "edit",
    [line_put(b"[" * 200_000 + b"\n"), line_put(b'{"a":' * 100_000 + b"\n"), lambda raw: raw[:-300], line_put(b"{}\n"),
     lambda raw: raw.replace(b'"worlds":1', b'"worlds":' + b"9" * 4_000), lambda raw: b"\x00" * 1000],
)  # fmt: skip
def test_hostile_certificates_are_turned_down(small: Forger, own: Project, edit: Callable[[bytes], bytes]) -> None:
    small.edit_text(small.certificates, edit)
    found = verify(small.folder, own.declarations)
    assert {p.file for p in found.problems.kept if p.code in ("E50", "E51")} >= {"certificates.jsonl"}


# -- the folder


def folder_file(forger: Forger) -> None:
    (forger.folder / "items" / "more.jsonl").write_text("{}\n")


def hidden_file(forger: Forger) -> None:
    (forger.folder / ".cache").write_text("x")


def linked(forger: Forger) -> None:
    outside = forger.folder.parent / "outside.jsonl"
    shutil.move(forger.items, outside)
    forger.items.symlink_to(outside)


def linked_folder(forger: Forger) -> None:
    outside = forger.folder.parent / "outside"
    shutil.move(forger.folder / "parquet", outside)
    (forger.folder / "parquet").symlink_to(outside)


def pipe(forger: Forger) -> None:
    os.mkfifo(forger.folder / "items" / "pipe.jsonl")


def deep_folder(forger: Forger) -> None:
    (forger.folder / "items" / "a").mkdir()


def no_card(forger: Forger) -> None:
    (forger.folder / "README.md").unlink()


def edited_card(forger: Forger) -> None:
    forger.edit_text(forger.folder / "README.md", lambda raw: raw.replace(b"certain", b"very certain", 1))


def no_parquet(forger: Forger) -> None:
    forger.parquet.unlink()


def other_split(forger: Forger) -> None:
    forger.parquet.rename(forger.parquet.with_name("train-00000-of-00001.parquet"))


def broken_parquet(forger: Forger) -> None:
    forger.parquet.write_bytes(forger.parquet.read_bytes()[:500])


def edited_parquet(forger: Forger) -> None:
    before = forger.items.read_bytes()
    forger.edit_row(put("hypothesis", "It rains."))
    forger.edit_text(forger.items, lambda raw: before)


def edited_without_hash(forger: Forger) -> None:
    with forger.items.open("ab") as stream:
        stream.write(b"\n")


FOLDERS: list[tuple[Callable[[Forger], None], str, str]] = [
    (folder_file, "E50", "knows of no such file"),
    (hidden_file, "E50", "knows of no such file"),
    (linked, "E50", "it is a link"),
    (linked_folder, "E50", "it is a link"),
    (pipe, "E50", "it is no file"),
    (deep_folder, "E50", "no dataset has such a folder"),
    (no_card, "E50", "the file is missing"),
    (edited_card, "E54", "it is not the card"),
    (no_parquet, "E50", "the file is missing"),
    (other_split, "E50", "the split of the rows is"),
    (broken_parquet, "E50", "it cannot be read"),
    (edited_parquet, "E50", "`hypothesis` is not that of line 1"),
    (edited_without_hash, "E50", "its SHA-256 is not that of the manifest"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("edit", "code", "reason"), FOLDERS, ids=[f[0].__name__ for f in FOLDERS])
def test_the_folder(small: Forger, own: Project, edit: Callable[[Forger], None], code: str, reason: str) -> None:
    edit(small)
    assert_reported(verify(small.folder, own.declarations), code, reason)


# -- the manifest


def part(key: str, value: Any) -> Callable[[Row], None]:
    return lambda manifest: manifest["paradigms"]["one"].__setitem__(key, value)


def own_file(manifest: Row) -> None:
    manifest["sources"]["lexicon/mine.tsv"] = {"sha256": "0" * 64, "from": "own"}


def changed_file(manifest: Row) -> None:
    manifest["sources"]["lexicon/who.tsv"]["sha256"] = "0" * 64


BASELINES = {"majority": 0.1, "readers": {}, "declared": {}, "skeletons": 1}
MANIFESTS: list[tuple[str, Callable[[Row], None], str, str]] = [
    ("rows", part("rows", 13), "E54", "`rows` of"),
    ("labels", part("labels", {"neutral": 12}), "E54", "`labels` of"),
    ("certificates", part("certificates", {"models": 12}), "E54", "`certificates` of"),
    ("instances", part("instances", 5), "E52", "`instances` of"),
    ("space", part("space", 10**9), "E54", "`space` of"),
    ("passed over", part("passed_over", 3), "E54", "`passed_over` of"),
    ("vetoed", part("vetoed", 3), "E54", "`vetoed` of"),
    ("words", part("content_words", 3), "E54", "`content_words` of"),
    ("leak", part("baselines", BASELINES), "E54", "`baselines`"),
    ("a field more", part("quality", "best"), "E50", "unknown field `quality`"),
    ("seed", put("seed", 1), "E54", "the seed draws"),
    ("a huge seed", put("seed", 10**60), "E50", "`seed` is out of range"),
    ("version", put("gramprobe", "9.9"), "E53", "it was made by gramprobe 9.9"),
    ("name", put("name", "toy--two"), "E53", "does not belong to"),
    ("name of a phenomenon", put("name", "toy"), "E53", "belongs to `toy` and is not in"),
    ("task", put("task", "choice"), "E50", "`task` is not that of its paradigms: nli"),
    ("a source that is not here", own_file, "E53", "it is not here"),
    ("a source that is another", changed_file, "E53", "another version of this file"),
    ("a source left out", lambda m: m["sources"].pop("lexicon/who.tsv"), "E53", "which the manifest does not name"),
    ("whose a source is", lambda m: m["sources"]["lexicon/who.tsv"].update({"from": "shipped"}), "E53",
     "says it is shipped"),
    ("a way out", lambda m: m["files"].__setitem__("../secret", "0" * 64), "E50", "which no dataset of these"),
    ("a paradigm's way out", lambda m: m["paradigms"].__setitem__("../x", m["paradigms"]["one"]), "E50", "not a name"),
    ("no paradigms", put("paradigms", {}), "E50", "no paradigms"),
    ("texts for objects", put("paradigms", "all"), "E50", "`paradigms`: a text, and not an object"),
    ("a number for an object", part("labels", 3), "E50", "one.labels`: a whole number, and not an object"),
    ("format", put("format", 5), "E50", "format 5"),
    ("a prover that answered nothing", put("oracle", "e"), "E52", "`oracle` is `e`"),
    ("no theory", put("theory", ""), "E50", "`theory` is empty"),
    ("another theory", put("theory", "classical"), "E50", "is not that of the manifest"),
    ("a prover that there is not", put("oracle", "delphi"), "E50", "no prover is named"),
    ("labels that moved nowhere", part("moved", [{"condition": "a", "before": "b", "after": "c", "rows": 1}]), "E50",
     "under another theory only"),
    ("moves that are none", part("moved", [3]), "E50", "moved.0.`: a whole number, and not an object"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("edit", "code", "reason"), [m[1:] for m in MANIFESTS], ids=[m[0] for m in MANIFESTS])
def test_an_edited_manifest(small: Forger, own: Project, edit: Callable[[Row], Any], code: str, reason: str) -> None:
    small.edit_manifest(edit)
    assert_reported(verify(small.folder, own.declarations), code, reason)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "value"),
    [("rows", 77), ("instances", 5), ("pairs", 18), ("labels", {"neutral": 12}), ("certificates", {"venn": 12})],
)
def test_a_number_that_the_rows_do_not_give(small: Forger, project: Project, key: str, value: Any) -> None:
    """Found without the source files too."""
    small.edit_manifest(part(key, value))
    found = verify(small.folder, project.declarations)
    assert found.sources.paradigms == ()
    assert_reported(found, "E52", f"`{key}` of `one` is not what its rows give")


@pytest.mark.slow
@pytest.mark.parametrize(
    "raw", [b"", b"{}\n", b"[]\n", b"[" * 100_000, b'{"format": ' + b"9" * 5_000 + b"}\n", b"\xff\xfe\n", b"null\n"]
)
def test_a_file_that_is_not_a_manifest(small: Forger, own: Project, raw: bytes) -> None:
    small.manifest.write_bytes(raw)
    found = verify(small.folder, own.declarations)
    assert [(p.code, p.file) for p in found.problems.kept] == [("E50", "manifest.json")]


@pytest.mark.slow
def test_no_manifest(small: Forger, own: Project) -> None:
    small.manifest.unlink()
    assert_reported(verify(small.folder, own.declarations), "E50", "the manifest is missing")


# -- sources


@pytest.mark.slow
def test_without_its_own_files_the_rest_is_still_checked(
    tmp_path: Path, own: Project, project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = own.build("toy/one", tmp_path / "data", n=4)[0].folder
    assert problems_of(verify(folder, own.declarations)) == ""
    elsewhere = verify(folder, project.declarations)
    assert {p.code for p in elsewhere.problems.kept} == {"E53"}
    assert "grammars/toy.gram" in elsewhere.sources.absent
    assert elsewhere.rows == 4
    assert main(["verify", str(folder)]) == 1
    assert "name the folder that has them: --path DIR" in capsys.readouterr().err
    Forger(folder, "one").edit_row(flip)
    assert_reported(verify(folder, project.declarations), "E52", "`label_name`")


# -- the command


@pytest.mark.slow
def test_the_command_prints_what_was_checked(honest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(honest)]) == 0
    assert "nothing is wrong" in capsys.readouterr().out
    assert main(["verify", str(honest), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["version"], data["problems"], data["rows"]) == (1, 0, INSTANCES * EACH)


@pytest.mark.slow
def test_the_command_fails_with_place_code_and_reason(forger: Forger, capsys: pytest.CaptureFixture[str]) -> None:
    forger.edit_row(flip)
    assert main(["verify", str(forger.folder)]) == 1
    assert f"items/{NAME}.jsonl:1: error[E52]: {FULL}/" in capsys.readouterr().err
    assert main(["verify", str(forger.folder), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {"code", "file", "line", "id", "reason"} == set(found[0])


@pytest.mark.slow
def test_a_folder_that_is_not_a_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "nothing")]) == 2
    assert "error[E44]: there is no dataset folder" in capsys.readouterr().err
    (tmp_path / "data/one").mkdir(parents=True)
    (tmp_path / "data/one/manifest.json").write_text("{}", "utf-8")
    assert main(["verify", str(tmp_path / "data")]) == 2
    assert f"give one of those in it: {tmp_path / 'data/one'}" in capsys.readouterr().err
    (tmp_path / "grammars").mkdir()
    assert main(["verify", str(tmp_path)]) == 2
    assert f"give one of those in it: {tmp_path / 'data/one'}" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "grammars")]) == 2
    assert "is not a dataset folder" in capsys.readouterr().err
