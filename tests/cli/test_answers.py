"""Every `--json` answer is a record of its published schema; what changes in a schema has to be read."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support import relatives

from gramprobe.cli.answers.answer import answer
from gramprobe.cli.answers.schema import SCHEMAS, schema
from gramprobe.cli.main import main
from gramprobe.dataset.manifest import Manifest
from gramprobe.items.tasks import TASKS
from gramprobe.project import load

GOLDEN = Path(__file__).parents[1] / "golden" / "schemas"
ONE = "presupposition/possessed_definites_existence"
SCORES = Path(__file__).parents[1] / "analysis" / "scores_10000.parquet"
FORMULA = "bias ~ det * followup + (1 + det | emb_verb) + (1 | matrix_verb)"
CORPUS = Path(__file__).parents[1] / "analysis" / "corpus.jsonl"
THEORIES = ("presupposition", "presupposition-strong", "presupposition-weak")
READINGS = "scope/choice_universal_indefinite"
MINIMAL_PAIRS = "acceptability/agreement_subject_verb"
ERRORS = Path(__file__).parents[1] / "errors"
BASE, BAD = ERRORS / "base", ERRORS / "E09_where"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two datasets of one paradigm that differ."""
    out = tmp_path_factory.mktemp("data")
    return [load().build(ONE, out / str(seed), n=2, seed=seed)[0].folder for seed in (0, 1)]


@functools.cache
def items() -> list[str]:
    """Items whose explanations have every form: with labels, of a story, about readings; and an instance."""
    project = load()
    ids = [
        project.paradigm(name).sample(1).to_pylist()[0]["id"] for name in (ONE, "theory_of_mind/story_search", READINGS)
    ]
    return [*ids, ids[0].rpartition("/")[0]]


def validated(name: str, text: str) -> Any:
    """The answer in its record, or in one of them where there are several. Raises ValidationError."""
    _, records = SCHEMAS[name]
    problems = []
    for record in records():
        try:
            return msgspec.json.decode(text, type=record, strict=True)
        except msgspec.ValidationError as error:
            problems.append(f"{record.__name__}: {error}")
    raise AssertionError("\n".join(problems))


