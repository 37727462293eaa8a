"""Which values two formulas can have together: what the label of a pair hangs on, where nobody is shown a certificate.

    P => H      the combinations in which P is true
    ~P => H     those in which P is false
    ? P => H    both
    P => ~H     those of P => H, with true and false exchanged
    R(y, x)     those of R(x, y), for a two-place predicate in the whole pair

So a formula, its negation and its question ask for the same combinations, and each is looked for once; a premise like
`P -> q` or `poss P` has those of P (`part`). What a hypothesis repeats of its premise is left out. Names and
descriptions are made parts of predicates first (`saturation`), and sentences that stand in a pair as wholes letters
(`skeleton`). Where small models show one value of the hypothesis and not the two others, it is proved in one step that
it has neither. Nobody is shown a model, so that none needs to be small.

Models and proofs have passed the kernel, as those of a certificate, or follow from such: a proof with letters is one of
all sentences in their place, and a model with letters one of the pair where no sentence hangs on individuals of which
nothing is true. They are not those of a certificate: which are found hangs on what was asked before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import Any, cast

import msgspec

from gramprobe.certify.classical import FALSE
from gramprobe.certify.model import Model
from gramprobe.decide.part import Pair, Part, part_of
from gramprobe.decide.procedure import Case
from gramprobe.decide.prove import types, venn
from gramprobe.decide.question import Answer, Refutation, Value, Wanted
from gramprobe.decide.saturation import Saturation, saturation_of
from gramprobe.decide.skeleton import Skeleton, skeleton_of
from gramprobe.formula.encoding import Json, formula_from
from gramprobe.formula.theory import CELLS, CONNECTIVES, MIDDLE, VALUES, Projection
from gramprobe.formula.trivalence import may_differ

_DENIED = {"T": "F", "F": "T", "U": "U"}
_TERM = r'(\["[a-z]+","[^"]+"\])'
_OF_TWO = re.compile(rf'\["atom","([^"]+)",{_TERM},{_TERM}\]')
"""An atom with two terms, in the text of a pair."""


class Combinations:
    """What is known of the combinations of values: a key such as `TU`, the premise's value first, has its answer."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Answer]] = {}

    def models(
        self, theory: Mapping[str, Any], premise: Json, hypothesis: Json, of_label: bool = False
    ) -> dict[Value, Model] | None:
        """The values of a hypothesis where its premise commits, in the order TFU, each with a model (perhaps one of
        the pair with places exchanged); None if there is none, or if an engine leaves one open. The symbols have the
        names of a shape. ``of_label``: U may be missing beside F, as no label hangs on it there. Raises ValueError for
        a formula without a truth value.
        """
        asked = premise[0] == "question"
        if not asked and _has_plain_conjunction(theory):
            hypothesis = _beside(premise, hypothesis) or ["true"]
        denied, premise = _positive(premise[1] if asked else premise)
        given = "TF" if asked else "F" if denied else "T"
        denied, hypothesis = _positive(hypothesis)
        wanted = [one + other for one in given for other in VALUES]
        false = "T" if denied else "F"
        idle = {one + "U": [other + false for other in given] for one in given} if of_label else {}
        known = self._asked(_in_one_direction(Pair(theory, premise, hypothesis)), wanted, idle)
        if not _is_settled(known, wanted, idle):
            return None
        found = {_DENIED[each[1]] if denied else each[1]: known[each] for each in _with_models(known, wanted)}
        return {cast(Value, each): cast(Model, found[each]) for each in VALUES if each in found} or None

    def can_be_true(self, theory: Mapping[str, Any], formula: Json) -> bool:
        """Whether a formula is true in some model; false, too, if an engine leaves that open. Names and errors as in
        `values`."""
        denied, formula = _positive(formula)
        cell = "FT" if denied else "TT"
        known = self._asked(_in_one_direction(Pair(theory, formula, ["true"])), [cell])
        return isinstance(known.get(cell), Model)

    def _asked(
        self, pair: Pair, wanted: Sequence[str], idle: Mapping[str, Sequence[str]] | None = None
    ) -> Mapping[str, Answer]:
        """All that is known when some combinations have been asked for; those that an engine leaves open are missing,
        and those that are ``idle`` because another one has a model may be. Neither formula is a negation."""
        known = self._known.setdefault(pair.text, {})
        if not _is_settled(known, wanted, idle or {}):
            known |= self._answers(pair, [each for each in CELLS if each not in known], wanted, idle or {})
        return known

    def _answers(
        self, pair: Pair, unknown: Sequence[str], wanted: Sequence[str], idle: Mapping[str, Sequence[str]]
    ) -> dict[str, Answer]:
        besides = {each for each in unknown if each not in wanted and each[0] != "U"}  # a denial asks for them
        questions = {
            each: _wanted(pair, each[0], pair.hypothesis, each[1]) for each in unknown if each in {*wanted, *besides}
        }
        case = Case(pair.theory, questions, idle, besides, smallest=False)
        part = part_of(pair)
        if part is not None:
            self._of_part(case, part)
        for another_of in (saturation_of, skeleton_of):
            another = another_of(pair) if case.open else None
            if another is not None:
                self._of_another(case, another)
        if case.open:
            self._by_engines(case, pair)
        return case.answers

    def _by_engines(self, case: Case, pair: Pair) -> None:
        """Ask the engines what is open."""
        self._of_middle(case, pair)
        quantified = '"quantified"' in pair.text
        if not quantified:
            case.ask_together(types.prove_at_once)  # most formulas without quantifiers, whatever the size of a model
        for each in case.open:
            if FALSE in case.problems[each].goals:
                case.answers[each] = Refutation({})
        case.search()
        if case.open and not quantified:  # models of a few worlds are found sooner than types eliminated with more bits
            case.search_counted()
        self._deny_two(case, pair)
        case.ask_together(types.prove)
        counting = bool(case.open) and case.counts
        if counting:  # there is a model of what counting leaves open, most often
            case.ask(venn.prove)
            case.search_counted()
        case.ask_provers()
        if case.open and counting:  # what counting does not refute at once has one that is not much larger, or none
            case.search_up_to(case.several)
        case.prove_more()

    def _of_part(self, case: Case, part: Part) -> None:
        """Answer what follows from the combinations of a part of the premise."""
        known: Mapping[str, Answer] = {}
        for values in (part.sufficient, part.necessary):
            needed = {each: [value + each[1] for value in values[each[0]]] for each in case.open}
            known = self._asked(part.pair, [*chain(*needed.values())])
            for each, cells in needed.items():
                models = _models(known, cells)
                if models and values is part.sufficient:
                    case.answers[each] = part.own(models[0])
                elif values is part.necessary and all(isinstance(known.get(cell), Refutation) for cell in cells):
                    case.answers[each] = Refutation({})
        if part.operator is None:
            return
        for each in case.open:
            here = _models(known, [value + each[1] for value in part.necessary[each[0]]])
            seen = _models(known, [value + other for value in part.sufficient[each[0]] for other in VALUES])
            for one, other in product(here, seen):
                model = part.seeing(one, other)
                if each in case.open and model is not None:
                    case.propose(each, model)

    def _of_another(self, case: Case, another: Saturation | Skeleton) -> None:
        """Answer what is known when another pair has been asked, which has no model only where this one has none."""
        wanted = case.open
        known = self._asked(another.pair, wanted, case.unless)
        for each in wanted:
            answer = known.get(each)
            if isinstance(answer, Model):
                model = another.own(answer)
                if isinstance(another, Skeleton) and another.exact:
                    case.answers[each] = model
                else:
                    case.propose(each, model)
            elif answer is not None:
                case.answers[each] = answer

    def _of_middle(self, case: Case, pair: Pair) -> None:
        """Answer what is known by way of middle Kleene: most of its models are models under other projections, too; and
        what is true or false in a weaker table is so in its own, so that what it excludes is excluded there."""
        projection = Projection.of(pair.theory["projection"])
        if projection == MIDDLE:
            return
        middle = self._known.get(replace(pair, theory={**pair.theory, "projection": MIDDLE.data}).text, {})
        weaker = _is_weaker(projection) and all(kind in ("box", "diamond") for _, kind, *_ in pair.theory["operators"])
        differs = weaker and may_differ(formula_from(pair.hypothesis), projection, MIDDLE)
        for each in case.open:
            answer = middle.get(each)
            if isinstance(answer, Model):
                case.propose(each, answer)
            elif answer is not None and weaker and (each[1] != "U" or not differs):
                case.answers[each] = answer

    def _deny_two(self, case: Case, pair: Pair) -> None:
        """Where two values of the hypothesis are open, ask whether it has one of them."""
        hypothesis = pair.hypothesis
        either: dict[str, Wanted] = {}
        for one in VALUES:
            match "".join(each[1] for each in case.open if each[0] == one):
                case "FU" as left:
                    either[one + left] = _wanted(pair, one, hypothesis, "N")
                case "TU" as left:
                    either[one + left] = _wanted(pair, one, ["not", hypothesis], "N")
                case "TF" as left:
                    either[one + left] = _wanted(pair, one, hypothesis, "D")
        if not either:
            return
        both = Case(case.theory, either, smallest=False)
        both.ask_together(types.prove)
        if both.counts:
            both.ask(venn.prove)
        else:
            both.ask_provers()
        for key, answer in both.answers.items():
            for each in (key[0] + value for value in key[1:]):
                if isinstance(answer, Model):
                    case.propose(each, answer)
                else:
                    case.answers[each] = answer


