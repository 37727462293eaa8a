"""`share` on pairs and `split train 3000, validation 1000`: what the files of mixtures say, and what is no mixture."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import toy
from support import shipped

from gramprobe.project import load
from gramprobe.source.diagnostic import AuthoringError

DRAWS = """draw w, v : Who  where w != v
draw k : Kind
premise
 p = Has(w, k)
 q = Lacks(w, k)
hypothesis
 h = Lacks(v, k)
"""


def codes_of(folder: Path, lines: str, size: str = "size 4\n") -> list[str]:
    """The codes of the mistakes of a paradigm."""
    project = toy(folder, size + DRAWS + lines)
    try:
        project.paradigm("toy/one")
    except AuthoringError as error:
        return [d.code for d in error.diagnostics]
    return []


def test_the_papers_proportions() -> None:
    one, two = (shipped.paradigm(f"theory_of_mind/training_{n}") for n in (1, 2))
    for paradigm in (one, two):
        assert paradigm.size == 4000
        assert paradigm.splits == (("train", 3000), ("validation", 1000))
        assert sum(p.share or 0 for p in paradigm.pairs) == pytest.approx(100)
    shares = {p.condition: p.share for p in one.pairs}
    assert (shares["BX-X"], shares["KX-X"]) == (50, 23)
    unchanged = sum(p.share or 0 for p in one.pairs if {p.premise, p.hypothesis} <= {"X", "Y", "NotY"})
    assert unchanged == 27
    printed = {"BX-X": 33.3, "KX-X": 12, "X-VX": 10, "VX-OtherV": 5, "VVX-VVturn": 5}
    scaled = {p.condition: p.share for p in two.pairs if p.condition in printed}
    assert scaled == {name: pytest.approx(share / 0.986, abs=0.1) for name, share in printed.items()}


def test_a_line_of_several_pairs_has_its_share_in_equal_parts(tmp_path: Path) -> None:
    project = toy(tmp_path, DRAWS + "pair p, q => h  share 100\n")
    assert [p.share for p in project.paradigm("toy/one").declared.pairs] == [50, 50]


@pytest.mark.slow
def test_shares_are_of_all_pairs_and_make_a_hundred(tmp_path: Path) -> None:
    assert codes_of(tmp_path / "a", "pair p => h  share 60\npair q => h  share 40\n") == []
    assert codes_of(tmp_path / "b", "pair p => h  share 66.7\npair q => h  share 33.3\n") == []
    assert codes_of(tmp_path / "c", "pair p => h  share 60\npair q => h\n") == ["E68"]
    assert codes_of(tmp_path / "d", "pair p => h  share 60\npair q => h  share 50\n") == ["E68"]
    assert codes_of(tmp_path / "e", "pair p => h  share 100\npair q => h  share 0\n") == ["E68"]


@pytest.mark.slow
def test_splits_take_no_more_than_there_are(tmp_path: Path) -> None:
    pairs = "pair p => h\npair q => h\n"
    assert codes_of(tmp_path / "a", pairs, "size 4\nsplit train 3, validation 1\n") == []
    assert codes_of(tmp_path / "b", pairs, "size 4\nsplit train 3, validation 2\n") == ["E69"]
    assert codes_of(tmp_path / "c", pairs, "size 4\nsplit train 3, train 1\n") == ["E16"]
    assert codes_of(tmp_path / "d", pairs, "size 4\nsplit train 3, dev 1\n") == ["E02"]
    assert load(tmp_path / "a").paradigm("toy/one").declared.splits == (("train", 3), ("validation", 1))
    assert codes_of(tmp_path / "e", pairs, "size 4\nsplit validation\n") == []
    assert load(tmp_path / "e").paradigm("toy/one").declared.splits == ()
