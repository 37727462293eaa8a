"""Explanations that a person has read: at least one for every kind of certificate that is made here.

A recording in `explained/` begins with what it explains: `theory`, `premise`, `hypothesis`; or `item`. Beside it
stands its picture. Shapes stand there without their ids, which no one reads, and shipped files without their folder.
``pytest --accept tests/golden`` records text and picture anew; the difference is for a person to read.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support import shipped

from gramprobe.explain.decision import Explained, pair
from gramprobe.judge.typed import decided
from gramprobe.project import Project
from gramprobe.source.files import shipped_folder

EXPLAINED = Path(__file__).parent / "explained"
RECORDED = sorted(EXPLAINED.glob("*.txt"))
SHAPE = re.compile(r"\bshape [0-9a-f]{16}\b")
KINDS = ("models", "type-elimination", "venn", "herbrand", "bounded(")


def asked(recording: str) -> dict[str, str]:
    """The head of a recording: what it explains."""
    head, _, _ = recording.partition("\n\n")
    return {key: rest.strip() for key, _, rest in (line.partition(" ") for line in head.splitlines())}


def explained(head: dict[str, str]) -> Explained:
    if "item" in head:
        return Project(shipped.declarations()).explain(head["item"])
    found = decided(head["premise"], head["hypothesis"], head["theory"], shipped.declarations())
    return pair(found.decision, found.premise, found.hypothesis, found.slice)


@pytest.mark.parametrize("place", RECORDED, ids=lambda place: place.stem)
def test_an_explanation(place: Path, accept: bool) -> None:
    recording, picture = place.read_text("utf-8"), place.with_suffix(".svg")
    head = asked(recording)
    now = explained(head)
    text = SHAPE.sub("shape", now.text).replace(f"{shipped_folder()}/", "")
    whole = "".join(f"{key:<11} {asked_for}\n" for key, asked_for in head.items()) + f"\n{text}\n"
    if accept:
        place.write_text(whole, "utf-8")
        picture.write_text(now.svg, "utf-8")
    assert whole == place.read_text("utf-8")
    assert picture.is_file() and now.svg == picture.read_text("utf-8")
    ElementTree.fromstring(now.svg)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_certificate_is_recorded(kind: str) -> None:
    assert any(f"\ncertificate {kind}" in place.read_text("utf-8") for place in RECORDED)


def test_every_picture_is_of_a_recording() -> None:
    assert {place.stem for place in EXPLAINED.glob("*.svg")} == {place.stem for place in RECORDED}
