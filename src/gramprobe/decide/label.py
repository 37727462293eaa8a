"""The label of a pair: :func:`decide` derives it, and a :class:`Decider` has each shape decided once.

**commit(P)**: the pointed models of the theory T in which P is true (a declarative) or defined (a polar
question). **entailment**: H is true throughout commit(P). **contradiction**: H is true nowhere in commit(P)
and false somewhere in it. **neutral**: H is true somewhere in it and not everywhere. H undefined throughout
is a *presupposition failure*. Beside the label stand findings, errors in a build: commit(P) empty; H true at
every pointed model of T, or true at none; H a question.
"""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Callable, Container, Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, Protocol, cast

import msgspec

from gramprobe.certify.check import canonical_text
from gramprobe.certify.model import Model
from gramprobe.certify.rule import EXCLUDED, kind_of, label_of
from gramprobe.decide.dependence import dependence, dependence_by_letters
from gramprobe.decide.narrative import is_story
from gramprobe.decide.procedure import Case, answers
from gramprobe.decide.question import Answer, Need, Open, Value, Wanted
from gramprobe.decide.shapes import shape_text
from gramprobe.decide.skeleton import by_letters
from gramprobe.decide.together import Combinations, repeats
from gramprobe.decide.verdict import (
    UNCERTIFIED,
    Asked,
    Decision,
    Finding,
    Label,
    Proof,
    Shape,
    Verdict,
    certificate_text,
    displayed,
    renamed,
    uncertified,
)
from gramprobe.formula.ast import TRUE, Formula
from gramprobe.formula.canonical import Renaming
from gramprobe.formula.encoding import Json
from gramprobe.formula.theory import MIDDLE, TheorySlice

_VALUES: tuple[Value, ...] = ("T", "F", "U")
_ALONE: dict[Value, str] = {"N": "FU", "T": "T"}
"""Values that the hypothesis must be able to take by itself; and the values where P commits that show it at once."""
_SETTLED: dict[Value, Finding] = {"N": "hypothesis valid", "T": "hypothesis impossible"}
"""What it is if it cannot take such a value."""
_SHOWN = 2
"""So many models of pairs decided before are tried for a value, where a label alone is wanted. Older ones hardly ever
are models of a pair that these are not."""
_IDLE = {"U": "F"}
"""A value that no label hangs on, and that which makes it so where P commits."""


def decide(
    theory: Mapping[str, Any],
    premise: Json | None,
    hypothesis: Json,
    oracle: str | None = None,
    with_dependence: bool = False,
    candidates: Mapping[str, Sequence[Model]] | None = None,
    at_length: bool = True,
) -> Verdict:
    """The verdict on a pair of formulas in a theory slice, all as JSON data. This is where a label is decided.

    A premise of None commits to nothing. Every model and proof in the verdict has passed the kernel. ``oracle`` names
    an outside prover for questions that the engines leave open; ``with_dependence``: also which principles an
    entailment or a contradiction rests on; ``candidates``: models, by value of the hypothesis, that are tried first;
    not ``at_length``: whether it may be undefined is left open where it may be false and that is not seen at once.
    Raises ValueError for a formula that has no truth value yet (updates, exh, free variables).
    """
    asked, idle = _of_values(premise, hypothesis), {} if at_length else _IDLE
    known = by_letters(theory, asked)
    needs: tuple[Need, ...] | None = None
    proofs: Mapping[str, Proof] = {}
    resting = _resting(asked, known)
    if with_dependence and known:
        needs, proofs = dependence_by_letters(theory, resting) or (None, {})
    left = {value: wanted for value, wanted in asked.items() if value not in proofs}
    found = answers(theory, left, oracle, candidates=candidates, idle=idle, known=known)
    if needs is not None and _resting(asked, found).keys() != resting.keys():  # a model of letters was none of the pair
        needs, proofs = None, {}
        found = answers(theory, asked, oracle, candidates=candidates, idle=idle)
    models: dict[str, Model] = {each: answer for each in _VALUES if isinstance(answer := found.get(each), Model)}
    absent = {value: answer.proof for value, answer in found.items() if not isinstance(answer, Model)}
    absent = {value: each for value in _VALUES if (each := proofs.get(value, absent.get(value))) is not None}
    h_values = "".join(models)
    label = cast("Label | None", label_of(h_values))
    if with_dependence and needs is None:
        resting = _resting(asked, found)
        needs, proofs = dependence(theory, resting, {value: absent[value] for value in resting})
        absent |= proofs

    by_itself = _not_shown(theory, hypothesis, h_values, oracle)
    alone: dict[str, Model | Proof] = {
        value: answer if isinstance(answer, Model) else answer.proof for value, answer in by_itself.items()
    }
    findings: list[Finding] = [] if h_values else ["premise inconsistent"]
    findings += _settled(by_itself)
    if hypothesis[0] == "question":
        findings.append("hypothesis is a question")

    kind = kind_of([absent[value] for value in EXCLUDED[label]])
    return Verdict(
        label=label,
        h_values=h_values,
        kind=kind,
        models=models,
        absent=absent,
        alone=alone,
        findings=tuple(findings),
        rests_on=needs,
    )


