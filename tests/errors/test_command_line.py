"""Wrong use, full disks, Ctrl-C and faults: the exit code, a clear sentence, and the earlier dataset untouched."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.foreground import FOREGROUND

from gramprobe.cli.main import COMMANDS, main

BASE = Path(__file__).parent / "base"
BUILD = ["build", "small/good", "--path", str(BASE), "--out"]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


@pytest.fixture
def built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with an earlier dataset in it."""
    out = tmp_path / "data"
    assert main([*BUILD, str(out)]) == 0
    capsys.readouterr()
    return out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["biuld"], "no command named `biuld`; did you mean `build`?"),
        (["check", "presuposition"], "no phenomenon or paradigm named `presuposition`; did you mean `presupposition`?"),
        (["build", "small/good", "--n", "0"], "`0` is neither a number of instances (1 or more) nor `all`"),
        (["sample", "small/good", "--n", "0"], "--n"),
        (["build", "small/good", "--seed", "-1"], "--seed"),
        (["build", "small/good", "--theory", "tyny"], "no theory named `tyny`; did you mean `tiny`?"),
        (["check", "--nope"], "--nope"),
        (["build"], "NAME"),
        (["decide", "p &", "q"], "the premise cannot be read"),
        (["diff", "nowhere", "nowhere"], "`nowhere` is not a dataset folder"),
        (["explain", "small/good/x.y.z"], "x.y.z"),
        (["list", "--words"], "see `gramprobe list --help`"),
        (["list", "--words", "N", "--where", "class"], "write class=VALUE; its columns: num, class"),
        (["list", "--words", "N", "--where", "clas=pet"], "write class=VALUE; its columns: num, class"),
        (["list", "--words", "N", "english.norms", "--where", "freq>3"], "write freq=VALUE; its columns"),
        (["diff", str(BASE), str(BASE), "--map", "nowhere"], "`nowhere` cannot be read: No such file or directory"),
        (["exposure", "--corpus", "nowhere"], "nowhere cannot be read: No such file or directory"),
        (["export", "nltk", "english.words", "--out", "."], "`.` is a folder"),
        (["new", "paradigm", "Bad Name"], "`Bad Name` is not a name for a paradigm"),
        (["new", "paradigm", f"mine/{'x' * 300}"], "the name `xxxxxxxxxxxxxxxxxxxx...` has 300 letters"),
        (["new", "theory", "3x"], "digits and `_`, beginning with a letter"),
        (["new", "theory", "y" * 101], "the name `yyyyyyyyyyyyyyyyyyyy...` has 101 letters"),
        (["explain", "E10", "--theory", "tiny"], "only a paradigm and its items have labels by a theory"),
        (["explain", "small", "--as", "feature", "--theory", "tiny"], "only a paradigm and its items have labels"),
        (["sample", "small/good", "--each-condition", "--n", "3"], "--each-condition prints one row of each condition"),
    ],
)
def test_wrong_use_is_exit_2_with_a_sentence(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAMPROBE_PATH", str(BASE))
    assert main(arguments) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("error[E")
    assert message in printed
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_into_a_dataset(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inside,) = built.iterdir()
    before = contents(built)
    assert main([*BUILD, str(inside)]) == 2
    assert "is a dataset or a run, which is replaced as a whole" in capsys.readouterr().err
    assert main(["export", "grammar", "tiny", "--path", str(BASE), "--out", str(inside / "tiny.json")]) == 2
    assert "give the file another place" in capsys.readouterr().err
    assert contents(built) == before


@pytest.mark.parametrize("form", ["grammar", "nltk"])
def test_an_exported_grammar_replaces_only_another(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, empty = tmp_path / "own.gram", tmp_path / "new.txt"
    file.write_text("feature num = sg | pl\n", "utf-8")
    empty.write_bytes(b"")
    command = ["export", form, "english.words", "--out"]
    assert main([*command, str(file)]) == 2
    assert f"error[E44]: `{file}` exists, and is not of the kind that this command writes" in capsys.readouterr().err
    assert file.read_text("utf-8") == "feature num = sg | pl\n"
    assert [main([*command, str(empty)]) for _ in range(2)] == [0, 0]


@pytest.mark.parametrize("command", [c for c in COMMANDS if c in ("build", "check", "sample", "list", "explain")])
def test_a_folder_that_is_not_there_is_named(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [] if command in ("check", "list") else ["small/good"]
    assert main([command, *names, "--path", "grammers"]) == 2
    assert "error[E44]: there is no folder `grammers`" in capsys.readouterr().err


def raising(error: BaseException, after: int) -> Callable[..., object]:
    """A function that raises at its call number ``after``, and until then does nothing."""
    calls = iter(range(after))

    def call(*_: object, **__: object) -> object:
        if next(calls, None) is None:
            raise error
        return None

    return call


@pytest.mark.slow
@pytest.mark.parametrize("place", ["write_bytes", "write_text", "open", "mkdir"])
def test_a_full_disk_leaves_the_earlier_dataset(
    place: str, built: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(built)
    real = getattr(Path, place)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def write(path: Path, *args: object, **options: object) -> object:
        if ".new-" in str(path) and (place != "mkdir" or path.name == "items"):
            raise full
        return real(path, *args, **options)

    monkeypatch.setattr(Path, place, write)
    assert main([*BUILD, str(built), "--seed", "1"]) == 1
    printed = capsys.readouterr().err
    assert "error[E37]" in printed
    assert "no space is left on the disk" in printed
    assert contents(built) == before
    assert not list(built.glob(".*"))


def test_a_full_disk_leaves_the_earlier_grammar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "grammar.json"
    file.write_text('{"name": "the earlier one"}', "utf-8")

    def write(path: Path, *_: object) -> None:
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", write)
    assert main(["export", "grammar", "tiny", "--path", str(BASE), "--out", str(file)]) == 1
    said = f"error[E37]: reading or writing failed ({file}): {os.strerror(errno.ENOSPC)}"
    assert said in capsys.readouterr().err
    assert contents(tmp_path) == {"grammar.json": b'{"name": "the earlier one"}'}


def test_what_is_no_file_is_written_to_as_it_is(tmp_path: Path) -> None:
    """A link stays a link, among them `/dev/stdout`, and a pipe a pipe."""
    order = ["export", "grammar", "tiny", "--path", str(BASE), "--out"]
    link, pipe, file = (tmp_path / name for name in ("link", "pipe", "file"))
    link.symlink_to(file)
    os.mkfifo(pipe)
    assert main([*order, str(link)]) == 0
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert main([*order, str(pipe)]) == 0
        assert reader.communicate()[0] == file.read_bytes() != b""
    assert link.is_symlink() and pipe.is_fifo()
    assert {each.name for each in tmp_path.iterdir()} == {"link", "pipe", "file"}


def test_a_full_disk_leaves_no_half_of_a_new_paradigm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(path: Path, *_: object) -> None:
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_text", write)
    assert main(["new", "paradigm", "mine/first", "--path", str(tmp_path)]) == 1
    assert "error[E37]: reading or writing failed" in capsys.readouterr().err
    assert not contents(tmp_path)


def test_a_file_in_the_place_of_the_folder_of_datasets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    assert main([*BUILD, str(tmp_path / "notes.txt")]) == 1
    assert "`notes.txt` is a file, not a folder" in capsys.readouterr().err
    assert (tmp_path / "notes.txt").read_text("utf-8") == "mine"


@pytest.mark.slow
@pytest.mark.parametrize(
    "place", ["dataset.paradigm.prepare", "dataset.paradigm.write", "dataset.build.designs", "dataset.build.card"]
)
def test_ctrl_c_leaves_the_earlier_dataset(
    place: str, built: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(built)
    monkeypatch.setattr(f"gramprobe.{place}", raising(KeyboardInterrupt(), 0))
    assert main([*BUILD, str(built), "--seed", "1"]) == 130
    assert "interrupted: what was not finished was not put in place" in capsys.readouterr().err
    assert contents(built) == before
    assert not list(built.glob(".*"))


@pytest.mark.process
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_real_signal_in_the_middle_of_a_build(number: signal.Signals, code: int, built: Path) -> None:
    before = contents(built)
    arguments = ["build", "presupposition/both", "--out", str(built), "--n", "20000"]
    command = [sys.executable, "-c", FOREGROUND, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not list(built.glob(".presupposition--both.new-*/items/*")):
            time.sleep(0.01)  # until it is writing
        process.send_signal(number)
        _, printed = process.communicate()
    assert process.returncode == code, printed
    assert "Traceback" not in printed
    assert printed.strip() == "interrupted: what was not finished was not put in place"
    assert contents(built) == before
    assert not list(built.glob(".*"))


@pytest.mark.slow
def test_an_error_in_the_files_leaves_the_earlier_dataset(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(built)
    bad = tmp_path / "own" / "lexicon" / "tiny_names.tsv"
    bad.parent.mkdir(parents=True)
    bad.write_bytes("id\tname\tgen\nzoe\tZoé\tfem\n".encode("latin-1"))
    assert main([*BUILD, str(built), "--path", str(tmp_path / "own")]) == 1
    assert "error[E13]" in capsys.readouterr().err
    assert contents(built) == before


def test_a_fault_of_our_own_is_exit_3_and_no_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gramprobe.project.collect", raising(ZeroDivisionError("a fault"), 0))
    assert main(["check"]) == 3
    printed = capsys.readouterr().err
    assert "error[E99]: a fault of gramprobe itself: ZeroDivisionError: a fault" in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("let deep = " + "Assert(" * 3000 + "a" + ")" * 3000, "E01"),
        ('about "' + "x" * 100_000, "E01"),
        ("draw z : Name[" + "|".join(["jo"] * 5000) + "|jim]", "E02"),
    ],
)
def test_absurd_lines_are_reported_like_others(
    line: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "grammars" / "small" / "bad.paradigm"
    file.parent.mkdir(parents=True)
    good = (BASE / "grammars/small/good.paradigm").read_text("utf-8")
    file.write_text(good.replace("paradigm good", "paradigm bad") + line + "\n", "utf-8")
    assert main(["check", "small/bad", "--path", str(BASE), "--path", str(tmp_path)]) == 1
    printed = capsys.readouterr().err
    assert f"error[{code}]" in printed
    assert max(len(x) for x in printed.split("\n")) < 1000


@pytest.mark.slow
def test_another_grammar_on_the_path_leaves_the_shipped_files_correct(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "implicature/connectives", "--path", str(BASE)]) == 0


@pytest.mark.slow
def test_a_mistake_in_a_grammar_is_reported_of_paradigms_that_use_it_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "grammars" / "tiny.gram"
    file.parent.mkdir(parents=True)
    file.write_text((BASE / "grammars/tiny.gram").read_text("utf-8") + "fnu Not : S\n", "utf-8")
    paths = ["--path", str(BASE), "--path", str(tmp_path)]
    assert main(["check", "implicature/connectives", *paths]) == 0
    assert main(["check", "small/good", *paths]) == 1
    assert "no line begins with `fnu`" in capsys.readouterr().err


def test_a_paradigm_that_cannot_be_read_stops_its_phenomenon_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, out = tmp_path / "own", str(tmp_path / "data")
    bad = own / "grammars" / "other" / "bad.paradigm"
    bad.parent.mkdir(parents=True)
    bad.write_bytes("paradigm other/bad\n-- Zoé\n".encode("latin-1"))
    (bad.parent / "fine.paradigm").write_bytes((BASE / "grammars" / "small" / "good.paradigm").read_bytes())
    path = ["--path", str(BASE), "--path", str(own)]
    assert main(["build", "small/good", *path, "--out", out]) == 0
    for name in ("other/bad", "other/fine", "other", "all"):
        capsys.readouterr()
        assert main(["build", name, *path, "--out", out]) == 1
        assert "bad.paradigm:2:6: error[E13]" in capsys.readouterr().err
