"""The cache: its verdicts have passed the kernel again; without a cache, or with a bad one, the output is the same."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from gramprobe.certify.check import canonical_text, check_entry, digest
from gramprobe.decide import label
from gramprobe.decide.cache import BATCH, Cache, engine_version, kept_verdicts
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Shape, certificate_line, certificate_text, rests_on_trust
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import MIDDLE, Operator, TheorySlice

THEORY = TheorySlice(
    operators=(Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"})),),
    postulates=(),
    projection=MIDDLE,
    distinct=True,
)
PAIRS = [
    ("forall x. (cat(x), dog(x)) & cat(jo)", "dog(jo)"),
    ("p & q", "p"),
    ("p", "poss p"),
    ("poss (p / q)", "p"),
    ("exists x. (cat(x), nap(x))", "exists x. nap(x)"),
    ("most x. (cat(x), nap(x))", "exists x. (cat(x), nap(x))"),
]


def pairs() -> list[tuple[Formula, Formula]]:
    return [(parse(premise), parse(hypothesis)) for premise, hypothesis in PAIRS]


def lines(kept: Cache | None = None, dependence: bool = True) -> list[str]:
    """The certificates of all pairs, with a cache or without."""
    decider = Decider(THEORY, kept=kept, dependence=dependence)
    for premise, hypothesis in pairs():
        decider.decision(premise, hypothesis)
    return [certificate_text(*each) for each in decider.decided()]


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read from a file is checked as another process would check it."""
    monkeypatch.setattr("gramprobe.decide.cache.REMEMBERED", 0)
    monkeypatch.setattr("gramprobe.decide.cache._KNOWN", OrderedDict())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A cache with the verdicts on all pairs."""
    file = tmp_path / "verdicts.sqlite"
    cache = Cache(file)
    lines(cache)
    cache.close()
    return file


def entries(file: Path) -> dict[str, str]:
    connection = sqlite3.connect(file)
    lines = dict(connection.execute("SELECT key, line FROM verdicts").fetchall())
    connection.close()
    return lines


def put(file: Path, edit: dict[str, str]) -> None:
    connection = sqlite3.connect(file)
    with connection:
        connection.executemany("INSERT OR REPLACE INTO verdicts VALUES (?, ?)", edit.items())
    connection.close()


def never(*_: object, **__: object) -> None:
    raise AssertionError("an engine was asked")


def test_a_kept_verdict_is_not_decided_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = lines()
    monkeypatch.setattr("gramprobe.decide.label.decide", never)
    assert lines(Cache(file)) == expected


def test_the_kernel_checks_a_line_once_in_a_process(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def noting(line: dict[str, object], *_: object) -> bool:
        asked.append(line)
        return check_entry(line)

    monkeypatch.setattr("gramprobe.decide.cache.check_entry", noting)
    monkeypatch.setattr("gramprobe.decide.cache.REMEMBERED", len(PAIRS) - 1)
    assert lines(Cache(file)) == lines(Cache(file)) == lines()
    assert len(asked) > len(PAIRS)  # one too many for the memory, so that the oldest have gone when they are wanted
    monkeypatch.setattr("gramprobe.decide.cache.REMEMBERED", len(PAIRS))
    asked.clear()
    assert lines(Cache(file)) == lines()
    asked.clear()
    assert lines(Cache(file)) == lines()
    assert asked == []
    put(file, {key: poisoned(text, label="neutral") for key, text in entries(file).items()})
    assert lines(Cache(file)) == lines()
    assert len(asked) == len(PAIRS)


def test_what_was_decided_in_a_process_is_not_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramprobe.decide.cache.REMEMBERED", len(PAIRS))
    cache = Cache(tmp_path / "verdicts.sqlite")
    expected = lines(cache)
    cache.close()
    monkeypatch.setattr("gramprobe.decide.cache.check_entry", never)
    monkeypatch.setattr("gramprobe.decide.label.decide", never)
    assert lines(Cache(tmp_path / "verdicts.sqlite")) == expected


def test_with_and_without_it_the_same_bytes(file: Path) -> None:
    assert lines(Cache(file)) == lines()
    file.unlink()
    assert lines(Cache(file)) == lines()


def test_a_verdict_without_principles_is_not_used_where_they_are_asked_for(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "verdicts.sqlite")
    lines(cache, dependence=False)
    assert lines(cache, dependence=True) == lines(dependence=True)
    assert lines(cache, dependence=False) == lines(dependence=False)


def poisoned(text: str, **changes: object) -> str:
    """A line with other contents and a hash that fits."""
    line = json.loads(text)
    line.pop("sha256")
    line.update(changes)
    line["sha256"] = digest(line)
    return json.dumps(line)


def test_a_poisoned_entry_is_dropped_and_decided_anew(file: Path) -> None:
    expected = lines()
    honest = entries(file)
    assert honest
    put(file, {key: poisoned(text, label="neutral", h_values="TF", kind="models") for key, text in honest.items()})
    cache = Cache(file)
    assert lines(cache) == expected
    cache.close()
    assert entries(file) == honest


def test_a_line_that_says_the_same_in_other_signs_is_written_as_a_build_writes_it(file: Path) -> None:
    """What a line says is taken from the file, its text only where it is the one that is hashed."""
    expected = lines()
    twice = {
        key: text.replace('{"shape":', '{"shape":"", "theory":0, "shape":', 1) for key, text in entries(file).items()
    }
    put(file, {key: json.dumps(json.loads(text), indent=1) for key, text in entries(file).items()})
    assert lines(Cache(file)) == expected
    put(file, twice)
    assert lines(Cache(file)) == expected


def test_a_lie_that_the_kernel_cannot_refute_is_not_believed(file: Path) -> None:
    """`p => q` as an entailment on trust, with a bounded search for a proof: a cache never gives such a line."""
    decided = Decider(THEORY, dependence=True).decision(parse("p"), parse("q"))
    line = certificate_line(decided.shape, decided.verdict)
    bounded = {"kind": "bounded", "size": 3, "worlds": 3, "individuals": 3, "occasions": 0}
    lie = poisoned(
        json.dumps(line),
        label="entailment", h_values="T", kind="bounded(3)", models={"T": line["models"]["T"]},
        absent={"F": bounded, "U": bounded}, alone={"N": line["models"]["F"]}, rests_on=[],
    )  # fmt: skip
    assert check_entry(json.loads(lie)) is False
    cache = Cache(file)
    cache.put(decided.shape, decided.verdict)
    cache.close()
    key = next(key for key, text in entries(file).items() if json.loads(text)["shape"] == decided.shape.id)
    put(file, {key: lie})
    again = Decider(THEORY, kept=Cache(file), dependence=True).decision(parse("p"), parse("q"))
    assert again.verdict.label == "neutral"
    assert key not in entries(file) or entries(file)[key] != lie


def test_the_entry_of_another_shape_does_not_serve(file: Path) -> None:
    expected = lines()
    honest = entries(file)
    keys = list(honest)
    put(file, {key: honest[keys[(at + 1) % len(keys)]] for at, key in enumerate(keys)})
    assert lines(Cache(file)) == expected


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", "[" * 50_000, '{"shape": 1}', "\x00"])
def test_a_bad_entry_is_ignored(file: Path, text: str) -> None:
    expected = lines()
    put(file, dict.fromkeys(entries(file), text))
    assert lines(Cache(file)) == expected


def test_a_file_that_is_not_a_database_is_replaced(file: Path) -> None:
    file.write_bytes(b"this is no database at all" * 1000)
    assert lines(Cache(file)) == lines()
    cache = Cache(file)
    lines(cache)
    cache.close()
    assert len(entries(file)) == len(PAIRS)


def test_a_table_of_another_kind(file: Path) -> None:
    file.unlink()
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("CREATE TABLE verdicts (a, b, c)")
    connection.close()
    assert lines(Cache(file)) == lines()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    assert lines(Cache(tmp_path / "plain" / "verdicts.sqlite")) == lines()


@pytest.mark.slow
def test_a_locked_file_is_ignored(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramprobe.decide.cache.PATIENCE", 0.1)
    holder = sqlite3.connect(file)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        assert lines(Cache(file)) == lines()
    finally:
        holder.rollback()
        holder.close()


def test_verdicts_on_trust_are_not_kept(tmp_path: Path) -> None:
    order = "forall x. exists y. r(x, y) & forall x. forall y. forall z. (r(x, y) & r(y, z) -> r(x, z))"
    cache = Cache(tmp_path / "verdicts.sqlite")
    decided = Decider(THEORY, kept=cache).decision(parse(order), parse("exists x. r(x, x)"))
    assert decided.verdict.kind.startswith("bounded")
    assert cache.get(decided.shape, False) is None


def test_what_a_search_left_open_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order = "forall x. exists y. r(x, y) & forall x. forall y. forall z. (r(x, y) & r(y, z) -> r(x, z))"
    pair, file = (parse(order), parse("exists x. r(x, x)")), tmp_path / "verdicts.sqlite"
    cache = Cache(file)
    first = Decider(THEORY, kept=cache).of_tries.decision(*pair)
    cache.close()
    with monkeypatch.context() as idle:
        idle.setattr(label, "decide", None)
        again = Decider(THEORY, kept=Cache(file)).of_tries.decision(*pair)
        assert again.verdict == first.verdict
        with pytest.raises(TypeError):  # a label of a row is looked for again
            Decider(THEORY, kept=Cache(file)).decision(*pair)
    (line,) = entries(file).values()
    changed = poisoned(line, label="neutral", h_values="TF", kind="models")
    put(file, dict.fromkeys(entries(file), changed))
    assert Cache(file).uncertified(first.shape) is None


def test_a_need_that_no_model_shows_is_taken_on_the_seal_of_its_line(tmp_path: Path) -> None:
    theory = structs.replace(THEORY, postulates=(parse("p -> q"),))
    decided = Decider(theory, dependence=True).decision(parse("p"), parse("q"))
    (need,) = decided.verdict.rests_on or ()
    unshown = replace(decided.verdict, rests_on=(structs.replace(need, without=None, model=None),))
    assert check_entry(certificate_line(decided.shape, unshown)) is False
    file = tmp_path / "verdicts.sqlite"
    cache = Cache(file)
    cache.put(decided.shape, unshown)
    cache.close()
    assert Cache(file).get(decided.shape, True) == unshown
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("UPDATE seals SET seal = 'other'")
    connection.close()
    assert Cache(file).get(decided.shape, True) is None


def test_a_hypothesis_of_which_no_search_found_a_model_is_taken_on_the_seal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a label is proved; a run with an outside prover asks it."""
    order = "forall x. exists y. r(x, y) & forall x. forall y. forall z. (r(x, y) & r(y, z) -> r(x, z)) & ~p"
    pair, file = (parse("p"), parse(f"{order} & ~exists x. r(x, x)")), tmp_path / "verdicts.sqlite"
    cache = Cache(file)
    first = Decider(THEORY, kept=cache, dependence=True).decision(*pair)
    assert not rests_on_trust(first.verdict.kind)
    assert first.verdict.unproved("hypothesis impossible") is not None
    assert check_entry(certificate_line(first.shape, first.verdict)) is False
    cache.close()
    monkeypatch.setattr(label, "decide", None)
    assert Decider(THEORY, kept=Cache(file), dependence=True).decision(*pair).verdict == first.verdict
    with pytest.raises(TypeError):
        Decider(THEORY, kept=Cache(file), dependence=True, oracle="cvc5").decision(*pair)
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("UPDATE seals SET seal = 'other'")
    connection.close()
    assert Cache(file).get(first.shape, True) is None


