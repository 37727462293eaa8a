"""Columns of drawn words in the rows: as the table of words has them, by instance, and not to be forged."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest
from forgery import Forger
from projects import ANIMALS, PLAIN, TOY_GRAMMAR, toy

import gramprobe
from gramprobe.analysis.item_columns import ItemColumns
from gramprobe.dataset.verify.verify import verify
from gramprobe.project import Project, load

CELLS = [("3.20", "squeak"), ("-1", "-"), ("0.5", "tweet"), ("4", "me ow")]
KINDS = "".join(f"{row}\t{freq}\t{cry}\n" for row, (freq, cry) in zip(ANIMALS.splitlines(), CELLS, strict=True))
GRAMMAR = TOY_GRAMMAR.replace("isa: Kind?]", "isa: Kind?, freq: decimal, cry: words?]")


@dataclass
class Built:
    project: Project
    folder: Path

    def problems(self) -> list[str]:
        return [problem.reason for problem in verify(self.folder, self.project.declarations).problems.kept]


def build(folder: Path, lines: str) -> Built:
    toy(folder / "own", f"size all\n{lines}\n{PLAIN}", KINDS, grammar=GRAMMAR)
    table = folder / "own/lexicon/kinds.tsv"
    table.write_text(table.read_text("utf-8").replace("onset\tisa\n", "onset\tisa\tfreq\tcry\n", 1), "utf-8")
    project = load(folder / "own")
    return Built(project, project.build("toy/one", folder / "data")[0].folder)


@pytest.mark.slow
def test_a_row_has_the_values_of_its_words(tmp_path: Path) -> None:
    built = build(tmp_path, "carry freq, k.cry, isa, onset")
    with (tmp_path / "own/lexicon/kinds.tsv").open(encoding="utf-8") as file:
        words = {word["id"]: word for word in csv.DictReader(file, delimiter="\t")}
    dataset = gramprobe.read(built.folder)
    rows = [row for batch in dataset.rows("one") for row in batch.to_pylist()]
    assert {row["draws"]["k"] for row in rows} == set(words)
    for row in rows:
        draws, word = row["draws"], words[row["draws"]["k"]]
        expected = {f"k.{name}": "" if word[name] == "-" else word[name] for name in ("freq", "cry", "isa", "onset")}
        assert draws == {"w": draws["w"], "k": word["id"], **expected}
        assert row["instance"] == f"{draws['w']}.{draws['k']}"
    assert dataset.design("one").carried == ["k.freq", "k.cry", "k.isa", "k.onset"]
    factors = ItemColumns(dataset, "one", True).factors
    assert {"k_cry", "k_isa", "k_onset"} <= set(factors) and "k_freq" not in factors
    assert built.problems() == []


@pytest.mark.slow
def test_rows_that_carry_nothing_have_the_draws_alone(tmp_path: Path) -> None:
    built = build(tmp_path, "")
    (row, *_) = Forger(built.folder, "one").rows()
    assert list(row["draws"]) == ["w", "k"]
    assert '"carried"' not in (built.folder / "design.json").read_text("utf-8")


@pytest.mark.slow
def test_a_carried_value_that_was_changed_is_found(tmp_path: Path) -> None:
    built = build(tmp_path, "carry freq")
    Forger(built.folder, "one").edit_row(lambda row: row["draws"].update({"k.freq": "9"}))
    assert any(reason.startswith("`draws` is") for reason in built.problems())