COMMANDS: list[tuple[str, list[str], int]] = [
    ("list", ["list", "--path", str(BASE), "--path", str(BAD)], 0),
    ("modules", ["list", "--modules"], 0),
    ("constructors", ["list", "--constructors", "english", "NP"], 0),
    ("constructors", ["list", "--features"], 0),
    ("words", ["list", "--words", "N", "--where", "class=pet"], 0),
    (
        "analyze",
        ["analyze", "--frame", str(SCORES), "--formula", FORMULA, "--effects", "--anova", "--means", "followup"],
        0,
    ),
    ("power", ["power", "--frame", str(SCORES), "--formula", FORMULA, "--plan", "emb_verb=60"], 0),
    ("analyze", ["analyze", "--frame", str(SCORES), "--formula", "bias ~ followup"], 0),
    ("analyze", ["analyze", "--example"], 0),
    ("exposure", ["exposure", "--corpus", str(CORPUS)], 0),
    ("say", ["say", "Clause(past, Name(amy), Intransitive(sleep))"], 0),
    ("where", ["where"], 0),
    ("theories", ["list", "--theories"], 0),
    ("theories", ["list", "--theories", "--path", str(BASE), "--path", str(ERRORS / "E42_belief")], 0),
    ("check", ["check", ONE], 0),
    ("check", ["check", "theory_of_mind/training_2", READINGS], 0),
    ("check", ["check", "small", "--path", str(BASE), "--path", str(BAD)], 1),
    ("decide", ["decide", "p", "p & q"], 0),
    ("decide", ["decide", "--theory", "presupposition", "poss (p / q)", "p"], 0),
    ("decide", ["decide", "--theory", "attitudes", "B[jo] K[amy] rain", "B[jo] rain"], 0),
    ("decide", ["decide", "p & ~p", "q"], 1),
    ("decide", ["decide", "--theory", "attitudes-plain", "K[jo] p", "p"], 0),
    ("diff-theory", ["diff-theory", ONE, "presupposition", "presupposition-strong", "--n", "2"], 1),
    ("diff-theory", ["diff-theory", ONE, *THEORIES, "--n", "2"], 1),
    ("explain", ["explain", "E10"], 0),
    ("explain", ["explain", "nli"], 0),
    ("explain", ["explain", "Clause"], 0),
    ("explain", ["explain", "NP"], 0),
    ("explain", ["explain", ONE], 0),
    ("explain", ["explain", READINGS], 0),
    ("explain", ["explain", MINIMAL_PAIRS], 0),
    ("explain", ["explain", f"{MINIMAL_PAIRS}/always.pupil_admire_garden.admire.pl"], 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments", "code"), COMMANDS, ids=[" ".join(map(str, c[1][:3])) for c in COMMANDS])
def test_an_answer_is_of_its_schema(
    name: str, arguments: list[str], code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if arguments[0] == "list":  # `test_list_prints_exact_sizes` has every space counted
        monkeypatch.setattr("gramprobe.project.Project.sizes", lambda project: dict.fromkeys(project.names, 1))
    assert main([*arguments, "--json"]) == code
    text = capsys.readouterr().out
    validated(name, text)
    assert next(iter(json.loads(text).items())) == ("version", 1)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_an_explained_item_is_of_its_schema(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", items()[number], "--json"]) == 0
    validated("explain", capsys.readouterr().out)


def _no_ids(folder: Path) -> Path:
    (folder / "ids.tsv").write_text("before\tafter\n", "utf-8")
    return folder / "ids.tsv"


@pytest.mark.slow
def test_the_answers_about_datasets(built: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = map(str, built)
    asked: list[tuple[str, list[str], int]] = [
        ("build", ["build", ONE, "--n", "1", "--out", str(tmp_path)], 0),
        ("build", ["build", READINGS, "--n", "1", "--out", str(tmp_path)], 0),
        ("diff", ["diff", one, other], 1),
        ("diff", ["diff", one, other, "--map", str(_no_ids(tmp_path))], 1),
        ("verify", ["verify", one], 0),
    ]
    for name, arguments, code in asked:
        assert main([*arguments, "--json"]) == code
        validated(name, capsys.readouterr().out)
    (built[1] / "notes.txt").write_text("more", "utf-8")
    assert main(["verify", other, "--json"]) == 1
    found = validated("verify", capsys.readouterr().out)
    assert found.findings[0].file == "notes.txt"
    for folder in built:
        validated("manifest", (folder / "manifest.json").read_text("utf-8"))
        validated("design", (folder / "design.json").read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_a_sampled_row_is_of_its_schema(task: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    relatives.project_of(tmp_path, relatives.CLAUSES)  # no shipped set is of the task `sentences`
    project = load(str(tmp_path))
    name = next(name for name, each in project.declarations.paradigms.items() if each.task == task)
    assert main(["sample", name, "--n", "4", "--json", "--path", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines
    for line in lines:
        validated("sample", line)


def test_what_is_no_answer_is_a_fault() -> None:
    with pytest.raises(msgspec.ValidationError):
        answer(dict(_records())["diff"], {"gone": [], "new": [], "moved": [], "reworded": [], "more": 1})
    with pytest.raises(msgspec.ValidationError):
        answer(dict(_records())["diff"], {"gone": [1], "new": [], "moved": [], "reworded": []})


def _records() -> list[tuple[str, Any]]:
    return [(name, records()[0]) for name, (_, records) in SCHEMAS.items()]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_what_was_recorded(
    name: str, recorded: Callable[[str, Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["schema", name]) == 0
    recorded(capsys.readouterr().out, GOLDEN / f"{name}.json")


def test_the_schemas_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(SCHEMAS)


def test_a_schema_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "manifests"]) == 2
    assert "did you mean `manifest`" in capsys.readouterr().err


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_reference_of_a_schema_leads_somewhere(name: str) -> None:
    whole = schema(name)

    def references(data: Any) -> set[str]:
        inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
        own = {data["$ref"]} if isinstance(data, dict) and isinstance(data.get("$ref"), str) else set()
        return own.union(*map(references, inner))

    assert {f"#/$defs/{key}" for key in whole["$defs"]} == references(whole)


def test_a_schema_forbids_what_its_record_forbids() -> None:
    manifest = schema("manifest")["$defs"]["Manifest"]
    assert manifest["additionalProperties"] is False
    optional = {"parquet_rows", "packages"}
    assert set(manifest["required"]) == set(Manifest.__struct_fields__) - optional