def _resting(asked: Mapping[str, Wanted], found: Mapping[str, Answer]) -> dict[str, Wanted]:
    """The questions about the values that a label excludes: that of the values which have a model."""
    shown = "".join(value for value in _VALUES if isinstance(found.get(value), Model))
    return {value: wanted for value, wanted in asked.items() if value in EXCLUDED[label_of(shown)]}


@lru_cache(maxsize=4096)
def _alone(theory: bytes, hypothesis: bytes, value: Value, oracle: str | None) -> Answer:
    """Whether a hypothesis can have a value where nothing is said before: one answer for all its premises.

    Theory and hypothesis are JSON. The model under middle Kleene is tried first under other projections.
    """
    data, candidates = msgspec.json.decode(theory), []
    if data["projection"] != MIDDLE.data:
        middle = _alone(msgspec.json.encode({**data, "projection": MIDDLE.data}), hypothesis, value, oracle)
        candidates = [middle] if isinstance(middle, Model) else []
    wanted = msgspec.json.decode(hypothesis), value
    after_nothing: Wanted = ((["true"], "T"), wanted)
    known = by_letters(data, {value: after_nothing})
    return answers(data, {value: (wanted,)}, oracle, candidates={value: candidates}, known=known)[value]


def _uncertified(
    theory: Mapping[str, Any], premise: Json, hypothesis: Json, combinations: Combinations
) -> Verdict | None:
    """The verdict of `decide` without models and proofs; None if there is no label, if the hypothesis is a question, or
    if engines leave something open."""
    found = None if hypothesis[0] == "question" else combinations.models(theory, premise, hypothesis)
    if found is None:
        return None
    values = "".join(found)
    impossible = "T" not in values and premise[0] != "question" and repeats(theory, premise, hypothesis)
    by_itself = _not_shown(theory, hypothesis, values + "T" * impossible, None)
    if any(isinstance(answer, Open) for answer in by_itself.values()):
        return None
    return uncertified(values, [*_settled(by_itself), *[_SETTLED["T"]] * impossible])


def _not_shown(theory: Mapping[str, Any], hypothesis: Json, shown: str, oracle: str | None) -> dict[Value, Answer]:
    """Whether the hypothesis by itself can have each value of :data:`_ALONE` that the values ``shown`` leave open."""
    return {
        value: _alone(msgspec.json.encode(theory), msgspec.json.encode(hypothesis), value, oracle)
        for value, others in _ALONE.items()
        if set(others).isdisjoint(shown)
    }


def _settled(by_itself: Mapping[Value, Answer]) -> list[Finding]:
    """What a hypothesis is that cannot have these values by itself."""
    return [_SETTLED[value] for value, answer in by_itself.items() if not isinstance(answer, Model)]


def in_full(decision: Decision) -> Decision:
    """The decision with the models and proofs of its certificate, which an uncertified one lacks."""
    if decision.verdict.kind != UNCERTIFIED:
        return decision
    return replace(decision, verdict=Decider()._verdict(decision.shape))


def label_alone(
    theory: Mapping[str, Any], premise: Json | None, hypothesis: Json, candidates: Mapping[str, Sequence[Model]]
) -> tuple[Label | None, dict[str, Model]]:
    """The label that `decide` finds, and models by value of the hypothesis, without what it rests on: nothing is asked
    that it does not hang on. ``candidates``: models, by value, that are tried first."""
    found = answers(theory, _of_values(premise, hypothesis), unless=_IDLE, candidates=candidates)
    models: dict[str, Model] = {value: each for value in _VALUES if isinstance(each := found.get(value), Model)}
    return cast("Label | None", label_of("".join(models))), models


def _committed(premise: Json | None) -> Wanted:
    asked = premise is not None and premise[0] == "question"
    return () if premise is None else ((premise, "D" if asked else "T"),)


def _of_values(premise: Json | None, hypothesis: Json) -> dict[str, Wanted]:
    """For each value that the hypothesis may have where a premise commits, the question whether it has it."""
    return {value: (*_committed(premise), (hypothesis, value)) for value in _VALUES}


class Verdicts(Protocol):
    """A store of verdicts: between runs (`decide.cache`), or instead of the engines (`dataset.verify`)."""

    def get(self, shape: Shape, dependence: bool) -> Verdict | None:
        """The verdict on a shape, with or without `rests_on`, checked by the kernel; None if it is not stored."""

    def uncertified(self, shape: Shape) -> Verdict | None:
        """The verdict on a shape that stands in no dataset: one without models and proofs, or one of which a search has
        left a part open."""

    def put(self, shape: Shape, verdict: Verdict) -> None:
        """Keep a verdict."""


