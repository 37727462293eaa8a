"""Saturated predicates: which places are filled, the same values in all models, and the same labels as without."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec import structs

from gramprobe.certify.check import check_model
from gramprobe.certify.evaluator import value
from gramprobe.certify.model import Model
from gramprobe.decide import together
from gramprobe.decide.label import Decider
from gramprobe.decide.part import Pair
from gramprobe.decide.procedure import Case, answers
from gramprobe.decide.saturation import Saturation, saturation_of
from gramprobe.formula.canonical import canonical, restored
from gramprobe.formula.encoding import formula_from, to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import MIDDLE, STRONG, WEAK, Operator, Projection, TheorySlice

POSS = Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"}))
THEORY = TheorySlice(operators=(POSS,), distinct=True)
THE_CAT, HIS_DOG, NO_LESS = (
    "the y. (cat(y), chase(x, y))",
    "the y. (dog(y) & has(jo, y), chase(x, y))",
    "the y. (~(cat(y) -> ~has(jo, y)), chase(x, y))",
)
LOVES = parse("forall x. forall y. love(x, y) -> like(x, y)")
KIND = parse("forall x. cat(x) -> animal(x)")
NOT_ONESELF = parse("forall x. ~chase(x, x)")


def pair(premise: str, hypothesis: str, theory: TheorySlice = THEORY) -> Pair:
    return Pair(**json.loads(canonical(parse(premise), parse(hypothesis), theory)[0]))


def found(premise: str, hypothesis: str, theory: TheorySlice = THEORY) -> Saturation:
    saturation = saturation_of(pair(premise, hypothesis, theory))
    assert saturation is not None
    return saturation


def same(saturation: Saturation, premise: str, hypothesis: str, *postulates: str) -> bool:
    """Whether a saturation is what a pair and postulates are, up to names."""
    theory = structs.replace(THEORY, postulates=tuple(map(parse, postulates)))
    return saturation.pair.text == pair(premise, hypothesis, theory).text


def test_names_and_descriptions_become_parts_of_predicates() -> None:
    every = "forall x. (girl(x), {0})"
    one = found(every.format("chase(x, jo)"), "exists x. (girl(x), chase(x, al))")
    assert same(one, "forall x. (girl(x), chases_jo(x))", "exists x. (girl(x), chases_al(x))")
    objects = [found(every.format(each), "exists x. (girl(x), run(x))") for each in (THE_CAT, HIS_DOG, NO_LESS)]
    assert len({each.pair.text for each in objects}) == 1
    assert same(objects[0], "forall x. (girl(x), d / chases_d(x))", "exists x. (girl(x), run(x))")


def test_all_places_may_be_filled() -> None:
    assert same(found("chase(jo, al)", "chase(al, jo)"), "p", "q")
    assert same(found("the x. (cat(x), poss black(x))", "black(jo)"), "d / poss p", "q")


def test_what_postulates_say_of_fillers() -> None:
    theory = structs.replace(THEORY, postulates=(LOVES,))
    one = found("exists x. (girl(x), love(x, jo))", "exists x. (girl(x), like(x, jo))", theory)
    bare = "exists x. (girl(x), loves(x))", "exists x. (girl(x), likes(x))"
    assert same(one, *bare, "forall x. loves(x) -> likes(x)")
    assert same(
        found(THE_CAT.replace("x,", "al,"), "animal(jo)", structs.replace(THEORY, postulates=(KIND,))), "d / p", "q"
    )


def test_what_postulates_say_of_others_is_not_said_of_fillers() -> None:
    """Whom somebody chases need not be Jo, and the cat of another world is another one."""
    theory = structs.replace(THEORY, postulates=(parse("forall x. exists y. chase(x, y)"),))
    one = found("exists x. (girl(x), ~chase(x, jo))", "exists x. girl(x)", theory)
    assert same(one, "exists x. (girl(x), ~chases(x))", "exists x. girl(x)")
    theory = structs.replace(THEORY, postulates=(parse("forall x. forall y. poss chase(x, y) -> chase(x, y)"),))
    assert same(found("poss chase(al, jo)", "girl(jo)", theory), "poss p", "q", "poss p -> p")
    assert same(found(f"poss {THE_CAT.replace('x,', 'al,')}", "girl(jo)", theory), "poss (d / p)", "q")


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("exists x. girl(x)", "exists x. (girl(x), run(x))"),  # neither a name nor a description
        ("forall x. (girl(x), exists y. chase(x, y))", "exists x. (girl(x), chase(x, jo))"),  # an open place
        (f"forall x. (girl(x), {THE_CAT})", "exists x. cat(x)"),  # a word of the description stands elsewhere
        ("the x. (cat(x), black(x))", "the x. (cat(x) & old(x), black(x))"),  # what one describes, the other may
        ("the x. (~cat(x), black(x))", "exists x. black(x)"),  # no conjunction of atoms
        ("the x. (cat(x), jo = x)", "exists x. al = x"),  # it would be a name, and may be Jo
        ("poss the x. (cat(x), poss black(x))", "exists x. black(x)"),  # each world may have a cat of its own
    ],
)
def test_pairs_without_a_saturation(premise: str, hypothesis: str) -> None:
    assert saturation_of(pair(premise, hypothesis)) is None


PREDICATES = {"girl": 1, "cat": 1, "dog": 1, "animal": 1, "has": 2, "chase": 2, "love": 2, "like": 2}
OPEN = (THE_CAT, HIS_DOG, NO_LESS, "chase(x, al)", "like(x, jo)", "love(x, jo)", "the y. (cat(y), love(x, y))")
CLOSED = (
    *(f"forall x. (girl(x), {each})" for each in OPEN),
    *(f"exactly 1 x. (girl(x), {each})" for each in OPEN),
    *(f"the x. (girl(x), {each})" for each in OPEN[::2]),
    "poss the x. (girl(x), the y. (cat(y), chase(x, y)))",
    "the x. (cat(x), poss chase(jo, x))",
    "exists x. animal(x)",
    "exactly 1 x. (animal(x), the y. (cat(y), chase(x, y)))",
    "exists x. (girl(x), jo = x)",
)
POSTULATED = structs.replace(THEORY, postulates=(LOVES, KIND, NOT_ONESELF))
BEARERS = {"jo": 0, "al": 1}


def random_model(draw: Random) -> Model:
    """A model of the postulates of POSTULATED, in which few words are true of few individuals."""
    worlds, people = 2, draw.choice((2, 3))
    predicates = {
        name: [{m for m in product(range(people), repeat=arity) if draw.random() < 0.4} for _ in range(worlds)]
        for name, arity in PREDICATES.items()
    }
    for world in range(worlds):
        predicates["like"][world] |= predicates["love"][world]
        predicates["animal"][world] |= predicates["cat"][world]
        predicates["chase"][world] -= {(who, who) for who in range(people)}
    return Model(
        worlds=worlds,
        individuals=people,
        actual=0,
        constants=BEARERS,
        predicates={name: tuple(map(frozenset, each)) for name, each in predicates.items()},
        relations={"poss": frozenset({(0, 0), (1, 1), (0, 1)})},
    )


def saturated(model: Model, saturation: Saturation, own: dict[str, str]) -> Model:
    """The model of the saturation that a model of the pair gives; `own`: the pair's word for each of its shape."""

    def unique(atoms: tuple[list[object], ...], world: int) -> list[int]:
        def holds(atom: list[object], who: int) -> bool:
            terms = [who if term == ["var", "self"] else model.constants[own[term[1]]] for term in atom[2:]]  # type: ignore[index]
            return tuple(terms) in model.predicates[own[str(atom[1])]][world]

        fitting = [who for who in range(model.individuals) if all(holds(atom, who) for atom in atoms)]
        return fitting if len(fitting) == 1 else []

    described = {
        each.name: [(unique(each.atoms, world if each.anywhere else 0) or [0])[0] for world in range(model.worlds)]
        for each in saturation.fillers
    }
    predicates: dict[str, tuple[frozenset[tuple[int, ...]], ...]] = {}
    for (name, arity), short in saturation.renaming.predicates.items():
        letters = [each for each in saturation.fillers if each.name == name]
        per_world: list[frozenset[tuple[int, ...]]] = []
        for world in range(model.worlds):
            if letters:
                per_world.append(frozenset({()} if unique(letters[0].atoms, world) else ()))
                continue
            predicate, places = saturation.predicates.get(name, (name, (None,) * arity))
            members = set()
            for each in model.predicates[own[predicate]][world]:
                denoted = [
                    None if place is None else described[place][world] if place in described else BEARERS[own[place]]
                    for place in places
                ]
                if all(who in (None, one) for who, one in zip(denoted, each, strict=True)):
                    members.add(tuple(one for who, one in zip(denoted, each, strict=True) if who is None))
            per_world.append(frozenset(members))
        predicates[short] = tuple(per_world)
    constants = {
        short: described[name][0] if name in described else BEARERS[own[name]]
        for name, short in saturation.renaming.constants.items()
    }
    operators = {own[name]: short for name, short in saturation.renaming.operators.items()}
    relations = {operators[name]: each for name, each in model.relations.items() if name in operators}
    return replace(model, constants=constants, predicates=predicates, relations=relations)


