"""Gates read the parts of sentences, and say what they would say of the sentences."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from projects import ANIMALS, PLAIN, TOY_GRAMMAR, toy

from gramprobe.dataset.gates import spelling
from gramprobe.dataset.gates.joints import Joints
from gramprobe.dataset.gates.sentences import Reason, Sentences, Texts
from gramprobe.paradigm import Decided
from gramprobe.project import Project


def pieces(decided: Decided, count: int = 2) -> list[Sentences]:
    """The sentences of some instances in several chunks, of which each knows the parts of those before."""
    joints, rows = Joints(decided.stream.decisions), np.array_split(np.arange(len(decided.chunk)), count)
    found = []
    for part in rows:
        chunk = type(decided.chunk)(draws=decided.chunk.draws.take(part), groups=decided.chunk.groups.take(part))
        found.append(Sentences(decided.stream.decisions, chunk, joints.fresh))
    return found


def neighbours(texts: Texts) -> set[tuple[str, str]]:
    """Each two neighbouring words."""
    return {pair for each in texts.texts.to_pylist() for pair in pairwise(each.split(" "))}


def ends(texts: Texts, ending: bool) -> set[str]:
    """The first or last words of those texts that must begin with a capital, or end in a final sign."""
    let = texts.of_parts(ending)
    words = (each.split(" ") for number, each in enumerate(texts.texts.to_pylist()) if number not in let)
    return {each[-1 if ending else 0] for each in words}


@pytest.mark.parametrize(
    "name",
    [
        "theory_of_mind/training_2",
        "theory_of_mind/story_transfer",
        "implicature/modals",
        pytest.param("presupposition/both", marks=pytest.mark.deep),
    ],
)
def test_parts_and_joints_have_the_words_of_the_sentences(name: str, project: Project) -> None:
    """Of names alone, of texts that go on with a word (`. He looks in`), and of several boxes."""
    decided = project.paradigm(name).decided(60, labels_only=True)
    whole = Sentences(decided.stream.decisions, decided.chunk)
    parts = [each.in_parts for each in pieces(decided)]
    assert all(each is not None and len(each.texts) for each in parts)
    assert set[tuple[str, str]]().union(*(neighbours(each) for each in parts if each)) == neighbours(whole)
    for ending in (False, True):
        assert set[str]().union(*(ends(each, ending) for each in parts if each)) == ends(whole, ending)
    again = Joints(decided.stream.decisions)
    first, second = (again.fresh(whole) for _ in range(2))
    assert first is not None and len(first.texts) and second is not None and not len(second.texts)


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("", "", []),
        ('sentence S "."', 'sentence S ""', ["do not end in one"]),
        ('"has no" k', '"has has no" k', ["double a word"]),
        ('w "has no"', 'w "has no" w', []),
        ('w "has no"', 'w w "has no"', ["double a word"]),
        ('"has no" k', '"has  no" k', ["two spaces in a row"]),
        ('"has no" k', '"has , no" k', ["a space before a punctuation mark"]),
        ('"has no" k', '"has no. but" k', ["begin in lower case"]),
        ('"has" article(k.onset)', '"has a"', ["articles do not fit"]),
    ],
)
def test_what_is_wrong_with_sentences_is_wrong_with_their_parts(
    old: str, new: str, wrong: list[str], tmp_path: Path
) -> None:
    project = toy(tmp_path, PLAIN, ANIMALS, grammar=TOY_GRAMMAR.replace(old, new) if old else TOY_GRAMMAR)
    decided = project.paradigm("toy/one").decided(12)
    (one,) = pieces(decided, 1)
    whole = Sentences(decided.stream.decisions, decided.chunk)
    found = list(reasons(one))
    assert found == list(reasons(whole))
    assert len(found) == len(wrong) and all(w in each.what for w, each in zip(wrong, found, strict=True))


def reasons(sentences: Sentences) -> Iterable[Reason]:
    return [*spelling.check(sentences), *spelling.articles(sentences)]
