"""Decides pairs of formulas, each shape once."""

from __future__ import annotations

import json
from collections.abc import Container
from dataclasses import replace
from functools import lru_cache
from typing import Any, Protocol

from gramprobe.certify.model import Model
from gramprobe.decide.label import Finding, Verdict, decided
from gramprobe.decide.line import certificate_line
from gramprobe.decide.narrative import is_story
from gramprobe.decide.procedure import ask
from gramprobe.decide.question import Question, Value
from gramprobe.decide.reduce import needs_reduction, reduce
from gramprobe.decide.shape import Decision, Shape
from gramprobe.formula import ast
from gramprobe.formula.ast import TRUE, Formula
from gramprobe.formula.canonical import Renaming, canonical
from gramprobe.formula.theory import TheorySlice


class Verdicts(Protocol):
    """A store of verdicts: between runs (`decide.cache`), or instead of the engines (`dataset.verify`)."""

    def get(self, shape: Shape, dependence: bool) -> Verdict | None:
        """The verdict on a shape, with or without `rests_on`, checked by the kernel; None if it is not stored."""

    def put(self, shape: Shape, verdict: Verdict) -> None:
        """Keep a verdict."""


class Decider:
    """Decides pairs, each shape once.

    `kept`: verdicts of earlier runs; `oracle`: an outside prover for questions that the engines leave open;
    `dependence`: also derive what each label rests on.
    """

    def __init__(
        self,
        theory: TheorySlice | None = None,
        *,
        kept: Verdicts | None = None,
        oracle: str | None = None,
        dependence: bool = False,
    ) -> None:
        self.theory = theory or TheorySlice()
        self.kept, self.oracle, self.dependence = kept, oracle, dependence
        self.verdicts: dict[str, tuple[Shape, Verdict]] = {}

    def decide(self, premise: Formula, hypothesis: Formula, theory: TheorySlice | None = None) -> Decision:
        """The decision on a pair in a theory (by default the decider's own).

        If the premise is a story (`decide.narrative`), the findings are about the hypothesis by itself; those of the
        certificate are about the pair as it was decided, with the hypothesis after the story. Raises as `shape_text`.
        """
        theory = theory or self.theory
        text, renaming = shape_text(premise, hypothesis, theory)
        known = self.verdicts.get(text)
        if known is None:
            shape = Shape.of(text)
            known = self.verdicts[text] = shape, self._verdict(shape)
        decision = Decision(*known, renaming, theory)
        if not is_story(premise):
            return decision
        shape, verdict = known
        by_itself = _by_itself(shape_text(TRUE, hypothesis, theory)[0])
        kept = tuple(each for each in verdict.findings if each not in ("hypothesis valid", "hypothesis impossible"))
        return replace(decision, verdict=replace(verdict, findings=(*kept, *by_itself)))

    def _verdict(self, shape: Shape) -> Verdict:
        kept = self.kept.get(shape, self.dependence) if self.kept else None
        if kept is not None:
            return kept
        data = json.loads(shape.text)
        verdict = decided(data["theory"], data["premise"], data["hypothesis"], self.oracle, self.dependence)
        if self.kept:
            self.kept.put(shape, verdict)
        return verdict

    def lines(self, shapes: Container[str] | None = None) -> list[dict[str, Any]]:
        """The lines of certificates.jsonl for every shape decided so far, or those of these ids, sorted by shape."""
        wanted = [each for each in self.verdicts.values() if shapes is None or each[0].id in shapes]
        return [certificate_line(*each) for each in sorted(wanted, key=lambda each: each[0].id)]


@lru_cache(maxsize=4096)
def _by_itself(text: str) -> tuple[Finding, ...]:
    """The findings about the hypothesis of a canonical text by itself; after a story it may rightly be valid."""
    _, hypothesis, theory = Shape.of(text).parts()
    if isinstance(hypothesis, ast.Interrogative):
        return ()
    tests: tuple[tuple[Value, Finding], ...] = (("N", "hypothesis valid"), ("T", "hypothesis impossible"))
    return tuple(name for value, name in tests if not isinstance(ask(Question(theory, ((hypothesis, value),))), Model))


def shape_text(premise: Formula, hypothesis: Formula, theory: TheorySlice) -> tuple[str, Renaming]:
    """The canonical text of a pair and the renaming that leads to it; `exh`, definitions and updates are compiled away.

    Raises ValueError for a formula without a truth value, and as `decide.reduce`.
    """
    try:
        return canonical(premise, hypothesis, theory)
    except ValueError:  # something that must be compiled away first, or a mistake
        if not (needs_reduction(premise, theory) or needs_reduction(hypothesis, theory)):
            raise
        return canonical(*reduce(premise, hypothesis, theory))
