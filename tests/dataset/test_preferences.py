"""What people prefer is joined from a file, and never guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gramprobe
from gramprobe.dataset.verify.verify import verify
from gramprobe.source.diagnostic import AuthoringError

NAME = "scope/choice_universal_indefinite"
#: two sentences of the first fifteen instances, with their readings
ANSWERS = """workerid,sentence,reading
1,All of the mechanics drove a bus.,all > a
2,All of the mechanics drove a bus.,all > a
3,All of the mechanics drove a bus.,a > all
1,Each artist copied a letter.,a > each
2,Each artist copied a letter.,each > a
"""


def with_answers(folder: Path, text: str) -> Path:
    file = folder / "own/grammars/scope/preferences.csv"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return folder / "own"


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "items/choice_universal_indefinite.jsonl").open() as stream:
        return [json.loads(line) for line in stream]


def test_most_answers_count_and_a_tie_is_no_preference(tmp_path: Path) -> None:
    project = gramprobe.load(with_answers(tmp_path, ANSWERS))
    (built,) = project.build(NAME, out=tmp_path, n=15)
    preferred = {row["sentence"]: row["preferred"] for row in rows(built.folder)}
    assert preferred["All of the mechanics drove a bus."] == "all > a"
    assert preferred["Each artist copied a letter."] == ""
    assert sum(map(bool, preferred.values())) == 1
    assert "grammars/scope/preferences.csv" in built.manifest["sources"]
    assert not verify(built.folder, project.declarations).problems.count
    # without the file the dataset cannot be derived again, and verify says so
    assert verify(built.folder, gramprobe.load().declarations).problems.by_code["E53"]


def test_without_a_file_nothing_is_preferred(tmp_path: Path) -> None:
    (built,) = gramprobe.load().build(NAME, out=tmp_path, n=5)
    assert {row["preferred"] for row in rows(built.folder)} == {""}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("sentence,choice\nAll of the mechanics drove a bus.,all > a\n", "E18"),
        ("sentence,reading\nAll of the mechanics drove a bus.\n", "E17"),
        ("sentence,reading\nAll of the mechanics drove a bus.,all > an\n", "E56"),
    ],
)
def test_a_spoilt_file_is_told(text: str, code: str, tmp_path: Path) -> None:
    project = gramprobe.load(with_answers(tmp_path, text))
    with pytest.raises(AuthoringError) as error:
        project.build(NAME, out=tmp_path, n=15)
    assert {d.code for d in error.value.diagnostics} == {code}
    assert "preferences.csv" in error.value.diagnostics[0].span.path