@pytest.mark.parametrize("projection", [MIDDLE, STRONG, WEAK])
@pytest.mark.parametrize("count", [40, pytest.param(100, marks=pytest.mark.deep)])
def test_a_model_of_a_pair_gives_its_saturation_the_same_values(projection: Projection, count: int) -> None:
    theory, draw, saturations = structs.replace(POSTULATED, projection=projection), Random(1), 0
    kinds = {"poss": "diamond", "o0": "diamond"}
    for premise, hypothesis in draw.sample([*product(CLOSED, repeat=2)], count):
        text, renaming = canonical(parse(premise), parse(hypothesis), theory)
        shape = Pair(**json.loads(text))
        saturation = saturation_of(shape)
        if saturation is None:
            continue
        saturations += 1
        own = {short: name for (name, _), short in renaming.predicates.items()}
        own |= {short: name for names in (renaming.constants, renaming.operators) for name, short in names.items()}
        pairs = (shape.premise, saturation.pair.premise), (shape.hypothesis, saturation.pair.hypothesis)
        for _ in range(5):
            model = random_model(draw)
            other = saturated(model, saturation, own)
            for whole, given in pairs:
                expected = value(to_json(restored(formula_from(whole), renaming)), model, projection.data, kinds)
                assert value(given, other, projection.data, kinds) == expected, (premise, hypothesis)
            for postulate, world in product(saturation.pair.theory["postulates"], range(other.worlds)):
                assert value(postulate, other, "middle", kinds, world) == "T", (premise, hypothesis, postulate)
    assert saturations > 0.7 * count