class Decider:
    """Decides pairs, each shape once.

    `kept`: verdicts of earlier runs; `oracle`: an outside prover for questions that the engines leave open;
    `dependence`: also derive what each label rests on; `tries`: what was left open once is not searched for again;
    `at_length`: as in `decide`; not `certified`: verdicts that no dataset has and nobody is shown may lack the models
    and proofs (`verdict.UNCERTIFIED`), which `in_full` finds.
    """

    def __init__(
        self,
        theory: TheorySlice | None = None,
        *,
        kept: Verdicts | None = None,
        oracle: str | None = None,
        dependence: bool = False,
        tries: bool = False,
        at_length: bool = True,
        certified: bool = True,
    ) -> None:
        self.theory, self.at_length = theory or TheorySlice(), at_length
        self.combinations = None if certified or oracle else Combinations()
        self.kept, self.oracle, self.dependence, self.tries = kept, oracle, dependence, tries
        self.verdicts: MutableMapping[str, tuple[Shape, Verdict]] = {}
        self._unasked: dict[str, Verdict] = {}
        self._labels: dict[str, Label | None] = {}
        self._shown: dict[str, list[Model]] = {value: [] for value in _VALUES}

    @cached_property
    def of_labels(self) -> Decider:
        """A decider of labels alone, without what they rest on; it knows the verdicts of this one, too."""
        return self._beside(certified=False)

    @cached_property
    def of_tries(self) -> Decider:
        """The same for labels that stand nowhere: those of further readings that are tried."""
        return self._beside(certified=False, tries=True)

    @cached_property
    def of_readings(self) -> Decider:
        """The same for people's sentences, of which the label of each choice of readings is wanted."""
        return self._beside(dependence=self.dependence, at_length=False)

    def _beside(self, **how: bool) -> Decider:
        decider = Decider(self.theory, kept=self.kept, oracle=self.oracle, **how)
        decider.verdicts = ChainMap({}, self.verdicts)
        if decider.combinations is not None:
            decider.combinations = self.combinations or decider.combinations
        return decider

    def decision(self, premise: Formula, hypothesis: Formula, theory: TheorySlice | None = None) -> Decision:
        """The decision on a pair in a theory (by default the decider's own).

        If the premise is a story (`decide.narrative`), the findings are about the hypothesis by itself; those of the
        certificate are about the pair as it was decided, with the hypothesis after the story. Raises as `shape_text`.
        """
        part = theory or self.theory
        text, renaming = shape_text(premise, hypothesis, part)
        if text not in self.verdicts:
            shape = Shape.of(text)
            verdict = self._tried(shape, renaming) if self.tries else None
            self.verdicts[text] = shape, verdict or self._verdict(shape)
        glosses = {each.name: each.gloss for each in part.operators if each.gloss}
        alone = shape_text(TRUE, hypothesis, part)[0] if is_story(premise) and not self.tries else ""
        return self._decision(Asked(text, renaming, glosses, alone), lambda: part)

    def recalled(self, asked: Asked, part: Callable[[], TheorySlice]) -> Decision | None:
        """The decision on a pair of which it is known what it asks for; None where no verdict on its shape is kept."""
        if asked.text not in self.verdicts:
            shape = Shape.of(asked.text)
            verdict = self._stored(shape)
            if verdict is None:
                return None
            self.verdicts[asked.text] = shape, verdict
        return self._decision(asked, part)

    def _decision(self, asked: Asked, part: Callable[[], TheorySlice]) -> Decision:
        shape, verdict = self.verdicts[asked.text]
        if asked.alone:
            kept = [each for each in verdict.findings if each not in ("hypothesis valid", "hypothesis impossible")]
            verdict = replace(verdict, findings=(*kept, *_by_itself(asked.alone)), text=None)
        return Decision(shape, verdict, asked, part)

    def label(self, premise: Formula, hypothesis: Formula, theory: TheorySlice, like: Decision) -> Label | None:
        """The label of a pair that stands nowhere, as `decision` finds it. The models of ``like``, the decision on a
        pair that is nearly the same, are tried first, and those of the last labels. Raises as `shape_text`."""
        text, renaming = shape_text(premise, hypothesis, theory)
        if text not in self._labels:
            known = self.verdicts.get(text)
            verdict = known[1] if known else self.kept.get(Shape.of(text), self.dependence) if self.kept else None
            if verdict is None:
                models = {
                    value: [renamed(each, renaming) for each in (*_model_of(like, value), *shown)]
                    for value, shown in self._shown.items()
                }
                data = json.loads(text)
                label, found = label_alone(data["theory"], data["premise"], data["hypothesis"], models)
                self._note({value: each for value, each in found.items() if each not in models[value]}, renaming)
            else:
                label = verdict.label
            self._labels[text] = label
        return self._labels[text]

    def try_first(self, decision: Decision) -> None:
        """Have the models of a decision tried first, for pairs whose label alone is wanted."""
        self._note(decision.verdict.models, decision.renaming)

    def _note(self, models: Mapping[Any, Model], renaming: Renaming) -> None:
        """Have models, by value of the hypothesis, tried first from now on."""
        for value, model in models.items():
            self._shown[value] = [displayed(model, renaming), *self._shown[value][: _SHOWN - 1]]

    def _tried(self, shape: Shape, renaming: Renaming) -> Verdict | None:
        """The verdict on a pair whose label alone is wanted, without findings; None as for `_uncertified`. Models of
        the last pairs, which differ little, are tried first: what they show to be true and to be false is neutral."""
        stored = self._stored(shape)
        data = msgspec.json.decode(shape.text)
        if stored or self.combinations is None or data["hypothesis"][0] == "question":
            return stored
        asked = _of_values(data["premise"], data["hypothesis"])
        case = Case(data["theory"], {value: asked[value] for value in "TF"})
        for value in case.questions:
            for model in self._shown[value]:
                if value in case.open and (value == "T" or "T" in case.answers):
                    case.propose(value, renamed(model, renaming))
        if not case.open:
            return uncertified("TF", ())
        found = self.combinations.models(**data, of_label=True)
        self._note(found or {}, renaming)
        return uncertified("".join(found), ()) if found else None

    def _verdict(self, shape: Shape) -> Verdict:
        kept = self._stored(shape)
        if kept is not None:
            return kept
        data = msgspec.json.decode(shape.text)
        pair = data["theory"], data["premise"], data["hypothesis"]
        if self.combinations is not None and not self.tries:
            brief = _uncertified(*pair, self.combinations)
            if brief is not None:
                if self.kept:
                    self.kept.put(shape, brief)
                return brief
        verdict = decide(*pair, self.oracle, self.dependence, self._candidates(data), self.at_length)
        if self.kept and len(verdict.models) + len(verdict.absent) == len(_VALUES):
            verdict = replace(verdict, text=certificate_text(shape, verdict))
            self.kept.put(shape, verdict)
        return verdict

    def _stored(self, shape: Shape) -> Verdict | None:
        if self.kept and self.combinations is not None:
            found = self.kept.uncertified(shape)
            if found is not None and (self.tries or found.kind == UNCERTIFIED):
                return found
        found = self.kept.get(shape, self.dependence) if self.kept else None
        if found is not None and self.oracle and any(map(found.unproved, found.findings)):
            return None  # the prover may show what a search did not
        return found

    def _candidates(self, data: Mapping[str, Any]) -> dict[str, Sequence[Model]]:
        """The models of a pair under middle Kleene, where another projection has the values: most are models under both
        (what is true or false in a weaker table is so in a stronger one), and engines need longer with other tables.

        A pair is decided under middle Kleene first even where nobody asks for it, so that its certificate depends on
        nothing but its shape.
        """
        if data["theory"]["projection"] == MIDDLE.data:
            return {}
        text = canonical_text({**data, "theory": {**data["theory"], "projection": MIDDLE.data}})
        _, verdict = self.verdicts.get(text) or (None, None)
        if verdict is None and self.kept:
            verdict = self.kept.get(Shape.of(text), self.dependence)
        verdict = verdict or self._unasked.get(text)
        if verdict is None:  # several theories need it
            verdict = decide(*(json.loads(text)[part] for part in ("theory", "premise", "hypothesis")))
            self._unasked[text] = verdict
        return {value: [model] for value, model in verdict.models.items()}

    def decided(self, shapes: Container[str] | None = None) -> list[tuple[Shape, Verdict]]:
        """Every shape decided so far, or those of these ids, sorted, with its verdict: what certificates.jsonl says."""
        wanted = [each for each in self.verdicts.values() if shapes is None or each[0].id in shapes]
        return sorted(wanted, key=lambda each: each[0].id)


def _model_of(decision: Decision, value: str) -> tuple[Model, ...]:
    return (decision.model(value),) if value in decision.verdict.models else ()


@lru_cache(maxsize=4096)
def _by_itself(text: str) -> tuple[Finding, ...]:
    """The findings about the hypothesis of a canonical text by itself; after a story it may rightly be valid."""
    data = json.loads(text)
    if data["hypothesis"][0] == "question":
        return ()
    return tuple(_settled(_not_shown(data["theory"], data["hypothesis"], "", None)))