def test_writing_is_in_batches(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.sqlite"
    cache = Cache(file)
    decided = Decider(THEORY).decision(*pairs()[1])
    numbered = [Shape.of(decided.shape.text.replace('"p0"', f'"q{number}"')) for number in range(BATCH)]
    for shape in numbered[:-1]:
        cache.put(shape, decided.verdict)
    assert not file.exists()
    cache.put(numbered[-1], decided.verdict)
    assert len(entries(file)) == BATCH


RUN = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from test_cache import Cache, lines
cache = Cache(Path(sys.argv[1]))
for _ in range(3):
    found = lines(cache)
    cache.flush()
cache.close()
print(len(found))
"""


@pytest.mark.process
def test_two_processes_at_once(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.sqlite"
    command = [sys.executable, "-c", RUN, str(file), str(Path(__file__).parent)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in running:
        out, error = process.communicate()
        assert (process.returncode, out.strip()) == (0, str(len(PAIRS))), error
    assert lines(Cache(file)) == lines()


def test_the_user_s_folder_and_switch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")
    with kept_verdicts() as kept:
        assert kept is None
    monkeypatch.delenv("GRAMPROBE_CACHE")
    with kept_verdicts() as kept:
        assert kept is not None
        lines(kept)
    files = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    assert files == [f"gramprobe/verdicts/{engine_version()[:32]}.sqlite"]


def test_unused_files_of_old_versions_are_deleted(tmp_path: Path) -> None:
    old, recent = tmp_path / "old.sqlite", tmp_path / "recent.sqlite"
    old.write_text("x")
    recent.write_text("x")
    os.utime(old, (0, 0))
    cache = Cache(tmp_path / "now.sqlite")
    lines(cache)
    cache.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["now.sqlite", "recent.sqlite"]


@pytest.mark.parametrize("said", ["unsat", "é", "\x7f", "\x01", 'a "b" \\ / \n\t', 10**30])
def test_lines_are_canonical_whatever_a_prover_says(said: object) -> None:
    """Another encoder writes them than the one that the kernel hashes with."""
    decided = Decider(THEORY).decision(parse("p & q"), parse("p"))
    verdict = replace(decided.verdict, absent={"F": {"kind": "prover", "text": said}}, text=None)
    text = certificate_text(decided.shape, verdict)
    assert text == canonical_text(json.loads(text))
