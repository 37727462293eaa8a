"""Readers of minimal pairs without grammar: what they reach, by hand, and that a build asks for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.minimal_pairs import AGREEMENT, CROSSED, GUESSED, built, project_of

from gramprobe.baselines.pairs import reached
from gramprobe.baselines.readers import PAIR_READERS
from gramprobe.cli.main import main

NOUNS = ("nurse", "banker", "child", "poet", "vet", "nun")


@pytest.mark.parametrize(
    ("pairs", "accuracies"),
    [
        ([[(f"This {n} sings.", f"This {n} sing.")] for n in NOUNS], {"unigram": 1, "bigram": 1, "length": 1}),
        (
            [[(f"This {n} sings.", f"This {n} sing."), (f"These {n}s sing.", f"These {n}s sings.")] for n in NOUNS],
            {"unigram": 0.5, "bigram": 0.5, "length": 0.5},
        ),
        (
            [[("He sings.", "He sing."), ("They sing.", "They sings.")] for _ in NOUNS],
            {"unigram": 0.5, "bigram": 1, "length": 0.5},
        ),
        ([[("A b.", "B a.")] for _ in NOUNS], {"unigram": 1, "bigram": 1, "length": 0.5}),
    ],
)
def test_what_a_reader_reaches(pairs: list[list[tuple[str, str]]], accuracies: dict[str, float]) -> None:
    assert {reader: reached(reader, pairs).accuracy for reader in PAIR_READERS} == accuracies


def test_a_build_of_full_size_wants_to_know_what_readers_reach(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    every = AGREEMENT.replace("This(n), v)", "Beside(This(n), This(m)), v)")
    project_of(tmp_path, every.replace(GUESSED, ""))
    command = ["build", "pairs/agreement", "--path", str(tmp_path), "--out", str(tmp_path / "data")]
    assert main([*command, "--n", "6"]) == 0
    assert main(command) == 0
    said = capsys.readouterr().err
    assert "warning[E90]" in said and 'solvable by bigram 1.00 because "..."' in said
    project_of(tmp_path, every.replace("solvable by length 1 ", "solvable by length 0.75 "))
    assert main(command) == 1
    assert "gets 1.000 of the pairs right, which is more than the declared 0.750" in capsys.readouterr().err


def test_the_manifest_and_the_card_say_what_readers_reach(tmp_path: Path) -> None:
    dataset = built(tmp_path, CROSSED)
    (entry,) = json.loads((dataset / "manifest.json").read_text("utf-8"))["paradigms"].values()
    assert entry["readers"] == {"unigram": 0.5, "bigram": 0.5, "length": 0.5}
    assert "| agreement | 0.500 | 0.500 | 0.500 |" in (dataset / "README.md").read_text("utf-8")
