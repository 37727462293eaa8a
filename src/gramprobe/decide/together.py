"""Which values two formulas can have together: what the label of a pair hangs on, where nobody is shown a certificate.

    P => H      the combinations in which P is true
    ~P => H     those in which P is false
    ? P => H    both
    P => ~H     those of P => H, with true and false exchanged

So a formula, its negation and its question ask for the same combinations, and each is looked for once. Where small
models show one value of the hypothesis and not the two others, it is proved in one step that it has neither. What a
hypothesis repeats of its premise is left out, and sentences that stand in a pair as wholes are letters first
(`decide.skeleton`).

Models and proofs have passed the kernel, as those of a certificate; a proof with letters is one of all sentences in
their place. They are not those of a certificate: which are found hangs on what was asked before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from gramprobe.certify.check import canonical_text
from gramprobe.certify.classical import FALSE
from gramprobe.certify.model import Model
from gramprobe.decide.procedure import Case
from gramprobe.decide.prove import types
from gramprobe.decide.question import Answer, Refutation, Value, Wanted
from gramprobe.decide.skeleton import skeleton_of
from gramprobe.formula.encoding import Json, formula_from
from gramprobe.formula.theory import CONNECTIVES, MIDDLE, Projection
from gramprobe.formula.trivalence import may_differ

VALUES = "TFU"
_DENIED = {"T": "F", "F": "T", "U": "U"}


class Combinations:
    """What is known of the combinations of values: a key such as `TU`, the premise's value first, has its answer."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Answer]] = {}

    def values(self, theory: Mapping[str, Any], premise: Json, hypothesis: Json) -> str | None:
        """The values of a hypothesis where its premise commits, a part of `TFU`; None if there is none, or if an engine
        leaves one open. Raises ValueError for a formula without a truth value."""
        asked = premise[0] == "question"
        if not asked and _is_plain(theory):
            hypothesis = _beside(premise, hypothesis) or ["true"]
        denied, premise = _positive(premise[1] if asked else premise)
        given = "TF" if asked else "F" if denied else "T"
        denied, hypothesis = _positive(hypothesis)
        known = self._known.setdefault(_text(theory, premise, hypothesis), {})
        wanted = [one + other for one in given for other in VALUES]
        if not known.keys() >= {*wanted}:
            known |= self._answers(theory, premise, hypothesis, [each for each in wanted if each not in known])
        if not known.keys() >= {*wanted}:
            return None
        found = {each[1] for each in wanted if isinstance(known[each], Model)}
        return "".join(each for each in VALUES if (_DENIED[each] if denied else each) in found) or None

    def _answers(
        self, theory: Mapping[str, Any], premise: Json, hypothesis: Json, wanted: list[str]
    ) -> dict[str, Answer]:
        """The answers on some combinations; those that an engine leaves open are missing."""
        case = Case(theory, {each: _wanted(premise, each[0], hypothesis, each[1]) for each in wanted})
        self._of_skeleton(case, premise, hypothesis)
        if not case.open:
            return case.answers
        self._of_middle(case, premise, hypothesis)
        if '"quantified"' not in _text(theory, premise, hypothesis):
            case.ask_together(types.prove)  # it decides formulas without quantifiers, whatever the size of a model
        for each in case.open:
            if FALSE in case.problems[each].goals:
                case.answers[each] = Refutation({})
        case.search(small=True)
        self._deny_two(case, premise, hypothesis)
        case.prove()
        case.prove_more()
        return case.answers

    def _of_skeleton(self, case: Case, premise: Json, hypothesis: Json) -> None:
        """Answer what is known when the skeleton of the pair has been asked."""
        skeleton = skeleton_of(case.theory, premise, hypothesis)
        if skeleton is None:
            return
        pair = skeleton.theory, skeleton.premise, skeleton.hypothesis
        known, wanted = self._known.setdefault(_text(*pair), {}), case.open
        if not known.keys() >= {*wanted}:
            known |= self._answers(*pair, [each for each in wanted if each not in known])
        for each in wanted:
            answer = known.get(each)
            if isinstance(answer, Model):
                case.propose(each, skeleton.own(answer))
            elif answer is not None:
                case.answers[each] = answer

    def _of_middle(self, case: Case, premise: Json, hypothesis: Json) -> None:
        """Answer what is known by way of middle Kleene: most of its models are models under other projections, too; and
        what is true or false in a weaker table is so in its own, so that what it excludes is excluded there."""
        projection = Projection.of(case.theory["projection"])
        middle = self._known.get(_text({**case.theory, "projection": MIDDLE.data}, premise, hypothesis), {})
        weaker = _is_weaker(projection) and all(kind in ("box", "diamond") for _, kind, *_ in case.theory["operators"])
        differs = weaker and may_differ(formula_from(hypothesis), projection, MIDDLE)
        for each in case.open:
            answer = middle.get(each)
            if isinstance(answer, Model):
                case.propose(each, answer)
            elif answer is not None and weaker and (each[1] != "U" or not differs):
                case.answers[each] = answer

    def _deny_two(self, case: Case, premise: Json, hypothesis: Json) -> None:
        """Where two values of the hypothesis are open, ask whether it has one of them."""
        either: dict[str, Wanted] = {}
        for one in "TF":
            match "".join(each[1] for each in case.open if each[0] == one):
                case "FU" as left:
                    either[one + left] = _wanted(premise, one, hypothesis, "N")
                case "TU" as left:
                    either[one + left] = _wanted(premise, one, ["not", hypothesis], "N")
                case "TF" as left:
                    either[one + left] = _wanted(premise, one, hypothesis, "D")
        both = Case(case.theory, either)
        both.prove()
        for key, answer in both.answers.items():
            for each in (key[0] + value for value in key[1:]):
                if isinstance(answer, Model):
                    case.propose(each, answer)
                else:
                    case.answers[each] = answer


