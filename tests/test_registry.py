"""Packages of others: what they add is found and used, and what is wrong with one harms nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packages import install

from gramprobe import registry
from gramprobe.cli.main import COMMANDS, main
from gramprobe.items.tasks import TASKS
from gramprobe.registry import Entry, PackageWarning, Registry, check_installed, entries
from gramprobe.source.diagnostic import UsageError

NUMBERS: dict[str, Any] = {"one": 1, "pi": "math:pi"}


def numbers() -> Registry[Any]:
    return Registry("mode", NUMBERS, "builtins:int")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that Python looks in."""
    monkeypatch.syspath_prepend(tmp_path / "site")
    registry.passed_over.clear()
    return tmp_path / "site"


def test_nothing_is_added_where_no_package_adds_anything() -> None:
    assert [entry for entry in entries() if not entry.package.startswith("gramprobe-infersent")] == []


def test_names_are_listed_without_an_import_and_things_are_imported_when_they_are_asked_for(site: Path) -> None:
    install(site, "twos", {"twos": "TWO = 2"}, {"modes": {"two": "twos:TWO"}})
    found = numbers()
    assert list(found) == ["one", "pi", "two"]
    assert "twos" not in sys.modules
    assert (found["one"], found["two"], found.get("three")) == (1, 2, None)
    assert "twos" in sys.modules
    assert found.entry("one") is None
    assert found.entry("two") == Entry("mode", "two", "twos", "1.2", "twos:TWO")
    assert found.origins(["one", "two"]) == {"mode": {"two": "twos 1.2"}}
    assert numbers()["pi"] == 3.141592653589793


def test_a_shipped_name_reads_no_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entries", lambda: pytest.fail("metadata were read"))
    assert numbers()["one"] == 1
    assert "one" in numbers()
    assert next(iter(numbers())) == "one"


@pytest.mark.parametrize(
    ("value", "text", "why"),
    [
        ("bad:TWO", "raise RuntimeError('no licence')", "importing `bad:TWO` failed: RuntimeError: no licence"),
        ("bad:TWO", "raise SystemExit('no')", "failed: SystemExit: no"),
        ("bad:TWO", "import nowhere_at_all", "failed: ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("bad:TWO", "ONE = 1", "failed: AttributeError"),
        ("bad:TWO", "TWO = 'two'", "it is of the type str, and not int"),
    ],
)
def test_an_entry_that_cannot_be_used_is_one_warning(value: str, text: str, why: str, site: Path) -> None:
    module = f"bad{abs(hash((value, text)))}"
    value = value.replace("bad", module)
    install(site, "bads", {module: text}, {"modes": {"two": value}})
    found = numbers()
    with pytest.warns(PackageWarning) as warned:
        given: object = found.get("two"), "two" in found, [*found], [*found.values()]
    assert given == (None, False, ["one", "pi"], [1, 3.141592653589793])
    assert len(warned) == 1
    message = str(warned[0].message)
    assert message.startswith("warning[E63]: the mode `two` of the package bads 1.2 is passed over: ")
    assert why.replace("bad:", f"{module}:") in message


def test_a_name_that_is_taken_stays_with_whom_it_was(site: Path) -> None:
    install(site, "early", {"early": "TWO = 2\nONE = 10"}, {"modes": {"two": "early:TWO", "one": "early:ONE"}})
    install(site, "late", {"late": "TWO = 20"}, {"modes": {"two": "late:TWO"}})
    found = numbers()
    with pytest.warns(PackageWarning) as warned:
        given = [(name, found[name]) for name in found if name != "pi"]
    assert given == [("one", 1), ("two", 2)]
    assert sorted(str(each.message).split("\n")[0] for each in warned) == [
        "warning[E63]: the mode `one` of the package early 1.2 is passed over: gramprobe itself has one of that name",
        "warning[E63]: the mode `two` of the package late 1.2 is passed over: the package early has one of that name",
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("class M:\n    name = 'm'\nM = M()", "it has no `about`, as Mode requires"),
        ("from gramprobe.score.modes.nli import Nli as M", "it is the class Nli, and not an object of it"),
        ("from gramprobe.score.modes.nli import Nli\nM = Nli()", "its name is `nli`"),
    ],
)
def test_a_thing_is_held_against_its_protocol(text: str, why: str, site: Path) -> None:
    module = f"mode{abs(hash(text))}"
    install(site, "modes-of-mine", {module: text}, {"modes": {"mine": f"{module}:M"}})
    found: Registry[object] = Registry("mode", {}, "gramprobe.score.mode:Mode")
    with pytest.warns(PackageWarning, match=why):
        assert found.get("mine") is None


def test_what_a_file_names_and_is_not_installed_is_an_error(site: Path) -> None:
    install(site, "here", {}, {"modes": {}})
    check_installed({"task": {"x": "here 9.9"}})
    with pytest.raises(UsageError, match=r"the task `y` is of the package gone 1\.2, which is not installed") as error:
        check_installed({"task": {"x": "here 1.2", "y": "gone 1.2"}})
    assert (error.value.code, error.value.help.split(",")[0]) == ("E64", "pip install gone==1.2")


