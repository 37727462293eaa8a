"""What `check` keeps and what its workers say is what a fresh check says, on sound projects and on broken ones."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from typing import Any, TypeAlias

import msgspec
import pytest
from support import shipped
from support.foreground import FOREGROUND
from support.kept import own_cache
from support.workers import let_workers_answer_first

from gramprobe.cache import program_version
from gramprobe.check import check as checking
from gramprobe.check.derive import derive, work
from gramprobe.check.store import Outcome, Store
from gramprobe.cli.main import main
from gramprobe.decide.label import Decider
from gramprobe.project import Project, load
from gramprobe.work import pool
from gramprobe.work.pool import LOADED, loading, results

ERRORS = Path(__file__).parents[1] / "errors"
#: mistakes that show only when a paradigm is derived, with notes, help and several lines
BAD = ("E10_countermodel", "E21", "E24_failure", "E33_space", "E45", "E56", "E61_idle")
Checked: TypeAlias = Callable[[Project, Sequence[str]], Mapping[str, Outcome]]
#: what a worker reads that is given these alone: to resolve all shipped files takes it three seconds
SMALL = ("small",)
NAMES = ("presupposition/possessed_definites_existence", "scope/choice_universal_indefinite")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An author's own folder, and caches of its own but for parsers, syntax trees and verdicts, not at issue here."""
    copytree(ERRORS / "base", tmp_path / "own")
    own_cache(tmp_path, monkeypatch, "parsers", "syntax", "verdicts")
    monkeypatch.setenv("GRAMPROBE_PATH", str(tmp_path / "own"))
    monkeypatch.setenv("GRAMPROBE_JOBS", "1")
    return tmp_path / "own"


def sound(project: Project, prefix: str = "") -> list[str]:
    return [name for name in project.names if name.startswith(prefix) and not project.errors_for(name)]


def check(project: Project, names: Sequence[str], bounded: bool = False) -> dict[str, Outcome]:
    return dict(checking.check(project, names, bounded))


def fresh(project: Project, names: Iterable[str], bounded: bool = False) -> dict[str, Outcome]:
    """The outcomes with nothing kept and nobody asked."""
    return {name: derive(name, project.declarations, Decider(), bounded) for name in names}


def never(*_: object) -> Outcome:
    raise AssertionError("a paradigm was derived")


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Checked:
    """Checks paradigms whose outcomes must all be stored."""

    def check_kept(project: Project, names: Sequence[str]) -> Mapping[str, Outcome]:
        with monkeypatch.context() as patch:
            patch.setattr("gramprobe.check.derive.derive", never)
            return check(project, names, False)

    return check_kept


@pytest.mark.slow
@pytest.mark.parametrize("bad", shipped.some(BAD, 4))
def test_the_kept_result_of_a_broken_paradigm_is_that_of_a_fresh_check(bad: str, folder: Path, kept: Checked) -> None:
    copytree(ERRORS / bad, folder, dirs_exist_ok=True)
    project = load(names=SMALL)
    names = sound(project, "small/")
    first = check(project, names, False)
    assert kept(load(names=SMALL), names) == first == fresh(project, names)
    assert any(outcome.diagnostics for outcome in first.values())


@pytest.mark.slow
def test_the_kept_result_of_a_shipped_paradigm_is_that_of_a_fresh_check(kept: Checked) -> None:
    project = load()
    first = check(project, NAMES, False)
    assert kept(project, NAMES) == first == fresh(project, NAMES)
    assert list(first) == list(NAMES)


def keys(project: Project, options: Mapping[str, Any] | None = None) -> dict[str, str]:
    store = Store(project, dict(options or {}))
    return {name: store.key(name) for name in sound(project)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "more", "touched"),
    [
        ("grammars/small/good.paradigm", "-- a remark\n", {"small/good"}),
        ("grammars/tiny.gram", "-- a remark\n", {"small/good"}),
        ("lexicon/tiny_names.tsv", "zoe\tZoe\n", {"small/good"}),
        ("logic/tiny.logic", "-- a remark\n", {"small/good"}),
        ("grammars/small/good.veto.tsv", "instance\treason\n", {"small/good"}),
        ("grammars/scope/preferences.csv", "sentence,reading\n", {n for n in load().names if n.startswith("scope/")}),
    ],
)
def test_a_change_touches_what_rests_on_it(file: str, more: str, touched: set[str], folder: Path) -> None:
    before = keys(load())
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text((path.read_text("utf-8") if path.exists() else "") + more, "utf-8")
    after = keys(load())
    assert {name for name in before if after.get(name) != before[name]} == touched


