"""Every registered task keeps the protocol, and the task in the manual (`items/task.py`) builds and verifies."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
from support.tasks import of_manual, registered

from gramprobe.dataset.diff import compare
from gramprobe.dataset.verify.verify import verify
from gramprobe.items.task import LEADING, PLACE, Task
from gramprobe.items.tasks import TASKS
from gramprobe.project import load

GRAMMAR = r"""cat Kind : e -> t from kinds.tsv word form
cat V : e -> e -> t from vs.tsv word past
cat NP : (e -> t) -> t
cat S : t
sentence S "."
fun Every (k: Kind) : NP
  lin "every" k
  sem \P. forall x. (k(x), P(x))
  scope "every"
fun A (k: Kind) : NP
  lin "some" k
  sem \P. exists x. (k(x), P(x))
  scope "some"
fun Did (s: NP, v: V, o: NP) : S
  lin s v o
  sem s(\x. o(\y. v(x, y)))
fun Different (k: Kind, v: V, l: Kind) : S
  lin "every" k v "another" l
  sem (forall x. (k(x), exists y. (l(y), v(x, y)))) & ~exists y. (l(y), forall x. (k(x), v(x, y)))
"""
PARADIGM = """paradigm one
about "A set."
source "the tests"
uses small
theory classical
task followup
size 4
draw k, l : Kind where k != l
draw v : V
sentence
  s = Did(Every(k), v, A(l))
followup
  f = Different(k, v, l)
pair s => f   fits "every > some"
"""
FILES = {
    "lexicon/kinds.tsv": "id\tform\nnewt\tnewt\nowl\towl\nelk\telk\n",
    "lexicon/vs.tsv": "id\tpast\nsaw\tsaw\nmet\tmet\n",
    "grammars/small.gram": GRAMMAR,
    "grammars/small/one.paradigm": PARADIGM,
}


def attributes() -> list[str]:
    return list(Task.__annotations__)


#: what a task is asked that most have nothing to say about
DEFAULTS = {"grouping", "begin", "end", "ordered", "reading_ids", "rejection", "texts", "why_moved"}


def methods() -> list[str]:
    return [name for name, _ in inspect.getmembers(Task, inspect.isfunction) if not name.startswith("_")]


OF_MANUAL = [of_manual("FollowUp"), of_manual("Likelier")]


@pytest.mark.parametrize("task", [*TASKS.values(), *OF_MANUAL], ids=lambda task: task.name)
def test_a_task_has_every_constant_and_method(task: Task) -> None:
    assert [name for name in attributes() if not hasattr(task, name)] == []
    own = {name for name in methods() if getattr(type(task), name) is not getattr(Task, name)}
    assert sorted(set(methods()) - own - DEFAULTS) == []
    leading = PLACE if task.form.claims is None else LEADING
    assert task.columns[: len(leading)] == leading
    assert task.form.name == task.name
    scored = task.scored
    named = (*task.sentences, *task.answers, *task.numbers, *scored.context, *scored.options, *scored.continuations)
    assert [name for name in (*named, *scored.label) if name not in task.columns] == []


def test_every_constant_and_method_has_its_line_in_the_manual() -> None:
    assert [name for name in attributes() if f"        {name}: " not in (Task.__doc__ or "")] == []
    assert [name for name in methods() if not getattr(Task, name).__doc__] == []


def test_an_item_is_explained_by_the_answer_of_its_own_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    project, nli, asked = load(names=["presupposition/possessed_definites_existence"]), TASKS["nli"], list[str]()
    answer = type(nli).answer

    def noted(*own: Any) -> Any:
        asked.append(own[2].pair.condition)
        return answer(*own)

    monkeypatch.setattr(type(nli), "answer", noted)
    page = project.explain(
        "presupposition/possessed_definites_existence/past.emma.noah.sg.cat.Alone.yawn.amy.might/modal-trigger"
    )
    assert asked == ["modal-trigger"] and page.data["label"] == "neutral"


@pytest.mark.slow
def test_the_task_of_the_manual_is_built_verified_and_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = registered(of_manual("FollowUp"), monkeypatch)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    project = load(tmp_path, names=["small/one"])
    (built,) = project.build("small/one", tmp_path / "data")
    lines = (built.folder / "items/one.jsonl").read_text("utf-8").splitlines()
    row = json.loads(lines[0])
    assert len(lines) == 4
    assert tuple(row) == task.columns
    assert row["sentence"].startswith("Every ")
    assert row["fits"] == "every > some"
    assert [str(problem) for problem in verify(built.folder, project.declarations).problems.kept] == []
    assert not compare(built.folder, built.folder).any
    assert "fits" in project.explain(row["id"]).text
    forged = [json.dumps(json.loads(line) | {"fits": "some > every"}, separators=(",", ":")) for line in lines]
    (built.folder / "items/one.jsonl").write_text("\n".join(forged) + "\n", "utf-8")
    alone = load(names=["scope/choice_universal_indefinite"])  # without the paradigm, so that only `check` can see it
    reasons = [problem.reason for problem in verify(built.folder, alone.declarations).problems.kept]
    assert "`fits` is `some > every`, and its account says `every > some`" in reasons
