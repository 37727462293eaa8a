"""Which principles a refutation needs: what is asked on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from gramprobe.certify.check import canonical_text
from gramprobe.certify.principles import principles
from gramprobe.decide.dependence import _minimal
from gramprobe.decide.question import Answer, Open, Refutation

THEORY: dict[str, Any] = {
    "operators": [["K", "box", ["reflexive", "transitive"], [], []], ["B", "box", ["serial"], ["K"], ["K"]]],
    "postulates": [],
    "projection": "middle",
    "distinct": True,
}
PRINCIPLES = principles(THEORY)


ALL = range(len(PRINCIPLES))


@pytest.mark.parametrize("wanted", [[], *([at] for at in ALL), [0, ALL[-1]], [1, 2, 5], ALL])
def test_no_weaker_theory_is_asked_twice(wanted: Sequence[int]) -> None:
    needed, asked = [PRINCIPLES[at] for at in wanted], list[str]()

    def ask(weaker: Mapping[str, Any]) -> Mapping[str, Answer]:
        asked.append(canonical_text(weaker))
        enough = all(each in principles(weaker) for each in needed)
        return {"F": Refutation({}) if enough else Open(3, 3, 1, 0)}

    assert _minimal(THEORY, [], ["F"], ask) == (needed, {})
    assert len(asked) == len(set(asked))
