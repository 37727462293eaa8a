"""Every code has a smallest bad project beside this file, with the recorded output of the command.

A folder `E05_value/` holds the files with the mistake, laid over the small project `base/`, and `output.txt`: exit code
and text. The command is `check` of its paradigm, or that of `command.txt`; beside a file `with_site` the package in
`site/` is installed, which has a task without pairs. `make accept` records anew: read the diff.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest

from gramprobe.cli.main import main
from gramprobe.dataset import gates
from gramprobe.items.tasks import TASKS
from gramprobe.source.codes import CODES, page
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.files import shipped_folder

HERE = Path(__file__).parent
CASES = sorted(d.name for d in HERE.iterdir() if re.match(r"E\d\d|many", d.name))
#: codes that no author's file causes: E11 is retired, `verify` reports E50 to E54 in datasets
#: (tests/dataset/test_verify.py has them), E46 and E47 are about scores and files of other
#: projects (tests/formats, tests/analysis/test_runs.py), E49 about endpoints (tests/score/test_endpoint.py), E58 about
#: datasets to train on (tests/finetune/test_data.py), E36, E63 and E64 about packages (tests/test_packages.py), E99 is
#: a fault of gramprobe (test_command_line raises it)
WITHOUT_FILE = {"E11", "E36", "E46", "E47", "E49", "E50", "E51", "E52", "E53", "E54", "E58", "E63", "E64", "E99"}


def run(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Exit code and output of a case; paths of the machine are replaced."""
    folder = HERE / case
    name = "small/bad" if (folder / "grammars/small/bad.paradigm").exists() else "small/good"
    command = ["check", "--path", "base", "--path", ".", name]
    if (folder / "command.txt").exists():
        command = shlex.split((folder / "command.txt").read_text("utf-8"))
    places = {".": case, "TMP": str(tmp_path / "out")}
    code = main([places.get(word, word) for word in command])
    captured = capsys.readouterr()
    text = (captured.out + captured.err).replace(str(shipped_folder()), "(shipped)").replace(str(tmp_path), "TMP")
    return f"exit {code}\n{text}"


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_the_output_for_a_bad_file_is_the_recorded_one(
    case: str, accept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(HERE)
    monkeypatch.syspath_prepend(HERE / "site" if (HERE / case / "with_site").exists() else HERE)
    output = run(case, tmp_path, capsys)
    file = HERE / case / "output.txt"
    if accept:
        file.write_text(output, "utf-8")
    assert output == file.read_text("utf-8")
    assert "Traceback" not in output


def test_one_mistake_is_one_message_of_its_code() -> None:
    texts = {case: (HERE / case / "output.txt").read_text("utf-8") for case in CASES if not case.startswith("many")}
    codes = {case: re.findall(r"error\[(E\d+)\]", text) for case, text in texts.items()}
    assert codes == {case: [case[:3]] for case in codes}


@pytest.mark.parametrize("case", [c for c in CASES if c.startswith("many")])
def test_all_mistakes_of_a_file_are_reported_in_one_run(case: str) -> None:
    output = (HERE / case / "output.txt").read_text("utf-8")
    lines = [line for line in output.split("\n") if re.search(r": error\[E\d+\]", line)]
    assert len(lines) >= 5
    assert len({line.split(" ")[0] for line in lines}) == len(lines), "two messages at one place"


def test_every_page_has_a_bad_file() -> None:
    assert {c[:3] for c in CASES if c.startswith("E")} == set(CODES) - WITHOUT_FILE


def test_every_code_that_is_emitted_has_a_page() -> None:
    source = Path(page.__code__.co_filename).parents[1]
    emitted: Counter[str] = Counter()
    for file in source.rglob("*.py"):
        emitted.update(re.findall(r"""["[](E\d\d)["\]]""", file.read_text("utf-8")))
    assert set(emitted) == set(CODES) - {"E11"}


@pytest.mark.parametrize("code", CODES)
def test_a_page_says_what_is_wrong_why_and_how_to_mend_it(code: str) -> None:
    entry = CODES[code]
    assert page(code).startswith(f"{code}  {entry.title}")
    assert len(entry.why) > 40
    if code != "E11":
        assert entry.wrong
        assert entry.right
        assert entry.wrong != entry.right


def test_a_paradigm_may_allow_exactly_the_gates_of_datasets() -> None:
    assert {gate for task in TASKS.values() for gate in task.form.gates} == {*gates.OF_SENTENCES, *gates.OWN_WAYS}


def test_an_unknown_code_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean `E40`"):
        page("E400")
