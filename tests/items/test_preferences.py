"""What people prefer is joined from a file, and never guessed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import gramprobe
from gramprobe.dataset.verify.verify import verify
from gramprobe.source.diagnostic import AuthoringError

NAME = "scope/choice_universal_indefinite"
INSTANCES = 6


@cache
def sentences() -> dict[str, list[str]]:
    """The first sentences of the set, each with the ids of its readings, the surface one first."""
    rows = gramprobe.load(names=[NAME]).paradigm(NAME).sample(INSTANCES).to_pylist()
    return {row["sentence"]: list(json.loads(row["readings"])) for row in rows}


def with_answers(folder: Path, lines: list[str]) -> Path:
    file = folder / "own/grammars/scope/preferences.csv"
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(lines) + "\n")
    return folder / "own"


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "items/choice_universal_indefinite.jsonl").open() as stream:
        return [json.loads(line) for line in stream]


@pytest.mark.slow
def test_most_answers_count_and_a_tie_is_no_preference(tmp_path: Path) -> None:
    (one, (surface, inverse)), (other, both) = list(sentences().items())[:2]
    answers = [(one, surface), (one, inverse), (one, surface), *((other, reading) for reading in both)]
    lines = [
        "workerid,sentence,reading",
        *(f'{n},"{sentence}",{reading}' for n, (sentence, reading) in enumerate(answers)),
    ]
    project = gramprobe.load(with_answers(tmp_path, lines), names=[NAME])
    (built,) = project.build(NAME, out=tmp_path, n=INSTANCES)
    preferred = {row["sentence"]: row["preferred"] for row in rows(built.folder)}
    assert preferred[one] == surface
    assert preferred[other] == ""
    assert sum(map(bool, preferred.values())) == 1
    assert "grammars/scope/preferences.csv" in built.manifest["sources"]
    assert not verify(built.folder, project.declarations).problems.count
    # without the file the dataset cannot be derived again, and verify says so
    assert verify(built.folder, gramprobe.load(names=[NAME]).declarations).problems.by_code["E53"]


@pytest.mark.slow
def test_without_a_file_nothing_is_preferred(tmp_path: Path) -> None:
    (built,) = gramprobe.load(names=[NAME]).build(NAME, out=tmp_path, n=2)
    assert {row["preferred"] for row in rows(built.folder)} == {""}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("header", "reading", "code"),
    [
        ("sentence,choice", "every > a", "E18"),
        ("sentence,reading", "", "E17"),
        ("sentence,reading", "every > an", "E56"),
    ],
)
def test_a_damaged_file_is_reported(header: str, reading: str, code: str, tmp_path: Path) -> None:
    sentence = next(iter(sentences()))
    answers = with_answers(tmp_path, [header, f"{sentence},{reading}" if reading else sentence])
    project = gramprobe.load(answers, names=[NAME])
    with pytest.raises(AuthoringError) as error:
        project.build(NAME, out=tmp_path, n=INSTANCES)
    assert {d.code for d in error.value.diagnostics} == {code}
    assert "preferences.csv" in error.value.diagnostics[0].span.path
