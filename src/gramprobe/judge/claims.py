"""What a noun phrase licenses, and whether it stands behind *there is*, decided from its meaning by the engines.

    Constructor --determiners--> Determiner, one a case --Claims.has--> PropertyEvidence, with its decisions
    Grammar --Claims.unconfirmed--> Unconfirmed: claims (`resolve.grammar.claims`) that the engines do not confirm

A determiner is D(A, B) of a noun A and a verb phrase B (Barwise & Cooper 1981). It is *Strawson-downward* in one of
them if what follows downward is never false (von Fintel 1999). Each answer is one of labels of pairs of formulas, so
that it has their certificates; a shape is decided once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from msgspec.structs import replace

from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Decision
from gramprobe.formula import ast
from gramprobe.formula.ast import And, Argument, Atom, Const, Formula, Implies, Not, Or, Quantified, Var
from gramprobe.formula.binding import substitute
from gramprobe.formula.demands import MOST, met
from gramprobe.records import Record
from gramprobe.resolve.grammar.data import Claim, Constructor, Grammar
from gramprobe.resolve.grammar.types import E_TYPE, N_TYPE, T_TYPE, Function
from gramprobe.syntax.grammar_tree import Computed, Value
from gramprobe.syntax.tree import Case

#: predicates of a noun, and of verb phrases; `_A` is a part of `_B`, where both stand in one formula
_NOUN, _SMALL, _LARGE, _OTHER = "noun", "part", "whole", "other"
_PROPERTY = Function(E_TYPE, T_TYPE)
_QUANTIFIER = Function(_PROPERTY, T_TYPE)


class Determiner(Record, frozen=True):
    """The meaning of a noun phrase in one case of its constructor.

    Attributes:
        constructor: its name.
        case: argument -> value of the feature.
        features: feature of the noun phrase -> its value.
        meaning: a formula of the predicate ``noun`` (none in the meaning of a name), in which ``predicate`` is the
            verb phrase.
        predicate: the name of the verb phrase.
        has_noun: whether there is a noun.
    """

    constructor: str
    case: Mapping[str, str]
    features: Mapping[str, str]
    meaning: Formula
    predicate: str
    has_noun: bool

    def of(self, noun: Callable[[Argument], Formula] | None, verb: Callable[[Argument], Formula]) -> Formula:
        """The meaning of another noun (None: its own) and a verb phrase, each given as a formula of a term."""

        def change(part: Formula) -> Formula:
            if isinstance(part, Atom) and part.predicate == self.predicate:
                return verb(part.args[0])
            if isinstance(part, Atom) and part.predicate == _NOUN and noun is not None:
                return noun(part.args[0])
            return part

        return ast.bottom_up(change, self.meaning)


class Asked(Record, frozen=True):
    """A pair of formulas, and the decision on it."""

    premise: Formula
    hypothesis: Formula
    decision: Decision

    @property
    def never_false(self) -> bool:
        """Whether the hypothesis is true wherever the premise is and the hypothesis has a value."""
        return "F" not in self.decision.verdict.h_values


class PropertyEvidence(Record, frozen=True):
    """Whether a determiner has a property. ``rests_on``: the pairs that say so, by what they ask; ``against``: the one
    whose model speaks against the property, if there is one."""

    holds: bool
    rests_on: Mapping[str, Asked]
    against: Asked | None = None


class Unconfirmed(Record, frozen=True):
    """A claim that the engines do not confirm, of the determiner that refutes it."""

    claim: Claim
    determiner: Determiner
    answer: PropertyEvidence


def determiners(constructor: Constructor, grammar: Grammar, demands: Mapping[str, str] = MOST) -> Iterator[Determiner]:
    """The meanings of a noun phrase, one for each case; none where its meaning depends on another noun phrase's.

    ``demands``: what determiners presuppose, as a theory has it (`Theory.demands`); without it all they may.
    """
    category = grammar.categories[constructor.result]
    if category.type != _QUANTIFIER:
        return
    given: dict[str, Argument] = {}
    numbers: dict[str, int] = {}
    noun = _noun(constructor, grammar)
    for argument in constructor.arguments:
        if argument.is_feature:
            continue
        own = grammar.categories[argument.category]
        if own.type not in (E_TYPE, N_TYPE, _PROPERTY):
            return
        given[argument.name] = Const(_NOUN if argument.name == noun else argument.name)
        counted = [name for name, column in own.columns.items() if column.type == "number"]
        for name in counted:  # of a numeral that is drawn, the smallest
            cells = (word.columns[name] for word in own.lexemes)
            numbers[f"{argument.name}.{name}"] = min((n for n in cells if isinstance(n, int)), default=2)
    values = {a.name: grammar.features[a.category].values for a in constructor.arguments if a.is_feature}
    for chosen in product(*values.values()):
        case = dict(zip(values, chosen, strict=True))
        sems = [s for s in constructor.sems if not s.conveys]
        meaning = next((s.formula for s in sems if _fits(s.cases, case, grammar)), None)
        if isinstance(meaning, ast.Lambda):
            body = _counted(substitute(meaning.body, given), numbers)
            features = {name: found[0] for name, found in constructor.fixed.items() if len(found) == 1}
            features |= {
                name: found
                for name, value in constructor.computed.items()
                if (found := _value(value, case, grammar)) is not None
            }
            body = met(ast.as_formula(body), demands)
            yield Determiner(constructor.name, case, features, body, meaning.variable, noun is not None)


def _noun(constructor: Constructor, grammar: Grammar) -> str | None:
    """The argument that is the noun: the head, or the only property."""
    found = [a for a in constructor.arguments if not a.is_feature and grammar.categories[a.category].type == _PROPERTY]
    heads = [a.name for a in found if a.head] or [a.name for a in found]
    return heads[0] if heads else None


def _fits(cases: Iterable[Case], case: Mapping[str, str], grammar: Grammar) -> bool:
    return all(case.get(each.operand.text, "") in grammar.expanded(each.values) for each in cases)


def _value(value: Value, case: Mapping[str, str], grammar: Grammar) -> str | None:
    """A feature of the result in a case; None where another argument gives it."""
    if not isinstance(value, Computed):
        return case.get(value.text)
    keys = [_value(each, case, grammar) for each in value.values]
    return grammar.tables[value.table.text].cells.get(tuple(map(str, keys))) if None not in keys else None


def _counted(node: Argument, numbers: Mapping[str, int]) -> Argument:
    """The same with numbers for the columns that count."""
    node = ast.map_parts(lambda part: _counted(part, numbers), node)
    if isinstance(node, Quantified) and isinstance(node.count, str) and node.count in numbers:
        return replace(node, count=numbers[node.count])
    return node


class Claims:
    """Decides properties of determiners, by pairs of formulas in the theory that adds nothing."""

    def __init__(self, decider: Decider | None = None) -> None:
        self.decider = decider or Decider()

    def unconfirmed(self, grammar: Grammar) -> Iterator[Unconfirmed]:
        """The claims of a grammar that a meaning refutes, in the order of its constructors."""
        for constructor in grammar.constructors.values():
            claims = [c for c in grammar.claims if c.feature[0] == constructor.result]
            for determiner in determiners(constructor, grammar) if claims else ():
                for claim in claims:
                    if determiner.features.get(claim.feature[1]) == claim.value:
                        answer = self.has(claim.property, determiner, claim.presupposed)
                        if answer is not None and answer.holds != claim.holds:
                            yield Unconfirmed(claim, determiner, answer)

    def has(
        self, property: str, determiner: Determiner, presupposed: Argument | None = None
    ) -> PropertyEvidence | None:
        """Whether a determiner has a property of :data:`gramprobe.resolve.grammar.claims.PROPERTIES`, or
        ``noun licensing``, which is ``licensing`` in its noun; None where it is about a noun, and there is none.

        ``presupposed``: what is presupposed beside the meaning, of the noun ``n``.
        """
        if presupposed is not None:
            before = ast.as_formula(substitute(presupposed, {"n": Const(_NOUN)}))
            determiner = replace(determiner, meaning=ast.Presupposing(before, determiner.meaning))
        if not determiner.has_noun and property in ("existential", "noun licensing"):
            return None
        match property:
            case "licensing":
                return self._licensing(determiner, noun=False)
            case "noun licensing":
                return self._licensing(determiner, noun=True)
            case "antiadditive":
                return self._antiadditive(determiner)
            case "existential":
                return self._existential(determiner)
            case _:
                raise ValueError(f"no property of meanings is called {property!r}")

    def monotone(self, determiner: Determiner, noun: bool, upward: bool) -> Asked:
        """Whether what is said of a part is true of the whole (upward), or the other way round."""
        small, large = (_whole(determiner, noun, each) for each in (_SMALL, _LARGE))
        premise, hypothesis = (small, large) if upward else (large, small)
        included = Quantified(
            quantifier="forall", variable="x", restrictor=ast.TRUE, scope=Implies(_said(_SMALL)(_X), _said(_LARGE)(_X))
        )
        return self._ask(And(premise, included), hypothesis)

    def _ask(self, premise: Formula, hypothesis: Formula) -> Asked:
        return Asked(premise, hypothesis, self.decider.decision(premise, hypothesis))

    def _licensing(self, determiner: Determiner, noun: bool) -> PropertyEvidence:
        down, up = (self.monotone(determiner, noun, upward) for upward in (False, True))
        holds = down.never_false and not up.never_false
        against = None if down.never_false else down
        return PropertyEvidence(holds, {"downward": down, "upward": up}, against)

    def _antiadditive(self, determiner: Determiner) -> PropertyEvidence:
        """D(A, B or C) gives D(A, B) and D(A, C) by being downward; here the other way."""
        licensing = self._licensing(determiner, noun=False)
        parts = [determiner.of(None, _said(each)) for each in (_SMALL, _OTHER)]
        together = determiner.of(None, lambda t: Or(_said(_SMALL)(t), _said(_OTHER)(t)))
        added = self._ask(And(*parts), together)
        against = licensing.against or (None if added.never_false else added)
        holds = licensing.holds and added.never_false
        return PropertyEvidence(holds, {**licensing.rests_on, "additive": added}, against)

    def _existential(self, determiner: Determiner) -> PropertyEvidence:
        """D(A, B) and D(A and B, thing): where one is true so is the other, and where one is false."""
        plain = determiner.of(None, _said(_SMALL))
        both = determiner.of(lambda t: And(Atom(_NOUN, (t,)), _said(_SMALL)(t)), lambda t: ast.TRUE)
        asked = {
            "true there": (plain, both), "true here": (both, plain),
            "false there": (Not(plain), Not(both)), "false here": (Not(both), Not(plain)),
        }  # fmt: skip
        found = {name: self._ask(*pair) for name, pair in asked.items()}
        against = next((each for each in found.values() if each.decision.verdict.h_values not in ("T", "")), None)
        return PropertyEvidence(against is None, found, against)


_X = Var("x")


def _said(predicate: str) -> Callable[[Argument], Formula]:
    return lambda term: Atom(predicate, (term,))


def _whole(determiner: Determiner, noun: bool, predicate: str) -> Formula:
    """The meaning with the predicate in the place of the noun, or of the verb phrase."""
    return determiner.of(_said(predicate), _said(_OTHER)) if noun else determiner.of(None, _said(predicate))
