"""A label without its certificate is no label: the derivation, which takes labels from certificates, gives the same
rows then, with `entailment` where nothing is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from forgery import Forger
from projects import PLAIN, toy, write

from gramprobe.dataset import paradigm
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide.verdict import Shape, Verdict
from gramprobe.project import load


class Ignorant:
    """Verdicts of somebody who knows nothing of the pairs whose text has a word."""

    def __init__(self, word: str) -> None:
        self.word = word

    def get(self, shape: Shape, dependence: bool) -> Verdict | None:
        unknown = self.word in shape.text
        return Verdict(label=None, h_values="", kind="", models={}, absent={}) if unknown else None

    def left_open(self, shape: Shape) -> Verdict | None:
        return None

    def put(self, shape: Shape, verdict: Verdict) -> None:
        pass

    def flush(self) -> None:
        pass


@pytest.mark.parametrize(("word", "labels"), [('"distinct":true', ["contradiction"]), ("", ["entailment"])])
def test_a_label_without_its_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, labels: list[str]
) -> None:
    """Of the theory beside, and of the paradigm's own: `Has => Lacks` is said to be an entailment."""
    toy(tmp_path, f"size 1\ntheories toy, owners\n{PLAIN}")
    theory = "theory owners\ninclude toy\npostulate exists x. has(uma, x)\n"
    project = load(write(tmp_path, {"logic/owners.logic": theory}))

    @contextmanager
    def kept() -> Iterator[Ignorant]:
        yield Ignorant(word)

    monkeypatch.setattr(paradigm, "kept_verdicts", kept)
    forger = Forger(project.build("toy/one", tmp_path / "data")[0].folder, "one")
    (row,) = forger.rows()
    assert [row["label_name"]] == labels
    assert '"owners":"entailment"' in row["labels_by_theory"]
    gone = [line["shape"] for line in forger.lines() if not line["kind"]]
    assert gone
    forger.put_lines([line for line in forger.lines() if line["kind"]])
    told = verify(forger.folder, project.declarations).problems.kept
    assert [(each.code, each.id) for each in told if "no line is it" in each.reason] == [("E51", s) for s in gone]