@pytest.mark.slow
def test_options_and_the_place_of_a_file_are_part_of_the_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = keys(load(), {"allow_bounded": False})
    assert keys(load(), {"allow_bounded": True})["small/good"] != here["small/good"]
    folder.rename(folder.with_name("moved"))
    monkeypatch.setenv("GRAMPROBE_PATH", str(folder.with_name("moved")))
    moved = keys(load(), {"allow_bounded": False})
    assert moved["small/good"] != here["small/good"]
    assert moved["presupposition/only"] == here["presupposition/only"]


@pytest.mark.slow
def test_a_category_that_another_grammar_gets_is_part_of_the_key(folder: Path) -> None:
    before = keys(load())
    path = folder / "grammars" / "tiny.gram"
    path.write_text(path.read_text("utf-8") + "\ncat Zebra : t\n", "utf-8")
    assert keys(load())["presupposition/only"] != before["presupposition/only"]


NOT_SAID = "-- a remark\n"
"""A comment: all that follows stands a line lower."""
UNREACHED = "fun Whoever (o: Name, head n: Noun) : Thing\n  lin o n\n  sem \\P. exists x. (n(x) & has(o, x), P(x))\n"
"""A constructor that no sentence of the good paradigm has."""


def changed(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("grammars/small/good.paradigm", "paradigm good", f"{NOT_SAID}paradigm good"),
        ("grammars/small/good.paradigm", "draw v : Verb", "draw   v : Verb   -- as above"),
        ("grammars/tiny.gram", "fun Who", f"{UNREACHED}fun Who"),
        ("grammars/tiny.gram", "  lin n", "  lin  n   -- the name"),
        ("logic/tiny.logic", "include", f"{NOT_SAID}include"),
    ],
)
def test_what_says_the_same_is_not_derived_again(file: str, old: str, new: str, folder: Path, kept: Checked) -> None:
    first = check(load(names=SMALL), ["small/good"])
    assert not first["small/good"].diagnostics
    changed(folder, file, old, new)
    assert kept(load(names=SMALL), ["small/good"]) == first == fresh(load(names=SMALL), ["small/good"])


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("grammars/small/good.paradigm", "expect neutral", "expect entailment"),
        ("grammars/small/good.paradigm", "where a != b", "where a.gen != b.gen"),
        ("grammars/tiny.gram", "sem ~f", "sem f"),
        ("grammars/tiny.gram", '"didn\'t"', '"did not"'),
        ("lexicon/tiny_verbs.tsv", "\n", "\n"),
        ("logic/tiny.logic", "frame reflexive", "frame serial"),
        ("languages/english.toml", "", ""),
    ],
)
def test_what_says_something_else_is(file: str, old: str, new: str, folder: Path) -> None:
    before = Store(load(names=SMALL), {}).key_without_places("small/good")
    if file.startswith("languages"):
        (folder / "languages").mkdir()
        shipped = next(s for n, s in load(names=SMALL).library.sources.items() if n == file)
        (folder / file).write_text(shipped.text, "utf-8")
    elif file.startswith("lexicon"):
        (folder / file).write_text((folder / file).read_text("utf-8") + "hum\thum\thummed\tperson\n", "utf-8")
    else:
        changed(folder, file, old, new)
    assert Store(load(names=SMALL), {}).key_without_places("small/good") != before


def test_a_diagnostic_shows_where_it_stands_now(folder: Path) -> None:
    copytree(ERRORS / "E10_countermodel", folder, dirs_exist_ok=True)
    (name,) = [name for name in sound(load(names=SMALL), "small/") if name != "small/good"]
    (first,) = check(load(names=SMALL), [name])[name].diagnostics
    path = folder / "grammars" / f"{name}.paradigm"
    path.write_text(NOT_SAID + path.read_text("utf-8"), "utf-8")
    (then,) = check(load(names=SMALL), [name])[name].diagnostics
    assert (then.message, then.span.line) == (first.message, first.span.line + 1)


