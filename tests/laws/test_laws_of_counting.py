"""Laws of counting: the simplex against brute force, lemmas and splits against enumeration, miniscoping against the
evaluator, proofs and candidates against all small models.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, islice, product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import KINDS, OPERATORS, PARTIAL, Fragment, examples, formulas, models, projections

from gramprobe.certify import venn as kernel
from gramprobe.certify.check import check_model
from gramprobe.certify.classical import Core, problem
from gramprobe.certify.evaluator import value
from gramprobe.certify.miniscope import Miniscope, parts_of, renamed, variable_of
from gramprobe.certify.model import Extension, Model, ModelError
from gramprobe.certify.regions import Bound, Regions, everything, place_table, table
from gramprobe.certify.reject import Budget, CertificateError
from gramprobe.decide.prove import venn
from gramprobe.decide.prove.spread import Counts, Lemma, Refutation, Split, Spreader, solve
from gramprobe.decide.search.bound import Bound as Size
from gramprobe.decide.search.sat import Finder
from gramprobe.formula import sorts
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import theory_to_json, to_json
from gramprobe.formula.lexer import FormulaError
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import Projection, TheorySlice

small = st.integers(-3, 3)


@st.composite
def systems(draw: st.DrawFn) -> tuple[list[list[int]], list[int], int]:
    """Rows, least sums, number of columns."""
    columns, count = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(small, min_size=columns, max_size=columns), min_size=count, max_size=count))
    return rows, draw(st.lists(small, min_size=count, max_size=count)), columns


@pytest.mark.slow
@settings(max_examples=examples(300), deadline=None)
@given(systems())
def test_the_simplex_solves_or_refutes(system: tuple[list[list[int]], list[int], int]) -> None:
    rows, least, columns = system
    answer = solve(rows, least, columns)
    if isinstance(answer, Refutation):
        by = answer.multipliers
        assert min(by) >= 0
        assert all(sum(m * row[j] for m, row in zip(by, rows, strict=True)) <= 0 for j in range(columns))
        assert sum(m * bound for m, bound in zip(by, least, strict=True)) > 0
    else:
        assert min(answer.values) >= 0
        for row, bound in zip(rows, least, strict=True):
            assert sum(a * x for a, x in zip(row, answer.values, strict=True)) >= bound
        for point in product(range(4), repeat=columns):
            if all(
                sum(a * x for a, x in zip(row, point, strict=True)) >= b for row, b in zip(rows, least, strict=True)
            ):
                assert sum(answer.values) <= sum(point)


NAMED = (21, 22)


@st.composite
def counted(draw: st.DrawFn) -> tuple[Regions, set[int]]:
    """Bounds over groups of up to two bits, with the literals that are true: all bounds, some named ones."""
    size, groups = draw(st.integers(0, 2)), draw(st.integers(1, 2))
    part = st.tuples(st.sampled_from([1, 1, -1, -1, 2]), st.integers(0, everything(size)))
    named = st.dictionaries(st.sampled_from([*NAMED, *[-each for each in NAMED]]), st.integers(1, 2), max_size=2)
    bounds = {
        literal: Bound(
            draw(st.integers(0, groups - 1)),
            tuple(draw(st.lists(part, min_size=1, max_size=2))),
            tuple((weight, other) for other, weight in draw(named).items()),
            draw(small),
        )
        for literal in range(1, draw(st.integers(1, 6)) + 1)
    }
    regions = Regions(bounds, ["individual"] * groups, [size] * groups, {"individual": draw(st.booleans())})
    return regions, {*bounds, *draw(st.sets(st.sampled_from(NAMED)))}


def spread(regions: Regions, holding: set[int], depth: int = 0) -> Counts | None:
    """Branch and bound; every lemma on the way is checked."""
    found = Spreader(regions, Budget()).spread(holding)
    if isinstance(found, Lemma):
        assert not any((literal in holding) if literal > 0 else (-literal not in holding) for literal in found.clause)
        regions.lemma(found.clause, found.multipliers, Budget())
        for lost in range(len(found.multipliers)):
            fewer = [*found.multipliers[:lost], *found.multipliers[lost + 1 :]]
            with pytest.raises(CertificateError):  # of the simplex, no multiplier is idle
                regions.lemma(found.clause, fewer, Budget())
        return None
    if isinstance(found, Split):
        assume(depth < 8)
        literal = 100 + depth
        regions.split(literal, found.group, found.inside, found.least)
        below = spread(regions, {*holding, literal}, depth + 1) or spread(regions, holding - {literal}, depth + 1)
        del regions.bounds[literal], regions.bounds[-literal]
        return below
    return found


def satisfied(regions: Regions, holding: set[int], counts: list[list[int]]) -> bool:
    """Whether counts per group and region meet the bounds, summed one by one."""
    for literal, bound in regions.bounds.items():
        if literal in holding:
            total = sum(
                by * number
                for by, inside in bound.parts
                for region, number in enumerate(counts[bound.group])
                if inside >> region & 1
            )
            total += sum(w for w, other in bound.named if (other in holding if other > 0 else -other not in holding))
            if total < bound.least:
                return False
    return True


@pytest.mark.slow
@settings(max_examples=examples(120), deadline=None)
@given(counted())
def test_spreading_is_enumeration(drawn: tuple[Regions, set[int]]) -> None:
    regions, holding = drawn
    used = sorted({bound.group for bound in regions.bounds.values()})
    size = 1 << regions.sizes[0]
    found = spread(regions, holding)
    if found is not None:
        counts = [[0] * size for _ in found]
        for group, cells in enumerate(found):
            for inside, number in cells:
                counts[group][(inside & -inside).bit_length() - 1] += number
        assert satisfied(regions, holding, counts)
        assert len({sum(counts[group]) for group in used}) == 1
        assert not regions.unnamed["individual"] or sum(counts[used[0]]) > 0
        return
    for total in range(regions.unnamed["individual"], 5):
        spreads = [
            [list(each).count(region) for region in range(size)]
            for each in combinations_with_replacement(range(size), total)
        ]
        for some in product(spreads, repeat=len(used)):
            counts = [[0] * size for _ in regions.sorts]
            for group, numbers in zip(used, some, strict=True):
                counts[group] = numbers
            assert not satisfied(regions, holding, counts)


def test_truth_tables() -> None:
    for size in range(5):
        for place in range(size):
            rows = [region for region in range(1 << size) if place_table(place, size) >> region & 1]
            assert rows == [region for region in range(1 << size) if region >> place & 1]
    both = ("and", ("bit", 7), ("not", ("bit", 9)))
    assert table(both, {7: 0, 9: 1}, 2, Budget()) == 0b0010
    assert table(("or", both, ("bit", 9)), {7: 0, 9: 1}, 2, Budget()) == 0b1110


def as_json(core: Core) -> list[Any]:
    """A core formula as the evaluator reads it."""
    match core[0]:
        case "all" | "some":
            name = {"all": "forall", "some": "exists"}[core[0]]
            return ["quantified", name, None, core[1], core[2], ["true"], as_json(core[3])]
        case "atleast":
            return ["quantified", "atleast", core[1], core[2], core[3], ["true"], as_json(core[4])]
        case "most":
            return ["quantified", "most", None, core[1], core[2], as_json(core[3]), as_json(core[4])]
        case "box":
            return ["modal", core[1], None if core[2] is None else list(core[2]), as_json(core[3])]
        case _:
            return [as_json(part) if type(part) is tuple else part for part in core]


def quantifiers(core: Core) -> Iterator[Core]:
    if core[0] in ("all", "some", "atleast", "most"):
        yield core
    for part in core:
        if type(part) is tuple:
            yield from quantifiers(part)


QUANTIFIERS = PARTIAL.quantifiers
MONADIC = Fragment(quantifiers=QUANTIFIERS, constants=True)
NESTED = Fragment(modal=True, quantifiers=QUANTIFIERS, constants=True, binary=True, equality=True, here=True)
OCCASIONS = replace(NESTED, occasions=True)


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(formulas(NESTED, 4), models(2, 3))
def test_miniscoping_keeps_the_truth_value(formula: Formula, model: Model) -> None:
    (sorted_formula,) = sorts.resolve([formula])
    theory = TheorySlice(operators=OPERATORS)
    (core,) = problem(theory_to_json(theory), [(to_json(sorted_formula), "T")]).goals
    budget = Budget()
    apart = renamed(Miniscope(budget).formula(core), {}, budget)
    kinds = dict.fromkeys(KINDS, "box")
    try:
        assert value(as_json(apart), model, "strong", kinds) == value(as_json(core), model, "strong", kinds)
    except ModelError:
        assume(False)
    for node in quantifiers(apart):
        mini = Miniscope(budget)
        assert all(mini.apart(part, variable_of(node)) is None for part in parts_of(node))


def small_models(*formulas: Formula) -> Iterator[Model]:
    """The models of one world over unary predicates and propositions, up to isomorphism, the small ones first."""
    found = symbols(*formulas)
    unary = [name for name, arity in found.predicates if arity == 1]
    plain = [name for name, arity in found.predicates if arity == 0]
    names = {name: number for number, name in enumerate(found.constants)}
    size = 1 << len(unary)
    for total in range(0 if names else 1, 5):
        for unnamed in combinations_with_replacement(range(size), total):
            for named in product(range(size), repeat=len(names)):
                for settled in product((False, True), repeat=len(plain)):
                    who = [*named, *unnamed]
                    predicates: dict[str, Extension] = {
                        name: (frozenset[tuple[int, ...]]([()] if on else []),)
                        for name, on in zip(plain, settled, strict=True)
                    }
                    for place, name in enumerate(unary):
                        members = [(number,) for number, region in enumerate(who) if region >> place & 1]
                        predicates[name] = (frozenset(members),)
                    yield Model(worlds=1, individuals=len(who), actual=0, constants=names, predicates=predicates)


def completed(model: Model, *formulas: Formula) -> Model:
    """A candidate with the predicates that were folded away, without members."""
    empty = (frozenset[tuple[int, ...]](),) * model.worlds
    return replace(model, predicates={**{name: empty for name, _ in symbols(*formulas).predicates}, **model.predicates})


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(formulas(MONADIC, 4), formulas(MONADIC, 3), projections)
def test_monadic_counting_is_decided(premise: Formula, hypothesis: Formula, projection: Projection) -> None:
    premise, hypothesis = sorts.resolve([premise, hypothesis])
    theory = theory_to_json(TheorySlice(operators=(), postulates=(), projection=projection))
    wanted = [(to_json(premise), "T"), (to_json(hypothesis), "F")]
    question = problem(theory, wanted)
    answer = venn.prove([question])[0] or venn.prove_more([question])[0]
    assert answer is not None
    if isinstance(answer, Model):
        assume({*answer.constants} >= {*symbols(premise, hypothesis).constants})
        check_model(theory, wanted, completed(answer, premise, hypothesis))
    else:
        kernel.check(question, answer, Budget())
        for model in islice(small_models(premise, hypothesis), 300):
            assert any(value(formula, model, projection.data, {}) != each for formula, each in wanted), model


@pytest.mark.slow
@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.lists(formulas(OCCASIONS, 3), min_size=2, max_size=3), projections, st.booleans())
def test_proofs_and_the_finder_never_contradict(pieces: list[Formula], projection: Projection, distinct: bool) -> None:
    try:
        formulas = sorts.resolve(pieces)
    except FormulaError:  # an occasion at the place of an individual
        assume(False)
    theory = TheorySlice(operators=OPERATORS, postulates=(), projection=projection, distinct=distinct)
    question = problem(theory_to_json(theory), [(to_json(formula), "T") for formula in formulas])
    answer = venn.prove([question])[0] or venn.prove_more([question])[0]
    assume(isinstance(answer, dict))
    assert isinstance(answer, dict)
    kernel.check(question, answer, Budget())
    with Finder(theory, formulas, Size(worlds=2, individuals=3, occasions=2)) as finder:
        assert not isinstance(finder.find([(number, "T") for number in range(len(formulas))]), Model)
