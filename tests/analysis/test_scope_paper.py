"""The scope paper's figures: by hand on small numbers, and by id whatever the order of rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from support import released
from support.scope_files import CHOICE, CHOSEN, SCORES

from gramprobe.analysis.output.table import Interval
from gramprobe.analysis.papers import scope, scope_choices
from gramprobe.analysis.papers.scope import Quadruples
from gramprobe.analysis.papers.scope_choices import Choices
from gramprobe.formats.scope import CONTINUATION, RATINGS

VALUES = {("a", "s_f1"): -4.0, ("a", "s_f2"): -3.0, ("a", "control_f1"): -4.0, ("a", "control_f2"): -6.0}
VALUES |= {("b", "s_f1"): -5.0, ("b", "s_f2"): -7.0, ("b", "control_f1"): -5.0, ("b", "control_f2"): -6.0}


def items(names: str = "ab") -> pa.Table:
    rows = [
        {
            "item": n,
            "part": part,
            "sentence": "",
            "followup": "",
            "op1": "",
            "op2": "",
            "op1_kind": "QD",
            "op2_kind": "IND",
        }
        for n in names
        for part in scope.PARTS
    ]
    return pa.Table.from_pylist(rows, CONTINUATION)


def many(count: int = 30, seed: int = 0) -> Quadruples:
    values = np.random.default_rng(seed).normal(-20, 3, (count, 4)) + np.array([0, 2, 0, 0])
    return Quadruples(tuple(f"i{n}" for n in range(count)), tuple("xy"[n % 2] for n in range(count)), values)


def test_alpha_is_the_papers() -> None:
    found = released.quadruples(items(), VALUES)
    for item, alpha in zip(found.items, found.alpha, strict=True):
        s = VALUES[item, "s_f1"] - VALUES[item, "s_f2"]
        c = VALUES[item, "control_f1"] - VALUES[item, "control_f2"]
        assert alpha == -(s - c)
    assert dict(zip(found.items, found.alpha, strict=True)) == {"a": 3.0, "b": -1.0}
    assert found.pairs == ("QD × IND", "QD × IND")


def test_values_are_joined_by_id() -> None:
    shuffled = dict(sorted(VALUES.items(), reverse=True))
    assert np.array_equal(released.quadruples(items("ba"), shuffled).of("QD × IND").alpha, [-1.0, 3.0])


def test_a_value_that_is_missing_or_of_no_item_is_named() -> None:
    with pytest.raises(ValueError, match="`b` has no value of s_f2"):
        released.quadruples(items(), {key: v for key, v in VALUES.items() if key != ("b", "s_f2")})
    with pytest.raises(ValueError, match="value of `c`, which is no item"):
        released.quadruples(items(), {**VALUES, ("c", "s_f1"): 0.0})


def test_the_proxy_is_a_log_share_of_the_scale() -> None:
    rated = [("a", "s_f1", 7.0), ("a", "s_f1", 6.0), ("a", "s_f2", 1.0)]
    rows = [{"item": i, "part": p, "person": str(n), "rating": r} for n, (i, p, r) in enumerate(rated)]
    proxies = scope.proxies_of(pa.Table.from_pylist(rows, RATINGS))
    assert proxies["a", "s_f1"] == pytest.approx(np.log(5.51 / 6.01))
    assert proxies["a", "s_f2"] == pytest.approx(np.log(0.01 / 6.01))


def test_scores_of_a_model_are_its_own() -> None:
    rows = [{"item": "a", "part": "s_f1", "model": m, "value": v} for m, v in (("x", -1.0), ("y", -2.0))]
    assert released.scores_of(pa.Table.from_pylist(rows, SCORES), "y") == {("a", "s_f1"): -2.0}


def test_the_table_by_pair_has_a_row_for_each_and_one_for_all() -> None:
    found = many()
    table = scope.by_pair({"m": found})
    assert [row[0] for row in table.rows] == ["x", "y", "all"]
    assert [row[1] for row in table.rows] == [15, 15, 30]
    alpha = table.rows[2][2]
    assert isinstance(alpha, Interval)
    assert alpha.value == pytest.approx(found.alpha.mean())
    assert alpha.low < found.alpha.mean() < alpha.high
    assert table.rows[2][3].value == (found.alpha > 0).mean()  # type: ignore[union-attr]


def test_items_whose_inverse_reading_is_disputed_have_a_row_of_their_own() -> None:
    access = tuple(("free", "disputed", "free")[n % 3] for n in range(30))
    found = replace(many(), access=access)
    table = scope.by_pair({"m": found})
    assert [row[0] for row in table.rows[2:]] == ["all", "all, inverse free", "all, inverse disputed"]
    assert [row[1] for row in table.rows[2:]] == [30, 20, 10]
    disputed = found.only([n for n in range(30) if n % 3 == 1])
    assert table.rows[4][2].value == pytest.approx(disputed.alpha.mean())  # type: ignore[union-attr]
    assert any("Mayr and Spector" in note for note in table.notes)
    alike = scope.by_pair({"m": replace(found, access=("disputed",) * 30)})
    assert [row[0] for row in alike.rows] == ["x", "y", "all"]
    chosen = replace(choices([1, 0, 1, 0], [0.5] * 4), access=("free", "free", "disputed", "disputed"))
    for table in (scope_choices.preference_by_pair({"m": chosen}), scope_choices.accuracy_by_pair({"m": chosen})):
        shares = {row[0]: row[3] for row in table.rows}
        assert (shares["all, inverse free"], shares["all, inverse disputed"]) == (
            1.0,
            0.0 if "acc" in table.name else 1.0,
        )


def test_the_same_items_in_another_order_correlate_perfectly_with_people() -> None:
    people = many()
    turned = people.only(range(len(people.items))[::-1])
    table = scope.models({"same": turned, "other": many(seed=1)}, people)
    r = {row[0]: row[-2] for row in table.rows}
    assert r["people"] is None
    assert any("holds the true r in .82 to .91" in note for note in table.notes)
    assert scope.models({"other": people}).notes == (scope.WHAT_ALPHA_IS,)
    assert isinstance(r["same"], Interval) and r["same"].value == pytest.approx(1)
    assert isinstance(r["other"], Interval) and abs(r["other"].value) < 0.5


def test_items_with_a_positive_proxy_are_kept() -> None:
    people = many()
    chosen = scope.kept(people)
    assert {people.alpha[people.items.index(item)] > 0 for item in chosen} == {True}
    assert len(chosen) == (people.alpha > 0).sum()


def choices(first: list[float], control: list[float]) -> Choices:
    """Two items in both orders: the first prefers the surface reading, which A picks in the first order."""
    surface, inverse = ("surface", "inverse"), ("inverse", "surface")
    return Choices(
        items=("a", "a", "b", "b"),
        orders=(1, 2, 1, 2),
        pairs=("x", "x", "y", "y"),
        picks_a=(surface[0], inverse[0], surface[0], inverse[0]),
        picks_b=(surface[1], inverse[1], surface[1], inverse[1]),
        preferred=("surface", "surface", "inverse", "inverse"),
        first=np.array(first),
        control=np.array(control),
    )


def column(table: object, key: str) -> list[object]:
    keys = [c.key for c in table.columns]  # type: ignore[attr-defined]
    return [row[keys.index(key)] for row in table.rows]  # type: ignore[attr-defined]


def test_who_always_says_the_first_option_is_right_half_of_the_time_and_never_agrees() -> None:
    table = scope_choices.accuracy({"m": choices([1, 1, 1, 1], [1, 1, 1, 1])})
    assert column(table, "share") == [0.5, 0.5, 0.5]
    assert column(table, "agreement") == [0.0, 0.0, 0.0]
    assert column(table, "first") == [1.0, 1.0, 1.0]


def test_who_picks_the_surface_reading_is_right_where_people_do() -> None:
    table = scope_choices.accuracy({"m": choices([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5])})
    shares = column(table, "share")
    assert shares == [0.5, 1.0, 0.0]  # of two items: too few for an interval
    assert column(table, "agreement") == [1.0, 1.0, 1.0]
    assert column(table, "shift")[1:] == [0.5, -0.5]
    for control, key, expected in ((np.nan, "control", None), (0.5, "share", 1.0)):
        table = scope_choices.preference_by_pair({"m": choices([1, 0, 1, 0], [control] * 4)})
        assert column(table, key) == [expected] * 3


def test_an_option_that_picks_no_reading_is_no_answer_about_it() -> None:
    found = choices([1, 0, 1, 0], [0.5] * 4)
    assert np.isnan(found.chosen(["", "", "narrow", "surface"])[:3]).all()


def test_what_the_sentence_adds_to_the_followups_is_alpha() -> None:
    found = many()
    surface, inverse = found.added
    assert np.allclose(surface - inverse, found.alpha)
    assert surface[0] == found.values[0, 1] - found.values[0, 3]


def option(key: str, reading: str, order: int) -> dict[str, object]:
    return {
        "item": "1", "order": order, "sentence": "", "option_a": "", "option_b": "", "key": key, "reading": reading,
        "op1": "", "op2": "", "op1_kind": "NEG", "op2_kind": "IND",
    }  # fmt: skip


def test_released_answers_that_name_no_option_count_as_wrong() -> None:
    items = pa.Table.from_pylist([option("A", "inverse", 1), option("B", "inverse", 2)], CHOICE)
    said = [(1, False, "A"), (2, False, ""), (1, True, "B"), (2, True, "B")]
    rows = [{"item": "1", "model": "m", "order": o, "control": c, "answer": a} for o, c, a in said]
    found = released.choices_of(items, pa.Table.from_pylist(rows, CHOSEN))
    assert found.picks_a == ("inverse", "surface")
    assert found.chosen(found.preferred).tolist() == [1, 0]
    assert found.chosen(found.preferred, control=True).tolist() == [0, 1]
    table = scope_choices.accuracy_by_pair({"m": found})
    assert table.rows[0][:5] == ("NEG × IND", "inverse", 1, 0.5, 0.5)
