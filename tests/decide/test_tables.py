"""The bit-parallel model checker: frames counted, spaces enumerated, questions answered."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramprobe.certify.frames import holds, problems
from gramprobe.certify.model import Model
from gramprobe.decide.search.layout import layout_of
from gramprobe.decide.search.planes import alternating, atleast, packed, repeated, spread
from gramprobe.decide.search.relations import TooLarge, frames, joint, related
from gramprobe.decide.search.tables import Tables
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import operator_to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import FRAMES, Frame, Operator, TheorySlice

S4 = frozenset[Frame]({"reflexive", "transitive"})
S5 = frozenset[Frame]({"reflexive", "transitive", "symmetric"})
KD45 = frozenset[Frame]({"serial", "transitive", "euclidean"})
ATTITUDES = TheorySlice(
    operators=(
        Operator(name="K", kind="box", frame=S4),
        Operator(name="B", kind="box", frame=KD45, within=("K",), introspected_by=("K",)),
    )
)


def read(*texts: str, theory: TheorySlice | None = None) -> list[Formula]:
    return [parse(text, operators=[each.name for each in (theory or ATTITUDES).operators]) for text in texts]


# bit sets


def test_columns_have_the_bits_they_should() -> None:
    assert repeated(0b01, 2, 5) == 0b0101010101
    assert repeated(0b1, 3, 0) == 0
    assert alternating(2, 8) == 0b11001100
    assert spread([True, False, True], 2) == 0b110011
    assert packed([True, False, False, True]) == 0b1001
    assert packed([]) == 0


@given(st.lists(st.integers(0, 255), max_size=6), st.integers(-1, 7))
def test_counting_is_counting(columns: list[int], count: int) -> None:
    expected = sum((sum(column >> at & 1 for column in columns) >= count) << at for at in range(8))
    assert atleast(columns, count, 255) == expected


# frames


@pytest.mark.parametrize(
    ("conditions", "numbers"),
    [(S5, [1, 2, 5, 15]), (KD45, [1, 4, 17, 89]), (S4, [1, 4, 29, 355]), (frozenset({"reflexive"}), [1, 4, 64, 4096])],
)
def test_frames_are_as_many_as_there_are(conditions: frozenset[Frame], numbers: list[int]) -> None:
    """Partitions for S5 (Bell), preorders for S4; KD45: a cluster, and everyone sees it or is in another one."""
    assert [len(frames(conditions, worlds)) for worlds in (1, 2, 3, 4)] == numbers


@given(st.frozensets(st.sampled_from(FRAMES), max_size=4), st.integers(1, 3))
def test_frames_are_those_of_the_kernel(conditions: frozenset[Frame], worlds: int) -> None:
    pairs = [(w, v) for w in range(worlds) for v in range(worlds)]
    expected = set()
    for code in range(1 << len(pairs)):
        relation = frozenset(pair for at, pair in enumerate(pairs) if code >> at & 1)
        if all(holds(condition, relation, worlds) for condition in conditions):
            expected.add(code)
    assert set(frames(conditions, worlds)) == expected


@pytest.mark.slow
@settings(max_examples=max(6, settings().max_examples // 50), deadline=None)
@given(st.data())
def test_joint_frames_are_those_of_the_kernel(data: st.DataObject) -> None:
    conditions = st.frozensets(st.sampled_from(FRAMES), max_size=2)
    links = st.lists(st.sampled_from("kbl"), max_size=2, unique=True).map(tuple)
    operators = {
        name: Operator(
            name=name,
            kind="box",
            frame=data.draw(conditions),
            within=data.draw(links),
            introspected_by=data.draw(links),
        )
        for name in "kbl"
    }
    groups = related("kbl", operators)
    assert sorted(name for group in groups for name in group) == ["b", "k", "l"]
    pairs, count = [(0, 0), (0, 1), (1, 0), (1, 1)], 1
    for group in groups:
        count *= len(joint(group, operators, 2))
    expected = 0
    for codes in product(range(16), repeat=3):
        relations = {
            name: frozenset(pair for at, pair in enumerate(pairs) if code >> at & 1)
            for name, code in zip("kbl", codes, strict=True)
        }
        model = Model(worlds=2, individuals=1, actual=0, constants={}, predicates={}, relations=relations)
        expected += not problems(model, [operator_to_json(each) for each in operators.values()], True)
    assert count == expected


def test_five_worlds_are_refused() -> None:
    with pytest.raises(TooLarge):
        frames(S5, 5)
    assert Tables.tiny(ATTITUDES, read("B[a] p"), 5, 1) is None


# spaces


def test_a_space_holds_every_model_once() -> None:
    (formula,) = read("B[a] p & q(a)")
    tables = Tables(ATTITUDES, [formula], 2, 1)
    assert tables.size == len(joint(("B", "K"), {
        each.name: each for each in ATTITUDES.operators}, 2)) * 2**3  # fmt: skip
    models = [tables.model(number) for number in range(tables.size)]
    assert len({str(model.to_json()) for model in models}) == tables.size
    operators = [operator_to_json(each) for each in ATTITUDES.operators]
    assert not any(problems(model, operators, True) for model in models)


def test_known_consequences_of_the_attitudes() -> None:
    """The rows that decide between S4 and S5 knowledge (Lenzen 1978): S5 makes B K p entail K p, S4 does not."""
    s5 = TheorySlice(
        operators=(Operator(name="K", kind="box", frame=S5), Operator(name="B", kind="box", frame=KD45, within=("K",)))
    )
    for theory, collapses in ((ATTITUDES, False), (s5, True)):
        pair = read("B[a] K[a] p", "K[a] p", "B[a] p", "K[a] B[a] p", theory=theory)
        tables = Tables(theory, pair, 3, 1)
        assert (tables.find([(0, "T"), (1, "F")]) is None) == collapses
        assert tables.find([(0, "T"), (2, "F")]) is None
    assert Tables(ATTITUDES, pair, 3, 1).find([(2, "T"), (3, "F")]) is None


def test_names_may_share_a_bearer_where_the_theory_lets_them() -> None:
    pair = read("f(a) & ~f(b)", "a = b")
    assert Tables(TheorySlice(distinct=False), pair, 1, 2).count([(1, "T")]) == 4  # f of one individual and the other
    assert Tables(TheorySlice(distinct=False), pair, 1, 2).find([(0, "T"), (1, "T")]) is None
    assert Tables(TheorySlice(), pair, 1, 2).count([(1, "T")]) == 0
    with pytest.raises(ValueError, match="2 names"):
        Tables(TheorySlice(), pair, 1, 1)


def test_postulates_hold_at_every_world() -> None:
    theory = TheorySlice(
        operators=(Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"})),),
        postulates=tuple(read("p -> q")),
    )
    pair = [ast.Modal("poss", None, ast.And(ast.Atom("p"), ast.Not(ast.Atom("q"))))]
    assert Tables(theory, pair, 2, 1).count([(0, "T")]) == 0
    assert Tables(TheorySlice(operators=theory.operators), pair, 2, 1).count([(0, "T")]) > 0


def test_formulas_that_the_tables_reject() -> None:
    announced = ast.Announced(ast.Atom("p"), ast.Atom("p"))
    with pytest.raises(ValueError, match="compile it away first"):
        Tables(TheorySlice(), [announced], 1, 1)
    large = read("forall x. exists y. r(x, y)")
    assert layout_of(TheorySlice(), large, 1, 5).size == 2**25
    assert Tables.tiny(TheorySlice(), large, 1, 5) is None
    with pytest.raises(TooLarge):
        Tables(TheorySlice(), large, 1, 5)
    occasional = [
        ast.Quantified(
            quantifier="most",
            variable="t",
            restrictor=ast.TRUE,
            scope=ast.Atom("f", (ast.Var("t"),)),
            sort="occasion",
        )
    ]
    with pytest.raises(ValueError, match="there are none"):
        Tables(TheorySlice(), occasional, 1, 1)
    assert Tables(TheorySlice(), occasional, 1, 1, 3).count([(0, "T")]) == 4


def test_a_batch_is_the_same_again() -> None:
    formula = read("B[a] f(b)")
    one, other = (Tables.sampled(ATTITUDES, formula, 3, 2, models=500, seed=4) for _ in range(2))
    assert one.batch == other.batch
    assert one.batch != Tables.sampled(ATTITUDES, formula, 3, 2, models=500, seed=5).batch


def test_a_random_batch_knows_its_frames() -> None:
    operators = [operator_to_json(each) for each in ATTITUDES.operators]
    tables = Tables.sampled(ATTITUDES, read("B[a] K[b] p"), 3, 2, models=60, seed=1)
    assert not any(problems(tables.model(number), operators, True) for number in range(60))