def kept_files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "gramprobe" / "checks").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"{}", b"\x00\xff", b"0\n{}", b"[" * 100_000])
def test_a_file_that_is_not_ours_is_no_answer(content: bytes, tmp_path: Path) -> None:
    project = load(names=SMALL)
    expected = check(project, ["small/good"], False)
    (file,) = kept_files(tmp_path)
    file.write_bytes(content)
    assert check(project, ["small/good"], False) == expected
    assert file.read_bytes() != content


def test_a_single_bit_that_is_flipped_is_seen(tmp_path: Path) -> None:
    project = load(names=SMALL)
    expected = check(project, ["small/good"], False)
    (file,) = kept_files(tmp_path)
    honest = file.read_bytes()
    data = bytearray(honest)
    data[-20] ^= 1
    file.write_bytes(data)
    assert check(project, ["small/good"], False) == expected
    assert file.read_bytes() == honest


def test_an_answer_under_the_name_of_another_does_not_serve(folder: Path, tmp_path: Path) -> None:
    names, project = copies(folder, 0), load(names=SMALL)
    expected = check(project, names, False)
    assert len({outcome.diagnostics for outcome in expected.values()}) == 2
    one, other = kept_files(tmp_path)
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    assert check(project, names, False) == expected


def test_switched_off_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")
    check(load(names=SMALL), ["small/good"], False)
    assert not (tmp_path / "cache" / "gramprobe" / "checks").exists()


# ---- several processes


def copies(folder: Path, count: int) -> list[str]:
    """Full names of so many paradigms like the good one, and one that is wrong."""
    for number in range(count):
        text = (folder / "grammars/small/good.paradigm").read_text("utf-8")
        (folder / f"grammars/small/good_{number}.paradigm").write_text(
            text.replace("paradigm good", f"paradigm good_{number}"), "utf-8"
        )
    copytree(ERRORS / "E10_countermodel", folder, dirs_exist_ok=True)
    return sound(load(names=SMALL), "small/")


