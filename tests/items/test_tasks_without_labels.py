"""Tasks that decide nothing: one class, and every command works on their paradigms."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from projects import HEAD, toy
from support import shipped
from support.tasks import of_manual, registered

import gramprobe
from gramprobe.cli.main import main
from gramprobe.dataset.diff import compare
from gramprobe.dataset.verify.verify import verify
from gramprobe.items.task import PLACE, Task
from gramprobe.items.tasks.reading import conditions_below
from gramprobe.items.tasks.text import TextTask
from gramprobe.project import Project, load
from gramprobe.records import Scored
from gramprobe.resolve.project import Declarations
from gramprobe.resolve.tasks import Heading, TaskForm
from gramprobe.source.diagnostic import AuthoringError

LIKELIER = """task likelier
size 4
draw w : Who
draw k : Kind
good
  has  = Has(w, k)
bad
  none = Lacks(w, k)
"""
SENTENCES = """task sentence
size 4
draw w : Who
draw k : Kind
sentence
  has  = Has(w, k)
  none = Lacks(w, k)
"""
PAIRS = """task continued
size 6
draw w : Who
draw k : Kind
text
  has  = Has(w, k)
next
  none = Lacks(w, k)
  same = Has(w, k) with k := newt
pair has => none share 50
pair has => same share 50 tag filler
"""


class Sentence(TextTask):
    """Single sentences, a row for each."""

    name = "sentence"
    form = TaskForm(name=name, headings=(Heading("sentence"),), claims=None, theory=False, meaning=False)
    columns = (*PLACE, "sentence")
    sentences = ("sentence",)
    about = "sentences"
    scored = Scored.of(continuations=("sentence",))

    def rows(self, cells: Any) -> list[Any]:
        below = conditions_below(cells.paradigm, "sentence")
        return [{**cells.leading(c.name), "sentence": cells.sentence(c.name)} for c in below]


class Continued(TextTask):
    """Pairs of sentences without labels, with the formula of the first."""

    name = "continued"
    form = TaskForm(name=name, headings=(Heading("text"), Heading("next", "follows")), claims=None)
    columns = (*PLACE, "text", "next", "form")
    sentences = ("text", "next")
    about = "texts with a sentence that goes on"
    scored = Scored.of(context=("text",), continuations=("next",))

    def rows(self, cells: Any) -> list[Any]:
        from gramprobe.formula.notation import show

        return [
            {
                **cells.leading(pair.condition, pair.tag),
                "text": cells.sentence(pair.premise),
                "next": cells.sentence(pair.hypothesis),
                "form": cells.formula(pair.premise, lambda readings: show(readings[0].formula)),
            }
            for pair in cells.paradigm.pairs
        ]


MODES = {"likelier": "minimal_pair", "sentence": "surprisal", "continued": "continuation"}
EACH = {"likelier": (LIKELIER, 4), "sentence": (SENTENCES, 8), "continued": (PAIRS, 6)}


NO_THEORY = HEAD.replace("theory toy\n", "")


def project_of(name: str, folder: Path, patch: pytest.MonkeyPatch) -> Project:
    made = {"likelier": lambda: of_manual("Likelier"), "sentence": Sentence, "continued": Continued}
    task = registered(made[name](), patch)
    project = toy(folder / "own", EACH[name][0], head=HEAD if task.form.theory else NO_THEORY)
    assert [d.message for d in project.findings.items] == []
    return project


@cache
def without_it() -> Declarations:
    """A project without the paradigm, so that a dataset of it can only be held against itself."""
    return load(names=["scope/choice_universal_indefinite"]).declarations


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "items/one.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.only(list(EACH), ["sentence", "continued"]))
def test_every_command_works(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = project_of(name, tmp_path, monkeypatch)
    path = ["--path", str(tmp_path / "own")]
    assert main(["build", "toy/one", "--out", str(tmp_path / "out"), *path]) == 0
    assert "labels derived" not in capsys.readouterr().out
    folder = tmp_path / "out/toy--one"
    rows = rows_of(folder)
    assert len(rows) == EACH[name][1]
    assert "certificate" not in rows[0] and "shape" not in rows[0]
    assert (folder / "certificates.jsonl").read_bytes() == b""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    entry = manifest["paradigms"]["one"]
    assert not {"certificates", "on_trust", "labels", "answers"} & entry.keys()
    assert ("theory" in entry) == (name == "continued")
    card = (folder / "README.md").read_text("utf-8")
    assert "certain" not in card and "label was" not in card and "logic" not in card

    for options in ([], ["--rebuild"]):
        assert main(["verify", str(folder), *options, *path]) == 0
        assert "nothing is wrong with it" in capsys.readouterr().out
    elsewhere = verify(folder, without_it())
    assert {problem.code for problem in elsewhere.problems.kept} == {"E53"}

    dataset = gramprobe.read(folder)
    assert dataset.count() == len(rows)
    assert [row["id"] for batch in dataset.rows("one") for row in batch.to_pylist()] == [row["id"] for row in rows]
    assert dict(dataset.certificates) == {}
    assert not compare(folder, folder).any
    (tmp_path / "corpus.txt").write_text("Uma has a newt.\n" * 5, "utf-8")
    model = f"ngram:{tmp_path / 'corpus.txt'}"
    assert main(["score", str(folder), "--model", model, "--out", str(tmp_path / "run")]) == 0
    assert MODES[name] in capsys.readouterr().out
    assert main(["check", "toy/one", "--json", *path]) == 0
    sampled = json.loads(capsys.readouterr().out)["paradigms"][0]["items"]
    assert sampled * (2 if name == "sentence" else 1) == len(rows)
    assert main(["check", "toy/one", *path]) == 0
    assert "sampled" in capsys.readouterr().out
    assert main(["sample", "toy/one", "--n", "1", *path]) == 0
    assert "has" in capsys.readouterr().out
    assert main(["explain", rows[0]["id"], "--json", *path]) == 0
    assert json.loads(capsys.readouterr().out)["parsed"]["has"][0] == "Has"
    assert main(["explain", "toy/one", "--json", *path]) == 0
    shown = json.loads(capsys.readouterr().out)["samples"][0]["sentences"]
    assert list(shown) == list(project.paradigm("toy/one").declared.conditions)


@pytest.mark.slow
def test_a_forged_row_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = project_of("sentence", tmp_path, monkeypatch)
    (built,) = project.build("toy/one", tmp_path / "out")
    file = built.folder / "items/one.jsonl"
    whole = file.read_text("utf-8")
    file.write_text(whole.replace(" has ", " had ", 1), "utf-8")
    assert "E54" in [problem.code for problem in verify(built.folder, project.declarations).problems.kept]
    file.write_text(whole.replace('"split":"test"', '"split":"train"', 1), "utf-8")
    elsewhere = verify(built.folder, without_it()).problems.kept
    assert any("`split` is `train`" in problem.reason for problem in elsewhere)


@pytest.mark.slow
def test_rows_of_pairs_take_turns_and_have_formulas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = project_of("continued", tmp_path, monkeypatch)
    (built,) = project.build("toy/one", tmp_path / "out")
    rows = rows_of(built.folder)
    assert [row["tag"] for row in rows] == ["target", "filler"] * 3
    assert all("has(" in row["form"] and "‹" not in row["form"] for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (
            ("pair has => none share 50", "pair has => none share 50 expect neutral"),
            "E55",
            "`expect` has no place",
        ),
        (("none share 50", "none share 50 expect neutral"), "E55", "`expect` has no place"),
        (("none share 50", "none share 50 fits any"), "E55", "`fits` has no place"),
        ((PAIRS[PAIRS.index("pair") :], ""), "E39", "a line `pair ...` is missing"),
    ],
)
def test_what_such_a_task_does_not_have(
    change: tuple[str, str], code: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered(Continued(), monkeypatch)
    found = toy(tmp_path, PAIRS.replace(*change)).findings.items
    assert [(d.code, words in d.message) for d in found if d.is_error][:1] == [(code, True)]


@pytest.mark.slow
def test_a_theory_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registered(Sentence(), monkeypatch)
    found = toy(tmp_path, SENTENCES).findings.items
    assert [(d.code, d.message) for d in found] == [("E55", "task sentence derives nothing, and so has no theory")]


class Uneven(Sentence):
    name = "uneven"
    form = replace(Sentence.form, name=name)

    def rows(self, cells: Any) -> list[Any]:
        return []


@pytest.mark.slow
def test_a_task_without_rows_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task: Task = Uneven()
    registered(task, monkeypatch)
    project = toy(tmp_path, SENTENCES.replace("task sentence", "task uneven"), head=NO_THEORY)
    with pytest.raises((RuntimeError, AuthoringError), match="uneven"):
        project.build("toy/one", tmp_path / "out")


def test_a_form_has_what_it_needs() -> None:
    with pytest.raises(ValueError, match="claims need a theory"):
        TaskForm(name="x", headings=(), claims="label", theory=False)


def test_one_sentence_may_stand_behind_several_contexts(tmp_path: Path) -> None:
    lines = "task sentences\nsize 3\ndraw w : Who\ndraw k : Kind\ncontext\n  some = Has(w, k)\n  none = Lacks(w, k)\n"
    lines += "sentence\n  fits = Has(w, k)\n  clashes = Has(w, k)\nfactor context = some: fits | none: clashes\n"
    project = toy(tmp_path, lines, head=NO_THEORY)
    assert [d.code for d in project.findings.items] == []
    rows = project.paradigm("toy/one").sample(3).to_pylist()
    assert len({(row["instance"], row["sentence"]) for row in rows}) == 3
    assert len({(row["instance"], row["context"], row["sentence"]) for row in rows}) == len(rows) == 6
    alone = lines.replace("  none = Lacks(w, k)\n", "")
    assert [d.code for d in toy(tmp_path / "alone", alone, head=NO_THEORY).findings.items] == ["E27"]
