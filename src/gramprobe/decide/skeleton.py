"""Skeletons: a pair with a letter in the place of each sentence about individuals that stands in it as a whole.

    o0[c0] exists x. (p0(x), p1(x))  =>  exists x. (p0(x), p1(x))          o0[c0] s0  =>  s0

The sentences have no operators or gaps, and their words occur nowhere else. So nothing but their values at each
world matters to the pair: what has no model with letters has none with the sentences (uniform substitution), and a
model with letters becomes one with the sentences if each world gets the predicates of a model in which they have the
values of the letters. Values that sentences cannot have together, letters may not have either: postulates say so.

A presupposition that cannot fail is left out: `{o0[c0] (s0 | ~s0)} s1` says what `s1` says. So attitudes whose objects
presuppose nothing have none. The kernel looks at the pair as it stands.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any, TypeAlias

import msgspec

from gramprobe.certify.classical import frames, related
from gramprobe.certify.model import Model
from gramprobe.decide.numbering import named, numbered
from gramprobe.decide.part import Pair
from gramprobe.decide.procedure import Case, answers
from gramprobe.decide.prove import types
from gramprobe.decide.question import Answer, Open, Value, Wanted
from gramprobe.decide.verdict import displayed
from gramprobe.formula.canonical import Renaming
from gramprobe.formula.encoding import Json, atoms, nodes

MOST = 3
"""The most sentences that have words in common: each combination of their values is a question."""

Values: TypeAlias = tuple[bool, ...]
Seer: TypeAlias = tuple[str, str | None]
"""An operator and the name of its agent, if it takes one."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A pair with letters, and what they stand for.

    Attributes:
        text: The premise and the hypothesis with letters, in the theory slice of these, as the text of a pair: one for
            all that differ in names only.
        names: From the names of the pair, and the letters of the others, to those in this text.
        operators: Those of the theory, in the names of the pair.
        groups: Letters whose sentences have words in common, with a model of one world for each combination of values
            that they can have.
        unseen: The operators in presuppositions that are left out, each with its agent.
        sentences: What the letters stand for, and the postulates of the theory.
    """

    text: str
    names: Renaming
    operators: Sequence[Json]
    groups: tuple[tuple[tuple[str, ...], Mapping[Values, Model]], ...]
    unseen: tuple[Seer, ...]
    sentences: tuple[Json, ...]

    @property
    def pair(self) -> Pair:
        """The pair with letters."""
        return Pair(*msgspec.json.decode(self.text))

    @property
    def exact(self) -> bool:
        """Whether the pair has a model wherever its skeleton has one: no formula hangs on how many individuals there
        are of which nothing is true. `own` gives it, but for what may have any value: a letter beside a `part`, and
        relations of such individuals."""
        return all(map(_is_local, self.sentences))

    def own(self, model: Model) -> Model:
        """The model of the pair that a model of its skeleton becomes. Letters without a value are false in it."""
        model = displayed(model, self.names)
        predicates, constants, people = dict(model.predicates), dict(model.constants), model.individuals
        for letters, models in self.groups:
            truths = [predicates.pop(letter, (frozenset(),) * model.worlds) for letter in letters]
            here = [models[tuple(bool(truth[world]) for truth in truths)] for world in range(model.worlds)]
            for name in here[0].constants:
                if constants.setdefault(name, people) == people:
                    people += 1
            people = max(people, *(each.individuals for each in here))
            numbers = [_numbers(each, constants, people) for each in here]
            for name in here[0].predicates:
                predicates[name] = tuple(
                    frozenset(tuple([number[who] for who in member]) for member in each.predicates[name][0])
                    for number, each in zip(numbers, here, strict=True)
                )
        relations = model.relations
        if self.unseen:
            relations = {**self._relations(constants, model.worlds), **relations}
        return replace(model, individuals=people, predicates=predicates, constants=constants, relations=relations)

    def _relations(self, constants: Mapping[str, int], worlds: int) -> dict[str, frozenset[tuple[int, int]]]:
        """Relations of `unseen`, and of what the theory relates it to (of these a model has all or none): from each
        world to itself, which meets all conditions on frames."""
        itself = frozenset([(world, world) for world in range(worlds)])
        relations: dict[str, frozenset[tuple[int, int]]] = {}
        for operator, agent in self.unseen:
            whose = "" if agent is None else f"[{constants[agent]}]"
            relations |= {name + whose: itself for name in _with_related(self.operators, [operator])}
        return relations


def by_letters(theory: Mapping[str, Any], questions: Mapping[str, Wanted]) -> dict[str, Answer]:
    """What the skeleton of a pair, if it has one, says to questions about it, all of the same two formulas: candidates
    for models, and what has none. Skeletons are fewer than pairs, and each is asked once."""
    formulas = [formula for formula, _ in next(iter(questions.values()), ())]
    skeleton = skeleton_of(Pair(theory, *formulas)) if len(formulas) == 2 else None
    if skeleton is None:
        return {}
    values = tuple((key, tuple(value for _, value in wanted)) for key, wanted in questions.items())
    known = _of_letters(skeleton.text, values)
    return {key: skeleton.own(each) if isinstance(each, Model) else each for key, each in known.items()}


@lru_cache(maxsize=4096)
def _of_letters(pair: str, values: tuple[tuple[str, tuple[Value, ...]], ...]) -> dict[str, Answer]:
    """The answers to questions which values the formulas of a pair can have together; by its text. Models of few worlds
    are looked for first: those of an elimination of types have more than they need, and with more bits take longer."""
    theory, *formulas = msgspec.json.decode(pair)
    case = Case(theory, {key: tuple(zip(formulas, wanted, strict=True)) for key, wanted in values}, shown=False)
    case.ask_together(types.refute_at_once)
    case.search()
    case.search_counted()
    return case.answered()


def _numbers(model: Model, constants: Mapping[str, int], people: int) -> dict[int, int]:
    """The individuals of a model among those of a larger one, in which names denote what `constants` says."""
    numbers = {who: constants[name] for name, who in model.constants.items()}
    free = sorted({*range(people)} - {*numbers.values()}, reverse=True)
    return {who: numbers[who] if who in numbers else free.pop() for who in range(model.individuals)}


def skeleton_of(pair: Pair) -> Skeleton | None:
    """The skeleton of a pair; None if it has none: it has no operator or no such sentence, or an engine leaves open
    which values the sentences can have."""
    theory = pair.theory
    found = _letters(msgspec.json.encode((pair.premise, pair.hypothesis)), _certain(theory["operators"]))
    if found is None or not theory["operators"]:
        return None
    formulas, letters, sentences, words, unseen = found
    within = frozenset().union(*words.values())
    own: list[Json] = []
    others: list[Json] = []
    for postulate in theory["postulates"]:
        known = _words(postulate)
        if not known & within:
            others.append(postulate)
        elif _is_plain(postulate):
            own.append(postulate)
        else:
            return None
    groups, postulates = [], []
    for some, axioms in _related(words, own):
        if len(some) > MOST:
            return None
        bare = {**theory, "operators": [], "postulates": axioms}
        models = _possible(_text([bare, *[sentences[letter] for letter in some]]))
        if models is None or not (theory["distinct"] or all(len(model.constants) < 2 for model in models.values())):
            return None  # of two names that may denote one individual, a model of letters may say another thing
        those = [["atom", letter] for letter in some]
        for values in product((True, False), repeat=len(some)):
            if values not in models:
                postulates.append(_not_together(those, values))
        groups.append((some, models))
    names = Renaming(dict(letters.predicates), dict(letters.constants), dict(letters.operators))
    behind = numbered(_text([*others, *postulates]), names)
    part = {
        **theory,
        "operators": _numbered_operators(theory["operators"], names),
        "postulates": msgspec.Raw(behind),
        "distinct": theory["distinct"] and len(names.constants) > 1,
    }
    text = _text([part, *(msgspec.Raw(formula) for formula in formulas)])
    meant = (*sentences.values(), *theory["postulates"])
    return Skeleton(text, names, theory["operators"], tuple(groups), unseen, meant)


def _numbered_operators(operators: Sequence[Json], names: Renaming) -> list[Json]:
    """The operators that have a number, and those that are related to them, which get one, in the order of these."""
    for name in _with_related(operators, [*names.operators]):
        names.operators.setdefault(name, f"o{len(names.operators)}")
    short, declared = names.operators, {each[0]: each for each in operators}
    return [
        [short[name], kind, conditions, *([short[each] for each in those] for those in others)]
        for name, kind, conditions, *others in (declared[name] for name in short)
    ]


def _with_related(operators: Sequence[Json], names: Sequence[str]) -> list[str]:
    """Operators and those that the theory relates to them, or to one of those."""
    declared, linked = frames(operators), [*names]
    for each in linked:
        linked += [other for other in related(declared, each) if other not in linked]
    return linked


def _text(data: Any) -> str:
    return msgspec.json.encode(data).decode()


@lru_cache(maxsize=64)
def _letters(
    formulas: bytes, certain: frozenset[str]
) -> tuple[list[str], Renaming, dict[str, Json], dict[str, frozenset[str]], tuple[Seer, ...]] | None:
    """The texts of formulas with letters, in numbered names, what leads to these, the sentences that the letters stand
    for, their words, and `Skeleton.unseen`; None if there is no letter, or a quantified formula that gets none. A pair
    is looked at in several theories, one after the other.

    `certain`: operators that are true of what is true everywhere. Presuppositions that cannot fail are kept if some
    atom or name is in no other place, as a model of the rest would be silent on it."""
    texts: dict[bytes, str] = {}
    sentences: dict[str, Json] = {}
    unfailing: list[Json] = []

    def lettered(formula: Json) -> Json:
        if formula[0] == "quantified":
            text = msgspec.json.encode(formula)
            if text not in texts:
                if not _is_plain(formula):
                    raise _Open
                texts[text] = f"s{len(texts)}"
                sentences[texts[text]] = formula
            return ["atom", texts[text]]
        if formula[0] in ("atom", "equal"):
            return formula
        parts = [lettered(part) if type(part) is list and part[0] != "const" else part for part in formula]
        if formula[0] == "presupposing" and _cannot_fail(parts[1], certain):
            unfailing.append(parts[1])
            return parts[2]
        return parts

    try:
        without = [lettered(formula) for formula in msgspec.json.decode(formulas)]
    except _Open:
        return None
    words = {letter: _words(sentence) for letter, sentence in sentences.items()}
    if not words or frozenset().union(*words.values()) & _words(*without):
        return None
    written = [_text(formula) for formula in without]
    if unfailing and not named(_text(unfailing)) <= named("".join(written)):
        return _letters(formulas, frozenset())
    modals = (node for formula in unfailing for node in nodes(formula) if node[0] == "modal")
    unseen = dict.fromkeys((operator, agent and agent[1]) for _, operator, agent, _ in modals)
    names = Renaming()
    return [numbered(text, names) for text in written], names, sentences, words, tuple(unseen)


class _Open(Exception):
    """A quantified formula that gets no letter."""


def _cannot_fail(formula: Json, certain: Container[str]) -> bool:
    """Whether a formula with letters is true at every world of every model, by its form: such an operator of `F | ~F`,
    where F is defined everywhere, as no part of it presupposes anything."""
    if formula[0] != "modal" or formula[1] not in certain or formula[3][0] != "or":
        return False
    _, one, other = formula[3]
    return other == ["not", one] and all(node[0] != "presupposing" for node in nodes(one))


def _certain(operators: Sequence[Json]) -> frozenset[str]:
    """The boxes of a theory, if it has no operators with sets of worlds, to which others may be related."""
    if any(kind not in ("box", "diamond") for _, kind, *_ in operators):
        return frozenset()
    return frozenset([name for name, kind, *_ in operators if kind == "box"])


def _is_plain(formula: Json) -> bool:
    """Whether a formula has no operators, gaps or occasions."""
    return not any(
        node[0] in ("modal", "presupposing", "here")
        or (node[0] == "quantified" and (node[1] == "the" or node[4] != "individual"))
        for node in nodes(formula)
    )


def _is_local(formula: Json) -> bool:
    """Whether a formula has the same value if there are more individuals, of which no atom is true."""
    for node in nodes(formula):
        if node[0] == "quantified":
            _, quantifier, _, variable, _, restrictor, scope = node
            settling = {"forall": True, "exists": False, "atleast": False}.get(quantifier)
            if _beyond(restrictor, variable) is not False and (
                settling is None or _beyond(scope, variable) != settling
            ):
                return False
    return True


def _beyond(formula: Json, variable: str) -> bool | None:
    """The value of a formula for an individual of which no atom is true; None if it hangs on other things, too."""
    match formula[0]:
        case "atom":
            return False if ["var", variable] in formula[2:] else None
        case "true":
            return True
        case "false":
            return False
        case "not":
            inner = _beyond(formula[1], variable)
            return None if inner is None else not inner
        case "and" | "or" | "implies" as head:
            left, right = (_beyond(part, variable) for part in formula[1:])
            left = not left if head == "implies" and left is not None else left
            settling = head != "and"
            return settling if settling in (left, right) else None if None in (left, right) else not settling
    return None


def _words(*formulas: Json) -> frozenset[str]:
    """The predicates of formulas."""
    return frozenset(atom[1] for formula in formulas for atom in atoms(formula))


def _related(
    words: Mapping[str, frozenset[str]], postulates: Sequence[Json]
) -> list[tuple[tuple[str, ...], list[Json]]]:
    """The letters whose sentences have words in common, or are related by postulates, with these."""
    groups: list[tuple[list[str], frozenset[str], list[Json]]] = []
    for letters, of, own in (
        *(([letter], of, []) for letter, of in words.items()),
        *(([], _words(each), [each]) for each in postulates),
    ):
        apart = [group for group in groups if not group[1] & of]
        for group in groups:
            if group[1] & of:
                letters, of, own = group[0] + letters, group[1] | of, group[2] + own
        groups = [*apart, (letters, of, own)]
    return [(tuple(sorted(letters)), own) for letters, _, own in groups]


@lru_cache(maxsize=4096)
def _possible(text: str) -> dict[Values, Model] | None:
    """A model for each combination of values that sentences can have in a theory, by the text of both; None if an
    engine leaves one open."""
    names = Renaming()
    models = _possible_values(numbered(text, names))
    return None if models is None else {values: displayed(model, names) for values, model in models.items()}


@lru_cache(maxsize=4096)
def _possible_values(text: str) -> dict[Values, Model] | None:
    """`_possible`, once for all texts that differ in names only."""
    theory, *formulas = msgspec.json.decode(text)
    combinations = list(product((True, False), repeat=len(formulas)))
    meant: dict[bool, Value] = {True: "T", False: "F"}
    wanted: dict[str, Wanted] = {
        str(values): tuple((formula, meant[value]) for formula, value in zip(formulas, values, strict=True))
        for values in combinations
    }
    known = answers(theory, wanted)
    found = [(values, known[str(values)]) for values in combinations]
    if any(isinstance(answer, Open) for _, answer in found):
        return None
    return {values: answer for values, answer in found if isinstance(answer, Model)}


def _not_together(letters: Sequence[Json], values: Values) -> Json:
    parts = [atom if value else ["not", atom] for atom, value in zip(letters, values, strict=True)]
    both = parts[0]
    for each in parts[1:]:
        both = ["and", both, each]
    return ["not", both]
