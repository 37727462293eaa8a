"""Models and proofs in words: what holds where, why a sentence is true there, why no other value is possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gramprobe.certify.model import Model, ModelError
from gramprobe.certify.rule import EXCLUDED
from gramprobe.decide.wording import counted, searched
from gramprobe.explain.picture import arrows, holding, named, sets
from gramprobe.explain.reason import VALUE_NAMES, Reasons
from gramprobe.explain.stories import NoProduct, final_model, happenings
from gramprobe.formula import ast
from gramprobe.formula.definitions import expand

if TYPE_CHECKING:
    from gramprobe.decide.verdict import Decision, Verdict
    from gramprobe.formula.ast import Formula
    from gramprobe.formula.theory import TheorySlice


@dataclass(frozen=True, slots=True)
class DecisionInWords:
    """A decision in sentences.

    Attributes:
        scenes: possible value -> its model, in the pair's own names, and two sentences: why the premise holds there,
            and why the hypothesis has that value.
        conclusion: why there is no other value, or why that does not matter.
        events: what each event of a story changes; empty without a story.
        after: value -> the final model of a story, where it can be built.
    """

    scenes: Mapping[str, tuple[Model, tuple[str, ...]]]
    conclusion: tuple[str, ...]
    events: tuple[str, ...] = ()
    after: Mapping[str, Model] = field(default_factory=dict)


def in_words(decision: Decision, premise: Formula, hypothesis: Formula, theory: TheorySlice) -> DecisionInWords:
    """A decision on two formulas of a theory slice in sentences; strengthening and updates are shown reduced."""
    from gramprobe.decide.narrative import is_story
    from gramprobe.decide.reduce import needs_reduction, reduce

    story = is_story(premise)
    question = hypothesis.body if isinstance(hypothesis, ast.Interrogative) else hypothesis
    tale, whole = premise, theory
    after: dict[str, Model] = {}
    if needs_reduction(premise, theory) or needs_reduction(hypothesis, theory):
        premise, hypothesis, theory = reduce(premise, hypothesis, theory)
    scenes: dict[str, tuple[Model, tuple[str, ...]]] = {}
    for value in decision.verdict.models:
        model = decision.model(value)
        reasons = Reasons(model, theory)
        here = f"w{model.actual}"
        asked = isinstance(premise, ast.Interrogative)
        plain = premise.body if isinstance(premise, ast.Interrogative) else premise
        body = hypothesis.body if isinstance(hypothesis, ast.Interrogative) else hypothesis
        committed = "asks and so commits to a value" if asked else "holds"
        first = f"The premise {committed} at {here}: {reasons.because(plain)}."
        second = f"The hypothesis is {VALUE_NAMES[value]} there: {reasons.because(body)}."
        if story:
            first = f"What the premise tells can happen at {here}; the model is that before it has happened."
            if not model.predicates:
                first = "What the premise tells can happen, whatever was so before it."
            second = f"The hypothesis is {VALUE_NAMES[value]} after it."
            left = _final_model(model, tale, question, whole, value)
            if left is not None:
                after[value] = left
                why = Reasons(left, whole).because(_expanded(question, whole))
                second = f"The hypothesis is {VALUE_NAMES[value]} then: {why}."
        if _clause(first) == _clause(second):
            second = f"The hypothesis is {VALUE_NAMES[value]} there for the same reason."
        scenes[value] = model, (first, second)
    events = happenings(tale, question, whole) if story else ()
    return DecisionInWords(scenes, conclusion(decision.verdict, premise, hypothesis), events, after)


def _expanded(formula: Formula, theory: TheorySlice) -> Formula:
    return expand(formula, {definition.name: definition for definition in theory.definitions})


def _final_model(
    model: Model, premise: Formula, hypothesis: Formula, theory: TheorySlice, expected: str
) -> Model | None:
    """The final model of a story; None if it cannot be built or does not give the hypothesis the expected value."""
    try:
        left = final_model(model, premise, hypothesis, theory)
        return left if Reasons(left, theory).value(_expanded(hypothesis, theory)) == expected else None
    except (NoProduct, ModelError):
        return None


def _clause(sentence: str) -> str:
    return sentence.partition(": ")[2]


def conclusion(verdict: Verdict, premise: Formula, hypothesis: Formula) -> tuple[str, ...]:
    """Why the label holds: which values are excluded and by what kind of proof, or that two models are enough.

    The value undefined is mentioned only for hypotheses with presuppositions.
    """
    gappy = any(map(ast.may_be_undefined, ast.walk(hypothesis)))
    modal = any(isinstance(part, ast.Modal) for each in (premise, hypothesis) for part in ast.walk(each))
    excluded = [value for value in EXCLUDED[verdict.label] if gappy or value != "U"]
    if not excluded:
        other = " or ".join(VALUE_NAMES[value] for value in verdict.h_values if value != "T")
        return (f"Where the premise holds the hypothesis can be true and can be {other}: the models show it, "
                "and a model needs no proof.",)  # fmt: skip
    grouped: dict[str, list[str]] = {}
    for value in excluded:
        grouped.setdefault(why_absent(verdict.absent[value], modal), []).append(VALUE_NAMES[value])
    if verdict.label is None:
        return tuple(f"In no model does the premise hold. {why}" for why in grouped)
    return tuple(
        f"In no model does the premise hold with the hypothesis {' or '.join(values)}. {why}"
        for why, values in grouped.items()
    )


def why_absent(proof: Mapping[str, Any], modal: bool = True) -> str:
    """How a proof of this kind shows that there is no model, in words. ``modal``: the formulas have operators."""
    match proof["kind"]:
        case "type-elimination" if not modal:
            return (
                "All ways in which a world could be were listed, by which parts of the formulas hold there, and none "
                "of them would do (type elimination). That covers models of every size."
            )
        case "type-elimination":
            return (
                "All ways in which a world could be were listed, by which parts of the formulas hold there; those that "
                "need to see a world that there cannot be were struck out, again and again, and no way is left that "
                "would do (type elimination). That covers models of every size."
            )
        case "venn":
            return (
                "Only how many individuals there are of each description matters here, the regions of a Venn diagram, "
                "and the demands on these numbers contradict each other (Venn counting). That covers finite models of "
                "every size."
            )
        case "herbrand":
            return (
                "In such a model what the formulas say would hold of all individuals, so also of those with a name and "
                "of those that they say there are; written out for these few it contradicts itself (Herbrand "
                "instances, with a refutation that was re-checked). That covers models of every size."
            )
        case "prover":
            name = proof.get("name", "")
            return f"So says the outside prover {name}; its proof is kept as text and is not re-checked here."
        case _:
            return (f"None with up to {searched(proof)}, that is: nobody has looked at larger ones, and the label is "
                    "not certain.")  # fmt: skip


def counter_model_lines(decision: Decision, label: str, expected: str) -> list[str]:
    """Why a pair with this label does not have the expected one, as lines: a counter-model, or the missing models."""
    from gramprobe.decide.label import in_full

    decision = in_full(decision)
    wanted = {"entailment": "FU", "contradiction": "T", "neutral": "TFU"}[expected]
    verdict = decision.verdict
    if expected == "neutral":
        missing = "true" if label == "contradiction" else "false or undefined"
        depth = [proof for proof in verdict.absent.values() if proof["kind"] == "bounded"]
        limit = f" with up to {searched(depth[0])}" if depth else ""
        return [f"no model{limit} makes the hypothesis {missing} ({verdict.kind})"]
    values = [value for value in wanted if value in verdict.models]
    if not values:
        return []
    model = decision.model(values[0])
    size = f"{counted(model.worlds, 'world')}, {counted(model.individuals, 'individual')}"
    hypothesis = VALUE_NAMES[values[0]]
    head = f"countermodel ({size}): at w{model.actual} the premise is committed to, the hypothesis {hypothesis}"
    return [head, *("  " + line for line in described(model))]


def described(model: Model) -> list[str]:
    """A model as lines of text, one for each world: what holds there, and which worlds it sees."""
    names, relations = named(model), arrows(model)
    lines: list[str] = []
    for world in range(model.worlds):
        parts = []
        for predicate, extension in sorted(model.predicates.items()):
            inside = ", ".join(_tuple(t, names) for t in sorted(extension[world]))
            parts.append(f"{predicate} {{{inside}}}")
        for operator, sees in relations:
            parts.append(f"{operator} sees {', '.join(f'w{v}' for v in sees[world]) or 'nothing'}")
        lines.append(f"w{world}  " + "   ".join(parts))
    return lines


def _tuple(members: tuple[int, ...], names: list[str]) -> str:
    """`jo`, `(jo, d1)`; for a proposition that holds, `true`."""
    if not members:
        return "true"
    return names[members[0]] if len(members) == 1 else "(" + ", ".join(names[m] for m in members) + ")"


def distinguishing_model(theories: tuple[str, str], was: Decision, now: Decision) -> str:
    """A model of one theory that the label in the other theory excludes, in one line; empty without such a model."""
    for theory, here, there in ((theories[1], now, was), (theories[0], was, now)):
        for value in EXCLUDED[there.verdict.label]:
            if value in here.verdict.models:
                model = in_a_line(here.model(value))
                return f"in {theory} the premise can hold with the hypothesis {VALUE_NAMES[value]}: {model}"
    return ""


def in_a_line(model: Model) -> str:
    """A model in one line: what holds in each world, then what each world sees."""
    worlds = []
    for world in range(model.worlds):
        actual = " (actual)" if world == model.actual and model.worlds > 1 else ""
        worlds.append(f"w{world}{actual} {{{'; '.join(line for line, _ in holding(model, world))}}}")
    seen = []
    for name, sees in arrows(model):
        targets = (" ".join(f"w{v}" for v in those) or "nothing" for those in sees.values())
        seen.append(f"{name} " + ", ".join(f"w{w} -> {target}" for w, target in zip(sees, targets, strict=True)))
    return "; ".join([" ".join(worlds), *seen, *sets(model)])
