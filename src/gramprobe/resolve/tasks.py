"""The tasks that a paradigm may set: which headings it has, what its pairs relate, which conditions it must have.

    nli            premise => hypothesis                 a label (entailment, neutral, contradiction)
    choice         sentence => option                    which readings of the sentence each of two options fits
    continuation   ambiguous, control => followup        which readings each of two follow-ups fits
    coref          sentence => followup, hypothesis      where its pronoun has an antecedent, and what exists

In all but the first a pair is decided for every reading of its left side.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Headings:
    """`left`, `right`: the headings that pairs relate; `others`: headings whose conditions stand in no pair.

    `counts`: how many conditions a heading has, where that is fixed; `names`: what they are called, where that is.
    """

    name: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    others: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def headings(self) -> tuple[str, ...]:
        return (*self.left, *self.right, *self.others)

    @property
    def by_reading(self) -> bool:
        """Whether pairs claim something of readings instead of a label."""
        return self.name != "nli"


TASKS: dict[str, Headings] = {
    task.name: task
    for task in (
        Headings("nli", ("premise",), ("hypothesis",)),
        Headings("choice", ("sentence",), ("option",), counts={"sentence": 1, "option": 2}),
        Headings(
            "continuation",
            ("ambiguous", "control"),
            ("followup",),
            counts={"ambiguous": 1, "control": 1},
            names={"followup": ("inverse", "surface")},
        ),
        Headings(
            "coref",
            ("sentence",),
            ("followup", "hypothesis"),
            ("candidate",),
            {"sentence": 1, "followup": 1, "hypothesis": 1},
            {"candidate": ("subject", "embedded", "pronoun")},
        ),
    )
}
