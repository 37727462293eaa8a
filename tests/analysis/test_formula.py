"""Formulas are read as lme4 reads them; what cannot be read is reported with its place."""

from __future__ import annotations

import pyarrow as pa
import pytest

from gramprobe.analysis.mixed.coding import contrasts
from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.formula import parse
from gramprobe.analysis.mixed.frame import frame_of
from gramprobe.source.diagnostic import AuthoringError

#: every combination of the levels, so that nothing is confounded
ROWS = [
    (a, b, c, f"w{i}", f"i{j}") for a in "xy" for b in (0.5, -0.5) for c in "klm" for i in range(4) for j in range(3)
]
TABLE = pa.table(
    {
        "score": pa.array([float(i * 7 % 11) for i in range(len(ROWS))]),
        "two": [r[0] for r in ROWS],
        "half": [r[1] for r in ROWS],
        "three": [r[2] for r in ROWS],
        "word": [r[3] for r in ROWS],
        "my item": [r[4] for r in ROWS],
        "a.b": pa.array([float(i % 5 + 1) for i in range(len(ROWS))]),
    }
)


def design(formula: str, **codings: str) -> Design:
    return Design(parse(formula), frame_of(TABLE), codings=codings)


@pytest.mark.parametrize(
    ("formula", "columns"),
    [
        ("score ~ 1", ["(Intercept)"]),
        ("score ~ half", ["(Intercept)", "half"]),
        ("score ~ half - 1", ["half"]),
        ("score ~ 0 + three", ["threek", "threel", "threem"]),
        ("score ~ half * three", ["(Intercept)", "half", "three1", "three2", "half:three1", "half:three2"]),
        ("score ~ (half + two)^2", ["(Intercept)", "half", "two", "half:two"]),
        ("score ~ half / two", ["(Intercept)", "half", "half:two"]),
        ("score ~ half * two - half:two", ["(Intercept)", "half", "two"]),
        ("score ~ log(a.b)", ["(Intercept)", "log(a.b)"]),
        ("score ~ (half)", ["(Intercept)", "half"]),
    ],
)
def test_columns_of_the_fixed_effects(formula: str, columns: list[str]) -> None:
    assert list(design(formula).layout.fixed) == columns


@pytest.mark.parametrize(
    ("random", "terms"),
    [
        ("(1 | word)", ["(1 | word)"]),
        ("(half | word)", ["(1 + half | word)"]),
        ("(0 + half | word)", ["(0 + half | word)"]),
        ("(1 + half || word)", ["(1 | word)", "(0 + half | word)"]),
        ("(half * two || word)", ["(1 | word)", "(0 + half | word)", "(0 + two | word)", "(0 + half:two | word)"]),
        # A double bar splits terms, not the columns of a factor; without an intercept a factor has all its levels.
        ("(0 + three || word)", ["(0 + threek + threel + threem | word)"]),
        ("(three | word)", ["(1 + three1 + three2 | word)"]),
        ("(1 | word/three)", ["(1 | word)", "(1 | word:three)"]),
        ("(1 | word:`my item`)", ["(1 | word:my item)"]),
        ("(0 + half || word) + (1 + three | word)", ["(0 + half | word)", "(1 + three1 + three2 | word)"]),
    ],
)
def test_random_terms(random: str, terms: list[str]) -> None:
    assert [str(term) for term in design(f"score ~ half + {random}").layout.terms] == terms


def test_pairs_of_levels_are_levels() -> None:
    layout = design("score ~ half + (1 | word:`my item`)").layout
    assert len(layout.groupings[0].levels) == 12
    assert set(layout.groupings[0].levels) == {f"w{i}:i{j}" for i in range(4) for j in range(3)}


@pytest.mark.parametrize(
    ("formula", "column", "message"),
    [
        ("score", 1, "one column before one `~`"),
        ("score ~ half ~ two", 14, "one column before one `~`"),
        ("score ~", 8, "nothing stands after"),
        ("score ~ half + (1 | word", 16, "never closed"),
        ("score ~ half) + 1", 13, "never opened"),
        ("score ~ half + 1 | word", 18, "a bar outside of its brackets"),
        ("score ~ half - (1 | word)", 14, "can be added only"),
        ("score ~ half + (1 | )", 19, "nothing stands after this bar"),
        ("score ~ half + (1 | word + two)", 26, "a grouping factor"),
        ("score ~ half + (1 | word:)", 25, "a grouping factor"),
        ("score ~ half + round(two)", 16, "cannot call `round`"),
        ("score ~ half + ?", 16, "`?` is no part of a formula"),
        ("score ~ half +", 14, "a term is missing after"),
        ("score ~ half ++ two", 15, "a term is missing before"),
        ("score ~ hlf", 9, "no column `hlf`; did you mean `half`?"),
        ("score ~ half + (1 | wrd)", 21, "no column `wrd`; did you mean `word`?"),
        ("score ~ half two", 14, "a sign such as `+` or `|` is missing before `two`"),
        ("score ~ half + (1 word)", 19, "a sign such as `+` or `|` is missing before `word`"),
        ("score ~ (half + two) 1", 22, "is missing before `1`"),
    ],
)
def test_what_cannot_be_read_has_its_place(formula: str, column: int, message: str) -> None:
    with pytest.raises(AuthoringError) as caught:
        design(formula)
    (problem,) = caught.value.diagnostics
    assert problem.code == "E96"
    assert problem.span.column == column
    assert message in problem.message
    assert problem.help


def test_contrasts_are_those_of_r() -> None:
    assert contrasts("helmert", 3).tolist() == [[-1, -1], [1, -1], [0, 2]]
    assert contrasts("sum", 3).tolist() == [[1, 0], [0, 1], [-1, -1]]
    assert contrasts("treatment", 3).tolist() == [[0, 0], [1, 0], [0, 1]]
    assert contrasts("half", 2).tolist() == [[0.5], [-0.5]]
    assert contrasts("scaled_helmert", 3)[:, 1].tolist() == pytest.approx([-1 / 3, -1 / 3, 2 / 3])


@pytest.mark.parametrize("kind", ["sum", "treatment", "helmert", "scaled_helmert"])
def test_codings_are_in_the_columns(kind: str) -> None:
    found = design("score ~ three", three=kind)
    coding = found.codings[0]
    assert found.layout.fixed[1:] == coding.names
    matrix = found.products().matrix
    # 48 rows of each level: the squares and products of the columns are 48 times those of the matrix.
    expected = 48 * coding.matrix.T @ coding.matrix
    assert matrix[1:, 1:] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("codings", "levels", "message"),
    [
        ({"three": "half"}, {}, "`half` is for two levels, and it has 3"),
        ({"three": "sm"}, {}, "`sm` is not a coding"),
        ({"word": "sum"}, {}, "no predictor"),
        ({}, {"three": ("k", "l")}, "k, l are not its levels"),
    ],
)
def test_codings_that_do_not_fit(codings: dict[str, str], levels: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(AuthoringError) as caught:
        Design(parse("score ~ three + (1 | word)"), frame_of(TABLE), codings=codings, levels=levels)
    assert message in caught.value.diagnostics[0].message


def test_the_order_of_levels_turns_the_sign() -> None:
    one = Design(parse("score ~ two"), frame_of(TABLE), levels={"two": ("x", "y")})
    other = Design(parse("score ~ two"), frame_of(TABLE), levels={"two": ("y", "x")})
    assert one.products().vector[1] == pytest.approx(-other.products().vector[1])
    assert one.products().vector[1] != 0.0
