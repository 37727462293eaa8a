"""Evaluate formulas with updates again, in the models of their certificates.

A shape holds the formulas that updates were reduced to (decision 010). Here the pair's own formulas are evaluated: each
model of the certificate, in the pair's names, is updated by the kernel (`certify.product`), event after event of a
story, and premise and hypothesis have to have the values that the certificate claims. `exh` is strengthened before, and
stays on trust; so does a pair in whose model a precondition has a gap.
"""

from __future__ import annotations

from typing import Any

from gramprobe.certify.model import Model, ModelError
from gramprobe.certify.reject import CertificateError
from gramprobe.decide.label import Decider
from gramprobe.decide.narrative import is_story
from gramprobe.decide.verdict import Decision, Shape, Verdict, rests_on_trust
from gramprobe.explain.stories import NoProduct, after_story, evaluator_of, expanded_event, filled_in
from gramprobe.formula import ast, sorts
from gramprobe.formula.ast import Formula
from gramprobe.formula.definitions import expand
from gramprobe.formula.encoding import to_json
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import TheorySlice
from gramprobe.formula.updates import has_updates

MOST = 200
"""Shapes without an accepted line that are decided here; beyond, rows are not compared."""


class UpdatingDecider(Decider):
    """Decides pairs, and evaluates those with updates again.

    A shape without an accepted certificate is decided by the engines, so that rows are compared with what is so, and
    none is accused where its certificate alone is wrong. It is among `lacking`, and the dataset is not accepted.

    Attributes:
        wrong: shape -> how a value of its certificate differs.
        evaluated: how many models were evaluated again, and how many could not be.
        lacking: shapes without an accepted certificate.
        open: whether one of these is not decided here: nobody can say what rows rest on it.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.wrong: dict[str, str] = {}
        self.evaluated = {True: 0, False: 0}
        self.lacking: set[str] = set()
        self.open = False
        self._anew = Decider(dependence=True)
        self._known: set[tuple[Formula, Formula]] = set()

    def _verdict(self, shape: Shape) -> Verdict:
        verdict = super()._verdict(shape)
        if verdict.kind:
            return verdict
        self.lacking.add(shape.id)
        if len(self.lacking) <= MOST:
            verdict = self._anew._verdict(shape)
        self.open = self.open or not verdict.kind or rests_on_trust(verdict.kind)
        return verdict

    def decision(self, premise: Formula, hypothesis: Formula, theory: TheorySlice | None = None) -> Decision:
        """As `Decider.decision`; a difference goes to `wrong`."""
        decision = super().decision(premise, hypothesis, theory)
        if (premise, hypothesis) not in self._known and (has_updates(premise) or has_updates(hypothesis)):
            self._known.add((premise, hypothesis))
            for value in decision.verdict.models:
                try:
                    wrong = difference(premise, hypothesis, theory or self.theory, decision.model(value), value)
                    self.evaluated[True] += 1
                except (NoProduct, ModelError, CertificateError):
                    self.evaluated[False] += 1
                    continue
                if wrong:
                    self.wrong[decision.shape.id] = wrong
        return decision


def difference(premise: Formula, hypothesis: Formula, theory: TheorySlice, model: Model, expected: str) -> str:
    """How a pair differs from what a model is to show: a premise that commits, a hypothesis with the `expected` value.

    Empty if it does not. Raises NoProduct, ModelError or CertificateError where the model does not determine it.
    """
    definitions = {definition.name: definition for definition in theory.definitions}
    if any(ast.Exhaustified in ast.kinds(formula) for formula in (premise, hypothesis)):
        raise NoProduct
    before, after = sorts.resolve((expand(premise, definitions), expand(hypothesis, definitions)))
    inside = (part for event in theory.events for part in expanded_event(event, definitions).formulas())
    whole = filled_in(model, symbols(before, after, *inside), theory)
    if is_story(before):
        evaluator = after_story(whole, before, theory)
        if evaluator is None:
            return "an event of the story cannot happen in its model"
    else:
        evaluator = evaluator_of(whole, theory)
        asked = isinstance(before, ast.Interrogative)
        found = _value(before, evaluator)
        if found not in ("TF" if asked else "T"):
            return f"the premise, updated by its events, is {found} in its model"
    found = _value(after, evaluator)
    return "" if found == expected else f"the hypothesis, updated by its events, is {found} in its model for {expected}"


def _value(formula: Formula, evaluator: Any) -> str:
    body = formula.body if isinstance(formula, ast.Interrogative) else formula
    value: str = evaluator.value(to_json(body), evaluator.model.actual, {})
    return value
