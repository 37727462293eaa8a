"""The column of strata is kept between runs, and so are walks, by what the order of instances depends on: not
by pairs and comments. What is derived is kept by what is said and reached, not by where it stands."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import numpy as np
import pytest
from projects import ANIMALS, PLAIN, toy

from gramprobe.decide.label import Decider
from gramprobe.items.content import key_of_plan, key_of_space, key_of_walk
from gramprobe.items.prepare import prepare
from gramprobe.items.stretch import Stretch
from gramprobe.items.walk import Walk
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space import space
from gramprobe.space.network import Network

LIMITED = PLAIN + "each w at most 2 times in 3\n"


def keys(folder: Path, paradigm: str, kinds: str = ANIMALS) -> tuple[str, str]:
    """The key of what is derived of the paradigm, and that of the order of its instances."""
    declarations = toy(folder, paradigm, kinds).declarations
    made = declarations.paradigms["toy/one"]
    counted = key_of_space(made, declarations)
    return key_of_plan(made, made.theory, declarations, counted), key_of_walk(made, counted)


@pytest.mark.parametrize(
    "changed",
    [
        LIMITED.replace("pair p => h", "pair p => h   tag control"),
        LIMITED.replace("pair p => h", "pair h => p"),
    ],
)
def test_pairs_change_no_order(tmp_path: Path, changed: str) -> None:
    before, after = keys(tmp_path, LIMITED), keys(tmp_path, changed)
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_comments_change_nothing(tmp_path: Path) -> None:
    commented = "-- a comment, and all that follows a line lower\n" + LIMITED
    assert keys(tmp_path, LIMITED) == keys(tmp_path, commented)


@pytest.mark.parametrize(
    "changed",
    [
        "size 2\n" + LIMITED,
        'allow leak because "nobody reads it"\n' + LIMITED,
        'solvable by verbs 1.00 because "nobody reads it"\n' + LIMITED,
        'source "nobody"\n' + LIMITED,
        LIMITED.replace("pair p => h", "pair p => h   expect neutral"),
    ],
)
def test_texts_and_what_is_claimed_change_nothing(tmp_path: Path, changed: str) -> None:
    assert changed != LIMITED
    assert keys(tmp_path, LIMITED) == keys(tmp_path, changed)


@pytest.mark.parametrize(
    "changed",
    [
        LIMITED.replace("2 times", "3 times"),
        LIMITED.replace("draw k : Kind\n", "draw k : Kind[onset=c]\n"),
        LIMITED.replace("h = Lacks(w, k)", "h = Has(w, k)"),
    ],
)
def test_draws_sentences_and_limits_do(tmp_path: Path, changed: str) -> None:
    assert changed != LIMITED
    assert keys(tmp_path, LIMITED)[1] != keys(tmp_path, changed)[1]


def test_limits_change_nothing_else(tmp_path: Path) -> None:
    """What is known of an instance does not hang on which others are drawn, nor on which words are in some."""
    before, after = keys(tmp_path, LIMITED), keys(tmp_path, LIMITED.replace("2 times", "3 times"))
    assert (before[0], before[1] == after[1]) == (after[0], False)


def test_so_do_words(tmp_path: Path) -> None:
    first, *_ = ANIMALS.splitlines(keepends=True)
    assert keys(tmp_path, LIMITED)[1] != keys(tmp_path, LIMITED, ANIMALS.replace(first, ""))[1]


def first_stretch(folder: Path, paradigm: str, count: int, seed: int = 0) -> Stretch:
    """The first stretch of a walk, behind which nobody asks for more."""
    project = toy(folder, paradigm, ANIMALS)
    found = project.declarations.paradigms["toy/one"]
    stream = prepare(found, project.declarations, Findings(), count, seed=seed, decider=Decider())
    assert stream is not None
    return next(stream.walk.stretches(count))


def same(one: Stretch, other: Stretch) -> bool:
    """Whether two stretches are the same, arrays and all."""
    names = ("keys", "places", "repeats", "vetoed", "kept")
    pairs = [(getattr(one, name), getattr(other, name)) for name in names]
    pairs += [(one.draws.box, other.draws.box)]
    assert list(one.draws.columns) == list(other.draws.columns)
    pairs += zip(one.draws.columns.values(), other.draws.columns.values(), strict=True)
    ends = (one.start, one.stop, one.again) == (other.start, other.stop, other.again)
    return ends and all((a is None and b is None) or (a.dtype == b.dtype and np.array_equal(a, b)) for a, b in pairs)


@pytest.mark.parametrize(
    "paradigm", [PLAIN, LIMITED, PLAIN.replace("draw k", "draw box").replace("(w, k)", "(w, box)")]
)
def test_a_walk_is_not_walked_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paradigm: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    walked = first_stretch(tmp_path / "one", paradigm, 2)
    with monkeypatch.context() as patch:
        patch.setattr(Walk, "_stretches", lambda walk, expected: iter(()))
        patch.setattr(Network, "_solved", property(lambda network: pytest.fail("counted again")))
        again = first_stretch(tmp_path / "one", paradigm.replace("pair p => h", "pair p => h   tag control"), 2)
        assert same(walked, again)
    off = first_stretch(tmp_path / "one", paradigm, 2, seed=1)  # another walk
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")
    assert same(walked, first_stretch(tmp_path / "one", paradigm, 2))
    assert same(off, first_stretch(tmp_path / "one", paradigm, 2, seed=1))


def test_behind_what_is_kept_a_walk_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more stretches are asked for than before, they are those of a walk that was not kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("gramprobe.items.walk.Walk.ranges", lambda walk, expected: ((n, n + 1) for n in range(4)))
    project = toy(tmp_path / "one", PLAIN, ANIMALS)
    found = project.declarations.paradigms["toy/one"]

    def stretches(count: int) -> list[Stretch]:
        stream = prepare(found, project.declarations, Findings(), 4, decider=Decider())
        assert stream is not None
        return [stretch for stretch, _ in zip(stream.walk.stretches(4), range(count), strict=False)]

    one, three = stretches(1), stretches(3)
    with monkeypatch.context() as patch:
        patch.setenv("GRAMPROBE_CACHE", "off")
        anew = stretches(3)
    assert all(map(same, one + three, anew[:1] + anew))
    monkeypatch.setattr(Walk, "_stretches", lambda walk, expected: iter(()))
    assert all(map(same, stretches(3), anew))


def test_a_network_that_is_made_late_does_not_ask_what_was_found_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a veto of no instance, which is an error, a veto of an instance is none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(space, "_held", deque(maxlen=0))
    declarations = toy(tmp_path / "one", PLAIN, ANIMALS).declarations
    paradigm, grammar = declarations.paradigms["toy/one"], declarations.grammar_of_paradigm("toy/one")
    assert grammar is not None
    findings = Findings()
    counted, kept = (space.space_of(paradigm, grammar, each, "key") for each in (Findings(), findings))
    assert counted is not None
    assert kept is not None
    findings.add(messages.build.unknown_veto(paradigm.span, "uma.unicorn"))
    assert [box.size for box in kept.boxes] == [box.network.size for box in kept.boxes if box.network is not None]
    assert kept.size == counted.size > 0
