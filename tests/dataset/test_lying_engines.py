"""A dataset of somebody whose engines lie: rows, card and numbers go together, and the certificates do not show them.

The derivation, which takes labels from certificates, gives the same rows: `entailment` where a certificate is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from forgery import Forger
from projects import PLAIN, toy, write

from gramprobe.dataset import paradigm as dataset_paradigm
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide.label import decide
from gramprobe.decide.verdict import Proof, Shape, Verdict
from gramprobe.project import Project, load

BESIDE = '"postulates":[["quantified","exists"'
"""What only the theory beside has in a shape."""
BOUNDED: Proof = {"kind": "bounded", "size": 3, "worlds": 3, "individuals": 3, "occasions": 0}


def ignorant(text: str) -> Verdict:
    """Nothing is known of a pair."""
    return Verdict(label=None, h_values="", kind="", models={}, absent={})


def lazy(text: str) -> Verdict:
    """The first model is the only one that was looked for."""
    found = decide(**json.loads(text))
    absent: dict[str, Proof] = {**found.absent, "F": BOUNDED}
    return replace(
        found, label="entailment", h_values="T", kind="bounded(3)", models={"T": found.models["T"]}, absent=absent,
        alone={"N": found.models["F"]}, rests_on=None,
    )  # fmt: skip


class Lies:
    """Verdicts on the pairs whose text has a word."""

    def __init__(self, word: str, lie: Callable[[str], Verdict]) -> None:
        self.word, self.lie = word, lie

    def get(self, shape: Shape, dependence: bool) -> Verdict | None:
        return self.lie(shape.text) if self.word in shape.text else None

    def uncertified(self, shape: Shape) -> Verdict | None:
        return None

    def put(self, shape: Shape, verdict: Verdict) -> None:
        pass

    def flush(self) -> None:
        pass


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Project, Forger]]:
    """Builds a dataset of a paradigm in two theories with other verdicts."""

    def build(paradigm: str, *lies: Any, allow_bounded: bool = False) -> tuple[Project, Forger]:
        toy(tmp_path, f"size 1\ntheories toy, owners\n{paradigm}")
        theory = "theory owners\ninclude toy\npostulate exists x. has(uma, x)\n"
        project = load(write(tmp_path, {"logic/owners.logic": theory}), names=["toy/one"])

        @contextmanager
        def kept() -> Iterator[Lies]:
            yield Lies(*lies)

        monkeypatch.setattr(dataset_paradigm, "kept_verdicts", kept)
        return project, Forger(
            project.build("toy/one", tmp_path / "data", allow_bounded=allow_bounded)[0].folder, "one"
        )

    return build


def told(project: Project, forger: Forger) -> list[tuple[str, str]]:
    return [(each.code, each.reason) for each in verify(forger.folder, project.declarations).problems.kept]


@pytest.mark.slow
@pytest.mark.parametrize(("word", "label"), [(BESIDE, "contradiction"), ("", "entailment")])
def test_a_label_without_its_certificate(built: Any, word: str, label: str) -> None:
    """Of the theory beside, and of the paradigm's own: `Has => Lacks` is said to be an entailment."""
    project, forger = built(PLAIN, word, ignorant)
    (row,) = forger.rows()
    assert row["label_name"] == label
    assert '"owners":"entailment"' in row["labels_by_theory"]
    gone = [line["shape"] for line in forger.lines() if not line["kind"]]
    forger.put_lines([line for line in forger.lines() if line["kind"]])
    assert told(project, forger).count(("E51", "rows rest on this shape, and no line is it")) == len(gone) > 0


@pytest.mark.slow
def test_a_label_of_a_theory_beside_that_rests_on_trust(built: Any) -> None:
    """The build was not allowed that, by the manifest, and would have refused it."""
    other = PLAIN.replace("draw k", "draw u : Who where u != w\ndraw k").replace("Lacks(w", "Has(u")
    project, forger = built(other, BESIDE, lazy, allow_bounded=True)
    (row,) = forger.rows()
    assert row["labels_by_theory"] == '{"toy":"neutral","owners":"entailment"}'
    assert not told(project, forger), "said openly"
    forger.edit_manifest(lambda manifest: manifest.__setitem__("allow_bounded", False))
    assert any("is not certain: bounded(3)" in reason for _, reason in told(project, forger)), told(project, forger)


def edited(key: str, value: Any, part: Any) -> None:
    part["read_back"][key] = value


@pytest.mark.slow
def test_what_no_build_reads_back(built: Any) -> None:
    """Sentences are parsed with `--parse` only; what cannot be so is found without."""
    project, forger = built(PLAIN, "nothing", ignorant)

    def entry(edit: Callable[[Any], Any]) -> list[tuple[str, str]]:
        before = forger.manifest.read_text("utf-8")
        forger.edit_manifest(lambda manifest: edit(manifest["paradigms"]["one"]))
        try:
            return [each for each in told(project, forger) if "no build says so" in each[1]]
        finally:
            forger.manifest.write_text(before, "utf-8")

    assert not entry(lambda part: part["read_back"].update(trees=2.0))
    for key, value in (("sentences", 41), ("trees", 1.3), ("readings", 1.23), ("hanging", {"else": 1}), ("unread", 3)):
        assert entry(partial(edited, key, value)), key
    assert entry(lambda part: part.pop("read_back"))
    assert entry(lambda part: part["allowed"].update(reading=["nobody reads it so"]))
    assert entry(lambda part: part["read_back"].update(hanging={"parse": 1}))