def repeats(theory: Mapping[str, Any], premise: Json, hypothesis: Json) -> bool:
    """Whether a hypothesis says its premise again, beside other things, so that it is true only where that is."""
    return _is_plain(theory) and hypothesis[0] == "and" and _beside(premise, hypothesis) != hypothesis


def _is_plain(theory: Mapping[str, Any]) -> bool:
    """Whether a conjunction with something true has the value of the other side, and is true only if both sides are."""
    table = Projection.of(theory["projection"]).table("and")
    return table[:3] == table[::3] == "TFU" and table.count("T") == 1


def _beside(premise: Json, hypothesis: Json) -> Json | None:
    """What a hypothesis says beside its premise, if anything: where the premise is true, the values are the same."""
    if hypothesis == premise:
        return None
    if hypothesis[0] != "and":
        return hypothesis
    parts = [each for each in (_beside(premise, part) for part in hypothesis[1:]) if each is not None]
    return ["and", *parts] if len(parts) == 2 else parts[0] if parts else None


def _is_weaker(projection: Projection) -> bool:
    """Whether each cell of a projection is undefined, or has the value of middle Kleene."""
    cells = zip("".join(map(projection.table, CONNECTIVES)), "".join(map(MIDDLE.table, CONNECTIVES)), strict=True)
    cases = (projection.modals, projection.quantifiers) == (MIDDLE.modals, MIDDLE.quantifiers)
    return cases and all(one in ("U", other) for one, other in cells)


def _wanted(premise: Json, one: str, hypothesis: Json, other: str) -> Wanted:
    return (premise, cast(Value, one)), (hypothesis, cast(Value, other))


def _text(theory: Mapping[str, Any], premise: Json, hypothesis: Json) -> str:
    return canonical_text([theory, premise, hypothesis])


def _positive(formula: Json) -> tuple[bool, Json]:
    """Whether a formula is denied an odd number of times, and what is denied."""
    denied = False
    while formula[0] == "not":
        denied, formula = not denied, formula[1]
    return denied, formula
