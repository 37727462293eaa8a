"""Rows of every task; and a task is one module and one line, for every command."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from projects import toy

from gramprobe.cli.main import main
from gramprobe.dataset.paradigm import Options, stream_of
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide.label import Decider
from gramprobe.items import stream as streams
from gramprobe.items.label import PairLabels
from gramprobe.items.rows import ChunkCells, Rows
from gramprobe.items.task import LEADING, CardTable, Evidence, Task
from gramprobe.items.tasks import TASKS
from gramprobe.items.tasks.nli import Nli
from gramprobe.project import NO_PARADIGM, Project, load
from gramprobe.records import Scored
from gramprobe.resolve.tasks import Heading, TaskForm
from gramprobe.source.diagnostic import AuthoringError, Findings

#: a shipped paradigm of each task
SHIPPED = {
    "nli": "presupposition/both",
    "choice": "scope/choice_universal_indefinite",
    "continuation": "scope/continuation_universal_indefinite",
    "coref": "de_re_de_dicto/belief",
}
MEMBERS = [name for name in vars(Task) if not name.startswith("_")]


def test_a_paradigm_of_each_task_is_looked_at() -> None:
    # no shipped paradigm is of the last two: test_regions.py and test_minimal_pairs.py look at one each
    assert {*SHIPPED, "sentences", "minimal_pair"} == set(TASKS)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_rows_have_the_columns_and_are_those_of_their_parts(project: Project, name: str) -> None:
    task = TASKS[name]
    found = project.paradigm(SHIPPED[name]).decided(2)
    paradigm = found.stream.plan.paradigm
    rows = task.rows(ChunkCells(Rows(found.stream.decisions, task), found.chunk))
    assert {frozenset(row) for row in rows} == {frozenset(task.columns)}
    assert len(rows) == found.stream.rows_each
    assert len(rows) % len(task.parts(paradigm)) == 0
    assert {name for text in task.texts(paradigm) for name in text} <= set(paradigm.conditions)


# -- one module


ANSWERS = {"entailment": "yes", "contradiction": "no", "neutral": "unknown"}


class YesNo(Nli):
    """Is it so? A passage, and what is asked about it."""

    name = "yes_no"
    form = TaskForm(
        name=name, headings=(Heading("passage"), Heading("asked", "judged")), claims="label",
        gates=("duplicates", "spelling", "articles"),
    )  # fmt: skip
    columns = (*LEADING, "passage", "question", "answer")
    numbers: Mapping[str, tuple[str, ...] | None] = {}
    sentences = ("passage", "question")
    answers = ("answer",)
    about = "passages with a question and its answer"
    hub = ()
    card = CardTable(headings=("rows", "yes"), fields=("rows", "labels.yes"), notes="`answer` is yes, no or unknown.")
    scored = Scored.of(context=("passage", "question"), label=("answer",))

    def rows(self, cells: Any) -> list[Any]:
        return [
            {
                **cells.leading(pair.condition, pair.tag, part=at),
                "passage": cells.sentence(pair.premise),
                "question": cells.sentence(pair.hypothesis),
                "answer": cells.of(at, lambda answer: ANSWERS[answer.label]),
            }
            for at, pair in enumerate(cells.paradigm.pairs)
        ]

    def answered(self, answer: PairLabels) -> Iterator[str]:
        yield ANSWERS[answer.label]

    def answers_of_row(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        return (row["answer"],)

    def check(self, row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
        line = evidence.line(row["shape"])
        if line is None:
            yield f"no certificate has its shape `{row['shape']}`"
        elif row["answer"] != ANSWERS[line["label"]]:
            yield f"`answer` is `{row['answer']}`, and its certificate says {line['label']}"


PARADIGM = """task yes_no
size 3
draw w : Who
passage
  owlet  = Has(w, owlet)
asked
  birdie = Has(w, birdie)
  none   = Lacks(w, owlet)