def _in_one_direction(pair: Pair) -> Pair:
    """The pair, or the one that has some two-place predicates with their places exchanged: the same for both. That they
    hold in the other direction changes no value."""
    if '"occasion"' in pair.text:
        return pair  # places of another sort are not exchanged
    turned: dict[str, bool] = {}
    for name, one, other in _OF_TWO.findall(pair.text):
        if one != other:
            turned.setdefault(name, one > other)
    if True not in turned.values():
        return pair

    def turn(atom: re.Match[str]) -> str:
        name, one, other = atom.groups()
        return f'["atom","{name}",{other},{one}]' if turned.get(name) else atom[0]

    return Pair(*msgspec.json.decode(_OF_TWO.sub(turn, pair.text)))


def repeats(theory: Mapping[str, Any], premise: Json, hypothesis: Json) -> bool:
    """Whether a hypothesis says its premise again, beside other things, so that it is true only where that is."""
    return _has_plain_conjunction(theory) and hypothesis[0] == "and" and _beside(premise, hypothesis) != hypothesis


def _has_plain_conjunction(theory: Mapping[str, Any]) -> bool:
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


def _with_models(known: Mapping[str, Answer], cells: Sequence[str]) -> list[str]:
    """The combinations that have a model."""
    return [each for each in cells if isinstance(known.get(each), Model)]


def _is_settled(known: Mapping[str, Answer], wanted: Sequence[str], idle: Mapping[str, Sequence[str]]) -> bool:
    """Whether each combination is known, or idle because another one has a model."""
    return all(each in known or _with_models(known, idle.get(each, ())) for each in wanted)


def _models(known: Mapping[str, Answer], cells: Sequence[str]) -> list[Model]:
    return [cast(Model, known[each]) for each in _with_models(known, cells)]


def _wanted(pair: Pair, one: str, hypothesis: Json, other: str) -> Wanted:
    return (pair.premise, cast(Value, one)), (hypothesis, cast(Value, other))


def _positive(formula: Json) -> tuple[bool, Json]:
    """Whether a formula is denied an odd number of times, and what is denied."""
    denied = False
    while formula[0] == "not":
        denied, formula = not denied, formula[1]
    return denied, formula