def test_where_tells_what_is_used_from_what_is_passed_over(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = "from gramprobe.baselines.rules import Rule\nGOOD = Rule('good', 'Silent.', lambda *_: None)"
    points = {
        "baselines": {"rule.good": "where_rule:GOOD", "rule.overlap": "where_rule:GOOD", "x": "y"},
        "moods": {"a": "b"},
    }
    install(site, "two-rules", {"where_rule": rule}, {**points, "commands": {"z": "nowhere:Z"}})
    assert main(["where"]) == 0
    printed = capsys.readouterr()
    lines = [line.replace(", of the package two-rules 1.2", "") for line in printed.out.splitlines()]
    assert [line for line in lines if line.startswith(("added", "unused"))] == [
        "unused   command `z`: importing `nowhere:Z` failed: ModuleNotFoundError: No module named 'nowhere'",
        "unused   entry `x` in gramprobe.baselines: its name does not begin with its kind: "
        "`rule.` or `option_rule.` or `reader.`",
        "unused   entry `a` in gramprobe.moods: gramprobe has no group `gramprobe.moods`; "
        "did you mean `gramprobe.modes`?",
        "added    rule `good`",
        "unused   rule `overlap`: gramprobe itself has one of that name",
    ]
    assert main(["where", "--json"]) == 0
    added = json.loads(capsys.readouterr().out)["added"]
    assert [bool(entry["passed_over"]) for entry in added] == [True, True, True, False, True]


def test_the_trace_of_what_failed_is_to_be_had_where_it_is_promised(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(site, "broken", {"broken_here": "1 / 0"}, {"commands": {"z": "broken_here:Z", "list": "broken_here:Z"}})
    assert main(["--help"]) == 0 and main(["z"]) == 2
    without, taken = (capsys.readouterr().err.rpartition("warning[E63]")[at] for at in (2, 0))
    assert "GRAMPROBE_DEBUG=1 shows the trace" in without and "Traceback" not in without
    assert "GRAMPROBE_DEBUG" not in taken  # that a name is taken has no trace
    registry.passed_over.clear()
    COMMANDS._found.clear()
    monkeypatch.setenv("GRAMPROBE_DEBUG", "1")
    assert main(["z"]) == 2
    shown = capsys.readouterr().err
    assert "Traceback" in shown and "broken_here.py" in shown and "ZeroDivisionError" in shown


@pytest.mark.parametrize(
    ("constants", "why"),
    [
        ('columns = ("id", "good")', "its `columns` do not begin with `PLACE` of `items.task`"),
        ('columns = (*PLACE, "good", "good")', "a name stands twice among its `columns`"),
        ('scored = Scored.of(options=("bad",))', "its `scored.options` names `bad`, which is not among its `columns`"),
        ('sentences = ("god",)', "its `sentences` names `god`, which is not among its `columns`"),
        (
            'form = replace(form, headings=(Heading("good", "says"),))',
            "its heading `good` has the role `says`, which does not exist",
        ),
        ('form = replace(form, name="even")', "its `form` has the name `even` and the claims `None`"),
        ('numbers = {"level": None}', "its `numbers` names `level`, which is not among its `columns`"),
    ],
)
def test_a_task_whose_names_do_not_go_together_is_passed_over(constants: str, why: str, site: Path) -> None:
    text = f"""
from dataclasses import replace
from gramprobe.items.task import PLACE
from gramprobe.items.tasks.text import TextTask
from gramprobe.records import Scored
from gramprobe.resolve.tasks import Heading, TaskForm
class Odd(TextTask):
    name, about, sentences, scored = "odd", "sentences", ("good",), Scored.of(context=("good",))
    form = TaskForm(name=name, headings=(Heading("good"),), claims=None, theory=False, meaning=False)
    columns = (*PLACE, "good")
    {constants}
    def rows(self, cells): return []
ODD = Odd()
"""
    module = f"odd{abs(hash(constants))}"
    install(site, "odds", {module: text}, {"tasks": {"odd": f"{module}:ODD"}})
    with pytest.warns(PackageWarning) as warned:
        assert "odd" not in TASKS
    assert f"is passed over: {why}" in str(warned[0].message)


def test_a_command_is_listed_and_run(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "import click\n@click.command()\ndef hello():\n    click.echo('hello')\n"
    install(site, "greet", {"greet": text}, {"commands": {"hello": "greet:hello", "list": "greet:hello"}})
    assert main(["hello"]) == 0
    printed = capsys.readouterr()
    assert printed.out == "hello\n"
    assert printed.err.count("warning[E63]: the command `list` of the package greet 1.2 is passed over") == 1
    assert main(["--help"]) == 0
    assert "hello        Of the package greet 1.2." in capsys.readouterr().out


@pytest.mark.process
def test_a_start_up_imports_no_package(tmp_path: Path) -> None:
    install(tmp_path, "loud", {"loud": "raise SystemExit('imported')"}, {"tasks": {"loud": "loud:T"}})
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import gramprobe.cli\n"
        "print('importlib.metadata' in sys.modules, 'loud' in sys.modules)\n"
        "from gramprobe.cli.main import main\n"
        "main(['list', '--path', '/nowhere'])\n"
        "print('loud' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[0] == "False False"
    assert run.stdout.splitlines()[-1] == "False"