@pytest.mark.parametrize("projection", [MIDDLE, STRONG])
@pytest.mark.parametrize("count", [10, pytest.param(20, marks=pytest.mark.deep)])
def test_models_of_a_saturation_become_models_of_the_pair(projection: Projection, count: int) -> None:
    theory, models = structs.replace(POSTULATED, projection=projection), 0
    for premise, hypothesis in Random(2).sample([*product(CLOSED, repeat=2)], count):
        shape = pair(premise, hypothesis, theory)
        saturation = saturation_of(shape)
        if saturation is None:
            continue
        for one, other in product("TFU", repeat=2):
            asked: Any = {"": ((saturation.pair.premise, one), (saturation.pair.hypothesis, other))}
            answer = answers(saturation.pair.theory, asked)[""]
            if isinstance(answer, Model):
                check_model(shape.theory, [(shape.premise, one), (shape.hypothesis, other)], saturation.own(answer))
                models += 1
    assert models > 2 * count


def test_occasions_are_numbered_behind_new_individuals() -> None:
    shape = pair("exists t: occasion. (day(t), the y. (cat(y), see(jo, y, t)))", "hear(al, jo)")
    saturation = saturation_of(shape)
    assert saturation is not None
    asked: Any = {"": ((saturation.pair.premise, "T"), (saturation.pair.hypothesis, "T"))}
    answer = answers(saturation.pair.theory, asked)[""]
    assert isinstance(answer, Model)
    model = saturation.own(answer)
    assert model.individuals > answer.individuals
    check_model(shape.theory, [(shape.premise, "T"), (shape.hypothesis, "T")], model)


def test_labels_are_those_of_certificates() -> None:
    brief, whole = Decider(POSTULATED, certified=False), Decider(POSTULATED)
    for premise, hypothesis in Random(3).sample([*product(CLOSED, repeat=2)], 40):
        pair = parse(premise), parse(hypothesis)
        short, full = (decider.decision(*pair).verdict for decider in (brief, whole))
        assert (short.label, short.h_values, short.findings) == (full.label, full.h_values, full.findings), pair


def test_pairs_that_differ_in_an_object_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    brief, asked = Decider(THEORY, certified=False), list[Pair]()
    engines = together.Combinations._by_engines

    def ask(combinations: together.Combinations, case: Case, pair: Pair) -> None:
        asked.append(pair)
        engines(combinations, case, pair)

    monkeypatch.setattr(together.Combinations, "_by_engines", ask)
    for each in (THE_CAT, HIS_DOG, NO_LESS):
        brief.decision(parse(f"forall x. (girl(x), {each})"), parse(f"the x. (girl(x), {each})"))
    assert len(asked) == 1