pair owlet => birdie expect entailment
pair owlet => none   expect contradiction
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with a paradigm of a task that is registered and no more."""
    monkeypatch.setitem(TASKS.shipped, YesNo.name, YesNo())
    return toy(tmp_path / "own", PARADIGM)


@pytest.mark.slow
def test_a_task_is_one_module_and_one_line(own: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [d.message for d in own.findings.items] == []
    (built,) = own.build("toy/one", tmp_path / "out", everything=True)
    rows = [json.loads(line) for line in (built.folder / "items/one.jsonl").read_text("utf-8").splitlines()]
    assert [row["answer"] for row in rows] == ["yes", "no"] * 3
    assert tuple(rows[0]) == YesNo.columns
    assert built.manifest["paradigms"]["one"]["labels"] == {"no": 3, "yes": 3}
    verified = verify(built.folder, own.declarations, with_rebuild=True)
    assert [str(problem) for problem in verified.problems.kept] == []
    assert own.paradigm("toy/one").sample(1).num_rows == 2
    path = ["--path", str(tmp_path / "own")]
    assert main(["check", "toy/one", *path]) == 0
    assert "2 expectations met" in capsys.readouterr().out
    assert main(["sample", "toy/one", "--n", "1", *path]) == 0
    assert "=> birdie entailment, none contradiction" in capsys.readouterr().out
    assert main(["explain", rows[0]["id"], *path]) == 0
    assert "entailment" in capsys.readouterr().out
    assert main(["explain", "toy/one", *path]) == 0
    assert "none" in capsys.readouterr().out


@pytest.mark.slow
def test_a_wrong_row_of_it_is_found(own: Project, tmp_path: Path, project: Project) -> None:
    """By its own check, where the source files are not at hand."""
    (built,) = own.build("toy/one", tmp_path / "out", everything=True)
    file = built.folder / "items/one.jsonl"
    file.write_text(file.read_text("utf-8").replace('"answer":"yes"', '"answer":"no"', 1), "utf-8")
    reasons = [problem.reason for problem in verify(built.folder, project.declarations).problems.kept]
    assert "`answer` is `no`, and its certificate says entailment" in reasons


class Settled(YesNo):
    """Is it so? Pairs that settle nothing are no items."""

    name = "settled"
    form = replace(YesNo.form, name=name)
    rejects = True

    def rejection(self, paradigm: Any, answer: PairLabels) -> str:
        return "nothing settles it" if answer.label == "neutral" else ""

    def rows(self, cells: Any) -> list[Any]:
        settled = {label: words for label, words in ANSWERS.items() if label != "neutral"}
        return [{**row, "answer": cells.of(0, lambda answer: settled[answer.label])} for row in super().rows(cells)]


REJECTING = """task settled
size all
draw w : Who
draw k, l : Kind where k != l
passage
  has  = Has(w, k)
asked
  same = Has(w, l)
pair has => same expect entailment
"""


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TASKS.shipped, Settled.name, Settled())


@pytest.mark.slow
def test_a_task_about_labels_rejects_instances(settled: None, tmp_path: Path) -> None:
    own = toy(tmp_path / "own", REJECTING)
    (built,) = own.build("toy/one", tmp_path / "out")
    part = built.manifest["paradigms"]["one"]
    assert (part["labels"], part["no_items"]) == ({"yes": 3}, {"nothing settles it": 33})
    assert verify(built.folder, own.declarations, with_rebuild=True).problems.count == 0
    elsewhere = verify(built.folder, load(names=NO_PARADIGM).declarations)
    assert [problem.code for problem in elsewhere.problems.kept if problem.code != "E53"] == []


@pytest.mark.slow
def test_a_task_about_labels_that_rejects_every_instance(settled: None, tmp_path: Path) -> None:
    own = toy(tmp_path, REJECTING.replace("where k != l", "where k != l, l = newt"))
    with pytest.raises(AuthoringError) as caught:
        own.build("toy/one", tmp_path / "out")
    assert [d.code for d in caught.value.diagnostics] == ["E57"]
    assert "nothing settles it" in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("kind", "patience", "taken", "said"),
    [("newt", 5, 0, "each of the first 5 instances"), ("newt", 40, 0, "every instance"), ("birdie", 40, 1, "")],
)
def test_no_more_is_drawn_where_so_many_in_a_row_are_rejected(
    kind: str, patience: int, taken: int, said: str, settled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task that takes no instance would else walk through billions of them."""
    monkeypatch.setattr(streams, "PATIENCE", patience)
    own = toy(tmp_path, REJECTING.replace("where k != l", f"where k != l, l = {kind}"))
    findings = Findings()
    stream = stream_of("toy/one", own.declarations, Options(count=1, everything=False), Decider(), findings)
    assert stream is not None
    assert stream.run().taken == taken
    assert [d.message.partition(" of `one`")[0] for d in findings.items if d.is_error] == [said] * (not taken)


@pytest.mark.slow
def test_a_task_that_rejects_says_so(settled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settled, "rejects", False)
    with pytest.raises(RuntimeError, match="its `rejects` is False"):
        toy(tmp_path, REJECTING).build("toy/one", tmp_path / "out")
