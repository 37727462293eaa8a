"""The page of a decision: the models and proofs behind a label, in words and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from gramprobe import shown
from gramprobe.certify.model import Model
from gramprobe.decide.verdict import Decision
from gramprobe.explain.picture import Figure, sheet, text
from gramprobe.explain.reason import VALUE_NAMES
from gramprobe.explain.words import DecisionInWords, in_words
from gramprobe.formula.ast import Formula
from gramprobe.formula.measure import symbols
from gramprobe.formula.notation import show
from gramprobe.formula.theory import TheorySlice

WIDTH = 100
"""Characters in a line of running text."""


@dataclass(slots=True, repr=False)
class Explained:
    """A page: its text, the same as JSON data, its figures, and these as one SVG document (empty without figures); and
    the trees of an item's sentences, by condition. A notebook shows the text and the pictures."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)
    svg: str = ""
    figures: list[Figure] = field(default_factory=list)
    trees: dict[str, shown.Node] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        trees = [
            f"{shown.paragraph(f'tree of {name}')}{shown.picture(shown.tree(each), 'as in the text')}"
            for name, each in self.trees.items()
        ]
        models = [shown.picture(self.svg, "models, as in the text")] if self.svg else []
        return shown.together([shown.lines(self.text), *trees, *models])


def _model(self: Model) -> str:
    return sheet([Figure(self)])


def _decision(self: Decision) -> str:
    """A label with what it rests on, and the models of its certificate."""
    verdict = self.verdict
    known = {
        "certificate": f"{verdict.kind} (shape {self.shape.id})",
        "values of the hypothesis": verdict.h_values,
        "rests on": self.rests_on_text,
    }
    figures = [
        Figure(self.model(v), f"The premise holds and the hypothesis is {VALUE_NAMES[v]}.") for v in verdict.models
    ]
    pictures = [shown.picture(sheet(figures), "models of the certificate")] if figures else []
    return shown.together([shown.facts(verdict.label or "no label", known), *pictures])


def give_looks() -> None:
    """Let models and decisions show themselves in a notebook: the kernel and what decides know of no pictures."""
    for kind, name, method in ((Model, "_repr_svg_", _model), (Decision, "_repr_html_", _decision)):
        setattr(kind, name, method)


def pair(
    decision: Decision, premise: Formula, hypothesis: Formula, theory: TheorySlice, label: str | None = None
) -> Explained:
    """The models and proofs behind the label of two formulas of a theory slice.

    The data are `models` (value -> model) and `told` (value -> sentences; `conclusion`).
    """
    verdict = decision.verdict
    name = label or verdict.label or "no label"
    story = in_words(decision, premise, hypothesis, theory)
    predicates = symbols(premise, hypothesis, *theory.postulates).predicates
    propositions = frozenset(predicate for predicate, arity in predicates if arity == 0)
    lines = [f"certificate {verdict.kind} (shape {decision.shape.id})"]
    lines += [f"rests on {decision.rests_on_text}"] if decision.rests_on else []
    if story.events:
        lines += ["what the story does:", *_prose(story.events)]
    figures = []
    for value, (model, sentences) in story.scenes.items():
        title = (
            f"a model in which the premise holds and the hypothesis is {VALUE_NAMES[value]} "
            f"(actual world w{model.actual})"
        )
        scenes = [(model, title, sentences)]
        if value in story.after:
            left = story.after[value]
            then = f"the same as the story leaves it (actual world w{left.actual})"
            scenes = [(model, title, sentences[:1]), (left, then, sentences[1:])]
            if not model.predicates:  # facts before the story do not matter
                scenes = [(left, title.replace(" (", ", as the story leaves it ("), sentences)]
        for each, head, notes in scenes:
            lines += [f"{head}:", *("  " + line for line in text(each, propositions)), *_prose(notes)]
            figures.append(Figure(each, head[0].upper() + head[1:], notes, propositions))
    lines += [part for each in story.conclusion for part in wrap(each, WIDTH, break_on_hyphens=False)]
    heading = f"{show(premise)}  =>  {show(hypothesis)}: {name}"
    drawing = sheet(figures, heading, (*story.events, *story.conclusion))
    return Explained("\n".join(lines), _data(story), drawing, figures)


def _prose(sentences: Sequence[str]) -> list[str]:
    return [
        part
        for each in sentences
        for part in wrap(each, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    ]


def _data(story: DecisionInWords) -> dict[str, Any]:
    after = {"after": {value: model.to_json() for value, model in story.after.items()}} if story.events else {}
    return {
        **after,
        "models": {value: model.to_json() for value, (model, _) in story.scenes.items()},
        "told": {
            **{value: list(sentences) for value, (_, sentences) in story.scenes.items()},
            "conclusion": list(story.conclusion),
            **({"events": list(story.events)} if story.events else {}),
        },
    }