def worked(project: Project, names: Sequence[str]) -> dict[str, Outcome]:
    """The outcomes from several processes, nothing stored."""
    options = {"allow_bounded": False}
    return dict(results(work, options, Outcome, names, project.declarations, project.files, 1))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The workers that are started: one beside us."""
    monkeypatch.setenv("GRAMPROBE_JOBS", "2")
    workers: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def noting(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        workers.append(start(*arguments, **options))
        return workers[-1]

    monkeypatch.setattr("gramprobe.work.pool.subprocess.Popen", noting)
    return workers


@pytest.mark.slow
def test_workers_say_what_we_say_and_in_the_order_given(
    folder: Path, started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    names, project = copies(folder, 6), load(names=SMALL)
    ours = let_workers_answer_first(monkeypatch, "gramprobe.check.derive.derive")
    found = worked(project, names)
    assert list(found) == names
    assert found == fresh(project, names)
    assert 0 < len(ours) < len(names)
    assert ours == names[: len(ours)]  # and the workers from the end: neighbours are alike
    assert [worker.returncode is None for worker in started] == [False]


@pytest.mark.slow
def test_a_worker_that_dies_or_has_other_files_is_done_without(
    folder: Path, started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    names, project = copies(folder, 4), load(names=SMALL)
    expected = fresh(project, names)
    monkeypatch.setattr(pool, "_START", "import sys; sys.stdin.readline(); print('ready', flush=True)")
    assert worked(project, names) == expected
    monkeypatch.setattr(pool, "_START", "import sys\nfor line in sys.stdin: print('ready', flush=True)")
    assert worked(project, names) == expected
    assert len(started) == 2
    assert all(worker.returncode is not None for worker in started)


@pytest.mark.slow
def test_an_exception_is_raised_and_leaves_no_worker(
    folder: Path, started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    names, project = copies(folder, 4), load(names=SMALL)
    monkeypatch.setattr("gramprobe.check.derive.derive", never)
    with pytest.raises(AssertionError, match="a paradigm was derived"):
        worked(project, names)
    assert len(started) == 1
    assert all(worker.returncode is not None for worker in started)


@pytest.mark.slow
def test_a_worker_ends_with_its_input_amid_its_work(folder: Path) -> None:
    """As when the process that started it is killed."""
    code = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from gramprobe.work.pool import serve; serve()"
    options = loading(work, {"allow_bounded": False}, load(names=["theory_of_mind/depth"]).files)
    order = pool._Order(start=LOADED, options=options, version=program_version())
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code, json.dumps(sys.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        assert worker.stdin is not None and worker.stdout is not None
        worker.stdin.write(msgspec.json.encode(order) + b"\n")
        worker.stdin.flush()
        assert worker.stdout.readline() == b"ready\n"
        worker.stdin.write(b"theory_of_mind/depth\n")
        worker.stdin.close()
        assert worker.stdout.read() == b""


@pytest.mark.slow
def test_after_an_interrupt_no_process_is_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C reaches the whole group of a terminal's foreground processes."""
    monkeypatch.setenv("GRAMPROBE_JOBS", "2")
    command = subprocess.Popen(
        [sys.executable, "-c", FOREGROUND, "check", "scope"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip

    def members() -> list[int]:
        ids = subprocess.run(["ps", "-eo", "pid=,pgid="], capture_output=True, text=True, check=True).stdout
        return [int(line.split()[0]) for line in ids.splitlines() if int(line.split()[1]) == command.pid]

    while len(members()) < 2:  # our process and a worker
        assert command.poll() is None, command.communicate()
        time.sleep(0.05)
    os.killpg(command.pid, signal.SIGINT)
    _, errors = command.communicate(timeout=60)
    assert command.returncode == 130
    assert b"Traceback" not in errors
    deadline = time.monotonic() + 30  # a worker that was just being started ends when it reads the end of its input
    while members() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert members() == []


@pytest.mark.slow
def test_the_command_prints_the_same_alone_and_with_workers(
    folder: Path,
    started: list[subprocess.Popen[bytes]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copies(folder, 12)
    printed = []
    for jobs in ("1", "2", "2"):  # the last time from what was kept
        monkeypatch.setenv("GRAMPROBE_JOBS", jobs)
        assert main(["check", "small", "--json"]) == 1
        printed.append(tuple(capsys.readouterr()))
        assert len(json.loads(printed[-1][0])["paradigms"]) >= 12
        if jobs == "1":
            assert not started
            for name in ("checks", "said"):
                for file in (folder.parent / "cache" / "gramprobe" / name).iterdir():
                    file.unlink()
    assert len(started) == 1
    assert printed[0] == printed[1] == printed[2]


def test_what_is_certain_is_printed_before_a_label_is_derived(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A spoilt line is shown at once, and each paradigm as soon as it is known; no paradigm with a mistake is derived.
    All of it is sorted by place, then by paradigm, and each mistake stands there once."""
    copies(folder, 2)
    good = (folder / "grammars/small/good.paradigm").read_text("utf-8")
    (folder / "grammars/small/aaa.paradigm").write_text(
        good.replace("paradigm good", "paradigm aaa") + "fnu\n", "utf-8"
    )
    (folder / "grammars/small/zzz.paradigm").write_text(
        good.replace("paradigm good", "paradigm zzz") + "fnu\n", "utf-8"
    )
    seen: list[tuple[str, str, str]] = []

    def noting(name: str, *rest: Any) -> Outcome:
        seen.append((name, *capsys.readouterr()))
        return derive(name, *rest)

    monkeypatch.setattr("gramprobe.check.derive.derive", noting)
    assert main(["check", "small"]) == 1
    (first, out, errors), *others = seen
    assert first == "small/bad"
    assert out == ""
    assert [line.partition(":")[0].rpartition("/")[2] for line in errors.splitlines() if "error[" in line] == [
        "aaa.paradigm",
        "zzz.paradigm",
    ]
    assert [name for name, _, _ in others] == ["small/good", "small/good_0", "small/good_1"]
    assert "error[E10]" in others[0][2]
    assert all(before in out and not errors for (before, *_), (_, out, errors) in pairwise(others))
    assert capsys.readouterr().err == "3 errors\n"
