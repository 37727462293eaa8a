"""`gramprobe check` in a folder of one's own: what is in it, and what depends on what it replaces."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import PLAIN, toy

from gramprobe.cli.main import main
from gramprobe.project import load_own


def test_shipped_paradigms_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toy(tmp_path, "size all\n" + PLAIN)
    assert main(["check", "--path", str(tmp_path)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("toy/one: 12 instances")
    assert out[-1] == "1 paradigm: no errors"


@pytest.mark.parametrize("name", ["grammars/toy/one.paradigm", "./grammars/toy/", "toy/one"])
def test_a_paradigm_may_be_named_by_its_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toy(tmp_path, "size all\n" + PLAIN)
    for command in ("check", "sample"):
        assert main([command, name, "--path", str(tmp_path)]) == 0
        assert "toy/one" in capsys.readouterr().out


def test_a_table_that_nothing_reads_is_looked_at(tmp_path: Path) -> None:
    toy(tmp_path, PLAIN)
    (tmp_path / "lexicon/idle.tsv").write_text("id\tword\nox\n", "utf-8")
    project, names = load_own([tmp_path])
    assert names == ["toy/one"]
    assert [d.code for d in project.findings.items] == ["E17"]


@pytest.mark.parametrize("jobs", ["two", "-1", "0", "1.5"])
def test_a_number_of_processes_that_is_none_is_refused(
    jobs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toy(tmp_path, "size all\n" + PLAIN)
    monkeypatch.setenv("GRAMPROBE_JOBS", jobs)
    assert main(["check", "--path", str(tmp_path)]) == 2
    assert f"error[E29]: GRAMPROBE_JOBS is `{jobs}`" in capsys.readouterr().err


def test_a_folder_without_paradigms_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logic").mkdir()
    (tmp_path / "logic/mine.logic").write_text("theory mine\ninclude classical\n", "utf-8")
    assert main(["check", "--path", str(tmp_path)]) == 0
    assert "no paradigm uses your files" in capsys.readouterr().out


def test_a_grammar_that_no_paradigm_uses_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grammar = tmp_path / "grammars/alone.gram"
    grammar.parent.mkdir()
    text = 'cat S : t\nconst p : t\nsentence S "."\nfun Says (d: num) : S\n  lin "so" unsaid d\n  sem {}\n'
    grammar.write_text("feature num = sg | pl\n" + text.format("q"), "utf-8")
    assert main(["check", "--path", str(tmp_path)]) == 1
    assert "alone.gram:7:7: error[E07]: `q` is no argument and no declared constant" in capsys.readouterr().err
    toy(tmp_path, "size all\n" + PLAIN)  # beside a paradigm that is right, too
    assert main(["check", "--path", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("error[E07]") == 1
    grammar.write_text("feature num = sg | pl\n" + text.format("p"), "utf-8")
    assert main(["check", "--path", str(tmp_path)]) == 0


@pytest.mark.slow
def test_what_a_replaced_file_reaches_is_checked(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "logic/de_re.logic"
    (tmp_path / "logic").mkdir()
    (tmp_path / "logic/de_re.logic").write_text(source.read_text("utf-8") + "-- mine\n", "utf-8")
    _, names = load_own([tmp_path])
    assert names and {name.partition("/")[0] for name in names} <= {"de_re_de_dicto", "attitude_reports"}


@pytest.mark.slow
def test_without_files_of_ones_own_all_is_checked(tmp_path: Path) -> None:
    project, names = load_own([tmp_path])
    assert names == project.names and len(names) > 100
